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
    finding("blank-line", "A blank line where a message was expected.")
}

pub(crate) fn not_a_message() -> Finding {
    finding(
        "not-a-message",
        "Standard output carries text that is no message. Logs belong on standard error.",
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
        format!("Byte {at} is no valid UTF-8. What is invalid was replaced."),
    )
}

pub(crate) fn oversized(limit: u64) -> Finding {
    finding(
        "oversized",
        format!("Larger than the limit of {limit} bytes: only the beginning was kept."),
    )
}
