//! The tasks that a server lists (2025-11-25). Those of runs are with their operations.

mod list;

pub use self::list::{ListedTask, TaskList};

use sonde_mcp::TaskListEvent;

use crate::{Connection, Error, changes::Change, clock, core::Core, log::WireLog};

impl Connection {
    /// Reads the list of a server's tasks; the list says what comes of it. Nothing happens where the server has
    /// none.
    ///
    /// # Errors
    /// `NotConnected`, `NoServer`.
    pub async fn list_tasks(&self) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        let supported = self.core.state(|state| state.session.task_list.supported);
        if !supported {
            return Ok(());
        }
        handle.list_tasks().await.map_err(|_| Error::NotConnected)
    }
}

/// Brings the list up to date with what a session reports.
pub(crate) fn apply(core: &Core, event: TaskListEvent, log: &WireLog) {
    let now = clock::millis();
    let changed = core.state(|state| state.session.task_list.take(event, log, now));
    if changed {
        core.owner.changes_often(Change::TaskList);
    }
}
