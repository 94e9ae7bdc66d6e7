use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ServerId;

/// Where the connection to a server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionPhase {
    /// Never connected, or disconnected by the user.
    Idle,
    /// Starting the process or reaching the host, then the handshake.
    Connecting,
    /// Operations work.
    Ready,
    /// An orderly end is under way.
    Closing,
    /// It ended or never came up; `failure` says why.
    Failed,
}

/// How one step of connecting went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// Not reached.
    Waiting,
    /// Under way.
    Running,
    /// Done.
    Done,
    /// This is where it failed.
    Failed,
}

/// One step of connecting, in order: start or reach, first answer, agree on a version, read the
/// tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectStep {
    /// A plain name, for example "Start the process".
    pub name: String,
    /// How it went.
    pub state: StepState,
    /// How long it took, in milliseconds, once done.
    pub millis: Option<u64>,
}

/// Why a connection failed or ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Failure {
    /// A stable name in snake_case, for example `command_not_found`, `process_exited`,
    /// `connection_refused`, `html_answer`.
    pub code: String,
    /// What happened, one plain sentence.
    pub title: String,
    /// Why, one plain sentence; empty when the title says it all.
    pub cause: String,
    /// What to do next, plain sentences.
    pub advice: Vec<String>,
    /// Technical detail: folders searched, first characters of an HTML page, error data.
    pub detail: Option<String>,
    /// The last lines of the child's standard error, oldest first.
    pub stderr_tail: Vec<String>,
    /// What it wrote to stdout that is no message, oldest first.
    pub noise_tail: Vec<String>,
}

/// The child process of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProcessView {
    /// Process id.
    pub pid: u32,
    /// The program file.
    pub program: String,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Where it runs.
    pub cwd: String,
}

/// How a process or transport ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CloseView {
    /// Exit code, if it returned one.
    pub exit_code: Option<i32>,
    /// Signal name, if one ended it, for example `SIGKILL`.
    pub signal: Option<String>,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
}

/// What the server says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerIdentity {
    /// Programmatic name.
    pub name: String,
    /// Display name.
    pub title: Option<String>,
    /// Version text.
    pub version: String,
    /// One sentence.
    pub description: Option<String>,
    /// Home page.
    pub website_url: Option<String>,
    /// The protocol revision in use.
    pub revision: String,
    /// The revision that was offered first.
    pub offered: String,
    /// What it tells models about itself; at most 64 KiB.
    pub instructions: Option<String>,
    /// The capabilities object, as JSON text as received; at most 64 KiB, `…` ends a cut one.
    pub capabilities: String,
    /// Round trip of the handshake in milliseconds.
    pub handshake_ms: u64,
}

/// The live state of one server's connection. One per server, replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SessionView {
    /// Whose.
    pub server: ServerId,
    /// Counts connects of this server, from 1; 0 before the first.
    pub generation: u32,
    /// Where it stands.
    pub phase: SessionPhase,
    /// Milliseconds since the Unix epoch of the last phase change.
    pub since: u64,
    /// The steps of connecting.
    pub steps: Vec<ConnectStep>,
    /// Set once the handshake succeeded; kept after the end.
    pub identity: Option<ServerIdentity>,
    /// The child process, while it runs.
    pub process: Option<ProcessView>,
    /// How the last transport ended.
    pub closed: Option<CloseView>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// Last measured ping in microseconds.
    pub ping_micros: Option<u64>,
    /// Lines of standard error so far.
    pub stderr_lines: u64,
    /// Server log messages so far that belong to no single operation.
    pub log_messages: u64,
}
