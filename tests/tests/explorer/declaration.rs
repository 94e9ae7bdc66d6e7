//! Declaration of capabilities to a server, and tools that ask for others.

use sonde_ipc::*;
use sonde_tests::app::{App, draft, one_text};

fn demo(protocol: ProtocolMode, declaration: Declaration) -> ServerDraft {
    ServerDraft {
        protocol,
        declaration,
        ..draft("Demo", Transport::Demo { http: false })
    }
}

/// The text of the only message that says something about the client.
async fn told(app: &App, server: &str, method: &str) -> String {
    let filter = LogFilter {
        text: "clientInfo".to_owned(),
        ..LogFilter::default()
    };
    let view = app.open_log(server.to_owned(), filter).await.unwrap();
    let rows = app.log_rows(view.view, view.epoch, 0, 1_000).await;
    let row = rows
        .unwrap()
        .into_iter()
        .rfind(|row| row.method.as_deref() == Some(method))
        .unwrap();
    let source = DocumentSource::LogEntry {
        server: server.to_owned(),
        seq: row.seq,
    };
    let bytes = app.read_bytes(source).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

async fn run(app: &App, server: &str, tool: &str) -> OperationView {
    let call = app.call(server, tool, "{}").await;
    app.finished(call).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_asks_finds_what_was_declared() {
    let app = App::start().await;
    for protocol in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let forms = ElicitationDeclaration {
            form: true,
            url: false,
        };
        let declaration = Declaration {
            name: Some("claude-code".to_owned()),
            sampling: None,
            elicitation: None,
            extensions: vec![ExtensionDeclaration {
                name: "com.example/x".to_owned(),
                settings: r#"{"n": 9007199254740993}"#.to_owned(),
            }],
            ..Declaration::default()
        };
        let server = app
            .add_server(demo(protocol.clone(), declaration.clone()))
            .await
            .unwrap();
        app.ready(&server).await;
        // It does not ask: the client cannot answer.
        let view = run(&app, &server, "hail_pilot").await;
        assert!(one_text(&view).contains("stays ashore"), "{view:?}");
        assert!(view.answered.is_empty() && app.seen().server_requests.is_empty());
        let preview = app
            .preview_declaration(declaration.clone(), Vec::new(), protocol.clone())
            .await
            .unwrap();
        let (method, shown) = match protocol {
            ProtocolMode::Stateless => ("tools/call", preview.stateless.unwrap()),
            _ => ("initialize", preview.handshake.unwrap()),
        };
        let sent = told(&app, &server, method).await;
        // What the settings show is what was sent, to the letter.
        let shown = shown.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
        assert!(sent.contains(shown), "{shown}\n{sent}");
        assert!(sent.contains("9007199254740993"), "{sent}");
        assert!(sent.contains("claude-code") && !sent.contains("elicitation"));

        // A change counts from the next connect; the connection says what it was told.
        let changed = Declaration {
            elicitation: Some(forms),
            ..declaration.clone()
        };
        let update = demo(protocol.clone(), changed.clone());
        app.update_server(server.clone(), update).await.unwrap();
        assert_eq!(
            app.seen().connections[&server].facts.declaration,
            declaration
        );
        let view = run(&app, &server, "hail_pilot").await;
        assert!(view.answered.is_empty(), "{view:?}");
        app.restart(server.clone()).await.unwrap();
        app.until("the new connection", |seen| {
            let connection = seen.connections.get(&server)?;
            (connection.facts.declaration == changed).then_some(())
        })
        .await;
        app.phase(&server, SessionPhase::Ready).await;
        let call = app.call(&server, "hail_pilot", "{}").await;
        let asked = app
            .until("the form", |seen| {
                let mut open = seen.server_requests.values();
                open.find(|one| one.operation == Some(call)).cloned()
            })
            .await;
        assert!(!asked.undeclared);
        app.answer_server_request(asked.number, AnswerInput::Decline)
            .await
            .unwrap();
        let view = app.finished(call).await;
        assert!(one_text(&view).contains("would rather not say"), "{view:?}");
        // Pages were not declared.
        let view = run(&app, &server, "visit_office").await;
        assert!(view.answered.is_empty(), "{view:?}");

        // A copy is told the same.
        let copy = app.duplicate_server(server.clone()).await.unwrap();
        let copied = app
            .until("the copy", |seen| seen.servers.get(&copy).cloned())
            .await;
        assert_eq!(copied.config.declaration, changed);
        app.remove_server(server).await.unwrap();
        app.remove_server(copy).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_declared_is_refused() {
    let app = App::start().await;
    let bad = Declaration {
        extensions: vec![ExtensionDeclaration {
            name: "a".to_owned(),
            settings: "[]".to_owned(),
        }],
        ..Declaration::default()
    };
    let protocol = ProtocolMode::Automatic;
    let refused = app.add_server(demo(protocol.clone(), bad.clone()));
    let refused = refused.await.unwrap_err();
    assert!(
        refused.message.contains("JSON object"),
        "{}",
        refused.message
    );
    let refused = app.preview_declaration(bad, Vec::new(), protocol);
    assert!(refused.await.unwrap_err().message.contains("JSON object"));
}
