//! Recovery of broken streams: lost, announced, attempted, given up. The listener of the handshake era, the
//! responses that it lets continue, and the subscription of the stateless era share these steps; only their
//! opening differs.
//!
//! Each attempt is reported and logged before it is made. An operation that waits for its stream has no idle limit and is
//! never sent again. A response of the stateless era cannot be continued: if its stream breaks, the operation is lost.

use sonde_wire::{Cause, Seq};
use tokio::time::{Duration, Instant};

use super::{
    backoff::{chance, delay},
    context::Context,
    deadlines::Alarm,
    effect::Effect,
    health,
    response::Loss,
    stream_table::{StreamState, StreamTable},
};
use crate::{
    DelaySource, Event, OperationEvent, StreamEvent, StreamId, StreamKind, StreamOver,
    StreamProblem, StreamReport,
};

/// The streams of a session, and their recovery.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    pub(super) table: StreamTable,
}

impl Recovery {
    /// Handles the opening of a stream, for the first time or again.
    pub(super) fn opened(&mut self, ctx: &mut Context, id: StreamId, seq: Seq) {
        let Some(stream) = self.table.get_mut(id) else {
            return;
        };
        let resumed = stream.state == StreamState::Resuming;
        stream.state = StreamState::Open;
        stream.opened_at = Some(Instant::now());
        stream.resumed |= resumed;
        let background = stream.is_background();
        let event = match resumed {
            true => StreamEvent::Resumed,
            false => StreamEvent::Opened,
        };
        self.report(ctx, id, event, Some(seq));
        match background {
            true => health::reset(ctx),
            false => health::works(ctx),
        }
    }

    /// Handles a broken stream.
    pub(super) fn on_lost(
        &mut self,
        ctx: &mut Context,
        id: StreamId,
        why: String,
    ) -> Option<Effect> {
        self.report(ctx, id, StreamEvent::Lost { why }, None);
        let effect = self.announce(ctx, id, None);
        let stream = self.table.get(id);
        if stream.is_some_and(|one| one.is_background() && one.state == StreamState::Waiting) {
            health::stream_missing(ctx, Some(StreamProblem::Lost));
        }
        effect
    }

    /// Handles the orderly end of a stream that is still wanted.
    pub(super) fn ended(
        &mut self,
        ctx: &mut Context,
        id: StreamId,
        seq: Option<Seq>,
    ) -> Option<Effect> {
        self.report(ctx, id, StreamEvent::Over(StreamOver::Done), seq);
        self.announce(ctx, id, None)
    }

    /// Announces the next attempt, or gives up. `wish` is the user's delay.
    fn announce(
        &mut self,
        ctx: &mut Context,
        id: StreamId,
        wish: Option<Duration>,
    ) -> Option<Effect> {
        let options = ctx.options.streams;
        let stream = self.table.get_mut(id)?;
        if !ctx.is_ready() {
            return self.over(ctx, id, StreamOver::SessionOver, None);
        }
        // A stream that stays open for the longest wait is no failed attempt, though nothing was sent on it.
        let opened_at = stream
            .opened_at
            .filter(|_| stream.state == StreamState::Open);
        if opened_at.is_some_and(|at| at.elapsed() >= options.cap) {
            stream.attempt = 0;
        }
        if stream.attempt >= options.attempts && wish.is_none() {
            return self.over(ctx, id, StreamOver::OutOfAttempts, None);
        }
        stream.attempt += 1;
        stream.state = StreamState::Waiting;
        let attempt = stream.attempt;
        let budget = options.attempts.max(attempt);
        let (delay, source) = match wish {
            Some(delay) => (delay, DelaySource::User),
            None => delay(&options, attempt, stream.retry, chance()),
        };
        let last_event_id = stream.last_event_id.clone();
        let request = stream.request;
        let subject = match &stream.kind {
            StreamKind::Response { method, .. } => format!("the response to `{method}`"),
            StreamKind::Listener => "the background stream".to_owned(),
            StreamKind::Subscription => "the subscription".to_owned(),
        };
        let operation = request.and_then(|request| ctx.requests.operation_of(request));
        ctx.note(
            format!(
                "Attempt {attempt} of {budget} to reconnect {subject} in {} ms ({}).",
                delay.as_millis(),
                match source {
                    DelaySource::Server => "delay set by the server",
                    DelaySource::Backoff => "delay set by Sonde",
                    DelaySource::User => "requested by you",
                }
            ),
            Cause::Resume,
            operation,
        );
        let event = StreamEvent::Waiting {
            attempt,
            budget,
            delay,
            source,
            last_event_id,
        };
        self.report(ctx, id, event, None);
        if let Some(request) = request {
            // Without a stream the server cannot send anything, so its silence does not count.
            ctx.requests.hold(request);
            if let Some(operation) = operation {
                ctx.report_operation(operation, OperationEvent::Waiting);
            }
        }
        ctx.deadlines.arm_in(Alarm::Stream(id), delay);
        let kind = &self.table.get(id)?.kind;
        (*kind == StreamKind::Subscription).then_some(Effect::ListenBroken)
    }

    /// Makes the announced attempt; true if the stream must be opened now.
    pub(super) fn attempt(&mut self, ctx: &mut Context, id: StreamId) -> bool {
        ctx.deadlines.disarm(Alarm::Stream(id));
        let Some(stream) = self.table.get_mut(id) else {
            return false;
        };
        if !ctx.is_ready() || stream.state != StreamState::Waiting {
            return false;
        }
        stream.state = StreamState::Resuming;
        let attempt = stream.attempt;
        if let Some(request) = stream.request {
            ctx.release(request);
        }
        self.report(ctx, id, StreamEvent::Resuming { attempt }, None);
        true
    }

    /// Starts over with a stream that was given up, for the user.
    pub(super) fn try_again(&mut self, ctx: &mut Context, id: StreamId) -> Option<Effect> {
        let stream = self.table.get_mut(id)?;
        stream.attempt = 0;
        let background = stream.is_background();
        let effect = self.announce(ctx, id, Some(Duration::ZERO));
        if background {
            health::stream_missing(ctx, Some(StreamProblem::Lost));
        }
        effect
    }

    /// Ends a stream for good.
    pub(super) fn over(
        &mut self,
        ctx: &mut Context,
        id: StreamId,
        over: StreamOver,
        seq: Option<Seq>,
    ) -> Option<Effect> {
        ctx.deadlines.disarm(Alarm::Stream(id));
        let exchange = self.table.get(id)?.exchange;
        self.report(ctx, id, StreamEvent::Over(over.clone()), seq);
        if let Some(exchange) = exchange {
            ctx.abandon(exchange);
        }
        self.table.carry(id, None);
        let stream = self.table.get_mut(id)?;
        if let Some(request) = stream.request {
            self.table.remove(id);
            return Some(Effect::Lose(request, Loss::StreamLost(sentence(&over))));
        }
        stream.state = StreamState::Over;
        let missed = match over {
            StreamOver::NotOffered
            | StreamOver::SessionOver
            | StreamOver::Unsubscribed
            | StreamOver::Done => false,
            // A server that refuses may know no subscriptions at all.
            StreamOver::Refused(_) | StreamOver::GivenUp => stream.kind == StreamKind::Listener,
            StreamOver::OutOfAttempts | StreamOver::NotResumable => true,
        };
        let ends = stream.kind == StreamKind::Subscription && over != StreamOver::SessionOver;
        health::stream_missing(ctx, missed.then_some(StreamProblem::Over));
        ends.then(|| Effect::ListenOver(sentence(&over)))
    }

    /// Handles the end of the request whose response a stream carries.
    pub(super) fn settled(&mut self, ctx: &mut Context, request: u64, answered: bool) {
        let Some(id) = self.table.of_request(request) else {
            return;
        };
        ctx.deadlines.disarm(Alarm::Stream(id));
        let told = self
            .table
            .get(id)
            .is_some_and(|stream| stream.state != StreamState::Quiet);
        if told {
            let over = match answered {
                true => StreamOver::Done,
                false => StreamOver::GivenUp,
            };
            self.report(ctx, id, StreamEvent::Over(over), None);
        }
        // Its own exchange was opened only for this response.
        let stream = self.table.remove(id);
        if let Some(exchange) = stream.and_then(|stream| stream.exchange).filter(|_| told) {
            ctx.abandon(exchange);
        }
    }

    /// Every stream ends with the session.
    pub(super) fn end_all(&mut self, ctx: &mut Context) {
        for id in self.table.ids() {
            ctx.deadlines.disarm(Alarm::Stream(id));
            let Some(stream) = self.table.get(id) else {
                continue;
            };
            let (state, exchange) = (stream.state, stream.exchange);
            if !matches!(state, StreamState::Quiet | StreamState::Over) {
                let over = StreamEvent::Over(StreamOver::SessionOver);
                self.report(ctx, id, over, None);
            }
            if let Some(exchange) = exchange {
                ctx.abandon(exchange);
            }
            self.table.remove(id);
        }
    }

    pub(super) fn report(
        &self,
        ctx: &mut Context,
        id: StreamId,
        event: StreamEvent,
        seq: Option<Seq>,
    ) {
        let Some(stream) = self.table.get(id) else {
            return;
        };
        ctx.report(Event::Stream(StreamReport {
            stream: id,
            kind: stream.kind.clone(),
            event,
            seq,
        }));
    }
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
        StreamOver::Unsubscribed => "you ended the last subscription.".to_owned(),
        StreamOver::SessionOver => "the session is over.".to_owned(),
    }
}
