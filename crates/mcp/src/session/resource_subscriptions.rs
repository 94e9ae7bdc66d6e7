//! Subscriptions of the user to resources: after a handshake with a request for each (resources, Subscriptions), in a
//! stateless session with one filter for all.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;
use sonde_findings::{Finding, rules};
use sonde_wire::{Carrier, Cause, Seq};

use super::{
    context::Context,
    effect::Effect,
    purpose::Purpose,
    response::{Loss, Response},
};
use crate::{
    Event, ResourceSubscriptionState as State,
    limits::{RESOURCE_SUBSCRIPTIONS, SUBSCRIBED_URI},
    members::{member, quoted, string},
    text::brief,
};

const SUBSCRIBE: &str = "resources/subscribe";
const UNSUBSCRIBE: &str = "resources/unsubscribe";

/// Requests to subscribe and unsubscribe that are in flight at once: a thousand of them would be a
/// thousand connections over HTTP.
const AT_ONCE: usize = 8;

/// The subscriptions to resources of a session.
#[derive(Debug, Default)]
pub(super) struct ResourceSubscriptions {
    all: BTreeMap<String, Subscribed>,
    /// Resources that the next filter leaves out. Updates under the previous filter may still arrive.
    leaving: BTreeSet<String>,
    /// The server declares that it takes them.
    declared: bool,
    /// The session asks the server, or has asked it.
    begun: bool,
    /// The user sent a request to subscribe by hand, so it is no longer known which updates are wanted.
    by_hand: bool,
}

/// One subscription.
#[derive(Debug)]
struct Subscribed {
    /// The user wants it.
    wanted: bool,
    /// Cause of its next request.
    cause: Cause,
    step: Step,
    told: State,
}

/// States of a subscription on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Not requested.
    Idle,
    /// Requested; with a handshake by this request.
    Asked(Option<u64>),
    /// Active: the server reports changes.
    Active,
    /// Being ended, by this request.
    Ending(u64),
}

impl ResourceSubscriptions {
    /// Takes over the subscriptions from before this session. They are requested once the session is ready.
    pub(super) fn of(uris: &[String]) -> Self {
        let uris = uris.iter().take(RESOURCE_SUBSCRIPTIONS);
        ResourceSubscriptions {
            all: uris.map(|uri| (uri.clone(), Subscribed::new())).collect(),
            ..ResourceSubscriptions::default()
        }
    }

    /// The session is ready: requests the earlier subscriptions. In a stateless session this returns the
    /// resources for the filter of its subscription.
    pub(super) fn begin(&mut self, ctx: &mut Context, declared: bool) -> BTreeSet<String> {
        (self.declared, self.begun) = (declared, true);
        if self.all.is_empty() {
            return BTreeSet::new();
        }
        if !declared {
            self.fail_all(ctx, NOT_DECLARED);
            return BTreeSet::new();
        }
        let count = match self.all.len() {
            1 => "the resource that was".to_owned(),
            count => format!("the {count} resources that were"),
        };
        ctx.note(
            format!("Subscribing again to {count} subscribed before."),
            Cause::Lifecycle,
            None,
        );
        if ctx.protocol.is_stateless() {
            return self.wanted_uris();
        }
        self.go_on(ctx);
        BTreeSet::new()
    }

    /// Subscribes to a resource for the user.
    pub(super) fn subscribe(&mut self, ctx: &mut Context, uri: String) -> Option<Effect> {
        let problem = if !ctx.is_ready() || !self.begun {
            Some("The session is closing.")
        } else if !self.declared {
            Some(NOT_DECLARED)
        } else if uri.len() > SUBSCRIBED_URI {
            Some("The URI is too long to subscribe to.")
        } else if self.all.len() >= RESOURCE_SUBSCRIPTIONS && !self.all.contains_key(&uri) {
            Some("There are 1,000 subscriptions, the most that Sonde keeps.")
        } else {
            None
        };
        if let Some(problem) = problem {
            let state = State::Failed(problem.to_owned());
            report(ctx, &uri, state);
            return None;
        }
        let one = self.all.entry(uri.clone()).or_insert_with(Subscribed::new);
        (one.wanted, one.cause) = (true, Cause::User);
        if one.step == Step::Idle {
            one.told = State::Pending;
            report(ctx, &uri, State::Pending);
        }
        if ctx.protocol.is_stateless() {
            return Some(Effect::ListenTo {
                updates: self.wanted_uris(),
                anew: true,
            });
        }
        self.go_on(ctx);
        None
    }

    /// Unsubscribes from a resource for the user.
    pub(super) fn unsubscribe(&mut self, ctx: &mut Context, uri: &str) -> Option<Effect> {
        let Some(one) = self.all.get_mut(uri) else {
            report(ctx, uri, State::Ended);
            return None;
        };
        if ctx.protocol.is_stateless() {
            self.all.remove(uri);
            self.leaving.insert(uri.to_owned());
            report(ctx, uri, State::Ended);
            return Some(Effect::ListenTo {
                updates: self.wanted_uris(),
                anew: false,
            });
        }
        (one.wanted, one.cause) = (false, Cause::User);
        self.go_on(ctx);
        None
    }

    fn wanted_uris(&self) -> BTreeSet<String> {
        self.all.keys().cloned().collect()
    }

    // With a handshake: a request for each.

    /// Sends the next requests, within the limit of requests in flight.
    fn go_on(&mut self, ctx: &mut Context) {
        if !ctx.is_ready() {
            return;
        }
        let in_flight = |one: &&Subscribed| matches!(one.step, Step::Asked(_) | Step::Ending(_));
        let mut room = AT_ONCE.saturating_sub(self.all.values().filter(in_flight).count());
        self.all.retain(|uri, one| {
            match (one.wanted, one.step) {
                (true, Step::Idle) if room > 0 => {
                    let id = send(ctx, SUBSCRIBE, uri, one.cause);
                    one.step = Step::Asked(Some(id));
                }
                (false, Step::Active) if room > 0 => {
                    let id = send(ctx, UNSUBSCRIBE, uri, one.cause);
                    one.step = Step::Ending(id);
                }
                (false, Step::Idle) => {
                    report(ctx, uri, State::Ended);
                    return false;
                }
                _ => return true,
            }
            room -= 1;
            one.tell(ctx, uri);
            true
        });
    }

    /// The response to one of the requests.
    pub(super) fn answered(&mut self, ctx: &mut Context, id: u64, response: &Response<'_>) {
        match response.is_result() {
            true => self.settle(ctx, id, None),
            false => self.settle(ctx, id, Some(&response.problem())),
        }
    }

    /// Handles a lost response: the requested subscription does not exist.
    pub(super) fn on_lost(&mut self, ctx: &mut Context, id: u64, loss: &Loss) {
        if matches!(loss, Loss::Forgotten | Loss::TransportGone) {
            // The next session requests it again.
            return self.forget(ctx);
        }
        self.settle(ctx, id, Some(&loss.problem()));
    }

    fn settle(&mut self, ctx: &mut Context, id: u64, problem: Option<&str>) {
        let found = self.all.iter_mut().find(|(_, one)| match one.step {
            Step::Asked(request) => request == Some(id),
            Step::Ending(request) => request == id,
            Step::Idle | Step::Active => false,
        });
        let Some((uri, one)) = found else { return };
        match (one.step, problem) {
            (Step::Asked(_), None) => one.step = Step::Active,
            (Step::Asked(_), Some(problem)) => {
                let state = match one.wanted {
                    true => State::Failed(format!("The server did not subscribe: {problem}.")),
                    false => State::Ended,
                };
                report(ctx, uri, state);
                let uri = uri.clone();
                self.all.remove(&uri);
                return self.go_on(ctx);
            }
            (_, None) => {
                one.step = Step::Idle;
                // An update that was sent before may come later on another stream.
                if ctx.carrier == Carrier::Http && self.leaving.len() < RESOURCE_SUBSCRIPTIONS {
                    self.leaving.insert(uri.clone());
                }
            }
            (_, Some(problem)) => {
                (one.step, one.wanted) = (Step::Active, true);
                let told = State::NotEnded(format!("The server did not unsubscribe: {problem}."));
                one.told = told.clone();
                report(ctx, uri, told);
                return self.go_on(ctx);
            }
        }
        if one.wanted {
            one.tell(ctx, uri);
        }
        self.go_on(ctx);
    }

    /// Resets all subscriptions when the session is restarted: the server has none.
    pub(super) fn forget(&mut self, ctx: &mut Context) {
        self.begun = false;
        self.leaving.clear();
        self.all.retain(|uri, one| {
            (one.step, one.cause) = (Step::Idle, Cause::Lifecycle);
            match one.wanted {
                true => one.tell(ctx, uri),
                false => report(ctx, uri, State::Ended),
            }
            one.wanted
        });
    }

    // In a stateless session: one filter for all.

    /// Handles an acknowledged filter: of the resources asked for, the server granted some. Returns the resources that
    /// are still wanted.
    pub(super) fn granted(
        &mut self,
        ctx: &mut Context,
        asked: &BTreeSet<String>,
        granted: &BTreeSet<String>,
    ) -> BTreeSet<String> {
        self.leaving.retain(|uri| asked.contains(uri));
        self.all.retain(|uri, one| {
            if !asked.contains(uri) {
                return true;
            }
            if granted.contains(uri) {
                one.step = Step::Active;
                one.tell(ctx, uri);
                return true;
            }
            let why = "The server did not acknowledge the subscription to this resource.";
            report(ctx, uri, State::Failed(why.to_owned()));
            false
        });
        self.wanted_uris()
    }

    /// Handles a broken subscription, which will be requested again.
    pub(super) fn interrupted(&mut self, ctx: &mut Context) {
        for (uri, one) in &mut self.all {
            one.step = Step::Asked(None);
            one.tell(ctx, uri);
        }
    }

    /// The server refused the changed filter; the previous filter stays in force.
    pub(super) fn refused(&mut self, ctx: &mut Context, problem: &str) {
        self.all.retain(|uri, one| {
            let kept = one.step == Step::Active;
            if !kept {
                let why = format!("The server did not subscribe: {problem}");
                report(ctx, uri, State::Failed(why));
            }
            kept
        });
    }

    /// Handles the final end of the subscription.
    pub(super) fn over(&mut self, ctx: &mut Context, why: &str) {
        self.leaving.clear();
        for (uri, one) in &mut self.all {
            // If it is opened again, all resources are requested again.
            one.step = Step::Idle;
            one.told = State::Failed(format!("The subscription is over: {why}"));
            report(ctx, uri, one.told.clone());
        }
    }

    fn fail_all(&mut self, ctx: &mut Context, why: &str) {
        for uri in std::mem::take(&mut self.all).into_keys() {
            report(ctx, &uri, State::Failed(why.to_owned()));
        }
    }

    // Messages of the server.

    /// Notes a request to subscribe or unsubscribe that the user sent by hand.
    pub(super) fn note_by_hand(&mut self, method: &str) {
        self.by_hand |= method == SUBSCRIBE;
    }

    /// `notifications/resources/updated`. "This might be a sub-resource of the one that the client
    /// actually subscribed to" (schema, ResourceUpdatedNotificationParams).
    pub(super) fn updated(
        &self,
        ctx: &mut Context,
        params: Option<&RawValue>,
        seq: Seq,
        findings: &mut Vec<Finding>,
    ) {
        let uri = member(params, "uri").and_then(string);
        let problem = match &uri {
            None => "names no URI".to_owned(),
            Some(uri) => match self.subscribed(uri) {
                Some(subscribed) => {
                    let sub_resource = (subscribed != uri).then(|| uri.clone());
                    let uri = subscribed.to_owned();
                    return ctx.report(Event::ResourceUpdated {
                        uri,
                        sub_resource,
                        seq,
                    });
                }
                None if self.by_hand || self.leaving.contains(uri) => return,
                None => format!("is about {}, which is not subscribed to", brief(uri)),
            },
        };
        findings.push(Finding::new(&rules::UNSUBSCRIBED_UPDATE).with("problem", problem));
    }

    /// The URI of the subscription that an update is about.
    fn subscribed(&self, uri: &str) -> Option<&str> {
        if let Some((subscribed, _)) = self.all.get_key_value(uri) {
            return Some(subscribed);
        }
        let above = |subscribed: &&String| {
            uri.strip_prefix(&***subscribed)
                .is_some_and(|rest| subscribed.ends_with('/') || rest.starts_with(['/', '?', '#']))
        };
        self.all.keys().rev().find(above).map(String::as_str)
    }
}

const NOT_DECLARED: &str = "The server does not declare `resources.subscribe`.";

impl Subscribed {
    fn new() -> Self {
        Subscribed {
            wanted: true,
            cause: Cause::Lifecycle,
            step: Step::Idle,
            told: State::Pending,
        }
    }

    /// Reports the state of a subscription if it has changed.
    fn tell(&mut self, ctx: &mut Context, uri: &str) {
        let state = match self.step {
            Step::Idle | Step::Asked(_) => State::Pending,
            Step::Active => State::Active,
            Step::Ending(_) => State::Ending,
        };
        if self.told != state {
            self.told = state.clone();
            report(ctx, uri, state);
        }
    }
}

fn send(ctx: &mut Context, method: &str, uri: &str, cause: Cause) -> u64 {
    let params = format!(r#"{{"uri":{}}}"#, quoted(uri));
    ctx.ask(Purpose::SubscribeResource, method, Some(&params), cause)
}

fn report(ctx: &mut Context, uri: &str, state: State) {
    let uri = uri.to_owned();
    ctx.report(Event::ResourceSubscription { uri, state });
}
