//! Prompts of the demo server, and what it suggests for their arguments.

use sonde_ipc::*;
use sonde_tests::app::{App, first_block, granted};
use sonde_tests::client::operation;

fn prompt(name: &str, arguments: Option<&str>) -> OperationInput {
    OperationInput {
        arguments: arguments.map(str::to_owned),
        ..operation("prompts/get", name)
    }
}

fn argument(name: &str, value: &str) -> CompletionArgument {
    CompletionArgument {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_is_listed_got_and_kept_as_a_run() {
    let app = App::start().await;
    let server = app.demo().await;
    let list = app.refresh(&server, CatalogKind::Prompts).await;
    assert!(list.supported && list.error.is_none());
    let detail = granted(app.prompt_detail(server.clone(), "ask_for_a_berth".to_owned())).await;
    let required: Vec<bool> = detail.arguments.iter().map(|one| one.required).collect();
    assert_eq!(required, [true, true, false]);

    let given = r#"{"harbour":"Seal Bay","berth":"Old slip"}"#;
    let view = app
        .run(&server, prompt("ask_for_a_berth", Some(given)))
        .await;
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
    let flag = app.run(&server, prompt("read_the_flag", None)).await;
    let image = first_block(flag.operation);
    let bytes = app.read_bytes(image).await.unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));

    // What the server refuses is shown as for tools.
    let refused = app
        .run(&server, prompt("ask_for_a_berth", Some("{}")))
        .await;
    assert!(matches!(
        refused.outcome,
        Some(OperationOutcome::ProtocolError { code: -32602, .. })
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_are_suggested_and_depend_on_each_other() {
    let app = App::start().await;
    let server = app.demo().await;
    assert!(app.seen().sessions[&server].completions);
    let reference = CompletionReference::Prompt {
        name: "ask_for_a_berth".to_owned(),
    };
    for (asked, given, suggested) in [
        (
            argument("harbour", "s"),
            vec![],
            &["Seal Bay", "Skerry Sound", "Stormness"][..],
        ),
        (
            argument("berth", ""),
            vec![argument("harbour", "Seal Bay")],
            &["Coal pier", "Old slip"],
        ),
    ] {
        let found = app
            .complete(server.clone(), reference.clone(), asked, given)
            .await;
        assert_eq!(found.unwrap().unwrap().values, suggested);
    }
    // Not one of them is a run.
    assert!(app.seen().operations.is_empty());
    app.cancel_completion(server).await.unwrap();
}
