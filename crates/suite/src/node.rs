//! YAML 1.2 as a tree that keeps places and digits. Every JSON text is a YAML text.

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use serde_json::Value;

use crate::problem::{Problem, Span};

/// Largest file in bytes.
const BYTES: usize = 4 * 1024 * 1024;
/// Deepest nesting.
const DEPTH: usize = 64;

/// A value with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Place from its first to its last byte, without comments that follow.
    pub span: Span,
    /// The value.
    pub value: NodeValue,
    /// It took the place of a variable: a value to compare with, never a condition or settings.
    pub is_literal: bool,
}

/// Values of YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeValue {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written, valid as JSON.
    Number(String),
    /// A text.
    Text(String),
    /// A sequence.
    List {
        /// Written in brackets.
        flow: bool,
        /// Its items.
        items: Vec<Node>,
    },
    /// A mapping.
    Map {
        /// Written in braces.
        flow: bool,
        /// The entries; no key occurs twice.
        entries: Vec<Entry>,
    },
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Place of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Entry {
    /// Returns the offset after the value, or after the key if there is no value.
    pub(crate) fn end(&self) -> usize {
        self.value.span.end.max(self.key_span.end)
    }
}

impl Node {
    pub(crate) fn new(span: Span, value: NodeValue) -> Self {
        Self {
            span,
            value,
            is_literal: false,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The first violation of YAML, or the first anchor, alias, tag or repeated key.
    pub fn read(text: &str) -> Result<Self, Problem> {
        if text.len() > BYTES {
            let message = format!("A file has at most {} MiB.", BYTES / 1024 / 1024);
            return Err(Problem::new(Span::default(), message));
        }
        Reader::default().read(text)
    }

    /// Converts a JSON value to a node, at the place of the text that it replaces.
    #[must_use]
    pub fn of_json(json: &Value, span: Span) -> Self {
        let value = match json {
            Value::Null => NodeValue::Null,
            Value::Bool(flag) => NodeValue::Bool(*flag),
            Value::Number(number) => NodeValue::Number(number.to_string()),
            Value::String(text) => NodeValue::Text(text.clone()),
            Value::Array(items) => NodeValue::List {
                flow: true,
                items: items.iter().map(|item| Self::of_json(item, span)).collect(),
            },
            Value::Object(members) => NodeValue::Map {
                flow: true,
                entries: members
                    .iter()
                    .map(|(key, value)| Entry {
                        key: key.clone(),
                        key_span: span,
                        value: Self::of_json(value, span),
                    })
                    .collect(),
            },
        };
        Self::new(span, value)
    }

    /// The JSON text, with digits and order as written.
    #[must_use]
    pub fn json_text(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// True if a text or a key of the tree holds this text.
    pub(crate) fn contains(&self, part: &str) -> bool {
        match &self.value {
            NodeValue::Text(text) => text.contains(part),
            NodeValue::List { items, .. } => items.iter().any(|item| item.contains(part)),
            NodeValue::Map { entries, .. } => entries
                .iter()
                .any(|entry| entry.key.contains(part) || entry.value.contains(part)),
            NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => false,
        }
    }

    /// The JSON value. Its numbers keep their digits.
    #[must_use]
    pub fn json(&self) -> Value {
        // A parsed tree has fewer levels than serde_json's limit.
        serde_json::from_str(&self.json_text()).unwrap_or_default()
    }

    fn write_json(&self, out: &mut String) {
        match &self.value {
            NodeValue::Null => out.push_str("null"),
            NodeValue::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            NodeValue::Number(digits) => out.push_str(digits),
            NodeValue::Text(text) => out.push_str(&quoted(text)),
            NodeValue::List { items, .. } => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    item.write_json(out);
                }
                out.push(']');
            }
            NodeValue::Map { entries, .. } => {
                out.push('{');
                for (index, entry) in entries.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(&quoted(&entry.key));
                    out.push(':');
                    entry.value.write_json(out);
                }
                out.push('}');
            }
        }
    }

    /// The entries of a mapping; none for anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            NodeValue::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    /// The items of a sequence; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.value {
            NodeValue::List { items, .. } => items,
            _ => &[],
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries().iter().find(|entry| entry.key == key);
        entry.map(|entry| &entry.value)
    }

    /// The entries of the mapping at a key; none where there is no mapping.
    #[must_use]
    pub(crate) fn entries_of(&self, key: &str) -> &[Entry] {
        self.get(key).map_or(&[], Self::entries)
    }

    /// The items of the sequence at a key; none where there is no sequence.
    #[must_use]
    pub(crate) fn items_of(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], Self::items)
    }

    /// The text at a key.
    #[must_use]
    pub(crate) fn text_of(&self, key: &str) -> Option<String> {
        self.get(key)?.text().map(str::to_owned)
    }

    /// Keys and values of the mapping at a key.
    #[must_use]
    pub(crate) fn pairs_of(&self, key: &str) -> Vec<(String, Node)> {
        let entries = self.entries_of(key).iter();
        entries
            .map(|entry| (entry.key.clone(), entry.value.clone()))
            .collect()
    }

    /// The value of a key, or the item of a list by its index.
    #[must_use]
    pub fn child(&self, key: &str) -> Option<&Node> {
        match &self.value {
            NodeValue::List { items, .. } => items.get(key.parse::<usize>().ok()?),
            _ => self.get(key),
        }
    }

    /// True if this, or anything in it, has this text at this key.
    #[must_use]
    pub fn has_text(&self, key: &str, text: &str) -> bool {
        let entries = self.entries().iter();
        let mut in_entries = entries.map(|entry| (entry.key == key, &entry.value));
        in_entries.any(|(is_key, value)| {
            (is_key && value.text() == Some(text)) || value.has_text(key, text)
        }) || self.items().iter().any(|item| item.has_text(key, text))
    }

    /// Returns the text of a text node.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            NodeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Describes the kind of value, with an article.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.value {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "true or false",
            NodeValue::Number(_) => "a number",
            NodeValue::Text(_) => "a text",
            NodeValue::List { .. } => "a list",
            NodeValue::Map { .. } => "a mapping",
        }
    }
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Builds the tree from the parser's events.
#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    root: Option<Node>,
}

/// A collection whose end was not read yet.
struct Open {
    node: Node,
    /// Key whose value comes next.
    key: Option<(String, Span)>,
}

impl Reader {
    fn read(mut self, text: &str) -> Result<Node, Problem> {
        let mut parser = Parser::new_from_str(text);
        let mut documents = 0;
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| {
                let at = place(error.marker(), error.marker());
                Problem::new(at, format!("This is not valid YAML: {}.", error.info()))
            })?;
            let mut span = place(&span.start, &span.end);
            match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        let message = "A file has one document; remove the `---` between the two.";
                        return Err(Problem::new(span, message));
                    }
                }
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    let message = "Aliases (`*name`) are not supported; write the value out.";
                    return Err(Problem::new(span, message));
                }
                Event::Scalar(content, style, anchor, tag) => {
                    plain_node(span, anchor, tag.is_some())?;
                    let value = match style {
                        ScalarStyle::Plain if !self.awaits_key() => {
                            scalar(&content).map_err(|why| Problem::new(span, why))?
                        }
                        _ => NodeValue::Text(content.into_owned()),
                    };
                    // The parser reports the end of a block after the lines that follow it.
                    let written = text.get(span.start..span.end).unwrap_or_default();
                    span.end = span.start + written.trim_end().len();
                    self.add(span, value)?;
                }
                Event::SequenceStart(style, anchor, tag) => {
                    plain_node(span, anchor, tag.is_some())?;
                    let flow = style == StructureStyle::Flow;
                    let items = Vec::new();
                    self.begin(span, NodeValue::List { flow, items })?;
                }
                Event::MappingStart(style, anchor, tag) => {
                    plain_node(span, anchor, tag.is_some())?;
                    let flow = style == StructureStyle::Flow;
                    let entries = Vec::new();
                    self.begin(span, NodeValue::Map { flow, entries })?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.end(span)?,
                _ => {}
            }
        }
        self.root
            .ok_or_else(|| Problem::new(Span::default(), "The file is empty."))
    }

    /// The next node is a key.
    fn awaits_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            matches!(open.node.value, NodeValue::Map { .. }) && open.key.is_none()
        })
    }

    fn begin(&mut self, span: Span, value: NodeValue) -> Result<(), Problem> {
        if self.awaits_key() {
            return Err(Problem::new(span, "A key is a text, not a collection."));
        }
        if self.open.len() == DEPTH {
            let message = format!("Values nest at most {DEPTH} deep.");
            return Err(Problem::new(span, message));
        }
        let node = Node::new(span, value);
        self.open.push(Open { node, key: None });
        Ok(())
    }

    fn end(&mut self, span: Span) -> Result<(), Problem> {
        let Some(Open { mut node, .. }) = self.open.pop() else {
            return Ok(());
        };
        // The parser reports the end of a block at the next token, after comments.
        node.span.end = match &node.value {
            NodeValue::List { flow: true, .. } | NodeValue::Map { flow: true, .. } => span.end,
            NodeValue::List { items, .. } => {
                items.last().map_or(node.span.end, |item| item.span.end)
            }
            NodeValue::Map { entries, .. } => entries.last().map_or(node.span.end, Entry::end),
            _ => span.end,
        };
        self.place(node)
    }

    fn add(&mut self, span: Span, value: NodeValue) -> Result<(), Problem> {
        if self.awaits_key() {
            let NodeValue::Text(key) = value else {
                return Err(Problem::new(span, "A key is a text."));
            };
            if let Some(Open { node, .. }) = self.open.last()
                && let Some(first) = node.entries().iter().find(|entry| entry.key == key)
            {
                let line = first.key_span.line;
                let message = format!("`{key}` is given twice: it is already on line {line}.");
                return Err(Problem::new(span, message));
            }
            if let Some(open) = self.open.last_mut() {
                open.key = Some((key, span));
            }
            return Ok(());
        }
        self.place(Node::new(span, value))
    }

    fn place(&mut self, node: Node) -> Result<(), Problem> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.value {
            NodeValue::List { items, .. } => items.push(node),
            NodeValue::Map { entries, .. } => {
                if let Some((key, key_span)) = open.key.take() {
                    let value = node;
                    entries.push(Entry {
                        key,
                        key_span,
                        value,
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn plain_node(span: Span, anchor: usize, tagged: bool) -> Result<(), Problem> {
    let message = if anchor > 0 {
        "Anchors (`&name`) are not supported; write the value out where it is used."
    } else if tagged {
        "Tags (`!name`) are not supported; quote the value to make it a text."
    } else {
        return Ok(());
    };
    Err(Problem::new(span, message))
}

fn place(start: &granit_parser::Marker, end: &granit_parser::Marker) -> Span {
    let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Span {
        start: start.byte_offset().unwrap_or_default(),
        end: end.byte_offset().unwrap_or_default(),
        line: size(start.line().max(1)),
        column: size(start.col() + 1),
    }
}

/// A plain scalar by the core schema of YAML 1.2.
fn scalar(text: &str) -> Result<NodeValue, String> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => NodeValue::Null,
        "true" | "True" | "TRUE" => NodeValue::Bool(true),
        "false" | "False" | "FALSE" => NodeValue::Bool(false),
        _ if is_json_number(text) => NodeValue::Number(text.to_owned()),
        _ if is_yaml_number(text) => {
            return Err(format!(
                "`{text}` is a number that JSON cannot write. Write it as JSON does, or quote it to make it a text."
            ));
        }
        _ => NodeValue::Text(text.to_owned()),
    })
}

fn is_json_number(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    begins && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}

/// True for numbers of the core schema that JSON does not have: `+1`, `01`, `.5`, `1.`, `0x1F`, `0o17`, `.inf`, `.nan`.
fn is_yaml_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(&unsigned) {
        return true;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        }
    }
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let exponent = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    whole.len() + fraction.len() > 0 && digits(whole) && digits(fraction) && exponent
}
