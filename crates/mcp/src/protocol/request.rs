//! A request before an era puts it into words, and after.

use sonde_wire::Header;

use crate::{
    ToolCall,
    members::{one_line, quoted},
};

/// What a request asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    /// `params` as JSON text without line breaks.
    pub(crate) params: Option<&'a str>,
    /// Whether progress is asked for. The request's id serves as its token: unique as tokens must
    /// be (progress, Progress Flow).
    pub(crate) progress: bool,
}

impl<'a> Request<'a> {
    /// A request without parameters.
    pub(crate) fn bare(method: &'a str) -> Self {
        Request {
            method,
            params: None,
            progress: false,
        }
    }
}

/// A request in the words of an era.
#[derive(Debug)]
pub(crate) struct EncodedRequest {
    pub(crate) text: String,
    pub(crate) headers: Vec<Header>,
}

/// The message around a request's parameters: one line (transports, stdio).
pub(super) fn envelope(id: u64, method: &str, params: Option<&str>) -> String {
    let method = quoted(method);
    let mut text = String::with_capacity(50 + method.len() + params.map_or(0, str::len));
    text.push_str(r#"{"jsonrpc":"2.0","id":"#);
    text.push_str(&id.to_string());
    text.push_str(r#","method":"#);
    text.push_str(&method);
    if let Some(params) = params {
        text.push_str(r#","params":"#);
        text.push_str(params);
    }
    text.push('}');
    text
}

/// The parameters of a `tools/call`. `arguments` is JSON and goes out as written: digits, order,
/// duplicates and spaces stay. Only line breaks go, which valid JSON has between tokens alone.
pub(crate) fn tool_params(tool: &ToolCall) -> String {
    let name = quoted(&tool.name);
    match &tool.arguments {
        None => format!(r#"{{"name":{name}}}"#),
        Some(arguments) => {
            format!(r#"{{"name":{name},"arguments":{}}}"#, one_line(arguments))
        }
    }
}

/// The parameters of a `tools/list` for the page that `cursor` names (as JSON text), or the first.
pub(crate) fn page_params(cursor: Option<&str>) -> Option<String> {
    cursor.map(|cursor| format!(r#"{{"cursor":{cursor}}}"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, arguments: Option<&str>) -> String {
        tool_params(&ToolCall {
            name: name.to_owned(),
            arguments: arguments.map(str::to_owned),
        })
    }

    #[test]
    fn arguments_go_out_as_written() {
        let typed =
            "{\n  \"z\": 9007199254740993,\r\n\t\"a\": 1.0e+2, \"a\": null, \"s\": \"x\\n\"\n}";
        assert_eq!(
            tool("a\"b", Some(typed)),
            "{\"name\":\"a\\\"b\",\"arguments\":{  \"z\": 9007199254740993,\t\"a\": 1.0e+2, \
             \"a\": null, \"s\": \"x\\n\"}}"
        );
    }

    #[test]
    fn absent_null_and_empty_arguments_differ() {
        assert_eq!(tool("t", None), r#"{"name":"t"}"#);
        assert_eq!(tool("t", Some("null")), r#"{"name":"t","arguments":null}"#);
        assert_eq!(tool("t", Some("\"\"")), r#"{"name":"t","arguments":""}"#);
        assert_eq!(tool("t", Some("{}")), r#"{"name":"t","arguments":{}}"#);
    }

    #[test]
    fn every_text_is_one_line_of_json() {
        let two_lines = tool("two\nlines\u{2028}", Some("[\n1,\r\n2]"));
        for text in [
            envelope(1, "tools/call", Some(&two_lines)),
            envelope(2, "a\n\"b\"", None),
            envelope(3, "tools/list", page_params(Some("\"a\\nb\"")).as_deref()),
        ] {
            assert!(!text.contains(['\n', '\r']), "{text}");
            let value: serde_json::Value = serde_json::from_str(&text).expect("the text is JSON");
            assert_eq!(value["jsonrpc"], "2.0");
        }
    }
}
