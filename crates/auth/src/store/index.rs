//! Index of the stored credentials, without secrets, because a keyring cannot be listed.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use serde::{Deserialize, Serialize};

/// Kinds of credentials in the keyring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// The token of a sign-in.
    Token,
    /// A registration with an authorization server.
    Client,
}

/// A credential in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The kind of credential.
    pub kind: CredentialKind,
    /// The issuer.
    pub issuer: String,
    /// Id of the client.
    pub client_id: String,
    /// The resource, for a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub saved_at: u64,
}

/// Credentials that a server of the list uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerEntry {
    /// The token, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grant: Option<String>,
    /// The registration of its last request for a token, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) registration: Option<String>,
    /// The authorization server that may see the credentials that the user entered for the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client_issuer: Option<String>,
}

/// The whole index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Index {
    pub(crate) entries: BTreeMap<String, Entry>,
    pub(crate) servers: BTreeMap<String, ServerEntry>,
}

impl Index {
    /// Reads the file; a missing file is an empty index.
    ///
    /// # Errors
    /// `InvalidData` if it is damaged, else the error of the system.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        match std::fs::read(path) {
            // The parser's message is left out: it may quote the file.
            Ok(text) => serde_json::from_slice(&text).map_err(|error| {
                let place = format!("line {}, column {}", error.line(), error.column());
                io::Error::new(io::ErrorKind::InvalidData, place)
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Renames a damaged file, so that nothing in it is overwritten. Its credentials are still in the keyring. Servers
    /// sign in again, and the user confirms again which authorization server may see the entered credentials.
    pub(crate) fn set_aside(path: &Path) -> io::Result<()> {
        sonde_files::set_aside(path).map(drop)
    }

    /// Replaces the file, completely or not at all.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        sonde_files::replace(path, &serde_json::to_vec_pretty(self)?)
    }

    /// Returns the issuers of the credentials that a server uses.
    pub(crate) fn issuers(&self, server: &str) -> impl Iterator<Item = &str> {
        self.entries(server).map(|entry| entry.issuer.as_str())
    }

    /// Returns the resources, except this one, for which other servers use a token or a registration of this issuer.
    pub(crate) fn other_resources(
        &self,
        server: &str,
        issuer: &str,
        resource: &str,
    ) -> BTreeSet<&str> {
        let others = self.servers.keys().filter(|other| *other != server);
        let entries = others.flat_map(|other| self.entries(other));
        let of_issuer = entries.filter(|entry| entry.issuer == issuer);
        of_issuer
            .filter_map(|entry| entry.resource.as_deref())
            .filter(|other| *other != resource)
            .collect()
    }

    fn entries(&self, server: &str) -> impl Iterator<Item = &Entry> {
        let used = self.servers.get(server).into_iter();
        let ids = used.flat_map(|used| [&used.grant, &used.registration].into_iter().flatten());
        ids.filter_map(|id| self.entries.get(id))
    }

    /// Makes a server use a credential. Returns true if it did not, and the previous credential if no server uses that
    /// any more.
    pub(crate) fn assign(
        &mut self,
        server: &str,
        slot: fn(&mut ServerEntry) -> &mut Option<String>,
        id: &str,
    ) -> (bool, Option<String>) {
        let used = self.servers.entry(server.to_owned()).or_default();
        let previous = slot(used).replace(id.to_owned());
        let changed = previous.as_deref() != Some(id);
        (changed, previous.filter(|one| self.users(one).is_empty()))
    }

    /// Returns the servers that use an entry: a token, or a registration.
    pub(crate) fn users(&self, id: &str) -> Vec<String> {
        let uses = |used: &ServerEntry| {
            let mut entries = [&used.grant, &used.registration].into_iter().flatten();
            entries.any(|entry| entry == id)
        };
        self.servers
            .iter()
            .filter(|(_, used)| uses(used))
            .map(|(server, _)| server.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_that_another_server_uses_is_known_with_its_resource() {
        let mut index = Index::default();
        let entry = Entry {
            kind: CredentialKind::Client,
            issuer: "https://issuer.example".to_owned(),
            client_id: "c".to_owned(),
            resource: Some("https://one.example/mcp".to_owned()),
            saved_at: 0,
        };
        index.entries.insert("id".to_owned(), entry);
        let used = ServerEntry {
            registration: Some("id".to_owned()),
            ..ServerEntry::default()
        };
        index.servers.insert("one".to_owned(), used);
        let others = |server, issuer, resource| index.other_resources(server, issuer, resource);
        let (issuer, one) = ("https://issuer.example", "https://one.example/mcp");
        assert!(others("other", issuer, "https://other.example/mcp").contains(one));
        assert!(
            others("other", issuer, one).is_empty(),
            "the same server twice"
        );
        assert!(others("one", issuer, "https://other.example/mcp").is_empty());
        assert!(others("other", "https://another.example", "").is_empty());
        assert_eq!(index.issuers("other").count(), 0);
    }

    #[test]
    fn a_damaged_index_is_told_apart_from_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.json");
        assert_eq!(Index::read(&path).unwrap(), Index::default());
        std::fs::write(&path, "{\"entries\": [").unwrap();
        let error = Index::read(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        Index::set_aside(&path).unwrap();
        assert!(!path.exists() && folder.path().join("credentials.damaged-1.json").exists());
    }
}
