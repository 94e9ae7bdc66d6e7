//! Health of a connection, and issues of a server.

use std::sync::atomic::AtomicUsize;

use sonde_ipc::*;
use sonde_tests::{
    app::{App, of_kinds, with_findings},
    client::{http, scripted, welcome},
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer::{numbered_session, obliging},
    stdio_peer::Step,
};

use crate::connection::shows;

/// Returns the newest counts of a server's issues.
fn issues(app: &App, server: &str) -> IssueCounts {
    app.seen().issues.get(server).cloned().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_is_refused_with_400_is_opened_anew_when_the_user_wants_it() {
    let sessions = AtomicUsize::new(0);
    let peer = HttpPeer::start(move |request: &Request| {
        if let Some(welcome) = numbered_session(request, &sessions) {
            return welcome;
        }
        // It has restarted meanwhile, as far as the first session can tell.
        let first = request.header("Mcp-Session-Id") == Some("session-1");
        if first && request.body.contains("\"ping\"") {
            return Reply::status(400)
                .header("Content-Type", "application/json")
                .body(
                    r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}"#,
                );
        }
        obliging(request)
    })
    .await;
    let app = App::start().await;
    let server = app.add("Restarted", http(peer.url())).await;
    app.opens(&server).await;
    app.ping(server.clone()).await.unwrap();
    let problem = shows(&app, &server, "what is the matter", |view| {
        view.health.clone()
    })
    .await;
    assert_eq!(
        (problem.level, problem.code),
        (HealthLevel::Unhealthy, HealthCode::SessionRejected)
    );
    assert!(
        problem.sentence.contains("probably restarted"),
        "{}",
        problem.sentence
    );
    app.phase(&server, SessionPhase::Ready).await;

    app.reopen_session(server.clone()).await.unwrap();
    shows(&app, &server, "the new session", |view| {
        (view.facts.reopened == 1
            && view.health.is_none()
            && view.facts.session_fingerprint.is_some())
        .then_some(())
    })
    .await;
    app.ping(server.clone()).await.unwrap();
    app.until("an answered ping", |seen| {
        seen.sessions.get(&server)?.ping_micros
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_during_detection_is_neither_an_error_nor_a_failure() {
    let peer = HttpPeer::start(|request: &Request| {
        if request.body.contains("server/discover") {
            // In the words of a server that cannot know the question, and with an id of its own.
            return Reply::status(400)
                .header("Content-Type", "application/json")
                .body(
                    r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}"#,
                );
        }
        obliging(request)
    })
    .await;
    let app = App::start().await;
    let server = app
        .add_as(ProtocolMode::Automatic, "Older", http(peer.url()))
        .await;
    app.opens(&server).await;
    let view = shows(&app, &server, "the handshake", |view| {
        let known = view.stats.iter().any(|row| row.method == "initialize");
        known.then(|| view.clone())
    })
    .await;
    assert!(view.stats.iter().all(|row| row.failed == 0), "{view:#?}");
    assert_eq!((issues(&app, &server).total(), view.health), (0, None));
    let errors = of_kinds(&[LogKind::Error, LogKind::Invalid, LogKind::NonMessage]);
    assert_eq!(app.log(&server, errors).await, []);
    let all = app.log(&server, LogFilter::default()).await;
    let reply = all.iter().find(|row| row.preview.contains("server-error"));
    let reply = reply.expect("every frame is shown");
    assert_eq!(
        (reply.kind, reply.cause),
        (LogKind::Response, Some(LogCause::Probe))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_follows_the_specification_has_no_issues() {
    let app = App::start().await;
    for http in [false, true] {
        for era in [ProtocolMode::Stateless, ProtocolMode::Handshake] {
            let name = format!("{era:?} http: {http}");
            let server = app.add_as(era, &name, Transport::Demo { http }).await;
            app.ready(&server).await;
            for kind in [
                CatalogKind::Tools,
                CatalogKind::Resources,
                CatalogKind::ResourceTemplates,
                CatalogKind::Prompts,
                CatalogKind::Skills,
            ] {
                let list = app.refresh(&server, kind).await;
                assert_eq!(list.findings, [], "{name}");
            }
            app.run_tool(&server, "echo", r#"{"message":"m"}"#).await;
            app.run_tool(&server, "polish_lens", r#"{"seconds":1}"#)
                .await;
            let found = with_findings();
            for row in app.log(&server, found).await {
                let detail = app.log_detail(server.clone(), row.seq).await.unwrap();
                // Where it listens it says on standard output, to who started it.
                let told = |one: &FindingView| http && one.rule == "not-a-message";
                let bad = |one: &FindingView| one.severity != Severity::Info && !told(one);
                let bad: Vec<_> = detail.findings.into_iter().filter(bad).collect();
                assert_eq!(bad, [], "{name}: {}", row.preview);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_follow_the_specification_is_counted() {
    let server = scripted([
        Step::emit("Hello!\nNice to meet you.\n"),
        Step::Expect,
        Step::emit(welcome("{}")),
        Step::AwaitEof,
    ]);
    let app = App::start().await;
    let server = app.add("Chatty", server).await;
    app.opens(&server).await;
    app.until("one rule that is broken", |seen| {
        (seen.issues.get(&server)?.frames == 1).then_some(())
    })
    .await;
    let found = with_findings();
    assert_eq!(app.log(&server, found).await.len(), 2);
    app.clear_log(server.clone()).await.unwrap();
    app.until("none any more", |seen| {
        (seen.issues.get(&server)?.frames == 0).then_some(())
    })
    .await;
}
