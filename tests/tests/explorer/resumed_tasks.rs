//! Tasks that outlive the app or a connection.

use std::{fs, path::Path, sync::Arc};

use sonde_auth::MemoryStore;
use sonde_ipc::*;
use sonde_tests::{
    app::{App, one_text},
    client::http,
    task_peer::{Task, TaskPeer},
};

struct Wrecks {
    server: TaskPeer,
    secrets: Arc<MemoryStore>,
}

impl Wrecks {
    async fn keeping_for(ttl: u64) -> Self {
        Self {
            server: TaskPeer::keeping_for(ttl).await,
            secrets: Arc::new(MemoryStore::default()),
        }
    }

    /// Starts the app, with a run that waits for its task.
    async fn begun(&self, protocol: ProtocolMode) -> (App, ServerId, OperationNumber) {
        let app = App::keeping(self.secrets.clone()).await;
        let wrecks = http(self.server.peer.url());
        let server = app.add_as(protocol, "Wrecks", wrecks).await;
        app.ready(&server).await;
        let call = app.call(&server, "salvage", "{}").await;
        app.until("the task", |seen| {
            let task = seen.operations.get(&call)?.task.as_ref()?;
            (task.told > 1).then_some(())
        })
        .await;
        (app, server, call)
    }

    /// Kills the app while the task is working, and starts it again.
    async fn killed(&self, app: App, server: &str, call: OperationNumber) -> App {
        // What a kill leaves is what the files hold at that time.
        let file = app
            .folder
            .path()
            .join(format!("history/{server}/{call}.json"));
        app.holds("the file of the run", |_| file.exists()).await;
        let left = Arc::new(tempfile::tempdir().unwrap());
        copy(app.folder.path(), left.path());
        app.shutdown().await;
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

/// Returns the requests of a run with their causes, in order.
async fn sent(app: &App, server: &str, call: OperationNumber) -> Vec<(String, Option<LogCause>)> {
    let rows = app.log(server, LogFilter::default()).await.into_iter();
    rows.filter(|row| row.kind == LogKind::Request && row.operation == Some(call))
        .filter_map(|row| Some((row.method?, row.cause)))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_resumed_by_the_next_start_of_the_app() {
    for era in [ProtocolMode::Handshake, ProtocolMode::Stateless] {
        let wrecks = Wrecks::keeping_for(600_000).await;
        let (app, server, call) = wrecks.begun(era).await;
        let app = wrecks.killed(app, &server, call).await;
        app.load_history(server.clone()).await.unwrap();
        let left = app.finished(call).await;
        let task = left.task.unwrap();
        assert!(left.resumable && task.resumed == 0);
        let history = |task: &TaskRun| -> Vec<_> {
            let changes = task.changes.iter();
            changes.map(|one| (one.status, one.source)).collect()
        };
        let begun = (TaskStatus::Working, TaskSource::Created);
        assert_eq!(history(&task), [begun]);
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
        wrecks.server.becomes(Task::Done);
        let view = app.finished(call).await;
        assert_eq!(one_text(&view), "salvaged");
        let task = view.task.as_ref().unwrap();
        assert_eq!((task.status, task.resumed), (TaskStatus::Completed, 1));
        assert!(!view.resumable && view.earlier.is_none());
        // What was known before the kill, and what came after it.
        let all = [begun, (TaskStatus::Completed, TaskSource::Polled)];
        assert_eq!(history(task), all);
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
            .facts
            .detection
            .iter()
            .any(|one| one.step.code == "task-resumed");
        assert!(announced);
        let app = app.again().await;
        app.load_history(server.clone()).await.unwrap();
        let stored = app.finished(call).await.task.unwrap();
        assert_eq!(history(&stored), all);
        app.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_resumed_by_the_next_connection() {
    let wrecks = Wrecks::keeping_for(600_000).await;
    let (app, server, call) = wrecks.begun(ProtocolMode::Handshake).await;
    app.disconnect(server.clone()).await.unwrap();
    let left = app.finished(call).await;
    assert!(left.resumable);
    wrecks.server.becomes(Task::Done);
    app.ready(&server).await;
    let resumed = app
        .until("the result", |seen| {
            let view = seen.operations.get(&call)?;
            matches!(view.outcome, Some(OperationOutcome::Result { .. })).then(|| view.clone())
        })
        .await;
    assert_eq!(one_text(&resumed), "salvaged");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_is_gone_ends_its_run_with_a_word_of_why() {
    for (ttl, word) in [
        (600_000, "The server no longer knows the task."),
        (1, "The task has expired: the server no longer has it."),
    ] {
        let wrecks = Wrecks::keeping_for(ttl).await;
        let (app, server, call) = wrecks.begun(ProtocolMode::Handshake).await;
        let app = wrecks.killed(app, &server, call).await;
        wrecks.server.becomes(Task::Forgotten);
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
        let app = app.again().await;
        app.load_history(server.clone()).await.unwrap();
        let view = app.finished(call).await;
        assert!(
            matches!(view.outcome, Some(OperationOutcome::ProtocolError { meaning, .. }) if meaning == word)
        );
        app.shutdown().await;
    }
}
