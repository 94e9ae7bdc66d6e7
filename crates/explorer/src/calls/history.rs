//! The calls that the app remembers.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::rate::Rate;
use crate::{
    ipc::{CallMessage, CallNumber, CallState, CallView, ServerId},
    ring::Ring,
    text::cut_bytes,
};

/// How many calls are kept.
const CALLS: usize = 500;
/// How many bytes of results, arguments and log messages are kept.
const BYTES: u64 = 256 * 1024 * 1024;
/// How many log messages are kept per call. The wire log has the others.
const MESSAGES: usize = 10_000;
/// How much of the arguments travels with a call, in bytes.
const ARGUMENTS: usize = 64 * 1024;

/// How a call was lost with its transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LostWith {
    /// It waited when the transport ended.
    End,
    /// It could not be written; a process that is gone shows itself like this first.
    BrokenPipe,
}

/// One call with what the window does not see of it at once.
#[derive(Debug)]
pub(crate) struct CallRecord {
    pub(crate) view: CallView,
    /// A `tools/call`: its result has the shape of a tool's.
    pub(super) of_tool: bool,
    /// Exactly as sent.
    pub(crate) arguments: Option<Arc<String>>,
    /// `result` as received.
    pub(crate) result: Option<Arc<RawValue>>,
    /// The `error` object as JSON text.
    pub(crate) error: Option<Arc<String>>,
    /// It was lost with its transport, so the end of that is the reason to show.
    pub(super) lost: Option<LostWith>,
    /// What the result must conform to.
    pub(crate) output_schema: Option<Arc<RawValue>>,
    pub(crate) messages: Ring<CallMessage>,
    pub(super) rate: Rate,
    /// Monotonic microseconds at which it began.
    pub(super) began: u64,
    /// Longest silence in milliseconds.
    pub(super) idle: u64,
}

/// What is called: a tool, or another method.
#[derive(Debug)]
pub(super) struct Called {
    pub(super) name: String,
    /// The tool's key in its list; `None` for another method.
    pub(super) key: Option<String>,
    pub(super) title: Option<String>,
    /// What the result must conform to.
    pub(super) output_schema: Option<Arc<RawValue>>,
}

impl Called {
    /// Another method than `tools/call`.
    pub(super) fn method(name: String) -> Self {
        Self {
            name,
            key: None,
            title: None,
            output_schema: None,
        }
    }
}

impl CallRecord {
    pub(super) fn new(
        call: CallNumber,
        server: ServerId,
        generation: u32,
        called: Called,
        arguments: Option<String>,
        (at, began): (u64, u64),
    ) -> Self {
        let of_tool = called.key.is_some();
        Self {
            view: CallView {
                call,
                server,
                generation,
                tool: called.name,
                key: called.key,
                title: called.title,
                arguments: arguments
                    .as_deref()
                    .map(|text| cut_bytes(text, ARGUMENTS).to_owned()),
                state: CallState::Queued,
                started_at: at,
                micros: None,
                rounds: 0,
                token_waits: 0,
                progress: None,
                deadline: None,
                messages: 0,
                last_message: None,
                outcome: None,
                answered_after_cancel: false,
                late: 0,
                request_seq: None,
                response_seq: None,
            },
            of_tool,
            arguments: arguments.map(Arc::new),
            result: None,
            error: None,
            lost: None,
            output_schema: called.output_schema,
            messages: Ring::new(MESSAGES),
            rate: Rate::default(),
            began,
            idle: 0,
        }
    }

    /// A sign of life at this time starts the idle clock again; it never runs past the hard limit.
    pub(super) fn lives(&mut self, now: u64) {
        if let Some(deadline) = &mut self.view.deadline {
            let idle_at = now.saturating_add(self.idle).min(deadline.hard_at);
            deadline.idle_at = deadline.idle_at.max(idle_at);
        }
    }

    fn finished(&self) -> bool {
        self.view.state == CallState::Finished
    }

    fn size(&self) -> u64 {
        let messages: usize = self.messages.iter().map(weight).sum();
        (messages
            + self.arguments.as_ref().map_or(0, |text| text.len())
            + self.result.as_ref().map_or(0, |raw| raw.get().len())
            + self.error.as_ref().map_or(0, |text| text.len())) as u64
    }
}

/// What a message takes in memory, in bytes.
fn weight(message: &CallMessage) -> usize {
    size_of::<CallMessage>()
        + message.level.len()
        + message.text.len()
        + message.logger.as_ref().map_or(0, String::len)
}

/// All remembered calls, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    calls: BTreeMap<CallNumber, CallRecord>,
    /// What finished calls hold, in bytes.
    sizes: HashMap<CallNumber, u64>,
    bytes: u64,
    last: CallNumber,
}

impl History {
    /// A number for the next call.
    pub(crate) fn next(&mut self) -> CallNumber {
        self.last += 1;
        self.last
    }

    pub(crate) fn get(&self, call: CallNumber) -> Option<&CallRecord> {
        self.calls.get(&call)
    }

    pub(crate) fn get_mut(&mut self, call: CallNumber) -> Option<&mut CallRecord> {
        self.calls.get_mut(&call)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &CallRecord> {
        self.calls.values()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut CallRecord> {
        self.calls.values_mut()
    }

    /// Adds a call and drops the oldest finished ones beyond the limits. Returns those.
    pub(crate) fn add(&mut self, record: CallRecord) -> Vec<CallNumber> {
        self.calls.insert(record.view.call, record);
        self.trim()
    }

    /// Counts a call that has just finished, and drops the oldest beyond the limits, but never this
    /// one. Returns what was dropped.
    pub(crate) fn settle(&mut self, call: CallNumber) -> Vec<CallNumber> {
        if let Some(record) = self.calls.get(&call) {
            let size = record.size();
            self.bytes = self.bytes + size - self.sizes.insert(call, size).unwrap_or(0);
        }
        self.trim_but(Some(call))
    }

    fn trim(&mut self) -> Vec<CallNumber> {
        self.trim_but(None)
    }

    fn trim_but(&mut self, keep: Option<CallNumber>) -> Vec<CallNumber> {
        let mut dropped = Vec::new();
        while self.calls.len() > CALLS || self.bytes > BYTES {
            let Some(oldest) = self
                .calls
                .values()
                .find(|one| one.finished() && Some(one.view.call) != keep)
                .map(|one| one.view.call)
            else {
                break;
            };
            self.remove(oldest);
            dropped.push(oldest);
        }
        dropped
    }

    pub(crate) fn remove(&mut self, call: CallNumber) -> Option<CallRecord> {
        self.bytes -= self.sizes.remove(&call).unwrap_or(0);
        self.calls.remove(&call)
    }

    /// Removes a server's calls, all or the finished ones, and returns their numbers.
    pub(crate) fn remove_of(&mut self, server: &str, running_too: bool) -> Vec<CallNumber> {
        let gone: Vec<_> = self
            .calls
            .values()
            .filter(|one| one.view.server == server && (running_too || one.finished()))
            .map(|one| one.view.call)
            .collect();
        for call in &gone {
            self.remove(*call);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(call: CallNumber, finished: bool, bytes: usize) -> CallRecord {
        let mut record = CallRecord::new(
            call,
            "s".to_owned(),
            1,
            Called::method("t".to_owned()),
            Some("x".repeat(bytes)),
            (0, 0),
        );
        if finished {
            record.view.state = CallState::Finished;
        }
        record
    }

    #[test]
    fn the_oldest_finished_calls_go_first_and_running_ones_stay() {
        let mut history = History::default();
        for number in 1..=600 {
            let call = history.next();
            assert_eq!(call, number);
            let dropped = history.add(record(call, number > 50, 10));
            let settled = history.settle(call);
            let gone = if number > 500 {
                vec![number - 450]
            } else {
                vec![]
            };
            assert_eq!([dropped, settled].concat(), gone);
        }
        assert_eq!(history.iter().count(), 500);
        assert!(history.get(1).is_some() && history.get(51).is_none());
        assert_eq!(history.remove_of("s", false).len(), 450);
        assert_eq!(history.remove_of("s", true).len(), 50);
        assert_eq!(history.bytes, 0);
    }

    #[test]
    fn bytes_are_bounded_but_the_newest_result_stays() {
        let mut history = History::default();
        let size = usize::try_from(BYTES).unwrap() / 4;
        for _ in 0..5 {
            let call = history.next();
            history.add(record(call, true, size));
            history.settle(call);
            history.settle(call);
        }
        let kept: Vec<_> = history.iter().map(|one| one.view.call).collect();
        assert_eq!(kept, [2, 3, 4, 5]);
        let call = history.next();
        history.add(record(call, true, size * 5));
        assert_eq!(history.settle(call), [2, 3, 4, 5]);
    }

    #[test]
    fn messages_count_as_well() {
        let mut full = record(1, true, 7);
        for seq in 0..10 {
            full.messages.push(CallMessage {
                seq,
                at: 0,
                level: "info".to_owned(),
                logger: Some("l".to_owned()),
                text: "x".repeat(3_000),
            });
        }
        let own = size_of::<CallMessage>() as u64;
        assert_eq!(full.size(), 7 + 10 * (own + 3_005));
    }

    #[test]
    fn arguments_in_the_view_are_bounded() {
        let record = record(1, false, 100_000);
        assert_eq!(record.view.arguments.unwrap().len(), ARGUMENTS);
        assert_eq!(record.arguments.unwrap().len(), 100_000);
    }
}
