//! Open requests of the server to the user.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause, Label, MessageKind, Seq};
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::{Alarm, later},
    effect::{Effect, InputRequest},
    envelope::{METHOD_NOT_FOUND, keep, short},
    notifications::MOST_CANDIDATES,
    recent_ids::RecentIds,
    request_tasks::{
        self, CallOutcome, INTERNAL, INVALID_PARAMS, RequestTasks, TaskRequest, refusal,
        result_response, task_id,
    },
    roots,
};
use crate::{
    Event, OperationEvent, OperationId, Reply, Revision, ServerRequest, ServerRequestEnd,
    ServerRequestId, TaskStatus,
    limits::{NAME, SERVER_REQUESTS},
    members::{member, one_line, quoted, string},
    protocol::tasks,
    server_request_check::{Completion, Elicitations, check, required_elicitations},
    text::{brief, cut},
    undeclared::{not_declared, undeclared},
};

/// Origin of a request, which is also the destination of its reply.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// A request that the server sent on its own; its id is JSON text.
    Request {
        id: String,
        /// The id of the task that it belongs to.
        task: Option<String>,
    },
    /// Part of an `input_required` result, with its key in `inputRequests`.
    Input { key: String },
    /// A request that the server sent on its own and that became a task, by its number.
    Task { number: u64 },
}

#[derive(Debug)]
struct OpenRequest {
    origin: Origin,
    method: Arc<str>,
    operation: Option<OperationId>,
    /// Operations that it may belong to, if it cannot be assigned to one of them.
    candidates: Vec<OperationId>,
}

impl OpenRequest {
    /// Returns the operations that may wait for the user as long as it is open.
    fn holds(&self) -> impl Iterator<Item = OperationId> {
        self.operation
            .into_iter()
            .chain(self.candidates.iter().copied())
    }
}

/// The open requests of a server, and the responses that are held back.
#[derive(Debug, Default)]
pub(super) struct ServerRequests {
    open: BTreeMap<ServerRequestId, OpenRequest>,
    last: u64,
    /// URL elicitations that the server may report as completed.
    elicitations: Elicitations,
    /// Delay of responses to the server.
    delay: Duration,
    held: VecDeque<(Instant, String, Label)>,
    /// The ids of the requests of this session.
    ids: RecentIds,
    /// Requests that the server asked for as tasks.
    tasks: RequestTasks,
}

/// A request that the server sent on its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReceivedRequest<'a> {
    /// Its id as JSON text.
    pub(super) id: &'a str,
    pub(super) method: &'a str,
    pub(super) params: Option<&'a RawValue>,
    /// The operation during which it came, where that is known.
    pub(super) operation: Option<OperationId>,
    /// The operations during which it may have come, if that is not known.
    pub(super) candidates: &'a [OperationId],
    /// Id of that operation's task, if the request names it.
    pub(super) task: Option<&'a str>,
    pub(super) seq: Seq,
}

/// A stateless server has no business asking: it embeds its requests in results, and a response
/// would have no place (base protocol, Responses).
pub(super) fn ignore(findings: &mut Vec<Finding>) {
    findings.push(Finding::new(&rules::REQUEST_IN_STATELESS_ERA));
}

impl ServerRequests {
    /// Takes a request of the server: answers it, refuses it, or asks the user.
    pub(super) fn serve(
        &mut self,
        ctx: &mut Context,
        request: &ReceivedRequest<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let ReceivedRequest { id, params, .. } = *request;
        let method = short(request.method);
        let name = ctx.name(method);
        if has_session(ctx) && !self.ids.remember(id) {
            findings.push(Finding::new(&rules::REUSED_REQUEST_ID).with("id", brief(id)));
        }
        if method == "ping" {
            return self.respond(ctx, id, &name, result_response(id, "{}"));
        }
        let row = revision(ctx).row();
        if let Some(missing) = undeclared(row, &ctx.options.capabilities, method, params) {
            if let Some(capability) = missing.capability {
                findings.push(not_declared(method, capability));
            }
            let refused = match missing.refusal {
                Some(words) => refusal(id, INVALID_PARAMS, words),
                None => {
                    let words = format!("Method not found: {method}");
                    refusal(id, METHOD_NOT_FOUND, &words)
                }
            };
            return self.respond(ctx, id, &name, refused);
        }
        if method == roots::LIST
            && let Some(result) = roots::result(ctx)
        {
            self.respond(ctx, id, &name, result_response(id, &result));
            ctx.report(Event::RootsAnswered(Reply::Result(result)));
            return;
        }
        if method.starts_with("tasks/") {
            return self.serve_task(ctx, request, &name);
        }
        let found = check(row, &ctx.options.capabilities, method, params);
        // "Receivers that do not declare the task capability for a request type MUST process requests of that
        // type normally, ignoring any task-augmentation metadata" (tasks, Capabilities).
        let takes_task = ctx.options.capabilities.takes_task(row, method);
        let requested = request_tasks::task_request(params).filter(|_| row.tasks);
        findings.extend(found.iter().cloned());
        if self.open.len() >= SERVER_REQUESTS {
            let words = "Too many requests are already open.";
            return self.respond(ctx, id, &name, refusal(id, INTERNAL, words));
        }
        let origin = match requested.filter(|_| takes_task) {
            None => Origin::Request {
                id: id.to_owned(),
                task: request.task.map(str::to_owned),
            },
            Some(TaskRequest::Unreadable) => {
                let words = "`task` must be an object.";
                return self.respond(ctx, id, &name, refusal(id, INVALID_PARAMS, words));
            }
            Some(TaskRequest::Task(ttl)) => match self.tasks.create(ctx, request.operation, ttl) {
                Ok((number, mut result)) => {
                    if let Some(task) = request.task {
                        result = tasks::about(&result, task);
                    }
                    self.respond(ctx, id, &name, result_response(id, &result));
                    Origin::Task { number }
                }
                Err(words) => {
                    return self.respond(ctx, id, &name, refusal(id, INTERNAL, words));
                }
            },
        };
        let open = OpenRequest {
            origin,
            method: name,
            operation: request.operation,
            candidates: request.candidates.to_vec(),
        };
        self.open(ctx, open, params, (true, found), request.seq);
    }

    /// Asks the user for an input that a result needs, or answers it if no user is needed.
    pub(super) fn ask_input(&mut self, ctx: &mut Context, input: InputRequest) -> Option<Effect> {
        if input.method == roots::LIST
            && let Some(result) = roots::result(ctx)
        {
            return Some(Effect::InputGiven {
                operation: input.operation,
                key: input.key,
                reply: Reply::Result(result),
            });
        }
        let params = input.params.as_deref();
        let (row, capabilities) = (revision(ctx).row(), &ctx.options.capabilities);
        let missing = undeclared(row, capabilities, &input.method, params);
        let found = check(row, capabilities, &input.method, params);
        // Its view shows by itself that the capability was not declared.
        let capability = missing.as_ref().and_then(|missing| missing.capability);
        let noted = capability.map(|capability| not_declared(&input.method, capability));
        ctx.annotate(
            input.seq,
            None,
            noted.into_iter().chain(found.clone()).collect(),
        );
        let open = OpenRequest {
            origin: Origin::Input { key: input.key },
            method: ctx.name(&input.method),
            operation: Some(input.operation),
            candidates: Vec::new(),
        };
        let declared = missing.is_none();
        self.open(ctx, open, params, (declared, found), input.seq);
        None
    }

    /// Opens a request. While it is open, the clocks of all operations that it may belong to are paused.
    fn open(
        &mut self,
        ctx: &mut Context,
        open: OpenRequest,
        params: Option<&RawValue>,
        (declared, findings): (bool, Vec<Finding>),
        seq: Seq,
    ) {
        self.last += 1;
        if &*open.method == "elicitation/create" {
            self.elicitations.remember(params);
        }
        let id = ServerRequestId(self.last);
        for operation in open.holds() {
            if let Some(request) = ctx.requests.of_operation(operation) {
                ctx.requests.wait_for_user(request);
            }
        }
        let key = match &open.origin {
            Origin::Input { key } => Some(key.clone()),
            Origin::Request { .. } | Origin::Task { .. } => None,
        };
        let as_task = matches!(open.origin, Origin::Task { .. });
        ctx.report(Event::ServerRequest(ServerRequest {
            id,
            operation: open.operation,
            candidates: match open.candidates.len() {
                ..=MOST_CANDIDATES => open.candidates.clone(),
                _ => Vec::new(),
            },
            method: open.method.to_string(),
            params: params.map(keep),
            key,
            as_task,
            declared,
            findings,
            seq,
        }));
        self.open.insert(id, open);
    }

    /// Handles the error that asks the user to open addresses first (elicitation, URL Elicitation Required
    /// Error). In other protocol versions that is an error like any other.
    pub(super) fn required(
        &mut self,
        ctx: &mut Context,
        operation: OperationId,
        data: Option<&Arc<RawValue>>,
        findings: &mut Vec<Finding>,
    ) {
        let row = revision(ctx).row();
        if !row.elicitation_ids {
            return;
        }
        let found = required_elicitations(data.map(|data| &**data));
        for params in &found {
            findings.extend(check(
                row,
                &ctx.options.capabilities,
                "elicitation/create",
                Some(params),
            ));
            self.elicitations.remember(Some(params));
        }
        if found.is_empty() {
            findings.push(Finding::new(&rules::MISSING_ELICITATIONS));
        }
        ctx.report_operation(operation, OperationEvent::UrlsRequired(data.cloned()));
    }

    /// The user has finished at an address. "Clients MUST ignore notifications referencing unknown or
    /// already-completed IDs" (elicitation, Completion Notifications).
    pub(super) fn completed(
        &mut self,
        ctx: &mut Context,
        params: Option<&RawValue>,
        findings: &mut Vec<Finding>,
    ) {
        let id = member(params, "elicitationId").and_then(string);
        let id = id.map(|id| cut(&id, NAME));
        match id {
            Some(id) => match self.elicitations.complete(&id) {
                Completion::New => ctx.report(Event::ElicitationCompleted(id)),
                Completion::Repeated => {}
                Completion::Unknown => {
                    findings
                        .push(Finding::new(&rules::UNKNOWN_ELICITATION).with("id", quoted(&id)));
                }
            },
            None => {
                findings.push(Finding::new(&rules::UNKNOWN_ELICITATION).with("id", "(none)"));
            }
        }
    }

    /// Handles the reply of the user.
    pub(super) fn reply(
        &mut self,
        ctx: &mut Context,
        id: ServerRequestId,
        reply: Reply,
    ) -> Option<Effect> {
        // Invalid JSON would break the message around it: the request stays open.
        if let Reply::Result(text) = &reply
            && serde_json::from_str::<&RawValue>(text).is_err()
        {
            tracing::warn!("a reply that is not JSON was not sent");
            return None;
        }
        let open = self.close(ctx, id, ServerRequestEnd::Answered)?;
        match open.origin {
            Origin::Request { id, task } => {
                let response = match &reply {
                    Reply::Result(text) => {
                        let mut text = one_line(text).into_owned();
                        if let Some(task) = task {
                            text = tasks::about(&text, &task);
                        }
                        result_response(&id, &text)
                    }
                    Reply::Error { code, message } => refusal(&id, *code, message),
                };
                self.respond(ctx, &id, &open.method, response);
                if &*open.method == roots::LIST {
                    ctx.report(Event::RootsAnswered(reply));
                }
                None
            }
            Origin::Input { key } => Some(Effect::InputGiven {
                operation: open.operation?,
                key,
                reply,
            }),
            Origin::Task { number } => {
                let (status, reply) = match reply {
                    Reply::Result(text) => (
                        TaskStatus::Completed,
                        Reply::Result(one_line(&text).into_owned()),
                    ),
                    error @ Reply::Error { .. } => (TaskStatus::Failed, error),
                };
                self.settle_task(ctx, number, status, reply);
                None
            }
        }
    }

    /// Returns the operation during which the task was requested that this request is about.
    pub(super) fn operation_of(
        &self,
        method: &str,
        params: Option<&RawValue>,
    ) -> Option<OperationId> {
        let about = method.starts_with("tasks/").then(|| task_id(params));
        self.tasks.operation(&about.flatten()?)
    }

    /// Takes a request about the tasks that the server asked for.
    fn serve_task(
        &mut self,
        ctx: &mut Context,
        &ReceivedRequest {
            id, params, method, ..
        }: &ReceivedRequest<'_>,
        name: &Arc<str>,
    ) {
        let number = match self.tasks.call(id, method, params) {
            CallOutcome::Answer(answer) => return self.respond(ctx, id, name, answer),
            CallOutcome::Later => return,
            CallOutcome::Cancel(number) => number,
        };
        let is_its = |open: &OpenRequest| open.origin == Origin::Task { number };
        let shown = self.open.iter().find(|(_, open)| is_its(open));
        if let Some(shown) = shown.map(|(shown, _)| *shown) {
            self.close(ctx, shown, ServerRequestEnd::Withdrawn);
        }
        let reply = Reply::Error {
            code: INTERNAL,
            message: "The task was cancelled.".to_owned(),
        };
        self.settle_task(ctx, number, TaskStatus::Cancelled, reply);
        if let Some(answer) = self.tasks.cancelled(id, number) {
            self.respond(ctx, id, name, answer);
        }
    }

    fn settle_task(&mut self, ctx: &mut Context, number: u64, status: TaskStatus, reply: Reply) {
        let name = ctx.name("tasks/result");
        for (id, answer) in self.tasks.settle(ctx, number, status, reply) {
            self.respond(ctx, &id, &name, answer);
        }
    }

    /// The server no longer wants to know; it gets no response (cancellation, Behavior
    /// Requirements). An unknown id is ignored: over HTTP its request may still be on its way.
    pub(super) fn withdraw(
        &mut self,
        ctx: &mut Context,
        params: Option<&RawValue>,
        findings: &mut Vec<Finding>,
    ) {
        let Some(id) = member(params, "requestId").map(|raw| raw.get().to_owned()) else {
            return;
        };
        if has_session(ctx) && self.ids.is_unused(&id) {
            // Streams of HTTP have no order among them.
            if ctx.carrier != Carrier::Http {
                let unknown = Finding::new(&rules::UNKNOWN_REQUEST_CANCELLED);
                findings.push(unknown.with("id", brief(&id)));
            }
            return;
        }
        if self.tasks.forget_waiting(&id) {
            return;
        }
        let found = self
            .open
            .iter()
            .find(|(_, open)| matches!(&open.origin, Origin::Request { id: asked, .. } if *asked == id))
            .map(|(request, _)| *request);
        if let Some(request) = found {
            self.close(ctx, request, ServerRequestEnd::Withdrawn);
        }
    }

    /// Closes the requests of an operation that is over: they need no reply any more.
    pub(super) fn close_inputs(&mut self, ctx: &mut Context, operation: OperationId) {
        self.close_where(ctx, |open| {
            open.operation == Some(operation) && matches!(open.origin, Origin::Input { .. })
        });
    }

    /// A new session begins, in which every id may be used again.
    pub(super) fn forget_ids(&mut self) {
        self.ids = RecentIds::default();
    }

    /// Closes all requests when the session ends or is restarted.
    pub(super) fn close_all(&mut self, ctx: &mut Context) {
        self.close_where(ctx, |_| true);
        self.held.clear();
        self.tasks.clear();
        ctx.deadlines.disarm(Alarm::HeldResponses);
    }

    fn close_where(&mut self, ctx: &mut Context, which: impl Fn(&OpenRequest) -> bool) {
        let obsolete: Vec<ServerRequestId> = self
            .open
            .iter()
            .filter(|(_, open)| which(open))
            .map(|(id, _)| *id)
            .collect();
        for id in obsolete {
            self.close(ctx, id, ServerRequestEnd::Obsolete);
        }
    }

    fn close(
        &mut self,
        ctx: &mut Context,
        id: ServerRequestId,
        end: ServerRequestEnd,
    ) -> Option<OpenRequest> {
        let open = self.open.remove(&id)?;
        ctx.report(Event::ServerRequestClosed(id, end));
        for operation in open.holds() {
            let mut others = self.open.values();
            if let Some(request) = ctx.requests.of_operation(operation)
                && !others.any(|other| other.holds().any(|held| held == operation))
            {
                ctx.user_answered(request);
            }
        }
        Some(open)
    }

    /// Responds to the server, at once or as late as the user wants it.
    fn respond(
        &mut self,
        ctx: &mut Context,
        id: &str,
        method: &Arc<str>,
        (text, kind): (String, MessageKind),
    ) {
        let label = Label {
            kind: Some(kind),
            method: Some(Arc::clone(method)),
            id: Some(Arc::from(short(id))),
            cause: Some(Cause::Answer),
            ..Label::default()
        };
        if self.delay.is_zero() && self.held.is_empty() {
            ctx.send(text, label);
        } else if self.held.len() < SERVER_REQUESTS {
            let due = later(Instant::now(), self.delay);
            self.held.push_back((due, text, label));
            self.wait_for_held(ctx);
        } else {
            tracing::warn!("a response to the server was dropped: too many are held back");
        }
    }

    /// Sets the delay of responses; zero sends the delayed ones.
    pub(super) fn set_delay(&mut self, ctx: &mut Context, delay: Duration) {
        self.delay = delay;
        if delay.is_zero() {
            self.send_held(ctx);
        }
    }

    pub(super) fn delay(&self) -> Duration {
        self.delay
    }

    /// Sends the delayed responses that are due, in order.
    pub(super) fn send_held(&mut self, ctx: &mut Context) {
        let now = Instant::now();
        while let Some((due, ..)) = self.held.front()
            && (*due <= now || self.delay.is_zero())
        {
            if let Some((_, text, label)) = self.held.pop_front() {
                ctx.send(text, label);
            }
        }
        self.wait_for_held(ctx);
    }

    fn wait_for_held(&self, ctx: &mut Context) {
        match self.held.front() {
            Some((due, ..)) => ctx.deadlines.arm(Alarm::HeldResponses, *due),
            None => ctx.deadlines.disarm(Alarm::HeldResponses),
        }
    }
}

/// Returns true if all requests of the server belong to one session: over HTTP without a session id each
/// may come from another instance of the server.
fn has_session(ctx: &Context) -> bool {
    ctx.carrier != Carrier::Http || ctx.protocol.session_id().is_some()
}

/// Returns the protocol version in use; before it is settled, the newest that a server could mean.
fn revision(ctx: &Context) -> Revision {
    let agreed = match (ctx.protocol.handshake(), ctx.protocol.stateless()) {
        (Some(handshake), _) => handshake.revision,
        (_, stateless) => stateless.map(|stateless| stateless.revision),
    };
    agreed.unwrap_or(Revision::NEWEST_HANDSHAKE)
}
