//! What one part of a session leaves to another. The router carries it out.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::{Cause, Seq};

use super::response::Loss;
use crate::{CatalogKind, CloseReason, LogLevel, OperationId, Outcome, Reply};

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
    /// The user is asked for what a result needs.
    AskInput(InputRequest),
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
