//! HTTP: responses, event streams and sessions.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sonde_client::{
    config::{AuthConfig, HttpKind, NetworkConfig, ProtocolMode, Transport},
    operations::OperationInput,
};
use sonde_tests::http_peer::{Gate, HttpPeer, Reply};

use crate::{
    play::{Act, Case, Play, Playing, play},
    server::{Asked, DONE, Server, body, case, each, of, replies, stream},
};

/// A session id that is long enough.
const LONG: &str = "c5f1d4c7b3a84e2f";

const NONE: &str = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;

/// Creates a server that sends this reply to a call.
fn replying(reply: impl Fn(&Asked<'_>) -> Reply + Send + Sync + 'static) -> Server {
    Server::new().on("tools/call", replies(reply)).called()
}

/// A server that writes this into the stream of a call, before its response.
fn writing<T: Into<String>>(text: T) -> Server {
    let text = text.into();
    replying(move |asked| {
        stream()
            .chunk(asked.fill(&text))
            .event(&asked.fill(DONE))
            .end()
    })
}

/// Creates a response in JSON with this session id; an empty one is left out.
fn with_session(id: &str, text: String) -> Reply {
    let reply = Reply::status(200).header("content-type", "application/json");
    match id {
        "" => reply.body(text),
        id => reply.header("mcp-session-id", id).body(text),
    }
}

/// Creates a server whose response to the handshake has this session id; an empty one is left out.
fn session(id: &'static str) -> Server {
    let welcome = replies(move |asked| {
        let welcome = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "a", "version": "1" },
        });
        with_session(id, asked.result(&welcome))
    });
    Server::new().on("initialize", welcome)
}

/// Creates a server whose stream of a call breaks after an event, and continues with this id.
fn resumed(id: &'static str) -> Server {
    let asked_for = Arc::new(Mutex::new(String::new()));
    let response = asked_for.clone();
    let call = replies(move |asked| {
        *asked_for.lock().unwrap() = asked.fill(DONE);
        stream()
            .chunk("id: e-1\nretry: 10\ndata: \n\n")
            .chunk(format!("id: e-2\ndata: {NONE}\n\n"))
            .end()
    });
    let get = replies(move |asked| {
        if asked.request.header("last-event-id").is_none() {
            return Reply::status(405).body("");
        }
        let response = response.lock().unwrap().clone();
        stream()
            .chunk(format!("id: {id}\ndata: {NONE}\n\n"))
            .chunk(format!("id: e-9\ndata: {response}\n\n"))
            .end()
    });
    Server::new().on("tools/call", call).on("GET", get).called()
}

/// Creates a server that reports progress on the stream of a call: of that call, or of the waiting one.
fn crossing(own: bool) -> Server {
    let gate = Gate::new();
    let opened = gate.clone();
    let call = replies(move |asked| {
        if asked.params["arguments"]["waits"] == true {
            return stream().wait(&gate).event(&asked.fill(DONE)).end();
        }
        // The token is the id of the request, which follows those of the handshake and of the list.
        let token = if own {
            asked.fill("{token}")
        } else {
            "3".to_owned()
        };
        let told = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
        );
        stream().event(&told).event(&asked.fill(DONE)).end()
    });
    let pong = replies(move |asked| {
        opened.open();
        Reply::json(asked.result(&json!({})))
    });
    let call_of = |arguments: &str| OperationInput::tool("t", Some(arguments.to_owned()));
    Server::new()
        .on("tools/call", call)
        .on("ping", pong)
        .then(Act::Start(call_of(r#"{"waits":true}"#)))
        .then(Act::Run(call_of("{}")))
        .then(Act::Ping)
}

/// Creates a server whose background stream has this text.
fn listener(said: &'static str) -> Server {
    let get = replies(move |_| stream().event(said).hang());
    Server::new().on("GET", get).called()
}

/// Creates a server of HTTP+SSE that names this URL for messages, and sends one in an event with this name.
fn sse(endpoint: &'static str, name: &'static str, broken: Option<&'static str>) -> Play {
    Box::pin(async move {
        let posted = Gate::new();
        let waits = posted.clone();
        let peer = HttpPeer::start(move |request| {
            if request.method != "GET" {
                posted.open();
                return Reply::accepted();
            }
            let said = |id: u32, result: Value| {
                let message = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                format!("data: {message}\n\n")
            };
            let welcome = json!({
                "protocolVersion": "2024-11-05",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "a", "version": "1" },
            });
            // After the request `initialize`, its notification, and the request for the list.
            stream()
                .chunk(format!("event: endpoint\ndata: {endpoint}\n\n"))
                .wait(&waits)
                .chunk(said(1, welcome))
                .wait(&waits)
                .chunk(format!("event: {name}\ndata: {NONE}\n\n"))
                .wait(&waits)
                .chunk(said(2, json!({ "tools": [] })))
                .hang()
        })
        .await;
        let transport = Transport::Http {
            url: peer.url(),
            headers: Vec::new(),
            kind: HttpKind::Sse,
            network: NetworkConfig::default(),
            auth: AuthConfig::default(),
        };
        play(Playing {
            transport,
            protocol: ProtocolMode::Handshake,
            acts: Vec::new(),
            other: None,
            in_app: false,
            broken,
        })
        .await
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let over_sse = |rule, endpoint, name| Case {
        rule,
        broken: sse(endpoint, name, Some(rule)),
        sound: sse("/mcp", "message", None),
    };
    let initialized = |reply: fn() -> Reply| {
        let reply = replies(move |_| reply());
        Server::new()
            .on("notifications/initialized", reply)
            .called()
    };
    let get = |reply: fn() -> Reply| Server::new().on("GET", replies(move |_| reply())).called();
    let of_type = |kind: &'static str| {
        replying(move |asked| {
            let reply = Reply::status(200).header("content-type", kind);
            reply.body(asked.fill(DONE))
        })
    };
    let fields = json!([
        ["sse-id-nul", "id: a\0b\ndata:\n\n", "id: ab\ndata:\n\n"],
        ["sse-bad-retry", "retry: soon\n\n", "retry: 5000\n\n"],
        ["sse-unknown-field", "level: 1\n\n", ": comment\n\n"],
    ]);
    let others = vec![
        of(
            "partial-body",
            |is_cut: bool| {
                replying(move |asked| {
                    let text = asked.fill(DONE);
                    let size = text.len() + if is_cut { 10 } else { 0 };
                    let head = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {size}\r\n\r\n"
                    );
                    let reply = Reply::raw(head).bytes(text);
                    if is_cut { reply.cut() } else { reply }
                })
            },
            true,
            false,
        ),
        of(
            "http-not-a-message",
            of_type,
            "text/plain",
            "application/json",
        ),
        of(
            "no-content-type",
            |is_there: bool| {
                replying(move |asked| {
                    let reply = Reply::status(200);
                    let reply = match is_there {
                        true => reply.header("content-type", "application/json"),
                        false => reply,
                    };
                    reply.body(asked.fill(DONE))
                })
            },
            false,
            true,
        ),
        of(
            "body-not-a-message",
            |text: &str| Server::new().on("tools/call", body(text)).called(),
            "done",
            DONE,
        ),
        of("bad-session-id", session, "a b", LONG),
        of("short-session-id", session, "7", LONG),
        of(
            "late-session-id",
            |given: &'static str| {
                session(given)
                    .on(
                        "tools/call",
                        replies(|asked| with_session(LONG, asked.fill(DONE))),
                    )
                    .called()
            },
            "",
            LONG,
        ),
        of("duplicate-event-id", resumed, "e-2", "e-3"),
        case(
            "stream-closed-early",
            replying(|_| stream().chunk(": it ends\n\n").end()),
            resumed("e-3"),
        ),
        of(
            "sse-incomplete-event",
            |end: &'static str| {
                replying(move |asked| {
                    let text = asked.fill(DONE);
                    stream()
                        .event(&text)
                        .chunk(format!("data: {NONE}\n{end}"))
                        .end()
                })
            },
            "",
            "\n",
        ),
        of(
            "sse-field-cut",
            |size: usize| writing(format!(": {}\n\n", "x".repeat(size))),
            200_000,
            200,
        ),
        of(
            "event-id-too-long",
            |size: usize| writing(format!("id: {}\ndata:\n\n", "x".repeat(size))),
            5_000,
            50,
        ),
        of(
            "not-accepted",
            initialized,
            (|| Reply::status(204)) as fn() -> Reply,
            Reply::accepted,
        ),
        of(
            "accepted-with-body",
            initialized,
            (|| Reply::status(202).body("taken")) as fn() -> Reply,
            Reply::accepted,
        ),
        of(
            "bad-listener-response",
            get,
            (|| {
                Reply::status(200)
                    .header("content-type", "text/plain")
                    .body("hello")
            }) as fn() -> Reply,
            || Reply::status(405).body(""),
        ),
        of(
            "response-on-listener",
            listener,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            NONE,
        ),
        of(
            "unprimed-stream",
            |first: &'static str| {
                replying(move |asked| {
                    let reply = match first {
                        "" => stream(),
                        first => stream().chunk(first),
                    };
                    reply.event_with_id("e-1", &asked.fill(DONE)).end()
                })
            },
            "",
            "id: e-0\ndata:\n\n",
        ),
        of("unrelated-progress", crossing, false, true),
        of(
            "buffered-stream",
            |buffered: bool| {
                let reply = replies(move |asked| {
                    let stream = if buffered {
                        Reply::event_stream()
                    } else {
                        stream()
                    };
                    stream.event(&asked.fill(DONE)).end()
                });
                Server::stateless().on("tools/call", reply).called()
            },
            true,
            false,
        ),
        over_sse("misnamed-event", "/mcp", "reply"),
        over_sse(
            "endpoint-on-other-origin",
            "http://127.0.0.1:1/mcp",
            "message",
        ),
    ];
    each(writing::<String>, fields)
        .into_iter()
        .chain(others)
        .collect()
}
