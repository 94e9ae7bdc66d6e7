//! One rule.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Spec;

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is broken.
    Info,
    /// Breaks a SHOULD, or works only because Sonde is lenient.
    Warning,
    /// Breaks a MUST or the schema of the specification.
    Error,
}

/// A rule that a server can break. Rules are statics of [`crate::rules`].
pub struct Rule {
    /// A stable name in kebab-case, unique among all rules.
    pub id: &'static str,
    /// How bad it is to break it.
    pub severity: Severity,
    /// Plain sentences; `{name}` stands for the finding's value of that name.
    pub text: &'static str,
    /// Where the specification says so; `None` where no specification does.
    pub spec: Option<Spec>,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.id).finish()
    }
}
