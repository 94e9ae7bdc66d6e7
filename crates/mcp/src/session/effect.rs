//! Work that one component of a session leaves to another. The router carries it out.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::{Cause, Seq};

use super::{response::Loss, time_limits::Limits};
use crate::{
    CatalogKind, CloseReason, LogLevel, OperationId, Outcome, Reply,
    protocol::{stateless::AskedInput, tasks::DetailedTask},
};

/// Work for another component.
#[derive(Debug)]
pub(super) enum Effect {
    /// Close the session.
    End(CloseReason),
    /// Open a new session, since the server forgot this one.
    Reopen,
    /// Open the background stream of the handshake era.
    OpenListener,
    /// Subscribe to a stateless server's notifications, as its capabilities declare them.
    Subscribe(Arc<RawValue>),
    /// The handshake is over: request the user's earlier subscriptions again. True if the server
    /// declares subscriptions.
    SubscribeResources(bool),
    /// Change the resources in the filter of the subscription; `anew` if the subscription is over.
    ListenTo {
        updates: BTreeSet<String>,
        anew: bool,
    },
    /// The server acknowledged a subscription whose filter has resources.
    Listening {
        asked: BTreeSet<String>,
        granted: BTreeSet<String>,
    },
    /// The subscription broke; another attempt is announced.
    ListenBroken,
    /// The server refused a changed filter; the previous subscription stays. Holds a sentence.
    ListenRefused(String),
    /// The subscription is over for good. A sentence.
    ListenOver(String),
    /// Request log messages of this level and above.
    SetLogLevel(Option<LogLevel>, Cause),
    /// The session is open, with a server that has these catalogs: read the tools, and those that were read before.
    ReadCatalogs(BTreeSet<CatalogKind>),
    /// Read a catalog.
    RefreshCatalog(CatalogKind, Cause),
    /// A reading of this catalog has ended, and none follows at once.
    CatalogSettled(CatalogKind),
    /// The response to this request can no longer arrive.
    Lose(u64, Loss),
    /// The operation is over.
    Finish(OperationId, Outcome),
    /// The server answered the request of an operation with a task.
    BeginTask(Box<NewTask>),
    /// Ask the user for an input that a result needs.
    AskInput(InputRequest),
    /// The inputs requested by the results of an operation need no reply any more.
    CloseInputs(OperationId),
    /// The user replied to an [`InputRequest`].
    InputGiven {
        operation: OperationId,
        key: String,
        reply: Reply,
    },
}

impl Effect {
    /// Asks the user for the inputs that a result of an operation needs.
    pub(super) fn ask_inputs(
        operation: OperationId,
        inputs: Vec<AskedInput>,
        seq: Seq,
    ) -> Vec<Effect> {
        let ask = |(key, method, params)| {
            Effect::AskInput(InputRequest {
                operation,
                key,
                method,
                params,
                seq,
            })
        };
        inputs.into_iter().map(ask).collect()
    }
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
