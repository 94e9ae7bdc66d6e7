//! HTTP+SSE, the transport before Streamable HTTP (protocol version 2024-11-05, transports): one stream that
//! the server writes to, and an address of its own for the messages of the client.
//!
//! It consists of two HTTP wires: one reads the stream; the other, opened once the server has named the address, posts.
//! Both record into the same tap.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use reqwest::Url;
use sonde_findings::{Finding, rules};
use tokio::time::{Instant, sleep_until};

use crate::{
    Annotation, Carrier, Cause, Closed, Command, ExchangeId, Header, Incoming, Label, Outgoing,
    Peer, QUEUE, Seq, StreamEnd, Tap, Verb, Wire, WireError,
    http::{self, HttpSpec},
};

/// The exchange of the stream. Sessions count from 1.
const STREAM: ExchangeId = ExchangeId(0);

/// Prepares a transport and opens its stream. Call it inside a tokio runtime.
///
/// # Errors
///
/// As [`http::open`].
pub fn open(spec: HttpSpec, tap: Arc<dyn Tap>) -> Result<Wire, WireError> {
    let listening = http::open(spec.clone(), Arc::clone(&tap))?;
    let (wire, far) = Wire::pair(Carrier::Pipe);
    let bridge = HttpSse {
        spec,
        tap,
        peer: far,
        listening,
        posting: None,
        queue: VecDeque::new(),
        in_flight: None,
        accept_deadline: Instant::now(),
        refused: None,
    };
    tokio::spawn(bridge.run());
    Ok(wire)
}

/// Limit of the wait for the server to accept a message before the next is posted. Some servers respond only after
/// handling the message, and a cancellation must not wait for that.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(1);

/// An error status, and the beginning of its body.
struct Rejected {
    exchange: ExchangeId,
    status: u16,
    content_type: Option<String>,
    snippet: String,
}

impl Rejected {
    fn into_error(self) -> WireError {
        WireError::Status {
            status: self.status,
            content_type: self.content_type,
            snippet: self.snippet,
        }
    }
}

struct HttpSse {
    spec: HttpSpec,
    tap: Arc<dyn Tap>,
    peer: Peer,
    listening: Wire,
    /// The wire that posts, open once the server has named the address.
    posting: Option<Wire>,
    /// Messages waiting to be posted. They are posted one after the other, so that none overtakes another.
    queue: VecDeque<Outgoing>,
    /// The message whose acceptance is awaited.
    in_flight: Option<ExchangeId>,
    /// End of the wait for the acceptance of `in_flight`.
    accept_deadline: Instant,
    refused: Option<Rejected>,
}

impl HttpSse {
    async fn run(mut self) {
        let stream = Outgoing {
            exchange: STREAM,
            verb: Verb::Get,
            text: None,
            headers: Vec::new(),
            label: Label {
                cause: Some(Cause::Listen),
                ..Label::default()
            },
        };
        let _ = self.listening.commands.send(Command::Send(stream)).await;
        let closed = self.work().await;
        for wire in [Some(self.listening), self.posting].into_iter().flatten() {
            close(wire).await;
        }
        let _ = self.peer.incoming.send(Incoming::Closed(closed)).await;
    }

    async fn work(&mut self) -> Closed {
        loop {
            let room = self.queue.len() < QUEUE;
            tokio::select! {
                biased;
                item = self.listening.incoming.recv() => {
                    if let Some(closed) = self.on_incoming(item).await {
                        return closed;
                    }
                }
                item = next(&mut self.posting) => {
                    if let Some(item) = item {
                        self.on_posted(item).await;
                    }
                }
                () = sleep_until(self.accept_deadline), if self.in_flight.is_some() && !self.queue.is_empty() => {
                    self.in_flight = None;
                    self.post_next().await;
                }
                command = self.peer.commands.recv(), if room => match command {
                    Some(Command::Send(outgoing)) => self.enqueue(outgoing).await,
                    Some(Command::Abandon(exchange)) => self.abandon(exchange).await,
                    Some(Command::Kill) => {
                        return Closed::Failed(WireError::Broken {
                            reason: "it was dropped on purpose".to_owned(),
                        });
                    }
                    Some(Command::Close) | None => return Closed::Requested { exit: None },
                },
            }
        }
    }

    /// Handles an event of the server's stream.
    async fn on_incoming(&mut self, item: Option<Incoming>) -> Option<Closed> {
        match item {
            Some(Incoming::Head {
                status, headers, ..
            }) => {
                let media_type = content_type(&headers);
                let events = media_type.as_deref().is_some_and(is_event_stream);
                if !(200..300).contains(&status) || !events {
                    self.refused = Some(Rejected {
                        exchange: STREAM,
                        status,
                        content_type: media_type,
                        snippet: String::new(),
                    });
                }
            }
            Some(Incoming::Event {
                name, data, seq, ..
            }) => match name.as_deref() {
                Some("endpoint") => {
                    if let Err(reason) = self.on_endpoint(&data, seq).await {
                        return Some(Closed::Failed(WireError::NoEndpoint { reason }));
                    }
                }
                // Only a server that has named an address surely speaks HTTP+SSE.
                Some(name) if self.posting.is_some() && http::says_message(data.as_bytes()) => {
                    let finding = Finding::new(&rules::MISNAMED_EVENT);
                    self.annotate(seq, finding.with("name", name));
                }
                _ => {}
            },
            Some(Incoming::Message {
                event_id,
                text,
                seq,
                ..
            }) => {
                if let Some(refused) = &mut self.refused {
                    refused.snippet = text.chars().take(512).collect();
                } else if self.posting.is_none() {
                    let reason = "a message came before the `endpoint` event".to_owned();
                    return Some(Closed::Failed(WireError::NoEndpoint { reason }));
                } else {
                    self.report(Incoming::Message {
                        exchange: None,
                        event_id,
                        text,
                        seq,
                    })
                    .await;
                }
            }
            Some(Incoming::Oversized {
                id,
                head,
                size,
                limit,
                seq,
                ..
            }) => {
                self.report(Incoming::Oversized {
                    exchange: None,
                    id,
                    head,
                    size,
                    limit,
                    seq,
                })
                .await;
            }
            Some(Incoming::NonMessage { snippet, .. }) => {
                if let Some(refused) = &mut self.refused {
                    refused.snippet = snippet;
                }
            }
            Some(Incoming::Parked { exchange, parked }) => {
                self.report(Incoming::Parked { exchange, parked }).await;
            }
            Some(Incoming::OutputClosed) => {}
            Some(Incoming::End { end, .. }) => {
                return Some(match (self.refused.take(), end) {
                    (_, StreamEnd::Failed(error)) => Closed::Failed(error),
                    (Some(refused), _) => Closed::Failed(refused.into_error()),
                    (None, _) if self.posting.is_none() => {
                        let reason = "the stream ended before its `endpoint` event".to_owned();
                        Closed::Failed(WireError::NoEndpoint { reason })
                    }
                    (None, _) => Closed::Disconnected,
                });
            }
            Some(Incoming::Closed(_)) | None => return Some(Closed::Disconnected),
        }
        None
    }

    /// Handles the `endpoint` event, which names the address for messages. It "MUST" come first. Sonde also requires
    /// that the address has the stream's origin, because the user's headers are sent there too.
    async fn on_endpoint(&mut self, endpoint: &str, seq: Seq) -> Result<(), String> {
        let base = http::address(&self.spec.url).map_err(|error| error.to_string())?;
        let url: Url = base
            .join(endpoint.trim())
            .map_err(|error| format!("the `endpoint` event contains no URL ({error})"))?;
        if url.origin() != base.origin() {
            let origin = url.origin().ascii_serialization();
            let finding = Finding::new(&rules::ENDPOINT_ON_OTHER_ORIGIN);
            self.annotate(seq, finding.with("origin", &origin));
            return Err(format!("it points to another origin, {origin}"));
        }
        let spec = HttpSpec {
            url: url.to_string(),
            posts_only: true,
            ..self.spec.clone()
        };
        let wire = http::open(spec, Arc::clone(&self.tap)).map_err(|error| error.to_string())?;
        if let Some(before) = self.posting.replace(wire) {
            close(before).await;
            if let Some(exchange) = self.in_flight.take() {
                let parked = false;
                self.report(Incoming::Parked { exchange, parked }).await;
                let end = StreamEnd::Failed(WireError::Broken {
                    reason: "the server has since named another URL for messages".to_owned(),
                });
                self.report(Incoming::End { exchange, end }).await;
            }
        }
        self.post_next().await;
        Ok(())
    }

    async fn enqueue(&mut self, outgoing: Outgoing) {
        if outgoing.verb != Verb::Post {
            let end = StreamEnd::Failed(WireError::Unsupported {
                reason: "HTTP+SSE takes messages only",
            });
            let exchange = outgoing.exchange;
            return self.report(Incoming::End { exchange, end }).await;
        }
        self.queue.push_back(outgoing);
        self.post_next().await;
    }

    /// Abandons a message: drops it unless the server has accepted it. An accepted message cannot be stopped: its
    /// response comes on the stream.
    async fn abandon(&mut self, exchange: ExchangeId) {
        let before = self.queue.len();
        self.queue.retain(|outgoing| outgoing.exchange != exchange);
        if self.queue.len() < before {
            let end = StreamEnd::Abandoned;
            self.report(Incoming::End { exchange, end }).await;
        } else if let Some(posting) = &self.posting {
            let _ = posting.commands.send(Command::Abandon(exchange)).await;
        }
    }

    async fn post_next(&mut self) {
        let Some(posting) = &self.posting else {
            return;
        };
        if self.in_flight.is_some() {
            return;
        }
        if let Some(outgoing) = self.queue.pop_front() {
            self.in_flight = Some(outgoing.exchange);
            self.accept_deadline = Instant::now() + ACCEPT_TIMEOUT;
            let _ = posting.commands.send(Command::Send(outgoing)).await;
        }
    }

    /// Handles an event of a posted message. Its response comes on the stream, so only its acceptance matters here.
    async fn on_posted(&mut self, item: Incoming) {
        match item {
            Incoming::Head {
                exchange,
                status,
                headers,
                ..
            } => {
                if (200..300).contains(&status) {
                    self.accepted(exchange).await;
                } else {
                    self.refused = Some(Rejected {
                        exchange,
                        status,
                        content_type: content_type(&headers),
                        snippet: String::new(),
                    });
                }
            }
            Incoming::NonMessage { snippet, .. } => {
                if let Some(refused) = &mut self.refused {
                    refused.snippet = snippet;
                }
            }
            Incoming::Message { text, .. } => {
                if let Some(refused) = &mut self.refused {
                    refused.snippet = text.chars().take(512).collect();
                }
            }
            Incoming::End { exchange, end } => {
                let refused = self.refused.take_if(|refused| refused.exchange == exchange);
                if let StreamEnd::Abandoned = end {
                    let end = StreamEnd::Abandoned;
                    self.report(Incoming::End { exchange, end }).await;
                    return self.accepted(exchange).await;
                }
                let error = match (end, refused) {
                    (StreamEnd::Failed(error), _) => Some(error),
                    (_, Some(refused)) => Some(refused.into_error()),
                    _ => None,
                };
                if let Some(error) = error {
                    let end = StreamEnd::Failed(error);
                    self.report(Incoming::End { exchange, end }).await;
                }
                self.accepted(exchange).await;
            }
            Incoming::Parked { exchange, parked } => {
                self.report(Incoming::Parked { exchange, parked }).await;
            }
            Incoming::Oversized { .. }
            | Incoming::Event { .. }
            | Incoming::OutputClosed
            | Incoming::Closed(_) => {}
        }
    }

    async fn accepted(&mut self, exchange: ExchangeId) {
        if self.in_flight == Some(exchange) {
            self.in_flight = None;
            self.post_next().await;
        }
    }

    fn annotate(&self, seq: Seq, finding: Finding) {
        let annotation = Annotation {
            label: None,
            findings: vec![finding],
        };
        self.tap.annotate(seq, annotation);
    }

    /// Sends an event to the session; ignores a session that is gone.
    async fn report(&self, item: Incoming) {
        let _ = self.peer.incoming.send(item).await;
    }
}

async fn next(wire: &mut Option<Wire>) -> Option<Incoming> {
    match wire {
        Some(wire) => wire.incoming.recv().await,
        None => std::future::pending().await,
    }
}

/// Ends one of the two wires and waits for its last event.
async fn close(wire: Wire) {
    let Wire {
        commands,
        mut incoming,
        ..
    } = wire;
    let _ = commands.send(Command::Close).await;
    while let Some(item) = incoming.recv().await {
        if matches!(item, Incoming::Closed(_)) {
            return;
        }
    }
}

fn content_type(headers: &[Header]) -> Option<String> {
    headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-type"))
        .map(|header| header.value.clone())
}

fn is_event_stream(media_type: &str) -> bool {
    media_type
        .split(';')
        .next()
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("text/event-stream"))
}
