use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{OperationNumber, ServerId};

/// The two ways of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EraView {
    /// Opens with `initialize`.
    Handshake,
    /// Every request stands for itself.
    Stateless,
}

/// What carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the specification")]
pub enum TransportKind {
    Stdio,
    StreamableHttp,
    HttpSse,
    WebSocket,
}

/// One step of finding out what a server speaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DetectionView {
    /// A stable name in kebab-case.
    pub code: String,
    /// One plain sentence.
    pub sentence: String,
    /// What it proves, if anything.
    pub verdict: Option<EraView>,
    /// The log entry that carried it.
    pub seq: Option<u64>,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamPurpose {
    /// What the server says on its own.
    Listener,
    /// The answer to a request.
    Answer,
    /// `subscriptions/listen`.
    Subscription,
}

/// Where a stream stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamState {
    /// Its request is on its way.
    Opening,
    /// Open.
    Open,
    /// Broken; an attempt is announced.
    Waiting,
    /// The attempt is being made.
    Resuming,
    /// The server offers no background stream. That is normal.
    NotOffered,
    /// Over as it should be.
    Ended,
    /// Broken for good.
    GivenUp,
}

/// Who set the delay before an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum DelayBy {
    Server,
    Backoff,
    User,
}

/// One stream, live.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StreamView {
    /// Names it within the connection.
    pub id: u64,
    /// What it is for.
    pub purpose: StreamPurpose,
    /// The method whose answer it is.
    pub method: Option<String>,
    /// The operation it belongs to.
    pub operation: Option<OperationNumber>,
    /// Where it stands.
    pub state: StreamState,
    /// Number of the announced or running attempt.
    pub attempt: u32,
    /// Attempts at most.
    pub budget: u32,
    /// When the attempt is made, in milliseconds since the Unix epoch; while `Waiting`.
    pub next_at: Option<u64>,
    /// Who set it.
    pub delay_by: Option<DelayBy>,
    /// The last event id, as received.
    pub last_event_id: Option<String>,
    /// Event ids so far.
    pub event_ids: u64,
    /// How often it broke.
    pub lost: u64,
    /// Why it broke or ended, one plain sentence.
    pub reason: Option<String>,
}

/// One line of the story of the streams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StreamLine {
    /// Counts from 1 within the connection.
    pub number: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// Which stream.
    pub stream: u64,
    /// A stable name in snake_case: `opened`, `event_id`, `retry_time`, `lost`, `waiting`,
    /// `resuming`, `resumed`, `over`, `reopening`.
    pub code: String,
    /// One plain sentence.
    pub sentence: String,
    /// The log entry that says so.
    pub seq: Option<u64>,
}

/// Round trips of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MethodStats {
    /// The method.
    pub method: String,
    /// Answered requests.
    pub count: u64,
    /// Those that failed.
    pub failed: u64,
    /// Shortest, in microseconds.
    pub min_micros: u64,
    /// Median of the last 512, in microseconds.
    pub median_micros: u64,
    /// 95th percentile of the last 512, in microseconds.
    pub p95_micros: u64,
    /// Longest, in microseconds.
    pub max_micros: u64,
}

/// The connection of one server as its panel shows it. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionView {
    /// Whose.
    pub server: ServerId,
    /// The connect it belongs to (see `SessionView::generation`).
    pub generation: u32,
    /// What is used, or tried at present; `None` before the first attempt.
    pub transport: Option<TransportKind>,
    /// What the server is spoken to in.
    pub era: Option<EraView>,
    /// The revision in use.
    pub revision: Option<String>,
    /// What else the server said that it speaks.
    pub supported: Vec<String>,
    /// A mark by which the session id can be told from others, if there is one.
    pub session_mark: Option<String>,
    /// `HTTP/1.1`, `HTTP/2.0` of the last answer.
    pub http_version: Option<String>,
    /// Detection what the server speaks.
    pub detection: Vec<DetectionView>,
    /// Streams, the listener first, then the newest; finished answers leave the list.
    pub streams: Vec<StreamView>,
    /// The newest 200 lines of their story, oldest first.
    pub lines: Vec<StreamLine>,
    /// Lines so far.
    pub lines_total: u64,
    /// Operations work, but something else does not: one plain sentence.
    pub degraded: Option<String>,
    /// How often the server forgot the session.
    pub reopened: u32,
    /// By method, in order of their first use.
    pub stats: Vec<MethodStats>,
    /// Nothing is read at present, because the user wants it so.
    pub paused: bool,
    /// How long answers to the server are held back, in milliseconds.
    pub answer_delay_ms: u64,
    /// Standing warnings, for example that any certificate is accepted.
    pub warnings: Vec<String>,
}

/// A disturbance that a tester causes on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FaultInput {
    /// Cut the background listener or the subscription.
    DropListener,
    /// Cut the answer stream of a running operation.
    DropOperationStream {
        /// Which.
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

/// Something the server asks of the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerRequestView {
    /// Names it over all servers.
    pub request: u64,
    /// Whose.
    pub server: ServerId,
    /// The operation during which it came.
    pub operation: Option<OperationNumber>,
    /// The method, for example `elicitation/create`.
    pub method: String,
    /// For a form: the server's words. One plain sentence otherwise.
    pub message: String,
    /// For a form: the schema of the answer as JSON text.
    pub schema: Option<String>,
    /// `params` as JSON text as received, at most 64 KiB.
    pub params: String,
    /// The server must not ask this, since the ability was not declared.
    pub undeclared: bool,
    /// The log entry that carried it.
    pub seq: u64,
}

/// What the user answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnswerInput {
    /// The filled form, as JSON text.
    Accept {
        /// The values.
        content: String,
    },
    /// No.
    Decline,
    /// Neither yes nor no: the user dismissed it.
    Cancel,
    /// Any result, as JSON text, for a server request that is no form.
    Raw {
        /// The result.
        result: String,
    },
    /// A refusal as a JSON-RPC error (handshake era only).
    Error {
        /// JSON-RPC error code.
        code: i64,
        /// The words for it.
        message: String,
    },
}
