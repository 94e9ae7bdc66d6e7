//! Tasks that outlive the app or a connection.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use sonde_auth::MemoryStore;
use sonde_ipc::*;
use sonde_tests::http_peer::{HttpPeer, Reply, Request};

use crate::window::{App, draft, http, one_text};

/// What the server says of its one task.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Task {
    Works,
    Done,
    Forgotten,
}

/// A server whose one tool is always run as a task, in either way of the protocol.
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

struct Wrecks {
    task: Arc<Mutex<Task>>,
    peer: HttpPeer,
    secrets: Arc<MemoryStore>,
}

impl Wrecks {
    async fn keeping_for(ttl: u64) -> Self {
        let task = Arc::new(Mutex::new(Task::Works));
        let now = Arc::clone(&task);
        let peer = HttpPeer::start(move |request| answer(request, *now.lock().unwrap(), ttl)).await;
        Self {
            task,
            peer,
            secrets: Arc::new(MemoryStore::default()),
        }
    }

    fn becomes(&self, task: Task) {
        *self.task.lock().unwrap() = task;
    }

    /// The app, with a run that waits for its task.
    async fn begun(&self, era: ProtocolMode) -> (App, ServerId, OperationNumber) {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let mut app = App::start_in(folder, self.secrets.clone()).await;
        let mut wrecks = draft("Wrecks", http(self.peer.url()));
        wrecks.era = era;
        let server = app.explorer.add_server(wrecks).await.unwrap();
        app.ready(&server).await;
        let call = app.call(&server, "salvage", "{}").await;
        app.until("the task", |seen| {
            let task = seen.operations.get(&call)?.task.as_ref()?;
            (task.told > 1).then_some(())
        })
        .await;
        (app, server, call)
    }

    /// The app is killed while the task works, and started again.
    async fn killed(&self, mut app: App, server: &str, call: OperationNumber) -> App {
        // What a kill leaves is what the files hold at that time.
        let file = app
            .folder
            .path()
            .join(format!("history/{server}/{call}.json"));
        app.until("the file of the run", |_| file.exists().then_some(()))
            .await;
        let left = Arc::new(tempfile::tempdir().unwrap());
        copy(app.folder.path(), left.path());
        app.explorer.shutdown().await;
        App::start_in(left, self.secrets.clone()).await
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let into = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&into).unwrap();
            copy(&entry.path(), &into);
        } else {
            fs::copy(entry.path(), into).unwrap();
        }
    }
}

/// What was sent for a run, with its cause, in order.
async fn sent(app: &App, server: &str, call: OperationNumber) -> Vec<(String, Option<LogCause>)> {
    let log = app
        .explorer
        .open_log(server.to_owned(), LogFilter::default())
        .await
        .unwrap();
    let rows = app.explorer.log_rows(log.view, log.epoch, 0, 1_000).await;
    let rows = rows.unwrap().into_iter();
    rows.filter(|row| row.kind == LogKind::Request && row.operation == Some(call))
        .filter_map(|row| Some((row.method?, row.cause)))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_resumed_by_the_next_start_of_the_app() {
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let wrecks = Wrecks::keeping_for(600_000).await;
        let (app, server, call) = wrecks.begun(era).await;
        let mut app = wrecks.killed(app, &server, call).await;
        app.explorer.load_history(server.clone()).await.unwrap();
        let left = app.finished(call).await;
        assert!(left.resumable && left.task.unwrap().resumed == 0);
        app.ready(&server).await;
        app.until("the task works on", |seen| {
            let view = seen.operations.get(&call)?;
            let task = view.task.as_ref()?;
            (view.state == OperationState::Running
                && task.status == TaskStatus::Working
                && task.told > 1)
                .then_some(())
        })
        .await;
        wrecks.becomes(Task::Done);
        let view = app.finished(call).await;
        assert_eq!(one_text(&view), "salvaged");
        let task = view.task.as_ref().unwrap();
        assert_eq!((task.status, task.resumed), (TaskStatus::Completed, 1));
        assert!(!view.resumable && view.earlier.is_none());
        let sent = sent(&app, &server, call).await;
        let first = sent.first().unwrap();
        assert_eq!(
            *first,
            ("tasks/get".to_owned(), Some(LogCause::ResumedTask))
        );
        assert!(
            sent.iter()
                .skip(1)
                .all(|(_, cause)| *cause == Some(LogCause::Task))
        );
        let announced = app.seen().connections[&server]
            .detection
            .iter()
            .any(|step| step.code == "task-resumed");
        assert!(announced);
        app.explorer.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_resumed_by_the_next_connection() {
    let wrecks = Wrecks::keeping_for(600_000).await;
    let (mut app, server, call) = wrecks.begun(ProtocolMode::Handshake).await;
    app.explorer.disconnect(server.clone()).await.unwrap();
    let left = app.finished(call).await;
    assert!(left.resumable);
    wrecks.becomes(Task::Done);
    app.ready(&server).await;
    let resumed = app
        .until("the result", |seen| {
            let view = seen.operations.get(&call)?;
            matches!(view.outcome, Some(OperationOutcome::Result { .. })).then(|| view.clone())
        })
        .await;
    assert_eq!(one_text(&resumed), "salvaged");
    app.explorer.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_is_gone_ends_its_run_with_a_word_of_why() {
    for (ttl, word) in [
        (600_000, "The server no longer knows the task."),
        (1, "The task has expired: the server no longer has it."),
    ] {
        let wrecks = Wrecks::keeping_for(ttl).await;
        let (app, server, call) = wrecks.begun(ProtocolMode::Handshake).await;
        let mut app = wrecks.killed(app, &server, call).await;
        wrecks.becomes(Task::Forgotten);
        app.ready(&server).await;
        let view = app
            .until("the error", |seen| {
                let view = seen.operations.get(&call)?;
                matches!(view.outcome, Some(OperationOutcome::ProtocolError { .. }))
                    .then(|| view.clone())
            })
            .await;
        let Some(OperationOutcome::ProtocolError { code, meaning, .. }) = view.outcome else {
            panic!("it was looked for");
        };
        assert_eq!((code, meaning.as_str()), (-32602, word));
        // Nobody asks again, and its file says the same.
        assert!(!view.resumable);
        app.explorer.shutdown().await;
        let mut app = App::start_in(app.folder.clone(), wrecks.secrets.clone()).await;
        app.explorer.load_history(server.clone()).await.unwrap();
        let view = app.finished(call).await;
        assert!(
            matches!(view.outcome, Some(OperationOutcome::ProtocolError { meaning, .. }) if meaning == word)
        );
        app.explorer.shutdown().await;
    }
}
