//! The actor's state and its loop.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

use serde_json::value::RawValue;
use sonde_wire::{
    Carrier, Cause, Closed, Command, ExchangeId, Header, Incoming, Label, MessageKind, Outgoing,
    Tap, Verb, Wire,
};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep_until},
};

use super::{
    deadlines::{Alarm, Deadlines},
    ending::Ending,
    envelope::short,
    handle::Command as UserCommand,
    lists::Lists,
    multi_round_trip::RetryContext,
    opening::Opening,
    pending::{Limits, Pending, PendingRequest, Purpose},
    server_requests::ServerRequests,
    stage::Stage,
    streams::Streams,
    subscription::Subscription,
};
use crate::{CallEvent, CallId, CloseReason, Event, SessionOptions, protocol};

/// Above this many unsent commands or undelivered events nothing more is taken in.
const BACKLOG: usize = 512;

/// Exchanges of messages without an answer count from here; a request's exchange has the number of
/// its JSON-RPC id, so that ids as the user sees them have no gaps.
const MUTE: u64 = 1 << 63;

/// How many method names are kept to be shared by log labels.
const NAMES: usize = 64;

/// Everything about one session. All handlers are synchronous: they queue what they send and
/// report, and only the loop waits, so that no slow peer on one side can block the others.
pub(super) struct Actor {
    pub(super) protocol: protocol::Protocol,
    pub(super) options: SessionOptions,
    pub(super) tap: Arc<dyn Tap>,
    pub(super) stage: Stage,
    pub(super) opening: Opening,
    pub(super) pending: Pending,
    pub(super) deadlines: Deadlines,
    pub(super) lists: Lists,
    pub(super) subscription: Subscription,
    pub(super) retries: HashMap<CallId, RetryContext>,
    pub(super) ending: Ending,
    pub(super) carrier: Carrier,
    pub(super) streams: Streams,
    /// Exchanges that the user cut on purpose: their end counts as a break.
    pub(super) cut: HashSet<ExchangeId>,
    pub(super) server_requests: ServerRequests,
    /// Exchanges that wait for permission to be sent once more.
    pub(super) parked: HashSet<ExchangeId>,
    /// The user wants nothing to be read at present.
    pub(super) paused: bool,
    /// How often in a row the server no longer knows the session.
    pub(super) reopened: u32,
    /// What does not work while calls do, as last reported.
    pub(super) degraded: Option<String>,
    commands: mpsc::Sender<Command>,
    incoming: mpsc::Receiver<Incoming>,
    events: mpsc::Sender<Event>,
    pub(super) asks: mpsc::Receiver<UserCommand>,
    close: Arc<Notify>,
    pub(super) outbox: VecDeque<Command>,
    news: VecDeque<Event>,
    next_id: u64,
    next_mute: u64,
    names: Vec<Arc<str>>,
}

impl Actor {
    pub(super) fn new(
        wire: Wire,
        tap: Arc<dyn Tap>,
        options: SessionOptions,
        events: mpsc::Sender<Event>,
        asks: mpsc::Receiver<UserCommand>,
        close: Arc<Notify>,
    ) -> Self {
        Actor {
            protocol: protocol::Protocol::default(),
            opening: Opening::default(),
            options,
            tap,
            stage: Stage::Opening,
            pending: Pending::default(),
            deadlines: Deadlines::default(),
            lists: Lists::default(),
            subscription: Subscription::default(),
            retries: HashMap::new(),
            ending: Ending::default(),
            carrier: wire.carrier,
            streams: Streams::default(),
            cut: HashSet::new(),
            server_requests: ServerRequests::default(),
            parked: HashSet::new(),
            paused: false,
            reopened: 0,
            degraded: None,
            commands: wire.commands,
            incoming: wire.incoming,
            events,
            asks,
            close,
            outbox: VecDeque::new(),
            news: VecDeque::new(),
            next_id: 1,
            next_mute: MUTE,
            names: Vec::new(),
        }
    }

    /// Runs the session to its end.
    pub(super) async fn run(mut self) {
        self.begin();
        let mut timer = std::pin::pin!(sleep_until(Instant::now()));
        let (mut deserted, mut handles_gone) = (false, false);
        while self.stage != Stage::Closed {
            self.flush();
            if let Some(next) = self.deadlines.next()
                && (timer.is_elapsed() || next < timer.deadline())
            {
                timer.as_mut().reset(next);
            }
            let room = self.has_room();
            // The end must not wait for the user.
            let pausing = self.paused && self.stage == Stage::Ready;
            let alarmed = self.deadlines.next().is_some();
            let open = self.stage != Stage::Opening && self.opening.initialized.is_none();
            // In order of urgency: the end, the user, time, the two ways out, the way in. What is
            // unlimited (the way in) comes last so that it cannot starve the rest.
            tokio::select! { biased;
                // Nobody listens any more.
                () = self.events.closed(), if !deserted => {
                    deserted = true;
                    self.end(CloseReason::Requested);
                }
                () = self.close.notified() => self.end(CloseReason::Requested),
                // Wishes wait for the handshake in their bounded queue.
                ask = self.asks.recv(), if room && !handles_gone && open => {
                    match ask {
                        Some(ask) => self.obey(ask),
                        None => {
                            handles_gone = true;
                            self.end(CloseReason::Requested);
                        }
                    }
                }
                // Only with room: whoever cannot report what came in must not call it late.
                () = &mut timer, if alarmed && room => {
                    self.drain();
                    self.wake();
                }
                // A transport that does not take commands must not keep us from reading: both
                // pipes of a process could be full.
                alive = is_ready(&self.commands), if !self.outbox.is_empty() => {
                    if !alive {
                        // `incoming` says why.
                        self.outbox.clear();
                    }
                }
                alive = is_ready(&self.events), if !deserted && !self.news.is_empty() => {
                    if !alive {
                        self.news.clear();
                    }
                }
                item = self.incoming.recv(), if room && !pausing => match item {
                    Some(item) => {
                        self.take(item);
                        self.drain();
                    }
                    None => self.wire_gone(Closed::Disconnected),
                },
            }
            if deserted {
                self.news.clear();
            }
        }
        self.refuse_the_rest().await;
        let Actor {
            news,
            events,
            commands,
            incoming,
            ..
        } = self;
        // Lets the transport finish meanwhile.
        drop((commands, incoming));
        for event in news {
            if events.send(event).await.is_err() {
                break;
            }
        }
    }

    fn has_room(&self) -> bool {
        self.news.len() < BACKLOG && self.outbox.len() < BACKLOG
    }

    /// Hands over what can be handed over without waiting.
    fn flush(&mut self) {
        while let Some(command) = self.outbox.pop_front() {
            if let Err(error) = self.commands.try_send(command) {
                if let mpsc::error::TrySendError::Full(command) = error {
                    self.outbox.push_front(command);
                }
                break;
            }
        }
        while let Some(event) = self.news.pop_front() {
            if let Err(error) = self.events.try_send(event) {
                if let mpsc::error::TrySendError::Full(event) = error {
                    self.news.push_front(event);
                }
                break;
            }
        }
    }

    /// Takes in what lies ready, as far as there is room for its consequences.
    fn drain(&mut self) {
        for _ in 0..sonde_wire::QUEUE {
            if !self.has_room() || self.paused || self.stage == Stage::Closed {
                return;
            }
            match self.incoming.try_recv() {
                Ok(item) => self.take(item),
                Err(_) => return,
            }
        }
    }

    fn obey(&mut self, ask: UserCommand) {
        match ask {
            UserCommand::Call { id, call, options } => self.start_call(id, call, options),
            UserCommand::Answer { question, reply } => self.reply(question, reply),
            UserCommand::ReconnectNow(stream) => {
                if !self.listen_now(stream) {
                    self.reconnect_now(stream);
                }
            }
            UserCommand::GiveUp(stream) => {
                if !self.stop_listening(stream) {
                    self.give_up_stream(stream);
                }
            }
            UserCommand::Fault(fault) => self.disturb(fault),
            UserCommand::Cancel { id, reason } => self.cancel(id, reason.as_deref()),
            UserCommand::Extend { id, by } => self.extend(id, by),
            UserCommand::RefreshTools => self.refresh_tools(Cause::User),
            UserCommand::Ping => self.ping(),
            UserCommand::SetLogLevel(level) => self.set_log_level(level, Cause::User),
        }
    }

    /// Handles every alarm that is due.
    fn wake(&mut self) {
        let now = Instant::now();
        while let Some(alarm) = self.deadlines.take_due(now) {
            match alarm {
                Alarm::Handshake | Alarm::Initialized if self.opening_waits(alarm) => {}
                Alarm::Handshake => self.handshake_timed_out(),
                Alarm::Initialized => self.initialized_acknowledged(),
                Alarm::Request(id) => self.request_due(id, now),
                Alarm::Answers => self.send_held(),
                Alarm::Stream(id) => self.stream_due(id),
                Alarm::Round(call) => self.round_due(CallId(call), now),
                Alarm::Abandon(id) => self.outbox.push_back(Command::Abandon(ExchangeId(id))),
                Alarm::Listen => self.listen_again(),
                Alarm::Relist => self.refresh_tools(Cause::ListChanged),
                Alarm::SessionDelete => self.hang_up(),
                Alarm::Closing => self.wire_gone(Closed::Disconnected),
            }
        }
    }

    pub(super) fn report(&mut self, event: Event) {
        self.news.push_back(event);
    }

    pub(super) fn report_call(&mut self, call: CallId, event: CallEvent) {
        self.news.push_back(Event::Call(call, event));
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

    /// Sends a request and waits for its answer. `text` makes the message for an id.
    pub(super) fn request(
        &mut self,
        purpose: Purpose,
        method: &str,
        limits: Limits,
        cause: Cause,
        encoded: impl FnOnce(&protocol::Protocol, u64) -> protocol::EncodedRequest,
    ) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let method = self.name(method);
        let id_text: Arc<str> = Arc::from(id.to_string());
        let label = Label {
            kind: Some(MessageKind::Request),
            method: Some(Arc::clone(&method)),
            id: Some(Arc::clone(&id_text)),
            call: purpose.call().map(|call| call.0),
            answers: None,
            cause: Some(cause),
        };
        self.deadlines.arm(Alarm::Request(id), limits.due());
        self.pending.insert(
            id,
            PendingRequest {
                purpose,
                method,
                id: id_text,
                sent: Instant::now(),
                limits,
                http: None,
            },
        );
        tracing::debug!(id, method = label.method.as_deref(), "request");
        let encoded = encoded(&self.protocol, id);
        self.post(ExchangeId(id), encoded.text, encoded.headers, label);
        id
    }

    /// Sends a request in the words of the session's era.
    pub(super) fn send_request(
        &mut self,
        purpose: Purpose,
        limits: Limits,
        cause: Cause,
        request: &protocol::Request<'_>,
    ) -> u64 {
        self.request(purpose, request.method, limits, cause, |era, id| {
            era.request(id, request)
        })
    }

    /// Sends a message that is not answered.
    pub(super) fn send(&mut self, text: String, label: Label) -> ExchangeId {
        let exchange = self.mute_exchange();
        let headers = self.protocol.headers();
        self.post(exchange, text, headers, label);
        exchange
    }

    pub(super) fn mute_exchange(&mut self) -> ExchangeId {
        self.next_mute += 1;
        ExchangeId(self.next_mute)
    }

    fn post(&mut self, exchange: ExchangeId, text: String, headers: Vec<Header>, label: Label) {
        self.outbox.push_back(Command::Send(Outgoing {
            exchange,
            verb: Verb::Post,
            text: Some(Arc::new(text)),
            headers,
            label,
        }));
    }

    /// Stops reading the answer of a request. Transports without streams ignore it.
    pub(super) fn abandon(&mut self, id: u64) {
        self.outbox.push_back(Command::Abandon(ExchangeId(id)));
    }

    /// Limits with the session's usual waits.
    pub(super) fn usual_limits(&self) -> Limits {
        let timeouts = self.options.timeouts;
        Limits::new(Instant::now(), timeouts.idle, timeouts.hard)
    }
}

/// Waits until there is room for one item; `false` when the receiver is gone. The actor is the only
/// sender, so the room is still there when it comes to use it.
async fn is_ready<T>(sender: &mpsc::Sender<T>) -> bool {
    sender.reserve().await.is_ok()
}

/// A raw value to keep, shared.
pub(super) fn keep(raw: &RawValue) -> Arc<RawValue> {
    Arc::from(raw.to_owned())
}
