//! Processes that write invalid messages, and WebSockets.

use std::collections::BTreeMap;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sonde_client::{catalogs::CatalogKind, config::ProtocolMode, operations::OperationInput};
use sonde_tests::{
    client::{http, scripted},
    stdio_peer::{Step, first_results},
};
use tokio_tungstenite::tungstenite::{
    Message,
    handshake::server::{ErrorResponse, Request, Response},
};

use crate::{
    play::{Act, Case, Play, Playing, play},
    server::done,
};

/// More bytes than are kept of one message.
const OVERSIZED: u64 = 64 << 20;

type Results = BTreeMap<String, Value>;

/// Returns the results of a server of the handshake.
fn results() -> Results {
    let mut results = first_results("played", &json!({ "tools": {} }), &json!([tool("t")]));
    results.insert("tools/call".to_owned(), done());
    results
}

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

/// A rule with what plays a server that breaks it, or does not.
fn pair(rule: &'static str, play: impl Fn(bool, Option<&'static str>) -> Play) -> Case {
    Case::new(rule, play, true, false)
}

/// Plays a process with steps before the handshake and after its list of tools, which ends with the connection.
fn process(before: Vec<Step>, after: Vec<Step>, broken: Option<&'static str>) -> Play {
    let mut steps = before;
    steps.push(serve(results(), "tools/list"));
    steps.extend(after);
    steps.push(serve_all(results()));
    run(steps, vec![Act::Run(call())], broken)
}

fn run(steps: Vec<Step>, acts: Vec<Act>, broken: Option<&'static str>) -> Play {
    speaking(ProtocolMode::Handshake, steps, acts, broken)
}

/// Plays a stateless process.
fn stateless(steps: Vec<Step>, acts: Vec<Act>, broken: Option<&'static str>) -> Play {
    speaking(ProtocolMode::Stateless, steps, acts, broken)
}

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
        other: None,
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

/// Creates a case of a rule about output after the list of tools.
fn written(rule: &'static str, broken: &[u8], sound: &[u8]) -> Case {
    pair(rule, |breaks, found| {
        let bytes = if breaks { broken } else { sound }.to_owned();
        process(Vec::new(), vec![Step::EmitBytes { bytes }], found)
    })
}

/// Creates a case of a rule about the last output of a process.
fn last(rule: &'static str, broken: &str, sound: &str) -> Case {
    pair(rule, |breaks, found| {
        let said = Step::emit(if breaks { broken } else { sound });
        run(
            vec![serve_all(results()), said],
            vec![Act::Disconnect],
            found,
        )
    })
}

/// Plays a stateless process whose last step is this, after the end of its input.
fn ending(last: Step, broken: Option<&'static str>) -> Play {
    let steps = vec![serve_all(stateless_results()), last];
    stateless(steps, vec![Act::Disconnect], broken)
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
    run(steps, vec![Act::Again(CatalogKind::Tools)], broken)
}

/// Plays a process with a cancelled call, to which it responds right before the response to the next one, or not at
/// all.
fn responding(late: bool, broken: Option<&'static str>) -> Play {
    let mut results = results();
    results.remove("tools/call");
    let responses = if late { &[3, 4][..] } else { &[4] };
    let steps = answering(&results, responses, &done());
    run(steps, vec![Act::Cancel(call()), Act::Run(call())], broken)
}

/// Plays a stateless process with a cancelled call, to which it responds before or after the next one.
fn cancelled(late: bool, broken: Option<&'static str>) -> Play {
    let done = json!({ "resultType": "complete", "content": [{ "type": "text", "text": "done" }] });
    let responses = if late { [4, 3] } else { [3, 4] };
    let steps = answering(&stateless_results(), &responses, &done);
    stateless(steps, vec![Act::Cancel(call()), Act::Run(call())], broken)
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

/// Plays a WebSocket that selects this subprotocol, and sends this before it responds to a call.
fn socket(subprotocol: Option<&'static str>, said: Message, broken: Option<&'static str>) -> Play {
    Box::pin(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            #[expect(clippy::result_large_err, reason = "the library's own type")]
            let select = |_: &Request, mut answer: Response| -> Result<Response, ErrorResponse> {
                if let Some(subprotocol) = subprotocol {
                    let headers = answer.headers_mut();
                    headers.insert("sec-websocket-protocol", subprotocol.parse().unwrap());
                }
                Ok(answer)
            };
            let mut socket = tokio_tungstenite::accept_hdr_async(stream, select)
                .await
                .unwrap();
            while let Some(Ok(heard)) = socket.next().await {
                let Ok(text) = heard.to_text() else { continue };
                let message: Value = serde_json::from_str(text).unwrap_or_default();
                let all = results();
                let method = message["method"].as_str();
                let Some((method, result)) = method.and_then(|name| all.get_key_value(name)) else {
                    continue;
                };
                if method == "tools/call" {
                    socket.send(said.clone()).await.unwrap();
                }
                let response = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                socket
                    .send(Message::text(response.to_string()))
                    .await
                    .unwrap();
            }
        });
        let found = play(Playing {
            transport: http(format!("ws://127.0.0.1:{port}/mcp")),
            protocol: ProtocolMode::Handshake,
            acts: vec![Act::Run(call())],
            other: None,
            in_app: false,
            broken,
        })
        .await;
        server.abort();
        found
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let none = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;
    let line = format!("{none}\n");
    let line = line.as_bytes();
    let mut another = tool("a");
    another["description"] = json!("Does what it did before.");
    let long = |size: u64| {
        let before = r#"{"jsonrpc":"2.0","method":"notifications/"#;
        vec![Step::EmitLong {
            before: before.to_owned(),
            size,
            after: "\"}\n".to_owned(),
        }]
    };
    let ping = |ids: &[u64]| {
        let ping = |id| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#) + "\n";
        ids.iter().map(ping).collect::<String>().into_bytes()
    };
    vec![
        pair("bom", |breaks, found| {
            let bytes = if breaks { &b"\xef\xbb\xbf\n"[..] } else { b"" }.to_owned();
            process(vec![Step::EmitBytes { bytes }], Vec::new(), found)
        }),
        written("crlf", format!("{none}\r\n").as_bytes(), line),
        written("blank-line", b"\n", line),
        written("not-a-message", b"Listening on port 3000\n", line),
        written(
            "invalid-utf8",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\xff\"}\n",
            line,
        ),
        pair("slow-exit", |breaks, found| {
            ending(if breaks { Step::Hang } else { Step::AwaitEof }, found)
        }),
        Case {
            rule: "unannounced-change",
            broken: relisting(
                &[
                    json!({ "tools": [tool("a")] }),
                    json!({ "tools": [tool("a"), tool("b")] }),
                ],
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
        pair("response-after-cancel", cancelled),
        last("partial-line", r#"{"jsonrpc":"2.0","method":"notif"#, ""),
        last("missing-newline", none, &format!("{none}\n")),
        pair("oversized", |breaks, found| {
            process(Vec::new(), long(if breaks { OVERSIZED } else { 1_000 }), found)
        }),
        written(
            "reused-request-id",
            &ping(&[7, 7]),
            &ping(&[7, 8]),
        ),
        written(
            "unknown-request-cancelled",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"none\"}}\n",
            line,
        ),
        pair("late-response", responding),
        pair("no-subprotocol", |breaks, found| {
            socket((!breaks).then_some("mcp"), Message::text(none), found)
        }),
        pair("binary-frame", |breaks, found| {
            let binary = Message::binary(vec![0, 1]);
            socket(Some("mcp"), if breaks { binary } else { Message::text(none) }, found)
        }),
    ]
}
