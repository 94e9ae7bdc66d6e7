//! Edits that can be undone, of servers, groups, definitions and checks.

use std::sync::Arc;

use super::store::{Deleted, DeletionNumber};
use crate::{
    Error, Explorer,
    baselines::DefinitionSubject,
    checks::CheckId,
    servers::{NO_GROUP, RemovedGroup, ServerGroupId, ServerId, ServerInput},
};

impl Explorer {
    /// Replaces a server's configuration. A running session keeps the old one until reconnect; before new secrets are
    /// stored, all other connections with the old one are ended. `None` when nothing changed.
    ///
    /// # Errors
    /// `InvalidInput`, `NotFound`.
    pub async fn update_server(
        &self,
        server: ServerId,
        input: impl Into<ServerInput> + Send,
    ) -> Result<Option<DeletionNumber>, Error> {
        let former = self.replace_configuration(server, input.into()).await?;
        Ok(former.map(|former| self.keep(Deleted::Configuration(Box::new(former)))))
    }

    /// Removes a group. Its servers stay, and are of no group.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server_group(&self, group: ServerGroupId) -> Result<DeletionNumber, Error> {
        let removed = self
            .change_list(|list| list.remove_group(&group).ok_or(NO_GROUP))
            .await?;
        Ok(self.keep(Deleted::Group(removed)))
    }

    /// Restores a group, with its servers that have joined no other group by now.
    pub(super) async fn restore_group(&self, removed: RemovedGroup) -> Result<(), Error> {
        self.change_list(|list| {
            list.restore_group(removed);
            Ok(())
        })
        .await
    }

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
        Ok(self.keep(Deleted::Definitions(server, before)))
    }

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
        Ok(self.keep(Deleted::Check(Arc::new(former))))
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
        Ok(self.keep(Deleted::Check(Arc::new(former))))
    }

    /// Ignores a value in the comparisons of a check from now on. Its last result is judged again, without a request.
    ///
    /// # Errors
    /// Errors of [`Self::set_check_on`]; `InvalidInput` for an invalid pointer, and during a run.
    pub async fn ignore_in_check(
        &self,
        server: ServerId,
        check: CheckId,
        pointer: String,
    ) -> Result<DeletionNumber, Error> {
        let former = self.ignore_path(server, check, pointer).await?;
        Ok(self.keep(Deleted::Check(Arc::new(former))))
    }
}
