//! Tasks of servers that break the rules, or keep nothing of what they promise.

use super::{
    stateless_operations::tool,
    tasks::{as_task, created, declaring, handshake, stateless, task_answer},
    *,
};
use crate::{
    ClientCapabilities, Lost, TaskSource, TaskStatus, TaskStep, TimeoutKind,
    limits::{TASK_FAILURES, TASK_POLL, TASK_POLL_CAP, TASK_POLL_FLOOR},
};

#[tokio::test(start_paused = true)]
async fn replies_that_the_server_refuses_are_sent_again_but_not_for_ever() {
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    let asks = stateless(
        "input_required",
        r#","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}}"#,
    );
    bench.polls(&asks, TaskStatus::InputRequired).await;
    let question = bench.server_request().await;
    bench.answer(&question, r#"{"action":"decline"}"#).await;
    for attempt in 1..=3 {
        let (_, message) = bench.asked_of(1, "tasks/update").await;
        bench.say(refusal(&message["id"], -32_603, "{}")).await;
        if attempt < 3 {
            bench.waits(1, secs(5)).await;
            bench.polls(&asks, TaskStatus::InputRequired).await;
        }
    }
    bench.fails_with(1, -32_603).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_never_ends_runs_into_the_limit_on_the_whole_and_can_be_extended() {
    let mut bench = Bench::with_handshake_task().await;
    let began = tokio::time::Instant::now();
    bench
        .handle
        .extend(OperationId(1), secs(40 * 60))
        .await
        .unwrap();
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::Extended { hard, .. } if hard == secs(40 * 60)
    ));
    bench.waits(1, secs(5)).await;
    let outcome = loop {
        tokio::select! {
            biased;
            event = bench.events.recv() => {
                if let Some(Event::Operation(_, OperationEvent::Finished(outcome))) = event {
                    break outcome;
                }
            }
            command = bench.far.commands.recv() => {
                let Some(Command::Send(outgoing)) = command else { panic!("it polls") };
                let message: Value = serde_json::from_str(&outgoing.text.unwrap()).unwrap();
                assert_eq!(message["method"], "tasks/get");
                bench.say(answer(&message["id"], &handshake("working"))).await;
            }
        }
    };
    assert!(matches!(outcome, Outcome::TimedOut(TimeoutKind::Hard)));
    assert_eq!(began.elapsed(), secs(40 * 60));
    // The task goes on: nobody wanted it cancelled.
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn absurd_intervals_are_bounded() {
    for (interval, wait, codes) in [
        ("-5", TASK_POLL, &["bad-task-member"][..]),
        ("\"1\"", TASK_POLL, &["bad-task-member"]),
        ("0", TASK_POLL_FLOOR, &["poll-interval-bounded"]),
        ("1", TASK_POLL_FLOOR, &["poll-interval-bounded"]),
        ("86400000", TASK_POLL_CAP, &["poll-interval-bounded"]),
    ] {
        let mut bench = Bench::ready().await;
        let (_, message) = bench.start(1, as_task()).await;
        let task = handshake("working").replace("5000", interval);
        let seq = bench.say(task_answer(&message["id"], &task)).await;
        bench.created(1).await;
        bench.waits(1, wait).await;
        bench.polled(wait, &handshake("working")).await;
        assert_eq!(bench.notes.codes(seq), codes, "{interval}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_of_no_such_task_ends_the_run() {
    // One that is no longer retained breaks no rule.
    for (ttl, codes) in [("60000", &["task-not-found"][..]), ("5000", &[])] {
        let mut bench = Bench::ready().await;
        let (_, message) = bench.start(1, as_task()).await;
        let task = handshake("working").replace("60000", ttl);
        bench.say(task_answer(&message["id"], &task)).await;
        bench.created(1).await;
        bench.waits(1, secs(5)).await;
        let (_, message) = bench.asked_of(1, "tasks/get").await;
        assert_eq!(bench.step_of(1).await, TaskStep::Asking);
        let refusal = refusal(&message["id"], -32_602, "{}");
        let seq = bench.say(refusal).await;
        bench.fails_with(1, -32_602).await;
        assert_eq!(bench.codes(seq).await, codes, "{ttl}");
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn failures_in_a_row_end_the_run_and_single_ones_do_not() {
    let mut bench = Bench::with_handshake_task().await;
    let broken = ["[]", "{}", r#"{"taskId":"t2","status":"working"}"#];
    for _ in 0..2 {
        for result in &broken[..2] {
            bench.polled(secs(5), result).await;
            bench.waits(1, secs(5)).await;
        }
        bench
            .polls(&handshake("working"), TaskStatus::Working)
            .await;
    }
    // Silence is a failure as well. Not at the moment at which its stream is given up.
    let slow = handshake("working").replace("5000", "7000");
    bench.polled(secs(5), &slow).await;
    bench.polled_status(TaskStatus::Working).await;
    bench.waits(1, secs(7)).await;
    for _ in 1..TASK_FAILURES {
        bench.asked_of(1, "tasks/get").await;
        assert_eq!(bench.step_of(1).await, TaskStep::Asking);
        bench.waits(1, secs(7)).await;
        assert_eq!(bench.sent().await["method"], "notifications/cancelled");
        assert!(matches!(bench.command().await, Command::Abandon(_)));
    }
    let seq = bench.polled(secs(2), broken[2]).await;
    assert!(matches!(bench.finished(1).await, Outcome::BadShape { .. }));
    assert!(bench.codes(seq).await.contains(&"wrong-task-id"));
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_ends_the_run() {
    let mut bench = Bench::with_handshake_task().await;
    bench
        .take(Incoming::Closed(Closed::Disconnected { reason: None }))
        .await;
    assert!(matches!(bench.has_lost(1).await, Lost::TransportGone));
    bench.closed().await;
}

#[tokio::test(start_paused = true)]
async fn odd_tasks_are_found_and_followed_all_the_same() {
    for (task, status, codes) in [
        (
            r#"{"taskId":"t1","status":"running"}"#.to_owned(),
            TaskStatus::Unknown,
            &[
                "bad-task-status",
                "missing-task-member",
                "missing-task-member",
                "missing-task-member",
            ][..],
        ),
        (
            handshake("input_required"),
            TaskStatus::InputRequired,
            &["task-not-working-first"],
        ),
    ] {
        let mut bench = Bench::ready().await;
        let (_, message) = bench.start(1, as_task()).await;
        let seq = bench.say(task_answer(&message["id"], &task)).await;
        bench.status(1, status, TaskSource::Created).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
    // A task without a usable id is none.
    let mut bench = Bench::ready().await;
    let (_, message) = bench.start(1, as_task()).await;
    bench.say(task_answer(&message["id"], "{}")).await;
    assert!(matches!(bench.finished(1).await, Outcome::BadShape { .. }));
}

#[tokio::test(start_paused = true)]
async fn tasks_come_only_where_they_were_asked_for() {
    let mut bench = Bench::ready().await;
    let (_, message) = bench.start(1, as_task()).await;
    let seq = bench.say(answer(&message["id"], r#"{"content":[]}"#)).await;
    bench.result_of(1).await;
    assert_eq!(bench.codes(seq).await, ["task-not-created"]);
    let (_, message) = bench.start(2, tool("tool", "{}")).await;
    let seq = bench
        .say(task_answer(&message["id"], &handshake("working")))
        .await;
    bench.created(2).await;
    assert_eq!(bench.codes(seq).await, ["unasked-task"]);

    // The extension was not declared, or the method cannot be run as a task.
    let undeclared = SessionOptions {
        capabilities: ClientCapabilities::default(),
        ..declaring()
    };
    let prompt = OperationRequest::prompt("p", None);
    for (options, request) in [(undeclared, tool("tool", "{}")), (declaring(), prompt)] {
        let mut bench = Bench::stateless_with(Carrier::Pipe, "{}", options).await;
        let (_, message) = bench.start(1, request).await;
        let seq = bench.say(answer(&message["id"], &created())).await;
        assert!(matches!(bench.finished(1).await, Outcome::BadShape { .. }));
        assert_eq!(bench.codes(seq).await, ["misplaced-task"]);
    }
}

#[tokio::test(start_paused = true)]
async fn two_tasks_with_one_id_are_found() {
    let mut bench = Bench::with_handshake_task().await;
    let seq = bench.begin(2).await;
    assert_eq!(bench.notes.codes(seq), ["reused-task-id"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_result_or_a_status_lacks_is_found() {
    let mut bench = Bench::with_handshake_task().await;
    bench.polled(secs(5), &handshake("completed")).await;
    bench.polled_status(TaskStatus::Completed).await;
    bench.step_of(1).await;
    let seq = bench.fetched(r#"{"content":[]}"#).await;
    bench.result_of(1).await;
    assert_eq!(bench.codes(seq).await, ["missing-related-task"]);

    for (status, further, codes) in [
        ("completed", "", &["missing-task-payload"][..]),
        ("failed", "", &["missing-task-payload"]),
    ] {
        let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
        let seq = bench.polled(secs(5), &stateless(status, further)).await;
        bench.call_event(1).await;
        bench.step_of(1).await;
        assert!(matches!(bench.finished(1).await, Outcome::BadShape { .. }));
        assert_eq!(bench.codes(seq).await, codes);
    }
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    let odd = stateless("failed", r#","result":{"content":[],"isError":true}"#);
    let seq = bench
        .polled(secs(5), &odd.replace("complete\"", "task\""))
        .await;
    bench.call_event(1).await;
    bench.step_of(1).await;
    assert!(bench.result_of(1).await.1);
    assert_eq!(
        bench.codes(seq).await,
        ["task-result-type", "failed-task-with-result"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_more_ends_the_run() {
    let mut bench = Bench::with_handshake_task().await;
    let slow = handshake("working").replace("5000", "7000");
    bench.polled(secs(5), &slow).await;
    bench.polled_status(TaskStatus::Working).await;
    bench.waits(1, secs(7)).await;
    for failures in 1..=TASK_FAILURES {
        bench.asked_of(1, "tasks/get").await;
        assert_eq!(bench.step_of(1).await, TaskStep::Asking);
        if failures < TASK_FAILURES {
            bench.waits(1, secs(7)).await;
            assert_eq!(bench.sent().await["method"], "notifications/cancelled");
            assert!(matches!(bench.command().await, Command::Abandon(_)));
        }
    }
    assert_eq!(bench.timed_out(1).await, TimeoutKind::Idle);
}

#[tokio::test(start_paused = true)]
async fn a_notification_without_the_result_does_not_hurry_sonde() {
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    let task = stateless("completed", "");
    for _ in 0..3 {
        bench.notify_task(&task).await;
        bench
            .status(1, TaskStatus::Completed, TaskSource::Notified)
            .await;
        bench.waits(1, TASK_POLL_FLOOR).await;
    }
    bench
        .polled(TASK_POLL_FLOOR, &stateless("working", ""))
        .await;
}
