//! Many at once.

use sonde_ipc::*;
use sonde_tests::{
    app::{App, one_text},
    client::scripted,
    stdio_peer::Step,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_servers_at_once_each_with_its_own_fate() {
    let app = App::start().await;
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for number in 0..10 {
        good.push(
            app.add(&format!("Demo {number}"), Transport::Demo { http: false })
                .await,
        );
        bad.push(
            app.add(
                &format!("Bad {number}"),
                scripted([Step::Exit { code: number }]),
            )
            .await,
        );
    }
    for server in good.iter().chain(&bad) {
        app.connect(server).await;
    }
    for (number, server) in bad.iter().enumerate() {
        let session = app.phase(server, SessionPhase::Failed).await;
        let code = i32::try_from(number).unwrap();
        assert_eq!(session.closed.unwrap().exit_code, Some(code));
    }
    for (number, server) in good.iter().enumerate() {
        app.until("its tools", |seen| {
            (seen.tools(server)?.revision > 0).then_some(())
        })
        .await;
        let call = app
            .call(server, "echo", &format!(r#"{{"message":"from {number}"}}"#))
            .await;
        assert_eq!(
            one_text(&app.finished(call).await),
            format!("from {number}")
        );
    }
    app.shutdown().await;
    for server in &good {
        assert!(app.ping(server.clone()).await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_calls_at_once_are_not_mixed_up() {
    let app = App::start().await;
    let server = app
        .until("the first server", |seen| seen.order.first().cloned())
        .await;
    app.ready(&server).await;
    let mut calls = Vec::new();
    for number in 0..200 {
        let arguments = format!(r#"{{"message":"number {number}"}}"#);
        calls.push((number, app.call(&server, "echo", &arguments).await));
        if number % 20 == 0 {
            app.call(
                &server,
                "ride_out_storm",
                r#"{"progress": 200, "logs": 200}"#,
            )
            .await;
        }
    }
    for (number, call) in calls {
        assert_eq!(
            one_text(&app.finished(call).await),
            format!("number {number}")
        );
    }
    app.until("all calls", |seen| {
        (seen.operations.len() == 210
            && seen
                .operations
                .values()
                .all(|call| call.state == OperationState::Finished))
        .then_some(())
    })
    .await;
    app.shutdown().await;
}
