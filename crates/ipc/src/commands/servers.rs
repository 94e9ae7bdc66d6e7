//! The commands about servers that also concern the window's log views.

use sonde_explorer::{deletions::DeletionNumber, servers::ServerId};

use crate::{backend::Backend, error::IpcError};

impl Backend {
    /// Disconnects and removes a server, its operations, log and secrets.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server(&self, server: ServerId) -> Result<DeletionNumber, IpcError> {
        let deletion = self.explorer().remove_server(server.clone()).await?;
        self.logs().close_server(&server);
        Ok(deletion)
    }
}
