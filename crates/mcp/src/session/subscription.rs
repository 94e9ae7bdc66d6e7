//! What a stateless server says on its own: one subscription for the lists that it declares to
//! change (subscriptions).

use serde_json::value::RawValue;
use sonde_wire::{Carrier, Cause, ExchangeId, Finding, Seq};
use tokio::time::{Duration, Instant};

use super::{
    actor::Actor,
    backoff::{chance, delay},
    calls::{Answer, sentence},
    deadlines::{Alarm, later},
    envelope::{brief, finding},
    exchanges::Loss,
    pending::{Limits, Purpose},
    stage::Stage,
};
use crate::{
    Event, StreamEvent, StreamId, StreamKind, StreamOver, StreamReport,
    members::members,
    protocol::{
        Request,
        modern::{Filter, LISTEN},
    },
};

/// A stateless session has this one stream of its own.
const STREAM: StreamId = StreamId(1);

/// The subscription of a session.
#[derive(Debug, Default)]
pub(super) struct Subscription {
    wanted: Filter,
    /// The request whose answer is the stream, while it runs.
    request: Option<u64>,
    /// Its first message has come.
    acknowledged: bool,
    /// It was open before: the next opening is a resumption.
    opened: bool,
    /// Attempts since something was delivered.
    attempts: u32,
}

impl Actor {
    /// Subscribes to what the server declares to change.
    pub(super) fn subscribe(&mut self, capabilities: &RawValue) {
        let wanted = Filter::of(capabilities);
        if wanted == Filter::default() {
            return;
        }
        self.subscription.wanted = wanted;
        self.report_subscription(StreamEvent::Opening, None);
        self.listen(Cause::Listen);
    }

    fn listen(&mut self, cause: Cause) {
        let params = self.subscription.wanted.params();
        let now = Instant::now();
        let request = Request {
            params: Some(&params),
            ..Request::bare(LISTEN)
        };
        let limits = Limits::new(now, Duration::MAX, Duration::MAX);
        let id = self.send_request(Purpose::Listen, limits, cause, &request);
        // It lasts as long as the session: request time-outs do not apply (subscriptions).
        self.deadlines.disarm(Alarm::Request(id));
        self.subscription.request = Some(id);
        self.subscription.acknowledged = false;
    }

    fn report_subscription(&mut self, event: StreamEvent, seq: Option<Seq>) {
        self.report(Event::Stream(StreamReport {
            stream: STREAM,
            kind: StreamKind::Subscription,
            event,
            seq,
        }));
    }

    /// Takes a notification that belongs on a subscription.
    pub(super) fn subscription_said(
        &mut self,
        method: &str,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let [meta, filter] = params
            .and_then(|raw| members(raw.get(), &["_meta", "notifications"]).ok())
            .map_or([None; 2], |read| read.values);
        let id = meta.and_then(|raw| {
            let [id] = members(raw.get(), &["io.modelcontextprotocol/subscriptionId"])
                .ok()?
                .values;
            id
        });
        let ours = self.subscription.request;
        let matches =
            ours.is_some_and(|request| id.is_some_and(|id| id.get() == request.to_string()));
        if !matches {
            let problem = match id {
                None => "has no subscription id".to_owned(),
                Some(id) => format!("has the subscription id {}", brief(id.get())),
            };
            let expected = match ours {
                Some(request) => format!("the subscription is {request}"),
                None => "there is no subscription".to_owned(),
            };
            findings.push(finding(
                "wrong-subscription-id",
                format!("The message {problem}, and {expected}."),
            ));
        }
        if method == "notifications/subscriptions/acknowledged" {
            if !matches {
                return;
            }
            let granted = filter.map(Filter::read).unwrap_or_default();
            if granted.exceeds(&self.subscription.wanted) {
                findings.push(finding(
                    "acknowledged-too-much",
                    "More was acknowledged than requested.",
                ));
            }
            if std::mem::replace(&mut self.subscription.acknowledged, true) {
                return;
            }
            let event = if std::mem::replace(&mut self.subscription.opened, true) {
                StreamEvent::Resumed
            } else {
                StreamEvent::Opened
            };
            return self.report_subscription(event, Some(seq));
        }
        if matches {
            if !self.subscription.acknowledged {
                findings.push(finding(
                    "not-acknowledged-first",
                    "The first message of a subscription must be its acknowledgement.",
                ));
            }
            self.subscription.attempts = 0;
        }
        if method == "notifications/tools/list_changed" {
            self.tools_changed();
        }
    }

    /// On a pipe the server ends a subscription by naming its request (cancellation).
    pub(super) fn cancelled_by_server(
        &mut self,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let [id] = params
            .and_then(|raw| members(raw.get(), &["requestId"]).ok())
            .map_or([None], |read| read.values);
        match self.subscription.request {
            Some(request) if id.is_some_and(|id| id.get() == request.to_string()) => {
                self.pending.end(request, true);
                self.subscription_done(Some(seq));
            }
            _ => findings.push(finding(
                "unknown-cancellation",
                "A server may only end a subscription with this.",
            )),
        }
    }

    /// The request of the subscription was answered: its end.
    pub(super) fn subscription_answered(&mut self, answer: Answer<'_>, seq: Seq) {
        match answer {
            Answer::Result(_) => self.subscription_done(Some(seq)),
            other => {
                self.subscription.request = None;
                let why = format!("{}.", sentence(&other));
                let over = StreamEvent::Over(StreamOver::Refused(why));
                self.report_subscription(over, Some(seq));
            }
        }
    }

    /// The server ended it in order. What it would still say is wanted, so it is asked anew.
    fn subscription_done(&mut self, seq: Option<Seq>) {
        self.subscription.request = None;
        self.report_subscription(StreamEvent::Over(StreamOver::Done), seq);
        self.listen_later();
    }

    /// The stream broke.
    pub(super) fn subscription_lost(&mut self, loss: &Loss) {
        if self.subscription.request.take().is_none() {
            return;
        }
        if self.stage != Stage::Ready || matches!(loss, Loss::TransportGone) {
            return self.report_subscription(StreamEvent::Over(StreamOver::SessionOver), None);
        }
        let why = format!("{}.", loss.sentence());
        if matches!(loss, Loss::Http { status, .. } if (400..500).contains(status)) {
            return self.report_subscription(StreamEvent::Over(StreamOver::Refused(why)), None);
        }
        self.report_subscription(StreamEvent::Lost { why }, None);
        self.listen_later();
    }

    /// Announces the next attempt, if there is one.
    fn listen_later(&mut self) {
        if self.stage != Stage::Ready {
            return self.report_subscription(StreamEvent::Over(StreamOver::SessionOver), None);
        }
        let options = self.options.streams;
        if self.subscription.attempts >= options.attempts {
            return self.report_subscription(StreamEvent::Over(StreamOver::OutOfAttempts), None);
        }
        self.subscription.attempts += 1;
        let attempt = self.subscription.attempts;
        let (delay, source) = delay(&options, attempt, None, chance());
        self.report_subscription(
            StreamEvent::Waiting {
                attempt,
                budget: options.attempts,
                delay,
                source,
                last_event_id: None,
            },
            None,
        );
        self.deadlines
            .arm(Alarm::Listen, later(Instant::now(), delay));
    }

    /// The announced attempt is due.
    pub(super) fn listen_again(&mut self) {
        self.deadlines.disarm(Alarm::Listen);
        if self.stage != Stage::Ready || self.subscription.request.is_some() {
            return;
        }
        let attempt = self.subscription.attempts;
        self.report_subscription(StreamEvent::Resuming { attempt }, None);
        self.listen(Cause::Resume);
    }

    /// Makes the attempt now. `false` when the stream is not the subscription.
    pub(super) fn listen_now(&mut self, stream: StreamId) -> bool {
        if !self.is_subscription(stream) {
            return false;
        }
        if self.subscription.request.is_none() && self.stage == Stage::Ready {
            if !self.deadlines.is_armed(Alarm::Listen) {
                self.subscription.attempts = 1;
            }
            self.listen_again();
        }
        true
    }

    /// Listens no more. `false` when the stream is not the subscription.
    pub(super) fn stop_listening(&mut self, stream: StreamId) -> bool {
        if !self.is_subscription(stream) {
            return false;
        }
        let waited = self.deadlines.is_armed(Alarm::Listen);
        self.deadlines.disarm(Alarm::Listen);
        let request = self.subscription.request.take();
        if let Some(request) = request {
            self.stop_request(request, None, Cause::User, None);
            self.pending.end(request, false);
        }
        if waited || request.is_some() {
            self.report_subscription(StreamEvent::Over(StreamOver::GivenUp), None);
        }
        true
    }

    /// The exchange that carries the subscription.
    pub(super) fn subscribed_on(&self) -> Option<ExchangeId> {
        self.subscription.request.map(ExchangeId)
    }

    fn is_subscription(&self, stream: StreamId) -> bool {
        self.protocol.is_modern()
            && stream == STREAM
            && self.subscription.wanted != Filter::default()
    }

    /// The session ends: the server is told where no stream closes by itself (subscriptions).
    pub(super) fn unsubscribe(&mut self) {
        self.deadlines.disarm(Alarm::Listen);
        let Some(request) = self.subscription.request else {
            return;
        };
        match self.carrier {
            Carrier::Http => self.abandon(request),
            Carrier::Pipe => {
                let text = self.protocol.cancelled(request, None);
                self.send_notification("notifications/cancelled", text, Cause::Lifecycle, None);
            }
        }
    }
}

/// Whether a notification travels on subscriptions alone.
pub(super) fn is_subscribed(method: &str) -> bool {
    matches!(
        method,
        "notifications/subscriptions/acknowledged"
            | "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated"
    )
}
