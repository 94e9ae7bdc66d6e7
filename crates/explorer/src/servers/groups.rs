//! Groups of servers in the list.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names a group. Opaque; never reused.
pub type ServerGroupId = String;

/// A group of servers in the list. Which servers are in it, they say themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerGroup {
    /// Names it.
    pub id: ServerGroupId,
    /// Its name in the list. Need not be unique.
    pub name: String,
    /// Its servers are not on show.
    #[serde(default)]
    pub collapsed: bool,
}
