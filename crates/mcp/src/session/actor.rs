//! The actor's state, its loop, and its end.

use std::{collections::VecDeque, sync::Arc};

use serde_json::value::RawValue;
use sonde_wire::{
    Cause, Closed, Command, ExchangeId, Incoming, Label, MessageKind, Outgoing, Tap, Verb, Wire,
};
use tokio::{
    sync::{Notify, mpsc},
    time::{Duration, Instant, sleep_until},
};

use super::{
    deadlines::{Alarm, Deadlines, later},
    handle::Ask,
    lists::Lists,
    opening::Opening,
    pending::{Limits, Pending, Purpose, Request},
    transitions::{Stage, Step},
};
use crate::{CallEvent, CallId, CloseReason, Event, Lost, Outcome, Phase, SessionOptions, era};

/// Above this many unsent commands or undelivered events nothing more is taken in.
const BACKLOG: usize = 512;

/// How long the server may take to confirm the end of its HTTP session.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a transport may take to close. Above the longest shutdown ladder.
const CLOSING: Duration = Duration::from_secs(30);

/// Exchanges of messages without an answer count from here; a request's exchange has the number of
/// its JSON-RPC id, so that ids as the user sees them have no gaps.
const MUTE: u64 = 1 << 63;

/// How many method names are kept to be shared by log labels.
const NAMES: usize = 64;

/// Everything about one session. All handlers are synchronous: they queue what they send and
/// report, and only the loop waits, so that no slow peer on one side can block the others.
pub(super) struct Actor {
    pub(super) era: era::legacy::Legacy,
    pub(super) options: SessionOptions,
    pub(super) tap: Arc<dyn Tap>,
    pub(super) stage: Stage,
    pub(super) opening: Opening,
    pub(super) pending: Pending,
    pub(super) deadlines: Deadlines,
    pub(super) lists: Lists,
    ending: Option<CloseReason>,
    farewell: Option<ExchangeId>,
    commands: mpsc::Sender<Command>,
    incoming: mpsc::Receiver<Incoming>,
    events: mpsc::Sender<Event>,
    asks: mpsc::Receiver<Ask>,
    close: Arc<Notify>,
    outbox: VecDeque<Command>,
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
        asks: mpsc::Receiver<Ask>,
        close: Arc<Notify>,
    ) -> Self {
        Actor {
            era: era::legacy::Legacy::default(),
            opening: Opening::new(&options),
            options,
            tap,
            stage: Stage::Opening,
            pending: Pending::default(),
            deadlines: Deadlines::default(),
            lists: Lists::default(),
            ending: None,
            farewell: None,
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
            let alarmed = self.deadlines.next().is_some();
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
                ask = self.asks.recv(), if room && !handles_gone && self.stage != Stage::Opening => {
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
                item = self.incoming.recv(), if room => match item {
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
        self.refuse_the_rest();
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
            if !self.has_room() || self.stage == Stage::Closed {
                return;
            }
            match self.incoming.try_recv() {
                Ok(item) => self.take(item),
                Err(_) => return,
            }
        }
    }

    fn obey(&mut self, ask: Ask) {
        match ask {
            Ask::Call { id, call, options } => self.call_tool(id, &call, options),
            Ask::Cancel { id, reason } => self.cancel(id, reason.as_deref()),
            Ask::Extend { id, by } => self.extend(id, by),
            Ask::RefreshTools => self.refresh_tools(Cause::User),
            Ask::Ping => self.ping(),
            Ask::SetLogLevel(level) => self.set_log_level(level, Cause::User),
        }
    }

    /// Handles every alarm that is due.
    fn wake(&mut self) {
        let now = Instant::now();
        while let Some(alarm) = self.deadlines.take_due(now) {
            match alarm {
                Alarm::Handshake => self.handshake_timed_out(),
                Alarm::Request(id) => self.request_due(id, now),
                Alarm::Abandon(id) => self.outbox.push_back(Command::Abandon(ExchangeId(id))),
                Alarm::Relist => self.refresh_tools(Cause::ListChanged),
                Alarm::Farewell => self.hang_up(),
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
        text: impl FnOnce(u64) -> String,
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
            Request {
                purpose,
                method,
                id: id_text,
                sent: Instant::now(),
                limits,
                http: None,
            },
        );
        self.post(ExchangeId(id), text(id), label);
        id
    }

    /// Sends a message that is not answered.
    pub(super) fn send(&mut self, text: String, label: Label) {
        let exchange = self.mute_exchange();
        self.post(exchange, text, label);
    }

    fn mute_exchange(&mut self) -> ExchangeId {
        self.next_mute += 1;
        ExchangeId(self.next_mute)
    }

    fn post(&mut self, exchange: ExchangeId, text: String, label: Label) {
        self.outbox.push_back(Command::Send(Outgoing {
            exchange,
            verb: Verb::Post,
            text: Some(Arc::new(text)),
            headers: self.era.headers(),
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

    /// Takes a step of the transition table; `false` when it changes nothing here.
    pub(super) fn step(&mut self, step: Step) -> bool {
        let Some(stage) = self.stage.after(step) else {
            return false;
        };
        tracing::debug!(from = ?self.stage, to = ?stage, "session phase");
        self.stage = stage;
        true
    }

    /// Begins the orderly end.
    pub(super) fn end(&mut self, reason: CloseReason) {
        if !self.step(Step::End) {
            return;
        }
        self.report(Event::Phase(Phase::Closing));
        let forgotten = matches!(reason, CloseReason::SessionForgotten);
        self.ending = Some(reason);
        self.deadlines.disarm(Alarm::Handshake);
        self.deadlines.disarm(Alarm::Relist);
        // What was not handed over yet would only hold up the end.
        self.outbox.clear();
        if self.era.session_id.is_none() || forgotten {
            self.hang_up();
            return;
        }
        // "Clients that no longer need a particular session SHOULD send an HTTP DELETE"
        // (transports, Session Management).
        let exchange = self.mute_exchange();
        self.farewell = Some(exchange);
        self.deadlines
            .arm(Alarm::Farewell, later(Instant::now(), FAREWELL));
        self.outbox.push_back(Command::Send(Outgoing {
            exchange,
            verb: Verb::Delete,
            text: None,
            headers: self.era.headers(),
            label: Label {
                cause: Some(Cause::Lifecycle),
                ..Label::default()
            },
        }));
    }

    /// Whether an exchange is the end of the HTTP session, answered one way or another: 405 says
    /// that it cannot be ended, 404 that it is over already.
    pub(super) fn said_farewell(&mut self, exchange: ExchangeId) -> bool {
        let ours = self.farewell == Some(exchange);
        if ours {
            self.farewell = None;
            self.hang_up();
        }
        ours
    }

    fn hang_up(&mut self) {
        self.deadlines.disarm(Alarm::Farewell);
        if self.deadlines.is_armed(Alarm::Closing) {
            return;
        }
        self.deadlines
            .arm(Alarm::Closing, later(Instant::now(), CLOSING));
        self.outbox.push_back(Command::Close);
    }

    /// The transport is gone: everything that waits for an answer ends now.
    pub(super) fn wire_gone(&mut self, closed: Closed) {
        let opening = self.stage == Stage::Opening;
        if !self.step(Step::WireGone) {
            return;
        }
        self.lose_everything();
        let reason = self.ending.take().unwrap_or(if opening {
            CloseReason::OpenFailed(crate::OpenFailure::Transport(closed))
        } else {
            CloseReason::Transport(closed)
        });
        self.ending = Some(reason);
    }

    /// Answers the wishes that came too late, then says the last word.
    fn refuse_the_rest(&mut self) {
        self.asks.close();
        while let Ok(ask) = self.asks.try_recv() {
            match ask {
                Ask::Call { id, .. } => {
                    self.report_call(id, CallEvent::Finished(Outcome::Lost(Lost::TransportGone)))
                }
                Ask::Ping => self.ping_failed("The session is over."),
                Ask::SetLogLevel(_) => self.log_level_failed("the session is over"),
                Ask::Cancel { .. } | Ask::Extend { .. } | Ask::RefreshTools => {}
            }
        }
        if let Some(reason) = self.ending.take() {
            self.report(Event::Phase(Phase::Closed(reason)));
        }
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
