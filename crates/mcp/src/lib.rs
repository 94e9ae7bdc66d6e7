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
mod question;
mod stream;
mod tool;

mod era;
mod members;
mod session;

pub use call::{
    CallEvent, CallId, CallOptions, CallRequest, Lost, Outcome, Progress, TimeoutKind, ToolCall,
};
pub use era::{Batching, Era, Revision, Row};
pub use event::{DetectionStep, Event, LogLevel, LogMessage, ServerRequest};
pub use fault::Fault;
pub use options::{
    ClientCapabilities, EraChoice, Implementation, SessionOptions, StreamOptions, Timeouts,
};
pub use phase::{CloseReason, Negotiated, NextAttempt, OpenFailure, Phase};
pub use question::{Question, QuestionEnd, QuestionId, Reply};
pub use session::{SessionGone, SessionHandle, open};
pub use stream::{DelaySource, StreamEvent, StreamId, StreamKind, StreamOver, StreamReport};
pub use tool::{Freshness, ListDiff, Listing, Tool, ToolAnnotations, ToolProblem};
