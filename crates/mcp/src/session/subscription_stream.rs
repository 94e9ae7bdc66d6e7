//! Subscription of a stateless session as a stream: its opening, changes and end.

use std::collections::BTreeSet;

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause, ExchangeId, Seq};

use super::{
    context::Context,
    effect::Effect,
    health,
    response::{Loss, Response},
    stream_table::{Stream, StreamState},
    streams::Streams,
    subscription::{Subscription, SubscriptionMessage, subscription_id, without_subscription},
};
use crate::{
    NoResponse, StreamEvent, StreamKind, StreamOver,
    members::member,
    protocol::{
        cancelled,
        stateless::{Filter, LISTEN},
    },
};

impl Streams {
    /// Subscribes to the changes that the server declares, and to these resources.
    pub(super) fn subscribe(
        &mut self,
        ctx: &mut Context,
        capabilities: &RawValue,
        updates: BTreeSet<String>,
    ) {
        self.declared = Filter::of(capabilities);
        let wanted = self.declared.with_updates(updates);
        self.begin_subscription(ctx, wanted, Cause::Listen);
    }

    /// Requests the status of these tasks from now on. Tasks that were only removed stay in the filter,
    /// since the server reports nothing about a task that is over.
    pub(super) fn watch_tasks(
        &mut self,
        ctx: &mut Context,
        tasks: BTreeSet<String>,
    ) -> Option<Effect> {
        let Some(subscription) = &mut self.subscription else {
            if !tasks.is_empty() {
                let wanted = self.declared.with_tasks(tasks);
                self.begin_subscription(ctx, wanted, Cause::Task);
            }
            return None;
        };
        if !subscription.want_tasks(tasks) {
            return None;
        }
        let stream = self.recovery.table.get(subscription.stream)?;
        match stream.state {
            StreamState::Open => self.change_filter(ctx, Cause::Task),
            _ => None,
        }
    }

    fn begin_subscription(&mut self, ctx: &mut Context, wanted: Filter, cause: Cause) {
        if wanted.is_empty() {
            return;
        }
        let stream = Stream::new(StreamKind::Subscription, StreamState::Opening);
        let Some(id) = self.recovery.table.add(stream) else {
            return;
        };
        self.subscription = Some(Subscription::new(id, wanted));
        self.recovery.report(ctx, id, StreamEvent::Opening, None);
        self.open(ctx, id, cause);
    }

    /// Requests changes of these resources from now on; if the subscription is over, only with `anew`.
    pub(super) fn listen_to(
        &mut self,
        ctx: &mut Context,
        updates: BTreeSet<String>,
        anew: bool,
    ) -> Option<Effect> {
        let Some(subscription) = &mut self.subscription else {
            let wanted = self.declared.with_updates(updates);
            self.begin_subscription(ctx, wanted, Cause::User);
            return None;
        };
        subscription.want(updates);
        let id = subscription.stream;
        let stream = self.recovery.table.get_mut(id)?;
        match stream.state {
            StreamState::Open => self.change_filter(ctx, Cause::User),
            StreamState::Over if anew => {
                stream.state = StreamState::Opening;
                stream.attempt = 0;
                self.announce_filter(ctx, Cause::User);
                self.recovery.report(ctx, id, StreamEvent::Opening, None);
                self.open(ctx, id, Cause::User);
                None
            }
            // The announced attempt asks for it, or the acknowledgement is waited for.
            _ => None,
        }
    }

    /// Handles an acknowledged subscription. Resources that the server did not grant are not requested again; a filter
    /// that changed meanwhile is.
    pub(super) fn listening(
        &mut self,
        ctx: &mut Context,
        wanted: BTreeSet<String>,
    ) -> Option<Effect> {
        let subscription = self.subscription.as_mut()?;
        let is_more = subscription.is_outdated();
        subscription.want(wanted);
        match is_more {
            true => self.change_filter(ctx, Cause::User),
            false => None,
        }
    }

    /// Opens the subscription again if the wanted filter differs from the requested one. The previous
    /// request stays open until the server has acknowledged this one, so that nothing is missed.
    fn change_filter(&mut self, ctx: &mut Context, cause: Cause) -> Option<Effect> {
        let subscription = self.subscription.as_mut()?;
        if subscription.is_asked() || !subscription.is_outdated() {
            return None;
        }
        let id = subscription.stream;
        if subscription.filter().is_empty() {
            self.stop_subscription(ctx);
            let over = StreamOver::Unsubscribed;
            return self.recovery.over(ctx, id, over, None);
        }
        let resources = subscription.filter().updates.len();
        self.announce_filter(ctx, cause);
        let event = StreamEvent::Reopening { resources };
        self.recovery.report(ctx, id, event, None);
        self.open(ctx, id, cause);
        None
    }

    /// Nothing is asked for again silently.
    fn announce_filter(&self, ctx: &Context, cause: Cause) {
        let wanted = self.subscription.as_ref().map(Subscription::filter);
        let resources = wanted.map_or(0, |wanted| wanted.updates.len());
        let tasks = wanted.map_or(0, |wanted| wanted.tasks.len());
        let mut what = many(resources, "resource");
        if tasks > 0 {
            what = format!("{what}, {}", many(tasks, "task"));
        }
        ctx.note(
            format!("Opening the subscription again with another filter: {what}."),
            cause,
            None,
        );
    }

    /// Ends the requests of the subscription.
    pub(super) fn stop_subscription(&mut self, ctx: &mut Context) {
        let subscription = self.subscription.as_mut();
        for request in subscription.map_or_else(Vec::new, Subscription::take_requests) {
            stop(ctx, request);
        }
    }

    /// Ends the request with the filter before.
    fn stop_before(&mut self, ctx: &mut Context) {
        let subscription = self.subscription.as_mut();
        if let Some(request) = subscription.and_then(Subscription::take_before) {
            stop(ctx, request);
        }
    }

    /// Handles a notification that belongs on a subscription; `None` if it belongs to an ended one, or to one that the
    /// user requested.
    pub(super) fn subscription_heard(
        &mut self,
        ctx: &mut Context,
        method: &str,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Option<Option<Effect>> {
        if is_by_hand(ctx, subscription_id(params)) {
            return None;
        }
        let Some(subscription) = &mut self.subscription else {
            findings.push(without_subscription(params));
            return Some(None);
        };
        let id = subscription.stream;
        let heard = subscription.hear(method, params, findings);
        let Some(stream) = self.recovery.table.get_mut(id) else {
            return Some(None);
        };
        match heard {
            SubscriptionMessage::Late => return None,
            SubscriptionMessage::Foreign | SubscriptionMessage::Again => {}
            SubscriptionMessage::Acknowledged { asked, granted } => {
                match stream.state {
                    StreamState::Open => {
                        let event = StreamEvent::Opened;
                        self.recovery.report(ctx, id, event, Some(seq));
                    }
                    _ => self.recovery.opened(ctx, id, seq),
                }
                self.stop_before(ctx);
                return Some(Some(Effect::Listening { asked, granted }));
            }
            SubscriptionMessage::Notification => stream.attempt = 0,
        }
        Some(None)
    }

    /// On a pipe the server ends a subscription by naming its request (cancellation).
    pub(super) fn cancelled_by_server(
        &mut self,
        ctx: &mut Context,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) -> Option<Effect> {
        let named = member(params, "requestId");
        let is = |request: &u64| named.is_some_and(|id| id.get() == request.to_string());
        let subscription = self.subscription.as_mut()?;
        let Some(request) = subscription.requests().find(is) else {
            if !subscription.was_ended(is) && !is_by_hand(ctx, named) {
                findings.push(Finding::new(&rules::UNKNOWN_CANCELLATION));
            }
            return None;
        };
        // Its response may still come: a server ends a subscription by either, or by both.
        ctx.give_up_request(request, NoResponse::Cancelled);
        if subscription.request() != Some(request) {
            subscription.take_before();
            return None;
        }
        self.subscription_done(ctx, Some(seq))
    }

    /// Handles the response to a request of the subscription, which ends it.
    pub(super) fn subscription_answered(
        &mut self,
        ctx: &mut Context,
        request: u64,
        response: &Response<'_>,
        seq: Seq,
    ) -> Option<Effect> {
        let subscription = self.subscription.as_mut()?;
        if subscription.request() != Some(request) {
            subscription.take_before();
            return None;
        }
        if response.is_result() {
            return self.subscription_done(ctx, Some(seq));
        }
        let problem = format!("{}.", response.problem());
        self.subscription_refused(ctx, problem, Some(seq))
    }

    /// Handles a refused subscription, or a refused change of its filter.
    fn subscription_refused(
        &mut self,
        ctx: &mut Context,
        problem: String,
        seq: Option<Seq>,
    ) -> Option<Effect> {
        let subscription = self.subscription.as_mut()?;
        if subscription.fall_back() {
            let note = "The server refused the new filter: the previous subscription goes on.";
            ctx.note(note, Cause::Listen, None);
            return Some(Effect::ListenRefused(problem));
        }
        subscription.take_requests();
        let over = StreamOver::Refused(problem);
        self.recovery.over(ctx, subscription.stream, over, seq)
    }

    /// Handles the regular end of the subscription by the server. Its notifications are still wanted, so it is opened
    /// again.
    fn subscription_done(&mut self, ctx: &mut Context, seq: Option<Seq>) -> Option<Effect> {
        self.stop_before(ctx);
        let subscription = self.subscription.as_mut()?;
        subscription.take_requests();
        self.recovery.ended(ctx, subscription.stream, seq)
    }

    /// Handles a broken subscription.
    pub(super) fn subscription_lost(
        &mut self,
        ctx: &mut Context,
        request: u64,
        loss: &Loss,
    ) -> Option<Effect> {
        let subscription = self.subscription.as_mut()?;
        if subscription.request() != Some(request) {
            if subscription.requests().any(|before| before == request) {
                subscription.take_before();
            }
            return None;
        }
        let id = subscription.stream;
        let stream = self.recovery.table.get(id);
        if stream.is_some_and(Stream::is_attempted) {
            health::on_lost(ctx, loss);
        }
        if !ctx.is_ready() || matches!(loss, Loss::TransportGone) {
            subscription.take_requests();
            return self.recovery.over(ctx, id, StreamOver::SessionOver, None);
        }
        let why = format!("{}.", loss.problem());
        let is_final =
            |status: u16| (400..500).contains(&status) && !matches!(status, 408 | 425 | 429);
        if matches!(loss, Loss::Http { status, .. } if is_final(*status)) {
            return self.subscription_refused(ctx, why, None);
        }
        self.stop_before(ctx);
        let subscription = self.subscription.as_mut()?;
        subscription.take_requests();
        self.recovery.on_lost(ctx, id, why)
    }

    /// Ends the subscription with the session: the server is notified if no stream closes by itself (subscriptions).
    pub(super) fn unsubscribe(&mut self, ctx: &mut Context) {
        let Some(subscription) = &self.subscription else {
            return;
        };
        for request in subscription.requests() {
            match ctx.carrier {
                Carrier::Http => ctx.abandon(ExchangeId(request)),
                Carrier::Pipe => {
                    let text = cancelled(request, None);
                    let method = "notifications/cancelled";
                    ctx.send_notification(method, text, Cause::Lifecycle, None);
                }
            }
        }
    }
}

/// Returns true if a subscription was requested by the user, in a request with this id.
fn is_by_hand(ctx: &Context, id: Option<&RawValue>) -> bool {
    let id = id.and_then(|id| id.get().parse().ok());
    id.is_some_and(|id| ctx.requests.is_by_hand(id, LISTEN))
}

/// Tells the server that a subscription is no longer wanted.
fn stop(ctx: &mut Context, request: u64) {
    ctx.stop_request(request, None, Cause::User, None);
    ctx.give_up_request(request, NoResponse::Cancelled);
}

fn many(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
