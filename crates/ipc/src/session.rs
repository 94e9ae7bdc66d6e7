use serde::{Deserialize, Serialize};
use sonde_explorer::{
    servers::ServerId,
    sessions::{
        ConnectStep, Failure, ServerIdentity, ServerProcess, Session, SessionPhase, TransportEnd,
    },
};
use ts_rs::TS;

/// The live state of one server's connection. One per server, replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SessionView {
    /// The server.
    pub server: ServerId,
    /// Number of connects of this server, from 1; 0 before the first.
    pub generation: u32,
    /// Command or URL of the current or last connection; empty before the first.
    pub address: String,
    /// Phase of the connection.
    pub phase: SessionPhase,
    /// Time of the last phase change, in milliseconds since the Unix epoch.
    pub since: u64,
    /// The steps of connecting.
    pub steps: Vec<ConnectStep>,
    /// The server's description of itself; set once the connection is ready, and kept after its end.
    pub identity: Option<ServerIdentity>,
    /// The server accepts requests for completion.
    pub completions: bool,
    /// The server can run tools as tasks on request (2025-11-25).
    pub tool_tasks: bool,
    /// The child process, while it runs.
    pub process: Option<ServerProcess>,
    /// End of the last transport.
    pub closed: Option<TransportEnd>,
    /// Reason of the failure.
    pub failure: Option<Failure>,
    /// Last measured ping in microseconds.
    pub ping_micros: Option<u64>,
    /// Number of lines of standard error so far.
    pub stderr_lines: u64,
}

impl From<&Session> for SessionView {
    fn from(session: &Session) -> Self {
        Self {
            server: session.server.clone(),
            generation: session.generation,
            address: session.address.clone(),
            phase: session.phase,
            since: session.since,
            steps: session.steps(),
            identity: session.identity.clone(),
            completions: session.completions,
            tool_tasks: session.tool_tasks,
            process: session.process.clone(),
            closed: session.closed.clone(),
            failure: session.failure.clone(),
            ping_micros: session.ping_micros,
            stderr_lines: session.stderr.total(),
        }
    }
}
