//! Accepted definitions of one server.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use sonde_client::canonical::{digest, together};
use sonde_mcp::CatalogItem;

use super::changed::{DefinitionSubject, Difference, MemberChange, MemberText};

/// Limit of watched tools per server.
const TOOLS: usize = 2_000;
/// Limit of stored bytes per server.
const BYTES: usize = 4 * 1024 * 1024;
/// Limit of stored bytes per tool; the members of a larger tool are not stored.
const OF_TOOL: usize = BYTES / 64;
/// Limit of stored bytes per member.
const OF_MEMBER: usize = OF_TOOL / 4;
/// Members of a tool that are compared separately.
const PARTS: [&str; 5] = [
    "title",
    DESCRIPTION,
    "inputSchema",
    "outputSchema",
    "annotations",
];
const DESCRIPTION: &str = "description";
/// Name for all other members together, except the tool's name.
const OTHERS: &str = "other members";
/// Meant for programs, and may be another at each reading.
const NOT_WATCHED: &str = "_meta";

/// Digests of a definition, for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Definition {
    /// Digest of the whole definition.
    pub(super) digest: String,
    /// Digests of the watched members that are present, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<String, String>,
    /// Digest of all other members together; empty for a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    others: String,
}

/// An accepted definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Accepted {
    #[serde(flatten)]
    definition: Definition,
    /// Time of acceptance, in milliseconds since the Unix epoch.
    pub(super) at: u64,
    #[serde(flatten)]
    texts: Texts,
    /// The last definition that differs from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<Seen>,
}

/// Texts of a definition, as they may be kept and shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Texts {
    /// The beginning of the description or of the instructions, without secrets.
    pub(super) text: String,
    /// JSON text of its other members, without secrets; an empty text for a member that is too long. `None`: they are
    /// not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    members: Option<BTreeMap<String, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    digest: String,
    /// Time it was first seen, in milliseconds since the Unix epoch.
    at: u64,
}

/// Accepted definitions of a server. Empty before its first reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Baseline {
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Accepted>,
    /// Accepted tools, by key.
    tools: BTreeMap<String, Accepted>,
}

impl Definition {
    /// Creates the definition of a tool.
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
        let whole = together(named.iter().map(String::as_str));
        let others = named.iter().zip(digests.keys());
        let others = others.filter(|(_, name)| !is_part(name) && *name != "name");
        let others = together(others.map(|(named, _)| named.as_str()));
        Self {
            digest: whole,
            parts: digests
                .into_iter()
                .filter(|(name, _)| is_part(name))
                .collect(),
            others,
        }
    }

    /// Creates the definition of a plain text.
    pub(super) fn of_text(text: &str) -> Self {
        Self {
            digest: together(std::iter::once(text)),
            ..Self::default()
        }
    }

    /// Lists the differences between two definitions, member by member.
    fn differences(&self, texts: &Texts, now: &Self, said: &Texts) -> Vec<MemberChange> {
        let named = PARTS
            .into_iter()
            .filter(|part| self.parts.get(*part) != now.parts.get(*part));
        let mut changes: Vec<_> = named
            .map(|part| MemberChange {
                member: part.to_owned(),
                before: texts.of(part, self.parts.contains_key(part)),
                after: said.of(part, now.parts.contains_key(part)),
            })
            .collect();
        let others = (texts.json_text(OTHERS), said.json_text(OTHERS));
        if self.others != now.others || changes.is_empty() {
            changes.push(MemberChange {
                member: OTHERS.to_owned(),
                before: texts.of(OTHERS, others.0 != Some("")),
                after: said.of(OTHERS, others.1 != Some("")),
            });
        }
        changes
    }
}

impl Texts {
    /// Wraps a plain text, without members.
    pub(super) fn of_text(text: String) -> Self {
        Self {
            text,
            members: None,
        }
    }

    /// Creates the texts of a tool, with its description; `hide` takes secrets out of a text.
    pub(super) fn of_tool(
        tool: &CatalogItem,
        description: String,
        hide: impl Fn(&mut String),
    ) -> Self {
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(tool.raw.get())
        else {
            return Self::of_text(description);
        };
        let mut texts = BTreeMap::new();
        let mut others = BTreeMap::new();
        for (name, value) in members {
            if is_part(&name) && name != DESCRIPTION {
                texts.insert(name, stored_text(value.get(), &hide));
            } else if ![NOT_WATCHED, DESCRIPTION, "name"].contains(&name.as_str()) {
                others.insert(name, value);
            }
        }
        if !others.is_empty() {
            let others = serde_json::to_string(&others).unwrap_or_default();
            texts.insert(OTHERS.to_owned(), stored_text(&others, &hide));
        }
        Self {
            text: description,
            members: Some(texts),
        }
    }

    /// Returns the JSON text of a member, empty if the tool does not have it; `None` if it is not stored.
    fn json_text(&self, member: &str) -> Option<&str> {
        match self.members.as_ref()?.get(member) {
            Some(text) if text.is_empty() => None,
            Some(text) => Some(text),
            None => Some(""),
        }
    }

    /// A member as it is shown.
    fn of(&self, member: &str, is_there: bool) -> MemberText {
        if !is_there {
            return MemberText::Absent;
        }
        if member == DESCRIPTION {
            let text = self.text.clone();
            return MemberText::Text { text };
        }
        match self.json_text(member) {
            None | Some("") => MemberText::NotKept,
            Some(text) => MemberText::Json {
                text: text.to_owned(),
            },
        }
    }

    fn weight(&self) -> usize {
        let members = self.members.iter().flatten();
        let members: usize = members.map(|(name, text)| name.len() + text.len()).sum();
        self.text.len() + members
    }
}

fn is_part(member: &str) -> bool {
    PARTS.contains(&member)
}

/// A member's text as it is kept: empty if it is too long.
fn stored_text(json: &str, hide: impl Fn(&mut String)) -> String {
    if json.len() > OF_MEMBER {
        return String::new();
    }
    let mut text = json.to_owned();
    hide(&mut text);
    text
}

impl Accepted {
    pub(super) fn new(definition: Definition, texts: Texts, at: u64) -> Self {
        Self {
            definition,
            at,
            texts,
            seen: None,
        }
    }

    /// Converts the definition of a tool to an item of a list, together with the members that are not stored, possibly
    /// [`OTHERS`]. Both are without secrets.
    fn item(&self, key: &str) -> AcceptedTool {
        let mut item = Map::from_iter([("name".to_owned(), Value::from(key))]);
        let mut not_kept = Vec::new();
        let texts = &self.texts;
        for part in self.definition.parts.keys() {
            match (part.as_str(), texts.json_text(part)) {
                (DESCRIPTION, _) if texts.text.ends_with('…') => not_kept.push(part.clone()),
                (DESCRIPTION, _) => {
                    item.insert(part.clone(), texts.text.as_str().into());
                }
                (_, None | Some("")) => not_kept.push(part.clone()),
                (_, Some(text)) => {
                    let value = serde_json::from_str(text).unwrap_or_default();
                    item.insert(part.clone(), value);
                }
            }
        }
        match texts.json_text(OTHERS) {
            None => not_kept.push(OTHERS.to_owned()),
            Some(others) => {
                let others: Map<String, Value> = serde_json::from_str(others).unwrap_or_default();
                item.extend(others);
            }
        }
        AcceptedTool {
            item: item.into(),
            not_kept,
        }
    }

    fn weight(&self, key: &str) -> usize {
        let parts: usize = self.definition.parts.values().map(String::len).sum();
        let digests = self.definition.digest.len() + parts + self.definition.others.len();
        key.len() + digests + self.texts.weight() + size_of::<Self>()
    }
}

/// An accepted tool.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedTool {
    /// Item of a list, without members that are not stored.
    pub(crate) item: Value,
    not_kept: Vec<String>,
}

impl AcceptedTool {
    /// Removes from a tool the members that are not stored of this one, so that the two can be compared.
    pub(crate) fn reduce(&self, other: &mut Value) {
        let Value::Object(members) = other else {
            return;
        };
        members.retain(|name, _| {
            let name = match name.as_str() {
                NOT_WATCHED => return false,
                "name" => return true,
                name if is_part(name) => name,
                _ => OTHERS,
            };
            !self.not_kept.iter().any(|one| one == name)
        });
    }
}

impl Baseline {
    /// The accepted tools.
    pub(crate) fn accepted_tools(&self) -> Vec<AcceptedTool> {
        self.tools
            .iter()
            .map(|(key, tool)| tool.item(key))
            .collect()
    }

    pub(super) fn get(&self, subject: &DefinitionSubject) -> Option<&Accepted> {
        match subject {
            DefinitionSubject::Instructions => self.instructions.as_ref(),
            DefinitionSubject::Tool { key } => self.tools.get(key),
        }
    }

    /// Replaces an accepted definition.
    pub(super) fn put(&mut self, subject: &DefinitionSubject, now: Accepted) {
        match subject {
            DefinitionSubject::Instructions => self.instructions = Some(now),
            DefinitionSubject::Tool { key } => {
                self.tools.insert(key.clone(), now);
            }
        }
    }

    /// Compares a definition with the accepted one, and records when a difference was first seen. The caller adds new
    /// definitions.
    pub(super) fn compare(
        &mut self,
        subject: &DefinitionSubject,
        now: &Definition,
        said: impl FnOnce() -> Texts,
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
        let seen = seen.at;
        let members = match subject {
            DefinitionSubject::Instructions => vec![MemberChange {
                member: "instructions".to_owned(),
                before: MemberText::Text {
                    text: known.texts.text.clone(),
                },
                after: MemberText::Text { text: said().text },
            }],
            DefinitionSubject::Tool { .. } => {
                let (before, texts) = (&known.definition, &known.texts);
                before.differences(texts, now, &said())
            }
        };
        Some(Difference {
            members,
            accepted: known.at,
            seen,
        })
    }

    /// Accepts tools that are new, as far as there is room. Tools that are no longer listed are dropped for them, the
    /// earliest accepted first. Returns the keys of tools that are not watched, with the reason.
    pub(super) fn join(
        &mut self,
        new: Vec<(String, Accepted)>,
        listed: &BTreeSet<&str>,
    ) -> Vec<(String, &'static str)> {
        let mut left_out = Vec::new();
        let mut bytes: usize = self.tools.iter().map(|(key, one)| one.weight(key)).sum();
        let mut gone: Vec<(u64, String)> = self
            .tools
            .iter()
            .filter(|(key, _)| !listed.contains(key.as_str()))
            .map(|(key, one)| (one.at, key.clone()))
            .collect();
        gone.sort_unstable_by(|a, b| b.cmp(a));
        'new: for (key, mut accepted) in new {
            let mut weight = accepted.weight(&key);
            if weight > OF_TOOL {
                accepted.texts.members = None;
                weight = accepted.weight(&key);
            }
            while self.tools.len() >= TOOLS || bytes + weight > BYTES {
                let Some((_, first)) = gone.pop() else {
                    let full = match self.tools.len() >= TOOLS {
                        true => "2,000 tools of this server are kept already",
                        false => "4 MiB of this server are kept already",
                    };
                    left_out.push((key, full));
                    continue 'new;
                };
                if let Some(dropped) = self.tools.remove(&first) {
                    bytes -= dropped.weight(&first);
                }
            }
            bytes += weight;
            self.tools.insert(key, accepted);
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> CatalogItem {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        CatalogItem {
            key: "t".to_owned(),
            name: "t".to_owned(),
            title: None,
            description: None,
            detail: sonde_mcp::ItemDetail::Tool(sonde_mcp::Tool::default()),
            raw: raw.into(),
            findings: Vec::new(),
        }
    }

    fn of(text: &str) -> Definition {
        Definition::of_tool(&item(text))
    }

    fn texts(text: &str) -> Texts {
        let hide = |text: &mut String| *text = text.replace("secret", "•");
        Texts::of_tool(&item(text), "text".to_owned(), hide)
    }

    fn tool(key: &str) -> DefinitionSubject {
        let key = key.to_owned();
        DefinitionSubject::Tool { key }
    }

    fn accepted(text: &str, at: u64) -> Accepted {
        Accepted::new(of(text), texts(text), at)
    }

    #[test]
    fn the_parts_that_changed_are_named_and_neither_order_nor_metadata_is_a_change() {
        let base = r#"{"name":"t","description":"a","inputSchema":{"type":"object","x":1},"annotations":{"readOnlyHint":true}}"#;
        let mut baseline = Baseline::default();
        baseline.put(&tool("t"), accepted(base, 7));
        let mut parts = |text: &str| {
            let difference = baseline.compare(&tool("t"), &of(text), || texts(text), 9);
            let members = difference.map(|one| one.members).unwrap_or_default();
            let names = members.into_iter().map(|one| one.member);
            names.collect::<Vec<_>>()
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
            (
                base.replace("{\"name", "{\"icons\":[],\"title\":\"T\",\"name"),
                vec!["title", "other members"],
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
            let difference = baseline.compare(&tool("t"), &of(text), || texts(text), at);
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
        let left_out = baseline.join(many(0..TOOLS + 10, 1), &BTreeSet::new());
        assert_eq!((baseline.tools.len(), left_out.len()), (TOOLS, 10));
        assert!(left_out[0].1.contains("2,000"));
        let all: Vec<String> = baseline.tools.keys().cloned().collect();
        let but_one: BTreeSet<&str> = all.iter().skip(1).map(String::as_str).collect();
        baseline.join(many(50_000..50_005, 2), &but_one);
        assert_eq!(baseline.tools.len(), TOOLS);
        assert!(!baseline.tools.contains_key("t00000"));
        assert!(baseline.tools.contains_key("t50000") && !baseline.tools.contains_key("t50001"));
        // Bytes as well.
        let mut large = Baseline::default();
        let big = |key: String, bytes: usize| {
            let one = Accepted::new(of("{}"), Texts::of_text("x".repeat(bytes)), 1);
            (key, one)
        };
        let all = (0..100).map(|n| big(format!("b{n:03}"), OF_TOOL - 1_000));
        let mut all: Vec<_> = all.collect();
        all.push(big("small".to_owned(), 10));
        let left_out = large.join(all, &BTreeSet::new());
        assert!(left_out.iter().all(|one| one.1.contains("4 MiB")));
        assert!((60..68).contains(&large.tools.len()));
        assert_eq!(left_out.len() + large.tools.len(), 101);
        assert!(
            large.tools.contains_key("small"),
            "what fits is not left out"
        );
    }

    #[test]
    fn both_texts_of_a_member_are_shown_as_far_as_they_are_kept() {
        let base =
            r#"{"name":"t","inputSchema":{"a":"secret"},"execution":{"taskSupport":"optional"}}"#;
        let mut baseline = Baseline::default();
        baseline.put(&tool("t"), accepted(base, 7));
        let json = |text: &str| MemberText::Json {
            text: text.to_owned(),
        };
        let change = |member: &str, before, after| MemberChange {
            member: member.to_owned(),
            before,
            after,
        };
        let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(OF_MEMBER));
        let now = format!(
            r#"{{"name":"t","outputSchema":{{"b":2}},"inputSchema":{long},"execution":{{"taskSupport":"required"}}}}"#
        );
        let found = baseline.compare(&tool("t"), &of(&now), || texts(&now), 9);
        let expected = [
            change("inputSchema", json(r#"{"a":"•"}"#), MemberText::NotKept),
            change("outputSchema", MemberText::Absent, json(r#"{"b":2}"#)),
            change(
                OTHERS,
                json(r#"{"execution":{"taskSupport":"optional"}}"#),
                json(r#"{"execution":{"taskSupport":"required"}}"#),
            ),
        ];
        assert_eq!(found.unwrap().members, expected);
    }

    #[test]
    fn what_a_large_tool_says_is_not_kept_but_it_is_watched() {
        let schema = |n: usize| format!(r#"{{"a{n}":"{}"}}"#, "x".repeat(OF_MEMBER - 20));
        let text = format!(
            r#"{{"name":"t","inputSchema":{},"outputSchema":{},"annotations":{},"title":{},"icons":{}}}"#,
            schema(1),
            schema(2),
            schema(3),
            schema(4),
            schema(5)
        );
        let mut baseline = Baseline::default();
        let left_out = baseline.join(vec![("t".to_owned(), accepted(&text, 1))], &BTreeSet::new());
        assert_eq!(left_out, []);
        assert!(baseline.tools["t"].texts.members.is_none());
        let changed = text.replace("a4", "b4").replace("a5", "b5");
        let difference = baseline.compare(&tool("t"), &of(&changed), || texts(&changed), 2);
        let members = difference.unwrap().members;
        let names: Vec<_> = members.iter().map(|one| one.member.as_str()).collect();
        assert_eq!(names, ["title", OTHERS]);
    }
}
