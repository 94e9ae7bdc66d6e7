//! Rules whose findings about a server do not count.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Characters of the reason.
const REASON: usize = 500;

/// A rule whose findings about a server neither count nor mark it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MutedRule {
    /// Id of the rule. Later versions of Sonde may not have it.
    pub rule: String,
    /// The user's reason.
    #[serde(default)]
    pub reason: String,
}

impl MutedRule {
    /// Creates a muted rule; the reason is cut to 500 characters.
    pub(crate) fn new(rule: &str, reason: &str) -> Self {
        Self {
            rule: rule.to_owned(),
            reason: crate::text::cut(reason.trim(), REASON),
        }
    }
}
