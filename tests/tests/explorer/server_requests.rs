//! Requests of a server during a run, with the handshake and stateless.

use sonde_ipc::*;
use sonde_tests::app::{App, draft, one_text};

/// The demo server, spoken to in one way of the protocol.
async fn demo(app: &App, protocol: ProtocolMode) -> ServerId {
    let server = app
        .add_server(ServerDraft {
            protocol,
            ..draft("Demo", Transport::Demo { http: false })
        })
        .await
        .unwrap();
    app.ready(&server).await;
    server
}

/// The run once it is over and its answer is kept with it.
async fn answered(app: &App, call: OperationNumber) -> OperationView {
    app.until("the answer is kept", |seen| {
        let view = seen.operations.get(&call)?;
        (view.state == OperationState::Finished && !view.answered.is_empty()).then(|| view.clone())
    })
    .await
}

async fn asked(app: &App, call: OperationNumber) -> OpenServerRequest {
    app.until("the request", |seen| {
        let mut open = seen.server_requests.values();
        open.find(|one| one.operation == Some(call)).cloned()
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_and_a_model_are_asked_for_and_stay_with_the_run() {
    let app = App::start().await;
    for protocol in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let server = demo(&app, protocol).await;

        let call = app.call(&server, "visit_office", "{}").await;
        let page = asked(&app, call).await;
        assert!(!page.undeclared && page.findings.is_empty(), "{page:?}");
        assert!(page.schema.is_none() && page.message.contains("harbour office"));
        let result = r#"{"action":"accept"}"#.to_owned();
        app.answer_server_request(page.number, AnswerInput::Raw { result })
            .await
            .unwrap();
        let view = answered(&app, call).await;
        assert!(one_text(&view).contains("agreed to open"), "{view:?}");
        assert_eq!(view.answered.len(), 1);
        assert!(0 < view.waited && view.waited <= view.micros.unwrap());
        assert_eq!(view.answered[0].answer, AnswerKind::Accept);
        assert_eq!(view.pages.len(), 1);
        assert_eq!(view.pages[0].url, "https://modelcontextprotocol.io/");
        assert!(!view.pages[0].required);

        let call = app.call(&server, "compose_verse", "{}").await;
        let model = asked(&app, call).await;
        assert_eq!(model.method, "sampling/createMessage");
        assert!(!model.undeclared && model.findings.is_empty(), "{model:?}");
        let result = r#"{"role":"assistant","content":{"type":"text","text":"The sea is wide."},"model":"hand"}"#;
        app.answer_server_request(
            model.number,
            AnswerInput::Raw {
                result: result.to_owned(),
            },
        )
        .await
        .unwrap();
        let view = answered(&app, call).await;
        assert!(one_text(&view).contains("The sea is wide."), "{view:?}");
        assert_eq!(view.answered[0].answer, AnswerKind::Result);
        assert!(view.pages.is_empty());
    }
    app.shutdown().await;
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
        let server = app.add_server(with(&[])).await.unwrap();
        app.ready(&server).await;
        let call = app.call(&server, "list_folders", "{}").await;
        assert!(one_text(&app.finished(call).await).contains("You name no folders"));

        let server = app.add_server(with(&["/my work"])).await.unwrap();
        app.ready(&server).await;
        let call = app.call(&server, "list_folders", "{}").await;
        let view = app.finished(call).await;
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
        app.until("the folders differ from what was sent", |seen| {
            let roots = seen.connections.get(&server)?.roots.as_ref()?;
            roots.differs.then_some(())
        })
        .await;
        let call = app.call(&server, "list_folders", "{}").await;
        let view = app.finished(call).await;
        assert!(one_text(&view).contains("file:///other"), "{view:?}");
        app.until("the new list is known to be sent", |seen| {
            let roots = seen.connections.get(&server)?.roots.as_ref()?;
            (!roots.differs && roots.roots[0].uri == "file:///other").then_some(())
        })
        .await;
        let refused = app.update_server(server, with(&["work"])).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidInput);
    }
    app.shutdown().await;
}
