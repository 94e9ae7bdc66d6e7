//! Details of a connection and its commands, as the panel of the window shows them.

use std::sync::atomic::AtomicUsize;

use sonde_client::{
    Connection, Error,
    config::{HttpKind, ProtocolMode, ServerConfig, Transport},
    sessions::{
        AnswerInput, ConnectDetails, Detection, SessionPhase, StreamPurpose, StreamState,
        TransportKind,
    },
};
use sonde_mcp::Era;
use sonde_tests::{
    client::{Client, by_hand, handshake, http, picky, scripted, stdio, welcome},
    http_peer::{Gate, HttpPeer, Reply},
    mcp_peer::{numbered_session, obliging},
    stdio_peer::Step,
};

/// Waits until the details show something.
async fn shows<T>(
    client: &Client,
    what: &str,
    mut found: impl FnMut(&ConnectDetails) -> Option<T>,
) -> T {
    client
        .until(what, |state| found(state.session.connection.as_ref()?))
        .await
}

/// Connects, and waits until operations work.
async fn open(transport: Transport) -> Client {
    let client = Client::new(handshake(transport));
    client.begin();
    client.phase(SessionPhase::Ready).await;
    client
}

/// True if a message to the server contains this text.
fn sent(connection: &Connection, text: &str) -> bool {
    let log = connection.log();
    log.entries().any(|seq| {
        let is_out = log.row(seq).is_ok_and(|row| row.out);
        let body = log.body(seq);
        is_out && body.is_ok_and(|body| String::from_utf8_lossy(body.bytes()).contains(text))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_try_is_decided_in_view_of_the_user() {
    let client = Client::new(handshake(picky()));
    client.begin();
    let decided = shows(&client, "the decision", |details| {
        let is_decided = |one: &&Detection| one.step.code == "other-offer";
        details.facts.detection.iter().find(is_decided).cloned()
    })
    .await;
    assert!(decided.step.sentence.contains("2024-11-05"), "{decided:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_both_http_transports_fail_the_newer_one_says_why() {
    let peer = HttpPeer::start(|_| Reply::status(404).body("")).await;
    let client = Client::new(handshake(over(&peer, HttpKind::Automatic)));
    client.begin();
    let failure = client.wait_until_open().await.unwrap_err();
    assert_eq!(failure.code, "no_endpoint");
    let last = failure.advice.last().unwrap();
    assert!(last.contains("HTTP+SSE"), "{last}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_choice_of_the_era_is_obeyed() {
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
        for over_http in [false, true] {
            let config = ServerConfig {
                protocol: era.clone(),
                ..handshake(Transport::Demo { http: over_http })
            };
            let client = Client::with_demo(config);
            client.ready().await;
            let (agreed, detected) = shows(&client, "the era", |details| {
                let agreed = (details.facts.era?, details.facts.revision.clone());
                Some((agreed, !details.facts.detection.is_empty()))
            })
            .await;
            let expected = (spoken, Some(revision.to_owned()));
            assert_eq!(agreed, expected, "{era:?}, http: {over_http}");
            let steps = client.read(|state| state.session.steps());
            let detects = steps.iter().any(|step| step.name == "Detect the protocol");
            assert_eq!(detects, era == ProtocolMode::Automatic);
            // A choice of the user's own is not questioned, but a stateless server has to say who
            // it is.
            assert_eq!(detected, spoken == Era::Stateless);
            let call = client.start_tool("echo", r#"{"message": "hello"}"#).await;
            assert_eq!(client.text(call).await, "hello");
            client.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_dies_of_the_probe_is_not_probed_again() {
    // It ends at once at anything that does not begin with the handshake.
    let script = "read -r line; case $line in *initialize*) \
        printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\
        \"capabilities\":{},\"serverInfo\":{\"name\":\"shy\",\"version\":\"1\"}}}'; cat >/dev/null;; \
        *) exit 3;; esac";
    let client = Client::new(ServerConfig::new("Shy", stdio("sh", &["-c", script])));
    let mut connects = Vec::new();
    for generation in [1, 2] {
        client.begin();
        client.phase(SessionPhase::Ready).await;
        let codes = shows(&client, "the handshake", |details| {
            let agreed = details.facts.generation == generation && details.facts.revision.is_some();
            let codes = details.facts.detection.iter().map(|one| one.step.code);
            agreed.then(|| codes.collect::<Vec<_>>())
        });
        connects.push(codes.await);
        client.end_session().await;
    }
    let has = |connect: usize, code: &str| connects[connect].contains(&code);
    assert!(has(0, "handshake-anew"), "{connects:?}");
    assert!(has(1, "known-handshake"), "{connects:?}");
    assert!(!has(1, "handshake-anew"), "{connects:?}");
}

/// The background stream of the first connect breaks after an event and is resumed.
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
    let client = open(http(peer.url())).await;
    let (listener, lines, total) = shows(&client, "the stream is open again", |details| {
        let lines: Vec<_> = details.streams.lines().iter().cloned().collect();
        let is_open = lines.iter().any(|line| line.code == "resumed");
        let total = details.streams.lines().total();
        is_open.then(|| (details.streams.list()[0].clone(), lines, total))
    })
    .await;
    assert_eq!(
        (listener.purpose, listener.state, listener.lost),
        (StreamPurpose::Listener, StreamState::Open, 1)
    );
    assert_eq!(listener.last_event_id.as_deref(), Some("42"));
    let said = |code: &str| {
        let line = lines.iter().find(|line| line.code == code);
        line.unwrap_or_else(|| panic!("{code}: {lines:#?}"))
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
    let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, (1..=total).collect::<Vec<_>>());
    client.phase(SessionPhase::Ready).await;
    assert!(client.read(|state| state.session.failure.is_none()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_a_listener_is_nothing_to_worry_about() {
    let peer = HttpPeer::start(obliging).await;
    let client = open(http(peer.url())).await;
    let health = shows(&client, "no listener", |details| {
        let listener = details.streams.list().into_iter().next()?;
        (listener.state == StreamState::NotOffered).then(|| details.health())
    })
    .await;
    assert_eq!(health, None);
    client.phase(SessionPhase::Ready).await;
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
    let client = open(http(peer.url())).await;
    let mark = shows(&client, "the mark of a session", |details| {
        details.facts.session_fingerprint.clone()
    })
    .await;
    let since = client.read(|state| state.session.since);
    client.ping().await.unwrap();
    let (next, lines) = shows(&client, "the new session", |details| {
        let reopened = details.facts.reopened == 1 && details.health().is_none();
        let mark = details.facts.session_fingerprint.clone()?;
        let lines: Vec<_> = details.streams.lines().iter().cloned().collect();
        reopened.then_some((mark, lines))
    })
    .await;
    assert_ne!(next, mark);
    assert!(lines.iter().any(|line| line.code == "reopening"));
    client.read(|state| {
        let session = &state.session;
        assert_eq!((session.phase, session.since), (SessionPhase::Ready, since));
        assert!(!format!("{state:?}").contains("session-1"));
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn round_trips_are_counted_by_method() {
    let peer = HttpPeer::start(obliging).await;
    let client = open(http(peer.url())).await;
    for _ in 0..3 {
        client.ping().await.unwrap();
    }
    let row = shows(&client, "three pings", |details| {
        let rows = details.stats.rows().into_iter();
        let mut pings = rows.filter(|row| row.method == "ping" && row.count == 3);
        pings.next()
    })
    .await;
    assert_eq!(row.failed, 0);
    assert!(row.min_micros <= row.median_micros && row.median_micros <= row.p95_micros);
    assert!(row.p95_micros <= row.max_micros);
    // Between the same two frames as in the wire log, whoever asked.
    let log = client.log();
    let rows: Vec<_> = log.entries().map(|seq| log.row(seq).unwrap()).collect();
    for stats in shows(&client, "the figures", |details| Some(details.stats.rows())).await {
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
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_is_shown_answered_as_written_and_leaves() {
    let ask = |id: u32, params: &str| {
        Step::line(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"elicitation/create","params":{params}}}"#
        ))
    };
    let server = scripted([
        Step::Expect,
        Step::emit(welcome("{}")),
        Step::Expect,
        ask(
            71,
            r#"{"message":"Which lamp?","requestedSchema":{"type":"object","properties":{"lamp":{"type":"integer"}}}}"#,
        ),
        Step::Expect,
        ask(72, r#"{"message":"Sure?","requestedSchema":{}}"#),
        Step::AwaitEof,
    ]);
    let client = open(server).await;
    let form = client.wait_for_server_request(0);
    let form = client.within("the form", form).await;
    assert_eq!(form.message, "Which lamp?");
    assert!(
        form.schema
            .as_deref()
            .unwrap()
            .contains(r#""lamp":{"type":"integer"}"#)
    );
    assert!(!form.undeclared, "forms are declared");
    let answer = |content: &str| {
        let content = content.to_owned();
        client.answer_server_request(form.number, AnswerInput::Accept { content })
    };
    let refused = answer("[1]").await;
    assert!(matches!(refused, Err(Error::InvalidInput { .. })));
    let content = r#"{ "lamp": 9007199254740993 }"#;
    answer(content).await.unwrap();
    let next = client.wait_for_server_request(form.number);
    let next = client.within("the next form", next).await;
    assert_eq!(next.message, "Sure?");
    client
        .until("the first to leave", |state| {
            (state.server_requests.iter().count() == 1).then_some(())
        })
        .await;
    let reply = format!(r#""action":"accept","content":{content}"#);
    assert!(sent(&client, &reply));
    let again = client.answer_server_request(form.number, AnswerInput::Decline);
    assert!(matches!(again.await, Err(Error::NotFound(_))));

    // What is open ends with its session.
    client.disconnect().await.unwrap();
    client
        .until("no question", |state| {
            (state.server_requests.iter().count() == 0).then_some(())
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_form_of_a_cancelled_run_is_cancelled_with_it() {
    let form = |id: u32| {
        Step::line(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"elicitation/create","params":{{"message":"Which lamp?","requestedSchema":{{}}}}}}"#
        ))
    };
    let server = scripted([
        Step::Expect,
        Step::emit(welcome("{}")),
        Step::Expect,
        Step::Expect,
        form(71),
        // The run is cancelled, then the form.
        Step::Expect,
        Step::Expect,
        form(72),
        Step::AwaitEof,
    ]);
    let client = open(server).await;
    let run = client.start_operation(by_hand("lamps/light", "{}"));
    let run = run.await.unwrap();
    let form = client.wait_for_server_request(0);
    let form = client.within("the form", form).await;
    client.cancel_operation(run).await.unwrap();
    let next = client.wait_for_server_request(form.number);
    client.within("the next form", next).await;
    assert!(sent(&client, r#""id":71,"result":{"action":"cancel"}"#));
}

/// Starts a server that only speaks HTTP+SSE (2024-11-05): a GET stream that names the address for messages, and
/// carries the responses.
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

/// Creates the transport of this kind to a peer.
fn over(peer: &HttpPeer, wanted: HttpKind) -> Transport {
    let mut transport = http(peer.url());
    if let Transport::Http { kind, .. } = &mut transport {
        *kind = wanted;
    }
    transport
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_with_sse_is_found_remembered_and_can_be_chosen() {
    let peer = old_fashioned().await;
    let found = Client::new(ServerConfig::new("Found", over(&peer, HttpKind::Automatic)));
    found.begin();
    found.phase(SessionPhase::Ready).await;
    let (transport, detection) = shows(&found, "the transport", |details| {
        let agreed = details.facts.era == Some(Era::Handshake);
        agreed.then(|| (details.facts.transport, details.facts.detection.clone()))
    })
    .await;
    assert_eq!(transport, Some(TransportKind::HttpSse));
    assert!(
        detection.iter().any(|one| one.step.code == "http-sse"),
        "{detection:#?}"
    );
    assert!(!sent(&found, "0123456789abcdef"), "a session's id");

    // The next connect knows it, without a POST to an address that takes none.
    let refused = || {
        let requests = peer.requests();
        let posts = requests.iter().filter(|one| one.method == "POST");
        posts.filter(|one| one.target == "/mcp").count()
    };
    let detecting = refused();
    assert!(detecting > 0);
    found.end_session().await;
    found.begin();
    let first = shows(&found, "the second connect", |details| {
        let agreed = details.facts.generation == 2 && details.facts.revision.is_some();
        agreed.then(|| details.facts.detection[0].step.code)
    })
    .await;
    assert_eq!(first, "known-http-sse");
    open(over(&peer, HttpKind::Sse)).await;
    assert_eq!(refused(), detecting);

    // Streamable HTTP alone finds nothing there.
    let client = Client::new(handshake(over(&peer, HttpKind::Streamable)));
    client.begin();
    let failure = client.wait_until_open().await.unwrap_err();
    assert_eq!(failure.code, "no_endpoint");
}
