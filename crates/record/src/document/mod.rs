//! Documents: text of any size, shown row by row.
//!
//! A result can be one line of 50 MB or a tree of a million nodes. The window asks for the rows it shows, and an index
//! in this module finds them. Nothing is parsed into values: numbers, escapes, key order and duplicate keys are shown
//! as received.

mod body;
mod documents;
mod hex;
mod lines;
mod nodes;
mod open;
mod pretty;
mod row;
mod not_json;
mod tree;

#[cfg(test)]
mod tests;

pub use body::DocumentBody;
pub use documents::Documents;
pub use not_json::json_problem;
pub use pretty::pretty;
pub use row::{DocumentMode, DocumentRow, DocumentView, NodeKind, SearchHit};
