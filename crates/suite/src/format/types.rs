//! Types of the format.

use std::time::Duration;

use sonde_client::catalogs::CatalogKind;

use crate::{
    node::Node,
    path::{Path, PointerPattern},
    predicate::{AtPath, Pattern, Predicate},
    problem::{Span, Spanned},
    scalars::Range,
};

/// A file of checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// Name of the file, without its folder.
    pub file: String,
    /// Name in reports.
    pub name: Option<String>,
    /// The server; `None` leaves it to the caller.
    pub server: Option<ServerRef>,
    /// Servers of the suite by name, read once their variables are replaced.
    pub servers: Vec<(String, Node)>,
    /// Abilities that Sonde declares.
    pub client: Client,
    /// Combinations in which the suite runs.
    pub matrix: Matrix,
    /// Values of `vars`, in order.
    pub vars: Vec<(String, Node)>,
    /// Names of secrets.
    pub secrets: Vec<Spanned<String>>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// The server of a suite.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerRef {
    /// A name from the servers file or from the app's list.
    Named(Spanned<String>),
    /// Written in place; read once its variables are replaced.
    Inline(Node),
}

/// Abilities that Sonde declares to the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// `auto`, `legacy`, `modern` or a version; `None` means `auto`.
    pub revision: Option<String>,
    /// Capabilities; `None` declares all that a suite can serve.
    pub capabilities: Option<Capabilities>,
    /// Least severe log messages to ask for.
    pub log_level: Option<String>,
    /// Longest silence of a request.
    pub timeout: Option<Duration>,
}

/// Capabilities of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Elicitation in form mode.
    pub elicitation_form: bool,
    /// Elicitation in URL mode.
    pub elicitation_url: bool,
    /// Sampling.
    pub sampling: bool,
    /// Folders that the server may work in, with variables; `None` does not declare the capability.
    pub roots: Option<Vec<Spanned<String>>>,
    /// Tasks.
    pub tasks: bool,
}

/// Combinations in which a suite runs. An empty list leaves the choice to the suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Versions of the protocol.
    pub revisions: Vec<String>,
    /// Transports: `stdio`, `http`.
    pub transports: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The step as written, to have its variables replaced.
    pub node: Node,
    /// Name in reports.
    pub name: Option<String>,
    /// Title on the stage.
    pub stage_title: Option<String>,
    /// Notes for people.
    pub notes: Option<String>,
    /// Name of its server; `None` means the suite's.
    pub server: Option<Spanned<String>>,
    /// Group of the step.
    pub group: Option<String>,
    /// Reason for leaving it out, empty where none is given; `None` runs it.
    pub skip: Option<String>,
    /// Sends arguments that the tool's schema refuses.
    pub send_anyway: bool,
    /// The request.
    pub verb: Verb,
    /// Values for this step alone.
    pub vars: Vec<(String, Node)>,
    /// The arguments as JSON text.
    pub arguments: Option<Spanned<String>>,
    /// `params._meta` as JSON text.
    pub meta: Option<String>,
    /// Replies to requests of the server, in order.
    pub answers: Vec<Answer>,
    /// Requests without an answer are declined, and do not fail the step.
    pub decline_others: bool,
    /// Moment of the cancellation.
    pub cancel: Option<CancelAfter>,
    /// Discards the first response and sends the request again.
    pub lost: bool,
    /// The expectations.
    pub expect: Expect,
    /// Values for later steps.
    pub captures: Vec<Capture>,
    /// Repetition until the expectations hold.
    pub retry: Option<Retry>,
    /// Steps that verify the effect afterwards.
    pub verify: Vec<Step>,
    /// Number of earlier steps of the suite with the same title.
    pub(crate) twins: usize,
}

/// The request of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Lists everything of a kind.
    List(CatalogKind),
    /// Calls a tool.
    Call(String),
    /// Reads a resource.
    Read(String),
    /// Gets a prompt.
    Get(String),
    /// Completes an argument: `params` of the request as JSON text.
    Complete(String),
    /// Pings.
    Ping,
    /// Subscribes to a resource.
    Subscribe(String),
    /// Any request.
    Raw {
        /// The method.
        method: String,
        /// The params as JSON text.
        params: Option<String>,
        /// It is a notification.
        notification: bool,
    },
}

/// The ending of files of checks.
pub const SUITE_ENDING: &str = ".sonde.yaml";

/// Folders that are not searched for suites.
pub const SKIPPED_FOLDERS: [&str; 3] = ["node_modules", "target", "__snapshots__"];

/// Methods that a server's items are asked by, each with its key in a step.
pub const ITEM_METHODS: [(&str, &str); 3] = [
    ("tools/call", "call"),
    ("prompts/get", "get"),
    ("resources/read", "read"),
];

/// A scripted reply to a request of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Place in the file.
    pub span: Span,
    /// The requests that it is for.
    pub to: AnswerTo,
    /// The reply.
    pub reply: Reply,
}

/// Requests of the server.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerTo {
    /// An elicitation.
    Elicitation {
        /// `form` or `url`.
        mode: Option<String>,
        /// The server's message.
        message: Option<Predicate>,
        /// The page to open.
        url: Option<Predicate>,
    },
    /// A request for a language model.
    Sampling {
        /// The text of all messages.
        prompt: Option<Predicate>,
        /// The system prompt.
        system: Option<Predicate>,
    },
}

/// Replies to requests of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// An elicitation is accepted with these values, as JSON text.
    Accept(String),
    /// An elicitation is declined.
    Decline,
    /// An elicitation is dismissed.
    Cancel,
    /// A result, as JSON text.
    Result(String),
    /// A JSON-RPC error.
    Error {
        /// The code.
        code: i64,
        /// Message of the error.
        message: String,
    },
}

/// Moments of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelAfter {
    /// This long after the request was sent.
    Time(Duration),
    /// After this many progress notifications.
    Progress(u32),
}

/// A value for later steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Name of the variable.
    pub name: String,
    /// Place in the file.
    pub span: Span,
    /// Path to the value.
    pub from: Path,
    /// Part of the result; `None` means the usual part of the verb.
    pub within: Option<Within>,
}

/// Parts of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// `structuredContent`.
    Structured,
    /// The whole result.
    Result,
    /// The text, read as JSON.
    Text,
}

/// Repetition of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Limit of attempts, the first included.
    pub times: u32,
    /// Pause between two.
    pub every: Duration,
}

/// Expectations of a step. Absent ones are not judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// Place of the expectations, or of the step if it has none.
    pub span: Span,
    /// `isError`.
    pub error: Option<Spanned<bool>>,
    /// A JSON-RPC error, or none.
    pub rpc_error: Option<RpcErrorExpect>,
    /// All text.
    pub text: Option<Predicate>,
    /// Content blocks of a call, contents of a resource, or messages of a prompt.
    pub content: Option<ContentExpect>,
    /// Valid, or not, against the output schema.
    pub schema: Option<Spanned<bool>>,
    /// Values by path.
    pub at: Vec<AtPath>,
    /// The whole result.
    pub result: Option<Predicate>,
    /// Number of items of a list.
    pub count: Option<Spanned<Range>>,
    /// Number of pages of a list.
    pub pages: Option<Spanned<Range>>,
    /// Snapshot of a list.
    pub snapshot: Option<Spanned<String>>,
    /// Paths that snapshots leave out.
    pub ignore: Vec<PointerPattern>,
    /// Kinds and classes of changes that do not fail.
    pub allow: Vec<String>,
    /// Texts that snapshots replace.
    pub replace: Vec<(Pattern, String)>,
    /// Duration in microseconds.
    pub duration: Option<Spanned<Range>>,
    /// Duration as a multiple of the baseline's.
    pub duration_factor: Option<Spanned<Range>>,
    /// Progress.
    pub progress: Option<ProgressExpect>,
    /// Log messages.
    pub logs: Vec<LogExpect>,
    /// Standard error, lines joined by line breaks.
    pub stderr: Option<Predicate>,
    /// Rules that may be broken; `None` does not judge.
    pub findings: Option<Spanned<Vec<String>>>,
    /// The request ends as cancelled.
    pub cancelled: Option<Spanned<bool>>,
    /// A response comes after the cancellation.
    pub late_result: Option<Spanned<bool>>,
}

/// Expected JSON-RPC error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RpcErrorExpect {
    /// Its place.
    pub span: Span,
    /// An error is expected; otherwise none is.
    pub expected: bool,
    /// The code.
    pub code: Option<Predicate>,
    /// Message of the error.
    pub message: Option<Predicate>,
    /// The data.
    pub data: Option<Predicate>,
}

/// Expected content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContentExpect {
    /// Its place.
    pub span: Span,
    /// The member of the result: `content`, `contents` or `messages`.
    pub member: String,
    /// Number of blocks.
    pub count: Option<Spanned<Range>>,
    /// Type of each block.
    pub types: Option<Spanned<Vec<String>>>,
}

/// Expected progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgressExpect {
    /// Its place.
    pub span: Span,
    /// Number of notifications.
    pub count: Option<Spanned<Range>>,
    /// `progress` of the last one.
    pub last: Option<Predicate>,
    /// `total` of the last one.
    pub total: Option<Predicate>,
    /// `message` of the last one.
    pub message: Option<Predicate>,
    /// Each is greater than the one before, or not.
    pub increasing: Option<Spanned<bool>>,
}

/// Expected log messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogExpect {
    /// Its place.
    pub span: Span,
    /// The level.
    pub level: Option<String>,
    /// The logger.
    pub logger: Option<Predicate>,
    /// The data.
    pub data: Option<Predicate>,
    /// Number of such messages; `None` means at least one.
    pub count: Option<Spanned<Range>>,
}

impl Expect {
    /// Place of an expectation about the messages of a step, if there is one.
    pub(crate) fn messages_span(&self) -> Option<Span> {
        let findings = self.findings.as_ref().map(|one| one.span);
        let progress = self.progress.as_ref().map(|one| one.span);
        let log = self.logs.first().map(|one| one.span);
        findings.or(progress).or(log)
    }
}

impl Step {
    /// Name in reports: its own, or the request in short.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| match &self.verb {
            Verb::List(kind) => format!("list {}", list_word(*kind)),
            Verb::Call(name) => format!("call {name}"),
            Verb::Read(uri) => format!("read {uri}"),
            Verb::Get(name) => format!("get {name}"),
            Verb::Complete(_) => "complete".to_owned(),
            Verb::Ping => "ping".to_owned(),
            Verb::Subscribe(uri) => format!("subscribe {uri}"),
            Verb::Raw { method, .. } => method.clone(),
        })
    }

    /// Name of its duration in the baseline: the title with variables, since their values change and may be secret.
    #[must_use]
    pub fn duration_key(&self) -> String {
        match self.twins {
            0 => self.title(),
            twins => format!("{} #{}", self.title(), twins + 1),
        }
    }

    /// Names of the variables that it captures, also in the steps that verify it.
    pub fn captured_names(&self) -> impl Iterator<Item = &str> {
        let of_verify = self.verify.iter().flat_map(|step| &step.captures);
        let captures = self.captures.iter().chain(of_verify);
        captures.map(|capture| capture.name.as_str())
    }

    /// True if it uses this variable before it captures it.
    #[must_use]
    pub fn needs(&self, name: &str) -> bool {
        let variable = format!("${{{name}}}");
        let captures = |step: &Self| step.captures.iter().any(|capture| capture.name == name);
        let mut own = self.node.entries().iter();
        if own.any(|entry| entry.key != "verify" && entry.value.contains(&variable)) {
            return true;
        }
        let mut verifying = self.verify.iter();
        let first = verifying.find(|step| captures(step) || step.node.contains(&variable));
        !captures(self) && first.is_some_and(|step| step.node.contains(&variable))
    }
}

/// Lists by their names in the format.
pub(super) const LISTS: [(&str, CatalogKind); 4] = [
    ("tools", CatalogKind::Tools),
    ("prompts", CatalogKind::Prompts),
    ("resources", CatalogKind::Resources),
    ("templates", CatalogKind::ResourceTemplates),
];

fn list_word(kind: CatalogKind) -> &'static str {
    let found = LISTS.iter().find(|(_, known)| *known == kind);
    found.map_or_else(|| kind.noun(), |(word, _)| word)
}

impl Suite {
    /// Name of its server, if it has one.
    #[must_use]
    pub fn server_name(&self) -> Option<&str> {
        match &self.server {
            Some(ServerRef::Named(name)) => Some(&name.value),
            Some(ServerRef::Inline(_)) | None => None,
        }
    }

    /// True if it describes the server that it runs on.
    #[must_use]
    pub fn describes_server(&self) -> bool {
        match &self.server {
            Some(ServerRef::Inline(_)) => true,
            Some(ServerRef::Named(name)) => {
                self.servers.iter().any(|(known, _)| *known == name.value)
            }
            None => false,
        }
    }

    /// Name of the file without `.sonde.yaml`: the first part of its snapshots' names.
    #[must_use]
    pub fn stem(&self) -> &str {
        let file = self.file.as_str();
        let endings = [SUITE_ENDING, ".sonde.yml", ".yaml", ".yml", ".json"];
        let stem = endings.iter().find_map(|ending| file.strip_suffix(ending));
        stem.unwrap_or(file)
    }
}
