//! Components of a session, and their work for each other.

use sonde_findings::{Finding, Location, rules};
use sonde_wire::{Carrier, Cause, Closed, ExchangeId, Seq};
use tokio::time::{Duration, Instant};

use super::{
    catalogs::Catalogs,
    completions::Completions,
    context::Context,
    deadlines::Alarm,
    effect::Effect,
    faults::Faults,
    handle::Command,
    health,
    judge::judge,
    lifecycle::{Lifecycle, Reopening},
    log_level,
    opening::Opening,
    operations::Operations,
    ping,
    purpose::Purpose,
    requests::{Answered, PendingRequest},
    resource_subscriptions::ResourceSubscriptions,
    response::{Loss, Response},
    round_trip::report_round_trip,
    server_requests::ServerRequests,
    streams::Streams,
    task_list::TaskList,
    tasks::Tasks,
    time_limits::{Expiry, GRACE},
};
use crate::{
    CatalogKind, CloseReason, Lost, NoResponse, OperationEvent, OperationId, Outcome,
    catalog::declares_subscriptions,
    protocol::{stateless::code, tasks},
};

/// JSON-RPC error code of a request for which the user must open an address first, in protocol versions
/// that have it (2025-11-25).
const ELICITATION_REQUIRED: i64 = -32042;

/// State of one session. Each component owns its concern; work for another comes back as an [`Effect`],
/// which is carried out here.
pub(super) struct Parts {
    pub(super) ctx: Context,
    pub(super) operations: Operations,
    pub(super) tasks: Tasks,
    pub(super) task_list: TaskList,
    pub(super) catalogs: Catalogs,
    pub(super) completions: Completions,
    pub(super) server_requests: ServerRequests,
    pub(super) streams: Streams,
    pub(super) resources: ResourceSubscriptions,
    pub(super) opening: Opening,
    pub(super) lifecycle: Lifecycle,
    pub(super) faults: Faults,
}

impl Parts {
    pub(super) fn new(ctx: Context) -> Self {
        let resources = ResourceSubscriptions::of(&ctx.options.resource_subscriptions);
        Parts {
            ctx,
            operations: Operations::default(),
            tasks: Tasks::default(),
            task_list: TaskList::default(),
            catalogs: Catalogs::default(),
            completions: Completions::default(),
            server_requests: ServerRequests::default(),
            streams: Streams::default(),
            resources,
            opening: Opening::default(),
            lifecycle: Lifecycle::default(),
            faults: Faults::default(),
        }
    }

    // Responses and losses of requests.

    /// Takes the response to a pending request.
    pub(super) fn answered(
        &mut self,
        id: u64,
        response: Response<'_>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let ctx = &mut self.ctx;
        let Some(request) = ctx.end_request(id, true) else {
            return;
        };
        // Servers that keep the stream of the response open would use up the exchanges of the transport.
        if ctx.carrier == Carrier::Http && !self.streams.is_resumed(id) {
            ctx.deadlines.arm_in(Alarm::Abandon(id), GRACE);
        }
        self.streams.request_settled(ctx, id, true);
        report_round_trip(ctx, &request, Some(seq), !response.is_result());
        health::works(ctx);
        let purpose = request.purpose;
        // The opening judges its own responses.
        if ctx.is_ready() {
            let (capabilities, http) = (ctx.declared.as_deref(), request.http.as_deref());
            let method = &request.method;
            judge(
                method,
                &response,
                &ctx.protocol,
                capabilities,
                http,
                findings,
            );
        }
        let response = match purpose {
            Purpose::Listen
            | Purpose::ListCatalog(_)
            | Purpose::ListTasks
            | Purpose::Complete
            | Purpose::SubscribeResource => response.checked(&ctx.protocol, &request.method),
            _ => response,
        };
        let answered = Answered {
            request,
            response,
            seq,
        };
        if let Response::Error(error) = &answered.response
            && purpose != Purpose::Discover
            && ctx.protocol.is_stateless()
            && code::is_forbidden(error.code)
        {
            findings.push(
                Finding::new(&rules::FORBIDDEN_ERROR_CODE)
                    .with("code", error.code)
                    .at(Location::Pointer("/error/code".to_owned())),
            );
        }
        let response = &answered.response;
        let effects = match purpose {
            Purpose::Operation(operation) => {
                if let Response::Error(error) = response
                    && error.code == ELICITATION_REQUIRED
                {
                    let data = error.data.as_ref();
                    self.server_requests
                        .required(ctx, operation, data, findings);
                }
                self.operations.answered(ctx, operation, answered, findings)
            }
            Purpose::Task(operation, call) => {
                self.tasks
                    .answered(ctx, (operation, call), answered, findings)
            }
            Purpose::Discover => self.opening.probe_answered(ctx, answered, findings),
            Purpose::Initialize => self.opening.initialize_answered(ctx, answered, findings),
            Purpose::Listen => {
                let effect = self.streams.subscription_answered(ctx, id, response, seq);
                Vec::from_iter(effect)
            }
            Purpose::ListCatalog(kind) => {
                Vec::from_iter(self.catalogs.page_arrived(ctx, kind, response))
            }
            Purpose::ListTasks => return self.task_list.page(ctx, response, findings),
            Purpose::Ping => return ping::answered(ctx, &answered),
            Purpose::SetLevel if response.is_result() => return,
            Purpose::SetLevel => return log_level::failed(ctx, &response.problem()),
            Purpose::Complete => return self.completions.answered(id, response, findings),
            Purpose::SubscribeResource => return self.resources.answered(ctx, id, response),
        };
        self.apply(effects);
    }

    /// Ends a request whose response cannot come any more.
    pub(super) fn lose(&mut self, id: u64, loss: Loss) {
        let ctx = &mut self.ctx;
        let Some(request) = ctx.end_request(id, false) else {
            return;
        };
        self.streams.request_settled(ctx, id, false);
        report_round_trip(ctx, &request, None, true);
        // Streams report their own failures.
        if request.purpose != Purpose::Listen && !request.limits.is_cancelled() {
            health::on_lost(ctx, &loss);
        }
        // Not why: addresses and bodies may hold secrets.
        tracing::debug!(id, method = &*request.method, "response lost");
        self.unanswered(id, &request, loss);
    }

    /// A request's alarm went off.
    pub(super) fn request_due(&mut self, id: u64, now: Instant) {
        let ctx = &mut self.ctx;
        let Some((request, expiry)) = ctx.expire(id, now) else {
            return;
        };
        self.streams.request_settled(ctx, id, false);
        let operation = request.purpose.operation();
        let Expiry::Timeout(limit) = expiry else {
            ctx.report_no_response(&request, NoResponse::Cancelled);
            ctx.deadlines.arm_in(Alarm::Abandon(id), GRACE);
            return self.apply(operation.map(|of| Effect::Finish(of, Outcome::Cancelled)));
        };
        // "the sender SHOULD issue a cancellation notification for that request and stop waiting"
        // (lifecycle, Timeouts).
        let reason = Some("Timed out");
        if !ctx.stop_request(id, reason, Cause::Deadline, operation) {
            ctx.deadlines.arm_in(Alarm::Abandon(id), GRACE);
        }
        let loss = Loss::TimedOut(limit);
        // Time that the user took to answer says nothing of the server.
        if !request.limits.is_held() {
            health::on_lost(ctx, &loss);
        }
        match request.purpose {
            // These requests have an alarm of their own.
            Purpose::Discover | Purpose::Initialize | Purpose::Listen => {}
            _ => self.unanswered(id, &request, loss),
        }
    }

    /// Reports a missing response to the component that sent the request.
    fn unanswered(&mut self, id: u64, request: &PendingRequest, loss: Loss) {
        let ctx = &mut self.ctx;
        let why = match loss {
            // The end of the session gives the reason.
            Loss::TransportGone => None,
            Loss::TimedOut(_) => Some(NoResponse::TimedOut),
            _ if request.limits.is_cancelled() => Some(NoResponse::Cancelled),
            _ => Some(NoResponse::Lost),
        };
        if let Some(why) = why {
            ctx.report_no_response(request, why);
        }
        let problem = loss.problem();
        let effects = match request.purpose {
            Purpose::Operation(operation) => {
                vec![self.operations.on_lost(operation, request, loss)]
            }
            Purpose::Task(operation, call) => self.tasks.on_lost(ctx, (operation, call), loss),
            Purpose::Discover => self.opening.probe_lost(ctx, request.sent, loss),
            Purpose::Initialize => self.opening.initialize_lost(loss),
            Purpose::Listen => Vec::from_iter(self.streams.subscription_lost(ctx, id, &loss)),
            Purpose::ListCatalog(kind) => {
                let lost = Response::Unreadable(problem);
                Vec::from_iter(self.catalogs.page_arrived(ctx, kind, &lost))
            }
            Purpose::ListTasks => return self.task_list.failed(ctx, &problem),
            Purpose::Ping => {
                let is_lost = matches!(loss, Loss::TransportGone);
                return ping::failed(ctx, &format!("The ping failed: {problem}."), is_lost);
            }
            Purpose::SetLevel => return log_level::failed(ctx, &problem),
            Purpose::Complete => return self.completions.failed(id, problem),
            Purpose::SubscribeResource => return self.resources.on_lost(ctx, id, &loss),
        };
        self.apply(effects);
    }

    // Effects between components.

    pub(super) fn apply(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            let ctx = &mut self.ctx;
            match effect {
                Effect::End(reason) => self.end(reason),
                Effect::Reopen => self.reopen(),
                Effect::OpenListener => self.streams.open_listener(ctx),
                Effect::Subscribe(capabilities) => {
                    let declared = declares_subscriptions(&capabilities);
                    let updates = self.resources.begin(ctx, declared);
                    self.streams.subscribe(ctx, &capabilities, updates);
                }
                Effect::SubscribeResources(declared) => {
                    self.resources.begin(ctx, declared);
                }
                Effect::ListenTo { updates, anew } => {
                    let effect = self.streams.listen_to(ctx, updates, anew);
                    self.apply(effect);
                }
                Effect::Listening { asked, granted } => {
                    let wanted = self.resources.granted(ctx, &asked, &granted);
                    let effect = self.streams.listening(ctx, wanted);
                    self.apply(effect);
                }
                Effect::ListenBroken => self.resources.interrupted(ctx),
                Effect::ListenRefused(problem) => self.resources.refused(ctx, &problem),
                Effect::ListenOver(why) => self.resources.over(ctx, &why),
                Effect::SetLogLevel(level, cause) => log_level::set(ctx, level, cause),
                Effect::ReadCatalogs(declared) => self.catalogs.begin(ctx, &declared),
                Effect::RefreshCatalog(kind, cause) => {
                    self.catalogs.refresh(ctx, kind, cause);
                }
                Effect::CatalogSettled(CatalogKind::Tools) => {
                    let again = self.operations.tools_settled(ctx);
                    self.apply(again);
                }
                Effect::CatalogSettled(_) => {}
                Effect::Lose(id, loss) => self.lose(id, loss),
                Effect::Finish(operation, outcome) => self.finish(operation, outcome),
                Effect::BeginTask(new) => {
                    // The stream may go on with the progress of the task.
                    ctx.deadlines.disarm(Alarm::Abandon(new.request));
                    self.operations.forget(ctx, new.operation);
                    let effects = self.tasks.begin(ctx, *new);
                    self.apply(effects);
                    self.watch_tasks();
                }
                Effect::CloseInputs(operation) => {
                    self.server_requests.close_inputs(ctx, operation);
                }
                Effect::AskInput(input) => {
                    let answered = self.server_requests.ask_input(ctx, input);
                    self.apply(answered);
                }
                Effect::InputGiven {
                    operation,
                    key,
                    reply,
                } if self.tasks.has(operation) => {
                    self.tasks.input_given(ctx, operation, &key, reply);
                }
                Effect::InputGiven {
                    operation,
                    key,
                    reply,
                } => {
                    let effect = self.operations.input_given(ctx, operation, &key, reply);
                    self.apply(effect);
                }
            }
        }
    }

    /// Updates the subscription after the awaited tasks changed: a stateless server with the tasks extension is asked
    /// to report their status (tasks extension, Task Status Notifications).
    pub(super) fn watch_tasks(&mut self) {
        let ctx = &mut self.ctx;
        let declared = ctx.declared.as_deref();
        if ctx.is_ready()
            && ctx.protocol.is_stateless()
            && declared.is_some_and(tasks::declares_extension)
        {
            let watched = self.tasks.watched();
            let effect = self.streams.watch_tasks(ctx, watched);
            self.apply(effect);
        }
    }

    fn finish(&mut self, operation: OperationId, outcome: Outcome) {
        let ctx = &mut self.ctx;
        let was_task = self.tasks.has(operation);
        self.operations.forget(ctx, operation);
        // The result of its task is no longer awaited.
        if let Some(id) = self.tasks.forget(ctx, operation)
            && ctx.end_request(id, false).is_some()
        {
            self.streams.request_settled(ctx, id, false);
            ctx.stop_request(id, None, Cause::Task, Some(operation));
        }
        self.server_requests.close_inputs(ctx, operation);
        ctx.report_operation(operation, OperationEvent::Finished(outcome));
        if was_task {
            self.watch_tasks();
        }
    }

    /// Asks the server to stop working on an operation.
    pub(super) fn cancel(&mut self, id: OperationId, reason: Option<&str>) -> Option<Effect> {
        let ctx = &mut self.ctx;
        if self.tasks.has(id) {
            self.tasks.cancel(ctx, id);
            return None;
        }
        self.operations.cancel(ctx, id, reason)
    }

    /// Ends the reading of a catalog under way, and keeps its pages.
    pub(super) fn stop_catalog(&mut self, kind: CatalogKind) -> Option<Effect> {
        let ctx = &mut self.ctx;
        let id = self.catalogs.page_asked(kind)?;
        let is_parked = ctx.requests.is_parked(id);
        ctx.cancel_request(id);
        ctx.give_up_request(id, NoResponse::Cancelled)?;
        self.streams.request_settled(ctx, id, false);
        // A server that never took the request has nothing to stop.
        if is_parked || !ctx.stop_request(id, None, Cause::User, None) {
            ctx.abandon(ExchangeId(id));
        }
        self.catalogs.stopped(ctx, kind)
    }

    /// Waits longer for an operation.
    pub(super) fn extend(&mut self, id: OperationId, by: Duration) {
        let ctx = &mut self.ctx;
        match self.tasks.has(id) {
            true => self.tasks.extend(ctx, id, by),
            false => self.operations.extend(ctx, id, by),
        }
    }

    /// Answers a command that came after the end.
    pub(super) fn refuse(&mut self, command: Command) {
        let ctx = &mut self.ctx;
        match command {
            Command::Start { id, .. } | Command::ResumeTask { id, .. } => {
                let lost = Outcome::Lost(Lost::TransportGone);
                ctx.report_operation(id, OperationEvent::Finished(lost));
            }
            Command::Ping => ping::failed(ctx, "The session is over.", true),
            Command::SetLogLevel(_) => log_level::failed(ctx, "the session is over"),
            // The caller of a completion learns of it when the sender is dropped, and the next session subscribes again.
            // The others need no reply.
            Command::Complete { .. }
            | Command::CancelCompletion
            | Command::SubscribeResource(_)
            | Command::UnsubscribeResource(_)
            | Command::Cancel { .. }
            | Command::Extend { .. }
            | Command::AskTask(_)
            | Command::StopWaiting(_)
            | Command::ListTasks
            | Command::RefreshCatalog(_)
            | Command::StopCatalog(_)
            | Command::SetRoots(_)
            | Command::HandOnRoots(_)
            | Command::Answer { .. }
            | Command::ReconnectNow(_)
            | Command::GiveUp(_)
            | Command::Reopen
            | Command::Fault(_) => {}
        }
    }

    /// Restarts a session that the server forgot. Running requests are lost, and nothing is repeated.
    pub(super) fn reopen(&mut self) {
        let reopening = self.lifecycle.reopen(&mut self.ctx);
        self.begin_anew(reopening);
    }

    /// Restarts the session for the user.
    pub(super) fn reopen_for_user(&mut self) {
        if self.ctx.carrier == Carrier::Http && self.ctx.protocol.handshake().is_some() {
            let reopening = self.lifecycle.reopen_for_user(&mut self.ctx);
            self.begin_anew(reopening);
        }
    }

    fn begin_anew(&mut self, reopening: Reopening) {
        match reopening {
            Reopening::Begun => {}
            Reopening::NotReady => return,
            Reopening::TooOften => return self.end(CloseReason::SessionForgotten),
        }
        self.stop_recovering();
        for id in self.ctx.requests.ids() {
            self.ctx.abandon(ExchangeId(id));
            self.lose(id, Loss::Forgotten);
        }
        for operation in self.tasks.ids() {
            self.finish(operation, Outcome::Lost(Lost::SessionForgotten));
        }
        // Queued messages still carry the session id that the server has forgotten.
        self.ctx
            .commands
            .retain(|command| !matches!(command, sonde_wire::Command::Send(_)));
        self.resources.forget(&mut self.ctx);
        self.server_requests.forget_ids();
        self.catalogs.forget_reading();
        health::reset(&mut self.ctx);
        self.opening.begin_anew(&mut self.ctx);
    }

    /// Begins the orderly end.
    pub(super) fn end(&mut self, reason: CloseReason) {
        if !self.lifecycle.begin_end(&mut self.ctx, reason) {
            return;
        }
        self.stop_recovering();
        // Unsent messages would only delay the end.
        self.ctx.commands.clear();
        self.streams.unsubscribe(&mut self.ctx);
        self.lifecycle.end(&mut self.ctx);
        self.ctx.fall_silent();
    }

    /// The process closed its standard output: everything that waits for a response ends now. The
    /// session is over when the process is.
    pub(super) fn output_closed(&mut self) {
        let undecided = self.opening.is_undecided();
        if self.lifecycle.output_closed(&mut self.ctx, undecided) {
            self.stop_recovering();
            self.lose_all();
        }
    }

    /// The transport is gone: everything that waits for a response ends now.
    pub(super) fn transport_gone(&mut self, closed: Closed) {
        let Some(opening) = self.lifecycle.transport_gone(&mut self.ctx) else {
            return;
        };
        self.stop_recovering();
        self.lose_all();
        let undecided = self.opening.is_undecided();
        self.lifecycle.settle(closed, opening, undecided);
    }

    fn lose_all(&mut self) {
        for id in self.ctx.requests.ids() {
            self.lose(id, Loss::TransportGone);
        }
        let waiting = self.operations.ids().into_iter().chain(self.tasks.ids());
        for operation in waiting.collect::<Vec<_>>() {
            self.finish(operation, Outcome::Lost(Lost::TransportGone));
        }
    }

    /// Drops all waits that belong to the session: it ends, or is restarted.
    fn stop_recovering(&mut self) {
        self.catalogs.stop_following(&mut self.ctx);
        self.opening.stop(&mut self.ctx);
        self.close_streams();
    }

    fn close_streams(&mut self) {
        self.server_requests.close_all(&mut self.ctx);
        self.streams.end_all(&mut self.ctx);
    }

    /// Emits the final event.
    pub(super) fn last_word(&mut self) {
        self.lifecycle.finish(&mut self.ctx);
    }
}
