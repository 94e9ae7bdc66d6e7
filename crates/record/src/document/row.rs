//! Rows and view of a document. Cross to the window unchanged.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Modes of showing a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DocumentMode {
    /// A tree, where it is JSON.
    Tree,
    /// Indented JSON, where it is JSON; numbers and key order as received.
    Pretty,
    /// As received.
    Raw,
    /// The bytes: their offset, each as two hexadecimal digits, and as ASCII if printable.
    Hex,
}

/// An open document. Rows have one fixed height and are fetched by index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// Names it until it is closed.
    pub document: u64,
    /// Mode in use: `Tree` and `Pretty` fall back to `Raw` for text that is no JSON.
    pub mode: DocumentMode,
    /// Number of rows now.
    pub rows: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of JSON nodes, in tree mode.
    pub nodes: Option<u64>,
    /// Reason why it is not shown as JSON, one plain sentence.
    pub not_json: Option<String>,
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
    /// A line, or a part of one that is wider than the window.
    Text {
        /// The text.
        text: String,
        /// Line number from 1; `None` when it continues the line above.
        line: Option<u64>,
    },
    /// A node of the tree.
    Node {
        /// Names the node.
        node: u32,
        /// 0 for the root.
        depth: u32,
        /// Its key in an object, decoded.
        key: Option<String>,
        /// Its index in an array.
        index: Option<u32>,
        /// Its kind.
        kind: NodeKind,
        /// Scalars: as received, at most 400 characters (strings with quotes). Containers: empty.
        value: String,
        /// There is more of the value than shown; open it as text.
        truncated: bool,
        /// Children of a container.
        children: u32,
        /// Its children are rows.
        expanded: bool,
    },
}

/// A place where a document contains the searched text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchHit {
    /// Row to scroll to (containers on the way were expanded).
    pub row: u64,
    /// Hits in all (at most 10,000 are counted).
    pub total: u64,
    /// This one's place, from 0.
    pub ordinal: u64,
}
