//! The operations that the app remembers.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use serde_json::value::RawValue;
use sonde_mcp::{CatalogItem, OperationRequest};
use sonde_wire::TextPart;

use super::{
    freshness::ResultFreshness,
    messages::LoggedMessage,
    operation::{
        AppEnd, Deadline, EarlierRun, OperationInput, OperationLabel, OperationNumber,
        OperationProgress, OperationState,
    },
    outcome::OperationOutcome,
    rate::Rate,
    resource_expectations::PromisedResource,
    result_size::allowed_characters,
    server_request_history::ServerRequestHistory,
    summary::ResultShape,
    task::TaskRun,
};
use crate::{clock, config::ServerId, limits::LINE, log::Redaction, ring::Ring, text::cut};

/// Limit of operations kept per server.
pub const OPERATIONS: u32 = 500;
/// Limit of log messages kept per operation. The wire log has the others.
const MESSAGES: usize = 10_000;

/// Ways in which an operation is lost with its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostWith {
    /// It waited when the transport ended.
    End,
    /// It could not be written; a process that is gone shows itself like this first.
    BrokenPipe,
}

/// One operation.
#[derive(Debug, Default)]
pub struct OperationRecord {
    /// Number of the operation.
    pub number: OperationNumber,
    /// Server of the operation.
    pub server: ServerId,
    /// The connect in which it ran.
    pub generation: u32,
    /// The method, for example `tools/call`.
    pub method: String,
    /// Subject: a tool's or prompt's name, or a resource's URI.
    pub target: Option<String>,
    /// Key of the tool or prompt in its list when it was started; `None` if it was not listed, and for other methods.
    pub key: Option<String>,
    /// The display name of the tool, prompt or resource when it was started, if the server gave one.
    pub title: Option<String>,
    /// Arguments, exactly as sent.
    pub arguments: Option<Arc<String>>,
    /// Further members of `params`, or all of it, as the user gave them.
    pub params: Option<Arc<String>>,
    /// It is a notification.
    pub notification: bool,
    /// An app of the server asked for it.
    pub by_app: bool,
    /// Current state.
    pub state: OperationState,
    /// Milliseconds since the Unix epoch.
    pub started_at: u64,
    /// Duration in microseconds, once finished: from the record of its first request in the wire log to that
    /// of the response that ended it, or to the end without one.
    pub micros: Option<u64>,
    /// Number of times that the server asked for input within this operation.
    pub rounds: u32,
    /// Number of times that it was refused for lack of a token and waited for one.
    pub token_waits: u32,
    /// Latest progress.
    pub progress: Option<OperationProgress>,
    /// Times at which it gives up; set while it runs.
    pub deadline: Option<Deadline>,
    /// Server log messages tied to this operation.
    pub messages: Ring<LoggedMessage, MESSAGES>,
    /// It failed because the server can do this after a handshake only, while this connect is
    /// stateless: one plain sentence.
    pub needs_handshake: Option<&'static str>,
    /// Its task, where the server answered with one.
    pub task: Option<TaskRun>,
    /// Outcome, once finished.
    pub outcome: Option<OperationOutcome>,
    /// Protocol version that its result was judged by.
    pub revision: Option<String>,
    /// Caching hints of the server for the result of a read. Not stored.
    pub freshness: Option<ResultFreshness>,
    /// The server reported an update of the resource during its read. Not stored.
    pub(crate) is_outdated: bool,
    /// A response arrived after the user had cancelled.
    pub answered_after_cancel: bool,
    /// Messages that came after it was over.
    pub late: u64,
    /// Number of its messages that break rules, without findings about the result itself.
    pub message_issues: u64,
    /// Log entry of the request, once recorded.
    pub request_seq: Option<u64>,
    /// Log entry of the answer.
    pub response_seq: Option<u64>,
    /// Name, note and pin that the user gave it.
    pub label: OperationLabel,
    /// Server requests meanwhile, with their replies. Not stored.
    pub request_history: ServerRequestHistory,
    /// Reason why its app is no longer shown although nobody closed it. Not stored.
    pub app_ended: Option<AppEnd>,
    /// Transcript of its messages, as it was last stored: of a run with a label.
    pub transcript: Option<Arc<String>>,
    /// It was read from its file, since it ran before this start of the app.
    pub earlier: Option<EarlierRun>,
    /// Its arguments contain values that must not be written to disk.
    pub private: bool,
    /// Redaction with the secrets known at its end.
    pub redaction: Option<Redaction>,
    /// As the user started it.
    pub input: OperationInput,
    /// `result` as received.
    pub result: Option<TextPart>,
    /// The `error` object as JSON text.
    pub error: Option<Arc<String>>,
    /// It was lost with its transport, whose end is then the reason to show.
    pub(crate) lost: Option<LostWith>,
    /// Schema that the result must conform to.
    pub(crate) output_schema: Option<Arc<RawValue>>,
    /// Limit of characters that the tool declares for its results.
    pub(crate) allowed_characters: Option<u64>,
    /// Descriptions of the resource that it reads: by the server's list, and by the link or template that led to it.
    pub(crate) promised: Vec<PromisedResource>,
    pub(crate) rate: Rate,
    /// Start by the user, on the clock of [`clock::micros`], as are all following times.
    pub(crate) began: u64,
    /// Time at which its first request was recorded.
    pub(crate) first_sent: Option<u64>,
    /// Time at which its last request was recorded.
    pub(crate) last_sent: Option<u64>,
    /// Longest silence in milliseconds.
    pub(crate) idle: u64,
}

/// Parameters of a new operation.
#[derive(Debug)]
pub struct NewOperation {
    /// Number of the operation.
    pub operation: OperationNumber,
    /// Server of the operation.
    pub server: ServerId,
    /// The connect in which it runs.
    pub generation: u32,
    /// As the user started it.
    pub input: OperationInput,
    /// As the session sends it.
    pub request: OperationRequest,
    /// The tool that it calls, the prompt that it gets or the resource that it reads, where that is in the
    /// server's list.
    pub item: Option<CatalogItem>,
    /// The key of a tool or prompt in its list.
    pub key: Option<String>,
}

impl OperationRecord {
    /// An operation that has just begun.
    #[must_use]
    pub fn new(started: NewOperation) -> Self {
        let item = started.item.as_ref();
        let title = item.and_then(|item| item.title.as_deref());
        let promised = item.and_then(PromisedResource::of);
        Self {
            output_schema: item.and_then(|item| item.tool()?.output_schema.clone()),
            allowed_characters: item.and_then(allowed_characters),
            number: started.operation,
            server: started.server,
            generation: started.generation,
            method: started.request.method,
            target: started.request.target.map(|target| cut(&target, LINE)),
            key: started.key,
            title: title.map(|title| cut(title, LINE)),
            arguments: started.request.arguments.map(Arc::new),
            params: started.request.params.map(Arc::new),
            notification: started.request.notification,
            by_app: started.input.by_app,
            started_at: clock::millis(),
            input: started.input,
            promised: promised.into_iter().collect(),
            began: clock::micros(),
            ..Self::default()
        }
    }

    /// Sets the caching hints for its result, which is not fresh if its resource was updated meanwhile.
    pub(crate) fn set_freshness(&mut self, freshness: Option<ResultFreshness>) {
        self.freshness = freshness;
        if self.is_outdated {
            self.end_freshness(clock::millis());
        }
    }

    /// Ends the freshness of its result. Returns false if there is none to end.
    pub(crate) fn end_freshness(&mut self, at: u64) -> bool {
        let until = self.freshness.as_mut().and_then(|one| one.until.as_mut());
        let Some(until) = until.filter(|until| at < **until) else {
            return false;
        };
        *until = at;
        true
    }

    /// Restarts the idle timer at this time; it never runs past the hard limit.
    pub(super) fn restart_idle_timer(&mut self, now: u64) {
        if let Some(deadline) = &mut self.deadline {
            let idle_at = now.saturating_add(self.idle).min(deadline.hard_at);
            deadline.idle_at = deadline.idle_at.max(idle_at);
        }
    }

    /// Returns the shape of its result.
    #[must_use]
    pub fn shape(&self) -> ResultShape {
        ResultShape::of(&self.method)
    }

    /// Creates a finished operation with arguments of this many bytes.
    #[cfg(test)]
    pub(crate) fn finished_with(number: OperationNumber, bytes: usize) -> Self {
        let mut record = Self::new(NewOperation {
            operation: number,
            server: "s".to_owned(),
            generation: 1,
            input: OperationInput::default(),
            request: OperationRequest::tool("t", Some("x".repeat(bytes))),
            item: None,
            key: None,
        });
        record.state = OperationState::Finished;
        record
    }

    /// True if it is over.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.state == OperationState::Finished
    }

    /// Returns its memory, in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let messages: usize = self.messages.iter().map(weight).sum();
        let outcome = self.outcome.as_ref().map_or(0, OperationOutcome::weight);
        (messages
            + outcome
            + self.label.weight()
            + self.request_history.weight()
            + self.task.as_ref().map_or(0, TaskRun::weight)
            + self.rate.weight()
            + self.arguments.as_ref().map_or(0, |text| text.len())
            + self.params.as_ref().map_or(0, |text| text.len())
            + self.transcript.as_ref().map_or(0, |text| text.len())
            + self.result.as_ref().map_or(0, |raw| raw.get().len())
            + self.error.as_ref().map_or(0, |text| text.len())) as u64
    }
}

/// Returns the memory of a message, in bytes.
fn weight(message: &LoggedMessage) -> usize {
    size_of::<LoggedMessage>()
        + message.level.len()
        + message.text.len()
        + message.logger.as_ref().map_or(0, String::len)
}

/// The remembered operations of a server, oldest first.
#[derive(Debug, Default)]
pub struct History {
    /// Boxed, as a map moves its entries when one of them goes.
    operations: BTreeMap<OperationNumber, Box<OperationRecord>>,
    /// Memory of each finished operation, in bytes.
    sizes: HashMap<OperationNumber, u64>,
    bytes: u64,
}

impl History {
    /// The operation with this number.
    #[must_use]
    pub fn get(&self, operation: OperationNumber) -> Option<&OperationRecord> {
        self.operations.get(&operation).map(Box::as_ref)
    }

    /// The operation with this number, to be changed.
    pub fn get_mut(&mut self, operation: OperationNumber) -> Option<&mut OperationRecord> {
        self.operations.get_mut(&operation).map(Box::as_mut)
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &OperationRecord> {
        self.operations.values().map(Box::as_ref)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut OperationRecord> {
        self.operations.values_mut().map(Box::as_mut)
    }

    /// Number of operations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Memory of the finished operations, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds an operation. Drops the oldest finished ones beyond the limit, except pinned ones, and returns their
    /// numbers.
    pub(crate) fn add(&mut self, record: OperationRecord) -> Vec<OperationNumber> {
        self.operations.insert(record.number, Box::new(record));
        self.trim(None)
    }

    /// Counts an operation that has just finished. Drops the oldest ones beyond the limit, but not this one, and
    /// returns their numbers.
    pub(crate) fn settle(&mut self, operation: OperationNumber) -> Vec<OperationNumber> {
        self.measure(operation);
        self.trim(Some(operation))
    }

    /// Stores the transcript of a finished operation.
    pub fn keep_transcript(&mut self, operation: OperationNumber, transcript: String) {
        if let Some(record) = self.operations.get_mut(&operation) {
            record.transcript = Some(Arc::new(transcript));
            self.measure(operation);
        }
    }

    /// Counts the memory of an operation that has changed.
    pub(super) fn measure(&mut self, operation: OperationNumber) {
        if let Some(record) = self.operations.get(&operation) {
            let size = record.size();
            self.bytes = self.bytes + size - self.sizes.insert(operation, size).unwrap_or(0);
        }
    }

    fn trim(&mut self, keep: Option<OperationNumber>) -> Vec<OperationNumber> {
        let mut dropped = Vec::new();
        while self.operations.len() > OPERATIONS as usize
            && let Some(oldest) = self.oldest_droppable(keep)
        {
            self.remove(oldest);
            dropped.push(oldest);
        }
        dropped
    }

    /// The oldest operation that may be dropped: it is finished, not pinned, and not `keep`.
    #[must_use]
    pub fn oldest_droppable(&self, keep: Option<OperationNumber>) -> Option<OperationNumber> {
        let mut droppable = self
            .operations
            .values()
            .filter(|one| one.finished() && !one.label.pinned && Some(one.number) != keep);
        droppable.next().map(|one| one.number)
    }

    /// Drops an operation.
    pub fn remove(&mut self, operation: OperationNumber) -> Option<OperationRecord> {
        self.bytes -= self.sizes.remove(&operation).unwrap_or(0);
        self.operations.remove(&operation).map(|record| *record)
    }

    /// Takes operations out, to be restored or dropped.
    pub fn take(&mut self, operations: &[OperationNumber]) -> Vec<OperationRecord> {
        let taken = operations.iter().filter_map(|number| self.remove(*number));
        taken.collect()
    }

    /// Inserts operations that were removed, or were read from files. Returns the numbers of all changed operations:
    /// these, and the oldest ones dropped for the limit.
    pub fn restore(&mut self, records: Vec<OperationRecord>) -> Vec<OperationNumber> {
        let mut changed = Vec::new();
        for record in records {
            changed.push(record.number);
            self.sizes.insert(record.number, record.size());
            self.bytes += record.size();
            self.operations.insert(record.number, Box::new(record));
        }
        changed.extend(self.trim(None));
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(operation: OperationNumber, finished: bool, bytes: usize) -> OperationRecord {
        let mut record = OperationRecord::finished_with(operation, bytes);
        if !finished {
            record.state = OperationState::Running;
        }
        record
    }

    fn numbers(history: &History) -> Vec<OperationNumber> {
        history.iter().map(|record| record.number).collect()
    }

    #[test]
    fn what_was_taken_out_comes_back_in_its_place_and_counts_again() {
        let mut history = History::default();
        for operation in 1..=3 {
            history.add(record(operation, true, 10));
            history.settle(operation);
        }
        let bytes = history.bytes;
        let taken = history.take(&[1, 2, 9]);
        assert_eq!((taken.len(), history.len()), (2, 1));
        assert!(history.bytes < bytes);
        assert_eq!(history.restore(taken), [1, 2]);
        assert_eq!((numbers(&history), history.bytes), (vec![1, 2, 3], bytes));

        // The oldest go again when there is no room for them any more.
        let taken = history.take(&[1]);
        for operation in 4..4 + u64::from(OPERATIONS) {
            history.add(record(operation, true, 10));
        }
        assert_eq!(history.restore(taken), [1, 1]);
        assert!(history.get(1).is_none());
    }

    #[test]
    fn the_oldest_finished_operations_go_first_and_running_ones_stay() {
        let mut history = History::default();
        for number in 1..=600 {
            let dropped = history.add(record(number, number > 50, 10));
            let settled = history.settle(number);
            let gone = if number > 500 {
                vec![number - 450]
            } else {
                vec![]
            };
            assert_eq!([dropped, settled].concat(), gone);
        }
        assert_eq!(history.iter().count(), 500);
        assert!(history.get(1).is_some() && history.get(51).is_none());
        let mut taken = history.take(&numbers(&history));
        assert_eq!(taken.len(), 500);
        taken.retain(OperationRecord::finished);
        assert_eq!(taken.len(), 450);
        assert_eq!(history.bytes, 0);
    }

    #[test]
    fn pinned_runs_stay() {
        let mut history = History::default();
        for number in 1..=u64::from(OPERATIONS) {
            let mut record = record(number, true, 10);
            record.label.pinned = number == 1;
            assert!(history.add(record).is_empty());
        }
        assert_eq!(history.add(record(900, true, 10)), [2]);
        assert_eq!(history.oldest_droppable(Some(3)), Some(4));
        assert_eq!(numbers(&history)[0], 1);
    }

    #[test]
    fn messages_count_as_well() {
        let mut full = record(1, true, 7);
        for seq in 0..10 {
            full.messages.push(LoggedMessage {
                seq,
                at: 0,
                level: "info".to_owned(),
                logger: Some("l".to_owned()),
                text: "x".repeat(3_000),
                ambiguous: false,
            });
        }
        let own = size_of::<LoggedMessage>() as u64;
        assert_eq!(full.size(), 7 + 10 * (own + 3_005));
    }

    #[test]
    fn what_is_wrong_with_a_result_counts_as_well() {
        let mut damaged = record(1, true, 0);
        let blocks = vec!["{}"; 1_000].join(",");
        let result = format!(r#"{{"content":[{blocks}]}}"#);
        damaged.outcome = Some(super::super::summary::summarize(
            &result,
            ResultShape::Tool,
            false,
        ));
        assert!(damaged.size() > 200_000, "{}", damaged.size());
    }
}
