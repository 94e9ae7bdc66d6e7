//! Outcomes of operations, and the required shape of a result by its method.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Rule, rules};
use sonde_wire::{Seq, TextPart, WireError};

use crate::received_result::ReceivedResult;

/// Time limits of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutKind {
    /// No progress and no response for too long.
    Idle,
    /// Too long in all.
    Hard,
}

/// Outcomes of an operation.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server responded with a result.
    Result {
        /// `result` as received.
        raw: TextPart,
        /// `result.isError`: the tool ran and reports a failure of its own.
        is_error: bool,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// The server responded with a JSON-RPC error.
    ProtocolError {
        /// JSON-RPC error code.
        code: i64,
        /// The server's message.
        message: String,
        /// `error.data` as received.
        data: Option<Arc<RawValue>>,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// The response is not of the shape that the specification names.
    BadShape {
        /// The deviation.
        problem: String,
        /// The log entry that carried it.
        seq: Seq,
    },
    /// A notification was handed to the transport. It has no response.
    Sent,
    /// A limit was exceeded. The server was asked to stop; a task continues.
    TimedOut(TimeoutKind),
    /// The user cancelled, and no response came within the grace period; or the server reports the task as cancelled.
    Cancelled,
    /// The user no longer waits for the task, which continues.
    StoppedWaiting,
    /// The request or its response got lost: the transport ended or its exchange failed.
    Lost(Lost),
}

/// Reasons why a response can no longer come.
#[derive(Clone, Debug)]
pub enum Lost {
    /// The transport is gone; the session's phase has the reason.
    TransportGone,
    /// The exchange failed.
    Exchange(Arc<WireError>),
    /// The response stream ended without a response.
    NoAnswer,
    /// An HTTP response that is no JSON-RPC message.
    Http {
        /// HTTP status code.
        status: u16,
        /// The first 2,000 characters of the body.
        snippet: String,
    },
    /// The response was larger than the transport accepts.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
        /// The log entry that holds its beginning.
        seq: Seq,
    },
    /// The server forgot the session, and with it the request. Never repeated automatically.
    SessionForgotten,
    /// The server refused the session id with HTTP 400 and did nothing.
    SessionRejected {
        /// Message of the server, at most 200 characters.
        said: String,
    },
    /// The response stream broke and could not be resumed.
    StreamLost {
        /// The reason, one plain sentence.
        reason: String,
    },
    /// The server asked for more input more often than the session's `rounds` allow.
    TooManyRounds {
        /// The limit.
        limit: u32,
    },
    /// The tool's definition forbids clients to call it; see [`crate::OperationOptions::force`].
    Forbidden {
        /// The reason, one plain sentence.
        reason: String,
    },
    /// Never sent.
    NotSent {
        /// The reason, one plain sentence.
        reason: String,
    },
}

/// Members that the result of a method must contain: the member, the beginning of its value, and the
/// finding if it is missing or different (schema: CallToolResult, ReadResourceResult, GetPromptResult,
/// CompleteResult).
const SHAPES: [(&str, &str, char, &Rule); 4] = [
    ("tools/call", "content", '[', &rules::BAD_CONTENT),
    ("resources/read", "contents", '[', &rules::BAD_CONTENTS),
    ("prompts/get", "messages", '[', &rules::BAD_MESSAGES),
    (
        "completion/complete",
        "completion",
        '{',
        &rules::BAD_COMPLETION,
    ),
];

/// Turns a result into the outcome of its operation. `findings` receives harmless oddities.
pub(crate) fn result_outcome(
    method: &str,
    result: &ReceivedResult<'_>,
    seq: Seq,
    findings: &mut Vec<Finding>,
) -> Outcome {
    if !result.is_object() {
        return Outcome::BadShape {
            problem: "the result is not an object".to_owned(),
            seq,
        };
    }
    if let Some((_, member, first, rule)) = SHAPES.iter().find(|(of, ..)| *of == method)
        && result
            .member(member)
            .is_none_or(|raw| !raw.get().starts_with(*first))
    {
        findings.push(Finding::new(rule));
    }
    let is_error = match result.member("isError").map(RawValue::get) {
        _ if method != "tools/call" => false,
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            findings.push(Finding::new(&rules::BAD_IS_ERROR));
            false
        }
    };
    Outcome::Result {
        raw: result.keep(),
        is_error,
        seq,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: &str, result: &str) -> (Option<bool>, Vec<&'static str>) {
        let raw = RawValue::from_string(result.to_owned()).unwrap();
        let result = ReceivedResult::new(&raw, None);
        let mut findings = Vec::new();
        let is_error = match result_outcome(method, &result, Seq(1), &mut findings) {
            Outcome::Result { is_error, .. } => Some(is_error),
            _ => None,
        };
        (is_error, findings.iter().map(|found| found.id()).collect())
    }

    #[test]
    fn each_method_has_its_shape() {
        for row in [
            r#"tools/call {"content":[],"isError":true} => true"#,
            r#"tools/call {"content":[]} => false"#,
            r#"tools/call {"content":{},"isError":"yes"} => false bad-content bad-is-error"#,
            r#"resources/read {"contents":[],"isError":true} => false"#,
            r#"resources/read {"content":[]} => false bad-contents"#,
            r#"prompts/get {"messages":[]} => false"#,
            "prompts/get {} => false bad-messages",
            r#"completion/complete {"completion":{"values":[]}} => false"#,
            r#"completion/complete {"completion":[]} => false bad-completion"#,
            "x/y {} => false",
        ] {
            let (request, expected) = row.split_once(" => ").unwrap();
            let (method, result) = request.split_once(' ').unwrap();
            let (is_error, codes) = of(method, result);
            let found = [is_error.unwrap().to_string(), codes.join(" ")].join(" ");
            assert_eq!(found.trim_end(), expected, "{row}");
        }
        for result in ["[]", "null", "3"] {
            assert_eq!(of("x/y", result), (None, vec![]), "{result}");
        }
    }
}
