//! Tasks: requests whose result comes later.

use std::time::Duration;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl TaskStatus {
    /// The status of that name.
    pub(crate) fn parse(name: &str) -> Self {
        match name {
            "working" => TaskStatus::Working,
            "input_required" => TaskStatus::InputRequired,
            "completed" => TaskStatus::Completed,
            "failed" => TaskStatus::Failed,
            "cancelled" => TaskStatus::Cancelled,
            _ => TaskStatus::Unknown,
        }
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

    /// Whether nothing follows it.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        matches!(
            self,
            TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled
        )
    }
}

/// A task as its server describes it, in either way of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id, at most 4 KiB.
    pub id: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// `statusMessage`, at most 1,000 characters.
    pub message: Option<String>,
    /// `createdAt` as received, at most 256 characters.
    pub created_at: Option<String>,
    /// `lastUpdatedAt` as received, at most 256 characters.
    pub last_updated_at: Option<String>,
    /// How long the server keeps it, in milliseconds from its creation; `None` without a limit, and where
    /// the server does not say.
    pub ttl: Option<u64>,
    /// How long the server suggests to wait before its status is asked for again, in milliseconds.
    pub poll_interval: Option<u64>,
}

impl Task {
    /// What a server wrote of it, in bytes.
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
    /// How many entries of the list could not be read.
    pub unreadable: usize,
    /// Why there may be more: a phrase without its full stop.
    pub partial: Option<String>,
}

/// What happens to the list of a server's tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskListEvent {
    /// It is being read.
    Loading,
    /// It was read.
    Listed(TaskListing),
    /// It could not be read: one plain sentence.
    Failed(String),
    /// The server told the status of a task that belongs to no running operation.
    Told(Task),
}

impl TaskListEvent {
    /// What a server wrote of it, in bytes.
    pub(crate) fn weight(&self) -> usize {
        match self {
            TaskListEvent::Listed(listing) => listing.tasks.iter().map(Task::weight).sum(),
            TaskListEvent::Told(task) => task.weight(),
            TaskListEvent::Failed(message) => message.len(),
            TaskListEvent::Loading => 0,
        }
    }
}

/// How a status of a task became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskSource {
    /// The server answered the request with the task.
    Created,
    /// It was asked for (`tasks/get`).
    Polled,
    /// The server told it by itself.
    Notified,
    /// It was the answer to `tasks/cancel`.
    Cancelled,
    /// It follows from the answer to `tasks/result`, which comes once the task is over.
    Result,
}

/// What is done about a running task at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStep {
    /// Its status is asked for after this time, from now.
    Wait(Duration),
    /// Its status is being asked for.
    Asking,
    /// It is over, and its result is being asked for.
    FetchingResult,
}
