//! Removing a group of servers, and bringing it back.

use super::store::{Deleted, DeletionNumber};
use crate::{
    Error, Explorer,
    servers::{NO_GROUP, RemovedGroup, ServerGroupId},
};

impl Explorer {
    /// Removes a group. Its servers stay, and are of no group.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server_group(&self, group: ServerGroupId) -> Result<DeletionNumber, Error> {
        let removed = self
            .change_list(|list| list.remove_group(&group).ok_or(NO_GROUP))
            .await?;
        let removed = Deleted::Group(removed);
        Ok(self.core.state(|state| state.deletions.keep(removed)))
    }

    /// Restores a group, with its servers that have joined no other group by now.
    pub(super) async fn restore_group(&self, removed: RemovedGroup) -> Result<(), Error> {
        self.change_list(|list| {
            list.restore_group(removed);
            Ok(())
        })
        .await
    }
}
