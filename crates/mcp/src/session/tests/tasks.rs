//! Operations that are run as tasks, in both ways of the protocol.

use serde_json::json;

use super::{stateless_operations::tool, *};
use crate::{
    ClientCapabilities, ElicitationCapability, EraChoice, LogMessage, TaskParams, TaskSource,
    TaskStatus, TaskStep, limits::TASK_POLL_FLOOR,
};

const TIMES: &str = r#""createdAt":"2026-02-03T10:30:00Z","lastUpdatedAt":"2026-02-03T10:30:00Z""#;

/// A task with a handshake.
pub(super) fn handshake(status: &str) -> String {
    format!(r#"{{"taskId":"t1","status":"{status}",{TIMES},"ttl":60000,"pollInterval":5000}}"#)
}

/// The same in the extension, with further members.
pub(super) fn stateless(status: &str, further: &str) -> String {
    format!(
        r#"{{"resultType":"complete","taskId":"t1","status":"{status}",{TIMES},"ttlMs":60000,"pollIntervalMs":5000{further}}}"#
    )
}

pub(super) fn created() -> String {
    stateless("working", "").replace("complete", "task")
}

pub(super) fn as_task() -> OperationRequest {
    OperationRequest {
        task: Some(TaskParams { ttl: Some(60_000) }),
        ..tool("tool", "{}")
    }
}

pub(super) fn declaring() -> SessionOptions {
    SessionOptions {
        era: EraChoice::Automatic,
        capabilities: ClientCapabilities {
            tasks: true,
            elicitation: Some(ElicitationCapability::ALL),
            ..ClientCapabilities::default()
        },
        ..SessionOptions::new(client())
    }
}

impl Bench {
    /// A session after a handshake with a tool that runs as a task; the task works.
    pub(super) async fn with_handshake_task() -> Bench {
        let options = SessionOptions {
            era: EraChoice::Handshake,
            ..declaring()
        };
        let mut bench = Bench::ready_as(options).await;
        bench.begin(1).await;
        bench
    }

    /// Runs a tool as a task after a handshake.
    pub(super) async fn begin(&mut self, call: u64) -> u64 {
        let (_, message) = self.start(call, as_task()).await;
        assert_eq!(message["params"]["task"], json!({"ttl": 60_000}));
        let seq = self
            .say(task_answer(&message["id"], &handshake("working")))
            .await;
        self.created(call).await;
        self.waits(call, secs(5)).await;
        seq
    }

    /// Runs a tool as a task with a stateless server, which decides that by itself.
    pub(super) async fn with_stateless_task(carrier: Carrier) -> Bench {
        let mut bench = Bench::stateless_with(carrier, "{}", declaring()).await;
        let (outgoing, message) = bench.start(1, tool("tool", "{}")).await;
        let declared = "io.modelcontextprotocol/clientCapabilities";
        let tasks = &message["params"]["_meta"][declared]["extensions"];
        assert_eq!(*tasks, json!({"io.modelcontextprotocol/tasks": {}}));
        let text = answer(&message["id"], &created());
        bench.reply(&outgoing, 200, text).await;
        bench.created(1).await;
        bench.waits(1, secs(5)).await;
        bench
    }

    /// The stateless server tells the status of a task by itself.
    pub(super) async fn notify_task(&mut self, task: &str) {
        self.say(notification("tasks", task)).await;
    }

    pub(super) async fn status(&mut self, call: u64, status: TaskStatus, source: TaskSource) {
        match self.call_event(call).await {
            OperationEvent::Task {
                task,
                source: found,
            } => assert_eq!((task.status, found), (status, source)),
            other => panic!("unexpected event {other:?}"),
        }
    }

    /// Expects the task to be created.
    pub(super) async fn created(&mut self, call: u64) {
        self.status(call, TaskStatus::Working, TaskSource::Created)
            .await;
    }

    /// Expects the first operation's task to be polled, and again later.
    pub(super) async fn polls(&mut self, task: &str, status: TaskStatus) {
        self.polled(secs(5), task).await;
        self.polled_status(status).await;
        self.waits(1, secs(5)).await;
    }

    /// Expects the status of the first operation's task to be polled.
    pub(super) async fn polled_status(&mut self, status: TaskStatus) {
        self.status(1, status, TaskSource::Polled).await;
    }

    pub(super) async fn step_of(&mut self, call: u64) -> TaskStep {
        match self.call_event(call).await {
            OperationEvent::TaskStep(step) => step,
            other => panic!("unexpected event {other:?}"),
        }
    }

    pub(super) async fn waits(&mut self, call: u64, expected: Duration) {
        assert_eq!(self.step_of(call).await, TaskStep::Wait(expected));
    }

    /// Expects the next request about the task, sent for an operation.
    pub(super) async fn asked_of(&mut self, call: u64, method: &str) -> (Outgoing, Value) {
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], method);
        assert_eq!(message["params"]["taskId"], "t1");
        assert_eq!(outgoing.label.operation, Some(call));
        (outgoing, message)
    }

    /// Expects the status to be asked for after `wait`, and answers.
    pub(super) async fn polled(&mut self, wait: Duration, result: &str) -> u64 {
        let before = tokio::time::Instant::now();
        let (outgoing, message) = self.asked_of(1, "tasks/get").await;
        assert_eq!(before.elapsed(), wait);
        assert_eq!(self.step_of(1).await, TaskStep::Asking);
        let text = answer(&message["id"], result);
        self.reply(&outgoing, 200, text).await
    }

    /// Expects the result to be asked for, and answers.
    pub(super) async fn fetched(&mut self, result: &str) -> u64 {
        let (outgoing, message) = self.asked_of(1, "tasks/result").await;
        let text = answer(&message["id"], result);
        self.reply(&outgoing, 200, text).await
    }

    pub(super) async fn result_of(&mut self, call: u64) -> (String, bool) {
        match self.finished(call).await {
            Outcome::Result { raw, is_error, .. } => (raw.get().to_owned(), is_error),
            other => panic!("unexpected end {other:?}"),
        }
    }
}

pub(super) fn task_answer(id: &Value, task: &str) -> String {
    answer(id, &format!(r#"{{"task":{task}}}"#))
}

pub(super) const DONE: &str =
    r#"{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}"#;

#[tokio::test(start_paused = true)]
async fn a_task_is_followed_to_its_result() {
    let mut bench = Bench::with_handshake_task().await;
    assert_eq!(bench.notes.codes(2), [""; 0]);
    bench
        .polls(&handshake("working"), TaskStatus::Working)
        .await;
    let seq = bench.polled(secs(5), &handshake("completed")).await;
    bench.polled_status(TaskStatus::Completed).await;
    assert_eq!(bench.step_of(1).await, TaskStep::FetchingResult);
    let last = bench.fetched(DONE).await;
    assert_eq!(bench.result_of(1).await, (DONE.to_owned(), false));
    bench.logged(last).await;
    let label = bench.label(seq).await;
    assert_eq!(label.operation, Some(1));
    assert_eq!(bench.notes.codes(last), [""; 0]);
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_task_of_the_extension_has_its_result_in_its_status() {
    for carrier in [Carrier::Pipe, Carrier::Http] {
        let mut bench = Bench::with_stateless_task(carrier).await;
        let done = stateless("completed", r#","result":{"content":[],"isError":true}"#);
        let before = tokio::time::Instant::now();
        let (outgoing, message) = bench.asked_of(1, "tasks/get").await;
        assert_eq!(before.elapsed(), secs(5));
        let name = outgoing.headers.iter().find(|it| it.name == "Mcp-Name");
        assert_eq!(name.map(|it| it.value.as_str()), Some("t1"));
        assert_eq!(bench.step_of(1).await, TaskStep::Asking);
        let text = answer(&message["id"], &done);
        let seq = bench.reply(&outgoing, 200, text).await;
        bench.polled_status(TaskStatus::Completed).await;
        assert_eq!(bench.step_of(1).await, TaskStep::FetchingResult);
        let (raw, is_error) = bench.result_of(1).await;
        assert_eq!(
            (raw.as_str(), is_error),
            (r#"{"content":[],"isError":true}"#, true)
        );
        assert_eq!(bench.codes(seq).await, [""; 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_task_says_why() {
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    let failed = stateless("failed", r#","error":{"code":-32603,"message":"no"}"#);
    bench.polled(secs(5), &failed).await;
    bench.polled_status(TaskStatus::Failed).await;
    bench.step_of(1).await;
    bench.fails_with(1, -32_603).await;

    // With a handshake the result of a tool that reports an error is a failed task.
    let mut bench = Bench::with_handshake_task().await;
    bench.polled(secs(5), &handshake("failed")).await;
    bench.polled_status(TaskStatus::Failed).await;
    bench.step_of(1).await;
    bench
        .fetched(&DONE.replace("[]", r#"[],"isError":true"#))
        .await;
    assert!(bench.result_of(1).await.1);
}

#[tokio::test(start_paused = true)]
async fn a_status_that_is_told_counts_at_once() {
    let mut bench = Bench::with_handshake_task().await;
    let told = |status: &str| notification("tasks/status", &handshake(status));
    let seq = bench.say(told("working")).await;
    bench
        .status(1, TaskStatus::Working, TaskSource::Notified)
        .await;
    bench.waits(1, secs(5)).await;
    let label = bench.label(seq).await;
    assert_eq!(label.operation, Some(1));
    bench.say(told("completed")).await;
    bench
        .status(1, TaskStatus::Completed, TaskSource::Notified)
        .await;
    assert_eq!(bench.step_of(1).await, TaskStep::FetchingResult);
    let late = bench.say(told("working")).await;
    bench.fetched(DONE).await;
    bench.result_of(1).await;
    assert_eq!(bench.notes.codes(late), ["task-changed-after-end"]);
    let late = bench.say(told("failed")).await;
    bench.late(1).await;
    assert_eq!(bench.codes(late).await, ["task-changed-after-end"]);
    let other = bench.say(told("working").replace("t1", "t2")).await;
    assert_eq!(bench.codes(other).await, ["unknown-task"]);
}

/// A notification about a task may overtake the response that creates it.
#[tokio::test(start_paused = true)]
async fn a_task_that_a_later_response_names_is_not_unknown() {
    let told = |id: &str| {
        let task = handshake("working").replace("t1", id);
        notification("tasks/status", &task)
    };
    let mut bench = Bench::with_handshake_task().await;
    let (_, message) = bench.start(2, as_task()).await;
    let early = bench.say(told("t2")).await;
    let other = bench.say(told("t3")).await;
    assert_eq!(bench.codes(other).await, [""; 0]);
    let created = handshake("working").replace("t1", "t2");
    let response = bench.say(task_answer(&message["id"], &created)).await;
    bench.created(2).await;
    bench.logged(response).await;
    for fine in [early, response] {
        assert_eq!(bench.notes.codes(fine), [""; 0]);
    }
    assert_eq!(bench.notes.codes(other), ["unknown-task"]);
}

#[tokio::test(start_paused = true)]
async fn a_notification_of_the_extension_has_the_result() {
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    let task = stateless("completed", r#","result":{"content":[]}"#);
    bench.notify_task(&task).await;
    bench
        .status(1, TaskStatus::Completed, TaskSource::Notified)
        .await;
    bench.step_of(1).await;
    assert_eq!(bench.result_of(1).await.0, r#"{"content":[]}"#);
}

#[tokio::test(start_paused = true)]
async fn the_user_asks_now() {
    let mut bench = Bench::with_handshake_task().await;
    bench.handle.ask_task(OperationId(1)).await.unwrap();
    bench.handle.ask_task(OperationId(1)).await.unwrap();
    bench.polled(secs(0), &handshake("working")).await;
    assert_eq!(bench.step_of(1).await, TaskStep::Asking);
    bench.polled_status(TaskStatus::Working).await;
    bench.waits(1, secs(5)).await;
    bench.polled(secs(5), &handshake("working")).await;
}

#[tokio::test(start_paused = true)]
async fn with_a_handshake_the_server_asks_by_requests_that_name_the_task() {
    let (mut bench, _, fetch) = with_a_result_waited_for().await;
    // Another run, to which it could belong if nothing named the task.
    let (_, other) = bench.start(2, tool("tool", "{}")).await;
    let form = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}"#;
    bench.request("\"q\"", "elicitation/create", form).await;
    let question = bench.server_request().await;
    assert_eq!(question.operation, Some(OperationId(1)));
    assert!(question.candidates.is_empty());
    bench.say(answer(&other["id"], r#"{"content":[]}"#)).await;
    bench.result_of(2).await;
    // Longer than any request may keep silent.
    for _ in 0..20 {
        bench
            .polls(&handshake("input_required"), TaskStatus::InputRequired)
            .await;
    }
    bench.answer(&question, r#"{"action":"accept"}"#).await;
    assert_eq!(
        bench.sent().await["result"],
        json!({"action": "accept", "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t1"}}})
    );
    bench.say(answer(&fetch["id"], DONE)).await;
    bench
        .status(1, TaskStatus::Completed, TaskSource::Result)
        .await;
    assert_eq!(bench.result_of(1).await, (DONE.to_owned(), false));
    // What the server tells now is compared with what it told, not with what its result means.
    let told = notification("tasks/status", &handshake("failed"));
    let late = bench.say(told).await;
    assert_eq!(bench.codes(late).await, [""; 0]);
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn over_http_a_notification_may_be_older_than_what_is_known() {
    let mut bench = Bench::with_stateless_task(Carrier::Http).await;
    let (outgoing, message) = bench.asked_of(1, "tasks/get").await;
    bench.step_of(1).await;
    let done = stateless("completed", r#","result":{"content":[]}"#);
    bench
        .reply(&outgoing, 200, answer(&message["id"], &done))
        .await;
    bench.polled_status(TaskStatus::Completed).await;
    bench.step_of(1).await;
    bench.result_of(1).await;
    for (updated, is_found) in [
        ("10:30:00Z", false),
        ("10:29:00Z", false),
        ("10:31:00Z", true),
    ] {
        let task = stateless("working", "").replace("10:30:00Z", updated);
        let told = notification("tasks", &task);
        let late = bench.say_on(outgoing.exchange, told).await;
        let found = bench.codes(late).await;
        assert_eq!(
            found.contains(&"task-changed-after-end"),
            is_found,
            "{found:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn on_the_stream_of_a_result_its_task_tells_of_progress_and_a_ping_names_no_task() {
    let (mut bench, fetch, _) = with_a_result_waited_for().await;
    let (_, other) = bench.start(2, tool("tool", "{}")).await;
    let other = other["id"].as_u64().unwrap();
    for (token, call, codes) in [(2, 1, &[][..]), (other, 2, &["unrelated-progress"])] {
        let told = progress(token, r#""progress":1"#);
        let seq = bench.say_on(fetch.exchange, told).await;
        bench.progresses(call).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
    for (method, is_found) in [("ping", false), ("roots/list", true)] {
        let request = request(format!("\"{method}\""), method, "{}");
        let seq = bench.say_on(fetch.exchange, request).await;
        bench.sent().await;
        let found = bench.codes(seq).await;
        assert_eq!(
            found.contains(&"missing-related-task"),
            is_found,
            "{found:?}"
        );
    }
}

/// A session whose task needs input: its result is waited for. Answers the request for it, as it
/// was sent and read.
async fn with_a_result_waited_for() -> (Bench, Outgoing, Value) {
    let mut bench = Bench::with_handshake_task().await;
    bench
        .polls(&handshake("input_required"), TaskStatus::InputRequired)
        .await;
    let (outgoing, fetch) = bench.asked_of(1, "tasks/result").await;
    (bench, outgoing, fetch)
}

#[tokio::test(start_paused = true)]
async fn the_result_says_how_a_task_ended_whose_status_was_not_told() {
    let failed = DONE.replace("[]", r#"[],"isError":true"#);
    for (result, is_error, status) in [
        (DONE, false, TaskStatus::Completed),
        (&failed, true, TaskStatus::Failed),
    ] {
        let (mut bench, _, fetch) = with_a_result_waited_for().await;
        bench.say(answer(&fetch["id"], result)).await;
        bench.status(1, status, TaskSource::Result).await;
        assert_eq!(bench.result_of(1).await, (result.to_owned(), is_error));
    }
    let (mut bench, _, fetch) = with_a_result_waited_for().await;
    bench.say(refusal(&fetch["id"], -32_000, "{}")).await;
    bench
        .status(1, TaskStatus::Failed, TaskSource::Result)
        .await;
    bench.fails_with(1, -32_000).await;
    // The error is about the request: the state of the task stays unknown.
    let (mut bench, _, fetch) = with_a_result_waited_for().await;
    bench.say(refusal(&fetch["id"], -32_602, "{}")).await;
    bench.fails_with(1, -32_602).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_refused_while_its_task_is_cancelled_is_its_end() {
    let (mut bench, _, fetch) = with_a_result_waited_for().await;
    bench.cancel(1).await;
    bench.call_event(1).await;
    bench.asked_of(1, "tasks/cancel").await;
    bench.step_of(1).await;
    bench.say(refusal(&fetch["id"], -32_603, "{}")).await;
    bench
        .status(1, TaskStatus::Cancelled, TaskSource::Result)
        .await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn in_the_extension_what_is_asked_for_stands_in_the_status() {
    let mut bench = Bench::with_stateless_task(Carrier::Http).await;
    let asks = |keys: &[&str]| {
        let request = r#"{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}"#;
        let keys: Vec<_> = keys
            .iter()
            .map(|key| format!(r#""{key}":{request}"#))
            .collect();
        stateless(
            "input_required",
            &format!(r#","inputRequests":{{{}}}"#, keys.join(",")),
        )
    };
    bench
        .polls(&asks(&["a", "b"]), TaskStatus::InputRequired)
        .await;
    let (first, second) = (bench.server_request().await, bench.server_request().await);
    assert_eq!(
        (first.key.as_deref(), second.key.as_deref()),
        (Some("a"), Some("b"))
    );
    // The same again is not asked again.
    let same = bench.polled(secs(5), &asks(&["a", "b"])).await;
    bench.polled_status(TaskStatus::InputRequired).await;
    bench.waits(1, secs(5)).await;
    assert_eq!(bench.codes(same).await, [""; 0]);
    for asked in [second, first] {
        bench
            .answer(&asked, r#"{"action":"accept","content":{}}"#)
            .await;
    }
    let (outgoing, message) = bench.asked_of(1, "tasks/update").await;
    let given = json!({"action": "accept", "content": {}});
    assert_eq!(
        message["params"]["inputResponses"],
        json!({"a": given, "b": given})
    );
    let text = answer(&message["id"], r#"{"resultType":"complete"}"#);
    bench.reply(&outgoing, 200, text).await;
    bench.waits(1, TASK_POLL_FLOOR).await;
    // Another key is another request; what was answered is not asked again, even if the server is slow.
    bench.polled(TASK_POLL_FLOOR, &asks(&["a", "b", "c"])).await;
    bench.polled_status(TaskStatus::InputRequired).await;
    bench.waits(1, secs(5)).await;
    let third = bench.server_request().await;
    assert_eq!(third.key.as_deref(), Some("c"));
    bench
        .polls(&stateless("working", ""), TaskStatus::Working)
        .await;
    bench.closed_as(&third, ServerRequestEnd::Obsolete).await;
    let again = asks(&["a"]).replace('?', "Another?");
    let seq = bench.polled(secs(5), &again).await;
    bench.polled_status(TaskStatus::InputRequired).await;
    assert_eq!(bench.codes(seq).await, ["reused-input-key"]);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_cancelled_in_its_own_words() {
    let mut bench = Bench::with_handshake_task().await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    let (_, message) = bench.asked_of(1, "tasks/cancel").await;
    bench.waits(1, secs(5)).await;
    bench
        .say(answer(&message["id"], &handshake("cancelled")))
        .await;
    bench
        .status(1, TaskStatus::Cancelled, TaskSource::Cancelled)
        .await;
    bench.step_of(1).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
    bench.quiet().await;

    // The extension only acknowledges it; the task may end in any way.
    let mut bench = Bench::with_stateless_task(Carrier::Http).await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    let (outgoing, message) = bench.asked_of(1, "tasks/cancel").await;
    bench.waits(1, secs(5)).await;
    let text = answer(&message["id"], r#"{"resultType":"complete"}"#);
    bench.reply(&outgoing, 200, text).await;
    bench.waits(1, TASK_POLL_FLOOR).await;
    bench
        .polled(TASK_POLL_FLOOR, &stateless("working", ""))
        .await;
    bench.polled_status(TaskStatus::Working).await;
    bench.waits(1, secs(5)).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));

    // A server may forget it at once.
    let mut bench = Bench::with_stateless_task(Carrier::Pipe).await;
    bench.cancel(1).await;
    bench.call_event(1).await;
    let (_, message) = bench.asked_of(1, "tasks/cancel").await;
    bench.waits(1, secs(5)).await;
    let done = answer(&message["id"], r#"{"resultType":"complete"}"#);
    bench.say(done).await;
    bench.waits(1, TASK_POLL_FLOOR).await;
    let (_, message) = bench.asked_of(1, "tasks/get").await;
    assert_eq!(bench.step_of(1).await, TaskStep::Asking);
    bench.say(refusal(&message["id"], -32_602, "{}")).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_the_server_does_not_cancel_is_waited_for() {
    let mut bench = Bench::with_handshake_task().await;
    for _ in 0..2 {
        bench.cancel(1).await;
        bench.cancelling(1).await;
        let (_, message) = bench.asked_of(1, "tasks/cancel").await;
        bench.step_of(1).await;
        bench.say(refusal(&message["id"], -32_601, "{}")).await;
        assert!(matches!(
            bench.call_event(1).await,
            OperationEvent::CancelFailed(_)
        ));
        bench.waits(1, secs(0)).await;
        bench.polled(secs(0), &handshake("working")).await;
        bench.polled_status(TaskStatus::Working).await;
        bench.waits(1, secs(5)).await;
    }
    bench.handle.stop_waiting(OperationId(1)).await.unwrap();
    assert!(matches!(bench.finished(1).await, Outcome::StoppedWaiting));
    bench.quiet().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_being_cancelled_when_its_task_comes_is_cancelled_as_a_task() {
    let mut bench = Bench::ready().await;
    let (_, message) = bench.start(1, as_task()).await;
    bench.cancel(1).await;
    bench.cancelling(1).await;
    assert_eq!(bench.sent().await["method"], "notifications/cancelled");
    bench
        .say(task_answer(&message["id"], &handshake("working")))
        .await;
    bench.created(1).await;
    bench.step_of(1).await;
    bench.asked_of(1, "tasks/cancel").await;
    bench.step_of(1).await;
    assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn a_task_that_comes_after_its_cancelled_call_has_ended_is_cancelled() {
    for is_stateless in [false, true] {
        let (mut bench, request) = match is_stateless {
            false => (Bench::ready().await, as_task()),
            true => {
                let bench = Bench::stateless_with(Carrier::Pipe, "{}", declaring()).await;
                (bench, tool("tool", "{}"))
            }
        };
        let (_, message) = bench.start(1, request).await;
        bench.cancel(1).await;
        bench.cancelling(1).await;
        assert_eq!(bench.sent().await["method"], "notifications/cancelled");
        assert!(matches!(bench.finished(1).await, Outcome::Cancelled));
        // The second response is a duplicate.
        for _ in 0..2 {
            let id = &message["id"];
            let text = match is_stateless {
                false => task_answer(id, &handshake("working")),
                true => answer(id, &created()),
            };
            bench.say(text).await;
            let event = bench.call_event(1).await;
            assert!(matches!(event, OperationEvent::Late { .. }), "{event:?}");
        }
        bench.asked_of(1, "tasks/cancel").await;
        bench.quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn progress_and_messages_belong_to_a_task_until_it_is_over() {
    let mut bench = Bench::with_handshake_task().await;
    let progress = || progress(2, r#""progress":1"#);
    let seq = bench.say(progress()).await;
    bench.progresses(1).await;
    assert_eq!(bench.codes(seq).await, [""; 0]);
    bench.say(LOG).await;
    let OperationEvent::Log(message) = bench.call_event(1).await else {
        panic!("it is a message of the run");
    };
    assert!(matches!(
        &*message,
        LogMessage {
            ambiguous: false,
            ..
        }
    ));
    // A task for which nobody waits may go on, and one that is over may not.
    for (is_over, codes) in [(false, &[][..]), (true, &["late-progress"])] {
        let mut bench = Bench::with_handshake_task().await;
        if is_over {
            bench.polled(secs(5), &handshake("completed")).await;
            bench.polled_status(TaskStatus::Completed).await;
            bench.step_of(1).await;
            bench.fetched(DONE).await;
            bench.result_of(1).await;
        } else {
            bench.handle.stop_waiting(OperationId(1)).await.unwrap();
            bench.finished(1).await;
        }
        let seq = bench.say(progress()).await;
        bench.call_event(1).await;
        assert_eq!(bench.codes(seq).await, codes);
    }
}
