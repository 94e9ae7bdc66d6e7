//! Editing a server, which replaces its configuration.

use super::store::DeletionNumber;
use crate::{
    Error, Explorer,
    servers::{ServerId, ServerInput},
};

impl Explorer {
    /// Replaces a server's configuration. A running session keeps the old one until reconnect. `None` when nothing
    /// changed.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`.
    pub async fn update_server(
        &self,
        server: ServerId,
        input: ServerInput,
    ) -> Result<Option<DeletionNumber>, Error> {
        let former = self.replace_configuration(server, input).await?;
        Ok(former.map(|former| {
            self.core
                .state(|state| state.deletions.keep_configuration(former))
        }))
    }
}
