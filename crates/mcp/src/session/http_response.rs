//! State of the HTTP response to a request before its message has come.

use sonde_wire::{Header, Seq, StreamEnd};

use super::response::Loss;
use crate::text::cut;

/// Characters kept of an odd body.
const SNIPPET: usize = 2_000;

/// HTTP response as far as it has come.
#[derive(Debug, Default)]
pub(super) struct HttpResponse {
    pub(super) status: u16,
    /// The entry of its head.
    pub(super) seq: Option<Seq>,
    pub(super) content_type: Option<String>,
    /// Beginning of a body that is not a JSON-RPC response.
    snippet: Option<String>,
    /// The server's message if it rejects the session id with HTTP 400.
    pub(super) session_rejection: Option<String>,
    /// Problem with a message on this exchange that may have been meant as the response. Counts when
    /// nothing better comes.
    problem: Option<Loss>,
}

pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// The value of a header.
pub(super) fn header<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
        .map(|header| header.value.as_str())
}

impl HttpResponse {
    pub(super) fn new(status: u16, headers: &[Header], seq: Seq) -> Self {
        HttpResponse {
            status,
            seq: Some(seq),
            content_type: header(headers, "content-type").map(str::to_owned),
            ..HttpResponse::default()
        }
    }

    /// Notes a body, or a part of it, that is not a message.
    pub(super) fn note_body(&mut self, content_type: Option<String>, body: &str) {
        self.content_type = content_type.or(self.content_type.take());
        self.note_snippet(body);
    }

    pub(super) fn note_snippet(&mut self, body: &str) {
        self.snippet.get_or_insert_with(|| cut(body, SNIPPET));
    }

    /// Notes an unreadable message that may have been meant as the response.
    pub(super) fn note_problem(&mut self, problem: String, text: &str, seq: Seq) {
        if !is_success(self.status) {
            self.note_snippet(text);
        }
        self.problem.get_or_insert(Loss::BadShape { problem, seq });
    }

    /// A message was too large to be read. The response may still come.
    pub(super) fn note_oversized(&mut self, size: u64, limit: u64, seq: Seq) {
        self.problem
            .get_or_insert(Loss::TooLarge { size, limit, seq });
    }

    /// Returns the reason for the missing response, now that the exchange is over. `stateless`: a stream that
    /// ends before its response lost the request.
    pub(super) fn into_loss(self, end: StreamEnd, stateless: bool, cancelled: bool) -> Loss {
        if let Some(said) = self.session_rejection {
            return Loss::SessionRejected { said };
        }
        match end {
            StreamEnd::Failed(error) if stateless => Loss::StreamLost(error.to_string()),
            StreamEnd::Failed(error) => Loss::Exchange(error),
            _ if !is_success(self.status) || self.snippet.is_some() => Loss::Http {
                status: self.status,
                content_type: self.content_type,
                snippet: self.snippet.unwrap_or_default(),
            },
            _ if stateless && !cancelled => self.problem.unwrap_or_else(Loss::stream_lost),
            _ => self.problem.unwrap_or(Loss::NoAnswer),
        }
    }
}
