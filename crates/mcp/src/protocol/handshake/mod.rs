//! The handshake era: `initialize`, optional HTTP session ids, server requests.

mod initialize;
mod headers;
mod messages;
mod rejection;

pub(crate) use headers::{LAST_EVENT_ID, SessionId, read_session_id};
pub(crate) use initialize::{accept, declaration, initialize};
pub(crate) use messages::{INITIALIZED, answer_error, answer_result, level_params, request};
pub(crate) use rejection::session_rejection;

use sonde_wire::Header;

use super::{Batching, Revision};

/// State of a session that the handshake settles.
#[derive(Debug, Default)]
pub(crate) struct Handshake {
    /// Settled by the handshake.
    pub(crate) revision: Option<Revision>,
    /// Assigned by the server with the response to `initialize`, if at all.
    pub(crate) session_id: Option<SessionId>,
}

impl Handshake {
    /// The headers of every message after the handshake; empty before it.
    pub(crate) fn headers(&self) -> Vec<Header> {
        headers::after_handshake(self.revision, self.session_id.as_ref())
    }

    /// Replaces the session id by one that the server does not know.
    pub(crate) fn pretend_session(&mut self, text: &str) {
        self.session_id = Some(SessionId::pretended(text));
    }

    /// Returns true if an array of messages is allowed on this session.
    pub(crate) fn accepts_batches(&self) -> bool {
        self.revision
            .is_some_and(|revision| revision.row().batching == Batching::Accepted)
    }
}

/// Returns true if `cursor` asks for another page.
///
/// "`nextCursor` missing" ends a list (pagination, Response Format). This protocol does not define an empty string;
/// servers that send one mean the end, and sending it back would read the first page again.
pub(crate) fn continues(cursor: &str) -> bool {
    !cursor.is_empty()
}
