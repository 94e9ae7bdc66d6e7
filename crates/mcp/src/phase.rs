//! The phases of a session.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_wire::{Closed, WireError};

use crate::Implementation;

/// Where a session stands. One enum, one transition table (`session/transitions`).
#[derive(Debug)]
pub enum Phase {
    /// The transport is up; the handshake is under way.
    Opening,
    /// Calls work.
    Ready,
    /// An orderly end is under way.
    Closing,
    /// Over. Always the last phase.
    Closed(CloseReason),
}

/// What the handshake settled.
#[derive(Clone, Debug)]
pub struct Negotiated {
    /// The protocol revision both sides speak.
    pub revision: &'static str,
    /// The revision that was offered first.
    pub offered: &'static str,
    /// Who the server says it is.
    pub server: Option<Implementation>,
    /// The server's `capabilities` object as received.
    pub capabilities: Arc<RawValue>,
    /// Whether that object declares tools; their list is read only then.
    pub tools: bool,
    /// What the server tells models about itself.
    pub instructions: Option<String>,
    /// Round-trip time of the handshake's request, in milliseconds.
    pub handshake_ms: u64,
}

/// Why a session is over.
#[derive(Debug)]
pub enum CloseReason {
    /// It never became ready.
    OpenFailed(OpenFailure),
    /// It was ready, and then its transport ended as told.
    Transport(Closed),
    /// The user or the app closed it.
    Requested,
    /// The server answered 404 to the session id it gave out: it ended or forgot the session
    /// (Streamable HTTP, Session Management). Only a new handshake helps.
    SessionForgotten,
}

/// Why a handshake failed.
#[derive(Debug)]
pub enum OpenFailure {
    /// The transport ended before the handshake was answered.
    Transport(Closed),
    /// The exchange that carried the handshake failed.
    Exchange(WireError),
    /// An HTTP answer that is no MCP answer.
    Http {
        /// HTTP status code.
        status: u16,
        /// `Content-Type` of the answer.
        content_type: Option<String>,
        /// The first 2,000 characters of the body.
        snippet: String,
    },
    /// The server answered the handshake with a JSON-RPC error.
    Rejected {
        /// JSON-RPC error code.
        code: i64,
        /// The server's words.
        message: String,
        /// `error.data` as received.
        data: Option<Arc<RawValue>>,
    },
    /// The server answered with a revision that Sonde does not speak.
    UnknownRevision {
        /// What it answered.
        answered: String,
    },
    /// The answer is JSON but not the shape that the specification names.
    BadShape {
        /// What is wrong.
        problem: String,
    },
    /// No answer within [`crate::Timeouts::handshake`].
    TimedOut,
}
