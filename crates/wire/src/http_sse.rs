//! HTTP+SSE, the transport before Streamable HTTP (protocol version 2024-11-05, transports): one stream that
//! the server writes to, and an address of its own for the messages of the client.
//!
//! It consists of two HTTP wires: one reads the stream; the other, opened once the server has named the address, posts.
//! Both record into the same tap.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use reqwest::Url;
use sonde_findings::{Finding, rules};
use tokio::time::{Instant, sleep_until};

use crate::{
    Annotation, Carrier, Cause, Closed, Command, ExchangeId, Header, Incoming, Label, Outgoing,
    QUEUE, SendQueue, Seq, StreamEnd, Tap, Verb, Wire, WireError,
    http::{self, HttpSpec},
    queue::Receiver,
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
        commands: far.commands,
        session: SendQueue::new(far.incoming),
        listening,
        posting: None,
        queue: VecDeque::new(),
        in_flight: None,
        accept_deadline: Instant::now(),
        refused_stream: None,
        refused_posts: HashMap::new(),
    };
    tokio::spawn(bridge.run());
    Ok(wire)
}

/// Limit of the wait for the server to accept a message before the next is posted. Some servers respond only after
/// handling the message, and a cancellation must not wait for that.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(1);

/// An error status, and the beginning of its body.
struct Rejected {
    status: u16,
    content_type: Option<String>,
    snippet: String,
}

impl Rejected {
    fn new(status: u16, headers: &[Header]) -> Self {
        Self {
            status,
            content_type: content_type(headers),
            snippet: String::new(),
        }
    }

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
    commands: Receiver<Command>,
    /// Events for the session.
    session: SendQueue<Incoming>,
    listening: Wire,
    /// The wire that posts, open once the server has named the address.
    posting: Option<Wire>,
    /// Messages waiting to be posted. They are posted one after the other, so that none overtakes another.
    queue: VecDeque<Outgoing>,
    /// The message whose acceptance is awaited.
    in_flight: Option<ExchangeId>,
    /// End of the wait for the acceptance of `in_flight`.
    accept_deadline: Instant,
    refused_stream: Option<Rejected>,
    /// Error responses to posts, until their bodies end.
    refused_posts: HashMap<ExchangeId, Rejected>,
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
        // First, as a session that waits to send a command would not read the last events.
        drop(self.commands);
        for wire in [Some(self.listening), self.posting].into_iter().flatten() {
            close(wire).await;
        }
        self.session.push(Incoming::Closed(closed));
        self.session.finish().await;
    }

    async fn work(&mut self) -> Closed {
        loop {
            self.session.flush();
            let room = self.queue.len() < QUEUE && self.session.is_roomy();
            let delivered = self.session.is_empty();
            // The server's stream is unlimited, so it comes last: otherwise it could starve the rest. It is read at the
            // pace of the session.
            tokio::select! {
                biased;
                command = self.commands.recv(), if room => match command {
                    Some(Command::Send(outgoing)) => self.enqueue(outgoing).await,
                    Some(Command::Abandon(exchange)) => self.abandon(exchange).await,
                    Some(Command::Kill) => {
                        return Closed::Failed(WireError::Broken {
                            reason: "it was dropped on purpose".to_owned(),
                        });
                    }
                    Some(Command::Close) | None => return Closed::Requested { exit: None },
                },
                () = sleep_until(self.accept_deadline), if self.in_flight.is_some() && !self.queue.is_empty() => {
                    self.in_flight = None;
                    self.post_next().await;
                }
                item = next(&mut self.posting) => {
                    if let Some(item) = item
                        && let Some(closed) = self.on_posted(item).await
                    {
                        return closed;
                    }
                }
                alive = self.session.has_room(), if !delivered => {
                    if !alive {
                        self.session.clear();
                    }
                }
                item = self.listening.incoming.recv(), if delivered => {
                    if let Some(closed) = self.on_incoming(item).await {
                        return closed;
                    }
                }
            }
        }
    }

    /// Handles an event of the server's stream.
    async fn on_incoming(&mut self, item: Option<Incoming>) -> Option<Closed> {
        match item {
            Some(Incoming::Head {
                status, headers, ..
            }) => {
                let refused = Rejected::new(status, &headers);
                let events = refused.content_type.as_deref().is_some_and(is_event_stream);
                if !(200..300).contains(&status) || !events {
                    self.refused_stream = Some(refused);
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
                if let Some(refused) = &mut self.refused_stream {
                    refused.snippet = text.chars().take(512).collect();
                } else if self.posting.is_none() {
                    let reason = "a message came before the `endpoint` event".to_owned();
                    return Some(Closed::Failed(WireError::NoEndpoint { reason }));
                } else {
                    self.session.push(Incoming::Message {
                        exchange: None,
                        event_id,
                        text,
                        seq,
                    });
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
                self.session.push(Incoming::Oversized {
                    exchange: None,
                    id,
                    head,
                    size,
                    limit,
                    seq,
                });
            }
            Some(Incoming::NonMessage { snippet, .. }) => {
                if let Some(refused) = &mut self.refused_stream {
                    refused.snippet = snippet;
                }
            }
            Some(Incoming::Parked { exchange, parked }) => {
                self.session.push(Incoming::Parked { exchange, parked });
            }
            Some(Incoming::OutputClosed) => {}
            Some(Incoming::End { end, .. }) => {
                return Some(match (self.refused_stream.take(), end) {
                    (_, StreamEnd::Failed(error)) => Closed::Failed(error),
                    (Some(refused), _) => Closed::Failed(refused.into_error()),
                    (None, _) if self.posting.is_none() => {
                        let reason = "the stream ended before its `endpoint` event".to_owned();
                        Closed::Failed(WireError::NoEndpoint { reason })
                    }
                    (None, _) => Closed::Disconnected { reason: None },
                });
            }
            Some(Incoming::Closed(_)) | None => return Some(Closed::Disconnected { reason: None }),
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
            self.refused_posts.clear();
            if let Some(exchange) = self.in_flight.take() {
                let parked = false;
                self.session.push(Incoming::Parked { exchange, parked });
                let end = StreamEnd::Failed(WireError::Broken {
                    reason: "the server has since named another URL for messages".to_owned(),
                });
                self.session.push(Incoming::End { exchange, end });
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
            return self.session.push(Incoming::End { exchange, end });
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
            self.session.push(Incoming::End { exchange, end });
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
    /// Returns the end of the connection.
    async fn on_posted(&mut self, item: Incoming) -> Option<Closed> {
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
                    let refused = Rejected::new(status, &headers);
                    self.refused_posts.insert(exchange, refused);
                }
            }
            Incoming::NonMessage {
                exchange, snippet, ..
            } => {
                if let Some(refused) = self.refused_posts.get_mut(&exchange) {
                    refused.snippet = snippet;
                }
            }
            Incoming::Message { exchange, text, .. } => {
                let posts = &mut self.refused_posts;
                if let Some(refused) = exchange.and_then(|exchange| posts.get_mut(&exchange)) {
                    refused.snippet = text.chars().take(512).collect();
                }
            }
            Incoming::End { exchange, end } => {
                let refused = self.refused_posts.remove(&exchange);
                if let StreamEnd::Abandoned = end {
                    let end = StreamEnd::Abandoned;
                    self.session.push(Incoming::End { exchange, end });
                    self.accepted(exchange).await;
                    return None;
                }
                let error = match (end, refused) {
                    (StreamEnd::Failed(error), _) => Some(error),
                    (_, Some(refused)) => Some(refused.into_error()),
                    _ => None,
                };
                if let Some(error) = error {
                    // The stream is read later than this, and its response may have come.
                    while self.session.is_roomy()
                        && let Ok(item) = self.listening.incoming.try_recv()
                    {
                        if let Some(closed) = self.on_incoming(Some(item)).await {
                            return Some(closed);
                        }
                    }
                    let end = StreamEnd::Failed(error);
                    self.session.push(Incoming::End { exchange, end });
                }
                self.accepted(exchange).await;
            }
            Incoming::Parked { exchange, parked } => {
                self.session.push(Incoming::Parked { exchange, parked });
            }
            Incoming::Oversized { .. }
            | Incoming::Event { .. }
            | Incoming::OutputClosed
            | Incoming::Closed(_) => {}
        }
        None
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

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::{NoTap, Peer};

    /// The session's end of a bridge that knows where to post, and the server's ends of its two wires.
    fn bridge() -> (Wire, Peer, Peer) {
        let (session, far) = Wire::pair(Carrier::Pipe);
        let (listening, stream) = Wire::pair(Carrier::Http);
        let (posting, posts) = Wire::pair(Carrier::Http);
        let bridge = HttpSse {
            spec: HttpSpec::new("http://a.localhost/"),
            tap: Arc::new(NoTap::default()),
            commands: far.commands,
            session: SendQueue::new(far.incoming),
            listening,
            posting: Some(posting),
            queue: VecDeque::new(),
            in_flight: None,
            accept_deadline: Instant::now(),
            refused_stream: None,
            refused_posts: HashMap::new(),
        };
        tokio::spawn(bridge.run());
        (session, stream, posts)
    }

    async fn next_event(session: &mut Wire) -> Incoming {
        let event = timeout(Duration::from_secs(60), session.incoming.recv()).await;
        event.expect("an event comes").expect("the bridge runs")
    }

    fn message(exchange: u64) -> Command {
        Command::Send(Outgoing {
            exchange: ExchangeId(exchange),
            verb: Verb::Post,
            text: Some(Arc::default()),
            headers: Vec::new(),
            label: Label::default(),
        })
    }

    #[tokio::test(start_paused = true)]
    async fn refused_messages_hide_no_message_of_the_server() {
        let (mut session, stream, posts) = bridge();
        let refusals = [(1, "too long"), (2, "too many")];
        for (exchange, _) in refusals {
            let head = Incoming::Head {
                exchange: ExchangeId(exchange),
                status: 413,
                headers: Vec::new(),
                seq: Seq(0),
            };
            posts.incoming.send(head).await.unwrap();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        stream.deliver(Seq(1), "{}").await;
        assert!(matches!(
            next_event(&mut session).await,
            Incoming::Message { seq: Seq(1), .. }
        ));
        for (exchange, words) in refusals {
            let body = Incoming::NonMessage {
                exchange: ExchangeId(exchange),
                content_type: None,
                snippet: words.to_owned(),
                seq: Seq(0),
            };
            posts.incoming.send(body).await.unwrap();
        }
        for (exchange, words) in refusals {
            let exchange = ExchangeId(exchange);
            let end = StreamEnd::Complete;
            let end = Incoming::End { exchange, end };
            posts.incoming.send(end).await.unwrap();
            // The response may come before the request is refused.
            stream.deliver(Seq(exchange.0), "{}").await;
            let event = next_event(&mut session).await;
            assert!(matches!(event, Incoming::Message { .. }), "{event:?}");
            match next_event(&mut session).await {
                Incoming::End {
                    exchange: ended,
                    end: StreamEnd::Failed(WireError::Status { snippet, .. }),
                } => assert_eq!((ended, snippet.as_str()), (exchange, words)),
                other => panic!("unexpected event {other:?}"),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn messages_that_the_session_does_not_read_hold_back_no_command() {
        let (mut session, stream, mut posts) = bridge();
        let many = 4 * QUEUE as u64;
        tokio::spawn(async move {
            for seq in 1..=many {
                stream.deliver(Seq(seq), "{}").await;
            }
            std::future::pending::<()>().await;
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        session.commands.send(message(1)).await.unwrap();
        let posted = timeout(Duration::from_secs(60), posts.commands.recv()).await;
        assert!(matches!(posted, Ok(Some(Command::Send(_)))), "{posted:?}");
        for expected in 1..=many {
            match next_event(&mut session).await {
                Incoming::Message { seq, .. } => assert_eq!(seq, Seq(expected)),
                other => panic!("unexpected event {other:?}"),
            }
        }
    }
}
