//! What arrives, and what the log is told about it.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_wire::{Annotation, ExchangeId, Finding, Incoming, Label, MessageKind, Seq};

use super::{
    actor::Actor,
    calls::{Answer, outcome},
    envelope::{self, Message, brief, cut, finding, short},
    exchanges::SNIPPET,
    stage::Stage,
    subscription::is_subscribed,
};
use crate::{CallEvent, members::string};

/// How many messages of one batch are read.
const MAX_BATCH: usize = 10_000;
/// Findings of one batch that are kept.
const MAX_FINDINGS: usize = 100;

impl Actor {
    /// Takes one item from the transport.
    pub(super) fn take(&mut self, item: Incoming) {
        match item {
            Incoming::Message {
                exchange,
                event_id,
                text,
                seq,
            } => {
                let fresh = exchange.is_none_or(|exchange| {
                    self.stream_event(exchange, event_id.as_ref(), None, seq)
                });
                if !fresh {
                    return self.remark(
                        seq,
                        finding(
                            "duplicate-event-id",
                            "An event with this id was delivered on this stream before; it was \
                             not read again.",
                        ),
                    );
                }
                self.message(exchange, &text, seq);
            }
            Incoming::Head {
                exchange,
                status,
                headers,
                seq,
            } => self.head(exchange, status, &headers, seq),
            Incoming::NonMessage {
                exchange,
                content_type,
                snippet,
                seq,
            } => self.noise(exchange, content_type, &snippet, seq),
            Incoming::Oversized {
                exchange,
                id,
                head,
                size,
                limit,
                seq,
            } => self.oversized(exchange, id.as_deref(), &head, size, limit, seq),
            Incoming::Event {
                exchange,
                event_id,
                retry,
                seq,
                ..
            } => {
                self.stream_event(exchange, event_id.as_ref(), retry, seq);
            }
            Incoming::Parked { exchange, parked } => self.park(exchange, parked),
            Incoming::End { exchange, end } => self.exchange_over(exchange, end),
            Incoming::Closed(closed) => self.wire_gone(closed),
        }
    }

    /// Adds one finding to an entry of the log.
    pub(super) fn remark(&self, seq: Seq, finding: Finding) {
        self.tap.annotate(
            seq,
            Annotation {
                label: None,
                findings: vec![finding],
            },
        );
    }

    fn message(&mut self, exchange: Option<ExchangeId>, text: &str, seq: Seq) {
        let exchange = exchange.map(|exchange| self.origin(exchange));
        if let Some(ExchangeId(id)) = exchange
            && self.is_forgotten(id)
        {
            // Whatever the body says, the status has said it all.
            self.note_snippet(id, cut(text, SNIPPET));
        }
        let mut findings = Vec::new();
        let label = if text.trim_start().starts_with('[') {
            self.batch(exchange, text, seq, &mut findings)
        } else {
            self.one(exchange, text, seq, &mut findings)
        };
        self.tap.annotate(
            seq,
            Annotation {
                label: Some(label),
                findings,
            },
        );
    }

    /// An array of messages: only one revision allows it, all are read.
    fn batch(
        &mut self,
        exchange: Option<ExchangeId>,
        text: &str,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Label {
        let mut label = Label {
            kind: Some(MessageKind::Batch),
            ..Label::default()
        };
        let items: Vec<&RawValue> = match serde_json::from_str(text) {
            Ok(items) => items,
            Err(error) => {
                let problem = format!("The message is not valid JSON: {error}.");
                findings.push(finding("invalid-json", problem.clone()));
                self.note_problem(exchange, problem, text, seq);
                label.kind = Some(MessageKind::Invalid);
                return label;
            }
        };
        if !self.protocol.accepts_batches() {
            findings.push(finding(
                "batch-not-allowed",
                "This protocol version has no batches; each message was read anyway.",
            ));
        }
        if items.is_empty() {
            findings.push(finding("invalid-message", "The batch is empty."));
        }
        if items.len() > MAX_BATCH {
            findings.push(finding(
                "batch-too-long",
                format!(
                    "The batch has {} messages; the first {MAX_BATCH} were read.",
                    items.len()
                ),
            ));
        }
        for item in items.into_iter().take(MAX_BATCH) {
            let part = self.one(exchange, item.get(), seq, findings);
            label.call = label.call.or(part.call);
            // One frame can be wrong in thousands of places; the log keeps the first ones.
            findings.truncate(MAX_FINDINGS);
        }
        label
    }

    fn one(
        &mut self,
        exchange: Option<ExchangeId>,
        text: &str,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Label {
        let message = envelope::read(text, findings);
        let mut label = Label {
            kind: Some(message.kind()),
            ..Label::default()
        };
        match message {
            Message::Request { id, method, params } => {
                label.id = Some(Arc::from(short(id)));
                // On a stream of its own a call is known to be meant; without streams only when
                // nothing else runs.
                let call = match exchange {
                    Some(ExchangeId(id)) => self.pending.call_of(id),
                    None => self.pending.only_call(),
                };
                label.method = Some(if self.protocol.is_modern() && !self.is_undecided() {
                    self.ignore_request(&method, findings)
                } else {
                    self.serve(id, &method, params, call, seq)
                });
                label.call = call.map(|call| call.0);
            }
            Message::Notification { method, params } => {
                let stateless = self.protocol.is_modern() && self.stage != Stage::Opening;
                let call = match method.as_str() {
                    method if stateless && is_subscribed(method) => {
                        self.subscription_said(method, params, seq, findings);
                        None
                    }
                    "notifications/cancelled" if stateless => {
                        self.cancelled_by_server(params, seq, findings);
                        None
                    }
                    "notifications/progress" => self.progressed(params, seq, findings),
                    "notifications/message" => self.logged(params, exchange, seq, findings),
                    "notifications/cancelled" => {
                        self.withdraw(params);
                        None
                    }
                    "notifications/tools/list_changed" => {
                        self.tools_changed();
                        None
                    }
                    // Unknown notifications are ignored (base protocol); the log has them.
                    _ => None,
                };
                label.method = Some(self.name(&method));
                label.call = call.map(|call| call.0);
            }
            Message::Response { id, result } => {
                self.answer(
                    Some(id),
                    Answer::Result(result),
                    exchange,
                    seq,
                    &mut label,
                    findings,
                );
            }
            Message::Error { id, error } => {
                self.answer(
                    id,
                    Answer::Error(error),
                    exchange,
                    seq,
                    &mut label,
                    findings,
                );
            }
            // Without an id nothing says that it was meant as an answer at all, JSON-lines logging
            // and error bodies of gateways look like that.
            Message::BrokenAnswer { id: None, problem } => {
                self.note_problem(exchange, problem, text, seq);
            }
            Message::BrokenAnswer {
                id: Some(id),
                problem,
            } => {
                self.answer(
                    Some(id),
                    Answer::Broken(problem),
                    exchange,
                    seq,
                    &mut label,
                    findings,
                );
            }
            Message::Invalid { problem } => {
                self.note_problem(exchange, problem, text, seq);
            }
        }
        label
    }

    /// Finds the request that an answer belongs to.
    fn answer(
        &mut self,
        id: Option<&str>,
        answer: Answer<'_>,
        exchange: Option<ExchangeId>,
        seq: Seq,
        label: &mut Label,
        findings: &mut Vec<Finding>,
    ) {
        let (number, answer) = match id {
            Some(text) => match text.parse::<u64>() {
                Ok(number) => (Some(number), answer),
                // An answer "MUST have the same ID as the request" (base protocol, Responses):
                // the string "1" is not the number 1, and no client has to understand it.
                Err(_) => match unquoted(text).filter(|number| self.is_waiting(*number)) {
                    Some(number) => {
                        let problem =
                            format!("the response id is {text}, the request id was {number}");
                        findings.push(finding(
                            "response-id-type",
                            format!("The response id is the string {text}; a number was sent."),
                        ));
                        (Some(number), Answer::Broken(problem))
                    }
                    None => (None, answer),
                },
            },
            // Without an id only its own stream tells what it answers; or that nothing else was
            // asked yet.
            None => (self.asked_alone(exchange), answer),
        };
        label.id = id.map(|id| Arc::from(short(id)));
        let Some(number) = number else {
            let message = match id {
                Some(id) => format!("No request has the id {}.", brief(id)),
                None => {
                    "The response has no id, and nothing else shows which request it belongs to."
                        .to_owned()
                }
            };
            findings.push(finding("unknown-response-id", message));
            return;
        };
        if let Some(request) = self.pending.get(number) {
            label.method = Some(Arc::clone(&request.method));
            label.id = Some(Arc::clone(&request.id));
            label.call = request.purpose.call().map(|call| call.0);
            if !self.is_forgotten(number) {
                self.answered(number, answer, seq, findings);
            }
            return;
        }
        let Some(ended) = self.pending.ended(number) else {
            findings.push(finding(
                "unknown-response-id",
                format!("No recent request has the id {number}."),
            ));
            return;
        };
        label.method = Some(Arc::clone(&ended.method));
        label.call = ended.call.map(|call| call.0);
        let call = ended.call;
        let method = Arc::clone(&ended.method);
        let again = std::mem::replace(&mut ended.answered, true);
        findings.push(if again {
            finding(
                "duplicate-response",
                format!("The request {number} was already answered."),
            )
        } else {
            finding(
                "late-response",
                format!("The request {number} was no longer pending."),
            )
        });
        if let Some(call) = call {
            let outcome = Some(outcome(&method, answer, seq, findings));
            self.report_call(call, CallEvent::Late { seq, outcome });
        }
    }

    /// The waiting request whose stream this is; before the handshake is over, the handshake.
    fn asked_alone(&self, exchange: Option<ExchangeId>) -> Option<u64> {
        match exchange {
            Some(ExchangeId(id)) => self.is_waiting(id).then_some(id),
            None => (self.stage == Stage::Opening).then_some(self.opening.request),
        }
    }

    fn is_waiting(&self, id: u64) -> bool {
        self.pending.get(id).is_some()
    }
}

/// The number in a JSON string.
fn unquoted(text: &str) -> Option<u64> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    string(raw)?.parse().ok()
}
