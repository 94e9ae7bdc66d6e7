//! Every bad input that a person meets, provoked for real: what is said about it.

use std::{io::Write as _, os::unix::fs::PermissionsExt as _};

use sonde_ipc::*;
use sonde_tests::{
    http_peer::{HttpPeer, Reply},
    stdio_peer::Step,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::window::{App, http, picky, scripted, stdio, welcome};

/// A failure says what happened and what to do, and marks the step where it happened.
fn complete(session: &SessionView, failure: &Failure, code: &str, step: &str) {
    assert_eq!(failure.code, code, "{failure:#?}");
    assert!(
        failure.title.ends_with('.') || failure.title.ends_with(')'),
        "{}",
        failure.title
    );
    assert!(!failure.advice.is_empty(), "{failure:#?}");
    let failed: Vec<_> = session
        .steps
        .iter()
        .filter(|step| step.state == StepState::Failed)
        .map(|step| step.name.as_str())
        .collect();
    assert_eq!(failed, [step], "{:#?}", session.steps);
    assert!(session.process.is_none());
}

fn file(folder: &std::path::Path, name: &str, text: &str, mode: u32) -> String {
    let path = folder.join(name);
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.set_permissions(std::fs::Permissions::from_mode(mode))
        .unwrap();
    path.display().to_string()
}

const START: &str = "Start the process";
const ANSWER: &str = "Wait for the first response";
const REACH: &str = "Connect to the server";
const MCP: &str = "Get an MCP response";
const AGREE: &str = "Negotiate the protocol version";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_that_do_not_start() {
    let mut app = App::start().await;
    let folder = app.folder.path().to_owned();

    let (session, failure) = app.failure(stdio("no-such-program-anywhere", &[])).await;
    complete(&session, &failure, "command_not_found", START);
    let folders = std::env::var("PATH").unwrap();
    let one = folders
        .split(':')
        .find(|folder| !folder.is_empty())
        .unwrap();
    assert!(
        failure.detail.unwrap().contains(one),
        "it says where it was looked for"
    );

    let (session, failure) = app.failure(stdio("npx -y something", &[])).await;
    complete(&session, &failure, "command_not_found", START);
    assert!(
        failure.advice.iter().any(|line| line.contains("spaces")),
        "{failure:#?}"
    );

    let (session, failure) = app.failure(stdio("/no/such/file", &[])).await;
    complete(&session, &failure, "command_not_found", START);

    let script = file(&folder, "server.py", "print()", 0o644);
    let (session, failure) = app.failure(stdio(&script, &[])).await;
    complete(&session, &failure, "not_executable", START);
    assert!(failure.advice[0].contains("python3"), "{failure:#?}");

    let text = file(&folder, "text", "\u{1}\u{2} no program at all", 0o755);
    let (session, failure) = app.failure(stdio(&text, &[])).await;
    assert_eq!(failure.code, "start_failed", "{failure:#?}");
    assert_eq!(session.phase, SessionPhase::Failed);

    let orphan = file(&folder, "orphan", "#!/no/such/interpreter\n", 0o755);
    let (session, failure) = app.failure(stdio(&orphan, &[])).await;
    complete(&session, &failure, "start_failed", START);
    assert!(
        failure.advice.join(" ").contains("interpreter"),
        "{failure:#?}"
    );

    let nowhere = Transport::Stdio {
        command: "sh".to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: Some("/no/such/folder".to_owned()),
    };
    let (session, failure) = app.failure(nowhere).await;
    complete(&session, &failure, "bad_working_directory", START);
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_that_are_no_servers() {
    let mut app = App::start().await;
    let dies = scripted([
        Step::stderr("Loading\nError: Cannot find module 'left-pad'\n"),
        Step::Exit { code: 3 },
    ]);
    let (session, failure) = app.failure(dies).await;
    complete(&session, &failure, "process_exited", ANSWER);
    assert!(failure.title.contains("exit code 3"), "{failure:#?}");
    assert!(failure.cause.contains("left-pad"), "{failure:#?}");
    assert_eq!(failure.stderr_tail.len(), 2);
    assert!(failure.advice[0].contains("not installed"), "{failure:#?}");
    assert_eq!(session.closed.unwrap().exit_code, Some(3));

    let (session, failure) = app.failure(scripted([Step::Die])).await;
    complete(&session, &failure, "process_exited", ANSWER);
    assert!(failure.title.contains("SIGKILL"), "{failure:#?}");
    assert_eq!(session.closed.unwrap().signal.as_deref(), Some("SIGKILL"));

    let chatty = scripted([
        Step::emit("Hello!\nNice to meet you.\n"),
        Step::Exit { code: 0 },
    ]);
    let (session, failure) = app.failure(chatty).await;
    complete(&session, &failure, "no_mcp_output", ANSWER);
    assert_eq!(failure.non_message_tail, ["Hello!", "Nice to meet you."]);

    let pretty = scripted([
        Step::emit("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1\n}\n"),
        Step::Exit { code: 0 },
    ]);
    let (session, failure) = app.failure(pretty).await;
    complete(&session, &failure, "json_over_lines", ANSWER);
    assert!(failure.cause.contains("one line"), "{failure:#?}");
    assert_eq!(
        failure.non_message_tail,
        ["{", "  \"jsonrpc\": \"2.0\",", "  \"id\": 1", "}"]
    );

    let refuses = scripted([
        Step::Expect,
        Step::emit(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not today","data":{"why":7}}}"#
                .to_owned()
                + "\n",
        ),
        Step::AwaitEof,
    ]);
    let (session, failure) = app.failure(refuses).await;
    complete(&session, &failure, "handshake_rejected", AGREE);
    assert!(failure.cause.contains("not today"), "{failure:#?}");
    assert_eq!(failure.detail.as_deref(), Some("{\"why\":7}"));

    let shapeless = scripted([
        Step::Expect,
        Step::emit("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[1,2]}\n"),
        Step::AwaitEof,
    ]);
    let (session, failure) = app.failure(shapeless).await;
    complete(&session, &failure, "bad_shape", AGREE);

    let future = scripted([
        Step::Expect,
        Step::emit(welcome("{}").replace("2025-11-25", "2099-01-01")),
        Step::AwaitEof,
    ]);
    let (session, failure) = app.failure(future).await;
    complete(&session, &failure, "unknown_revision", AGREE);
    assert!(failure.title.contains("2099-01-01"), "{failure:#?}");
    app.explorer.shutdown().await;
}

/// Time stands still but for the limits, as soon as the process has said what it says.
#[tokio::test]
async fn programs_that_never_answer() {
    let mut app = App::start().await;
    for (steps, code, entries) in [
        (
            vec![Step::emit("Starting...\n"), Step::AwaitEof],
            "no_mcp_output",
            3,
        ),
        (
            vec![Step::stderr("waiting\n"), Step::AwaitEof],
            "handshake_timeout",
            3,
        ),
    ] {
        let server = app.add("Silent", scripted(steps)).await;
        let log = app
            .explorer
            .open_log(server.clone(), LogFilter::default())
            .await
            .unwrap();
        app.connect(&server).await;
        app.until("what it says", |seen| {
            (seen.logs.get(&log.view)?.total >= entries).then_some(())
        })
        .await;
        tokio::time::pause();
        let session = app.phase(&server, SessionPhase::Failed).await;
        tokio::time::resume();
        let failure = session.failure.clone().unwrap();
        complete(&session, &failure, code, ANSWER);
    }
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_cannot_be_reached() {
    let mut app = App::start().await;
    let nobody = sonde_tests::port::Port::reserve().unwrap();
    let address = nobody.address();
    let (session, failure) = app.failure(http(format!("http://{address}/mcp"))).await;
    complete(&session, &failure, "connection_refused", REACH);
    assert!(
        failure.advice[0].contains("Start the server first"),
        "{failure:#?}"
    );

    let (session, failure) = app.failure(http("http://no-such-host.invalid/mcp")).await;
    complete(&session, &failure, "unknown_host", REACH);

    // A server without TLS answers the first bytes of a TLS handshake like any nonsense.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let plain = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut greeting = [0; 64];
            let _ = stream.read(&mut greeting).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let (session, failure) = app.failure(http(format!("https://{address}/mcp"))).await;
    plain.abort();
    complete(&session, &failure, "tls_failed", REACH);
    assert!(failure.advice[0].contains("http://"), "{failure:#?}");

    let peer = HttpPeer::start(|_| Reply::raw("HTTP/1.1 200 OK\r\nContent-").cut()).await;
    let (session, failure) = app.failure(http(peer.url())).await;
    complete(&session, &failure, "connection_broken", REACH);
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_are_no_servers() {
    let mut app = App::start().await;
    let page = "<!doctype html><title>Welcome</title>";
    for (status, kind, body, code) in [
        (200, "text/html", page, "html_answer"),
        (200, "text/plain", "hello", "no_mcp_answer"),
        (
            401,
            "application/json",
            "{\"error\":\"login\"}",
            "sign_in_nothing_published",
        ),
        (403, "text/plain", "no", "forbidden"),
        (404, "text/html", page, "no_endpoint"),
        (405, "text/plain", "no", "method_not_allowed"),
        (418, "text/plain", "teapot", "request_refused"),
        (500, "text/plain", "oops", "server_error"),
        (503, "text/plain", "later", "server_busy"),
    ] {
        let peer = HttpPeer::start(move |_| {
            Reply::status(status)
                .header("content-type", kind)
                .body(body)
        })
        .await;
        let (session, failure) = app.failure(http(peer.url())).await;
        complete(&session, &failure, code, MCP);
        // What a sign-in ended with is no longer that answer.
        if (body != page || status == 200) && status != 401 {
            assert!(
                failure.detail.as_ref().unwrap().contains(body),
                "{failure:#?}"
            );
        }
    }
    let peer = HttpPeer::start(|_| {
        Reply::status(307)
            .header("location", "http://elsewhere.invalid/")
            .body("")
    })
    .await;
    let (session, failure) = app.failure(http(peer.url())).await;
    complete(&session, &failure, "redirected", MCP);
    assert!(failure.cause.contains("elsewhere.invalid"), "{failure:#?}");
    app.explorer.shutdown().await;
}

/// OAuth, gateways and frameworks tell errors in JSON of their own: only what says that it is JSON-RPC is judged by its rules.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_of_http_in_other_json_breaks_no_rule() {
    let mut app = App::start().await;
    let bad = r#"{"jsonrpc":"1.0","id":null,"error":{"code":-32600,"message":"No."}}"#;
    for (status, kind, body, errors) in [
        (401, "application/json", r#"{"error":"invalid_token"}"#, 0),
        (403, "application/json", r#"{"message":"Forbidden"}"#, 0),
        (404, "application/json", r#"{"detail":"Not Found"}"#, 0),
        (500, "", r#"{"error":{"code":500,"status":"INTERNAL"}}"#, 0),
        (503, "application/json", r#"[{"code":"busy"}]"#, 0),
        // The request is repeated in it.
        (
            422,
            "application/json",
            r#"{"detail":[{"input":{"jsonrpc":"2.0"}}]}"#,
            0,
        ),
        (403, "application/json", bad, 1),
    ] {
        let peer = HttpPeer::start(move |_| {
            let reply = Reply::status(status).body(body);
            match kind {
                "" => reply,
                kind => reply.header("content-type", kind),
            }
        })
        .await;
        let (session, failure) = app.failure(http(peer.url())).await;
        let of_errors = IssueFilter {
            severities: vec![Severity::Error],
            ..IssueFilter::default()
        };
        let found = app.explorer.issues(session.server, of_errors).await;
        let found = found.unwrap().rules;
        assert_eq!(found.len(), errors, "{status} {body}: {found:#?}");
        // What a sign-in ended with is no longer that answer.
        if status != 401 && errors == 0 {
            assert!(failure.detail.unwrap().contains(body), "{status} {body}");
        }
    }
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_is_too_long_fails_its_call_only() {
    let mut app = App::start().await;
    let tools = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"big","inputSchema":{"type":"object"}}]}}"#;
    let server = app
        .add(
            "Huge",
            scripted([
                Step::Expect,
                Step::emit(welcome("{\"tools\":{}}")),
                Step::Expect,
                Step::Expect,
                Step::emit(format!("{tools}\n")),
                Step::Expect,
                Step::EmitLong {
                    before:
                        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":""#
                            .to_owned(),
                    size: 200 << 20,
                    after: "\"}]}}\n".to_owned(),
                },
                Step::Expect,
                Step::emit(
                    r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"ok"}]}}"#
                        .to_owned() + "\n",
                ),
                Step::AwaitEof,
            ]),
        )
        .await;
    app.ready(&server).await;
    let call = app.call(&server, "big", "{}").await;
    match app.finished(call).await.outcome.unwrap() {
        OperationOutcome::Lost { reason, .. } => assert!(reason.contains("MiB"), "{reason}"),
        other => panic!("{other:?}"),
    }
    let call = app.call(&server, "big", "{}").await;
    assert_eq!(crate::window::one_text(&app.finished(call).await), "ok");
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn giving_up_works_at_any_time() {
    let mut app = App::start().await;
    let peer = HttpPeer::start(|_| Reply::silence().hang()).await;
    let silent = app.add("Silent", http(peer.url())).await;
    let deaf = app
        .add("Deaf", scripted([Step::IgnoreTerminate, Step::AwaitEof]))
        .await;
    for server in [&silent, &deaf] {
        app.connect(server).await;
        app.phase(server, SessionPhase::Connecting).await;
        let error = app
            .explorer
            .connect(server.clone(), None)
            .await
            .unwrap_err();
        assert_eq!(error.code, ErrorCode::AlreadyConnected);
        app.explorer.disconnect(server.clone()).await.unwrap();
        let session = app.phase(server, SessionPhase::Idle).await;
        assert!(session.failure.is_none() && session.process.is_none());
        assert!(
            session
                .steps
                .iter()
                .all(|step| step.state != StepState::Failed)
        );
    }
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_version_is_offered_once_and_announced() {
    let mut app = App::start().await;
    let server = app.add("Picky", picky()).await;
    let filter = LogFilter {
        kinds: vec![LogKind::Note],
        ..LogFilter::default()
    };
    let notes = app.explorer.open_log(server.clone(), filter).await.unwrap();
    let filter = LogFilter {
        methods: vec!["initialize".to_owned()],
        ..LogFilter::default()
    };
    let offers = app.explorer.open_log(server.clone(), filter).await.unwrap();
    app.connect(&server).await;
    let session = app.phase(&server, SessionPhase::Failed).await;
    assert_eq!(session.generation, 1);
    let failure = session.failure.clone().unwrap();
    complete(&session, &failure, "handshake_rejected", AGREE);
    let (offers, rows) = app
        .until("both offers", |seen| {
            let state = seen.logs.get(&offers.view)?;
            (state.rows >= 2).then_some((offers.view, state.clone()))
        })
        .await;
    let rows = app
        .explorer
        .log_rows(offers, rows.epoch, 0, 10)
        .await
        .unwrap();
    let sent: Vec<_> = rows.iter().filter(|row| row.out).collect();
    assert_eq!(sent.len(), 2);
    assert!(sent[1].preview.contains("2024-11-05"), "{sent:#?}");
    let state = app
        .until("the note", |seen| {
            seen.logs
                .get(&notes.view)
                .filter(|state| state.rows >= 1)
                .cloned()
        })
        .await;
    let rows = app
        .explorer
        .log_rows(notes.view, state.epoch, 0, 10)
        .await
        .unwrap();
    assert!(
        rows.iter().any(|row| row.preview.contains("2024-11-05")),
        "it is announced: {rows:#?}"
    );
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_without_end_and_reads_nothing_can_be_disconnected() {
    let mut app = App::start().await;
    let flood = scripted([
        Step::Expect,
        Step::emit(welcome("{}")),
        Step::Expect,
        Step::EmitMany {
            count: 200_000,
            text: "{\"jsonrpc\":\"2.0\",\"id\":\"q{n}\",\"method\":\"ping\"}\n".to_owned(),
        },
        Step::Hang,
    ]);
    let server = app.add("Flood", flood).await;
    app.connect(&server).await;
    app.phase(&server, SessionPhase::Ready).await;
    // Until both pipes are full: Sonde waits for the server to read, and the server for Sonde.
    let mut before = 0;
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let (of, filter) = (server.clone(), LogFilter::default());
        let log = app.explorer.open_log(of, filter).await.unwrap();
        app.explorer.close_log(log.view).await.unwrap();
        if log.last == before {
            break;
        }
        before = log.last;
    }
    assert!(before < 200_000, "the pipes are never full");
    app.explorer.disconnect(server.clone()).await.unwrap();
    let session = app.phase(&server, SessionPhase::Idle).await;
    assert!(session.process.is_none());
    app.explorer.shutdown().await;
}
