//! Views of operations that cross to the window.
//!
//! The window has the views of all runs, since its list, its search and its counts need a part of each. So a view is
//! small, and a large one is cut. Reading rows by index, as for catalogs, would bound memory no better, and every part
//! of the window that names a run would have to wait for it.

use std::io;

use serde::Serialize;
use sonde_explorer::{
    operations::{
        AnsweredRequest, AppEnd, AskedPage, Deadline, EarlierRun, LoggedMessage, OperationLabel,
        OperationNumber, OperationOutcome, OperationProgress, OperationRecord, OperationState,
        TaskRun,
    },
    servers::ServerId,
};
use sonde_record::text::{cut_bytes, cut_json};
use ts_rs::TS;

use super::freshness::freshness;

/// Limit in bytes of the arguments in a view.
const ARGUMENTS: usize = 64 * 1024;

/// Limit in bytes of JSON of a view that an event carries whole. In a larger view the texts are cut and the result is
/// left out.
const VIEW: usize = 4 * 1024;
/// Limit in bytes of JSON of the target in any view. The window compares targets, so all views have the same limit.
const TARGET: usize = 1024;
/// Limit in bytes of JSON of the arguments in a cut view.
const ARGUMENTS_CUT: usize = 768;
/// Limit in bytes of JSON of any other text in a cut view.
const TEXT_CUT: usize = 256;
/// Limit in bytes of JSON of any text of the task in a cut view.
const TASK_TEXT_CUT: usize = 160;

/// One operation, live. Replaced whole.
///
/// An event carries at most 14 KiB of JSON, more than half of which is a tool's key at its longest: the history of a
/// server, 500 runs, is 7 MiB at worst.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct OperationView {
    /// Number of the operation.
    pub operation: OperationNumber,
    /// The server.
    pub server: ServerId,
    /// The connect in which the operation ran (see `SessionView::generation`).
    pub generation: u32,
    /// The method, for example `tools/call`.
    pub method: String,
    /// Target of the operation: a tool's or prompt's name, a resource's URI.
    pub target: Option<String>,
    /// Key of the tool or prompt in its list at the start; `None` if it was not in the list, and for other methods.
    pub key: Option<String>,
    /// Display name of the tool or prompt at the start, if the server gave one.
    pub title: Option<String>,
    /// The view is cut: arguments and other texts are short, and of a result only its size and `isError` are left. The
    /// command `operation` returns the whole view.
    pub cut: bool,
    /// Arguments as sent, as JSON text; at most 64 KiB here, complete as a document.
    pub arguments: Option<String>,
    /// Further members of `params`, or all of it, as the user entered them; at most 64 KiB here.
    pub params: Option<String>,
    /// The operation is a notification.
    pub notification: bool,
    /// An app of the server started the operation.
    pub by_app: bool,
    /// State of the operation.
    pub state: OperationState,
    /// Time of the start, in milliseconds since the Unix epoch.
    pub started_at: u64,
    /// Duration in microseconds, once finished: from the record of the first request in the wire log to that of the
    /// final response, or to the end without one.
    pub micros: Option<u64>,
    /// Part of the duration spent waiting for the user's replies to server requests, in microseconds.
    pub waited: u64,
    /// Number of times that the server asked for input within this operation.
    pub rounds: u32,
    /// Number of times that a request was refused for lack of a token and waited for a new one.
    pub token_waits: u32,
    /// Latest progress.
    pub progress: Option<OperationProgress>,
    /// Time at which the operation gives up; set while it runs.
    pub deadline: Option<Deadline>,
    /// Number of server log messages about this operation.
    pub messages: u64,
    /// The newest log message.
    pub last_message: Option<LoggedMessage>,
    /// Set if the operation failed because the server needs a handshake for it and this connect is stateless: one plain
    /// sentence. `run_with_handshake` runs it again.
    pub needs_handshake: Option<String>,
    /// Task of the operation, if the server responded with one. A cut view has no status changes.
    pub task: Option<TaskRun>,
    /// The operation ended with the connection, and its task may continue on the server: the next connection asks for
    /// it.
    pub resumable: bool,
    /// Outcome of the operation.
    pub outcome: Option<OperationOutcome>,
    /// Number of places in the result and the messages that break the specification or the tool's output schema.
    pub issues: u32,
    /// Caching of a read's result as the server allows it, one plain sentence.
    pub freshness: Option<String>,
    /// Time until which the server allows caching the result, in milliseconds since the Unix epoch; `None` if it does
    /// not say.
    pub fresh_until: Option<u64>,
    /// A response came although the user had cancelled.
    pub answered_after_cancel: bool,
    /// Number of messages that came after the end of the operation.
    pub late: u64,
    /// Number of messages that break rules, apart from findings in the result itself. Counted in `issues` too.
    pub message_issues: u64,
    /// Log entry of the request, once recorded.
    pub request_seq: Option<u64>,
    /// Log entry of the response.
    pub response_seq: Option<u64>,
    /// The user's name, note and pin.
    pub label: OperationLabel,
    /// Server requests during the operation and their replies, the last 50. Left out of a cut view.
    pub answered: Vec<AnsweredRequest>,
    /// Pages that the server wanted to be opened during the operation, the last 50. Left out of a cut view.
    pub pages: Vec<AskedPage>,
    /// Number of changes of `answered` and `pages`.
    pub asked: u64,
    /// Reason why the app of the operation was closed, unless the user closed it.
    pub app_ended: Option<AppEnd>,
    /// Set if the operation ran before this start of the app and was read from its file.
    pub earlier: Option<EarlierRun>,
}

impl OperationView {
    /// Creates the view for an event: whole if it is small, else cut.
    pub(crate) fn short(record: &OperationRecord) -> Self {
        // Measured first, since copying a long result is expensive.
        let whole = fits(&record.outcome);
        let outcome = record.outcome.as_ref();
        let outcome = outcome.map(|one| if whole { one.clone() } else { cut_outcome(one) });
        let view = Self::with(record, outcome);
        if whole && fits(&view) {
            view
        } else {
            view.shortened()
        }
    }

    fn shortened(mut self) -> Self {
        self.cut = true;
        self.answered.clear();
        self.pages.clear();
        if let Some(task) = &mut self.task {
            task.changes.clear();
            let texts = [
                &mut task.message,
                &mut task.created_at,
                &mut task.cancel_failed,
            ];
            for text in texts.into_iter().flatten().chain([&mut task.id]) {
                *text = cut_json(text, TASK_TEXT_CUT);
            }
        }
        self.outcome = self.outcome.as_ref().map(cut_outcome);
        let progress = self
            .progress
            .iter_mut()
            .flat_map(|one| &mut one.latest.message);
        let last = self.last_message.iter_mut().flat_map(|one| {
            [&mut one.text, &mut one.level]
                .into_iter()
                .chain(&mut one.logger)
        });
        let texts = [&mut self.title, &mut self.label.name, &mut self.label.note];
        let texts = texts.into_iter().flatten().chain(progress).chain(last);
        for text in texts.chain([&mut self.method]) {
            *text = cut_json(text, TEXT_CUT);
        }
        for text in [&mut self.arguments, &mut self.params]
            .into_iter()
            .flatten()
        {
            *text = cut_json(text, ARGUMENTS_CUT);
        }
        self
    }

    fn with(record: &OperationRecord, outcome: Option<OperationOutcome>) -> Self {
        let arguments = record.arguments.as_ref();
        let issues = record.outcome.as_ref().map_or(0, OperationOutcome::issues);
        let said = record.freshness.as_ref();
        Self {
            cut: false,
            issues: u32::try_from(issues as u64 + record.message_issues).unwrap_or(u32::MAX),
            operation: record.number,
            server: record.server.clone(),
            generation: record.generation,
            method: record.method.clone(),
            target: record.target.as_deref().map(|text| cut_json(text, TARGET)),
            key: record.key.clone(),
            title: record.title.clone(),
            arguments: arguments.map(|text| cut_arguments(text)),
            params: record.params.as_ref().map(|text| cut_arguments(text)),
            notification: record.notification,
            by_app: record.by_app,
            state: record.state,
            started_at: record.started_at,
            micros: record.micros,
            waited: record.request_history.waited(),
            rounds: record.rounds,
            token_waits: record.token_waits,
            progress: record.progress.clone(),
            deadline: record.deadline,
            messages: record.messages.total(),
            last_message: record.messages.last().cloned(),
            needs_handshake: record.needs_handshake.map(str::to_owned),
            task: record.task.clone(),
            resumable: record.is_resumable(),
            outcome,
            freshness: said.map(|one| freshness(&one.said, "result")),
            fresh_until: said.and_then(|one| one.until),
            answered_after_cancel: record.answered_after_cancel,
            late: record.late,
            message_issues: record.message_issues,
            request_seq: record.request_seq,
            response_seq: record.response_seq,
            label: record.label.clone(),
            asked: record.request_history.changes(),
            answered: record.request_history.answered.clone(),
            pages: record.request_history.pages.clone(),
            app_ended: record.app_ended,
            earlier: record.earlier,
        }
    }
}

/// The whole view.
impl From<&OperationRecord> for OperationView {
    fn from(record: &OperationRecord) -> Self {
        Self::with(record, record.outcome.clone())
    }
}

/// Cuts an outcome to its kind and the beginning of its texts.
fn cut_outcome(outcome: &OperationOutcome) -> OperationOutcome {
    let cut = |text: &str| cut_json(text, TEXT_CUT);
    match outcome {
        OperationOutcome::Result {
            is_error, bytes, ..
        } => OperationOutcome::Result {
            is_error: *is_error,
            content: Vec::new(),
            structured: None,
            prompt: None,
            meta: None,
            bytes: *bytes,
            findings: Vec::new(),
        },
        OperationOutcome::ProtocolError {
            code,
            message,
            data,
            meaning,
        } => OperationOutcome::ProtocolError {
            code: *code,
            message: cut(message),
            data: data.as_deref().map(cut),
            meaning: cut(meaning),
        },
        OperationOutcome::BadShape { problem } => OperationOutcome::BadShape {
            problem: cut(problem),
        },
        OperationOutcome::Lost { reason, code } => OperationOutcome::Lost {
            reason: cut(reason),
            code: *code,
        },
        OperationOutcome::TimedOut { hard } => OperationOutcome::TimedOut { hard: *hard },
        OperationOutcome::Cancelled => OperationOutcome::Cancelled,
        OperationOutcome::StoppedWaiting => OperationOutcome::StoppedWaiting,
        OperationOutcome::Sent => OperationOutcome::Sent,
    }
}

/// True if the view has at most [`VIEW`] bytes as JSON. Stops at that limit.
fn fits(view: &impl Serialize) -> bool {
    struct Room(usize);
    impl io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.0.checked_sub(bytes.len());
            self.0 = left.ok_or_else(|| io::Error::from(io::ErrorKind::StorageFull))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Room(VIEW), view).is_ok()
}

/// Cuts arguments to the limit of a view.
fn cut_arguments(arguments: &str) -> String {
    cut_bytes(arguments, ARGUMENTS).to_owned()
}

#[cfg(test)]
mod tests {
    use sonde_explorer::operations::{
        AnswerKind, AnsweringRule, ContentBlock, ContentKind, LostCode, StructuredContent,
        TaskChange, TaskSource, TaskStatus, TaskStep,
    };
    use sonde_mcp::Progress;
    use sonde_record::text::cut;

    use super::*;

    /// Limit of the stored runs of a server.
    const RUNS: usize = 500;
    /// Limit in characters of a tool's key: a cut line and a number after it.
    const KEY: usize = 1_010;

    fn json(view: &OperationView) -> usize {
        serde_json::to_string(view).unwrap().len()
    }

    /// Creates the largest possible view: each text has its maximum of those characters that take the most bytes as
    /// JSON.
    fn worst(outcome: OperationOutcome) -> OperationView {
        let text = |characters| "\u{1}".repeat(characters);
        OperationView {
            operation: u64::MAX,
            server: "x".repeat(64),
            generation: u32::MAX,
            method: text(100_000),
            target: Some(cut_json(&text(1_000), TARGET)),
            key: Some(text(KEY)),
            title: Some(text(1_000)),
            cut: false,
            arguments: Some(text(ARGUMENTS)),
            params: Some(text(ARGUMENTS)),
            notification: false,
            by_app: false,
            state: OperationState::InputRequired,
            started_at: u64::MAX,
            micros: Some(u64::MAX),
            waited: u64::MAX,
            rounds: u32::MAX,
            token_waits: u32::MAX,
            progress: Some(OperationProgress {
                latest: Progress {
                    progress: f64::MIN_POSITIVE,
                    total: Some(f64::MIN_POSITIVE),
                    message: Some(text(4_000)),
                },
                count: u64::MAX,
                rate: Some(f64::MIN_POSITIVE),
            }),
            deadline: Some(Deadline {
                idle_at: u64::MAX,
                hard_at: u64::MAX,
            }),
            messages: u64::MAX,
            last_message: Some(LoggedMessage {
                seq: u64::MAX,
                at: u64::MAX,
                level: text(200),
                logger: Some(text(200)),
                text: text(1_000),
                ambiguous: false,
            }),
            needs_handshake: Some("x".repeat(300)),
            task: Some(TaskRun {
                id: text(4_096),
                status: TaskStatus::InputRequired,
                message: Some(text(1_000)),
                created_at: Some(text(256)),
                since: u64::MAX,
                ttl: Some(u64::MAX),
                poll_interval: Some(u64::MAX),
                step: Some(TaskStep::Wait { at: u64::MAX }),
                told: u64::MAX,
                cancel_failed: Some(text(1_000)),
                resumed: u32::MAX,
                era: None,
                changes: vec![
                    TaskChange {
                        at: u64::MAX,
                        status: TaskStatus::InputRequired,
                        message: Some(text(1_000)),
                        source: TaskSource::Notified,
                    };
                    50
                ],
            }),
            resumable: true,
            outcome: Some(outcome),
            issues: u32::MAX,
            // JSON text of the server, at most 40 characters, within a sentence.
            freshness: Some(format!("{}{}", "x".repeat(140), "\\".repeat(40))),
            fresh_until: Some(u64::MAX),
            answered_after_cancel: false,
            asked: u64::MAX,
            answered: vec![
                AnsweredRequest {
                    request: u64::MAX,
                    method: text(200),
                    message: text(1_000),
                    answer: AnswerKind::Decline,
                    rule: Some(AnsweringRule {
                        after_seconds: u32::MAX,
                        saved_answer: Some(text(256)),
                    }),
                    seq: u64::MAX,
                };
                50
            ],
            pages: Vec::new(),
            late: u64::MAX,
            message_issues: u64::MAX,
            request_seq: Some(u64::MAX),
            response_seq: Some(u64::MAX),
            label: OperationLabel {
                name: Some(text(200)),
                note: Some(text(10_000)),
                pinned: false,
            },
            app_ended: Some(AppEnd::Unresponsive),
            earlier: Some(EarlierRun::default()),
        }
    }

    fn outcomes() -> Vec<OperationOutcome> {
        let text = |characters| "\u{1}".repeat(characters);
        let block = ContentBlock {
            kind: ContentKind::EmbeddedText,
            mime_type: Some(text(256)),
            bytes: 1,
            size: Default::default(),
            text: Some(text(4_096)),
            uri: Some(text(1_000)),
            title: Some(text(500)),
            details: None,
            findings: Vec::new(),
        };
        vec![
            OperationOutcome::Result {
                is_error: true,
                content: vec![block; 50],
                structured: Some(StructuredContent {
                    bytes: 1,
                    json: Some(text(256 * 1024)),
                    problems: Vec::new(),
                    unchecked: Some(text(1_000)),
                }),
                prompt: None,
                meta: Some(text(64 * 1024)),
                bytes: u64::MAX,
                findings: Vec::new(),
            },
            OperationOutcome::ProtocolError {
                code: i64::MIN,
                message: text(4_000),
                data: Some(text(64 * 1024)),
                meaning: text(4_000),
            },
            OperationOutcome::BadShape {
                problem: text(4_000),
            },
            OperationOutcome::Lost {
                reason: text(4_000),
                code: LostCode::ConnectionLost,
            },
        ]
    }

    #[test]
    fn the_runs_of_a_server_cross_to_the_window_in_a_few_mebibytes_at_worst() {
        for outcome in outcomes() {
            let view = worst(outcome);
            assert!(json(&view) > 100_000 && !fits(&view));
            let short = view.shortened();
            assert!(short.cut);
            assert!(json(&short) <= 14 * 1024, "{}", json(&short));
            assert!(RUNS * json(&short) <= 14 * 512 * 1024);
        }
    }

    #[test]
    fn a_cut_view_still_says_how_it_ended_and_what_was_called() {
        let [result, error, ..] = &outcomes()[..] else {
            panic!()
        };
        let short = worst(result.clone()).shortened();
        assert_eq!(short.key.unwrap().len(), KEY);
        assert_eq!(short.issues, u32::MAX);
        assert!(matches!(
            short.outcome,
            Some(OperationOutcome::Result {
                is_error: true,
                bytes: u64::MAX,
                ..
            })
        ));
        assert!(short.label.note.unwrap().ends_with('…'));
        let Some(OperationOutcome::ProtocolError { code, message, .. }) =
            worst(error.clone()).shortened().outcome
        else {
            panic!()
        };
        assert_eq!(
            (code, message),
            (i64::MIN, cut(&"\u{1}".repeat(4_000), TEXT_CUT / 6))
        );
    }

    #[test]
    fn what_is_small_crosses_whole() {
        assert!(fits(&"x".repeat(VIEW - 2)));
        assert!(!fits(&"x".repeat(VIEW - 1)));
    }

    #[test]
    fn arguments_in_the_view_are_bounded() {
        assert_eq!(cut_arguments(&"x".repeat(100_000)).len(), ARGUMENTS);
        assert_eq!(cut_arguments("{}"), "{}");
    }
}
