//! Events emitted by a session.

use std::{sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::value::RawValue;
use sonde_findings::Finding;
use sonde_wire::{Seq, queue::Weigh};
use ts_rs::TS;

use crate::{
    CatalogEvent, CatalogItem, CatalogKind, Era, Health, LogLevel, Negotiated, OperationEvent,
    OperationId, Outcome, Phase, Reply, ServerRequest, ServerRequestEnd, ServerRequestId,
    StreamEvent, StreamReport, TaskListEvent,
};

/// One `notifications/message`.
#[derive(Clone, Debug)]
pub struct LogMessage {
    /// Severity; `None` when the server sent no known level.
    pub level: Option<LogLevel>,
    /// Name of the logger inside the server.
    pub logger: Option<String>,
    /// Any JSON, as received.
    pub data: Option<Arc<RawValue>>,
    /// The log entry that carried it.
    pub seq: Seq,
    /// Several operations were running, and the message cannot be assigned to one of them. It is reported to each of
    /// them, and once more without an operation.
    pub ambiguous: bool,
}

/// Code of the detection step after which a server is spoken to that does not know `server/discover`.
pub const DISCOVER_UNKNOWN: &str = "discover-unknown";

/// One step of detecting the server's era.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct DetectionStep {
    /// A stable name in kebab-case, for example `discover-answered`.
    pub code: &'static str,
    /// One plain sentence.
    pub sentence: String,
    /// Era that this step proves, if any.
    pub verdict: Option<Era>,
    /// The log entry that carried it, where there is one.
    #[ts(as = "Option<u64>")]
    pub seq: Option<Seq>,
}

/// States of a subscription to a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceSubscriptionState {
    /// Requested, now or once the session can; no updates arrive yet.
    Pending,
    /// The server reports changes.
    Active,
    /// The user has ended it, but the server has not confirmed that.
    Ending,
    /// Ended by the user.
    Ended,
    /// Refused or lost; holds the reason, one plain sentence.
    Failed(String),
    /// Still active although the user has ended it; holds the reason, one plain sentence.
    NotEnded(String),
}

/// Outcome of the DELETE that ends a session over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionDelete {
    /// The HTTP status of the response.
    Status(u16),
    /// No response came while Sonde waited.
    NoResponse,
}

/// Reasons why nobody waits for the response to a request any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoResponse {
    /// A time limit passed.
    TimedOut,
    /// The request was cancelled.
    Cancelled,
    /// The response was lost.
    Lost,
}

/// Events of a session, in order.
#[derive(Debug)]
pub enum Event {
    /// The phase changed.
    Phase(Phase),
    /// The handshake succeeded. Comes before `Phase(Ready)`.
    Negotiated(Arc<Negotiated>),
    /// One step of detecting the server's era.
    Detection(DetectionStep),
    /// Something happened to a stream.
    Stream(StreamReport),
    /// The session's health changed.
    Health(Health),
    /// The server forgot the session (HTTP 404), or the user wants another one: a new handshake begins.
    /// Running calls are lost; none is repeated.
    Reopening,
    /// The DELETE that ends the session was sent; only over HTTP, for a server that assigned a session id.
    SessionDelete(SessionDelete),
    /// The server asks something that the user has to answer.
    ServerRequest(ServerRequest),
    /// The server reports that the user has finished at the address of an elicitation: its `elicitationId`, at most 256
    /// characters, which the server has named before.
    ElicitationCompleted(String),
    /// A request of the server is closed.
    ServerRequestClosed(ServerRequestId, ServerRequestEnd),
    /// The server asked for the list of roots and got this reply, from the user or from Sonde.
    RootsAnswered(Reply),
    /// A request was answered: for statistics.
    RoundTrip {
        /// The method.
        method: Arc<str>,
        /// The operation that it belonged to.
        operation: Option<OperationId>,
        /// Duration in microseconds from sending to the response, measured by the session.
        micros: u64,
        /// Log entry of the response, if there is one.
        answer: Option<Seq>,
        /// The answer was an error, or there was none.
        failed: bool,
    },
    /// Nobody waits for the response to a request any more, while the transport lives. Requests of an operation are
    /// left out: its outcome says so.
    NoResponse {
        /// Its JSON-RPC id as JSON text.
        request: Arc<str>,
        /// The reason.
        why: NoResponse,
    },
    /// The lasting faults changed.
    Faults {
        /// Reading is paused.
        paused: bool,
        /// Delay of replies to the server.
        delay: Duration,
    },
    /// Something happened to a catalog.
    Catalog {
        /// Kind of the catalog.
        kind: CatalogKind,
        /// The event itself.
        event: CatalogEvent,
    },
    /// A subscription to a resource has changed.
    ResourceSubscription {
        /// The URI that was subscribed to.
        uri: String,
        /// Its new state.
        state: ResourceSubscriptionState,
    },
    /// The server reports an update of a resource.
    ResourceUpdated {
        /// The URI that was subscribed to.
        uri: String,
        /// The URI that the server names if it differs: a part of the subscribed resource.
        sub_resource: Option<String>,
        /// The log entry that says so.
        seq: Seq,
    },
    /// Something happened to an operation.
    Operation(OperationId, OperationEvent),
    /// Something happened to the list of the server's tasks.
    TaskList(TaskListEvent),
    /// The server logged something that belongs to no single operation.
    Log(Arc<LogMessage>),
    /// The server refused the log level that was asked of it, or did not answer.
    LogLevelFailed {
        /// One plain sentence.
        message: String,
    },
    /// A ping of the user was answered.
    Pong {
        /// Round-trip time in microseconds.
        micros: u64,
    },
    /// A ping of the user was not answered.
    PingFailed {
        /// One plain sentence.
        message: String,
        /// The connection was gone.
        is_lost: bool,
    },
}

fn raw(raw: Option<&Arc<RawValue>>) -> usize {
    raw.map_or(0, |raw| raw.get().len())
}

fn text(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}

impl LogMessage {
    fn weight(&self) -> usize {
        size_of::<Self>() + text(self.logger.as_ref()) + raw(self.data.as_ref())
    }
}

impl Outcome {
    fn weight(&self) -> usize {
        match self {
            Outcome::Result { raw, .. } => raw.get().len(),
            Outcome::ProtocolError { message, data, .. } => message.len() + raw(data.as_ref()),
            Outcome::BadShape { problem, .. } => problem.len(),
            Outcome::Sent
            | Outcome::TimedOut(_)
            | Outcome::Cancelled
            | Outcome::StoppedWaiting
            | Outcome::Lost(_) => 0,
        }
    }
}

/// Counts the texts of the server; everything else is small.
impl Weigh for Event {
    fn weight(&self) -> usize {
        let held = match self {
            Event::Negotiated(negotiated) => {
                let icons = negotiated
                    .server
                    .iter()
                    .flat_map(|server| &server.icons.first);
                raw(Some(&negotiated.capabilities))
                    + raw(negotiated.meta.as_ref())
                    + text(negotiated.instructions.as_ref())
                    + icons.map(|icon| icon.src.len()).sum::<usize>()
            }
            Event::TaskList(event) => event.weight(),
            Event::ServerRequest(request) => {
                let findings: usize = request.findings.iter().map(Finding::weight).sum();
                let candidates = size_of_val(request.candidates.as_slice());
                raw(request.params.as_ref()) + text(request.key.as_ref()) + findings + candidates
            }
            Event::ElicitationCompleted(id) => id.len(),
            Event::RootsAnswered(Reply::Result(text)) => text.len(),
            Event::RootsAnswered(Reply::Error { message, .. }) => message.len(),
            Event::Catalog {
                event: CatalogEvent::Listed(listing),
                ..
            } => listing.items.iter().map(CatalogItem::weight).sum(),
            Event::Operation(_, event) => match event {
                OperationEvent::Progress(progress) => text(progress.message.as_ref()),
                OperationEvent::Log(message) => message.weight(),
                OperationEvent::UrlsRequired(data) => raw(data.as_ref()),
                OperationEvent::Task { task, .. } => task.weight(),
                OperationEvent::CancelFailed(text) => text.len(),
                OperationEvent::Finished(outcome)
                | OperationEvent::Late {
                    outcome: Some(outcome),
                    ..
                } => outcome.weight(),
                _ => 0,
            },
            Event::Log(message) => message.weight(),
            Event::ResourceSubscription { uri, .. } => uri.len(),
            Event::ResourceUpdated {
                uri, sub_resource, ..
            } => uri.len() + text(sub_resource.as_ref()),
            Event::Stream(StreamReport {
                event: StreamEvent::EventId { id },
                ..
            }) => id.len(),
            _ => 0,
        };
        size_of::<Self>() + held
    }
}
