//! The commands about connections.

use std::time::Duration;

use sonde_mcp::{EraChoice, StreamOptions, Timeouts};

use super::{
    attempts::{Attempts, era_choice},
    connect,
    connect_options::ConnectPlan,
    state::{Session, SessionPhase},
    stats::RoundTrip,
    steps::Step,
};
use crate::{
    Error, Explorer,
    changes::Change,
    operations::{OperationInput, OperationNumber},
    servers::{
        LogLevel, ProtocolMode, ServerConfig, ServerId, fingerprint, may_download, missing_inputs,
    },
};

/// Longest wait of a restart or a removal for the old session. The escalation that ends a process takes less.
const END: Duration = Duration::from_secs(10);

impl Explorer {
    /// Connects. `confirm` is the fingerprint of the command that the user saw and accepted: it takes the place of an
    /// older one that still runs. All else arrives as events.
    ///
    /// # Errors
    /// `InputsMissing`, `CommandNotConfirmed`, `AlreadyConnected`, `NotFound`.
    pub async fn connect(&self, server: ServerId, confirm: Option<String>) -> Result<(), Error> {
        let entry = self.core.server(&server)?;
        let accepts = confirm.is_some() && confirm == fingerprint(&entry.config.transport);
        if accepts && !entry.is_confirmed() {
            self.end_session(&server).await;
        }
        self.connect_for(server, confirm, None).await
    }

    /// Connects; with the handshake where that is needed `for_it`, which is started when operations
    /// work.
    async fn connect_for(
        &self,
        server: ServerId,
        confirm: Option<String>,
        for_it: Option<OperationInput>,
    ) -> Result<(), Error> {
        let core = &self.core;
        let (plan, newly) = core.state(|state| {
            // Under the lock that the shutdown takes to find the sessions: none slips through.
            if core.closing.is_cancelled() {
                return Err(Error::internal("the app is closing"));
            }
            let entry = state
                .servers
                .get_mut(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let session = state
                .sessions
                .get_mut(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            if session.is_live() {
                return Err(Error::AlreadyConnected);
            }
            has_inputs(&entry.config)?;
            let era = match &for_it {
                Some(_) => EraChoice::Handshake,
                None => era_choice(&entry.config.protocol).ok_or_else(|| {
                    Error::invalid(
                        "Sonde does not support the protocol version set for this server. Edit \
                         the server and choose another.",
                    )
                })?,
            };
            let newly = !entry.is_confirmed();
            if newly {
                let present = fingerprint(&entry.config.transport);
                if confirm.is_none() || confirm != present {
                    return Err(Error::NotConfirmed {
                        changed: confirm.is_some(),
                    });
                }
                entry.confirmed = present;
            }
            let transport = &entry.config.transport;
            let believed = session
                .detection_cache
                .as_ref()
                .and_then(|detection_cache| detection_cache.about(transport));
            let attempts = Attempts::new(transport, era, believed);
            let steps = Step::of(transport, attempts.asks_first());
            let (cancel, done) = session.begin(&entry.config, &steps);
            if let Some(operation) = for_it {
                session.then(operation);
            }
            let plan = ConnectPlan {
                server: server.clone(),
                generation: session.generation,
                transport: entry.config.transport.clone(),
                timeouts: timeouts(&entry.config),
                streams: StreamOptions {
                    attempts: entry
                        .config
                        .stream_attempts
                        .unwrap_or(StreamOptions::default().attempts),
                    ..StreamOptions::default()
                },
                log_level: entry.log_level,
                declaration: entry.config.declaration.clone(),
                attempts,
                cancel,
                done,
            };
            Ok((plan, newly))
        })?;
        core.observer.changed(Change::Session(server.clone()));
        core.observer.changed(Change::Connection(server.clone()));
        core.tasks.spawn(connect::run(core.clone(), plan));
        if newly {
            core.observer.changed(Change::Server(server));
            core.save_servers().await;
        }
        Ok(())
    }

    /// Disconnects in good order; while connecting, gives up. A failure is put away.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn disconnect(&self, server: ServerId) -> Result<(), Error> {
        self.core.state(|state| {
            let session = state
                .sessions
                .get_mut(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            if session.end().is_some() {
                session.set_phase(SessionPhase::Closing);
            } else {
                session.failure = None;
                session.set_phase(SessionPhase::Idle);
            }
            Ok::<_, Error>(())
        })?;
        self.core.observer.changed(Change::Session(server));
        Ok(())
    }

    /// Disconnects if needed, then connects again.
    ///
    /// # Errors
    /// `InputsMissing` and `CommandNotConfirmed` (then nothing was disconnected), `NotFound`; `AlreadyConnected` when
    /// the old session does not end.
    pub async fn restart(&self, server: ServerId) -> Result<(), Error> {
        let entry = self.core.server(&server)?;
        has_inputs(&entry.config)?;
        if !entry.is_confirmed() {
            return Err(Error::NotConfirmed { changed: false });
        }
        self.end_session(&server).await;
        self.connect(server, None).await
    }

    /// Reconnects with the handshake, and runs a finished operation again as soon as operations work.
    /// `keep` sets the handshake for this server from now on.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for one that did not fail for want of a handshake;
    /// `CommandNotConfirmed` and `AlreadyConnected` as with [`Explorer::restart`].
    pub async fn run_with_handshake(
        &self,
        operation: OperationNumber,
        keep: bool,
    ) -> Result<(), Error> {
        let (server, input) = self.core.state(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or(Error::NoOperation(operation))?;
            if record.needs_handshake.is_none() {
                return Err(Error::invalid("This run does not need a handshake."));
            }
            Ok((record.server.clone(), record.input.clone()))
        })?;
        if !self.core.server(&server)?.is_confirmed() {
            return Err(Error::NotConfirmed { changed: false });
        }
        if keep {
            self.core.state(|state| {
                if let Some(entry) = state.servers.get_mut(&server) {
                    entry.config.protocol = ProtocolMode::Handshake;
                }
            });
            self.core.observer.changed(Change::Server(server.clone()));
            self.core.save_servers().await;
        }
        self.end_session(&server).await;
        self.connect_for(server, None, Some(input)).await
    }

    /// Ends a session and waits for that.
    pub(crate) async fn end_session(&self, server: &str) {
        let done = self.core.state(|state| {
            let session = state.sessions.get_mut(server)?;
            let done = session.end()?;
            session.set_phase(SessionPhase::Closing);
            Some(done)
        });
        if let Some(done) = done {
            self.core
                .observer
                .changed(Change::Session(server.to_owned()));
            if tokio::time::timeout(END, done.cancelled()).await.is_err() {
                tracing::warn!(server, "a session did not end in time");
            }
        }
    }

    /// Measures a round trip; the session's view has the result.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn ping(&self, server: ServerId) -> Result<(), Error> {
        let (handle, _) = self.core.ready(&server)?;
        handle.ping().await.map_err(|_| Error::NotConnected)
    }

    /// Asks a server for log messages of this level and above, and remembers it for its next connects.
    /// `None` goes back to what is asked for when nobody chose; a server with a handshake learns that
    /// with the next connect.
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
        let handle = self.core.state(|state| {
            let entry = state
                .servers
                .get_mut(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            entry.log_level = level;
            let session = state.sessions.get(&server);
            let logs = |session: &&Session| {
                session.phase == SessionPhase::Ready
                    && (session.identity.as_ref())
                        .is_some_and(|identity| declares_logging(&identity.capabilities))
            };
            Ok::<_, Error>(session.filter(logs).and_then(Session::handle))
        })?;
        self.core.observer.changed(Change::Server(server.clone()));
        self.core.save_servers().await;
        if let Some(handle) = handle {
            self.core.retract(Some(&server), "log_level_failed");
            // One that is over by now is told with the next connect.
            let _ = handle.set_log_level(level).await;
        }
        Ok(())
    }

    /// The last 512 round trips of a method, or of one tool of it, over the present or last connect; oldest first.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn round_trips(
        &self,
        server: ServerId,
        method: String,
        tool: Option<String>,
    ) -> Result<Vec<RoundTrip>, Error> {
        self.core.state(|state| {
            let session = state
                .sessions
                .get(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let connection = session.connection.as_ref();
            Ok(connection
                .map(|connection| connection.stats.trips(&method, tool.as_deref()))
                .unwrap_or_default())
        })
    }

    /// Lines of standard error of the present or last connect, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn stderr_lines(
        &self,
        server: ServerId,
        from: u64,
        count: u32,
    ) -> Result<Vec<String>, Error> {
        self.core.state(|state| {
            let session = state
                .sessions
                .get(&server)
                .ok_or_else(|| Error::NoServer(server.clone()))?;
            let gone = || "(no longer stored here; the wire log may still have it)".to_owned();
            Ok(session.stderr.page(from, count, gone))
        })
    }
}

/// Checks that all inputs were entered for which the configuration asks.
fn has_inputs(config: &ServerConfig) -> Result<(), Error> {
    let missing = missing_inputs(&config.transport);
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::InputsMissing(missing))
}

/// `capabilities` is JSON text of the server's.
fn declares_logging(capabilities: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(capabilities)
        .is_ok_and(|capabilities| capabilities.get("logging").is_some_and(|it| !it.is_null()))
}

/// The longest wait for the first response of a server that is downloaded first.
const DOWNLOAD: Duration = Duration::from_secs(300);

fn timeouts(config: &ServerConfig) -> Timeouts {
    let mut usual = Timeouts::default();
    if may_download(&config.transport) {
        usual.handshake = DOWNLOAD;
    }
    let seconds = |value: Option<u32>, usual: Duration| {
        value.map_or(usual, |seconds| Duration::from_secs(u64::from(seconds)))
    };
    Timeouts {
        idle: seconds(config.idle_seconds, usual.idle),
        hard: seconds(config.hard_seconds, usual.hard),
        ..usual
    }
}
