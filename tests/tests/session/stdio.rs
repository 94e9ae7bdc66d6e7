//! Real processes over stdio.

use sonde_mcp::{
    CatalogEvent, CloseReason, Event, Lost, OpenFailure, OperationEvent, OperationId, Outcome,
    Revision,
};
use sonde_tests::stdio_peer::{Step, binary, program, script};
use sonde_wire::{Closed, ExitStatus, stdio::StdioSpec};

use crate::Session;

fn demo() -> StdioSpec {
    StdioSpec::new(binary("sonde-demo"))
}

#[tokio::test]
async fn the_demo_server_is_explored() {
    let mut session = Session::over_stdio(demo()).await;
    let (negotiated, listing) = session.ready_with_tools().await;
    assert_eq!(
        negotiated
            .server
            .as_ref()
            .and_then(|server| server.name.as_deref()),
        Some("sonde-demo")
    );
    assert!(listing.items.iter().any(|tool| tool.name == "climb_tower"));
    assert!(listing.items.iter().all(|tool| tool.findings.is_empty()));

    session
        .call(1, "climb_tower", r#"{"landings": 5, "pause_ms": 1}"#)
        .await;
    let (story, outcome) = session.story(1).await;
    let progress: Vec<f64> = story
        .iter()
        .filter_map(|event| match event {
            OperationEvent::Progress(progress) => Some(progress.progress),
            _ => None,
        })
        .collect();
    assert!(progress.len() >= 4 && progress.is_sorted(), "{progress:?}");
    assert!(matches!(
        outcome,
        Outcome::Result {
            is_error: false,
            ..
        }
    ));

    session.call(2, "no_such_tool", "{}").await;
    assert!(matches!(
        session.story(2).await.1,
        Outcome::ProtocolError { .. } | Outcome::Result { is_error: true, .. }
    ));

    session.handle.ping().await.expect("the session runs");
    session.pong().await;

    session.handle.close();
    assert!(matches!(session.closed().await, CloseReason::Requested));
}

#[tokio::test]
async fn a_changed_list_is_read_again_with_its_difference() {
    let mut session = Session::over_stdio(demo()).await;
    let (_, before) = session.ready_with_tools().await;
    session.call(1, "boathouse_doors", r#"{"open":true}"#).await;
    let after = loop {
        if let Event::Catalog {
            event: CatalogEvent::Listed(listing),
            ..
        } = session.event().await
        {
            break listing;
        }
    };
    let diff = after.diff.expect("there was a list before");
    assert_eq!(diff.added.len(), 1);
    assert_eq!(
        (diff.removed.len(), after.items.len()),
        (0, before.items.len() + 1)
    );
}

#[tokio::test]
async fn many_calls_run_at_once_and_one_is_cancelled() {
    let mut session = Session::over_stdio(demo()).await;
    session.ready_with_tools().await;
    session.call(1, "polish_lens", r#"{"seconds":3600}"#).await;
    for id in 10..60 {
        session
            .call(id, "echo", &format!(r#"{{"message":"{id}"}}"#))
            .await;
    }
    let mut answered = Vec::new();
    while answered.len() < 50 {
        match session.event().await {
            Event::Operation(
                OperationId(id),
                OperationEvent::Finished(Outcome::Result { raw, .. }),
            ) => {
                assert!(raw.get().contains(&format!("\"{id}\"")), "{}", raw.get());
                answered.push(id);
            }
            Event::Operation(_, OperationEvent::Finished(outcome)) => {
                panic!("unexpected {outcome:?}")
            }
            _ => {}
        }
    }
    let cancelled = session.handle.cancel(OperationId(1), Some("enough".into()));
    cancelled.await.expect("the session runs");
    let (story, outcome) = session.story(1).await;
    // The server may still say a word of its own before it falls silent.
    assert!(
        story
            .iter()
            .any(|event| matches!(event, OperationEvent::Cancelling)),
        "{story:?}"
    );
    assert!(matches!(outcome, Outcome::Cancelled), "{outcome:?}");
}

#[tokio::test]
async fn a_storm_of_notifications_loses_none() {
    let mut session = Session::over_stdio(demo()).await;
    session.ready_with_tools().await;
    session
        .call(1, "ride_out_storm", r#"{"progress":20000,"logs":20000}"#)
        .await;
    let (story, outcome) = session.story(1).await;
    let count =
        |pick: fn(&OperationEvent) -> bool| story.iter().filter(|event| pick(event)).count();
    assert_eq!(
        count(|event| matches!(event, OperationEvent::Progress(_))),
        20_000
    );
    assert_eq!(
        count(|event| matches!(event, OperationEvent::Log(_))),
        20_000
    );
    assert!(matches!(
        outcome,
        Outcome::Result {
            is_error: false,
            ..
        }
    ));
}

#[tokio::test]
async fn the_death_of_the_process_ends_every_call_and_is_the_reason() {
    let mut session = Session::over_stdio(demo()).await;
    session.ready_with_tools().await;
    session.call(1, "polish_lens", r#"{"seconds":3600}"#).await;
    session.call(2, "blow_fuse", r#"{"code":7}"#).await;
    for id in [1, 2] {
        let outcome = session.story(id).await.1;
        assert!(
            matches!(outcome, Outcome::Lost(Lost::TransportGone)),
            "{outcome:?}"
        );
    }
    let reason = session.closed().await;
    assert!(
        matches!(
            reason,
            CloseReason::Transport(Closed::ProcessExited {
                exit: ExitStatus::Code(7)
            })
        ),
        "{reason:?}"
    );
}

#[tokio::test]
async fn a_process_that_ends_at_once_is_told_apart() {
    let mut spec = StdioSpec::new(program());
    spec.args = script([Step::stderr("no such database\n"), Step::Exit { code: 4 }]);
    let session = Session::over_stdio(spec).await;
    let reason = session.closed().await;
    assert!(
        matches!(
            reason,
            CloseReason::OpenFailed(OpenFailure::Transport(Closed::ProcessExited {
                exit: ExitStatus::Code(4)
            }))
        ),
        "{reason:?}"
    );
}

#[tokio::test]
async fn banners_and_log_lines_before_the_answer_are_passed_over() {
    let mut spec = StdioSpec::new(program());
    spec.args = script([
        Step::emit("Server 1.0 is starting\n\n{\"level\":\"info\",\"error\":null}\n[1\n"),
        Step::Expect,
        Step::emit(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"protocolVersion\":\"{}\",\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{{\"name\":\"s\",\"version\":\"1\"}}}}}}\r\n",
            Revision::NEWEST_HANDSHAKE
        )),
        Step::Expect,
        Step::Expect,
        Step::emit("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"t\"}]}}\n"),
        Step::AwaitEof,
    ]);
    let mut session = Session::over_stdio(spec).await;
    let (_, listing) = session.ready_with_tools().await;
    assert_eq!(listing.items[0].findings[0].id(), "missing-input-schema");
    session.handle.close();
    assert!(matches!(session.closed().await, CloseReason::Requested));
}
