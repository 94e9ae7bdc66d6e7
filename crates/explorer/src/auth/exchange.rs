//! Requests of signing in as they may be kept: redacted before anything else happens to them.

use serde::{Deserialize, Serialize};
use sonde_auth::HttpExchange;
use sonde_wire::{EntryKind, Header, Verb};
use ts_rs::TS;

use crate::log::{LogHeader, WireLog};

/// A request of a step and its answer, with fingerprints where secrets stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthExchange {
    /// The verb.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// Request headers in order.
    pub request_headers: Vec<LogHeader>,
    /// Request body; at most 64 KiB.
    pub request_body: Option<String>,
    /// HTTP status; `None` if no answer came.
    pub status: Option<u16>,
    /// Response headers in order.
    pub response_headers: Vec<LogHeader>,
    /// Response body; at most 64 KiB.
    pub response_body: Option<String>,
    /// Why no answer came, one plain sentence.
    pub error: Option<String>,
}

/// How much of a body is kept, in bytes.
const LONGEST: usize = 64 * 1024;

/// Puts fingerprints where secrets stand.
pub(super) fn redacted(exchange: HttpExchange, log: &WireLog) -> AuthExchange {
    let HttpExchange {
        method,
        url,
        request_headers,
        request_body,
        status,
        response_headers,
        response_body,
        mut error,
    } = exchange;
    let (url, request_headers) = head(url, request_headers, log);
    let (_, response_headers) = head(String::new(), response_headers, log);
    error.iter_mut().for_each(|text| log.hide(text));
    AuthExchange {
        method,
        url,
        request_headers,
        request_body: request_body.map(|text| body(text, log)),
        status,
        response_headers,
        response_body: response_body.map(|text| body(text, log)),
        error,
    }
}

/// The log knows which headers are secret, and how an address may hide one.
fn head(url: String, headers: Vec<Header>, log: &WireLog) -> (String, Vec<LogHeader>) {
    let mut kind = EntryKind::RequestHead {
        verb: Verb::Post,
        url,
        headers,
    };
    log.hide_in(&mut kind);
    let EntryKind::RequestHead { url, headers, .. } = kind else {
        return (String::new(), Vec::new());
    };
    let headers = headers
        .into_iter()
        .map(|Header { name, value }| LogHeader { name, value })
        .collect();
    (url, headers)
}

fn body(mut text: String, log: &WireLog) -> String {
    log.hide(&mut text);
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("\n… (cut here)");
    }
    text
}
