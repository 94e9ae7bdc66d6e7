//! Rows and view of a document, which reach the window unchanged.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Modes of showing a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentMode {
    /// A tree, for JSON.
    Tree,
    /// Indented JSON, for JSON; numbers and key order as received.
    Pretty,
    /// As received.
    Raw,
    /// The bytes: offset, hexadecimal digits, and printable ASCII characters.
    Hex,
}

/// An open document. Rows have one fixed height and are fetched by index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// Number of the document until it is closed.
    pub document: u64,
    /// Mode in use: `Tree` and `Pretty` fall back to `Raw` for text that is not JSON.
    pub mode: DocumentMode,
    /// Number of rows at present.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of JSON nodes, in tree mode.
    pub nodes: Option<u64>,
    /// Reason why the document is not shown as JSON, one plain sentence.
    pub not_json: Option<String>,
    /// The first rows, at most 200, after all rows have changed.
    pub first: Vec<DocumentRow>,
}

/// The kind of a JSON node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of JSON")]
pub enum NodeKind {
    Object,
    Array,
    String,
    Number,
    Boolean,
    Null,
}

/// One row of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DocumentRow {
    /// A line, or a part of a line that is wider than the window.
    Text {
        /// The text.
        text: String,
        /// Line number from 1; `None` if the row continues the line above.
        line: Option<u64>,
    },
    /// A node of the tree.
    Node {
        /// Number of the node.
        node: u32,
        /// Row of the container that holds the node; `None` for the root.
        parent: Option<u64>,
        /// 0 for the root.
        depth: u32,
        /// Key of the node in an object, decoded.
        key: Option<String>,
        /// Index of the node in an array.
        index: Option<u32>,
        /// Kind of the node.
        kind: NodeKind,
        /// Scalars: as received, at most 400 characters (strings with quotes). Containers: empty.
        value: String,
        /// The value is longer than shown.
        truncated: bool,
        /// Children of a container.
        children: u32,
        /// The children are shown as rows.
        expanded: bool,
    },
}

/// A place where a document contains the searched text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchHit {
    /// Row to scroll to (containers around the hit were expanded).
    pub row: u64,
    /// Number of all hits (at most 10,000 are counted).
    pub total: u64,
    /// Place of this hit, from 0.
    pub ordinal: u64,
}
