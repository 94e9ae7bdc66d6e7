//! Conditions that a value meets.

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::{
    node::{Node, NodeValue},
    number::Decimal,
    path::Path,
    problem::Span,
    report::{PendingSchema, PendingSnapshot, Report},
    scalars::Range,
    value::same,
};

/// Largest compiled regular expression, in bytes.
const REGEX: usize = 1024 * 1024;

/// Conditions on one value; all of them must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicate {
    /// Place in the file.
    pub span: Span,
    /// The conditions with their places.
    pub tests: Vec<(Span, Test)>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Equal; numbers digit by digit, objects in any order.
    Equals(Value),
    /// A part of a text, an item of a list, or some members of an object.
    Contains(Value),
    /// Does not contain this.
    NotContains(Value),
    /// Text in which this matches.
    Matches(Pattern),
    /// Text in which this does not match.
    NotMatches(Pattern),
    /// Beginning of a text.
    Starts(String),
    /// End of a text.
    Ends(String),
    /// Equal to one of these.
    OneOf(Vec<Value>),
    /// JSON type.
    Type(String),
    /// Number of items, members, characters or nodes.
    Count(Range),
    /// There, even if null; or not there.
    Present(bool),
    /// Number between bounds.
    Between(Range),
    /// Text that is JSON with these values.
    Json(Vec<AtPath>),
    /// Valid against a JSON Schema, as JSON text.
    Schema(String),
    /// Equal to a snapshot of this name.
    Snapshot(String),
}

/// A condition on a part of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct AtPath {
    /// Place of the path.
    pub span: Span,
    /// The path.
    pub path: Path,
    /// The condition.
    pub predicate: Predicate,
}

/// A regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Pattern {
    /// Reads a regular expression.
    ///
    /// # Errors
    /// The fault, one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(text).size_limit(REGEX).build();
        let regex = regex.map_err(|error| {
            let error = error.to_string();
            let last = error.lines().last().unwrap_or_default();
            let why = last.strip_prefix("error: ").unwrap_or(last);
            format!("`{text}` is not a regular expression: {why}.")
        })?;
        let text = text.to_owned();
        Ok(Self { text, regex })
    }

    /// The compiled expression.
    #[must_use]
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

impl Predicate {
    /// Reads a condition on any value: a bare value means equality, a bare `"> 3"` or `"1..3"` a range. The value of a
    /// variable is neither, or a server could say by it what is judged.
    #[must_use]
    pub fn of_value(node: &Node) -> Self {
        let bare = match &node.value {
            _ if node.is_literal => None,
            NodeValue::Map { .. } => return Self::of_conditions(node),
            NodeValue::Text(text) => Range::comparison(text, Decimal::parse).map(Test::Between),
            _ => None,
        };
        Self {
            span: node.span,
            tests: vec![(node.span, bare.unwrap_or_else(|| Test::Equals(node.json())))],
        }
    }

    /// Reads a condition on a text: a bare text means equality, as does the value of a variable.
    #[must_use]
    pub fn of_text(node: &Node) -> Self {
        match node.value {
            NodeValue::Map { .. } if !node.is_literal => Self::of_conditions(node),
            _ => Self {
                span: node.span,
                tests: vec![(node.span, Test::Equals(node.json()))],
            },
        }
    }

    /// Reads a mapping whose shape was checked. Texts with variables that are not replaced yet have no condition.
    fn of_conditions(node: &Node) -> Self {
        let mut tests = Vec::new();
        for entry in node.entries() {
            let value = &entry.value;
            let text = || value.text().unwrap_or_default().to_owned();
            let each = match &value.value {
                NodeValue::List { items, .. } => &items[..],
                _ => std::slice::from_ref(value),
            };
            let all = |test: fn(Value) -> Test| each.iter().map(|one| test(one.json())).collect();
            let patterns = |test: fn(Pattern) -> Test| {
                let texts = each.iter().filter_map(Node::text);
                texts
                    .filter_map(|text| Some(test(Pattern::parse(text).ok()?)))
                    .collect()
            };
            let range = |sign: &str, test: fn(Range) -> Test| match &value.value {
                NodeValue::Text(text) | NodeValue::Number(text) => {
                    let range = Range::parse(&format!("{sign}{text}")).ok();
                    range.map(test).into_iter().collect()
                }
                _ => Vec::new(),
            };
            let flag = matches!(value.value, NodeValue::Bool(true));
            let found: Vec<Test> = match entry.key.as_str() {
                "equals" => vec![Test::Equals(value.json())],
                "contains" => all(Test::Contains),
                "not-contains" => all(Test::NotContains),
                "matches" => patterns(Test::Matches),
                "not-matches" => patterns(Test::NotMatches),
                "starts" => vec![Test::Starts(text())],
                "ends" => vec![Test::Ends(text())],
                "one-of" => vec![Test::OneOf(value.items().iter().map(Node::json).collect())],
                "type" => vec![Test::Type(text())],
                "count" => range("", Test::Count),
                "absent" => vec![Test::Present(!flag)],
                "present" => vec![Test::Present(flag)],
                "min" => range(">= ", Test::Between),
                "max" => range("<= ", Test::Between),
                "json" => vec![Test::Json(AtPath::read(value))],
                "schema" => vec![Test::Schema(value.json_text())],
                "snapshot" => vec![Test::Snapshot(text())],
                _ => Vec::new(),
            };
            tests.extend(found.into_iter().map(|test| (value.span, test)));
        }
        let span = node.span;
        Self { span, tests }
    }

    /// Judges the nodes that a path selected: each must meet the conditions, and at least one must exist unless
    /// `absent` or `count` is given.
    pub(crate) fn judge(&self, nodes: &[&Value], many: bool, path: &str, report: &mut Report<'_>) {
        for (span, test) in &self.tests {
            match test {
                Test::Present(expected) => {
                    if *expected == nodes.is_empty() {
                        let (expected, actual) = match nodes.first() {
                            Some(found) => ("nothing", report.show(found)),
                            None => ("a value", "nothing".to_owned()),
                        };
                        report.fail(*span, path, expected, actual);
                    }
                }
                Test::Count(range) if many => {
                    let count = Decimal::from(nodes.len() as u64);
                    if !range.contains(&count) {
                        report.fail(*span, path, format!("{range} nodes"), count.to_string());
                    }
                }
                _ if nodes.is_empty() => report.fail(*span, path, test.words(report), "nothing"),
                _ => {
                    for node in nodes {
                        test.judge(node, *span, path, report);
                    }
                }
            }
        }
    }

    /// True if there are no conditions, or the value meets all that can be judged at once.
    pub(crate) fn holds(conditions: &Option<Self>, value: Option<&Value>) -> bool {
        let mut report = Report::new(&str::to_owned);
        report.judge(conditions, "", value);
        report.failures.is_empty()
    }
}

impl Report<'_> {
    /// Judges a value, or its absence, by conditions.
    pub(crate) fn judge(
        &mut self,
        conditions: &Option<Predicate>,
        path: &str,
        actual: Option<&Value>,
    ) {
        if let Some(conditions) = conditions {
            let nodes: Vec<_> = actual.into_iter().collect();
            conditions.judge(&nodes, false, path, self);
        }
    }
}

impl AtPath {
    /// Reads a mapping from paths to conditions. Paths with variables that are not replaced yet are left out.
    pub(crate) fn read(node: &Node) -> Vec<Self> {
        let entries = node.entries().iter();
        entries
            .filter_map(|entry| {
                Some(Self {
                    span: entry.key_span,
                    path: Path::parse(&entry.key).ok()?,
                    predicate: Predicate::of_value(&entry.value),
                })
            })
            .collect()
    }

    /// Judges a part of a value.
    pub(crate) fn judge(&self, json: &Value, within: &str, report: &mut Report<'_>) {
        let nodes = self.path.select(json);
        let many = matches!(self.path, Path::Query { .. });
        let path = match self.path.to_string() {
            path if path.is_empty() => within.to_owned(),
            path => path,
        };
        self.predicate.judge(&nodes, many, &path, report);
    }
}

impl Test {
    fn judge(&self, value: &Value, span: Span, path: &str, report: &mut Report<'_>) {
        let text = value.as_str();
        let holds = match self {
            Self::Equals(expected) => same(value, expected),
            Self::Contains(part) => contains(value, part) == Some(true),
            Self::NotContains(part) => contains(value, part) == Some(false),
            Self::Matches(pattern) => text.is_some_and(|text| pattern.regex.is_match(text)),
            Self::NotMatches(pattern) => text.is_some_and(|text| !pattern.regex.is_match(text)),
            Self::Starts(start) => text.is_some_and(|text| text.starts_with(start.as_str())),
            Self::Ends(end) => text.is_some_and(|text| text.ends_with(end.as_str())),
            Self::OneOf(values) => values.iter().any(|one| same(value, one)),
            Self::Type(name) => is_type(value, name),
            Self::Count(range) => {
                let count = count(value);
                if count.is_some_and(|count| range.contains(&Decimal::from(count as u64))) {
                    return;
                }
                let actual = count.map_or_else(|| report.show(value), |count| count.to_string());
                return report.fail(span, path, format!("a count of {range}"), actual);
            }
            Self::Between(range) => {
                let number = value.as_number().and_then(|it| Decimal::parse(it.as_str()));
                number.is_some_and(|number| range.contains(&number))
            }
            Self::Present(expected) => *expected,
            Self::Json(tests) => match text.map(serde_json::from_str::<Value>) {
                Some(Ok(json)) => {
                    for test in tests {
                        test.judge(&json, path, report);
                    }
                    return;
                }
                _ => false,
            },
            Self::Schema(schema) => {
                report.schemas.push(PendingSchema {
                    span,
                    path: path.to_owned(),
                    schema: schema.clone(),
                    value: value.to_string(),
                });
                return;
            }
            Self::Snapshot(name) => {
                report.snapshots.push(PendingSnapshot {
                    span,
                    path: path.to_owned(),
                    name: name.clone(),
                    value: value.clone(),
                });
                return;
            }
        };
        match self {
            _ if holds => {}
            Self::Equals(expected) => {
                let (expected, actual) = report.show_both(expected, value);
                report.fail(span, path, expected, actual);
            }
            _ => report.fail(span, path, self.words(report), report.show(value)),
        }
    }

    fn words(&self, report: &Report<'_>) -> String {
        let show = |value: &Value| report.show(value);
        let texts = |text: &str| report.cut(&format!("{text:?}"));
        match self {
            Self::Equals(value) => show(value),
            Self::Contains(part) => format!("something that contains {}", show(part)),
            Self::NotContains(part) => format!("a value without {}", show(part)),
            Self::Matches(pattern) => format!("a text that matches {}", texts(&pattern.text)),
            Self::NotMatches(pattern) => {
                format!("a text that does not match {}", texts(&pattern.text))
            }
            Self::Starts(start) => format!("a text that begins with {}", texts(start)),
            Self::Ends(end) => format!("a text that ends with {}", texts(end)),
            Self::OneOf(values) => {
                let values: Vec<_> = values.iter().map(show).collect();
                format!("one of {}", values.join(", "))
            }
            Self::Type(name) => format!("the type {name}"),
            Self::Count(range) => format!("a count of {range}"),
            Self::Present(true) => "a value".to_owned(),
            Self::Present(false) => "nothing".to_owned(),
            Self::Between(range) => format!("a number {range}"),
            Self::Json(_) => "a text that is JSON".to_owned(),
            Self::Schema(_) => "a value that the schema permits".to_owned(),
            Self::Snapshot(name) => format!("the snapshot {name}"),
        }
    }
}

/// `None` for values of which no such part can be.
fn contains(value: &Value, part: &Value) -> Option<bool> {
    Some(match (value, part) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Array(items), part) => items.iter().any(|item| same(item, part)),
        (Value::Object(members), Value::Object(part)) => part
            .iter()
            .all(|(key, part)| members.get(key).is_some_and(|value| same(value, part))),
        _ => return None,
    })
}

fn count(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(text.chars().count()),
        Value::Array(items) => Some(items.len()),
        Value::Object(members) => Some(members.len()),
        _ => None,
    }
}

fn is_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => {
            let whole = || Decimal::parse(number.as_str()).is_some_and(|it| it.is_whole());
            name == "number" || (name == "integer" && whole())
        }
    }
}
