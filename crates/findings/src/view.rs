//! A finding as it crosses to the window.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Finding, Location, Severity};

/// A finding, ready to be shown. Made in one place, so that the same rule reads the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FindingView {
    /// The id of the rule, in kebab-case.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// Plain sentences.
    pub message: String,
    /// Where, as the window shows it: a JSON Pointer or the name of a header.
    pub location: Option<String>,
    /// Where the specification says so.
    pub spec: Option<SpecLink>,
}

/// A section of a specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpecLink {
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: String,
}

impl FindingView {
    /// What it takes in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let spec = self.spec.as_ref();
        size_of::<Self>()
            + self.rule.len()
            + self.message.len()
            + self.location.as_ref().map_or(0, String::len)
            + spec.map_or(0, |spec| spec.name.len() + spec.url.len())
    }
}

impl From<&Finding> for FindingView {
    fn from(finding: &Finding) -> Self {
        FindingView {
            rule: finding.id().to_owned(),
            severity: finding.severity(),
            message: finding.message(),
            location: match &finding.location {
                Location::Whole => None,
                Location::Pointer(pointer) => Some(pointer.clone()),
                Location::Header(name) => Some((*name).to_owned()),
            },
            spec: finding.rule.spec.map(|spec| SpecLink {
                name: spec.section.to_owned(),
                url: spec.url(),
            }),
        }
    }
}
