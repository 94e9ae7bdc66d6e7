//! The entries of a log and the links between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::mem;
use std::sync::Arc;

use sonde_findings::{FindingView, Severity};
use sonde_wire::{
    Annotation, Body, Cause, Direction, Entry, EntryKind, Finding, Header, Label, MessageKind,
};

use super::found::FoundInFrames;
use super::groups::Groups;
use super::tally::Tally;
use super::{LogLimits, LogMiss, LogNoResponse, OperationEntry};

/// Limit of the methods that the filter offers; a server may invent any number.
const MAX_METHODS: usize = 500;

/// An entry as stored: without secrets, with facts that were added later.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Milliseconds since the Unix epoch.
    pub(super) at: f64,
    /// Time of the first entry of the same connection, in milliseconds since the Unix epoch.
    pub(super) began: f64,
    /// Time of the record on the clock of [`crate::clock::micros`].
    pub(super) micros: u64,
    pub(super) out: bool,
    pub(super) redacted: bool,
    pub(super) generation: u32,
    attempt: u32,
    pub(super) kind: EntryKind,
    pub(super) body: Body,
    /// Size of the frame before redaction, including bytes that were not kept.
    pub(super) size: u64,
    pub(super) dropped: u64,
    pub(super) exchange: Option<u64>,
    pub(super) label: Label,
    pub(super) findings: Vec<Finding>,
    /// Findings in the result that the entry carries; they are counted with the results.
    pub(super) of_result: Vec<FindingView>,
    pub(super) partner: Option<u64>,
    /// For requests: reason why nobody waits for the response any more. It may still come.
    pub(super) no_response: Option<LogNoResponse>,
    /// For responses: microseconds since the request.
    pub(super) latency: Option<u64>,
    /// The group of the entry, in [`Ring::groups`].
    pub(super) group: Option<u64>,
}

impl Stored {
    pub(super) fn new(entry: Entry, redacted: bool, size: u64, generation: u32) -> Self {
        let at = crate::clock::now_millis();
        Self {
            at,
            began: at,
            micros: crate::clock::micros(),
            out: entry.direction == Direction::Out,
            redacted,
            generation,
            attempt: 0,
            kind: entry.kind,
            body: entry.body,
            size,
            dropped: entry.dropped,
            exchange: entry.exchange.map(|exchange| exchange.0),
            label: entry.label,
            findings: entry.findings,
            of_result: Vec::new(),
            partner: None,
            no_response: None,
            latency: None,
            group: None,
        }
    }

    fn held(&self) -> u64 {
        let findings: usize = self.findings.iter().map(Finding::weight).sum();
        let of_result: usize = self.of_result.iter().map(FindingView::weight).sum();
        weight(&self.kind, &self.body) + (findings + of_result) as u64
    }

    /// Returns the rules that the entry or its result breaks, with their severities.
    pub(super) fn broken(&self) -> impl Iterator<Item = (Severity, &str)> {
        let of_result = self.of_result.iter();
        let of_result = of_result.map(|finding| (finding.severity, &*finding.rule));
        let own = self.findings.iter();
        own.map(|finding| (finding.severity(), finding.id()))
            .chain(of_result)
    }

    /// As [`Self::broken`], without the rules with these ids.
    pub(super) fn marked(
        &self,
        muted: &BTreeSet<String>,
    ) -> impl Iterator<Item = (Severity, &str)> {
        self.broken().filter(|(_, rule)| !muted.contains(*rule))
    }

    /// Returns the ids of all rules that the entry breaks.
    pub(super) fn broken_rules(&self) -> impl Iterator<Item = &str> {
        self.broken().map(|(_, rule)| rule)
    }

    /// True if the entry came from the server during detection of the protocol, where a refusal is as good a response
    /// as any.
    pub(super) fn is_of_detection(&self) -> bool {
        !self.out && self.label.cause == Some(Cause::Probe)
    }

    /// Returns the findings that count against the server: none while Sonde detects the protocol.
    fn counted_findings(&self) -> &[Finding] {
        if self.is_of_detection() {
            return &[];
        }
        &self.findings
    }

    fn is_answer(&self) -> bool {
        matches!(
            self.label.kind,
            Some(MessageKind::Response | MessageKind::Error)
        )
    }
}

/// Limit of the findings of a result that are stored with its entry.
const MAX_RESULT_FINDINGS: usize = 20;

/// Memory of an entry in addition to its body, head and findings: itself and the texts of its label.
const ENTRY: u64 = size_of::<Stored>() as u64 + 256;

/// Drops findings by rules that do not apply to this protocol version, if it is known; returns true if there were any.
fn keep_applying(findings: &mut Vec<Finding>, revision: Option<&str>) -> bool {
    let before = findings.len();
    findings.retain(|finding| revision.is_none_or(|revision| finding.rule.applies_in(revision)));
    findings.len() < before
}

/// Returns the bytes of a body and a head.
pub(super) fn weight(kind: &EntryKind, body: &Body) -> u64 {
    let headers = |headers: &[Header]| {
        headers
            .iter()
            .map(|header| header.name.len() + header.value.len() + 4)
            .sum::<usize>()
    };
    let head = match kind {
        EntryKind::Started { command, .. } => command.iter().map(|part| part.len() + 1).sum(),
        EntryKind::RequestHead {
            url, headers: all, ..
        } => url.len() + headers(all),
        EntryKind::ResponseHead { headers: all, .. } => headers(all),
        EntryKind::Note(text) => text.len(),
        EntryKind::Message
        | EntryKind::NonMessage
        | EntryKind::Stderr
        | EntryKind::Exited(_)
        | EntryKind::SseControl
        | EntryKind::App => 0,
    };
    (head + length(body)) as u64
}

/// Returns the bytes of a body.
pub(super) fn length(body: &Body) -> usize {
    match body {
        Body::Empty => 0,
        Body::Text(text) => text.len(),
        Body::Bytes(bytes) => bytes.len(),
    }
}

/// The entries of one HTTP exchange, as sent once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    pub(super) head: Option<u64>,
    pub(super) message: Option<u64>,
    pub(super) response: Option<u64>,
    operation: Option<u64>,
    pub(super) last: u64,
}

/// Attempt, number and first entry of an exchange. Sending a rejected request again begins another one.
type ExchangeKey = (u32, u64, u64);

/// Entries in order, numbered from 1, within limits.
#[derive(Debug, Default)]
pub(super) struct Ring {
    limits: LogLimits,
    entries: VecDeque<Stored>,
    /// Number of the oldest stored entry; equal to `next` if there is none.
    first: u64,
    next: u64,
    bytes: u64,
    dropped: u64,
    generation: u32,
    /// Number of the attempt to connect, over all connections: each numbers its exchanges from the start.
    attempt: u32,
    /// Time of the first entry of this connection.
    began: Option<f64>,
    /// The protocol version of this connection, once it is known.
    revision: Option<String>,
    /// Findings in the entries of this connection, including entries that were dropped.
    found: FoundInFrames,
    /// Ids of rules that mark no entry.
    muted: BTreeSet<String>,
    /// Open requests of Sonde, by id.
    sent: HashMap<Arc<str>, u64>,
    /// Open requests of the server, by id.
    received: HashMap<Arc<str>, u64>,
    exchanges: BTreeMap<ExchangeKey, Exchange>,
    methods: BTreeSet<Arc<str>>,
    pub(super) tally: Tally,
    pub(super) groups: Groups,
    /// Entries whose rows changed since [`Self::take_changed`].
    pub(super) changed: Vec<u64>,
}

/// Entries removed from a log.
#[derive(Debug)]
pub(super) struct Cleared(Ring);

impl Cleared {
    /// Returns the memory of the entries, in bytes.
    pub(super) fn held(&self) -> u64 {
        self.0.held()
    }
}

impl Ring {
    pub(super) fn new(limits: LogLimits) -> Self {
        Self {
            limits,
            first: 1,
            next: 1,
            ..Self::default()
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the memory of all entries, in bytes.
    pub(super) fn held(&self) -> u64 {
        self.bytes + self.entries.len() as u64 * ENTRY
    }

    /// Drops the oldest entries until this many bytes are free, but never the newest one.
    pub(super) fn release(&mut self, bytes: u64) {
        let aim = self.held().saturating_sub(bytes);
        while self.held() > aim && self.entries.len() > 1 {
            self.drop_first();
        }
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn limits(&self) -> LogLimits {
        self.limits
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    /// Returns the operation that an entry belongs to.
    pub(super) fn operation_of(&self, seq: u64) -> Option<u64> {
        self.get(seq).ok()?.label.operation
    }

    pub(super) fn found(&self) -> &FoundInFrames {
        &self.found
    }

    pub(super) fn methods(&self) -> Vec<String> {
        self.methods
            .iter()
            .map(|method| method.to_string())
            .collect()
    }

    pub(super) fn get(&self, seq: u64) -> Result<&Stored, LogMiss> {
        if seq == 0 || seq >= self.next {
            return Err(LogMiss::Unknown);
        }
        seq.checked_sub(self.first)
            .and_then(|index| self.entries.get(usize::try_from(index).ok()?))
            .ok_or(LogMiss::Dropped)
    }

    pub(super) fn get_mut(&mut self, seq: u64) -> Option<&mut Stored> {
        let index = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        self.entries.get_mut(index)
    }

    pub(super) fn exchange(&self, seq: u64, entry: &Stored) -> Option<Exchange> {
        let (_, exchange) = self.exchange_at((entry.attempt, entry.exchange?, seq))?;
        Some(exchange)
    }

    /// Returns the exchange with this attempt and number that an entry belongs to, with its key.
    fn exchange_at(&self, (attempt, number, seq): ExchangeKey) -> Option<(ExchangeKey, Exchange)> {
        let mut begun = self
            .exchanges
            .range((attempt, number, 0)..=(attempt, number, seq));
        begun.next_back().map(|(key, exchange)| (*key, *exchange))
    }

    /// True if an exchange has a response that is no redirect.
    fn is_answered(&self, exchange: &Exchange) -> bool {
        let response = exchange.response.and_then(|seq| self.get(seq).ok());
        response.is_some_and(|response| match response.kind {
            EntryKind::ResponseHead { status, .. } => !(300..400).contains(&status),
            _ => false,
        })
    }

    /// Begins a new connection: ids of earlier sessions mean nothing any more.
    pub(super) fn begin_generation(&mut self) {
        self.generation += 1;
        self.began = None;
        self.revision = None;
        self.found = FoundInFrames::default();
        self.begin_attempt();
    }

    /// Begins another attempt of the same connection.
    pub(super) fn begin_attempt(&mut self) {
        self.attempt += 1;
        self.sent.clear();
        self.received.clear();
    }

    /// Removes and returns all entries; `None` if there were none.
    pub(super) fn clear(&mut self) -> Option<Cleared> {
        let empty = Self {
            first: self.next,
            next: self.next,
            generation: self.generation,
            attempt: self.attempt,
            began: self.began,
            revision: self.revision.clone(),
            muted: self.muted.clone(),
            ..Self::new(self.limits)
        };
        let ring = std::mem::replace(self, empty);
        (!ring.entries.is_empty()).then_some(Cleared(ring))
    }

    /// Restores removed entries before those recorded since, which may answer them, unless some of the latter were
    /// already dropped for lack of room.
    pub(super) fn restore(&mut self, Cleared(mut older): Cleared) {
        if self.first != older.next {
            return;
        }
        let is_same_connection = self.generation == older.generation;
        let (mut sent, mut received) = (older.sent, older.received);
        if is_same_connection {
            mem::swap(&mut self.sent, &mut sent);
            mem::swap(&mut self.received, &mut received);
            self.found.prepend(older.found);
        }
        older.entries.append(&mut self.entries);
        self.entries = older.entries;
        self.first = older.first;
        self.bytes += older.bytes;
        self.dropped += older.dropped;
        for (mut key, mut known) in mem::replace(&mut self.exchanges, older.exchanges) {
            match self.exchange_at(key) {
                // Without its head first, it goes on with an older one.
                Some((begun, before)) if known.head != Some(key.2) => {
                    key = begun;
                    known.head = known.head.or(before.head);
                    known.message = known.message.or(before.message);
                    known.response = known.response.or(before.response);
                    known.operation = known.operation.or(before.operation);
                }
                Some((_, before)) if self.is_answered(&before) => self.mark_sent_again(&before),
                _ => {}
            }
            self.exchanges.insert(key, known);
        }
        for method in &older.methods {
            learn(&mut self.methods, method);
        }
        self.tally.extend(&older.tally);
        self.groups.extend(older.groups);
        for seq in older.next..self.next {
            // Requests recorded since have their answers already, and are not known here yet.
            if is_same_connection && self.get(seq).is_ok_and(Stored::is_answer) {
                self.link(seq);
            }
            let is_of_older = |entry: &Stored| {
                let head = self.exchange(seq, entry).and_then(|known| known.head);
                entry.group.is_none() && head.is_some_and(|head| head < older.next)
            };
            if self.get(seq).is_ok_and(is_of_older) {
                self.join_exchange(seq);
            }
        }
        if is_same_connection {
            self.sent.extend(sent);
            self.received.extend(received);
        }
        self.trim();
    }

    /// Stores an entry. Returns its number, and an [`OperationEntry`] if it is a request or response of an operation.
    pub(super) fn push(&mut self, mut entry: Stored) -> (u64, Option<OperationEntry>) {
        entry.began = *self.began.get_or_insert(entry.at);
        entry.attempt = self.attempt;
        keep_applying(&mut entry.findings, self.revision.as_deref());
        let seq = self.next;
        self.next += 1;
        self.bytes += entry.held();
        self.found
            .add(seq, entry.label.method.as_ref(), entry.counted_findings());
        if !entry.out && matches!(entry.kind, EntryKind::Message) {
            self.found.messages += 1;
        }
        let labelled = entry.label.kind.is_some();
        let exchanged = entry.exchange.is_some();
        if let Some(method) = &entry.label.method {
            learn(&mut self.methods, method);
        }
        self.tally.add(&entry.label);
        self.entries.push_back(entry);
        if exchanged {
            self.join_exchange(seq);
        }
        let told = if labelled { self.link(seq) } else { None };
        self.join_repeated(seq);
        self.trim();
        (seq, told)
    }

    /// Drops entries beyond the limits. The newest entry stays even if it is larger than the limit.
    fn trim(&mut self) {
        while self.entries.len() as u64 > self.limits.entries.max(1)
            || (self.bytes > self.limits.bytes && self.entries.len() > 1)
        {
            self.drop_first();
        }
    }

    /// Sets the protocol version of the current connection. Findings in it by rules of other versions do not count,
    /// whether they came before, in a sign-in for example, or come later.
    pub(super) fn judge_by(&mut self, revision: &str) {
        self.revision = Some(revision.to_owned());
        let by_rule = &mut self.found.by_rule;
        by_rule.retain(|rule| rule.applies_in(revision));
        let generation = self.generation;
        let present = self.entries.iter_mut().rev();
        let present = present.take_while(|entry| entry.generation == generation);
        for (seq, entry) in (self.first..self.next).rev().zip(present) {
            let before = entry.held();
            if keep_applying(&mut entry.findings, Some(revision)) {
                self.bytes -= before - entry.held();
                self.changed.push(seq);
            }
        }
    }

    /// Ids of the rules that mark no entry.
    pub(super) fn muted(&self) -> &BTreeSet<String> {
        &self.muted
    }

    /// Replaces the ids of the rules that mark no entry.
    pub(super) fn set_muted(&mut self, muted: BTreeSet<String>) {
        let before = std::mem::replace(&mut self.muted, muted);
        let is_other = |rule: &str| before.contains(rule) != self.muted.contains(rule);
        let entries = self.entries.iter().zip(self.first..);
        let other = entries.filter(|(entry, _)| entry.broken_rules().any(is_other));
        self.changed.extend(other.map(|(_, seq)| seq));
    }

    /// Marks all entries of the server in the current connection, and requests without a response, as part of detecting
    /// its protocol.
    pub(super) fn mark_detection(&mut self) {
        let generation = self.generation;
        let present = self.entries.iter_mut().rev();
        let present = present.take_while(|entry| entry.generation == generation);
        for (seq, entry) in (self.first..self.next).rev().zip(present) {
            let is_lost = entry
                .no_response
                .is_some_and(|why| why != LogNoResponse::SentAgain);
            if entry.out && is_lost && entry.partner.is_none() {
                entry.no_response = Some(LogNoResponse::Detection);
                self.changed.push(seq);
            }
            let said = match entry.kind {
                // The exit of the process is also an answer.
                EntryKind::Message | EntryKind::Exited(_) => true,
                // On a pipe, other bytes are what the process writes of its own accord.
                EntryKind::NonMessage => entry.exchange.is_some(),
                _ => false,
            };
            if said && !entry.out {
                self.found.remove(seq, entry.counted_findings());
                entry.label.cause = Some(Cause::Probe);
                self.changed.push(seq);
            }
        }
    }

    /// Adds facts to an entry. Returns an [`OperationEntry`] if it is a request or response of an operation.
    pub(super) fn annotate(
        &mut self,
        seq: u64,
        mut annotation: Annotation,
    ) -> Option<OperationEntry> {
        keep_applying(&mut annotation.findings, self.revision.as_deref());
        let entry = self.get_mut(seq)?;
        let more: usize = annotation.findings.iter().map(Finding::weight).sum();
        let before = entry.counted_findings().len();
        entry.findings.extend(annotation.findings);
        if let Some(cause) = annotation.label.as_ref().and_then(|label| label.cause) {
            entry.label.cause = Some(cause);
        }
        self.bytes += more as u64;
        self.changed.push(seq);
        let method = annotation
            .label
            .as_ref()
            .and_then(|label| label.method.clone());
        self.count(seq, method, before);
        let Some(label) = annotation.label else {
            self.trim();
            return None;
        };
        let entry = self.get_mut(seq)?;
        // Facts of the transport stay unless the interpreter replaces them.
        let before = std::mem::replace(&mut entry.label, label);
        let now = &mut entry.label;
        now.kind = now.kind.or(before.kind);
        now.method = now.method.take().or_else(|| before.method.clone());
        now.id = now.id.take().or_else(|| before.id.clone());
        now.operation = now.operation.or(before.operation);
        now.cause = now.cause.or(before.cause);
        now.level = now.level.or(before.level);
        now.logger = now.logger.take().or_else(|| before.logger.clone());
        now.ambiguous |= before.ambiguous;
        let now = now.clone();
        self.tally.remove(&before);
        self.tally.add(&now);
        if let Some(method) = &now.method {
            learn(&mut self.methods, method);
        }
        let told = self.link(seq);
        self.join_repeated(seq);
        self.trim();
        told
    }

    /// Adds findings in the result of an entry, as far as there is room.
    pub(super) fn add_of_result(&mut self, seq: u64, findings: Vec<FindingView>) {
        let Some(entry) = self.get_mut(seq) else {
            return;
        };
        let before = entry.held();
        let room = MAX_RESULT_FINDINGS.saturating_sub(entry.of_result.len());
        entry.of_result.extend(findings.into_iter().take(room));
        self.bytes += entry.held() - before;
        self.changed.push(seq);
        self.trim();
    }

    /// Counts the findings in an entry, of which the first `before` are counted already.
    fn count(&mut self, seq: u64, method: Option<Arc<str>>, before: usize) {
        let Ok(index) = usize::try_from(seq.saturating_sub(self.first)) else {
            return;
        };
        let Some(entry) = self.entries.get(index) else {
            return;
        };
        if entry.generation != self.generation {
            return;
        }
        match entry.counted_findings() {
            // The entry turned out to be part of detection.
            [] => self.found.remove(seq, &entry.findings[..before]),
            counted => {
                let method = method.or_else(|| entry.label.method.clone());
                self.found.add(seq, method.as_ref(), &counted[before..]);
            }
        }
    }

    /// Returns the requests without a response: those of Sonde, or those of the server.
    fn open_requests(&mut self, out: bool) -> &mut HashMap<Arc<str>, u64> {
        match out {
            true => &mut self.sent,
            false => &mut self.received,
        }
    }

    /// Marks an open request of Sonde whose response nobody waits for any more.
    pub(super) fn end_request(&mut self, id: &str, why: LogNoResponse) {
        if let Some(seq) = self.sent.get(id).copied()
            && let Some(entry) = self.get_mut(seq)
        {
            entry.no_response.get_or_insert(why);
            self.changed.push(seq);
        }
    }

    /// Links a response to its request.
    fn link(&mut self, seq: u64) -> Option<OperationEntry> {
        let entry = self.get(seq).ok()?;
        let (out, micros, answer) = (entry.out, entry.micros, entry.is_answer());
        let id = entry.label.id.clone();
        if answer {
            let asked = self.open_requests(!out);
            // Some servers return the id 1 as "1".
            let find = |id: &Arc<str>| asked.get(id).or_else(|| asked.get(id.trim_matches('"')));
            let request = id.as_ref().and_then(|id| find(id).copied());
            let entry = self.get(seq).ok()?;
            if let Some(request) = request.filter(|_| entry.partner.is_none())
                && let Some(asked) = self.get_mut(request)
            {
                asked.partner.get_or_insert(seq);
                let (asked_at, label) = (asked.micros, asked.label.clone());
                self.changed.push(request);
                if let Some(entry) = self.get_mut(seq) {
                    entry.partner = Some(request);
                    entry.latency = Some(micros.saturating_sub(asked_at));
                    entry.label.method = entry.label.method.take().or(label.method);
                    entry.label.operation = entry.label.operation.or(label.operation);
                }
                if let Some(id) = &id {
                    let asked = self.open_requests(!out);
                    if asked.get(id) == Some(&request) {
                        asked.remove(id);
                    }
                }
            }
        } else if entry.label.kind == Some(MessageKind::Request)
            && entry.partner.is_none()
            && let Some(id) = id
        {
            self.open_requests(out).insert(id, seq);
        }
        let entry = self.get(seq).ok()?;
        let notification = out && entry.label.kind == Some(MessageKind::Notification);
        let request = notification || (out && entry.label.kind == Some(MessageKind::Request));
        let operation = entry
            .label
            .operation
            .filter(|_| request || (answer && !out))?;
        Some(OperationEntry {
            operation,
            seq,
            answer,
            micros,
            notification,
        })
    }

    /// Links the head of a response to the head of its request, and heads to calls.
    fn join_exchange(&mut self, seq: u64) {
        let Ok(entry) = self.get(seq) else { return };
        let Some(exchange) = entry.exchange else {
            return;
        };
        let key = (entry.attempt, exchange, seq);
        let operation = entry.label.operation;
        let micros = entry.micros;
        let begun = self.exchange_at(key);
        let is_head = matches!(entry.kind, EntryKind::RequestHead { .. });
        let rejected = begun.filter(|(_, known)| is_head && self.is_answered(known));
        let (key, mut known) = match rejected {
            Some(_) => (key, Exchange::default()),
            None => begun.unwrap_or((key, Exchange::default())),
        };
        let before = known;
        known.last = known.last.max(seq);
        known.operation = known.operation.or(operation);
        match entry.kind {
            EntryKind::RequestHead { .. } => known.head = Some(seq),
            EntryKind::Message if entry.out => known.message = Some(seq),
            EntryKind::ResponseHead { .. } => {
                known.response = Some(seq);
                if let Some(head) = known.head
                    && let Some(request) = self.get_mut(head)
                {
                    request.partner = Some(seq);
                    let asked_at = request.micros;
                    self.changed.push(head);
                    if let Some(entry) = self.get_mut(seq) {
                        entry.partner = Some(head);
                        entry.latency = Some(micros.saturating_sub(asked_at));
                    }
                }
            }
            _ => {}
        }
        let is_message = self
            .get(seq)
            .is_ok_and(|entry| matches!(entry.kind, EntryKind::Message));
        for seq in [known.head, (!is_message).then_some(seq)]
            .into_iter()
            .flatten()
        {
            if let Some(entry) = self.get_mut(seq) {
                entry.label.operation = entry.label.operation.or(known.operation);
            }
        }
        self.exchanges.insert(key, known);
        self.join_frames(seq, before);
        if let Some((_, rejected)) = rejected {
            self.mark_sent_again(&rejected);
        }
    }

    /// Marks the request of a rejected exchange, which another one repeats.
    fn mark_sent_again(&mut self, rejected: &Exchange) {
        if let Some(message) = rejected.message
            && let Some(request) = self.get_mut(message)
        {
            request.no_response = Some(LogNoResponse::SentAgain);
            self.changed.push(message);
        }
    }

    fn drop_first(&mut self) {
        let Some(entry) = self.entries.pop_front() else {
            return;
        };
        let seq = self.first;
        self.first += 1;
        self.dropped += 1;
        self.bytes = self.bytes.saturating_sub(entry.held());
        self.tally.remove(&entry.label);
        if let Some(id) = &entry.label.id {
            let asked = self.open_requests(entry.out);
            if asked.get(id) == Some(&seq) {
                asked.remove(id);
            }
        }
        if let Some(group) = entry.group {
            self.drop_from(group, seq);
        }
        if let Some(exchange) = entry.exchange
            && let Some((key, known)) = self.exchange_at((entry.attempt, exchange, seq))
            && known.last <= seq
        {
            self.exchanges.remove(&key);
        }
    }
}

fn learn(methods: &mut BTreeSet<Arc<str>>, method: &Arc<str>) {
    if methods.len() < MAX_METHODS && !methods.contains(method) {
        methods.insert(method.clone());
    }
}
