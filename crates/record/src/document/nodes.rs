//! All values of a JSON text, in the order of the text.

use sonde_wire::json::{ScanError, Sink, scan, string_end};

use super::NodeKind;

/// Limit of the values of a tree, each of which takes 32 bytes here; larger ones are shown as text.
const MAX_NODES: usize = 8_000_000;

/// No node.
const NONE: u32 = u32::MAX;

/// One value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Start of its text.
    pub(super) start: u32,
    /// End of its text, after its last byte.
    pub(super) end: u32,
    /// In an object: start of the node's key. In an array: its index.
    name: u32,
    parent: u32,
    /// The first node after this node that is not inside it.
    pub(super) next: u32,
    /// Number of values directly inside this node.
    pub(super) children: u32,
    pub(super) depth: u32,
    pub(super) kind: NodeKind,
}

impl Node {
    pub(super) fn is_container(&self) -> bool {
        matches!(self.kind, NodeKind::Object | NodeKind::Array)
    }

    pub(super) fn parent(&self) -> Option<u32> {
        (self.parent != NONE).then_some(self.parent)
    }

    /// Returns the text of a value.
    pub(super) fn lexeme<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

/// Name of a value within its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name<'a> {
    Root,
    /// The key as received, with quotes.
    Key(&'a str),
    Index(u32),
}

pub(super) fn name<'a>(nodes: &[Node], node: &Node, text: &'a str) -> Name<'a> {
    match node.parent().and_then(|parent| nodes.get(parent as usize)) {
        None => Name::Root,
        Some(parent) if parent.kind == NodeKind::Object => {
            let start = node.name as usize;
            let end = string_end(text.as_bytes(), start).unwrap_or(start);
            Name::Key(text.get(start..end).unwrap_or_default())
        }
        Some(_) => Name::Index(node.name),
    }
}

/// Reads all values of a text.
pub(super) fn nodes(text: &str) -> Result<Vec<Node>, ScanError> {
    let mut index = Index {
        text: text.as_bytes(),
        nodes: Vec::new(),
        open: NONE,
        depth: 0,
        key: 0,
    };
    scan(text.as_bytes(), &mut index)?;
    index.nodes.shrink_to_fit();
    Ok(index.nodes)
}

/// Returns the kind of the value that begins with this byte.
fn kind(first: u8) -> NodeKind {
    match first {
        b'{' => NodeKind::Object,
        b'[' => NodeKind::Array,
        b'"' => NodeKind::String,
        b't' | b'f' => NodeKind::Boolean,
        b'n' => NodeKind::Null,
        _ => NodeKind::Number,
    }
}

struct Index<'a> {
    text: &'a [u8],
    nodes: Vec<Node>,
    /// Index of the innermost open container.
    open: u32,
    depth: u32,
    /// Start of the last key.
    key: u32,
}

/// Converts an offset: bodies are far below 4 GiB (see `sonde_wire::Limits`).
fn small(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(NONE)
}

impl Index<'_> {
    fn push(&mut self, start: usize, end: usize) -> u32 {
        let id = small(self.nodes.len());
        let mut name = 0;
        if let Some(parent) = self.nodes.get_mut(self.open as usize) {
            name = if parent.kind == NodeKind::Object {
                self.key
            } else {
                parent.children
            };
            parent.children += 1;
        }
        self.nodes.push(Node {
            start: small(start),
            end: small(end),
            name,
            parent: self.open,
            next: id + 1,
            children: 0,
            depth: self.depth,
            kind: kind(self.text[start]),
        });
        id
    }
}

impl Sink for Index<'_> {
    fn open(&mut self, start: usize) {
        self.open = self.push(start, start);
        self.depth += 1;
    }

    fn close(&mut self, end: usize) {
        let next = small(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            node.end = small(end);
            node.next = next;
            self.open = node.parent;
            self.depth -= 1;
        }
    }

    fn key(&mut self, start: usize, _: usize) {
        self.key = small(start);
    }

    fn scalar(&mut self, start: usize, end: usize) {
        self.push(start, end);
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= MAX_NODES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_32_bytes() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn duplicates_order_and_lexemes_are_kept() {
        let text = r#" {"b":1.0e+2,"a":[ ],"b":["x\u0041",{"":null}]} "#;
        let all = nodes(text).unwrap();
        let seen: Vec<_> = all
            .iter()
            .map(|node| {
                (
                    node.depth,
                    name(&all, node, text),
                    node.lexeme(text),
                    node.children,
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                (0, Name::Root, text.trim(), 3),
                (1, Name::Key("\"b\""), "1.0e+2", 0),
                (1, Name::Key("\"a\""), "[ ]", 0),
                (1, Name::Key("\"b\""), r#"["x\u0041",{"":null}]"#, 2),
                (2, Name::Index(0), r#""x\u0041""#, 0),
                (2, Name::Index(1), r#"{"":null}"#, 1),
                (3, Name::Key("\"\""), "null", 0),
            ]
        );
        let next: Vec<u32> = all.iter().map(|node| node.next).collect();
        assert_eq!(next, [7, 2, 3, 7, 5, 7, 7]);
        assert_eq!(all[6].parent(), Some(5));
        assert_eq!(all[0].parent(), None);
    }
}
