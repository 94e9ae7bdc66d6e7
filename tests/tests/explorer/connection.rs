//! The panel of a connection: its contents and its commands.

use sonde_ipc::*;
use sonde_mcp::OperationId;
use sonde_tests::{
    app::{App, denied, entry, granted, of_kinds, one_text},
    client::http,
    http_peer::{HttpPeer, Reply, Request},
};

/// Waits until a connection shows something.
pub(crate) async fn shows<T>(
    app: &App,
    server: &str,
    what: &str,
    mut found: impl FnMut(&ConnectionView) -> Option<T>,
) -> T {
    let server = server.to_owned();
    app.until(what, |seen| found(seen.connections.get(&server)?))
        .await
}

/// Returns true if a message from Sonde to this server contains this text.
async fn sent(app: &App, server: &str, text: &str) -> bool {
    let rows = app.log(server, LogFilter::default()).await;
    for row in rows.iter().filter(|row| row.out) {
        let entry = entry(server, row.seq);
        let body = app.read_bytes(entry).await;
        if body.is_ok_and(|body| String::from_utf8_lossy(&body).contains(text)) {
            return true;
        }
    }
    false
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_panel_names_the_way_and_refuses_what_cannot_be_sent() {
    let app = App::start().await;
    let demo = app.first().await;
    assert!(
        app.seen().connections.is_empty(),
        "nothing before the first"
    );
    app.ready(&demo).await;
    let view = shows(&app, &demo, "what was agreed", |view| {
        view.facts.revision.is_some().then(|| view.clone())
    })
    .await;
    assert_eq!(
        (view.facts.transport, view.facts.generation),
        (Some(TransportKind::Stdio), 1)
    );
    assert!(
        view.facts.era.is_some()
            && view.facts.warnings.is_empty()
            && view.facts.http_version.is_none()
    );

    let other = app.join("Other", Transport::Demo { http: true }).await;
    let view = shows(&app, &other, "an answer over HTTP", |view| {
        (view.facts.http_version.is_some() && view.facts.revision.is_some()).then(|| view.clone())
    })
    .await;
    assert_eq!(view.facts.transport, Some(TransportKind::StreamableHttp));
    assert_eq!(view.facts.http_version, Some("HTTP/1.1"));

    let call = app
        .run_tool(&other, "echo", r#"{"message": "x"}"#)
        .await
        .operation;
    let raw = |text: &str| Fault::RawFrame {
        text: text.to_owned(),
    };
    let drop_stream = |operation| Fault::DropOperationStream {
        operation: OperationId(operation),
    };
    for (input, code) in [
        (raw(""), ErrorCode::InvalidInput),
        (
            Fault::DelayAnswers { millis: 600_001 },
            ErrorCode::InvalidInput,
        ),
        (drop_stream(call), ErrorCode::NotFound),
        (drop_stream(999), ErrorCode::NotFound),
    ] {
        let refused = app.inject_fault(demo.clone(), input.clone()).await;
        assert_eq!(refused.unwrap_err().code, code, "{input:?}");
    }
    let own = app.inject_fault(other.clone(), drop_stream(call));
    assert_eq!(own.await.unwrap_err().message, "This run has finished.");
    for refused in [
        app.answer_server_request(7, AnswerInput::Decline).await,
        app.reconnect_stream(demo.clone(), 77).await,
        app.give_up_stream(demo.clone(), 77).await,
        app.inject_fault("gone".to_owned(), Fault::Kill).await,
    ] {
        assert_eq!(refused.unwrap_err().code, ErrorCode::NotFound);
    }

    // A reload brings everything again; what a connection has shown stays after its end.
    app.end(&demo).await;
    app.reload().await;
    let kept = shows(&app, &demo, "the last connect", |view| Some(view.clone())).await;
    assert_eq!(kept.facts.transport, Some(TransportKind::Stdio));
    let refused = app.inject_fault(demo.clone(), Fault::Kill);
    denied(refused, ErrorCode::NotConnected).await;
    app.explorer.connect(demo.clone(), None).await.unwrap();
    shows(&app, &demo, "the next connect", |view| {
        (view.facts.generation == 2 && view.facts.revision.is_some()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_are_marked_in_the_log_as_the_users() {
    let app = App::start().await;
    let demo = app.demo().await;
    let filter = of_kinds(&[LogKind::Note]);
    let notes = app.open_log(demo.clone(), filter).await.unwrap();
    app.inject_fault(
        demo.clone(),
        Fault::RawFrame {
            text: "this is no JSON".to_owned(),
        },
    )
    .await
    .unwrap();
    app.holds("the mark", |seen| {
        let now = seen.logs.get(&notes.view);
        now.is_some_and(|now| now.rows > notes.rows)
    })
    .await;
    granted(app.inject_fault(demo.clone(), Fault::DelayAnswers { millis: 250 })).await;
    shows(&app, &demo, "the delay", |view| {
        (view.answer_delay_ms == 250).then_some(())
    })
    .await;
    assert!(sent(&app, &demo, "this is no JSON").await);
    app.end(&demo).await;
    shows(&app, &demo, "no delay after the end", |view| {
        (view.answer_delay_ms == 0).then_some(())
    })
    .await;
}

/// Returns the reply of a server that speaks both ways of the protocol and whose only tool asks the user as after a
/// handshake.
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
    let app = App::start().await;
    let server = app
        .add_as(ProtocolMode::Automatic, "Two", http(peer.url()))
        .await;
    app.ready(&server).await;
    let era = |era| move |view: &ConnectionView| (view.facts.era == Some(era)).then_some(());
    shows(&app, &server, "no handshake", era(Era::Stateless)).await;
    let arguments = r#"{"n": 9007199254740993}"#;
    let view = app.run_tool(&server, "ask", arguments).await;
    let call = view.operation;
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

    app.run_with_handshake(call, false).await.unwrap();
    let again = app.finished(call + 1).await;
    assert_eq!(one_text(&again), "asked");
    assert_eq!(
        (again.arguments.as_deref(), again.needs_handshake),
        (Some(arguments), None)
    );
    shows(&app, &server, "a handshake", era(Era::Handshake)).await;
    let configured = |app: &App| app.seen().servers[&server].config.protocol.clone();
    assert_eq!(configured(&app), ProtocolMode::Automatic);
    // What succeeded has nothing to be run for.
    let refused = app.run_with_handshake(call + 1, false);
    denied(refused, ErrorCode::InvalidInput).await;

    // The next connect is as it was configured, unless the choice is kept.
    app.restart(server.clone()).await.unwrap();
    shows(&app, &server, "no handshake", era(Era::Stateless)).await;
    app.phase(&server, SessionPhase::Ready).await;
    let call = app.run_tool(&server, "ask", arguments).await.operation;
    app.run_with_handshake(call, true).await.unwrap();
    assert_eq!(one_text(&app.finished(call + 1).await), "asked");
    assert_eq!(configured(&app), ProtocolMode::Handshake);
}
