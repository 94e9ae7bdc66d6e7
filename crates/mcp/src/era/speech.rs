//! The era that a session speaks at present, with what it must remember of it.

use sonde_wire::Header;

use super::{
    Era,
    legacy::{self, Legacy, SessionId},
    modern::{self, Modern},
    plea::{Plea, Spoken},
};
use crate::LogLevel;

/// One of the two eras.
#[derive(Debug)]
pub(crate) enum Speech {
    Legacy(Legacy),
    Modern(Modern),
}

impl Default for Speech {
    fn default() -> Self {
        Speech::Legacy(Legacy::default())
    }
}

impl Speech {
    pub(crate) fn legacy(&self) -> Option<&Legacy> {
        match self {
            Speech::Legacy(legacy) => Some(legacy),
            Speech::Modern(_) => None,
        }
    }

    pub(crate) fn legacy_mut(&mut self) -> Option<&mut Legacy> {
        match self {
            Speech::Legacy(legacy) => Some(legacy),
            Speech::Modern(_) => None,
        }
    }

    pub(crate) fn modern(&self) -> Option<&Modern> {
        match self {
            Speech::Legacy(_) => None,
            Speech::Modern(modern) => Some(modern),
        }
    }

    pub(crate) fn modern_mut(&mut self) -> Option<&mut Modern> {
        match self {
            Speech::Legacy(_) => None,
            Speech::Modern(modern) => Some(modern),
        }
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.modern().is_some()
    }

    pub(crate) fn era(&self) -> Era {
        match self {
            Speech::Legacy(_) => Era::Legacy,
            Speech::Modern(_) => Era::Modern,
        }
    }

    /// The session id that the server gave out, if it did. Only the handshake era has sessions.
    pub(crate) fn session_id(&self) -> Option<&SessionId> {
        self.legacy()?.session_id.as_ref()
    }

    /// The headers of every message.
    pub(crate) fn headers(&self) -> Vec<Header> {
        match self {
            Speech::Legacy(legacy) => legacy.headers(),
            Speech::Modern(modern) => modern.headers(),
        }
    }

    /// A request in the words of this era.
    pub(crate) fn request(&self, id: u64, plea: &Plea<'_>) -> Spoken {
        match self {
            Speech::Legacy(legacy) => Spoken {
                text: legacy::request(id, plea),
                headers: legacy.headers(),
            },
            Speech::Modern(modern) => modern.request(id, plea),
        }
    }

    /// The method that only asks for a sign of life.
    pub(crate) fn ping(&self) -> &'static str {
        match self {
            Speech::Legacy(_) => "ping",
            // It has no pings; this has no side effects, and every server must have it.
            Speech::Modern(_) => modern::DISCOVER,
        }
    }

    /// A cancellation of one of our requests.
    pub(crate) fn cancelled(&self, id: u64, reason: Option<&str>) -> String {
        match self {
            Speech::Legacy(_) => legacy::cancelled(id, reason),
            Speech::Modern(_) => modern::cancelled(id, reason),
        }
    }

    /// Takes the level into the following requests; `false` where a request has to ask for it.
    pub(crate) fn takes_level(&mut self, level: LogLevel) -> bool {
        let modern = self.modern_mut();
        modern
            .map(|modern| modern.log_level = Some(level))
            .is_some()
    }

    /// Whether servers may have a stream of their own, and broken ones can be picked up.
    pub(crate) fn has_listener(&self) -> bool {
        self.legacy()
            .and_then(|legacy| legacy.revision)
            .is_some_and(|revision| revision.row().listener)
    }

    /// Whether an array of messages is allowed on this session.
    pub(crate) fn accepts_batches(&self) -> bool {
        self.legacy().is_some_and(Legacy::accepts_batches)
    }
}

impl Era {
    /// Whether `cursor` asks for another page.
    pub(crate) fn continues(self, cursor: &str) -> bool {
        match self {
            Era::Legacy => legacy::continues(cursor),
            // "An empty string is a valid cursor" (pagination).
            Era::Modern => true,
        }
    }
}
