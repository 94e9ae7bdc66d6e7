//! A server over Streamable HTTP whose only tool always runs as a task, with a handshake or stateless. The test decides
//! about the task.

use std::sync::{Arc, Mutex};

use crate::http_peer::{HttpPeer, Reply, Request};

/// States of the server's only task, as the server reports them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// The task is working.
    Works,
    /// The task is completed, with a result: `salvaged`.
    Done,
    /// There is no task.
    Forgotten,
}

/// Returns the reply of a server whose only tool always runs as a task, with a handshake or stateless.
fn answer(request: &Request, task: Task, ttl: u64) -> Reply {
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap_or_default();
    let Some(id) = request.id() else {
        return match request.method.as_str() {
            "POST" => Reply::accepted(),
            _ => Reply::status(405).body(""),
        };
    };
    let stateless = request.header("Mcp-Method").is_some();
    let status = match task {
        Task::Works => "working",
        _ => "completed",
    };
    let members = format!(
        r#""taskId":"t1","status":"{status}","createdAt":"2026-02-03T10:30:00Z","lastUpdatedAt":"2026-02-03T10:30:00Z""#
    );
    let of_handshake = format!(r#"{members},"ttl":{ttl},"pollInterval":500"#);
    let of_stateless = format!(r#"{members},"ttlMs":{ttl},"pollIntervalMs":500"#);
    let result = r#""content":[{"type":"text","text":"salvaged"}]"#;
    let result = match (body["method"].as_str().unwrap_or_default(), stateless) {
        ("initialize", _) => r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"wrecks","version":"1"}}"#.to_owned(),
        ("server/discover", _) => r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#.to_owned(),
        ("tools/list", _) => r#"{"resultType":"complete","tools":[{"name":"salvage","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}"#.to_owned(),
        ("tools/call", false) => format!(r#"{{"task":{{{}}}}}"#, of_handshake.replace("completed", "working")),
        ("tools/call", true) => format!(r#"{{"resultType":"task",{of_stateless}}}"#),
        ("tasks/get", _) if task == Task::Forgotten => {
            return Reply::json(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"Task not found"}}}}"#
            ));
        }
        ("tasks/get", false) => format!("{{{of_handshake}}}"),
        ("tasks/get", true) => format!(r#"{{"resultType":"complete",{of_stateless},"result":{{{result}}}}}"#),
        ("tasks/result", _) => format!(
            r#"{{{result},"_meta":{{"io.modelcontextprotocol/related-task":{{"taskId":"t1"}}}}}}"#
        ),
        _ => "{}".to_owned(),
    };
    Reply::json(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}

/// The server, and its task as it stands.
#[derive(Debug)]
pub struct TaskPeer {
    /// The server itself, with its address.
    pub peer: HttpPeer,
    task: Arc<Mutex<Task>>,
}

impl TaskPeer {
    /// Starts a server that promises to keep its task for this long, in milliseconds.
    pub async fn keeping_for(ttl: u64) -> Self {
        let task = Arc::new(Mutex::new(Task::Works));
        let now = Arc::clone(&task);
        let peer = HttpPeer::start(move |request| {
            let task = now.lock().map_or(Task::Forgotten, |task| *task);
            answer(request, task, ttl)
        })
        .await;
        Self { peer, task }
    }

    /// Sets the state of the task.
    pub fn becomes(&self, now: Task) {
        if let Ok(mut task) = self.task.lock() {
            *task = now;
        }
    }
}
