//! One request and its response.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use reqwest::{
    Request, Response, StatusCode, Url, Version,
    header::{CONTENT_TYPE, HeaderMap, LOCATION},
};
use tokio_util::sync::CancellationToken;

use super::{
    authenticator::{
        self, AuthRequest, Authenticator, Credentials, MAX_AUTH_RETRIES, MAX_NONCE_RETRIES,
        Rejection, RetryDecision,
    },
    body,
    failure::classify,
    request::Requests,
};
use sonde_findings::{Finding, rules};

use crate::{
    Body, Direction, Entry, EntryKind, ExchangeId, Header, Incoming, Label, Limits, Outgoing,
    RedirectReason, Seq, StreamEnd, Tap, Verb, WireError, id_scan, json,
    queue::Sender,
    text::{BYTE_ORDER_MARK, beginning, text, whole_characters},
    unfinished::{Room, TRANSPORT_LIMIT, Unfinished},
};

/// Limit of redirects that one request follows.
pub(super) const REDIRECTS: u32 = 5;

/// Characters of a body that is not a message that the session gets.
const SNIPPET_CHARS: usize = 512;

/// Bytes of memory reserved at most because of a declared length.
const MAX_RESERVED: usize = 8 * 1024 * 1024;

/// Limit for reading the body of a rejection.
const REJECTION_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) struct Exchange {
    pub(super) id: ExchangeId,
    pub(super) requests: Arc<Requests>,
    /// Source of its credentials.
    pub(super) authenticator: Option<Arc<dyn Authenticator>>,
    pub(super) auth_request: AuthRequest,
    pub(super) outgoing: Outgoing,
    pub(super) limits: Limits,
    /// Shared by all exchanges of the transport.
    pub(super) room: Arc<Room>,
    /// Longest pause within a response's body.
    pub(super) idle: Option<Duration>,
    /// Events of a rejected response, held back from the session; dropped if the request is sent again.
    pub(super) held: Mutex<Option<Vec<Incoming>>>,
    /// Set if the exchange was killed: abandoning it then counts as a broken connection.
    pub(super) killed: Arc<AtomicBool>,
    pub(super) incoming: Sender<Incoming>,
    pub(super) tap: Arc<dyn Tap>,
    /// Set for this task when nobody wants the response any more.
    pub(super) abandon: CancellationToken,
    /// Set by this task when the server has dealt with the request.
    pub(super) settled: CancellationToken,
    /// The response should carry a message. A response to DELETE has none, and no protocol version defines its body.
    pub(super) expects_message: bool,
    /// The head of the response settles the request: a session that closes does not wait for the body.
    pub(super) settles_early: bool,
}

/// A request that is recorded and ready to be sent.
pub(super) struct Ready {
    request: Request,
    /// The headers as the log shows them, for requests that follow a redirect.
    shown: Vec<Header>,
    /// The token that the credentials were made from.
    token_id: u64,
    /// The credentials are valid only for this address.
    url_bound: bool,
}

/// The response to a request.
enum Answer {
    /// The response was read to its end, or broke.
    Read(Result<(), WireError>),
    /// The server rejected the request. Its events are held back.
    Rejected(Rejection, Result<(), WireError>),
}

/// Media types of a body, by its `Content-Type`.
pub(super) enum MediaType {
    Json,
    EventStream,
    /// No media type is declared: the body itself decides.
    Missing,
    Other(String),
}

impl Exchange {
    /// Sends the request, reads its response and reports the end.
    pub(super) async fn run(self, first: Option<Ready>) -> ExchangeId {
        let end = tokio::select! {
            biased;
            () = self.abandon.cancelled() => match self.killed.load(Ordering::Relaxed) {
                true => StreamEnd::Failed(WireError::Broken {
                    reason: "it was dropped on purpose".to_owned(),
                }),
                false => StreamEnd::Abandoned,
            },
            // Dropping the future closes its connection, which abandons the request.
            end = self.work(first) => match end {
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
                let text = "The rest of the response is not read.".to_owned();
                self.record(EntryKind::Note(text), Body::Empty, Vec::new());
            }
            StreamEnd::Complete => {}
        }
        match &end {
            // The session abandoned the request, so it does not get a rejection that was still being handled.
            StreamEnd::Abandoned => self.forget_held(),
            _ => self.release().await,
        }
        self.report(Incoming::End {
            exchange: self.id,
            end,
        })
        .await;
        self.id
    }

    /// Prepares the request and records it.
    pub(super) fn begin(&self, credentials: Option<Credentials>) -> Result<Ready, WireError> {
        let (extra, token_id, url_bound) = match &credentials {
            Some(credentials) => (
                credentials.headers.as_slice(),
                credentials.token_id,
                credentials.url_bound,
            ),
            None => (&[][..], 0, false),
        };
        let prepared = self.requests.prepare(&self.outgoing, extra)?;
        let shown = prepared.headers.clone();
        let outgoing = &self.outgoing;
        self.sent(
            EntryKind::RequestHead {
                verb: outgoing.verb,
                url: prepared.url,
                headers: prepared.headers,
            },
            Body::Empty,
            match &outgoing.text {
                // The entry of the message already has the label.
                Some(_) => Label::default(),
                None => outgoing.label.clone(),
            },
        );
        if let Some(text) = &outgoing.text {
            let body = Body::Text(Arc::clone(text));
            self.sent(EntryKind::Message, body, outgoing.label.clone());
        }
        Ok(Ready {
            request: prepared.request,
            shown,
            token_id,
            url_bound,
        })
    }

    /// Waits for credentials, then prepares and records the request.
    async fn begin_with_credentials(&self) -> Result<Ready, WireError> {
        let credentials = match &self.authenticator {
            Some(authenticator) => Some(match authenticator.try_credentials(&self.auth_request) {
                Some(credentials) => credentials,
                None => {
                    let parked = Parked::begin(self).await;
                    let credentials = authenticator.credentials(&self.auth_request).await;
                    parked.end().await;
                    credentials
                }
            }),
            None => None,
        };
        self.begin(credentials)
    }

    /// Sends the request until it is accepted or the rejection is final.
    async fn work(&self, first: Option<Ready>) -> Result<(), WireError> {
        let mut ready = match first {
            Some(ready) => ready,
            None => self.begin_with_credentials().await?,
        };
        let (mut retries, mut nonce_retries) = (0, 0);
        loop {
            let (mut rejection, result) = match self.send(ready).await? {
                Answer::Read(result) => return result,
                Answer::Rejected(rejection, result) => (rejection, result),
            };
            rejection.retries = retries;
            let decision = match &self.authenticator {
                Some(authenticator)
                    if retries < MAX_AUTH_RETRIES && nonce_retries < MAX_NONCE_RETRIES =>
                {
                    let parked = Parked::begin(self).await;
                    let decision = authenticator
                        .on_rejection(&self.auth_request, rejection)
                        .await;
                    parked.end().await;
                    decision
                }
                _ => RetryDecision::GiveUp,
            };
            match decision {
                RetryDecision::Retry => retries += 1,
                RetryDecision::RetryNonce => nonce_retries += 1,
                RetryDecision::GiveUp => {
                    self.release().await;
                    return result;
                }
            }
            self.forget_held();
            ready = self.begin_with_credentials().await?;
        }
    }

    async fn send(&self, ready: Ready) -> Result<Answer, WireError> {
        let Ready {
            mut request,
            mut shown,
            mut token_id,
            url_bound,
        } = ready;
        let mut followed = 0;
        loop {
            let again = request.try_clone();
            let address = request.url().clone();
            let response = self
                .requests
                .client()
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
            let next = (location.as_ref()).map(|location| self.follow(status, &address, location));
            if let Some(Ok(next)) = &next
                && followed < REDIRECTS
                && let Some(mut again) = again
            {
                followed += 1;
                let next = next.clone();
                if url_bound && let Some(credentials) = self.credentials_for(&next) {
                    let prepared = self
                        .requests
                        .prepare(&self.outgoing, &credentials.headers)?;
                    (again, shown, token_id) =
                        (prepared.request, prepared.headers, credentials.token_id);
                }
                self.sent(
                    EntryKind::RequestHead {
                        verb: self.outgoing.verb,
                        url: next.to_string(),
                        headers: shown.clone(),
                    },
                    Body::Empty,
                    Label::default(),
                );
                *again.url_mut() = next;
                request = again;
                continue;
            }
            let rejection = self.rejection(&response, token_id);
            if self.settles_early && rejection.is_none() {
                self.settled.cancel();
            }
            if rejection.is_some() {
                self.hold();
            }
            self.report(Incoming::Head {
                exchange: self.id,
                status: status.as_u16(),
                headers,
                seq,
            })
            .await;
            if let (Some(location), Some(next)) = (location, next) {
                return Err(not_followed(status, &address, location, next.err()));
            }
            let media_type = media_type(response.headers());
            let expected =
                self.expects_message && status.is_success() && status != StatusCode::ACCEPTED;
            let body = body::Body::new(response, self.idle);
            let Some(rejection) = rejection else {
                return Ok(Answer::Read(match media_type {
                    MediaType::EventStream => self.read_events(body).await,
                    media_type => self.read_body(body, media_type, expected).await,
                }));
            };
            // Whatever its `Content-Type`, the body is not a stream.
            let media_type = match media_type {
                MediaType::EventStream => MediaType::Other("text/event-stream".to_owned()),
                media_type => media_type,
            };
            let read = self.read_body(body, media_type, expected);
            let result = tokio::time::timeout(REJECTION_TIMEOUT, read)
                .await
                .unwrap_or(Ok(()));
            return Ok(Answer::Rejected(rejection, result));
        }
    }

    /// Returns the credentials of the same request at another address, if available at once.
    fn credentials_for(&self, url: &Url) -> Option<Credentials> {
        self.authenticator.as_ref()?.try_credentials(&AuthRequest {
            url: url.to_string(),
            ..self.auth_request.clone()
        })
    }

    /// Returns the rejection that the authenticator may handle, if the response is one. Ending a session is not worth a
    /// sign-in.
    fn rejection(&self, response: &Response, token_id: u64) -> Option<Rejection> {
        let authenticator = self.authenticator.as_ref()?;
        if self.outgoing.verb != Verb::Delete
            && let Some(rejection) =
                authenticator::rejection(response, self.requests.proxy().is_some())
        {
            return Some(Rejection {
                token_id,
                ..rejection
            });
        }
        let nonce = response
            .headers()
            .get(authenticator::DPOP_NONCE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()));
        authenticator.on_response(nonce.as_deref());
        None
    }

    /// Holds back all further events of the session.
    fn hold(&self) {
        *self.lock_held() = Some(Vec::new());
    }

    /// Drops the events that were held back.
    fn forget_held(&self) {
        *self.lock_held() = None;
    }

    /// Sends the events that were held back.
    async fn release(&self) {
        let held = self.lock_held().take();
        for item in held.into_iter().flatten() {
            self.report(item).await;
        }
    }

    fn lock_held(&self) -> MutexGuard<'_, Option<Vec<Incoming>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resolves the target of a redirect. It must be within the origin, since headers may hold secrets, and its status
    /// must repeat the request. Only 307 and 308 repeat a message: others turn it into a GET (RFC 9110, section 15.4).
    fn follow(
        &self,
        status: StatusCode,
        from: &Url,
        location: &str,
    ) -> Result<Url, RedirectReason> {
        let next = from.join(location).map_err(|_| RedirectReason::BadUrl)?;
        let repeats = matches!(status.as_u16(), 307 | 308) || self.outgoing.verb == Verb::Get;
        if next.origin() != from.origin() {
            Err(RedirectReason::AnotherOrigin)
        } else if !repeats {
            Err(RedirectReason::Method)
        } else {
            Ok(next)
        }
    }

    /// Reads a body that is one message, or none. `expected`: the status promises a message. The content of an error
    /// page or an acknowledgement causes no finding.
    async fn read_body(
        &self,
        mut body: body::Body,
        media_type: MediaType,
        expected: bool,
    ) -> Result<(), WireError> {
        let Collected {
            mut bytes,
            tail,
            size,
            broken,
        } = self.collect(&mut body, &media_type).await;
        // The limits of Sonde and damaged compression are no fault of the connection.
        let is_partial = matches!(broken, Some(body::Broken::Connection(_)));
        let broken = broken.map(|broken| self.broken(broken));
        if size == 0 {
            return broken.map_or(Ok(()), Err);
        }
        let mut found = Vec::new();
        if is_partial {
            found.push(Finding::new(&rules::PARTIAL_BODY));
        }
        let dropped = size - bytes.len() as u64;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            found.push(Finding::new(&rules::BOM));
        }
        let looks_like_message = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        let content_type = match media_type {
            MediaType::Json | MediaType::EventStream => Some("application/json".to_owned()),
            MediaType::Missing => None,
            MediaType::Other(media_type) => Some(media_type),
        };
        let message = match content_type.as_deref() {
            Some("application/json") if !looks_like_message => {
                if expected {
                    found.push(Finding::new(&rules::BODY_NOT_A_MESSAGE));
                }
                false
            }
            Some("application/json") => expected || says_message(&bytes),
            None if looks_like_message && expected => {
                found.push(Finding::new(&rules::NO_CONTENT_TYPE));
                true
            }
            None if looks_like_message => says_message(&bytes),
            other => {
                if expected {
                    found.push(
                        Finding::new(&rules::HTTP_NOT_A_MESSAGE)
                            .with("content_type", other.unwrap_or("(missing)")),
                    );
                }
                false
            }
        };
        let (bytes, dropped) = match dropped {
            0 => (bytes, 0),
            _ => {
                let bytes = whole_characters(bytes);
                let dropped = size - bytes.len() as u64;
                (bytes, dropped)
            }
        };
        if message && dropped > 0 {
            let id = id_scan::id(&bytes, &tail);
            self.oversized(bytes, id, size, found).await;
        } else if message && broken.is_none() {
            self.message(bytes, None, found).await;
        } else {
            let (body, text) = text(bytes, broken.is_some(), &mut found);
            let seq = self.tap.record(Entry {
                dropped,
                ..self.entry(EntryKind::NonMessage, body, found)
            });
            self.report(Incoming::NonMessage {
                exchange: self.id,
                content_type,
                snippet: beginning(&text, SNIPPET_CHARS),
                seq,
            })
            .await;
        }
        broken.map_or(Ok(()), Err)
    }

    /// Reads a body up to the limit, and beyond it without keeping it while its end may still hold the message's id.
    async fn collect(&self, source: &mut body::Body, media_type: &MediaType) -> Collected {
        let limit = match media_type {
            MediaType::Json | MediaType::Missing => self.limits.message_len(),
            MediaType::EventStream | MediaType::Other(_) => self.limits.kept,
        };
        let mut unfinished = Unfinished::new(&self.room);
        let expected = source.expected();
        let mut body = Collected {
            bytes: Vec::with_capacity(
                usize::try_from(expected)
                    .unwrap_or(0)
                    .min(limit)
                    .min(MAX_RESERVED),
            ),
            ..Collected::default()
        };
        loop {
            let chunk = match source.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(broken) => {
                    body.broken = Some(broken);
                    break;
                }
            };
            body.add(&chunk, limit);
            if body.size <= limit as u64 {
                if !unfinished.resize(body.bytes.capacity()) {
                    body.broken = Some(body::Broken::Wire(self.crowded()));
                    break;
                }
                continue;
            }
            // An endless body is abandoned at some point.
            if body.size > self.limits.message.saturating_mul(4) {
                body.broken = Some(body::Broken::Wire(WireError::TooLarge {
                    limit: self.limits.message,
                }));
                break;
            }
        }
        if body.size > limit as u64 {
            body.bytes.truncate(self.limits.kept);
        }
        body.bytes.shrink_to_fit();
        body
    }

    /// Records and reports a message above the limit.
    pub(super) async fn oversized(
        &self,
        bytes: Vec<u8>,
        id: Option<String>,
        size: u64,
        mut found: Vec<Finding>,
    ) {
        let limit = self.limits.message;
        if !found
            .iter()
            .any(|finding| finding.id() == rules::OVERSIZED.id)
        {
            found.push(Finding::new(&rules::OVERSIZED).with("limit", limit));
        }
        let dropped = size - bytes.len() as u64;
        let (body, head) = text(bytes, false, &mut found);
        let seq = self.tap.record(Entry {
            dropped,
            ..self.entry(EntryKind::NonMessage, body, found)
        });
        self.report(Incoming::Oversized {
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
        let (body, text) = text(bytes, false, &mut found);
        let seq = self.record(EntryKind::Message, body, found);
        self.report(Incoming::Message {
            exchange: Some(self.id),
            event_id,
            text,
            seq,
        })
        .await;
    }

    /// Sends an event to the session; ignores a session that is gone.
    pub(super) async fn report(&self, item: Incoming) {
        let item = match &mut *self.lock_held() {
            Some(held) => {
                held.push(item);
                return;
            }
            None => item,
        };
        let _ = self.incoming.send(item).await;
    }

    fn sent(&self, kind: EntryKind, body: Body, label: Label) {
        self.tap.record(Entry {
            direction: Direction::Out,
            label,
            ..self.entry(kind, body, Vec::new())
        });
    }

    pub(super) fn record(&self, kind: EntryKind, body: Body, found: Vec<Finding>) -> Seq {
        self.tap.record(self.entry(kind, body, found))
    }

    fn entry(&self, kind: EntryKind, body: Body, findings: Vec<Finding>) -> Entry {
        Entry {
            exchange: Some(self.id),
            findings,
            ..Entry::new(Direction::In, kind, body)
        }
    }

    /// Creates the error of a message whose rest has no room.
    pub(super) fn crowded(&self) -> WireError {
        WireError::Crowded {
            limit: TRANSPORT_LIMIT as u64,
        }
    }

    pub(super) fn broken(&self, broken: body::Broken) -> WireError {
        match broken {
            body::Broken::Connection(error) => self.failed(&error),
            body::Broken::Wire(error) => error,
        }
    }

    pub(super) fn failed(&self, error: &reqwest::Error) -> WireError {
        classify(error, self.requests.url(), self.requests.proxy())
    }
}

/// A request that waits for credentials. Dropping it notifies the session too.
struct Parked<'a> {
    exchange: &'a Exchange,
}

impl<'a> Parked<'a> {
    async fn begin(exchange: &'a Exchange) -> Self {
        Self::report(exchange, true).await;
        Self { exchange }
    }

    async fn end(self) {
        Self::report(self.exchange, false).await;
    }

    /// Sends the event at once, also while other events are held back.
    async fn report(exchange: &Exchange, parked: bool) {
        let item = Incoming::Parked {
            exchange: exchange.id,
            parked,
        };
        let _ = exchange.incoming.send(item).await;
    }
}

/// The bytes read from a body.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) bytes: Vec<u8>,
    /// The last bytes, if not all were kept.
    tail: Vec<u8>,
    pub(crate) size: u64,
    broken: Option<body::Broken>,
}

impl Collected {
    /// Counts a piece of the body, and keeps it up to `limit` bytes of all.
    pub(super) fn add(&mut self, piece: &[u8], limit: usize) {
        self.size += piece.len() as u64;
        let room = limit.saturating_sub(self.bytes.len()).min(piece.len());
        self.bytes.extend_from_slice(&piece[..room]);
        if self.size > limit as u64 {
            self.tail.extend_from_slice(piece);
            let surplus = self.tail.len().saturating_sub(id_scan::TAIL);
            self.tail.drain(..surplus);
        }
    }
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

/// Returns the target of a redirect; `None` if the response is not a redirect.
pub(super) fn redirect(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    let location = headers.get(LOCATION)?;
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
        .then(|| String::from_utf8_lossy(location.as_bytes()).into_owned())
}

/// Creates the error of a redirect that is not followed. `reason` is `None` if it could have been followed.
pub(super) fn not_followed(
    status: StatusCode,
    from: &Url,
    location: String,
    reason: Option<RedirectReason>,
) -> WireError {
    WireError::Redirect {
        status: status.as_u16(),
        location: from.join(&location).map_or(location, String::from),
        reason: reason.unwrap_or(RedirectReason::TooMany),
    }
}

/// True if JSON that is not expected to be a message declares itself one, or is a batch whose first item does. OAuth
/// and HTTP APIs report their errors in JSON of other shapes, and some repeat the request inside it.
pub(crate) fn says_message(json: &[u8]) -> bool {
    let json = json.trim_ascii_start();
    let first = json.strip_prefix(b"[").unwrap_or(json);
    json::members(first.trim_ascii_start())
        .is_some_and(|found| found.members.iter().any(|(key, _)| *key == br#""jsonrpc""#))
}

/// Returns the media type, which each response chooses for itself (protocol: Streamable HTTP, POST).
pub(super) fn media_type(headers: &HeaderMap) -> MediaType {
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

pub(super) fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "HTTP/0.9",
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2.0",
        Version::HTTP_3 => "HTTP/3.0",
        _ => "HTTP/1.1",
    }
}
