//! What was accepted of one server.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sonde_mcp::CatalogItem;

use super::{
    canonical::{digest, together},
    changed::DefinitionSubject,
};

/// Tools of one server that are watched.
const TOOLS: usize = 2_000;
/// Bytes that are kept of one server.
const BYTES: usize = 4 * 1024 * 1024;
/// Bytes that are kept of one tool. One with a longer name is not watched, so that it takes no room from others.
const OF_TOOL: usize = BYTES / 64;
/// The members of a tool that are told apart.
const PARTS: [&str; 5] = [
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
];
/// Meant for programs, and may be another at each reading.
const NOT_WATCHED: &str = "_meta";

/// A definition, as far as it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Definition {
    /// Of all of it.
    pub(super) digest: String,
    /// Of the members that are there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<String, String>,
}

/// A definition that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Accepted {
    #[serde(flatten)]
    definition: Definition,
    /// When, in milliseconds since the Unix epoch.
    pub(super) at: u64,
    /// The beginning of the text that models are given, without secrets.
    pub(super) text: String,
    /// The definition that was last seen, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    digest: String,
    /// When it was first seen, in milliseconds since the Unix epoch.
    at: u64,
}

/// What was accepted of a server. Empty before its first reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Baseline {
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Accepted>,
    /// By key.
    tools: BTreeMap<String, Accepted>,
}

impl Definition {
    /// That of a tool.
    pub(super) fn of_tool(tool: &CatalogItem) -> Self {
        let raw = tool.raw.get();
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(raw) else {
            return Self::of_text(raw);
        };
        let digests: BTreeMap<String, String> = members
            .into_iter()
            .filter(|(name, _)| name != NOT_WATCHED)
            .map(|(name, value)| (name, digest(value.get())))
            .collect();
        let named = digests
            .iter()
            .map(|(name, value)| format!("{name}:{value}"));
        let named: Vec<String> = named.collect();
        Self {
            digest: together(named.iter().map(String::as_str)),
            parts: digests
                .into_iter()
                .filter(|(name, _)| PARTS.contains(&name.as_str()))
                .collect(),
        }
    }

    /// That of a text.
    pub(super) fn of_text(text: &str) -> Self {
        Self {
            digest: together(std::iter::once(text)),
            parts: BTreeMap::new(),
        }
    }

    /// The members in which another one differs, as far as they are told apart.
    fn differs_in(&self, other: &Self) -> Vec<&'static str> {
        let named = PARTS
            .into_iter()
            .filter(|part| self.parts.get(*part) != other.parts.get(*part));
        let named: Vec<_> = named.collect();
        match named.is_empty() {
            true => vec!["other members"],
            false => named,
        }
    }
}

/// What became of a definition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) parts: Vec<&'static str>,
    pub(super) accepted: u64,
    pub(super) seen: u64,
    pub(super) before: String,
}

impl Accepted {
    pub(super) fn new(definition: Definition, text: String, at: u64) -> Self {
        Self {
            definition,
            at,
            text,
            seen: None,
        }
    }

    fn weight(&self, key: &str) -> usize {
        let parts: usize = self.definition.parts.values().map(String::len).sum();
        key.len() + self.definition.digest.len() + parts + self.text.len() + size_of::<Self>()
    }
}

impl Baseline {
    pub(super) fn get(&self, subject: &DefinitionSubject) -> Option<&Accepted> {
        match subject {
            DefinitionSubject::Instructions => self.instructions.as_ref(),
            DefinitionSubject::Tool { key } => self.tools.get(key),
        }
    }

    /// Puts what is accepted in the place of what was.
    pub(super) fn put(&mut self, subject: &DefinitionSubject, now: Accepted) {
        match subject {
            DefinitionSubject::Instructions => self.instructions = Some(now),
            DefinitionSubject::Tool { key } => {
                self.tools.insert(key.clone(), now);
            }
        }
    }

    /// Compares a definition with what was accepted, and keeps when it was first seen. What is new is the caller's to add.
    pub(super) fn compare(
        &mut self,
        subject: &DefinitionSubject,
        now: &Definition,
        at: u64,
    ) -> Option<Difference> {
        let known = match subject {
            DefinitionSubject::Instructions => self.instructions.as_mut(),
            DefinitionSubject::Tool { key } => self.tools.get_mut(key),
        }?;
        if known.definition.digest == now.digest {
            known.seen = None;
            return None;
        }
        let seen = known.seen.take().filter(|one| one.digest == now.digest);
        let digest = now.digest.clone();
        let seen = known.seen.insert(seen.unwrap_or(Seen { digest, at }));
        Some(Difference {
            parts: known.definition.differs_in(now),
            accepted: known.at,
            seen: seen.at,
            before: known.text.clone(),
        })
    }

    /// Accepts tools that were never seen, as far as there is room for them. Tools that are listed no longer give way,
    /// those that were accepted first before others.
    pub(super) fn join(&mut self, new: Vec<(String, Accepted)>, listed: &BTreeSet<&str>) {
        let mut bytes: usize = self.tools.iter().map(|(key, one)| one.weight(key)).sum();
        let mut gone: Vec<(u64, String)> = self
            .tools
            .iter()
            .filter(|(key, _)| !listed.contains(key.as_str()))
            .map(|(key, one)| (one.at, key.clone()))
            .collect();
        gone.sort_unstable_by(|a, b| b.cmp(a));
        'new: for (key, accepted) in new {
            let weight = accepted.weight(&key);
            if weight > OF_TOOL {
                continue;
            }
            while self.tools.len() >= TOOLS || bytes + weight > BYTES {
                let Some((_, first)) = gone.pop() else {
                    continue 'new;
                };
                if let Some(dropped) = self.tools.remove(&first) {
                    bytes -= dropped.weight(&first);
                }
            }
            bytes += weight;
            self.tools.insert(key, accepted);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.instructions.is_none() && self.tools.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Definition {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let item = CatalogItem {
            key: "t".to_owned(),
            name: "t".to_owned(),
            title: None,
            description: None,
            detail: sonde_mcp::ItemDetail::Tool(sonde_mcp::Tool::default()),
            raw: raw.into(),
            findings: Vec::new(),
        };
        Definition::of_tool(&item)
    }

    fn tool(key: &str) -> DefinitionSubject {
        let key = key.to_owned();
        DefinitionSubject::Tool { key }
    }

    fn accepted(text: &str, at: u64) -> Accepted {
        Accepted::new(of(text), "text".to_owned(), at)
    }

    #[test]
    fn the_parts_that_changed_are_named_and_neither_order_nor_metadata_is_a_change() {
        let base = r#"{"name":"t","description":"a","inputSchema":{"type":"object","x":1},"annotations":{"readOnlyHint":true}}"#;
        let mut baseline = Baseline::default();
        baseline.put(&tool("t"), accepted(base, 7));
        let mut parts = |text: &str| {
            let difference = baseline.compare(&tool("t"), &of(text), 9);
            difference.map(|one| one.parts).unwrap_or_default()
        };
        for same in [
            r#"{"annotations":{"readOnlyHint":true}, "inputSchema":{"x":1,"type":"object"},"description":"a","name":"t"}"#,
            r#"{"name":"t","_meta":{"at":1},"description":"a","inputSchema":{"type":"object","x":1},"annotations":{"readOnlyHint":true}}"#,
        ] {
            assert_eq!(parts(same), [""; 0], "{same}");
        }
        for (changed, named) in [
            (base.replace(r#""a""#, r#""b""#), vec!["description"]),
            (
                base.replace("1", "2").replace("true", "false"),
                vec!["inputSchema", "annotations"],
            ),
            (
                base.replace("{\"name", "{\"title\":\"T\",\"name"),
                vec!["title"],
            ),
            (
                base.replace("{\"name", "{\"icons\":[],\"name"),
                vec!["other members"],
            ),
        ] {
            assert_eq!(parts(&changed), named, "{changed}");
        }
    }

    #[test]
    fn a_change_keeps_the_time_at_which_it_was_first_seen_until_it_is_taken_back() {
        let mut baseline = Baseline::default();
        baseline.put(&tool("t"), accepted(r#"{"a":1}"#, 1));
        let mut seen = |text: &str, at| {
            let difference = baseline.compare(&tool("t"), &of(text), at);
            difference.map(|one| (one.accepted, one.seen))
        };
        assert_eq!(seen(r#"{"a":1}"#, 2), None);
        assert_eq!(seen(r#"{"a":2}"#, 3), Some((1, 3)));
        assert_eq!(seen(r#"{"a":2}"#, 4), Some((1, 3)));
        assert_eq!(seen(r#"{"a":3}"#, 5), Some((1, 5)));
        assert_eq!(seen(r#"{"a":1}"#, 6), None);
        assert_eq!(seen(r#"{"a":3}"#, 7), Some((1, 7)));
    }

    #[test]
    fn tools_that_are_gone_give_way_and_those_that_are_listed_do_not() {
        let mut baseline = Baseline::default();
        let many = |names: std::ops::Range<usize>, at| {
            let names = names.map(|n| (format!("t{n:05}"), accepted(r#"{"a":1}"#, at)));
            names.collect::<Vec<_>>()
        };
        baseline.join(many(0..TOOLS + 10, 1), &BTreeSet::new());
        assert_eq!(baseline.tools.len(), TOOLS);
        let all: Vec<String> = baseline.tools.keys().cloned().collect();
        let but_one: BTreeSet<&str> = all.iter().skip(1).map(String::as_str).collect();
        baseline.join(many(50_000..50_005, 2), &but_one);
        assert_eq!(baseline.tools.len(), TOOLS);
        assert!(!baseline.tools.contains_key("t00000"));
        assert!(baseline.tools.contains_key("t50000") && !baseline.tools.contains_key("t50001"));
        // Bytes as well.
        let mut large = Baseline::default();
        let big = |key: String, bytes: usize| {
            let one = Accepted::new(of("{}"), "x".repeat(bytes), 1);
            (key, one)
        };
        let mut all = vec![big("too-big".to_owned(), OF_TOOL)];
        all.extend((0..100).map(|n| big(format!("b{n:03}"), OF_TOOL - 1_000)));
        all.push(big("small".to_owned(), 10));
        large.join(all, &BTreeSet::new());
        assert!((60..68).contains(&large.tools.len()));
        assert!(!large.tools.contains_key("too-big") && large.tools.contains_key("b000"));
        assert!(
            large.tools.contains_key("small"),
            "what fits is not left out"
        );
    }
}
