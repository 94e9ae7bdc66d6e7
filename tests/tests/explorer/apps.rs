//! Apps of servers, as far as they work without a window.

use std::sync::Arc;

use serde_json::json;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, Desktop, granted, of_kinds, options, reading},
    client::http,
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer,
};

const SHIPS: &str = "ui://gull-rock/ships";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_app_of_the_demo_server_is_sound_in_both_ways_of_the_protocol() {
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let app = App::start().await;
        let server = app
            .add_as(era, "Demo", Transport::Demo { http: false })
            .await;
        app.ready(&server).await;
        let tool = granted(app.tool_detail(server.clone(), "list_ships".to_owned())).await;
        assert_eq!(tool.app.resource_uri.as_deref(), Some(SHIPS));
        assert!(tool.app.for_app && tool.app.for_model && tool.item.findings.is_empty());

        let run = app.run_tool(&server, "list_ships", "{}").await;
        let read = app.run(&server, reading(SHIPS)).await;
        let opened = granted(app.open_app(run.operation, read.operation)).await;
        assert_eq!(opened.findings, []);
        assert_eq!(opened.domains, AppDomains::default());
        assert!(opened.policy.contains("connect-src 'none'"));
        assert_eq!(opened.prefers_border, Some(true));
        // Without a window nothing is shown, and nothing waits to be.
        assert!(opened.url.is_none() && opened.refused.is_some());
        assert!(!app.explorer.explorer().app_waits(&opened.app));

        // What reads something else, or fails, is no app.
        let other = app
            .run(&server, reading("lighthouse://gull-rock/logbook"))
            .await;
        assert!(
            granted(app.open_app(run.operation, other.operation))
                .await
                .url
                .is_none()
        );
        let none = app.run(&server, reading("ui://gull-rock/none")).await;
        assert!(app.open_app(run.operation, none.operation).await.is_err());
        app.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_app_asks_for_is_a_run_that_says_so() {
    let app = App::start().await;
    let server = app.join("Demo", Transport::Demo { http: false }).await;
    let input = OperationInput {
        by_app: true,
        ..OperationInput::tool("say_hello", Some(r#"{"name":"Ada"}"#.to_owned()))
    };
    let run = app.run(&server, input).await;
    assert!(run.by_app && matches!(run.outcome, Some(OperationOutcome::Result { .. })));
    let own = app.run_tool(&server, "say_hello", "{}").await;
    assert!(!own.by_app);
}

/// Returns the reply of a server with a tool only for models.
fn for_models(request: &Request) -> Reply {
    let capabilities = json!({ "tools": {} });
    mcp_peer::reply(request, "models", &capabilities, |method| match method {
        "tools/list" => Some(json!({ "tools": [{
            "name": "hidden",
            "inputSchema": { "type": "object" },
            "_meta": { "ui": { "visibility": ["model"] } },
        }] })),
        "tools/call" => Some(json!({ "content": [] })),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_is_not_for_apps_is_not_called_for_one() {
    let peer = HttpPeer::start(for_models).await;
    let app = App::start().await;
    let server = app.join("Models", http(peer.url())).await;
    let input = |by_app| OperationInput {
        by_app,
        ..OperationInput::tool("hidden", None)
    };
    let refused = app.start_operation(server.clone(), input(true));
    assert!(refused.await.is_err());
    let calls = || {
        let requests = peer.requests();
        let calls = requests
            .iter()
            .filter(|one| one.body.contains("tools/call"));
        calls.count()
    };
    assert_eq!(calls(), 0);
    // The user may.
    app.run(&server, input(false)).await;
    assert_eq!(calls(), 1);
}

/// Returns the entries about apps in the log of a server.
async fn notes_on_apps(app: &App, server: &str) -> Vec<String> {
    let filter = of_kinds(&[LogKind::App]);
    let rows = app.log(server, filter).await;
    rows.into_iter().map(|row| row.preview).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_ends_with_the_page_is_closed_and_its_run_says_why() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut options = options(folder.path());
    options.host = Arc::new(Desktop {
        shows_apps: true,
        ..Desktop::default()
    });
    let app = App::open(options, folder).await;
    let server = app.join("Demo", Transport::Demo { http: false }).await;
    let run = app.run_tool(&server, "list_ships", "{}").await;
    let read = app.run(&server, reading(SHIPS)).await;
    let ended = async |app: &App, why: AppEnd| {
        app.holds("why the app is closed", |seen| {
            let run = seen.operations.get(&run.operation);
            run.is_some_and(|run| run.app_ended == Some(why))
        })
        .await;
    };
    let open = async |app: &App| {
        let opened = granted(app.open_app(run.operation, read.operation))
            .await
            .app;
        let explorer = app.explorer.explorer();
        assert!(explorer.app_waits(&opened) && !explorer.app_is_shown(&opened));
        opened
    };

    // Its page was not loaded yet.
    let waits = open(&app).await;
    app.explorer.explorer().end_apps(AppEnd::Unresponsive);
    assert!(!app.explorer.explorer().app_waits(&waits));

    let shown = open(&app).await;
    assert!(app.explorer.explorer().take_app_page(&shown).is_some());
    assert!(app.explorer.explorer().app_is_shown(&shown));
    app.explorer.explorer().end_apps(AppEnd::Unresponsive);
    assert!(!app.explorer.explorer().app_is_shown(&shown));
    app.reload().await;
    ended(&app, AppEnd::Unresponsive).await;
    let notes = notes_on_apps(&app, &server).await;
    let closed = |notes: &[String]| {
        let closed = notes
            .iter()
            .filter(|note| note.starts_with("The app was closed:"));
        closed.count()
    };
    assert_eq!(closed(&notes), 1, "{notes:?}");
    assert!(
        notes
            .iter()
            .any(|note| note.contains("did not respond for 10 seconds")),
        "{notes:?}"
    );

    // Shown once more it is an app like any other, which a page that is loaded again ends as well.
    let shown = open(&app).await;
    assert!(app.explorer.explorer().take_app_page(&shown).is_some());
    app.reload().await;
    ended(&app, AppEnd::PageEnded).await;
    assert_eq!(closed(&notes_on_apps(&app, &server).await), 2);
}
