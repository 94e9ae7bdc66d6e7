//! HTTP+SSE and WebSocket against scripted servers.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::{sync::Arc, time::Duration};

use async_compression::tokio::write::GzipEncoder;
use futures_util::{SinkExt as _, StreamExt as _};
use sonde_tests::{
    http_peer::{Gate, HttpPeer, Reply, Request},
    record::{Recorder, close, failure, next_text, post, requested, to_the_end, within},
};
use sonde_wire::{
    Body, Carrier, Closed, EntryKind, ExchangeId, Wire, WireError, http::HttpSpec, http_sse,
    open_by_scheme,
};
use tokio::{io::AsyncWriteExt as _, time::sleep};
use tokio_tungstenite::tungstenite::{
    Message,
    handshake::server::{ErrorResponse, Request as Asked, Response},
    protocol::{CloseFrame, frame::coding::CloseCode},
};

fn older(url: String) -> (Wire, Arc<Recorder>) {
    let recorder = Recorder::new();
    let wire = http_sse::open(HttpSpec::new(url), recorder.clone()).unwrap();
    (wire, recorder)
}

#[tokio::test]
async fn messages_are_posted_in_order_and_answered_on_the_stream() {
    let posted = Gate::new();
    let hear = posted.clone();
    let peer = HttpPeer::start(move |request: &Request| match request.target.as_str() {
        "/mcp" => Reply::event_stream()
            .chunk("event: endpoint\ndata: /say?session=1\n\n")
            .wait(&hear)
            .wait(&hear)
            .event("{\"id\":2}")
            .event("{\"id\":1}")
            .hang(),
        _ => {
            posted.open();
            Reply::accepted()
        }
    })
    .await;
    let (mut wire, recorder) = older(peer.url());
    assert_eq!(wire.carrier, Carrier::Pipe);
    // Both are sent before the server has said where to.
    for id in [1, 2] {
        let text = format!(r#"{{"id":{id}}}"#);
        post(&wire, id, &text).await;
    }
    assert_eq!(*next_text(&mut wire).await, r#"{"id":2}"#);
    assert_eq!(*next_text(&mut wire).await, r#"{"id":1}"#);
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), None);
    let bodies: Vec<String> = peer
        .requests()
        .iter()
        .filter(|request| request.method == "POST")
        .map(|request| request.body.clone())
        .collect();
    assert_eq!(bodies, [r#"{"id":1}"#, r#"{"id":2}"#]);
    let story = recorder.story();
    let at = |line: &str| story.iter().position(|found| found == line);
    assert!(
        at(r#"> message {"id":1}"#) < at(r#"< message {"id":1}"#),
        "{story:?}"
    );
}

#[tokio::test]
async fn what_a_server_says_as_it_accepts_a_message_is_no_message() {
    for (content_type, body) in [("text/plain", "Accepted"), ("application/json", r#""ok""#)] {
        let taken = Gate::new();
        let hear = taken.clone();
        let peer = HttpPeer::start(move |request: &Request| match request.target.as_str() {
            "/mcp" => Reply::event_stream()
                .chunk("event: endpoint\ndata: /say\n\n")
                .wait(&hear)
                .event("{\"id\":1}")
                .hang(),
            _ => {
                if request.body == "{\"id\":2}" {
                    taken.open();
                }
                Reply::status(200)
                    .header("Content-Type", content_type)
                    .body(body)
            }
        })
        .await;
        let (mut wire, recorder) = older(peer.url());
        for id in [1, 2] {
            post(&wire, id, &format!("{{\"id\":{id}}}")).await;
        }
        assert_eq!(*next_text(&mut wire).await, "{\"id\":1}");
        // The body may still be on its way: its head alone accepts the message.
        let said = within("what the server says", async {
            loop {
                let mut entries = recorder.entries().into_iter();
                match entries.find(|entry| matches!(entry.kind, EntryKind::NonMessage)) {
                    Some(entry) => break entry,
                    None => sleep(Duration::from_millis(5)).await,
                }
            }
        })
        .await;
        assert_eq!(said.findings.len(), 0, "{content_type}");
    }
}

#[tokio::test]
async fn a_refused_message_fails_alone() {
    let peer = HttpPeer::start(|request: &Request| match request.target.as_str() {
        "/mcp" => Reply::event_stream()
            .chunk("event: endpoint\ndata: say\n\n")
            .hang(),
        _ => Reply::status(413)
            .header("content-type", "text/plain")
            .body("too long"),
    })
    .await;
    let (mut wire, _) = older(peer.url());
    for exchange in [1, 2] {
        post(&wire, exchange, "{}").await;
        assert!(matches!(
            failure(&mut wire).await,
            (ExchangeId(id), WireError::Status { status: 413, snippet, .. })
                if id == exchange && snippet == "too long"
        ));
    }
}

#[tokio::test]
async fn streams_that_name_no_usable_address_are_refused() {
    for (reply, refused) in [
        (
            "event: endpoint\ndata: http://elsewhere.example/say\n\n",
            true,
        ),
        ("data: {\"id\":1}\n\n", true),
        ("event: endpoint\ndata: /say\n\n", false),
    ] {
        let peer =
            HttpPeer::start(move |_: &Request| Reply::event_stream().chunk(reply).end()).await;
        let (mut wire, _) = older(peer.url());
        let (_, closed) = to_the_end(&mut wire).await;
        match closed {
            Closed::Failed(WireError::NoEndpoint { .. }) if refused => {}
            Closed::Disconnected { .. } if !refused => {}
            other => panic!("{reply:?}: {other:?}"),
        }
    }
    let peer = HttpPeer::start(|_: &Request| Reply::status(404).body("")).await;
    let (mut wire, _) = older(peer.url());
    let (_, closed) = to_the_end(&mut wire).await;
    assert!(
        matches!(
            closed,
            Closed::Failed(WireError::Status { status: 404, .. })
        ),
        "{closed:?}"
    );
}

#[expect(clippy::result_large_err, reason = "the library's own type")]
fn select(asked: &Asked, mut answer: Response) -> Result<Response, ErrorResponse> {
    assert_eq!(asked.headers()["sec-websocket-protocol"], "mcp");
    assert_eq!(asked.headers()["x-key"], "k");
    let headers = answer.headers_mut();
    headers.insert("sec-websocket-protocol", "mcp".parse().unwrap());
    Ok(answer)
}

#[tokio::test]
async fn a_web_socket_carries_messages_both_ways() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = tokio_tungstenite::accept_hdr_async(stream, select)
            .await
            .unwrap();
        let heard = socket.next().await.unwrap().unwrap();
        assert_eq!(heard.to_text().unwrap(), r#"{"id":1,"é":9007199254740993}"#);
        for frame in [
            Message::binary(vec![0, 1]),
            Message::text("no message"),
            Message::Ping("p".into()),
            Message::text(r#"{"id":1}"#),
        ] {
            socket.send(frame).await.unwrap();
        }
        let goodbye = CloseFrame {
            code: CloseCode::Away,
            reason: "tired".into(),
        };
        socket.close(Some(goodbye)).await.unwrap();
        while let Some(Ok(_)) = socket.next().await {}
    });
    let recorder = Recorder::new();
    let spec = HttpSpec {
        headers: vec![sonde_wire::Header {
            name: "X-Key".into(),
            value: "k".into(),
        }],
        ..HttpSpec::new(format!("ws://a.localhost:{port}/mcp"))
    };
    let mut wire = open_by_scheme(spec, recorder.clone()).unwrap();
    assert_eq!(wire.carrier, Carrier::Pipe);
    let text = r#"{"id":1,"é":9007199254740993}"#;
    post(&wire, 1, text).await;
    assert_eq!(*next_text(&mut wire).await, r#"{"id":1}"#);
    let (_, closed) = to_the_end(&mut wire).await;
    assert!(
        matches!(&closed, Closed::Disconnected { reason: Some(reason) } if reason == "code 1001, “tired”"),
        "{closed:?}"
    );
    let story = recorder.story();
    let has = |words: &str| story.iter().any(|line| line.contains(words));
    assert!(has("binary-frame") && !has("no-subprotocol"), "{story:?}");
    assert!(
        story
            .iter()
            .any(|line| line.contains("1001") && line.contains("tired"))
    );
    server.await.unwrap();
}

#[tokio::test]
async fn a_web_socket_closes_although_the_server_reads_nothing() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
        socket.send(Message::text("{}")).await.unwrap();
        std::future::pending::<()>().await;
    });
    let spec = HttpSpec::new(format!("ws://localhost:{port}/mcp"));
    let recorder = Recorder::new();
    let mut wire = open_by_scheme(spec, recorder.clone()).unwrap();
    next_text(&mut wire).await;
    let story = recorder.story();
    let has = |words: &str| story.iter().any(|line| line.contains(words));
    assert!(has("no-subprotocol"), "{story:?}");
    // More than the buffers of both ends hold.
    let big = format!(r#"{{"fill":"{}"}}"#, "x".repeat(8 << 20));
    for id in 1..=3 {
        post(&wire, id, &big).await;
    }
    let (_, closed) = close(&mut wire).await;
    assert_eq!(requested(closed), None);
    server.abort();
}

#[tokio::test]
async fn what_is_no_web_socket_says_so() {
    let mut body = GzipEncoder::new(Vec::new());
    body.write_all(b"not here").await.unwrap();
    body.shutdown().await.unwrap();
    let body = body.into_inner();
    let peer = HttpPeer::start(move |_: &Request| {
        Reply::status(403)
            .header("content-type", "text/plain")
            .header("content-encoding", "gzip")
            .body(&body)
    })
    .await;
    let url = peer.url().replace("http:", "ws:");
    let recorder = Recorder::new();
    let mut wire = open_by_scheme(HttpSpec::new(url), recorder.clone()).unwrap();
    let (_, closed) = to_the_end(&mut wire).await;
    assert!(
        matches!(
            &closed,
            Closed::Failed(WireError::Status { status: 403, snippet, .. }) if snippet == "not here"
        ),
        "{closed:?}"
    );
    let story = recorder.story();
    assert!(
        story.contains(&"< non_message not here".to_owned()),
        "{story:?}"
    );
    // An HTTP+SSE server: its stream stays open, and no limit of time would end the wait in time.
    let endpoint = "event: endpoint\ndata: /messages\n\n";
    let peer =
        HttpPeer::start(move |_: &Request| Reply::event_stream().chunk(endpoint).hang()).await;
    let recorder = Recorder::new();
    let spec = HttpSpec {
        connect_timeout: Duration::from_secs(86_400),
        ..HttpSpec::new(peer.url().replace("http:", "ws:"))
    };
    let mut wire = open_by_scheme(spec, recorder.clone()).unwrap();
    let (_, closed) = to_the_end(&mut wire).await;
    assert!(
        matches!(
            &closed,
            Closed::Failed(WireError::Status { status: 200, snippet, .. }) if snippet == endpoint
        ),
        "{closed:?}"
    );
    assert!(recorder.entries().last().unwrap().findings.is_empty());
    for address in ["ftp://h/x", "mcp+unix://h"] {
        assert!(matches!(
            open_by_scheme(HttpSpec::new(address), Recorder::new()),
            Err(WireError::UnknownScheme { .. })
        ));
    }
}

/// The refusal is cut inside a character; then its end is missing, or the session closes.
#[tokio::test]
async fn an_unfinished_refusal_of_a_web_socket_is_recorded() {
    for closes in [false, true] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let recorder = Recorder::new();
        let spec = HttpSpec::new(format!("ws://127.0.0.1:{port}/mcp"));
        let mut wire = open_by_scheme(spec, recorder.clone()).unwrap();
        let (mut stream, _) = within("a connection", listener.accept()).await.unwrap();
        // More than the buffers of both ends hold, so that some was read once all is written.
        let body = format!("x{}", "é".repeat(16 << 20));
        let size = body.len() as u64;
        let head = format!(
            "HTTP/1.1 403 Forbidden\r\ncontent-length: {}\r\n\r\n",
            size + 1
        );
        let sent = async {
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(body.as_bytes()).await.unwrap();
        };
        within("the refusal", sent).await;
        if closes {
            let (_, closed) = close(&mut wire).await;
            assert_eq!(requested(closed), None);
        } else {
            stream.shutdown().await.unwrap();
            to_the_end(&mut wire).await;
        }
        let entries = recorder.entries();
        let refusal = entries
            .iter()
            .find(|entry| matches!(entry.kind, EntryKind::NonMessage))
            .unwrap();
        let Body::Text(text) = &refusal.body else {
            panic!("{refusal:?}");
        };
        assert!(text.ends_with('é'));
        let found: Vec<_> = refusal
            .findings
            .iter()
            .map(|finding| finding.id())
            .collect();
        if closes {
            assert!(refusal.dropped > 0);
            assert!(found.is_empty(), "{found:?}");
        } else {
            assert_eq!(refusal.dropped, size - text.len() as u64);
            assert_eq!(found, ["partial-body"]);
        }
    }
}
