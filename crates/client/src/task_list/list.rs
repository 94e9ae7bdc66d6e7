//! State of a server's task list.

use serde::{Deserialize, Serialize};
use sonde_mcp::{Task, TaskListEvent};
use ts_rs::TS;

use crate::{
    limits::{MESSAGE, NAME, redact_and_cut},
    log::WireLog,
    operations::TaskStatus,
};

/// A task of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListedTask {
    /// `taskId`, at most 4 KiB.
    pub id: String,
    /// Status of the task.
    pub status: TaskStatus,
    /// `statusMessage`, at most 1,000 characters.
    pub message: Option<String>,
    /// `createdAt` as received, at most 256 characters.
    pub created_at: Option<String>,
    /// `lastUpdatedAt` as received, at most 256 characters.
    pub updated_at: Option<String>,
    /// Lifetime after its creation, in milliseconds; `None` if the server gives none, or sets no limit.
    pub ttl: Option<u64>,
}

impl ListedTask {
    fn new(task: &Task, log: &WireLog) -> Self {
        let shown = |text: &Option<String>, longest| {
            let text = text.as_deref();
            text.map(|text| redact_and_cut(text, longest, log))
        };
        Self {
            id: redact_and_cut(&task.id, sonde_mcp::limits::TASK_ID, log),
            status: task.status,
            message: shown(&task.message, MESSAGE),
            created_at: shown(&task.created_at, NAME),
            updated_at: shown(&task.last_updated_at, NAME),
            ttl: task.ttl,
        }
    }
}

/// State of a server's task list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskList {
    /// The server declares that it lists its tasks.
    pub supported: bool,
    /// The list is being read.
    pub loading: bool,
    /// Time of reading, in milliseconds since the Unix epoch; `None` before the first reading of a connection.
    pub read_at: Option<u64>,
    /// Reason why the last reading failed: one plain sentence.
    pub error: Option<String>,
    /// Reason why there may be more tasks: a phrase without its full stop.
    pub partial: Option<String>,
    /// Number of unreadable entries.
    pub unreadable: u32,
    /// In the server's order, at most 1,000; together they have at most 512 KiB.
    pub tasks: Vec<ListedTask>,
}

impl TaskList {
    /// Begins a connection; tasks that an earlier one listed may be gone.
    pub(crate) fn begin(&mut self, supported: bool) {
        *self = Self {
            supported,
            ..Self::default()
        };
    }

    /// Ends the connection: no reading is under way.
    pub(crate) fn end(&mut self) {
        self.loading = false;
    }

    /// Applies an event of the session. Returns true if it changed anything.
    pub(super) fn take(&mut self, event: TaskListEvent, log: &WireLog, now: u64) -> bool {
        match event {
            TaskListEvent::Loading => {
                self.loading = true;
                self.error = None;
            }
            TaskListEvent::Failed(why) => {
                self.loading = false;
                self.error = Some(redact_and_cut(&why, MESSAGE, log));
            }
            TaskListEvent::Listed(listing) => {
                let tasks = listing.tasks.iter();
                *self = Self {
                    supported: self.supported,
                    loading: false,
                    read_at: Some(now),
                    error: None,
                    partial: listing
                        .partial
                        .map(|text| redact_and_cut(&text, MESSAGE, log)),
                    unreadable: u32::try_from(listing.unreadable).unwrap_or(u32::MAX),
                    tasks: tasks.map(|task| ListedTask::new(task, log)).collect(),
                };
            }
            TaskListEvent::Told(task) => {
                let told = ListedTask::new(&task, log);
                let Some(known) = self.tasks.iter_mut().find(|one| one.id == told.id) else {
                    return false;
                };
                *known = told;
            }
        }
        true
    }
}
