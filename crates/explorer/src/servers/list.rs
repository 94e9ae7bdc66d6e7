//! The servers in their order.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    ServerEntry, ServerId,
    groups::{ServerGroup, ServerGroupId},
};

/// The servers in list order: servers without a group first, then the servers of each group.
#[derive(Debug, Default)]
pub struct ServerList {
    entries: Vec<ServerEntry>,
    groups: Vec<ServerGroup>,
    /// Goes back into the file with them.
    pub(super) unknown: Unknown,
}

/// A group that was removed from the list.
#[derive(Debug)]
pub(crate) struct RemovedGroup {
    /// Its place among the groups.
    index: usize,
    group: ServerGroup,
    /// Its servers.
    servers: Vec<ServerId>,
}

/// Parts of the list's file that are not understood.
#[derive(Debug, Default)]
pub(super) struct Unknown {
    /// The file without its servers.
    pub(super) file: Map<String, Value>,
    /// Entries as they were read, by the ids of their servers.
    pub(super) entries: HashMap<ServerId, Map<String, Value>>,
    /// Entries that could not be read.
    pub(super) unreadable: Vec<Value>,
}

impl ServerList {
    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, ServerEntry> {
        self.entries.iter()
    }

    /// The server with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&ServerEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut ServerEntry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    /// The ids in order.
    #[must_use]
    pub fn order(&self) -> Vec<ServerId> {
        self.entries.iter().map(|entry| entry.id.clone()).collect()
    }

    pub(crate) fn push(&mut self, entry: ServerEntry) {
        self.insert(usize::MAX, entry);
    }

    /// The groups in order.
    #[must_use]
    pub fn groups(&self) -> &[ServerGroup] {
        &self.groups
    }

    pub(super) fn group(&self, id: &str) -> Option<&ServerGroup> {
        self.groups.iter().find(|group| group.id == id)
    }

    pub(super) fn group_mut(&mut self, id: &str) -> Option<&mut ServerGroup> {
        self.groups.iter_mut().find(|group| group.id == id)
    }

    pub(super) fn add_group(&mut self, group: ServerGroup) {
        self.groups.push(group);
    }

    /// Moves a group to this place among the groups; beyond the end means the end.
    pub(super) fn reorder_group(&mut self, id: &str, index: usize) -> bool {
        let Some(place) = self.groups.iter().position(|group| group.id == id) else {
            return false;
        };
        let group = self.groups.remove(place);
        self.groups.insert(index.min(self.groups.len()), group);
        self.arrange();
        true
    }

    /// Takes a group out; its servers are of no group then.
    pub(crate) fn remove_group(&mut self, id: &str) -> Option<RemovedGroup> {
        let index = self.groups.iter().position(|group| group.id == id)?;
        let group = self.groups.remove(index);
        let mut servers = Vec::new();
        for entry in &mut self.entries {
            if entry.group.as_deref() == Some(id) {
                entry.group = None;
                servers.push(entry.id.clone());
            }
        }
        self.arrange();
        Some(RemovedGroup {
            index,
            group,
            servers,
        })
    }

    /// Puts a group back, with its servers that have not joined another group since.
    pub(crate) fn restore_group(&mut self, removed: RemovedGroup) {
        let id = removed.group.id.clone();
        self.groups
            .insert(removed.index.min(self.groups.len()), removed.group);
        for server in removed.servers {
            if self.get(&server).is_some_and(|one| one.group.is_none()) {
                self.reorder(&server, Some(id.clone()), usize::MAX);
            }
        }
    }

    /// Sorts the servers by their groups. A server whose group is gone gets none.
    fn arrange(&mut self) {
        let groups = &self.groups;
        let place = |group: &Option<ServerGroupId>| {
            let place = groups
                .iter()
                .position(|one| Some(&one.id) == group.as_ref());
            place.map_or(0, |place| place + 1)
        };
        for entry in &mut self.entries {
            if place(&entry.group) == 0 {
                entry.group = None;
            }
        }
        self.entries.sort_by_key(|entry| place(&entry.group));
    }

    /// Adds an entry after another one, or at the end.
    pub(crate) fn insert_behind(&mut self, id: &str, entry: ServerEntry) {
        let index = self
            .entries
            .iter()
            .position(|entry| entry.id == id)
            .map_or(self.entries.len(), |index| index + 1);
        self.insert(index, entry);
    }

    /// Takes an entry out. Returns its place as well.
    pub(crate) fn remove(&mut self, id: &str) -> Option<(usize, ServerEntry)> {
        let index = self.entries.iter().position(|entry| entry.id == id)?;
        Some((index, self.entries.remove(index)))
    }

    /// Adds an entry at this place, as far as its group allows; beyond the end means the end.
    pub(crate) fn insert(&mut self, index: usize, entry: ServerEntry) {
        self.entries.insert(index.min(self.entries.len()), entry);
        self.arrange();
    }

    /// Moves an entry to this place in a group, or among the entries without a group; beyond the end means the end.
    pub(super) fn reorder(&mut self, id: &str, group: Option<ServerGroupId>, index: usize) {
        let Some((_, mut entry)) = self.remove(id) else {
            return;
        };
        let places = self.entries.iter().enumerate();
        let mut places = places.filter(|(_, one)| one.group == group);
        let place = places.nth(index).map_or(usize::MAX, |(place, _)| place);
        entry.group = group;
        self.insert(place, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::ServerConfig;
    use crate::servers::Transport;

    #[test]
    fn order_follows_moves_and_copies() {
        let mut list = ServerList::default();
        let demo = Transport::Demo { http: false };
        list.push(ServerEntry::new(ServerConfig::new("Demo server", demo)));
        let first = list.order()[0].clone();
        for name in ["x", "y"] {
            let mut entry = list.get(&first).unwrap().clone();
            entry.id = name.to_owned();
            list.push(entry);
        }
        list.reorder("y", None, 0);
        assert_eq!(list.order(), ["y", first.as_str(), "x"]);
        list.reorder("y", None, 99);
        let mut copy = list.get("x").unwrap().clone();
        copy.id = "x2".to_owned();
        list.insert_behind("x", copy);
        assert_eq!(list.order(), [first.as_str(), "x", "x2", "y"]);
        list.reorder("gone", None, 0);
        assert_eq!(list.order(), [first.as_str(), "x", "x2", "y"]);
    }

    fn list_of(names: &[&str], groups: &[&str]) -> ServerList {
        let mut list = ServerList::default();
        for name in names {
            let demo = Transport::Demo { http: false };
            let mut entry = ServerEntry::new(ServerConfig::new(*name, demo));
            entry.id = (*name).to_owned();
            list.push(entry);
        }
        for name in groups {
            list.add_group(ServerGroup {
                id: (*name).to_owned(),
                name: name.to_uppercase(),
                collapsed: false,
            });
        }
        list
    }

    fn into(list: &mut ServerList, server: &str, group: &str, index: usize) {
        list.reorder(server, Some(group.to_owned()), index);
    }

    #[test]
    fn servers_stand_with_their_groups() {
        let mut list = list_of(&["a", "b", "c", "d"], &["g", "h"]);
        into(&mut list, "a", "h", 0);
        into(&mut list, "b", "g", 0);
        into(&mut list, "c", "g", 0);
        assert_eq!(list.order(), ["d", "c", "b", "a"]);
        into(&mut list, "a", "g", 1);
        assert_eq!(list.order(), ["d", "c", "a", "b"]);
        list.reorder("c", None, 0);
        assert_eq!(list.order(), ["c", "d", "a", "b"]);
        into(&mut list, "d", "h", 0);
        assert!(list.reorder_group("h", 0) && !list.reorder_group("gone", 0));
        assert_eq!(list.order(), ["c", "d", "a", "b"]);
        assert_eq!(list.groups()[0].id, "h");
        // A copy is of the group of the original.
        let mut copy = list.get("a").unwrap().clone();
        copy.id = "a2".to_owned();
        list.insert_behind("a", copy);
        assert_eq!(list.order(), ["c", "d", "a", "a2", "b"]);
        let (index, gone) = list.remove("a2").unwrap();
        list.insert(index, gone);
        assert_eq!(list.order(), ["c", "d", "a", "a2", "b"]);
    }

    #[test]
    fn a_group_that_is_removed_leaves_its_servers_and_comes_back_with_them() {
        let mut list = list_of(&["a", "b", "c"], &["g", "h"]);
        into(&mut list, "a", "g", 0);
        into(&mut list, "b", "g", 1);
        let removed = list.remove_group("g").unwrap();
        assert!(list.remove_group("g").is_none());
        assert_eq!(list.order(), ["c", "a", "b"]);
        assert!(list.iter().all(|entry| entry.group.is_none()));
        // A server that has joined another group meanwhile stays there.
        into(&mut list, "b", "h", 0);
        list.restore_group(removed);
        assert_eq!(list.groups()[0].id, "g");
        assert_eq!(list.order(), ["c", "a", "b"]);
        assert_eq!(list.get("a").unwrap().group.as_deref(), Some("g"));
        assert_eq!(list.get("b").unwrap().group.as_deref(), Some("h"));
        // A server whose group is gone is restored without a group.
        let (index, entry) = list.remove("b").unwrap();
        list.remove_group("h").unwrap();
        list.insert(index, entry);
        assert_eq!(list.get("b").unwrap().group, None);
        assert_eq!(list.order(), ["c", "b", "a"]);
    }
}
