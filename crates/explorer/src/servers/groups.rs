//! Groups of servers in the list.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names a group. Opaque; never reused.
pub type ServerGroupId = String;

/// A group of servers in the list. Each server names its group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerGroup {
    /// Its id.
    pub id: ServerGroupId,
    /// Its name in the list. Need not be unique.
    pub name: String,
    /// The group's servers are hidden.
    #[serde(default)]
    pub collapsed: bool,
}
