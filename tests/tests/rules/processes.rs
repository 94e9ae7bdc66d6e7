//! Processes that write what is no message, and WebSockets.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sonde_client::{catalogs::CatalogKind, config::ProtocolMode, operations::OperationInput};
use sonde_tests::{
    client::{http, scripted},
    stdio_peer::Step,
};
use tokio_tungstenite::tungstenite::{
    Message,
    handshake::server::{ErrorResponse, Request, Response},
};

use crate::play::{Act, Case, Play, Playing, play};

/// More bytes than are kept of one message.
const OVERSIZED: u64 = 64 << 20;

/// Returns the results of a server of the handshake.
fn results() -> Vec<(String, Value)> {
    let welcome = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "played", "version": "1" },
    });
    let done = json!({ "content": [{ "type": "text", "text": "done" }] });
    [
        ("initialize", welcome),
        ("tools/list", json!({ "tools": [tool("t")] })),
        ("tools/call", done),
    ]
    .map(|(method, result)| (method.to_owned(), result))
    .into()
}

/// A process that does this before the handshake and this after its list of tools, and ends with the connection.
fn process(before: Vec<Step>, after: Vec<Step>, broken: Option<&'static str>) -> Play {
    let serve = |until: Option<&str>| Step::Serve {
        results: results().into_iter().collect(),
        until: until.map(str::to_owned),
    };
    let mut steps = before;
    steps.push(serve(Some("tools/list")));
    steps.extend(after);
    steps.push(serve(None));
    run(
        steps,
        vec![Act::Run(OperationInput::tool("t", None))],
        broken,
    )
}

fn run(steps: Vec<Step>, acts: Vec<Act>, broken: Option<&'static str>) -> Play {
    speaking(ProtocolMode::Handshake, steps, acts, broken)
}

/// The same without a handshake.
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

/// Serves as a stateless server with one tool, up to a request with the method `until`.
fn serve_stateless(until: Option<&str>) -> Step {
    let info = json!({ "name": "played", "version": "1" });
    let discovery = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": { "tools": {} },
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": { "io.modelcontextprotocol/serverInfo": info },
    });
    let list = json!({
        "resultType": "complete",
        "tools": [tool("t")],
        "ttlMs": 0,
        "cacheScope": "private",
    });
    Step::Serve {
        results: [
            ("server/discover".to_owned(), discovery),
            ("tools/list".to_owned(), list),
        ]
        .into(),
        until: until.map(str::to_owned),
    }
}

/// A rule about what a process writes after its list of tools.
fn written(rule: &'static str, broken: &[u8], sound: &[u8]) -> Case {
    let emit = |bytes: &[u8]| {
        vec![Step::EmitBytes {
            bytes: bytes.to_owned(),
        }]
    };
    Case {
        rule,
        broken: process(Vec::new(), emit(broken), Some(rule)),
        sound: process(Vec::new(), emit(sound), None),
    }
}

/// A rule about the last that a process writes.
fn last(rule: &'static str, broken: &str, sound: &str) -> Case {
    let ending = |text: &str, broken| {
        let steps = vec![
            Step::Serve {
                results: results().into_iter().collect(),
                until: None,
            },
            Step::emit(text),
        ];
        run(steps, vec![Act::Disconnect], broken)
    };
    Case {
        rule,
        broken: ending(broken, Some(rule)),
        sound: ending(sound, None),
    }
}

/// A stateless process that does not end with its input, or does.
fn ending(last: Step, broken: Option<&'static str>) -> Play {
    stateless(
        vec![serve_stateless(None), last],
        vec![Act::Disconnect],
        broken,
    )
}

/// A process that responds to one `tools/list` after the other with these results; `null` is an error. The list is read
/// twice.
fn relisting(pages: &[Value], broken: Option<&'static str>) -> Play {
    let welcome = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": { "listChanged": true } },
        "serverInfo": { "name": "played", "version": "1" },
    });
    let serve = |until: Option<&str>| Step::Serve {
        results: [("initialize".to_owned(), welcome.clone())].into(),
        until: until.map(str::to_owned),
    };
    let mut steps = Vec::new();
    for (id, page) in (2..).zip(pages) {
        let response = match page {
            Value::Null => {
                let error = json!({ "code": -32_603, "message": "The database is away" });
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            }
            result => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        };
        steps.push(serve(Some("tools/list")));
        steps.push(Step::emit(format!("{response}\n")));
    }
    steps.push(serve(None));
    run(steps, vec![Act::Again(CatalogKind::Tools)], broken)
}

/// A process whose call is cancelled and over, and that responds to it with the response to the next one, or not.
fn responding(late: bool, broken: Option<&'static str>) -> Play {
    let serve = |until: Option<&str>| Step::Serve {
        results: results()
            .into_iter()
            .filter(|one| one.0 != "tools/call")
            .collect(),
        until: until.map(str::to_owned),
    };
    let done = json!({ "content": [{ "type": "text", "text": "done" }] });
    let response = |id: u64| {
        format!(
            "{}\n",
            json!({ "jsonrpc": "2.0", "id": id, "result": done })
        )
    };
    let late = if late { response(3) } else { String::new() };
    let steps = vec![
        serve(Some("tools/call")),
        serve(Some("tools/call")),
        Step::emit(format!("{late}{}", response(4))),
        serve(None),
    ];
    let call = || OperationInput::tool("t", None);
    run(steps, vec![Act::Cancel(call()), Act::Run(call())], broken)
}

/// A stateless process whose call is cancelled, and that responds to the next one before or after it.
fn cancelled(late: bool, broken: Option<&'static str>) -> Play {
    let done = json!({ "resultType": "complete", "content": [{ "type": "text", "text": "done" }] });
    let response = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "result": done }).to_string();
    let [first, second] = if late { [4, 3] } else { [3, 4] };
    let steps = vec![
        serve_stateless(Some("tools/call")),
        serve_stateless(Some("tools/call")),
        Step::emit(format!("{}\n{}\n", response(first), response(second))),
        serve_stateless(None),
    ];
    let call = || OperationInput::tool("t", None);
    stateless(steps, vec![Act::Cancel(call()), Act::Run(call())], broken)
}

fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Does what nobody else here does.",
        "inputSchema": { "type": "object" },
    })
}

/// A WebSocket that selects this subprotocol, and says this before it answers a call.
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
                let Some((method, result)) = all.iter().find(|one| Some(&*one.0) == method) else {
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
            acts: vec![Act::Run(OperationInput::tool("t", None))],
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
    let before = |text: &[u8], broken| {
        let bytes = text.to_owned();
        process(vec![Step::EmitBytes { bytes }], Vec::new(), broken)
    };
    vec![
        Case {
            rule: "bom",
            broken: before(b"\xef\xbb\xbf\n", Some("bom")),
            sound: before(b"", None),
        },
        written("crlf", format!("{none}\r\n").as_bytes(), line),
        written("blank-line", b"\n", line),
        written("not-a-message", b"Listening on port 3000\n", line),
        written(
            "invalid-utf8",
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\xff\"}\n",
            line,
        ),
        Case {
            rule: "slow-exit",
            broken: ending(Step::Hang, Some("slow-exit")),
            sound: ending(Step::AwaitEof, None),
        },
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
        Case {
            rule: "response-after-cancel",
            broken: cancelled(true, Some("response-after-cancel")),
            sound: cancelled(false, None),
        },
        last("partial-line", r#"{"jsonrpc":"2.0","method":"notif"#, ""),
        last("missing-newline", none, &format!("{none}\n")),
        Case {
            rule: "oversized",
            broken: process(Vec::new(), long(OVERSIZED), Some("oversized")),
            sound: process(Vec::new(), long(1_000), None),
        },
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
        Case {
            rule: "late-response",
            broken: responding(true, Some("late-response")),
            sound: responding(false, None),
        },
        Case {
            rule: "no-subprotocol",
            broken: socket(None, Message::text(none), Some("no-subprotocol")),
            sound: socket(Some("mcp"), Message::text(none), None),
        },
        Case {
            rule: "binary-frame",
            broken: socket(Some("mcp"), Message::binary(vec![0, 1]), Some("binary-frame")),
            sound: socket(Some("mcp"), Message::text(none), None),
        },
    ]
}
