//! Runs over a restart of the app.

use std::{fs, sync::Arc};

use serde_json::json;
use sonde_auth::MemoryStore;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted, one_text, with_token},
    client::{by_hand, scripted, welcome},
    stdio_peer::Step,
};

const SECRET: &str = "canary-4be81d20";

async fn start(folder: &Arc<tempfile::TempDir>, secrets: &Arc<MemoryStore>) -> App {
    App::start_in(folder.clone(), secrets.clone()).await
}

/// Returns the numbers of the runs of this server that the window knows.
fn runs(app: &App, server: &str) -> Vec<OperationNumber> {
    let seen = app.seen();
    let of_server = seen.operations.values().filter(|one| one.server == server);
    of_server.map(|one| one.operation).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_sonde_was_closed_in_says_so_after_a_restart() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let secrets = Arc::new(MemoryStore::default());
    let app = start(&folder, &secrets).await;
    let silent = scripted([Step::Expect, Step::emit(welcome("{}")), Step::AwaitEof]);
    let server = app.join("Silent", silent).await;
    let input = by_hand("example/wait", "{}");
    let run = app.start_run(&server, input).await;
    app.until("the request", |seen| seen.operations.get(&run)?.request_seq)
        .await;
    app.shutdown().await;

    let app = start(&folder, &secrets).await;
    app.until("the server", |seen| seen.servers.get(&server).cloned())
        .await;
    app.load_history(server.clone()).await.unwrap();
    let outcome = app
        .until("the run", |seen| seen.operations.get(&run)?.outcome.clone())
        .await;
    let OperationOutcome::Lost { code, reason } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(code, LostCode::AppClosed, "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_found_named_and_run_again_after_a_restart() {
    const ARGUMENTS: &str = r#"{ "message":"9007199254740993 ü" }"#;
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let secrets = Arc::new(MemoryStore::default());
    let app = start(&folder, &secrets).await;
    let server = app.demo().await;
    let before = app.run_tool(&server, "echo", ARGUMENTS).await;
    let first = before.operation;
    let second = app
        .run_tool(&server, "echo", r#"{"message":"other"}"#)
        .await
        .operation;
    let pin = OperationLabel {
        pinned: true,
        ..OperationLabel::default()
    };
    app.label_operation(second, pin).await.unwrap();
    app.shutdown().await;

    let app = start(&folder, &secrets).await;
    app.first().await;
    assert!(runs(&app, &server).is_empty());
    app.load_history(server.clone()).await.unwrap();
    let found = app
        .search_operations(server.clone(), "9007199254740993".to_owned())
        .await;
    assert_eq!(found.unwrap(), [first]);
    let label = OperationLabel {
        name: Some("Digits".to_owned()),
        note: None,
        pinned: true,
    };
    granted(app.label_operation(first, label.clone())).await;
    let after = app
        .until("the name", |seen| {
            let view = seen.operations.get(&first)?;
            (view.label == label).then(|| view.clone())
        })
        .await;
    assert!(
        after.earlier.is_some_and(|earlier| !earlier.transcript) && after.request_seq.is_none()
    );
    // The messages of a run that had a label are kept.
    let source = DocumentSource::Transcript { operation: second };
    let messages = app.document(source).await;
    let lines: Vec<_> = messages.lines().collect();
    assert_eq!(lines[0], "→ +0.0 ms");
    assert!(
        lines[1].contains(r#""arguments":{"message":"other"}"#),
        "{messages}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("← +")),
        "{messages}"
    );
    assert_eq!(after.outcome, before.outcome);
    assert_eq!((after.key, after.title), (before.key, before.title));
    assert_eq!(
        (after.started_at, after.micros),
        (before.started_at, before.micros)
    );
    let source = DocumentSource::Arguments { operation: first };
    assert_eq!(app.document(source).await, ARGUMENTS);

    app.ready(&server).await;
    let again = app.call(&server, "echo", ARGUMENTS).await;
    assert!(again > second);
    assert_eq!(one_text(&app.finished(again).await), "9007199254740993 ü");
    assert_eq!(runs(&app, &server), [first, second, again]);
    app.shutdown().await;

    let app = start(&folder, &secrets).await;
    app.load_history(server.clone()).await.unwrap();
    app.holds("all three, with the name", |seen| {
        seen.operations.len() == 3 && seen.operations[&first].label == label
    })
    .await;
}

/// The server repeats a secret that it was given; the file of the run has neither occurrence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_has_a_secret_that_a_tool_returned() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let secrets = Arc::new(MemoryStore::default());
    let app = start(&folder, &secrets).await;
    let said = json!({ "content": [{ "type": "text", "text": format!("it is {SECRET}") }] });
    let tools = json!([{ "name": "t", "inputSchema": { "type": "object" } }]);
    let careless = with_token(scripted([Step::tools(&tools, said)]), SECRET);
    let server = app.join("Careless", careless).await;
    let run = app
        .run_tool(&server, "t", &format!(r#"{{"a":"{SECRET}"}}"#))
        .await;
    // What a tool returns is shown as it came.
    assert!(one_text(&run).contains(SECRET));
    let call = run.operation;
    app.shutdown().await;
    let file = folder.path().join("history").join(&server);
    let text = fs::read_to_string(file.join(format!("{call}.json"))).unwrap();
    assert!(text.contains("it is") && !text.contains(SECRET), "{text}");

    let app = start(&folder, &secrets).await;
    app.load_history(server.clone()).await.unwrap();
    let view = app.finished(call).await;
    assert!(view.earlier.unwrap().arguments_redacted);
    app.remove_server(server.clone()).await.unwrap();
    app.shutdown().await;
    assert!(!file.exists(), "nothing of a removed server is left");
}

/// Neither the form of a tool with password fields nor a call written by hand leaves a file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_has_a_password_that_was_typed_by_hand() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let secrets = Arc::new(MemoryStore::default());
    let app = start(&folder, &secrets).await;
    let secret = json!({ "type": "string", "format": "password" });
    let tools = json!([
        { "name": "open", "inputSchema": { "type": "object" } },
        { "name": "login", "inputSchema": { "type": "object", "properties": { "secret": secret } } },
    ]);
    let said = json!({ "content": [{ "type": "text", "text": "in" }] });
    let server = app
        .join("Careful", scripted([Step::tools(&tools, said)]))
        .await;
    let mut calls = Vec::new();
    for tool in ["login", "open"] {
        let params = format!(r#"{{"name":"{tool}","arguments":{{"secret":"{SECRET}"}}}}"#);
        let input = by_hand("tools/call", &params);
        calls.push(app.run(&server, input).await.operation);
    }
    app.shutdown().await;
    let history = folder.path().join("history").join(&server);
    let is_stored = |call: &OperationNumber| history.join(format!("{call}.json")).exists();
    assert_eq!(
        calls.iter().map(is_stored).collect::<Vec<_>>(),
        [false, true]
    );
}
