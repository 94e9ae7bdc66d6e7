//! Tools whose result comes later.

use sonde_ipc::*;

use crate::window::{App, draft, one_text};

async fn demo(app: &mut App, declaration: Declaration) -> ServerId {
    demo_with(app, ProtocolMode::Stateless, false, declaration).await
}

async fn demo_with(
    app: &mut App,
    protocol: ProtocolMode,
    http: bool,
    declaration: Declaration,
) -> ServerId {
    let server = app
        .explorer
        .add_server(ServerDraft {
            protocol,
            declaration,
            ..draft("Demo", Transport::Demo { http })
        })
        .await
        .unwrap();
    app.ready(&server).await;
    server
}

async fn task(app: &mut App, call: OperationNumber) -> TaskRun {
    app.until("the task", |seen| seen.operations.get(&call)?.task.clone())
        .await
}

/// The methods that were sent for a run, in order.
async fn sent(app: &App, server: &str, call: OperationNumber) -> Vec<String> {
    let view = app
        .explorer
        .open_log(server.to_owned(), LogFilter::default())
        .await
        .unwrap();
    let rows = app.explorer.log_rows(view.view, view.epoch, 0, 1_000).await;
    let rows = rows.unwrap().into_iter();
    rows.filter(|row| row.kind == LogKind::Request && row.operation == Some(call))
        .filter_map(|row| row.method)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_followed_asked_about_and_kept_with_its_run() {
    let mut app = App::start().await;
    let server = demo(&mut app, Declaration::default()).await;
    let call = app
        .call(&server, "salvage_wreck", r#"{"seconds": 2}"#)
        .await;
    let begun = task(&mut app, call).await;
    assert!(!begun.id.is_empty() && begun.ttl == Some(600_000));
    let asked = app
        .until("the question", |seen| {
            let mut open = seen.server_requests.values();
            open.find(|one| one.operation == Some(call)).cloned()
        })
        .await;
    let result = r#"{"action":"accept","content":{"cargo":"Keep it"}}"#.to_owned();
    app.explorer
        .answer_server_request(asked.request, AnswerInput::Raw { result })
        .await
        .unwrap();
    let view = app.finished(call).await;
    assert!(one_text(&view).contains("The bells are yours."), "{view:?}");
    let task = view.task.unwrap();
    assert_eq!((task.status, task.step), (TaskStatus::Completed, None));
    assert_eq!(task.id, begun.id);
    let statuses: Vec<_> = task.changes.iter().map(|change| change.status).collect();
    assert_eq!(statuses.first(), Some(&TaskStatus::Working));
    assert!(statuses.contains(&TaskStatus::InputRequired));
    let sent = sent(&app, &server, call).await;
    assert_eq!(sent.first().map(String::as_str), Some("tools/call"));
    assert!(sent.contains(&"tasks/get".to_owned()) && sent.contains(&"tasks/update".to_owned()));
    assert_eq!(view.issues, 0);
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_cancelled_or_left_and_is_none_where_that_was_not_declared() {
    let mut app = App::start().await;
    let server = demo(&mut app, Declaration::default()).await;
    let long = r#"{"seconds": 300, "ask": false}"#;
    let cancelled = app.call(&server, "salvage_wreck", long).await;
    task(&mut app, cancelled).await;
    app.explorer.cancel_operation(cancelled).await.unwrap();
    let view = app.finished(cancelled).await;
    assert_eq!(view.outcome, Some(OperationOutcome::Cancelled));

    let left = app.call(&server, "salvage_wreck", long).await;
    task(&mut app, left).await;
    app.explorer.ask_task(left).await.unwrap();
    app.until("another status", |seen| {
        let task = seen.operations.get(&left)?.task.as_ref()?;
        (task.told > 1).then_some(())
    })
    .await;
    app.explorer.stop_waiting(left).await.unwrap();
    let view = app.finished(left).await;
    assert_eq!(view.outcome, Some(OperationOutcome::StoppedWaiting));
    assert!(
        !sent(&app, &server, left)
            .await
            .contains(&"tasks/cancel".to_owned())
    );

    let declaration = Declaration {
        tasks: false,
        ..Declaration::default()
    };
    let server = demo(&mut app, declaration).await;
    let call = app
        .call(&server, "salvage_wreck", r#"{"seconds": 1}"#)
        .await;
    let view = app.finished(call).await;
    assert!(one_text(&view).contains("harbour") && view.task.is_none());
    app.explorer.shutdown().await;
}

/// In 2025-11-25 the client says that it wants a task.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_handshake_a_task_is_asked_for_followed_and_cancelled() {
    for http in [false, true] {
        follow_and_cancel(http).await;
    }
}

async fn follow_and_cancel(http: bool) {
    let mut app = App::start().await;
    let era = ProtocolMode::Handshake;
    let server = demo_with(&mut app, era, http, Declaration::default()).await;
    let tools = app.rows(&server, CatalogKind::Tools, "").await;
    let tool = tools.iter().find(|tool| tool.name == "salvage_wreck");
    let salvage = |arguments: &str| OperationInput {
        method: "tools/call".to_owned(),
        target: Some(tool.unwrap().key.clone()),
        arguments: Some(arguments.to_owned()),
        task: Some(TaskInput::default()),
        ..OperationInput::default()
    };
    let call = app
        .explorer
        .start_operation(server.clone(), salvage(r#"{"seconds": 2}"#))
        .await
        .unwrap();
    let begun = task(&mut app, call).await;
    assert_eq!(begun.ttl, Some(600_000));
    let asked = app
        .until("the question", |seen| {
            let mut open = seen.server_requests.values();
            open.find(|one| one.operation == Some(call)).cloned()
        })
        .await;
    let result = r#"{"action":"accept","content":{"cargo":"Keep it"}}"#.to_owned();
    app.explorer
        .answer_server_request(asked.request, AnswerInput::Raw { result })
        .await
        .unwrap();
    let view = app.finished(call).await;
    assert!(one_text(&view).contains("The bells are yours."), "{view:?}");
    let ended = view.task.as_ref().unwrap();
    assert_eq!(ended.id, begun.id);
    assert_eq!(ended.status, TaskStatus::Completed, "{ended:?}");
    assert_eq!(view.issues, 0, "{view:?}");
    let methods = sent(&app, &server, call).await;
    assert!(
        methods.contains(&"tasks/get".to_owned()) && methods.contains(&"tasks/result".to_owned()),
        "{methods:?}"
    );

    let long = salvage(r#"{"seconds": 300, "ask": false}"#);
    let cancelled = app.explorer.start_operation(server.clone(), long).await;
    let cancelled = cancelled.unwrap();
    task(&mut app, cancelled).await;
    app.explorer.cancel_operation(cancelled).await.unwrap();
    let view = app.finished(cancelled).await;
    assert_eq!(view.outcome, Some(OperationOutcome::Cancelled));
    assert_eq!(view.issues, 0, "{view:?}");

    // Without a task it is a call like any other.
    let plain = app
        .call(&server, "salvage_wreck", r#"{"seconds": 1}"#)
        .await;
    let view = app.finished(plain).await;
    assert!(one_text(&view).contains("harbour") && view.task.is_none());
    app.explorer.shutdown().await;
}
