//! Outcomes of operations in plain words.

use sonde_mcp::{Lost, Outcome, TaskStatus, TimeoutKind};
use sonde_wire::WireError;

use super::{
    outcome::{LostCode, OperationOutcome},
    prompt,
    summary::{ResultShape, summarize},
    task::TaskRun,
};
use crate::{
    limits::{MESSAGE, cut_text},
    text::{cut, megabytes, sentence},
};

/// Limit of an error's `data` that travels with the operation, in bytes.
const DATA: usize = 64 * 1024;
/// JSON-RPC: the parameters are not valid.
const INVALID_PARAMS: i64 = -32602;
/// Placeholder until the session reports why its transport ended.
const GONE: &str = "The connection ended before the response arrived.";

/// Summarizes an outcome whose result has this shape, judged by this revision. Takes time in proportion to the result's
/// size.
pub fn explain(outcome: &Outcome, shape: ResultShape, revision: Option<&str>) -> OperationOutcome {
    match outcome {
        Outcome::Result { raw, is_error, .. } => {
            let mut shown = match shape {
                ResultShape::Prompt => prompt::summarize(raw.get()),
                _ => summarize(raw.get(), shape, *is_error),
            };
            shown.keep_applicable(revision);
            shown
        }
        Outcome::ProtocolError {
            code,
            message,
            data,
            ..
        } => OperationOutcome::ProtocolError {
            code: *code,
            message: cut(message, MESSAGE),
            data: data.as_ref().map(|data| cut_text(data.get(), DATA)),
            meaning: meaning(*code, shape).to_owned(),
        },
        Outcome::BadShape { problem, .. } => OperationOutcome::BadShape {
            problem: cut(&sentence(problem), MESSAGE),
        },
        Outcome::TimedOut(kind) => OperationOutcome::TimedOut {
            hard: *kind == TimeoutKind::Hard,
        },
        Outcome::Sent => OperationOutcome::Sent,
        Outcome::Cancelled => OperationOutcome::Cancelled,
        Outcome::StoppedWaiting => OperationOutcome::StoppedWaiting,
        Outcome::Lost(lost) => OperationOutcome::Lost {
            reason: cut(&reason(lost), MESSAGE),
            code: code(lost),
        },
    }
}

/// Explains an error, at this time in milliseconds since the Unix epoch, as an unknown task: nothing else can be wrong
/// with the parameters of a request about a task.
pub fn explain_gone(shown: &mut OperationOutcome, task: Option<&TaskRun>, at: u64) {
    if let OperationOutcome::ProtocolError {
        code: INVALID_PARAMS,
        meaning,
        ..
    } = shown
        && let Some(task) = task
        && matches!(
            task.status,
            TaskStatus::Working | TaskStatus::InputRequired | TaskStatus::Unknown
        )
    {
        task.why_unknown(at).clone_into(meaning);
    }
}

/// Reason of a run whose end Sonde did not see.
pub const APP_CLOSED: &str =
    "Sonde was closed before the response arrived. The server may have done its work all the same.";

fn code(lost: &Lost) -> LostCode {
    match lost {
        Lost::TransportGone => LostCode::ConnectionLost,
        Lost::Exchange(error) if matches!(**error, WireError::Broken { .. }) => {
            LostCode::ConnectionLost
        }
        Lost::Exchange(_) => LostCode::ExchangeFailed,
        Lost::NoAnswer => LostCode::NoResponse,
        Lost::Http { .. } => LostCode::HttpStatus,
        Lost::TooLarge { .. } => LostCode::TooLarge,
        Lost::SessionForgotten | Lost::SessionRejected { .. } => LostCode::SessionExpired,
        Lost::StreamLost { .. } => LostCode::StreamLost,
        Lost::TooManyRounds { .. } => LostCode::TooManyRounds,
        Lost::Forbidden { .. } => LostCode::Forbidden,
        Lost::NotSent { .. } => LostCode::NotSent,
    }
}

fn reason(lost: &Lost) -> String {
    match lost {
        Lost::TransportGone => GONE.to_owned(),
        Lost::Exchange(error) => sentence(&error.to_string()),
        Lost::NoAnswer => {
            "The server ended the response stream without a response to this request.".to_owned()
        }
        Lost::Http { status, snippet } => {
            let begin = cut(snippet.trim(), 200);
            if begin.is_empty() {
                format!("The server returned HTTP {status} without an MCP message.")
            } else {
                format!("The server returned HTTP {status} without an MCP message: {begin}")
            }
        }
        Lost::TooLarge { size, limit, .. } => format!(
            "The response has {}, more than the {} that Sonde reads. The wire log has its \
             beginning.",
            megabytes(*size),
            megabytes(*limit)
        ),
        Lost::SessionForgotten => {
            "The server no longer knows the session (HTTP 404). The request is not repeated \
             automatically, because it may already have had effects."
                .to_owned()
        }
        Lost::SessionRejected { said } => format!(
            "The server refused the request with HTTP 400: “{said}”. It has probably restarted; \
             reconnect, then run again."
        ),
        Lost::StreamLost { reason } => {
            format!("The response stream broke: {reason}")
        }
        Lost::TooManyRounds { limit } => {
            format!("The server asked for more input {limit} times, which is the limit.")
        }
        Lost::Forbidden { reason } => format!("Not sent: {reason}"),
        Lost::NotSent { reason } => format!("Not sent: {reason}"),
    }
}

/// Returns the meaning of a JSON-RPC error code (JSON-RPC 2.0, section 5.1; MCP base protocol).
fn meaning(code: i64, shape: ResultShape) -> &'static str {
    match code {
        -32700 => "The server could not parse the message as JSON.",
        -32600 => "The server does not accept the message as a valid request.",
        -32601 => "The server does not know this method.",
        INVALID_PARAMS => match shape {
            ResultShape::Tool => {
                "The server rejects the parameters: an unknown tool or invalid arguments."
            }
            ResultShape::Prompt => {
                "The server rejects the parameters: an unknown prompt, or arguments that are \
                 missing or invalid."
            }
            ResultShape::Resource => {
                "The server rejects the parameters: an unknown resource or an invalid URI."
            }
            ResultShape::Other => "The server rejects the parameters.",
        },
        -32603 => "An internal error in the server.",
        -32002 => "The server does not have the requested resource, or is not ready yet.",
        -32042 => {
            "The server requires the user to open a URL first (protocol version 2025-11-25 only)."
        }
        -32020 => "The HTTP headers of the request do not match its body.",
        -32021 => {
            "The server needs a client capability that was not declared; `requiredCapabilities` in \
             the data names it."
        }
        -32022 => {
            "The server does not support this protocol version; `supported` in the data lists those \
             that it does."
        }
        -32001 => "The server says that the request timed out or was not allowed.",
        -32000 => "A server-specific failure, often because a connection was closed.",
        -32099..=-32000 => "An error code defined by the server's software.",
        -32768..=-32100 => "An error code reserved by JSON-RPC.",
        _ => "An error code specific to this server.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_operations_have_plain_reasons() {
        for (lost, words) in [
            (Lost::NoAnswer, "without a response"),
            (
                Lost::Http {
                    status: 502,
                    snippet: "<html>".into(),
                },
                "HTTP 502",
            ),
            (
                Lost::Http {
                    status: 204,
                    snippet: " ".into(),
                },
                "HTTP 204 without an MCP message.",
            ),
            (
                Lost::TooLarge {
                    size: 200 << 20,
                    limit: 64 << 20,
                    seq: sonde_wire::Seq(1),
                },
                "200.0 MiB, more than the 64.0 MiB",
            ),
            (Lost::NotSent { reason: "x".into() }, "Not sent: x"),
        ] {
            assert!(reason(&lost).contains(words), "{}", reason(&lost));
        }
    }

    #[test]
    fn a_broken_exchange_is_a_lost_connection_and_another_failure_is_not() {
        for (error, expected) in [
            (
                WireError::Broken {
                    reason: "reset".into(),
                },
                LostCode::ConnectionLost,
            ),
            (
                WireError::UnknownHost { host: "x".into() },
                LostCode::ExchangeFailed,
            ),
        ] {
            assert_eq!(code(&Lost::Exchange(error.into())), expected);
        }
    }

    #[test]
    fn codes_of_the_specification_are_explained_and_others_get_no_meaning() {
        for (code, words) in [
            (-32020, "headers"),
            (-32021, "requiredCapabilities"),
            (-32022, "protocol version"),
            (-32010, "server's software"),
            (-32050, "server's software"),
            (7, "specific to this server"),
        ] {
            let meaning = meaning(code, ResultShape::Other);
            assert!(meaning.contains(words), "{code}: {meaning}");
        }
        let of = |shape| meaning(INVALID_PARAMS, shape);
        assert!(of(ResultShape::Tool).contains("unknown tool"));
        assert!(of(ResultShape::Prompt).contains("unknown prompt"));
        assert!(of(ResultShape::Resource).contains("unknown resource"));
        assert!(!of(ResultShape::Other).contains("tool"));
    }

    #[test]
    fn long_errors_are_cut() {
        let data = serde_json::value::RawValue::from_string(format!("\"{}\"", "ü".repeat(50_000)));
        let outcome = Outcome::ProtocolError {
            code: -32601,
            message: "n".repeat(1_000_000),
            data: Some(data.unwrap().into()),
            seq: sonde_wire::Seq(1),
        };
        let OperationOutcome::ProtocolError {
            message,
            data: Some(data),
            meaning,
            ..
        } = explain(&outcome, ResultShape::Tool, None)
        else {
            panic!()
        };
        let kept = data.strip_suffix('…').unwrap().len();
        assert!(kept <= DATA && kept > DATA - 4, "{kept}");
        assert!(message.ends_with("n…") && message.chars().count() == MESSAGE + 1);
        assert!(meaning.contains("method"));
    }
}
