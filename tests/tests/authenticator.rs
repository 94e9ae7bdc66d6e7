//! Requests whose credentials a server rejects, at the level below tokens: a request is parked and sent again on the
//! authenticator's decision, and the session does not see the rejection.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::sync::{Arc, Mutex};

use ::http as http_types;
use futures_util::{StreamExt as _, future::BoxFuture};
use sonde_tests::{
    http_peer::{HttpPeer, Reply, Request},
    record::{
        Recorder, abandon, close, end, failure, next, next_text, outgoing, requested, status, tell,
        within,
    },
};
use sonde_wire::{
    Command, ExchangeId, Header, Incoming, StreamEnd, Verb, Wire, WireError,
    http::{self, AuthRequest, Authenticator, Credentials, HttpSpec, Rejection, RetryDecision},
    http_sse, open_by_scheme,
};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::{
    Message,
    handshake::server::{ErrorResponse, Request as Asked, Response},
};

/// Sends the newest of its keys. Handling a rejection waits for a newer key.
struct NumberedKeys {
    newest: watch::Sender<u64>,
    rejections: Mutex<Vec<Rejection>>,
    /// Number of the last key, after which rejections are final.
    last: u64,
}

impl NumberedKeys {
    /// Keys from 1 to `last`.
    fn up_to(last: u64) -> Arc<Self> {
        Arc::new(Self {
            newest: watch::Sender::new(1),
            rejections: Mutex::default(),
            last,
        })
    }

    fn next(&self) {
        self.newest.send_modify(|key| *key += 1);
    }

    fn rejections(&self) -> Vec<(u16, u64, u32)> {
        let rejections = self.rejections.lock().unwrap();
        rejections
            .iter()
            .map(|rejection| (rejection.status, rejection.token_id, rejection.retries))
            .collect()
    }
}

impl Authenticator for NumberedKeys {
    fn try_credentials(&self, request: &AuthRequest) -> Option<Credentials> {
        let token = *self.newest.borrow();
        let header = |name: &str, value| Header {
            name: name.to_owned(),
            value,
        };
        Some(Credentials {
            headers: vec![
                header("Authorization", format!("Key {token}")),
                header("Made-For", request.url.clone()),
            ],
            token_id: token,
            url_bound: true,
        })
    }

    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> BoxFuture<'a, Credentials> {
        Box::pin(async { self.try_credentials(request).unwrap() })
    }

    fn on_rejection<'a>(
        &'a self,
        _: &'a AuthRequest,
        rejection: Rejection,
    ) -> BoxFuture<'a, RetryDecision> {
        let token = rejection.token_id;
        self.rejections.lock().unwrap().push(rejection);
        Box::pin(async move {
            if token >= self.last {
                return RetryDecision::GiveUp;
            }
            let mut newest = self.newest.subscribe();
            newest.wait_for(|key| *key > token).await.unwrap();
            RetryDecision::Retry
        })
    }

    fn on_response(&self, _: Option<&str>) {}
}

fn spec(url: String, keys: &Arc<NumberedKeys>) -> HttpSpec {
    HttpSpec {
        authenticator: Some(Arc::clone(keys) as Arc<dyn Authenticator>),
        ..HttpSpec::new(url)
    }
}

fn opened(peer: &HttpPeer, last: u64) -> (Wire, Arc<NumberedKeys>, Arc<Recorder>) {
    let (keys, recorder) = (NumberedKeys::up_to(last), Recorder::new());
    let wire = http::open(spec(peer.url(), &keys), recorder.clone()).unwrap();
    (wire, keys, recorder)
}

fn send(exchange: u64, verb: Verb) -> Command {
    let text = (verb == Verb::Post).then(|| format!(r#"{{"id":{exchange}}}"#));
    Command::Send(outgoing(exchange, verb, text.as_deref()))
}

fn reject() -> Reply {
    Reply::status(401)
        .header("www-authenticate", "Key realm=\"x\"")
        .json_body(r#"{"error":"who are you"}"#)
}

fn has_key(request: &Request, key: &str) -> bool {
    request.header("authorization") == Some(key)
}

/// Waits until the exchange begins or ends to wait; true if it begins.
async fn parked(wire: &mut Wire, exchange: u64) -> bool {
    match next(wire).await {
        Incoming::Parked {
            exchange: ExchangeId(id),
            parked,
        } if id == exchange => parked,
        other => panic!("unexpected {other:?}"),
    }
}

#[tokio::test]
async fn a_rejected_message_waits_and_is_sent_once_more() {
    let peer = HttpPeer::start(|request: &Request| {
        if has_key(request, "Key 2") {
            Reply::json(r#"{"id":1,"result":{}}"#)
        } else {
            reject()
        }
    })
    .await;
    let (mut wire, keys, recorder) = opened(&peer, 9);
    tell(&wire, send(1, Verb::Post)).await;
    assert!(parked(&mut wire, 1).await);
    keys.next();
    assert!(!parked(&mut wire, 1).await);
    assert_eq!(status(&mut wire).await, 200, "the refusal is not told");
    assert_eq!(*next_text(&mut wire).await, r#"{"id":1,"result":{}}"#);
    let requests = peer.requests();
    let sent = requests
        .iter()
        .map(|request| (request.header("authorization"), &*request.body));
    let body = r#"{"id":1}"#;
    let both = [(Some("Key 1"), body), (Some("Key 2"), body)];
    assert_eq!(sent.collect::<Vec<_>>(), both);
    // The log has everything that went over the wire, in order.
    let story = recorder.story();
    let kinds: Vec<&str> = story
        .iter()
        .map(|line| line.split('{').next().unwrap_or_default().trim())
        .collect();
    assert_eq!(
        kinds,
        [
            "> request Post",
            "> message",
            "< response 401",
            "< non_message",
            "> request Post",
            "> message",
            "< response 200",
            "< message",
        ]
    );
    assert_eq!(keys.rejections(), [(401, 1, 0)]);
}

#[tokio::test]
async fn a_final_rejection_is_told_whole() {
    let peer = HttpPeer::start(|_: &Request| reject()).await;
    let (mut wire, ..) = opened(&peer, 1);
    tell(&wire, send(1, Verb::Post)).await;
    assert!(parked(&mut wire, 1).await);
    assert!(!parked(&mut wire, 1).await);
    assert_eq!(status(&mut wire).await, 401);
    match next(&mut wire).await {
        Incoming::NonMessage { snippet, .. } => {
            assert_eq!(snippet, r#"{"error":"who are you"}"#);
        }
        other => panic!("unexpected {other:?}"),
    }
    assert!(matches!(end(&mut wire).await.1, StreamEnd::Complete));
}

#[tokio::test]
async fn rejections_are_retried_a_limited_number_of_times() {
    let peer = HttpPeer::start(|_: &Request| reject()).await;
    let (mut wire, keys, _) = opened(&peer, 99);
    tell(&wire, send(1, Verb::Post)).await;
    for _ in 0..4 {
        assert!(parked(&mut wire, 1).await);
        keys.next();
        assert!(!parked(&mut wire, 1).await);
    }
    assert_eq!(status(&mut wire).await, 401);
    assert_eq!(peer.requests().len(), 5);
}

#[tokio::test]
async fn only_rejections_that_new_credentials_could_change_are_asked_about() {
    // A 403 that says nothing about credentials, and the end of a session.
    let peer = HttpPeer::start(|request: &Request| match request.method.as_str() {
        "DELETE" => reject(),
        _ => Reply::status(403).json_body("{}"),
    })
    .await;
    let (mut wire, keys, _) = opened(&peer, 9);
    for (exchange, verb, expected) in [(1, Verb::Post, 403), (2, Verb::Delete, 401)] {
        tell(&wire, send(exchange, verb)).await;
        assert_eq!(status(&mut wire).await, expected);
        while !matches!(next(&mut wire).await, Incoming::End { .. }) {}
    }
    assert!(keys.rejections().is_empty());
    assert!(
        peer.requests()
            .iter()
            .all(|request| has_key(request, "Key 1")),
        "the end of a session carries the token too"
    );
}

#[tokio::test]
async fn a_parked_request_can_be_given_up() {
    let peer = HttpPeer::start(|_: &Request| reject()).await;
    let (mut wire, ..) = opened(&peer, 9);
    tell(&wire, send(1, Verb::Post)).await;
    assert!(parked(&mut wire, 1).await);
    abandon(&wire, 1).await;
    abandoned(&mut wire, 1).await;
    assert_eq!(peer.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_to_another_origin_never_carries_credentials() {
    let elsewhere = HttpPeer::start(|_: &Request| Reply::json("{}")).await;
    let target = elsewhere.url();
    let peer =
        HttpPeer::start(move |_: &Request| Reply::status(307).header("location", &target).body(""))
            .await;
    let (mut wire, ..) = opened(&peer, 9);
    tell(&wire, send(1, Verb::Post)).await;
    assert_eq!(status(&mut wire).await, 307);
    let (_, error) = failure(&mut wire).await;
    assert!(matches!(error, WireError::Redirect { .. }), "{error:?}");
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_within_the_origin_gets_credentials_of_its_own() {
    let peer = HttpPeer::start(|request: &Request| match request.target.as_str() {
        "/mcp" => Reply::status(307).header("location", "/moved").body(""),
        _ => Reply::accepted(),
    })
    .await;
    let (mut wire, ..) = opened(&peer, 9);
    tell(&wire, send(1, Verb::Post)).await;
    while !matches!(next(&mut wire).await, Incoming::End { .. }) {}
    let requests = peer.requests();
    let shown = requests
        .iter()
        .map(|request| (&*request.target, request.header("made-for")));
    let (asked, moved) = (peer.url(), peer.url().replace("/mcp", "/moved"));
    let expected = [("/mcp", Some(&*asked)), ("/moved", Some(&*moved))];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn the_stream_and_the_messages_of_the_older_transport_wait_too() {
    let peer = HttpPeer::start(|request: &Request| {
        match (
            request.target.as_str(),
            has_key(request, "Key 2"),
            has_key(request, "Key 3"),
        ) {
            ("/mcp", true, _) => Reply::event_stream()
                .chunk("event: endpoint\ndata: /say\n\n")
                .event("{\"id\":1}")
                .hang(),
            ("/say", _, true) => Reply::accepted(),
            _ => reject(),
        }
    })
    .await;
    let keys = NumberedKeys::up_to(9);
    let mut wire = http_sse::open(spec(peer.url(), &keys), Recorder::new()).unwrap();
    tell(&wire, send(1, Verb::Post)).await;
    assert!(parked(&mut wire, 0).await);
    keys.next();
    assert!(!parked(&mut wire, 0).await);
    // The message's refusal and the stream's first message come in either order.
    let (mut waits, mut heard) = (false, false);
    while !(waits && heard) {
        match next(&mut wire).await {
            Incoming::Parked {
                exchange: ExchangeId(1),
                parked: true,
            } => waits = true,
            Incoming::Message { .. } => heard = true,
            other => panic!("unexpected {other:?}"),
        }
    }
    keys.next();
    assert!(!parked(&mut wire, 1).await);
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), None);
    assert_eq!(keys.rejections(), [(401, 1, 0), (401, 2, 0)]);
}

/// The next thing is the end of the exchange that was given up.
async fn abandoned(wire: &mut Wire, expected: u64) {
    loop {
        match next(wire).await {
            Incoming::End {
                exchange: ExchangeId(exchange),
                end: StreamEnd::Abandoned,
            } => return assert_eq!(exchange, expected),
            Incoming::Parked { parked: false, .. } => {}
            other => panic!("unexpected {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_parked_message_of_the_older_transport_can_be_given_up() {
    let peer = HttpPeer::start(|request: &Request| {
        match (request.target.as_str(), has_key(request, "Key 2")) {
            ("/mcp", _) => Reply::event_stream()
                .chunk("event: endpoint\ndata: /say\n\n")
                .hang(),
            ("/say", true) => Reply::accepted(),
            _ => reject(),
        }
    })
    .await;
    let keys = NumberedKeys::up_to(9);
    let mut wire = http_sse::open(spec(peer.url(), &keys), Recorder::new()).unwrap();
    for exchange in [1, 2, 3] {
        tell(&wire, send(exchange, Verb::Post)).await;
    }
    assert!(parked(&mut wire, 1).await);
    // One that waits for its turn, and the one that waits for a key.
    for exchange in [2, 1] {
        abandon(&wire, exchange).await;
        abandoned(&mut wire, exchange).await;
    }
    assert!(parked(&mut wire, 3).await);
    keys.next();
    assert!(!parked(&mut wire, 3).await);
    close(&mut wire).await;
    let requests = peer.requests();
    let posted = requests.iter().filter(|request| request.method == "POST");
    let bodies: Vec<&str> = posted.map(|request| request.body.as_str()).collect();
    assert_eq!(bodies, [r#"{"id":1}"#, r#"{"id":3}"#, r#"{"id":3}"#]);
}

/// Accepts a WebSocket with the second key.
#[expect(clippy::result_large_err, reason = "the callback's signature")]
fn second_key(asked: &Asked, mut answer: Response) -> Result<Response, ErrorResponse> {
    let key = asked.headers().get("authorization");
    if key.is_none_or(|key| key.as_bytes() != b"Key 2") {
        let mut refusal = ErrorResponse::new(None);
        *refusal.status_mut() = http_types::StatusCode::UNAUTHORIZED;
        return Err(refusal);
    }
    answer.headers_mut().insert(
        "sec-websocket-protocol",
        http_types::HeaderValue::from_static("mcp"),
    );
    Ok(answer)
}

#[tokio::test]
async fn a_websocket_upgrade_is_sent_once_more() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            if let Ok(mut socket) = tokio_tungstenite::accept_hdr_async(stream, second_key).await {
                return match socket.next().await {
                    Some(Ok(Message::Text(text))) => text.to_string(),
                    other => panic!("unexpected {other:?}"),
                };
            }
        }
    });
    let keys = NumberedKeys::up_to(9);
    let mut wire =
        open_by_scheme(spec(format!("ws://{address}/mcp"), &keys), Recorder::new()).unwrap();
    for exchange in [1, 2] {
        tell(&wire, send(exchange, Verb::Post)).await;
    }
    assert!(parked(&mut wire, 0).await);
    abandon(&wire, 1).await;
    abandoned(&mut wire, 1).await;
    keys.next();
    assert!(!parked(&mut wire, 0).await);
    assert_eq!(within("the message", server).await.unwrap(), r#"{"id":2}"#);
}

#[tokio::test]
async fn a_websocket_that_waits_for_credentials_can_be_closed() {
    let peer = HttpPeer::start(|_: &Request| reject()).await;
    let keys = NumberedKeys::up_to(9);
    let address = peer.url().replace("http:", "ws:");
    let mut wire = open_by_scheme(spec(address, &keys), Recorder::new()).unwrap();
    assert!(parked(&mut wire, 0).await);
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), None);
    assert_eq!(peer.requests().len(), 1);
}
