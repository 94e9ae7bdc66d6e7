//! Differences from the accepted definitions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sonde_findings::{ByRule, Finding};
use ts_rs::TS;

/// Subjects of a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DefinitionSubject {
    /// The server's instructions for models.
    Instructions,
    /// A tool.
    Tool {
        /// Its key in the list.
        key: String,
    },
}

/// A member of a definition that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemberChange {
    /// Its name in the specification; `other members` for all members that are not compared separately.
    pub member: String,
    /// The accepted text.
    pub before: MemberText,
    /// The present text.
    pub after: MemberText,
}

/// Text of a definition's member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MemberText {
    /// It is not there.
    Absent,
    /// Present, but its text is not kept: it is longer than 16 KiB, or its tool longer than 64 KiB.
    NotKept,
    /// A description or instructions, without secrets, at most 8,000 characters.
    Text {
        /// The text.
        text: String,
    },
    /// Any other member, without secrets.
    Json {
        /// JSON text.
        text: String,
    },
}

/// Difference between a definition and its accepted version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Difference {
    /// Differences, member by member.
    pub members: Vec<MemberChange>,
    /// Time of acceptance, in milliseconds since the Unix epoch.
    pub accepted: u64,
    /// Time the present version was first seen, in milliseconds since the Unix epoch.
    pub seen: u64,
}

/// A definition that is not as it was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionChange {
    /// Subject of the definition.
    pub subject: DefinitionSubject,
    /// The difference.
    #[serde(flatten)]
    pub difference: Difference,
    /// Fingerprint of the present definition.
    pub digest: String,
}

/// The definitions of a server that differ from the accepted ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionChanges {
    /// Number of changes.
    pub count: u32,
    /// The first 100.
    pub changes: Vec<DefinitionChange>,
    /// Fingerprint of all changed definitions together.
    pub digest: String,
}

/// Changed definitions and their findings.
#[derive(Debug, Default)]
pub struct Changed {
    /// Changed definitions with their findings, by rule.
    pub found: ByRule<(DefinitionSubject, Finding)>,
    pub(super) of_tools: BTreeMap<String, Finding>,
    pub(crate) changes: DefinitionChanges,
    /// Subjects of all changed definitions.
    pub(super) subjects: Vec<DefinitionSubject>,
    /// Tools whose definitions are not kept.
    pub(super) left_out: usize,
}

impl Changed {
    /// Returns the finding about the tool with this key.
    #[must_use]
    pub fn of_tool(&self, key: &str) -> Option<&Finding> {
        self.of_tools.get(key)
    }
}
