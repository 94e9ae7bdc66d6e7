//! One tool call, from request to last word.

use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use sonde_wire::{Seq, WireError};

use crate::LogMessage;

/// Names a call over all sessions of the app. Chosen by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// What to call.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// `arguments` as JSON text, sent as written (line breaks between tokens excepted);
    /// `None` leaves the member out. Valid JSON; need not be an object.
    pub arguments: Option<String>,
}

/// Any request of the user's.
#[derive(Clone, Debug)]
pub enum CallRequest {
    /// A `tools/call`.
    Tool(ToolCall),
    /// Another method.
    Other {
        /// The method.
        method: String,
        /// `params` as JSON text, an object; `None` leaves the member out. `_meta` is added to it
        /// where the era or progress needs that; a `_meta` of the user's own is kept and completed.
        params: Option<String>,
    },
}

/// How to call it.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallOptions {
    /// Call a tool although its definition forbids clients to (invalid `x-mcp-header`).
    pub force: bool,
    /// Replaces [`crate::Timeouts::idle`].
    pub idle: Option<Duration>,
    /// Replaces [`crate::Timeouts::hard`].
    pub hard: Option<Duration>,
}

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

/// Which limit a call ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutKind {
    /// No progress and no answer for too long.
    Idle,
    /// Too long in all.
    Hard,
}

/// What happens to a call. `Sent` comes first, then any number of the others; after `Finished`
/// only `Late` and `Log` may follow. A call that could not be sent has `Finished` alone.
#[derive(Debug)]
pub enum CallEvent {
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
    /// A log message arrived while only this call was running, or on this call's own stream.
    Log(Arc<LogMessage>),
    /// The limits moved because the user chose to wait longer.
    Extended {
        /// Time until the idle limit, from now.
        idle: Duration,
        /// Time until the hard limit, from now.
        hard: Duration,
    },
    /// The answer stream closed before the answer, and is about to be picked up: what happens to
    /// it is reported as [`crate::Event::Stream`] with this call in its kind.
    Waiting,
    /// The server refused the request for want of a token; it waits for one, or does so no longer.
    /// No limit runs meanwhile.
    Parked {
        /// It begins or ends to wait.
        parked: bool,
    },
    /// The server needs input from the user before it goes on; each of its questions comes as
    /// an [`crate::Event::ServerRequest`].
    InputRequired {
        /// How often it has asked within this call, from 1.
        round: u32,
    },
    /// The request was sent again, with what the server asked for.
    Again {
        /// The new JSON-RPC id as JSON text.
        request_id: String,
        /// Counts from 1.
        round: u32,
    },
    /// A cancellation was sent; an answer may still come.
    Cancelling,
    /// The call is over.
    Finished(Outcome),
    /// Something arrived for this call after it was over: an answer, or progress.
    Late {
        /// The log entry.
        seq: Seq,
        /// The answer, if it was one.
        outcome: Option<Outcome>,
    },
}

/// How a call ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server answered with a result.
    Result {
        /// `result` as received.
        raw: Arc<RawValue>,
        /// `result.isError`: the tool ran and reports a failure of its own.
        is_error: bool,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// The server answered with a JSON-RPC error.
    ProtocolError {
        /// JSON-RPC error code.
        code: i64,
        /// The server's words.
        message: String,
        /// `error.data` as received.
        data: Option<Arc<RawValue>>,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// The answer is not of the shape that the specification names.
    BadShape {
        /// What is wrong.
        problem: String,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// A limit passed; the server was told to stop.
    TimedOut(TimeoutKind),
    /// The user cancelled, and no answer came within the grace period.
    Cancelled,
    /// The request or its answer got lost: the transport ended or its exchange failed.
    Lost(Lost),
}

/// Why an answer can no longer come.
#[derive(Clone, Debug)]
pub enum Lost {
    /// The transport is gone; the session's phase says why.
    TransportGone,
    /// The exchange failed.
    Exchange(Arc<WireError>),
    /// The answer stream ended without an answer.
    NoAnswer,
    /// An HTTP answer that is no JSON-RPC message.
    Http {
        /// HTTP status code.
        status: u16,
        /// The first 2,000 characters of the body.
        snippet: String,
    },
    /// The answer was larger than the transport accepts.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
        /// The log entry that holds its beginning.
        seq: Seq,
    },
    /// The server forgot the session: what it was doing is gone. Never repeated by itself.
    SessionForgotten,
    /// The answer stream broke and could not be picked up again.
    StreamLost {
        /// Why, in one plain sentence.
        reason: String,
    },
    /// The server asked for more input more often than the session's `rounds` allow.
    TooManyRounds {
        /// The limit.
        limit: u32,
    },
    /// The tool's definition forbids clients to call it; see [`crate::CallOptions::force`].
    Forbidden {
        /// Why, in one plain sentence.
        reason: String,
    },
    /// It was never sent.
    NotSent {
        /// Why, in one plain sentence.
        reason: String,
    },
}
