//! Commands of the user and events of the sessions that change the task list.

use sonde_mcp::TaskListEvent;

use crate::{Error, Explorer, changes::Change, clock, core::Core, log::WireLog, servers::ServerId};

impl Explorer {
    /// Reads the list of a server's tasks; the list says what comes of it. Nothing happens where the server has
    /// none.
    ///
    /// # Errors
    /// `NotConnected`, `NoServer`.
    pub async fn list_tasks(&self, server: ServerId) -> Result<(), Error> {
        let (handle, _) = self.core.ready(&server)?;
        let supported = self.core.state(|state| {
            state
                .sessions
                .get(&server)
                .map(|one| one.task_list.supported)
        });
        if supported != Some(true) {
            return Ok(());
        }
        handle.list_tasks().await.map_err(|_| Error::NotConnected)
    }
}

/// Brings the list up to date with what a session reports.
pub(crate) fn apply(core: &Core, server: &str, event: TaskListEvent, log: &WireLog) {
    let now = clock::millis();
    let changed = core.state(|state| {
        let session = state.sessions.get_mut(server);
        session.is_some_and(|session| session.task_list.take(event, log, now))
    });
    if changed {
        core.observer
            .changes_often(Change::TaskList(server.to_owned()));
    }
}
