//! Processes that respond at the wrong time, or change without a word.

use std::collections::BTreeMap;

use crate::play::{Act, Case, Play, Playing, play};
use serde_json::{Value, json};
use sonde_client::{catalogs::CatalogKind, config::ProtocolMode, operations::OperationInput};
use sonde_tests::{
    client::scripted,
    stdio_peer::{Step, first_results},
};

type Results = BTreeMap<String, Value>;

/// Serves up to a request with this method.
fn serve(results: Results, until: &str) -> Step {
    let until = Some(until.to_owned());
    Step::Serve { results, until }
}

/// Serves to the end.
fn serve_all(results: Results) -> Step {
    Step::Serve {
        results,
        until: None,
    }
}

fn call() -> OperationInput {
    OperationInput::tool("t", None)
}

/// Plays a process.
fn speaking(
    protocol: ProtocolMode,
    steps: Vec<Step>,
    acts: Vec<Act>,
    broken: Option<&'static str>,
) -> Play {
    Box::pin(play(Playing {
        transport: scripted(steps),
        protocol,
        acts,
        in_app: false,
        broken,
    }))
}

/// Returns the results of a stateless server with one tool.
fn stateless_results() -> Results {
    let info = json!({ "name": "played", "version": "1" });
    let results = json!({
        "server/discover": {
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} },
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": { "io.modelcontextprotocol/serverInfo": info },
        },
        "tools/list": {
            "resultType": "complete",
            "tools": [tool("t")],
            "ttlMs": 0,
            "cacheScope": "private",
        },
    });
    serde_json::from_value(results).unwrap()
}

/// Plays a process that responds to successive `tools/list` with these results; `null` is an error. The list is read
/// twice.
fn relisting(pages: &[Value], broken: Option<&'static str>) -> Play {
    let capabilities = json!({ "tools": { "listChanged": true } });
    let mut results = first_results("played", &capabilities, &Value::Null);
    results.remove("tools/list");
    let mut steps = Vec::new();
    for (id, page) in (2..).zip(pages) {
        let response = match page {
            Value::Null => {
                let error = json!({ "code": -32_603, "message": "The database is away" });
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            }
            result => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        };
        steps.push(serve(results.clone(), "tools/list"));
        steps.push(Step::line(response));
    }
    steps.push(serve_all(results));
    let acts = vec![Act::Again(CatalogKind::Tools)];
    speaking(ProtocolMode::Handshake, steps, acts, broken)
}

/// Plays a stateless process with a cancelled call, to which it responds before or after the next one.
fn cancelled(late: bool, broken: Option<&'static str>) -> Play {
    let done = json!({ "resultType": "complete", "content": [{ "type": "text", "text": "done" }] });
    let responses = if late { [4, 3] } else { [3, 4] };
    let steps = answering(&stateless_results(), &responses, &done);
    let acts = vec![Act::Cancel(call()), Act::Run(call())];
    speaking(ProtocolMode::Stateless, steps, acts, broken)
}

/// Responds to the calls with these ids, once both calls came.
fn answering(results: &Results, calls: &[u64], done: &Value) -> Vec<Step> {
    let response = |id| json!({ "jsonrpc": "2.0", "id": id, "result": done });
    let mut steps = vec![serve(results.clone(), "tools/call"); 2];
    steps.extend(calls.iter().map(|id| Step::line(response(id))));
    steps.push(serve_all(results.clone()));
    steps
}

fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Does what nobody else here does.",
        "inputSchema": { "type": "object" },
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let mut another = tool("a");
    another["description"] = json!("Does what it did before.");
    let grown = json!({ "tools": [tool("a"), tool("b")] });
    vec![
        Case {
            rule: "unannounced-change",
            broken: relisting(
                &[json!({ "tools": [tool("a")] }), grown],
                Some("unannounced-change"),
            ),
            // What could not be read before is not new, and another text is no other list.
            sound: relisting(
                &[
                    json!({ "tools": [tool("a")], "nextCursor": "2" }),
                    Value::Null,
                    json!({ "tools": [another, tool("b")] }),
                ],
                None,
            ),
        },
        Case::new("response-after-cancel", cancelled, true, false),
    ]
}
