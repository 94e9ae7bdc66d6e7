//! Verdict about a tool in a host.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Verdicts about a tool in a host, by ascending weight: the last of several holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The facts about the host cover names and schemas, and none is against the tool.
    Works,
    /// No fact is against the tool, but too little is known.
    NotKnown,
    /// The host changes it, or leaves something of it out.
    Degraded,
    /// The host probably refuses it: no first-hand report says so, or reports contradict each other.
    MayFail,
    /// The host refuses it.
    Fails,
}
