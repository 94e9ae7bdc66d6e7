//! MCP client sessions.
//!
//! A [`SessionHandle`] talks to one task that owns everything about one session: its phase, its
//! requests with their deadlines, its catalogs. Everything it learns leaves as [`Event`]s. Protocol
//! revisions live in `protocol/` and nowhere else. No sockets, no files.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use sonde_mcp::{Event, Implementation, OperationEvent, OperationId, OperationOptions, OperationRequest};
//! # use sonde_mcp::{Phase, SessionOptions};
//! # use sonde_wire::{Tap, Wire, queue};
//! # async fn echo(wire: Wire, tap: Arc<dyn Tap>) -> Result<(), Box<dyn std::error::Error>> {
//! let (sender, mut events) = queue::channel(256);
//! let options = SessionOptions::new(Implementation::new("my-client", "1.0"));
//! let (session, _task) = sonde_mcp::open(wire, tap, options, sender);
//! while let Some(event) = events.recv().await {
//!     match event {
//!         Event::Phase(Phase::Ready) => {
//!             let call = OperationRequest::tool("echo", Some(r#"{"message": "Hello"}"#.to_owned()));
//!             session.start_operation(OperationId(1), call, OperationOptions::default()).await?;
//!         }
//!         Event::Operation(_, OperationEvent::Finished(outcome)) => {
//!             println!("{outcome:?}");
//!             session.close();
//!         }
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod icons;
mod server_info;
mod options;
mod phase;

mod catalog;
mod operation;
mod completion;
mod task;
mod server_request;
mod elicitation_check;
mod server_request_check;
mod undeclared;
mod stream;
mod fault;
mod health;
mod event;

pub mod limits;
mod log_level;

mod text;
mod trust;
mod members;
mod subschemas;
mod received_result;
mod protocol;
mod session;
mod summary;
#[cfg(test)]
mod testing;

pub use catalog::{
    CatalogBudget, CatalogEvent, CatalogItem, CatalogItems, CatalogKind, CatalogShare,
    ContentExtras, Freshness, ItemDetail, ListDiff, Listing, PromptArgument, ResourceAnnotations,
    Skill, SkillFile, SkillFiles, TaskSupport, TemplateValue, TemplateVariable, Tool,
    ToolAnnotations, ToolApp, UriTemplate, content_extras,
};
pub use completion::{Completion, CompletionFailure, CompletionReference, CompletionRequest};
pub use event::{
    DISCOVER_UNKNOWN, DetectionStep, Event, LogMessage, NoResponse, ResourceSubscriptionState,
    SessionDelete,
};
pub use fault::Fault;
pub use health::{Health, RequestProblem, StreamProblem};
pub use icons::{Extras, Icon, Icons, extras};
pub use log_level::LogLevel;
pub use members::{Elements, Members, elements, members};
pub use operation::{
    Lost, OperationEvent, OperationId, OperationOptions, OperationRequest, Outcome, Progress,
    TaskParams, TimeoutKind,
};
pub use options::{
    ClientCapabilities, ElicitationCapability, EraChoice, Implementation, ProtocolMode, Root,
    RootsCapability, SamplingCapability, SessionOptions, StreamOptions, Timeouts,
};
pub use phase::{CloseReason, Negotiated, NextAttempt, OpenFailure, Phase};
pub use protocol::{Batching, Era, Revision, Row, declaration};
pub use server_info::ServerInfo;
pub use server_request::{Reply, ServerRequest, ServerRequestEnd, ServerRequestId};
pub use session::envelope;
pub use session::{SessionGone, SessionHandle, open, roots_result};
pub use sonde_wire::MessageKind;
pub use stream::{DelaySource, StreamEvent, StreamId, StreamKind, StreamOver, StreamReport};
pub use summary::message_summary;
pub use task::{EarlierTask, Task, TaskListEvent, TaskListing, TaskSource, TaskStatus, TaskStep};
