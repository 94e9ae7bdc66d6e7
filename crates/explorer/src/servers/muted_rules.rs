//! Rules whose findings about a server do not count.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Characters of the reason.
const REASON: usize = 500;

/// A rule whose findings about a server neither count nor mark it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MutedRule {
    /// The id of the rule. A later version of Sonde may not know it any more.
    pub rule: String,
    /// Reason, in the words of the user.
    #[serde(default)]
    pub reason: String,
}

impl MutedRule {
    /// A rule with the reason, of which at most 500 characters are kept.
    pub(crate) fn new(rule: &str, reason: &str) -> Self {
        Self {
            rule: rule.to_owned(),
            reason: crate::text::cut(reason.trim(), REASON),
        }
    }
}
