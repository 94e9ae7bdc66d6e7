//! A small MCP server over HTTP, for tests that only need its results.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::http_peer::{HttpPeer, Reply, Request};

/// Returns the reply of the server `name` to a request, in version 2025-11-25 and without a session. It declares
/// `capabilities`; `result` has the results of its methods, and other methods do not exist.
#[must_use]
pub fn reply(
    request: &Request,
    name: &str,
    capabilities: &Value,
    result: impl FnOnce(&str) -> Option<Value>,
) -> Reply {
    if request.method != "POST" {
        return Reply::status(405).body("");
    }
    let Some(id) = request.id() else {
        return Reply::accepted();
    };
    let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => Some(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "serverInfo": { "name": name, "version": "1" },
        })),
        method => result(method),
    };
    let (member, value) = match result {
        Some(result) => ("result", result),
        None => {
            let error = json!({ "code": -32601, "message": "Method not found" });
            ("error", error)
        }
    };
    Reply::json(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"{member}":{value}}}"#
    ))
}

/// A server with these tools, none of which can be called.
pub async fn listing(tools: Value) -> HttpPeer {
    HttpPeer::start(move |request| {
        reply(
            request,
            "listing",
            &json!({ "tools": {} }),
            |method| match method {
                "tools/list" => Some(json!({ "tools": tools })),
                "ping" => Some(json!({})),
                _ => None,
            },
        )
    })
    .await
}

const WELCOME: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"obliging","version":"1"}}"#;

/// Returns the reply of a server with a handshake that responds to everything with an empty result.
#[must_use]
pub fn obliging(request: &Request) -> Reply {
    let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let Some(id) = request.id() else {
        return if request.method == "POST" {
            Reply::accepted()
        } else {
            Reply::status(405).body("")
        };
    };
    let result = match body["method"].as_str() {
        Some("initialize") => WELCOME,
        Some("server/discover") => {
            return Reply::json(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#
            ));
        }
        _ => "{}",
    };
    Reply::json(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}

/// Returns the reply to `initialize` of a server that numbers its sessions: `session-1`, `session-2`, …
#[must_use]
pub fn numbered_session(request: &Request, sessions: &AtomicUsize) -> Option<Reply> {
    if !request.body.contains("\"initialize\"") {
        return None;
    }
    let id = request.id()?;
    let number = sessions.fetch_add(1, Ordering::SeqCst) + 1;
    Some(
        Reply::status(200)
            .header("Content-Type", "application/json")
            .header("Mcp-Session-Id", &format!("session-{number}"))
            .body(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{WELCOME}}}"#
            )),
    )
}
