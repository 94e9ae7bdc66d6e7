//! A finding as the window receives it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Certainty, Finding, Location, RuleGroup, Severity, Spec};

/// A finding, ready for display. Built in one place, so that a rule reads the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FindingView {
    /// The id of the rule, in kebab-case.
    pub rule: String,
    /// Subject of the rule.
    pub group: RuleGroup,
    /// Severity of breaking the rule.
    pub severity: Severity,
    /// Certainty of the finding.
    pub certainty: Certainty,
    /// The fault, in plain sentences.
    pub message: String,
    /// The harm of the fault, in a plain sentence.
    pub why: String,
    /// Advice for the author of the server, in a plain sentence.
    pub fix: String,
    /// Protocol versions that the rule applies to; `None` for all.
    pub revisions: Option<String>,
    /// The place, as the window shows it: a JSON Pointer or the name of a header.
    pub location: Option<String>,
    /// Section of the specification that the rule follows.
    pub spec: Option<SpecLink>,
}

/// A section of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpecLink {
    /// Name of the section.
    pub name: String,
    /// Address of the section.
    pub url: String,
}

impl SpecLink {
    /// Returns the section in the protocol version of the session, if that version has it.
    #[must_use]
    pub fn in_revision(spec: Spec, revision: &str) -> Self {
        Self {
            name: spec.section.to_owned(),
            url: spec.url_in(revision),
        }
    }
}

impl From<Spec> for SpecLink {
    fn from(spec: Spec) -> Self {
        Self {
            name: spec.section.to_owned(),
            url: spec.url(),
        }
    }
}

impl FindingView {
    /// Moves the locations of findings from a part to its whole; `part` is the JSON Pointer of the part.
    pub fn locate_in(part: &str, findings: &mut [FindingView]) {
        for finding in findings {
            match &mut finding.location {
                None => finding.location = Some(part.to_owned()),
                Some(location) if location.starts_with('/') => location.insert_str(0, part),
                Some(_) => {}
            }
        }
    }

    /// Returns its size in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let spec = self.spec.as_ref();
        size_of::<Self>()
            + self.rule.len()
            + self.message.len()
            + self.why.len()
            + self.fix.len()
            + self.revisions.as_ref().map_or(0, String::len)
            + self.location.as_ref().map_or(0, String::len)
            + spec.map_or(0, |spec| spec.name.len() + spec.url.len())
    }
}

impl From<&Finding> for FindingView {
    fn from(finding: &Finding) -> Self {
        FindingView {
            rule: finding.id().to_owned(),
            group: finding.rule.group,
            severity: finding.severity(),
            certainty: finding.rule.certainty,
            message: finding.message(),
            why: finding.rule.why.to_owned(),
            fix: finding.rule.fix.to_owned(),
            revisions: {
                let revisions = finding.rule.revisions;
                let bounded = revisions.since.is_some() || revisions.until.is_some();
                bounded.then(|| revisions.to_string())
            },
            location: match &finding.location {
                Location::Whole => None,
                Location::Pointer(pointer) => Some(pointer.clone()),
                Location::Header(name) => Some((*name).to_owned()),
            },
            spec: finding.rule.spec.map(Into::into),
        }
    }
}
