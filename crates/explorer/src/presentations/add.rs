//! Adding the presentation of a file, once its servers are in the list.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sonde_suite::node::Node;
use ts_rs::TS;

use super::{
    list::new_id,
    presentation::{Presentation, PresentationStep, StepInput},
};
use crate::{
    Error,
    changes::Change,
    core::{Core, State},
    saved_inputs::SavedInput,
    servers::{FileStep, PresentationFile, ServerId, free_name},
};

/// Servers of the list by their names in a file; names without a server are missing.
pub(super) type ServersByName = HashMap<String, ServerId>;

/// A presentation that was added from a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportedPresentation {
    /// Its id.
    pub id: String,
    /// Number of the deletion of the presentation that it replaced.
    pub replaced: Option<u64>,
}

/// A presentation of a file as it would be, without the saved inputs.
pub(super) fn outline(file: &PresentationFile, servers: &ServersByName) -> Presentation {
    let mut servers = servers.clone();
    let steps = file.steps.iter().map(|step| PresentationStep {
        server: servers
            .entry(step.server.clone())
            .or_insert_with(new_id)
            .clone(),
        server_name: step.server.clone(),
        method: step.method.clone(),
        target: step.target.clone(),
        title: step.title.clone(),
        notes: step.notes.clone(),
        ..PresentationStep::default()
    });
    Presentation {
        title: file.title.trim().to_owned(),
        steps: steps.collect(),
        ..Presentation::default()
    }
}

impl Core {
    /// Adds the presentation of a file with its saved inputs. It replaces the presentation with the id `replace`,
    /// unless that is empty. `imported` is true unless the file is Sonde's own.
    ///
    /// # Errors
    /// `InvalidInput` if there is no room for it; then all presentations stay as they were.
    pub(super) fn add_presentation(
        &self,
        file: &PresentationFile,
        servers: &ServersByName,
        replace: &str,
        imported: bool,
    ) -> Result<ImportedPresentation, Error> {
        let mut presentation = Presentation {
            imported,
            ..outline(file, servers)
        };
        let imported = self.state(|state| {
            presentation.id = replace.to_owned();
            state.presentations.check(&presentation)?;
            presentation.id.clear();
            // With its names, while they are known.
            self.store_presentations(state);
            let before = state.presentations.remove(replace);
            let title = free_name(&presentation.title, " ", |title| {
                state.presentations.iter().any(|one| one.title == title)
            });
            presentation.title = title;
            for (step, written) in presentation.steps.iter_mut().zip(&file.steps) {
                offer(state, step, written);
            }
            let id = match state.presentations.put(presentation) {
                Ok(id) => id,
                // Its saved inputs count too, and may have been too many.
                Err(error) => {
                    if let Some((index, before)) = before {
                        state.presentations.insert(index, before);
                    }
                    self.store_inputs(state);
                    return Err(error);
                }
            };
            let replaced = before.map(|(index, before)| {
                if let Some((_, new)) = state.presentations.remove(&id) {
                    state.presentations.insert(index, new);
                }
                state.deletions.keep_presentation(index, before)
            });
            self.store_inputs(state);
            self.store_presentations(state);
            Ok::<_, Error>(ImportedPresentation { id, replaced })
        })?;
        for server in servers.values() {
            self.inputs_changed(server);
        }
        self.observer.changed(Change::Presentations);
        Ok(imported)
    }
}

/// Removes white space from JSON text.
fn compact(text: &str) -> String {
    Node::read(text).map_or_else(|_| text.to_owned(), |node| node.json_text())
}

/// Adds the saved inputs of a step, but those that its server has already.
fn offer(state: &mut State, step: &mut PresentationStep, written: &FileStep) {
    let is_there = state.servers.get(&step.server).is_some();
    for input in &written.inputs {
        let mut input = SavedInput {
            server: step.server.clone(),
            method: step.method.clone(),
            target: step.target.clone(),
            name: input.name.trim().to_owned(),
            arguments: input.arguments.clone(),
            ..SavedInput::default()
        };
        let known = state.saved_inputs.iter();
        let known: Vec<_> = known.filter(|one| one.has_target_of(&input)).collect();
        let is_same = |one: &&&SavedInput| {
            one.name == input.name && compact(&one.arguments) == compact(&input.arguments)
        };
        let same = known.iter().find(is_same).map(|one| one.id.clone());
        if same.is_none() {
            let is_taken = |name: &str| known.iter().any(|one| one.name == name);
            input.name = free_name(&input.name, " ", is_taken);
        }
        let name = input.name.clone();
        let id = match same {
            None if is_there => state.saved_inputs.put(input).ok(),
            same => same,
        };
        step.inputs.push(StepInput {
            // Without room or a server, the input is shown as removed.
            id: id.unwrap_or_else(new_id),
            name,
            removed: false,
        });
    }
}
