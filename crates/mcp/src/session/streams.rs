//! Streams of a session on the wire: the listener and responses that can be continued. The subscription is
//! in `subscription_stream`.

use std::{collections::HashSet, sync::Arc};

use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause, ExchangeId, Header, Seq, StreamEnd, Verb};

use super::{
    context::Context,
    effect::Effect,
    health,
    http_response::{header, is_success},
    recovery::Recovery,
    response::Loss,
    stream_table::{Stream, StreamState},
    subscription::Subscription,
};
use crate::{
    StreamEvent, StreamId, StreamKind, StreamOver,
    limits::EVENT_ID,
    protocol::{handshake, stateless::Filter},
};

/// The streams of a session.
#[derive(Debug, Default)]
pub(super) struct Streams {
    pub(super) recovery: Recovery,
    /// Changes of lists that the server declares to report on a subscription.
    pub(super) declared: Filter,
    pub(super) subscription: Option<Subscription>,
    /// Exchanges that the user cut on purpose: their end counts as a break.
    cut: HashSet<ExchangeId>,
    /// The last GET whose response is not a stream.
    no_stream: Option<ExchangeId>,
}

/// Consequences of the end of an exchange.
#[derive(Debug)]
pub(super) enum StreamEnded {
    /// The stream recovers, or is given up.
    Recovers(Option<Effect>),
    /// The end concerns the other components.
    Over(StreamEnd),
}

impl Streams {
    /// Opens the background listener where the revision has one. It lives as long as the session
    /// (transports, Listening for Messages from the Server).
    pub(super) fn open_listener(&mut self, ctx: &mut Context) {
        if ctx.carrier != Carrier::Http || !ctx.protocol.has_listener() {
            return;
        }
        let stream = Stream::new(StreamKind::Listener, StreamState::Opening);
        let Some(id) = self.recovery.table.add(stream) else {
            return;
        };
        self.recovery.report(ctx, id, StreamEvent::Opening, None);
        self.open(ctx, id, Cause::Listen);
    }

    /// Sends the request that opens a stream, or opens it again.
    pub(super) fn open(&mut self, ctx: &mut Context, id: StreamId, cause: Cause) {
        if let Some(subscription) = &mut self.subscription
            && subscription.stream == id
        {
            return subscription.open(ctx, cause);
        }
        let Some(stream) = self.recovery.table.get_mut(id) else {
            return;
        };
        let request = stream.request;
        let operation = request.and_then(|request| ctx.requests.operation_of(request));
        stream.status = None;
        let last_event_id = stream.last_event_id.as_ref().map(|last| Header {
            name: handshake::LAST_EVENT_ID.to_owned(),
            value: last.to_string(),
        });
        let exchange = ctx.send_bodyless(Verb::Get, last_event_id, cause, operation);
        self.recovery.table.carry(id, Some(exchange));
    }

    /// The head of a response to one of our GETs. `None` when the exchange is none.
    pub(super) fn head(
        &mut self,
        ctx: &mut Context,
        exchange: ExchangeId,
        status: u16,
        headers: &[Header],
        seq: Seq,
    ) -> Option<Option<Effect>> {
        let id = self.recovery.table.on(exchange)?;
        let stream = self.recovery.table.get_mut(id)?;
        if !matches!(stream.state, StreamState::Opening | StreamState::Resuming) {
            return None;
        }
        let is_events = header(headers, "content-type").is_some_and(|value| {
            let value = value.trim_start().to_ascii_lowercase();
            value.starts_with("text/event-stream")
        });
        // Servers without a listener answer with 404 too.
        let forgotten =
            status == 404 && stream.opened_at.is_some() && ctx.protocol.session_id().is_some();
        if (is_success(status) && !is_events) || (status == 404 && !forgotten) {
            let bad = Finding::new(&rules::BAD_LISTENER_RESPONSE).with("status", status);
            ctx.annotate(seq, None, vec![bad]);
            self.no_stream = Some(exchange);
        }
        let over = match status {
            _ if is_success(status) && is_events => {
                self.recovery.opened(ctx, id, seq);
                return Some(None);
            }
            404 if forgotten => return Some(Some(Effect::Reopen)),
            // "or else return HTTP 405 Method Not Allowed, indicating that the server does not
            // offer an SSE stream at this endpoint" (transports, Listening).
            405 => StreamOver::NotOffered,
            // Temporary errors are retried when the response has ended. A 400 is not temporary, but its body may reject
            // the session.
            400 | 408 | 425 | 429 | 500..=599 => {
                stream.status = Some(status);
                return Some(None);
            }
            _ if is_success(status) => {
                StreamOver::Refused("The server did not return an event stream.".to_owned())
            }
            _ => StreamOver::Refused(format!("The server returned HTTP status {status}.")),
        };
        Some(self.recovery.over(ctx, id, over, Some(seq)))
    }

    /// Handles the stream data of an event. `false` when the event was delivered before.
    pub(super) fn event(
        &mut self,
        ctx: &mut Context,
        exchange: ExchangeId,
        event_id: Option<&Arc<str>>,
        retry: Option<u64>,
        seq: Seq,
    ) -> bool {
        let known = self.recovery.table.on(exchange);
        if event_id.is_none() && retry.is_none() && known.is_none() {
            return true;
        }
        let Some(id) = known.or_else(|| self.watch_response(ctx, exchange)) else {
            return true;
        };
        let Some(stream) = self.recovery.table.get_mut(id) else {
            return true;
        };
        // It delivers: its budget is whole again.
        stream.attempt = 0;
        let told = stream.state != StreamState::Quiet;
        if retry.is_some() {
            stream.retry = retry;
        }
        let fresh = event_id.is_none_or(|id| stream.take_id(id)) || !stream.resumed;
        if let Some(event_id) = event_id.filter(|id| id.len() > EVENT_ID) {
            let long = Finding::new(&rules::EVENT_ID_TOO_LONG)
                .with("size", event_id.len())
                .with("limit", EVENT_ID);
            ctx.annotate(seq, None, vec![long]);
        }
        if told {
            if let Some(millis) = retry {
                let event = StreamEvent::RetryTime { millis };
                self.recovery.report(ctx, id, event, Some(seq));
            }
            if let Some(event_id) = event_id {
                let event = StreamEvent::EventId {
                    id: Arc::clone(event_id),
                };
                self.recovery.report(ctx, id, event, Some(seq));
            }
        }
        fresh
    }

    /// Remembers the stream of a response, once it turns out that it could be continued.
    fn watch_response(&mut self, ctx: &Context, exchange: ExchangeId) -> Option<StreamId> {
        if ctx.carrier != Carrier::Http || !ctx.protocol.has_listener() {
            return None;
        }
        let ExchangeId(request) = exchange;
        let pending = ctx.requests.get(request)?;
        let mut stream = Stream::new(
            StreamKind::Response {
                method: Arc::clone(&pending.method),
                operation: pending.purpose.operation(),
            },
            StreamState::Quiet,
        );
        stream.request = Some(request);
        stream.exchange = Some(exchange);
        self.recovery.table.add(stream)
    }

    /// A body came in response to the GET that should have opened a stream.
    pub(super) fn note_body(&mut self, exchange: ExchangeId, body: &str) {
        let table = &mut self.recovery.table;
        if let Some(stream) = table.on(exchange).and_then(|id| table.get_mut(id))
            && stream.status == Some(400)
        {
            stream.session_rejection = handshake::session_rejection(body);
        }
    }

    /// True if the response to this GET is not a stream, which its head showed.
    pub(super) fn is_no_stream(&self, exchange: ExchangeId) -> bool {
        self.no_stream == Some(exchange)
    }

    /// Returns true if this exchange carries the response to a request, and no event so far had an id.
    pub(super) fn is_unfollowed(&self, exchange: Option<ExchangeId>) -> bool {
        exchange.is_some_and(|exchange| {
            !Context::is_without_response(exchange) && self.recovery.table.on(exchange).is_none()
        })
    }

    /// Returns true if the stream on this exchange has had an event from which it can be continued.
    pub(super) fn is_resumable(&self, exchange: ExchangeId) -> bool {
        let table = &self.recovery.table;
        let stream = table.on(exchange).and_then(|id| table.get(id));
        stream.is_some_and(|stream| stream.last_event_id.is_some())
    }

    /// Returns true if the stream of this request's response broke, so that its own exchange is over.
    pub(super) fn is_resumed(&self, request: u64) -> bool {
        let table = &self.recovery.table;
        let stream = table.of_request(request).and_then(|id| table.get(id));
        stream.is_some_and(|stream| stream.state != StreamState::Quiet)
    }

    /// Returns true if this exchange carries the listener for the first time, so that no event is a repetition.
    pub(super) fn is_fresh_listener(&self, exchange: ExchangeId) -> bool {
        let table = &self.recovery.table;
        let stream = table.on(exchange).and_then(|id| table.get(id));
        stream.is_some_and(|stream| {
            // The body of a refusal is no stream.
            stream.kind == StreamKind::Listener && !stream.resumed && stream.status.is_none()
        })
    }

    /// Returns the exchange of the request that a message on `exchange` belongs to: a resumed response arrives on
    /// another exchange than its request.
    pub(super) fn origin(&self, exchange: ExchangeId) -> ExchangeId {
        let table = &self.recovery.table;
        table
            .on(exchange)
            .and_then(|id| table.get(id)?.request)
            .map_or(exchange, ExchangeId)
    }

    /// Handles the end of an exchange.
    pub(super) fn exchange_over(
        &mut self,
        ctx: &mut Context,
        exchange: ExchangeId,
        end: StreamEnd,
    ) -> StreamEnded {
        let cut = self.cut.remove(&exchange);
        let table = &mut self.recovery.table;
        let Some((id, stream)) = table.on(exchange).and_then(|id| Some((id, table.get(id)?)))
        else {
            return StreamEnded::Over(end);
        };
        let status = stream.status;
        let why = match (&end, status) {
            _ if cut => "You dropped the stream.".to_owned(),
            (_, Some(status)) => format!("The server returned HTTP status {status}."),
            (StreamEnd::Failed(error), _) => error.to_string(),
            _ => "The server closed the stream.".to_owned(),
        };
        let gone = !ctx.is_ready()
            || matches!(end, StreamEnd::Abandoned) && !cut
            || stream.request.is_some_and(|request| {
                ctx.requests
                    .get(request)
                    .is_none_or(|request| request.limits.is_cancelled())
            });
        if gone {
            table.remove(id);
            return StreamEnded::Over(end);
        }
        // Without an event id, a response cannot be resumed.
        let resumable = stream.request.is_none() || stream.last_event_id.is_some();
        if !resumable && stream.state == StreamState::Quiet {
            table.remove(id);
            return StreamEnded::Over(end);
        }
        let (refused, attempted) = (stream.status == Some(400), stream.is_attempted());
        let said = table
            .get_mut(id)
            .and_then(|one| one.session_rejection.take())
            .filter(|_| ctx.protocol.session_id().is_some());
        table.carry(id, None);
        if let Some(loss) = attempted.then(|| not_opened(end, status, said)).flatten() {
            health::on_lost(ctx, &loss);
        }
        if refused {
            let over = StreamOver::Refused(why);
            return StreamEnded::Recovers(self.recovery.over(ctx, id, over, None));
        }
        if !resumable {
            let lost = StreamEvent::Lost { why };
            self.recovery.report(ctx, id, lost, None);
            let over = StreamOver::NotResumable;
            return StreamEnded::Recovers(self.recovery.over(ctx, id, over, None));
        }
        StreamEnded::Recovers(self.recovery.on_lost(ctx, id, why))
    }

    /// Handles the end of the request whose response a stream carries.
    pub(super) fn request_settled(&mut self, ctx: &mut Context, request: u64, answered: bool) {
        self.recovery.settled(ctx, request, answered);
    }

    /// Makes an announced attempt.
    pub(super) fn attempt_due(&mut self, ctx: &mut Context, id: StreamId) {
        if !self.recovery.attempt(ctx, id) {
            return;
        }
        let resumes = self.recovery.table.get(id).is_some_and(|stream| {
            stream.kind == StreamKind::Subscription || stream.last_event_id.is_some()
        });
        let cause = match resumes {
            true => Cause::Resume,
            false => Cause::Listen,
        };
        self.open(ctx, id, cause);
    }

    /// Makes the next attempt now, or starts over, for the user.
    pub(super) fn reconnect_now(&mut self, ctx: &mut Context, id: StreamId) -> Option<Effect> {
        if !ctx.is_ready() {
            return None;
        }
        match self.recovery.table.get(id)?.state {
            StreamState::Waiting => {
                self.attempt_due(ctx, id);
                None
            }
            StreamState::Over => self.recovery.try_again(ctx, id),
            StreamState::Quiet
            | StreamState::Opening
            | StreamState::Open
            | StreamState::Resuming => None,
        }
    }

    /// Gives up a stream, or the subscription, for the user.
    pub(super) fn give_up(&mut self, ctx: &mut Context, id: StreamId) -> Option<Effect> {
        let stream = self.recovery.table.get(id)?;
        let subscribed = stream.kind == StreamKind::Subscription;
        let ends = match stream.state {
            StreamState::Waiting | StreamState::Resuming | StreamState::Opening => true,
            StreamState::Open => subscribed,
            StreamState::Quiet | StreamState::Over => false,
        };
        if !ends {
            return None;
        }
        if subscribed {
            self.stop_subscription(ctx);
        }
        self.recovery.over(ctx, id, StreamOver::GivenUp, None)
    }

    /// Every stream ends with the session.
    pub(super) fn end_all(&mut self, ctx: &mut Context) {
        self.recovery.end_all(ctx);
    }

    // Fault injection.

    /// Cuts the listener or the subscription.
    pub(super) fn cut_background(&mut self, ctx: &mut Context) {
        let table = &self.recovery.table;
        let listener = table.background().and_then(|id| table.get(id)?.exchange);
        let subscribed = self.subscription.as_ref().and_then(Subscription::request);
        self.cut(ctx, listener.or(subscribed.map(ExchangeId)));
    }

    /// Cuts the stream of a request's response.
    pub(super) fn cut_response(&mut self, ctx: &mut Context, request: Option<u64>) {
        let table = &self.recovery.table;
        let exchange = request.map(|request| {
            table
                .of_request(request)
                .and_then(|id| table.get(id)?.exchange)
                .unwrap_or(ExchangeId(request))
        });
        self.cut(ctx, exchange);
    }

    /// Cuts the listener, which is then resumed after an event that never was.
    pub(super) fn cut_with_event_id(&mut self, ctx: &mut Context, event_id: &str) {
        let Some(id) = self.recovery.table.background() else {
            return;
        };
        let Some(stream) = self.recovery.table.get_mut(id) else {
            return;
        };
        stream.last_event_id = Some(event_id.into());
        let exchange = stream.exchange;
        self.cut(ctx, exchange);
    }

    /// Stops reading an exchange; its end then counts as a break.
    fn cut(&mut self, ctx: &mut Context, exchange: Option<ExchangeId>) {
        if let Some(exchange) = exchange {
            self.cut.insert(exchange);
            ctx.abandon(exchange);
        }
    }
}

/// Returns the reason why an attempt to open a stream failed, if that reveals something about the server.
fn not_opened(end: StreamEnd, status: Option<u16>, rejection: Option<String>) -> Option<Loss> {
    match (end, status, rejection) {
        (_, _, Some(said)) => Some(Loss::SessionRejected { said }),
        (StreamEnd::Failed(error), ..) => Some(Loss::Exchange(error)),
        // Other refusals concern only the stream.
        (_, Some(status @ 502..=504), None) => Some(Loss::Http {
            status,
            content_type: None,
            snippet: String::new(),
        }),
        _ => None,
    }
}
