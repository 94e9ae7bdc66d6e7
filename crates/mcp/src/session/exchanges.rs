//! HTTP exchanges: each message has its own, and its end may come before its answer.

use std::sync::Arc;

use sonde_wire::{Annotation, ExchangeId, Header, Label, Seq, StreamEnd, WireError};

use super::{
    actor::Actor,
    deadlines::Alarm,
    envelope::cut,
    pending::{Http, Purpose},
    stage::Stage,
};
use crate::{Lost, OpenFailure, Outcome};

/// How many characters of an odd body are kept.
pub(super) const SNIPPET: usize = 2_000;

/// Whether the beginning of a message that was cut is that of an answer. A request of the server
/// may have an id that one of ours has too.
fn begins_as_answer(head: &str) -> bool {
    let place = |key: &str| head.find(key).unwrap_or(usize::MAX);
    place("\"result\"").min(place("\"error\"")) <= place("\"method\"")
}

/// Why an answer cannot come any more.
#[derive(Debug)]
pub(super) enum Loss {
    TransportGone,
    Exchange(WireError),
    NoAnswer,
    /// The stream of the answer broke for good.
    StreamLost(String),
    /// The server forgot the session.
    Forgotten,
    Http {
        status: u16,
        content_type: Option<String>,
        snippet: String,
    },
    BadShape {
        problem: String,
        seq: Seq,
    },
    TooLarge {
        size: u64,
        limit: u64,
        seq: Seq,
    },
}

pub(super) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

impl Loss {
    /// "The request is lost" with its stream (Streamable HTTP, Disconnection); only a new one
    /// helps, and only the user knows whether that does no harm.
    fn stream_lost() -> Self {
        Loss::StreamLost("the server closed the stream before the response".to_owned())
    }

    fn into_outcome(self) -> Outcome {
        Outcome::Lost(match self {
            Loss::BadShape { problem, seq } => return Outcome::BadShape { problem, seq },
            Loss::TransportGone => Lost::TransportGone,
            Loss::Exchange(error) => Lost::Exchange(Arc::new(error)),
            Loss::NoAnswer => Lost::NoAnswer,
            Loss::StreamLost(reason) => Lost::StreamLost { reason },
            Loss::Forgotten => Lost::SessionForgotten,
            Loss::Http {
                status, snippet, ..
            } => Lost::Http { status, snippet },
            Loss::TooLarge { size, limit, seq } => Lost::TooLarge { size, limit, seq },
        })
    }

    pub(super) fn into_open_failure(self) -> OpenFailure {
        match self {
            Loss::Exchange(error) => OpenFailure::Exchange(error),
            Loss::Http {
                status,
                content_type,
                snippet,
            } => OpenFailure::Http {
                status,
                content_type,
                snippet,
            },
            Loss::TooLarge { limit, .. } => OpenFailure::Exchange(WireError::TooLarge { limit }),
            Loss::BadShape { problem, .. } => OpenFailure::BadShape { problem },
            Loss::StreamLost(_) | Loss::NoAnswer | Loss::Forgotten | Loss::TransportGone => {
                OpenFailure::BadShape {
                    problem: "the server's response to `initialize` contains no message".to_owned(),
                }
            }
        }
    }

    /// A plain sentence without its full stop.
    pub(super) fn sentence(&self) -> String {
        match self {
            Loss::TransportGone => "the connection ended".to_owned(),
            Loss::Exchange(error) => error.to_string(),
            Loss::StreamLost(reason) => reason.trim_end_matches('.').to_owned(),
            Loss::Forgotten => "the server no longer knows the session".to_owned(),
            Loss::NoAnswer => "the server ended the response without a message".to_owned(),
            Loss::Http { status, .. } => format!("the server returned HTTP status {status}"),
            Loss::BadShape { problem, .. } => problem.clone(),
            Loss::TooLarge { size, limit, .. } => {
                format!("the response has {size} bytes, more than the limit of {limit}")
            }
        }
    }
}

impl Actor {
    pub(super) fn head(&mut self, exchange: ExchangeId, status: u16, headers: &[Header], seq: Seq) {
        if self.is_session_delete(exchange) || self.stream_head(exchange, status, headers, seq) {
            return;
        }
        let ExchangeId(id) = exchange;
        if self.stage == Stage::Opening && id == self.opening.request {
            self.handshake_head(status, headers, seq);
        }
        let has_session = self.protocol.session_id().is_some() && self.stage == Stage::Ready;
        match self.pending.get_mut(id) {
            Some(request) => {
                let content_type = headers
                    .iter()
                    .find(|header| header.name.eq_ignore_ascii_case("content-type"))
                    .map(|header| header.value.clone());
                request.http = Some(Box::new(Http {
                    status,
                    content_type,
                    ..Http::default()
                }));
            }
            // A notification or an answer of ours, which carried the session id like all others.
            None if status == 404 && has_session => self.session_forgotten(),
            None => self.acknowledged(exchange),
        }
    }

    /// Whether a waiting request was told that its session id is unknown: "a client that receives
    /// HTTP 404 in response to a request containing an `Mcp-Session-Id` MUST start a new session"
    /// (transports, Session Management). The handshake carries none.
    pub(super) fn is_forgotten(&self, id: u64) -> bool {
        self.protocol.session_id().is_some()
            && self.pending.get(id).is_some_and(|request| {
                request.purpose != Purpose::Initialize
                    && request.http.as_ref().is_some_and(|http| http.status == 404)
            })
    }

    pub(super) fn noise(
        &mut self,
        exchange: ExchangeId,
        content_type: Option<String>,
        snippet: &str,
        seq: Seq,
    ) {
        let ExchangeId(id) = exchange;
        self.tie(seq, Some(id));
        if let Some(request) = self.pending.get_mut(id) {
            let http = request.http.get_or_insert_default();
            http.content_type = content_type.or(http.content_type.take());
        }
        self.note_snippet(id, cut(snippet, SNIPPET));
    }

    /// Tells the log which call an entry without a readable message belongs to.
    fn tie(&self, seq: Seq, id: Option<u64>) {
        let Some(call) = id.and_then(|id| self.pending.call_of(id)) else {
            return;
        };
        let label = Some(Label {
            call: Some(call.0),
            ..Label::default()
        });
        let findings = Vec::new();
        self.tap.annotate(seq, Annotation { label, findings });
    }

    pub(super) fn note_snippet(&mut self, id: u64, snippet: String) {
        if let Some(http) = self.http(id) {
            http.snippet.get_or_insert(snippet);
        }
    }

    /// Something on a request's stream that may have been meant as its answer. The end of the
    /// stream will tell.
    pub(super) fn note_problem(
        &mut self,
        exchange: Option<ExchangeId>,
        problem: String,
        text: &str,
        seq: Seq,
    ) {
        let Some(http) = exchange.and_then(|ExchangeId(id)| self.http(id)) else {
            return;
        };
        if !is_success(http.status) {
            http.snippet.get_or_insert_with(|| cut(text, SNIPPET));
        }
        http.problem.get_or_insert(Loss::BadShape { problem, seq });
    }

    fn http(&mut self, id: u64) -> Option<&mut Http> {
        let request = self.pending.get_mut(id)?;
        Some(request.http.get_or_insert_default())
    }

    pub(super) fn oversized(
        &mut self,
        exchange: Option<ExchangeId>,
        id: Option<&str>,
        head: &str,
        size: u64,
        limit: u64,
        seq: Seq,
    ) {
        let number = id.and_then(|id| id.parse().ok());
        let asked = number.or(exchange.map(|ExchangeId(id)| id));
        self.tie(seq, asked);
        if let Some(number) = number.filter(|_| begins_as_answer(head)) {
            self.lose(number, Loss::TooLarge { size, limit, seq });
        } else if let Some(http) = exchange.and_then(|ExchangeId(id)| self.http(id)) {
            // The answer may still come; the end of the stream will tell.
            http.problem
                .get_or_insert(Loss::TooLarge { size, limit, seq });
        }
    }

    /// An exchange is over. For a waiting request this means that no answer comes.
    pub(super) fn exchange_over(&mut self, exchange: ExchangeId, end: StreamEnd) {
        self.parked.remove(&exchange);
        if self.is_session_delete(exchange) {
            return;
        }
        let Some(end) = self.stream_ended(exchange, end) else {
            return;
        };
        let ExchangeId(id) = exchange;
        self.deadlines.disarm(Alarm::Abandon(id));
        let forgotten = self.is_forgotten(id);
        self.acknowledged(exchange);
        let Some(request) = self.pending.get_mut(id) else {
            if let StreamEnd::Failed(_) = end {
                tracing::debug!(
                    exchange = id,
                    "a message without an answer was not delivered"
                );
            }
            return;
        };
        if forgotten && self.stage == Stage::Ready {
            return self.session_forgotten();
        }
        let http = request.http.take();
        let loss = match (end, http) {
            (StreamEnd::Failed(error), Some(_)) if self.protocol.is_modern() => {
                Loss::StreamLost(error.to_string())
            }
            (StreamEnd::Failed(error), _) => Loss::Exchange(error),
            (_, Some(http)) if !is_success(http.status) || http.snippet.is_some() => Loss::Http {
                status: http.status,
                content_type: http.content_type,
                snippet: http.snippet.unwrap_or_default(),
            },
            (_, Some(http)) if self.protocol.is_modern() && !request.limits.is_cancelled() => {
                http.problem.unwrap_or_else(Loss::stream_lost)
            }
            (_, Some(http)) => http.problem.unwrap_or(Loss::NoAnswer),
            (_, None) => Loss::NoAnswer,
        };
        self.lose(id, loss);
    }

    /// Ends a request whose answer cannot come any more.
    pub(super) fn lose(&mut self, id: u64, loss: Loss) {
        let Some(request) = self.pending.end(id, false) else {
            return;
        };
        self.deadlines.disarm(Alarm::Request(id));
        self.answer_settled(id, false);
        self.round_trip(&request, true);
        // Not why: addresses and bodies may hold secrets.
        tracing::debug!(id, method = &*request.method, "answer lost");
        match request.purpose {
            // "Receivers of a cancellation notification SHOULD […] not send a response for the
            // cancelled request" (cancellation, Behavior Requirements): its stream just ends.
            Purpose::Call(call)
                if request.limits.is_cancelled() && matches!(loss, Loss::NoAnswer) =>
            {
                self.finish(call, Outcome::Cancelled);
            }
            Purpose::Call(call) => self.finish(call, loss.into_outcome()),
            Purpose::Discover => self.inquiry_lost(request.sent, loss),
            Purpose::Initialize => self.handshake_lost(loss),
            Purpose::Listen => self.subscription_lost(&loss),
            Purpose::ListTools => self.list_failed(format!(
                "The tools could not be listed: {}.",
                loss.sentence()
            )),
            Purpose::Ping => self.ping_failed(&format!("The ping failed: {}.", loss.sentence())),
            Purpose::SetLevel => self.log_level_failed(&loss.sentence()),
        }
    }

    /// The transport is gone, and every answer with it.
    pub(super) fn lose_everything(&mut self) {
        for id in self.pending.ids() {
            self.lose(id, Loss::TransportGone);
        }
        self.lose_retries();
    }
}
