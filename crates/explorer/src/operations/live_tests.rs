use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use sonde_auth::MemoryStore;
use sonde_mcp::{OperationEvent, OperationId, OperationRequest, Outcome};
use sonde_wire::{Annotation, Body, Direction, Entry, EntryKind, Label, MessageKind, Seq, Tap};

use super::{
    history::{OperationRecord, Started},
    live,
    operation::OperationInput,
};
use crate::{Explorer, Options, log::WireLog};

/// How long each request takes to be answered.
const ANSWERED_AFTER: u64 = 1_500;

struct App {
    explorer: Explorer,
    log: Arc<WireLog>,
    _folder: tempfile::TempDir,
}

impl App {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(folder.path());
        options.secrets = Arc::new(MemoryStore::default());
        let explorer = Explorer::open(options).await;
        let server = explorer.read(|state| state.servers().order()[0].clone());
        let log = explorer.log(&server).unwrap();
        explorer.core.state(|state| {
            let operation = state.operations.next();
            assert_eq!(operation, 1);
            state.operations.add(OperationRecord::new(Started {
                operation,
                server,
                generation: 1,
                input: OperationInput::default(),
                request: OperationRequest::tool("t", None),
                item: None,
                key: None,
            }))
        });
        Self {
            explorer,
            log,
            _folder: folder,
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

    fn end(&self, outcome: Outcome) -> Option<u64> {
        let event = OperationEvent::Finished(outcome);
        live::apply(&self.explorer.core, &self.log, OperationId(1), event);
        self.explorer
            .read(|state| state.operations().get(1).unwrap().micros)
    }
}

async fn pass(micros: u64) {
    tokio::time::advance(Duration::from_micros(micros)).await;
}

fn result(seq: Seq) -> Outcome {
    Outcome::Result {
        raw: Arc::from(RawValue::from_string(r#"{"content":[]}"#.to_owned()).unwrap()),
        is_error: false,
        seq,
    }
}

#[tokio::test(start_paused = true)]
async fn the_duration_of_a_run_is_that_of_its_two_frames_in_the_wire_log() {
    let app = App::start().await;
    let seq = app.asked("1").await;
    assert_eq!(app.end(result(seq)), Some(ANSWERED_AFTER));
    let response = app.log.row(seq.0).unwrap();
    assert_eq!(response.micros, Some(ANSWERED_AFTER));
}

#[tokio::test(start_paused = true)]
async fn a_run_of_several_requests_lasts_from_the_first_to_the_last_response() {
    let app = App::start().await;
    app.asked("1").await;
    let seq = app.asked("2").await;
    let between = 900 + 700;
    assert_eq!(app.end(result(seq)), Some(2 * ANSWERED_AFTER + between));
    let response = app.log.row(seq.0).unwrap();
    assert_eq!(response.micros, Some(ANSWERED_AFTER));
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_response_lasts_until_its_end() {
    let app = App::start().await;
    app.asked("1").await;
    assert_eq!(app.end(Outcome::Cancelled), Some(ANSWERED_AFTER + 900));
}
