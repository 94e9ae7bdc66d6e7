//! Prompts of the demo server, and what it suggests for their arguments.

use sonde_ipc::*;
use sonde_tests::app::App;

fn prompt(name: &str, arguments: Option<&str>) -> OperationInput {
    OperationInput {
        method: "prompts/get".to_owned(),
        target: Some(name.to_owned()),
        arguments: arguments.map(str::to_owned),
        ..OperationInput::default()
    }
}

fn argument(name: &str, value: &str) -> CompletionArgument {
    CompletionArgument {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

async fn demo(app: &App) -> ServerId {
    let server = app
        .until("the first server", |seen| seen.order.first().cloned())
        .await;
    app.ready(&server).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_is_listed_got_and_kept_as_a_run() {
    let app = App::start().await;
    let server = demo(&app).await;
    let list = app.refresh(&server, CatalogKind::Prompts).await;
    assert!(list.supported && list.error.is_none());
    let detail = app
        .prompt_detail(server.clone(), "ask_for_a_berth".to_owned())
        .await
        .unwrap();
    let required: Vec<bool> = detail.arguments.iter().map(|one| one.required).collect();
    assert_eq!(required, [true, true, false]);

    let given = r#"{"harbour":"Seal Bay","berth":"Old slip"}"#;
    let run = app
        .start_operation(server.clone(), prompt("ask_for_a_berth", Some(given)))
        .await
        .unwrap();
    let view = app.finished(run).await;
    assert_eq!(view.key.as_deref(), Some("ask_for_a_berth"));
    assert_eq!(view.title.as_deref(), Some("Ask for a berth"));
    let Some(OperationOutcome::Result {
        prompt: Some(got),
        content,
        findings,
        ..
    }) = view.outcome
    else {
        panic!("{:?}", view.outcome);
    };
    let roles: Vec<&str> = got.messages.iter().map(|one| one.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(
        got.description.as_deref(),
        Some("A letter to a harbour master.")
    );
    assert!(content[0].text.as_ref().unwrap().contains("Old slip"));
    assert!(findings.is_empty());

    // The bytes of an image in a message are a document like those of a tool's result.
    let run = app
        .start_operation(server.clone(), prompt("read_the_flag", None))
        .await
        .unwrap();
    app.finished(run).await;
    let image = DocumentSource::Content {
        operation: run,
        index: 0,
    };
    let bytes = app.read_bytes(image).await.unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));

    // What the server refuses is shown as for tools.
    let run = app
        .start_operation(server, prompt("ask_for_a_berth", Some("{}")))
        .await
        .unwrap();
    let refused = app.finished(run).await;
    assert!(matches!(
        refused.outcome,
        Some(OperationOutcome::ProtocolError { code: -32602, .. })
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_are_suggested_and_depend_on_each_other() {
    let app = App::start().await;
    let server = demo(&app).await;
    let session = app.phase(&server, SessionPhase::Ready).await;
    assert!(session.completions);
    let reference = CompletionReference::Prompt {
        name: "ask_for_a_berth".to_owned(),
    };
    let all = app
        .complete(
            server.clone(),
            reference.clone(),
            argument("harbour", "s"),
            Vec::new(),
        )
        .await
        .unwrap()
        .unwrap();
    assert_eq!(all.values, ["Seal Bay", "Skerry Sound", "Stormness"]);
    let berths = app
        .complete(
            server.clone(),
            reference,
            argument("berth", ""),
            vec![argument("harbour", "Seal Bay")],
        )
        .await
        .unwrap()
        .unwrap();
    assert_eq!(berths.values, ["Coal pier", "Old slip"]);
    // Not one of them is a run.
    assert!(app.seen().operations.is_empty());
    app.cancel_completion(server).await.unwrap();
}
