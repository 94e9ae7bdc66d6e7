//! MCP client sessions.
//!
//! A [`SessionHandle`] talks to one actor task that owns everything about one session: its phase,
//! its pending calls with their deadlines, its tool list. Everything it learns leaves as
//! [`Event`]s. Protocol revisions live in `era/` and nowhere else. No sockets, no files.

mod call;
mod event;
mod options;
mod phase;
mod tool;

mod era;
mod members;
mod session;

pub use call::{CallEvent, CallId, CallOptions, Lost, Outcome, Progress, TimeoutKind, ToolCall};
pub use era::legacy::{Batching, Revision, Row};
pub use event::{Event, LogLevel, LogMessage, ServerRequest};
pub use options::{Implementation, SessionOptions, Timeouts};
pub use phase::{CloseReason, Negotiated, OpenFailure, Phase};
pub use session::{SessionGone, SessionHandle, open};
pub use tool::{ListDiff, Listing, Tool, ToolAnnotations, ToolProblem};
