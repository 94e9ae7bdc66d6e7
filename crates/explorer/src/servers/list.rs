//! The servers in their order.

use std::collections::HashMap;

use serde_json::{Map, Value};

use sonde_auth::Secret;

use super::{ProxyConfig, ServerEntry, ServerId};

/// The servers in list order.
#[derive(Debug, Default)]
pub struct ServerList {
    entries: Vec<ServerEntry>,
    /// Goes back into the file with them.
    pub(super) unknown: Unknown,
    /// Passwords of proxies that the file has in plain text. They leave it when the keyring has them.
    pub(super) plain_passwords: HashMap<ServerId, PlainPassword>,
}

/// A proxy's password that the keyring did not have when the file was read.
#[derive(Debug)]
pub(super) struct PlainPassword {
    pub(super) password: Secret,
    /// The proxy's address with it.
    pub(super) address: Secret,
    /// The proxy that it is for.
    pub(super) proxy: ProxyConfig,
}

/// What of the file of the list is not understood.
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
    /// Passwords of proxies that stand in the file, by server.
    pub(crate) fn plain_passwords(&self) -> Vec<(ServerId, Secret)> {
        let plain = self.plain_passwords.iter();
        plain
            .map(|(server, plain)| (server.clone(), plain.password.clone()))
            .collect()
    }

    /// The file is written without the passwords of these servers' proxies from now on.
    pub(crate) fn forget_plain_passwords(&mut self, has_keyring: impl Fn(&str) -> bool) {
        self.plain_passwords
            .retain(|server, _| !has_keyring(server));
    }

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
        self.entries.push(entry);
    }

    /// Adds an entry behind another one, or at the end.
    pub(crate) fn insert_behind(&mut self, id: &str, entry: ServerEntry) {
        let index = self
            .entries
            .iter()
            .position(|entry| entry.id == id)
            .map_or(self.entries.len(), |index| index + 1);
        self.entries.insert(index, entry);
    }

    /// Takes an entry out. Returns its place as well.
    pub(crate) fn remove(&mut self, id: &str) -> Option<(usize, ServerEntry)> {
        let index = self.entries.iter().position(|entry| entry.id == id)?;
        Some((index, self.entries.remove(index)))
    }

    /// Adds an entry at this place; beyond the end means the end.
    pub(crate) fn insert(&mut self, index: usize, entry: ServerEntry) {
        self.entries.insert(index.min(self.entries.len()), entry);
    }

    /// Moves an entry to this place; beyond the end means the end.
    pub(crate) fn reorder(&mut self, id: &str, index: usize) -> bool {
        let Some((_, entry)) = self.remove(id) else {
            return false;
        };
        self.insert(index, entry);
        true
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
        assert!(list.reorder("y", 0));
        assert_eq!(list.order(), ["y", first.as_str(), "x"]);
        assert!(list.reorder("y", 99));
        let mut copy = list.get("x").unwrap().clone();
        copy.id = "x2".to_owned();
        list.insert_behind("x", copy);
        assert_eq!(list.order(), [first.as_str(), "x", "x2", "y"]);
        assert!(!list.reorder("gone", 0));
    }
}
