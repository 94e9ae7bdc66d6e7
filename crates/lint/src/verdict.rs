//! Verdict about a tool in a host.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Verdicts about a tool in a host, by ascending weight: the last of several applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The facts about the host cover names and schemas, and none speaks against the tool.
    Works,
    /// No fact speaks against the tool, but too little is known.
    NotKnown,
    /// The host changes the tool, or leaves out a part of it.
    Degraded,
    /// The host probably refuses the tool: there is no first-hand report, or reports contradict each other.
    MayFail,
    /// The host refuses the tool.
    Fails,
}
