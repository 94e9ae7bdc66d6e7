//! The log of one server.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

use sonde_findings::{Finding, FindingView, Rule};
use sonde_wire::{Annotation, Body, Direction, Entry, EntryKind, Label, Seq, Tap};

use super::found::FoundInFrames;
use super::redact::{Redactor, SecretText};
use super::ring::{Cleared, Ring, Stored, weight};
use super::signal::Attached;
use super::{
    LogDetail, LogHeader, LogLimits, LogMiss, LogNoResponse, LogRow, OperationEntry, Secrets, curl,
    learned, show,
};
use crate::budget::{Budget, Holder, Share};
use crate::document::DocumentBody;

/// Callback for each recorded request or response of an operation. Must return at once; the log is not locked while it
/// runs.
pub type OperationHook = Arc<dyn Fn(OperationEntry) + Send + Sync>;

/// Limit of remembered sign-in secrets that are not in use.
const MAX_KEPT_SECRETS: usize = 32;

/// All frames between Sonde and one server, over all connections, redacted.
pub struct WireLog {
    server: String,
    redactor: RwLock<Arc<Redactor>>,
    secrets: Mutex<Known>,
    hook: OnceLock<OperationHook>,
    inner: Mutex<Inner>,
    share: Share,
}

/// Secrets that the redactor is made from.
#[derive(Default)]
struct Known {
    given: Secrets,
    /// Secrets that the server created in the current connection.
    learned: Vec<SecretText>,
    /// Secrets from signing in, over all connections; the newest last.
    kept: VecDeque<SecretText>,
    /// Secrets that signing in uses now; they are never dropped.
    in_use: Vec<SecretText>,
}

impl Known {
    /// Adds a sign-in secret as the newest; `false` if it was known already.
    fn keep(&mut self, secret: SecretText) -> bool {
        if let Some(at) = self.kept.iter().position(|known| *known == secret) {
            self.kept.remove(at);
            self.kept.push_back(secret);
            return false;
        }
        if self.kept.len() == MAX_KEPT_SECRETS {
            self.kept.pop_front();
        }
        self.kept.push_back(secret);
        true
    }
}

/// Redaction of a log at one moment, for text that is written later, when the log's secrets may have changed.
#[derive(Clone, Debug)]
pub struct Redaction(Arc<Redactor>);

impl Redaction {
    /// Returns the text without these secrets.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.0.text(text).unwrap_or_else(|| text.to_owned())
    }
}

impl From<&Secrets> for Redaction {
    fn from(secrets: &Secrets) -> Self {
        Self(Arc::new(Redactor::new(secrets)))
    }
}

/// Entries of a log that was cleared.
#[derive(Debug)]
pub struct ClearedLog {
    entries: Cleared,
    share: Share,
}

impl ClearedLog {
    /// Returns the memory of the entries, in bytes.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.share.held()
    }
}

/// State of a log behind one lock.
pub(super) struct Inner {
    pub(super) ring: Ring,
    pub(super) views: Vec<Attached>,
}

impl std::fmt::Debug for WireLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inner = self.lock();
        f.debug_struct("WireLog")
            .field("server", &self.server)
            .field("first", &inner.ring.first())
            .field("next", &inner.ring.next())
            .field("bytes", &inner.ring.bytes())
            .finish_non_exhaustive()
    }
}

impl WireLog {
    /// Creates an empty log with a budget of its own.
    #[must_use]
    pub fn new(server: String, limits: LogLimits) -> Arc<Self> {
        Self::within(&Arc::new(Budget::new(u64::MAX)), server, limits)
    }

    /// Creates an empty log that shares a budget with others.
    #[must_use]
    pub fn within(budget: &Arc<Budget>, server: String, limits: LogLimits) -> Arc<Self> {
        let log = Arc::new(Self {
            server,
            redactor: RwLock::default(),
            secrets: Mutex::default(),
            hook: OnceLock::new(),
            inner: Mutex::new(Inner {
                ring: Ring::new(limits),
                views: Vec::new(),
            }),
            share: Share::of(budget),
        });
        let holder: Weak<Self> = Arc::downgrade(&log);
        budget.join(holder);
        log
    }

    /// Returns the limit over all logs and documents together, in bytes.
    pub(super) fn budget(&self) -> u64 {
        self.share.budget().limit()
    }

    /// Returns the server of the log.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Replaces the secrets to hide in later entries.
    pub fn set_secrets(&self, secrets: Secrets) {
        let mut known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        known.given = secrets;
        known.learned.clear();
        self.redact_with(&known);
    }

    /// Hides one more secret in later entries, over all connections. Only the newest are kept: each costs a search in
    /// every frame.
    pub fn keep_secret(&self, secret: SecretText) {
        let mut known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if known.keep(secret) {
            self.redact_with(&known);
        }
    }

    /// Replaces the secrets that signing in uses. They are always hidden in later entries, over all connections;
    /// secrets no longer in use join those of [`Self::keep_secret`].
    pub fn set_secrets_in_use(&self, secrets: Vec<SecretText>) {
        let mut known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if known.in_use == secrets {
            return;
        }
        for old in std::mem::replace(&mut known.in_use, secrets) {
            if !known.in_use.contains(&old) {
                known.keep(old);
            }
        }
        self.redact_with(&known);
    }

    /// Hides the secrets that the server creates in this entry, in this and all later entries.
    fn learn(&self, entry: &Entry) {
        let found = learned::secrets(entry);
        if found.is_empty() {
            return;
        }
        let mut known = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.learned.len();
        for secret in found {
            if !known.learned.contains(&secret) {
                known.learned.push(secret);
            }
        }
        if known.learned.len() > before {
            let above = known.learned.len().saturating_sub(learned::MOST);
            known.learned.drain(..above);
            self.redact_with(&known);
        }
    }

    fn redact_with(&self, known: &Known) {
        let mut all = known.given.clone();
        all.values.extend(known.learned.iter().cloned());
        all.values.extend(known.kept.iter().cloned());
        all.values.extend(known.in_use.iter().cloned());
        *self
            .redactor
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(Redactor::new(&all));
    }

    /// Sets the callback for entries of operations, once.
    pub fn set_operation_hook(&self, hook: OperationHook) {
        let _ = self.hook.set(hook);
    }

    /// Begins a new connection: JSON-RPC ids and exchanges of the last one mean nothing any more.
    pub fn begin_generation(&self) {
        self.lock().ring.begin_generation();
    }

    /// Begins another attempt of the same connection: its JSON-RPC ids and exchanges begin from the start.
    pub fn begin_attempt(&self) {
        self.lock().ring.begin_attempt();
    }

    /// Marks all entries of the server in the current connection as part of detecting its protocol: a refusal is then
    /// not an error.
    pub fn mark_detection(&self) {
        self.change(|inner| inner.ring.mark_detection());
    }

    /// Sets the protocol version of the current connection: findings by rules of other versions are dropped, also those
    /// from before it was known.
    pub fn judge_by(&self, revision: &str) {
        self.change(|inner| inner.ring.judge_by(revision));
    }

    /// Replaces the muted rules: their findings mark no entry. They are still stored, and a filter by their rule finds
    /// them.
    pub fn set_muted(&self, rules: impl IntoIterator<Item = String>) {
        self.change(|inner| inner.ring.set_muted(rules.into_iter().collect()));
    }

    /// Adds findings in a result, at most 20, to the entry that carried it. They are shown with the entry but not
    /// counted with the findings in frames.
    pub fn add_of_result(&self, seq: u64, mut findings: Vec<FindingView>) {
        if findings.is_empty() {
            return;
        }
        for finding in &mut findings {
            self.hide(&mut finding.message);
            finding.location.iter_mut().for_each(|at| self.hide(at));
        }
        self.change(|inner| inner.ring.add_of_result(seq, findings));
    }

    /// Marks requests of the current connection whose responses nobody waits for any more: those of an operation, or
    /// all that Sonde sent. Requests that are marked already keep their reason.
    pub fn end_requests(&self, of: Option<u64>, why: LogNoResponse) {
        self.change(|inner| inner.ring.end_requests(of, why));
    }

    /// Marks one open request that Sonde sent, by its JSON-RPC id as JSON text, as [`Self::end_requests`] does.
    pub fn end_request(&self, id: &str, why: LogNoResponse) {
        self.change(|inner| inner.ring.end_request(id, why));
    }

    /// Reads the findings in the entries of the current connection, by rule. Messages of detection do not count.
    pub fn with_found<T>(&self, read: impl FnOnce(&FoundInFrames) -> T) -> T {
        read(self.lock().ring.found())
    }

    /// Returns the rules that the entries of an operation break, one for each stored finding of the current connection.
    #[must_use]
    pub fn rules_broken_in(&self, operation: u64) -> Vec<&'static Rule> {
        let inner = self.lock();
        let rules = inner.ring.found().by_rule.rules();
        rules
            .flat_map(|of_rule| &of_rule.kept)
            .filter(|case| inner.ring.operation_of(case.seq) == Some(operation))
            .map(|case| case.finding.rule)
            .collect()
    }

    /// Records a remark of the app itself.
    pub fn note(&self, text: impl Into<String>) {
        self.note_with(text.into(), Label::default());
    }

    /// Records a remark of the app itself, with findings about its subject.
    pub fn note_found(&self, text: impl Into<String>, findings: Vec<Finding>) {
        self.note_judged(text.into(), Label::default(), findings);
    }

    /// Records a remark of Sonde itself about the app of an operation.
    pub fn note_of_app(&self, text: impl Into<String>, operation: u64) {
        let label = Label {
            operation: Some(operation),
            app: true,
            ..Label::default()
        };
        self.note_with(text.into(), label);
    }

    /// Records that a user's rule answers a request of the server, with the entry of that request and the operation
    /// during which it came.
    pub fn note_rule(&self, text: impl Into<String>, request: u64, operation: Option<u64>) {
        let label = Label {
            operation,
            answers: Some(Seq(request)),
            ..Label::default()
        };
        self.note_with(text.into(), label);
    }

    /// Records a message that Sonde sent to an app of the server, or received from it. `dropped` is the number of
    /// missing bytes.
    pub fn app_message(&self, out: bool, text: String, dropped: u64, operation: Option<u64>) {
        let direction = if out { Direction::Out } else { Direction::In };
        let body = Body::Text(Arc::new(text));
        let label = Label {
            operation,
            ..Label::default()
        };
        self.record(Entry {
            dropped,
            label,
            ..Entry::new(direction, EntryKind::App, body)
        });
    }

    fn note_with(&self, text: String, label: Label) {
        self.note_judged(text, label, Vec::new());
    }

    fn note_judged(&self, text: String, label: Label, findings: Vec<Finding>) {
        self.record(Entry {
            label,
            findings,
            ..Entry::new(Direction::Out, EntryKind::Note(text), Body::Empty)
        });
    }

    /// Returns the numbers of the entries that the log has at present.
    #[must_use]
    pub fn entries(&self) -> Range<u64> {
        let inner = self.lock();
        inner.ring.first()..inner.ring.next()
    }

    /// Returns the time at which an entry was recorded, on the clock of [`crate::clock::micros`]; `None` if there is no
    /// such entry, or it was dropped.
    #[must_use]
    pub fn recorded_at(&self, seq: u64) -> Option<u64> {
        self.lock().ring.get(seq).ok().map(|entry| entry.micros)
    }

    /// Returns a response's duration in microseconds since its request, as shown in its row; `None` for any other
    /// entry.
    #[must_use]
    pub fn latency(&self, response: u64) -> Option<u64> {
        self.lock().ring.get(response).ok()?.latency
    }

    /// Returns an entry as a row.
    ///
    /// # Errors
    /// If there is no such entry, or it was dropped.
    pub fn row(&self, seq: u64) -> Result<LogRow, LogMiss> {
        let inner = self.lock();
        Ok(show::row(&inner.ring, seq, inner.ring.get(seq)?))
    }

    /// Returns everything about an entry except its body.
    ///
    /// # Errors
    /// If there is no such entry, or it was dropped.
    pub fn detail(&self, seq: u64) -> Result<LogDetail, LogMiss> {
        let inner = self.lock();
        let entry = inner.ring.get(seq)?;
        let curl = curl::head(&inner.ring, seq)?.is_some();
        Ok(show::detail(&inner.ring, seq, entry, curl))
    }

    /// Returns the body of an entry.
    ///
    /// # Errors
    /// If there is no such entry, or it was dropped.
    pub fn body(&self, seq: u64) -> Result<DocumentBody, LogMiss> {
        Ok(self.lock().ring.get(seq)?.body.clone().into())
    }

    /// Returns the HTTP request that an entry belongs to as a curl command for a POSIX shell, with variables for
    /// secrets; `None` if it belongs to none.
    ///
    /// # Errors
    /// If there is no such entry, or it was dropped.
    pub fn curl(&self, seq: u64) -> Result<Option<String>, LogMiss> {
        curl::command(&self.lock().ring, seq)
    }

    /// Returns the headers of the HTTP request that an entry belongs to, with a fingerprint in place of each secret; empty
    /// if it belongs to none.
    ///
    /// # Errors
    /// If there is no such entry, or it was dropped.
    pub fn request_headers(&self, seq: u64) -> Result<Vec<LogHeader>, LogMiss> {
        curl::request_headers(&self.lock().ring, seq)
    }

    /// Returns a text without the secrets of this server, for other places that show text of a server.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.redaction().text(text)
    }

    /// Returns the current redaction.
    #[must_use]
    pub fn redaction(&self) -> Redaction {
        Redaction(self.redactor())
    }

    /// Redacts a text in place.
    pub fn hide(&self, text: &mut String) {
        self.redactor().string(text);
    }

    /// Redacts the parts of an entry in place: a URL, headers.
    pub fn hide_in(&self, kind: &mut EntryKind) {
        self.redactor().kind(kind);
    }

    /// Empties the log. Later entries continue the numbering. Returns the old entries, which count in the budget until
    /// they are restored or dropped; `None` if the log was empty.
    pub fn clear(&self) -> Option<ClearedLog> {
        let entries = self.change(|inner| inner.ring.clear())?;
        let share = Share::of(self.share.budget());
        share.set(entries.held());
        Some(ClearedLog { entries, share })
    }

    /// Restores the entries that [`Self::clear`] returned before those recorded since, as far as the limits of the log
    /// allow.
    pub fn restore(&self, cleared: ClearedLog) {
        let ClearedLog { entries, share } = cleared;
        self.change(|inner| {
            inner.ring.restore(entries);
            inner.tell_changed();
            drop(share);
            inner.views.iter_mut().for_each(Attached::start_over);
        });
        self.share.budget().keep();
    }

    /// Changes the log, then signals the views that have to know.
    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let result = change(&mut inner);
        inner.tell_changed();
        self.share.set(inner.ring.held());
        let woken = wake(&inner.views);
        drop(inner);
        woken.into_iter().for_each(|signal| signal.call());
        result
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere must not end the recording: the state is consistent after each step.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn redactor(&self) -> Arc<Redactor> {
        self.redactor
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn call_hook(&self, entry: Option<OperationEntry>) {
        if let (Some(entry), Some(hook)) = (entry, self.hook.get()) {
            hook(entry);
        }
    }
}

impl Inner {
    /// Reports entries whose rows changed to the views.
    fn tell_changed(&mut self) {
        for seq in self.ring.take_changed() {
            self.views.iter_mut().for_each(|view| view.touch(seq));
        }
    }
}

impl Tap for WireLog {
    fn record(&self, mut entry: Entry) -> Seq {
        let size = weight(&entry.kind, &entry.body).saturating_add(entry.dropped);
        self.learn(&entry);
        let redactor = self.redactor();
        // All parts must be redacted, so no short-circuit.
        let redacted = redactor.kind(&mut entry.kind)
            | redactor.body(&mut entry.body, entry.dropped > 0)
            | redactor.label(&mut entry.label)
            | redactor.findings(&mut entry.findings);
        let (seq, told) = self.change(|inner| {
            let generation = inner.ring.generation();
            let stored = Stored::new(entry, redacted, size, generation);
            inner.ring.push(stored)
        });
        self.share.budget().keep();
        self.call_hook(told);
        Seq(seq)
    }

    fn annotate(&self, seq: Seq, mut annotation: Annotation) {
        let redactor = self.redactor();
        redactor.findings(&mut annotation.findings);
        if let Some(label) = &mut annotation.label {
            redactor.label(label);
        }
        let told = self.change(|inner| inner.ring.annotate(seq.0, annotation));
        self.share.budget().keep();
        self.call_hook(told);
    }
}

impl Holder for WireLog {
    fn held(&self) -> u64 {
        self.share.held()
    }

    fn release(&self, bytes: u64) {
        self.change(|inner| inner.ring.release(bytes));
    }
}

/// Returns the signals of the views that have to be woken; views that already know of a change are left out.
fn wake(views: &[Attached]) -> Vec<Arc<super::signal::Signal>> {
    views
        .iter()
        .filter(|view| view.signal.raise())
        .map(|view| view.signal.clone())
        .collect()
}
