//! State of a running operation as the window shows it, and the input that starts one.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Progress, TaskParams};
use sonde_validation::ArgumentProblem;
use ts_rs::TS;

/// Names an operation. Counts up over all servers while the app runs.
pub type OperationNumber = u64;

/// States of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OperationState {
    /// Handed over, not yet written.
    #[default]
    Queued,
    /// Waiting for the answer.
    Running,
    /// Its answer stream closed and is about to be picked up.
    Waiting,
    /// The server requires a token; `AuthStatus` has the state of signing in.
    SigningIn,
    /// The server needs answers of the user first.
    InputRequired,
    /// A cancellation was sent; the operation has not ended yet.
    Cancelling,
    /// Over; `outcome` says how.
    Finished,
}

/// The latest progress of an operation, with what the window needs to draw it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct OperationProgress {
    /// The notification.
    #[serde(flatten)]
    pub latest: Progress,
    /// Number of notifications so far.
    pub count: u64,
    /// Units per second over the last seconds; `None` until there are two values.
    pub rate: Option<f64>,
}

/// Times at which a running operation gives up, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Deadline {
    /// Time at which it ends without any progress.
    pub idle_at: u64,
    /// Time at which it ends in any case.
    pub hard_at: u64,
}

/// Name, note and pin that the user gives an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OperationLabel {
    /// A name, at most 200 characters.
    pub name: Option<String>,
    /// A note, at most 10,000 characters.
    pub note: Option<String>,
    /// It stays on top, and is not dropped to make room.
    pub pinned: bool,
}

impl OperationLabel {
    /// True if the user gave it anything: then its messages are kept as well.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.pinned || self.name.is_some() || self.note.is_some()
    }

    /// Returns the memory of its texts, in bytes.
    pub(super) fn weight(&self) -> usize {
        let texts = [&self.name, &self.note];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

/// Parts missing from an operation that was read from its file. Its wire log entries and its log messages are always
/// missing; their transcript may be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EarlierRun {
    /// Secrets in its arguments were replaced before it was stored.
    pub arguments_redacted: bool,
    /// Its result, or error, was too large to be stored.
    pub result_dropped: bool,
    /// The transcript of its messages was stored.
    pub transcript: bool,
}

/// Result of checking arguments against an input schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ArgumentCheck {
    /// Violations of the schema, at most 100.
    pub problems: Vec<ArgumentProblem>,
    /// Reason why the check was not possible, as one plain sentence. Faults of the schema itself are reported with its
    /// tool.
    pub unchecked: Option<String>,
}

/// An operation as the user starts it. JSON text is sent exactly as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OperationInput {
    /// The method, for example `tools/call`.
    pub method: String,
    /// Subject of the operation: the key of a tool in its catalog, the key or the name of a prompt, or the URI of a
    /// resource.
    pub target: Option<String>,
    /// `params.arguments` as JSON text; `None` leaves the member out.
    pub arguments: Option<String>,
    /// Further members of `params`, or all of it, as the JSON text of an object.
    pub params: Option<String>,
    /// Call a tool although its definition forbids that to clients.
    pub force: bool,
    /// Run it as a task, where the client decides that (2025-11-25). A tool that can be run in no other way is
    /// one without this.
    #[serde(default)]
    #[ts(optional)]
    pub task: Option<TaskParams>,
    /// Send it as a notification, which has no response.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub notification: bool,
    /// An app of the server asks for it, with the user's consent.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub by_app: bool,
    /// Link or template that led to the resource that it reads, in addition to its entry in the list.
    #[serde(default)]
    #[ts(optional)]
    pub led_by: Option<LedBy>,
}

/// Links and templates that lead to a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LedBy {
    /// A link in a result.
    Link {
        /// Operation whose result contains the link.
        operation: OperationNumber,
        /// Index of its content block.
        index: u32,
    },
    /// A template of the server's list.
    Template {
        /// Its key there.
        key: String,
    },
}

/// Reasons why the app of an operation is no longer shown although nobody closed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AppEnd {
    /// The window's page, which contains the app as a frame, stopped responding and was ended.
    Unresponsive,
    /// The process of the window's page ended.
    PageEnded,
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
