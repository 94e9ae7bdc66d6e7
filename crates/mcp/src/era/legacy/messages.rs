//! The texts of this era's messages, each one line without line breaks (transports, stdio).

use crate::LogLevel;

/// Tells the server that the handshake is over (lifecycle, Initialization).
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// `text` as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// A `tools/call`. `arguments` is JSON and goes out as written: digits, order, duplicates and
/// spaces stay. Only line breaks go, which valid JSON has between tokens alone.
///
/// The request's id serves as its progress token: unique as tokens must be (progress, Progress
/// Flow).
pub(crate) fn tool_call(id: u64, name: &str, arguments: Option<&str>) -> String {
    let name = quoted(name);
    let room = 120 + name.len() + arguments.map_or(0, str::len);
    let mut text = String::with_capacity(room);
    text.push_str(r#"{"jsonrpc":"2.0","id":"#);
    text.push_str(&id.to_string());
    text.push_str(r#","method":"tools/call","params":{"name":"#);
    text.push_str(&name);
    if let Some(arguments) = arguments {
        text.push_str(r#","arguments":"#);
        for line in arguments.split(['\n', '\r']) {
            text.push_str(line);
        }
    }
    text.push_str(r#","_meta":{"progressToken":"#);
    text.push_str(&id.to_string());
    text.push_str("}}}");
    text
}

/// A `tools/list` for the page that `cursor` names (as JSON text), or the first.
pub(crate) fn list_tools(id: u64, cursor: Option<&str>) -> String {
    match cursor {
        None => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#),
        Some(cursor) => format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"cursor":{cursor}}}}}"#
        ),
    }
}

/// A `ping`.
pub(crate) fn ping(id: u64) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// A `logging/setLevel`.
pub(crate) fn set_level(id: u64, level: LogLevel) -> String {
    let level = level.as_str();
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"logging/setLevel","params":{{"level":"{level}"}}}}"#
    )
}

/// A cancellation of one of our requests (cancellation, Cancellation Flow).
pub(crate) fn cancelled(id: u64, reason: Option<&str>) -> String {
    let reason = reason
        .map(|reason| format!(r#","reason":{}"#, quoted(reason)))
        .unwrap_or_default();
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}{reason}}}}}"#
    )
}

/// The answer to a `ping`: an empty result (ping, Behavior Requirements). `id` is JSON text.
pub(crate) fn answer_empty(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// The answer to a request for something that was never offered.
pub(crate) fn answer_unknown_method(id: &str, method: &str) -> String {
    let message = quoted(&format!("Method not found: {method}"));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":{message}}}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_out_as_written() {
        let text = tool_call(
            7,
            "a\"b",
            Some(
                "{\n  \"z\": 9007199254740993,\r\n\t\"a\": 1.0e+2, \"a\": null, \"s\": \"x\\n\"\n}",
            ),
        );
        assert_eq!(
            text,
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\\"b\",\
             \"arguments\":{  \"z\": 9007199254740993,\t\"a\": 1.0e+2, \"a\": null, \"s\": \"x\\n\"},\
             \"_meta\":{\"progressToken\":7}}}"
        );
    }

    #[test]
    fn absent_null_and_empty_arguments_differ() {
        assert!(!tool_call(1, "t", None).contains("arguments"));
        assert!(tool_call(1, "t", Some("null")).contains(r#""arguments":null,"#));
        assert!(tool_call(1, "t", Some("\"\"")).contains(r#""arguments":"","#));
        assert!(tool_call(1, "t", Some("{}")).contains(r#""arguments":{},"#));
    }

    #[test]
    fn every_text_is_one_line_of_json() {
        for text in [
            INITIALIZED.to_owned(),
            tool_call(1, "two\nlines\u{2028}", Some("[\n1,\r\n2]")),
            list_tools(2, None),
            list_tools(3, Some("\"a\\nb\"")),
            ping(4),
            set_level(5, LogLevel::Emergency),
            cancelled(6, None),
            cancelled(6, Some("because\nof \"this\"")),
            answer_empty("\"x\""),
            answer_unknown_method("1", "a\nb\""),
        ] {
            assert!(!text.contains(['\n', '\r']), "{text}");
            let value: serde_json::Value = serde_json::from_str(&text).expect("the text is JSON");
            assert_eq!(value["jsonrpc"], "2.0");
        }
    }
}
