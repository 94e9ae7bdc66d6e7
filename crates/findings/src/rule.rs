//! One rule.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Spec;

/// Severity of breaking a rule.
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

/// Certainty of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The received data proves the finding.
    Fact,
    /// The finding is likely. A heuristic is never an error, and makes nothing fail.
    Heuristic,
}

/// Subject of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuleGroup {
    /// The specification of the protocol, and its foundations.
    Spec,
    /// Hosts, the applications that use servers: their demands beyond the specification.
    Hosts,
    /// Cost of a server's definitions for a model, in tokens.
    Cost,
    /// Clarity of the definitions for a model.
    Clarity,
    /// Trust of users in the definitions.
    Trust,
    /// Limits of Sonde: the data or work was too much to read, keep or do.
    Limits,
}

impl RuleGroup {
    /// Returns the name for tables.
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

/// The protocol versions that a rule applies to, by their names on the wire. Both ends are
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revisions {
    /// The first version; `None` for the oldest.
    pub since: Option<&'static str>,
    /// The last version; `None` for the newest.
    pub until: Option<&'static str>,
}

impl Revisions {
    /// Returns true if the protocol version of this name is within them.
    #[must_use]
    pub fn include(&self, revision: &str) -> bool {
        // The names are dates, so they sort by time.
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
    /// Subject of the rule.
    pub group: RuleGroup,
    /// Severity of breaking it.
    pub severity: Severity,
    /// Certainty of its findings.
    pub certainty: Certainty,
    /// Protocol versions that it applies to.
    pub revisions: Revisions,
    /// The fault, in plain sentences; `{name}` stands for the finding's value of that name.
    pub text: &'static str,
    /// The harm of the fault, in a plain sentence.
    pub why: &'static str,
    /// Advice for the author of the server, in a plain sentence.
    pub fix: &'static str,
    /// Section of the specification that it follows; `None` if no specification demands it.
    pub spec: Option<Spec>,
}

impl Rule {
    /// Returns true if it applies in the protocol version of this name.
    #[must_use]
    pub fn applies_in(&self, revision: &str) -> bool {
        self.revisions.include(revision)
    }

    /// Returns the fault, with an ellipsis for the values of a case.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut parts = self.text.split('{');
        let mut summary = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            summary.push('…');
            summary.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
        }
        // An ellipsis already ends the sentence.
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
