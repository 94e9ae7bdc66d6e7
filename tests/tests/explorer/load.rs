//! Many servers and calls at once.

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
        let demo = Transport::Demo { http: false };
        good.push(app.add(&format!("Demo {number}"), demo).await);
        let dies = scripted([Step::Exit { code: number }]);
        bad.push(app.add(&format!("Bad {number}"), dies).await);
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
        app.tools(server).await;
        let message = format!("from {number}");
        let echo = format!(r#"{{"message":"{message}"}}"#);
        assert_eq!(
            one_text(&app.run_tool(server, "echo", &echo).await),
            message
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
    let server = app.demo().await;
    let mut calls = Vec::new();
    for number in 0..200 {
        let arguments = format!(r#"{{"message":"number {number}"}}"#);
        calls.push((number, app.call(&server, "echo", &arguments).await));
        if number % 20 == 0 {
            let storm = r#"{"progress": 200, "logs": 200}"#;
            app.call(&server, "ride_out_storm", storm).await;
        }
    }
    for (number, call) in calls {
        assert_eq!(
            one_text(&app.finished(call).await),
            format!("number {number}")
        );
    }
    app.holds("all calls", |seen| {
        let mut calls = seen.operations.values();
        calls.len() == 210 && calls.all(|call| call.state == OperationState::Finished)
    })
    .await;
}
