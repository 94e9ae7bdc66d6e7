//! The subscription of a stateless session: what is asked for, and what the server says on it
//! (subscriptions). How it recovers is in `recovery`.

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::Cause;
use tokio::time::{Duration, Instant};

use super::{
    context::Context,
    deadlines::Alarm,
    requests::{Purpose, Requests},
    time_limits::Limits,
};
use crate::{
    StreamId,
    members::members,
    protocol::{
        Request,
        modern::{Filter, LISTEN},
    },
    text::brief,
};

/// The one subscription of a session, for the lists that its server declares to change.
#[derive(Debug)]
pub(super) struct Subscription {
    /// Its number among the streams.
    pub(super) stream: StreamId,
    wanted: Filter,
    /// The request whose response is the stream, while it runs.
    request: Option<u64>,
}

/// What a message on a subscription is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It belongs to no subscription of ours.
    Foreign,
    /// The subscription is acknowledged.
    Acknowledged,
    /// A notification that was asked for.
    Notification,
}

impl Subscription {
    pub(super) fn new(stream: StreamId, wanted: Filter) -> Self {
        Subscription {
            stream,
            wanted,
            request: None,
        }
    }

    /// The request that carries it at present.
    pub(super) fn request(&self) -> Option<u64> {
        self.request
    }

    /// Its request is over.
    pub(super) fn take_request(&mut self) -> Option<u64> {
        self.request.take()
    }

    /// Asks for the notifications.
    pub(super) fn open(&mut self, ctx: &mut Context, requests: &mut Requests, cause: Cause) {
        let params = self.wanted.params();
        let request = Request {
            params: Some(&params),
            ..Request::bare(LISTEN)
        };
        let limits = Limits::new(Instant::now(), Duration::MAX, Duration::MAX);
        let id = requests.send(ctx, Purpose::Listen, limits, cause, &request);
        // It lasts as long as the session: request time-outs do not apply (subscriptions).
        ctx.deadlines.disarm(Alarm::Request(id));
        self.request = Some(id);
    }

    /// Reads a notification that belongs on a subscription.
    pub(super) fn hear(
        &self,
        method: &str,
        params: Option<&RawValue>,
        findings: &mut Vec<Finding>,
    ) -> Heard {
        let acknowledged = method == ACKNOWLEDGED;
        if !is_about(self.request, params, findings) {
            return Heard::Foreign;
        }
        if !acknowledged {
            return Heard::Notification;
        }
        let [granted] = params
            .and_then(|raw| members(raw.get(), &["notifications"]).ok())
            .map_or([None], |read| read.values);
        if granted
            .map(Filter::read)
            .unwrap_or_default()
            .exceeds(&self.wanted)
        {
            findings.push(Finding::new(&rules::ACKNOWLEDGED_TOO_MUCH));
        }
        Heard::Acknowledged
    }
}

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Whether a notification names the subscription that this request opened.
pub(super) fn is_about(
    request: Option<u64>,
    params: Option<&RawValue>,
    findings: &mut Vec<Finding>,
) -> bool {
    let id = params.and_then(|raw| {
        let [meta] = members(raw.get(), &["_meta"]).ok()?.values;
        let [id] = members(meta?.get(), &["io.modelcontextprotocol/subscriptionId"])
            .ok()?
            .values;
        id
    });
    let matches = request
        .zip(id)
        .is_some_and(|(request, id)| id.get() == request.to_string());
    if !matches {
        let problem = match id {
            None => "has no subscription id".to_owned(),
            Some(id) => format!("has the subscription id {}", brief(id.get())),
        };
        let expected = match request {
            Some(request) => format!("the subscription is {request}"),
            None => "there is no subscription".to_owned(),
        };
        findings.push(
            Finding::new(&rules::WRONG_SUBSCRIPTION_ID)
                .with("problem", problem)
                .with("expected", expected),
        );
    }
    matches
}

/// Whether a notification travels on subscriptions alone.
pub(super) fn is_subscribed(method: &str) -> bool {
    matches!(
        method,
        ACKNOWLEDGED
            | "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated"
    )
}
