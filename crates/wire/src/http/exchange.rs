//! One request and its answer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use reqwest::{
    Client, Request, StatusCode, Url, Version,
    header::{CONTENT_TYPE, HeaderMap, LOCATION},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{body, failure::classify};
use crate::{
    Body, Direction, Entry, EntryKind, ExchangeId, Finding, Header, Incoming, Label, Limits, Seq,
    StreamEnd, Tap, Verb, WireError, findings, peek,
    text::{BYTE_ORDER_MARK, beginning, text, whole_characters},
};

/// How many redirects of one request are followed.
const REDIRECTS: u32 = 5;

/// How much of a body that is no message is told to the session, in characters.
const SNIPPET: usize = 512;

/// How much memory a body gets because of its declared length alone, in bytes.
const BELIEVED: usize = 8 * 1024 * 1024;

pub(super) struct Exchange {
    pub(super) id: ExchangeId,
    pub(super) client: Client,
    pub(super) address: String,
    pub(super) host: String,
    pub(super) limits: Limits,
    /// The longest silence of an answer's body.
    pub(super) idle: Option<Duration>,
    pub(super) verb: Verb,
    /// The headers as the log shows them, for requests that follow a redirect.
    pub(super) shown: Vec<Header>,
    /// Being abandoned counts as a broken connection.
    pub(super) killed: Arc<AtomicBool>,
    pub(super) incoming: mpsc::Sender<Incoming>,
    pub(super) tap: Arc<dyn Tap>,
    /// Set for this task when nobody wants the answer any more.
    pub(super) abandon: CancellationToken,
    /// Set by this task when the server has dealt with the request.
    pub(super) settled: CancellationToken,
    /// The head of the answer settles it already: what follows is not waited for at the end.
    pub(super) settles_early: bool,
}

/// What a `Content-Type` says about a body.
enum MediaType {
    Json,
    EventStream,
    /// Not said: the body has to speak for itself.
    Missing,
    Other(String),
}

impl Exchange {
    /// Sends the request, reads its answer and says how it ended.
    pub(super) async fn run(self, request: Request) -> ExchangeId {
        let end = tokio::select! {
            biased;
            () = self.abandon.cancelled() => match self.killed.load(Ordering::Relaxed) {
                true => StreamEnd::Failed(WireError::Broken {
                    reason: "it was cut on purpose".to_owned(),
                }),
                false => StreamEnd::Abandoned,
            },
            // Dropping the answer closes its connection: that is how it is abandoned.
            end = self.send(request) => match end {
                Ok(()) => StreamEnd::Complete,
                Err(error) => StreamEnd::Failed(error),
            },
        };
        self.settled.cancel();
        let complete = matches!(end, StreamEnd::Complete);
        tracing::debug!(exchange = self.id.0, complete, "an exchange is over");
        match &end {
            StreamEnd::Failed(error) => {
                self.record(EntryKind::Note(error.to_string()), Body::Empty, Vec::new());
            }
            StreamEnd::Abandoned => {
                let text = "The answer is not read any further.".to_owned();
                self.record(EntryKind::Note(text), Body::Empty, Vec::new());
            }
            StreamEnd::Complete => {}
        }
        self.tell(Incoming::End {
            exchange: self.id,
            end,
        })
        .await;
        self.id
    }

    async fn send(&self, mut request: Request) -> Result<(), WireError> {
        let mut followed = 0;
        loop {
            let again = request.try_clone();
            let address = request.url().clone();
            let response = self
                .client
                .execute(request)
                .await
                .map_err(|error| self.failed(&error))?;
            let status = response.status();
            let headers = all_headers(response.headers());
            let seq = self.record(
                EntryKind::ResponseHead {
                    status: status.as_u16(),
                    version: version(response.version()),
                    headers: headers.clone(),
                },
                Body::Empty,
                Vec::new(),
            );
            let location = redirect(status, response.headers());
            if let Some(location) = &location
                && followed < REDIRECTS
                && let Some(next) = self.follow(status, &address, location)
                && let Some(mut again) = again
            {
                followed += 1;
                self.tap.record(Entry {
                    direction: Direction::Out,
                    ..self.entry(
                        EntryKind::RequestHead {
                            verb: self.verb,
                            url: next.to_string(),
                            headers: self.shown.clone(),
                        },
                        Body::Empty,
                        Vec::new(),
                    )
                });
                *again.url_mut() = next;
                request = again;
                continue;
            }
            if self.settles_early {
                self.settled.cancel();
            }
            self.tell(Incoming::Head {
                exchange: self.id,
                status: status.as_u16(),
                headers,
                seq,
            })
            .await;
            if let Some(location) = location {
                return Err(WireError::Redirect { location });
            }
            let media_type = media_type(response.headers());
            let body = body::Body::new(response, self.idle);
            return match media_type {
                MediaType::EventStream => self.read_events(body).await,
                media_type => self.read_body(body, media_type).await,
            };
        }
    }

    /// Where a redirect may be followed to: within the origin, since headers may hold secrets, and
    /// only when the same request is asked for again. A message is repeated for 307 and 308 alone:
    /// the others turn it into a GET (RFC 9110, section 15.4).
    fn follow(&self, status: StatusCode, from: &Url, location: &str) -> Option<Url> {
        let next = from.join(location).ok()?;
        let same = next.origin() == from.origin();
        let repeats = matches!(status.as_u16(), 307 | 308) || self.verb == Verb::Get;
        (same && repeats).then_some(next)
    }

    /// Reads a body that is one message, or none.
    async fn read_body(
        &self,
        mut body: body::Body,
        media_type: MediaType,
    ) -> Result<(), WireError> {
        let Collected {
            mut bytes,
            tail,
            size,
            broken,
        } = self.collect(&mut body, &media_type).await;
        if size == 0 {
            return broken.map_or(Ok(()), Err);
        }
        let mut found = Vec::new();
        if broken.is_some() {
            found.push(findings::partial_body());
        }
        let dropped = size - bytes.len() as u64;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            found.push(findings::bom());
        }
        let looks_like_message = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        let content_type = match media_type {
            MediaType::Json | MediaType::EventStream => Some("application/json".to_owned()),
            MediaType::Missing => None,
            MediaType::Other(media_type) => Some(media_type),
        };
        let message = match content_type.as_deref() {
            Some("application/json") if !looks_like_message => {
                found.push(findings::body_not_a_message());
                false
            }
            Some("application/json") => true,
            None if looks_like_message => {
                found.push(findings::no_content_type());
                true
            }
            other => {
                found.push(findings::http_not_a_message(other));
                false
            }
        };
        if dropped > 0 {
            self.cut(bytes, &tail, size, message, content_type, found)
                .await;
        } else if message && broken.is_none() {
            self.message(bytes, None, found).await;
        } else {
            let (body, text) = text(bytes, &mut found);
            let seq = self.record(EntryKind::Noise, body, found);
            self.noise(content_type, &text, seq).await;
        }
        broken.map_or(Ok(()), Err)
    }

    /// Reads a body up to the limit, and on without keeping it where its end may still tell the
    /// message's id.
    async fn collect(&self, source: &mut body::Body, media_type: &MediaType) -> Collected {
        let limit = match media_type {
            MediaType::Json | MediaType::Missing => self.limits.message_len(),
            MediaType::EventStream | MediaType::Other(_) => self.limits.kept,
        };
        let expected = source.expected();
        let mut body = Collected {
            bytes: Vec::with_capacity(
                usize::try_from(expected)
                    .unwrap_or(0)
                    .min(limit)
                    .min(BELIEVED),
            ),
            tail: Vec::new(),
            size: 0,
            broken: None,
        };
        loop {
            let chunk = match source.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => {
                    body.broken = Some(self.broken(error));
                    break;
                }
            };
            body.size += chunk.len() as u64;
            if body.size <= limit as u64 {
                body.bytes.extend_from_slice(&chunk);
                continue;
            }
            let room = limit.saturating_sub(body.bytes.len()).min(chunk.len());
            if room > 0 {
                body.bytes.extend_from_slice(&chunk[..room]);
            }
            body.tail.extend_from_slice(&chunk);
            let surplus = body.tail.len().saturating_sub(peek::TAIL);
            body.tail.drain(..surplus);
            // An endless body is given up in the end.
            if body.size > self.limits.message.saturating_mul(4) {
                body.broken = Some(WireError::TooLarge {
                    limit: self.limits.message,
                });
                break;
            }
        }
        if body.size > limit as u64 {
            body.bytes.truncate(self.limits.kept);
        }
        body.bytes.shrink_to_fit();
        body
    }

    /// Records and tells a body that is too large to be kept.
    async fn cut(
        &self,
        bytes: Vec<u8>,
        tail: &[u8],
        size: u64,
        message: bool,
        content_type: Option<String>,
        mut found: Vec<Finding>,
    ) {
        let bytes = whole_characters(bytes);
        let dropped = size - bytes.len() as u64;
        if message {
            self.oversized(bytes, tail, size, found).await;
            return;
        }
        let (body, text) = text(bytes, &mut found);
        let seq = self.tap.record(Entry {
            dropped,
            ..self.entry(EntryKind::Noise, body, found)
        });
        self.noise(content_type, &text, seq).await;
    }

    /// Records and tells a message above the limit.
    async fn oversized(&self, bytes: Vec<u8>, tail: &[u8], size: u64, found: Vec<Finding>) {
        let id = peek::id(&bytes, tail);
        self.oversized_with(bytes, id, size, found).await;
    }

    pub(super) async fn oversized_with(
        &self,
        bytes: Vec<u8>,
        id: Option<String>,
        size: u64,
        mut found: Vec<Finding>,
    ) {
        let limit = self.limits.message;
        if !found.iter().any(|finding| finding.code == "oversized") {
            found.push(findings::oversized(limit));
        }
        let dropped = size - bytes.len() as u64;
        let (body, head) = text(bytes, &mut found);
        let seq = self.tap.record(Entry {
            dropped,
            ..self.entry(EntryKind::Noise, body, found)
        });
        self.tell(Incoming::Oversized {
            exchange: Some(self.id),
            id,
            head: head.as_str().to_owned(),
            size,
            limit,
            seq,
        })
        .await;
    }

    /// Records and delivers a message.
    pub(super) async fn message(
        &self,
        bytes: Vec<u8>,
        event_id: Option<Arc<str>>,
        mut found: Vec<Finding>,
    ) {
        let (body, text) = text(bytes, &mut found);
        let seq = self.record(EntryKind::Message, body, found);
        self.tell(Incoming::Message {
            exchange: Some(self.id),
            event_id,
            text,
            seq,
        })
        .await;
    }

    async fn noise(&self, content_type: Option<String>, text: &str, seq: Seq) {
        self.tell(Incoming::Noise {
            exchange: self.id,
            content_type,
            snippet: beginning(text, SNIPPET),
            seq,
        })
        .await;
    }

    /// A session that is gone needs to know nothing.
    pub(super) async fn tell(&self, item: Incoming) {
        let _ = self.incoming.send(item).await;
    }

    pub(super) fn record(&self, kind: EntryKind, body: Body, found: Vec<Finding>) -> Seq {
        self.tap.record(self.entry(kind, body, found))
    }

    fn entry(&self, kind: EntryKind, body: Body, findings: Vec<Finding>) -> Entry {
        Entry {
            direction: Direction::In,
            kind,
            body,
            dropped: 0,
            exchange: Some(self.id),
            label: Label::default(),
            findings,
        }
    }

    pub(super) fn broken(&self, broken: body::Broken) -> WireError {
        match broken {
            body::Broken::Connection(error) => self.failed(&error),
            body::Broken::Wire(error) => error,
        }
    }

    pub(super) fn failed(&self, error: &reqwest::Error) -> WireError {
        classify(error, &self.address, &self.host)
    }
}

/// What was read of a body.
struct Collected {
    bytes: Vec<u8>,
    /// The last bytes, where not all were kept.
    tail: Vec<u8>,
    size: u64,
    broken: Option<WireError>,
}

pub(crate) fn all_headers(headers: &HeaderMap) -> Vec<Header> {
    headers
        .iter()
        .map(|(name, value)| Header {
            name: name.as_str().to_owned(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
        .collect()
}

/// Where a redirect leads; `None` if it is none.
fn redirect(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    let location = headers.get(LOCATION)?;
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
        .then(|| String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Decided for each answer anew (protocol: Streamable HTTP, POST).
fn media_type(headers: &HeaderMap) -> MediaType {
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return MediaType::Missing;
    };
    let value = String::from_utf8_lossy(value.as_bytes());
    let essence = value.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "text/event-stream" => MediaType::EventStream,
        "application/json" => MediaType::Json,
        json if json.starts_with("application/") && json.ends_with("+json") => MediaType::Json,
        "" => MediaType::Missing,
        other => MediaType::Other(other.to_owned()),
    }
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "HTTP/0.9",
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2.0",
        Version::HTTP_3 => "HTTP/3.0",
        _ => "HTTP/1.1",
    }
}
