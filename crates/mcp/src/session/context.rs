//! Shared services of the session's components: sending, requests, events, deadlines, log.

use std::{collections::HashSet, sync::Arc};

use serde_json::value::RawValue;
use sonde_findings::Rule;

use sonde_wire::{
    Annotation, Body, Carrier, Cause, Command, Direction, Entry, EntryKind, ExchangeId, Finding,
    Header, Label, MessageKind, Outgoing, SendQueue, Seq, Tap, Verb, queue::Sender,
};
use tokio::time::{Duration, Instant};

use super::{
    deadlines::Deadlines,
    envelope::short,
    requests::Requests,
    stage::{Stage, Step},
};
use crate::{
    CatalogItems, DetectionStep, Era, Event, Health, OperationEvent, OperationId, SessionOptions,
    protocol::{Protocol, cancelled},
};

/// Exchanges of messages without a response count from here; a request's exchange has the number
/// of its JSON-RPC id, so that ids as the user sees them have no gaps.
const WITHOUT_RESPONSE: u64 = 1 << 63;

/// Number of method names that are kept to be shared by log labels.
const NAMES: usize = 64;

/// Shared services of the session's components. Nothing in here waits: messages and events are queued, and
/// the actor's loop hands them over.
pub(super) struct Context {
    pub(super) options: SessionOptions,
    pub(super) carrier: Carrier,
    /// Protocol in use.
    pub(super) protocol: Protocol,
    pub(super) deadlines: Deadlines,
    pub(super) requests: Requests,
    /// Commands to the transport.
    pub(super) commands: SendQueue<Command>,
    /// To the owner of the session.
    pub(super) events: SendQueue<Event>,
    /// Health of the session (`session/health`).
    pub(super) health: Health,
    /// Capabilities of the server; `None` until it declared them.
    pub(super) declared: Option<Arc<RawValue>>,
    /// The newest list of tools.
    pub(super) tools: Option<Arc<CatalogItems>>,
    /// Rules whose findings are reported once per session.
    told: HashSet<&'static str>,
    stage: Stage,
    /// Time of the last step between stages.
    stage_began: Instant,
    /// The session is ending and sends no more messages.
    silent: bool,
    tap: Arc<dyn Tap>,
    last_exchange: u64,
    names: Vec<Arc<str>>,
}

impl Context {
    pub(super) fn new(
        carrier: Carrier,
        tap: Arc<dyn Tap>,
        options: SessionOptions,
        commands: Sender<Command>,
        events: Sender<Event>,
    ) -> Self {
        Context {
            options,
            carrier,
            protocol: Protocol::default(),
            deadlines: Deadlines::default(),
            requests: Requests::default(),
            commands: SendQueue::new(commands),
            events: SendQueue::new(events),
            health: Health::default(),
            declared: None,
            tools: None,
            told: HashSet::new(),
            stage: Stage::Opening,
            stage_began: Instant::now(),
            silent: false,
            tap,
            last_exchange: WITHOUT_RESPONSE,
            names: Vec::new(),
        }
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    pub(super) fn is_ready(&self) -> bool {
        self.stage == Stage::Ready
    }

    /// Returns the time since the session entered its stage.
    pub(super) fn stage_age(&self) -> Duration {
        self.stage_began.elapsed()
    }

    /// Takes a step of the transition table; false if it does not apply to the current stage.
    pub(super) fn step(&mut self, step: Step) -> bool {
        let Some(stage) = self.stage.after(step) else {
            return false;
        };
        tracing::debug!(from = ?self.stage, to = ?stage, "session phase");
        self.stage = stage;
        self.stage_began = Instant::now();
        true
    }

    pub(super) fn report(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn report_operation(&mut self, operation: OperationId, event: OperationEvent) {
        self.events.push(Event::Operation(operation, event));
    }

    /// Emits a step of detecting the server's era.
    pub(super) fn report_detection(
        &mut self,
        code: &'static str,
        sentence: impl Into<String>,
        verdict: Option<Era>,
        seq: Option<Seq>,
    ) {
        self.report(Event::Detection(DetectionStep {
            code,
            sentence: sentence.into(),
            verdict,
            seq,
        }));
    }

    /// Returns true if this exchange carries a message that has no response.
    pub(super) fn is_without_response(exchange: ExchangeId) -> bool {
        exchange.0 >= WITHOUT_RESPONSE
    }

    /// Records a finding whose rule is reported once per session. Returns true if it is the first.
    pub(super) fn is_news(&mut self, rule: &'static Rule) -> bool {
        self.told.insert(rule.id)
    }

    /// Gives the log an entry's label and findings, filtered by the rules of the protocol version in use
    /// once that is known.
    pub(super) fn annotate(&self, seq: Seq, label: Option<Label>, mut findings: Vec<Finding>) {
        let revision = self.protocol.revision();
        if let Some(revision) = revision.filter(|_| self.stage != Stage::Opening) {
            findings.retain(|finding| finding.rule.applies_in(revision.as_str()));
        }
        self.tap.annotate(seq, Annotation { label, findings });
    }

    /// Adds a note of the session to the log.
    pub(super) fn note(
        &self,
        text: impl Into<String>,
        cause: Cause,
        operation: Option<OperationId>,
    ) {
        let label = Label {
            cause: Some(cause),
            operation: operation.map(|operation| operation.0),
            ..Label::default()
        };
        self.tap.record(Entry {
            label,
            ..Entry::new(Direction::Out, EntryKind::Note(text.into()), Body::Empty)
        });
    }

    /// A shared copy of a method's name.
    pub(super) fn name(&mut self, method: &str) -> Arc<str> {
        let method = short(method);
        if let Some(name) = self.names.iter().find(|name| &***name == method) {
            return Arc::clone(name);
        }
        let name: Arc<str> = Arc::from(method);
        if self.names.len() < NAMES {
            self.names.push(Arc::clone(&name));
        }
        name
    }

    /// Sends no further messages: the session is ending, and a server that reads nothing would hold up the
    /// end with its requests.
    pub(super) fn fall_silent(&mut self) {
        self.silent = true;
    }

    /// True if the session is ending and sends no messages.
    pub(super) fn is_silent(&self) -> bool {
        self.silent
    }

    /// Sends a message on an exchange of the caller's choice, unless the session is being ended.
    pub(super) fn post(
        &mut self,
        exchange: ExchangeId,
        text: String,
        headers: Vec<Header>,
        label: Label,
    ) {
        if self.silent {
            return;
        }
        self.commands.push(Command::Send(Outgoing {
            exchange,
            verb: Verb::Post,
            text: Some(Arc::new(text)),
            headers,
            label,
        }));
    }

    /// Sends a message that has no response.
    pub(super) fn send(&mut self, text: String, label: Label) -> ExchangeId {
        let exchange = self.next_exchange();
        let headers = self.protocol.headers();
        self.post(exchange, text, headers, label);
        exchange
    }

    /// Sends a notification.
    pub(super) fn send_notification(
        &mut self,
        method: &str,
        text: String,
        cause: Cause,
        operation: Option<OperationId>,
    ) -> ExchangeId {
        let method = self.name(method);
        self.send(
            text,
            Label {
                kind: Some(MessageKind::Notification),
                method: Some(method),
                operation: operation.map(|operation| operation.0),
                cause: Some(cause),
                ..Label::default()
            },
        )
    }

    /// Sends an HTTP request without a body: GET or DELETE. `further` headers follow the headers of every
    /// message.
    pub(super) fn send_bodyless(
        &mut self,
        verb: Verb,
        further: Option<Header>,
        cause: Cause,
        operation: Option<OperationId>,
    ) -> ExchangeId {
        let exchange = self.next_exchange();
        let mut headers = self.protocol.headers();
        headers.extend(further);
        self.commands.push(Command::Send(Outgoing {
            exchange,
            verb,
            text: None,
            headers,
            label: Label {
                operation: operation.map(|operation| operation.0),
                cause: Some(cause),
                ..Label::default()
            },
        }));
        exchange
    }

    fn next_exchange(&mut self) -> ExchangeId {
        self.last_exchange += 1;
        ExchangeId(self.last_exchange)
    }

    /// Stops reading an exchange. Transports without streams ignore it.
    pub(super) fn abandon(&mut self, exchange: ExchangeId) {
        self.commands.push(Command::Abandon(exchange));
    }

    /// Cancels a request on the server. Returns true if that is done by closing the stream of the response, which then
    /// ends at once.
    pub(super) fn stop_request(
        &mut self,
        id: u64,
        reason: Option<&str>,
        cause: Cause,
        operation: Option<OperationId>,
    ) -> bool {
        if !self.is_ready() {
            return false;
        }
        // In stateless Streamable HTTP, "closing the response stream" is the cancellation, and nothing else is sent
        // (cancellation, Transport-Specific Cancellation).
        if self.protocol.is_stateless() && self.carrier == Carrier::Http {
            self.abandon(ExchangeId(id));
            return true;
        }
        let text = cancelled(id, reason);
        self.send_notification("notifications/cancelled", text, cause, operation);
        false
    }
}
