//! Requests before and after their encoding.

use std::fmt::Write as _;

use sonde_wire::Header;

use crate::members::{push_quoted, quoted};

/// A request to be encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    /// `params` as JSON text without line breaks.
    pub(crate) params: Option<&'a str>,
    /// Requests progress. The request's id serves as its token: unique as tokens must be (progress,
    /// Progress Flow).
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

/// An encoded request.
#[derive(Debug)]
pub(crate) struct EncodedRequest {
    pub(crate) text: String,
    pub(crate) headers: Vec<Header>,
}

/// The message around a request's parameters: one line (transports, stdio).
pub(super) fn envelope(id: u64, method: &str, params: Option<&str>) -> String {
    let mut text = String::with_capacity(70 + method.len() + params.map_or(0, str::len));
    // Writing to a string does not fail.
    let _ = write!(text, r#"{{"jsonrpc":"2.0","id":{id},"method":"#);
    push_quoted(&mut text, method);
    if let Some(params) = params {
        text.push_str(r#","params":"#);
        text.push_str(params);
    }
    text.push('}');
    text
}

/// A notification with these `params` (JSON text without line breaks).
pub(crate) fn notification(method: &str, params: Option<&str>) -> String {
    let params = params.map(|params| format!(r#","params":{params}"#));
    format!(
        r#"{{"jsonrpc":"2.0","method":{}{}}}"#,
        quoted(method),
        params.unwrap_or_default()
    )
}

/// A cancellation of one of our requests. A reason is for people.
pub(crate) fn cancelled(id: u64, reason: Option<&str>) -> String {
    let reason = reason
        .map(|reason| format!(r#","reason":{}"#, quoted(reason)))
        .unwrap_or_default();
    let params = format!(r#"{{"requestId":{id}{reason}}}"#);
    notification("notifications/cancelled", Some(&params))
}

/// The parameters that ask for the page that `cursor` names (as JSON text), or the first.
pub(crate) fn page_params(cursor: Option<&str>) -> Option<String> {
    cursor.map(|cursor| format!(r#"{{"cursor":{cursor}}}"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_one_line_of_json() {
        for text in [
            envelope(1, "tools/call", Some(r#"{"name":"a\nb"}"#)),
            envelope(2, "a\n\"b\"", None),
            cancelled(6, None),
            cancelled(6, Some("because\nof \"this\"")),
            envelope(3, "tools/list", page_params(Some("\"a\\nb\"")).as_deref()),
        ] {
            assert!(!text.contains(['\n', '\r']), "{text}");
            let value: serde_json::Value = serde_json::from_str(&text).expect("the text is JSON");
            assert_eq!(value["jsonrpc"], "2.0");
        }
    }
}
