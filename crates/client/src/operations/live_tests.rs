use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use sonde_mcp::{
    CatalogItem, ItemDetail, OperationEvent, OperationId, OperationRequest, Outcome, Progress,
    Task, TaskSource, TaskStatus, TaskStep,
};
use sonde_validation::ArgumentProblem;
use sonde_wire::{Annotation, Body, Direction, Entry, EntryKind, Label, MessageKind, Seq, Tap};

use super::{
    RESOURCES_READ,
    history::{NewOperation, OperationRecord},
    live,
    operation::{OperationInput, OperationState},
    outcome::OperationOutcome,
    source::DocumentSource,
    task::{self, TaskRun},
};
use crate::{
    Connection,
    catalogs::CatalogKind,
    config::{ServerConfig, Transport},
    log::{Secrets, WireLog},
    testing::{self, Notices},
};

/// Time from each request to its response, in microseconds.
const ANSWERED_AFTER: u64 = 1_500;

struct App {
    connection: Connection,
    owner: Arc<Notices>,
    log: Arc<WireLog>,
}

impl App {
    fn start() -> Self {
        let transport = Transport::Demo { http: false };
        let (connection, owner) = testing::connection(ServerConfig::new("S", transport));
        let log = Arc::clone(connection.log());
        connection.core.state(|state| {
            state.operations.add(OperationRecord::new(NewOperation {
                operation: 1,
                server: "s".to_owned(),
                generation: 1,
                input: OperationInput::default(),
                request: OperationRequest::tool("t", None),
                item: None,
                key: None,
            }))
        });
        Self {
            connection,
            owner,
            log,
        }
    }

    fn record(&self, direction: Direction, label: Label) -> Seq {
        self.log.record(Entry {
            direction,
            kind: EntryKind::Message,
            body: Body::Text(Arc::new("{}".to_owned())),
            dropped: 0,
            exchange: None,
            label,
            findings: Vec::new(),
        })
    }

    /// A request and its response, both with time before and after them. The response is interpreted after
    /// it was recorded.
    async fn asked(&self, id: &str) -> Seq {
        let label = |kind| Label {
            kind: Some(kind),
            id: Some(id.into()),
            ..Label::default()
        };
        pass(700).await;
        self.record(
            Direction::Out,
            Label {
                operation: Some(1),
                ..label(MessageKind::Request)
            },
        );
        pass(ANSWERED_AFTER).await;
        let seq = self.record(Direction::In, Label::default());
        pass(900).await;
        self.log.annotate(
            seq,
            Annotation {
                label: Some(label(MessageKind::Response)),
                findings: Vec::new(),
            },
        );
        seq
    }

    fn apply(&self, event: OperationEvent) {
        live::apply(&self.connection.core, &self.log, OperationId(1), event);
    }

    fn task(&self) -> (OperationState, TaskRun) {
        self.connection.read(|state| {
            let record = state.operations.get(1).unwrap();
            (record.state, record.task.clone().unwrap())
        })
    }

    /// Turns the run into a read of a skill, whose list arrives after the start of the run.
    fn read_skill(&self) {
        let entry = r#"{"uri":"skill://a/SKILL.md","resources":"dynamic"}"#;
        let skill = CatalogItem {
            key: "skill://a/SKILL.md".to_owned(),
            name: "a".to_owned(),
            title: None,
            description: None,
            detail: ItemDetail::Skill,
            raw: Arc::from(RawValue::from_string(entry.to_owned()).unwrap()),
            findings: Vec::new(),
        };
        self.connection.core.state(|state| {
            let record = state.operations.get_mut(1).unwrap();
            record.method = RESOURCES_READ.to_owned();
            record.input.target = Some(skill.key.clone());
            let skills = state.catalogs.entry(CatalogKind::Skills);
            Arc::make_mut(&mut skills.listed).items = Arc::new(vec![skill].into());
        });
    }

    fn end(&self, outcome: Outcome) -> Option<u64> {
        let event = OperationEvent::Finished(outcome);
        live::apply(&self.connection.core, &self.log, OperationId(1), event);
        self.connection
            .read(|state| state.operations.get(1).unwrap().micros)
    }
}

async fn pass(micros: u64) {
    tokio::time::advance(Duration::from_micros(micros)).await;
}

fn result(seq: Seq) -> Outcome {
    Outcome::Result {
        raw: r#"{"content":[]}"#.to_owned().into(),
        is_error: false,
        seq,
    }
}

#[tokio::test(start_paused = true)]
async fn the_duration_of_a_run_is_that_of_its_two_frames_in_the_wire_log() {
    let app = App::start();
    let seq = app.asked("1").await;
    assert_eq!(app.end(result(seq)), Some(ANSWERED_AFTER));
    let response = app.log.row(seq.0).unwrap();
    assert_eq!(response.micros, Some(ANSWERED_AFTER));
}

#[tokio::test(start_paused = true)]
async fn progress_is_gathered_and_the_end_is_told_at_once() {
    let app = App::start();
    let (told, gathered) = app.owner.changes();
    app.apply(OperationEvent::Progress(Progress {
        progress: 1.0,
        total: None,
        message: None,
    }));
    assert_eq!(app.owner.changes(), (told, gathered + 1));
    app.end(Outcome::Cancelled);
    assert!(app.owner.changes().0 > told);
}

#[tokio::test(start_paused = true)]
async fn a_run_of_several_requests_lasts_from_the_first_to_the_last_response() {
    let app = App::start();
    app.asked("1").await;
    let seq = app.asked("2").await;
    let between = 900 + 700;
    assert_eq!(app.end(result(seq)), Some(2 * ANSWERED_AFTER + between));
    let response = app.log.row(seq.0).unwrap();
    assert_eq!(response.micros, Some(ANSWERED_AFTER));
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_response_lasts_until_its_end() {
    let app = App::start();
    app.asked("1").await;
    assert_eq!(app.end(Outcome::Cancelled), Some(ANSWERED_AFTER + 900));
}

#[tokio::test]
async fn violations_of_the_output_schema_count_in_the_history() {
    let app = App::start();
    let schema = r#"{"items":{"type":"string"}}"#.to_owned();
    app.connection.core.state(|state| {
        let record = state.operations.get_mut(1).unwrap();
        record.output_schema = Some(Arc::from(RawValue::from_string(schema).unwrap()));
    });
    let raw = r#"{"content":[],"structuredContent":[1,2]}"#.to_owned();
    let seq = app.record(Direction::In, Label::default());
    app.end(Outcome::Result {
        raw: raw.into(),
        is_error: false,
        seq,
    });
    let bytes = || app.connection.read(|state| state.operations.bytes());
    let before = bytes();
    app.connection.wait_for_tasks().await;
    let problems = app.connection.read(|state| {
        let outcome = state.operations.get(1)?.outcome.as_ref()?;
        let OperationOutcome::Result { structured, .. } = outcome else {
            return None;
        };
        Some(structured.as_ref()?.problems.clone())
    });
    let problems = problems.unwrap();
    assert_eq!(problems.len(), 2);
    let weight: usize = problems.iter().map(ArgumentProblem::weight).sum();
    assert_eq!(bytes(), before + weight as u64);
    let marked = app.log.detail(seq.0).unwrap().findings;
    assert_eq!(marked.len(), 2);
}

#[tokio::test]
async fn the_idle_timer_restarts_when_the_response_stream_is_resumed() {
    let app = App::start();
    app.apply(OperationEvent::Sent {
        idle: Duration::from_secs(60),
        hard: Duration::from_secs(600),
    });
    app.apply(OperationEvent::Waiting);
    let state = &app.connection.core;
    state.state(|state| {
        let deadline = &mut state.operations.get_mut(1).unwrap().deadline;
        deadline.as_mut().unwrap().idle_at = 0;
    });
    live::resumed(state, OperationId(1));
    app.connection.read(|state| {
        let record = state.operations.get(1).unwrap();
        assert_eq!(record.state, OperationState::Running);
        assert_ne!(record.deadline.unwrap().idle_at, 0);
    });
}

#[tokio::test(start_paused = true)]
async fn the_task_of_a_run_is_kept_with_the_changes_of_its_status() {
    let app = App::start();
    let (idle, hard) = (Duration::from_secs(60), Duration::from_secs(600));
    app.apply(OperationEvent::Sent { idle, hard });
    let told = |status, message: &str| OperationEvent::Task {
        task: Task {
            id: "t1".to_owned(),
            status,
            message: Some(message.to_owned()),
            created_at: Some("x".repeat(300)),
            last_updated_at: None,
            ttl: Some(60_000),
            poll_interval: Some(5_000),
        },
        source: TaskSource::Polled,
    };
    app.apply(told(TaskStatus::Working, "a"));
    app.apply(told(TaskStatus::Working, "a"));
    app.apply(OperationEvent::TaskStep(TaskStep::Wait(
        Duration::from_secs(5),
    )));
    let (state, task) = app.task();
    assert_eq!(state, OperationState::Running);
    assert_eq!(
        (task.id.as_str(), task.told, task.changes.len()),
        ("t1", 2, 1)
    );
    assert!(matches!(task.step, Some(task::TaskStep::Wait { at }) if at >= task.since + 5_000));
    // Silence does not count for a task.
    let deadline = || {
        app.connection
            .read(|state| state.operations.get(1)?.deadline)
    };
    let limits = deadline();
    assert!(limits.is_some_and(|limits| limits.idle_at == limits.hard_at));
    // Its limits go on while a request about it waits for a token.
    for parked in [true, false] {
        app.apply(OperationEvent::Parked { parked });
        assert_eq!(deadline(), limits);
    }

    app.apply(told(TaskStatus::InputRequired, "b"));
    assert_eq!(app.task().0, OperationState::InputRequired);
    app.apply(OperationEvent::Cancelling);
    app.apply(told(TaskStatus::Working, "c"));
    assert_eq!(app.task().0, OperationState::Cancelling);
    app.apply(OperationEvent::CancelFailed("no".to_owned()));
    let (state, task) = app.task();
    assert_eq!(state, OperationState::Running);
    assert_eq!(task.cancel_failed.as_deref(), Some("No."));
    for change in 0..100 {
        app.apply(told(TaskStatus::Working, &change.to_string()));
    }
    assert_eq!(app.task().1.changes.len(), 50);

    app.end(Outcome::StoppedWaiting);
    let (state, task) = app.task();
    assert_eq!((state, task.step), (OperationState::Finished, None));
    let outcome = app
        .connection
        .read(|state| state.operations.get(1)?.outcome.clone());
    assert_eq!(outcome, Some(OperationOutcome::StoppedWaiting));
}

#[tokio::test(start_paused = true)]
async fn a_run_shows_the_request_that_became_a_task() {
    let app = App::start();
    let first = app.asked("1").await;
    app.apply(OperationEvent::Task {
        task: Task {
            id: "t1".to_owned(),
            status: TaskStatus::Working,
            message: None,
            created_at: None,
            last_updated_at: None,
            ttl: None,
            poll_interval: None,
        },
        source: TaskSource::Created,
    });
    app.asked("2").await;
    let request = app
        .connection
        .read(|state| state.operations.get(1)?.request_seq);
    assert_eq!(request, Some(first.0 - 1));
}

#[tokio::test]
async fn arguments_are_handed_out_without_secrets() {
    let app = App::start();
    app.connection.core.state(|state| {
        let record = state.operations.get_mut(1).unwrap();
        record.arguments = Some(Arc::new(
            r#"{"key":"hush-\u0068ush","old":"an old secret"}"#.to_owned(),
        ));
    });
    let hide = |value: &str| {
        app.log.set_secrets(Secrets {
            values: vec![value.into()],
            headers: Vec::new(),
        });
    };
    hide("an old secret");
    let then = app.log.redaction();
    app.connection.core.state(|state| {
        state.operations.get_mut(1).unwrap().redaction = Some(then);
    });
    hide("hush-hush");
    let source = DocumentSource::RedactedArguments { operation: 1 };
    let document = app.connection.read_document(&source).await.unwrap();
    let text = String::from_utf8(document.body.bytes().to_vec()).unwrap();
    assert!(text.starts_with(r#"{"key":"‹secret "#), "{text}");
    assert!(text.contains(r#","old":"‹secret "#), "{text}");
}

#[tokio::test]
async fn a_skill_file_is_compared_with_the_list_at_the_end_of_its_read() {
    let app = App::start();
    app.read_skill();
    app.end(Outcome::Result {
        raw: r#"{"contents":[{"uri":"skill://a/SKILL.md","text":""}]}"#
            .to_owned()
            .into(),
        is_error: false,
        seq: Seq(1),
    });
    let tasks = &app.connection.core.tasks;
    tasks.close();
    tasks.wait().await;
    let outcome = app
        .connection
        .read(|state| state.operations.get(1)?.outcome.clone());
    let outcome = outcome.unwrap();
    let rules: Vec<_> = outcome.findings().map(|one| one.rule.as_str()).collect();
    assert_eq!(rules, ["skill-dynamic"]);
}

#[tokio::test(start_paused = true)]
async fn an_error_in_place_of_a_skill_file_hides_secrets() {
    let app = App::start();
    app.log.set_secrets(Secrets {
        values: vec!["hush-hush".into()],
        headers: Vec::new(),
    });
    app.read_skill();
    app.end(Outcome::ProtocolError {
        code: -32_603,
        message: "hush-hush is not welcome".to_owned(),
        data: None,
        seq: Seq(1),
    });
    let outcome = app
        .connection
        .read(|state| state.operations.get(1)?.outcome.clone());
    let Some(OperationOutcome::ProtocolError { message, .. }) = outcome else {
        panic!("the server refused: {outcome:?}");
    };
    assert!(!message.contains("hush-hush"), "{message}");
}
