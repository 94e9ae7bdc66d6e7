//! What one part of a session leaves to another. The router carries it out.

use std::sync::Arc;

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
