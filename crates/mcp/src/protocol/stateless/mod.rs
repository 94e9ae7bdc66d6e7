//! The stateless era: every request is self-contained.

mod back_channel;
mod cache_hints;
mod discovery;
mod filter;
mod headers;
mod meta;
mod param_headers;
mod results;

pub(crate) use back_channel::needs_handshake;
pub(crate) use cache_hints::{PageHints, judge_cache_hints};
pub(crate) use discovery::{Discovered, discovered};
pub(crate) use filter::Filter;
pub(crate) use param_headers::{header_values, param_headers};
pub(crate) use results::{
    AskedInput, InputRequired, ResultKind, TASKS, input_requests, kind, misplaced_task,
};

use sonde_wire::Header;

use super::{
    Revision,
    request::{EncodedRequest, Request, envelope},
};
use crate::{
    LogLevel, SessionOptions,
    members::{quoted, with_meta},
};

/// Method that asks a server for its protocol versions and capabilities.
pub(crate) const DISCOVER: &str = "server/discover";

/// Opens a subscription.
pub(crate) const LISTEN: &str = "subscriptions/listen";

/// The reserved error codes of this era. Nothing else than these proves it (versioning).
pub(crate) mod code {
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;

    pub(crate) fn is_of_this_era(code: i64) -> bool {
        (UNSUPPORTED_VERSION..=HEADER_MISMATCH).contains(&code)
    }

    /// Returns true for error codes that a stateless server must not send: codes reserved for later versions, and two
    /// of earlier versions (base protocol, Error Codes).
    pub(crate) fn is_forbidden(code: i64) -> bool {
        matches!(code, -32_099..=-32_023 | -32_002)
    }
}

/// State of a stateless session.
#[derive(Debug)]
pub(crate) struct Stateless {
    /// Named by every request.
    pub(crate) revision: Revision,
    /// Asked for with every request.
    pub(crate) log_level: Option<LogLevel>,
    /// Log messages were asked for at some time.
    pub(crate) asked_for_log: bool,
    /// `clientInfo` as JSON text.
    client: String,
    /// `clientCapabilities` as JSON text.
    capabilities: String,
    /// The extension for tasks was declared.
    pub(crate) tasks: bool,
}

impl Stateless {
    pub(crate) fn new(revision: Revision, options: &SessionOptions) -> Self {
        Stateless {
            revision,
            log_level: options.log_level.or(options.request_log_level),
            asked_for_log: options.log_level.or(options.request_log_level).is_some(),
            // Serializing a struct of strings does not fail; if it did, the server would report the empty object.
            client: serde_json::to_string(&options.client).unwrap_or_else(|_| "{}".to_owned()),
            capabilities: meta::capabilities(&options.capabilities),
            tasks: options.capabilities.tasks
                || options
                    .capabilities
                    .extensions
                    .iter()
                    .any(|(name, _)| name == TASKS),
        }
    }

    /// The headers of every message.
    pub(crate) fn headers(&self) -> Vec<Header> {
        headers::of_every_message(self.revision)
    }

    /// Returns the client's self-description that every request carries, as a JSON object.
    pub(super) fn declaration(&self) -> String {
        let members: Vec<String> = meta::entries(self, None)
            .iter()
            .map(|(name, value)| format!("{}:{value}", quoted(name)))
            .collect();
        format!("{{{}}}", members.join(","))
    }

    /// Builds a request that repeats everything the server must not remember from an earlier one.
    pub(crate) fn request(&self, id: u64, request: &Request<'_>) -> EncodedRequest {
        let token = id.to_string();
        let entries = meta::entries(self, request.progress.then_some(token.as_str()));
        let entries: Vec<(&str, &str)> = entries
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let params = with_meta(request.params, &entries);
        EncodedRequest {
            text: envelope(id, request.method, params.as_deref()),
            headers: headers::of_request(self.revision, request),
        }
    }
}
