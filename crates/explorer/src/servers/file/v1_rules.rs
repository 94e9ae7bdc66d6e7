//! The rules for requests of a server in version 1 of an entry of the file.

use serde::{Deserialize, Serialize};

use crate::servers;

/// Rules for automatic replies to a server's requests.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Rules {
    form: Rule,
    page: Rule,
    sampling: Rule,
    roots: RootsRule,
}

impl Rules {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Rule {
    action: RuleAction,
    delay_seconds: u32,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum RuleAction {
    #[default]
    Ask,
    Decline,
    Cancel,
    Saved {
        input: String,
    },
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct RootsRule {
    refuse: bool,
    delay_seconds: u32,
}

impl From<Rules> for servers::RequestRules {
    fn from(rules: Rules) -> Self {
        let rule = |rule: Rule| servers::RequestRule {
            action: match rule.action {
                RuleAction::Ask => servers::RuleAction::Ask,
                RuleAction::Decline => servers::RuleAction::Decline,
                RuleAction::Cancel => servers::RuleAction::Cancel,
                RuleAction::Saved { input } => servers::RuleAction::Saved { input },
            },
            delay_seconds: rule.delay_seconds,
        };
        Self {
            form: rule(rules.form),
            page: rule(rules.page),
            sampling: rule(rules.sampling),
            roots: servers::RootsRule {
                refuse: rules.roots.refuse,
                delay_seconds: rules.roots.delay_seconds,
            },
        }
    }
}

impl From<servers::RequestRules> for Rules {
    fn from(rules: servers::RequestRules) -> Self {
        let rule = |rule: servers::RequestRule| Rule {
            action: match rule.action {
                servers::RuleAction::Ask => RuleAction::Ask,
                servers::RuleAction::Decline => RuleAction::Decline,
                servers::RuleAction::Cancel => RuleAction::Cancel,
                servers::RuleAction::Saved { input } => RuleAction::Saved { input },
            },
            delay_seconds: rule.delay_seconds,
        };
        Self {
            form: rule(rules.form),
            page: rule(rules.page),
            sampling: rule(rules.sampling),
            roots: RootsRule {
                refuse: rules.roots.refuse,
                delay_seconds: rules.roots.delay_seconds,
            },
        }
    }
}
