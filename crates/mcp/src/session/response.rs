//! Outcome of a request: its response, or why it was lost.

use std::sync::Arc;

use sonde_wire::{Seq, WireError};

use super::envelope::ErrorObject;
use crate::{
    Lost, OpenFailure, Outcome, TimeoutKind,
    protocol::{
        Protocol,
        stateless::{ResultKind, kind},
    },
    received_result::ReceivedResult,
};

/// Kinds of responses.
#[derive(Debug)]
pub(super) enum Response<'a> {
    Result(ReceivedResult<'a>),
    Error(ErrorObject),
    /// Not readable as either; a plain sentence says why.
    Unreadable(String),
}

impl Response<'_> {
    /// Returns the problem, without the full stop.
    pub(super) fn problem(&self) -> String {
        match self {
            Response::Result(_) => "the response is malformed".to_owned(),
            Response::Error(error) => {
                format!("the server answered “{}” ({})", error.message, error.code)
            }
            Response::Unreadable(problem) => problem.clone(),
        }
    }

    pub(super) fn is_result(&self) -> bool {
        matches!(self, Response::Result(_))
    }

    /// Applies the rules of the protocol: a result of an unknown kind does not count as one.
    pub(super) fn checked(self, protocol: &Protocol, method: &str) -> Self {
        let (Response::Result(result), Some(stateless)) = (&self, protocol.stateless()) else {
            return self;
        };
        match kind(result, method, stateless.tasks) {
            Ok(ResultKind::Complete) => self,
            Ok(ResultKind::Task) => {
                Response::Unreadable("the response is a task, which is not allowed here".to_owned())
            }
            Ok(ResultKind::InputRequired(_)) => Response::Unreadable(
                "the response requests input, which is not allowed here".to_owned(),
            ),
            Err(problem) => Response::Unreadable(problem),
        }
    }
}

/// Reasons why a response can no longer arrive.
#[derive(Debug)]
pub(super) enum Loss {
    /// A limit passed.
    TimedOut(TimeoutKind),
    TransportGone,
    Exchange(WireError),
    NoAnswer,
    /// The stream of the response broke for good.
    StreamLost(String),
    /// The server forgot the session.
    Forgotten,
    /// The server rejected the session id with HTTP 400 and this message.
    SessionRejected {
        said: String,
    },
    Http {
        status: u16,
        content_type: Option<String>,
        snippet: String,
    },
    BadShape {
        problem: String,
        seq: Seq,
    },
    TooLarge {
        size: u64,
        limit: u64,
        seq: Seq,
    },
}

impl Loss {
    /// Returns the loss of a request whose stream broke: "The request is lost" with it (Streamable HTTP,
    /// Disconnection). Only the user knows if sending it again does no harm.
    pub(super) fn stream_lost() -> Self {
        Loss::StreamLost("the server closed the stream before the response".to_owned())
    }

    pub(super) fn into_outcome(self) -> Outcome {
        Outcome::Lost(match self {
            Loss::BadShape { problem, seq } => return Outcome::BadShape { problem, seq },
            Loss::TimedOut(limit) => return Outcome::TimedOut(limit),
            Loss::TransportGone => Lost::TransportGone,
            Loss::Exchange(error) => Lost::Exchange(Arc::new(error)),
            Loss::NoAnswer => Lost::NoAnswer,
            Loss::StreamLost(reason) => Lost::StreamLost { reason },
            Loss::Forgotten => Lost::SessionForgotten,
            Loss::SessionRejected { said } => Lost::SessionRejected { said },
            Loss::Http {
                status, snippet, ..
            } => Lost::Http { status, snippet },
            Loss::TooLarge { size, limit, seq } => Lost::TooLarge { size, limit, seq },
        })
    }

    pub(super) fn into_open_failure(self) -> OpenFailure {
        match self {
            Loss::TimedOut(_) => OpenFailure::TimedOut,
            Loss::Exchange(error) => OpenFailure::Exchange(error),
            Loss::Http {
                status,
                content_type,
                snippet,
            } => OpenFailure::Http {
                status,
                content_type,
                snippet,
            },
            Loss::TooLarge { limit, .. } => OpenFailure::Exchange(WireError::TooLarge { limit }),
            Loss::BadShape { problem, .. } => OpenFailure::BadShape { problem },
            Loss::StreamLost(_)
            | Loss::NoAnswer
            | Loss::Forgotten
            | Loss::SessionRejected { .. }
            | Loss::TransportGone => OpenFailure::BadShape {
                problem: "the server's response to `initialize` contains no message".to_owned(),
            },
        }
    }

    /// Returns the problem, without the full stop.
    pub(super) fn problem(&self) -> String {
        match self {
            Loss::TimedOut(TimeoutKind::Idle) => "no response in time".to_owned(),
            Loss::TimedOut(TimeoutKind::Hard) => "no response within the max timeout".to_owned(),
            Loss::TransportGone => "the connection ended".to_owned(),
            Loss::Exchange(error) => error.to_string(),
            Loss::StreamLost(reason) => reason.trim_end_matches('.').to_owned(),
            Loss::Forgotten | Loss::SessionRejected { .. } => {
                "the server no longer knows the session".to_owned()
            }
            Loss::NoAnswer => "the server ended the response without a message".to_owned(),
            Loss::Http { status, .. } => format!("the server returned HTTP status {status}"),
            Loss::BadShape { problem, .. } => problem.clone(),
            Loss::TooLarge { size, limit, .. } => {
                format!("the response has {size} bytes, more than the limit of {limit}")
            }
        }
    }
}
