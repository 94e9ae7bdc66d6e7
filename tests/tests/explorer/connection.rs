//! The panel of a connection: its contents and its commands.

use std::sync::atomic::{AtomicUsize, Ordering};

use sonde_ipc::*;
use sonde_tests::{
    http_peer::{Gate, HttpPeer, Reply, Request},
    stdio_peer::Step,
};

use crate::window::{App, draft, http, one_text, picky, scripted, stdio, welcome};

async fn first(app: &mut App) -> ServerId {
    app.until("the first server", |seen| seen.order.first().cloned())
        .await
}

/// Waits until a connection shows something.
pub(crate) async fn shows<T>(
    app: &mut App,
    server: &str,
    what: &str,
    mut found: impl FnMut(&ConnectionView) -> Option<T>,
) -> T {
    let server = server.to_owned();
    app.until(what, |seen| found(seen.connections.get(&server)?))
        .await
}

/// The log of a server, all of it.
async fn logged(app: &App, server: &str) -> Vec<LogRow> {
    let filter = LogFilter::default();
    let view = app
        .explorer
        .open_log(server.to_owned(), filter)
        .await
        .unwrap();
    let rows = app
        .explorer
        .log_rows(view.view, view.epoch, 0, 1_000)
        .await
        .unwrap();
    app.explorer.close_log(view.view).await.unwrap();
    rows
}

/// Returns true if a message from Sonde to this server contains this text.
async fn sent(app: &App, server: &str, text: &str) -> bool {
    for row in logged(app, server).await.into_iter().filter(|row| row.out) {
        let body = app
            .explorer
            .read_bytes(DocumentSource::LogEntry {
                server: server.to_owned(),
                seq: row.seq,
            })
            .await;
        if body.is_ok_and(|body| String::from_utf8_lossy(&body).contains(text)) {
            return true;
        }
    }
    false
}

const WELCOME: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"obliging","version":"1"}}"#;

/// A server of the handshake era that answers everything with an empty result.
pub(crate) fn obliging(request: &Request) -> Reply {
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
    let Some(id) = request.id() else {
        return if request.method == "POST" {
            Reply::accepted()
        } else {
            Reply::status(405).body("")
        };
    };
    let result = match body["method"].as_str() {
        Some("initialize") => WELCOME,
        Some("server/discover") => {
            return Reply::json(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#
            ));
        }
        _ => "{}",
    };
    Reply::json(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}

/// The answer of a server to `initialize` that counts its sessions: `session-1`, `session-2`, …
pub(crate) fn numbered_session(request: &Request, sessions: &AtomicUsize) -> Option<Reply> {
    if !request.body.contains("\"initialize\"") {
        return None;
    }
    let number = sessions.fetch_add(1, Ordering::SeqCst) + 1;
    let id = request.id().unwrap();
    Some(
        Reply::status(200)
            .header("Content-Type", "application/json")
            .header("Mcp-Session-Id", &format!("session-{number}"))
            .body(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{WELCOME}}}"#
            )),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_names_the_way_and_refuses_what_cannot_be_sent() {
    let mut app = App::start().await;
    let demo = first(&mut app).await;
    assert!(
        app.seen().connections.is_empty(),
        "nothing before the first"
    );
    app.ready(&demo).await;
    let view = shows(&mut app, &demo, "what was agreed", |view| {
        view.revision.is_some().then(|| view.clone())
    })
    .await;
    assert_eq!(
        (view.transport, view.generation),
        (Some(TransportKind::Stdio), 1)
    );
    assert!(view.era.is_some() && view.warnings.is_empty() && view.http_version.is_none());

    let other = app.add("Other", Transport::Demo { http: true }).await;
    app.ready(&other).await;
    let view = shows(&mut app, &other, "an answer over HTTP", |view| {
        (view.http_version.is_some() && view.revision.is_some()).then(|| view.clone())
    })
    .await;
    assert_eq!(view.transport, Some(TransportKind::StreamableHttp));
    assert_eq!(view.http_version.as_deref(), Some("HTTP/1.1"));

    let call = app.call(&other, "echo", r#"{"message": "x"}"#).await;
    app.finished(call).await;
    let fault = |fault| app.explorer.inject_fault(demo.clone(), fault);
    for (input, code) in [
        (
            FaultInput::RawFrame {
                text: String::new(),
            },
            ErrorCode::InvalidInput,
        ),
        (
            FaultInput::DelayAnswers { millis: 600_001 },
            ErrorCode::InvalidInput,
        ),
        (
            FaultInput::DropOperationStream { operation: call },
            ErrorCode::NotFound,
        ),
        (
            FaultInput::DropOperationStream { operation: 999 },
            ErrorCode::NotFound,
        ),
    ] {
        assert_eq!(
            fault(input.clone()).await.unwrap_err().code,
            code,
            "{input:?}"
        );
    }
    let own = app.explorer.inject_fault(
        other.clone(),
        FaultInput::DropOperationStream { operation: call },
    );
    assert_eq!(own.await.unwrap_err().message, "This run has finished.");
    for refused in [
        app.explorer
            .answer_server_request(7, AnswerInput::Decline)
            .await,
        app.explorer.reconnect_stream(demo.clone(), 77).await,
        app.explorer.give_up_stream(demo.clone(), 77).await,
        app.explorer
            .inject_fault("gone".to_owned(), FaultInput::Kill)
            .await,
    ] {
        assert_eq!(refused.unwrap_err().code, ErrorCode::NotFound);
    }

    // A reload brings everything again; what a connection has shown stays after its end.
    app.explorer.disconnect(demo.clone()).await.unwrap();
    app.phase(&demo, SessionPhase::Idle).await;
    app.reload().await;
    let kept = shows(&mut app, &demo, "the last connect", |view| {
        Some(view.clone())
    })
    .await;
    assert_eq!(kept.transport, Some(TransportKind::Stdio));
    let refused = app
        .explorer
        .inject_fault(demo.clone(), FaultInput::Kill)
        .await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::NotConnected);
    app.explorer.connect(demo.clone(), None).await.unwrap();
    shows(&mut app, &demo, "the next connect", |view| {
        (view.generation == 2 && view.revision.is_some()).then_some(())
    })
    .await;
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_try_is_decided_in_view_of_the_user() {
    let mut app = App::start().await;
    let (session, _) = app.failure(picky()).await;
    let steps = shows(&mut app, &session.server, "the decision", |view| {
        let decided = |step: &Detection| step.code == "other-offer";
        view.detection
            .iter()
            .any(decided)
            .then(|| view.detection.clone())
    })
    .await;
    let decided = steps
        .iter()
        .find(|step| step.code == "other-offer")
        .unwrap();
    assert!(decided.sentence.contains("2024-11-05"), "{decided:?}");
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_both_http_transports_fail_the_newer_one_says_why() {
    let peer = HttpPeer::start(|_| Reply::status(404).body("")).await;
    let mut app = App::start().await;
    let (_, failure) = app
        .failure(Transport::Http {
            url: peer.url(),
            headers: Vec::new(),
            kind: HttpKind::Automatic,
            network: NetworkConfig::default(),
            auth: AuthConfig::default(),
        })
        .await;
    assert_eq!(failure.code, "no_endpoint");
    let last = failure.advice.last().unwrap();
    assert!(last.contains("HTTP+SSE"), "{last}");
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_choice_of_the_era_is_obeyed() {
    let mut app = App::start().await;
    for (era, spoken, revision) in [
        (ProtocolMode::Automatic, Era::Stateless, "2026-07-28"),
        (ProtocolMode::Handshake, Era::Handshake, "2025-11-25"),
        (ProtocolMode::Stateless, Era::Stateless, "2026-07-28"),
        (
            ProtocolMode::Fixed {
                revision: "2025-03-26".to_owned(),
            },
            Era::Handshake,
            "2025-03-26",
        ),
    ] {
        for http in [false, true] {
            let mut config = draft("Demo", Transport::Demo { http });
            config.protocol = era.clone();
            let server = app.explorer.add_server(config).await.unwrap();
            app.ready(&server).await;
            let view = shows(&mut app, &server, "the era", |view| {
                view.era.is_some().then(|| view.clone())
            })
            .await;
            assert_eq!(
                (view.era, view.revision.as_deref()),
                (Some(spoken), Some(revision)),
                "{era:?}, http: {http}"
            );
            let session = app.phase(&server, SessionPhase::Ready).await;
            let detected = session
                .steps
                .iter()
                .any(|step| step.name == "Detect the protocol");
            assert_eq!(detected, era == ProtocolMode::Automatic);
            // A choice of the user's own is not questioned, but a stateless server has to say who
            // it is.
            assert_eq!(view.detection.is_empty(), spoken == Era::Handshake);
            let call = app.call(&server, "echo", r#"{"message": "hello"}"#).await;
            assert_eq!(one_text(&app.finished(call).await), "hello");
        }
    }
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_dies_of_the_probe_is_not_probed_again() {
    // It ends at once at anything that does not begin with the handshake.
    let script = "read -r line; case $line in *initialize*) \
        printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\
        \"capabilities\":{},\"serverInfo\":{\"name\":\"shy\",\"version\":\"1\"}}}'; cat >/dev/null;; \
        *) exit 3;; esac";
    let mut app = App::start().await;
    let mut shy = draft("Shy", stdio("sh", &["-c", script]));
    shy.protocol = ProtocolMode::Automatic;
    let server = app.explorer.add_server(shy).await.unwrap();
    app.connect(&server).await;
    app.phase(&server, SessionPhase::Ready).await;
    let codes = |view: &ConnectionView| -> Vec<String> {
        view.detection
            .iter()
            .map(|step| step.code.clone())
            .collect()
    };
    let first = shows(&mut app, &server, "the handshake", |view| {
        view.revision.is_some().then(|| codes(view))
    })
    .await;
    assert!(first.contains(&"handshake-anew".to_owned()), "{first:?}");
    app.explorer.restart(server.clone()).await.unwrap();
    let second = shows(&mut app, &server, "the second connect", |view| {
        (view.generation == 2 && view.revision.is_some()).then(|| codes(view))
    })
    .await;
    assert!(second.contains(&"known-handshake".to_owned()), "{second:?}");
    assert!(!second.contains(&"handshake-anew".to_owned()), "{second:?}");
    app.explorer.shutdown().await;
}

/// The listener of the first connect breaks after an event and is picked up from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_listener_tells_how_it_is_picked_up() {
    let peer = HttpPeer::start(|request| {
        if request.method == "GET" {
            return match request.header("Last-Event-ID") {
                None => Reply::event_stream()
                    .chunk("id: 42\nretry: 50\ndata:\n\n")
                    .cut(),
                Some(_) => Reply::event_stream().chunk(": again\n\n").hang(),
            };
        }
        obliging(request)
    })
    .await;
    let mut app = App::start().await;
    let server = app.add("Breaking", http(peer.url())).await;
    app.connect(&server).await;
    let view = shows(&mut app, &server, "the stream is open again", |view| {
        view.lines
            .iter()
            .any(|line| line.code == "resumed")
            .then(|| view.clone())
    })
    .await;
    let listener = &view.streams[0];
    assert_eq!(
        (listener.purpose, listener.state, listener.lost),
        (StreamPurpose::Listener, StreamState::Open, 1)
    );
    assert_eq!(listener.last_event_id.as_deref(), Some("42"));
    let said = |code: &str| {
        let line = view.lines.iter().find(|line| line.code == code);
        line.unwrap_or_else(|| panic!("{code}: {:#?}", view.lines))
            .sentence
            .as_str()
    };
    assert_eq!(said("event_id"), "Event 42 arrived.");
    let waiting = said("waiting");
    assert!(
        waiting.starts_with("Attempt 1 of 5 in 50 ms (delay set by the server)")
            && waiting.ends_with("resuming after event 42."),
        "{waiting}"
    );
    let numbers: Vec<_> = view.lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, (1..=view.lines_total).collect::<Vec<_>>());
    let session = app.phase(&server, SessionPhase::Ready).await;
    assert!(session.failure.is_none());
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_a_listener_is_nothing_to_worry_about() {
    let peer = HttpPeer::start(obliging).await;
    let mut app = App::start().await;
    let server = app.add("Silent", http(peer.url())).await;
    app.connect(&server).await;
    let view = shows(&mut app, &server, "no listener", |view| {
        let listener = view.streams.first()?;
        (listener.state == StreamState::NotOffered).then(|| view.clone())
    })
    .await;
    assert_eq!(view.health, None);
    app.phase(&server, SessionPhase::Ready).await;
    assert!(app.seen().notices.is_empty());
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forgotten_session_is_opened_anew_without_throwing_anybody_out() {
    let sessions = AtomicUsize::new(0);
    let peer = HttpPeer::start(move |request| {
        if let Some(welcome) = numbered_session(request, &sessions) {
            return welcome;
        }
        // It forgets the first session at the first ping.
        let first = request.header("Mcp-Session-Id") == Some("session-1");
        if first && request.body.contains("\"ping\"") {
            return Reply::status(404).body("");
        }
        obliging(request)
    })
    .await;
    let mut app = App::start().await;
    let server = app.add("Forgetful", http(peer.url())).await;
    app.connect(&server).await;
    app.phase(&server, SessionPhase::Ready).await;
    let mark = shows(&mut app, &server, "the mark of a session", |view| {
        view.session_fingerprint.clone()
    })
    .await;
    app.explorer.ping(server.clone()).await.unwrap();
    let view = shows(&mut app, &server, "the new session", |view| {
        (view.reopened == 1 && view.health.is_none() && view.session_fingerprint.is_some())
            .then(|| view.clone())
    })
    .await;
    assert_ne!(view.session_fingerprint, Some(mark));
    assert!(view.lines.iter().any(|line| line.code == "reopening"));
    let phases = app.phases(&server);
    let ready = phases.iter().position(|one| *one == SessionPhase::Ready);
    assert_eq!(ready, Some(phases.len() - 1), "{phases:?}");
    assert!(!format!("{:?}", app.seen()).contains("session-1"));
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn round_trips_are_counted_by_method() {
    let peer = HttpPeer::start(obliging).await;
    let mut app = App::start().await;
    let server = app.add("Obliging", http(peer.url())).await;
    app.connect(&server).await;
    app.phase(&server, SessionPhase::Ready).await;
    for _ in 0..3 {
        app.explorer.ping(server.clone()).await.unwrap();
    }
    let row = shows(&mut app, &server, "three pings", |view| {
        let row = view.stats.iter().find(|row| row.method == "ping")?;
        (row.count == 3).then(|| row.clone())
    })
    .await;
    assert_eq!(row.failed, 0);
    assert!(row.min_micros <= row.median_micros && row.median_micros <= row.p95_micros);
    assert!(row.p95_micros <= row.max_micros);
    // Between the same two frames as in the wire log, whoever asked.
    let rows = logged(&app, &server).await;
    for stats in &app.seen().connections[&server].stats {
        let taken = || {
            let method = Some(stats.method.as_str());
            let answers = rows.iter().filter(|row| !row.out && row.partner.is_some());
            answers
                .filter(move |row| row.method.as_deref() == method)
                .filter_map(|row| row.micros)
        };
        let limits = (Some(stats.min_micros), Some(stats.max_micros));
        assert_eq!((taken().min(), taken().max()), limits, "{}", stats.method);
    }
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_is_shown_answered_as_written_and_leaves() {
    let ask = |id: u32, method: &str, params: &str| {
        Step::emit(
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
                + "\n",
        )
    };
    let server = scripted([
        Step::Expect,
        Step::emit(welcome("{}")),
        Step::Expect,
        ask(
            71,
            "elicitation/create",
            r#"{"message":"Which lamp?","requestedSchema":{"type":"object","properties":{"lamp":{"type":"integer"}}}}"#,
        ),
        Step::Expect,
        ask(
            72,
            "elicitation/create",
            r#"{"message":"Sure?","requestedSchema":{}}"#,
        ),
        Step::AwaitEof,
    ]);
    let mut app = App::start().await;
    let server = app.add("Curious", server).await;
    app.connect(&server).await;
    let form = app
        .until("the form", |seen| {
            seen.server_requests.values().next().cloned()
        })
        .await;
    assert_eq!(
        (form.message.as_str(), &form.server),
        ("Which lamp?", &server)
    );
    assert!(
        form.schema
            .as_deref()
            .unwrap()
            .contains(r#""lamp":{"type":"integer"}"#)
    );
    assert!(!form.undeclared, "forms are declared");
    let accept = |content: &str| AnswerInput::Accept {
        content: content.to_owned(),
    };
    let refused = app
        .explorer
        .answer_server_request(form.request, accept("[1]"))
        .await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidInput);
    let content = r#"{ "lamp": 9007199254740993 }"#;
    app.explorer
        .answer_server_request(form.request, accept(content))
        .await
        .unwrap();
    let next = app
        .until("the next form", |seen| {
            let next = seen
                .server_requests
                .values()
                .find(|one| one.message == "Sure?")?;
            (seen.server_requests.len() == 1).then(|| next.clone())
        })
        .await;
    assert!(next.request > form.request);
    assert!(
        sent(
            &app,
            &server,
            &format!(r#""action":"accept","content":{content}"#)
        )
        .await
    );
    let again = app
        .explorer
        .answer_server_request(form.request, AnswerInput::Decline)
        .await;
    assert_eq!(again.unwrap_err().code, ErrorCode::NotFound);

    // What is open ends with its session.
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.until("no question", |seen| {
        seen.server_requests.is_empty().then_some(())
    })
    .await;
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_are_marked_in_the_log_as_the_users() {
    let mut app = App::start().await;
    let demo = first(&mut app).await;
    app.ready(&demo).await;
    let filter = LogFilter {
        kinds: vec![LogKind::Note],
        ..LogFilter::default()
    };
    let notes = app.explorer.open_log(demo.clone(), filter).await.unwrap();
    app.explorer
        .inject_fault(
            demo.clone(),
            FaultInput::RawFrame {
                text: "this is no JSON".to_owned(),
            },
        )
        .await
        .unwrap();
    app.until("the mark", |seen| {
        let before = notes.rows;
        (seen.logs.get(&notes.view)?.rows > before).then_some(())
    })
    .await;
    app.explorer
        .inject_fault(demo.clone(), FaultInput::DelayAnswers { millis: 250 })
        .await
        .unwrap();
    shows(&mut app, &demo, "the delay", |view| {
        (view.answer_delay_ms == 250).then_some(())
    })
    .await;
    assert!(sent(&app, &demo, "this is no JSON").await);
    app.explorer.disconnect(demo.clone()).await.unwrap();
    app.phase(&demo, SessionPhase::Idle).await;
    shows(&mut app, &demo, "no delay after the end", |view| {
        (view.answer_delay_ms == 0).then_some(())
    })
    .await;
    app.explorer.shutdown().await;
}

/// A server that only speaks HTTP+SSE (2024-11-05): a GET stream that names where to post, and
/// carries the answers.
async fn old_fashioned() -> HttpPeer {
    let asked = Gate::new();
    HttpPeer::start(move |request| {
        let post = request.method == "POST";
        match request.target.as_str() {
            "/mcp" if !post => Reply::event_stream()
                .chunk("event: endpoint\ndata: /messages?session_id=0123456789abcdef\n\n")
                .wait(&asked)
                .event(welcome("{}").trim_end())
                .hang(),
            "/messages?session_id=0123456789abcdef" if post => {
                if request.body.contains("\"initialize\"") {
                    asked.open();
                }
                Reply::accepted()
            }
            _ => Reply::status(404).body("nothing here"),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_with_sse_is_found_remembered_and_can_be_chosen() {
    let peer = old_fashioned().await;
    let mut app = App::start().await;
    let way = |kind| Transport::Http {
        url: peer.url(),
        headers: Vec::new(),
        kind,
        network: NetworkConfig::default(),
        auth: AuthConfig::default(),
    };
    let mut found = draft("Found", way(HttpKind::Automatic));
    found.protocol = ProtocolMode::Automatic;
    let found = app.explorer.add_server(found).await.unwrap();
    app.connect(&found).await;
    app.phase(&found, SessionPhase::Ready).await;
    let view = shows(&mut app, &found, "the transport", |view| {
        (view.era == Some(Era::Handshake)).then(|| view.clone())
    })
    .await;
    assert_eq!(view.transport, Some(TransportKind::HttpSse));
    assert!(
        view.detection.iter().any(|step| step.code == "http-sse"),
        "{:#?}",
        view.detection
    );
    assert!(
        !sent(&app, &found, "0123456789abcdef").await,
        "a session's id"
    );

    // The next connect knows it, without a POST to an address that takes none.
    let before = peer.requests().len();
    app.explorer.restart(found.clone()).await.unwrap();
    let view = shows(&mut app, &found, "the second connect", |view| {
        (view.generation == 2 && view.revision.is_some()).then(|| view.clone())
    })
    .await;
    assert_eq!(view.detection[0].code, "known-http-sse");
    assert_eq!(peer.requests()[before].method, "GET");

    let chosen = app.add("Chosen", way(HttpKind::Sse)).await;
    let before = peer.requests().len();
    app.connect(&chosen).await;
    app.phase(&chosen, SessionPhase::Ready).await;
    assert_eq!(peer.requests()[before].method, "GET");

    // Streamable HTTP alone finds nothing there.
    let (_, failure) = app.failure(way(HttpKind::Streamable)).await;
    assert_eq!(failure.code, "no_endpoint");
    app.explorer.shutdown().await;
}

/// A server of both eras whose one tool asks the user in the way of the handshake.
fn of_two_eras(request: &Request) -> Reply {
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
    let Some(id) = request.id() else {
        return match request.method.as_str() {
            "POST" => Reply::accepted(),
            _ => Reply::status(405).body(""),
        };
    };
    let stateless = request.header("Mcp-Method").is_some();
    let (member, value) = match body["method"].as_str() {
        Some("initialize") => (
            "result",
            r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"two","version":"1"}}"#,
        ),
        Some("server/discover") => (
            "result",
            r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#,
        ),
        Some("tools/list") => (
            "result",
            r#"{"resultType":"complete","tools":[{"name":"ask","inputSchema":{"type":"object"}}]}"#,
        ),
        Some("tools/call") if stateless => (
            "error",
            r#"{"code":-32600,"message":"Cannot send 'elicitation/create': this transport context has no back-channel for server-initiated requests."}"#,
        ),
        Some("tools/call") => ("result", r#"{"content":[{"type":"text","text":"asked"}]}"#),
        _ => ("result", "{}"),
    };
    Reply::json(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"{member}":{value}}}"#
    ))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_needs_the_handshake_is_run_again_with_one_click() {
    let peer = HttpPeer::start(of_two_eras).await;
    let mut app = App::start().await;
    let mut two = draft("Two", http(peer.url()));
    two.protocol = ProtocolMode::Automatic;
    let server = app.explorer.add_server(two).await.unwrap();
    app.ready(&server).await;
    let era = |era| move |view: &ConnectionView| (view.era == Some(era)).then_some(());
    shows(&mut app, &server, "no handshake", era(Era::Stateless)).await;
    let arguments = r#"{"n": 9007199254740993}"#;
    let call = app.call(&server, "ask", arguments).await;
    let view = app.finished(call).await;
    assert!(matches!(
        view.outcome,
        Some(OperationOutcome::ProtocolError { code: -32600, .. })
    ));
    assert_eq!(
        view.needs_handshake.as_deref(),
        Some(
            "The server asks you something while it runs this, in a way that stateless \
             connections do not have. After a handshake it can."
        )
    );
    assert_eq!(
        peer.requests()
            .iter()
            .filter(|one| one.body.contains("initialize"))
            .count(),
        0,
        "nothing is done without the user"
    );

    app.explorer.run_with_handshake(call, false).await.unwrap();
    let again = app.finished(call + 1).await;
    assert_eq!(one_text(&again), "asked");
    assert_eq!(
        (again.arguments.as_deref(), again.needs_handshake),
        (Some(arguments), None)
    );
    shows(&mut app, &server, "a handshake", era(Era::Handshake)).await;
    let configured = |app: &App| app.seen().servers[&server].config.protocol.clone();
    assert_eq!(configured(&app), ProtocolMode::Automatic);
    // What succeeded has nothing to be run for.
    let refused = app.explorer.run_with_handshake(call + 1, false).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidInput);

    // The next connect is as it was configured, unless the choice is kept.
    app.explorer.restart(server.clone()).await.unwrap();
    shows(&mut app, &server, "no handshake", era(Era::Stateless)).await;
    app.phase(&server, SessionPhase::Ready).await;
    let call = app.call(&server, "ask", arguments).await;
    app.finished(call).await;
    app.explorer.run_with_handshake(call, true).await.unwrap();
    assert_eq!(one_text(&app.finished(call + 1).await), "asked");
    assert_eq!(configured(&app), ProtocolMode::Handshake);
    app.explorer.shutdown().await;
}
