//! Requests of signing in as they may be kept: redacted before anything else happens to them.

use serde::{Deserialize, Serialize};
use sonde_auth::HttpExchange;
use sonde_wire::{EntryKind, Header, Verb};
use ts_rs::TS;

use crate::{
    limits::{MESSAGE, SIGN_IN_HEADER, SIGN_IN_HEADERS, TEXT, cut_text},
    log::{LogHeader, WireLog},
    text::cut,
};

/// A request of a step and its answer, with fingerprints where secrets stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthExchange {
    /// The verb.
    pub method: String,
    /// The address; at most 8,192 characters of it.
    pub url: String,
    /// Request headers in order: the first 100, at most 8,192 characters of each.
    pub request_headers: Vec<LogHeader>,
    /// Request body; at most 64 KiB.
    pub request_body: Option<String>,
    /// HTTP status; `None` if no answer came.
    pub status: Option<u16>,
    /// Response headers in order: the first 100, at most 8,192 characters of each.
    pub response_headers: Vec<LogHeader>,
    /// Response body; at most 64 KiB.
    pub response_body: Option<String>,
    /// Reason why no response came, one plain sentence.
    pub error: Option<String>,
}

/// Placeholder for a response that is no longer stored.
const NOT_KEPT: &str = "(No longer stored: newer sign-in requests took its place.)";

impl AuthExchange {
    /// Bytes of the URL, the header names and values, the bodies and the error.
    pub(super) fn weight(&self) -> usize {
        let headers = self.request_headers.iter().chain(&self.response_headers);
        let headers: usize = headers.map(|one| one.name.len() + one.value.len()).sum();
        let texts = [&self.request_body, &self.response_body, &self.error];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        self.url.len() + headers + texts
    }

    /// Drops headers and bodies to make room for newer exchanges.
    pub(super) fn forget(&mut self) {
        self.request_headers.clear();
        self.request_body = None;
        self.response_headers.clear();
        self.response_body = Some(NOT_KEPT.to_owned());
    }
}

/// Converts an exchange for display, with a fingerprint in place of each secret.
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
    if let Some(text) = &mut error {
        log.hide(text);
        *text = cut(text, MESSAGE);
    }
    AuthExchange {
        method,
        url: cut(&url, SIGN_IN_HEADER),
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
        .take(SIGN_IN_HEADERS)
        .map(|Header { name, value }| LogHeader {
            name: cut(&name, SIGN_IN_HEADER),
            value: cut(&value, SIGN_IN_HEADER),
        })
        .collect();
    (url, headers)
}

fn body(mut text: String, log: &WireLog) -> String {
    log.hide(&mut text);
    cut_text(&text, TEXT)
}
