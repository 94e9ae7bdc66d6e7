//! Requests of a server during a run, with a handshake and stateless.

use sonde_ipc::*;
use sonde_tests::app::{App, State, denied, draft, one_text};

/// Adds the demo server with one way of the protocol, and connects.
async fn demo(app: &App, protocol: ProtocolMode) -> ServerId {
    let server = app
        .add_as(protocol, "Demo", Transport::Demo { http: false })
        .await;
    app.ready(&server).await;
    server
}

/// Waits until the run is over and has its answered request.
async fn answered(app: &App, call: OperationNumber) -> OperationView {
    app.until("the answer is kept", |seen| {
        let view = seen.operations.get(&call)?;
        (view.state == OperationState::Finished && !view.answered.is_empty()).then(|| view.clone())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_and_a_model_are_asked_for_and_stay_with_the_run() {
    let app = App::start().await;
    for protocol in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let server = demo(&app, protocol).await;

        let call = app.call(&server, "visit_office", "{}").await;
        let page = app.asked(call).await;
        assert!(!page.undeclared && page.findings.is_empty(), "{page:?}");
        assert!(page.schema.is_none() && page.message.contains("harbour office"));
        let result = r#"{"action":"accept"}"#.to_owned();
        app.answer(&page, AnswerInput::Raw { result }).await;
        let view = answered(&app, call).await;
        assert!(one_text(&view).contains("agreed to open"), "{view:?}");
        assert_eq!(view.answered.len(), 1);
        assert!(0 < view.waited && view.waited <= view.micros.unwrap());
        assert_eq!(view.answered[0].answer, AnswerKind::Accept);
        assert_eq!(view.pages.len(), 1);
        assert_eq!(view.pages[0].url, "https://modelcontextprotocol.io/");
        assert!(!view.pages[0].required);

        let call = app.call(&server, "compose_verse", "{}").await;
        let model = app.asked(call).await;
        assert_eq!(model.method, "sampling/createMessage");
        assert!(!model.undeclared && model.findings.is_empty(), "{model:?}");
        let result = r#"{"role":"assistant","content":{"type":"text","text":"The sea is wide."},"model":"hand"}"#;
        let result = result.to_owned();
        app.answer(&model, AnswerInput::Raw { result }).await;
        let view = answered(&app, call).await;
        assert!(one_text(&view).contains("The sea is wide."), "{view:?}");
        assert_eq!(view.answered[0].answer, AnswerKind::Result);
        assert!(view.pages.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn folders_are_named_as_uris_and_a_change_counts_at_once() {
    let app = App::start().await;
    for protocol in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let root = |folder: &str| RootFolder {
            folder: folder.to_owned(),
            name: None,
        };
        let with = |folders: &[&str]| ServerDraft {
            protocol: protocol.clone(),
            roots: folders.iter().map(|folder| root(folder)).collect(),
            ..draft("Demo", Transport::Demo { http: false })
        };
        // Without any, nothing is declared.
        let server = app.join_draft(with(&[])).await;
        assert!(
            one_text(&app.run_tool(&server, "list_folders", "{}").await)
                .contains("You name no folders")
        );

        let server = app.join_draft(with(&["/my work"])).await;
        let view = app.run_tool(&server, "list_folders", "{}").await;
        assert!(one_text(&view).contains("file:///my%20work"), "{view:?}");
        assert!(app.seen().server_requests.is_empty());
        let sent = app
            .until("the list is known to be sent", |seen| {
                seen.connections.get(&server)?.roots.clone()
            })
            .await;
        assert_eq!(sent.roots[0].uri, "file:///my%20work");
        assert_eq!((sent.count, sent.differs), (1, false));

        let changed = with(&["/other"]);
        app.update_server(server.clone(), changed).await.unwrap();
        let roots = |seen: &State| seen.connections.get(&server)?.roots.clone();
        let differ = |seen: &State| roots(seen).is_some_and(|roots| roots.differs);
        app.holds("the folders differ from what was sent", differ)
            .await;
        let view = app.run_tool(&server, "list_folders", "{}").await;
        assert!(one_text(&view).contains("file:///other"), "{view:?}");
        app.holds("the new list is known to be sent", |seen| {
            roots(seen).is_some_and(|sent| !sent.differs && sent.roots[0].uri == "file:///other")
        })
        .await;
        let refused = app.update_server(server, with(&["work"]));
        denied(refused, ErrorCode::InvalidInput).await;
    }
}
