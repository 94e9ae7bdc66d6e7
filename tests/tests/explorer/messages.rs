//! Log messages, requests by hand, and the user's own `_meta`, with a handshake and stateless.

use sonde_ipc::*;

use sonde_tests::{
    app::{App, denied, granted},
    client::{scripted, welcome},
    stdio_peer::Step,
};

/// Connects to the demo server in one of the two ways, and waits until it is ready.
async fn connected(protocol: ProtocolMode) -> (App, ServerId) {
    let app = App::start().await;
    let server = app
        .add_as(protocol, "Messages", Transport::Demo { http: false })
        .await;
    app.ready(&server).await;
    (app, server)
}

/// Returns the console's log messages of at least this severity, and the state of its view.
async fn said(app: &App, server: &str, least: u8) -> (LogViewState, Vec<LogRow>) {
    let filter = LogFilter {
        methods: vec!["notifications/message".to_owned()],
        least_level: Some(least),
        ..LogFilter::default()
    };
    let view = app.open_log(server.to_owned(), filter).await.unwrap();
    let rows = granted(app.log_rows(view.view, view.epoch, 0, 200)).await;
    app.close_log(view.view).await.unwrap();
    (view, rows)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_level_that_was_chosen_holds_now_and_after_a_reconnect() {
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let (app, server) = connected(era).await;
        let radio = r#"{"rounds": 1, "pause_ms": 0}"#;
        granted(app.set_log_level(server.clone(), Some(LogLevel::Error))).await;
        let call = app
            .run_tool(&server, "listen_to_radio", radio)
            .await
            .operation;
        let (view, rows) = said(&app, &server, 0).await;
        assert_eq!(view.levels.iter().take(4).sum::<u64>(), 0, "{view:?}");
        assert_eq!(view.loggers, ["gull-rock"]);
        assert!(!rows.is_empty() && rows.iter().all(|row| row.operation == Some(call)));

        app.restart(server.clone()).await.unwrap();
        app.phase_of(&server, 2, SessionPhase::Ready).await;
        assert_eq!(app.seen().servers[&server].log_level, Some(LogLevel::Error));
        app.run_tool(&server, "listen_to_radio", radio).await;
        // The messages of the connection before are still there.
        let (view, more) = said(&app, &server, 0).await;
        assert_eq!(view.levels.iter().take(4).sum::<u64>(), 0);
        assert_eq!(more.len(), 2 * rows.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_data_of_a_log_message_is_a_document() {
    let (app, server) = connected(ProtocolMode::Stateless).await;
    app.run_tool(
        &server,
        "listen_to_radio",
        r#"{"rounds": 1, "pause_ms": 0}"#,
    )
    .await;
    let (_, rows) = said(&app, &server, 0).await;
    let source = DocumentSource::LogData {
        server: server.clone(),
        seq: rows[1].seq,
    };
    let view = granted(app.open_document(source, DocumentMode::Tree, 80)).await;
    assert!(view.rows > 1, "{view:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_message_is_sent_by_hand_and_is_a_run() {
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let (app, server) = connected(era).await;
        let params = "{ \"z\": 9007199254740993, \"a\": 1.0 }";
        let start = |method: &str, notification| OperationInput {
            method: method.to_owned(),
            params: Some(params.to_owned()),
            notification,
            ..OperationInput::default()
        };
        let view = app.run(&server, start("x/unknown", false)).await;
        assert!(matches!(
            view.outcome,
            Some(OperationOutcome::ProtocolError { code: -32601, .. })
        ));
        assert_eq!(view.params.as_deref(), Some(params));
        assert_eq!((view.arguments, view.key, view.target), (None, None, None));

        let view = app.run(&server, start("notifications/x", true)).await;
        assert_eq!(view.outcome, Some(OperationOutcome::Sent));
        let seq = app
            .until("the entry of the notification", |seen| {
                seen.operations[&view.operation].request_seq
            })
            .await;
        let row = app.log_detail(server.clone(), seq).await.unwrap();
        assert_eq!(row.row.kind, LogKind::Notification);
        let broken = OperationInput {
            params: Some("{".to_owned()),
            ..start("x", false)
        };
        let refused = app.start_operation(server.clone(), broken);
        denied(refused, ErrorCode::ArgumentsNotJson).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn meta_of_the_user_is_sent_and_kept_with_the_run() {
    let (app, server) = connected(ProtocolMode::Stateless).await;
    let meta = r#"{"_meta":{"com.example/n":1.0}}"#;
    let operation = OperationInput {
        params: Some(meta.to_owned()),
        ..OperationInput::tool("echo", Some(r#"{"message":"x"}"#.to_owned()))
    };
    let view = app.run(&server, operation).await;
    assert_eq!(view.params.as_deref(), Some(meta));
    assert_eq!(view.arguments.as_deref(), Some(r#"{"message":"x"}"#));
}

#[tokio::test]
async fn issues_of_the_messages_of_a_run_count_at_the_run() {
    let app = App::start().await;
    let line = |text: &str| Step::emit(format!("{text}\n"));
    let progress = |n: u8| {
        line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":3,"progress":{n}}}}}"#
        ))
    };
    let transport = scripted([
        Step::Expect,
        Step::emit(welcome(r#"{"tools":{}}"#)),
        Step::Expect,
        Step::Expect,
        line(
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}"#,
        ),
        Step::Expect,
        progress(5),
        progress(3),
        line(r#"{"jsonrpc":"2.0","id":3,"result":{"content":[],"isError":"true"}}"#),
        Step::Expect,
        line(r#"{"jsonrpc":"2.0","id":4,"result":{"content":[]}}"#),
        Step::AwaitEof,
    ]);
    let server = app.join("Broken", transport).await;
    let mut issues = Vec::new();
    for _ in 0..2 {
        let run = app.run_tool(&server, "t", "{}").await;
        issues.push((run.message_issues, run.issues));
    }
    // Progress that falls, and an `isError` that is no boolean.
    assert_eq!(issues, [(2, 2), (0, 0)]);
}
