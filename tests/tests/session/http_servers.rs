//! Real servers over Streamable HTTP.

use std::time::Duration;

use sonde_mcp::{
    CloseReason, Event, Lost, OpenFailure, OperationEvent, OperationId, Outcome, Phase,
};
use sonde_tests::{
    record::{Recorder, within},
    stdio_peer::binary,
};
use sonde_wire::{
    Body, Command, Wire, WireError,
    stdio::{StdioSpec, spawn},
};

use crate::Session;

/// The demo server as an HTTP server. It serves until its process is closed.
pub(crate) struct Server {
    process: Wire,
    pub(crate) url: String,
}

impl Server {
    pub(crate) async fn start(options: &[&str]) -> Server {
        let mut spec = StdioSpec::new(binary("sonde-demo"));
        spec.args = ["--http"]
            .iter()
            .chain(options)
            .map(|option| (*option).to_owned())
            .collect();
        let recorder = Recorder::new();
        let (process, _) = spawn(spec, recorder.clone())
            .await
            .expect("the server starts");
        let url = within("the server's address", async {
            loop {
                let found = recorder.entries().into_iter().find_map(|entry| {
                    let Body::Text(text) = entry.body else {
                        return None;
                    };
                    Some(text.strip_prefix("listening ")?.trim().to_owned())
                });
                match found {
                    Some(url) => return url,
                    None => tokio::time::sleep(Duration::from_millis(5)).await,
                }
            }
        });
        let url = url.await;
        Server { process, url }
    }

    pub(crate) async fn stop(self) {
        let mut process = self.process;
        let asked = process.commands.send(Command::Close).await;
        asked.expect("the process runs");
        let gone = async { while process.incoming.recv().await.is_some() {} };
        within("the server's end", gone).await;
    }
}

#[tokio::test]
async fn the_demo_server_is_explored_with_and_without_a_session_id() {
    for options in [&[][..], &["--stateless"]] {
        let server = Server::start(options).await;
        let mut session = Session::over_http(&server.url);
        let (_, listing) = session.ready_with_tools().await;
        assert!(listing.items.len() > 20);

        session
            .call(1, "climb_tower", r#"{"landings": 5, "pause_ms": 1}"#)
            .await;
        let (story, outcome) = session.story(1).await;
        let progress = story
            .iter()
            .filter(|event| matches!(event, OperationEvent::Progress(_)));
        assert!(progress.count() >= 4, "{story:?}");
        assert!(matches!(
            outcome,
            Outcome::Result {
                is_error: false,
                ..
            }
        ));

        session.handle.ping().await.expect("the session runs");
        session.pong().await;

        session.handle.close();
        assert!(matches!(session.closed().await, CloseReason::Requested));
    }
}

#[tokio::test]
async fn many_calls_have_streams_of_their_own() {
    let server = Server::start(&["--stateless"]).await;
    let mut session = Session::over_http(&server.url);
    session.ready_with_tools().await;
    for id in 1..=20 {
        session
            .call(id, "listen_to_radio", r#"{"rounds":1,"pause_ms":1}"#)
            .await;
    }
    let (mut logs, mut finished) = ([0; 21], 0);
    while finished < 20 {
        match session.event().await {
            Event::Operation(OperationId(id), OperationEvent::Log(_)) => logs[id as usize] += 1,
            Event::Operation(_, OperationEvent::Finished(Outcome::Result { .. })) => finished += 1,
            Event::Operation(_, OperationEvent::Finished(outcome)) => {
                panic!("unexpected {outcome:?}")
            }
            Event::Log(message) => panic!("a log message without its call: {message:?}"),
            _ => {}
        }
    }
    assert_eq!(logs[1..], [8; 20]);
}

#[tokio::test]
async fn a_server_that_comes_back_has_forgotten_the_session() {
    let first = Server::start(&[]).await;
    let mut session = Session::over_http(&first.url);
    session.ready_with_tools().await;
    let port = first
        .url
        .rsplit(':')
        .next()
        .and_then(|rest| rest.split('/').next())
        .expect("the address has a port")
        .to_owned();
    first.stop().await;

    session.call(1, "echo", r#"{"message":"anyone?"}"#).await;
    let outcome = session.story(1).await.1;
    assert!(
        matches!(outcome, Outcome::Lost(Lost::Exchange(_))),
        "{outcome:?}"
    );

    let second = Server::start(&["--port", &port]).await;
    session.call(2, "echo", r#"{"message":"anyone?"}"#).await;
    let (mut reopened, mut ready, mut outcome) = (false, false, None);
    while !(reopened && ready && outcome.is_some()) {
        match session.event().await {
            Event::Reopening { times } => {
                assert_eq!(times, 1);
                (reopened, ready) = (true, false);
            }
            Event::Phase(Phase::Ready) => ready = true,
            Event::Operation(_, OperationEvent::Finished(finished)) => outcome = Some(finished),
            _ => {}
        }
    }
    // Unless the listener was told first, the call was, and a call is never repeated.
    assert!(
        matches!(
            outcome,
            Some(Outcome::Lost(Lost::SessionForgotten) | Outcome::Result { .. })
        ),
        "{outcome:?}"
    );
    session.call(3, "echo", r#"{"message":"anyone?"}"#).await;
    let outcome = session.story(3).await.1;
    assert!(matches!(outcome, Outcome::Result { .. }), "{outcome:?}");
    session.handle.close();
    assert!(matches!(session.closed().await, CloseReason::Requested));
    second.stop().await;
}

#[tokio::test]
async fn addresses_without_mcp_behind_them_are_told_apart() {
    let server = Server::start(&[]).await;
    let elsewhere = server.url.replace("/mcp", "/elsewhere");
    let reason = Session::over_http(&elsewhere).closed().await;
    assert!(
        matches!(
            reason,
            CloseReason::OpenFailed(OpenFailure::Http { status: 404, .. })
        ),
        "{reason:?}"
    );
    let url = server.url.clone();
    server.stop().await;
    let reason = Session::over_http(&url).closed().await;
    assert!(
        matches!(
            reason,
            CloseReason::OpenFailed(OpenFailure::Exchange(WireError::Refused { .. }))
        ),
        "{reason:?}"
    );
}
