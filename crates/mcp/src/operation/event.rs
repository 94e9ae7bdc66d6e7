//! Events of an operation.

use std::{sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::value::RawValue;
use sonde_wire::Seq;
use ts_rs::TS;

use super::outcome::Outcome;
use crate::{LogMessage, Task, TaskSource, TaskStep};

/// One progress notification.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Progress {
    /// Progress so far, in the server's own unit.
    pub progress: f64,
    /// The goal in the same unit, where known.
    pub total: Option<f64>,
    /// The server's message about the current work (2025-03-26 on).
    pub message: Option<String>,
}

/// Events of an operation. `Sent` comes first, then any number of others; after `Finished` only `Late` and `Log` may
/// follow. An operation that could not be sent has only `Finished`.
#[derive(Debug)]
pub enum OperationEvent {
    /// Handed to the transport.
    Sent {
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
    /// The response stream closed before the response and is about to be resumed. Its events are reported
    /// as [`crate::Event::Stream`] with this operation in its kind.
    Waiting,
    /// The server refused the request for lack of a token; the request starts or stops waiting for one. No limit runs
    /// meanwhile.
    Parked {
        /// True if it starts to wait, false if it stops.
        parked: bool,
    },
    /// The server needs a reply from the user before it continues; each of its requests arrives as an
    /// [`crate::Event::ServerRequest`].
    InputRequired {
        /// Number of `input_required` results within this operation, from 1.
        round: u32,
    },
    /// The request was sent again, with the inputs that the server asked for.
    Again {
        /// Counts from 1.
        round: u32,
    },
    /// The operation became a task, or its task has another status. Emitted for each response and
    /// notification about the task. The idle limit does not count for a task, since each request about it
    /// has its own.
    Task {
        /// The task as the server describes it.
        task: Task,
        /// Source of the status.
        source: TaskSource,
    },
    /// Next step for the operation's task.
    TaskStep(TaskStep),
    /// A cancellation was sent; a response may still come.
    Cancelling,
    /// The server refused to cancel the task, which is still waited for. Holds the reason, without the full
    /// stop.
    CancelFailed(String),
    /// The operation failed, as the `Finished` that follows reports, because the server needs to send requests of its
    /// own meanwhile. Only a handshake allows that, and this session is stateless.
    NeedsHandshake,
    /// The operation failed, as the `Finished` that follows reports, because the user has to open addresses first.
    /// Holds the `data` of the error, which names them (elicitation, URL Elicitation Required Error).
    UrlsRequired(Option<Arc<RawValue>>),
    /// The operation is over.
    Finished(Outcome),
    /// Something arrived after the operation was over: a response, or progress.
    Late {
        /// The log entry.
        seq: Seq,
        /// The outcome according to that response, if it was one.
        outcome: Option<Outcome>,
    },
}
