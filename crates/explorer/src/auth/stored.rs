//! Lists the stored secrets without their values.

use serde::{Deserialize, Serialize};
use sonde_auth::CredentialKind;
use ts_rs::TS;

use crate::{
    Error, Explorer,
    changes::Change,
    servers::{ServerId, secret_names},
};
use sonde_client::auth::{Kept, kept};

/// A stored secret, in the keyring or in memory, without its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StoredSecret {
    /// Names it, for deleting.
    pub id: String,
    /// `token`, `client` or `setting`.
    pub kind: StoredKind,
    /// Description, one plain line.
    pub title: String,
    /// Issuer, for tokens and clients.
    pub issuer: Option<String>,
    /// Resource, for tokens.
    pub resource: Option<String>,
    /// The client's id, for tokens and clients.
    pub client_id: Option<String>,
    /// Servers of the list that use it.
    pub servers: Vec<ServerId>,
    /// Time of storing, in milliseconds since the Unix epoch, where known.
    pub saved_at: Option<u64>,
    /// Place where it is kept.
    pub kept: Kept,
}

/// Kinds of stored secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StoredKind {
    /// Result of a sign-in: access and refresh token.
    Token,
    /// A registration with an authorization server.
    Client,
    /// A value of a server's configuration: a header, an environment variable, a key.
    Setting,
}

/// The stored secrets and their place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StoredSecrets {
    /// Place where secrets are kept, one plain sentence.
    pub place: String,
    /// True if the keyring works and has accepted everything. Otherwise, some secrets are in memory only.
    pub usable: bool,
    /// All stored secrets.
    pub secrets: Vec<StoredSecret>,
}

const SETTING: &str = "setting:";

impl Explorer {
    /// Lists the stored secrets, without the secrets themselves.
    pub async fn stored_secrets(&self) -> Result<StoredSecrets, Error> {
        let core = &self.core;
        let mut secrets: Vec<StoredSecret> = core
            .services
            .credentials
            .list()
            .await
            .into_iter()
            .map(|stored| {
                let entry = stored.entry;
                let (kind, title) = match entry.kind {
                    CredentialKind::Token => {
                        let resource = entry.resource.as_deref().unwrap_or(&entry.issuer);
                        (StoredKind::Token, format!("Sign-in for {resource}"))
                    }
                    CredentialKind::Client => (
                        StoredKind::Client,
                        format!("Registration with {}", entry.issuer),
                    ),
                };
                StoredSecret {
                    kind,
                    title,
                    id: stored.id,
                    issuer: Some(entry.issuer),
                    resource: entry.resource,
                    client_id: Some(entry.client_id),
                    servers: stored.servers,
                    saved_at: Some(entry.saved_at),
                    kept: kept(stored.in_memory),
                }
            })
            .collect();
        let entries: Vec<_> = core.state(|state| {
            let entries = state.servers.iter();
            entries
                .map(|entry| (entry.id.clone(), entry.config.clone()))
                .collect()
        });
        for (server, config) in entries {
            let unsaved = core.services.secrets.unsaved(&server);
            for name in secret_names(&config.transport) {
                // A place without a value holds nothing that could be deleted. One that cannot be
                // looked into may.
                if let Ok(None) = core.services.secrets.get(&server, &name).await {
                    continue;
                }
                secrets.push(StoredSecret {
                    id: format!("{SETTING}{server}:{name}"),
                    kind: StoredKind::Setting,
                    title: title(&name),
                    issuer: None,
                    resource: None,
                    client_id: None,
                    servers: vec![server.clone()],
                    saved_at: None,
                    kept: kept(unsaved.contains(&name)),
                });
            }
        }
        Ok(StoredSecrets {
            place: core.services.secrets.describe().await,
            usable: core.services.secrets.is_usable().await
                && core.services.secrets.all_unsaved().is_empty(),
            secrets,
        })
    }

    /// Deletes a stored secret. Servers that are signed in with a deleted token are signed out in this app; no server
    /// is notified.
    ///
    /// # Errors
    /// `KeyringUnavailable`; then it is still there.
    pub async fn delete_secret(&self, id: String) -> Result<(), Error> {
        let core = &self.core;
        let refused = |error: sonde_auth::SecretError| Error::Keyring {
            message: "The keyring did not delete it. Unlock the keyring and try again.".to_owned(),
            detail: Some(error.to_string()),
        };
        if let Some((server, name)) = id
            .strip_prefix(SETTING)
            .and_then(|rest| rest.split_once(':'))
        {
            core.services
                .secrets
                .remove(server, name)
                .await
                .map_err(refused)?;
            core.observer.changed(Change::Server(server.to_owned()));
            return Ok(());
        }
        let users = core.services.credentials.list().await;
        core.services
            .credentials
            .delete(&id)
            .await
            .map_err(refused)?;
        // Deleting a client registration signs nobody out.
        let users = users
            .into_iter()
            .find(|stored| stored.id == id && stored.entry.kind == CredentialKind::Token);
        for server in users.map_or_else(Vec::new, |stored| stored.servers) {
            if let Ok(connection) = core.connection(&server) {
                connection.token_deleted().await;
            }
        }
        Ok(())
    }

    /// Tries again to store secrets that the keyring refused. Returns how many it accepted.
    ///
    /// # Errors
    /// None: a keyring that still refuses took none.
    pub async fn retry_keyring(&self) -> Result<u32, Error> {
        let (taken, _) = self.core.retry_keyring().await;
        Ok(u32::try_from(taken).unwrap_or(u32::MAX))
    }

    /// Returns the other servers with the same token.
    pub(super) async fn sharing(&self, server: &ServerId) -> Vec<ServerId> {
        let stored = self.core.services.credentials.list().await;
        let tokens = stored
            .into_iter()
            .filter(|stored| stored.entry.kind == CredentialKind::Token);
        tokens
            .filter(|stored| stored.servers.contains(server))
            .flat_map(|stored| stored.servers)
            .filter(|other| other != server)
            .collect()
    }
}

fn title(name: &str) -> String {
    match name.split_once(':') {
        Some(("env", name)) => format!("Environment variable {name}"),
        Some(("header", name)) => format!("Header {name}"),
        Some(("arg", name)) => format!("Argument {name}"),
        Some(("auth", "token")) => "Token".to_owned(),
        Some(("auth", "client_secret")) => "Client secret".to_owned(),
        Some(("auth", "private_key")) => "Private key".to_owned(),
        Some(("auth", "idp_client_secret")) => "Client secret at the identity provider".to_owned(),
        Some(("auth", "id_token")) => "ID token".to_owned(),
        Some(("auth", "assertion")) => "Assertion".to_owned(),
        Some(("proxy", "password")) => "Password of the proxy".to_owned(),
        _ => name.to_owned(),
    }
}
