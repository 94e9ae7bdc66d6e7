//! Tasks beyond their session: those of an earlier one, the list of all, and what a subscription tells of them.

use serde_json::json;
use sonde_wire::Cause;

use super::{
    stateless_operations::tool,
    tasks::{DONE, created, declaring, handshake, stateless},
    *,
};
use crate::{EarlierTask, EraChoice, TaskListEvent, TaskStatus, TaskStep};

#[tokio::test(start_paused = true)]
async fn a_task_of_an_earlier_session_is_asked_for_at_once_and_followed() {
    let earlier = || EarlierTask {
        id: "t1".to_owned(),
        method: "tools/call".to_owned(),
    };
    let options = SessionOptions {
        era: EraChoice::Handshake,
        ..declaring()
    };
    let mut bench = Bench::ready_as(options).await;
    let resume = bench
        .handle
        .resume_task(OperationId(1), earlier(), Cause::ResumedTask);
    resume.await.unwrap();
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::Extended { .. }
    ));
    assert_eq!(bench.step_of(1).await, TaskStep::Asking);
    let (outgoing, message) = bench.asked_of(1, "tasks/get").await;
    assert_eq!(outgoing.label.cause, Some(Cause::ResumedTask));
    bench
        .say(answer(&message["id"], &handshake("working")))
        .await;
    bench.polled_status(TaskStatus::Working).await;
    bench.waits(1, secs(5)).await;
    bench.polled(secs(5), &handshake("completed")).await;
    bench.polled_status(TaskStatus::Completed).await;
    assert_eq!(bench.step_of(1).await, TaskStep::FetchingResult);
    bench.fetched(DONE).await;
    assert_eq!(bench.result_of(1).await, (DONE.to_owned(), false));

    // That it is gone meanwhile breaks no rule.
    let resume = bench
        .handle
        .resume_task(OperationId(2), earlier(), Cause::ResumedTask);
    resume.await.unwrap();
    bench.call_event(2).await;
    bench.step_of(2).await;
    let (_, message) = bench.asked_of(2, "tasks/get").await;
    let seq = bench.say(refusal(&message["id"], -32602, "null")).await;
    bench.fails_with(2, -32_602).await;
    assert_eq!(bench.codes(seq).await, [""; 0]);
}

fn task(id: &str, status: &str) -> String {
    handshake(status).replace("t1", id)
}

impl Bench {
    async fn task_list(&mut self) -> TaskListEvent {
        match self.event().await {
            Event::TaskList(event) => event,
            other => panic!("unexpected event {other:?}"),
        }
    }

    async fn page_asked(&mut self) -> Value {
        let (outgoing, message) = self.message().await;
        assert_eq!(message["method"], "tasks/list");
        assert_eq!(outgoing.label.cause, Some(Cause::User));
        message
    }
}

#[tokio::test(start_paused = true)]
async fn the_list_of_tasks_is_read_page_by_page_and_what_is_told_of_them_is_handed_on() {
    let mut bench = Bench::with_handshake_task().await;
    bench.handle.list_tasks().await.unwrap();
    // Not while it is being read.
    bench.handle.list_tasks().await.unwrap();
    assert_eq!(bench.task_list().await, TaskListEvent::Loading);
    let first = bench.page_asked().await;
    assert_eq!(first["params"].get("cursor"), None);
    let page = |tasks: &[String], next: &str| {
        let tasks = tasks.join(",");
        format!(r#"{{"tasks":[{tasks}]{next}}}"#)
    };
    let tasks = [task("t1", "working"), r#"{"status":"working"}"#.to_owned()];
    let text = page(&tasks, r#","nextCursor":"a""#);
    let seq = bench.say(answer(&first["id"], &text)).await;
    let second = bench.page_asked().await;
    assert_eq!(second["params"]["cursor"], "a");
    assert_eq!(bench.codes(seq).await, ["bad-result"]);
    // A cursor that comes again would never end.
    let text = page(&[task("t9", "completed")], r#","nextCursor":"a""#);
    bench.say(answer(&second["id"], &text)).await;
    let TaskListEvent::Listed(listing) = bench.task_list().await else {
        panic!("it was read");
    };
    let ids: Vec<_> = listing.tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!((ids, listing.unreadable), (vec!["t1", "t9"], 1));
    assert_eq!(
        listing.partial.as_deref(),
        Some("the server repeats a cursor")
    );

    // That of nobody's run, which the list has.
    let told = task("t9", "failed");
    let seq = bench.say(notification("tasks/status", &told)).await;
    let TaskListEvent::Told(told) = bench.task_list().await else {
        panic!("it was told");
    };
    assert_eq!((told.id.as_str(), told.status), ("t9", TaskStatus::Failed));
    assert_eq!(bench.codes(seq).await, [""; 0]);

    bench.handle.list_tasks().await.unwrap();
    assert_eq!(bench.task_list().await, TaskListEvent::Loading);
    let again = bench.page_asked().await;
    bench.say(answer(&again["id"], r#"{"tasks":1}"#)).await;
    assert!(matches!(
        bench.task_list().await,
        TaskListEvent::Failed(why) if why.contains("no `tasks` array")
    ));

    // An empty cursor asks for no page.
    bench.handle.list_tasks().await.unwrap();
    assert_eq!(bench.task_list().await, TaskListEvent::Loading);
    let only = bench.page_asked().await;
    let text = page(&[task("t1", "working")], r#","nextCursor":"""#);
    bench.say(answer(&only["id"], &text)).await;
    let TaskListEvent::Listed(listing) = bench.task_list().await else {
        panic!("it was read");
    };
    assert_eq!((listing.tasks.len(), listing.partial), (1, None));
}

const KNOWS_TASKS: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

#[tokio::test(start_paused = true)]
async fn a_stateless_server_is_asked_to_tell_of_the_tasks_that_are_waited_for() {
    for (granted, again) in [(r#""taskIds":["t1"]"#, true), ("", false)] {
        let mut bench = Bench::stateless_with(Carrier::Pipe, KNOWS_TASKS, declaring()).await;
        let (_, message) = bench.start(1, tool("tool", "{}")).await;
        bench.say(answer(&message["id"], &created())).await;
        let (outgoing, listen) = bench.message().await;
        assert_eq!(listen["method"], "subscriptions/listen");
        assert_eq!(outgoing.label.cause, Some(Cause::Task));
        assert_eq!(
            listen["params"]["notifications"],
            json!({"taskIds": ["t1"]})
        );
        let id = &listen["id"];
        let meta = format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#);
        let params = format!(r#"{{"notifications":{{{granted}}},{meta}}}"#);
        let acknowledged = notification("subscriptions/acknowledged", &params);
        bench.say(acknowledged).await;
        let done = stateless(
            "completed",
            &format!(r#","result":{{"content":[]}},{meta}"#),
        );
        let seq = bench.say(notification("tasks", &done)).await;
        loop {
            if let Event::Operation(_, OperationEvent::Finished(outcome)) = bench.event().await {
                assert!(matches!(outcome, Outcome::Result { .. }));
                break;
            }
        }
        assert_eq!(bench.codes(seq).await, [""; 0]);
        let (_, message) = bench.start(2, tool("tool", "{}")).await;
        let second = created().replace("t1", "t2");
        bench.say(answer(&message["id"], &second)).await;
        let next = bench.sent().await;
        let expected = match again {
            true => "subscriptions/listen",
            // One that does not tell of tasks is not asked again.
            false => "tasks/get",
        };
        assert_eq!(next["method"], expected);
    }
}
