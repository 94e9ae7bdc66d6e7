//! MCP client sessions.
//!
//! A [`SessionHandle`] talks to one actor task that owns everything about one session: its phase,
//! its pending calls with their deadlines, its tool list. Everything it learns leaves as
//! [`Event`]s. Protocol revisions live in `era/` and nowhere else. No sockets, no files.

mod call;
mod event;
mod fault;
mod options;
mod phase;
mod server_request;
mod stream;
mod tool;

mod protocol;
mod members;
mod session;

pub use call::{
    CallEvent, CallId, CallOptions, CallRequest, Lost, Outcome, Progress, TimeoutKind, ToolCall,
};
pub use event::{DetectionStep, Event, LogLevel, LogMessage};
pub use fault::Fault;
pub use options::{
    ClientCapabilities, EraChoice, Implementation, SessionOptions, StreamOptions, Timeouts,
};
pub use phase::{CloseReason, Negotiated, NextAttempt, OpenFailure, Phase};
pub use protocol::{Batching, Era, Revision, Row};
pub use server_request::{Reply, ServerRequest, ServerRequestEnd, ServerRequestId};
pub use session::{SessionGone, SessionHandle, open};
pub use stream::{DelaySource, StreamEvent, StreamId, StreamKind, StreamOver, StreamReport};
pub use tool::{Freshness, ListDiff, Listing, Tool, ToolAnnotations, ToolProblem};
