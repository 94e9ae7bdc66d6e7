//! Subscription of a stateless session: its filter, and the server's messages on it (subscriptions). Its
//! recovery is in `recovery`.

use std::collections::{BTreeSet, VecDeque};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::Cause;
use tokio::time::{Duration, Instant};

use super::{context::Context, deadlines::Alarm, purpose::Purpose, time_limits::Limits};
use crate::{
    StreamId,
    members::member,
    protocol::{
        Request,
        stateless::{Filter, LISTEN},
    },
    text::brief,
};

/// Number of ended subscriptions that are remembered: messages that the server sent before it knew of the
/// end still arrive.
const ENDED: usize = 16;

/// The single subscription of a session: for the lists that its server declares to change, and the
/// resources that the user has subscribed to.
#[derive(Debug)]
pub(super) struct Subscription {
    /// Its number among the streams.
    pub(super) stream: StreamId,
    wanted: Filter,
    /// The request whose response is the stream, while it runs.
    current: Option<Listen>,
    /// The request with the previous filter, which stays open until the server has acknowledged `current`.
    before: Option<Listen>,
    ended: VecDeque<u64>,
    /// The server does not report the tasks that were requested.
    refuses_tasks: bool,
}

/// One `subscriptions/listen`.
#[derive(Debug)]
struct Listen {
    request: u64,
    /// Filter of the request.
    filter: Filter,
    acknowledged: bool,
}

/// Meanings of a message on a subscription.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SubscriptionMessage {
    /// Belongs to no subscription of Sonde.
    Foreign,
    /// Belongs to an ended subscription.
    Late,
    /// The subscription is acknowledged.
    Acknowledged {
        /// The resources that it asked for.
        asked: BTreeSet<String>,
        /// The resources among them whose changes the server will report.
        granted: BTreeSet<String>,
    },
    /// The subscription is acknowledged again.
    Again,
    /// A notification that was asked for.
    Notification,
}

impl Subscription {
    pub(super) fn new(stream: StreamId, wanted: Filter) -> Self {
        Subscription {
            stream,
            wanted,
            current: None,
            before: None,
            ended: VecDeque::new(),
            refuses_tasks: false,
        }
    }

    /// Returns the request that currently carries it.
    pub(super) fn request(&self) -> Option<u64> {
        self.current.as_ref().map(|listen| listen.request)
    }

    /// Returns its open requests.
    pub(super) fn requests(&self) -> impl Iterator<Item = u64> {
        let running = self.before.iter().chain(&self.current);
        running.map(|listen| listen.request)
    }

    /// Ends all of its requests and returns them.
    pub(super) fn take_requests(&mut self) -> Vec<u64> {
        let taken = [self.before.take(), self.current.take()];
        let taken: Vec<u64> = taken.into_iter().flatten().map(|one| one.request).collect();
        for request in &taken {
            self.remember(*request);
        }
        taken
    }

    /// Removes the request with the previous filter, which has ended or is no longer needed.
    pub(super) fn take_before(&mut self) -> Option<u64> {
        let request = self.before.take()?.request;
        self.remember(request);
        Some(request)
    }

    /// Falls back to the request with the previous filter, as the newest is over. `false` when there is
    /// none.
    pub(super) fn fall_back(&mut self) -> bool {
        let Some(before) = self.before.take() else {
            return false;
        };
        self.wanted = before.filter.clone();
        if let Some(refused) = self.current.replace(before) {
            self.remember(refused.request);
        }
        true
    }

    /// Returns true if `is` holds for an ended request of this subscription.
    pub(super) fn was_ended(&self, is: impl Fn(&u64) -> bool) -> bool {
        self.ended.iter().any(is)
    }

    fn remember(&mut self, request: u64) {
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(request);
    }

    /// Sets the resources whose updates are wanted.
    pub(super) fn want(&mut self, updates: BTreeSet<String>) {
        self.wanted.updates = updates;
    }

    /// Sets the tasks whose status is wanted; false if the server does not report tasks.
    pub(super) fn want_tasks(&mut self, tasks: BTreeSet<String>) -> bool {
        if !self.refuses_tasks {
            self.wanted.tasks = tasks;
        }
        !self.refuses_tasks
    }

    pub(super) fn filter(&self) -> &Filter {
        &self.wanted
    }

    /// Returns true until the server has acknowledged the request.
    pub(super) fn is_asked(&self) -> bool {
        self.current.as_ref().is_some_and(|one| !one.acknowledged)
    }

    /// Returns true if the wanted notifications differ from the requested ones.
    pub(super) fn is_outdated(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|listen| !listen.filter.serves(&self.wanted))
    }

    /// Requests the notifications. A running request stays open until this one is acknowledged.
    pub(super) fn open(&mut self, ctx: &mut Context, cause: Cause) {
        let params = self.wanted.params();
        let request = Request {
            params: Some(&params),
            ..Request::bare(LISTEN)
        };
        let limits = Limits::new(Instant::now(), Duration::MAX, Duration::MAX);
        let id = ctx.send_request(Purpose::Listen, limits, cause, &request);
        // It lasts as long as the session: request time-outs do not apply (subscriptions).
        ctx.deadlines.disarm(Alarm::Request(id));
        self.before = self.current.replace(Listen {
            request: id,
            filter: self.wanted.clone(),
            acknowledged: false,
        });
    }

    /// Reads a notification that belongs on a subscription.
    pub(super) fn hear(
        &mut self,
        method: &str,
        params: Option<&RawValue>,
        findings: &mut Vec<Finding>,
    ) -> SubscriptionMessage {
        let named = subscription_id(params);
        let is = |request: u64| named.is_some_and(|id| id.get() == request.to_string());
        if self.was_ended(|request| is(*request)) {
            return SubscriptionMessage::Late;
        }
        let listen = match (&mut self.before, &mut self.current) {
            (Some(before), _) if is(before.request) => before,
            (_, Some(current)) if is(current.request) => current,
            _ => {
                findings.push(wrong_id(self.request(), named));
                return SubscriptionMessage::Foreign;
            }
        };
        if method != ACKNOWLEDGED {
            if !listen.acknowledged {
                findings.push(Finding::new(&rules::NOT_ACKNOWLEDGED_FIRST));
            }
            return SubscriptionMessage::Notification;
        }
        let granted = member(params, "notifications");
        let granted = granted.map(Filter::read).unwrap_or_default();
        if granted.exceeds(&listen.filter) {
            findings.push(Finding::new(&rules::ACKNOWLEDGED_TOO_MUCH));
        }
        // It does not know the extension's member, or not these tasks: they are polled anyway.
        if !listen.filter.tasks.is_subset(&granted.tasks) {
            self.refuses_tasks = true;
            self.wanted.tasks.clear();
        }
        match std::mem::replace(&mut listen.acknowledged, true) {
            true => SubscriptionMessage::Again,
            false => SubscriptionMessage::Acknowledged {
                asked: listen.filter.updates.clone(),
                granted: granted.updates,
            },
        }
    }
}

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// The subscription that a notification names.
pub(super) fn subscription_id(params: Option<&RawValue>) -> Option<&RawValue> {
    let meta = member(params, "_meta");
    member(meta, "io.modelcontextprotocol/subscriptionId")
}

/// Returns the finding for a subscription's notification without a subscription.
pub(super) fn without_subscription(params: Option<&RawValue>) -> Finding {
    wrong_id(None, subscription_id(params))
}

fn wrong_id(request: Option<u64>, named: Option<&RawValue>) -> Finding {
    let problem = match named {
        None => "has no subscription id".to_owned(),
        Some(id) => format!("has the subscription id {}", brief(id.get())),
    };
    let expected = match request {
        Some(request) => format!("the subscription is {request}"),
        None => "there is no subscription".to_owned(),
    };
    Finding::new(&rules::WRONG_SUBSCRIPTION_ID)
        .with("problem", problem)
        .with("expected", expected)
}

/// Returns true for a notification that is sent only on subscriptions.
pub(super) fn is_subscribed(method: &str) -> bool {
    matches!(
        method,
        ACKNOWLEDGED
            | "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated"
            | "notifications/tasks"
    )
}
