//! A task that an operation waits for: its requests, and their times.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{Cause, Seq};
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::{Alarm, later},
    effect::Effect,
    envelope::{METHOD_NOT_FOUND, error_object},
    operations::outcome,
    purpose::{Purpose, TaskCall},
    response::Response,
    task_inputs::TaskInputs,
    time_limits::Limits,
};
use crate::{
    EarlierTask, OperationEvent, OperationId, Outcome, Task, TaskSource, TaskStatus, TaskStep,
    limits::{TASK_FAILURES, TASK_POLL, TASK_POLL_CAP, TASK_POLL_FLOOR},
    operation::result_outcome,
    protocol::{
        Request,
        stateless::{input_requests, misplaced_task},
        tasks::{self, Payload},
    },
    received_result::ReceivedResult,
};

/// JSON-RPC: the parameters are not valid; here because the task does not exist.
const INVALID_PARAMS: i64 = -32602;

/// A task that an operation waits for.
#[derive(Debug)]
pub(super) struct RunningTask {
    pub(super) task: Task,
    /// The method of the request that became a task.
    pub(super) method: Arc<str>,
    /// Limits of the operation. Silence does not count.
    pub(super) limits: Limits,
    /// Time of the next status request, unless it is under way or the task is over.
    pub(super) poll_at: Option<Instant>,
    /// A `tasks/get` is in flight.
    pub(super) asking: bool,
    /// The `tasks/result` in flight.
    pub(super) result: Option<u64>,
    /// The server has answered a `tasks/get`.
    pub(super) known: bool,
    /// Time at which the task became known here.
    pub(super) since: Instant,
    /// Requests about it that failed in a row.
    pub(super) failures: u32,
    pub(super) inputs: TaskInputs,
}

impl RunningTask {
    pub(super) fn new(task: Task, method: Arc<str>, limits: Limits) -> Self {
        RunningTask {
            task,
            method,
            limits,
            poll_at: None,
            asking: false,
            result: None,
            known: false,
            since: Instant::now(),
            failures: 0,
            inputs: TaskInputs::default(),
        }
    }

    /// A task of which nothing but its id is known.
    pub(super) fn earlier(task: EarlierTask, limits: Limits) -> Self {
        let EarlierTask { id, method } = task;
        let task = Task {
            id,
            ..Task::default()
        };
        RunningTask {
            // It was there once: that it is gone breaks no rule.
            known: true,
            ..RunningTask::new(task, Arc::from(method), limits)
        }
    }

    /// Returns the pause before the next status request.
    pub(super) fn pause(&self) -> Duration {
        self.task.poll_interval.map_or(TASK_POLL, |millis| {
            Duration::from_millis(millis).clamp(TASK_POLL_FLOOR, TASK_POLL_CAP)
        })
    }

    /// Records a finding if the pause differs from the server's wish: "Clients SHOULD respect the
    /// `pollInterval`".
    pub(super) fn note_interval(&self, findings: &mut Vec<Finding>) {
        let used = self.pause().as_millis();
        if let Some(suggested) = self.task.poll_interval
            && u128::from(suggested) != used
        {
            let bounded = Finding::new(&rules::POLL_INTERVAL_BOUNDED);
            findings.push(bounded.with("suggested", suggested).with("used", used));
        }
    }

    /// Asks for its status after this time.
    pub(super) fn poll_in(&mut self, wait: Duration) {
        self.poll_at = Some(later(Instant::now(), wait));
    }

    /// Reports the next step, and arms the alarm for it.
    pub(super) fn arm(&self, ctx: &mut Context, operation: OperationId) {
        let due = self.limits.due();
        let poll = self.poll_at.filter(|_| !self.asking);
        let at = poll.map_or(due, |poll| poll.min(due));
        ctx.deadlines.arm(Alarm::Task(operation), at);
        let step = match poll {
            _ if self.asking => TaskStep::Asking,
            Some(at) => TaskStep::Wait(at.saturating_duration_since(Instant::now())),
            None => TaskStep::FetchingResult,
        };
        ctx.report_operation(operation, OperationEvent::TaskStep(step));
    }

    /// Requests its status, unless a request is in flight.
    pub(super) fn ask(&mut self, ctx: &mut Context, operation: OperationId, cause: Cause) {
        self.poll_at = None;
        if self.asking || !ctx.is_ready() {
            return;
        }
        self.asking = true;
        self.call(ctx, operation, TaskCall::Get, cause);
    }

    /// Requests its result, unless a request is in flight. If the task `blocks`, since it waits for the user, the
    /// response may take as long as the operation.
    pub(super) fn fetch_result(&mut self, ctx: &mut Context, operation: OperationId, blocks: bool) {
        if !ctx.is_ready() {
            return;
        }
        let id = match self.result {
            Some(_) if blocks => return,
            Some(id) => {
                let limits = self.limits_of_call(ctx, false);
                return ctx.limit(id, limits);
            }
            None => self.call(ctx, operation, TaskCall::Result, Cause::Task),
        };
        self.result = Some(id);
        let limits = self.limits_of_call(ctx, blocks);
        ctx.limit(id, limits);
    }

    /// Sends the replies once all of them are there.
    pub(super) fn update(&mut self, ctx: &mut Context, operation: OperationId) {
        if !ctx.is_ready() {
            return;
        }
        if let Some(responses) = self.inputs.take_responses() {
            let params = tasks::update_params(&self.task.id, &responses);
            let limits = self.limits_of_call(ctx, false);
            send(
                ctx,
                (operation, TaskCall::Update),
                limits,
                Cause::User,
                &params,
            );
        }
    }

    pub(super) fn call(
        &self,
        ctx: &mut Context,
        operation: OperationId,
        call: TaskCall,
        cause: Cause,
    ) -> u64 {
        let params = tasks::related(&self.task.id);
        let limits = self.limits_of_call(ctx, false);
        send(ctx, (operation, call), limits, cause, &params)
    }

    /// The limits of one request about it, which never outlasts the operation.
    pub(super) fn limits_of_call(&self, ctx: &Context, blocks: bool) -> Limits {
        let now = Instant::now();
        let (_, hard) = self.limits.remaining(now);
        let idle = if blocks {
            hard
        } else {
            ctx.options.timeouts.idle
        };
        Limits::new(now, idle, hard)
    }

    /// Applies the rules of the protocol in use to a response.
    pub(super) fn checked<'a>(
        &self,
        ctx: &Context,
        call: TaskCall,
        response: Response<'a>,
        findings: &mut Vec<Finding>,
    ) -> Response<'a> {
        match (&response, ctx.protocol.stateless()) {
            // Earlier examples of the extension had this form.
            (Response::Result(result), Some(stateless))
                if call == TaskCall::Get
                    && misplaced_task(result, call.method(), stateless.tasks).is_some() =>
            {
                findings.push(Finding::new(&rules::TASK_RESULT_TYPE));
                response
            }
            _ => response.checked(&ctx.protocol, call.method()),
        }
    }

    /// Turns the response to `tasks/result` into the outcome of the operation.
    pub(super) fn result_outcome(
        &self,
        response: Response<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Outcome {
        if let Response::Result(result) = &response
            && tasks::related_task(result).is_none_or(|id| id != self.task.id)
        {
            findings.push(missing_related_task());
        }
        outcome(&self.method, response, seq, findings)
    }

    /// Handles the response to `tasks/result`. "The receiver MUST block the response until the task reaches a terminal
    /// status" (tasks, Result Retrieval), so the response implies that status if the server did not report it:
    /// otherwise a finished run would show the status before. The reported status is kept, since later reports are
    /// compared with it.
    pub(super) fn ended_by_result(
        &self,
        ctx: &mut Context,
        operation: OperationId,
        outcome: Outcome,
    ) -> Outcome {
        let (status, outcome) = match outcome {
            Outcome::Result { is_error, .. } => {
                let status = match is_error {
                    true => TaskStatus::Failed,
                    false => TaskStatus::Completed,
                };
                (status, outcome)
            }
            // A cancelled task has no result; a task that ended before the cancellation has its own.
            Outcome::ProtocolError { .. }
                if self.limits.is_cancelled() && !self.task.status.is_terminal() =>
            {
                (TaskStatus::Cancelled, Outcome::Cancelled)
            }
            // These errors are about the request: the state of the task stays unknown.
            Outcome::ProtocolError {
                code: METHOD_NOT_FOUND | INVALID_PARAMS,
                ..
            } => return outcome,
            Outcome::ProtocolError { .. } => (TaskStatus::Failed, outcome),
            _ => return outcome,
        };
        if !self.task.status.is_terminal() {
            let task = Task {
                status,
                message: None,
                ..self.task.clone()
            };
            let source = TaskSource::Result;
            ctx.report_operation(operation, OperationEvent::Task { task, source });
        }
        outcome
    }

    /// Turns the status of a finished task of the extension into the outcome of its operation; `None` if
    /// the status has none.
    pub(super) fn inline_outcome(
        &self,
        payload: &Payload,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Option<Outcome> {
        match payload {
            Payload::Result(raw) => {
                let result = ReceivedResult::new(raw, None);
                Some(result_outcome(&self.method, &result, seq, findings))
            }
            Payload::Error(raw) => Some(match error_object(raw, findings) {
                Ok(error) => outcome(&self.method, Response::Error(error), seq, findings),
                Err(problem) => Outcome::BadShape { problem, seq },
            }),
            Payload::Inputs(_) | Payload::Nothing => None,
        }
    }

    /// Asks the user for the new inputs among the outstanding requests.
    pub(super) fn ask_inputs(
        &mut self,
        operation: OperationId,
        inputs: &RawValue,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        match input_requests(inputs) {
            Ok(asked) => Effect::ask_inputs(operation, self.inputs.ask(asked, findings), seq),
            Err(problem) => {
                findings.push(Finding::new(&rules::BAD_RESULT).with("problem", problem));
                Vec::new()
            }
        }
    }

    /// Handles a failed status request.
    pub(super) fn not_told(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        response: Response<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let code = match &response {
            Response::Error(error) => Some(error.code),
            _ => None,
        };
        let method = Arc::clone(&self.method);
        let outcome = outcome(&method, response, seq, findings);
        // Only these codes mean that asking again is useless.
        if !matches!(code, Some(METHOD_NOT_FOUND | INVALID_PARAMS)) {
            return self.failed(ctx, operation, outcome);
        }
        // A server may forget a task that it was told to cancel.
        if self.limits.is_cancelled() {
            return vec![Effect::Finish(operation, Outcome::Cancelled)];
        }
        // `ttl` counts from the creation of the task.
        let retained = self.task.ttl.map(Duration::from_millis);
        let is_retained = retained.is_none_or(|ttl| self.since.elapsed() < ttl);
        if code == Some(INVALID_PARAMS) && !self.known && is_retained {
            findings.push(Finding::new(&rules::TASK_NOT_FOUND));
        }
        vec![Effect::Finish(operation, outcome)]
    }

    /// Handles a refused cancellation. The task may have ended, so its status is requested.
    pub(super) fn not_cancelled(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        response: &Response<'_>,
    ) -> Vec<Effect> {
        self.limits.revive();
        ctx.report_operation(operation, OperationEvent::CancelFailed(response.problem()));
        if !self.task.status.is_terminal() {
            self.poll_in(Duration::ZERO);
        }
        self.arm(ctx, operation);
        Vec::new()
    }

    /// Handles a failed request about the task: it is repeated, but not forever.
    pub(super) fn failed(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        outcome: Outcome,
    ) -> Vec<Effect> {
        self.failures += 1;
        if self.failures >= TASK_FAILURES {
            return vec![Effect::Finish(operation, outcome)];
        }
        self.poll_in(self.pause());
        self.arm(ctx, operation);
        Vec::new()
    }
}

/// Sends a request about a task.
fn send(
    ctx: &mut Context,
    (operation, call): (OperationId, TaskCall),
    limits: Limits,
    cause: Cause,
    params: &str,
) -> u64 {
    let request = Request {
        params: Some(params),
        ..Request::bare(call.method())
    };
    let purpose = Purpose::Task(operation, call);
    ctx.send_request(purpose, limits, cause, &request)
}

/// "All requests, notifications, and responses related to a task MUST include the […] key" (tasks,
/// Associating Task-Related Messages).
pub(super) fn missing_related_task() -> Finding {
    Finding::new(&rules::MISSING_RELATED_TASK).with("key", tasks::RELATED_TASK)
}

pub(super) fn changed_after_end(before: TaskStatus, status: TaskStatus) -> Finding {
    Finding::new(&rules::TASK_CHANGED_AFTER_END)
        .with("before", before.as_str())
        .with("status", status.as_str())
}

pub(super) fn missing_payload(status: TaskStatus, member: &str) -> Finding {
    Finding::new(&rules::MISSING_TASK_PAYLOAD)
        .with("status", status.as_str())
        .with("member", member)
}
