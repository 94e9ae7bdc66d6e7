//! The operations of the user: sending, responses, resending, cancellation, loss.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use serde_json::value::RawValue;
use sonde_findings::rules;
use sonde_wire::{Carrier, Cause, ExchangeId, Finding, Header, Seq};
use tokio::time::Instant;

use super::{
    context::Context,
    deadlines::Alarm,
    effect::{Effect, NewTask},
    multi_round_trip::RetryContext,
    purpose::Purpose,
    requests::{Answered, PendingRequest},
    response::{Loss, Response},
    time_limits::Limits,
};
use crate::{
    CatalogKind, Era, Event, Lost, OperationEvent, OperationId, OperationOptions, OperationRequest,
    Outcome, Reply, Revision, TimeoutKind,
    members::{at, members, string},
    operation::result_outcome,
    protocol::{
        Request, detection, notification,
        stateless::{
            InputRequired, ResultKind, code, header_values, kind, misplaced_task, needs_handshake,
            param_headers,
        },
        tasks,
    },
    received_result::ReceivedResult,
};

/// The running operations of a session that may take more than one request.
#[derive(Debug, Default)]
pub(super) struct Operations {
    retries: HashMap<OperationId, RetryContext>,
    /// Operations that asked to run as tasks.
    asked_tasks: HashSet<OperationId>,
}

impl Operations {
    pub(super) fn start(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        request: &OperationRequest,
        options: OperationOptions,
    ) -> Option<Effect> {
        if !ctx.is_ready() {
            return Some(finish_lost(id, Lost::TransportGone));
        }
        if ctx.requests.of_operation(id).is_some()
            || ctx.requests.is_task(id)
            || self.retries.contains_key(&id)
        {
            tracing::warn!(?id, "an operation with this id is running already");
            return None;
        }
        let params = match request.encode(ctx.protocol.asks_for_tasks()) {
            Ok(params) => params,
            Err(reason) => return Some(finish_lost(id, Lost::NotSent { reason })),
        };
        if request.notification {
            let text = notification(&request.method, params.as_deref());
            ctx.send_notification(&request.method, text, Cause::User, Some(id));
            return Some(Effect::Finish(id, Outcome::Sent));
        }
        if let Some(token) = params.as_deref().and_then(written_token) {
            ctx.requests.note_token(token.get());
        }
        let now = Instant::now();
        let timeouts = ctx.options.timeouts;
        let limits = Limits::new(
            now,
            options.idle.unwrap_or(timeouts.idle),
            options.hard.unwrap_or(timeouts.hard),
        );
        let retry = RetryContext::new(ctx.name(&request.method), params, options.force);
        if let Err(lost) = send(ctx, id, &retry, limits, Cause::User) {
            return Some(finish_lost(id, lost));
        }
        if ctx.protocol.is_stateless() {
            self.retries.insert(id, retry);
        } else if ctx.protocol.asks_for_tasks() && asks_for_task(retry.own_params()) {
            self.asked_tasks.insert(id);
        }
        let (idle, hard) = limits.remaining(now);
        ctx.report_operation(id, OperationEvent::Sent { idle, hard });
        None
    }

    /// Asks the server to stop. It may have answered already, so the response is still waited for
    /// (cancellation, Timing Considerations).
    pub(super) fn cancel(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        reason: Option<&str>,
    ) -> Option<Effect> {
        // While the session closes, nothing is sent to the server.
        if !ctx.is_ready() {
            return None;
        }
        let Some(request) = ctx.requests.of_operation(id) else {
            // Between two of its requests, the server has nothing to cancel.
            let known = self.retries.contains_key(&id);
            return known.then_some(Effect::Finish(id, Outcome::Cancelled));
        };
        if !ctx.cancel_request(request) {
            return None;
        }
        if ctx.requests.is_parked(request) {
            // The server never took it: there is nothing to stop there.
            ctx.abandon(ExchangeId(request));
        } else {
            ctx.stop_request(request, reason, Cause::User, Some(id));
        }
        ctx.report_operation(id, OperationEvent::Cancelling);
        None
    }

    /// Extends the limits of an operation.
    pub(super) fn extend(&mut self, ctx: &mut Context, id: OperationId, by: Duration) {
        if let Some(request) = ctx.requests.of_operation(id) {
            if let Some((idle, hard)) = ctx.requests.extend(request, by) {
                ctx.report_operation(id, OperationEvent::Extended { idle, hard });
            }
        } else if let Some(retry) = self.retries.get_mut(&id)
            && let Some((idle, hard)) = retry.extend(by)
        {
            if let Some(limits) = &retry.relisting {
                ctx.deadlines.arm(Alarm::NextRound(id), limits.hard_at());
            }
            ctx.report_operation(id, OperationEvent::Extended { idle, hard });
        }
    }

    /// Takes the response to the request of an operation, which need not be the end of it.
    pub(super) fn answered(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        answered: Answered<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<Effect> {
        let Answered {
            request,
            response,
            seq,
        } = answered;
        let limits = request.limits;
        if let Response::Error(error) = &response
            && !limits.is_cancelled()
            && ctx.is_ready()
        {
            let revision = match error.code {
                code::UNSUPPORTED_VERSION => detection::refused_revision(error.data.as_deref()),
                _ => None,
            };
            if let Some(revision) = revision
                && self.may_change_revision(ctx, id, revision, seq)
            {
                let effect = self.send_again(ctx, id, limits);
                return effect.into_iter().collect();
            }
            if error.code == code::HEADER_MISMATCH
                && self.may_change_headers(ctx, id, &request, seq)
            {
                return vec![Effect::RefreshCatalog(CatalogKind::Tools, Cause::Retry)];
            }
        }
        let mut response = response;
        if let Response::Result(result) = &response {
            match ctx.protocol.stateless().map(|stateless| stateless.tasks) {
                Some(tasks) => match kind(result, &request.method, tasks) {
                    Ok(ResultKind::InputRequired(wanted)) => {
                        return self.input_required(ctx, id, wanted, limits, seq);
                    }
                    Ok(ResultKind::Task) => {
                        let effect = begin_task(ctx, id, (result, request, seq), findings);
                        return vec![effect];
                    }
                    Ok(ResultKind::Complete) => {}
                    Err(problem) => {
                        findings.extend(misplaced(result, &request.method, tasks));
                        response = Response::Unreadable(problem);
                    }
                },
                None if ctx.protocol.asks_for_tasks() => {
                    let asked = self.asked_tasks.contains(&id);
                    if let Some(task) = tasks::created(result, asked) {
                        if !asked {
                            findings.push(Finding::new(&rules::UNASKED_TASK));
                        }
                        return vec![begin_task(ctx, id, (task, request, seq), findings)];
                    }
                    if asked {
                        findings.push(Finding::new(&rules::TASK_NOT_CREATED));
                    }
                }
                None => {}
            }
        }
        let outcome = outcome(&request.method, response, seq, findings);
        if ctx.protocol.is_stateless() && needs_handshake(&outcome) {
            ctx.report_operation(id, OperationEvent::NeedsHandshake);
        }
        vec![Effect::Finish(id, outcome)]
    }

    /// Handles the loss of a response.
    pub(super) fn on_lost(&self, id: OperationId, request: &PendingRequest, loss: Loss) -> Effect {
        let outcome = match loss {
            // "Receivers of a cancellation notification SHOULD […] not send a response for the
            // cancelled request" (cancellation, Behavior Requirements): its stream just ends.
            Loss::NoAnswer if request.limits.is_cancelled() => Outcome::Cancelled,
            loss => loss.into_outcome(),
        };
        Effect::Finish(id, outcome)
    }

    /// Forgets an operation that has ended.
    pub(super) fn forget(&mut self, ctx: &mut Context, id: OperationId) {
        ctx.deadlines.disarm(Alarm::NextRound(id));
        self.retries.remove(&id);
        self.asked_tasks.remove(&id);
    }

    /// The operations that are between two of their requests, or have one in flight that could be
    /// sent again.
    pub(super) fn ids(&self) -> Vec<OperationId> {
        let mut ids: Vec<OperationId> = self.retries.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    // Requests that are sent again.

    /// Switches to another protocol version that the server named while refusing the current one, once per operation.
    /// Returns true if it did.
    fn may_change_revision(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        revision: Revision,
        seq: Seq,
    ) -> bool {
        let (Some(stateless), Some(retry)) =
            (ctx.protocol.stateless_mut(), self.retries.get_mut(&id))
        else {
            return false;
        };
        if std::mem::replace(&mut retry.other_revision, true) {
            return false;
        }
        let before = std::mem::replace(&mut stateless.revision, revision);
        ctx.report_detection(
            "other-revision",
            format!(
                "The server rejects {before} and lists {revision}: sending the request again with \
                 that."
            ),
            Some(Era::Stateless),
            Some(seq),
        );
        true
    }

    /// "re-run tools/list, rebuild headers, retry once" (Streamable HTTP, Server Validation).
    fn may_change_headers(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        request: &PendingRequest,
        seq: Seq,
    ) -> bool {
        let Some(retry) = self.retries.get_mut(&id) else {
            return false;
        };
        if &*request.method != "tools/call" || ctx.carrier != Carrier::Http || retry.other_headers {
            return false;
        }
        retry.other_headers = true;
        let limits = request.limits.resumed(Instant::now());
        retry.relisting = Some(limits);
        ctx.deadlines.arm(Alarm::NextRound(id), limits.hard_at());
        ctx.report_detection(
            "headers-refused",
            "The server rejects the headers of the request: refreshing the tools and sending it \
             again with headers from the newest definition.",
            Some(Era::Stateless),
            Some(seq),
        );
        true
    }

    /// Resumes the operations that waited for the list of tools, whether it was read or not.
    pub(super) fn tools_settled(&mut self, ctx: &mut Context) -> Vec<Effect> {
        let mut waiting: Vec<(OperationId, Limits)> = self
            .retries
            .iter_mut()
            .filter_map(|(id, retry)| Some((*id, retry.relisting.take()?)))
            .collect();
        waiting.sort_unstable_by_key(|(id, _)| *id);
        waiting
            .into_iter()
            .filter_map(|(id, limits)| self.send_again(ctx, id, limits))
            .collect()
    }

    /// Handles a result that asks for inputs (multi round-trip requests).
    fn input_required(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        wanted: InputRequired,
        limits: Limits,
        seq: Seq,
    ) -> Vec<Effect> {
        if limits.is_cancelled() {
            return vec![Effect::Finish(id, Outcome::Cancelled)];
        }
        let Some(retry) = self.retries.get_mut(&id) else {
            return vec![finish_lost(id, Lost::NoAnswer)];
        };
        let (round, limit) = (retry.count_round(), ctx.options.rounds);
        ctx.report_operation(id, OperationEvent::InputRequired { round });
        if round > limit {
            return vec![finish_lost(id, Lost::TooManyRounds { limit })];
        }
        if !ctx.is_ready() {
            return vec![finish_lost(id, Lost::TransportGone)];
        }
        let due = retry.begin_round(&wanted, limits);
        ctx.deadlines.arm(Alarm::NextRound(id), due);
        Effect::ask_inputs(id, wanted.requests, seq)
    }

    /// Handles the user's reply to a request inside a result.
    pub(super) fn input_given(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        key: &str,
        reply: Reply,
    ) -> Option<Effect> {
        let Reply::Result(text) = reply else {
            // "There is no error channel": whoever refuses just does not send the request again
            // (multi round-trip requests).
            return Some(Effect::Finish(id, Outcome::Cancelled));
        };
        if !self.retries.get_mut(&id)?.give_input(key, &text) {
            return None;
        }
        self.next_round(ctx, id)
    }

    /// Handles the end of an operation's pause, or of its time limit.
    pub(super) fn round_due(
        &mut self,
        ctx: &mut Context,
        id: OperationId,
        now: Instant,
    ) -> Option<Effect> {
        if self.retries.get(&id)?.is_overdue(now)? {
            return Some(Effect::Finish(id, Outcome::TimedOut(TimeoutKind::Hard)));
        }
        self.next_round(ctx, id)
    }

    /// Sends the request again once everything is answered.
    fn next_round(&mut self, ctx: &mut Context, id: OperationId) -> Option<Effect> {
        let (limits, moved) = self.retries.get_mut(&id)?.end_round()?;
        ctx.deadlines.disarm(Alarm::NextRound(id));
        if moved {
            let (idle, hard) = limits.remaining(Instant::now());
            ctx.report_operation(id, OperationEvent::Extended { idle, hard });
        }
        self.send_again(ctx, id, limits)
    }

    /// Sends an operation's request again, with a new id and a new idle limit.
    fn send_again(&mut self, ctx: &mut Context, id: OperationId, limits: Limits) -> Option<Effect> {
        let retry = self.retries.get_mut(&id)?;
        if !ctx.is_ready() {
            return Some(finish_lost(id, Lost::TransportGone));
        }
        retry.retries += 1;
        let limits = limits.again(Instant::now());
        match send(ctx, id, retry, limits, Cause::Retry) {
            Ok(()) => {
                let round = retry.retries;
                ctx.report_operation(id, OperationEvent::Again { round });
                for roots in retry.roots.drain(..) {
                    ctx.report(Event::RootsAnswered(Reply::Result(roots)));
                }
                None
            }
            Err(lost) => Some(finish_lost(id, lost)),
        }
    }
}

/// Sends the request of an operation.
fn send(
    ctx: &mut Context,
    id: OperationId,
    retry: &RetryContext,
    limits: Limits,
    cause: Cause,
) -> Result<(), Lost> {
    let headers = tool_headers(ctx, retry).map_err(|reason| Lost::Forbidden { reason })?;
    let request = Request {
        method: &retry.method,
        params: retry.params(),
        progress: true,
    };
    let purpose = Purpose::Operation(id);
    ctx.send_encoded(purpose, request.method, limits, cause, |protocol, id| {
        let mut encoded = protocol.request(id, &request);
        encoded.headers.extend(headers);
        encoded
    });
    Ok(())
}

/// The headers that a tool's definition asks for, by the newest list. An error says why its
/// definition forbids the call.
fn tool_headers(ctx: &Context, retry: &RetryContext) -> Result<Vec<Header>, String> {
    if &*retry.method != "tools/call"
        || ctx.carrier != Carrier::Http
        || !ctx.protocol.is_stateless()
    {
        return Ok(Vec::new());
    }
    let params = retry.own_params().unwrap_or_default();
    let member = |name: &str| at(params, &[name.to_owned()]);
    let name = member("name").and_then(string);
    let schema = name.and_then(|name| input_schema(ctx, &name));
    let wanted = match schema.map(param_headers) {
        // "If the tool was never listed", there is nothing to repeat.
        None => return Ok(Vec::new()),
        Some(Err(_)) if retry.force => return Ok(Vec::new()),
        Some(Err(reason)) => {
            return Err(format!(
                "Clients must not call this tool over HTTP: {reason}."
            ));
        }
        Some(Ok(wanted)) => wanted,
    };
    Ok(member("arguments")
        .map(|arguments| header_values(&wanted, arguments.get()))
        .unwrap_or_default())
}

/// Returns the `inputSchema` of the first tool of this name in the newest list.
fn input_schema<'a>(ctx: &'a Context, name: &str) -> Option<&'a RawValue> {
    let item = ctx.tools.as_ref()?.iter().find(|item| item.key == name)?;
    item.tool()?.input_schema.as_deref()
}

/// Turns a response into the outcome of its operation. `findings` receives harmless oddities.
pub(super) fn outcome(
    method: &str,
    response: Response<'_>,
    seq: Seq,
    findings: &mut Vec<Finding>,
) -> Outcome {
    match response {
        Response::Result(result) => result_outcome(method, &result, seq, findings),
        Response::Error(error) => Outcome::ProtocolError {
            code: error.code,
            message: error.message,
            data: error.data,
            seq,
        },
        Response::Unreadable(problem) => Outcome::BadShape { problem, seq },
    }
}

/// Returns true if the parameters of a request ask for a task.
fn asks_for_task(params: Option<&str>) -> bool {
    let read = params.and_then(|params| members(params, &["task"]).ok());
    read.is_some_and(|read| read.values[0].is_some())
}

/// Handles a result that creates a task.
fn begin_task(
    ctx: &Context,
    operation: OperationId,
    (task, request, seq): (&RawValue, PendingRequest, Seq),
    findings: &mut Vec<Finding>,
) -> Effect {
    match tasks::read(task, ctx.protocol.era(), findings) {
        Ok(found) => Effect::BeginTask(Box::new(NewTask {
            operation,
            method: request.method,
            // Ids are numbers that this session counts.
            request: request.id.parse().unwrap_or_default(),
            limits: request.limits,
            found,
            seq,
        })),
        Err(problem) => Effect::Finish(operation, Outcome::BadShape { problem, seq }),
    }
}

/// Returns the finding for an unexpected task.
fn misplaced(result: &ReceivedResult<'_>, method: &str, tasks: bool) -> Option<Finding> {
    let problem = misplaced_task(result, method, tasks)?;
    let misplaced = Finding::new(&rules::MISPLACED_TASK).with("method", method);
    Some(misplaced.with("problem", problem))
}

fn finish_lost(id: OperationId, lost: Lost) -> Effect {
    Effect::Finish(id, Outcome::Lost(lost))
}

/// Returns the progress token that the user wrote into parameters.
fn written_token(params: &str) -> Option<&RawValue> {
    const TOKEN: &str = "progressToken";
    // Few have one, and reading long arguments takes time.
    if !params.contains(TOKEN) {
        return None;
    }
    at(params, &["_meta", TOKEN].map(str::to_owned))
}
