//! Tasks: requests whose result comes later.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// States of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Running.
    Working,
    /// Waiting for input from the user.
    InputRequired,
    /// Over, with a result.
    Completed,
    /// Over, with an error.
    Failed,
    /// Cancelled.
    Cancelled,
    /// A status that the specification does not have.
    #[default]
    Unknown,
}

impl TaskStatus {
    /// Returns the status of this name.
    pub(crate) fn parse(name: &str) -> Self {
        use TaskStatus::{Cancelled, Completed, Failed, InputRequired, Working};
        let mut all = [Working, InputRequired, Completed, Failed, Cancelled].into_iter();
        all.find(|status| status.as_str() == name)
            .unwrap_or_default()
    }

    /// Its name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Working => "working",
            TaskStatus::InputRequired => "input_required",
            TaskStatus::Completed => "completed",
            TaskStatus::Failed => "failed",
            TaskStatus::Cancelled => "cancelled",
            TaskStatus::Unknown => "unknown",
        }
    }

    /// Returns true for a status that no other follows.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled
        )
    }
}

/// A task as its server describes it, in either way of the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id, at most 4 KiB.
    pub id: String,
    /// Its status.
    pub status: TaskStatus,
    /// `statusMessage`, at most 1,000 characters.
    pub message: Option<String>,
    /// `createdAt` as received, at most 256 characters.
    pub created_at: Option<String>,
    /// `lastUpdatedAt` as received, at most 256 characters.
    pub last_updated_at: Option<String>,
    /// Lifetime in milliseconds from its creation; `None` if the server sets no limit, or gives none.
    pub ttl: Option<u64>,
    /// Pause between two status requests that the server suggests, in milliseconds.
    pub poll_interval: Option<u64>,
}

impl Task {
    /// Returns the size of its texts, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let texts = [&self.message, &self.created_at, &self.last_updated_at];
        self.id.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
    }
}

/// A task that was created in an earlier session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierTask {
    /// Its id.
    pub id: String,
    /// The method of the request that became a task.
    pub method: String,
}

/// The tasks that a server lists (2025-11-25, `tasks/list`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskListing {
    /// In the server's order, at most 1,000.
    pub tasks: Vec<Task>,
    /// Number of unreadable entries in the list.
    pub unreadable: usize,
    /// Reason why there may be more: a phrase without its full stop.
    pub partial: Option<String>,
}

/// Events of the list of a server's tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskListEvent {
    /// A reading began.
    Loading,
    /// It was read.
    Listed(TaskListing),
    /// It could not be read: one plain sentence.
    Failed(String),
    /// The server reported the status of a task that belongs to no running operation.
    Told(Task),
}

impl TaskListEvent {
    /// Returns the size of the server's texts, in bytes.
    pub(crate) fn weight(&self) -> usize {
        match self {
            TaskListEvent::Listed(listing) => listing.tasks.iter().map(Task::weight).sum(),
            TaskListEvent::Told(task) => task.weight(),
            TaskListEvent::Failed(message) => message.len(),
            TaskListEvent::Loading => 0,
        }
    }
}

/// Sources of a task's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TaskSource {
    /// The response that created the task.
    Created,
    /// A status request (`tasks/get`).
    Polled,
    /// A notification of the server.
    Notified,
    /// The response to `tasks/cancel`.
    Cancelled,
    /// Derived from the response to `tasks/result`, which comes once the task is over.
    Result,
}

/// Current steps of Sonde for a running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Waits this long, from now, before the next status request.
    Wait(Duration),
    /// A status request is in flight.
    Asking,
    /// The task is over, and its result is being requested.
    FetchingResult,
}
