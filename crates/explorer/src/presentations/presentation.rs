//! One presentation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    saved_inputs::SavedInputList,
    servers::{ServerId, ServerList},
};

/// Operations to show to an audience, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Presentation {
    /// Its id; empty for a new presentation.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Imported from a file: its author may not be the user.
    #[serde(default)]
    pub imported: bool,
    /// In order.
    pub steps: Vec<PresentationStep>,
}

/// One operation that a presentation shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PresentationStep {
    /// Its id; empty for a new step.
    pub id: String,
    /// Server of the operation.
    pub server: ServerId,
    /// The server's name; if it was removed, the last known one.
    pub server_name: String,
    /// The server is no longer in the list. Of no meaning when handed in.
    #[serde(default)]
    pub server_removed: bool,
    /// The method, for example `tools/call`.
    pub method: String,
    /// The key of a tool, the name of a prompt, the URI of a resource.
    pub target: String,
    /// Text for the audience.
    pub title: String,
    /// The saved inputs to offer, in order.
    pub inputs: Vec<StepInput>,
    /// Text for the speaker only.
    pub notes: String,
}

/// A saved input that a step offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StepInput {
    /// Id of the saved input.
    pub id: String,
    /// Its name; if it was removed, the last known one.
    pub name: String,
    /// The saved input no longer exists. Ignored on input.
    #[serde(default)]
    pub removed: bool,
}

impl Presentation {
    /// Updates the names of its servers and saved inputs, and marks those that were removed.
    pub(crate) fn look_up(&mut self, servers: &ServerList, inputs: &SavedInputList) {
        for step in &mut self.steps {
            let server = servers.get(&step.server);
            step.server_removed = server.is_none();
            if let Some(server) = server {
                step.server_name.clone_from(&server.config.name);
            }
            for offered in &mut step.inputs {
                // A saved input for another target cannot be offered.
                let input = inputs.get(&offered.id).filter(|input| {
                    (&input.server, &input.method, &input.target)
                        == (&step.server, &step.method, &step.target)
                });
                offered.removed = input.is_none() || step.server_removed;
                if let Some(input) = input {
                    offered.name.clone_from(&input.name);
                }
            }
        }
    }

    /// Returns the size of its texts, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|step| {
            let inputs = step.inputs.iter();
            let inputs: usize = inputs.map(|one| one.id.len() + one.name.len()).sum();
            let texts = [
                &step.server,
                &step.server_name,
                &step.method,
                &step.target,
                &step.title,
                &step.notes,
            ];
            texts.map(String::len).iter().sum::<usize>() + step.id.len() + inputs
        });
        self.title.len() + steps.sum::<usize>()
    }
}
