use std::time::Duration;

use serde::{Deserialize, Serialize};
use sonde_explorer::{
    operations::OperationNumber,
    servers::{Declaration, ServerId},
    sessions::{
        ConnectDetails, Detection, HealthProblem, MethodStats, RootsAnswer, StreamLine,
        StreamStatus, TransportKind,
    },
};
use sonde_mcp::{Era, Fault, OperationId};
use ts_rs::TS;

/// The connection of one server as its panel shows it. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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

/// A disturbance that a tester causes on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FaultInput {
    /// Cut the background listener or the subscription.
    DropListener,
    /// Cut the answer stream of a running operation.
    DropOperationStream {
        /// The operation.
        operation: OperationNumber,
    },
    /// Leave the session id out from now on.
    ForgetSessionId,
    /// Send a session id that the server never gave out.
    StaleSessionId,
    /// Resume the listener with an event id that the server never sent.
    WrongLastEventId,
    /// Send this text as it is.
    RawFrame {
        /// The text.
        text: String,
    },
    /// Wait so long before answering requests of the server; 0 ends it.
    DelayAnswers {
        /// Milliseconds, at most 600,000.
        millis: u64,
    },
    /// Kill the process, or drop the socket.
    Kill,
    /// Read nothing until told otherwise.
    PauseReading {
        /// Begin or end it.
        paused: bool,
    },
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

impl From<FaultInput> for Fault {
    fn from(fault: FaultInput) -> Self {
        match fault {
            FaultInput::DropListener => Self::DropListener,
            FaultInput::DropOperationStream { operation } => {
                Self::DropOperationStream(OperationId(operation))
            }
            FaultInput::ForgetSessionId => Self::ForgetSessionId,
            FaultInput::StaleSessionId => Self::StaleSessionId,
            FaultInput::WrongLastEventId => Self::WrongLastEventId,
            FaultInput::RawFrame { text } => Self::RawFrame(text),
            FaultInput::DelayAnswers { millis } => {
                Self::DelayAnswers(Duration::from_millis(millis))
            }
            FaultInput::Kill => Self::Kill,
            FaultInput::PauseReading { paused } => Self::PauseReading(paused),
        }
    }
}
