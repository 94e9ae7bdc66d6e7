use std::{
    fs,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
};

use serde_json::{json, value::RawValue};
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::{OperationRequest, TaskSource, TaskStatus};
use sonde_validation::ArgumentProblem;
use sonde_wire::{Seq, TextPart};

use super::{
    folder::{Folder, UNKNOWN_LAST, last_number},
    run_file::{self, RunFile, Snapshot},
};
use crate::{
    Connection, Explorer, Options,
    log::{LogLimits, Secrets, WireLog},
    operations::{
        LostCode, NewOperation, OperationInput, OperationLabel, OperationNumber, OperationOutcome,
        OperationRecord, OperationState, ResultShape, TaskChange, TaskRun, explain,
    },
    settings::{HistoryLimits, Settings},
};

const ARGUMENTS: &str = r#"{"id": 9007199254740993, "b": null,"a":"hush-hush"}"#;

fn record(number: OperationNumber, server: &str, outcome: OperationOutcome) -> OperationRecord {
    let mut record = OperationRecord::new(NewOperation {
        operation: number,
        server: server.to_owned(),
        generation: 3,
        input: OperationInput::default(),
        request: OperationRequest::tool("send", Some(ARGUMENTS.to_owned())),
        item: None,
        key: None,
    });
    record.key = Some("send".to_owned());
    record.title = Some("Send a letter".to_owned());
    record.state = OperationState::Finished;
    record.micros = Some(1_234);
    record.request_history.wait(1_000, 1_200);
    record.outcome = Some(outcome);
    record
}

fn lost(reason: &str) -> OperationOutcome {
    OperationOutcome::Lost {
        reason: reason.to_owned(),
        code: LostCode::ConnectionLost,
    }
}

/// Returns a run with a result, summarized like a received one.
fn answered(number: OperationNumber, result: &str) -> OperationRecord {
    let raw = TextPart::from(result.to_owned());
    let outcome = sonde_mcp::Outcome::Result {
        raw: raw.clone(),
        is_error: false,
        seq: Seq(1),
    };
    let revision = Some("2025-11-25");
    let mut record = record(number, "s", explain(&outcome, ResultShape::Tool, revision));
    record.revision = revision.map(str::to_owned);
    record.result = Some(raw);
    record
}

/// Returns a finding that needs the list of skills.
fn finding(read: &str) -> FindingView {
    FindingView::from(&Finding::new(&rules::SKILL_DIGEST).with("read", read))
}

/// Returns a violation of the output schema.
fn problem() -> ArgumentProblem {
    ArgumentProblem {
        instance_path: "/n".to_owned(),
        schema_path: "/properties/n/type".to_owned(),
        keyword: "type".to_owned(),
        message: "1.10 is not a string.".to_owned(),
        missing: None,
    }
}

fn bytes(record: &OperationRecord) -> Vec<u8> {
    Snapshot::of(record).unwrap().to_bytes(str::to_owned)
}

fn parsed(bytes: &[u8]) -> RunFile {
    run_file::parse(bytes).unwrap()
}

#[test]
fn a_run_comes_back_as_it_was() {
    let mut before = answered(
        7,
        r#"{"content":[{"type":"text","text":"Dear é"},{"type":"odd"}],"structuredContent":{"n":1.10}}"#,
    );
    before.started_at = 1_700_000_000_123;
    before.params = Some(Arc::new(r#"{"_meta":{"n":1.0}}"#.to_owned()));
    before.rounds = 2;
    before.label = OperationLabel {
        name: Some("Letter".to_owned()),
        note: Some("to\nAda".to_owned()),
        pinned: true,
    };
    let Some(OperationOutcome::Result {
        content,
        structured: Some(structured),
        ..
    }) = &mut before.outcome
    else {
        panic!("no structured content");
    };
    content[0].findings.push(finding("a"));
    structured.problems = vec![problem()];
    let after = parsed(&bytes(&before)).into_record(7, "s");
    assert_eq!(after.arguments.as_deref().unwrap(), ARGUMENTS);
    assert_eq!(after.params, before.params);
    assert_eq!(after.input.params.as_ref(), before.params.as_deref());
    assert_eq!(after.outcome, before.outcome);
    assert_eq!(after.result.unwrap().get(), before.result.unwrap().get());
    assert_eq!((after.method, after.target), (before.method, before.target));
    assert_eq!((after.key, after.title), (before.key, before.title));
    assert_eq!(
        (
            after.started_at,
            after.micros,
            after.request_history.waited()
        ),
        (1_700_000_000_123, Some(1_234), 200)
    );
    assert_eq!((after.rounds, after.label), (2, before.label));
    assert_eq!(after.earlier, Some(Default::default()));
    assert_eq!(after.request_seq, None);
}

#[test]
fn the_errors_of_a_result_come_back() {
    let before = answered(1, r#"{"content":[],"structuredContent":[1]}"#);
    let after = parsed(&bytes(&before)).into_record(1, "s");
    assert_eq!(
        after.outcome.as_ref().map(OperationOutcome::issues),
        Some(2)
    );
    assert_eq!(after.outcome, before.outcome);
}

#[test]
fn every_way_to_end_comes_back() {
    let refusal = sonde_mcp::Outcome::ProtocolError {
        code: -32602,
        message: "No.".to_owned(),
        data: Some(Arc::from(
            RawValue::from_string("[1.0]".to_owned()).unwrap(),
        )),
        seq: Seq(1),
    };
    let mut refused = record(1, "s", explain(&refusal, ResultShape::Tool, None));
    refused.error = Some(Arc::new(
        json!({"code": -32602, "message": "No."})
            .to_string()
            .replace('}', ",\"data\":[1.0]}"),
    ));
    let problem = "It is no object.".to_owned();
    let others = [
        OperationOutcome::BadShape { problem },
        OperationOutcome::TimedOut { hard: true },
        OperationOutcome::Sent,
        OperationOutcome::Cancelled,
        OperationOutcome::StoppedWaiting,
        lost("It ended."),
    ];
    let others = others.map(|outcome| record(1, "s", outcome));
    for before in [refused].into_iter().chain(others) {
        let after = parsed(&bytes(&before)).into_record(1, "s");
        assert_eq!(after.outcome, before.outcome);
        assert_eq!(after.error, before.error);
    }
}

#[test]
fn the_task_of_a_run_comes_back_with_the_history_of_its_status() {
    let mut before = record(1, "s", OperationOutcome::StoppedWaiting);
    let mut task = TaskRun::new("t1".to_owned(), None, 7);
    task.status = TaskStatus::Working;
    task.message = Some("At work".to_owned());
    task.created_at = Some("then".to_owned());
    task.ttl = Some(60_000);
    before.task = Some(task.clone());
    let after = parsed(&bytes(&before)).into_record(1, "s");
    assert_eq!(after.task.as_ref(), Some(&task));

    let change = |at: u64| TaskChange {
        at,
        status: TaskStatus::Working,
        message: Some(format!("At work since {at}")),
        source: TaskSource::Notified,
    };
    task.changes = (0..50).map(change).collect();
    before.task = Some(task.clone());
    let after = parsed(&bytes(&before)).into_record(1, "s");
    assert_eq!(after.task.as_ref(), Some(&task));

    // A file may have more changes than Sonde writes.
    task.changes.push(change(50));
    before.task = Some(task.clone());
    let after = parsed(&bytes(&before)).into_record(1, "s");
    task.changes.remove(0);
    assert_eq!(after.task, Some(task));
}

#[test]
fn what_is_secret_or_was_is_in_no_file() {
    let log = WireLog::new("s".to_owned(), LogLimits::default());
    let hides = |secret: &str| {
        log.set_secrets(Secrets {
            values: vec![secret.into()],
            headers: Vec::new(),
        });
        log.redaction()
    };
    let mut before = answered(
        1,
        r#"{"content":[{"type":"text","text":"sesame-2 hush-hush"}]}"#,
    );
    before.label.note = Some("hush-hush".to_owned());
    let mut task = TaskRun::new("t1".to_owned(), None, 7);
    task.changes = vec![TaskChange {
        at: 7,
        status: TaskStatus::Working,
        message: Some("sesame-2 and hush-hush".to_owned()),
        source: TaskSource::Polled,
    }];
    before.task = Some(task);
    if let Some(OperationOutcome::Result { findings, .. }) = &mut before.outcome {
        findings.push(finding("sesame-2 hush-hush"));
    }
    before.redaction = Some(hides("hush-hush"));
    let now = hides("sesame-2");
    let written = Snapshot::of(&before)
        .unwrap()
        .to_bytes(|text| now.text(text));
    let text = String::from_utf8(written).unwrap();
    assert!(
        !text.contains("hush-hush") && !text.contains("sesame-2"),
        "{text}"
    );
    let after = parsed(text.as_bytes()).into_record(1, "s");
    assert!(after.earlier.unwrap().arguments_redacted);
    assert!(after.result.is_some() && after.arguments.unwrap().contains("secret"));

    before.private = true;
    assert!(Snapshot::of(&before).is_none());
}

#[test]
fn what_is_large_is_stored_without_its_result_or_not_at_all() {
    let text = "x".repeat(4 * 1024 * 1024);
    let mut large = answered(
        1,
        &format!(
            r#"{{"content":[{{"type":"text","text":"{text}"}}],"structuredContent":{{"n":1.10}}}}"#
        ),
    );
    if let Some(OperationOutcome::Result {
        content,
        structured: Some(structured),
        ..
    }) = &mut large.outcome
    {
        content[0].findings.push(finding("a"));
        structured.problems = vec![problem()];
    }
    let written = bytes(&large);
    assert!(written.len() < 10_000);
    let after = parsed(&written).into_record(1, "s");
    assert!(after.earlier.unwrap().result_dropped && after.result.is_none());
    let Some(outcome) = after.outcome else {
        panic!("no result");
    };
    assert_eq!(outcome.issues(), 2);
    let OperationOutcome::Result { bytes, .. } = outcome else {
        panic!("no result");
    };
    assert!(bytes > text.len() as u64);

    let mut long = record(1, "s", OperationOutcome::Cancelled);
    long.arguments = Some(Arc::new(text));
    assert!(Snapshot::of(&long).is_none());
}

#[test]
fn files_of_every_version_lose_nothing() {
    let newest = include_str!("../../../tests/files/run-1.json");
    let file = parsed(newest.as_bytes());
    let record = file.into_record(1, "s");
    assert_eq!(String::from_utf8(bytes(&record)).unwrap(), newest);
}

fn folder() -> (tempfile::TempDir, Folder) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = Folder::new(temporary.path().join("history"));
    (temporary, folder)
}

fn file_of(record: &OperationRecord, length: usize) -> Vec<u8> {
    let mut written = bytes(record);
    written.resize(length.max(written.len()), b' ');
    written
}

const MIB: usize = 1 << 20;

#[test]
fn the_oldest_go_beyond_each_limit_but_no_pinned_one() {
    let (_temporary, mut folder) = folder();
    let plain = record(1, "s", OperationOutcome::Cancelled);
    let mut pinned = record(1, "s", OperationOutcome::Cancelled);
    pinned.label.pinned = true;
    for run in 1..=6 {
        let is_pinned = [2, 5].contains(&run);
        let of = if is_pinned { &pinned } else { &plain };
        folder.write("s", run, &file_of(of, 0)).unwrap();
    }
    let limits = |runs, server_mib, total_mib| HistoryLimits {
        runs,
        server_mib,
        total_mib,
    };
    let kept = |folder: &mut Folder, server: &str| -> Vec<OperationNumber> {
        let found = folder.read(server, 1_000).unwrap();
        found.runs.into_iter().map(|(run, _)| run).collect()
    };
    folder.trim(limits(3, 10, 10)).unwrap();
    assert_eq!(kept(&mut folder, "s"), [2, 3, 4, 5, 6]);

    // A run that was pinned meanwhile is checked again.
    folder.write("s", 4, &file_of(&pinned, 0)).unwrap();
    folder.write("s", 7, &file_of(&plain, 2 * MIB)).unwrap();
    folder.write("s", 8, &file_of(&plain, 2 * MIB)).unwrap();
    folder.trim(limits(500, 3, 10)).unwrap();
    assert_eq!(kept(&mut folder, "s"), [2, 4, 5, 8]);
    // Undoing a deletion stores a run again, but only if it was stored when the user deleted it.
    folder.delete("s", 4).unwrap();
    folder.delete_runs("s", &[8, 9]).unwrap();
    for (run, stored) in [(1, false), (4, true), (7, false), (8, true), (9, false)] {
        assert_eq!(folder.has("s", run).unwrap(), stored, "{run}");
    }
    folder.write("s", 4, &file_of(&pinned, 0)).unwrap();
    folder.write("s", 8, &file_of(&plain, 2 * MIB)).unwrap();

    folder.write("t", 3, &file_of(&plain, 2 * MIB)).unwrap();
    folder.write("t", 9, &file_of(&plain, 2 * MIB)).unwrap();
    folder.trim(limits(500, 10, 5)).unwrap();
    assert_eq!(kept(&mut folder, "s"), [2, 4, 5, 8]);
    assert_eq!(kept(&mut folder, "t"), [9]);
}

#[test]
fn what_is_newer_or_damaged_hides_nothing_else() {
    let (temporary, mut folder) = folder();
    let of = temporary.path().join("history").join("s");
    let plain = record(1, "s", OperationOutcome::Cancelled);
    folder.write("s", 1, &file_of(&plain, 0)).unwrap();
    let newer = r#"{"version": 2, "method": 7}"#;
    fs::write(of.join("2.json"), newer).unwrap();
    fs::write(of.join("3.json"), &file_of(&plain, 0)[..40]).unwrap();
    fs::write(of.join("9.json"), file_of(&plain, 0)).unwrap();
    fs::write(of.join("notes.txt"), "mine").unwrap();
    assert_eq!(last_number(temporary.path()), 9);

    // A new index, as after a restart, which knows these files.
    let mut folder = Folder::new(temporary.path().join("history"));
    let found = folder.read("s", 8).unwrap();
    assert_eq!(found.runs.len(), 1);
    assert_eq!((found.newer, found.damaged.len()), (1, 1));
    assert!(found.damaged[0].contains("3.damaged-1.json"), "{found:?}");
    assert_eq!(folder.read("s", 8).unwrap().damaged.len(), 0);
    let limits = HistoryLimits {
        runs: 1,
        server_mib: 1,
        total_mib: 1,
    };
    folder.trim(limits).unwrap();
    assert_eq!(fs::read_to_string(of.join("2.json")).unwrap(), newer);
    assert!(of.join("9.json").exists() && !of.join("1.json").exists());
    assert!(of.join("notes.txt").exists());

    folder.write("s", 10, &file_of(&plain, 0)).unwrap();
    folder.delete_runs("s", &[1, 9, 10]).unwrap();
    assert!(of.join("2.json").exists() && of.join("3.damaged-1.json").exists());
    assert!(!of.join("9.json").exists() && !of.join("10.json").exists());
    folder.delete_server("s").unwrap();
    assert!(!of.exists());
    folder.write("s", 11, &file_of(&plain, 0)).unwrap();
    folder.delete_runs("s", &[11]).unwrap();
    assert!(!of.exists());
}

#[cfg(unix)]
#[test]
fn no_number_is_used_again_where_runs_cannot_be_listed() {
    let (temporary, mut folder) = folder();
    folder.write("s", 7, b"{}").unwrap();
    let history = temporary.path().join("history");
    fs::write(history.join("notes.txt"), "mine").unwrap();
    assert_eq!(last_number(temporary.path()), 7);
    let endless = |path: PathBuf| std::os::unix::fs::symlink(&path, &path).unwrap();
    endless(history.join("t"));
    assert_eq!(last_number(temporary.path()), UNKNOWN_LAST);
    folder.write("s", UNKNOWN_LAST + 1, b"{}").unwrap();
    assert_eq!(last_number(temporary.path()), UNKNOWN_LAST + 1);
    fs::remove_dir_all(&history).unwrap();
    assert_eq!(last_number(temporary.path()), 0);
    endless(history);
    assert_eq!(last_number(temporary.path()), UNKNOWN_LAST);
}

#[test]
fn no_id_leads_out_of_the_folder() {
    let (temporary, mut folder) = folder();
    fs::write(temporary.path().join("1.json"), "mine").unwrap();
    for id in ["..", "", "a/b", "../history", &"x".repeat(65)] {
        assert!(folder.write(id, 1, b"x").is_err() && folder.delete(id, 1).is_err());
        assert!(folder.delete_server(id).is_err() && folder.read(id, 1).is_err());
    }
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn the_files_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let (temporary, mut folder) = folder();
    folder.write("s", 1, b"{}").unwrap();
    let root = temporary.path().join("history");
    for (path, mode) in [
        (root.clone(), 0o700),
        (root.join("s"), 0o700),
        (root.join("s/1.json"), 0o600),
    ] {
        let found = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{}", path.display());
    }
}

/// The app in a folder, with one server.
struct App {
    explorer: Explorer,
    server: String,
    history: PathBuf,
}

impl App {
    async fn start(folder: &tempfile::TempDir) -> Self {
        let explorer = Explorer::open(Options::for_tests(folder.path())).await;
        // A first start adds the demo server.
        let server = explorer.read(|state| state.servers().order()[0].clone());
        let history = folder.path().join("history").join(&server);
        Self {
            explorer,
            server,
            history,
        }
    }

    /// Something of this server ended.
    fn ran(&self, result: &str) -> OperationNumber {
        let core = &self.explorer.core;
        let number = core.services.last_operation.fetch_add(1, Ordering::Relaxed) + 1;
        let mut record = answered(number, result);
        self.server.clone_into(&mut record.server);
        let connection = self.connection();
        connection.update(|state| state.operations.restore(vec![record]));
        core.stored_runs.changed(self.server.clone(), number);
        number
    }

    fn connection(&self) -> Connection {
        self.explorer.connection(&self.server).unwrap()
    }

    fn runs(&self) -> Vec<OperationNumber> {
        let numbers = |state: &sonde_client::State| {
            let all = state.operations.iter();
            all.map(|record| record.number).collect()
        };
        self.connection().read(numbers)
    }

    async fn load(&self) {
        let server = self.server.clone();
        self.explorer.load_history(server).await.unwrap();
    }

    async fn found(&self, search: &str) -> Vec<OperationNumber> {
        let connection = self.connection();
        let found = connection.search_operations(search.to_owned());
        found.await.unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.history).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

const HELLO: &str = r#"{"content":[{"type":"text","text":"Hello, Ada"}]}"#;
const TIDES: &str = r#"{"content":[{"type":"text","text":"high tide"}]}"#;

#[tokio::test]
async fn runs_survive_a_restart_with_their_names_and_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    let (hello, tides) = (app.ran(HELLO), app.ran(TIDES));
    let label = OperationLabel {
        name: Some("  Greeting ".to_owned()),
        note: Some(" ".to_owned()),
        pinned: true,
    };
    app.connection()
        .label_operation(hello, label)
        .await
        .unwrap();
    assert_eq!(app.found("").await, [tides, hello]);
    app.explorer.shutdown().await;

    let app = App::start(&folder).await;
    assert!(app.runs().is_empty(), "nothing is read before it is shown");
    let newer = app.ran(TIDES);
    assert!(newer > tides);
    app.load().await;
    app.load().await;
    assert_eq!(app.runs(), [hello, tides, newer]);
    let label = app.connection().read(|state| {
        let record = state.operations.get(hello).unwrap();
        assert!(record.earlier.is_some());
        record.label.clone()
    });
    assert_eq!(
        (label.name.as_deref(), label.note),
        (Some("Greeting"), None)
    );
    assert!(label.pinned);
    assert_eq!(app.found("ADA hello,").await, [hello]);
    assert_eq!(app.found("greet").await, [hello]);
    assert_eq!(app.found("tide 9007199254740993").await, [newer, tides]);
    assert!(app.found("tide Ada").await.is_empty());
    app.explorer.shutdown().await;
}

#[test]
fn a_run_in_progress_is_stored_as_one_that_the_app_did_not_see_the_end_of() {
    let mut running = answered(7, HELLO);
    running.state = OperationState::Running;
    (running.outcome, running.result) = (None, None);
    let back = parsed(&bytes(&running)).into_record(7, "s");
    let Some(OperationOutcome::Lost { reason, code }) = &back.outcome else {
        panic!("{:?}", back.outcome);
    };
    assert_eq!(*code, LostCode::AppClosed);
    assert!(reason.starts_with("Sonde was closed"), "{reason}");
}

#[tokio::test]
async fn deleted_runs_leave_their_files_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    let first = app.ran(HELLO);
    app.explorer.shutdown().await;
    assert_eq!(app.files(), ["1.json"]);

    let app = App::start(&folder).await;
    app.load().await;
    let second = app.ran(TIDES);
    let delete = |runs| app.explorer.delete_operations(runs);
    let deletion = delete(vec![first, second]).await.unwrap().unwrap();
    let for_good = delete(vec![app.ran(TIDES)]).await.unwrap();
    assert!(for_good.is_some());
    app.explorer.undo_deletion(deletion).await.unwrap();
    app.explorer.shutdown().await;
    assert_eq!(app.files(), ["1.json", "2.json"]);

    // The runs of a server that was not shown yet are removed and restored with it.
    let app = App::start(&folder).await;
    let removed = app.explorer.remove_server(app.server.clone()).await;
    app.explorer.shutdown().await;
    assert!(app.files().is_empty() && !app.history.exists());
    app.explorer.undo_deletion(removed.unwrap()).await.unwrap();
    assert_eq!(app.runs(), [first, second]);
}

#[tokio::test]
async fn a_server_that_comes_back_has_its_files_again() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    app.ran(HELLO);
    let removed = app.explorer.remove_server(app.server.clone()).await;
    app.explorer.undo_deletion(removed.unwrap()).await.unwrap();
    app.explorer.shutdown().await;
    assert_eq!(app.files(), ["1.json"]);
}

#[tokio::test]
async fn a_run_that_is_only_in_its_file_stays_there_until_its_server_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    let dropped = app.ran(HELLO);
    app.ran(TIDES);
    app.explorer.shutdown().await;

    let app = App::start(&folder).await;
    app.load().await;
    let connection = app.connection();
    connection.update(|state| state.operations.remove(dropped));
    let removed = app.explorer.remove_server(app.server.clone()).await;
    removed.unwrap();
    // Held, so that the server could still come back.
    let deletions = app.explorer.core.state(|state| state.deletions.take_all());
    app.explorer.shutdown().await;
    assert_eq!(app.files(), ["1.json"]);
    drop(deletions);
}

#[tokio::test]
async fn nothing_is_stored_where_that_is_off() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    let kept = app.ran(HELLO);
    app.explorer.shutdown().await;

    let app = App::start(&folder).await;
    let history = HistoryLimits {
        runs: 0,
        ..HistoryLimits::default()
    };
    let settings = Settings {
        history,
        ..Settings::default()
    };
    app.explorer.update_settings(settings).await.unwrap();
    app.ran(HELLO);
    app.load().await;
    let label = OperationLabel {
        name: Some("Kept".to_owned()),
        ..OperationLabel::default()
    };
    app.connection().label_operation(kept, label).await.unwrap();
    app.explorer.shutdown().await;
    assert_eq!(app.files(), ["1.json"]);
    let text = fs::read_to_string(app.history.join("1.json")).unwrap();
    assert!(text.contains("Kept"), "{text}");
}

#[tokio::test]
async fn damaged_and_newer_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::start(&folder).await;
    for _ in 0..3 {
        app.ran(HELLO);
    }
    app.explorer.shutdown().await;
    fs::create_dir(app.history.join("4.json")).unwrap();
    fs::write(app.history.join("1.json"), "{\"version\": 1, ").unwrap();
    fs::write(app.history.join("2.json"), "{\"version\": 1000}").unwrap();

    let app = App::start(&folder).await;
    app.load().await;
    assert_eq!(app.runs(), [3]);
    let codes = app.explorer.read(|state| {
        let notices = state.notices().iter();
        let told = notices.map(|one| (one.code.clone(), one.title.clone()));
        told.collect::<Vec<_>>()
    });
    let told = |code: &str, title: &str| {
        let found = codes
            .iter()
            .any(|one| one.0 == code && one.1.starts_with(title));
        assert!(found, "{code}: {codes:?}");
    };
    told("history_damaged", "1 stored run was damaged and set aside.");
    told("history_newer", "1 run was stored by a newer version");
    told("runs_unreadable", "1 stored run could not be read");
    app.explorer.shutdown().await;
    let all = ["1.damaged-1.json", "2.json", "3.json", "4.json"];
    assert_eq!(app.files(), all);

    // They are restored with their server, and deleted with it.
    let app = App::start(&folder).await;
    let remove = || app.explorer.remove_server(app.server.clone());
    let removed = remove().await.unwrap();
    app.explorer.undo_deletion(removed).await.unwrap();
    app.explorer.shutdown().await;
    assert_eq!(app.files(), all);
    let app = App::start(&folder).await;
    let removed = app.explorer.remove_server(app.server.clone()).await;
    app.explorer
        .forget_deletion(removed.unwrap())
        .await
        .unwrap();
    app.explorer.shutdown().await;
    assert!(!app.history.exists());
}
