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

/// How sure it is that a rule is broken where it is found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// What was received shows it.
    Fact,
    /// It is likely. A heuristic is never an error, and makes nothing fail.
    Heuristic,
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuleGroup {
    /// The specification of the protocol, and what it builds on.
    Spec,
    /// What hosts, the applications that use servers, accept beside the specification.
    Hosts,
    /// What the definitions of a server cost a model in tokens.
    Cost,
    /// Whether a model can tell from the definitions what to do.
    Clarity,
    /// Whether users can trust the definitions.
    Trust,
    /// What Sonde bounds: what it did not read, keep or do because it was too much.
    Limits,
}

impl RuleGroup {
    /// The name, as it stands in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RuleGroup::Spec => "spec",
            RuleGroup::Hosts => "hosts",
            RuleGroup::Cost => "cost",
            RuleGroup::Clarity => "clarity",
            RuleGroup::Trust => "trust",
            RuleGroup::Limits => "limits",
        }
    }
}

/// The revisions of the protocol that a rule applies to, by their names on the wire. Both ends are
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revisions {
    /// The first one; `None` for the oldest.
    pub since: Option<&'static str>,
    /// The last one; `None` for the newest.
    pub until: Option<&'static str>,
}

impl Revisions {
    /// Whether the revision of this name is one of them.
    #[must_use]
    pub fn include(&self, revision: &str) -> bool {
        // The names are dates, so their order is that of time.
        self.since.is_none_or(|since| since <= revision)
            && self.until.is_none_or(|until| revision <= until)
    }
}

impl fmt::Display for Revisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.since, self.until) {
            (None, None) => f.write_str("all"),
            (Some(since), None) => write!(f, "from {since}"),
            (None, Some(until)) => write!(f, "to {until}"),
            (Some(since), Some(until)) if since == until => f.write_str(since),
            (Some(since), Some(until)) => write!(f, "{since} to {until}"),
        }
    }
}

/// A rule that a server can break. Rules are statics of [`crate::rules`].
pub struct Rule {
    /// A stable name in kebab-case, unique among all rules.
    pub id: &'static str,
    /// What it is about.
    pub group: RuleGroup,
    /// How bad it is to break it.
    pub severity: Severity,
    /// How sure a finding of it is.
    pub certainty: Certainty,
    /// Where it applies.
    pub revisions: Revisions,
    /// What is wrong, in plain sentences; `{name}` stands for the finding's value of that name.
    pub text: &'static str,
    /// Why it matters, in a plain sentence.
    pub why: &'static str,
    /// What the author of the server can do about it, in a plain sentence.
    pub fix: &'static str,
    /// Where the specification says so; `None` where no specification does.
    pub spec: Option<Spec>,
}

impl Rule {
    /// Whether it applies in the revision of this name.
    #[must_use]
    pub fn applies_in(&self, revision: &str) -> bool {
        self.revisions.include(revision)
    }

    /// What is wrong, with an ellipsis for what differs from case to case.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut parts = self.text.split('{');
        let mut summary = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            summary.push('…');
            summary.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
        }
        // An ellipsis ends a sentence by itself.
        if summary.ends_with("….") {
            summary.pop();
        }
        summary
    }
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

#[cfg(test)]
mod tests {
    use super::Revisions;
    use crate::rules;

    #[test]
    fn a_summary_has_an_ellipsis_for_each_value() {
        for (rule, summary) in [
            (&rules::BAD_JSONRPC, "The member `jsonrpc` is not \"2.0\"."),
            (
                &rules::BAD_ID,
                "The `id` is …; it must be a string or an integer.",
            ),
            (
                &rules::DIFFERENT_SIZE,
                "The … says … bytes, and reading gave …",
            ),
        ] {
            assert_eq!(rule.summary(), summary);
        }
    }

    #[test]
    fn both_ends_of_a_range_are_in_it() {
        let all = ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"];
        for (since, until, included, shown) in [
            (None, None, [true, true, true, true], "all"),
            (
                Some(all[1]),
                None,
                [false, true, true, true],
                "from 2025-06-18",
            ),
            (
                None,
                Some(all[2]),
                [true, true, true, false],
                "to 2025-11-25",
            ),
            (
                Some(all[1]),
                Some(all[1]),
                [false, true, false, false],
                "2025-06-18",
            ),
            (
                Some(all[1]),
                Some(all[2]),
                [false, true, true, false],
                "2025-06-18 to 2025-11-25",
            ),
        ] {
            let revisions = Revisions { since, until };
            assert_eq!(all.map(|one| revisions.include(one)), included, "{shown}");
            assert_eq!(revisions.to_string(), shown);
        }
    }
}
