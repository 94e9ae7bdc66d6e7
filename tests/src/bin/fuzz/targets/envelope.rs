//! The JSON-RPC envelope: it accepts exactly the objects that serde_json accepts, reads members unchanged, and reads a
//! message that is written again as the same one.

use std::collections::BTreeMap;

use serde_json::{Value, value::RawValue};
use sonde_mcp::envelope::{Message, read};
use sonde_wire::Finding;

use crate::seen::Seen;

pub(crate) const WORDS: &[&[u8]] = &[
    b"\"jsonrpc\":\"2.0\"",
    b"\"id\":",
    b"\"method\":\"tools/call\"",
    b"\"params\":{}",
    b"\"result\":{}",
    b"\"error\":{\"code\":-32601,\"message\":\"no\"}",
    b"\"data\":",
    b"null",
    b"true",
    b"1e5",
    b"-0",
    b"12345678901234567890",
    b"\\u0069d",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
];

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let text = String::from_utf8_lossy(input);
    let mut findings = Vec::new();
    let message = read(&text, &mut findings);
    let object: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(&text);
    let invalid = has(&findings, "invalid-json");
    match &object {
        Ok(_) => assert!(!invalid, "it is an object"),
        Err(_) => assert!(
            matches!(message, Message::Invalid { .. }),
            "no object is {message:?}"
        ),
    }
    if let Ok(object) = &object {
        members(&message, object);
    }
    seen.note(std::mem::discriminant(&message));
    findings.iter().for_each(|finding| seen.note(finding.id()));
    let Some(written) = written(&message) else {
        return;
    };
    let mut none = Vec::new();
    let again = read(&written, &mut none);
    assert_eq!(format!("{message:?}"), format!("{again:?}"));
    // Members without a meaning may be odd, and the written message has none of them; but its result is the same.
    none.retain(|finding| finding.id() != "result-not-object" || !has(&findings, finding.id()));
    assert!(none.is_empty(), "{written} has {none:?}");
}

fn has(findings: &[Finding], id: &str) -> bool {
    findings.iter().any(|finding| finding.id() == id)
}

/// Asserts that every part of a message is in its text.
fn members(message: &Message<'_>, object: &BTreeMap<String, &RawValue>) {
    let raw = |name: &str| object.get(name).map(|raw| raw.get());
    let text = |name: &str| serde_json::from_str::<String>(raw(name)?).ok();
    match message {
        Message::Request { id, method, params } => {
            assert_eq!(raw("id"), Some(*id));
            assert_eq!(text("method").as_ref(), Some(method));
            assert_eq!(raw("params"), params.map(RawValue::get));
        }
        Message::Notification { method, params } => {
            assert_eq!(raw("id"), None);
            assert_eq!(text("method").as_ref(), Some(method));
            assert_eq!(raw("params"), params.map(RawValue::get));
        }
        Message::Response { id, result } => {
            assert_eq!(raw("id"), Some(*id));
            assert_eq!(raw("result"), Some(result.get()));
        }
        Message::Error { id, error } => {
            assert!(id.is_none() || raw("id") == *id);
            let object: Value =
                serde_json::from_str(raw("error").unwrap_or_default()).unwrap_or_default();
            if object.is_object() {
                assert_eq!(object["code"].as_i64(), Some(error.code));
                assert_eq!(
                    object["message"].as_str().unwrap_or_default(),
                    error.message
                );
            }
        }
        Message::BrokenAnswer { id, .. } => assert!(id.is_none() || raw("id") == *id),
        Message::Invalid { .. } => {}
    }
}

/// Writes the message as a text; `None` for an invalid one.
fn written(message: &Message<'_>) -> Option<String> {
    let quoted = |text: &str| Value::from(text).to_string();
    let params = |params: &Option<&RawValue>| {
        params.map_or(String::new(), |raw| format!(r#","params":{raw}"#))
    };
    let members = match message {
        Message::Request {
            id,
            method,
            params: raw,
        } => format!(r#""id":{id},"method":{}{}"#, quoted(method), params(raw)),
        Message::Notification {
            method,
            params: raw,
        } => format!(r#""method":{}{}"#, quoted(method), params(raw)),
        Message::Response { id, result } => format!(r#""id":{id},"result":{result}"#),
        Message::Error { id, error } => {
            let data = error.data.as_ref();
            let data = data.map_or(String::new(), |data| format!(r#","data":{data}"#));
            format!(
                r#""id":{},"error":{{"code":{},"message":{}{data}}}"#,
                id.unwrap_or("null"),
                error.code,
                quoted(&error.message),
            )
        }
        Message::BrokenAnswer { .. } | Message::Invalid { .. } => return None,
    };
    Some(format!(r#"{{"jsonrpc":"2.0",{members}}}"#))
}
