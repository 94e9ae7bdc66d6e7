//! The JSON-RPC envelope of a received message, read in one pass (base protocol, Messages).
//!
//! Everything recognisable is read; other problems become findings.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::MessageKind;

use crate::members::{members, string};

/// A message by its members. Ids are JSON text.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names are those of JSON-RPC")]
pub enum Message<'a> {
    /// It has a method and a usable id.
    Request {
        id: &'a str,
        method: String,
        params: Option<&'a RawValue>,
    },
    /// It has a method and no id.
    Notification {
        method: String,
        params: Option<&'a RawValue>,
    },
    /// It has a result and a usable id.
    Response { id: &'a str, result: &'a RawValue },
    /// A message with an error.
    Error {
        /// Absent or `null` when the server could not read the request's id.
        id: Option<&'a str>,
        error: ErrorObject,
    },
    /// An answer whose id can be read and whose rest cannot.
    BrokenAnswer {
        id: Option<&'a str>,
        problem: String,
    },
    /// Not a message.
    Invalid { problem: String },
}

/// The `error` member of an answer.
#[derive(Debug)]
pub struct ErrorObject {
    /// Error code.
    pub code: i64,
    /// Error message, a sentence; empty if it is not a string.
    pub message: String,
    /// Anything else, as received.
    pub data: Option<Arc<RawValue>>,
}

impl Message<'_> {
    pub(super) fn kind(&self) -> MessageKind {
        match self {
            Message::Request { .. } => MessageKind::Request,
            Message::Notification { .. } => MessageKind::Notification,
            Message::Response { .. } => MessageKind::Response,
            Message::Error { .. } => MessageKind::Error,
            Message::BrokenAnswer { .. } | Message::Invalid { .. } => MessageKind::Invalid,
        }
    }
}

/// Returns a shared copy of a raw value.
pub(super) fn keep(raw: &RawValue) -> Arc<RawValue> {
    Arc::from(raw.to_owned())
}

/// Reads one message; `findings` receives its oddities.
pub fn read<'a>(text: &'a str, findings: &mut Vec<Finding>) -> Message<'a> {
    let before = findings.len();
    let message = read_members(text, findings);
    let is_none = findings[before..]
        .iter()
        .any(|finding| finding.id() == rules::INVALID_MESSAGE.id);
    if is_none {
        // JSON of another kind, as a heartbeat: that it lacks `jsonrpc` is the same fault.
        let mut index = 0;
        findings.retain(|finding| {
            index += 1;
            index <= before || finding.id() != rules::BAD_JSONRPC.id
        });
    }
    message
}

fn read_members<'a>(text: &'a str, findings: &mut Vec<Finding>) -> Message<'a> {
    let read = match members(
        text,
        &["jsonrpc", "id", "method", "params", "result", "error"],
    ) {
        Ok(read) => read,
        Err(error) => {
            if error.is_data() {
                return invalid(findings, "the message is not a JSON object");
            }
            let problem = json_problem(text, &error);
            findings.push(Finding::new(&rules::INVALID_JSON).with("problem", &problem));
            return Message::Invalid {
                problem: format!("The message is not valid JSON: {problem}."),
            };
        }
    };
    let [jsonrpc, id, method, params, result, error] = read.values;
    if let Some(name) = read.repeated {
        findings.push(
            Finding::new(&rules::REPEATED_MEMBER)
                .with("member", name)
                .in_member(name),
        );
    }
    if jsonrpc.is_none_or(|raw| string(raw).as_deref() != Some("2.0")) {
        findings.push(Finding::new(&rules::BAD_JSONRPC).in_member("jsonrpc"));
    }
    let has_answer = result.is_some() || error.is_some();
    if let Some(raw) = method
        && !(has_answer && id.is_some())
    {
        let Some(method) = string(raw) else {
            return invalid(findings, "the member `method` is not a string");
        };
        return match id.map(RawValue::get) {
            None => Message::Notification { method, params },
            Some(id) if is_id(id) => Message::Request { id, method, params },
            Some(id) => {
                findings.push(bad_id(Some(id)));
                let problem = "A request without a usable id.".to_owned();
                Message::Invalid { problem }
            }
        };
    }
    if method.is_some() {
        findings.push(Finding::new(&rules::MIXED_MEMBERS));
    }

    // A response "must" have exactly one of the two; old JSON-RPC writes an absent member as `null`.
    let is_null = |raw: Option<&RawValue>| raw.is_some_and(|raw| raw.get() == "null");
    let (result, error) = match (result, error) {
        (Some(_), Some(_)) if is_null(error) => (result, None),
        (Some(_), Some(_)) if is_null(result) => (None, error),
        other => other,
    };
    if has_answer && read.values[4].is_some() && read.values[5].is_some() {
        findings.push(Finding::new(&rules::RESULT_AND_ERROR));
    }
    let usable_id = id.map(RawValue::get).filter(|id| is_id(id));
    match (result, error) {
        (None, None) => invalid(
            findings,
            "the message has none of `method`, `result` and `error`",
        ),
        (Some(_), Some(_)) => Message::BrokenAnswer {
            id: usable_id,
            problem: "the response has both `result` and `error`".to_owned(),
        },
        (Some(result), None) => match usable_id {
            Some(id) => {
                if !result.get().starts_with('{') {
                    findings.push(Finding::new(&rules::RESULT_NOT_OBJECT));
                }
                Message::Response { id, result }
            }
            None => {
                findings.push(bad_id(id.map(RawValue::get)));
                Message::BrokenAnswer {
                    id: None,
                    problem: "the response has no usable `id`".to_owned(),
                }
            }
        },
        (None, Some(error)) => {
            if usable_id.is_none() && id.is_some_and(|id| id.get() != "null") {
                findings.push(bad_id(id.map(RawValue::get)));
            }
            match error_object(error, findings) {
                Ok(error) => Message::Error {
                    id: usable_id,
                    error,
                },
                Err(problem) => {
                    findings.push(
                        Finding::new(&rules::BAD_ERROR)
                            .with("problem", &problem)
                            .in_member("error"),
                    );
                    Message::BrokenAnswer {
                        id: usable_id,
                        problem,
                    }
                }
            }
        }
    }
}

/// Names the fault of a text that is not valid JSON, and its place: a phrase without its full stop.
pub(super) fn json_problem(text: &str, error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("it ends in the middle, after {} bytes", text.len());
    }
    let place = match error.line() {
        1 => format!("column {}", error.column()),
        line => format!("line {line}, column {}", error.column()),
    };
    if let Some(word) = word_at(text, error.line(), error.column())
        && NOT_JSON.contains(&word)
    {
        return format!("`{word}` at {place} is not a JSON value");
    }
    let whole = error.to_string();
    let phrase = whole.split(" at line ").next().unwrap_or(&whole);
    format!("{phrase} at {place}")
}

/// Values of other languages that servers write into JSON.
const NOT_JSON: [&str; 8] = [
    "NaN",
    "Infinity",
    "-Infinity",
    "nan",
    "undefined",
    "None",
    "True",
    "False",
];

/// The word around a place that counts lines and bytes from 1.
fn word_at(text: &str, line: usize, column: usize) -> Option<&str> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    let at = column.checked_sub(1)?;
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
    let bytes = line.as_bytes();
    let before = bytes
        .get(..at)?
        .iter()
        .rev()
        .take_while(|byte| is_part(byte))
        .count();
    let after = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
    line.get(at - before..at + after)
}

fn invalid<'a>(findings: &mut Vec<Finding>, problem: &str) -> Message<'a> {
    findings.push(Finding::new(&rules::INVALID_MESSAGE).with("problem", problem));
    Message::Invalid {
        problem: format!("This is not a JSON-RPC message: {problem}."),
    }
}

/// "String or integer", never null (base protocol, Requests).
fn is_id(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'"') => true,
        Some(b'-' | b'0'..=b'9') => !text.contains(['.', 'e', 'E']),
        _ => false,
    }
}

/// Reads an `error` object. An error is a phrase without its full stop.
pub(super) fn error_object(
    raw: &RawValue,
    findings: &mut Vec<Finding>,
) -> Result<ErrorObject, String> {
    let read = members(raw.get(), &["code", "message", "data"])
        .map_err(|_| "`error` is not an object".to_owned())?;
    let [code, message, data] = read.values;
    let code = code
        .and_then(|raw| raw.get().parse().ok())
        .ok_or_else(|| "`error.code` is not an integer".to_owned())?;
    let message = message.and_then(string).unwrap_or_else(|| {
        findings.push(
            Finding::new(&rules::BAD_ERROR)
                .with("problem", "`error.message` is not a string")
                .in_member("error"),
        );
        String::new()
    });
    Ok(ErrorObject {
        code,
        message,
        data: data.map(|raw| Arc::from(raw.to_owned())),
    })
}

/// Returns the finding for an invalid id, or for a missing one (`None`).
fn bad_id(id: Option<&str>) -> Finding {
    let bad = Finding::new(&rules::BAD_ID).with("id", id.unwrap_or("missing"));
    match id {
        Some(_) => bad.in_member("id"),
        None => bad,
    }
}

/// The longest method name or id that a label carries, in bytes: servers may send longer ones, and the
/// frame itself has all of it.
const LABEL: usize = 256;

/// JSON-RPC: the receiver has no such method.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// As much of a received name or id as a label carries.
pub(super) fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(LABEL)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_the_json_is_named() {
        let problem = |text: &str| {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            json_problem(text, &error)
        };
        for (text, expected) in [
            (r#"{"mean": NaN}"#, "`NaN` at column 10 is not a JSON value"),
            (
                r#"{"a":-Infinity}"#,
                "`-Infinity` at column 7 is not a JSON value",
            ),
            (r#"{"a":True}"#, "`True` at column 6 is not a JSON value"),
            (r#"{"a":1"#, "it ends in the middle, after 6 bytes"),
            ("{\n'a':1}", "key must be a string at line 2, column 1"),
            ("é NaN", "expected value at column 1"),
        ] {
            assert_eq!(problem(text), expected, "{text}");
        }
    }

    /// Returns the message that a text is read as, with the ids of its findings.
    fn seen(text: &str) -> (String, Vec<&'static str>) {
        let mut findings = Vec::new();
        let message = match read(text, &mut findings) {
            Message::Request { id, method, .. } => format!("request {id} {method}"),
            Message::Notification { method, params } => {
                format!(
                    "notification {method} {}",
                    params.map_or("-", RawValue::get)
                )
            }
            Message::Response { id, result } => format!("response {id} {}", result.get()),
            Message::Error { id, error } => {
                format!(
                    "error {} {} {}",
                    id.unwrap_or("-"),
                    error.code,
                    error.message
                )
            }
            Message::BrokenAnswer { id, .. } => format!("broken {}", id.unwrap_or("-")),
            Message::Invalid { .. } => "invalid".to_owned(),
        };
        (message, findings.into_iter().map(|f| f.id()).collect())
    }

    #[test]
    fn regular_messages() {
        for row in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"} => request 1 ping"#,
            r#"{"id":"a\"","jsonrpc":"2.0","method":"x","params":{}} => request "a\"" x"#,
            r#"{"jsonrpc":"2.0","method":"n","params":{"b":1.0,"a":2}} => notification n {"b":1.0,"a":2}"#,
            r#"{"jsonrpc":"2.0","method":"n"} => notification n -"#,
            r#"{"jsonrpc":"2.0","id":-7,"result":{"n":9007199254740993}} => response -7 {"n":9007199254740993}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}} => error 1 -32601 no"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}} => error - 1 "#,
            r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m","data":[]}} => error - 1 m"#,
        ] {
            let (text, expected) = row.split_once(" => ").unwrap();
            assert_eq!(seen(text), (expected.to_owned(), vec![]), "{text}");
        }
    }

    #[test]
    fn odd_messages_are_read_and_marked() {
        for row in [
            "hello => invalid, invalid-json",
            " => invalid, invalid-json",
            r#"{"jsonrpc":"2.0", => invalid, invalid-json"#,
            "3 => invalid, invalid-message",
            r#""x" => invalid, invalid-message"#,
            "{} => invalid, invalid-message",
            r#"{"type":"heartbeat"} => invalid, invalid-message"#,
            r#"{"jsonrpc":"2.0","id":1} => invalid, invalid-message"#,
            r#"{"jsonrpc":"2.0","id":1,"method":5} => invalid, invalid-message"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"m"} => invalid, bad-id"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"m"} => invalid, bad-id"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"} => invalid, bad-id"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"m"} => request 1 m, bad-jsonrpc"#,
            r#"{"id":1,"result":{}} => response 1 {}, bad-jsonrpc"#,
            r#"{"jsonrpc":2.0,"id":1,"result":{}} => response 1 {}, bad-jsonrpc"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}} => response 2 {}, repeated-member"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null} => response 1 {}, result-and-error"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}} => error 1 1 m, result-and-error"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}} => broken 1, result-and-error"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}} => response 1 {}, mixed-members"#,
            r#"{"jsonrpc":"2.0","result":{}} => broken -, bad-id"#,
            r#"{"jsonrpc":"2.0","id":[1],"result":{}} => broken -, bad-id"#,
            r#"{"jsonrpc":"2.0","id":true,"error":{"code":1,"message":"m"}} => error - 1 m, bad-id"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"no"} => broken 1, bad-error"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}} => broken 1, bad-error"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}} => error 1 1 , bad-error"#,
            r#"{"jsonrpc":"2.0","id":1,"error":null} => broken 1, bad-error"#,
        ] {
            let (text, seen_as) = row.split_once(" => ").unwrap();
            let (expected, code) = seen_as.split_once(", ").unwrap();
            assert_eq!(seen(text), (expected.to_owned(), vec![code]), "{text}");
        }
    }

    #[test]
    fn cutting_keeps_characters_whole() {
        assert_eq!(short("ping"), "ping");
        assert_eq!(short(&format!("a{}", "ü".repeat(LABEL))).len(), LABEL - 1);
    }
}
