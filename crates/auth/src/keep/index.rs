//! What is stored, without what it holds: a keyring cannot be listed.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::Path,
};

use serde::{Deserialize, Serialize};

/// What something in the keyring is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredKind {
    /// What a sign-in gave.
    Token,
    /// A registration with an authorization server.
    Client,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) kind: StoredKind,
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resource: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub(crate) saved_at: u64,
}

/// What a server of the list uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Use {
    /// The token, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grant: Option<String>,
    /// The authorization server that has seen the client which the user registered for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client_issuer: Option<String>,
}

/// The whole index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Index {
    pub(crate) entries: BTreeMap<String, Entry>,
    pub(crate) servers: BTreeMap<String, Use>,
}

impl Index {
    /// Reads the file. One that is missing or damaged is as good as empty: all it costs is a
    /// sign-in.
    pub(crate) fn read(path: &Path) -> Self {
        match std::fs::read(path) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|error| {
                tracing::warn!(
                    line = error.line(),
                    "the index of stored tokens cannot be read"
                );
                Self::default()
            }),
            Err(_) => Self::default(),
        }
    }

    /// Replaces the file whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".sonde-")
            .tempfile_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// The servers that use an entry: a token, or the client that their token was given to.
    pub(crate) fn users(&self, id: &str) -> Vec<String> {
        let client = self
            .entries
            .get(id)
            .filter(|entry| entry.kind == StoredKind::Client);
        let uses = |grant: &str| {
            let of_client = self
                .entries
                .get(grant)
                .zip(client)
                .is_some_and(|(token, client)| {
                    token.issuer == client.issuer && token.client_id == client.client_id
                });
            grant == id || of_client
        };
        self.servers
            .iter()
            .filter(|(_, used)| used.grant.as_deref().is_some_and(uses))
            .map(|(server, _)| server.clone())
            .collect()
    }
}
