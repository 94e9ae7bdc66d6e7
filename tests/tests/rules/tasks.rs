//! Results that come later.

use serde_json::{Value, json};
use sonde_client::{
    catalogs::CatalogKind,
    operations::{OperationInput, TaskInput},
};

use crate::{
    play::{Act, Case, prompting},
    server::{Answer, Server, done, each, events, of, refusal, replies, result, with},
};

const RELATED: &str = "io.modelcontextprotocol/related-task";

/// Creates a task of the version with built-in tasks; `null` removes a member.
fn task(status: &str, members: Value) -> Value {
    let task = json!({
        "taskId": "t1",
        "status": status,
        "createdAt": "2026-02-03T10:30:00Z",
        "lastUpdatedAt": "2026-02-03T10:30:00Z",
        "ttl": 60_000,
        "pollInterval": 500,
    });
    with(&task, members)
}

/// Creates a task of the extension.
fn extended(status: &str, members: Value) -> Value {
    let words =
        json!({ "ttl": null, "pollInterval": null, "ttlMs": 60_000, "pollIntervalMs": 500 });
    with(&with(&task(status, json!({})), words), members)
}

fn related() -> Value {
    with(&done(), json!({ "_meta": { RELATED: { "taskId": "t1" } } }))
}

fn input(as_task: bool) -> OperationInput {
    OperationInput {
        task: as_task.then(TaskInput::default),
        ..OperationInput::tool("t", None)
    }
}

/// Creates a server whose tool can run as a task, and that responds to a call with this.
fn server(call: Answer) -> Server {
    let tool = json!({
        "name": "t",
        "description": "Raises wrecks.",
        "inputSchema": { "type": "object" },
        "execution": { "taskSupport": "optional" },
    });
    // About the task that it is asked for.
    let get = replies(|asked| {
        let id = &asked.params["taskId"];
        let completed = task("completed", json!({ "taskId": id }));
        sonde_tests::http_peer::Reply::json(asked.result(&completed))
    });
    Server::new()
        .declares(json!({ "tools": {}, "tasks": { "requests": { "tools": { "call": {} } } } }))
        .on("tools/list", result(json!({ "tools": [tool] })))
        .on("tools/call", call)
        .on("tasks/get", get)
        .on("tasks/result", result(related()))
}

fn created(task: Value) -> Answer {
    result(json!({ "task": task }))
}

/// Creates a server whose task has these members when it is created.
fn creates(members: Value) -> Server {
    server(created(task("working", members))).then(Act::Run(input(true)))
}

/// Creates a stateless server that reports these states of its task in turn, and then its completion.
fn says(answers: Vec<Value>) -> Server {
    let mut answers: Vec<Answer> = answers.into_iter().map(result).collect();
    answers.push(result(extended("completed", json!({ "result": done() }))));
    Server::stateless()
        .declares(json!({ "tools": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } }))
        .on(
            "tools/call",
            result(extended("working", json!({ "resultType": "task" }))),
        )
        .on_each("tasks/get", answers)
        .on("tasks/update", result(json!({})))
        .then(Act::Run(input(false)))
}

/// Creates a task that asks for inputs under these keys.
fn asks(keys: impl Iterator<Item = String>, message: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "ship": { "type": "string" } } });
    let asked = json!({
        "method": "elicitation/create",
        "params": { "message": message, "requestedSchema": schema },
    });
    let all: serde_json::Map<String, Value> = keys.map(|key| (key, asked.clone())).collect();
    extended("input_required", json!({ "inputRequests": all }))
}

#[expect(clippy::too_many_lines, reason = "one case for each rule")]
pub(crate) fn cases() -> Vec<Case> {
    let told = |status: &str, id: &str| {
        let newer = json!({ "taskId": id, "lastUpdatedAt": "2026-02-03T10:31:00Z" });
        let task = task(status, newer);
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{task}}}"#)
    };
    let working = || created(task("working", json!({})));
    let fetched = move |said: String| {
        let response = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{}}}"#, related());
        server(working())
            .on("tasks/result", events([said, response]))
            .then(Act::Run(input(true)))
    };
    let failed = || json!({ "result": with(&done(), json!({ "isError": true })) });
    let one = || std::iter::once("a".to_owned());
    let others = vec![
        of(
            "bad-result",
            |inputs: Value| {
                says(vec![extended(
                    "input_required",
                    json!({ "inputRequests": inputs }),
                )])
            },
            json!(["a"]),
            json!({}),
        ),
        of(
            "wrong-task-id",
            |first: &str| {
                let completed = |id: &str| result(task("completed", json!({ "taskId": id })));
                server(working())
                    .on_each("tasks/get", vec![completed(first), completed("t1")])
                    .then(Act::Run(input(true)))
            },
            "t2",
            "t1",
        ),
        of(
            "reused-task-id",
            |second: &str| {
                let created = |id: &str| created(task("working", json!({ "taskId": id })));
                server(working())
                    .on_each("tools/call", vec![created("t1"), created(second)])
                    .then(Act::Both(input(true), input(true)))
            },
            "t1",
            "t2",
        ),
        of(
            "task-not-found",
            |answer: Answer| {
                server(working())
                    .on("tasks/get", answer)
                    .then(Act::Run(input(true)))
            },
            refusal(-32_602, "Task not found"),
            result(task("completed", json!({}))),
        ),
        of(
            "missing-related-task",
            |of: Value| {
                server(working())
                    .on("tasks/result", result(of))
                    .then(Act::Run(input(true)))
            },
            done(),
            related(),
        ),
        of(
            "task-not-created",
            |as_task: bool| server(result(done())).then(Act::Run(input(as_task))),
            true,
            false,
        ),
        of(
            "unasked-task",
            |as_task: bool| server(working()).then(Act::Run(input(as_task))),
            false,
            true,
        ),
        of(
            "misplaced-task",
            |of: Value| {
                let list = result(json!({ "prompts": [{ "name": "p" }] }));
                Server::stateless()
                    .declares(json!({ "prompts": {} }))
                    .on("prompts/list", list)
                    .on("prompts/get", result(of))
                    .then(Act::List(CatalogKind::Prompts))
                    .then(Act::Run(prompting("p")))
            },
            extended("working", json!({ "resultType": "task" })),
            json!({ "messages": [] }),
        ),
        of(
            "too-many-inputs",
            |rounds: usize| {
                let keys = |round: usize| (0..60).map(move |number| format!("{round}-{number}"));
                says(
                    (0..rounds)
                        .map(|round| asks(keys(round), "Which ship?"))
                        .collect(),
                )
            },
            7,
            2,
        ),
    ];
    let tables = [
        each(
            creates,
            json!([
                ["bad-task-status", { "status": "running" }, {}],
                ["task-not-working-first", { "status": "input_required" }, {}],
                ["missing-task-member", { "createdAt": null }, {}],
                ["bad-task-member", { "createdAt": "now" }, {}],
                ["poll-interval-bounded", { "pollInterval": 1 }, {}],
            ]),
        ),
        each(
            fetched,
            json!([
                [
                    "task-changed-after-end",
                    told("working", "t1"),
                    told("completed", "t1")
                ],
                [
                    "unknown-task",
                    told("working", "t2"),
                    told("completed", "t1")
                ],
            ]),
        ),
        each(
            says,
            json!([
                [
                    "task-result-type",
                    [extended("working", json!({ "resultType": "task" }))],
                    [extended("working", json!({}))]
                ],
                [
                    "missing-task-payload",
                    [extended("completed", json!({}))],
                    []
                ],
                [
                    "failed-task-with-result",
                    [extended("failed", failed())],
                    [extended("completed", failed())]
                ],
                [
                    "reused-input-key",
                    [asks(one(), "Which ship?"), asks(one(), "Which harbour?")],
                    [asks(one(), "Which ship?"), asks(one(), "Which ship?")]
                ],
            ]),
        ),
    ];
    tables.into_iter().flatten().chain(others).collect()
}
