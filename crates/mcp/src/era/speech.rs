//! The era that a session speaks at present, with what it must remember of it.

use sonde_wire::Header;

use super::{
    legacy::{Legacy, SessionId},
    modern::Modern,
};

/// One of the two eras.
#[derive(Debug)]
#[allow(dead_code)]
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

    #[allow(dead_code)]
    pub(crate) fn is_modern(&self) -> bool {
        matches!(self, Speech::Modern(_))
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

    /// Whether an array of messages is allowed on this session.
    pub(crate) fn accepts_batches(&self) -> bool {
        self.legacy().is_some_and(Legacy::accepts_batches)
    }
}
