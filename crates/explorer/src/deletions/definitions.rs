//! Accepting definitions, which can be undone.

use super::store::{Deleted, DeletionNumber};
use crate::{Error, Explorer, baselines::DefinitionSubject, servers::ServerId};

impl Explorer {
    /// Accepts a present definition of a server, or all that changed. `digest` identifies the change, or all changes,
    /// that the user saw.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` if it has changed again since.
    pub async fn accept_definitions(
        &self,
        server: ServerId,
        which: Option<DefinitionSubject>,
        digest: String,
    ) -> Result<DeletionNumber, Error> {
        let before = self.replace_accepted(&server, which, digest).await?;
        let before = Deleted::Definitions(server, before);
        Ok(self.core.state(|state| state.deletions.keep(before)))
    }
}
