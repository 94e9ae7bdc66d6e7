//! One-line summaries of messages.

use serde_json::value::RawValue;
use sonde_wire::MessageKind;

use crate::{
    members::{elements, members, string, without},
    text::cut,
};

/// Longer messages are not read, in bytes: a list of entries has many of them.
const LONGEST_READ: usize = 256 * 1024;
/// The longest summary, in characters.
const LONGEST: usize = 200;
/// Limit of a string whose whole value is decoded, in bytes; of longer ones, the beginning is shown as written.
const LONGEST_STRING: usize = 8 * LONGEST;

/// Summarises a message of this kind in at most 200 characters, as the peer wrote them: control characters and all. For
/// a response, `method` is the method of its request. `None` for text that is not a JSON object, for other kinds, and
/// above 256 KiB.
#[must_use]
pub fn message_summary(kind: MessageKind, method: Option<&str>, text: &str) -> Option<String> {
    if text.len() > LONGEST_READ {
        return None;
    }
    let [params, result, error] = members(text, &["params", "result", "error"]).ok()?.values;
    let method = method.unwrap_or_default();
    let said = match kind {
        MessageKind::Request | MessageKind::Notification => {
            params.map_or_else(String::new, |params| of_params(method, params))
        }
        MessageKind::Response => of_result(method, result?),
        MessageKind::Error => of_error(error?),
        MessageKind::Batch | MessageKind::Invalid => return None,
    };
    Some(cut(&said, LONGEST))
}

fn of_params(method: &str, params: &RawValue) -> String {
    let text = match method {
        "notifications/message" => get(params, &["data"])[0].map(plain_text),
        "tools/call" | "prompts/get" => {
            let [name, arguments] = get(params, &["name", "arguments"]);
            name.map(|name| joined([Some(plain_text(name)), arguments.map(plain_text)], " "))
        }
        "resources/read"
        | "resources/subscribe"
        | "resources/unsubscribe"
        | "notifications/resources/updated" => get(params, &["uri"])[0].map(plain_text),
        "notifications/progress" => {
            let [progress, total, message] = get(params, &["progress", "total", "message"]);
            progress.map(|progress| {
                let total = total.map(|total| format!("of {}", plain_text(total)));
                joined(
                    [Some(plain_text(progress)), total, message.map(plain_text)],
                    " ",
                )
            })
        }
        "notifications/cancelled" => {
            let [request, reason] = get(params, &["requestId", "reason"]);
            request.map(|request| {
                let request = format!("request {}", plain_text(request));
                joined([Some(request), reason.map(plain_text)], ": ")
            })
        }
        "initialize" => {
            let [version, client] = get(params, &["protocolVersion", "clientInfo"]);
            version.map(|version| {
                joined(
                    [Some(plain_text(version)), client.map(implementation)],
                    ", ",
                )
            })
        }
        "logging/setLevel" => get(params, &["level"])[0].map(plain_text),
        "elicitation/create" => get(params, &["message"])[0].map(plain_text),
        "completion/complete" => get(params, &["argument"])[0].map(plain_text),
        _ => None,
    };
    text.unwrap_or_else(|| without_meta(params))
}

fn of_result(method: &str, result: &RawValue) -> String {
    let text = match method {
        "initialize" => {
            let [version, server] = get(result, &["protocolVersion", "serverInfo"]);
            version.map(|version| {
                joined(
                    [Some(plain_text(version)), server.map(implementation)],
                    ", ",
                )
            })
        }
        "server/discover" => {
            let [versions, server, meta] =
                get(result, &["supportedVersions", "serverInfo", "_meta"]);
            let in_meta = || get(meta?, &["io.modelcontextprotocol/serverInfo"])[0];
            versions.map(|versions| {
                let server = server.or_else(in_meta).map(implementation);
                joined([Some(plain_text(versions)), server], ", ")
            })
        }
        "tools/list" => items(result, "tools", "tool", "tools"),
        "resources/list" => items(result, "resources", "resource", "resources"),
        "resources/templates/list" => items(result, "resourceTemplates", "template", "templates"),
        "prompts/list" => items(result, "prompts", "prompt", "prompts"),
        "roots/list" => items(result, "roots", "root", "roots"),
        "resources/read" => items(result, "contents", "content", "contents"),
        "prompts/get" => items(result, "messages", "message", "messages"),
        "tools/call" => of_tool_result(result),
        "elicitation/create" => {
            let [action, content] = get(result, &["action", "content"]);
            action.map(|action| joined([Some(plain_text(action)), content.map(plain_text)], " "))
        }
        _ => None,
    };
    text.unwrap_or_else(|| without_meta(result))
}

/// `12 tools, more pages follow`; `None` where there is no such list.
fn items(
    result: &RawValue,
    list: &'static str,
    one: &'static str,
    many: &'static str,
) -> Option<String> {
    let [list, next] = get(result, &[list, "nextCursor"]);
    let count = elements(list?.get(), 0).ok()?.count;
    let more = next.is_some_and(|next| next.get() != "null");
    Some(format!(
        "{count} {}{}",
        if count == 1 { one } else { many },
        if more { ", more pages follow" } else { "" }
    ))
}

/// Returns the first text of a result, or a substitute.
fn of_tool_result(result: &RawValue) -> Option<String> {
    let [content, structured, failed] = get(result, &["content", "structuredContent", "isError"]);
    let blocks = content.and_then(|content| elements(content.get(), 1).ok());
    let first = blocks
        .as_ref()
        .and_then(|blocks| blocks.first.first())
        .map(|block| {
            let [kind, text] = get(block, &["type", "text"]);
            text.or(kind).map(plain_text).unwrap_or_default()
        });
    let more = blocks
        .filter(|blocks| blocks.count > 1)
        .map(|blocks| format!("({} content blocks)", blocks.count));
    let said = first.or_else(|| structured.map(plain_text))?;
    let failed = failed.is_some_and(|failed| failed.get() == "true");
    Some(joined(
        [failed.then(|| "tool error:".to_owned()), more, Some(said)],
        " ",
    ))
}

fn of_error(error: &RawValue) -> String {
    let [code, message] = get(error, &["code", "message"]);
    if code.is_none() && message.is_none() {
        return plain_text(error);
    }
    joined([code.map(plain_text), message.map(plain_text)], ": ")
}

/// `name version` of a client or server.
fn implementation(info: &RawValue) -> String {
    let [name, version] = get(info, &["name", "version"]);
    joined([name.map(plain_text), version.map(plain_text)], " ")
}

/// Returns chosen members of an object; none for other values.
fn get<'a, const N: usize>(
    json: &'a RawValue,
    names: &[&'static str; N],
) -> [Option<&'a RawValue>; N] {
    members(json.get(), names).map_or([None; N], |read| read.values)
}

/// A string without its quotes, anything else as it is written.
fn plain_text(value: &RawValue) -> String {
    let text = value.get();
    let beginning = &text[..text.floor_char_boundary(LONGEST_STRING)];
    if beginning.len() < text.len() {
        return beginning.to_owned();
    }
    string(value).unwrap_or_else(|| beginning.to_owned())
}

/// Returns a value as written, without `_meta`; empty for an empty object.
fn without_meta(value: &RawValue) -> String {
    let rest = without(value.get(), &["_meta", "resultType"]);
    if rest == "{}" { String::new() } else { rest }
}

fn joined<const N: usize>(parts: [Option<String>; N], between: &str) -> String {
    let parts: Vec<_> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: MessageKind, method: &str, text: &str) -> String {
        message_summary(kind, Some(method), text).unwrap()
    }

    #[test]
    fn requests_and_notifications_say_what_they_are_about() {
        for row in [
            r#"tools/call {"_meta":{"progressToken":1},"name":"echo","arguments":{"a": "b"}} => echo {"a": "b"}"#,
            r#"tools/call {"name":"now"} => now"#,
            r#"prompts/get {"name":"p","arguments":{}} => p {}"#,
            r#"resources/read {"uri":"file:///a"} => file:///a"#,
            r#"notifications/progress {"progressToken":1,"progress":3,"total":10,"message":"half"} => 3 of 10 half"#,
            r#"notifications/progress {"progress":3} => 3"#,
            r#"notifications/cancelled {"requestId":"x","reason":"late"} => request x: late"#,
            r#"notifications/message {"level":"warning","logger":"db","data":"slow query"} => slow query"#,
            r#"initialize {"protocolVersion":"v","clientInfo":{"name":"Sonde","version":"1"}} => v, Sonde 1"#,
            r#"tools/list {"_meta":{"a":1}} => "#,
            r#"tools/list {"cursor":"x"} => {"cursor":"x"}"#,
            // What has another shape is shown as it is.
            "tools/call [1] => [1]",
            r#"other {"n":9007199254740993.0} => {"n":9007199254740993.0}"#,
        ] {
            let (request, expected) = row.split_once(" => ").unwrap();
            let (method, params) = request.split_once(' ').unwrap();
            let message = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
            let found = text(MessageKind::Request, method, &message);
            assert_eq!(found, expected, "{row}");
        }
        let lines = r#"{"method":"notifications/message","params":{"data":"slow\nquery"}}"#;
        let found = text(MessageKind::Request, "notifications/message", lines);
        assert_eq!(found, "slow\nquery");
        assert_eq!(text(MessageKind::Request, "ping", r#"{"id":1}"#), "");
    }

    #[test]
    fn results_and_errors_say_what_came() {
        for row in [
            r#"initialize {"protocolVersion":"v","serverInfo":{"name":"s","version":"2"}} => v, s 2"#,
            r#"server/discover {"supportedVersions":["a"],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m"}}} => ["a"], m"#,
            r#"tools/list {"tools":[{},{},7],"nextCursor":"x"} => 3 tools, more pages follow"#,
            r#"prompts/list {"prompts":[{}],"nextCursor":null} => 1 prompt"#,
            r#"tools/call {"content":[{"type":"text","text":"hello"}]} => hello"#,
            r#"tools/call {"content":[{"type":"image"},{}],"isError":true} => tool error: (2 content blocks) image"#,
            r#"tools/call {"content":[],"structuredContent":{"a":1}} => {"a":1}"#,
            r#"tools/list {"tools":5} => {"tools":5}"#,
            "ping {} => ",
        ] {
            let (response, expected) = row.split_once(" => ").unwrap();
            let (method, result) = response.split_once(' ').unwrap();
            let message = format!(r#"{{"id":1,"result":{result}}}"#);
            let found = text(MessageKind::Response, method, &message);
            assert_eq!(found, expected, "{row}");
        }
        let error = r#"{"error":{"code":-32602,"message":"no such tool"}}"#;
        assert_eq!(
            text(MessageKind::Error, "tools/call", error),
            "-32602: no such tool"
        );
        assert_eq!(text(MessageKind::Error, "", r#"{"error":"x"}"#), "x");
        assert_eq!(
            message_summary(MessageKind::Error, None, r#"{"result":{}}"#),
            None
        );
        assert_eq!(message_summary(MessageKind::Batch, None, "{}"), None);
        assert_eq!(message_summary(MessageKind::Response, None, "[1"), None);
    }

    #[test]
    fn a_summary_is_bounded() {
        let long = format!(r#"{{"params":{{"name":"{}"}}}}"#, "é".repeat(100_000));
        let summary = text(MessageKind::Request, "tools/call", &long);
        assert_eq!(summary.chars().count(), LONGEST + 1);
        let huge = format!(r#"{{"params":{{"name":"{}"}}}}"#, "x".repeat(LONGEST_READ));
        assert_eq!(
            message_summary(MessageKind::Request, Some("tools/call"), &huge),
            None
        );
    }
}
