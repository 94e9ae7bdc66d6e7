//! Removing a check from its suite.

use super::store::{Deleted, DeletionNumber};
use crate::{Error, Explorer, checks::CheckId, servers::ServerId};

impl Explorer {
    /// Removes a check from its file. Its stored value stays.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`].
    pub async fn remove_check(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<DeletionNumber, Error> {
        let removed = self.take_check(server, check).await?;
        let deleted = Deleted::Check(Box::new(removed));
        Ok(self.core.state(|state| state.deletions.keep(deleted)))
    }
}
