//! Views of a server's tasks that cross to the window.

use serde::{Deserialize, Serialize};
use sonde_explorer::{servers::ServerId, sessions::Session, task_list::TaskList};
use ts_rs::TS;

/// The tasks that one server lists. Replaced whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TaskListView {
    /// The server.
    pub server: ServerId,
    /// The list.
    pub list: TaskList,
}

impl From<&Session> for TaskListView {
    fn from(session: &Session) -> Self {
        Self {
            server: session.server.clone(),
            list: session.task_list.clone(),
        }
    }
}
