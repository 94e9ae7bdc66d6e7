//! Received bytes as text.

use std::sync::Arc;

use bytes::Bytes;

use sonde_findings::{Finding, rules};

use crate::Body;

/// Byte order mark that some programs write before UTF-8 text. It is not part of the text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the bytes as the log keeps them (exactly as received) and as text for the interpreter.
/// Valid UTF-8 is not copied; invalid bytes are replaced in the text and become a finding, except an incomplete
/// character at the end of bytes that broke off.
pub(crate) fn text(
    bytes: Vec<u8>,
    broke_off: bool,
    found: &mut Vec<Finding>,
) -> (Body, Arc<String>) {
    match String::from_utf8(bytes) {
        Ok(text) if text.is_empty() => (Body::Empty, Arc::new(text)),
        Ok(text) => {
            let text = Arc::new(text);
            (Body::Text(Arc::clone(&text)), text)
        }
        Err(error) => {
            let invalid = error.utf8_error();
            if !broke_off || invalid.error_len().is_some() {
                let position = invalid.valid_up_to();
                found.push(Finding::new(&rules::INVALID_UTF8).with("position", position));
            }
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            (Body::Bytes(Bytes::from(error.into_bytes())), Arc::new(text))
        }
    }
}

/// Returns the first `limit` characters of `text`.
pub(crate) fn beginning(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}

/// Removes the character at the end of `bytes` that a cut at a limit left incomplete, if any.
pub(crate) fn whole_characters(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    bytes
}
