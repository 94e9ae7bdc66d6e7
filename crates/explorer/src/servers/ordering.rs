//! Order of the list, and its groups.

use super::{ServerGroup, ServerGroupId, ServerId, list::ServerList};
use crate::{Error, Explorer, changes::Change, core::DeletionNumber};

/// Limit of groups in a list.
const MOST_GROUPS: usize = 100;
/// The longest name of a group, in characters.
const LONGEST_NAME: usize = 100;

const NO_GROUP: Error = Error::NotFound("This group no longer exists.");

impl Explorer {
    /// Moves a server to this place in a group, or among the servers without a group; beyond the end means the end.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn move_server(
        &self,
        server: ServerId,
        group: Option<ServerGroupId>,
        index: u32,
    ) -> Result<(), Error> {
        self.change_list(|list| {
            if list.get(&server).is_none() {
                return Err(Error::NoServer(server.clone()));
            }
            if group.as_deref().is_some_and(|id| list.group(id).is_none()) {
                return Err(NO_GROUP);
            }
            list.reorder(&server, group, index as usize);
            Ok(())
        })
        .await
    }

    /// Adds a group at the end of the list, with these servers.
    ///
    /// # Errors
    /// `InvalidInput` for a name that is empty or longer than 100 characters, and beyond 100 groups;
    /// `NotFound`.
    pub async fn add_server_group(
        &self,
        name: String,
        servers: Vec<ServerId>,
    ) -> Result<ServerGroupId, Error> {
        let group = ServerGroup {
            id: uuid::Uuid::new_v4().to_string(),
            name: checked(&name)?,
            collapsed: false,
        };
        let id = group.id.clone();
        self.change_list(|list| {
            if list.groups().len() >= MOST_GROUPS {
                let most = format!("A list has at most {MOST_GROUPS} groups.");
                return Err(Error::invalid(most));
            }
            if let Some(gone) = servers.iter().find(|id| list.get(id).is_none()) {
                return Err(Error::NoServer(gone.clone()));
            }
            list.add_group(group);
            for server in &servers {
                list.reorder(server, Some(id.clone()), usize::MAX);
            }
            Ok(())
        })
        .await?;
        Ok(id)
    }

    /// Names a group, and shows its servers or not; `None` leaves either as it is.
    ///
    /// # Errors
    /// `InvalidInput` for a name that is empty or longer than 100 characters; `NotFound`.
    pub async fn update_server_group(
        &self,
        group: ServerGroupId,
        name: Option<String>,
        collapsed: Option<bool>,
    ) -> Result<(), Error> {
        let name = name.map(|name| checked(&name)).transpose()?;
        self.change_list(|list| {
            let group = list.group_mut(&group).ok_or(NO_GROUP)?;
            group.name = name.unwrap_or_else(|| std::mem::take(&mut group.name));
            group.collapsed = collapsed.unwrap_or(group.collapsed);
            Ok(())
        })
        .await
    }

    /// Moves a group with its servers to this place among the groups; beyond the end means the end.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn move_server_group(&self, group: ServerGroupId, index: u32) -> Result<(), Error> {
        self.change_list(|list| {
            list.reorder_group(&group, index as usize)
                .then_some(())
                .ok_or(NO_GROUP)
        })
        .await
    }

    /// Removes a group. Its servers stay, and are of no group.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn remove_server_group(&self, group: ServerGroupId) -> Result<DeletionNumber, Error> {
        let removed = self.change_list(|list| list.remove_group(&group).ok_or(NO_GROUP));
        Ok(self.core.keep(removed.await?))
    }

    /// Changes the list, and announces that.
    pub(crate) async fn change_list<T>(
        &self,
        change: impl FnOnce(&mut ServerList) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = self.core.state(|state| change(&mut state.servers))?;
        self.core.observer.changed(Change::Order);
        self.core.save_servers().await;
        Ok(done)
    }
}

fn checked(name: &str) -> Result<String, Error> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::invalid("A group needs a name."));
    }
    if name.chars().count() > LONGEST_NAME {
        let most = format!("The name of a group has at most {LONGEST_NAME} characters.");
        return Err(Error::invalid(most));
    }
    Ok(name.to_owned())
}
