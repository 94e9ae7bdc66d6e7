//! A small MCP server over HTTP, for tests that need no more of one than what it returns.

use serde_json::{Value, json};

use crate::http_peer::{Reply, Request};

/// The reply of the server `name` to a request, in version 2025-11-25 and without a session. It declares
/// `capabilities`; `result` has the results of its methods, and what it has none for is no method of it.
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
