//! What differs from what was accepted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sonde_findings::{ByRule, Finding};
use ts_rs::TS;

/// Whose definition it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DefinitionSubject {
    /// What the server tells models about itself.
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
    /// Its name in the specification; `other members` for all but the five that are told apart.
    pub member: String,
    /// What was accepted.
    pub before: MemberText,
    /// What stands there now.
    pub after: MemberText,
}

/// What a member of a definition says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MemberText {
    /// It is not there.
    Absent,
    /// It is there, and what it says is not kept: it is longer than 16 KiB, its tool longer than 64 KiB, or it was accepted
    /// by a version that kept only descriptions.
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

/// A definition that is not as it was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionChange {
    /// Whose.
    pub subject: DefinitionSubject,
    /// What differs in it, member by member.
    pub members: Vec<MemberChange>,
    /// When it was accepted, in milliseconds since the Unix epoch.
    pub accepted: u64,
    /// When it was first seen as it is now, in milliseconds since the Unix epoch.
    pub seen: u64,
    /// Stands for the definition as it is now.
    pub digest: String,
}

/// The definitions of a server that are not as they were accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionChanges {
    /// How many there are.
    pub count: u32,
    /// The first 100.
    pub changes: Vec<DefinitionChange>,
    /// Stands for all of them as they are now.
    pub digest: String,
}

/// What was found of that.
#[derive(Debug, Default)]
pub struct Changed {
    /// By rule: whose definition changed, and what is said of it.
    pub found: ByRule<(DefinitionSubject, Finding)>,
    pub(super) of_tools: BTreeMap<String, Finding>,
    pub(super) changes: DefinitionChanges,
    /// All of them.
    pub(super) subjects: Vec<DefinitionSubject>,
    /// Tools whose definitions are not kept.
    pub(super) left_out: usize,
}

impl Changed {
    /// What is found about the tool with this key.
    #[must_use]
    pub fn of_tool(&self, key: &str) -> Option<&Finding> {
        self.of_tools.get(key)
    }
}
