//! Removing a check, replacing its stored values, and leaving out a path that it compares.

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

    /// Stores the values of the last run, which later ones are compared with.
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

    /// Leaves a value out of the comparisons of a check from now on. Its last result is judged by that, without a
    /// request.
    ///
    /// # Errors
    /// Those of [`Self::set_check_on`]; `InvalidInput` for a pointer that is none.
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
