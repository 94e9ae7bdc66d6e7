//! A whole command line in the place of a command.

use sonde_wire::{
    SpawnError,
    stdio::{self, StdioSpec},
};

use super::{import::single_command, network_path, path_of, working_folder};
use crate::{Error, Explorer};

impl Explorer {
    /// Splits a command line that was entered as the command into program and arguments. `None` for a single word, and
    /// if a program of exactly this name exists.
    ///
    /// # Errors
    /// None.
    pub async fn split_command(&self, command: String) -> Result<Option<Vec<String>>, Error> {
        let Some(words) = single_command(&command) else {
            return Ok(None);
        };
        let (path, _) = path_of(&[], self.core.services.from_desktop, false).await;
        let spec = StdioSpec {
            cwd: working_folder(None),
            path,
            ..StdioSpec::new(command.trim())
        };
        let spec = match network_path::local(&spec) {
            Ok(local) => local.unwrap_or(spec),
            Err(_) => return Ok(None),
        };
        let found = stdio::resolve(&spec).await;
        let nowhere = matches!(found, Err(SpawnError::NotFound { .. }));
        Ok(nowhere.then_some(words))
    }
}
