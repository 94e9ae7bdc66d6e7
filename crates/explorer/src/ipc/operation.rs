use serde::{Deserialize, Serialize};
use sonde_findings::FindingView;
use ts_rs::TS;

use super::{ArgumentProblem, OperationNumber, ServerId};

/// Where an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OperationState {
    /// Handed over, not yet written.
    Queued,
    /// Waiting for the answer.
    Running,
    /// Its answer stream closed and is about to be picked up.
    Waiting,
    /// The server wants a token first; what is done about it is in the server's `AuthView`.
    SigningIn,
    /// The server needs answers of the user first.
    InputRequired,
    /// A cancellation was sent; the last word is not in.
    Cancelling,
    /// Over; `outcome` says how.
    Finished,
}

/// The latest progress of an operation, with what the window needs to draw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProgressView {
    /// How far, in the server's unit.
    pub progress: f64,
    /// The goal, where known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
    /// Number of notifications so far.
    pub count: u64,
    /// Units per second over the last seconds; `None` until there are two values.
    pub rate: Option<f64>,
}

/// When a running operation gives up. Times are milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Deadline {
    /// Without any progress, at this time.
    pub idle_at: u64,
    /// In any case, at this time.
    pub hard_at: u64,
}

/// What a piece of content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the specification")]
pub enum ContentKind {
    Text,
    Image,
    Audio,
    ResourceLink,
    EmbeddedText,
    EmbeddedBlob,
    /// A type that this version of the app does not know, or a damaged one.
    Unknown,
}

/// One content block of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ContentView {
    /// What it is.
    pub kind: ContentKind,
    /// MIME type as the server says.
    pub mime_type: Option<String>,
    /// Size in bytes: of the text, or of the decoded data.
    pub bytes: u64,
    /// The whole text where it has at most 64 KiB; longer texts are read as a document.
    pub text: Option<String>,
    /// The URI of a link or an embedded resource.
    pub uri: Option<String>,
    /// Name, title and description of a link, joined for display.
    pub title: Option<String>,
    /// What is wrong with it.
    pub findings: Vec<FindingView>,
}

/// `structuredContent` of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StructuredView {
    /// Size as JSON text in bytes.
    pub bytes: u64,
    /// The whole JSON text where it has at most 256 KiB; longer ones are read as a document.
    pub json: Option<String>,
    /// What the output schema says is wrong with it.
    pub problems: Vec<ArgumentProblem>,
}

/// Why an operation ended without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LostCode {
    /// The process ended, or the connection broke.
    ConnectionLost,
    /// The HTTP request failed, for example with a redirect to another origin.
    ExchangeFailed,
    /// The response stream ended without a response to this request.
    NoResponse,
    /// An HTTP response without an MCP message.
    HttpStatus,
    /// The response was larger than the limit.
    TooLarge,
    /// The server no longer knows the session (HTTP 404).
    SessionExpired,
    /// The response stream broke and could not be resumed.
    StreamLost,
    /// The server asked for input more often than the limit allows.
    TooManyRounds,
    /// The protocol forbids calling this tool, so nothing was sent.
    Forbidden,
    /// It was never sent, for another reason.
    NotSent,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutcomeView {
    /// The tool answered.
    Result {
        /// The tool itself reports a failure.
        is_error: bool,
        /// Its content blocks.
        content: Vec<ContentView>,
        /// Its structured content.
        structured: Option<StructuredView>,
        /// Size of the result as JSON text in bytes.
        bytes: u64,
        /// Where it is not of the shape that the specification names.
        findings: Vec<FindingView>,
    },
    /// The server refused with a JSON-RPC error.
    ProtocolError {
        /// JSON-RPC error code.
        code: i64,
        /// The server's words.
        message: String,
        /// `data` as JSON text, at most 64 KiB of it.
        data: Option<String>,
        /// What the code means, one plain sentence.
        meaning: String,
    },
    /// The answer is no answer to this request.
    BadShape {
        /// What is wrong, one plain sentence.
        problem: String,
    },
    /// A limit passed.
    TimedOut {
        /// It was the limit on the whole duration, not on silence.
        hard: bool,
    },
    /// Cancelled by the user, and the server kept silent.
    Cancelled,
    /// It ended without a response.
    Lost {
        /// Why, one plain sentence.
        reason: String,
        /// What happened, for the window to branch on.
        code: LostCode,
    },
}

/// An operation as the user starts it. What is JSON text is sent exactly as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OperationInput {
    /// The method, for example `tools/call`.
    pub method: String,
    /// What it is about: the key of a tool in its catalog, the name of a prompt, the URI of a
    /// resource.
    pub target: Option<String>,
    /// `params.arguments` as JSON text; `None` leaves the member out.
    pub arguments: Option<String>,
    /// Further members of `params`, or all of it, as the JSON text of an object.
    pub params: Option<String>,
    /// Call a tool although its definition forbids that to clients.
    pub force: bool,
}

impl OperationInput {
    /// Runs the tool with this key with these arguments.
    #[must_use]
    pub fn tool(key: impl Into<String>, arguments: Option<String>) -> Self {
        Self {
            method: "tools/call".to_owned(),
            target: Some(key.into()),
            arguments,
            ..Self::default()
        }
    }
}

/// One operation, live. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OperationView {
    /// Names it.
    pub operation: OperationNumber,
    /// Whose.
    pub server: ServerId,
    /// The connect in which it ran (see `SessionView::generation`).
    pub generation: u32,
    /// The method, for example `tools/call`.
    pub method: String,
    /// What it is about: a tool's or prompt's name, a resource's URI.
    pub target: Option<String>,
    /// The tool's key in its list when it was started; `None` for another method.
    pub key: Option<String>,
    /// The tool's display name when it was started, if the server gave one.
    pub title: Option<String>,
    /// Arguments (or other `params`) as sent, as JSON text; at most 64 KiB here, all of it as a document.
    pub arguments: Option<String>,
    /// Where it stands.
    pub state: OperationState,
    /// Milliseconds since the Unix epoch.
    pub started_at: u64,
    /// Duration in microseconds, once finished.
    pub micros: Option<u64>,
    /// How often the server asked for input within this operation.
    pub rounds: u32,
    /// How often it was refused for want of a token and waited for one.
    pub token_waits: u32,
    /// Latest progress.
    pub progress: Option<ProgressView>,
    /// When it gives up; set while it runs.
    pub deadline: Option<Deadline>,
    /// Server log messages tied to this operation.
    pub messages: u64,
    /// The newest of them.
    pub last_message: Option<LogMessageView>,
    /// How it ended.
    pub outcome: Option<OutcomeView>,
    /// The user cancelled and an answer came all the same.
    pub answered_after_cancel: bool,
    /// Messages that came after it was over.
    pub late: u64,
    /// Log entry of the request, once recorded.
    pub request_seq: Option<u64>,
    /// Log entry of the answer.
    pub response_seq: Option<u64>,
}

/// One log message of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LogMessageView {
    /// Log entry that carried it.
    pub seq: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// One of the eight levels, or what the server wrote there.
    pub level: String,
    /// Who inside the server speaks.
    pub logger: Option<String>,
    /// Text, or JSON text; at most 1,000 characters.
    pub text: String,
}
