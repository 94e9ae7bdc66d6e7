//! The texts of this era's messages, each one line without line breaks (transports, stdio).

use crate::{
    LogLevel,
    members::{quoted, with_meta},
    protocol::request::{Request, envelope},
};

/// Notifies the server that the handshake is complete (lifecycle, Initialization).
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A request. Of `_meta`, only the progress token is this era's business (progress, Progress Flow).
pub(crate) fn request(id: u64, request: &Request<'_>) -> String {
    let token = id.to_string();
    let entries = [("progressToken", token.as_str())];
    let entries = if request.progress { &entries[..] } else { &[] };
    envelope(
        id,
        request.method,
        with_meta(request.params, entries).as_deref(),
    )
}

/// The parameters of a `logging/setLevel`.
pub(crate) fn level_params(level: LogLevel) -> String {
    format!(r#"{{"level":"{}"}}"#, level.as_str())
}

/// An answer with this result, one line of JSON text. `id` is JSON text.
pub(crate) fn answer_result(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// A refusal. `id` is JSON text.
pub(crate) fn answer_error(id: &str, code: i64, message: &str) -> String {
    let message = quoted(message);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_carry_their_token_where_progress_is_asked_for() {
        let mut call = Request {
            method: "tools/call",
            params: Some(r#"{"name":"t","arguments":{ "z":1.0 }}"#),
            progress: true,
        };
        assert_eq!(
            request(7, &call),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{ "z":1.0 },"_meta":{"progressToken":7}}}"#
        );
        call.progress = false;
        assert_eq!(
            request(7, &call),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{ "z":1.0 }}}"#
        );
        assert_eq!(
            request(8, &Request::bare("ping")),
            r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#
        );
    }

    #[test]
    fn every_text_is_one_line_of_json() {
        for text in [
            INITIALIZED.to_owned(),
            request(1, &Request::bare("a\nb")),
            answer_result("\"x\"", "{}"),
            answer_error("1", -32601, "a\nb\""),
        ] {
            assert!(!text.contains(['\n', '\r']), "{text}");
            let value: serde_json::Value = serde_json::from_str(&text).expect("the text is JSON");
            assert_eq!(value["jsonrpc"], "2.0");
        }
    }
}
