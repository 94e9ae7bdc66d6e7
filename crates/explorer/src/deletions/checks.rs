//! Changes of checks that can be undone: removing one, accepting values, ignoring a path.

use super::store::{Deleted, DeletionNumber};
use crate::{
    Error, Explorer,
    checks::{CheckId, FormerCheck},
    servers::ServerId,
};

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
        let former = self.take_check(server, check).await?;
        Ok(self.keep_former_check(former))
    }

    /// Stores the values of the last run, for later runs to compare with.
    ///
    /// # Errors
    /// `NotFound` for a check that is gone or has nothing to accept; `InvalidInput` when a value cannot be written.
    pub async fn accept_check(
        &self,
        server: ServerId,
        check: CheckId,
    ) -> Result<DeletionNumber, Error> {
        let former = self.accept_values(server, check).await?;
        Ok(self.keep_former_check(former))
    }

    /// Ignores a value in the comparisons of a check from now on. Its last result is judged again, without a request.
    ///
    /// # Errors
    /// Errors of [`Self::set_check_on`]; `InvalidInput` for an invalid pointer.
    pub async fn ignore_in_check(
        &self,
        server: ServerId,
        check: CheckId,
        pointer: String,
    ) -> Result<DeletionNumber, Error> {
        let former = self.ignore_path(server, check, pointer).await?;
        Ok(self.keep_former_check(former))
    }

    fn keep_former_check(&self, former: FormerCheck) -> DeletionNumber {
        let deleted = Deleted::Check(Box::new(former));
        self.core.state(|state| state.deletions.keep(deleted))
    }
}
