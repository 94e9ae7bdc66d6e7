//! State of one server's connection.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sonde_mcp::{CatalogShare, SessionDelete, SessionHandle};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{
    attempts::DetectionCache,
    connect_details::ConnectDetails,
    exit::TransportEnd,
    failure::Failure,
    steps::{ConnectStep, Step, Steps},
};
use crate::{
    clock,
    config::{ServerConfig, ServerId, address, may_download},
    icons::{IconCache, ShownIcons},
    operations::{FoundInResults, OperationInput},
    resource_subscriptions::ResourceSubscriptions,
    ring::Ring,
    task_list::TaskList,
};

/// Number of standard error lines kept. The wire log has more.
const STDERR: usize = 10_000;

/// Phases of the connection to a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionPhase {
    /// Never connected, or disconnected by the user.
    #[default]
    Idle,
    /// Starting the process or reaching the host, then the handshake.
    Connecting,
    /// Operations work.
    Ready,
    /// Disconnecting.
    Closing,
    /// Ended or could not connect; `failure` has the reason.
    Failed,
}

/// A ping that was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingFailure {
    /// Reason, one plain sentence.
    pub why: String,
    /// The connection was gone.
    pub is_lost: bool,
}

/// Description that the server gives of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerIdentity {
    /// Programmatic name; `None` if the server gives none.
    pub name: Option<String>,
    /// Display name.
    pub title: Option<String>,
    /// Version text.
    pub version: Option<String>,
    /// One sentence.
    pub description: Option<String>,
    /// Home page.
    pub website_url: Option<String>,
    /// Its icons.
    pub icons: ShownIcons,
    /// The protocol revision in use.
    pub revision: String,
    /// The revision that was offered first.
    pub offered: String,
    /// The server's instructions for models; at most 64 KiB.
    pub instructions: Option<String>,
    /// The capabilities object, as JSON text as received; at most 64 KiB, `…` ends a cut one.
    pub capabilities: String,
    /// `_meta` of the result that all of this stood in, as JSON text as received; at most 64 KiB, `…` ends a cut one.
    pub meta: Option<String>,
    /// Round trip of the handshake in milliseconds.
    pub handshake_ms: u64,
}

/// The child process of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerProcess {
    /// Process id.
    pub pid: u32,
    /// The program file.
    pub program: String,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working directory.
    pub cwd: String,
}

/// One server's connection, from the first connect to the removal of the server.
#[derive(Debug, Default)]
pub struct Session {
    /// The server connected to.
    pub server: ServerId,
    /// Counts connects of this server, from 1; 0 before the first.
    pub generation: u32,
    /// The command or URL of the present or last connect; empty before the first.
    pub address: String,
    /// Current phase of the connection.
    pub phase: SessionPhase,
    /// Milliseconds since the Unix epoch of the last phase change.
    pub since: u64,
    /// Set once the handshake succeeded; kept after the end.
    pub identity: Option<ServerIdentity>,
    /// Whole texts whose beginnings `identity` has; at most 4 MiB each.
    pub instructions: Option<Arc<String>>,
    pub(crate) capabilities: Option<Arc<String>>,
    pub(crate) meta: Option<Arc<String>>,
    /// The server takes requests for completion.
    pub completions: bool,
    /// The server can run tools as tasks (2025-11-25).
    pub tool_tasks: bool,
    /// The tasks that the server lists.
    pub task_list: TaskList,
    /// Resource subscriptions of the user; survive reconnects.
    pub resource_subscriptions: ResourceSubscriptions,
    /// The child process, while it runs.
    pub process: Option<ServerProcess>,
    /// End of the last transport.
    pub closed: Option<TransportEnd>,
    /// Outcome of the DELETE that ended the last session over HTTP; `None` where none was sent.
    pub deleted: Option<SessionDelete>,
    /// Cause of the `Failed` phase.
    pub failure: Option<Failure>,
    /// Last measured ping in microseconds.
    pub ping_micros: Option<u64>,
    /// Failure of the last ping; `None` if it was answered.
    pub ping_failure: Option<PingFailure>,
    /// Lines of standard error.
    pub stderr: Ring<String, STDERR>,
    /// The present or last connect; `None` before the first.
    pub connection: Option<ConnectDetails>,
    /// Memory share of its catalogs; survives reconnects, as they do.
    pub(super) catalogs: Arc<CatalogShare>,
    /// The icons that were fetched in the present or last connect.
    pub(crate) icons: Arc<IconCache>,
    /// Detection results of earlier connects.
    pub(super) detection_cache: Option<DetectionCache>,
    /// Findings in the results of the present or last connect.
    pub found: FoundInResults,
    /// Readings of its tools whose schemas are being judged.
    pub judging: u32,
    /// Started as soon as operations work.
    pub(super) then: Option<OperationInput>,
    pub(super) steps: Steps,
    live: Option<Live>,
}

/// The task that connects or is connected.
#[derive(Debug)]
struct Live {
    cancel: CancellationToken,
    done: CancellationToken,
    handle: Option<SessionHandle>,
}

impl Session {
    pub(crate) fn new(server: ServerId, catalogs: Arc<CatalogShare>) -> Self {
        Self {
            server,
            since: clock::millis(),
            catalogs,
            ..Self::default()
        }
    }

    /// The steps of connecting.
    #[must_use]
    pub fn steps(&self) -> Vec<ConnectStep> {
        self.steps.list()
    }

    /// Steps of connecting so far: each with its state and the milliseconds that it took.
    pub fn steps_taken(&self) -> impl Iterator<Item = (Step, &ConnectStep)> {
        self.steps.iter()
    }

    /// A task is connecting, connected or closing.
    pub fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Handle of the session, once it is open.
    pub(crate) fn handle(&self) -> Option<SessionHandle> {
        self.live.as_ref()?.handle.clone()
    }

    pub(super) fn set_handle(&mut self, handle: SessionHandle) {
        if let Some(live) = &mut self.live {
            live.handle = Some(handle);
        }
    }

    /// Begins a connect. Returns a token that cancels it, and one that is cancelled at its end.
    pub(super) fn begin(
        &mut self,
        config: &ServerConfig,
        steps: &[Step],
    ) -> (CancellationToken, CancellationToken) {
        let (cancel, done) = (CancellationToken::new(), CancellationToken::new());
        self.live = Some(Live {
            cancel: cancel.clone(),
            done: done.clone(),
            handle: None,
        });
        self.generation += 1;
        self.address = address(&config.transport);
        self.found = FoundInResults::default();
        self.icons = Arc::new(IconCache::new(&config.transport));
        self.connection = Some(ConnectDetails::new(
            self.server.clone(),
            self.generation,
            config,
        ));
        self.identity = None;
        self.process = None;
        self.closed = None;
        self.deleted = None;
        self.failure = None;
        self.ping_micros = None;
        self.ping_failure = None;
        self.stderr = Ring::default();
        self.steps = Steps::new(steps, may_download(&config.transport));
        self.set_phase(SessionPhase::Connecting);
        (cancel, done)
    }

    /// Cancels the connect. Returns the token that is cancelled at its end; `None` if there is none.
    pub(crate) fn end(&self) -> Option<CancellationToken> {
        let live = self.live.as_ref()?;
        live.cancel.cancel();
        Some(live.done.clone())
    }

    /// The task is over.
    pub(crate) fn finish(&mut self, phase: SessionPhase) {
        self.live = None;
        self.then = None;
        self.resource_subscriptions.end();
        self.task_list.end();
        if let Some(connection) = &mut self.connection {
            connection.end();
        }
        self.process = None;
        self.set_phase(phase);
    }

    pub(crate) fn set_phase(&mut self, phase: SessionPhase) {
        self.phase = phase;
        self.since = clock::millis();
    }
}
