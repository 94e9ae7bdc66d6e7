//! HTTP: responses, event streams and sessions.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sonde_client::config::{AuthConfig, HttpKind, NetworkConfig, ProtocolMode, Transport};
use sonde_tests::http_peer::{Gate, HttpPeer, Reply};

use crate::{
    play::{Case, Play, Playing, play},
    server::{Asked, DONE, Server, case, of, replies, stream},
};

/// A session id that is long enough.
const LONG: &str = "c5f1d4c7b3a84e2f";

const NONE: &str = r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#;

/// Creates a server that sends this reply to a call.
fn replying(reply: impl Fn(&Asked<'_>) -> Reply + Send + Sync + 'static) -> Server {
    Server::new().on("tools/call", replies(reply)).called()
}

/// Creates a server whose response to the handshake has this session id.
fn session(id: &'static str) -> Server {
    let welcome = replies(move |asked| {
        let welcome = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "a", "version": "1" },
        });
        Reply::status(200)
            .header("mcp-session-id", id)
            .json_body(asked.result(&welcome))
    });
    Server::new().on("initialize", welcome)
}

/// Creates a server whose stream of a call breaks after an event, and continues.
fn resumed() -> Server {
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
            .chunk(format!("id: e-3\ndata: {NONE}\n\n"))
            .chunk(format!("id: e-9\ndata: {response}\n\n"))
            .end()
    });
    Server::new().on("tools/call", call).on("GET", get).called()
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
    vec![
        of("bad-session-id", session, "a b", LONG),
        of("short-session-id", session, "7", LONG),
        case(
            "stream-closed-early",
            replying(|_| stream().chunk(": it ends\n\n").end()),
            resumed(),
        ),
        of(
            "event-id-too-long",
            |size: usize| {
                replying(move |asked| {
                    let primed = format!("id: {}\ndata:\n\n", "x".repeat(size));
                    stream().chunk(primed).event(&asked.fill(DONE)).end()
                })
            },
            5_000,
            50,
        ),
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
    ]
}
