use super::*;
use crate::{LogLevel, OpenFailure, RequestProblem};

async fn fails_after(text: &str) -> OpenFailure {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    bench.say(text).await;
    match bench.hang_up().await {
        CloseReason::OpenFailed(failure) => failure,
        other => panic!("unexpected end {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn every_revision_opens() {
    for revision in Revision::HANDSHAKE {
        let mut bench = Bench::new();
        let negotiated = bench.send_initialize(revision, r#"{"x":1.10}"#).await;
        assert_eq!(negotiated.revision, revision.as_str());
        assert_eq!(negotiated.offered, Revision::NEWEST_HANDSHAKE.as_str());
        assert_eq!(negotiated.capabilities.get(), r#"{"x":1.10}"#);
        assert_eq!(
            negotiated.server.as_ref().and_then(|s| s.name.as_deref()),
            Some("s")
        );
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn another_offer_can_be_asked_for() {
    for offer in Revision::HANDSHAKE {
        let mut options = SessionOptions::new(client());
        options.offer = Some(offer);
        let mut bench = Bench::with(options, 10);
        bench.event().await;
        let sent = bench.sent().await;
        assert_eq!(sent["params"]["protocolVersion"], offer.as_str());
    }
}

#[tokio::test(start_paused = true)]
async fn the_log_level_is_asked_for_where_logging_is_declared() {
    for (capabilities, asked) in [(r#"{"logging":{}}"#, true), ("{}", false)] {
        let options = SessionOptions {
            log_level: Some(LogLevel::Notice),
            ..SessionOptions::new(client())
        };
        let mut bench = Bench::with(options, 10);
        bench
            .send_initialize(Revision::NEWEST_HANDSHAKE, capabilities)
            .await;
        if asked {
            let request = bench.sent().await;
            assert_eq!(request["method"], "logging/setLevel");
            assert_eq!(request["params"]["level"], "notice");
            bench.say(refusal(&request["id"], -32602, "null")).await;
            assert!(matches!(
                bench.event().await,
                Event::LogLevelFailed { message } if message.contains("-32602")
            ));
        }
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn failures_are_told_apart() {
    let unknown = fails_after(&answer(1, r#"{"protocolVersion":"2099-01-01"}"#)).await;
    assert!(
        matches!(unknown, OpenFailure::UnknownRevision { answered } if answered == "2099-01-01")
    );
    for bad in [
        answer(1, "{}"),
        answer(1, "[]"),
        answer(1, "null"),
        r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":"1","result":{}}"#.to_owned(),
    ] {
        assert!(
            matches!(fails_after(&bad).await, OpenFailure::BadShape { .. }),
            "{bad}"
        );
    }
    let [first, ..] = Revision::HANDSHAKE;
    for id in ["1", "null"] {
        let data = format!(r#"{{"supported":["{first}"]}}"#);
        let rejected = fails_after(&refusal(id, -32602, &data)).await;
        assert_eq!(rejected.other_offer(), Some(first));
    }
}

#[tokio::test(start_paused = true)]
async fn silence_ends_the_handshake() {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    tokio::time::advance(Duration::from_millis(29_999)).await;
    assert!(bench.events.try_recv().is_err());
    bench.gives_up(1, NoResponse::TimedOut).await;
    bench.closing().await;
    assert!(matches!(bench.command().await, Command::Close));
    // A transport that never says its last word does not keep the session.
    assert!(matches!(
        bench.closed().await,
        CloseReason::OpenFailed(OpenFailure::TimedOut)
    ));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_closes_its_output_before_it_answers_is_not_waited_for() {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    bench.take(Incoming::OutputClosed).await;
    assert_eq!(
        bench.health().await.requests,
        Some(RequestProblem::OutputClosed)
    );
    bench.closing().await;
    let exit = sonde_wire::ExitStatus::Signal(9);
    bench.exits(exit).await;
    assert!(matches!(
        bench.closed().await,
        CloseReason::OutputClosed(Closed::ProcessExited { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_ends_first_is_the_reason() {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    let exit = sonde_wire::ExitStatus::Code(3);
    bench.exits(exit).await;
    assert!(matches!(
        bench.closed().await,
        CloseReason::OpenFailed(OpenFailure::Transport(Closed::ProcessExited { exit: e })) if e == exit
    ));
    bench.task.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn pings_are_answered_before_the_handshake_is_over() {
    let mut bench = Bench::new();
    bench.event().await;
    bench.sent().await;
    bench.request("\"p\"", "ping", "{}").await;
    let pong = bench.sent().await;
    assert_eq!(
        pong.to_string(),
        r#"{"jsonrpc":"2.0","id":"p","result":{}}"#
    );
    let early = notification("tools/list_changed", "{}");
    let early = bench.say(early).await;
    bench.quiet().await;
    assert_eq!(bench.notes.codes(early), ["early-message"]);
    let log = bench.say(LOG).await;
    assert!(!bench.codes(log).await.contains(&"early-message"));
    bench.event().await;
    let unknown = answer(1, r#"{"protocolVersion":"2099-01-01"}"#);
    let unknown = bench.say(unknown).await;
    assert_eq!(bench.codes(unknown).await, ["bad-protocol-version"]);
}

#[tokio::test(start_paused = true)]
async fn wishes_wait_for_the_handshake_and_end_with_it() {
    let mut bench = Bench::new();
    let tool = OperationRequest::tool("t", None);
    bench.operate(1, tool.clone()).await;
    bench
        .send_initialize(Revision::NEWEST_HANDSHAKE, "{}")
        .await;
    assert_eq!(bench.sent().await["params"]["name"], "t");

    let mut bench = Bench::new();
    bench.operate(1, tool.clone()).await;
    bench.handle.ping().await.unwrap();
    bench.event().await;
    bench
        .take(Incoming::Closed(Closed::Disconnected { reason: None }))
        .await;
    assert!(matches!(bench.has_lost(1).await, Lost::TransportGone));
    assert!(matches!(
        bench.event().await,
        Event::PingFailed { is_lost: true, .. }
    ));
    assert!(matches!(bench.closed().await, CloseReason::OpenFailed(_)));
    bench.task.await.unwrap();
    let options = OperationOptions::default();
    let late = bench.handle.start_operation(OperationId(2), tool, options);
    assert_eq!(late.await, Err(crate::SessionGone));
}

#[tokio::test(start_paused = true)]
async fn the_end_can_be_asked_for_in_three_ways() {
    let mut bench = Bench::ready().await;
    bench.handle.close();
    bench.handle.close();
    assert!(matches!(bench.hang_up().await, CloseReason::Requested));

    let mut bench = Bench::ready().await;
    let (sender, _) = tokio::sync::mpsc::channel(1);
    bench.handle = SessionHandle::new(sender, Arc::default());
    assert!(matches!(bench.hang_up().await, CloseReason::Requested));

    let mut bench = Bench::ready().await;
    let (_, events) = queue::channel(1);
    bench.events = events;
    assert!(matches!(bench.command().await, Command::Close));
    bench
        .take(Incoming::Closed(Closed::Requested { exit: None }))
        .await;
    bench.task.await.unwrap();
}
