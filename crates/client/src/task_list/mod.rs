//! The tasks that a server lists (2025-11-25). Tasks of runs are kept with their operations.

mod list;

pub use self::list::{ListedTask, TaskList};

use sonde_mcp::TaskListEvent;

use crate::{Connection, Error, changes::Change, clock, core::Core, log::WireLog};

impl Connection {
    /// Reads the list of a server's tasks; the result is in the list's state. Does nothing if the server has no such
    /// list.
    ///
    /// # Errors
    /// `NotConnected`, `NoServer`.
    pub async fn list_tasks(&self) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        let supported = self.core.state(|state| state.session.task_list.supported);
        if !supported {
            return Ok(());
        }
        Ok(handle.list_tasks().await?)
    }
}

/// Applies an event of the session to the list.
pub(crate) fn apply(core: &Core, event: TaskListEvent, log: &WireLog) {
    let now = clock::millis();
    let changed = core.state(|state| state.session.task_list.take(event, log, now));
    if changed {
        core.owner.changes_often(Change::TaskList);
    }
}
