//! Tools whose result comes later.

use sonde_client::{
    config::{Declaration, ProtocolMode, ServerConfig, Transport},
    log::LogKind,
    operations::{
        OperationInput, OperationNumber, OperationOutcome, TaskParams, TaskRun, TaskStatus,
    },
    sessions::AnswerInput,
};
use sonde_tests::client::Client;

async fn demo(protocol: ProtocolMode, http: bool, declaration: Declaration) -> Client {
    let client = Client::with_demo(ServerConfig {
        protocol,
        declaration,
        ..ServerConfig::new("Demo", Transport::Demo { http })
    });
    client.ready().await;
    client
}

async fn task(client: &Client, call: OperationNumber) -> TaskRun {
    client
        .until("the task", |state| state.operations.get(call)?.task.clone())
        .await
}

/// Answers the server requests of a run.
async fn answer(client: &Client, call: OperationNumber) {
    let asked = client
        .until("the question", |state| {
            let mut open = state.server_requests.iter();
            let asked = open.find(|one| one.operation == Some(call))?;
            Some(asked.number)
        })
        .await;
    let result = r#"{"action":"accept","content":{"cargo":"Keep it"}}"#.to_owned();
    let answered = client.answer_server_request(asked, AnswerInput::Raw { result });
    answered.await.unwrap();
}

/// Returns the methods of the requests of a run, in order.
fn sent(client: &Client, call: OperationNumber) -> Vec<String> {
    let log = client.log();
    let rows = log.entries().filter_map(|seq| log.row(seq).ok());
    rows.filter(|row| row.kind == LogKind::Request && row.operation == Some(call))
        .filter_map(|row| row.method)
        .collect()
}

/// Returns the outcome of a run in which nothing breaks a rule.
async fn outcome(client: &Client, call: OperationNumber) -> OperationOutcome {
    let (outcome, in_messages) = client
        .finished(call, |run| (run.outcome.clone(), run.message_issues))
        .await;
    let outcome = outcome.unwrap();
    assert_eq!((outcome.issues(), in_messages), (0, 0), "{outcome:?}");
    outcome
}

/// Returns the task of a finished run.
async fn ended(client: &Client, call: OperationNumber) -> Option<TaskRun> {
    client.finished(call, |run| run.task.clone()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_followed_asked_about_and_kept_with_its_run() {
    let client = demo(ProtocolMode::Stateless, false, Declaration::default()).await;
    let call = client.start_tool("salvage_wreck", r#"{"seconds": 2}"#);
    let call = call.await;
    let begun = task(&client, call).await;
    assert!(!begun.id.is_empty() && begun.ttl == Some(600_000));
    answer(&client, call).await;
    let text = client.text(call).await;
    assert!(text.contains("The bells are yours."), "{text}");
    outcome(&client, call).await;
    let task = ended(&client, call).await.unwrap();
    assert_eq!((task.status, task.step), (TaskStatus::Completed, None));
    assert_eq!(task.id, begun.id);
    let statuses: Vec<_> = task.changes.iter().map(|change| change.status).collect();
    assert_eq!(statuses.first(), Some(&TaskStatus::Working));
    assert!(statuses.contains(&TaskStatus::InputRequired));
    let sent = sent(&client, call);
    assert_eq!(sent.first().map(String::as_str), Some("tools/call"));
    assert!(sent.contains(&"tasks/get".to_owned()) && sent.contains(&"tasks/update".to_owned()));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_cancelled_or_left_and_is_none_where_that_was_not_declared() {
    let client = demo(ProtocolMode::Stateless, false, Declaration::default()).await;
    let long = r#"{"seconds": 300, "ask": false}"#;
    let cancelled = client.start_tool("salvage_wreck", long).await;
    task(&client, cancelled).await;
    client.cancel_operation(cancelled).await.unwrap();
    assert_eq!(
        outcome(&client, cancelled).await,
        OperationOutcome::Cancelled
    );

    let left = client.start_tool("salvage_wreck", long).await;
    task(&client, left).await;
    client.ask_task(left).await.unwrap();
    client
        .until("another status", |state| {
            let task = state.operations.get(left)?.task.as_ref()?;
            (task.told > 1).then_some(())
        })
        .await;
    client.stop_waiting(left).await.unwrap();
    assert_eq!(
        outcome(&client, left).await,
        OperationOutcome::StoppedWaiting
    );
    assert!(!sent(&client, left).contains(&"tasks/cancel".to_owned()));
    client.close().await;

    let declaration = Declaration {
        tasks: false,
        ..Declaration::default()
    };
    let client = demo(ProtocolMode::Stateless, false, declaration).await;
    runs_without_a_task(&client).await;
    client.close().await;
}

async fn runs_without_a_task(client: &Client) {
    let call = client.start_tool("salvage_wreck", r#"{"seconds": 1}"#);
    let call = call.await;
    let text = client.text(call).await;
    assert!(text.contains("harbour"), "{text}");
    assert_eq!(ended(client, call).await, None);
}

/// In 2025-11-25 the client requests a task.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_handshake_a_task_is_asked_for_followed_and_cancelled() {
    for http in [false, true] {
        follow_and_cancel(http).await;
    }
}

async fn follow_and_cancel(http: bool) {
    let client = demo(ProtocolMode::Handshake, http, Declaration::default()).await;
    client.tool("salvage_wreck").unwrap();
    let salvage = |arguments: &str| OperationInput {
        task: Some(TaskParams::default()),
        ..OperationInput::tool("salvage_wreck", Some(arguments.to_owned()))
    };
    let call = client.start(salvage(r#"{"seconds": 2}"#)).await;
    let begun = task(&client, call).await;
    assert_eq!(begun.ttl, Some(600_000));
    answer(&client, call).await;
    let text = client.text(call).await;
    assert!(text.contains("The bells are yours."), "{text}");
    outcome(&client, call).await;
    let run = ended(&client, call).await.unwrap();
    assert_eq!(run.id, begun.id);
    assert_eq!(run.status, TaskStatus::Completed, "{run:?}");
    let methods = sent(&client, call);
    assert!(
        methods.contains(&"tasks/get".to_owned()) && methods.contains(&"tasks/result".to_owned()),
        "{methods:?}"
    );

    let long = salvage(r#"{"seconds": 300, "ask": false}"#);
    let cancelled = client.start(long).await;
    task(&client, cancelled).await;
    client.cancel_operation(cancelled).await.unwrap();
    assert_eq!(
        outcome(&client, cancelled).await,
        OperationOutcome::Cancelled
    );

    // Without a task it is a call like any other.
    runs_without_a_task(&client).await;
    client.close().await;
}
