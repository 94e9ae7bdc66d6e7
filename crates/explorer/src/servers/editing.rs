//! Adding, editing and copying servers, and their secrets.

use std::{
    mem::{Discriminant, discriminant},
    time::Duration,
};

use sonde_auth::{Secret, SecretError};
use sonde_client::{Connection, Services, sessions::SessionPhase};

use super::{
    CommandPreview, FieldProblem, MissingSecret, OtherFields, ServerEntry, ServerId, ServerInput,
    check::check,
    config::{AuthConfig, GrantConfig, ServerConfig, Transport},
    env_secret, network, preview, secret_names,
    secret_slots::{SecretInputs, arg_secret, proxy, secrets_in, signs_in},
    steering,
};
use crate::{
    Error, Explorer,
    changes::Change,
    core::{Core, DeletionNumber, State},
    log::{Redaction, SecretText, Secrets},
    notices::NoticeLevel,
};

/// Code of the notice about secrets that are in memory only.
pub(crate) const UNSAVED: &str = "secrets_not_saved";
/// Code of the notice about former secrets that could not be restored with a configuration.
const FORMER_SECRETS: &str = "former_secrets_lost";

/// Longest wait for the end of connections with a former configuration.
const USE_END: Duration = Duration::from_secs(10);

/// Configuration and secrets that an edit of a server replaced.
pub(crate) struct FormerConfiguration {
    pub(crate) server: ServerId,
    config: ServerConfig,
    /// The secrets that were replaced or removed; `None` for those that could not be read.
    secrets: SecretInputs,
}

impl Explorer {
    /// Returns the problems that keep a configuration from being saved, for a new server (`None`) or one of the list.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn check_server(
        &self,
        server: Option<ServerId>,
        input: impl Into<ServerInput> + Send,
    ) -> Result<Vec<FieldProblem>, Error> {
        let stored = match server {
            Some(server) => secret_names(&self.core.server(&server)?.config.transport),
            None => Vec::new(),
        };
        Ok(check(input.into(), &stored).err().unwrap_or_default())
    }

    /// Adds a server at the end of the list.
    ///
    /// # Errors
    /// `InvalidInput` with the problems of [`Explorer::check_server`].
    pub async fn add_server(
        &self,
        input: impl Into<ServerInput> + Send,
    ) -> Result<ServerId, Error> {
        self.add_with(input.into(), None).await
    }

    /// Adds an imported server, with the further fields of its configuration.
    pub(super) async fn add_with(
        &self,
        input: ServerInput,
        other_fields: Option<OtherFields>,
    ) -> Result<ServerId, Error> {
        let ServerInput { config, secrets } = check(input, &[])?;
        let mut entry = ServerEntry::new(config);
        entry.other_fields = other_fields;
        let id = entry.id.clone();
        self.insert(entry, secrets, None).await;
        Ok(id)
    }

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
        let former = self.core.server(&server)?.config;
        let before = secret_names(&former.transport);
        let ServerInput { config, secrets } = check(input.into(), &before)?;
        if config == former && secrets.iter().all(|(_, secret)| secret.is_none()) {
            return Ok(None);
        }
        let former_secrets = self.replaced_secrets(&server, &before, &secrets).await;
        self.put_configuration(&server, config, secrets).await?;
        Ok(Some(self.core.keep(FormerConfiguration {
            server,
            config: former,
            secrets: former_secrets,
        })))
    }

    /// Reads the former values of secrets that are about to be replaced or removed, if possible.
    async fn replaced_secrets(
        &self,
        server: &str,
        names: &[String],
        inputs: &SecretInputs,
    ) -> SecretInputs {
        let kept = |name: &String| inputs.contains(&(name.clone(), None));
        let mut values = SecretInputs::new();
        for name in names.iter().filter(|name| !kept(name)) {
            let value = self.core.services.secrets.get(server, name).await;
            values.push((name.clone(), value.ok().flatten()));
        }
        values
    }

    /// Puts a configuration that is known to be right in the place of a server's.
    async fn put_configuration(
        &self,
        server: &str,
        mut config: ServerConfig,
        secrets: SecretInputs,
    ) -> Result<(), Error> {
        let ServerConfig {
            transport: former,
            request_rules: rules,
            ..
        } = self.core.server(server)?.config;
        if former.peer() != config.transport.peer()
            && rules == config.request_rules
            && config.request_rules.give_no_saved_answers()
        {
            let title = format!(
                "“{}” has another program or address now, so Sonde asks you again before it gives saved answers.",
                config.name
            );
            self.core.notice(
                NoticeLevel::Info,
                Some(server),
                "saved_answers_off",
                title,
                None,
            );
        }
        let before = secret_names(&former);
        let kept = secret_names(&config.transport);
        let other_secrets = secrets.iter().any(|(_, secret)| secret.is_some());
        let other_command = secrets.iter().any(|(name, secret)| {
            let variable = name.strip_prefix("env:");
            secret.is_some() && variable.and_then(steering::effect).is_some()
        });
        let mut changed = secrets.iter().filter(|(_, secret)| secret.is_some());
        let other_client = client_of(&former) != client_of(&config.transport)
            || changed.any(|(name, _)| signs_in(name));
        if other_command {
            // Saved before the new secret is stored anywhere: after a crash, the command must not run with it unseen.
            self.core.state(|state| {
                if let Some(entry) = state.servers.get_mut(server) {
                    entry.confirm_again();
                }
            });
            self.core.save_servers().await;
        }
        if other_client {
            self.core.services.credentials.unbind_client(server).await;
        }
        let connection = self.core.switch_to(server, config, secrets).await?;
        if other_secrets {
            // The settings for signing in may have changed although the configuration looks the same.
            connection.renew_auth();
        }
        connection.send_roots().await;
        self.core.save_secrets(server).await;
        for name in before.iter().filter(|name| !kept.contains(name)) {
            self.core.remove_secret(server, name).await;
        }
        self.core.configuration_changed(server);
        self.core.save_servers().await;
        Ok(())
    }

    /// Brings back the configuration that was replaced, with the values of its secrets.
    pub(crate) async fn restore_configuration(
        &self,
        former: FormerConfiguration,
    ) -> Result<(), Error> {
        let FormerConfiguration {
            server,
            config,
            secrets,
        } = former;
        let mut lost = Vec::new();
        for (name, _) in secrets.iter().filter(|(_, value)| value.is_none()) {
            // The new value must not go to whom the former configuration names.
            self.core.remove_secret(&server, name).await;
            let name = name.split_once(':').map_or(name.as_str(), |(_, name)| name);
            lost.push(format!("`{name}`"));
        }
        if !lost.is_empty() {
            self.core.notice(
                NoticeLevel::Warning,
                Some(&server),
                FORMER_SECRETS,
                "The former configuration of this server is back, but not all of its secrets: their former \
                 values could not be read from the keyring. Edit the server and enter them again.",
                Some(lost.join(", ")),
            );
        }
        self.put_configuration(&server, config, secrets).await
    }

    /// Copies a server with its secrets and saved inputs; the copy follows the original.
    ///
    /// # Errors
    /// `NotFound`; `KeyringUnavailable` when a secret cannot be read.
    pub async fn duplicate_server(&self, server: ServerId) -> Result<ServerId, Error> {
        let original = self.core.server(&server)?;
        let mut secrets = Vec::new();
        for name in secret_names(&original.config.transport) {
            match self.core.services.secrets.get(&server, &name).await {
                Ok(secret) => secrets.push((name, secret)),
                Err(error) => {
                    return Err(Error::Keyring {
                        message: "The secrets of this server cannot be read, so it cannot be \
                                  copied."
                            .to_owned(),
                        detail: Some(error.to_string()),
                    });
                }
            }
        }
        let mut copy = ServerEntry {
            id: ServerEntry::new_id(),
            ..original
        };
        copy.config.name += " (copy)";
        let id = copy.id.clone();
        self.insert(copy, secrets, Some(&server)).await;
        let copies = self.core.state(|state| {
            let copies = state.saved_inputs.copy(&server, &id);
            self.core.store_inputs(state);
            copies
        });
        let rename = |config: &mut ServerConfig| config.request_rules.rename_answers(&copies);
        self.core.configure(&id, rename).await?;
        self.core.observer.changed(Change::Server(id.clone()));
        self.core.save_servers().await;
        self.core.inputs_changed(&id);
        Ok(id)
    }

    async fn insert(&self, entry: ServerEntry, secrets: SecretInputs, behind: Option<&str>) {
        let core = &self.core;
        let id = entry.id.clone();
        // Secrets first: as soon as the server is visible, it can be connected.
        core.store_secrets(&id, secrets).await;
        core.add_connection(&entry);
        core.state(|state| match behind {
            Some(behind) => state.servers.insert_behind(behind, entry),
            None => state.servers.push(entry),
        });
        core.observer.changed(Change::Server(id.clone()));
        core.observer.changed(Change::Session(id));
        core.observer.changed(Change::Order);
        core.save_servers().await;
    }

    /// The exact command of a stdio server.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a server that runs no command; `KeyringUnavailable` when a
    /// secret among its variables cannot be read.
    pub async fn preview_command(&self, server: ServerId) -> Result<CommandPreview, Error> {
        let entry = self.core.server(&server)?;
        preview_command(&self.core.services, &entry).await
    }

    /// Returns the secret value of a variable, or of an argument's placeholder if `name` is one, for the user who is
    /// about to confirm the command. After a command of the server was confirmed, its secrets cannot be revealed.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for a server that was confirmed, and for a name that is not a secret of its command;
    /// `KeyringUnavailable`.
    pub async fn reveal_variable(&self, server: ServerId, name: String) -> Result<String, Error> {
        let entry = self.core.server(&server)?;
        let secret = match secrets_in(&name).next() {
            Some(name) => arg_secret(name),
            None => env_secret(&name),
        };
        if entry.confirmed.is_some() || !secret_names(&entry.config.transport).contains(&secret) {
            return Err(Error::invalid(
                "Secrets are shown only before the command of a server is confirmed.",
            ));
        }
        self.core
            .services
            .secret(&server, &secret)
            .await
            .map_err(unreadable)
    }
}

/// The exact command of a stdio server.
///
/// # Errors
/// `InvalidInput` for a server that runs no command; `KeyringUnavailable` when a secret among its variables cannot be
/// read.
pub(crate) async fn preview_command(
    services: &Services,
    entry: &ServerEntry,
) -> Result<CommandPreview, Error> {
    preview::preview(services, entry)
        .await
        .map_err(unreadable)?
        .ok_or_else(|| Error::invalid("This server is not started with a command."))
}

impl State {
    /// Changes the configuration of a server, and with it that of its connection, which is returned.
    fn configure(
        &mut self,
        server: &str,
        change: impl FnOnce(&mut ServerConfig),
    ) -> Result<Connection, Error> {
        let (connection, entry) = self.entry(server)?;
        change(&mut entry.config);
        // Under the lock, so that the connection starts exactly what was confirmed.
        connection.update(|own| own.config.clone_from(&entry.config));
        Ok(connection.clone())
    }
}

impl Core {
    /// Changes the configuration of a server in the list, and with it that of its connection.
    ///
    /// # Errors
    /// `NoServer`.
    pub(crate) async fn configure(
        &self,
        server: &str,
        change: impl FnOnce(&mut ServerConfig),
    ) -> Result<(), Error> {
        let connection = self.state(|state| state.configure(server, change))?;
        connection.send_roots().await;
        Ok(())
    }

    /// Replaces a server's configuration and secrets at once, so that no connection sends a new secret to the former
    /// address. Before new secrets are stored, ends a session that is being opened, and all separate connections.
    async fn switch_to(
        &self,
        server: &str,
        config: ServerConfig,
        secrets: SecretInputs,
    ) -> Result<Connection, Error> {
        let has_new = secrets.iter().any(|(_, secret)| secret.is_some());
        let mut waits = has_new;
        let mut ended_generation = None;
        loop {
            let (connection, uses) = self.state(|state| {
                let connection = state.entry(server)?.0.clone();
                // Between two attempts it is closing. One that was ended reads no secret any more.
                let generation = connection.read(|state| {
                    let session = &state.session;
                    let is_opening = session.is_live() && session.phase != SessionPhase::Ready;
                    is_opening.then_some(session.generation)
                });
                let is_opening = has_new && generation.is_some() && generation != ended_generation;
                ended_generation = generation.or(ended_generation);
                let ends = match waits {
                    true => state.config_uses.cancel(server),
                    false => Vec::new(),
                };
                if is_opening || !ends.is_empty() {
                    return Ok((connection, Some((is_opening, ends))));
                }
                self.hold_secrets(server, &secrets);
                state.configure(server, |own| own.clone_from(&config))?;
                Ok::<_, Error>((connection, None))
            })?;
            let Some((is_opening, ends)) = uses else {
                return Ok(connection);
            };
            if is_opening {
                connection.end_session().await;
            }
            let ended = async {
                for end in ends {
                    end.cancelled().await;
                }
            };
            if tokio::time::timeout(USE_END, ended).await.is_err() {
                // Cancelled connections read no secret any more.
                tracing::warn!(
                    server,
                    "a use of the former configuration did not end in time"
                );
                waits = false;
            }
        }
    }

    /// Tries again to store secrets that the keyring refused. Returns how many it accepted, and its last refusal.
    pub(crate) async fn retry_keyring(&self) -> (usize, Option<SecretError>) {
        let (taken, refused) = self.services.secrets.retry().await;
        for owner in &taken {
            self.retract(Some(owner), UNSAVED);
            self.observer.changed(Change::Server(owner.clone()));
        }
        if !taken.is_empty() {
            // Values that are now in the keyring are removed from the file.
            self.save_servers().await;
            for connection in self.connections() {
                connection.recheck_persistence();
            }
        }
        (taken.len(), refused)
    }

    /// The secrets of a server, stored or in use.
    ///
    /// # Errors
    /// `KeyringUnavailable` when one of them cannot be read.
    pub(crate) async fn known_secrets(
        &self,
        entry: &ServerEntry,
        connection: &Connection,
    ) -> Result<[Redaction; 2], Error> {
        Ok([
            self.stored_secrets(entry).await?,
            connection.log().redaction(),
        ])
    }

    /// Returns the secrets of a server's configuration, to remove them from saved or exported texts. Its log knows them
    /// only once the server connects.
    ///
    /// # Errors
    /// `KeyringUnavailable` when one of them cannot be read.
    pub(crate) async fn stored_secrets(&self, entry: &ServerEntry) -> Result<Redaction, Error> {
        let mut known = Secrets::default();
        for name in secret_names(&entry.config.transport) {
            let value = self.services.secret(&entry.id, &name).await;
            let value = value.map_err(|missing| Error::Keyring {
                message: format!(
                    "A secret of “{}” cannot be read. Nothing was saved or exported, as the secret could be \
                     part of it. Unlock the keyring and try again, or edit the server and enter the secret again.",
                    entry.config.name
                ),
                detail: missing.error.map(|error| error.to_string()),
            })?;
            match &entry.config.transport {
                Transport::Http { network, .. } if name == proxy::PASSWORD => {
                    let password = Secret::new(value);
                    known.values.extend(network::secrets(network, &password));
                }
                _ => known.values.push(SecretText::from(value)),
            }
        }
        Ok(Redaction::from(&known))
    }

    /// Stores new secrets, and tries again to store those that the keyring refused before.
    pub(crate) async fn store_secrets(&self, server: &str, secrets: SecretInputs) {
        self.hold_secrets(server, &secrets);
        self.save_secrets(server).await;
    }

    /// Removes a secret of a server, unless the keyring refuses.
    pub(crate) async fn remove_secret(&self, server: &str, name: &str) {
        if let Err(error) = self.services.secrets.remove(server, name).await {
            tracing::warn!(server, name, %error, "a secret could not be removed");
        }
    }

    fn hold_secrets(&self, server: &str, secrets: &SecretInputs) {
        for (name, secret) in secrets {
            if let Some(secret) = secret {
                self.services.secrets.hold(server, name, secret.clone());
            }
        }
    }

    /// Offers the keyring the secrets that are in memory only.
    async fn save_secrets(&self, server: &str) {
        let (_, refused) = self.retry_keyring().await;
        if let Some(error) = refused
            && !self.services.secrets.unsaved(server).is_empty()
        {
            self.notice(
                NoticeLevel::Warning,
                Some(server),
                UNSAVED,
                "The keyring did not accept the secrets of this server. They stay in memory until \
                 Sonde quits; Sonde retries with the next change.",
                Some(error.to_string()),
            );
        }
    }
}

fn unreadable(missing: MissingSecret) -> Error {
    Error::Keyring {
        message: missing.sentence(),
        detail: Some(advice(missing)),
    }
}

fn advice(missing: MissingSecret) -> String {
    missing.error.map_or_else(
        || "Unlock the keyring, or edit the server and enter the secret again.".to_owned(),
        |error| error.to_string(),
    )
}

/// Returns the grant for signing in to a server, and the id of the client to use.
fn client_of(transport: &Transport) -> Option<(Discriminant<GrantConfig>, Option<&str>)> {
    match transport {
        Transport::Http {
            auth: AuthConfig::SignIn { options },
            ..
        } => Some((discriminant(&options.grant), options.client_id.as_deref())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::{
        Options,
        servers::{
            config::{HttpKind, InKeyring, NetworkConfig},
            secret_slots::auth::TOKEN,
        },
    };

    fn input(url: &str, token: &str) -> ServerInput {
        let transport = Transport::Http {
            url: url.to_owned(),
            headers: Vec::new(),
            kind: HttpKind::Streamable,
            network: NetworkConfig::default(),
            auth: AuthConfig::Token {
                token: InKeyring::Keep,
            },
        };
        ServerInput {
            config: ServerConfig::new("S", transport),
            secrets: vec![(TOKEN.to_owned(), Some(Secret::new(token)))],
        }
    }

    #[tokio::test]
    async fn a_new_secret_waits_for_the_end_of_connections_to_the_former_address() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let added = explorer.add_server(input("https://a.example/mcp", "of-a"));
        let server = added.await.unwrap();
        let core = &explorer.core;
        let cancel = CancellationToken::new();
        let (entry, in_use) = core
            .state(|state| state.use_config(&server, &cancel))
            .unwrap();
        let token = || async {
            let stored = core.services.secrets.get(&server, TOKEN).await.unwrap();
            stored.unwrap().expose().to_owned()
        };
        let edit = explorer.update_server(server.clone(), input("https://b.example/mcp", "of-b"));
        let mut edit = std::pin::pin!(edit);
        tokio::select! {
            biased;
            done = &mut edit => panic!("in use: {done:?}"),
            () = cancel.cancelled() => {}
        }
        assert_eq!(token().await, "of-a");
        assert_eq!(core.server(&server).unwrap().config, entry.config);
        drop(in_use);
        edit.await.unwrap();
        assert_eq!(token().await, "of-b");
        let config = core.server(&server).unwrap().config;
        assert_eq!(config.transport.peer().0, "https://b.example/mcp");
        explorer.shutdown().await;
    }
}
