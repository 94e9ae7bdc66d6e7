//! Checks of a server as they cross to the window.

use serde::{Deserialize, Serialize};
use sonde_suite::listing::ChangeClass;
use ts_rs::TS;

use crate::{catalogs::CatalogKind, operations::OperationNumber, servers::ServerId};

/// The checks of a server: its folder of suites with the results of the last run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Checks {
    /// The server.
    pub server: ServerId,
    /// Path of the folder.
    pub folder: String,
    /// The folder is the server's own, in the data folder.
    pub own_folder: bool,
    /// The suites, in the order of their names.
    pub suites: Vec<CheckSuite>,
    /// A run under way.
    pub run: Option<CheckRun>,
    /// Totals of the last run.
    pub last: Option<CheckTotals>,
    /// Totals of the last run on another version of the same server.
    pub before: Option<CheckTotals>,
    /// Files and steps beyond the limits, which are left out.
    pub too_many: u32,
    /// Reason why the folder cannot be read, one sentence.
    pub problem: Option<String>,
}

/// A file of checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CheckSuite {
    /// Path in the folder, with `/`.
    pub file: String,
    /// Its name, else the name of its file.
    pub name: String,
    /// Name of the server that the suite names; `None` lets the list decide.
    pub server: Option<String>,
    /// It describes a server in place of a name. The window runs such a suite only on a server of the list.
    pub describes_server: bool,
    /// Reasons why the file is not a suite; it then has no checks.
    pub problems: Vec<CheckProblem>,
    /// Its steps, in order.
    pub checks: Vec<Check>,
}

/// A fault of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckProblem {
    /// Line, from 1; 0 for the whole file.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The fault and what is meant instead.
    pub message: String,
}

/// Names a check by its file and its text.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS,
)]
pub struct CheckId {
    /// Path of the file in the folder, with `/`.
    pub file: String,
    /// Digest of the step without `skip`; the second of equal steps ends in `#2`.
    pub step: String,
}

/// A step of a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Check {
    /// Names it.
    pub id: CheckId,
    /// Its name, else the request in short.
    pub name: String,
    /// Its group.
    pub group: Option<String>,
    /// Short form of the request, for example `call add`.
    pub request: String,
    /// The tool that it calls.
    pub tool: Option<String>,
    /// The arguments as JSON text, at most 300 characters.
    pub arguments: Option<String>,
    /// False if the step is left out.
    pub on: bool,
    /// Reason for skipping it, from the file.
    pub skip_reason: Option<String>,
    /// It runs only in a run that includes destructive checks.
    pub destructive: bool,
    /// Its line in the file, from 1.
    pub line: u32,
    /// Its last result.
    pub result: Option<CheckResult>,
}

/// States of a check, ordered by the attention that they need.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS,
)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// Its turn comes in the run under way.
    #[default]
    Waiting,
    /// Under way.
    Running,
    /// Everything held.
    Passed,
    /// Skipped.
    Skipped,
    /// The check could not be judged.
    Incomplete,
    /// Something did not hold.
    Failed,
    /// The connection ended, or the request could not be sent.
    Broken,
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckResult {
    /// Its state.
    pub state: CheckState,
    /// The expectations that did not hold, at most 50.
    pub failures: Vec<CheckFailure>,
    /// Reason of a state that is neither passed nor failed.
    pub reason: Option<String>,
    /// Duration of the request in microseconds.
    pub duration: Option<u64>,
    /// Its end, in milliseconds since the Unix epoch.
    pub at: u64,
    /// Name of the server by its own account.
    pub server_name: Option<String>,
    /// Version of the server by its own account.
    pub version: Option<String>,
    /// Version of the protocol.
    pub revision: Option<String>,
    /// A value differs from its stored one; the two can be compared, and the new one accepted.
    pub differs: bool,
    /// There is no stored value to compare with yet; the current value can be accepted.
    pub baseline_missing: bool,
    /// The cases of the suite's matrix in their order; none without a matrix.
    #[serde(default)]
    pub cases: Vec<CheckCase>,
}

/// Result of a check in a case of its suite's matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckCase {
    /// Protocol version and transport, if the matrix has them.
    pub label: String,
    /// The state of the check in this case.
    pub state: CheckState,
    /// Duration of the request in microseconds.
    pub duration: Option<u64>,
}

/// An expectation that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckFailure {
    /// Its line in the file.
    pub line: u32,
    /// The expectation and the value that was found.
    pub message: String,
    /// A value differs from its stored one.
    pub differs: bool,
    /// JSON Pointer of that value, as `ignore_in_check` takes it.
    pub path: Option<String>,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckRun {
    /// Number of finished checks.
    pub done: u32,
    /// Number of all checks.
    pub total: u32,
    /// The server that replaces the suites' own.
    pub on: Option<ServerId>,
    /// The user has stopped it.
    pub stopping: bool,
}

/// Totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckTotals {
    /// Name of the server by its own account.
    pub server_name: Option<String>,
    /// Version of the server by its own account.
    pub version: Option<String>,
    /// Version of the protocol.
    pub revision: Option<String>,
    /// End of the run, in milliseconds since the Unix epoch.
    pub at: u64,
    /// Checks that passed.
    pub passed: u32,
    /// Checks that failed, or were cut off by the end of the connection.
    pub failed: u32,
    /// Checks that their files leave out of every run.
    #[serde(default)]
    pub off: u32,
    /// Checks that only this run left out.
    #[serde(default)]
    pub skipped: u32,
    /// Checks that established nothing.
    pub other: u32,
}

impl CheckTotals {
    /// True if both are on the same version of the same server.
    pub(super) fn is_on(&self, other: &Self) -> bool {
        (&self.server_name, &self.version) == (&other.server_name, &other.version)
    }

    pub(super) fn all(&self) -> u32 {
        self.passed + self.failed + self.off + self.skipped + self.other
    }
}

/// Checks to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CheckChoice {
    /// All.
    All,
    /// Checks that did not pass in the last run and were not skipped.
    Failed,
    /// Chosen checks.
    Some {
        /// The checks.
        checks: Vec<CheckId>,
    },
}

/// Outcomes that a check expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// A result without an error of the tool.
    #[default]
    Done,
    /// A result with `isError`.
    ToolError,
    /// A JSON-RPC error.
    RpcError,
}

/// Expectations about a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CheckedResult {
    /// No expectation.
    #[default]
    NotChecked,
    /// The current result, which is stored.
    Same {
        /// JSON Pointers of values that may differ; `*` stands for any key or index.
        ignore: Vec<String>,
    },
    /// Text that contains this.
    Contains {
        /// The text.
        text: String,
    },
}

/// A finished run as a check, before it is added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(rename = "CheckDraft")]
pub struct NewCheck {
    /// The run.
    pub operation: OperationNumber,
    /// Name of the check.
    pub name: String,
    /// The expected outcome.
    pub outcome: CheckOutcome,
    /// No violation of the protocol is expected.
    pub no_findings: bool,
    /// Expectation about the result.
    pub result: CheckedResult,
    /// The result has text that an expectation can be about.
    pub can_contain: bool,
    /// `structuredContent` has to meet the tool's output schema.
    pub schema: bool,
    /// The tool has an output schema.
    pub has_schema: bool,
    /// Limit of the duration, as a multiple of this run's duration.
    pub duration_factor: Option<f64>,
    /// Duration of the run in microseconds.
    pub duration: Option<u64>,
    /// The file; `None` means `checks.sonde.yaml`, which is made where there is none.
    pub file: Option<String>,
}

/// A stored value and the current one, both as JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckComparison {
    /// The stored value; empty where there is none.
    pub before: String,
    /// The value of the last run.
    pub now: String,
}

/// Moments of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListMoment {
    /// The current lists.
    Now,
    /// The accepted definitions.
    Accepted,
}

/// One side of a comparison of lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListSide {
    /// The server.
    pub server: ServerId,
    /// Version of the protocol; `None` takes the lists of the open session.
    pub revision: Option<String>,
    /// Version of the lists.
    pub when: ListMoment,
}

/// A change between two lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListedChange {
    /// The list.
    pub list: CatalogKind,
    /// Name or URI of the item.
    pub name: String,
    /// Its class.
    pub class: ChangeClass,
    /// One plain sentence.
    pub words: String,
}

/// Changes between the lists of two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListComparison {
    /// Label of the left side.
    pub left: String,
    /// Label of the right side.
    pub right: String,
    /// The first 1,000 changes.
    pub changes: Vec<ListedChange>,
    /// Further changes.
    pub more: u32,
    /// Reasons why lists were not compared, each one sentence.
    pub unread: Vec<String>,
}
