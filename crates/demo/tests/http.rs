//! The server over Streamable HTTP.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod peer;

use peer::{Exchange, LEVELS, Server, initialize};
use serde_json::{Value, json};

const ACCEPT: &str =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

/// A server, where it listens, and the headers of an open session.
struct Http {
    server: Server,
    address: String,
    headers: String,
}

impl Http {
    fn start(options: &[&str]) -> Self {
        let server = Server::start(&[&["--http"], options].concat());
        let line = server.line();
        let address = line
            .strip_prefix("listening http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .unwrap_or_else(|| panic!("{line}"))
            .to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Self {
            server,
            address,
            headers: ACCEPT.to_owned(),
        }
    }

    /// Shakes hands in 2025-11-25.
    fn ready(options: &[&str]) -> Self {
        let mut http = Self::start(options);
        let mut answer = http.post(&initialize("2025-11-25"));
        assert_eq!(answer.status, 200);
        let session = answer.header("mcp-session-id").map(str::to_owned);
        assert_eq!(
            answer.event().unwrap()["result"]["protocolVersion"],
            "2025-11-25"
        );
        http.headers
            .push_str("MCP-Protocol-Version: 2025-11-25\r\n");
        if let Some(session) = session {
            http.headers
                .push_str(&format!("Mcp-Session-Id: {session}\r\n"));
        }
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(http.post(&initialized).status, 202);
        http
    }

    fn post(&self, message: &Value) -> Exchange {
        Exchange::start(
            &self.address,
            "POST",
            "/mcp",
            &self.headers,
            &message.to_string(),
        )
    }

    fn get(&self) -> Exchange {
        Exchange::start(&self.address, "GET", "/mcp", &self.headers, "")
    }

    fn call(&self, id: u64, tool: &str, arguments: &Value) -> Exchange {
        self.post(&json!({
            "jsonrpc": "2.0",
            "id": id,
            "method": "tools/call",
            "params": {
                "name": tool,
                "arguments": arguments,
                "_meta": { "progressToken": id }
            }
        }))
    }
}

/// Returns all messages of a stream, up to its end.
fn messages(mut exchange: Exchange) -> Vec<Value> {
    std::iter::from_fn(|| exchange.event()).collect()
}

#[test]
fn with_a_session_log_messages_and_list_changes_use_the_standing_stream() {
    let http = Http::ready(&[]);
    let mut standing = http.get();
    assert_eq!(standing.status, 200);
    let answers = messages(http.call(1, "listen_to_radio", &json!({ "pause_ms": 0 })));
    assert_eq!(answers.len(), 1, "{answers:?}");
    for level in LEVELS {
        assert_eq!(standing.event().unwrap()["params"]["level"], level);
    }
    messages(http.call(2, "boathouse_doors", &json!({ "open": true })));
    assert_eq!(
        standing.event().unwrap()["method"],
        "notifications/tools/list_changed"
    );
}

#[test]
fn without_sessions_log_messages_use_the_stream_of_the_call() {
    let http = Http::ready(&["--stateless"]);
    assert!(!http.headers.contains("Mcp-Session-Id"));
    let answers = messages(http.call(1, "listen_to_radio", &json!({ "pause_ms": 0 })));
    assert_eq!(answers.len(), 9);
    assert_eq!(answers[8]["id"], 1);
}

#[test]
fn a_crash_breaks_the_stream_and_leaves_its_code() {
    let http = Http::ready(&[]);
    let body = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": "blow_fuse", "arguments": { "code": 9, "after_ms": 50 } }
    });
    let exchange = http.post(&body);
    assert_eq!(exchange.status, 200);
    let (status, stdout, stderr) = http.server.ended();
    assert_eq!(status.code(), Some(9));
    assert!(stdout.is_empty(), "only one line is printed: {stdout:?}");
    assert_eq!(stderr.len(), 3);
    drop(exchange);
}

#[test]
fn strangers_are_turned_away() {
    let http = Http::start(&[]);
    let body = initialize("2025-11-25").to_string();
    let status = |method: &str, path: &str, headers: &str| {
        Exchange::start(&http.address, method, path, headers, &body).status
    };
    assert_eq!(status("POST", "/elsewhere", ACCEPT), 404);
    // A page of another address, also one of this computer, and the server's own.
    let port = http.address.split(':').nth(1).unwrap();
    for (origin, expected) in [
        ("https://example.com".to_owned(), 403),
        (format!("http://example.com:{port}"), 403),
        ("http://localhost:1".to_owned(), 403),
        (format!("https://localhost:{port}"), 403),
        ("null".to_owned(), 403),
        (format!("http://localhost:{port}"), 200),
        (format!("http://{}", http.address), 200),
    ] {
        let browser = format!("{ACCEPT}Origin: {origin}\r\n");
        let body = initialize("2025-11-25").to_string();
        let answer = Exchange::start(&http.address, "POST", "/mcp", &browser, &body);
        assert_eq!(answer.status, expected, "{origin}");
    }
    let stale = format!("{ACCEPT}Mcp-Session-Id: gone\r\n");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    assert_eq!(
        Exchange::start(&http.address, "POST", "/mcp", &stale, &list).status,
        404
    );
}

#[test]
fn it_ends_with_its_input_although_streams_are_open() {
    let mut http = Http::ready(&[]);
    let standing = http.get();
    let mut call = http.call(5, "polish_lens", &json!({ "seconds": 3600 }));
    assert_eq!(call.event().unwrap()["method"], "notifications/progress");
    http.server.close_stdin();
    let (status, stdout, stderr) = http.server.ended();
    assert!(status.success(), "{stderr:?}");
    assert!(stdout.is_empty(), "{stdout:?}");
    drop(standing);
}

#[cfg(unix)]
#[test]
fn a_termination_signal_ends_it() {
    let http = Http::ready(&["--port", "0"]);
    let standing = http.get();
    http.server.terminate();
    assert!(http.server.ended().0.success());
    drop(standing);
}

#[test]
fn a_taken_port_is_a_plain_failure() {
    let http = Http::start(&[]);
    let port = http.address.split(':').nth(1).unwrap();
    let (status, stdout, stderr) = Server::start(&["--http", "--port", port]).ended();
    assert_eq!(status.code(), Some(1));
    assert!(stdout.is_empty());
    assert!(stderr[0].starts_with("sonde-demo: "), "{stderr:?}");
}

/// Messages translated over stdio are also translated here, separately for each session.
#[test]
fn after_a_handshake_tasks_work_as_over_standard_input() {
    let http = Http::ready(&[]);
    let ask = |id: u64, method: &str, params: &Value| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        messages(http.post(&request)).pop().unwrap()
    };
    let mut standing = http.get();
    let tools = ask(1, "tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap();
    let support = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool["execution"]["taskSupport"].clone()
    };
    assert_eq!(
        (
            support("salvage_wreck"),
            support("survey_reef"),
            support("say_hello")
        ),
        (json!("optional"), json!("required"), Value::Null)
    );
    let call = json!({ "name": "survey_reef", "arguments": { "seconds": 1 }, "task": {} });
    let task = ask(2, "tools/call", &call)["result"]["task"].clone();
    assert_eq!(task["status"], "working", "{task}");
    let id = json!({ "taskId": task["taskId"] });
    let listed = ask(3, "tasks/list", &json!({}));
    assert_eq!(listed["result"]["tasks"][0]["taskId"], task["taskId"]);
    let result = ask(4, "tasks/result", &id);
    assert_eq!(result["result"]["isError"], false, "{result}");
    let told = standing.event().unwrap();
    assert_eq!(
        (&told["method"], &told["params"]["status"]),
        (&json!("notifications/tasks/status"), &json!("completed"))
    );
    let found = ask(5, "tasks/get", &id);
    assert_eq!(found["result"]["status"], "completed", "{found}");
    assert!(found["result"]["ttl"].is_u64() && found["result"]["ttlMs"].is_null());

    // Another session lists none of it, and may ask for what it knows the id of.
    let body = initialize("2025-11-25");
    let mut other = Exchange::start(&http.address, "POST", "/mcp", ACCEPT, &body.to_string());
    let capabilities = other.event().unwrap()["result"]["capabilities"]["tasks"].clone();
    assert_eq!(
        capabilities,
        json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } })
    );
    let session = other.header("mcp-session-id").unwrap().to_owned();
    let headers =
        format!("{ACCEPT}MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: {session}\r\n");
    let post = |message: Value| {
        Exchange::start(
            &http.address,
            "POST",
            "/mcp",
            &headers,
            &message.to_string(),
        )
    };
    post(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let listed = messages(post(
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/list" }),
    ));
    assert_eq!(listed[0]["result"]["tasks"], json!([]), "{listed:?}");
    let get = json!({ "jsonrpc": "2.0", "id": 2, "method": "tasks/get", "params": id });
    assert_eq!(messages(post(get))[0]["result"]["status"], "completed");
}

#[test]
fn a_harbour_is_in_a_header_and_has_to_be_the_one_of_the_call() {
    let http = Http::start(&[]);
    let call = |header: &str| {
        let headers = format!(
            "{ACCEPT}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n\
             Mcp-Name: telegraph_harbour\r\n{header}"
        );
        let request = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {
                "name": "telegraph_harbour",
                "arguments": { "harbour": "Skerry" },
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
                    "io.modelcontextprotocol/clientCapabilities": {}
                }
            }
        });
        let body = request.to_string();
        Exchange::start(&http.address, "POST", "/mcp", &headers, &body).status
    };
    assert_eq!(call("Mcp-Param-Harbour: Skerry\r\n"), 200);
    assert_eq!(call("Mcp-Param-Harbour: Holm\r\n"), 400);
    assert_eq!(call(""), 400);
}
