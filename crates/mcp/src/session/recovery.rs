//! Streams that break are picked up again: announced, waited for, attempted, given up.

use std::sync::Arc;

use sonde_wire::{
    Body, Carrier, Cause, Command, Direction, Entry, EntryKind, ExchangeId, Header, Label,
    Outgoing, Seq, StreamEnd, Verb,
};
use tokio::time::Instant;

use super::{
    actor::Actor,
    backoff::{chance, delay},
    deadlines::{Alarm, later},
    exchanges::{Loss, is_success},
    stage::Stage,
    streams::{Stream, StreamState},
};
use crate::{
    CallEvent, DelaySource, Event, StreamEvent, StreamId, StreamKind, StreamOver, StreamReport,
    protocol::legacy,
};

impl Actor {
    /// Opens the background listener where the revision has one. It lives as long as the session
    /// (transports, Listening for Messages from the Server).
    pub(super) fn open_listener(&mut self) {
        if self.carrier != Carrier::Http || !self.protocol.has_listener() {
            return;
        }
        let stream = Stream::new(StreamKind::Listener, StreamState::Opening);
        let Some(id) = self.streams.add(stream) else {
            return;
        };
        self.report_stream(id, StreamEvent::Opening, None);
        self.open_stream(id, Cause::Listen);
    }

    /// Sends the GET that opens a stream, or opens it again.
    fn open_stream(&mut self, id: StreamId, cause: Cause) {
        let exchange = self.mute_exchange();
        let mut headers = self.protocol.headers();
        let Some(stream) = self.streams.get_mut(id) else {
            return;
        };
        stream.status = None;
        if let Some(last) = &stream.last_event_id {
            headers.push(Header {
                name: legacy::LAST_EVENT_ID.to_owned(),
                value: last.to_string(),
            });
        }
        let call = match &stream.kind {
            StreamKind::Answer { call, .. } => call.map(|call| call.0),
            StreamKind::Listener | StreamKind::Subscription => None,
        };
        self.streams.carry(id, Some(exchange));
        self.outbox.push_back(Command::Send(Outgoing {
            exchange,
            verb: Verb::Get,
            text: None,
            headers,
            label: Label {
                call,
                cause: Some(cause),
                ..Label::default()
            },
        }));
    }

    /// The head of an answer to one of our GETs. `false` when the exchange is none.
    pub(super) fn stream_head(
        &mut self,
        exchange: ExchangeId,
        status: u16,
        headers: &[Header],
        seq: Seq,
    ) -> bool {
        let Some(id) = self.streams.on(exchange) else {
            return false;
        };
        let has_session = self.protocol.session_id().is_some();
        let Some(stream) = self.streams.get_mut(id) else {
            return false;
        };
        if !matches!(stream.state, StreamState::Opening | StreamState::Resuming) {
            return false;
        }
        let is_events = headers.iter().any(|header| {
            header.name.eq_ignore_ascii_case("content-type")
                && header
                    .value
                    .trim_start()
                    .to_ascii_lowercase()
                    .starts_with("text/event-stream")
        });
        if is_success(status) && is_events {
            let resumed = stream.state == StreamState::Resuming;
            stream.state = StreamState::Open;
            stream.resumed |= resumed;
            let listener = stream.kind == StreamKind::Listener;
            let event = if resumed {
                StreamEvent::Resumed
            } else {
                StreamEvent::Opened
            };
            self.report_stream(id, event, Some(seq));
            if listener {
                self.degraded(None);
            }
            return true;
        }
        match status {
            404 if has_session => self.session_forgotten(),
            // "or else return HTTP 405 Method Not Allowed, indicating that the server does not
            // offer an SSE stream at this endpoint" (transports, Listening).
            405 => self.stream_over(id, StreamOver::NotOffered, Some(seq)),
            // What may pass by itself is tried again when the answer is over.
            408 | 425 | 429 | 500..=599 => stream.status = Some(status),
            _ if is_success(status) => {
                let why = "The server did not return an event stream.";
                self.stream_over(id, StreamOver::Refused(why.to_owned()), Some(seq));
            }
            _ => {
                let why = format!("The server returned HTTP status {status}.");
                self.stream_over(id, StreamOver::Refused(why), Some(seq));
            }
        }
        true
    }

    /// What an event says about its stream. `false` when the event was delivered before.
    pub(super) fn stream_event(
        &mut self,
        exchange: ExchangeId,
        event_id: Option<&Arc<str>>,
        retry: Option<u64>,
        seq: Seq,
    ) -> bool {
        if event_id.is_none() && retry.is_none() && self.streams.on(exchange).is_none() {
            return true;
        }
        let Some(id) = self
            .streams
            .on(exchange)
            .or_else(|| self.watch_answer(exchange))
        else {
            return true;
        };
        let Some(stream) = self.streams.get_mut(id) else {
            return true;
        };
        // It delivers: its budget is whole again.
        stream.attempt = 0;
        let told = stream.state != StreamState::Quiet;
        if retry.is_some() {
            stream.retry = retry;
        }
        let fresh = event_id.is_none_or(|id| stream.take_id(id)) || !stream.resumed;
        if told {
            if let Some(millis) = retry {
                self.report_stream(id, StreamEvent::RetryTime { millis }, Some(seq));
            }
            if let Some(event_id) = event_id {
                let event = StreamEvent::EventId {
                    id: Arc::clone(event_id),
                };
                self.report_stream(id, event, Some(seq));
            }
        }
        fresh
    }

    /// Remembers the stream of an answer, once it turns out that it could be picked up.
    fn watch_answer(&mut self, exchange: ExchangeId) -> Option<StreamId> {
        if self.carrier != Carrier::Http || !self.protocol.has_listener() {
            return None;
        }
        let ExchangeId(request) = exchange;
        let waiting = self.pending.get(request)?;
        let mut stream = Stream::new(
            StreamKind::Answer {
                method: Arc::clone(&waiting.method),
                call: waiting.purpose.call(),
            },
            StreamState::Quiet,
        );
        stream.request = Some(request);
        stream.exchange = Some(exchange);
        self.streams.add(stream)
    }

    /// The exchange whose request a message on `exchange` belongs to: a picked-up answer arrives
    /// on another one than its request went out on.
    pub(super) fn origin(&self, exchange: ExchangeId) -> ExchangeId {
        self.streams
            .on(exchange)
            .and_then(|id| self.streams.get(id)?.request)
            .map_or(exchange, ExchangeId)
    }

    /// An exchange that carried a stream is over. `None` when the stream goes on by itself;
    /// otherwise the end, for whoever else it concerns.
    pub(super) fn stream_ended(
        &mut self,
        exchange: ExchangeId,
        end: StreamEnd,
    ) -> Option<StreamEnd> {
        let cut = self.cut.remove(&exchange);
        let Some(id) = self.streams.on(exchange) else {
            return Some(end);
        };
        let stream = self.streams.get(id)?;
        let answer = stream.request;
        let why = match (&end, stream.status) {
            _ if cut => "You dropped the stream.".to_owned(),
            (StreamEnd::Failed(error), _) => capital(&error.to_string()),
            (_, Some(status)) => format!("The server returned HTTP status {status}."),
            _ => "The server closed the stream.".to_owned(),
        };
        let gone = self.stage != Stage::Ready
            || matches!(end, StreamEnd::Abandoned) && !cut
            || answer.is_some_and(|request| {
                self.pending
                    .get(request)
                    .is_none_or(|request| request.limits.is_cancelled())
            });
        if gone {
            self.streams.remove(id);
            return Some(end);
        }
        if answer.is_some() && stream.last_event_id.is_none() {
            // There is nothing to continue from.
            let told = stream.state != StreamState::Quiet;
            if told {
                self.report_stream(id, StreamEvent::Lost { why }, None);
                self.report_stream(id, StreamEvent::Over(StreamOver::NotResumable), None);
            }
            self.streams.remove(id);
            return Some(end);
        }
        self.streams.carry(id, None);
        self.report_stream(id, StreamEvent::Lost { why }, None);
        self.announce(id, None);
        None
    }

    /// Announces the next attempt, or gives up. `delay` is the user's wish.
    fn announce(&mut self, id: StreamId, wish: Option<std::time::Duration>) {
        let options = self.options.streams;
        let Some(stream) = self.streams.get_mut(id) else {
            return;
        };
        if stream.attempt >= options.attempts && wish.is_none() {
            return self.stream_over(id, StreamOver::OutOfAttempts, None);
        }
        stream.attempt += 1;
        stream.state = StreamState::Waiting;
        let attempt = stream.attempt;
        let (delay, source) = match wish {
            Some(delay) => (delay, DelaySource::User),
            None => delay(&options, attempt, stream.retry, chance()),
        };
        let last_event_id = stream.last_event_id.clone();
        let (listener, request) = (stream.kind == StreamKind::Listener, stream.request);
        let subject = match &stream.kind {
            StreamKind::Answer { method, .. } => format!("the response to `{method}`"),
            StreamKind::Listener => "the background stream".to_owned(),
            StreamKind::Subscription => "the subscription".to_owned(),
        };
        let call = self.call_of_stream(id);
        self.note(
            format!(
                "Attempt {attempt} of {} to reconnect {subject} in {} ms ({}).",
                options.attempts.max(attempt),
                delay.as_millis(),
                match source {
                    DelaySource::Server => "delay set by the server",
                    DelaySource::Backoff => "delay set by Sonde",
                    DelaySource::User => "requested by you",
                }
            ),
            Cause::Resume,
            call,
        );
        let event = StreamEvent::Waiting {
            attempt,
            budget: options.attempts.max(attempt),
            delay,
            source,
            last_event_id,
        };
        self.report_stream(id, event, None);
        if let Some(request) = request {
            if let Some(waiting) = self.pending.get_mut(request) {
                // While nobody can say anything, silence is no sign of trouble.
                waiting.limits.hold();
            }
            if let Some(call) = self.pending.call_of(request) {
                self.report_call(call, CallEvent::Waiting);
            }
        }
        if listener && attempt == 1 {
            self.degraded(Some(
                "Server notifications do not arrive until the background stream reconnects. Runs \
                 work.",
            ));
        }
        self.deadlines
            .arm(Alarm::Stream(id), later(Instant::now(), delay));
    }

    /// The announced attempt is due.
    pub(super) fn stream_due(&mut self, id: StreamId) {
        if self.stage != Stage::Ready {
            return;
        }
        let Some(stream) = self.streams.get_mut(id) else {
            return;
        };
        if stream.state != StreamState::Waiting {
            return;
        }
        stream.state = StreamState::Resuming;
        let attempt = stream.attempt;
        let cause = if stream.last_event_id.is_some() {
            Cause::Resume
        } else {
            Cause::Listen
        };
        if let Some(request) = stream.request
            && let Some(waiting) = self.pending.get_mut(request)
        {
            waiting.limits.release(Instant::now());
            let due = waiting.limits.due();
            self.deadlines.arm(Alarm::Request(request), due);
        }
        self.report_stream(id, StreamEvent::Resuming { attempt }, None);
        self.open_stream(id, cause);
    }

    /// The user does not want to wait, or wants another try.
    pub(super) fn reconnect_now(&mut self, id: StreamId) {
        if self.stage != Stage::Ready {
            return;
        }
        let Some(stream) = self.streams.get_mut(id) else {
            return;
        };
        match stream.state {
            StreamState::Waiting => {
                self.deadlines.disarm(Alarm::Stream(id));
                self.stream_due(id);
            }
            StreamState::Over => {
                stream.attempt = 0;
                self.announce(id, Some(std::time::Duration::ZERO));
            }
            StreamState::Quiet
            | StreamState::Opening
            | StreamState::Open
            | StreamState::Resuming => {}
        }
    }

    /// The user does not want any more attempts.
    pub(super) fn give_up_stream(&mut self, id: StreamId) {
        let waiting = self.streams.get(id).is_some_and(|stream| {
            matches!(
                stream.state,
                StreamState::Waiting | StreamState::Resuming | StreamState::Opening
            )
        });
        if waiting {
            self.stream_over(id, StreamOver::GivenUp, None);
        }
    }

    /// Nothing more comes on this stream.
    pub(super) fn stream_over(&mut self, id: StreamId, over: StreamOver, seq: Option<Seq>) {
        self.deadlines.disarm(Alarm::Stream(id));
        let Some(exchange) = self.streams.get(id).map(|stream| stream.exchange) else {
            return;
        };
        self.report_stream(id, StreamEvent::Over(over.clone()), seq);
        if let Some(exchange) = exchange {
            self.outbox.push_back(Command::Abandon(exchange));
        }
        self.streams.carry(id, None);
        let Some(stream) = self.streams.get_mut(id) else {
            return;
        };
        if let Some(request) = stream.request {
            let reason = sentence(&over);
            self.streams.remove(id);
            return self.lose(request, Loss::StreamLost(reason));
        }
        stream.state = StreamState::Over;
        if !matches!(over, StreamOver::NotOffered | StreamOver::SessionOver) {
            self.degraded(Some("Server notifications no longer arrive. Runs work."));
        } else {
            self.degraded(None);
        }
    }

    /// The request whose answer this was is over, one way or another.
    pub(super) fn answer_settled(&mut self, request: u64, answered: bool) {
        let Some(id) = self.streams.of_request(request) else {
            return;
        };
        self.deadlines.disarm(Alarm::Stream(id));
        let told = self
            .streams
            .get(id)
            .is_some_and(|stream| stream.state != StreamState::Quiet);
        if told {
            let over = if answered {
                StreamOver::Done
            } else {
                StreamOver::GivenUp
            };
            self.report_stream(id, StreamEvent::Over(over), None);
        }
        let Some(stream) = self.streams.remove(id) else {
            return;
        };
        // A stream of its own was opened only for this answer.
        if let Some(exchange) = stream.exchange.filter(|_| told) {
            self.outbox.push_back(Command::Abandon(exchange));
        }
    }

    /// Every stream ends with the session, and every question.
    pub(super) fn end_streams(&mut self) {
        self.close_all_questions();
        for id in self.streams.ids() {
            self.deadlines.disarm(Alarm::Stream(id));
            let Some(stream) = self.streams.get(id) else {
                continue;
            };
            let (state, exchange) = (stream.state, stream.exchange);
            if !matches!(state, StreamState::Quiet | StreamState::Over) {
                self.report_stream(id, StreamEvent::Over(StreamOver::SessionOver), None);
            }
            if let Some(exchange) = exchange {
                self.outbox.push_back(Command::Abandon(exchange));
            }
            self.streams.remove(id);
        }
    }

    pub(super) fn report_stream(&mut self, id: StreamId, event: StreamEvent, seq: Option<Seq>) {
        let Some(kind) = self.streams.get(id).map(|stream| stream.kind.clone()) else {
            return;
        };
        self.report(Event::Stream(StreamReport {
            stream: id,
            kind,
            event,
            seq,
        }));
    }

    fn call_of_stream(&self, id: StreamId) -> Option<u64> {
        let request = self.streams.get(id)?.request?;
        self.pending.call_of(request).map(|call| call.0)
    }

    /// Says what does not work while calls do; `None` says that all is well again.
    pub(super) fn degraded(&mut self, what: Option<&str>) {
        let what = what.map(str::to_owned);
        if self.degraded != what {
            self.degraded.clone_from(&what);
            self.report(Event::Degraded(what));
        }
    }

    /// A remark of the session's own in the log.
    pub(super) fn note(&self, text: String, cause: Cause, call: Option<u64>) -> Seq {
        self.tap.record(Entry {
            direction: Direction::Out,
            kind: EntryKind::Note(text),
            body: Body::Empty,
            dropped: 0,
            exchange: None,
            label: Label {
                cause: Some(cause),
                call,
                ..Label::default()
            },
            findings: Vec::new(),
        })
    }
}

/// An error text as a sentence.
fn capital(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).chain(['.']).collect()
    })
}

fn sentence(over: &StreamOver) -> String {
    match over {
        StreamOver::Done => "it ended.".to_owned(),
        StreamOver::NotOffered => {
            "the server does not support resuming streams (HTTP 405).".to_owned()
        }
        StreamOver::OutOfAttempts => "all reconnect attempts failed.".to_owned(),
        StreamOver::GivenUp => "you stopped reconnecting.".to_owned(),
        StreamOver::Refused(why) => why.clone(),
        StreamOver::NotResumable => "there is no event ID to resume from.".to_owned(),
        StreamOver::SessionOver => "the session is over.".to_owned(),
    }
}
