//! The task of an operation.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Era, Task, TaskSource, TaskStatus};
use ts_rs::TS;

use crate::{
    limits::{MESSAGE, NAME, redact_and_cut},
    log::WireLog,
    text::sentence,
};

/// Limit of status changes kept per task.
pub const TASK_CHANGES: usize = 50;

/// Current activity of Sonde for a running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TaskStep {
    /// Waiting to ask for its status.
    Wait {
        /// Milliseconds since the Unix epoch.
        at: u64,
    },
    /// Asking for its status.
    Asking,
    /// The task has ended; asking for its result.
    FetchingResult,
}

/// A change of the status or of its message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskChange {
    /// Time at which it became known, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The status from then on.
    pub status: TaskStatus,
    /// Its message, at most 1,000 characters.
    #[serde(default)]
    pub message: Option<String>,
    /// Source of the change.
    pub source: TaskSource,
}

/// The task of an operation: its result comes later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskRun {
    /// `taskId`, at most 4 KiB.
    pub id: String,
    /// Last known status.
    pub status: TaskStatus,
    /// `statusMessage`, at most 1,000 characters.
    pub message: Option<String>,
    /// `createdAt` as received, at most 256 characters.
    pub created_at: Option<String>,
    /// Time at which it became known, in milliseconds since the Unix epoch.
    pub since: u64,
    /// Time for which the server keeps it after `since`, in milliseconds; `None` if the server gives none, or sets no
    /// limit.
    pub ttl: Option<u64>,
    /// Pause that the server suggests between requests for the status, in milliseconds.
    #[serde(default)]
    pub poll_interval: Option<u64>,
    /// Current activity; `None` once its run is over.
    #[serde(default)]
    pub step: Option<TaskStep>,
    /// Number of statuses that the server sent.
    #[serde(default)]
    pub told: u64,
    /// Reason why the server did not cancel it, as one plain sentence.
    #[serde(default)]
    pub cancel_failed: Option<String>,
    /// Number of times that a later connection resumed it.
    #[serde(default)]
    pub resumed: u32,
    /// Way of the protocol in which it was created; `None` if its file does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub era: Option<Era>,
    /// The changes of its status, the last 50, oldest first.
    #[serde(default)]
    pub changes: Vec<TaskChange>,
}

impl TaskRun {
    /// A task that has just become known.
    pub fn new(id: String, era: Option<Era>, now: u64) -> Self {
        Self {
            era,
            id,
            since: now,
            ..Self::default()
        }
    }

    /// Returns the part that outlives its run: all but the current activity, with the last 50 changes.
    #[must_use]
    pub fn at_rest(&self) -> Self {
        let older = self.changes.len().saturating_sub(TASK_CHANGES);
        Self {
            status: self.status,
            message: self.message.clone(),
            created_at: self.created_at.clone(),
            ttl: self.ttl,
            changes: self.changes.iter().skip(older).cloned().collect(),
            ..Self::new(self.id.clone(), self.era, self.since)
        }
    }

    /// Takes a status that the server sent. True if it differs from the last one.
    pub(super) fn update_status(
        &mut self,
        task: &Task,
        source: TaskSource,
        log: &WireLog,
        now: u64,
    ) -> bool {
        let hidden = |text: &String| redact_and_cut(text, MESSAGE, log);
        let before = (self.told > 0).then_some(self.status);
        self.status = task.status;
        self.message = task.message.as_ref().map(hidden);
        self.created_at = task
            .created_at
            .as_ref()
            .map(|text| redact_and_cut(text, NAME, log));
        self.ttl = task.ttl;
        self.poll_interval = task.poll_interval;
        self.told += 1;
        let last = self.changes.last();
        let other = before != Some(self.status);
        if last.is_some_and(|last| (last.status, &last.message) == (self.status, &self.message)) {
            return other;
        }
        if self.changes.len() == TASK_CHANGES {
            self.changes.remove(0);
        }
        self.changes.push(TaskChange {
            at: now,
            status: self.status,
            message: self.message.clone(),
            source,
        });
        other
    }

    /// Time until which the server keeps it, in milliseconds since the Unix epoch; `None` if the server gives none, or
    /// sets no limit.
    #[must_use]
    pub fn expires_at(&self) -> Option<u64> {
        Some(self.since.saturating_add(self.ttl?))
    }

    /// Explains in one plain sentence why the server does not know it at this time.
    pub(super) fn why_unknown(&self, now: u64) -> &'static str {
        match self.expires_at() {
            Some(at) if at <= now => "The task has expired: the server no longer has it.",
            _ => "The server no longer knows the task.",
        }
    }

    /// The server refused to cancel it.
    pub(super) fn not_cancelled(&mut self, why: &str, log: &WireLog) {
        self.cancel_failed = Some(redact_and_cut(&sentence(why), MESSAGE, log));
    }

    /// Returns its memory, in bytes.
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
