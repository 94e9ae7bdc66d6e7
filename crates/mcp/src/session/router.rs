//! Routes incoming messages, other input and alarms to the session's components. For commands of the user
//! see `commands`.

use std::sync::Arc;

use serde_json::value::RawValue;
use sonde_findings::{Finding, Findings, rules};
use sonde_wire::{
    Carrier, Cause, Closed, ExchangeId, Header, Incoming, Label, MessageKind, Seq, StreamEnd,
    id_scan,
};
use tokio::time::Instant;

use super::{
    batch,
    context::Context,
    deadlines::Alarm,
    envelope::{self, Message, short},
    judge::{judge_end, judge_message, judge_stream, judge_taken},
    matching::{begins_as_response, match_response},
    notifications,
    operations::outcome,
    parts::Parts,
    purpose::Purpose,
    response::{Loss, Response},
    running_task::missing_related_task,
    server_requests::{self, ReceivedRequest},
    stage::Stage,
    streams::StreamEnded,
    subscription::is_subscribed,
    tasks::Tasks,
};
use crate::{
    CatalogKind, OperationEvent,
    limits::REQUEST_ID,
    protocol::{stateless, tasks::related_task},
    received_result::ReceivedResult,
};

/// Routes input to the session's components. All of it is synchronous: messages and events are queued, and
/// only the actor's loop waits, so that no slow peer on one side can block the others.
impl Parts {
    pub(super) fn begin(&mut self) {
        self.opening.begin(&mut self.ctx);
    }

    /// Commands of the user wait for the end of the handshake.
    pub(super) fn takes_commands(&self) -> bool {
        !self.opening.is_under_way(&self.ctx)
    }

    // Input.

    /// Takes one item from the transport.
    pub(super) fn on_incoming(&mut self, item: Incoming) {
        self.route(item);
        self.tasks.judge_early(&self.ctx);
    }

    fn route(&mut self, item: Incoming) {
        match item {
            Incoming::Message {
                exchange,
                event_id,
                text,
                seq,
            } => {
                if let Some(exchange) = exchange {
                    self.streams.note_body(exchange, &text);
                }
                let unprimed = event_id.is_some() && self.streams.is_unfollowed(exchange);
                let fresh = exchange.is_none_or(|exchange| {
                    let ctx = &mut self.ctx;
                    let event_id = event_id.as_ref();
                    self.streams.event(ctx, exchange, event_id, None, seq)
                });
                if fresh {
                    self.on_text(exchange, &text, seq);
                } else {
                    let twice = Finding::new(&rules::DUPLICATE_EVENT_ID);
                    self.ctx.annotate(seq, None, vec![twice]);
                }
                if unprimed {
                    let found = vec![Finding::new(&rules::UNPRIMED_STREAM)];
                    self.ctx.annotate(seq, None, found);
                }
            }
            Incoming::Head {
                exchange,
                status,
                headers,
                seq,
            } => self.on_head(exchange, status, &headers, seq),
            Incoming::NonMessage {
                exchange,
                content_type,
                snippet,
                seq,
            } => {
                self.streams.note_body(exchange, &snippet);
                let ExchangeId(id) = exchange;
                self.label_with_request(seq, Some(id));
                self.ctx.note_rejection(id, &snippet);
                if let Some(http) = self.ctx.requests.http(id) {
                    http.note_body(content_type, &snippet);
                }
            }
            Incoming::Oversized {
                exchange,
                id,
                head,
                size,
                limit,
                seq,
            } => {
                let number = id.and_then(|id| id.parse().ok());
                let on = exchange.map(|ExchangeId(id)| id);
                self.label_with_request(seq, number.or(on));
                if let Some(number) = number.filter(|_| begins_as_response(&head)) {
                    self.lose(number, Loss::TooLarge { size, limit, seq });
                } else if let Some(http) = on.and_then(|id| self.ctx.requests.http(id)) {
                    http.note_oversized(size, limit, seq);
                }
            }
            Incoming::Event {
                exchange,
                event_id,
                retry,
                seq,
                ..
            } => {
                let ctx = &mut self.ctx;
                let event_id = event_id.as_ref();
                self.streams.event(ctx, exchange, event_id, retry, seq);
            }
            Incoming::Parked { exchange, parked } => {
                let ExchangeId(request) = self.streams.origin(exchange);
                let changed = self.ctx.park(exchange, request, parked);
                if changed && !parked {
                    self.opening.postpone(&mut self.ctx);
                }
            }
            Incoming::End { exchange, end } => self.exchange_over(exchange, end),
            Incoming::OutputClosed => self.output_closed(),
            Incoming::Closed(closed) => self.transport_gone(closed),
        }
    }

    /// Labels a log entry without a readable message with its request.
    fn label_with_request(&self, seq: Seq, id: Option<u64>) {
        let Some(id) = id else { return };
        let operation = self.ctx.requests.operation_of(id);
        let cause = self.is_probe(id).then_some(Cause::Probe);
        if operation.is_some() || cause.is_some() {
            let label = Label {
                operation: operation.map(|operation| operation.0),
                cause,
                ..Label::default()
            };
            self.ctx.annotate(seq, Some(label), Vec::new());
        }
    }

    /// Returns true if this request is a probe: a refusal is a valid response to it.
    fn is_probe(&self, id: u64) -> bool {
        let opening = &self.opening;
        opening.is_undecided() && opening.request(&self.ctx) == Some(id)
    }

    fn on_head(&mut self, exchange: ExchangeId, status: u16, headers: &[Header], seq: Seq) {
        let (ctx, lifecycle) = (&mut self.ctx, &mut self.lifecycle);
        if lifecycle.is_session_delete(ctx, exchange, Some(status)) {
            return;
        }
        if let Some(effect) = self.streams.head(ctx, exchange, status, headers, seq) {
            return self.apply(effect);
        }
        let ExchangeId(id) = exchange;
        self.opening.head(ctx, id, status, headers, seq);
        if ctx.requests.head(id, status, headers, seq) {
            judge_stream(ctx, headers, seq);
            return;
        }
        if Context::is_without_response(exchange) {
            ctx.annotate(seq, None, judge_taken(status, headers));
        }
        // A notification or a response of ours, which carried the session id like all others.
        if status == 404 && ctx.protocol.session_id().is_some() && ctx.is_ready() {
            return self.reopen();
        }
        let effects = self.opening.acknowledged(ctx, exchange);
        self.apply(effects);
    }

    fn on_text(&mut self, exchange: Option<ExchangeId>, text: &Arc<String>, seq: Seq) {
        let listener = exchange.is_some_and(|exchange| self.streams.is_fresh_listener(exchange));
        let no_stream = exchange.is_some_and(|exchange| self.streams.is_no_stream(exchange));
        let exchange = exchange.map(|exchange| self.streams.origin(exchange));
        if let Some(ExchangeId(id)) = exchange
            && self.ctx.is_forgotten(id)
            && let Some(http) = self.ctx.requests.http(id)
        {
            // Whatever the body says, the status decides.
            http.note_snippet(text);
        }
        if let Some(ExchangeId(id)) = exchange {
            self.ctx.note_rejection(id, text);
        }
        let probe = exchange.is_some_and(|ExchangeId(id)| self.is_probe(id));
        let mut findings = Vec::new();
        let mut label = match batch::is_batch(text) {
            true => self.batch(exchange, text, seq, &mut findings),
            false => self.on_message(exchange, text, text, seq, &mut findings),
        };
        if no_stream && label.kind == Some(MessageKind::Invalid) {
            findings.clear();
        }
        let is_response = matches!(label.kind, Some(MessageKind::Response | MessageKind::Error));
        if listener && is_response {
            findings.push(Finding::new(&rules::RESPONSE_ON_LISTENER));
        }
        if probe && label.kind != Some(MessageKind::Response) {
            label.cause = Some(Cause::Probe);
        }
        self.ctx.annotate(seq, Some(label), findings);
    }

    fn batch(
        &mut self,
        exchange: Option<ExchangeId>,
        text: &Arc<String>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Label {
        let mut label = Label {
            kind: Some(MessageKind::Batch),
            ..Label::default()
        };
        let allowed = self.ctx.protocol.accepts_batches();
        match batch::split(text, allowed, findings) {
            Ok(items) => {
                // One frame can be wrong in thousands of places.
                let mut all = Findings::default();
                for item in items {
                    let mut found = Vec::new();
                    let part = self.on_message(exchange, text, item.get(), seq, &mut found);
                    label.operation = label.operation.or(part.operation);
                    all.extend(found);
                }
                findings.extend(all.into_vec());
            }
            Err(problem) => {
                self.ctx.requests.note_problem(exchange, problem, text, seq);
                label.kind = Some(MessageKind::Invalid);
            }
        }
        label
    }

    /// Handles one message, all or a part of the received text `whole`.
    fn on_message(
        &mut self,
        exchange: Option<ExchangeId>,
        whole: &Arc<String>,
        text: &str,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Label {
        let message = envelope::read(text, findings);
        let undecided = self.opening.is_undecided();
        judge_message(&self.ctx, undecided, &message, findings);
        let mut label = Label {
            kind: Some(message.kind()),
            ..Label::default()
        };
        let (id, response) = match message {
            Message::Request { id, method, params } => {
                let task = params.and_then(related_task);
                let of_task = task.as_ref().and_then(|task| self.tasks.operation_of(task));
                let requests = &self.ctx.requests;
                // A request about a task belongs to the operation during which the task was requested.
                let asked = self.server_requests.operation_of(&method, params);
                let known = of_task.or(asked);
                let operation = known.or_else(|| requests.operation_on(exchange));
                let candidates = match known {
                    Some(_) => Vec::new(),
                    None => requests.candidates(exchange),
                };
                // Requests about a task name it in their parameters, and a ping is about the connection.
                let names_task = task.is_some() || method.starts_with("tasks/") || method == "ping";
                if !names_task && requests.is_of_task(exchange) {
                    findings.push(missing_related_task());
                }
                label.id = Some(Arc::from(short(id)));
                label.method = Some(self.ctx.name(&method));
                label.operation = operation.map(|operation| operation.0);
                label.ambiguous = !candidates.is_empty();
                if id.len() > REQUEST_ID {
                    let long = Finding::new(&rules::ID_TOO_LONG).with("size", id.len());
                    findings.push(long.with("limit", REQUEST_ID));
                    return label;
                }
                if self.ctx.protocol.is_stateless() && !self.opening.is_undecided() {
                    server_requests::ignore(findings);
                    return label;
                }
                // Its answer could not be sent any more.
                if self.ctx.is_silent() {
                    return label;
                }
                let request = ReceivedRequest {
                    id,
                    method: &method,
                    params,
                    operation,
                    candidates: &candidates,
                    task: task.as_deref().filter(|_| of_task.is_some()),
                    seq,
                };
                self.server_requests
                    .serve(&mut self.ctx, &request, findings);
                return label;
            }
            Message::Notification { method, params } => {
                self.notification(&method, params, exchange, seq, findings, &mut label);
                label.method = Some(self.ctx.name(&method));
                return label;
            }
            Message::Response { id, result } => {
                let result = ReceivedResult::new(result, Some(whole));
                (Some(id), Response::Result(result))
            }
            Message::Error { id, error } => (id, Response::Error(error)),
            // Without an id, nothing shows that this was meant as a response: JSON-lines logs and error bodies of
            // gateways look like this too.
            Message::BrokenAnswer { id: None, problem } | Message::Invalid { problem } => {
                let Some(id) = self.unreadable_response_to(text) else {
                    self.ctx.requests.note_problem(exchange, problem, text, seq);
                    return label;
                };
                (Some(id), Response::Unreadable(problem))
            }
            Message::BrokenAnswer {
                id: Some(id),
                problem,
            } => (Some(id), Response::Unreadable(problem)),
        };
        label.id = id.map(|id| Arc::from(short(id)));
        let opening = self.opening.request(&self.ctx);
        let matched = match_response(
            &self.ctx.requests,
            opening,
            exchange,
            id,
            response,
            findings,
        );
        if let Some((number, response)) = matched {
            self.response(number, response, seq, &mut label, findings);
        }
        label
    }

    /// The id of the pending request that a message without readable members answers.
    fn unreadable_response_to<'t>(&self, text: &'t str) -> Option<&'t str> {
        let id = id_scan::id_of_unreadable(text)?;
        let is_pending = self.ctx.requests.get(id.parse().ok()?).is_some();
        (is_pending && begins_as_response(text)).then_some(id)
    }

    fn notification(
        &mut self,
        method: &str,
        params: Option<&RawValue>,
        exchange: Option<ExchangeId>,
        seq: Seq,
        findings: &mut Vec<Finding>,
        label: &mut Label,
    ) {
        let ctx = &mut self.ctx;
        let stateless = ctx.protocol.is_stateless() && ctx.stage() != Stage::Opening;
        if stateless && is_subscribed(method) {
            let streams = &mut self.streams;
            let heard = streams.subscription_heard(ctx, method, params, seq, findings);
            match heard {
                // It belongs to no subscription of the session.
                None => return,
                Some(effect) => self.apply(effect),
            }
        }
        let ctx = &mut self.ctx;
        match method {
            "notifications/progress" => {
                let operation = notifications::on_progress(ctx, params, exchange, seq, findings);
                label.operation = operation.map(|operation| operation.0);
            }
            "notifications/message" => {
                notifications::on_log_message(ctx, params, exchange, seq, findings, label);
            }
            "notifications/cancelled" if stateless => {
                let effect = self.streams.cancelled_by_server(ctx, params, seq, findings);
                self.apply(effect);
            }
            "notifications/cancelled" => {
                let asked = &mut self.server_requests;
                asked.withdraw(ctx, params, findings);
            }
            "notifications/resources/updated" => {
                self.resources.updated(ctx, params, seq, findings);
            }
            "notifications/tasks/status" | "notifications/tasks" => {
                let (tasks, listed) = (&mut self.tasks, &self.task_list);
                let told = (params, seq);
                let effects = tasks.notified(ctx, listed, told, findings, label);
                self.apply(effects);
            }
            "notifications/elicitation/complete" => {
                self.server_requests.completed(ctx, params, findings);
            }
            // Unknown notifications are ignored (base protocol); the log has them.
            _ => {
                for kind in CatalogKind::changed_by(method) {
                    self.catalogs.changed(ctx, *kind);
                }
            }
        }
    }

    /// Takes the response to a request, pending or ended.
    fn response(
        &mut self,
        id: u64,
        response: Response<'_>,
        seq: Seq,
        label: &mut Label,
        findings: &mut Vec<Finding>,
    ) {
        // "Receivers […] MUST NOT send further messages for a cancelled request" (cancellation). Over HTTP it
        // is the end of the stream that cancels.
        let after_cancel = self.ctx.carrier == Carrier::Pipe
            && self.ctx.protocol.is_stateless()
            && self.ctx.requests.knows_cancelled(id);
        if after_cancel {
            findings.push(Finding::new(&rules::RESPONSE_AFTER_CANCEL).with("id", id));
        }
        if let Some(request) = self.ctx.requests.get(id) {
            label.method = Some(Arc::clone(&request.method));
            // The id as received, if its text differs; otherwise the request's own id is shared.
            if label.id.as_ref().is_none_or(|id| *id == request.id) {
                label.id = Some(Arc::clone(&request.id));
            }
            label.operation = request.purpose.operation().map(|operation| operation.0);
            if self.is_probe(id) && !response.is_result() {
                label.cause = Some(Cause::Probe);
            }
            if !self.ctx.is_forgotten(id) && !self.ctx.requests.is_rejected(id) {
                self.answered(id, response, seq, findings);
            }
            return;
        }
        let Some(ended) = self.ctx.requests.ended(id) else {
            findings.push(
                Finding::new(&rules::UNKNOWN_RESPONSE_ID)
                    .with("id", id)
                    .in_member("id"),
            );
            return;
        };
        let (operation, method) = (ended.operation, Arc::clone(&ended.method));
        let was_cancelled = ended.was_cancelled();
        label.method = Some(Arc::clone(&method));
        label.operation = operation.map(|operation| operation.0);
        if ended.is_probe {
            label.cause = Some(Cause::Probe);
        }
        let duplicate = self.ctx.requests.answered_late(id);
        let rule = match duplicate {
            true => Some(&rules::DUPLICATE_RESPONSE),
            // A subscription that was cancelled, by either side, may have its response too.
            false if *method == *stateless::LISTEN => None,
            false => Some(&rules::LATE_RESPONSE),
        };
        findings.extend(rule.map(|rule| Finding::new(rule).with("id", id).in_member("id")));
        if let Some(operation) = operation {
            if was_cancelled
                && !duplicate
                && let Response::Result(result) = &response
            {
                Tasks::cancel_late_task(&mut self.ctx, operation, &method, result);
            }
            let outcome = Some(outcome(&method, response, seq, findings));
            let late = OperationEvent::Late { seq, outcome };
            self.ctx.report_operation(operation, late);
        }
    }

    /// Handles the end of an exchange: a pending request gets no response any more.
    fn exchange_over(&mut self, exchange: ExchangeId, end: StreamEnd) {
        let ctx = &mut self.ctx;
        ctx.requests.forget_parked(exchange);
        if matches!(end, StreamEnd::Complete) {
            judge_end(ctx, &self.streams, exchange);
        }
        if self.lifecycle.is_session_delete(ctx, exchange, None) {
            return;
        }
        let end = match self.streams.exchange_over(ctx, exchange, end) {
            StreamEnded::Recovers(effect) => return self.apply(effect),
            StreamEnded::Over(end) => end,
        };
        let ExchangeId(id) = exchange;
        ctx.deadlines.disarm(Alarm::Abandon(id));
        let forgotten = ctx.is_forgotten(id);
        let effects = self.opening.acknowledged(ctx, exchange);
        self.apply(effects);
        if forgotten && self.ctx.is_ready() {
            // A server that answers every request of a kind with 404 would end the next session too.
            if self.lifecycle.is_recent_restart(&self.ctx)
                && let Some(request) = self.ctx.requests.get(id)
            {
                match request.purpose {
                    Purpose::ListCatalog(kind) => self.catalogs.unfollow(kind),
                    Purpose::SetLevel => self.ctx.options.log_level = None,
                    _ => {}
                }
            }
            return self.reopen();
        }
        if let Some(loss) = self.ctx.loss(id, end) {
            self.lose(id, loss);
        }
    }

    // Alarms.

    /// Handles every alarm that is due.
    pub(super) fn wake(&mut self) {
        let now = Instant::now();
        while let Some(alarm) = self.ctx.deadlines.take_due(now) {
            let ctx = &mut self.ctx;
            match alarm {
                Alarm::Handshake | Alarm::Initialized => {
                    let effects = self.opening.alarm(ctx, alarm);
                    self.apply(effects);
                }
                Alarm::Request(id) => self.request_due(id, now),
                Alarm::NextRound(id) => {
                    let effect = self.operations.round_due(ctx, id, now);
                    self.apply(effect);
                }
                Alarm::Task(id) => {
                    let effect = self.tasks.due(ctx, id, now);
                    self.apply(effect);
                }
                Alarm::Abandon(id) => ctx.abandon(ExchangeId(id)),
                Alarm::HeldResponses => self.server_requests.send_held(ctx),
                Alarm::Stream(id) => self.streams.attempt_due(ctx, id),
                Alarm::RefreshCatalog(kind) => {
                    let cause = Cause::ListChanged;
                    self.catalogs.refresh(ctx, kind, cause);
                }
                Alarm::SessionDelete => self.lifecycle.session_deleted(ctx, None),
                Alarm::Closing => {
                    if self.lifecycle.closing_due(ctx) {
                        self.transport_gone(Closed::Disconnected { reason: None });
                    }
                }
            }
        }
    }
}
