//! Requests that a server makes of its user.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::Finding;
use sonde_wire::Seq;

use crate::OperationId;

/// Id of a server request within its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerRequestId(pub u64);

/// A request of the server that waits for the user: sent on its own (handshake), or embedded in an `input_required`
/// result (stateless).
#[derive(Clone, Debug)]
pub struct ServerRequest {
    /// Id of the request.
    pub id: ServerRequestId,
    /// The operation during which it came, where that is known.
    pub operation: Option<OperationId>,
    /// Operations that were running when it arrived, if it cannot be assigned to one of them; empty if there are too
    /// many.
    pub candidates: Vec<OperationId>,
    /// The method, for example `elicitation/create`.
    pub method: String,
    /// `params` as received.
    pub params: Option<Arc<RawValue>>,
    /// Its key in `inputRequests`; `None` for a request sent on its own.
    pub key: Option<String>,
    /// The server requested it as a task: Sonde has accepted it, and the server fetches the result later (2025-11-25).
    pub as_task: bool,
    /// The capability it needs was declared to the server.
    pub declared: bool,
    /// Violations of the specification, at most [`sonde_findings::FINDINGS`]. The log entry has them as
    /// well.
    pub findings: Vec<Finding>,
    /// The log entry that carried it.
    pub seq: Seq,
}

/// Reply of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A result, as JSON text, sent as written.
    Result(String),
    /// A refusal as a JSON-RPC error. Replies to an `input_required` result cannot be errors: there it gives
    /// up the call.
    Error {
        /// JSON-RPC error code.
        code: i64,
        /// Message of the error.
        message: String,
    },
}

/// Reasons for closing a server request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerRequestEnd {
    /// It was answered.
    Answered,
    /// The server no longer wants to know (`notifications/cancelled`, of a task `tasks/cancel`).
    Withdrawn,
    /// Its call is over, or its session.
    Obsolete,
}
