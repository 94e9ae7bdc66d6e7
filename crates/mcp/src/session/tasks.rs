//! Operations whose result comes later, since the server answered with a task: their status is requested
//! repeatedly until they are over.
//!
//! With a handshake the result is fetched by a request of its own, and the server sends requests of its own
//! for inputs (2025-11-25, tasks). In the extension both are in the status.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause, Label, Seq};
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::Alarm,
    effect::{Effect, NewTask},
    operations::outcome,
    purpose::TaskCall,
    requests::Answered,
    response::{Loss, Response},
    running_task::{RunningTask, changed_after_end, missing_payload},
    task_list::TaskList,
    time_limits::{Expiry, GRACE, Limits},
};
use crate::{
    EarlierTask, Era, Event, Lost, OperationEvent, OperationId, Outcome, Reply, Task,
    TaskListEvent, TaskSource, TaskStatus,
    limits::{ENDED_TASKS, TASK_POLL_FLOOR, WATCHED_TASKS},
    members::quoted,
    protocol::{
        stateless::{ResultKind, kind},
        tasks::{self, DetailedTask, Payload},
    },
    received_result::ReceivedResult,
    text::brief,
};

/// Tasks that operations wait for, and a memory of ended tasks.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    running: BTreeMap<OperationId, RunningTask>,
    ended: VecDeque<EndedTask>,
    early: VecDeque<EarlyNotification>,
}

/// Notifications about unknown tasks that are kept until the requests of that time have ended.
const EARLY: usize = 32;

/// A notification about a task that a response on its way may still name.
#[derive(Debug)]
struct EarlyNotification {
    id: String,
    seq: Seq,
    /// Operations whose requests were in flight.
    operations: Vec<OperationId>,
}

/// A task that is over.
#[derive(Debug)]
struct EndedTask {
    id: String,
    operation: OperationId,
    status: TaskStatus,
    /// Time of its last status, by the server's clock.
    updated: Option<String>,
}

fn unknown_task(id: &str) -> Finding {
    Finding::new(&rules::UNKNOWN_TASK).with("id", quoted(&brief(id)))
}

impl Tasks {
    /// Turns an operation into a task.
    pub(super) fn begin(&mut self, ctx: &mut Context, new: NewTask) -> Vec<Effect> {
        let (operation, mut limits) = (new.operation, new.limits.resumed(Instant::now()));
        let task = new.found.task.clone();
        self.early.retain(|early| early.id != task.id);
        let mut findings = Vec::new();
        if self.is_known(&task.id) {
            let id = quoted(&brief(&task.id));
            findings.push(Finding::new(&rules::REUSED_TASK_ID).with("id", id));
        }
        // "When a receiver creates a task, it MUST begin in the `working` status" (tasks, Task Status
        // Lifecycle). The extension has no such rule.
        if ctx.protocol.era() == Era::Handshake
            && !matches!(task.status, TaskStatus::Working | TaskStatus::Unknown)
        {
            let first = Finding::new(&rules::TASK_NOT_WORKING_FIRST);
            findings.push(first.with("status", task.status.as_str()));
        }
        limits.hold();
        ctx.requests.begin_task(operation, Some(new.request));
        let running = RunningTask::new(task, new.method, limits);
        self.running.insert(operation, running);
        let source = TaskSource::Created;
        let effects = self.observed(ctx, operation, (new.found, source, new.seq), &mut findings);
        if !findings.is_empty() {
            ctx.annotate(new.seq, None, findings);
        }
        if limits.is_cancelled() {
            self.cancel(ctx, operation);
        }
        effects
    }

    /// Waits for a task that an earlier session began.
    pub(super) fn resume(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        task: EarlierTask,
        cause: Cause,
    ) -> Option<Effect> {
        if !ctx.is_ready() {
            let lost = Outcome::Lost(Lost::TransportGone);
            return Some(Effect::Finish(operation, lost));
        }
        if self.has(operation) || ctx.requests.of_operation(operation).is_some() {
            tracing::warn!(?operation, "an operation with this id is running already");
            return None;
        }
        let now = Instant::now();
        let timeouts = ctx.options.timeouts;
        let mut limits = Limits::new(now, timeouts.idle, timeouts.hard);
        limits.hold();
        ctx.requests.begin_task(operation, None);
        let mut running = RunningTask::earlier(task, limits);
        let (_, hard) = limits.remaining(now);
        ctx.report_operation(operation, OperationEvent::Extended { idle: hard, hard });
        running.ask(ctx, operation, cause);
        running.arm(ctx, operation);
        self.running.insert(operation, running);
        None
    }

    /// Returns true if a task of this id was created in this session.
    fn is_known(&self, id: &str) -> bool {
        self.ended.iter().any(|ended| ended.id == id)
            || self.running.values().any(|running| running.task.id == id)
    }

    pub(super) fn has(&self, operation: OperationId) -> bool {
        self.running.contains_key(&operation)
    }

    /// The operations that wait for their tasks.
    pub(super) fn ids(&self) -> Vec<OperationId> {
        self.running.keys().copied().collect()
    }

    /// Returns the ids of running tasks, oldest first, as many as a subscription asks for.
    pub(super) fn watched(&self) -> BTreeSet<String> {
        let running = self.running.values();
        let running = running.filter(|running| !running.task.status.is_terminal());
        let ids = running.map(|running| running.task.id.clone());
        ids.take(WATCHED_TASKS).collect()
    }

    /// The operation that waits for the task of this id.
    pub(super) fn operation_of(&self, id: &str) -> Option<OperationId> {
        let mut running = self.running.iter();
        let found = running.find(|(_, running)| running.task.id == id);
        found.map(|(operation, _)| *operation)
    }

    // Commands of the user.

    /// Asks for the status now.
    pub(super) fn ask_now(&mut self, ctx: &mut Context, operation: OperationId) {
        if let Some(running) = self.running.get_mut(&operation)
            && !running.task.status.is_terminal()
        {
            running.ask(ctx, operation, Cause::User);
            running.arm(ctx, operation);
        }
    }

    /// Asks the server to cancel the task: "`notifications/cancelled` MUST NOT be used for task cancellation".
    /// It is waited for a little longer, as for any operation that is cancelled.
    pub(super) fn cancel(&mut self, ctx: &mut Context, operation: OperationId) {
        let Some(running) = self.running.get_mut(&operation) else {
            return;
        };
        let first = running.limits.cancel(Instant::now(), GRACE);
        if !ctx.is_ready() || ctx.requests.is_cancelling_task(operation) {
            return;
        }
        if first {
            ctx.report_operation(operation, OperationEvent::Cancelling);
        }
        running.call(ctx, operation, TaskCall::Cancel, Cause::User);
        running.arm(ctx, operation);
    }

    /// Cancels the task in the late response to a request that was cancelled.
    pub(super) fn cancel_late_task(
        ctx: &mut Context,
        operation: OperationId,
        method: &Arc<str>,
        result: &ReceivedResult<'_>,
    ) {
        let task: Option<&RawValue> = match ctx.protocol.stateless() {
            Some(stateless) => match kind(result, method, stateless.tasks) {
                Ok(ResultKind::Task) => Some(result),
                _ => None,
            },
            None => tasks::created(result, false).filter(|_| ctx.protocol.asks_for_tasks()),
        };
        let found =
            task.and_then(|task| tasks::read(task, ctx.protocol.era(), &mut Vec::new()).ok());
        if let Some(found) = found.filter(|_| ctx.is_ready()) {
            let limits = Limits::usual(&ctx.options.timeouts);
            RunningTask::new(found.task, Arc::clone(method), limits).call(
                ctx,
                operation,
                TaskCall::Cancel,
                Cause::User,
            );
        }
    }

    /// Waits for the task no longer, and leaves it to the server.
    pub(super) fn stop_waiting(&self, operation: OperationId) -> Option<Effect> {
        self.has(operation)
            .then_some(Effect::Finish(operation, Outcome::StoppedWaiting))
    }

    /// Extends the limits of the operation.
    pub(super) fn extend(&mut self, ctx: &mut Context, operation: OperationId, by: Duration) {
        let Some(running) = self.running.get_mut(&operation) else {
            return;
        };
        let now = Instant::now();
        running.limits.extend(now, by);
        let (_, hard) = running.limits.remaining(now);
        ctx.report_operation(operation, OperationEvent::Extended { idle: hard, hard });
        running.arm(ctx, operation);
    }

    /// Handles the user's reply to a task's request.
    pub(super) fn input_given(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        key: &str,
        reply: Reply,
    ) {
        let Some(running) = self.running.get_mut(&operation) else {
            return;
        };
        match reply {
            Reply::Result(text) => {
                running.inputs.give(key, &text);
                running.update(ctx, operation);
            }
            // An error cannot be sent here, so a refusal cancels the task.
            Reply::Error { .. } => self.cancel(ctx, operation),
        }
    }

    // Messages of the server.

    /// Takes the response to a request about a task.
    pub(super) fn answered(
        &mut self,
        ctx: &mut Context,
        (operation, call): (OperationId, TaskCall),
        answered: Answered<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let Answered { response, seq, .. } = answered;
        let Some(running) = self.running.get_mut(&operation) else {
            return Vec::new();
        };
        let response = running.checked(ctx, call, response, findings);
        match call {
            TaskCall::Get => running.asking = false,
            TaskCall::Result => running.result = None,
            TaskCall::Update | TaskCall::Cancel => {}
        }
        let found = match (call, response) {
            (TaskCall::Result, response) => {
                let outcome = running.result_outcome(response, seq, findings);
                let outcome = running.ended_by_result(ctx, operation, outcome);
                return vec![Effect::Finish(operation, outcome)];
            }
            (TaskCall::Get, Response::Result(result)) => {
                tasks::read(&result, ctx.protocol.era(), findings)
            }
            // The extension only acknowledges it.
            (TaskCall::Cancel, Response::Result(result)) if !ctx.protocol.is_stateless() => {
                tasks::read(&result, Era::Handshake, findings)
            }
            (TaskCall::Update | TaskCall::Cancel, Response::Result(_)) => {
                running.poll_in(TASK_POLL_FLOOR);
                running.arm(ctx, operation);
                return Vec::new();
            }
            (TaskCall::Cancel, response) => {
                return running.not_cancelled(ctx, operation, &response);
            }
            (TaskCall::Update, response) => {
                if !running.inputs.refused() {
                    let method = Arc::clone(&running.method);
                    let outcome = outcome(&method, response, seq, findings);
                    return vec![Effect::Finish(operation, outcome)];
                }
                running.poll_in(running.pause());
                running.arm(ctx, operation);
                return Vec::new();
            }
            (TaskCall::Get, response) => {
                return running.not_told(ctx, operation, response, seq, findings);
            }
        };
        let found = match found {
            Ok(found) if found.task.id == running.task.id => found,
            Ok(found) => {
                let wrong = Finding::new(&rules::WRONG_TASK_ID)
                    .with("found", quoted(&brief(&found.task.id)))
                    .with("asked", quoted(&brief(&running.task.id)));
                findings.push(wrong);
                let problem = "the response is about another task".to_owned();
                return running.failed(ctx, operation, Outcome::BadShape { problem, seq });
            }
            Err(problem) => {
                return running.failed(ctx, operation, Outcome::BadShape { problem, seq });
            }
        };
        let source = match call {
            TaskCall::Cancel => TaskSource::Cancelled,
            _ => TaskSource::Polled,
        };
        running.known = true;
        running.failures = 0;
        self.observed(ctx, operation, (found, source, seq), findings)
    }

    /// Handles a notification with the status of a task.
    pub(super) fn notified(
        &mut self,
        ctx: &mut Context,
        listed: &TaskList,
        (params, seq): (Option<&RawValue>, Seq),
        findings: &mut Vec<Finding>,
        label: &mut Label,
    ) -> Vec<Effect> {
        let era = ctx.protocol.era();
        let found = params.ok_or_else(|| "there are no `params`".to_owned());
        let found = match found.and_then(|params| tasks::read(params, era, findings)) {
            Ok(found) => found,
            Err(_) => {
                findings.push(Finding::new(&rules::UNKNOWN_TASK).with("id", "(none)"));
                return Vec::new();
            }
        };
        if let Some(operation) = self.operation_of(&found.task.id) {
            label.operation = Some(operation.0);
            let source = TaskSource::Notified;
            return self.observed(ctx, operation, (found, source, seq), findings);
        }
        let id = &found.task.id;
        let is_listed = listed.has(id);
        if is_listed {
            ctx.report(Event::TaskList(TaskListEvent::Told(found.task.clone())));
        }
        let Some(ended) = self.ended.iter().rev().find(|ended| ended.id == *id) else {
            if !is_listed {
                let mut operations = ctx.requests.operations();
                operations.retain(|operation| !ctx.requests.is_task(*operation));
                if operations.is_empty() || self.early.len() >= EARLY {
                    findings.push(unknown_task(id));
                } else {
                    self.early.push_back(EarlyNotification {
                        id: id.clone(),
                        seq,
                        operations,
                    });
                }
            }
            return Vec::new();
        };
        label.operation = Some(ended.operation.0);
        let is_other = ended.status != found.task.status;
        let before = ended.updated.as_deref();
        let is_newer = is_newer(ctx, TaskSource::Notified, &found.task, before);
        if ended.status.is_terminal() && is_other && is_newer {
            findings.push(changed_after_end(ended.status, found.task.status));
            let late = OperationEvent::Late { seq, outcome: None };
            ctx.report_operation(ended.operation, late);
        }
        Vec::new()
    }

    /// Judges early notifications whose task no response has named.
    pub(super) fn judge_early(&mut self, ctx: &Context) {
        if self.early.is_empty() {
            return;
        }
        let open = ctx.requests.operations();
        self.early.retain(|early| {
            let waits = |operation: &OperationId| {
                open.contains(operation) && !ctx.requests.is_task(*operation)
            };
            let waits = early.operations.iter().any(waits);
            if !waits {
                ctx.annotate(early.seq, None, vec![unknown_task(&early.id)]);
            }
            waits
        });
    }

    /// Takes a status of a task, however it became known.
    fn observed(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        (found, source, seq): (DetailedTask, TaskSource, Seq),
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let Some(running) = self.running.get_mut(&operation) else {
            return Vec::new();
        };
        let DetailedTask { task, payload } = found;
        let before = running.task.status;
        if before.is_terminal() && source != TaskSource::Created {
            let updated = running.task.last_updated_at.as_deref();
            if before != task.status && is_newer(ctx, source, &task, updated) {
                findings.push(changed_after_end(before, task.status));
            }
            return Vec::new();
        }
        let status = task.status;
        running.task = task.clone();
        ctx.report_operation(operation, OperationEvent::Task { task, source });
        running.note_interval(findings);
        let mut effects = Vec::new();
        if before == TaskStatus::InputRequired && status != TaskStatus::InputRequired {
            running.inputs.close();
            effects.push(Effect::CloseInputs(operation));
        }
        let pause = running.pause();
        match status {
            TaskStatus::Working | TaskStatus::Unknown => running.poll_in(pause),
            TaskStatus::InputRequired => {
                running.poll_in(pause);
                match payload {
                    Payload::Inputs(inputs) => {
                        effects.extend(running.ask_inputs(operation, &inputs, seq, findings));
                        // Replies that the server refused are sent again.
                        running.update(ctx, operation);
                    }
                    // A created task has no more than its status.
                    _ if ctx.protocol.is_stateless() => {
                        if source == TaskSource::Created {
                            running.poll_in(Duration::ZERO);
                        } else {
                            findings.push(missing_payload(status, "inputRequests"));
                        }
                    }
                    // "It SHOULD preemptively call `tasks/result`": requests of the server come with it
                    // (tasks, Input Required Status).
                    _ => running.fetch_result(ctx, operation, true),
                }
            }
            TaskStatus::Cancelled => effects.push(Effect::Finish(operation, Outcome::Cancelled)),
            TaskStatus::Completed | TaskStatus::Failed if !ctx.protocol.is_stateless() => {
                running.poll_at = None;
                running.fetch_result(ctx, operation, false);
            }
            TaskStatus::Completed | TaskStatus::Failed => {
                let outcome = running.inline_outcome(&payload, seq, findings);
                match outcome {
                    Some(outcome) => effects.push(Effect::Finish(operation, outcome)),
                    // A created task has no more than its status, and a notification may lack it.
                    None if source != TaskSource::Polled => {
                        // The task has not ended for Sonde before its result is known.
                        running.task.status = TaskStatus::Unknown;
                        running.poll_in(match source {
                            TaskSource::Created => Duration::ZERO,
                            _ => TASK_POLL_FLOOR,
                        });
                    }
                    None => {
                        let member = match status {
                            TaskStatus::Completed => "result",
                            _ => "error",
                        };
                        findings.push(missing_payload(status, member));
                        let problem = format!("the task is over and has no `{member}`");
                        let outcome = Outcome::BadShape { problem, seq };
                        effects.push(Effect::Finish(operation, outcome));
                    }
                }
            }
        }
        running.arm(ctx, operation);
        effects
    }

    /// Handles the loss of a response to a request about a task: repeats the request, unless the operation has ended.
    pub(super) fn on_lost(
        &mut self,
        ctx: &mut Context,
        (operation, call): (OperationId, TaskCall),
        loss: Loss,
    ) -> Vec<Effect> {
        let Some(running) = self.running.get_mut(&operation) else {
            return Vec::new();
        };
        let again = match call {
            TaskCall::Get => {
                running.asking = false;
                true
            }
            TaskCall::Result => {
                running.result = None;
                true
            }
            TaskCall::Update => running.inputs.refused(),
            TaskCall::Cancel => true,
        };
        let over = matches!(
            loss,
            Loss::TransportGone | Loss::Forgotten | Loss::SessionRejected { .. }
        );
        let outcome = loss.into_outcome();
        match again && !over {
            true => running.failed(ctx, operation, outcome),
            false => vec![Effect::Finish(operation, outcome)],
        }
    }

    /// The alarm of a task went off.
    pub(super) fn due(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        now: Instant,
    ) -> Option<Effect> {
        let running = self.running.get_mut(&operation)?;
        let outcome = running.limits.expired(now).map(|expiry| match expiry {
            Expiry::Cancelled => Outcome::Cancelled,
            Expiry::Timeout(limit) => Outcome::TimedOut(limit),
        });
        if let Some(outcome) = outcome {
            return Some(Effect::Finish(operation, outcome));
        }
        if running.poll_at.is_some_and(|at| at <= now) {
            if running.task.status.is_terminal() {
                running.poll_at = None;
                running.fetch_result(ctx, operation, false);
            } else {
                running.ask(ctx, operation, Cause::Task);
            }
        }
        running.arm(ctx, operation);
        None
    }

    /// Forgets an operation that has ended. Returns the request whose response is no longer needed.
    pub(super) fn forget(&mut self, ctx: &mut Context, operation: OperationId) -> Option<u64> {
        let running = self.running.remove(&operation)?;
        ctx.deadlines.disarm(Alarm::Task(operation));
        ctx.requests
            .end_task(operation, running.task.status.is_terminal());
        if self.ended.len() == ENDED_TASKS {
            self.ended.pop_front();
        }
        self.ended.push_back(EndedTask {
            id: running.task.id,
            operation,
            status: running.task.status,
            updated: running.task.last_updated_at,
        });
        running.result
    }
}

/// Returns true if a status is later than the one before. The response to a request that was sent earlier
/// is older than the status of a notification. Over HTTP a notification may come on another stream, or be
/// replayed on a resumed stream: there it must prove by its own time that it is newer.
fn is_newer(ctx: &Context, source: TaskSource, told: &Task, before: Option<&str>) -> bool {
    match source {
        TaskSource::Polled => false,
        TaskSource::Notified if ctx.carrier == Carrier::Pipe => true,
        TaskSource::Notified => {
            let [now, before] = [told.last_updated_at.as_deref(), before];
            now.zip(before)
                .is_some_and(|(now, before)| is_later(now, before))
        }
        TaskSource::Created | TaskSource::Cancelled | TaskSource::Result => true,
    }
}

/// Returns true if a time is later than another, if their texts can be compared.
fn is_later(time: &str, other: &str) -> bool {
    let alike = time.len() == other.len() && time.ends_with('Z') && other.ends_with('Z');
    alike && time > other
}
