//! The HTTP transport against a scripted server.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use sonde_tests::{
    http_peer::{Gate, HttpPeer, Reply},
    record::{
        Recorder, abandon, close, end, failure, next, next_text, outgoing, requested, status, tell,
        to_the_end, within,
    },
};
use sonde_wire::{
    Cause, Command, EntryKind, ExchangeId, Header, Incoming, Limits, RedirectReason, StreamEnd,
    Verb, Wire, WireError,
    http::{FileError, FileRequest, HttpSpec, Network, fetch_file, open},
};

fn start(spec: HttpSpec) -> (Wire, Arc<Recorder>) {
    let recorder = Recorder::new();
    (open(spec, recorder.clone()).unwrap(), recorder)
}

fn send(exchange: u64, verb: Verb, text: Option<&str>) -> Command {
    let mut outgoing = outgoing(exchange, verb, text);
    outgoing.headers.push(Header {
        name: "Mcp-Session-Id".to_owned(),
        value: "session-1".to_owned(),
    });
    Command::Send(outgoing)
}

async fn post(wire: &Wire, exchange: u64, text: &str) {
    tell(wire, send(exchange, Verb::Post, Some(text))).await;
}

async fn complete(wire: &mut Wire) {
    let (_, end) = end(wire).await;
    assert!(matches!(end, StreamEnd::Complete), "{end:?}");
}

async fn abandoned(wire: &mut Wire, expected: u64) {
    let (exchange, end) = end(wire).await;
    assert!(matches!(end, StreamEnd::Abandoned), "{end:?}");
    assert_eq!(exchange, ExchangeId(expected));
}

async fn breaks(wire: &mut Wire) {
    let (_, error) = failure(wire).await;
    assert!(matches!(error, WireError::Broken { .. }), "{error:?}");
}

/// Sends one message to a server that always answers like this; the wire, after the head.
async fn answered(reply: Reply) -> (Wire, Arc<Recorder>, HttpPeer) {
    answered_within(Limits::default(), reply).await
}

async fn answered_within(limits: Limits, reply: Reply) -> (Wire, Arc<Recorder>, HttpPeer) {
    let expected = reply.code();
    let peer = HttpPeer::start(move |_| reply.clone()).await;
    let mut spec = HttpSpec::new(peer.url());
    spec.limits = limits;
    let (mut wire, recorder) = start(spec);
    post(&wire, 1, "{}").await;
    let status = status(&mut wire).await;
    assert!(
        [0, status].contains(&expected),
        "{status} instead of {expected}"
    );
    (wire, recorder, peer)
}

#[tokio::test]
async fn a_json_answer_and_everything_about_it_is_recorded() {
    let peer = HttpPeer::start(|_| {
        Reply::status(200)
            .header("Content-Type", "application/json; charset=utf-8")
            .header("Mcp-Session-Id", "new")
            .body("{\"id\":1}")
    })
    .await;
    let mut spec = HttpSpec::new(format!("{}?key=1", peer.url()));
    spec.headers = vec![Header {
        name: "X-Key".to_owned(),
        value: "secret".to_owned(),
    }];
    let (mut wire, recorder) = start(spec);
    post(&wire, 5, "{\"id\":1,\"n\":9007199254740993}").await;
    match next(&mut wire).await {
        Incoming::Head {
            exchange,
            status,
            headers,
            ..
        } => {
            assert_eq!((exchange, status), (ExchangeId(5), 200));
            assert!(headers.contains(&Header {
                name: "mcp-session-id".to_owned(),
                value: "new".to_owned()
            }));
        }
        other => panic!("{other:?}"),
    }
    match next(&mut wire).await {
        Incoming::Message { exchange, text, .. } => {
            assert_eq!((exchange, &**text), (Some(ExchangeId(5)), "{\"id\":1}"));
        }
        other => panic!("{other:?}"),
    }
    complete(&mut wire).await;

    let request = &peer.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", "/mcp?key=1")
    );
    assert_eq!(request.body, "{\"id\":1,\"n\":9007199254740993}");
    for (name, value) in [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-session-id", "session-1"),
        ("x-key", "secret"),
    ] {
        assert_eq!(request.header(name), Some(value));
    }
    assert!(request.header("user-agent").unwrap().starts_with("Sonde/"));
    assert_eq!(
        recorder.story(),
        [
            "> request Post",
            "> message {\"id\":1,\"n\":9007199254740993}",
            "< response 200",
            "< message {\"id\":1}",
        ]
    );
    assert!(matches!(
        &recorder.entries()[0].kind,
        EntryKind::RequestHead { url, headers, .. }
            if url.ends_with("/mcp?key=1") && headers.len() == 6
    ));
}

#[tokio::test]
async fn an_accepted_notification_has_no_answer() {
    let (mut wire, recorder, _peer) = answered(Reply::accepted()).await;
    complete(&mut wire).await;
    assert_eq!(recorder.story().last().unwrap(), "< response 202");
}

#[tokio::test]
async fn events_arrive_while_the_stream_is_open() {
    let gate = Gate::new();
    let reply = Reply::event_stream()
        .chunk(": hello\n\n")
        .chunk("id: 1\nretry: 250\ndata:\n\n")
        .event_with_id("2", "{\"progress\":1}")
        .wait(&gate)
        .chunk("event: ping\ndata: x\n\nevent: mess")
        .chunk("age\r\ndata: {\"id\":\ndata: 1}\r\n\r")
        .chunk("\ndata: no message\n\n")
        .end();
    let (mut wire, recorder, _peer) = answered(reply).await;
    match next(&mut wire).await {
        Incoming::Event {
            event_id,
            retry,
            data,
            name,
            ..
        } => {
            assert_eq!(event_id.as_deref(), Some("1"));
            assert_eq!((retry, data.as_str(), name), (Some(250), "", None));
        }
        other => panic!("{other:?}"),
    }
    match next(&mut wire).await {
        Incoming::Message { text, event_id, .. } => {
            assert_eq!(*text, "{\"progress\":1}");
            assert_eq!(event_id.as_deref(), Some("2"));
        }
        other => panic!("{other:?}"),
    }
    gate.open();
    assert!(matches!(
        next(&mut wire).await,
        Incoming::Event { name: Some(name), data, .. } if name == "ping" && data == "x"
    ));
    assert_eq!(*next_text(&mut wire).await, "{\"id\":\n1}");
    complete(&mut wire).await;
    assert_eq!(
        recorder.story()[2..],
        [
            "< response 200",
            "< control : hello",
            "< control id: 1\nretry: 250\ndata:",
            "< message {\"progress\":1}",
            "< control event: ping\ndata: x",
            "< message {\"id\":\n1}",
            "< non_message no message [body-not-a-message]",
        ]
    );
}

#[tokio::test]
async fn a_stream_that_breaks_says_so_and_keeps_what_came() {
    let reply = Reply::event_stream()
        .event("{\"a\":1}")
        .chunk("data: {\"b\":")
        .cut();
    let (mut wire, recorder, _peer) = answered(reply).await;
    next_text(&mut wire).await;
    breaks(&mut wire).await;
    let story = recorder.story();
    assert!(story.contains(&"< non_message {\"b\": [sse-incomplete-event]".to_owned()));
    assert!(
        story
            .last()
            .unwrap()
            .starts_with("< note the connection broke")
    );
}

#[tokio::test]
async fn a_body_that_breaks_is_kept_but_not_delivered() {
    let reply = Reply::status(200)
        .header("Content-Type", "application/json")
        .header("Content-Length", "100")
        .chunk_raw("{\"a\":")
        .cut();
    let (mut wire, recorder, _peer) = answered(reply).await;
    assert!(matches!(next(&mut wire).await, Incoming::NonMessage { .. }));
    breaks(&mut wire).await;
    assert_eq!(recorder.story()[3], "< non_message {\"a\": [partial-body]");
}

#[tokio::test]
async fn an_error_status_delivers_its_message() {
    let body = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"no\"}}";
    let reply = Reply::status(400)
        .header("Content-Type", "application/json")
        .body(body);
    let (mut wire, _, _peer) = answered(reply).await;
    assert_eq!(*next_text(&mut wire).await, body);
    complete(&mut wire).await;
}

#[tokio::test]
async fn bodies_that_are_no_message_are_shown() {
    let html = format!("<!DOCTYPE html><title>Login</title>{}", "é".repeat(60_000));
    let cases = [
        (
            Some("text/html; charset=utf-8"),
            html.as_str(),
            "http-not-a-message",
        ),
        (Some("text/plain"), "{\"id\":1}", "http-not-a-message"),
        (Some("application/json"), "null", "body-not-a-message"),
        (None, "hello", "http-not-a-message"),
    ];
    for (content_type, body, code) in cases {
        let mut reply = Reply::status(200);
        if let Some(content_type) = content_type {
            reply = reply.header("Content-Type", content_type);
        }
        let (mut wire, recorder, _peer) = answered(reply.body(body)).await;
        match next(&mut wire).await {
            Incoming::NonMessage {
                content_type: said,
                snippet,
                ..
            } => {
                let essence = content_type.map(|value| value.split(';').next().unwrap());
                assert_eq!(said.as_deref(), essence);
                assert_eq!(snippet, body.chars().take(512).collect::<String>());
            }
            other => panic!("{other:?}"),
        }
        complete(&mut wire).await;
        let entry = recorder.entries().pop().unwrap();
        assert!(matches!(entry.kind, EntryKind::NonMessage));
        assert_eq!(entry.findings[0].id(), code);
        if body.len() > Limits::default().kept {
            assert_eq!(entry.findings.len(), 1);
            let kept = body.len() as u64 - entry.dropped;
            assert!((65_530..=65_536).contains(&kept), "{kept}");
        } else {
            assert_eq!(entry.dropped, 0);
        }
    }

    let (mut wire, recorder, _peer) = answered(Reply::json("\u{FEFF}{\"id\":1}")).await;
    assert_eq!(*next_text(&mut wire).await, "{\"id\":1}");
    complete(&mut wire).await;
    assert_eq!(
        recorder.story().last().unwrap(),
        "< message {\"id\":1} [bom]"
    );

    let reply = Reply::status(200).body("{\"id\":1}");
    let (mut wire, recorder, _peer) = answered(reply).await;
    next_text(&mut wire).await;
    complete(&mut wire).await;
    assert_eq!(
        recorder.story().last().unwrap(),
        "< message {\"id\":1} [no-content-type]"
    );
}

#[tokio::test]
async fn oversized_bodies_and_events_tell_their_id() {
    let limits = Limits {
        message: 1_000,
        kept: 100,
    };
    let large = format!(
        "{{\"result\":\"{}\",\"jsonrpc\":\"2.0\",\"id\":\"a\"}}",
        "x".repeat(2_000)
    );
    for reply in [
        Reply::json(&large),
        Reply::event_stream().event(&large).end(),
    ] {
        let (mut wire, recorder, _peer) = answered_within(limits, reply).await;
        match next(&mut wire).await {
            Incoming::Oversized {
                exchange,
                id,
                head,
                size,
                ..
            } => {
                assert_eq!(exchange, Some(ExchangeId(1)));
                assert_eq!(id.as_deref(), Some("\"a\""));
                assert_eq!((head.len(), size), (100, large.len() as u64));
            }
            other => panic!("{other:?}"),
        }
        complete(&mut wire).await;
        let entry = recorder.entries().pop().unwrap();
        assert_eq!(entry.dropped, large.len() as u64 - 100);
        assert_eq!(entry.findings[0].id(), "oversized");
    }
    // The connection did not break: Sonde abandons the body.
    let larger = format!("{{\"result\":\"{}\"}}", "x".repeat(5_000));
    let (mut wire, recorder, _peer) = answered_within(limits, Reply::json(&larger)).await;
    next(&mut wire).await;
    let (_, error) = failure(&mut wire).await;
    assert!(matches!(error, WireError::TooLarge { limit: 1_000 }));
    let entries = recorder.entries();
    let found: Vec<_> = entries[3].findings.iter().map(|one| one.id()).collect();
    assert_eq!(found, ["oversized"]);
}

#[tokio::test]
async fn a_large_body_and_a_large_event_arrive_whole() {
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(20 << 20));
    for reply in [
        Reply::json(&large),
        Reply::event_stream().event(&large).end(),
    ] {
        let (mut wire, _, _peer) = answered(reply).await;
        assert_eq!(next_text(&mut wire).await.len(), large.len());
        complete(&mut wire).await;
    }
}

#[tokio::test]
async fn a_redirect_is_reported_and_not_followed() {
    let elsewhere = "https://elsewhere.example/mcp";
    let reply = Reply::status(307).header("Location", elsewhere).body("");
    let (mut wire, _, peer) = answered(reply).await;
    let (_, error) = failure(&mut wire).await;
    assert!(matches!(error, WireError::Redirect { location, .. } if location == elsewhere));
    assert_eq!(peer.requests().len(), 1);
}

/// A POST is repeated only for 307 and 308, and the error names the whole URL.
#[tokio::test]
async fn a_redirect_that_loses_the_message_is_not_followed() {
    let reply = Reply::status(301).header("Location", "/mcp/").body("");
    let (mut wire, _, peer) = answered(reply).await;
    assert!(matches!(
        failure(&mut wire).await.1,
        WireError::Redirect { status: 301, location, reason: RedirectReason::Method }
            if location.starts_with("http://127.0.0.1:") && location.ends_with("/mcp/")
    ));
    assert_eq!(peer.requests().len(), 1);
}

/// The failure of a message to this address.
async fn failure_at(url: String) -> WireError {
    let mut spec = HttpSpec::new(url);
    spec.connect_timeout = Duration::from_secs(40);
    let (mut wire, _) = start(spec);
    post(&wire, 1, "{}").await;
    failure(&mut wire).await.1
}

#[tokio::test]
async fn failures_have_names() {
    let nobody = sonde_tests::port::Port::reserve().unwrap();
    let address = nobody.address().to_string();
    assert!(matches!(
        failure_at(format!("http://{address}/mcp")).await,
        WireError::Refused { address: said } if said == address
    ));

    assert!(matches!(
        failure_at("http://sonde-test.invalid/mcp".to_owned()).await,
        WireError::UnknownHost { host } if host == "sonde-test.invalid"
    ));

    // A server without TLS that closes the connection after what it takes for a bad request.
    let plain = HttpPeer::start(|_| Reply::accepted()).await;
    let answering = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = answering.local_addr().unwrap().to_string();
    let task = tokio::spawn(async move {
        use tokio::io::AsyncWriteExt as _;
        let (mut stream, _) = answering.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
        stream
    });
    match failure_at(format!("https://{address}/mcp?token=secret")).await {
        WireError::Tls {
            address: said,
            reason,
        } => {
            assert_eq!(said, address);
            assert!(reason.contains("http://"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    drop(task.await);
    drop(plain);

    for reply in [Reply::raw("").cut(), Reply::raw("SSH-2.0-server\r\n").cut()] {
        let peer = HttpPeer::start(move |_| reply.clone()).await;
        match failure_at(format!("{}?token=secret", peer.url())).await {
            WireError::Broken { reason } => assert!(!reason.contains("secret"), "{reason}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(peer.requests().len(), 1, "a message is sent once");
    }
}

/// The kernel accepts the connection, but nobody responds: the TLS handshake never ends.
#[tokio::test]
async fn a_server_that_never_finishes_connecting_is_given_up() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let mut spec = HttpSpec::new(format!("https://{address}/mcp"));
    spec.connect_timeout = Duration::from_millis(200);
    let (mut wire, recorder) = start(spec);
    post(&wire, 1, "{}").await;
    let (_, error) = failure(&mut wire).await;
    assert!(matches!(error, WireError::ConnectTimeout { address: said } if said == address));
    assert!(recorder.story().last().unwrap().contains("in time"));
}

/// An exceeded limit is reported at once: a cancellation must not wait behind it.
#[tokio::test]
async fn too_many_open_answers_are_refused() {
    let peer = HttpPeer::start(|_| Reply::silence()).await;
    let (mut wire, _) = start(HttpSpec::new(peer.url()));
    for exchange in 0..=256 {
        post(&wire, exchange, "{}").await;
    }
    let refused = failure(&mut wire).await;
    assert!(matches!(
        refused,
        (ExchangeId(256), WireError::Unsupported { .. })
    ));
    abandon(&wire, 0).await;
    abandoned(&mut wire, 0).await;
    post(&wire, 257, "{}").await;
    let (items, _) = close(&mut wire).await;
    assert_eq!(items.len(), 256);
}

/// Uses a TLS server with a self-signed certificate.
#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_named() {
    let (_, config) = sonde_tests::self_signed::self_signed("localhost");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        acceptor.accept(stream).await.is_err()
    });
    match failure_at(format!("https://localhost:{port}/mcp")).await {
        WireError::Tls { address, reason } => {
            assert_eq!(address, format!("localhost:{port}"));
            assert!(reason.contains("certificate"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert!(within("the server's view", server).await.unwrap());
}

#[tokio::test]
async fn an_abandoned_answer_closes_its_connection_and_no_other() {
    let rest = Gate::new();
    let held = rest.clone();
    let peer = HttpPeer::start(move |request| {
        let reply = Reply::event_stream().event("{\"n\":1}");
        match request.body.as_str() {
            "{\"short\":1}" => reply.wait(&held).event("{\"n\":2}").end(),
            _ => reply.hang(),
        }
    })
    .await;
    let (mut wire, recorder) = start(HttpSpec::new(peer.url()));
    post(&wire, 1, "{}").await;
    status(&mut wire).await;
    next_text(&mut wire).await;
    post(&wire, 2, "{\"short\":1}").await;
    status(&mut wire).await;
    next_text(&mut wire).await;
    within("two connections", peer.connections(2)).await;

    abandon(&wire, 1).await;
    abandoned(&mut wire, 1).await;
    within("one connection", peer.connections(1)).await;
    rest.open();
    assert_eq!(*next_text(&mut wire).await, "{\"n\":2}");
    complete(&mut wire).await;
    assert!(
        recorder
            .story()
            .iter()
            .any(|line| line.contains("rest of the response is not read"))
    );
}

#[tokio::test]
async fn get_opens_a_stream_and_delete_has_no_body() {
    let peer = HttpPeer::start(|request| match request.method.as_str() {
        "GET" => Reply::event_stream().event("{\"method\":\"ping\"}").hang(),
        _ if request.target.ends_with("/ended") => Reply::status(200)
            .header("Content-Type", "text/plain")
            .body("Session terminated"),
        _ => Reply::status(405).header("Allow", "POST").body(""),
    })
    .await;
    let (mut wire, recorder) = start(HttpSpec::new(peer.url()));
    tell(&wire, send(1, Verb::Get, None)).await;
    assert_eq!(status(&mut wire).await, 200);
    next_text(&mut wire).await;
    tell(&wire, send(2, Verb::Delete, None)).await;
    assert_eq!(status(&mut wire).await, 405);
    complete(&mut wire).await;
    let requests = peer.requests();
    assert_eq!(requests[0].header("accept"), Some("text/event-stream"));
    assert_eq!(requests[0].header("content-type"), None);
    assert_eq!(
        (requests[1].method.as_str(), requests[1].body.as_str()),
        ("DELETE", "")
    );
    assert_eq!(recorder.story()[0], "> request Get");

    tell(&wire, send(3, Verb::Get, Some("{}"))).await;
    let (_, error) = failure(&mut wire).await;
    assert!(matches!(error, WireError::Unsupported { .. }), "{error:?}");

    // Nothing says what the end of a session is answered with.
    let (mut wire, recorder) = start(HttpSpec::new(format!("{}/ended", peer.url())));
    tell(&wire, send(1, Verb::Delete, None)).await;
    assert_eq!(status(&mut wire).await, 200);
    assert!(matches!(next(&mut wire).await, Incoming::NonMessage { .. }));
    assert_eq!(recorder.entries().pop().unwrap().findings.len(), 0);
}

#[tokio::test]
async fn closing_sends_what_was_queued_and_ends_every_stream() {
    let answered = Gate::new();
    let gate = answered.clone();
    let peer = HttpPeer::start(move |request| match request.method.as_str() {
        "GET" => Reply::event_stream().event("{}").hang(),
        "DELETE" => Reply::raw("")
            .wait(&gate)
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        _ => Reply::silence(),
    })
    .await;
    let (mut wire, _) = start(HttpSpec::new(peer.url()));
    tell(&wire, send(1, Verb::Get, None)).await;
    status(&mut wire).await;
    next_text(&mut wire).await;
    post(&wire, 2, "{}").await;
    tell(&wire, send(3, Verb::Delete, None)).await;
    tell(&wire, Command::Close).await;
    within("the DELETE", asked(&peer, 3)).await;
    answered.open();
    let (items, closed) = to_the_end(&mut wire).await;
    assert_eq!(requested(closed), None);
    let ends = items.iter().filter_map(|item| match item {
        Incoming::End { exchange, end } => Some((exchange.0, format!("{end:?}"))),
        _ => None,
    });
    let ends: BTreeMap<u64, String> = ends.collect();
    assert_eq!(
        ends.into_values().collect::<Vec<_>>(),
        ["Abandoned", "Abandoned", "Complete"]
    );
    let verbs = peer.requests().into_iter().map(|request| request.method);
    assert_eq!(verbs.filter(|verb| verb == "DELETE").count(), 1);
    // Only the connection of the DELETE is kept for reuse, and not for long.
    drop(wire);
    within("the end of all connections", peer.connections(0)).await;
}

#[tokio::test]
async fn dropping_the_wire_sends_what_was_queued() {
    let peer = HttpPeer::start(|_| Reply::accepted()).await;
    let (wire, _) = start(HttpSpec::new(peer.url()));
    tell(&wire, send(1, Verb::Delete, None)).await;
    drop(wire);
    within("the request", asked(&peer, 1)).await;
    within("the end of all connections", peer.connections(0)).await;
}

/// Waits until the peer has so many requests.
async fn asked(peer: &HttpPeer, count: usize) {
    while peer.requests().len() < count {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn many_exchanges_run_side_by_side() {
    let all_asked = Gate::new();
    let gate = all_asked.clone();
    let peer = HttpPeer::start(move |request| {
        let id = request.id().unwrap();
        Reply::event_stream()
            .wait(&gate)
            .event(&format!("{{\"id\":{id},\"result\":{{}}}}"))
            .end()
    })
    .await;
    let (mut wire, _) = start(HttpSpec::new(peer.url()));
    for id in 0..100 {
        post(&wire, id, &format!("{{\"id\":{id}}}")).await;
    }
    within("all requests", asked(&peer, 100)).await;
    for _ in 0..100 {
        all_asked.open();
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut ended = 0;
    while ended < 100 {
        match next(&mut wire).await {
            Incoming::Message { exchange, text, .. } => {
                let id = exchange.unwrap().0;
                assert_eq!(*text, format!("{{\"id\":{id},\"result\":{{}}}}"));
                assert!(seen.insert(id));
            }
            Incoming::End {
                end: StreamEnd::Complete,
                ..
            } => ended += 1,
            Incoming::Head { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen.len(), 100);
}

#[tokio::test]
async fn slow_bytes_make_the_same_message() {
    let bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\
                 id: 1\r\ndata: {\"a\":\"ä\"}\r\n\r\n";
    let (mut wire, _, _peer) = answered(Reply::raw("").slow(bytes, 3, 1).cut()).await;
    assert_eq!(*next_text(&mut wire).await, "{\"a\":\"ä\"}");
    complete(&mut wire).await;
}

#[tokio::test]
async fn a_file_is_fetched_within_its_limits() {
    let peer = HttpPeer::start(|request| match request.target.as_str() {
        "/file" => Reply::status(200).body("twelve bytes"),
        "/endless" => Reply::status(200).slow("x".repeat(1_000), 1, 50),
        "/large" => Reply::status(200)
            .chunk("x".repeat(60))
            .chunk("x".repeat(60))
            .end(),
        _ => Reply::status(404).body(""),
    })
    .await;
    let file = |path: &str| FileRequest {
        url: format!("http://{}{path}", peer.address()),
        network: Network::default(),
        accept: "image/png",
        // The others come to their end long before.
        time: match path {
            "/endless" => Duration::from_millis(500),
            _ => Duration::from_secs(60),
        },
        limit: 100,
        cause: Cause::Icon,
    };
    let tap = Recorder::new();
    let fetched = fetch_file(file("/file"), &*tap).await.unwrap();
    assert_eq!(fetched, "twelve bytes");
    let slow = fetch_file(file("/endless"), &*tap).await;
    assert!(matches!(slow, Err(FileError::TooSlow { .. })), "{slow:?}");
    let large = fetch_file(file("/large"), &*tap).await;
    assert!(
        matches!(large, Err(FileError::TooLarge { limit: 100 })),
        "{large:?}"
    );
    let login = FileRequest {
        url: format!("http://me:pw@{}/file", peer.address()),
        ..file("/file")
    };
    let login = fetch_file(login, &*tap).await;
    assert!(matches!(login, Err(FileError::Login)), "{login:?}");
    assert_eq!(peer.requests().len(), 3, "nothing was sent with a password");
}
