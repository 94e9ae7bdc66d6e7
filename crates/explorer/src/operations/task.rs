//! What is known of the task of an operation.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Era, Task};
use ts_rs::TS;

use crate::{
    limits::{MESSAGE, NAME, shown},
    log::WireLog,
    text::sentence,
};

/// How many changes of the status are kept.
pub(super) const HISTORY: usize = 50;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// The server waits for an answer of the user.
    InputRequired,
    /// Over, with a result.
    Completed,
    /// Over, with an error.
    Failed,
    /// Over, because it was cancelled.
    Cancelled,
    /// A word that the specification does not have.
    Unknown,
}

crate::files::same_variants!(TaskStatus, sonde_mcp::TaskStatus: Working, InputRequired, Completed, Failed,
    Cancelled, Unknown);

/// How a status became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskSource {
    /// The server answered the request with the task.
    Created,
    /// It was asked for.
    Polled,
    /// The server told it by itself.
    Notified,
    /// It was the answer to the cancellation.
    Cancelled,
    /// It follows from the result, which comes once the task is over.
    Result,
}

crate::files::same_variants!(TaskSource, sonde_mcp::TaskSource: Created, Polled, Notified, Cancelled, Result);

/// What is done about a running task at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TaskStep {
    /// Its status is asked for at this time.
    Wait {
        /// Milliseconds since the Unix epoch.
        at: u64,
    },
    /// Its status is being asked for.
    Asking,
    /// It is over, and its result is being asked for.
    FetchingResult,
}

/// A change of the status or of its message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskChange {
    /// When it became known, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The status from then on.
    pub status: TaskStatus,
    /// Its message, at most 1,000 characters.
    pub message: Option<String>,
    /// How it became known.
    pub source: TaskSource,
}

/// The task of an operation: its result comes later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskRun {
    /// `taskId`, at most 4 KiB.
    pub id: String,
    /// Where it stands, as far as is known.
    pub status: TaskStatus,
    /// `statusMessage`, at most 1,000 characters.
    pub message: Option<String>,
    /// `createdAt` as received, at most 256 characters.
    pub created_at: Option<String>,
    /// When it became known, in milliseconds since the Unix epoch.
    pub since: u64,
    /// How long the server keeps it from then on, in milliseconds; `None` where it does not say, and without
    /// a limit.
    pub ttl: Option<u64>,
    /// How long the server suggests to wait before its status is asked for again, in milliseconds.
    pub poll_interval: Option<u64>,
    /// What is done about it at present; `None` once its run is over.
    pub step: Option<TaskStep>,
    /// How often its status was told.
    pub told: u64,
    /// Why the server did not cancel it: one plain sentence.
    pub cancel_failed: Option<String>,
    /// How often it was resumed: a connection ended while it ran, and the next one asked for it.
    pub resumed: u32,
    /// Which way of the protocol it was created in; `None` where its file does not say.
    #[serde(skip)]
    #[ts(skip)]
    pub era: Option<Era>,
    /// The changes of its status, the last 50, oldest first.
    pub changes: Vec<TaskChange>,
}

impl TaskRun {
    /// A task that has just become known.
    pub(super) fn new(id: String, era: Option<Era>, now: u64) -> Self {
        Self {
            era,
            resumed: 0,
            id,
            status: TaskStatus::Unknown,
            message: None,
            created_at: None,
            since: now,
            ttl: None,
            poll_interval: None,
            step: None,
            told: 0,
            cancel_failed: None,
            changes: Vec::new(),
        }
    }

    /// Takes a status that the server told. Returns whether it is another one.
    pub(super) fn told(
        &mut self,
        task: &Task,
        source: sonde_mcp::TaskSource,
        log: &WireLog,
        now: u64,
    ) -> bool {
        let hidden = |text: &String| shown(text, MESSAGE, log);
        let before = (self.told > 0).then_some(self.status);
        self.status = task.status.into();
        self.message = task.message.as_ref().map(hidden);
        self.created_at = task.created_at.as_ref().map(|text| shown(text, NAME, log));
        self.ttl = task.ttl;
        self.poll_interval = task.poll_interval;
        self.told += 1;
        let last = self.changes.last();
        let other = before != Some(self.status);
        if last.is_some_and(|last| (last.status, &last.message) == (self.status, &self.message)) {
            return other;
        }
        if self.changes.len() == HISTORY {
            self.changes.remove(0);
        }
        self.changes.push(TaskChange {
            at: now,
            status: self.status,
            message: self.message.clone(),
            source: source.into(),
        });
        other
    }

    /// Until when the server keeps it, in milliseconds since the Unix epoch; `None` where it does not say, and
    /// without a limit.
    #[must_use]
    pub fn expires_at(&self) -> Option<u64> {
        Some(self.since.saturating_add(self.ttl?))
    }

    /// What it means that the server does not know it at this time, in one plain sentence.
    pub(super) fn gone(&self, now: u64) -> &'static str {
        match self.expires_at() {
            Some(at) if at <= now => "The task has expired: the server no longer has it.",
            _ => "The server no longer knows the task.",
        }
    }

    /// The server refused to cancel it.
    pub(super) fn not_cancelled(&mut self, why: &str, log: &WireLog) {
        self.cancel_failed = Some(shown(&sentence(why), MESSAGE, log));
    }

    /// What it takes in memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        let texts = [&self.message, &self.created_at, &self.cancel_failed];
        let changes = self
            .changes
            .iter()
            .map(|one| size_of::<TaskChange>() + one.message.as_ref().map_or(0, String::len));
        self.id.len()
            + texts.into_iter().flatten().map(String::len).sum::<usize>()
            + changes.sum::<usize>()
    }
}
