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

/// A definition that is not as it was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DefinitionChange {
    /// Whose.
    pub subject: DefinitionSubject,
    /// The members of a tool that differ, as they are written in the specification; `other members` for all others.
    pub parts: Vec<String>,
    /// When it was accepted, in milliseconds since the Unix epoch.
    pub accepted: u64,
    /// When it was first seen as it is now, in milliseconds since the Unix epoch.
    pub seen: u64,
    /// The description or the instructions that were accepted, without secrets, at most 8,000 characters.
    pub before: String,
    /// The same as it is now.
    pub after: String,
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
}

impl Changed {
    /// What is found about the tool with this key.
    #[must_use]
    pub fn of_tool(&self, key: &str) -> Option<&Finding> {
        self.of_tools.get(key)
    }
}
