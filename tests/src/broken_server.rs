//! A server that breaks a dozen rules, in its frames, its list of tools and a result.

use serde_json::json;

use crate::stdio_peer::Step;

/// The rules that the server breaks, each once: those of frames, of the list, and of the result of [`TOOL`].
pub const RULES: [&str; 12] = [
    "not-a-message",
    "bad-jsonrpc",
    "unknown-response-id",
    "bad-log-level",
    "undeclared-logging",
    "unknown-progress-token",
    "missing-name",
    "missing-input-schema",
    "schema-not-object",
    "tool-name-format",
    "unknown-content-type",
    "bad-is-error",
];

/// The tool whose result breaks two rules.
pub const TOOL: &str = "hologram";

/// Returns the steps of the process. `said` is in the frame that breaks `unknown-response-id`.
#[must_use]
pub fn steps(said: &str) -> Vec<Step> {
    let object = json!({"type": "object"});
    let tools = json!([
        {"inputSchema": object, "description": "It has no name."},
        {"name": "no_schema", "description": "It has no schema."},
        {"name": "text_schema", "description": "Its schema is of a text.", "inputSchema": {"type": "string"}},
        {"name": "odd name!", "description": "Its name is odd.", "inputSchema": object},
        {"name": TOOL, "description": "It shows one.", "inputSchema": object},
    ]);
    let welcome = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "broken-server", "version": "1.2.3"},
    });
    let opening = [
        ("initialize".to_owned(), welcome),
        ("tools/list".to_owned(), json!({"tools": tools})),
    ];
    let result = json!({"content": [{"type": "hologram"}], "isError": "no"});
    let frames = [
        json!({"jsonrpc": "1.0", "method": "notifications/message", "params": {"level": "info", "data": "a"}}),
        json!({"jsonrpc": "2.0", "id": 99, "result": {"said": said}}),
        json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "loud", "data": "a"}}),
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "none", "progress": 1}}),
    ];
    let frames: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
    vec![
        Step::emit("Listening on port 3000\n"),
        Step::Serve {
            results: opening.into(),
            until: Some("tools/list".to_owned()),
        },
        Step::emit(frames),
        Step::Serve {
            results: [("tools/call".to_owned(), result)].into(),
            until: None,
        },
    ]
}
