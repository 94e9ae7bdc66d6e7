//! JSON as a tree with open and closed nodes.

use std::sync::Arc;

use super::DocumentRow;
use super::nodes::{Name, Node, name};
use super::pretty::indent;
use crate::text::{Needle, visible};

/// Limit of the nodes of a tree that is fully open at first.
const MAX_OPEN_NODES: usize = 200;
/// Limit of the rows at first; within it, the first level of a larger tree is open at first.
const FIRST_ROWS: u64 = 1000;
/// Limit in characters of a value or key on a row.
const MAX_VALUE_CHARS: usize = 400;
/// Limit in bytes of a value or a path for the clipboard, as `MOST_COPIED` of the page.
const MAX_COPIED: usize = 16 << 20;

/// Tree of JSON nodes with its visible rows.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Arc<Vec<Node>>,
    open: Vec<bool>,
    /// The nodes shown as rows, in order.
    rows: Vec<u32>,
}

impl Tree {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        let mut open = vec![nodes.len() <= MAX_OPEN_NODES; nodes.len()];
        if let (Some(first), Some(root)) = (open.first_mut(), nodes.first()) {
            *first = true;
            let level = || children(&nodes, 0);
            let rows: u64 = u64::from(root.children)
                + level()
                    .take(usize::try_from(FIRST_ROWS).unwrap_or(usize::MAX))
                    .map(|child| u64::from(nodes[child as usize].children))
                    .sum::<u64>();
            if rows < FIRST_ROWS {
                for child in level() {
                    open[child as usize] = true;
                }
            }
        }
        let mut tree = Self {
            nodes: Arc::new(nodes),
            open,
            rows: Vec::new(),
        };
        tree.rebuild();
        tree
    }

    pub(super) fn nodes(&self) -> &Arc<Vec<Node>> {
        &self.nodes
    }

    /// Returns the memory of the tree with all nodes open, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<bool>() + size_of::<u32>())
    }

    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    pub(super) fn rows(&self, text: &str, from: u64, count: u64) -> Vec<DocumentRow> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.rows
            .iter()
            .skip(from)
            .take(count)
            .map(|node| self.row(*node, text))
            .collect()
    }

    fn row(&self, id: u32, text: &str) -> DocumentRow {
        let node = &self.nodes[id as usize];
        let (value, truncated) = if node.is_container() {
            (String::new(), false)
        } else {
            cut(node.lexeme(text))
        };
        let (key, index) = match name(&self.nodes, node, text) {
            Name::Root => (None, None),
            Name::Key(key) => (Some(cut(&decoded(key)).0), None),
            Name::Index(index) => (None, Some(index)),
        };
        DocumentRow::Node {
            node: id,
            parent: node.parent().map(|parent| self.row_of(parent)),
            depth: node.depth,
            key,
            index,
            kind: node.kind,
            value,
            truncated,
            children: node.children,
            expanded: node.is_container() && self.open[id as usize],
        }
    }

    /// Opens or closes a container. Other nodes do not change.
    pub(super) fn toggle(&mut self, id: u32) {
        let index = id as usize;
        if self.nodes.get(index).is_some_and(Node::is_container) {
            self.open[index] = !self.open[index];
            self.rebuild();
        }
    }

    /// Opens all nodes, or closes all but the root.
    pub(super) fn set_all(&mut self, open: bool) {
        self.open.fill(open);
        if let Some(root) = self.open.first_mut() {
            *root = true;
        }
        self.rebuild();
    }

    /// Opens the closed nodes around a node and returns the row of the node.
    pub(super) fn reveal(&mut self, id: u32) -> u64 {
        let mut changed = false;
        let mut at = self.nodes.get(id as usize).and_then(Node::parent);
        while let Some(parent) = at {
            let index = parent as usize;
            changed |= !self.open[index];
            self.open[index] = true;
            at = self.nodes[index].parent();
        }
        if changed {
            self.rebuild();
        }
        self.row_of(id)
    }

    /// Returns the row of a node that is shown: rows are in the order of the text, as the numbers of nodes are.
    fn row_of(&self, id: u32) -> u64 {
        self.rows.partition_point(|row| *row < id) as u64
    }

    fn rebuild(&mut self) {
        self.rows.clear();
        let mut id = 0;
        while let Some(node) = self.nodes.get(id as usize) {
            self.rows.push(id);
            id = if self.open[id as usize] {
                id + 1
            } else {
                node.next
            };
        }
    }
}

/// Finds the nodes whose key or scalar value contains the text, at most `limit`.
pub(super) fn search(nodes: &[Node], text: &str, needle: &Needle, limit: usize) -> Vec<u32> {
    let mut hits = Vec::new();
    let contains = |lexeme: &str| {
        needle.is_in(lexeme) || (lexeme.contains('\\') && needle.is_in(&decoded(lexeme)))
    };
    for (id, node) in (0_u32..).zip(nodes) {
        let hit = (!node.is_container() && contains(node.lexeme(text)))
            || matches!(name(nodes, node, text), Name::Key(key) if contains(key));
        if hit {
            hits.push(id);
            if hits.len() == limit {
                break;
            }
        }
    }
    hits
}

/// Returns the value of a node: strings without quotes and escapes, containers with indentation, numbers and words as
/// received. `None` if there is no such node, or if the value is too long to copy.
pub(super) fn value(nodes: &[Node], text: &str, id: u32) -> Option<String> {
    let node = nodes.get(id as usize)?;
    let lexeme = node.lexeme(text);
    if lexeme.len() > MAX_COPIED {
        return None;
    }
    Some(if node.is_container() {
        indent(lexeme, MAX_COPIED).unwrap_or_else(|_| lexeme.to_owned())
    } else {
        decoded(lexeme)
    })
}

/// Returns the path of a node as in code, for example `$.users[3]["first name"]`. `None` if there is no such node, or
/// if the path is too long to copy.
pub(super) fn path(nodes: &[Node], text: &str, id: u32) -> Option<String> {
    let mut node = nodes.get(id as usize)?;
    let mut steps = Vec::new();
    let mut length = 1;
    while let Some(parent) = node.parent() {
        let step = match name(nodes, node, text) {
            Name::Key(key) => key_step(key),
            Name::Index(index) => format!("[{index}]"),
            Name::Root => break,
        };
        length += step.len();
        if length > MAX_COPIED {
            return None;
        }
        steps.push(step);
        node = nodes.get(parent as usize)?;
    }
    steps.push("$".to_owned());
    steps.reverse();
    Some(steps.concat())
}

fn key_step(lexeme: &str) -> String {
    let key = decoded(lexeme);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    if key.chars().all(is_word) && key.starts_with(|c: char| !c.is_ascii_digit()) {
        format!(".{key}")
    } else {
        format!("[{lexeme}]")
    }
}

/// Parts of a message where a pointer may begin, nearest first.
const BASES: [&[&str]; 5] = [
    &[],
    &["result"],
    &["params"],
    &["error"],
    &["result", "serverInfo"],
];

/// Finds the node that a JSON Pointer (RFC 6901) leads to from the root or, in a message, from its result, params or
/// error.
pub(super) fn locate(nodes: &[Node], text: &str, pointer: &str) -> Option<u32> {
    let steps: Vec<String> = pointer
        .strip_prefix('/')?
        .split('/')
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect();
    BASES.iter().find_map(|base| {
        let mut path = base.iter().copied().chain(steps.iter().map(String::as_str));
        path.try_fold(0, |at, step| child(nodes, text, at, step))
    })
}

/// Finds the value with this name in a container; of several with the same key the last, as parsers do.
fn child(nodes: &[Node], text: &str, parent: u32, step: &str) -> Option<u32> {
    let is_named = |id: &u32| match nodes.get(*id as usize).map(|node| name(nodes, node, text)) {
        Some(Name::Key(key)) if key.contains('\\') => decoded(key) == step,
        Some(Name::Key(key)) => unquoted(key) == step,
        Some(Name::Index(index)) => index.to_string() == step,
        Some(Name::Root) | None => false,
    };
    children(nodes, parent).filter(is_named).last()
}

fn children(nodes: &[Node], parent: u32) -> impl Iterator<Item = u32> + '_ {
    let end = nodes.get(parent as usize).map_or(0, |node| node.next);
    std::iter::successors(Some(parent + 1), move |at| {
        nodes.get(*at as usize).map(|node| node.next)
    })
    .take_while(move |at| *at < end)
}

fn unquoted(lexeme: &str) -> &str {
    lexeme
        .get(1..lexeme.len().saturating_sub(1))
        .unwrap_or_default()
}

/// Decodes a JSON string; returns it as received if it cannot be decoded (half a surrogate pair).
fn decoded(lexeme: &str) -> String {
    if lexeme.contains('\\')
        && let Ok(text) = serde_json::from_str(lexeme)
    {
        return text;
    }
    if lexeme.starts_with('"') {
        unquoted(lexeme).to_owned()
    } else {
        lexeme.to_owned()
    }
}

/// Returns the first characters of a text, visible, and true if there are more.
fn cut(text: &str) -> (String, bool) {
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => (visible(&text[..end]), true),
        None => (visible(text), false),
    }
}
