use serde::{Deserialize, Serialize};
use sonde_explorer::{saved_inputs::SavedInput, servers::ServerId};
use ts_rs::TS;

/// The saved inputs of one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SavedInputs {
    /// The server.
    pub server: ServerId,
    /// Saved inputs in order; those of one target are in the order in which they are offered.
    pub inputs: Vec<SavedInput>,
}

/// A presentation that was saved as one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ExportedPresentation {
    /// Path of the file; `None` if the user cancelled.
    pub path: Option<String>,
    /// Parts that were left out, as plain sentences.
    pub notes: Vec<String>,
}
