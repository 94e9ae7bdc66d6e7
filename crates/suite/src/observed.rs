//! Facts about one request, as they were recorded.

use std::time::Duration;

use serde_json::Value;

/// Facts about one request of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// End of the request.
    pub end: End,
    /// Time from the request to its response.
    pub duration: Option<Duration>,
    /// Progress notifications, in order.
    pub progress: Vec<ObservedProgress>,
    /// Log messages, in order.
    pub logs: Vec<ObservedLog>,
    /// Lines of standard error; `None` where Sonde did not start the server and cannot see them.
    pub stderr: Option<Vec<String>>,
    /// Violations of the protocol in the messages.
    pub findings: Vec<ObservedFinding>,
    /// Requests of the server that no scripted answer was for, each in a few words.
    pub unanswered: Vec<String>,
    /// Scripted answers that were not used, by index.
    pub unused_answers: Vec<usize>,
    /// Number of pages of a list.
    pub pages: Option<u64>,
    /// `structuredContent` against the tool's output schema.
    pub schema: SchemaOutcome,
    /// A response came after the cancellation.
    pub late_result: bool,
    /// The request ended before it was to be cancelled.
    pub ended_before_cancel: bool,
    /// No message of the step was dropped, and no line that it judges.
    pub is_complete: bool,
}

/// Ends of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum End {
    /// A result, as JSON text as received; for a list, all pages joined.
    Result(String),
    /// A JSON-RPC error.
    RpcError {
        /// The code.
        code: i64,
        /// The server's message.
        message: String,
        /// The data as JSON text.
        data: Option<String>,
    },
    /// Cancelled, without a response.
    Cancelled,
    /// Nothing answers it: a notification was sent.
    Sent,
    /// No response, or none that fits; the reason in words.
    Lost(String),
    /// No response within a time limit; a sentence.
    TimedOut(String),
    /// The request was not sent.
    #[default]
    NotSent,
}

/// A progress notification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedProgress {
    /// `progress`.
    pub progress: Value,
    /// `total`.
    pub total: Option<Value>,
    /// `message`.
    pub message: Option<String>,
}

/// A log message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedLog {
    /// The level, as received.
    pub level: String,
    /// The logger.
    pub logger: Option<String>,
    /// The data.
    pub data: Value,
}

/// Id in the place of a rule's, of an output schema that could not be checked.
pub(crate) const UNCHECKED: &str = "unchecked";

/// A violation of the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedFinding {
    /// Id of the rule.
    pub rule: String,
    /// The fault in words.
    pub message: String,
}

/// Results of checking structured content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SchemaOutcome {
    /// The tool has no output schema, or the request is no call.
    #[default]
    NoSchema,
    /// Valid.
    Valid,
    /// The violations, each in words.
    Invalid(Vec<String>),
    /// It could not be checked; the reason in words.
    Unchecked(String),
}
