use sonde_findings::Location;

use super::*;
use crate::{Lost, RequestProblem, TimeoutKind};

fn log(data: &str) -> String {
    let params = format!(r#"{{"level":"warning","logger":"l","data":{data}}}"#);
    notification("message", &params)
}

#[tokio::test(start_paused = true)]
async fn a_call_with_progress_and_result() {
    let mut bench = Bench::ready().await;
    let id = bench.call(7).await;
    bench
        .say(progress(id, r#""progress":0.5,"total":2,"message":"half""#))
        .await;
    let OperationEvent::Progress(seen) = bench.call_event(7).await else {
        panic!("no progress");
    };
    assert_eq!((seen.progress, seen.total), (0.5, Some(2.0)));
    assert_eq!(seen.message.as_deref(), Some("half"));
    let seq = bench
        .say(format!(
            r#"{{"result":{{"z":9007199254740993,"content":[],"a":1.0,"isError":true}},"jsonrpc":"2.0","id":{id}}}"#
        ))
        .await;
    match bench.finished(7).await {
        Outcome::Result {
            raw,
            is_error,
            seq: at,
        } => {
            assert_eq!(
                raw.get(),
                r#"{"z":9007199254740993,"content":[],"a":1.0,"isError":true}"#
            );
            assert!(is_error);
            assert_eq!(at, Seq(seq));
        }
        other => panic!("unexpected outcome {other:?}"),
    }
    let label = bench.label(seq).await;
    assert_eq!(label.method.as_deref(), Some("tools/call"));
    assert_eq!(
        (label.operation, label.id.as_deref()),
        (Some(7), Some(id.to_string().as_str()))
    );
    assert_eq!(bench.notes.codes(seq), Vec::<&str>::new());
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn answers_of_every_shape() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    bench.say(refusal(id, -32602, r#"{"n":1.50}"#)).await;
    assert!(matches!(
        bench.finished(1).await,
        Outcome::ProtocolError { code: -32602, message, data: Some(data), .. }
            if message == "no" && data.get() == r#"{"n":1.50}"#
    ));
    for (number, result, codes) in [
        (2, "{}", &["bad-content"][..]),
        (
            3,
            r#"{"content":{},"isError":"yes"}"#,
            &["bad-content", "bad-is-error"],
        ),
        (4, r#"{"content":[],"isError":null}"#, &["bad-is-error"]),
    ] {
        let id = bench.call(number).await;
        let seq = bench.say(answer(id, result)).await;
        assert!(matches!(
            bench.finished(number).await,
            Outcome::Result { raw, is_error: false, .. } if raw.get() == result
        ));
        assert_eq!(bench.notes.codes(seq), codes);
    }
    for (number, answer) in [
        (5, r#""result":[]"#),
        (6, r#""result":null"#),
        (7, r#""error":{}"#),
        (8, r#""result":{},"error":{"code":1,"message":""}"#),
    ] {
        let id = bench.call(number).await;
        bench
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#))
            .await;
        assert!(
            matches!(bench.finished(number).await, Outcome::BadShape { .. }),
            "{answer}"
        );
    }
    let id = bench.call(9).await;
    let seq = bench.say(answer(format!("\"{id}\""), "{}")).await;
    assert!(matches!(bench.finished(9).await, Outcome::BadShape { .. }));
    assert_eq!(bench.notes.codes(seq), ["response-id-type"]);
}

#[tokio::test(start_paused = true)]
async fn arguments_that_are_no_json_are_not_sent() {
    let mut bench = Bench::ready().await;
    for (number, arguments) in [
        "",
        "{",
        "{}, \"x\": 1",
        "{} {}",
        "{\"a\": NaN}",
        "\u{feff}{}",
    ]
    .into_iter()
    .enumerate()
    {
        let tool = OperationRequest::tool("t", Some(arguments.into()));
        let call = number as u64;
        bench.operate(call, tool).await;
        let lost = bench.has_lost(call).await;
        assert!(matches!(lost, Lost::NotSent { .. }), "{arguments:?}");
    }
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_response_that_waits_for_the_user_of_the_session_is_not_late() {
    let mut bench = Bench::with(SessionOptions::new(client()), 1);
    bench
        .send_initialize(Revision::NEWEST_HANDSHAKE, "{}")
        .await;
    let (id, _) = bench.call_with(1, limited(10, None)).await;
    // More events than the session holds back.
    for _ in 0..600 {
        bench.say(LOG).await;
    }
    bench.say(result(id)).await;
    tokio::time::sleep(secs(20)).await;
    let outcome = loop {
        if let OperationEvent::Finished(outcome) = bench.call_event(1).await {
            break outcome;
        }
    };
    assert!(matches!(outcome, Outcome::Result { .. }), "{outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn silence_times_out_and_the_late_answer_is_still_shown() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    tokio::time::sleep(secs(59)).await;
    bench.say(progress(id, r#""progress":1"#)).await;
    bench.progresses(1).await;
    tokio::time::sleep(secs(59)).await;
    assert!(
        bench.events.try_recv().is_err(),
        "progress started the clock again"
    );
    let cancelled = bench.outgoing().await;
    assert_eq!(cancelled.label.cause, Some(sonde_wire::Cause::Deadline));
    assert!(cancelled.text.unwrap().contains("notifications/cancelled"));
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Idle);
    let seq = bench.say(progress(id, r#""progress":2"#)).await;
    bench.late(1).await;
    // The server has not finished.
    assert_eq!(bench.notes.codes(seq), [""; 0]);
    for code in ["late-response", "duplicate-response"] {
        let seq = bench.say(result(id)).await;
        assert!(matches!(
            bench.call_event(1).await,
            OperationEvent::Late { outcome: Some(Outcome::Result { .. }), seq: at } if at == Seq(seq)
        ));
        assert_eq!(bench.notes.codes(seq), [code]);
    }
    let seq = bench.say(progress(id, r#""progress":3"#)).await;
    bench.late(1).await;
    assert_eq!(bench.notes.codes(seq), ["late-progress"]);
    bench.abandons(ExchangeId(id)).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn the_hard_limit_holds_in_spite_of_progress() {
    let mut bench = Bench::ready().await;
    let options = limited(10, Some(25));
    let (id, _) = bench.call_with(1, options).await;
    for step in 0..3 {
        tokio::time::sleep(secs(8)).await;
        bench
            .say(progress(id, &format!(r#""progress":{step}"#)))
            .await;
        bench.progresses(1).await;
    }
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Hard);
}

#[tokio::test(start_paused = true)]
async fn waiting_longer_moves_both_limits() {
    let mut bench = Bench::ready().await;
    let options = OperationOptions {
        idle: Some(secs(10)),
        hard: Some(Duration::MAX),
        ..OperationOptions::default()
    };
    bench.call_with(1, options).await;
    tokio::time::sleep(secs(5)).await;
    bench
        .handle
        .extend(OperationId(1), secs(100))
        .await
        .unwrap();
    match bench.call_event(1).await {
        OperationEvent::Extended { idle, hard } => {
            assert!(idle > secs(99) && idle <= secs(100), "{idle:?}");
            assert!(hard > secs(1_000_000));
        }
        other => panic!("unexpected event {other:?}"),
    }
    tokio::time::sleep(secs(98)).await;
    assert!(bench.events.try_recv().is_err());
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Idle);
    bench
        .handle
        .extend(OperationId(1), secs(100))
        .await
        .unwrap();
    bench
        .handle
        .extend(OperationId(9), secs(100))
        .await
        .unwrap();
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_at_once_and_is_listened_for() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    bench
        .handle
        .cancel(OperationId(1), Some("enough".into()))
        .await
        .unwrap();
    bench.cancel(1).await;
    bench.cancel(2).await;
    let message = bench.sent().await;
    assert_eq!(message["method"], "notifications/cancelled");
    assert_eq!(message["params"]["requestId"], id);
    assert_eq!(message["params"]["reason"], "enough");
    bench.cancelling(1).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
    bench.abandons(ExchangeId(id)).await;
    bench.say(result(id)).await;
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::Late {
            outcome: Some(_),
            ..
        }
    ));
    bench.cancel(1).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_after_the_cancellation_counts() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    assert!(bench.sent().await["params"].get("reason").is_none());
    bench.say(progress(id, r#""progress":1"#)).await;
    bench.progresses(1).await;
    bench.say(result(id)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
    tokio::time::sleep(secs(10)).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_before_the_cancellation_counts() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    bench.say(result(id)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
    bench.cancel(1).await;
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn every_pending_operation_ends_with_the_transport() {
    let mut bench = Bench::ready().await;
    for call in 1..=3 {
        bench.call(call).await;
    }
    bench.cancel(2).await;
    bench.cancelling(2).await;
    bench
        .take(Incoming::Closed(Closed::Disconnected { reason: None }))
        .await;
    for call in 1..=3 {
        assert!(matches!(bench.has_lost(call).await, Lost::TransportGone));
    }
    assert!(matches!(
        bench.closed().await,
        CloseReason::Transport(Closed::Disconnected { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn operations_asked_for_while_closing_end_at_once() {
    let mut bench = Bench::ready().await;
    let running = bench.call(1).await;
    bench.handle.close();
    bench.closing().await;
    let tool = OperationRequest::tool("t", None);
    bench.operate(2, tool).await;
    assert!(matches!(bench.has_lost(2).await, Lost::TransportGone));
    bench.say(result(running)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
    assert!(matches!(bench.command().await, Command::Close));
}

#[tokio::test(start_paused = true)]
async fn log_messages_find_the_only_running_operation() {
    let mut bench = Bench::ready().await;
    bench.say(log("1")).await;
    assert!(matches!(bench.event().await, Event::Log(_)));
    let first = bench.call(1).await;
    let seq = bench.say(log(r#"{"n":1.0}"#)).await;
    let OperationEvent::Log(message) = bench.call_event(1).await else {
        panic!("no log message");
    };
    assert_eq!(message.level, Some(crate::LogLevel::Warning));
    assert_eq!(message.logger.as_deref(), Some("l"));
    assert_eq!(
        message.data.as_ref().map(|raw| raw.get()),
        Some(r#"{"n":1.0}"#)
    );
    assert_eq!(bench.label(seq).await.operation, Some(1));
    assert!(!message.ambiguous);
    bench.call(2).await;
    // It can belong to either, and to neither.
    let seq = bench.say(log("3")).await;
    for operation in [1, 2] {
        let OperationEvent::Log(message) = bench.call_event(operation).await else {
            panic!("no log message");
        };
        assert!(message.ambiguous);
    }
    assert!(matches!(bench.event().await, Event::Log(message) if message.ambiguous));
    assert_eq!(bench.label(seq).await.operation, None);
    bench.say(result(first)).await;
    bench.finished(1).await;
    let seq = bench
        .say(notification("message", r#"{"level":"loud"}"#))
        .await;
    let OperationEvent::Log(message) = bench.call_event(2).await else {
        panic!("no log message");
    };
    assert_eq!((message.level, message.data.is_none()), (None, true));
    assert!(!message.ambiguous);
    assert_eq!(bench.notes.codes(seq), ["bad-log-level"]);
    let mut notes = bench.notes.of(seq).into_iter();
    let finding = notes.find_map(|note| note.findings.into_iter().next());
    let level = Location::Pointer("/params/level".to_owned());
    assert_eq!(finding.unwrap().location, level);
}

#[tokio::test(start_paused = true)]
async fn odd_progress_is_marked() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    let of = |value: &str| progress(id, &format!(r#""progress":{value}"#));
    let cases: [(String, &[&str], bool); 12] = [
        (
            progress(99, r#""progress":1"#),
            &["unknown-progress-token"],
            false,
        ),
        (
            progress("{}", r#""progress":1"#),
            &["unknown-progress-token"],
            false,
        ),
        (of(r#""1""#), &["bad-progress"], false),
        (of("1e999"), &["bad-progress"], false),
        (of(r#"1,"total":[]"#), &["bad-progress"], true),
        (
            progress(format!("\"{id}\""), r#""progress":2"#),
            &["progress-token-type"],
            true,
        ),
        (of("1.5"), &["falling-progress"], true),
        // "The progress value MUST increase with each notification": the same value is none that does.
        (of("1.5"), &["falling-progress"], true),
        // Compared with the one before, not with the highest.
        (of("1.75"), &[], true),
        // These differ, though as numbers of the usual size they are the same.
        (of("9007199254740992"), &[], true),
        (of("9007199254740993"), &[], true),
        (
            notification("progress", "{}"),
            &["unknown-progress-token"],
            false,
        ),
    ];
    for (text, codes, reported) in cases {
        let seq = bench.say(text.clone()).await;
        if reported {
            assert!(
                matches!(bench.call_event(1).await, OperationEvent::Progress(_)),
                "{text}"
            );
        } else {
            bench.quiet().await;
        }
        assert_eq!(bench.notes.codes(seq), codes, "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn progress_with_a_token_of_the_user_is_not_judged_by_it() {
    let mut bench = Bench::ready().await;
    // The second one is the id of the handshake's request.
    for (call, token) in [(1, "\"mine\""), (2, "1"), (3, "\"7\""), (4, "-3")] {
        let params = format!(r#"{{"name":"t","_meta":{{"progressToken":{token}}}}}"#);
        let request = OperationRequest {
            method: "tools/call".to_owned(),
            params: Some(params),
            ..OperationRequest::default()
        };
        bench.operate(call, request).await;
        let sent = bench.sent().await;
        assert_eq!(sent["params"]["_meta"]["progressToken"].to_string(), token);
        let event = bench.call_event(call).await;
        assert!(matches!(event, OperationEvent::Sent { .. }), "{event:?}");
        let seq = bench.say(progress(token, r#""progress":1"#)).await;
        assert_eq!(bench.codes(seq).await, [""; 0], "{token}");
    }
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn pings_go_both_ways() {
    let mut bench = Bench::ready().await;
    bench.handle.ping().await.unwrap();
    let ping = bench.sent().await;
    assert_eq!(ping["method"], "ping");
    tokio::time::sleep(Duration::from_millis(3)).await;
    bench.say(answer(&ping["id"], "{}")).await;
    assert!(matches!(bench.event().await, Event::Pong { micros } if micros >= 3_000));

    bench.handle.ping().await.unwrap();
    let ping = bench.sent().await;
    bench.say(refusal(&ping["id"], -32601, "null")).await;
    assert!(matches!(
        bench.event().await,
        Event::PingFailed { message, is_lost: false } if message.contains("no")
    ));

    bench.handle.ping().await.unwrap();
    bench.sent().await;
    assert!(matches!(bench.event().await, Event::PingFailed { .. }));
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
}

#[tokio::test(start_paused = true)]
async fn requests_of_the_server_are_refused_by_their_own_id() {
    let mut bench = Bench::ready().await;
    for id in [
        "1",
        "\"1\"",
        "\"a\\u0062\"",
        "-5",
        "123456789012345678901234567890",
    ] {
        bench.request(id, "sampling/createMessage", "{}").await;
        let outgoing = bench.outgoing().await;
        assert_eq!(outgoing.label.cause, Some(sonde_wire::Cause::Answer));
        assert_eq!(
            outgoing.label.method.as_deref(),
            Some("sampling/createMessage")
        );
        let text = outgoing.text.unwrap();
        assert!(text.contains(&format!(r#""id":{id},"#)), "{text}");
        assert!(text.contains(r#""code":-32601"#), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_event_queue_holds_the_session_and_loses_nothing() {
    let mut bench = Bench::with(SessionOptions::new(client()), 1);
    bench
        .send_initialize(Revision::NEWEST_HANDSHAKE, "{}")
        .await;
    let options = limited(10, None);
    let (id, _) = bench.call_with(1, options).await;
    let many = 5_000;
    let incoming = bench.far.incoming.clone();
    let server = tokio::spawn(async move {
        for step in 0..many {
            let text = Arc::new(progress(id, &format!(r#""progress":{step}"#)));
            let item = Incoming::Message {
                exchange: None,
                event_id: None,
                text,
                seq: Seq(100 + step),
            };
            incoming.send(item).await.unwrap();
        }
    });
    // Far beyond the idle limit, while progress lies unread in the queues.
    tokio::time::sleep(secs(60)).await;
    for step in 0..many {
        match bench.call_event(1).await {
            OperationEvent::Progress(progress) => assert_eq!(progress.progress, step as f64),
            other => panic!("unexpected event {other:?}"),
        }
    }
    server.await.unwrap();
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Idle);
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_takes_nothing_does_not_stop_the_reading() {
    let mut bench = Bench::ready().await;
    let id = bench.call(1).await;
    // More requests than the wire's queue holds, none of the answers taken.
    for number in 0..400 {
        bench.request(number, "roots/list", "{}").await;
    }
    bench.say(result(id)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Result { .. }));
    for number in 0..400 {
        assert_eq!(bench.sent().await["id"], number);
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_closes_its_output_ends_the_session_at_once() {
    let mut bench = Bench::ready().await;
    bench.call(1).await;
    bench.take(Incoming::OutputClosed).await;
    assert_eq!(
        bench.health().await.requests,
        Some(RequestProblem::OutputClosed)
    );
    bench.closing().await;
    assert!(matches!(bench.has_lost(1).await, Lost::TransportGone));
    // Whoever calls now is told so as well.
    bench.operate(2, OperationRequest::tool("tool", None)).await;
    assert!(matches!(bench.has_lost(2).await, Lost::TransportGone));
    let exit = sonde_wire::ExitStatus::Signal(15);
    bench.exits(exit).await;
    assert!(matches!(
        bench.closed().await,
        CloseReason::OutputClosed(Closed::ProcessExited { .. })
    ));
}
