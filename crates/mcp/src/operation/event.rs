//! What is reported of an operation.

use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use sonde_wire::Seq;

use super::outcome::Outcome;
use crate::{LogMessage, Task, TaskSource, TaskStep};

/// One progress notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How far, in the server's own unit.
    pub progress: f64,
    /// The goal in the same unit, where known.
    pub total: Option<f64>,
    /// What is being done (2025-03-26 on).
    pub message: Option<String>,
}

/// What happens to an operation. `Sent` comes first, then any number of the others; after `Finished`
/// only `Late` and `Log` may follow. An operation that could not be sent has `Finished` alone.
#[derive(Debug)]
pub enum OperationEvent {
    /// Handed to the transport.
    Sent {
        /// The JSON-RPC id as JSON text.
        request_id: String,
        /// Time until the idle limit, from now.
        idle: Duration,
        /// Time until the hard limit, from now.
        hard: Duration,
    },
    /// Progress was reported; the idle clock starts again.
    Progress(Progress),
    /// A log message arrived while only this operation was running, or on its own stream.
    Log(Arc<LogMessage>),
    /// The limits moved because the user chose to wait longer.
    Extended {
        /// Time until the idle limit, from now.
        idle: Duration,
        /// Time until the hard limit, from now.
        hard: Duration,
    },
    /// The answer stream closed before the answer, and is about to be picked up: what happens to
    /// it is reported as [`crate::Event::Stream`] with this operation in its kind.
    Waiting,
    /// The server refused the request for want of a token; it waits for one, or does so no longer.
    /// No limit runs meanwhile.
    Parked {
        /// It begins or ends to wait.
        parked: bool,
    },
    /// The server needs an answer from the user before it goes on; each of its requests comes as
    /// an [`crate::Event::ServerRequest`].
    InputRequired {
        /// How often it has asked within this operation, from 1.
        round: u32,
    },
    /// The request was sent again, with what the server asked for.
    Again {
        /// The new JSON-RPC id as JSON text.
        request_id: String,
        /// Counts from 1.
        round: u32,
    },
    /// It is a task from now on, or its task has another status: comes with each answer and notification
    /// about it. The idle limit does not count for a task, since each request about it has one of its own.
    Task {
        /// The task as the server describes it.
        task: Task,
        /// How that became known.
        source: TaskSource,
    },
    /// What is done about its task next.
    TaskStep(TaskStep),
    /// A cancellation was sent; an answer may still come.
    Cancelling,
    /// The server refused to cancel its task, which is still waited for: why, without the full stop.
    CancelFailed(String),
    /// It failed, as the end that follows says, because the server has to ask something in the way
    /// of the handshake while it runs, and this session is stateless.
    NeedsHandshake,
    /// It failed, as the end that follows says, because the user has to open addresses first: the `data` of
    /// the error, which names them (elicitation, URL Elicitation Required Error).
    UrlsRequired(Option<Arc<RawValue>>),
    /// The operation is over.
    Finished(Outcome),
    /// Something arrived for this operation after it was over: an answer, or progress.
    Late {
        /// The log entry.
        seq: Seq,
        /// The answer, if it was one.
        outcome: Option<Outcome>,
    },
}
