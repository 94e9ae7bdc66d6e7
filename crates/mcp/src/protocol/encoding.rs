//! Protocol that a session speaks at present, with the state of its era.

use sonde_wire::Header;

use super::{
    Era, Revision,
    legacy::{self, Legacy, SessionId},
    modern::{self, Modern},
    request::{EncodedRequest, Request},
};
use crate::LogLevel;

/// One of the two eras.
#[derive(Debug)]
pub(crate) enum Protocol {
    Legacy(Legacy),
    Modern(Modern),
}

impl Default for Protocol {
    fn default() -> Self {
        Protocol::Legacy(Legacy::default())
    }
}

impl Protocol {
    pub(crate) fn legacy(&self) -> Option<&Legacy> {
        match self {
            Protocol::Legacy(legacy) => Some(legacy),
            Protocol::Modern(_) => None,
        }
    }

    pub(crate) fn legacy_mut(&mut self) -> Option<&mut Legacy> {
        match self {
            Protocol::Legacy(legacy) => Some(legacy),
            Protocol::Modern(_) => None,
        }
    }

    pub(crate) fn modern(&self) -> Option<&Modern> {
        match self {
            Protocol::Legacy(_) => None,
            Protocol::Modern(modern) => Some(modern),
        }
    }

    pub(crate) fn modern_mut(&mut self) -> Option<&mut Modern> {
        match self {
            Protocol::Legacy(_) => None,
            Protocol::Modern(modern) => Some(modern),
        }
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.modern().is_some()
    }

    pub(crate) fn era(&self) -> Era {
        match self {
            Protocol::Legacy(_) => Era::Legacy,
            Protocol::Modern(_) => Era::Modern,
        }
    }

    /// The revision; `None` before the handshake has settled it.
    pub(crate) fn revision(&self) -> Option<Revision> {
        match self {
            Protocol::Legacy(legacy) => legacy.revision,
            Protocol::Modern(modern) => Some(modern.revision),
        }
    }

    /// The session id that the server gave out, if it did. Only the handshake era has sessions.
    pub(crate) fn session_id(&self) -> Option<&SessionId> {
        self.legacy()?.session_id.as_ref()
    }

    /// The headers of every message.
    pub(crate) fn headers(&self) -> Vec<Header> {
        match self {
            Protocol::Legacy(legacy) => legacy.headers(),
            Protocol::Modern(modern) => modern.headers(),
        }
    }

    /// A request in the words of this era.
    pub(crate) fn request(&self, id: u64, request: &Request<'_>) -> EncodedRequest {
        match self {
            Protocol::Legacy(legacy) => EncodedRequest {
                text: legacy::request(id, request),
                headers: legacy.headers(),
            },
            Protocol::Modern(modern) => modern.request(id, request),
        }
    }

    /// The method that only asks for a sign of life.
    pub(crate) fn ping(&self) -> &'static str {
        match self {
            Protocol::Legacy(_) => "ping",
            // It has no pings; this has no side effects, and every server must have it.
            Protocol::Modern(_) => modern::DISCOVER,
        }
    }

    /// A cancellation of one of our requests.
    pub(crate) fn cancelled(&self, id: u64, reason: Option<&str>) -> String {
        match self {
            Protocol::Legacy(_) => legacy::cancelled(id, reason),
            Protocol::Modern(_) => modern::cancelled(id, reason),
        }
    }

    /// Takes the level into the following requests; `false` where a request has to ask for it.
    pub(crate) fn takes_level(&mut self, level: Option<LogLevel>) -> bool {
        let modern = self.modern_mut();
        modern
            .map(|modern| {
                modern.log_level = level;
                modern.asked_for_log |= level.is_some();
            })
            .is_some()
    }

    /// Returns true if servers may have a stream of their own, and broken streams can be resumed.
    pub(crate) fn has_listener(&self) -> bool {
        self.legacy()
            .and_then(|legacy| legacy.revision)
            .is_some_and(|revision| revision.row().listener)
    }

    /// Returns true if a completion can name other arguments with their values.
    pub(crate) fn completes_in_context(&self) -> bool {
        self.revision()
            .is_some_and(|revision| revision.row().completion_context)
    }

    /// Returns true if a request can ask to be run as a task.
    pub(crate) fn asks_for_tasks(&self) -> bool {
        self.legacy()
            .and_then(|legacy| legacy.revision)
            .is_some_and(|revision| revision.row().tasks)
    }

    /// Returns true if an array of messages is allowed on this session.
    pub(crate) fn accepts_batches(&self) -> bool {
        self.legacy().is_some_and(Legacy::accepts_batches)
    }
}

impl Era {
    /// Returns true if `cursor` asks for another page.
    pub(crate) fn continues(self, cursor: &str) -> bool {
        match self {
            Era::Legacy => legacy::continues(cursor),
            // "An empty string is a valid cursor" (pagination).
            Era::Modern => true,
        }
    }
}
