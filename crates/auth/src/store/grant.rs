//! A token with everything needed to use and renew it.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    ClientKind, Secret,
    flow::{
        address_policy::Source,
        client::{Client, ClientAuth},
    },
};

/// Key of a stored token: its issuer, its client, its resource, and the server of the list that uses it. Two entries of
/// the list may be two users of one server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GrantKey(String);

impl GrantKey {
    pub(crate) fn new(issuer: &str, client_id: &str, resource: &str, server: &str) -> Self {
        Self(digest(&[issuer, client_id, resource, server]))
    }

    /// Parses a key from the index.
    pub(crate) fn from_id(id: &str) -> Option<Self> {
        id.strip_prefix("grant:").map(|key| Self(key.to_owned()))
    }

    /// Returns the name in the keyring and in the index.
    pub(crate) fn id(&self) -> String {
        format!("grant:{}", self.0)
    }
}

/// Returns a short digest of some texts, for names of files and keyring entries.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize()
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A stored token. Secret as a whole.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Grant {
    /// The server of the list that the token was issued for.
    pub(crate) server: String,
    /// The grant ([`crate::GrantConfig::name`]).
    #[serde(rename = "way")]
    pub(crate) grant_type: String,
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: Option<String>,
    pub(crate) client_kind: ClientKind,
    pub(crate) client_auth: ClientAuth,
    /// Byte for byte as published.
    pub(crate) resource: String,
    pub(crate) token_endpoint: String,
    /// Limits where the endpoints may be. Missing in tokens of earlier versions.
    #[serde(default)]
    pub(crate) source: Option<Source>,
    pub(crate) revocation_endpoint: Option<String>,
    pub(crate) access_token: String,
    pub(crate) token_type: String,
    pub(crate) refresh_token: Option<String>,
    /// Scopes as granted.
    pub(crate) scopes: Vec<String>,
    /// Scopes as requested, over all step-ups.
    #[serde(rename = "asked")]
    pub(crate) requested_scopes: Vec<String>,
    /// Milliseconds since the Unix epoch.
    pub(crate) granted_at: u64,
    /// Milliseconds since the Unix epoch.
    pub(crate) expires_at: Option<u64>,
    pub(crate) refreshed: u32,
    /// The key that the token is bound to.
    pub(crate) dpop_key: Option<String>,
}

impl std::fmt::Debug for Grant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grant")
            .field("issuer", &self.issuer)
            .field("resource", &self.resource)
            .field("refreshed", &self.refreshed)
            .finish_non_exhaustive()
    }
}

impl Grant {
    pub(crate) fn key(&self) -> GrantKey {
        GrantKey::new(&self.issuer, &self.client_id, &self.resource, &self.server)
    }

    pub(crate) fn secret(&self) -> Option<Secret> {
        serde_json::to_string(self).ok().map(Secret::new)
    }

    pub(crate) fn read(secret: &Secret) -> Option<Self> {
        serde_json::from_str(secret.expose()).ok()
    }

    /// Returns all secrets of the token.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        [
            Some(&self.access_token),
            self.refresh_token.as_ref(),
            self.client_secret.as_ref(),
            self.dpop_key.as_ref(),
        ]
        .into_iter()
        .flatten()
        .map(String::as_str)
    }

    /// Returns the client that the token was issued to.
    pub(crate) fn client(&self) -> Client {
        Client {
            id: self.client_id.clone(),
            secret: self.client_secret.as_deref().map(Secret::new),
            kind: self.client_kind,
            auth: self.client_auth,
        }
    }

    pub(crate) fn is_dpop(&self) -> bool {
        self.token_type.eq_ignore_ascii_case("dpop")
    }
}
