//! Saving and moving inputs.

use super::list::{GONE, SavedInput};
use crate::{
    Error, Explorer,
    changes::Change,
    core::{Core, State},
    operations::{TOOLS_CALL, takes_private_values},
};

impl Explorer {
    /// Adds a saved input (one without an `id`) after the others of its target, or replaces name and arguments of one.
    /// Returns its id. An input that may contain a secret becomes private.
    ///
    /// # Errors
    /// `NotFound`; `ArgumentsNotJson`; `InvalidInput` beyond the limits (`SAVED_INPUT` and those after it), and without
    /// a name or with a secret in it, with `name` as detail; `KeyringUnavailable` if a secret of its server cannot be
    /// read.
    pub async fn save_input(&self, input: SavedInput) -> Result<String, Error> {
        let core = &self.core;
        let mut input = match input.id.is_empty() {
            true => input,
            false => {
                let known = core.state(|state| state.saved_inputs.get(&input.id).cloned());
                SavedInput {
                    name: input.name,
                    arguments: input.arguments,
                    private: input.private,
                    schema_digest: input.schema_digest,
                    ..known.ok_or(GONE)?
                }
            }
        };
        let entry = core.server(&input.server)?;
        let connection = core.connection(&input.server)?;
        let secrets = core.known_secrets(&entry, &connection).await?;
        let has_secret = |text: &str| secrets.iter().any(|one| one.text(text) != text);
        if has_secret(&input.name) {
            // Steps of presentations show and store the name, even if the arguments are private.
            let message = "The name contains a secret of this server. Enter another one.";
            return Err(Error::invalid_field("name", message));
        }
        input.private |= has_secret(&input.arguments) || has_private_tool(core, &input);
        let server = input.server.clone();
        let id = core.state(|state| {
            let id = state.saved_inputs.put(input)?;
            core.store_inputs(state);
            Ok::<_, Error>(id)
        })?;
        core.inputs_changed(&server);
        Ok(id)
    }

    /// Moves a saved input to this place among the saved inputs of its target.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn move_input(&self, input: String, index: u32) -> Result<(), Error> {
        let core = &self.core;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let server = core.state(|state| {
            let server = state.saved_inputs.reorder(&input, index).ok_or(GONE)?;
            core.store_inputs(state);
            Ok::<_, Error>(server)
        })?;
        core.inputs_changed(&server);
        Ok(())
    }
}

/// It is for a tool with private fields.
fn has_private_tool(core: &Core, input: &SavedInput) -> bool {
    input.method == TOOLS_CALL
        && core
            .connection(&input.server)
            .and_then(|connection| connection.tool(&input.target))
            .is_ok_and(|tool| takes_private_values(&tool))
}

impl Core {
    /// Saves the saved inputs as they are now. Called with the state locked, so that versions are written
    /// in order.
    pub(crate) fn store_inputs(&self, state: &State) {
        self.inputs_file.put(state.saved_inputs.to_bytes());
    }

    /// Announces changed saved inputs of a server, and the presentations that offer them.
    pub(crate) fn inputs_changed(&self, server: &str) {
        self.observer
            .changed(Change::SavedInputs(server.to_owned()));
        self.observer.changed(Change::Presentations);
    }
}
