//! Rows, filters and states of a log, which reach the window unchanged.

use serde::{Deserialize, Serialize};
use sonde_findings::{FindingView, Severity};
use sonde_wire::Cause;
use ts_rs::TS;

/// Kinds of log rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum LogKind {
    Request,
    /// A result, or any reply during detection of the protocol.
    Response,
    Error,
    Notification,
    Batch,
    /// A message of no other kind.
    Invalid,
    /// Bytes that are not a message where one was expected.
    NonMessage,
    Stderr,
    /// A process started or ended.
    Process,
    /// The head of an HTTP request or response, or a body where no message was expected.
    Http,
    /// A server-sent event without a message.
    Sse,
    /// A remark of the app itself.
    #[default]
    Note,
    /// A remark of the app that it answers a request of the server by a rule; `partner` is that request.
    Rule,
    /// A message between Sonde and an app of the server; it did not go to the server.
    App,
}

/// Reasons why a request has no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LogNoResponse {
    /// The process of the server ended.
    Exited,
    /// The connection ended.
    Disconnected,
    /// The request was cancelled.
    Cancelled,
    /// The time limit passed.
    TimedOut,
    /// The carrier of the response broke, or ended without the response.
    Lost,
    /// Sonde continued to detect the protocol without the response.
    Detection,
    /// The server rejected the request over HTTP, and Sonde sent it again with other credentials.
    SentAgain,
}

/// One row of the log, about 200 bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct LogRow {
    /// Number of the entry in the log.
    pub seq: u64,
    /// Milliseconds since the Unix epoch, with fractions.
    pub at: f64,
    /// Start of the connection: the time of its first entry.
    pub began: f64,
    /// True from Sonde to the server, false from the server.
    pub out: bool,
    /// Kind of the row.
    pub kind: LogKind,
    /// Something went wrong: an error, an invalid message, a failed process, a request without a response.
    pub error: bool,
    /// The method; for responses, of the request.
    pub method: Option<String>,
    /// JSON-RPC id as JSON text.
    pub id: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// It has a body, which is read as a document; the size of an HTTP head or a remark is not that of a body.
    pub has_body: bool,
    /// Microseconds from the request to its response, for both of them.
    pub micros: Option<u64>,
    /// The other entry of the pair: the response of a request, the request of a response.
    pub partner: Option<u64>,
    /// For requests: reason why there is no response. `None` while one is awaited.
    pub no_response: Option<LogNoResponse>,
    /// The operation that the entry belongs to.
    pub operation: Option<u64>,
    /// A log message that came while several operations ran and could belong to any of them.
    pub ambiguous: bool,
    /// Reason why Sonde sent it, unless the user asked for it. `Probe` also marks messages received while Sonde
    /// detected the server's protocol.
    pub cause: Option<Cause>,
    /// The first characters of the body, one line.
    pub preview: String,
    /// Summary in one line, if it is known.
    pub summary: Option<String>,
    /// For log messages: severity from 0 (debug) to 7 (emergency).
    pub level: Option<u8>,
    /// For log messages: the part of the server that wrote it.
    pub logger: Option<String>,
    /// The entries that this row stands for, in a view that groups them.
    pub group: Option<LogGroup>,
    /// Number of findings without those of muted rules.
    pub findings: u32,
    /// The severity of the worst finding.
    pub severity: Option<Severity>,
    /// The rule of the worst finding, the first of several.
    pub rule: Option<String>,
}

/// Entries shown as one row: the HTTP frames of an exchange, or a repeated notification. An entry with findings always
/// has its own row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogGroup {
    /// Number of entries in the group that are stored.
    pub entries: u32,
    /// Every entry has a row of its own.
    pub open: bool,
    /// Time of the last entry, in milliseconds since the Unix epoch.
    pub until: f64,
    /// The entry with the text of the row: for notifications the last one while they are one row.
    pub shown: u64,
    /// Verb and path of an exchange.
    pub http: Option<String>,
    /// HTTP status of the exchange, once there is one.
    pub status: Option<u16>,
}

/// One header, secrets replaced by a fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogHeader {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Everything about one entry except its body, which is read as a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogDetail {
    /// Row of the entry.
    pub row: LogRow,
    /// Findings of the entry.
    pub findings: Vec<FindingView>,
    /// First line of an HTTP head, or the command of a process.
    pub summary: Option<String>,
    /// Headers of an HTTP head.
    pub headers: Vec<LogHeader>,
    /// Bytes of the frame that were not kept.
    pub dropped: u64,
    /// A value was replaced because it is a secret.
    pub redacted: bool,
    /// True if the entry can be copied as a curl command.
    pub curl: bool,
}

/// Filter of a log view. Empty lists mean "all".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LogFilter {
    /// Text to find in method, id, preview or body, ignoring case.
    pub text: String,
    /// Only these kinds.
    pub kinds: Vec<LogKind>,
    /// Only failures and error responses; acts as one more kind beside `kinds`.
    #[serde(default)]
    pub errors: bool,
    /// Only these methods.
    pub methods: Vec<String>,
    /// Only entries of this operation.
    pub operation: Option<u64>,
    /// Only this direction: true for out.
    pub out: Option<bool>,
    /// Only entries with findings of rules that are not muted.
    pub findings_only: bool,
    /// Only entries with a finding of the rule with this id.
    #[serde(default)]
    pub rule: Option<String>,
    /// Entries need to pass by kind or by method; without this by both.
    #[serde(default)]
    pub either: bool,
    /// Only log messages of at least this severity, from 0 (debug) to 7 (emergency).
    #[serde(default)]
    pub least_level: Option<u8>,
    /// Only log messages of this logger, as rows name it.
    #[serde(default)]
    pub logger: Option<String>,
    /// Shows a row for each group of entries (see [`LogGroup`]), unless another filter is set.
    #[serde(default)]
    pub grouped: bool,
}

/// The live state of an open log view. Replaced whole; rows are fetched by index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogViewState {
    /// Number of the view.
    pub view: u64,
    /// Counts filter changes and drops: rows fetched under an older epoch are stale.
    pub epoch: u32,
    /// Number of rows that match.
    pub rows: u64,
    /// Rows that were dropped from the front since the filter was set.
    pub gone: u64,
    /// Number of states so far that changed rows reported before.
    pub changes: u32,
    /// The first row that changed since the previous state.
    pub changed_from: u64,
    /// Number of entries in the log.
    pub total: u64,
    /// Number of the newest entry ever recorded; 0 before the first.
    pub last: u64,
    /// Bytes in memory.
    pub bytes: u64,
    /// Entries dropped from the front to stay within the limits.
    pub dropped: u64,
    /// The limits, as entries and bytes.
    pub max_rows: u64,
    /// See `max_rows`.
    pub max_bytes: u64,
    /// The limit in bytes over the logs and open documents of all servers together.
    pub max_bytes_of_all: u64,
    /// A search of bodies is still running.
    pub searching: bool,
    /// All methods seen, for the filter.
    pub methods: Vec<String>,
    /// Numbers of log messages by level, from 0 (debug) to 7 (emergency), shown or not.
    pub levels: Vec<u64>,
    /// The loggers of the log messages, for the filter; at most 200.
    pub loggers: Vec<String>,
}
