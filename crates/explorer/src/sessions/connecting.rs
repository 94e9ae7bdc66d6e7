//! Connecting with the confirmations and settings of the list.

use sonde_client::sessions::ConnectInput;

use crate::{
    Error, Explorer,
    changes::Change,
    operations::OperationNumber,
    servers::{LogLevel, ProtocolMode, ServerConfig, ServerId, fingerprint},
};

impl Explorer {
    /// Connects. `confirm` is the fingerprint of the command that the user saw and accepted: it takes the place of an
    /// older one that still runs. All else arrives as events.
    ///
    /// # Errors
    /// `AlreadyConnected`; `InvalidInput` for a protocol version that is not known, `InputsMissing`, and only then
    /// `CommandNotConfirmed`; `NotFound`.
    pub async fn connect(&self, server: ServerId, confirm: Option<String>) -> Result<(), Error> {
        let entry = self.core.server(&server)?;
        let accepts = confirm.is_some() && confirm == fingerprint(&entry.config.transport);
        if accepts && !entry.is_confirmed() {
            self.core.connection(&server)?.end_session().await;
        }
        self.connect_with(server, confirm, ConnectInput::default())
            .await
    }

    async fn connect_with(
        &self,
        server: ServerId,
        confirm: Option<String>,
        input: ConnectInput,
    ) -> Result<(), Error> {
        let core = &self.core;
        let newly = core.state(|state| {
            let (connection, entry) = state.entry(&server)?;
            if connection.is_live() {
                return Err(Error::AlreadyConnected);
            }
            // The user is asked to trust only what can be connected.
            connection.check_connect(&input)?;
            let newly = !entry.is_confirmed();
            let present = fingerprint(&entry.config.transport);
            if newly && (confirm.is_none() || confirm != present) {
                return Err(Error::NotConfirmed {
                    changed: confirm.is_some(),
                });
            }
            // Under the lock, so that only the confirmed command can be connected.
            connection.connect(input)?;
            if newly {
                entry.confirmed = present;
            }
            Ok(newly)
        })?;
        if newly {
            core.observer.changed(Change::Server(server));
            core.save_servers().await;
        }
        Ok(())
    }

    /// Disconnects if needed, then connects again.
    ///
    /// # Errors
    /// As [`Explorer::connect`], and then nothing was disconnected; `AlreadyConnected` when the old session does not
    /// end.
    pub async fn restart(&self, server: ServerId) -> Result<(), Error> {
        let entry = self.core.server(&server)?;
        let connection = self.core.connection(&server)?;
        connection.check_connect(&ConnectInput::default())?;
        entry.check_confirmed()?;
        connection.end_session().await;
        self.connect(server, None).await
    }

    /// Reconnects with the handshake, and runs a finished operation again as soon as operations work. `keep` sets the
    /// handshake for this server permanently.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for an operation that did not fail for lack of a handshake; `CommandNotConfirmed` and
    /// `AlreadyConnected` as with [`Explorer::restart`].
    pub async fn run_with_handshake(
        &self,
        operation: OperationNumber,
        keep: bool,
    ) -> Result<(), Error> {
        let connection = self.core.connection_of_operation(operation)?;
        let (server, input) = connection.read(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or(Error::NoOperation(operation))?;
            if record.needs_handshake.is_none() {
                return Err(Error::invalid("This run does not need a handshake."));
            }
            Ok((record.server.clone(), record.input.clone()))
        })?;
        self.core.server(&server)?.check_confirmed()?;
        if keep {
            let handshake = |config: &mut ServerConfig| config.protocol = ProtocolMode::Handshake;
            self.core.configure(&server, handshake).await?;
            self.core.observer.changed(Change::Server(server.clone()));
            self.core.save_servers().await;
        }
        connection.end_session().await;
        let input = ConnectInput {
            handshake: true,
            then: Some(input),
        };
        self.connect_with(server, None, input).await
    }

    /// Requests log messages of this level and above from a server, and stores the level for its next connects. `None`
    /// returns to the default; after a handshake that takes effect with the next connect.
    ///
    /// A connected server that does not declare `logging` is not asked.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn set_log_level(
        &self,
        server: ServerId,
        level: Option<LogLevel>,
    ) -> Result<(), Error> {
        let connection = self.core.state(|state| {
            let (connection, entry) = state.entry(&server)?;
            entry.log_level = level;
            // Set before the list is saved, so that a connect meanwhile uses it.
            connection.update(|own| own.log_level = level);
            Ok::<_, Error>(connection.clone())
        })?;
        self.core.observer.changed(Change::Server(server));
        self.core.save_servers().await;
        connection.set_log_level(level).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Options,
        servers::{SecretInputs, ServerInput, Transport},
    };

    #[tokio::test]
    async fn an_unknown_protocol_version_is_told_before_a_command_is_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        let command = Transport::Stdio {
            command: "no-such-program".to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        };
        let input = ServerInput {
            config: ServerConfig::new("S", command),
            secrets: SecretInputs::new(),
        };
        let server = explorer.add_server(input).await.unwrap();
        let refused = async || {
            [
                explorer.connect(server.clone(), None).await,
                explorer.restart(server.clone()).await,
                explorer.diagnose(server.clone()).await,
            ]
        };
        for error in refused().await.map(Result::unwrap_err) {
            assert!(matches!(error, Error::NotConfirmed { .. }), "{error:?}");
        }
        let unknown = |config: &mut ServerConfig| {
            config.protocol = ProtocolMode::Fixed {
                revision: "1999-12-31".to_owned(),
            };
        };
        explorer.core.configure(&server, unknown).await.unwrap();
        for error in refused().await.map(Result::unwrap_err) {
            assert!(error.to_string().contains("protocol version"), "{error:?}");
        }
        explorer.shutdown().await;
    }
}
