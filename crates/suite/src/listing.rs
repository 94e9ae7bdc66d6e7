//! Changes of a list of tools, prompts, resources or templates, by class.

use std::{cmp::Ordering, collections::BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{
    number::Decimal,
    value::{pairs, pointer_token, same, show, show_or_nothing},
};

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new item.
    Added,
    /// An item is gone.
    Removed,
    /// It takes less, or promises less.
    Narrowed,
    /// It takes more, or promises more.
    Widened,
    /// The server describes its behaviour differently.
    Hints,
    /// Texts by which a model chooses.
    Description,
    /// Texts and icons for people, and other members.
    Words,
}

/// Classes of changes, by those whom they affect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "ListChangeClass")]
pub enum ChangeClass {
    /// Calls that worked may fail, or be confirmed differently.
    Breaking,
    /// Nothing that worked is different.
    Additive,
    /// A model may choose differently.
    Routing,
    /// Only people see it.
    Cosmetic,
}

/// One change of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListChange {
    /// Its kind.
    pub kind: ChangeKind,
    /// Name or URI of the item.
    pub item: String,
    /// JSON Pointer within the item; empty for the item itself.
    pub path: String,
    /// One plain sentence.
    pub words: String,
}

impl ChangeKind {
    /// Its name in `allow`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Narrowed => "narrowed",
            Self::Widened => "widened",
            Self::Hints => "hints",
            Self::Description => "description",
            Self::Words => "words",
        }
    }

    /// Its class.
    #[must_use]
    pub fn class(self) -> ChangeClass {
        match self {
            Self::Removed | Self::Narrowed | Self::Hints => ChangeClass::Breaking,
            Self::Added | Self::Widened => ChangeClass::Additive,
            Self::Description => ChangeClass::Routing,
            Self::Words => ChangeClass::Cosmetic,
        }
    }
}

impl ChangeClass {
    /// Its name in `allow`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Additive => "additive",
            Self::Routing => "routing",
            Self::Cosmetic => "cosmetic",
        }
    }
}

/// Compares two lists: items of a `tools/list` result, or of its siblings. `key` is the member that names an item.
#[must_use]
pub fn changes(before: &[Value], after: &[Value], key: &str) -> Vec<ListChange> {
    let mut found = Vec::new();
    let (before, after) = (named(before, key), named(after, key));
    for (item, old, new) in pairs(&before, &after) {
        let mut item = Comparison {
            item,
            after: new,
            found: &mut found,
        };
        match (old, new) {
            (Some(old), Some(new)) => item.compare(old, new),
            (_, None) => item.add(ChangeKind::Removed, "", "it is gone"),
            (None, _) => item.add(ChangeKind::Added, "", "it is new"),
        }
    }
    found
}

/// Items by name; the second of a name ends in `#2`.
fn named(items: &[Value], key: &str) -> Map<String, Value> {
    let mut named = Map::new();
    for item in items {
        let name = item[key].as_str().unwrap_or_default();
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        if let Some(name) = names.find(|name| !named.contains_key(name)) {
            named.insert(name, item.clone());
        }
    }
    named
}

/// Hints, each with its default in the specification.
const HINTS: [(&str, bool); 4] = [
    ("readOnlyHint", false),
    ("destructiveHint", true),
    ("idempotentHint", false),
    ("openWorldHint", true),
];

struct Comparison<'a> {
    item: &'a str,
    /// The new item.
    after: Option<&'a Value>,
    found: &'a mut Vec<ListChange>,
}

impl Comparison<'_> {
    fn add(&mut self, kind: ChangeKind, path: &str, words: &str) {
        let place = if path.is_empty() { "" } else { " at " };
        self.found.push(ListChange {
            kind,
            item: self.item.to_owned(),
            path: path.to_owned(),
            words: format!("`{}`{place}{path}: {words}.", self.item),
        });
    }

    fn compare(&mut self, before: &Value, after: &Value) {
        let nothing = Map::new();
        let [before, after] = [before, after].map(|item| item.as_object().unwrap_or(&nothing));
        for (member, old, new) in pairs(before, after) {
            let path = format!("/{member}");
            match (member, old, new) {
                (_, Some(old), Some(new)) if same(old, new) => {}
                ("inputSchema", Some(old), Some(new)) => self.schema(old, new, &path, true, true),
                ("outputSchema", Some(old), Some(new)) => {
                    self.schema(old, new, &path, false, true);
                }
                ("outputSchema", None, _) => {
                    self.add(ChangeKind::Widened, &path, "results have a schema now");
                }
                ("outputSchema", ..) => {
                    self.add(
                        ChangeKind::Narrowed,
                        &path,
                        "results have no schema any more",
                    );
                }
                ("annotations", ..) => self.annotations(old, new, &path),
                ("execution", ..) => self.execution(old, new, &path),
                ("arguments", ..) => self.arguments(old, new, &path),
                ("description", ..) => self.differ(ChangeKind::Description, &path, old, new),
                ("mimeType", None, _) => self.differ(ChangeKind::Words, &path, old, new),
                ("inputSchema" | "mimeType", ..) => {
                    self.differ(ChangeKind::Narrowed, &path, old, new);
                }
                _ => self.differ(ChangeKind::Words, &path, old, new),
            }
        }
    }

    fn differ(&mut self, kind: ChangeKind, path: &str, old: Option<&Value>, new: Option<&Value>) {
        let words = format!("{} became {}", show_or_nothing(old), show_or_nothing(new));
        self.add(kind, path, &words);
    }

    fn annotations(&mut self, old: Option<&Value>, new: Option<&Value>, path: &str) {
        let hint = |value: Option<&Value>, (name, default): (&str, bool)| {
            let given = value.and_then(|value| value.get(name)?.as_bool());
            given.unwrap_or(default)
        };
        for one in HINTS {
            let (before, after) = (hint(old, one), hint(new, one));
            if before != after {
                let words = format!("it was {before} and is {after}");
                self.add(ChangeKind::Hints, &format!("{path}/{}", one.0), &words);
            }
        }
        let hints = HINTS.map(|(name, _)| name);
        if !same(&without(old, &hints), &without(new, &hints)) {
            self.differ(ChangeKind::Words, path, old, new);
        }
    }

    /// Compares the support of tasks, which is `forbidden` by default.
    fn execution(&mut self, old: Option<&Value>, new: Option<&Value>, path: &str) {
        const SUPPORT: &str = "taskSupport";
        let support = |value: Option<&Value>| -> String {
            let given = value.and_then(|value| value.get(SUPPORT)?.as_str());
            given.unwrap_or("forbidden").to_owned()
        };
        let (before, after) = (support(old), support(new));
        if before != after {
            let kind = match after.as_str() {
                // Calls with a task work, and those without one.
                "optional" => ChangeKind::Widened,
                _ => ChangeKind::Narrowed,
            };
            self.differ(kind, path, old, new);
        } else if !same(&without(old, &[SUPPORT]), &without(new, &[SUPPORT])) {
            self.differ(ChangeKind::Words, path, old, new);
        }
    }

    /// Arguments of a prompt.
    fn arguments(&mut self, old: Option<&Value>, new: Option<&Value>, path: &str) {
        let list = |value: Option<&Value>| {
            let list = value.and_then(Value::as_array).cloned().unwrap_or_default();
            let named = list.into_iter();
            let named = named.map(|one| (one["name"].as_str().unwrap_or_default().to_owned(), one));
            named.collect::<Map<String, Value>>()
        };
        let required = |one: &Value| one["required"].as_bool().unwrap_or_default();
        let (old, new) = (list(old), list(new));
        for (name, before, after) in pairs(&old, &new) {
            let path = format!("{path}/{name}");
            match (before, after) {
                (Some(before), Some(after)) => match (required(before), required(after)) {
                    (false, true) => self.add(ChangeKind::Narrowed, &path, "it is required now"),
                    (true, false) => self.add(ChangeKind::Widened, &path, "it is optional now"),
                    _ if !same(before, after) => {
                        self.differ(ChangeKind::Description, &path, Some(before), Some(after));
                    }
                    _ => {}
                },
                (_, None) => self.add(ChangeKind::Narrowed, &path, "the argument is gone"),
                (None, Some(after)) => {
                    let kind = match required(after) {
                        true => ChangeKind::Narrowed,
                        false => ChangeKind::Widened,
                    };
                    self.add(kind, &path, "the argument is new");
                }
            }
        }
    }

    /// Compares two JSON Schemas. `accepts`: of values that are sent; otherwise of values that are received, where a
    /// larger set promises less. `is_schema`: the keys are keywords; otherwise they are names with a schema each.
    fn schema(&mut self, old: &Value, new: &Value, path: &str, accepts: bool, is_schema: bool) {
        if same(old, new) {
            return;
        }
        let (Value::Object(old), Value::Object(new)) = (old, new) else {
            return self.differ(ChangeKind::Narrowed, path, Some(old), Some(new));
        };
        let choice = |one, other| match is_schema {
            true => as_choice(one, other),
            false => None,
        };
        let (old_choice, new_choice) = (choice(old, new), choice(new, old));
        let old = old_choice.as_ref().unwrap_or(old);
        let new = new_choice.as_ref().unwrap_or(new);
        let is_definitions = path.ends_with("/$defs") || path.ends_with("/definitions");
        for (key, before, after) in pairs(old, new) {
            let at = format!("{path}/{}", pointer_token(key));
            match (before, after) {
                (Some(before), Some(after)) if same(before, after) => {}
                (Some(before), Some(after)) if !is_schema => {
                    self.schema(before, after, &at, accepts, true);
                }
                (Some(_), None) if !is_schema => {
                    let kind = match is_definitions && !self.is_used(&at) {
                        true => ChangeKind::Words,
                        false => ChangeKind::Narrowed,
                    };
                    self.add(kind, &at, "it is gone");
                }
                (None, _) if !is_schema => self.add(ChangeKind::Widened, &at, "it is new"),
                (before, after) => self.keyword(key, before, after, &at, accepts),
            }
        }
    }

    /// True if a `$ref` in the new schema names the definition at this path in the item, or a part of it.
    fn is_used(&self, path: &str) -> bool {
        let end = path.match_indices('/').nth(1);
        let (member, pointer) = path.split_at(end.map_or(path.len(), |(end, _)| end));
        let schema = self.after.and_then(|item| item.pointer(member));
        schema.is_some_and(|schema| refers_to(schema, pointer))
    }

    fn keyword(
        &mut self,
        key: &str,
        old: Option<&Value>,
        new: Option<&Value>,
        path: &str,
        accepts: bool,
    ) {
        let direction = |larger: bool| match larger == accepts {
            true => ChangeKind::Widened,
            false => ChangeKind::Narrowed,
        };
        let [before, after] = [old, new].map(|value| value.filter(|value| !is_default(key, value)));
        match (key, before, after) {
            (_, None, None) => self.differ(ChangeKind::Words, path, old, new),
            ("description" | "default", ..) => {
                self.differ(ChangeKind::Description, path, old, new);
            }
            (
                "title" | "examples" | "$comment" | "$schema" | "$id" | "deprecated" | "readOnly"
                | "writeOnly",
                ..,
            ) => {
                self.differ(ChangeKind::Words, path, old, new);
            }
            ("properties" | "$defs" | "definitions" | "patternProperties", ..) => {
                let nothing = Value::Object(Map::new());
                let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
                self.schema(old, new, path, accepts, false);
            }
            ("items" | "additionalProperties", Some(old @ Value::Object(_)), Some(new))
                if new.is_object() =>
            {
                self.schema(old, new, path, accepts, true);
            }
            ("additionalProperties", ..) => {
                let kind = match permissiveness(new).cmp(&permissiveness(old)) {
                    Ordering::Equal => ChangeKind::Words,
                    order => direction(order == Ordering::Greater),
                };
                self.differ(kind, path, old, new);
            }
            ("anyOf" | "oneOf", Some(Value::Array(old)), Some(Value::Array(new))) => {
                let lacks = |all: &[Value], one: &Value| !all.iter().any(|other| same(one, other));
                for one in old.iter().filter(|one| lacks(new, one)) {
                    self.add(direction(false), path, &format!("{} is gone", show(one)));
                }
                for one in new.iter().filter(|one| lacks(old, one)) {
                    self.add(direction(true), path, &format!("{} is new", show(one)));
                }
            }
            ("required", ..) => {
                let (old, new) = (texts(old), texts(new));
                for name in new.difference(&old) {
                    self.add(direction(false), path, &format!("{name} is required now"));
                }
                for name in old.difference(&new) {
                    self.add(direction(true), path, &format!("{name} is optional now"));
                }
            }
            ("type" | "enum", Some(_), Some(_)) => {
                let (mut old, mut new) = (texts(old), texts(new));
                // Each integer is a number.
                let [integer, number] = ["`integer`", "`number`"];
                if key == "type"
                    && !old.contains(number)
                    && new.contains(number)
                    && old.remove(integer)
                {
                    new.remove(number);
                    self.add(direction(true), path, &format!("{integer} became {number}"));
                }
                if key == "type"
                    && old.contains(number)
                    && !new.contains(number)
                    && new.remove(integer)
                {
                    old.remove(number);
                    self.add(
                        direction(false),
                        path,
                        &format!("{number} became {integer}"),
                    );
                }
                for value in old.difference(&new) {
                    self.add(direction(false), path, &format!("{value} is gone"));
                }
                for value in new.difference(&old) {
                    self.add(direction(true), path, &format!("{value} is new"));
                }
            }
            (_, Some(before), Some(after)) => {
                let larger = bound(key, before, after);
                let kind = larger.map_or(ChangeKind::Narrowed, direction);
                self.differ(kind, path, old, new);
            }
            _ => self.differ(direction(after.is_none()), path, old, new),
        }
    }
}

/// True if a `$ref` in the value has this JSON Pointer, or one to a part of it.
fn refers_to(value: &Value, pointer: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| match value {
            Value::String(text) if key == "$ref" => {
                let target = text.strip_prefix('#');
                let rest = target.and_then(|target| target.strip_prefix(pointer));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            value => refers_to(value, pointer),
        }),
        Value::Array(items) => items.iter().any(|item| refers_to(item, pointer)),
        _ => false,
    }
}

/// An object without these members.
fn without(value: Option<&Value>, names: &[&str]) -> Value {
    let mut value = value.cloned().unwrap_or_else(|| Value::Object(Map::new()));
    if let Value::Object(members) = &mut value {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
    value
}

/// Groups of keywords that depend on each other: `additionalProperties` applies to what `properties` leaves over.
const DEPENDENT: [&[&str]; 2] = [
    &[
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
    ],
    &[
        "prefixItems",
        "items",
        "additionalItems",
        "unevaluatedItems",
    ],
];

/// A schema with the keywords that the other one has as a choice written as its only choice. Returns `None` if this
/// separates keywords that depend on each other.
fn as_choice(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<Map<String, Value>> {
    let choices = other.get("anyOf")?.as_array()?;
    if one.contains_key("anyOf") {
        return None;
    }
    let (mut schema, own): (Map<_, _>, Map<_, _>) = one
        .clone()
        .into_iter()
        .partition(|(key, _)| other.contains_key(key));
    let is_split = |keywords: &[&str]| {
        let has = |part: &Map<String, Value>| keywords.iter().any(|key| part.contains_key(*key));
        has(&schema) && has(&own)
    };
    if DEPENDENT.into_iter().any(is_split) {
        return None;
    }
    let own = Value::Object(own);
    let is_choice = choices.iter().any(|choice| same(choice, &own));
    is_choice.then(|| {
        schema.insert("anyOf".to_owned(), vec![own].into());
        schema
    })
}

/// True if a schema means the same without this keyword.
fn is_default(key: &str, value: &Value) -> bool {
    match key {
        "uniqueItems" => *value == false,
        "minLength" | "minItems" | "minProperties" => same(value, &0.into()),
        _ => false,
    }
}

/// Ranks `additionalProperties` by how much it permits.
fn permissiveness(value: Option<&Value>) -> u8 {
    match value {
        Some(Value::Bool(false)) => 0,
        Some(Value::Object(schema)) if !schema.is_empty() => 1,
        _ => 2,
    }
}

/// Compares a keyword that is a bound; true if the new value permits more.
fn bound(key: &str, old: &Value, new: &Value) -> Option<bool> {
    let number = |value: &Value| Decimal::parse(value.as_number()?.as_str());
    let (old, new) = (number(old)?, number(new)?);
    match key {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(new < old)
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(new > old)
        }
        _ => None,
    }
}

/// Returns the items of a list, or the single value, as texts.
fn texts(value: Option<&Value>) -> BTreeSet<String> {
    let text = |value: &Value| match value {
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    match value {
        None => BTreeSet::new(),
        Some(Value::Array(items)) => items.iter().map(text).collect(),
        Some(one) => BTreeSet::from([text(one)]),
    }
}
