//! Whether a tool works in a host.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether a tool works in a host. In the order of which says more: the last one of several holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// What is known of the host covers names and schemas, and nothing of it speaks against the tool.
    Works,
    /// Nothing speaks against it, but not enough is known.
    NotKnown,
    /// The host changes it, or leaves something of it out.
    Degraded,
    /// The host refuses it, as far as is known: nobody has it at first hand, or reports contradict each other.
    MayFail,
    /// The host refuses it.
    Fails,
}
