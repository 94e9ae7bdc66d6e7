//! The phases of a session.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::{Closed, WireError};

use crate::{CatalogKind, Era, Revision, ServerInfo};

/// Phases of a session. One enum, one transition table (`session/stage`).
#[derive(Debug)]
pub enum Phase {
    /// The handshake is under way, the first or (after the server no longer knows the session) another.
    Opening,
    /// Calls work.
    Ready,
    /// An orderly end is under way.
    Closing,
    /// Over. Always the last phase.
    Closed(CloseReason),
}

/// Result of the handshake.
#[derive(Clone, Debug)]
pub struct Negotiated {
    /// The protocol revision both sides speak.
    pub revision: &'static str,
    /// The revision that was offered first.
    pub offered: &'static str,
    /// Self-description of the server.
    pub server: Option<ServerInfo>,
    /// The server's `capabilities` object as received.
    pub capabilities: Arc<RawValue>,
    /// The catalogs that this object declares. On connecting only the tools are read, if the server has
    /// them. A stateless server that did not declare anything is assumed to have tools.
    pub catalogs: BTreeSet<CatalogKind>,
    /// The server accepts requests for completion: it declares that, or speaks a protocol version without such a
    /// capability.
    pub completions: bool,
    /// The server accepts subscriptions to resources.
    pub resource_subscriptions: bool,
    /// The server runs tools as tasks on request (2025-11-25).
    pub tool_tasks: bool,
    /// The server lists its tasks (2025-11-25).
    pub task_list: bool,
    /// Era of that protocol version.
    pub era: Era,
    /// Other protocol versions that the server named when probed; empty if it was not probed.
    pub supported: Vec<String>,
    /// Mark that tells the HTTP session id from others, if there is one: the first characters of its SHA-256.
    pub session: Option<String>,
    /// The server's description of itself for models.
    pub instructions: Option<String>,
    /// `_meta` of the result that all of this comes from, as received.
    pub meta: Option<Arc<RawValue>>,
    /// Round-trip time of the handshake's request, in milliseconds.
    pub handshake_ms: u64,
}

/// Reasons for the end of a session.
#[derive(Debug)]
pub enum CloseReason {
    /// It never became ready.
    OpenFailed(OpenFailure),
    /// The transport of a working session ended.
    Transport(Closed),
    /// The process closed its standard output but kept running, and was ended.
    OutputClosed(Closed),
    /// The user or the app closed it.
    Requested,
    /// The server responded with 404 to the session id that it had assigned: it ended or forgot the session (Streamable
    /// HTTP, Session Management). Only a new handshake helps.
    SessionForgotten,
}

/// Reasons for the failure of a handshake.
#[derive(Debug)]
pub enum OpenFailure {
    /// The transport ended before the handshake was answered.
    Transport(Closed),
    /// The exchange that carried the handshake failed.
    Exchange(WireError),
    /// An HTTP response that is not an MCP response.
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
        /// The server's message.
        message: String,
        /// `error.data` as received.
        data: Option<Arc<RawValue>>,
        /// HTTP status code of the answer; `None` where there is none.
        http: Option<u16>,
    },
    /// The server answered with a revision that Sonde does not speak.
    UnknownRevision {
        /// The answered protocol version.
        answered: String,
    },
    /// The answer is JSON but not the shape that the specification names.
    BadShape {
        /// The deviation.
        problem: String,
    },
    /// The transport ended when the server was probed for its era: some old servers do not survive the
    /// question.
    EndedWhileAsked(Closed),
    /// The process closed its standard output while it was being probed, but kept running, and was ended.
    OutputClosedWhileAsked(Closed),
    /// No answer within [`crate::Timeouts::handshake`].
    TimedOut,
}

impl OpenFailure {
    /// Returns the next attempt worth making on a fresh connection, if any.
    #[must_use]
    pub fn next_attempt(&self) -> Option<NextAttempt> {
        match self {
            OpenFailure::EndedWhileAsked(_) | OpenFailure::OutputClosedWhileAsked(_) => {
                Some(NextAttempt::Handshake)
            }
            // A server of the oldest version accepts no POST at this address (Streamable HTTP, Backward Compatibility).
            // A login, a time-out or an overload proves nothing about that.
            OpenFailure::Http { status, .. }
                if (400..500).contains(status) && !matches!(status, 401 | 403 | 408 | 429) =>
            {
                Some(NextAttempt::HttpSse)
            }
            // Some old servers say the same with status 400 and a message of their own. An error code of the stateless
            // protocol proves that the server understood the request (versioning).
            OpenFailure::Rejected {
                http: Some(400),
                code,
                ..
            } if self.other_offer().is_none() && !(-32_022..=-32_020).contains(code) => {
                Some(NextAttempt::HttpSse)
            }
            _ => self.other_offer().map(NextAttempt::Offer),
        }
    }
}

/// Next attempt on a fresh connection after an [`OpenFailure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAttempt {
    /// The handshake with this revision.
    Offer(Revision),
    /// The handshake at once: the process ended when it was asked for its era.
    Handshake,
    /// The HTTP+SSE transport at the same address.
    HttpSse,
}
