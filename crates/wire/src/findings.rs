//! What the framing layer can notice, one function per finding.

use crate::Finding;

fn finding(code: &'static str, message: impl Into<String>) -> Finding {
    Finding {
        code,
        message: message.into(),
    }
}

pub(crate) fn bom() -> Finding {
    finding("bom", "The output begins with a byte order mark.")
}

pub(crate) fn crlf() -> Finding {
    finding(
        "crlf",
        "Lines end with CR LF instead of LF. Reported once per process.",
    )
}

pub(crate) fn blank_line() -> Finding {
    finding("blank-line", "A blank line, but a message was expected.")
}

pub(crate) fn not_a_message() -> Finding {
    finding(
        "not-a-message",
        "Non-JSON output on stdout. Logs belong on stderr.",
    )
}

pub(crate) fn partial_line() -> Finding {
    finding(
        "partial-line",
        "The output ended in the middle of a message.",
    )
}

pub(crate) fn missing_newline() -> Finding {
    finding(
        "missing-newline",
        "The last message has no line end after it.",
    )
}

pub(crate) fn invalid_utf8(at: usize) -> Finding {
    finding(
        "invalid-utf8",
        format!("Byte {at} is not valid UTF-8. Invalid bytes were replaced."),
    )
}

pub(crate) fn oversized(limit: u64) -> Finding {
    finding(
        "oversized",
        format!("Larger than the limit of {limit} bytes: only the beginning was stored."),
    )
}

pub(crate) fn partial_body() -> Finding {
    finding(
        "partial-body",
        "The connection broke before the body was complete.",
    )
}

pub(crate) fn http_not_a_message(content_type: Option<&str>) -> Finding {
    finding(
        "http-not-a-message",
        match content_type {
            Some(media_type) => format!(
                "The response is {media_type}, but application/json or text/event-stream was \
                 expected."
            ),
            None => "The response has no Content-Type and does not look like a message.".to_owned(),
        },
    )
}

pub(crate) fn no_content_type() -> Finding {
    finding(
        "no-content-type",
        "The response looks like a message, but its Content-Type is missing.",
    )
}

pub(crate) fn no_subprotocol() -> Finding {
    finding(
        "no-subprotocol",
        "The server did not select the subprotocol `mcp`.",
    )
}

pub(crate) fn binary_frame() -> Finding {
    finding(
        "binary-frame",
        "A binary frame, but text frames were expected.",
    )
}

pub(crate) fn body_not_a_message() -> Finding {
    finding(
        "not-a-message",
        "Neither a JSON object nor an array, so not a message.",
    )
}

pub(crate) fn sse_incomplete_event() -> Finding {
    finding(
        "sse-incomplete-event",
        "The stream ended inside an event. The incomplete event is discarded.",
    )
}

pub(crate) fn sse_id_nul() -> Finding {
    finding(
        "sse-id-nul",
        "An event id with a NUL character was ignored.",
    )
}

pub(crate) fn sse_bad_retry(value: &[u8]) -> Finding {
    let value = String::from_utf8_lossy(&value[..value.len().min(40)]);
    finding(
        "sse-bad-retry",
        format!("The retry time `{value}` is not a number and was ignored."),
    )
}

pub(crate) fn sse_unknown_field(name: &[u8]) -> Finding {
    let name = String::from_utf8_lossy(&name[..name.len().min(40)]);
    finding(
        "sse-unknown-field",
        format!("The field `{name}` is unknown and was ignored."),
    )
}

pub(crate) fn sse_field_cut() -> Finding {
    finding(
        "sse-field-cut",
        "A comment, name or id was too long: only its beginning was stored.",
    )
}
