//! Control of the connection: connect, disconnect, ping, log level.

use std::time::Duration;

use sonde_mcp::{EraChoice, StreamOptions, Timeouts};

use super::{
    attempts::Attempts, connect, connect_options::ConnectPlan, state::SessionPhase,
    stats::RoundTrip, steps::Step,
};
use crate::{
    Connection, Error,
    changes::Change,
    config::{LogLevel, ServerConfig, declared_roots, may_download, missing_inputs},
    operations::OperationInput,
};

/// Input of a connect beside the configuration.
#[derive(Debug, Default)]
pub struct ConnectInput {
    /// Connects with the handshake, whatever the configuration says.
    pub handshake: bool,
    /// Started as soon as operations work.
    pub then: Option<OperationInput>,
}

impl Connection {
    /// Begins to connect, by the present configuration. All else arrives as events. The command of the configuration
    /// runs without further questions.
    ///
    /// # Errors
    /// `AlreadyConnected`; as [`Connection::check_connect`].
    pub fn connect(&self, input: ConnectInput) -> Result<(), Error> {
        let core = &self.core;
        let plan = core.state(|state| {
            // Under the lock that finds the session to end: none slips through.
            if core.closing.is_cancelled() {
                return Err(Error::internal("the connection is given up"));
            }
            let (config, session) = (&state.config, &mut state.session);
            if session.is_live() {
                return Err(Error::AlreadyConnected);
            }
            let era = check(config, &input)?;
            let transport = &config.transport;
            let believed = session
                .detection_cache
                .as_ref()
                .and_then(|detection_cache| detection_cache.about(transport));
            let attempts = Attempts::new(transport, era, believed);
            let steps = Step::of(transport, attempts.asks_first());
            let (cancel, done) = session.begin(config, &steps);
            session.then = input.then;
            Ok(ConnectPlan {
                generation: session.generation,
                transport: transport.clone(),
                timeouts: timeouts(config),
                streams: StreamOptions {
                    attempts: config
                        .stream_attempts
                        .unwrap_or(StreamOptions::default().attempts),
                    ..StreamOptions::default()
                },
                log_level: state.log_level,
                declaration: config.declaration.clone(),
                attempts,
                cancel,
                done,
            })
        })?;
        core.owner.changed(Change::Session);
        core.owner.changed(Change::Details);
        core.tasks.spawn(connect::run(core.clone(), plan));
        Ok(())
    }

    /// Checks that the present configuration can be connected by.
    ///
    /// # Errors
    /// `InvalidInput` for a protocol version that is not known; `InputsMissing`.
    pub fn check_connect(&self, input: &ConnectInput) -> Result<(), Error> {
        self.read(|state| check(&state.config, input).map(drop))
    }

    /// Disconnects; cancels a connect that is under way. Dismisses a failure.
    ///
    /// # Errors
    /// None: a server that is not connected stays so.
    pub async fn disconnect(&self) -> Result<(), Error> {
        self.core.state(|state| {
            let session = &mut state.session;
            if session.end().is_some() {
                session.set_phase(SessionPhase::Closing);
            } else {
                session.failure = None;
                session.set_phase(SessionPhase::Idle);
            }
        });
        self.core.owner.changed(Change::Session);
        Ok(())
    }

    /// Replaces the configuration. A session keeps the transport that it was opened with; the list of its roots changes
    /// at once, where the capability was declared. A session that is still opening takes it when it is ready.
    pub async fn configure(&self, config: ServerConfig) {
        self.update(|state| state.config = config);
        self.send_roots().await;
    }

    /// Sends the roots of the present configuration to the session.
    pub async fn send_roots(&self) {
        let (session, roots, takes_roots) = self.read(|state| {
            let config = &state.config;
            let roots = declared_roots(&config.roots);
            let takes_roots = config.request_rules.takes_roots();
            (state.session.handle(), roots, takes_roots)
        });
        if let Some(session) = session {
            let _ = session.set_roots(roots.clone()).await;
            let _ = session.hand_on_roots(takes_roots).await;
        }
        self.core
            .with_connection(|connection| connection.roots.set_folders(roots));
    }

    /// Measures a round trip; the session's view has the result.
    ///
    /// # Errors
    /// `NotConnected`, `NotFound`.
    pub async fn ping(&self) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        Ok(handle.ping().await?)
    }

    /// Requests log messages of this level and above, now and in the next connects. `None` returns to the default;
    /// after a handshake that takes effect with the next connect.
    ///
    /// A connected server that does not declare `logging` is not asked.
    pub async fn set_log_level(&self, level: Option<LogLevel>) {
        let handle = self.core.state(|state| {
            state.log_level = level;
            let session = &state.session;
            let identity = session.identity.as_ref();
            let logs = session.phase == SessionPhase::Ready
                && identity.is_some_and(|identity| declares_logging(&identity.capabilities));
            session.handle().filter(|_| logs)
        });
        if let Some(handle) = handle {
            self.core.owner.retract("log_level_failed");
            // If the session is over, the next connect applies the level.
            let _ = handle.set_log_level(level).await;
        }
    }

    /// The last 512 round trips of a method, or of one tool of it, over the present or last connect; oldest first.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn round_trips(
        &self,
        method: String,
        tool: Option<String>,
    ) -> Result<Vec<RoundTrip>, Error> {
        Ok(self.core.state(|state| {
            let details = state.details();
            details
                .map(|details| details.stats.trips(&method, tool.as_deref()))
                .unwrap_or_default()
        }))
    }

    /// Lines of standard error of the present or last connect, by index.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn stderr_lines(&self, from: u64, count: u32) -> Result<Vec<String>, Error> {
        let gone = || "(no longer stored here; the wire log may still have it)".to_owned();
        Ok(self
            .core
            .state(|state| state.session.stderr.page(from, count, gone)))
    }
}

/// The protocol to connect with, where nothing in the configuration forbids to connect.
fn check(config: &ServerConfig, input: &ConnectInput) -> Result<EraChoice, Error> {
    let era = match input.handshake {
        true => EraChoice::Handshake,
        false => config.protocol.era_choice().ok_or_else(|| {
            Error::invalid(
                "Sonde does not support the protocol version set for this server. Edit the server \
                 and choose another.",
            )
        })?,
    };
    let missing = missing_inputs(&config.transport);
    match missing.is_empty() {
        true => Ok(era),
        false => Err(Error::InputsMissing(missing)),
    }
}

/// True if the server's capabilities, as JSON text, include `logging`.
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
