//! WebSocket as a custom transport: one text frame is one message. No protocol version
//! defines it; the SDKs ship it with the subprotocol `mcp`.
//!
//! The opening handshake is an HTTP request like all others, so that proxies, certificates and
//! headers work as with HTTP (RFC 6455, section 4.1).

use std::{collections::VecDeque, sync::Arc, time::Duration};

use futures_util::{SinkExt as _, StreamExt as _, stream::SplitSink};
use reqwest::{
    Response, Url,
    header::{
        CONNECTION, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
        SEC_WEBSOCKET_VERSION, UPGRADE,
    },
};
use tokio::{sync::mpsc, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        self, Message,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{Role, WebSocketConfig},
    },
};

use sonde_findings::{Finding, rules};

use crate::{
    Body, Carrier, Closed, Command, Direction, Entry, EntryKind, ExchangeId, Header, Incoming,
    Outgoing, Peer, QUEUE, StreamEnd, Tap, Verb, Wire, WireError,
    http::{self, AuthRequest, HttpSpec, RetryDecision},
    queue::{QUEUE_BYTES, Sender, Weigh},
    text::{beginning, text, whole_characters},
};

/// The exchange of the opening handshake. Sessions count from 1.
const OPENING: ExchangeId = ExchangeId(0);

/// WebSocket subprotocol that both ends use.
const SUBPROTOCOL: &str = "mcp";

/// Characters of a refusal's body that the session gets.
const SNIPPET_CHARS: usize = 512;

/// Limit for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

type Socket = WebSocketStream<reqwest::Upgraded>;

/// Prepares a transport and connects. Call it inside a tokio runtime.
///
/// # Errors
///
/// [`WireError::BadUrl`], [`WireError::BadHeader`] and [`WireError::BadSetting`].
pub fn open(spec: HttpSpec, tap: Arc<dyn Tap>) -> Result<Wire, WireError> {
    let address = as_http(&spec.url)?;
    let prepared = http::UpgradeRequest::new(&HttpSpec {
        url: address,
        http1_only: true,
        ..spec.clone()
    })?;
    let (wire, far) = Wire::pair(Carrier::Pipe);
    let line = Line {
        far,
        tap,
        spec,
        waiting: VecDeque::new(),
    };
    tokio::spawn(line.run(prepared));
    Ok(wire)
}

/// Converts a `ws` or `wss` address to the `http` or `https` address that reaches it.
fn as_http(address: &str) -> Result<String, WireError> {
    let bad = |reason: String| WireError::BadUrl {
        url: address.to_owned(),
        reason,
    };
    let url = Url::parse(address.trim()).map_err(|error| bad(error.to_string()))?;
    let rest = url.as_str().split_once(':').map_or("", |(_, rest)| rest);
    match url.scheme() {
        "ws" => Ok(format!("http:{rest}")),
        "wss" => Ok(format!("https:{rest}")),
        _ => Err(bad("it does not start with ws:// or wss://".to_owned())),
    }
}

struct Line {
    far: Peer,
    tap: Arc<dyn Tap>,
    spec: HttpSpec,
    /// Messages that the session sent and that are not recorded yet.
    waiting: VecDeque<Outgoing>,
}

impl Line {
    async fn run(mut self, upgrade: http::UpgradeRequest) {
        let closed = match self.connect(upgrade).await {
            Ok(Some(socket)) => self.work(socket).await,
            Ok(None) => Closed::Requested { exit: None },
            Err(error) => {
                self.record(
                    Direction::In,
                    EntryKind::Note(error.to_string()),
                    Body::Empty,
                    Vec::new(),
                );
                Closed::Failed(error)
            }
        };
        let _ = self.far.incoming.send(Incoming::Closed(closed)).await;
    }

    /// Sends the upgrade until the server accepts it or its rejection is final. `None` if the session closed meanwhile.
    async fn send_upgrade(
        &mut self,
        upgrade: &http::UpgradeRequest,
        own: &[Header],
    ) -> Result<Option<Response>, WireError> {
        let authenticator = self.spec.authenticator.clone();
        let auth_request = AuthRequest {
            exchange: OPENING,
            verb: Verb::Get,
            url: upgrade.url(),
            operation: None,
        };
        let (mut retries, mut nonce_retries) = (0, 0);
        loop {
            let credentials = match &authenticator {
                Some(authenticator) => match authenticator.try_credentials(&auth_request) {
                    Some(credentials) => Some(credentials),
                    None => {
                        self.park(true).await;
                        let Some(credentials) = self
                            .meanwhile(authenticator.credentials(&auth_request))
                            .await
                        else {
                            return Ok(None);
                        };
                        self.park(false).await;
                        Some(credentials)
                    }
                },
                None => None,
            };
            let extra = credentials
                .as_ref()
                .map_or(&[][..], |credentials| &credentials.headers);
            let (request, shown) = upgrade.send_upgrade(own, extra)?;
            self.record(
                Direction::Out,
                EntryKind::RequestHead {
                    verb: Verb::Get,
                    url: self.spec.url.clone(),
                    headers: shown,
                },
                Body::Empty,
                Vec::new(),
            );
            let Some(response) = self.meanwhile(upgrade.execute(request)).await else {
                return Ok(None);
            };
            let response = response?;
            self.record_answer(&response);
            let token_id = credentials.map_or(0, |credentials| credentials.token_id);
            let Some((authenticator, mut rejection)) =
                authenticator.as_ref().zip(upgrade.rejection(&response))
            else {
                return Ok(Some(response));
            };
            rejection.token_id = token_id;
            rejection.retries = retries;
            if retries == http::MAX_AUTH_RETRIES || nonce_retries == http::MAX_NONCE_RETRIES {
                return Ok(Some(response));
            }
            self.park(true).await;
            let Some(decision) = self
                .meanwhile(authenticator.on_rejection(&auth_request, rejection))
                .await
            else {
                return Ok(None);
            };
            self.park(false).await;
            match decision {
                RetryDecision::Retry => retries += 1,
                RetryDecision::RetryNonce => nonce_retries += 1,
                RetryDecision::GiveUp => return Ok(Some(response)),
            }
        }
    }

    /// Awaits a future before the socket is open. Messages are kept for later; `None` if the session closed meanwhile.
    async fn meanwhile<T>(&mut self, awaited: impl Future<Output = T>) -> Option<T> {
        let mut awaited = std::pin::pin!(awaited);
        loop {
            let room = self.has_room();
            tokio::select! {
                biased;
                value = &mut awaited => return Some(value),
                () = self.far.incoming.closed() => return None,
                command = self.far.commands.recv(), if room => match command {
                    Some(Command::Send(outgoing)) => self.waiting.push_back(outgoing),
                    Some(Command::Abandon(exchange)) => {
                        self.waiting.retain(|outgoing| outgoing.exchange != exchange);
                        let end = StreamEnd::Abandoned;
                        let _ = self.far.incoming.send(Incoming::End { exchange, end }).await;
                    }
                    Some(Command::Kill | Command::Close) | None => return None,
                },
            }
        }
    }

    /// Returns true if one more message may wait.
    fn has_room(&self) -> bool {
        let bytes: usize = self.waiting.iter().map(Weigh::weight).sum();
        self.waiting.len() < QUEUE && bytes < QUEUE_BYTES as usize
    }

    async fn park(&self, parked: bool) {
        let item = Incoming::Parked {
            exchange: OPENING,
            parked,
        };
        let _ = self.far.incoming.send(item).await;
    }

    fn record_answer(&self, response: &Response) {
        let status = response.status().as_u16();
        let selected = response
            .headers()
            .get(SEC_WEBSOCKET_PROTOCOL)
            .map(HeaderValue::as_bytes);
        let mut found = Vec::new();
        if status == 101 && selected != Some(SUBPROTOCOL.as_bytes()) {
            found.push(Finding::new(&rules::NO_SUBPROTOCOL));
        }
        self.record(
            Direction::In,
            EntryKind::ResponseHead {
                status,
                version: "HTTP/1.1",
                headers: http::all_headers(response.headers()),
            },
            Body::Empty,
            found,
        );
    }

    /// Opens the socket. `None` if the session closed meanwhile.
    async fn connect(
        &mut self,
        upgrade: http::UpgradeRequest,
    ) -> Result<Option<Socket>, WireError> {
        let key = generate_key();
        let own = [
            (CONNECTION, "Upgrade"),
            (UPGRADE, "websocket"),
            (SEC_WEBSOCKET_VERSION, "13"),
            (SEC_WEBSOCKET_KEY, key.as_str()),
            (SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL),
        ]
        .map(|(name, value)| Header {
            name: name.as_str().to_owned(),
            value: value.to_owned(),
        });
        let response = match self.send_upgrade(&upgrade, &own).await? {
            Some(response) => response,
            None => return Ok(None),
        };
        let status = response.status().as_u16();
        let accepts = response
            .headers()
            .get(SEC_WEBSOCKET_ACCEPT)
            .is_some_and(|value| value.as_bytes() == derive_accept_key(key.as_bytes()).as_bytes());
        let content_type = response
            .headers()
            .get(reqwest::header::CONTENT_TYPE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        if status != 101 {
            let kept = self.spec.limits.kept;
            let mut refusal = http::Collected::default();
            let read = upgrade.read_refusal(response, kept, &mut refusal);
            let complete = self.meanwhile(read).await;
            let http::Collected {
                mut bytes, size, ..
            } = refusal;
            if size > bytes.len() as u64 {
                bytes = whole_characters(bytes);
            }
            let dropped = size - bytes.len() as u64;
            let (body, refusal) = text(bytes, true, &mut Vec::new());
            if size > 0 {
                let broken = complete == Some(false);
                let findings = broken.then(|| Finding::new(&rules::PARTIAL_BODY));
                self.tap.record(Entry {
                    dropped,
                    exchange: Some(OPENING),
                    findings: findings.into_iter().collect(),
                    ..Entry::new(Direction::In, EntryKind::NonMessage, body)
                });
            }
            if complete.is_none() {
                return Ok(None);
            }
            return Err(WireError::Status {
                status,
                content_type,
                snippet: beginning(&refusal, SNIPPET_CHARS),
            });
        }
        if !accepts {
            return Err(WireError::Broken {
                reason: "the server's `Sec-WebSocket-Accept` does not match".to_owned(),
            });
        }
        let upgraded = response
            .upgrade()
            .await
            .map_err(|error| upgrade.failed(&error))?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(self.spec.limits.message_len()))
            .max_frame_size(Some(self.spec.limits.message_len()));
        Ok(Some(
            WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await,
        ))
    }

    async fn work(&mut self, socket: Socket) -> Closed {
        let (out, mut coming) = socket.split();
        // A separate task writes, so that messages are still read here while the server does not read.
        let (to_writer, messages) = mpsc::channel(1);
        let mut writer = tokio::spawn(write(out, messages, self.far.incoming.clone()));
        let mut held = None;
        let closed = loop {
            if held.is_none() {
                held = self.next_message().await;
            }
            let room = self.has_room();
            tokio::select! {
                biased;
                permit = to_writer.reserve(), if held.is_some() => match (permit, held.take()) {
                    (Ok(permit), Some(message)) => permit.send(message),
                    _ => break Closed::Disconnected { reason: None },
                },
                () = self.far.incoming.closed() => break Closed::Requested { exit: None },
                command = self.far.commands.recv(), if room => match command {
                    Some(Command::Send(outgoing)) => self.waiting.push_back(outgoing),
                    Some(Command::Abandon(_)) => {}
                    Some(Command::Kill) => {
                        writer.abort();
                        break Closed::Failed(WireError::Broken {
                            reason: "it was dropped on purpose".to_owned(),
                        });
                    }
                    Some(Command::Close) | None => break Closed::Requested { exit: None },
                },
                message = coming.next() => match message {
                    Some(Ok(message)) => {
                        if let Some(closed) = self.received(message).await {
                            break closed;
                        }
                    }
                    Some(Err(tungstenite::Error::ConnectionClosed)) | None => {
                        break Closed::Disconnected { reason: None };
                    }
                    Some(Err(error)) => {
                        let error = wire_error(&error);
                        let note = EntryKind::Note(error.to_string());
                        self.record(Direction::In, note, Body::Empty, Vec::new());
                        break Closed::Failed(error);
                    }
                },
            }
        };
        // The writer sends what the session sent before it closed, then the closing handshake, if the server lets it.
        let finish = async {
            if matches!(closed, Closed::Requested { .. }) {
                loop {
                    if held.is_none() {
                        held = self.next_message().await;
                    }
                    let Some(message) = held.take() else { break };
                    if to_writer.send(message).await.is_err() {
                        break;
                    }
                }
            }
            drop(to_writer);
            let _ = (&mut writer).await;
        };
        if timeout(CLOSE_TIMEOUT, finish).await.is_err() {
            writer.abort();
        }
        closed
    }

    /// Checks and records the next message. It is recorded before it is sent.
    async fn next_message(&mut self) -> Option<(ExchangeId, Message)> {
        while let Some(outgoing) = self.waiting.pop_front() {
            let exchange = outgoing.exchange;
            let (Verb::Post, Some(text)) = (outgoing.verb, outgoing.text) else {
                let end = StreamEnd::Failed(WireError::Unsupported {
                    reason: "a WebSocket takes messages only",
                });
                self.report(Incoming::End { exchange, end }).await;
                continue;
            };
            let body = Body::Text(Arc::clone(&text));
            self.tap.record(Entry {
                exchange: Some(exchange),
                label: outgoing.label,
                ..Entry::new(Direction::Out, EntryKind::Message, body)
            });
            return Some((exchange, Message::text(text.as_str())));
        }
        None
    }

    async fn received(&self, message: Message) -> Option<Closed> {
        match message {
            Message::Text(frame) => {
                let frame = frame.as_str().to_owned();
                if matches!(frame.trim_start().as_bytes().first(), Some(b'{' | b'[')) {
                    let text = Arc::new(frame);
                    let body = Body::Text(Arc::clone(&text));
                    let seq = self.record(Direction::In, EntryKind::Message, body, Vec::new());
                    self.report(Incoming::Message {
                        exchange: None,
                        event_id: None,
                        text,
                        seq,
                    })
                    .await;
                } else {
                    let found = vec![Finding::new(&rules::BODY_NOT_A_MESSAGE)];
                    let body = Body::Text(frame.into());
                    self.record(Direction::In, EntryKind::NonMessage, body, found);
                }
            }
            Message::Binary(bytes) => {
                let found = vec![Finding::new(&rules::BINARY_FRAME)];
                self.record(
                    Direction::In,
                    EntryKind::NonMessage,
                    Body::Bytes(bytes),
                    found,
                );
            }
            Message::Close(frame) => {
                let reason = frame.map(|frame| {
                    let code = u16::from(frame.code);
                    format!("code {code}, “{}”", beginning(&frame.reason, 200))
                });
                let words = match &reason {
                    Some(reason) => format!("The server closes the connection: {reason}."),
                    None => "The server closes the connection.".to_owned(),
                };
                let note = EntryKind::Note(words);
                self.record(Direction::In, note, Body::Empty, Vec::new());
                return Some(Closed::Disconnected { reason });
            }
            // The library answers these frames.
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
        None
    }

    async fn report(&self, item: Incoming) {
        let _ = self.far.incoming.send(item).await;
    }

    fn record(
        &self,
        direction: Direction,
        kind: EntryKind,
        body: Body,
        findings: Vec<Finding>,
    ) -> crate::Seq {
        self.tap.record(Entry {
            findings,
            ..Entry::new(direction, kind, body)
        })
    }
}

/// Sends message after message, then the closing handshake.
async fn write(
    mut out: SplitSink<Socket, Message>,
    mut messages: mpsc::Receiver<(ExchangeId, Message)>,
    incoming: Sender<Incoming>,
) {
    while let Some((exchange, message)) = messages.recv().await {
        if let Err(error) = out.send(message).await {
            let end = StreamEnd::Failed(wire_error(&error));
            let _ = incoming.send(Incoming::End { exchange, end }).await;
        }
    }
    let _ = out.close().await;
}

fn wire_error(error: &tungstenite::Error) -> WireError {
    match error {
        tungstenite::Error::Capacity(tungstenite::error::CapacityError::MessageTooLong {
            max_size,
            ..
        }) => WireError::TooLarge {
            limit: *max_size as u64,
        },
        other => WireError::Broken {
            reason: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    #[test]
    fn waiting_messages_are_limited_in_bytes() {
        let (_wire, far) = Wire::memory();
        let mut line = Line {
            far,
            tap: Arc::new(crate::NoTap::default()),
            spec: HttpSpec::new("ws://h/"),
            waiting: VecDeque::new(),
        };
        assert!(line.has_room());
        line.waiting.push_back(Outgoing {
            exchange: ExchangeId(1),
            verb: Verb::Post,
            text: Some(Arc::new("x".repeat(QUEUE_BYTES as usize))),
            headers: Vec::new(),
            label: Label::default(),
        });
        assert!(!line.has_room());
    }

    #[test]
    fn addresses() {
        assert_eq!(as_http("ws://h:1/p?q").unwrap(), "http://h:1/p?q");
        assert_eq!(as_http(" wss://h/ ").unwrap(), "https://h/");
        for bad in ["http://h/", "h", "", "ws:"] {
            assert!(
                matches!(as_http(bad), Err(WireError::BadUrl { .. })),
                "{bad}"
            );
        }
    }
}
