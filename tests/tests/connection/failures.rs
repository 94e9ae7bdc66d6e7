//! Messages about every invalid input that a user can meet, each provoked for real.

use std::{io::Write as _, os::unix::fs::PermissionsExt as _, sync::Arc, time::Duration};

use serde_json::json;
use sonde_client::{
    Error,
    config::{ProxyConfig, Transport},
    log::{LogKind, LogRow},
    operations::OperationOutcome,
    sessions::{ConnectInput, Failure, SessionPhase, StepState, TransportEnd},
};
use sonde_findings::Severity;
use sonde_tests::{
    client::{Client, handshake, http, picky, scripted, stdio, welcome},
    http_peer::{HttpPeer, Reply},
    stdio_peer::{Step, first_results},
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Asserts that a failure explains the cause and the next step, and marks the step where it happened.
fn complete(client: &Client, failure: &Failure, code: &str, step: &str) {
    assert_eq!(failure.code, code, "{failure:#?}");
    assert!(
        failure.title.ends_with('.') || failure.title.ends_with(')'),
        "{}",
        failure.title
    );
    assert!(!failure.advice.is_empty(), "{failure:#?}");
    let (steps, process) = client.read(|state| {
        let session = &state.session;
        (session.steps(), session.process.clone())
    });
    let failed: Vec<_> = steps
        .iter()
        .filter(|step| step.state == StepState::Failed)
        .map(|step| step.name.as_str())
        .collect();
    assert_eq!(failed, [step], "{steps:#?}");
    assert!(process.is_none());
}

/// Returns the end of the transport.
fn closed(client: &Client) -> TransportEnd {
    client.read(|state| state.session.closed.clone()).unwrap()
}

/// Connects, and waits for the failure.
async fn failed(transport: Transport) -> (Client, Failure) {
    let client = Client::new(handshake(transport));
    client.begin();
    let failure = failure_of(&client).await;
    (client, failure)
}

/// Waits for the failure of a connect that has begun.
async fn failure_of(client: &Client) -> Failure {
    client.phase(SessionPhase::Failed).await;
    let failure = client.read(|state| state.session.failure.clone()).unwrap();
    println!("{failure:#?}");
    failure
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
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();

    let (client, failure) = failed(stdio("no-such-program-anywhere", &[])).await;
    complete(&client, &failure, "command_not_found", START);
    let folders = std::env::var("PATH").unwrap();
    let one = folders
        .split(':')
        .find(|folder| !folder.is_empty())
        .unwrap();
    assert!(
        failure.detail.unwrap().contains(one),
        "it says where it was looked for"
    );

    let (client, failure) = failed(stdio("npx -y something", &[])).await;
    complete(&client, &failure, "command_not_found", START);
    assert!(
        failure.advice.iter().any(|line| line.contains("spaces")),
        "{failure:#?}"
    );

    let (client, failure) = failed(stdio("/no/such/file", &[])).await;
    complete(&client, &failure, "command_not_found", START);

    let script = file(folder, "server.py", "print()", 0o644);
    let (client, failure) = failed(stdio(&script, &[])).await;
    complete(&client, &failure, "not_executable", START);
    assert!(failure.advice[0].contains("python3"), "{failure:#?}");

    let text = file(folder, "text", "\u{1}\u{2} no program at all", 0o755);
    let (client, failure) = failed(stdio(&text, &[])).await;
    assert_eq!(failure.code, "start_failed", "{failure:#?}");
    drop(client);

    let orphan = file(folder, "orphan", "#!/no/such/interpreter\n", 0o755);
    let (client, failure) = failed(stdio(&orphan, &[])).await;
    complete(&client, &failure, "start_failed", START);
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
    let (client, failure) = failed(nowhere).await;
    complete(&client, &failure, "bad_working_directory", START);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_that_are_no_servers() {
    let dies = scripted([
        Step::stderr("Loading\nError: Cannot find module 'left-pad'\n"),
        Step::Exit { code: 3 },
    ]);
    let (client, failure) = failed(dies).await;
    complete(&client, &failure, "process_exited", ANSWER);
    assert!(failure.title.contains("exit code 3"), "{failure:#?}");
    assert!(failure.cause.contains("left-pad"), "{failure:#?}");
    assert_eq!(failure.stderr_tail.len(), 2);
    assert!(failure.advice[0].contains("not installed"), "{failure:#?}");
    assert_eq!(closed(&client).exit_code, Some(3));

    let (client, failure) = failed(scripted([Step::Die])).await;
    complete(&client, &failure, "process_exited", ANSWER);
    assert!(failure.title.contains("SIGKILL"), "{failure:#?}");
    assert_eq!(closed(&client).signal.as_deref(), Some("SIGKILL"));

    let chatty = scripted([
        Step::emit("Hello!\nNice to meet you.\n"),
        Step::Exit { code: 0 },
    ]);
    let (client, failure) = failed(chatty).await;
    complete(&client, &failure, "no_mcp_output", ANSWER);
    assert_eq!(failure.non_message_tail, ["Hello!", "Nice to meet you."]);

    let pretty = scripted([
        Step::emit("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1\n}\n"),
        Step::Exit { code: 0 },
    ]);
    let (client, failure) = failed(pretty).await;
    complete(&client, &failure, "json_over_lines", ANSWER);
    assert!(failure.cause.contains("one line"), "{failure:#?}");
    assert_eq!(
        failure.non_message_tail,
        ["{", "  \"jsonrpc\": \"2.0\",", "  \"id\": 1", "}"]
    );

    let refuses = scripted([
        Step::Expect,
        Step::line(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not today","data":{"why":7}}}"#,
        ),
        Step::AwaitEof,
    ]);
    let (client, failure) = failed(refuses).await;
    complete(&client, &failure, "handshake_rejected", AGREE);
    assert!(failure.cause.contains("not today"), "{failure:#?}");
    assert_eq!(failure.detail.as_deref(), Some("{\"why\":7}"));

    let shapeless = scripted([
        Step::Expect,
        Step::emit("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[1,2]}\n"),
        Step::AwaitEof,
    ]);
    let (client, failure) = failed(shapeless).await;
    complete(&client, &failure, "bad_shape", AGREE);

    let future = scripted([
        Step::Expect,
        Step::emit(welcome("{}").replace("2025-11-25", "2099-01-01")),
        Step::AwaitEof,
    ]);
    let (client, failure) = failed(future).await;
    complete(&client, &failure, "unknown_revision", AGREE);
    assert!(failure.title.contains("2099-01-01"), "{failure:#?}");
}

/// Only the limits let time pass, once the process has written its output.
#[tokio::test]
async fn programs_that_never_answer() {
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
        let client = Client::new(handshake(scripted(steps)));
        client.begin();
        while client.log().entries().count() < entries {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::pause();
        let failure = failure_of(&client).await;
        tokio::time::resume();
        complete(&client, &failure, code, ANSWER);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_cannot_be_reached() {
    let nobody = sonde_tests::port::Port::reserve().unwrap();
    let address = nobody.address();
    let (client, failure) = failed(http(format!("http://{address}/mcp"))).await;
    complete(&client, &failure, "connection_refused", REACH);
    assert!(
        failure.advice[0].contains("Start the server first"),
        "{failure:#?}"
    );

    let (client, failure) = failed(http("http://no-such-host.invalid/mcp")).await;
    complete(&client, &failure, "unknown_host", REACH);

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
    let (client, failure) = failed(http(format!("https://{address}/mcp"))).await;
    plain.abort();
    complete(&client, &failure, "tls_failed", REACH);
    assert!(failure.advice[0].contains("http://"), "{failure:#?}");

    // A proxy whose certificate is not trusted.
    let (_, config) = sonde_tests::self_signed::self_signed("localhost");
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let proxy = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            assert!(acceptor.accept(stream).await.is_err());
        }
    });
    for (scheme, code) in [("http", "proxy_failed"), ("https", "tls_failed")] {
        let mut transport = http(format!("{scheme}://server.invalid/mcp"));
        if let Transport::Http { network, .. } = &mut transport {
            network.proxy = ProxyConfig::At {
                url: format!("https://localhost:{port}"),
                user: None,
                password: None,
            };
        }
        let (client, failure) = failed(transport).await;
        complete(&client, &failure, code, REACH);
        let advice = failure.advice.join(" ");
        assert!(advice.contains("server or the proxy"), "{failure:#?}");
        assert!(advice.contains("CA file"), "{failure:#?}");
    }
    proxy.abort();

    let peer = HttpPeer::start(|_| Reply::raw("HTTP/1.1 200 OK\r\nContent-").cut()).await;
    let (client, failure) = failed(http(peer.url())).await;
    complete(&client, &failure, "connection_broken", REACH);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_are_no_servers() {
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
        let (client, failure) = failed(http(peer.url())).await;
        complete(&client, &failure, code, MCP);
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
    let (client, failure) = failed(http(peer.url())).await;
    complete(&client, &failure, "redirected", MCP);
    assert!(failure.cause.contains("elsewhere.invalid"), "{failure:#?}");

    for status in [307, 405] {
        let peer = HttpPeer::start(move |_| Reply::status(status).body("")).await;
        let (_, failure) = failed(http(peer.url().replace("http:", "ws:"))).await;
        assert!(failure.cause.contains("WebSocket"), "{failure:#?}");
    }
}

/// OAuth, gateways and frameworks report errors in JSON of their own: only JSON that declares itself JSON-RPC is judged
/// by its rules.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_of_http_in_other_json_breaks_no_rule() {
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
        let (client, failure) = failed(http(peer.url())).await;
        let mut found = client.broken_rules();
        found.retain(|_, (rule, _)| rule.severity == Severity::Error);
        assert_eq!(found.len(), errors, "{status} {body}: {found:#?}");
        // What a sign-in ended with is no longer that answer.
        if status != 401 && errors == 0 {
            assert!(failure.detail.unwrap().contains(body), "{status} {body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_is_too_long_fails_its_call_only() {
    let tools = json!([{ "name": "big", "inputSchema": { "type": "object" } }]);
    let huge = scripted([
        Step::Serve {
            results: first_results("huge", &json!({ "tools": {} }), &tools),
            until: Some("tools/call".to_owned()),
        },
        Step::EmitLong {
            before: r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":""#
                .to_owned(),
            size: 200 << 20,
            after: "\"}]}}\n".to_owned(),
        },
        Step::Expect,
        Step::line(
            r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"ok"}]}}"#,
        ),
        Step::AwaitEof,
    ]);
    let client = Client::new(handshake(huge));
    client.ready().await;
    let call = client.start_tool("big", "{}").await;
    let outcome = client.finished(call, |run| run.outcome.clone()).await;
    match outcome.unwrap() {
        OperationOutcome::Lost { reason, .. } => assert!(reason.contains("MiB"), "{reason}"),
        other => panic!("{other:?}"),
    }
    let call = client.start_tool("big", "{}").await;
    assert_eq!(client.text(call).await, "ok");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn giving_up_works_at_any_time() {
    let peer = HttpPeer::start(|_| Reply::silence().hang()).await;
    let deaf = scripted([Step::IgnoreTerminate, Step::AwaitEof]);
    for transport in [http(peer.url()), deaf] {
        let client = Client::new(handshake(transport));
        client.begin();
        client.phase(SessionPhase::Connecting).await;
        let again = client.connect(ConnectInput::default());
        assert_eq!(again, Err(Error::AlreadyConnected));
        client.disconnect().await.unwrap();
        client.phase(SessionPhase::Idle).await;
        client.read(|state| {
            let session = &state.session;
            assert!(session.failure.is_none() && session.process.is_none());
            let mut steps = session.steps().into_iter();
            assert!(steps.all(|step| step.state != StepState::Failed));
        });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_version_is_offered_once_and_announced() {
    let (client, failure) = failed(picky()).await;
    assert_eq!(client.read(|state| state.session.generation), 1);
    complete(&client, &failure, "handshake_rejected", AGREE);
    let log = client.log();
    let rows: Vec<_> = log.entries().map(|seq| log.row(seq).unwrap()).collect();
    let offered = |row: &LogRow| row.out && row.method.as_deref() == Some("initialize");
    let sent: Vec<_> = rows.iter().filter(|row| offered(row)).collect();
    assert_eq!(sent.len(), 2);
    assert!(sent[1].preview.contains("2024-11-05"), "{sent:#?}");
    let mut notes = rows.iter().filter(|row| row.kind == LogKind::Note);
    assert!(
        notes.any(|row| row.preview.contains("2024-11-05")),
        "it is announced: {rows:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_without_end_and_reads_nothing_can_be_disconnected() {
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
    let client = Client::new(handshake(flood));
    client.begin();
    client.phase(SessionPhase::Ready).await;
    // Until both pipes are full: Sonde waits for the server to read, and the server for Sonde.
    let mut before = 0;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let recorded = client.log().entries().end;
        if recorded == before {
            break;
        }
        before = recorded;
    }
    assert!(before < 200_000, "the pipes are never full");
    client.disconnect().await.unwrap();
    client.phase(SessionPhase::Idle).await;
    assert!(client.read(|state| state.session.process.is_none()));
}
