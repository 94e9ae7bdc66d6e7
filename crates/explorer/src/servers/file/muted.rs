//! Muted rules, as version 1 of an entry has them.

use serde::{Deserialize, Serialize};

use crate::servers::MutedRule;

/// A rule whose findings do not count.
#[derive(Serialize, Deserialize)]
pub(super) struct Muted {
    rule: String,
    #[serde(default)]
    reason: String,
}

impl From<Muted> for MutedRule {
    fn from(Muted { rule, reason }: Muted) -> Self {
        Self { rule, reason }
    }
}

impl From<MutedRule> for Muted {
    fn from(MutedRule { rule, reason }: MutedRule) -> Self {
        Self { rule, reason }
    }
}
