//! Declaration of capabilities to a server, and tools that need further ones.

use sonde_ipc::*;
use sonde_tests::app::{App, draft, entry, one_text};

fn demo(protocol: ProtocolMode, declaration: Declaration) -> ServerDraft {
    ServerDraft {
        protocol,
        declaration,
        ..draft("Demo", Transport::Demo { http: false })
    }
}

/// Returns the text of the only message that describes the client.
async fn told(app: &App, server: &str, method: &str) -> String {
    let filter = LogFilter {
        text: "clientInfo".to_owned(),
        ..LogFilter::default()
    };
    let mut rows = app.log(server, filter).await.into_iter();
    let row = rows
        .rfind(|row| row.method.as_deref() == Some(method))
        .unwrap();
    let source = entry(server, row.seq);
    app.document(source).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_asks_finds_what_was_declared() {
    let app = App::start().await;
    for protocol in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let forms = ElicitationCapability {
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
            .join_draft(demo(protocol.clone(), declaration.clone()))
            .await;
        // It does not ask: the client cannot answer.
        let view = app.run_tool(&server, "hail_pilot", "{}").await;
        assert!(one_text(&view).contains("stays ashore"), "{view:?}");
        assert!(view.answered.is_empty() && app.seen().server_requests.is_empty());
        let preview = app.preview_declaration(declaration.clone(), Vec::new(), protocol.clone());
        let preview = preview.await.unwrap();
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
        let view = app.run_tool(&server, "hail_pilot", "{}").await;
        assert!(view.answered.is_empty(), "{view:?}");
        app.restart(server.clone()).await.unwrap();
        app.holds("the new connection", |seen| {
            let view = seen.connections.get(&server);
            view.is_some_and(|view| view.facts.declaration == changed)
        })
        .await;
        app.phase(&server, SessionPhase::Ready).await;
        let call = app.call(&server, "hail_pilot", "{}").await;
        let asked = app.asked(call).await;
        assert!(!asked.undeclared);
        app.answer(&asked, AnswerInput::Decline).await;
        let view = app.finished(call).await;
        assert!(one_text(&view).contains("would rather not say"), "{view:?}");
        // Pages were not declared.
        let view = app.run_tool(&server, "visit_office", "{}").await;
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
    let refused = app
        .add_server(demo(protocol.clone(), bad.clone()))
        .await
        .unwrap_err();
    assert!(
        refused.message.contains("JSON object"),
        "{}",
        refused.message
    );
    let refused = app.preview_declaration(bad, Vec::new(), protocol);
    assert!(refused.await.unwrap_err().message.contains("JSON object"));
}
