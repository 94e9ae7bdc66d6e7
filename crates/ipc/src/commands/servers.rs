//! The commands about servers that use the types of the window's forms.

use sonde_explorer::{
    deletions::DeletionNumber,
    servers::{FieldProblem, ServerId},
};
use sonde_mcp::Fault;

use crate::{ServerDraft, backend::Backend, error::IpcError, server::ExportedServer};

impl Backend {
    /// Returns the problems that keep a configuration from being saved; `server` is `None` for a new one.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn check_server(
        &self,
        server: Option<ServerId>,
        draft: ServerDraft,
    ) -> Result<Vec<FieldProblem>, IpcError> {
        Ok(self
            .explorer()
            .check_server(server.as_deref(), draft.into())?)
    }

    /// Adds a server at the end of the list.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub async fn add_server(&self, draft: ServerDraft) -> Result<ServerId, IpcError> {
        Ok(self.explorer().add_server(draft.into()).await?)
    }

    /// Replaces a server's configuration. A running session keeps the old one until it reconnects. `None` if nothing
    /// changed.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`.
    pub async fn update_server(
        &self,
        server: ServerId,
        draft: ServerDraft,
    ) -> Result<Option<DeletionNumber>, IpcError> {
        Ok(self.explorer().update_server(server, draft.into()).await?)
    }

    /// Disconnects and removes a server, its operations, log and secrets.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server(&self, server: ServerId) -> Result<DeletionNumber, IpcError> {
        let deletion = self.explorer().remove_server(server.clone()).await?;
        self.logs().close_server(&server);
        Ok(deletion)
    }

    /// Returns a server in the configuration of every client, without secrets.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn export_server(&self, server: ServerId) -> Result<Vec<ExportedServer>, IpcError> {
        let exported = self.explorer().export_server(server).await?;
        Ok(exported.into_iter().map(Into::into).collect())
    }

    /// Disturbs the connection on purpose.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`, `NotConnected`.
    pub async fn inject_fault(&self, server: ServerId, fault: Fault) -> Result<(), IpcError> {
        Ok(self
            .explorer()
            .connection(&server)?
            .inject_fault(fault)
            .await?)
    }
}
