//! The file format: its keys, their shapes, and the types that are read from them.

mod shape;
mod keys;
mod types;
mod build;

pub(crate) use build::skip_reason;
#[cfg(test)]
pub(crate) use shape::expected;
pub use shape::nearest;
pub(crate) use shape::{Object, SECONDS, Shape, check, suggestion, takes_variable};
pub use types::{
    Answer, AnswerTo, CancelAfter, Capabilities, Capture, Client, ContentExpect, Expect,
    ITEM_METHODS, LogExpect, Matrix, ProgressExpect, Reply, Retry, RpcErrorExpect, SKIPPED_FOLDERS,
    SUITE_ENDING, ServerRef, Step, Suite, Verb, Within,
};

/// A file of checks.
pub(crate) static SUITE_SHAPE: Shape = Shape::Object(&keys::SUITE);
/// A server that is written in place.
pub(crate) static SERVER_SHAPE: Shape = Shape::Object(&keys::SERVER);
/// A file of servers.
pub(crate) static SERVERS_SHAPE: Shape = Shape::Object(&keys::SERVERS);
