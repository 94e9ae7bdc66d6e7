//! Handling of the events of a running operation.

use std::{sync::Arc, time::Duration};

use serde_json::{json, value::RawValue};
use sonde_findings::{Finding, FindingView, Severity, rules};
use sonde_mcp::{
    Era, Freshness, Lost, OperationEvent, OperationId, Outcome, Task, TaskSource, TaskStatus,
};
use sonde_wire::{Seq, WireError};

use super::{
    TOOLS_CALL,
    explain::{APP_CLOSED, explain, explain_gone},
    freshness::ResultFreshness,
    history::{LostWith, OperationRecord},
    messages::log_message,
    operation::{Deadline, OperationNumber, OperationProgress, OperationState},
    outcome::{LostCode, OperationOutcome},
    resource_expectations::SkillFile,
    result_findings::output_schema_finding,
    result_size,
    server_request_history::AskedPage,
    summary::ResultShape,
    task::{TaskRun, TaskStep},
};
use crate::{
    Connection,
    catalogs::CatalogKind,
    changes::Change,
    clock,
    core::Core,
    log::{LogNoResponse, WireLog},
};
use sonde_validation::ArgumentProblem;

/// Results above this size are summarized on a blocking thread, in bytes.
const LARGE: usize = 256 * 1024;
/// Structured content above this size is not checked against its schema, in bytes.
const CHECKED: usize = 1024 * 1024;

/// JSON-RPC: the parameters are wrong.
const INVALID_PARAMS: i64 = -32_602;

/// Explains a server request that needs a handshake.
const NEEDS_HANDSHAKE: &str = "The server asks you something while it runs this, in a way that \
                               stateless connections do not have. After a handshake it can.";

/// Updates an operation with one event of its session.
pub(crate) fn apply(core: &Arc<Core>, log: &WireLog, id: OperationId, event: OperationEvent) {
    let operation = id.0;
    match event {
        OperationEvent::Sent { idle, hard } => core.with_operation(operation, |record| {
            // A cancellation may have overtaken it.
            if record.state == OperationState::Queued {
                record.state = OperationState::Running;
            }
            record.idle = millis(idle);
            record.deadline = Some(deadline(idle, hard));
        }),
        OperationEvent::Waiting => core.with_operation(operation, |record| {
            if record.state == OperationState::Running {
                record.state = OperationState::Waiting;
            }
        }),
        OperationEvent::Parked { parked: true } => core.with_operation(operation, |record| {
            if matches!(
                record.state,
                OperationState::Running | OperationState::Waiting | OperationState::Queued
            ) {
                record.state = OperationState::SigningIn;
                record.token_waits += 1;
                // The limits of a task's operation go on, and are not reported again.
                if record.task.is_none() {
                    record.deadline = None;
                }
            }
        }),
        OperationEvent::Parked { parked: false } => core.with_operation(operation, |record| {
            if record.state == OperationState::SigningIn {
                record.state = OperationState::Running;
            }
        }),
        OperationEvent::InputRequired { round } => core.with_operation(operation, |record| {
            record.rounds = round;
            // The idle timer is paused while the user is asked.
            if let Some(deadline) = &mut record.deadline {
                deadline.idle_at = deadline.hard_at;
            }
            if matches!(
                record.state,
                OperationState::Running | OperationState::Waiting | OperationState::Queued
            ) {
                record.state = OperationState::InputRequired;
            }
        }),
        OperationEvent::Again { .. } => core.with_operation(operation, |record| {
            if matches!(
                record.state,
                OperationState::InputRequired | OperationState::Waiting
            ) {
                record.state = OperationState::Running;
            }
            restart_idle(record);
        }),
        OperationEvent::Progress(mut progress) => {
            progress.message.iter_mut().for_each(|text| log.hide(text));
            let (at, now) = (clock::micros(), now());
            core.with_busy_operation(operation, |record| {
                if record.state == OperationState::Waiting {
                    record.state = OperationState::Running;
                }
                let rate = record.rate.push(at, progress.progress);
                let count = record.progress.as_ref().map_or(0, |before| before.count) + 1;
                record.restart_idle_timer(now);
                record.progress = Some(OperationProgress {
                    latest: progress,
                    count,
                    rate,
                });
            });
        }
        OperationEvent::Log(message) => {
            let message = log_message(&message, log, now());
            core.with_busy_operation(operation, |record| {
                record.messages.push(message);
            });
        }
        OperationEvent::Extended { idle, hard } => core.with_operation(operation, |record| {
            record.deadline = Some(deadline(idle, hard));
        }),
        OperationEvent::NeedsHandshake => core.with_operation(operation, |record| {
            record.needs_handshake = Some(NEEDS_HANDSHAKE);
        }),
        OperationEvent::UrlsRequired(data) => {
            let pages = AskedPage::required(data.as_deref(), log);
            core.with_operation(operation, |record| record.request_history.require(pages));
        }
        OperationEvent::Task { task, source } => {
            on_task_status(core, log, operation, &task, source)
        }
        OperationEvent::TaskStep(step) => core.with_operation(operation, |record| {
            if let Some(task) = &mut record.task {
                task.step = Some(match step {
                    sonde_mcp::TaskStep::Wait(wait) => TaskStep::Wait {
                        at: now().saturating_add(millis(wait)),
                    },
                    sonde_mcp::TaskStep::Asking => TaskStep::Asking,
                    sonde_mcp::TaskStep::FetchingResult => TaskStep::FetchingResult,
                });
            }
        }),
        OperationEvent::CancelFailed(why) => core.with_operation(operation, |record| {
            if record.state == OperationState::Cancelling {
                record.state = OperationState::Running;
            }
            if let Some(task) = &mut record.task {
                task.not_cancelled(&why, log);
            }
        }),
        OperationEvent::Cancelling => core.with_operation(operation, |record| {
            if record.state != OperationState::Finished {
                record.state = OperationState::Cancelling;
            }
        }),
        OperationEvent::Finished(outcome) => on_finished(core, log, operation, outcome),
        OperationEvent::Late { seq, outcome } => core.with_operation(operation, |record| {
            record.late += 1;
            record.message_issues = message_issues(log, operation, record.outcome.as_ref());
            let cancelled = matches!(record.outcome, Some(OperationOutcome::Cancelled));
            if outcome.is_some() && cancelled {
                record.answered_after_cancel = true;
                record.response_seq.get_or_insert(seq.0);
            }
        }),
    }
}

/// Handles a status of a task from the server.
fn on_task_status(
    core: &Core,
    log: &WireLog,
    operation: OperationNumber,
    task: &Task,
    source: TaskSource,
) {
    let now = now();
    let mut to_store = false;
    core.state(|state| {
        let era = state.details().and_then(|details| details.facts.era);
        let Some(record) = state.operations.get_mut(operation) else {
            return;
        };
        let known = record.task.get_or_insert_with(|| {
            let mut id = task.id.clone();
            log.hide(&mut id);
            TaskRun::new(id, era, now)
        });
        // So that it is found after the app has ended, however it ends.
        to_store = known.update_status(task, source, log, now);
        record.state = match (record.state, known.status) {
            (OperationState::Running | OperationState::Waiting, TaskStatus::InputRequired) => {
                OperationState::InputRequired
            }
            (OperationState::InputRequired, status) if status != TaskStatus::InputRequired => {
                OperationState::Running
            }
            (state, _) => state,
        };
        // A task has no idle limit.
        if let Some(deadline) = &mut record.deadline {
            deadline.idle_at = deadline.hard_at;
        }
    });
    core.owner.changed(Change::Operation(operation));
    if to_store {
        core.owner.run_changed(operation);
    }
}

/// Restarts the idle timer of an operation once the user has answered a request that may belong to it.
pub(crate) fn resume_idle_timer(core: &Core, operation: OperationNumber) {
    core.with_operation(operation, restart_idle);
}

fn restart_idle(record: &mut OperationRecord) {
    // A task has no idle limit.
    if record.task.is_some() {
        return;
    }
    let idle_at = now().saturating_add(record.idle);
    if let Some(deadline) = &mut record.deadline {
        deadline.idle_at = idle_at.min(deadline.hard_at);
    }
}

/// The answer stream of an operation is open again.
pub(crate) fn resumed(core: &Core, id: OperationId) {
    core.with_operation(id.0, |record| {
        if record.state == OperationState::Waiting {
            record.state = OperationState::Running;
        }
        record.restart_idle_timer(now());
    });
}

fn on_finished(core: &Arc<Core>, log: &WireLog, operation: OperationNumber, outcome: Outcome) {
    let at = response(&outcome).and_then(|seq| log.recorded_at(seq));
    let at = at.unwrap_or_else(clock::micros);
    if let Some(why) = no_response(&outcome) {
        log.end_requests(Some(operation), why);
    }
    let received = clock::millis();
    let (shape, revision, era, token, skill_file, allowed) = core.state(|state| {
        let record = state.operations.get(operation);
        let connection = state.details();
        let token = state.token_fingerprint();
        let skill_file = record.and_then(|record| {
            let uri = record.input.target.as_deref();
            let uri = uri.filter(|_| record.shape() == ResultShape::Resource)?;
            let skills = state.catalogs.get(CatalogKind::Skills)?;
            SkillFile::of(uri, &skills.listed.items)
        });
        (
            record.map_or(ResultShape::Tool, OperationRecord::shape),
            connection.and_then(|connection| connection.facts.revision.clone()),
            connection.and_then(|connection| connection.facts.era),
            token.map(str::to_owned),
            skill_file,
            record.and_then(|record| record.allowed_characters),
        )
    });
    let verifies = skill_file.is_some();
    let read = move |outcome: &Outcome| Ending {
        shown: {
            let mut shown = explain(outcome, shape, revision.as_deref());
            if let (Outcome::Result { raw, .. }, Some(file)) = (outcome, &skill_file) {
                file.verify(raw.get(), &mut shown);
            }
            if let (Outcome::Result { raw, .. }, ResultShape::Tool) = (outcome, shape) {
                result_size::judge(raw.get(), &mut shown, allowed);
            }
            shown
        },
        // Earlier protocol versions have no caching hints.
        freshness: match outcome {
            Outcome::Result { raw, .. }
                if shape == ResultShape::Resource && era == Some(Era::Stateless) =>
            {
                Freshness::of_result(raw.get())
                    .map(|said| ResultFreshness::new(said, received, token))
            }
            _ => None,
        },
        at,
        revision,
    };
    let large =
        matches!(&outcome, Outcome::Result { raw, .. } if verifies || raw.get().len() > LARGE);
    if !large {
        let mut ending = read(&outcome);
        hide_secrets(&mut ending.shown, log);
        settle(core, operation, &outcome, ending);
        return;
    }
    let core = core.clone();
    let tasks = core.tasks.clone();
    tasks.spawn(async move {
        let read = tokio::task::spawn_blocking(move || {
            let ending = read(&outcome);
            (outcome, ending)
        });
        if let Ok((outcome, ending)) = read.await {
            settle(&core, operation, &outcome, ending);
        }
    });
}

/// End of an operation, as the history keeps it.
struct Ending {
    shown: OperationOutcome,
    /// Caching hints of the server for the result of a read.
    freshness: Option<ResultFreshness>,
    /// Time of the end, on the clock of [`clock::micros`].
    at: u64,
    /// Protocol version that the result was judged by.
    revision: Option<String>,
}

/// The log entry of the response that ended an operation.
fn response(outcome: &Outcome) -> Option<u64> {
    match outcome {
        Outcome::Result { seq, .. }
        | Outcome::ProtocolError { seq, .. }
        | Outcome::BadShape { seq, .. }
        | Outcome::Lost(Lost::TooLarge { seq, .. }) => Some(seq.0),
        Outcome::TimedOut(_)
        | Outcome::Cancelled
        | Outcome::StoppedWaiting
        | Outcome::Lost(_)
        | Outcome::Sent => None,
    }
}

/// Returns the reason, for the log, why the request of an operation with this outcome has no response.
fn no_response(outcome: &Outcome) -> Option<LogNoResponse> {
    match outcome {
        Outcome::Cancelled | Outcome::StoppedWaiting => Some(LogNoResponse::Cancelled),
        Outcome::TimedOut(_) => Some(LogNoResponse::TimedOut),
        // The end of the connection, which follows, is recorded with its own reason.
        Outcome::Lost(Lost::TransportGone) => None,
        Outcome::Lost(_) => Some(LogNoResponse::Lost),
        Outcome::Result { .. }
        | Outcome::ProtocolError { .. }
        | Outcome::BadShape { .. }
        | Outcome::Sent => None,
    }
}

/// Hides secrets in sentences that quote the server, since it may quote what it was sent. The result of a tool is shown
/// as it came.
fn hide_secrets(shown: &mut OperationOutcome, log: &WireLog) {
    match shown {
        OperationOutcome::ProtocolError { message, data, .. } => {
            log.hide(message);
            data.iter_mut().for_each(|text| log.hide(text));
        }
        OperationOutcome::BadShape { problem } => log.hide(problem),
        OperationOutcome::Lost { reason, .. } => log.hide(reason),
        OperationOutcome::Result { .. }
        | OperationOutcome::Sent
        | OperationOutcome::TimedOut { .. }
        | OperationOutcome::Cancelled
        | OperationOutcome::StoppedWaiting => {}
    }
}

fn settle(core: &Arc<Core>, operation: OperationNumber, outcome: &Outcome, ending: Ending) {
    let mut check = None;
    let mut found = Vec::new();
    let issues = message_issues(&core.log, operation, Some(&ending.shown));
    let dropped = core.state(|state| {
        let Some(record) = state.operations.get_mut(operation) else {
            return Vec::new();
        };
        record.message_issues = issues;
        record.set_freshness(ending.freshness);
        record.revision = ending.revision;
        check = keep_result(record, outcome, ending.shown, ending.at);
        record.redaction = Some(core.log.redaction());
        let session = &mut state.session;
        if session.generation == record.generation
            && let Some(outcome) = &record.outcome
        {
            session.found.add(operation, outcome);
            found = outcome.findings().cloned().collect();
        }
        core.owner.changes_often(Change::Issues);
        core.owner.changed(Change::Operation(operation));
        core.owner.run_changed(operation);
        state.operations.settle(operation)
    });
    core.owner.run_added(operation);
    for gone in dropped {
        core.owner.changed(Change::Operation(gone));
    }
    if let Outcome::Result { seq, .. } = *outcome {
        mark_response(core, seq, found);
        if let Some((schema, instance)) = check {
            let core = core.clone();
            let tasks = core.tasks.clone();
            tasks.spawn(async move {
                check_output_schema(&core, operation, seq, schema, instance).await
            });
        }
    }
    if let Outcome::ProtocolError {
        code: INVALID_PARAMS,
        seq,
        ..
    } = *outcome
    {
        let core = core.clone();
        let tasks = core.tasks.clone();
        tasks.spawn(async move { judge_refusal(&core, operation, seq).await });
    }
}

/// Checks whether a tool answered with a protocol error although its arguments do not conform to its schema.
async fn judge_refusal(core: &Core, operation: OperationNumber, seq: Seq) {
    let called = core.state(|state| {
        let record = state.operations.get(operation)?;
        let revision = state.details()?.facts.revision.as_deref()?;
        let counts = state.session.generation == record.generation
            && record.method == TOOLS_CALL
            && rules::REFUSED_ARGUMENTS.applies_in(revision);
        let arguments = record.arguments.as_deref().cloned();
        counts.then(|| {
            let arguments = arguments.unwrap_or_else(|| "{}".to_owned());
            (record.key.clone(), arguments)
        })
    });
    let Some((Some(tool), arguments)) = called else {
        return;
    };
    let schema = core.tool(&tool).ok().and_then(|tool| {
        let schema = tool.tool()?.input_schema.as_ref()?;
        Some(schema.get().to_owned())
    });
    let Some(schema) = schema.filter(|_| arguments.len() <= CHECKED) else {
        return;
    };
    let problems = core.services.validator.problems(schema, arguments).await;
    let breaks = |problem: &ArgumentProblem| !problem.is_of_format();
    if problems.is_ok_and(|problems| problems.iter().any(breaks)) {
        let finding = Finding::new(&rules::REFUSED_ARGUMENTS).with("code", INVALID_PARAMS);
        let findings = [FindingView::from(&finding)];
        if add_late_findings(core, operation, &findings) {
            mark_response(core, seq, findings.into());
        }
    }
}

/// Adds findings to an operation that has ended. False if it belongs to another connect than the current one.
fn add_late_findings(core: &Core, operation: OperationNumber, findings: &[FindingView]) -> bool {
    let is_present = core.state(|state| {
        let record = state.operations.get(operation);
        let is_present = record.is_some_and(|record| record.generation == state.session.generation);
        if is_present {
            state.session.found.add_all(operation, findings);
        }
        is_present
    });
    if is_present {
        core.owner.changes_often(Change::Issues);
    }
    is_present
}

impl Connection {
    /// Adds findings from opening the result of an operation as an app. Opening the page again adds no duplicates.
    pub fn add_app_findings(&self, reading: OperationNumber, findings: &[FindingView]) {
        let core = &*self.core;
        let new = core.state(|state| {
            let record = state.operations.get_mut(reading)?;
            let seq = record.response_seq?;
            let Some(OperationOutcome::Result {
                findings: known, ..
            }) = &mut record.outcome
            else {
                return None;
            };
            let is_new = |one: &&FindingView| !known.contains(one);
            let new: Vec<FindingView> = findings.iter().filter(is_new).cloned().collect();
            known.extend_from_slice(&new);
            Some((new, seq))
        });
        let Some((new, seq)) = new.filter(|(new, _)| !new.is_empty()) else {
            return;
        };
        core.owner.changed(Change::Operation(reading));
        core.owner.run_changed(reading);
        add_late_findings(core, reading, &new);
        mark_response(core, Seq(seq), new);
    }
}

/// Adds findings about a result to the log entry of its response, too.
fn mark_response(core: &Core, Seq(seq): Seq, found: Vec<FindingView>) {
    core.log.add_of_result(seq, found);
}

/// Number of findings in the messages of an operation that are not found in its result as well.
fn message_issues(
    log: &WireLog,
    operation: OperationNumber,
    outcome: Option<&OperationOutcome>,
) -> u64 {
    let of_result: Vec<_> = outcome.into_iter().flat_map(|one| one.findings()).collect();
    let broken = log.rules_broken_in(operation);
    let broken = broken.iter().filter(|rule| {
        rule.severity != Severity::Info && !of_result.iter().any(|one| one.rule == rule.id)
    });
    broken.count() as u64
}

/// Writes the outcome into the record. Returns the schema and structured content to be compared.
fn keep_result(
    record: &mut OperationRecord,
    outcome: &Outcome,
    mut shown: OperationOutcome,
    at: u64,
) -> Option<(String, String)> {
    let mut check = None;
    record.response_seq = record.response_seq.or_else(|| response(outcome));
    match outcome {
        Outcome::Result { raw, is_error, .. } => {
            record.result = Some(raw.clone());
            for promise in &record.promised {
                promise.compare(&mut shown);
            }
            if let OperationOutcome::Result {
                structured,
                findings,
                ..
            } = &mut shown
                && let Some(schema) = &record.output_schema
            {
                match structured {
                    Some(structured) if structured.bytes <= CHECKED as u64 => {
                        let text = structured.json.clone().or_else(|| {
                            super::summary::structured(raw).map(|part| part.get().to_owned())
                        });
                        check = text.map(|text| (schema.get().to_owned(), text));
                    }
                    Some(structured) => {
                        structured.unchecked = Some(format!(
                            "It has {} bytes; more than {CHECKED} are not checked against the output \
                             schema.",
                            structured.bytes
                        ));
                    }
                    // Server/tools, Output Schema: "Servers MUST provide structured results that
                    // conform to this schema." A tool that reports a failure has none to give.
                    None if !*is_error => findings.push(FindingView::from(&Finding::new(
                        &rules::MISSING_STRUCTURED_CONTENT,
                    ))),
                    None => {}
                }
            }
        }
        Outcome::ProtocolError {
            code,
            message,
            data,
            ..
        } => {
            record.error = Some(Arc::new(error_text(*code, message, data.as_deref())));
            explain_gone(&mut shown, record.task.as_ref(), now());
        }
        Outcome::Lost(Lost::TransportGone) => record.lost = Some(LostWith::End),
        Outcome::Lost(Lost::Exchange(error)) if matches!(**error, WireError::Broken { .. }) => {
            record.lost = Some(LostWith::BrokenPipe);
        }
        Outcome::BadShape { .. }
        | Outcome::Sent
        | Outcome::TimedOut(_)
        | Outcome::Cancelled
        | Outcome::StoppedWaiting
        | Outcome::Lost(_) => {}
    }
    let answered = matches!(
        outcome,
        Outcome::Result { .. } | Outcome::ProtocolError { .. } | Outcome::BadShape { .. }
    );
    record.answered_after_cancel = answered && record.state == OperationState::Cancelling;
    record.state = OperationState::Finished;
    record.deadline = None;
    if let Some(task) = &mut record.task {
        task.step = None;
    }
    // The first request of a resumed task was sent by an earlier connection.
    let resumed = record.task.as_ref().is_some_and(|task| task.resumed > 0);
    record.micros = Some(match resumed {
        true => now()
            .saturating_sub(record.started_at)
            .saturating_mul(1_000),
        false => at.saturating_sub(record.first_sent.unwrap_or(record.began)),
    });
    record.outcome = Some(shown);
    check
}

async fn check_output_schema(
    core: &Core,
    operation: OperationNumber,
    seq: Seq,
    schema: String,
    instance: String,
) {
    let (problems, unchecked) = match core.services.validator.problems(schema, instance).await {
        Ok(problems) => (problems, None),
        // A schema that cannot be used is an issue of its tool: the result was compared with nothing.
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    if problems.is_empty() && unchecked.is_none() {
        return;
    }
    let findings: Vec<_> = problems.iter().map(output_schema_finding).collect();
    core.with_operation(operation, |record| {
        if let Some(OperationOutcome::Result {
            structured: Some(structured),
            ..
        }) = &mut record.outcome
        {
            structured.problems = problems;
            structured.unchecked = unchecked;
        }
    });
    core.state(|state| state.operations.measure(operation));
    add_late_findings(core, operation, &findings);
    mark_response(core, seq, findings);
}

/// The `error` object again, its `data` as received.
fn error_text(code: i64, message: &str, data: Option<&RawValue>) -> String {
    let head = json!({ "code": code, "message": message }).to_string();
    match data {
        None => head,
        Some(data) => format!("{},\"data\":{}}}", &head[..head.len() - 1], data.get()),
    }
}

/// Ends the operations of a connect that failed with a fault inside Sonde: nothing else reports their end.
pub(crate) fn lose_all(core: &Arc<Core>, generation: u32, why: &str) {
    let at = clock::micros();
    let running: Vec<OperationNumber> = core.state(|state| {
        let running = state.operations.iter().filter(|record| {
            record.generation == generation && record.state != OperationState::Finished
        });
        running.map(|record| record.number).collect()
    });
    let lost = Outcome::Lost(Lost::TransportGone);
    for operation in running {
        let shown = OperationOutcome::Lost {
            reason: why.to_owned(),
            code: LostCode::ConnectionLost,
        };
        let ending = Ending {
            shown,
            freshness: None,
            at,
            revision: None,
        };
        settle(core, operation, &lost, ending);
    }
}

/// Gives operations that were lost with their transport the reason of its end. With `crashed`, the process ended by
/// itself, so a broken pipe to it has the same reason.
pub(crate) fn explain_lost(core: &Core, generation: u32, why: &str, crashed: bool) {
    let closing = core.closing.is_cancelled();
    core.state(|state| {
        for record in state.operations.iter_mut() {
            let lost_with_it = match record.lost {
                Some(LostWith::End) => true,
                Some(LostWith::BrokenPipe) => crashed,
                None => false,
            };
            if lost_with_it
                && record.generation == generation
                && let Some(OperationOutcome::Lost { reason, code }) = &mut record.outcome
            {
                if closing {
                    *code = LostCode::AppClosed;
                }
                let why = if closing { APP_CLOSED } else { why };
                why.clone_into(reason);
                core.owner.changed(Change::Operation(record.number));
                core.owner.run_changed(record.number);
            }
        }
    });
}

fn deadline(idle: Duration, hard: Duration) -> Deadline {
    let now = now();
    let hard_at = now.saturating_add(millis(hard));
    Deadline {
        idle_at: now.saturating_add(millis(idle)).min(hard_at),
        hard_at,
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn now() -> u64 {
    clock::millis()
}
