//! Requests that the server asks for as tasks.

use super::*;
use crate::{
    ClientCapabilities, ElicitationCapability, SamplingCapability,
    limits::{REQUEST_TASKS, REQUEST_TASKS_PAGE, SERVER_REQUESTS},
};

const FORM: &str = r#""message":"Which?","requestedSchema":{"type":"object","properties":{}}"#;
const RELATED: &str = "io.modelcontextprotocol/related-task";

fn declaring(request_tasks: bool) -> SessionOptions {
    SessionOptions {
        capabilities: ClientCapabilities {
            elicitation: Some(ElicitationCapability::ALL),
            sampling: Some(SamplingCapability::default()),
            request_tasks,
            ..ClientCapabilities::default()
        },
        time_of_day: || "2026-02-03T10:30:00.000Z".to_owned(),
        ..SessionOptions::new(client())
    }
}

async fn ready() -> Bench {
    Bench::ready_as(declaring(true)).await
}

impl Bench {
    /// The server asks for a form as a task; also its id.
    async fn task(&mut self, id: &str, task: &str) -> (ServerRequest, String) {
        let params = format!(r#"{{{FORM},"task":{task}}}"#);
        self.request(id, "elicitation/create", &params).await;
        let created = self.sent().await;
        let shown = self.server_request().await;
        let task = created["result"]["task"]["taskId"].as_str();
        (shown, task.expect("it is a task").to_owned())
    }

    /// The response to a request about a task.
    async fn about(&mut self, method: &str, task: &str) -> Value {
        let params = format!(r#"{{"taskId":"{task}"}}"#);
        self.request("\"about\"", method, &params).await;
        self.sent().await
    }

    /// The next message tells this status of the task.
    async fn told(&mut self, task: &str, status: &str) {
        let told = self.sent().await;
        assert_eq!(told["method"], "notifications/tasks/status");
        assert_eq!(told["params"]["taskId"], task);
        assert_eq!(told["params"]["status"], status);
    }
}

fn accepted() -> Reply {
    Reply::Result("{\"action\":\"accept\",\n\"content\":{\"n\":9007199254740993}}".to_owned())
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_a_task_is_answered_when_the_server_asks_for_its_result() {
    let mut bench = ready().await;
    let call = bench.call(1).await;
    let params = format!(r#"{{{FORM},"task":{{"ttl":600000}}}}"#);
    bench.request("7", "elicitation/create", &params).await;
    let created = bench.sent().await;
    assert_eq!(created["id"], 7);
    let task = &created["result"]["task"];
    assert_eq!(task["status"], "working");
    assert_eq!(task["createdAt"], "2026-02-03T10:30:00.000Z");
    assert_eq!(task["lastUpdatedAt"], task["createdAt"]);
    assert_eq!(
        (&task["ttl"], &task["pollInterval"]),
        (&600_000.into(), &1_000.into())
    );
    let id = task["taskId"].as_str().unwrap().to_owned();
    assert_eq!(id.len(), 32);
    // The user is asked as for any other request, and the run waits.
    let shown = bench.server_request().await;
    assert!(shown.as_task && shown.declared && shown.findings.is_empty());
    assert_eq!(shown.operation, Some(OperationId(1)));
    tokio::time::sleep(secs(600)).await;

    let got = bench.about("tasks/get", &id).await;
    assert_eq!(got["result"], *task);
    // The result comes when there is one.
    let wanted = format!(r#"{{"taskId":"{id}"}}"#);
    let seq = bench.request("8", "tasks/result", &wanted).await;
    let label = bench.label(seq).await;
    assert_eq!(label.operation, Some(1));
    bench.quiet().await;
    bench.answer_with(&shown, accepted()).await;
    assert!(matches!(
        bench.call_event(1).await,
        OperationEvent::Extended { .. }
    ));
    bench.told(&id, "completed").await;
    let answered = bench.outgoing().await.text.unwrap();
    let expected = format!(
        r#"{{"action":"accept","content":{{"n":9007199254740993}},"_meta":{{"{RELATED}":{{"taskId":"{id}"}}}}}}"#
    );
    assert_eq!(*answered, answer(8, &expected));
    // And again, as long as it is kept.
    let again = bench.about("tasks/result", &id).await;
    assert_eq!(again["result"]["action"], "accept");
    let got = bench.about("tasks/get", &id).await;
    assert_eq!(got["result"]["status"], "completed");
    assert!(got["result"].get("statusMessage").is_none());
    bench.say(result(call)).await;
    bench.finished(1).await;
    tokio::time::sleep(secs(301)).await;
    let gone = bench.about("tasks/get", &id).await;
    assert_eq!(gone["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn an_error_is_what_the_request_would_have_been_answered_with() {
    let mut bench = ready().await;
    let (shown, id) = bench.task("1", "{}").await;
    let refusal = Reply::Error {
        code: -1,
        message: "No.".to_owned(),
    };
    bench.answer_with(&shown, refusal).await;
    bench.told(&id, "failed").await;
    let got = bench.about("tasks/get", &id).await;
    assert_eq!(got["result"]["statusMessage"], "No.");
    let result = bench.about("tasks/result", &id).await;
    assert_eq!(
        (&result["error"]["code"], &result["error"]["message"]),
        (&(-1).into(), &"No.".into())
    );
    let model = r#"{"messages":[],"maxTokens":1,"task":{}}"#;
    bench.request("2", "sampling/createMessage", model).await;
    assert!(bench.sent().await["result"]["task"].is_object());
    assert!(bench.server_request().await.as_task);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_leaves_the_screen_and_one_that_is_over_is_not_cancelled() {
    let mut bench = ready().await;
    let (shown, id) = bench.task("1", "{}").await;
    let wanted = format!(r#"{{"taskId":"{id}"}}"#);
    let seq = bench.request("2", "tasks/result", &wanted).await;
    bench.logged(seq).await;
    bench.request("3", "tasks/cancel", &wanted).await;
    bench.closed_as(&shown, ServerRequestEnd::Withdrawn).await;
    bench.told(&id, "cancelled").await;
    let result = bench.sent().await;
    assert_eq!(
        (&result["id"], &result["error"]["code"]),
        (&2.into(), &(-32603).into())
    );
    let cancelled = bench.sent().await;
    assert_eq!(cancelled["id"], 3);
    assert_eq!(cancelled["result"]["status"], "cancelled");
    // An answer comes too late, and so does another cancellation.
    bench.handle.answer(shown.id, accepted()).await.unwrap();
    bench.quiet().await;
    for (shown, id) in [(None, id), {
        let (shown, id) = bench.task("4", "{}").await;
        (Some(shown), id)
    }] {
        if let Some(shown) = shown {
            bench.answer_with(&shown, accepted()).await;
            bench.told(&id, "completed").await;
        }
        let refused = bench.about("tasks/cancel", &id).await;
        assert_eq!(refused["error"]["code"], -32602);
    }
    // Only by cancelling the task: the request itself was answered long ago.
    let (_, id) = bench.task("5", "{}").await;
    let cancelled = |id: u32| notification("cancelled", &format!(r#"{{"requestId":{id}}}"#));
    bench.say(cancelled(5)).await;
    bench.quiet().await;
    // A cancelled request for the result gets none.
    let wanted = format!(r#"{{"taskId":"{id}"}}"#);
    bench.request("6", "tasks/result", &wanted).await;
    bench.say(cancelled(6)).await;
    bench.request("7", "tasks/cancel", &wanted).await;
    assert!(matches!(
        bench.event().await,
        Event::ServerRequestClosed(_, ServerRequestEnd::Withdrawn)
    ));
    bench.told(&id, "cancelled").await;
    assert_eq!(bench.sent().await["id"], 7);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_declared_as_a_task_is_an_ordinary_request() {
    let mut bench = Bench::ready_as(declaring(false)).await;
    let params = format!(r#"{{{FORM},"task":{{}}}}"#);
    let seq = bench.request("1", "elicitation/create", &params).await;
    let shown = bench.server_request().await;
    assert!(!shown.as_task);
    assert_eq!(shown.findings, []);
    assert_eq!(bench.codes(seq).await, [""; 0]);
    bench.answer_with(&shown, accepted()).await;
    assert_eq!(bench.sent().await["result"]["action"], "accept");
    assert_eq!(
        bench.about("tasks/list", "x").await["error"]["code"],
        -32601
    );
    // Earlier versions know nothing of it.
    let mut bench = Bench::with(declaring(true), 1_000);
    bench.send_initialize(Revision::R2025Jun, "{}").await;
    bench.request("1", "elicitation/create", &params).await;
    let shown = bench.server_request().await;
    assert!(!shown.as_task && shown.findings.is_empty());
    assert_eq!(bench.about("tasks/get", "x").await["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn hostile_requests_about_tasks_are_refused() {
    let mut bench = ready().await;
    for (method, params) in [
        ("tasks/get", r#"{"taskId":"x"}"#),
        ("tasks/result", r#"{"taskId":7}"#),
        ("tasks/cancel", "{}"),
        ("tasks/get", "[]"),
        ("tasks/list", r#"{"cursor":"x"}"#),
        ("tasks/list", r#"{"cursor":-1}"#),
        ("elicitation/create", r#"{"message":"m","task":[]}"#),
    ] {
        bench.request("1", method, params).await;
        let code = &bench.sent().await["error"]["code"];
        assert_eq!(*code, -32602, "{method} {params}");
    }
    // Times out of bounds, and none.
    for (ttl, kept) in [
        (r#"{"ttl":1}"#, 300_000),
        (r#"{"ttl":1e15}"#, 86_400_000),
        (r#"{"ttl":-5}"#, 3_600_000),
        ("{}", 3_600_000),
    ] {
        let (_, id) = bench.task("2", ttl).await;
        let got = bench.about("tasks/get", &id).await;
        assert_eq!(got["result"]["ttl"], kept, "{ttl}");
    }
    let (_, id) = bench.task("3", "{}").await;
    let wanted = format!(r#"{{"taskId":"{id}"}}"#);
    for number in 0..SERVER_REQUESTS {
        bench
            .request(&format!("\"r{number}\""), "tasks/result", &wanted)
            .await;
    }
    assert_eq!(
        bench.about("tasks/result", &id).await["error"]["code"],
        -32603
    );
}

#[tokio::test(start_paused = true)]
async fn tasks_are_listed_by_page_and_their_number_is_bounded() {
    let mut bench = ready().await;
    let mut ids = Vec::new();
    for number in 0..REQUEST_TASKS {
        let (shown, id) = bench.task(&number.to_string(), "{}").await;
        bench.answer_with(&shown, accepted()).await;
        bench.told(&id, "completed").await;
        ids.push(id);
    }
    let (mut listed, mut params, mut pages) = (Vec::new(), "{}".to_owned(), 0);
    loop {
        bench.request("\"l\"", "tasks/list", &params).await;
        let page = bench.sent().await;
        let tasks = page["result"]["tasks"].as_array().unwrap();
        assert!(tasks.len() <= REQUEST_TASKS_PAGE);
        listed.extend(
            tasks
                .iter()
                .map(|task| task["taskId"].as_str().unwrap().to_owned()),
        );
        pages += 1;
        match &page["result"]["nextCursor"] {
            Value::Null => break,
            cursor => params = format!(r#"{{"cursor":{cursor}}}"#),
        }
    }
    assert_eq!(listed, ids);
    assert_eq!(pages, REQUEST_TASKS.div_ceil(REQUEST_TASKS_PAGE));
    // Nobody has asked for any result yet.
    let params = format!(r#"{{{FORM},"task":{{}}}}"#);
    bench
        .request("\"more\"", "elicitation/create", &params)
        .await;
    assert_eq!(bench.sent().await["error"]["code"], -32603);
    bench.about("tasks/result", &ids[3]).await;
    let (shown, _) = bench.task("\"more\"", "{}").await;
    let gone = bench.about("tasks/get", &ids[3]).await;
    assert_eq!(gone["error"]["code"], -32602);
    // With the session they go.
    bench.handle.close();
    bench.closing().await;
    bench.closed_as(&shown, ServerRequestEnd::Obsolete).await;
}
