use serde::Serialize;
use sonde_explorer::{
    servers::{Declaration, ServerId},
    sessions::{
        ConnectDetails, Detection, HealthProblem, MethodStats, RootsAnswer, StreamLine,
        StreamStatus, TransportKind,
    },
};
use sonde_mcp::Era;
use ts_rs::TS;

/// The connection of one server as its panel shows it. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ConnectionView {
    /// The server.
    pub server: ServerId,
    /// The connect it belongs to (see `SessionView::generation`).
    pub generation: u32,
    /// Transport in use, or tried at present; `None` before the first attempt.
    pub transport: Option<TransportKind>,
    /// Protocol spoken with the server: after a handshake, or stateless.
    pub era: Option<Era>,
    /// The revision in use.
    pub revision: Option<String>,
    /// Other protocol versions that the server said it speaks.
    pub supported: Vec<String>,
    /// A mark by which the session id can be told from others, if there is one.
    pub session_fingerprint: Option<String>,
    /// `HTTP/1.1`, `HTTP/2.0` of the last answer.
    pub http_version: Option<String>,
    /// Detection what the server speaks.
    pub detection: Vec<Detection>,
    /// Streams, the listener first, then the newest; finished answers leave the list.
    pub streams: Vec<StreamStatus>,
    /// The newest 200 lines of their story, oldest first.
    pub lines: Vec<StreamLine>,
    /// Lines so far.
    pub lines_total: u64,
    /// Problem of the open connection; `None` while it is healthy.
    pub health: Option<HealthProblem>,
    /// Number of times that the session was reopened.
    pub reopened: u32,
    /// By method, in order of their first use.
    pub stats: Vec<MethodStats>,
    /// Nothing is read at present, because the user wants it so.
    pub paused: bool,
    /// Delay of replies to the server, in milliseconds.
    pub answer_delay_ms: u64,
    /// Standing warnings, for example that any certificate is accepted.
    pub warnings: Vec<String>,
    /// Declaration of Sonde to the server, as the settings were at connect.
    pub declaration: Declaration,
    /// Last reply to the server's request for the list of roots; `None` if it has not asked.
    pub roots: Option<RootsAnswer>,
}

impl From<&ConnectDetails> for ConnectionView {
    fn from(connection: &ConnectDetails) -> Self {
        let lines = connection.streams.lines();
        let delay = connection.answer_delay.as_millis();
        Self {
            server: connection.server.clone(),
            generation: connection.generation,
            transport: connection.transport,
            era: connection.era,
            revision: connection.revision.clone(),
            supported: connection.supported.clone(),
            session_fingerprint: connection.session_fingerprint.clone(),
            http_version: connection.http_version.map(str::to_owned),
            detection: connection.detection.clone(),
            streams: connection.streams.list(),
            lines: lines.iter().cloned().collect(),
            lines_total: lines.total(),
            health: connection.health(),
            reopened: connection.reopened,
            stats: connection.stats.rows(),
            paused: connection.paused,
            answer_delay_ms: u64::try_from(delay).unwrap_or(u64::MAX),
            warnings: connection.warnings.clone(),
            declaration: connection.declaration.clone(),
            roots: connection.roots_answer(),
        }
    }
}
