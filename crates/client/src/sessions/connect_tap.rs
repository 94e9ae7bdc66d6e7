//! Watches the frames of one connect on their way to the log: the last lines of a process, and the first response.

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use sonde_findings::{Finding, rules};
use sonde_wire::{
    Annotation, Body, Cause, Direction, Entry, EntryKind, ExitStatus, Label, MessageKind, Seq, Tap,
    Verb,
};
use tokio::sync::oneshot;

use super::steps::Step;
use crate::{changes::Change, core::Core, limits::redact_and_cut, lock, log::WireLog};

/// Number of last lines of a process shown with a failure.
const TAIL: usize = 20;
/// The longest such line, in characters.
const LINE: usize = 2_000;
/// Methods with a response that are kept.
const ANSWERED: usize = 5;

/// The tap of one connect.
pub(super) struct ConnectTap {
    core: std::sync::Weak<Core>,
    log: Arc<WireLog>,
    tails: Mutex<OutputTails>,
    head_seen: AtomicBool,
    message_seen: AtomicBool,
    /// Detection is under way: a response does not mean yet that the protocol is agreed on.
    asking: AtomicBool,
    responses: Mutex<Responses>,
    /// The messages go over HTTP, so the process may write anything to stdout.
    free_stdout: AtomicBool,
}

/// Responses of a connect, for failures that would otherwise claim that there were none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Responses {
    /// Methods that have a response, each once.
    pub(super) methods: Vec<Arc<str>>,
    /// The finding of the first response that belongs to no request.
    pub(super) stray: Option<String>,
    /// The URL of the last POST.
    pub(super) posted: Option<String>,
}

impl Responses {
    fn add(&mut self, label: Option<&Label>, findings: &[Finding]) {
        if let Some(label) = label
            && label.kind == Some(MessageKind::Response)
            && let Some(method) = &label.method
            && self.methods.len() < ANSWERED
            && !self.methods.contains(method)
        {
            self.methods.push(Arc::clone(method));
        }
        let stray = [rules::UNKNOWN_RESPONSE_ID.id, rules::DUPLICATE_RESPONSE.id];
        if let Some(finding) = findings.iter().find(|one| stray.contains(&one.id())) {
            self.stray.get_or_insert_with(|| finding.message());
        }
    }
}

/// Last output of a process.
#[derive(Debug, Default)]
struct OutputTails {
    stderr: VecDeque<String>,
    non_json: VecDeque<String>,
    exit: Option<ExitStatus>,
    /// Sonde asked it to terminate, or killed it.
    terminated: bool,
    /// A line on stdout was the beginning of JSON that continues on the next line.
    over_lines: bool,
    /// Receives the next line that is not JSON: the demo server prints its address there.
    listener: Option<oneshot::Sender<String>>,
}

impl ConnectTap {
    /// Creates the tap. With `asking`, the connect begins with detection.
    pub(super) fn new(core: &Arc<Core>, asking: bool) -> Arc<Self> {
        Arc::new(Self {
            core: Arc::downgrade(core),
            log: Arc::clone(&core.log),
            tails: Mutex::default(),
            head_seen: AtomicBool::new(false),
            message_seen: AtomicBool::new(false),
            asking: AtomicBool::new(asking),
            responses: Mutex::default(),
            free_stdout: AtomicBool::new(false),
        })
    }

    /// Begins the handshake: everything before was detection.
    pub(super) fn handshake(&self) {
        if self.asking.swap(false, Ordering::Relaxed) {
            if self.has_answered() {
                self.reach(Step::Agree);
            } else {
                if let Some(core) = self.core.upgrade()
                    && !self.head_seen.load(Ordering::Relaxed)
                {
                    core.with_session(|session| session.steps.mark_undetected());
                }
                self.reach_answer();
            }
        }
    }

    /// Advances the steps at the first response of an HTTP server.
    fn reach_answer(&self) {
        if self.asking.load(Ordering::Relaxed) {
            self.reach(Step::Detect);
        } else {
            // A connect has one of the two.
            self.reach(Step::FirstAnswer);
            self.reach(Step::McpAnswer);
        }
    }

    /// Returns the next line on stdout that is not a message, of a process that is reached over HTTP.
    pub(super) fn next_non_message(&self) -> oneshot::Receiver<String> {
        self.free_stdout.store(true, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        lock(&self.tails).listener = Some(sender);
        receiver
    }

    /// Returns the last lines of standard error, and those of stdout that are not messages.
    pub(super) fn tails(&self) -> (Vec<String>, Vec<String>) {
        let tails = lock(&self.tails);
        (
            tails.stderr.iter().cloned().collect(),
            tails.non_json.iter().cloned().collect(),
        )
    }

    /// True if the process writes JSON over several lines.
    pub(super) fn writes_over_lines(&self) -> bool {
        lock(&self.tails).over_lines
    }

    /// Exit status of the process, once it has ended.
    pub(super) fn exit(&self) -> Option<ExitStatus> {
        lock(&self.tails).exit
    }

    /// The process did not exit when its standard input was closed: Sonde asked it to terminate, or killed it.
    pub(super) fn terminated(&self) -> bool {
        lock(&self.tails).terminated
    }

    /// A JSON-RPC message has arrived.
    pub(super) fn has_answered(&self) -> bool {
        self.message_seen.load(Ordering::Relaxed)
    }

    /// Responses that have arrived.
    pub(super) fn responses(&self) -> Responses {
        lock(&self.responses).clone()
    }

    /// The log that receives the frames.
    pub(super) fn log(&self) -> &WireLog {
        &self.log
    }

    fn line(&self, body: &Body) -> String {
        let text = match body {
            Body::Empty => return String::new(),
            Body::Text(text) => Cow::from(&**text),
            // Only the beginning: a line may be huge.
            Body::Bytes(bytes) => String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LINE)]),
        };
        redact_and_cut(text.trim_end_matches(['\r', '\n']), LINE, &self.log)
    }

    /// Inspects an entry before it is recorded, so that the log's lock and these locks are never held together.
    fn inspect(&self, entry: &Entry) {
        if entry.direction == Direction::Out {
            if let EntryKind::RequestHead {
                verb: Verb::Post,
                url,
                ..
            } = &entry.kind
            {
                lock(&self.responses).posted = Some(url.clone());
            }
            return;
        }
        match &entry.kind {
            EntryKind::Stderr => {
                let line = self.line(&entry.body);
                push(&mut lock(&self.tails).stderr, line.clone());
                if let Some(core) = self.core.upgrade() {
                    core.with_session(|session| {
                        session.stderr.push(line);
                    });
                }
            }
            EntryKind::NonMessage if entry.exchange.is_none() => {
                let line = self.line(&entry.body);
                let mut tails = lock(&self.tails);
                if let Some(listener) = tails.listener.take() {
                    let _ = listener.send(line.clone());
                }
                push(&mut tails.non_json, line);
            }
            EntryKind::ResponseHead { version, .. } => {
                if !self.head_seen.swap(true, Ordering::Relaxed) {
                    self.reach_answer();
                }
                self.set_http_version(version);
            }
            EntryKind::Message if !self.has_answered() && is_beginning(entry) => {
                let line = self.line(&entry.body);
                let mut tails = lock(&self.tails);
                tails.over_lines = true;
                push(&mut tails.non_json, line);
            }
            EntryKind::Message if !self.has_answered() && is_rpc(&entry.body) => {
                self.message_seen.store(true, Ordering::Relaxed);
                if !self.asking.load(Ordering::Relaxed) {
                    self.reach(Step::Agree);
                }
            }
            EntryKind::Exited(exit) => {
                let mut tails = lock(&self.tails);
                tails.exit = Some(*exit);
                tails.terminated = matches!(entry.label.cause, Some(Cause::Lifecycle));
            }
            _ => {}
        }
    }

    fn set_http_version(&self, version: &'static str) {
        let Some(core) = self.core.upgrade() else {
            return;
        };
        let changed = core.state(|state| {
            let details = state.session.connection.as_mut()?;
            Some(details.facts.http_version.replace(version) != Some(version))
        });
        if changed == Some(true) {
            core.owner.changed(Change::Details);
        }
    }

    /// Reports that issues may have appeared or disappeared.
    pub(super) fn tell_issues(&self) {
        if let Some(core) = self.core.upgrade() {
            core.owner.changes_often(Change::Issues);
        }
    }

    fn reach(&self, step: Step) {
        if let Some(core) = self.core.upgrade() {
            core.with_session(|session| session.steps.reach(step));
        }
    }
}

/// True for a body that names JSON-RPC. Any JSON counts as a message for the log; a response of MCP names its protocol.
fn is_rpc(body: &Body) -> bool {
    matches!(body, Body::Text(text) if text.contains("\"jsonrpc\""))
}

/// A line on stdout is the beginning of JSON and not the whole of it.
fn is_beginning(entry: &Entry) -> bool {
    match &entry.body {
        Body::Text(text) if entry.exchange.is_none() => {
            serde_json::from_str::<serde::de::IgnoredAny>(text).is_err_and(|error| error.is_eof())
        }
        _ => false,
    }
}

/// Removes the findings of a line on stdout that is no message.
fn allow_on_stdout(entry: &mut Entry) {
    if matches!(entry.kind, EntryKind::NonMessage) && entry.exchange.is_none() {
        let of_stdout = [rules::NOT_A_MESSAGE.id, rules::BLANK_LINE.id];
        entry.findings.retain(|one| !of_stdout.contains(&one.id()));
    }
}

fn push(lines: &mut VecDeque<String>, line: String) {
    if lines.len() == TAIL {
        lines.pop_front();
    }
    lines.push_back(line);
}

impl Tap for ConnectTap {
    fn record(&self, mut entry: Entry) -> Seq {
        if self.free_stdout.load(Ordering::Relaxed) {
            allow_on_stdout(&mut entry);
        }
        self.inspect(&entry);
        let found = !entry.findings.is_empty();
        lock(&self.responses).add(Some(&entry.label), &entry.findings);
        let seq = self.log.record(entry);
        if found {
            self.tell_issues();
        }
        seq
    }

    fn annotate(&self, seq: Seq, annotation: Annotation) {
        let of_detection = annotation
            .label
            .as_ref()
            .is_some_and(|one| one.cause.is_some());
        let found = !annotation.findings.is_empty() || of_detection;
        lock(&self.responses).add(annotation.label.as_ref(), &annotation.findings);
        self.log.annotate(seq, annotation);
        if found {
            self.tell_issues();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_over_http_may_write_to_stdout() {
        let entry = |exchange| Entry {
            direction: Direction::In,
            kind: EntryKind::NonMessage,
            body: Body::Empty,
            dropped: 0,
            exchange,
            label: Label::default(),
            findings: vec![Finding::new(&rules::NOT_A_MESSAGE)],
        };
        let mut line = entry(None);
        allow_on_stdout(&mut line);
        assert!(line.findings.is_empty());
        let mut body = entry(Some(sonde_wire::ExchangeId(1)));
        allow_on_stdout(&mut body);
        assert_eq!(body.findings.len(), 1);
    }

    #[test]
    fn responses_are_kept_by_method_and_strays_by_their_finding() {
        let mut responses = Responses::default();
        let response = Label {
            kind: Some(MessageKind::Response),
            method: Some("server/discover".into()),
            ..Label::default()
        };
        let request = Label {
            kind: Some(MessageKind::Request),
            ..response.clone()
        };
        let stray = |id| Finding::new(&rules::UNKNOWN_RESPONSE_ID).with("id", id);
        responses.add(Some(&request), &[Finding::new(&rules::BOM)]);
        assert_eq!(responses, Responses::default());
        responses.add(Some(&response), &[]);
        responses.add(Some(&response), &[stray(0)]);
        responses.add(None, &[stray(1)]);
        assert_eq!(responses.methods.len(), 1);
        assert!(responses.stray.unwrap().contains("its id is 0"));
    }
}
