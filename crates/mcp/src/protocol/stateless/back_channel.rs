//! Detection of tools that need the handshake: they send requests of their own, which a stateless session
//! does not carry.
//!
//! A stateless server embeds its requests in its results (multi round-trip requests). A tool that uses the older
//! interface of an SDK instead fails there. The specification has no code for this failure: -32021 is about
//! capabilities that the client did not declare, which is not the problem. So the failure is recognised by its common
//! traits: JSON-RPC's "Invalid Request" or a failure of the tool, and the name that all SDKs give to the missing
//! feature.

use crate::Outcome;

/// JSON-RPC 2.0, section 5.1: Invalid Request.
const INVALID_REQUEST: i64 = -32600;

/// "Cannot send 'elicitation/create': this transport context has no back-channel for
/// server-initiated requests." (MCP Python SDK 2), "elicitation via server-initiated requests is
/// unavailable on 2026-07-28 connections." (FastMCP 4).
const MISSING: &str = "server-initiated requests";

/// Bytes of a tool's failure that are searched.
const LOOKED_AT: usize = 64 * 1024;

/// Returns true if an operation of a stateless session failed because it needs requests of the server,
/// which only the handshake offers.
pub(crate) fn needs_handshake(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::ProtocolError { code, message, .. } => {
            *code == INVALID_REQUEST && begins_with_it(message)
        }
        Outcome::Result {
            raw,
            is_error: true,
            ..
        } => begins_with_it(raw.get()),
        _ => false,
    }
}

fn begins_with_it(text: &str) -> bool {
    text[..text.floor_char_boundary(LOOKED_AT)].contains(MISSING)
}

#[cfg(test)]
mod tests {
    use sonde_wire::Seq;

    use super::*;
    use crate::Revision;

    fn error(code: i64, message: &str) -> Outcome {
        Outcome::ProtocolError {
            code,
            message: message.to_owned(),
            data: None,
            seq: Seq(1),
        }
    }

    fn result(text: &str, is_error: bool) -> Outcome {
        let raw = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#);
        Outcome::Result {
            raw: raw.into(),
            is_error,
            seq: Seq(1),
        }
    }

    #[test]
    fn each_sdk_says_it_in_its_own_way() {
        let python = "Cannot send 'elicitation/create': this transport context has no \
                      back-channel for server-initiated requests.";
        let fastmcp = format!(
            "elicitation via server-initiated requests is unavailable on {} connections.",
            Revision::NEWEST_STATELESS.as_str()
        );
        let fastmcp = fastmcp.as_str();
        for (outcome, needs) in [
            (error(-32600, python), true),
            (result(fastmcp, true), true),
            (
                result(&format!("Error executing tool t: {python}"), true),
                true,
            ),
            // A tool that writes about it.
            (result(fastmcp, false), false),
            (error(-32600, "Invalid Request"), false),
            (error(-32021, python), false),
            (result("disk full", true), false),
            (
                result(&format!("{}{fastmcp}", "ü".repeat(LOOKED_AT)), true),
                false,
            ),
            (Outcome::Cancelled, false),
        ] {
            assert_eq!(needs_handshake(&outcome), needs, "{outcome:?}");
        }
    }
}
