//! What one part of a session leaves to another. The router carries it out.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::{Cause, Seq};

use super::{response::Loss, time_limits::Limits};
use crate::{
    CatalogKind, CloseReason, LogLevel, OperationId, Outcome, Reply, protocol::tasks::DetailedTask,
};

/// Something that another part has to do.
#[derive(Debug)]
pub(super) enum Effect {
    /// The session ends orderly.
    End(CloseReason),
    /// The server forgot the session: another is begun.
    Reopen,
    /// The background stream of the handshake era is opened.
    OpenListener,
    /// A stateless server is asked for its notifications, as its capabilities declare them.
    Subscribe(Arc<RawValue>),
    /// The handshake is over: what the user was subscribed to is asked for again. Whether the server
    /// declares that it takes subscriptions.
    SubscribeResources(bool),
    /// The subscription asks for these resources from now on; `anew` where it is over.
    ListenTo {
        updates: BTreeSet<String>,
        anew: bool,
    },
    /// The server acknowledged a subscription that asked for some resources.
    Listening {
        asked: BTreeSet<String>,
        granted: BTreeSet<String>,
    },
    /// The subscription broke; another attempt is announced.
    ListenBroken,
    /// The server refused a changed filter; the subscription before goes on. A sentence.
    ListenRefused(String),
    /// The subscription is over for good. A sentence.
    ListenOver(String),
    /// Log messages of this level and above are asked for.
    SetLogLevel(Option<LogLevel>, Cause),
    /// A catalog is read.
    RefreshCatalog(CatalogKind, Cause),
    /// No reading of this catalog is under way or to follow.
    CatalogSettled(CatalogKind),
    /// The response to this request cannot come any more.
    Lose(u64, Loss),
    /// The operation is over.
    Finish(OperationId, Outcome),
    /// The server answered the request of an operation with a task.
    BeginTask(Box<NewTask>),
    /// The user is asked for what a result needs.
    AskInput(InputRequest),
    /// What was asked inside the results of an operation needs no reply any more.
    CloseInputs(OperationId),
    /// The user replied to an [`InputRequest`].
    InputGiven {
        operation: OperationId,
        key: String,
        reply: Reply,
    },
}

/// One entry of `inputRequests` (multi round-trip requests).
#[derive(Debug)]
pub(super) struct InputRequest {
    pub(super) operation: OperationId,
    /// Its key in `inputRequests`.
    pub(super) key: String,
    pub(super) method: String,
    pub(super) params: Option<Arc<RawValue>>,
    pub(super) seq: Seq,
}

/// A task that a server has created.
#[derive(Debug)]
pub(super) struct NewTask {
    pub(super) operation: OperationId,
    /// The method of the request that became a task.
    pub(super) method: Arc<str>,
    /// That request.
    pub(super) request: u64,
    pub(super) limits: Limits,
    pub(super) found: DetailedTask,
    pub(super) seq: Seq,
}
