//! Changes of one step in the text of a suite. Every other byte stays as it is: comments, order, spacing.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::{
    emit,
    format::Suite,
    node::{Node, NodeValue},
    problem::{Problem, Problems, Span},
};

/// First lines of a suite: an editor finds its schema by the first.
const HEAD: &str = "\
# yaml-language-server: $schema=https://sonde.dev/schema/suite-1.json
sonde: 1
";

/// Returns the text of a suite with these keys and steps, in this order.
#[must_use]
pub fn suite_text(keys: &Map<String, Value>, steps: &[Map<String, Value>]) -> String {
    let keys = emit::block(keys, 0);
    let none = if steps.is_empty() { " []" } else { "" };
    let steps = steps.iter().map(|step| format!("{}\n", item(step, 2)));
    format!("{HEAD}{keys}\nsteps:{none}\n{}", steps.collect::<String>())
}

/// Adds JSON text to a step: as a value if YAML holds it exactly, else as text under `KEY-json`.
pub fn insert_json(step: &mut Map<String, Value>, key: &str, text: &str) {
    // A JSON text is a YAML text, but for repeated keys.
    match Node::read(text).map(|node| node.json()) {
        Ok(value @ Value::Object(_)) => step.insert(key.to_owned(), value),
        _ => step.insert(format!("{key}-json"), text.into()),
    };
}

/// Escapes all texts, so that they contain no variables.
#[must_use]
pub fn escaped(value: Value) -> Value {
    map_texts(value, &|text| text.replace("${", "$${"))
}

/// Changes all texts of a value, keys too.
#[must_use]
pub fn map_texts(value: Value, change: &dyn Fn(String) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items
            .into_iter()
            .map(|item| map_texts(item, change))
            .collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(key, value)| (change(key), map_texts(value, change)))
                .collect()
        }
        other => other,
    }
}

/// Text of a suite that is changed step by step.
#[derive(Clone, Debug)]
pub struct SuiteText {
    file: String,
    text: String,
    root: Node,
}

impl SuiteText {
    /// Takes the text of a suite.
    ///
    /// # Errors
    /// The text is not a suite.
    pub fn new(file: &str, text: impl Into<String>) -> Result<Self, Problems> {
        let text = text.into();
        Suite::read(file, &text)?;
        let root = Node::read(&text).map_err(|problem| Problems::new(file, vec![problem]))?;
        let file = file.to_owned();
        Ok(Self { file, text, root })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a step at the end. Its keys are keys of the format, in the order in which they are written.
    ///
    /// # Errors
    /// The steps are written in brackets, or the suite would not be valid.
    pub fn append(&mut self, step: &Map<String, Value>) -> Result<(), Problems> {
        let steps = self.steps();
        let Some(last) = steps.items().len().checked_sub(1) else {
            let key = self.key("steps");
            let text = format!("\n{}", item(step, 2));
            let start = self.colon(key);
            let end = steps.span.end.max(start);
            return self.splice(start, end, &text, Edit::Added(0));
        };
        let region = self.region(last)?;
        let text = self.line(region.end, &item(step, region.indent));
        self.splice(region.end, region.end, &text, Edit::Added(last + 1))
    }

    /// Removes a step.
    ///
    /// # Errors
    /// There is no such step, or the steps are written in brackets.
    pub fn remove(&mut self, index: usize) -> Result<(), Problems> {
        let region = self.region(index)?;
        let key = self.colon(self.key("steps"));
        let (start, text) = match self.steps().items().len() {
            1 if self.text[key..region.start].trim().is_empty() => (key, " []\n"),
            // A comment may come between the key and the step.
            1 => (region.start, "  []\n"),
            _ => (region.start, ""),
        };
        self.splice(start, region.end, text, Edit::Changed(index))
    }

    /// The lines of a step, from its dash to its last value.
    ///
    /// # Errors
    /// There is no such step, or the steps are written in brackets.
    pub fn step(&self, index: usize) -> Result<&str, Problems> {
        let region = self.region(index)?;
        Ok(&self.text[region.start..region.end])
    }

    /// Inserts the lines of a step, as [`Self::step`] returned them, at this index.
    ///
    /// # Errors
    /// The steps are written in brackets, or the suite would not be valid.
    pub fn insert(&mut self, index: usize, lines: &str) -> Result<(), Problems> {
        let steps = self.steps().items().len();
        let index = index.min(steps);
        let lines = lines.trim_end_matches('\n');
        if steps == 0 {
            let start = self.colon(self.key("steps"));
            let end = self.steps().span.end.max(start);
            let text = format!("\n{lines}");
            return self.splice(start, end, &text, Edit::Added(0));
        }
        let next_to = self.region(index.saturating_sub(1))?;
        let at = match index {
            0 => self.with_comments(0)?.start,
            _ => next_to.end,
        };
        let text = self.line(at, &indented(lines, next_to.indent));
        self.splice(at, at, &text, Edit::Added(index))
    }

    /// Moves a step, with the comment above it, to another place; beyond the end means the end.
    ///
    /// # Errors
    /// There is no such step, or the steps are written in brackets.
    pub fn shift(&mut self, from: usize, to: usize) -> Result<(), Problems> {
        let moved = self.with_comments(from)?;
        let to = to.min(self.steps().items().len() - 1);
        let text = &self.text;
        let lines = text[moved.start..moved.end].trim_end_matches('\n');
        let text = match to.cmp(&from) {
            Ordering::Equal => return Ok(()),
            Ordering::Less => {
                let at = self.with_comments(to)?.start;
                let (skipped, rest) = (&text[at..moved.start], &text[moved.end..]);
                format!("{}{lines}\n{skipped}{rest}", &text[..at])
            }
            Ordering::Greater => {
                let at = self.region(to)?.end;
                let skipped = &text[moved.end..at];
                let line_break = if skipped.ends_with('\n') { "" } else { "\n" };
                let (before, rest) = (&text[..moved.start], &text[at..]);
                format!("{before}{skipped}{line_break}{lines}\n{rest}")
            }
        };
        self.accept(text, Edit::Moved { from, to })
    }

    /// Adds a value to a list within a step, for example at `["expect", "ignore"]`; an index names an item of a list on
    /// the way. A list that is not there is made.
    ///
    /// # Errors
    /// There is no such step, or the suite would not be valid.
    pub fn push(&mut self, index: usize, path: &[&str], value: &Value) -> Result<(), Problems> {
        let step = self.steps().items().get(index);
        let step = step.ok_or_else(|| self.refuse("There is no such step."))?;
        let list = path.iter().try_fold(step, |node, key| node.child(key));
        let Some(NodeValue::List { flow, items }) = list.map(|list| &list.value) else {
            let list = Value::Array(vec![value.clone()]);
            return self.set(index, path, Some(&list));
        };
        let value = emit::inline(value);
        let (at, text) = match items.last() {
            None => (list.map_or(0, |list| list.span.start + 1), value),
            Some(last) if *flow => (last.span.end, format!(", {value}")),
            Some(last) => {
                let dash = self.dash(last)?;
                let spaces = " ".repeat(dash - self.line_start(dash));
                let at = self.line_end(last.span.end);
                (at, self.line(at, &format!("{spaces}- {value}")))
            }
        };
        self.splice(at, at, &text, Edit::Changed(index))
    }

    /// Sets a value within a step, for example at `["expect", "snapshot"]`; `None` removes it. Mappings on the way are
    /// made.
    ///
    /// # Errors
    /// There is no such step, or the suite would not be valid.
    pub fn set(
        &mut self,
        index: usize,
        path: &[&str],
        value: Option<&Value>,
    ) -> Result<(), Problems> {
        let step = self.steps().items().get(index);
        let mut parent = step.ok_or_else(|| self.refuse("There is no such step."))?;
        let mut rest = path;
        while let [key, deeper @ ..] = rest {
            if let NodeValue::List { .. } = parent.value {
                let item = parent.child(key);
                parent = item.ok_or_else(|| self.refuse("There is no such item."))?;
                rest = deeper;
                continue;
            }
            let Some(entry) = parent.entries().iter().find(|entry| entry.key == *key) else {
                break;
            };
            rest = deeper;
            let goes_on = match &entry.value.value {
                NodeValue::Map { .. } => true,
                NodeValue::List { items, .. } => !items.is_empty(),
                _ => false,
            };
            if rest.is_empty() || !goes_on {
                let Some(value) = value else {
                    let (start, end) = self.entry_region(parent, &entry.key)?;
                    return self.splice(start, end, "", Edit::Changed(index));
                };
                let start = self.colon(entry.key_span);
                let text = format!(" {}", emit::inline(&nested(rest, value)));
                let end = entry.value.span.end.max(start);
                return self.splice(start, end, &text, Edit::Changed(index));
            }
            parent = &entry.value;
        }
        let (Some(value), [key, deeper @ ..]) = (value, rest) else {
            // There is nothing to remove.
            return Ok(());
        };
        let value = nested(deeper, value);
        let (at, text) = self.addition(parent, key, &value);
        self.splice(at, at, &text, Edit::Changed(index))
    }

    /// Place and text of a new entry of a mapping.
    fn addition(&self, parent: &Node, key: &str, value: &Value) -> (usize, String) {
        let entries = parent.entries();
        match (&parent.value, entries.first(), entries.last()) {
            (NodeValue::Map { flow: false, .. }, Some(first), Some(last)) => {
                let indent = first.key_span.column as usize - 1;
                let at = self.line_end(last.end());
                let text = emit::entry(key, value, indent);
                let spaces = " ".repeat(indent);
                (at, self.line(at, &format!("{spaces}{text}")))
            }
            (_, _, last) => {
                let text = emit::inline_entry(key, value);
                match last {
                    Some(last) => (last.end(), format!(", {text}")),
                    None => (parent.span.start + 1, format!(" {text} ")),
                }
            }
        }
    }

    /// The bytes of an entry that is removed.
    fn entry_region(&self, parent: &Node, key: &str) -> Result<(usize, usize), Problems> {
        let entries = parent.entries();
        let index = entries
            .iter()
            .position(|entry| entry.key == key)
            .unwrap_or_default();
        let entry = &entries[index];
        let start = self.line_start(entry.key_span.start);
        let has_own_lines = self.text[start..entry.key_span.start].trim().is_empty();
        let flow = matches!(parent.value, NodeValue::Map { flow: true, .. });
        if entries.len() == 1 {
            return Err(self.refuse("The last key of a mapping cannot be removed by itself."));
        }
        Ok(match entries.get(index + 1) {
            _ if has_own_lines && !flow => (start, self.line_end(entry.end())),
            Some(next) => (entry.key_span.start, next.key_span.start),
            None => (entries[index - 1].end(), entry.end()),
        })
    }

    fn steps(&self) -> &Node {
        // `new` refuses a suite without steps.
        self.root.get("steps").unwrap_or(&self.root)
    }

    /// A text as lines of its own at a place between two lines, or at the end of the file.
    fn line(&self, at: usize, text: &str) -> String {
        match at == 0 || self.text[..at].ends_with('\n') {
            true => format!("{text}\n"),
            false => format!("\n{text}"),
        }
    }

    /// Place of a key of the suite.
    fn key(&self, key: &str) -> Span {
        let entry = self.root.entries().iter().find(|entry| entry.key == key);
        entry.map_or(self.root.span, |entry| entry.key_span)
    }

    /// Returns the offset after the colon of a key.
    fn colon(&self, key: Span) -> usize {
        let colon = self.text[key.end..].find(':');
        colon.map_or(key.end, |at| key.end + at + 1)
    }

    /// The bytes of a step: whole lines from its dash to the end of its last value.
    fn region(&self, index: usize) -> Result<Region, Problems> {
        let steps = self.steps();
        if matches!(steps.value, NodeValue::List { flow: true, .. }) {
            return Err(self.refuse(
                "The steps are written in brackets. Write each on its own lines, beginning with `- `, to edit them.",
            ));
        }
        let step = steps.items().get(index);
        let step = step.ok_or_else(|| self.refuse("There is no such step."))?;
        let dash = self.dash(step)?;
        let start = self.line_start(dash);
        Ok(Region {
            start,
            indent: dash - start,
            end: self.line_end(step.span.end),
        })
    }

    /// The lines of a step with the comment right above it.
    fn with_comments(&self, index: usize) -> Result<Region, Problems> {
        let mut region = self.region(index)?;
        while let Some(above) = region.start.checked_sub(1) {
            let start = self.line_start(above);
            if !self.text[start..above].trim_start().starts_with('#') {
                break;
            }
            region.start = start;
        }
        Ok(region)
    }

    /// Place of the dash before an item of a list.
    fn dash(&self, item: &Node) -> Result<usize, Problems> {
        let before = self.text[..item.span.start].trim_end();
        let dash = before.strip_suffix('-').map(str::len);
        dash.ok_or_else(|| self.refuse("The dash of this item was not found."))
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at]
            .rfind('\n')
            .map_or(0, |line_break| line_break + 1)
    }

    /// Returns the offset after the line break that ends this line.
    fn line_end(&self, at: usize) -> usize {
        let line_break = self.text[at..].find('\n');
        line_break.map_or(self.text.len(), |found| at + found + 1)
    }

    fn refuse(&self, message: &str) -> Problems {
        let span = self.steps().span;
        Problems::new(&self.file, vec![Problem::new(span, message)])
    }

    /// Replaces bytes, unless that would change another step than the edited one, or the suite would not be valid.
    fn splice(&mut self, start: usize, end: usize, by: &str, edit: Edit) -> Result<(), Problems> {
        let text = format!("{}{by}{}", &self.text[..start], &self.text[end..]);
        self.accept(text, edit)
    }

    /// Replaces the text, under the conditions of [`Self::splice`].
    fn accept(&mut self, text: String, edit: Edit) -> Result<(), Problems> {
        let new = Self::new(&self.file, text)?;
        let steps =
            |text: &Self| -> Vec<_> { text.steps().items().iter().map(Node::json_text).collect() };
        let (mut before, mut after) = (steps(self), steps(&new));
        match edit {
            Edit::Changed(index) => {
                if after.len() == before.len() {
                    after.remove(index);
                }
                before.remove(index);
            }
            Edit::Added(index) if index < after.len() => drop(after.remove(index)),
            Edit::Added(_) => {}
            Edit::Moved { from, to } => {
                let step = before.remove(from);
                before.insert(to, step);
            }
        }
        if before != after {
            return Err(self.refuse("This change would touch other steps; edit the file by hand."));
        }
        *self = new;
        Ok(())
    }
}

/// Steps that an edit may change.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// The step of this index is another, or gone.
    Changed(usize),
    /// A new step has this index.
    Added(usize),
    /// A step moves.
    Moved { from: usize, to: usize },
}

/// The lines of a step.
#[derive(Clone, Copy, Debug)]
struct Region {
    start: usize,
    /// Column of the dash, from 0.
    indent: usize,
    end: usize,
}

/// A step as an item of the list, without a line break at its end.
fn item(step: &Map<String, Value>, indent: usize) -> String {
    format!("{}- {}", " ".repeat(indent), emit::block(step, indent + 2))
}

/// Lines of a step whose dash has this column, from 0.
fn indented(lines: &str, column: usize) -> String {
    let before = lines.len() - lines.trim_start_matches(' ').len();
    let line = |line: &str| match line.strip_prefix(&" ".repeat(before)) {
        Some(line) => format!("{}{line}", " ".repeat(column)),
        None => line.to_owned(),
    };
    lines.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A value within mappings of these keys.
fn nested(path: &[&str], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, key| {
        Value::Object(Map::from_iter([((*key).to_owned(), value)]))
    })
}
