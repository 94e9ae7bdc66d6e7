//! Rows, filters and states of a log. Cross to the window unchanged.

use serde::{Deserialize, Serialize};
use sonde_findings::{FindingView, Severity};
use sonde_wire::Cause;
use ts_rs::TS;

/// Kinds of log rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum LogKind {
    Request,
    /// A result, or any reply while Sonde found out what the server speaks.
    Response,
    Error,
    Notification,
    Batch,
    /// A message that is none of the above.
    Invalid,
    /// Bytes where a message was expected.
    NonMessage,
    Stderr,
    /// A process started or ended.
    Process,
    /// HTTP request or response head, or a body in whose place no message was expected.
    Http,
    /// A server-sent event without a message.
    Sse,
    /// A remark of the app itself.
    Note,
    /// A remark of the app that it answers a request of the server by a rule; `partner` is that request.
    Rule,
    /// A message between Sonde and an app of the server; it went to no server.
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
    /// It was cancelled.
    Cancelled,
    /// It took longer than Sonde waits.
    TimedOut,
    /// The carrier of the response broke, or ended without it.
    Lost,
    /// Sonde went on to find out what the server speaks.
    Detection,
}

/// One row of the log, about 200 bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogRow {
    /// Its place in the log.
    pub seq: u64,
    /// Milliseconds since the Unix epoch, with fractions.
    pub at: f64,
    /// Start of its connection: the time of its first entry.
    pub began: f64,
    /// From Sonde to the server.
    pub out: bool,
    /// Its kind.
    pub kind: LogKind,
    /// Something went wrong: an error, what is no message, a process that failed, a request that was left
    /// without a response.
    pub error: bool,
    /// The method; for answers, of the request.
    pub method: Option<String>,
    /// JSON-RPC id as JSON text.
    pub id: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// Microseconds from the request to its answer, for both of them.
    pub micros: Option<u64>,
    /// The other half: the answer of a request, the request of an answer.
    pub partner: Option<u64>,
    /// Of a request: why it has no response. Nothing while one is waited for.
    pub no_response: Option<LogNoResponse>,
    /// The operation it belongs to.
    pub operation: Option<u64>,
    /// A log message that came while several operations ran, any of which it can belong to.
    pub ambiguous: bool,
    /// Reason why Sonde sent it, unless the user asked for it. `Probe` also marks messages received while
    /// Sonde detected the server's protocol.
    pub cause: Option<Cause>,
    /// The first characters of the body, one line.
    pub preview: String,
    /// Its summary, one line, if it is known.
    pub summary: Option<String>,
    /// Of a log message: how severe it is, from 0 (debug) to 7 (emergency).
    pub level: Option<u8>,
    /// Of a log message: who inside the server speaks.
    pub logger: Option<String>,
    /// The entries that this row stands for, in a view that groups them.
    pub group: Option<LogGroup>,
    /// Number of findings, those of muted rules aside.
    pub findings: u32,
    /// The severity of the worst of them.
    pub severity: Option<Severity>,
    /// The rule of the worst of them, the first one of several.
    pub rule: Option<String>,
}

/// Entries that are shown as one row: the HTTP frames of an exchange, or a notification that comes again and
/// again. What has findings always has its own row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogGroup {
    /// Number of its entries that are stored.
    pub entries: u32,
    /// Each of them is shown.
    pub open: bool,
    /// Time of the last entry, in milliseconds since the Unix epoch.
    pub until: f64,
    /// The entry whose text the row has: of notifications the last one while they are one row.
    pub shown: u64,
    /// Verb and path of an exchange.
    pub http: Option<String>,
    /// Its HTTP status, once there is one.
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

/// All about one entry but its body, which is read as a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogDetail {
    /// Its row.
    pub row: LogRow,
    /// Its findings.
    pub findings: Vec<FindingView>,
    /// First line of an HTTP head, or the command of a process.
    pub summary: Option<String>,
    /// Headers of an HTTP head.
    pub headers: Vec<LogHeader>,
    /// Bytes of the frame that were not kept.
    pub dropped: u64,
    /// A value was replaced because it is a secret.
    pub redacted: bool,
    /// "Copy as curl" makes sense for it.
    pub curl: bool,
}

/// Filter of a log view. Empty lists mean "all".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LogFilter {
    /// Found in method, id, preview or body, ignoring case.
    pub text: String,
    /// Only these kinds.
    pub kinds: Vec<LogKind>,
    /// Only what went wrong, and every error response: beside `kinds`, as one of them.
    #[serde(default)]
    pub errors: bool,
    /// Only these methods.
    pub methods: Vec<String>,
    /// Only what belongs to this operation.
    pub operation: Option<u64>,
    /// Only this direction: true for out.
    pub out: Option<bool>,
    /// Only entries with findings of rules that are not muted.
    pub findings_only: bool,
    /// Only entries with a finding of the rule with this id.
    #[serde(default)]
    pub rule: Option<String>,
    /// Entries pass by kind or by method; without it they need both.
    #[serde(default)]
    pub either: bool,
    /// Only log messages that are at least so severe, from 0 (debug) to 7 (emergency).
    #[serde(default)]
    pub least_level: Option<u8>,
    /// Only log messages of this logger, named as its rows name it.
    #[serde(default)]
    pub logger: Option<String>,
    /// While nothing else is filtered out: a row for each group of entries, see [`LogGroup`].
    #[serde(default)]
    pub grouped: bool,
}

/// The live state of an open log view. Replaced whole; rows are fetched by index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogViewState {
    /// Names the view.
    pub view: u64,
    /// Counts filter changes and drops: rows fetched under an older epoch are stale.
    pub epoch: u32,
    /// Rows that match.
    pub rows: u64,
    /// Rows that were dropped from the front since the filter was set.
    pub gone: u64,
    /// Counts the states in which rows told before look different.
    pub changes: u32,
    /// The first row that looks different since the state before.
    pub changed_from: u64,
    /// Entries in the log.
    pub total: u64,
    /// The newest entry that there ever was; 0 before the first.
    pub last: u64,
    /// Bytes held.
    pub bytes: u64,
    /// Entries dropped from the front to stay within the limits.
    pub dropped: u64,
    /// The limits, as entries and bytes.
    pub max_rows: u64,
    /// See `max_rows`.
    pub max_bytes: u64,
    /// The limit in bytes over the logs and open documents of all servers together.
    pub max_bytes_of_all: u64,
    /// Still searching bodies.
    pub searching: bool,
    /// All methods seen, for the filter.
    pub methods: Vec<String>,
    /// Numbers of log messages by level, from 0 (debug) to 7 (emergency), shown or not.
    pub levels: Vec<u64>,
    /// The loggers of the log messages, for the filter; at most 200.
    pub loggers: Vec<String>,
}
