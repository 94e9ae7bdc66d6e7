//! The protocol that a session currently speaks, with its state.

use sonde_wire::Header;

use super::{
    Era, Revision,
    handshake::{self, Handshake, SessionId},
    request::{EncodedRequest, Request},
    stateless::{self, Stateless},
};
use crate::LogLevel;

/// One of the two eras.
#[derive(Debug)]
pub(crate) enum Protocol {
    Handshake(Handshake),
    Stateless(Stateless),
}

impl Default for Protocol {
    fn default() -> Self {
        Protocol::Handshake(Handshake::default())
    }
}

impl Protocol {
    pub(crate) fn handshake(&self) -> Option<&Handshake> {
        match self {
            Protocol::Handshake(handshake) => Some(handshake),
            Protocol::Stateless(_) => None,
        }
    }

    pub(crate) fn handshake_mut(&mut self) -> Option<&mut Handshake> {
        match self {
            Protocol::Handshake(handshake) => Some(handshake),
            Protocol::Stateless(_) => None,
        }
    }

    pub(crate) fn stateless(&self) -> Option<&Stateless> {
        match self {
            Protocol::Handshake(_) => None,
            Protocol::Stateless(stateless) => Some(stateless),
        }
    }

    pub(crate) fn stateless_mut(&mut self) -> Option<&mut Stateless> {
        match self {
            Protocol::Handshake(_) => None,
            Protocol::Stateless(stateless) => Some(stateless),
        }
    }

    pub(crate) fn is_stateless(&self) -> bool {
        self.stateless().is_some()
    }

    pub(crate) fn era(&self) -> Era {
        match self {
            Protocol::Handshake(_) => Era::Handshake,
            Protocol::Stateless(_) => Era::Stateless,
        }
    }

    /// The revision; `None` before the handshake has settled it.
    pub(crate) fn revision(&self) -> Option<Revision> {
        match self {
            Protocol::Handshake(handshake) => handshake.revision,
            Protocol::Stateless(stateless) => Some(stateless.revision),
        }
    }

    /// Returns the session id that the server assigned, if any. Only the handshake protocol has sessions.
    pub(crate) fn session_id(&self) -> Option<&SessionId> {
        self.handshake()?.session_id.as_ref()
    }

    /// The headers of every message.
    pub(crate) fn headers(&self) -> Vec<Header> {
        match self {
            Protocol::Handshake(handshake) => handshake.headers(),
            Protocol::Stateless(stateless) => stateless.headers(),
        }
    }

    /// Encodes a request.
    pub(crate) fn request(&self, id: u64, request: &Request<'_>) -> EncodedRequest {
        match self {
            Protocol::Handshake(handshake) => EncodedRequest {
                text: handshake::request(id, request),
                headers: handshake.headers(),
            },
            Protocol::Stateless(stateless) => stateless.request(id, request),
        }
    }

    /// Returns the method that only tests if the server responds.
    pub(crate) fn ping(&self) -> &'static str {
        match self {
            Protocol::Handshake(_) => "ping",
            // Stateless servers have no `ping`; they all have this method, which has no side effects.
            Protocol::Stateless(_) => stateless::DISCOVER,
        }
    }

    /// Takes the level into the following requests; `false` where a request has to ask for it.
    pub(crate) fn takes_level(&mut self, level: Option<LogLevel>) -> bool {
        let stateless = self.stateless_mut();
        stateless
            .map(|stateless| {
                stateless.log_level = level;
                stateless.asked_for_log |= level.is_some();
            })
            .is_some()
    }

    /// Returns true if servers may have a stream of their own, and broken streams can be resumed.
    pub(crate) fn has_listener(&self) -> bool {
        self.handshake()
            .and_then(|handshake| handshake.revision)
            .is_some_and(|revision| revision.row().listener)
    }

    /// Returns true if a completion can name other arguments with their values.
    pub(crate) fn completes_in_context(&self) -> bool {
        self.revision()
            .is_some_and(|revision| revision.row().completion_context)
    }

    /// Returns true if a request can ask to be run as a task.
    pub(crate) fn asks_for_tasks(&self) -> bool {
        self.handshake()
            .and_then(|handshake| handshake.revision)
            .is_some_and(|revision| revision.row().tasks)
    }

    /// Returns true if an array of messages is allowed on this session.
    pub(crate) fn accepts_batches(&self) -> bool {
        self.handshake().is_some_and(Handshake::accepts_batches)
    }
}

impl Era {
    /// Returns true if `cursor` asks for another page.
    pub(crate) fn continues(self, cursor: &str) -> bool {
        match self {
            Era::Handshake => handshake::continues(cursor),
            // "An empty string is a valid cursor" (pagination).
            Era::Stateless => true,
        }
    }
}
