//! Resource subscriptions of one server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sonde_mcp::limits::{RESOURCE_SUBSCRIPTIONS, SUBSCRIBED_URI};
use ts_rs::TS;

use crate::{Error, operations::OperationNumber};

/// Limit of running reads that are tracked per resource.
const READINGS: usize = 16;

/// States of a subscription to a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", content = "why", rename_all = "snake_case")]
pub enum SubscriptionState {
    /// Requested, or to be requested with the next connection; no updates arrive yet.
    #[default]
    Pending,
    /// The server reports changes.
    Active,
    /// The server is asked to stop.
    Ending,
    /// No subscription, with the reason: one plain sentence.
    Failed(String),
}

/// A subscription to a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResourceSubscription {
    /// The URI that was subscribed to.
    pub uri: String,
    /// State of the subscription.
    pub state: SubscriptionState,
    /// Number of updates that the server reported.
    pub updates: u64,
    /// Time of the last update, in milliseconds since the Unix epoch.
    pub updated_at: Option<u64>,
    /// The URI that the last update named, where it names a part of the resource.
    pub sub_resource: Option<String>,
    /// Updated since the last read was sent.
    pub unread: bool,
}

/// The subscriptions to resources of a server.
#[derive(Debug, Default)]
pub struct ResourceSubscriptions {
    /// The server takes them.
    pub supported: bool,
    all: BTreeMap<String, Subscribed>,
}

#[derive(Debug, Default)]
struct Subscribed {
    shown: ResourceSubscription,
    /// Running reads, each with the number of updates when it was sent.
    readings: Vec<(OperationNumber, u64)>,
}

impl ResourceSubscriptions {
    /// All subscriptions, by URI.
    pub fn iter(&self) -> impl Iterator<Item = &ResourceSubscription> {
        self.all.values().map(|one| &one.shown)
    }

    pub(crate) fn uris(&self) -> Vec<String> {
        self.all.keys().cloned().collect()
    }

    pub(super) fn add(&mut self, uri: String) -> Result<(), Error> {
        if uri.len() > SUBSCRIBED_URI {
            return Err(Error::invalid("This URI is too long to subscribe to."));
        }
        if self.all.len() >= RESOURCE_SUBSCRIPTIONS && !self.all.contains_key(&uri) {
            return Err(Error::invalid(
                "There are 1,000 subscriptions to resources of this server, the most that Sonde keeps. \
                 Unsubscribe from one first.",
            ));
        }
        let one = self.all.entry(uri.clone()).or_default();
        one.shown.uri = uri;
        if matches!(one.shown.state, SubscriptionState::Failed(_)) {
            one.shown.state = SubscriptionState::Pending;
        }
        Ok(())
    }

    pub(super) fn set(&mut self, uri: &str, state: Option<SubscriptionState>) {
        match (state, self.all.get_mut(uri)) {
            (None, _) => drop(self.all.remove(uri)),
            (Some(state), Some(one)) => one.shown.state = state,
            // The subscription is not in the list: the user removed it.
            (Some(_), None) => {}
        }
    }

    /// Ends the session; the next one subscribes again.
    pub(crate) fn end(&mut self) {
        for one in self.all.values_mut() {
            if !matches!(one.shown.state, SubscriptionState::Failed(_)) {
                one.shown.state = SubscriptionState::Pending;
            }
            one.readings.clear();
        }
    }

    pub(super) fn updated(&mut self, uri: &str, sub_resource: Option<String>, at: u64) {
        if let Some(one) = self.all.get_mut(uri) {
            one.shown.updates += 1;
            one.shown.updated_at = Some(at);
            one.shown.sub_resource = sub_resource;
            one.shown.unread = true;
        }
    }

    /// A reading of a resource was sent.
    pub(super) fn reading(&mut self, uri: &str, operation: OperationNumber) -> bool {
        let Some(one) = self.all.get_mut(uri) else {
            return false;
        };
        if one.readings.len() == READINGS {
            one.readings.remove(0);
        }
        one.readings.push((operation, one.shown.updates));
        true
    }

    /// Ends the tracking of a read; `result` is true if it returned a result.
    pub(super) fn read(&mut self, uri: &str, operation: OperationNumber, result: bool) -> bool {
        let Some(one) = self.all.get_mut(uri) else {
            return false;
        };
        let place = one.readings.iter().position(|(of, _)| *of == operation);
        let Some((_, updates)) = place.map(|place| one.readings.remove(place)) else {
            return false;
        };
        let news = result && one.shown.unread && updates == one.shown.updates;
        one.shown.unread &= !news;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(subscriptions: &ResourceSubscriptions) -> bool {
        subscriptions.iter().any(|one| one.unread)
    }

    #[test]
    fn a_reading_shows_what_changed_before_it_was_sent() {
        let mut all = ResourceSubscriptions::default();
        all.add("a".to_owned()).unwrap();
        assert!(!unread(&all));
        all.updated("a", None, 1);
        assert!(unread(&all));
        all.reading("a", 1);
        all.updated("a", None, 2);
        assert!(!all.read("a", 1, true), "it has changed since");
        assert!(unread(&all));
        all.reading("a", 2);
        assert!(!all.read("a", 2, false), "nothing was read");
        assert!(unread(&all));
        all.reading("a", 3);
        assert!(all.read("a", 3, true));
        assert!(!unread(&all));
    }

    #[test]
    fn no_more_than_a_thousand_are_kept() {
        let mut all = ResourceSubscriptions::default();
        for number in 0..RESOURCE_SUBSCRIPTIONS {
            all.add(number.to_string()).unwrap();
        }
        assert!(all.add("one more".to_owned()).is_err());
        all.add("7".to_owned()).unwrap();
        assert!(all.add("x".repeat(SUBSCRIBED_URI + 1)).is_err());
        all.set("7", None);
        all.add("one more".to_owned()).unwrap();
    }

    #[test]
    fn the_end_of_a_session_leaves_what_failed() {
        let mut all = ResourceSubscriptions::default();
        for (uri, state) in [
            ("a", SubscriptionState::Active),
            ("b", SubscriptionState::Failed("No.".to_owned())),
        ] {
            all.add(uri.to_owned()).unwrap();
            all.set(uri, Some(state));
        }
        all.end();
        let states: Vec<_> = all.iter().map(|one| one.state.clone()).collect();
        assert_eq!(
            states,
            [
                SubscriptionState::Pending,
                SubscriptionState::Failed("No.".to_owned())
            ]
        );
    }
}
