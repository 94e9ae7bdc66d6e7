//! HTTP headers of this era. Transports without headers ignore them.

use sonde_wire::Header;

use crate::Revision;

const SESSION_ID: &str = "Mcp-Session-Id";
pub(crate) const LAST_EVENT_ID: &str = "Last-Event-ID";
const PROTOCOL_VERSION: &str = "MCP-Protocol-Version";

/// A session id that a server assigned. It gives access to the session, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionId(String);

impl SessionId {
    /// Creates an id that no server assigned, to test how a server treats it.
    pub(super) fn pretended(text: &str) -> Self {
        SessionId(text.to_owned())
    }

    /// Returns the length if the id is so short that it could be guessed.
    pub(crate) fn short(&self) -> Option<usize> {
        /// Digits of 64 random bits.
        const LEAST: usize = 16;
        Some(self.0.len()).filter(|size| *size < LEAST)
    }

    /// Returns a mark that tells the id from others: the first characters of its SHA-256.
    pub(crate) fn fingerprint(&self) -> String {
        use sha2::Digest as _;
        sha2::Sha256::digest(self.0.as_bytes())
            .iter()
            .take(4)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl std::fmt::Debug for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionId(…)")
    }
}

/// The server assigned a session id that no header can carry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadSessionId;

/// The session id in a response head. `Err` when there is one that cannot be repeated: it "must
/// only contain visible ASCII characters" (transports, Session Management).
pub(crate) fn read_session_id(headers: &[Header]) -> Result<Option<SessionId>, BadSessionId> {
    let Some(header) = headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(SESSION_ID))
    else {
        return Ok(None);
    };
    if header.value.is_empty() || !header.value.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(BadSessionId);
    }
    Ok(Some(SessionId(header.value.clone())))
}

/// Headers of every request after the handshake.
pub(super) fn after_handshake(
    revision: Option<Revision>,
    session_id: Option<&SessionId>,
) -> Vec<Header> {
    let version = revision
        .filter(|revision| revision.row().version_header)
        .map(|revision| Header {
            name: PROTOCOL_VERSION.to_owned(),
            value: revision.as_str().to_owned(),
        });
    let session = session_id.map(|SessionId(value)| Header {
        name: SESSION_ID.to_owned(),
        value: value.clone(),
    });
    version.into_iter().chain(session).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, value: &str) -> Header {
        Header {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn version_header_from_the_third_revision_on() {
        let sent = Revision::HANDSHAKE.map(|revision| {
            after_handshake(Some(revision), None)
                .iter()
                .any(|header| header.name == PROTOCOL_VERSION && header.value == revision.as_str())
        });
        assert_eq!(sent, [false, false, true, true]);
        assert!(after_handshake(None, None).is_empty());
    }

    #[test]
    fn session_id_is_read_in_any_case_and_repeated_exactly() {
        let id = read_session_id(&[header("MCP-SESSION-ID", "aB~!9")]).unwrap();
        for revision in Revision::HANDSHAKE {
            let headers = after_handshake(Some(revision), id.as_ref());
            assert!(headers.contains(&header(SESSION_ID, "aB~!9")));
        }
        assert!(!format!("{id:?}").contains("aB"));
    }

    #[test]
    fn unusable_session_ids_are_not_taken() {
        for value in ["", "a b", "ü", "a\tb", "\u{7f}"] {
            assert_eq!(
                read_session_id(&[header("mcp-session-id", value)]),
                Err(BadSessionId),
                "{value:?}"
            );
        }
        assert_eq!(read_session_id(&[header("content-type", "x")]), Ok(None));
    }
}
