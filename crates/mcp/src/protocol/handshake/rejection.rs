//! Servers that refuse an unknown session with another status than the specification names.

use crate::{
    members::{members, string},
    text::cut,
};

/// Phrases, in lower case, of servers that answer an unknown session with HTTP 400: from the examples of
/// the official SDKs and from servers built after them.
const WORDS: [&str; 11] = [
    "session id",
    "session-id",
    "sessionid",
    "session not found",
    "unknown session",
    "invalid session",
    "no valid session",
    "session expired",
    "session has expired",
    "session does not exist",
    "server not initialized",
];

/// Limit of the message that is kept, in characters.
const LONGEST: usize = 200;

/// Returns the message of a 400 response that rejects the session. An error about the parameters of a request is never
/// such a rejection.
///
/// "Servers that require a session ID SHOULD respond to requests without an `Mcp-Session-Id` header (other
/// than initialization) with HTTP 400" (transports, Session Management); many do so for a forgotten session
/// as well, and do not answer 404.
pub(crate) fn session_rejection(body: &str) -> Option<String> {
    const INVALID_PARAMS: &str = "-32602";
    let of_error = members(body, &["error"]).ok().and_then(|read| {
        let [error] = read.values;
        members(error?.get(), &["code", "message"]).ok()
    });
    let said = match of_error.map(|read| read.values) {
        Some([Some(code), _]) if code.get() == INVALID_PARAMS => return None,
        Some([_, Some(message)]) => string(message)?,
        _ => body.trim().to_owned(),
    };
    let folded = said.to_lowercase();
    let rejects = WORDS.iter().any(|words| folded.contains(words));
    rejects.then(|| cut(&said, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_say_of_a_session_that_they_do_not_know() {
        for body in [
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}"#,
            r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Mcp-Session-Id header is required"}}"#,
            "Invalid or missing session ID",
            "Unknown session",
            r#"{"error":"Session not found"}"#,
        ] {
            assert!(session_rejection(body).is_some(), "{body}");
        }
    }

    #[test]
    fn a_400_about_something_else_is_no_rejection() {
        for body in [
            "",
            "Bad Request",
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"sessionId is required"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: Invalid JSON","data":"session id"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Unsupported protocol version"}}"#,
        ] {
            assert_eq!(session_rejection(body), None, "{body}");
        }
    }
}
