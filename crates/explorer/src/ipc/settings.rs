use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Colours of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// What the user can set for the whole app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Colours.
    pub theme: Theme,
    /// The server that was selected last.
    pub selected_server: Option<String>,
}

/// What the app knows about itself, for a bug report. Holds no secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AppReport {
    /// The app's version.
    pub version: String,
    /// Operating system and architecture.
    pub system: String,
    /// Folder of the app's data.
    pub data_folder: String,
    /// Where secrets are kept, one plain sentence.
    pub keyring: String,
    /// The newest lines of the app's log, oldest first.
    pub log: Vec<String>,
    /// Reports of crashes of the app itself, newest first, as text.
    pub crashes: Vec<String>,
}
