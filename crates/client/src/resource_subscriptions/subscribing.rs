//! Changes of the subscriptions, by the user and by events of the sessions.

use sonde_mcp::{OperationEvent, OperationId, Outcome, ResourceSubscriptionState as SessionState};

use super::list::{ResourceSubscriptions, SubscriptionState};
use crate::{
    Connection, Error,
    changes::{Change, NoticeLevel},
    clock,
    core::Core,
    limits::{LINE, MESSAGE, redact_and_cut},
    log::WireLog,
    operations::RESOURCES_READ,
};

impl Connection {
    /// Subscribes to a resource of a server, in this session and in those that follow.
    ///
    /// # Errors
    /// `NotConnected`; `InvalidInput` where the server takes no subscriptions, and above the limits.
    pub async fn subscribe_resource(&self, uri: String) -> Result<(), Error> {
        let (handle, _) = self.core.ready()?;
        self.core.state(|state| {
            let subscriptions = &mut state.session.resource_subscriptions;
            if !subscriptions.supported {
                return Err(Error::invalid(
                    "This server does not declare that it takes subscriptions to resources \
                     (`resources.subscribe`).",
                ));
            }
            subscriptions.add(uri.clone())
        })?;
        changed(&self.core);
        let asked = handle.subscribe_resource(uri).await;
        asked.map_err(|_| Error::NotConnected)
    }

    /// Ends the subscription to a resource. Nothing happens where there is none.
    ///
    /// # Errors
    /// `NoServer`.
    pub async fn unsubscribe_resource(&self, uri: String) -> Result<(), Error> {
        let ready = self.core.ready().is_ok();
        let handle = self.core.state(|state| state.session.handle());
        // A session that is still connecting already has the old list of subscriptions.
        if let Some(handle) = handle
            && handle.unsubscribe_resource(uri.clone()).await.is_ok()
            && ready
        {
            return Ok(());
        }
        with(&self.core, |subscriptions| {
            subscriptions.set(&uri, None);
        });
        Ok(())
    }
}

/// Handles a new state of a subscription.
pub(crate) fn on_state(core: &Core, uri: &str, state: SessionState, log: &WireLog) {
    let state = match state {
        SessionState::Pending => Some(SubscriptionState::Pending),
        SessionState::Active => Some(SubscriptionState::Active),
        SessionState::Ending => Some(SubscriptionState::Ending),
        SessionState::Ended => None,
        SessionState::Failed(why) => Some(SubscriptionState::Failed(redact_and_cut(
            &why, MESSAGE, log,
        ))),
        SessionState::NotEnded(why) => {
            core.notice(
                NoticeLevel::Warning,
                "not_unsubscribed",
                "The subscription to a resource was not ended.",
                Some(redact_and_cut(&why, MESSAGE, log)),
            );
            Some(SubscriptionState::Active)
        }
    };
    with(core, |subscriptions| subscriptions.set(uri, state));
}

/// Handles an update of a resource. Readings of it are no longer fresh, also once the subscription has ended, nor are
/// those that end later.
pub(crate) fn updated(core: &Core, uri: &str, sub_resource: Option<&str>, log: &WireLog) {
    let shown = sub_resource.map(|uri| redact_and_cut(uri, LINE, log));
    let at = clock::millis();
    let outdated: Vec<_> = core.state(|state| {
        let subscriptions = &mut state.session.resource_subscriptions;
        subscriptions.updated(uri, shown, at);
        let outdated = state.operations.iter_mut().filter_map(|record| {
            let read = record.input.target.as_deref()?;
            let is_outdated = read == uri || Some(read) == sub_resource;
            record.is_outdated |= is_outdated;
            (is_outdated && record.end_freshness(at)).then_some(record.number)
        });
        outdated.collect()
    });
    for operation in outdated {
        core.owner.changed(Change::Operation(operation));
    }
    core.owner.changes_often(Change::ResourceSubscriptions);
}

/// Tracks reads of subscribed resources: a read that was sent after an update clears its unread mark.
pub(crate) fn follow(core: &Core, id: OperationId, event: &OperationEvent) {
    let result = match event {
        OperationEvent::Sent { .. } => None,
        OperationEvent::Finished(outcome) => Some(matches!(outcome, Outcome::Result { .. })),
        _ => return,
    };
    let OperationId(operation) = id;
    let news = core.state(|state| {
        let record = state.operations.get(operation)?;
        let uri = record.input.target.as_deref()?;
        let subscriptions = &mut state.session.resource_subscriptions;
        (record.method == RESOURCES_READ).then(|| match result {
            None => {
                subscriptions.reading(uri, operation);
                false
            }
            Some(result) => subscriptions.read(uri, operation, result),
        })
    });
    if news == Some(true) {
        changed(core);
    }
}

fn with(core: &Core, change: impl FnOnce(&mut ResourceSubscriptions)) {
    core.state(|state| change(&mut state.session.resource_subscriptions));
    changed(core);
}

/// Reports that the subscriptions changed.
pub(crate) fn changed(core: &Core) {
    core.owner.changed(Change::ResourceSubscriptions);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sonde_mcp::{Freshness, OperationRequest};
    use sonde_wire::Seq;

    use super::*;
    use crate::{
        config::{ServerConfig, Transport},
        operations::{
            NewOperation, OperationInput, OperationNumber, OperationRecord, ResultFreshness,
        },
        testing,
    };

    fn reading(operation: OperationNumber, uri: &str) -> OperationRecord {
        let input = OperationInput {
            method: RESOURCES_READ.to_owned(),
            target: Some(uri.to_owned()),
            ..OperationInput::default()
        };
        let request = OperationRequest {
            method: input.method.clone(),
            target: input.target.clone(),
            ..OperationRequest::default()
        };
        OperationRecord::new(NewOperation {
            operation,
            server: "s".to_owned(),
            generation: 1,
            input,
            request,
            item: None,
            key: None,
        })
    }

    #[tokio::test]
    async fn a_read_of_a_long_uri_clears_its_mark() {
        let config = ServerConfig::new("S", Transport::Demo { http: false });
        let (connection, _) = testing::connection(config);
        let core = &*connection.core;
        let uri = format!("x:{}", "a".repeat(LINE));
        core.state(|state| {
            state.operations.add(reading(1, &uri));
            let subscriptions = &mut state.session.resource_subscriptions;
            subscriptions.add(uri.clone())
        })
        .unwrap();
        updated(core, &uri, None, &core.log);
        let is_unread = || {
            core.state(|state| {
                let mut all = state.session.resource_subscriptions.iter();
                all.any(|one| one.unread)
            })
        };
        assert!(is_unread());
        for event in [
            OperationEvent::Sent {
                idle: Duration::ZERO,
                hard: Duration::ZERO,
            },
            OperationEvent::Finished(Outcome::Result {
                raw: "{}".to_owned().into(),
                is_error: false,
                seq: Seq(1),
            }),
        ] {
            follow(core, OperationId(1), &event);
        }
        assert!(!is_unread());
    }

    #[tokio::test]
    async fn an_update_ends_the_freshness_of_what_was_read() {
        let config = ServerConfig::new("S", Transport::Demo { http: false });
        let (connection, _) = testing::connection(config);
        let core = &*connection.core;
        let fresh = || {
            let said = Freshness {
                ttl_ms: Some("600000".to_owned()),
                scope: None,
            };
            Some(ResultFreshness::new(said, clock::millis(), None))
        };
        core.state(|state| {
            for (operation, uri) in (1..).zip(["d/", "d/a", "d/b", "d/a"]) {
                state.operations.add(reading(operation, uri));
            }
            let ended = state.operations.iter_mut().take(3);
            ended.for_each(|one| one.set_freshness(fresh()));
        });
        updated(core, "d/", Some("d/a"), &core.log);
        // It was under way during the update.
        core.state(|state| {
            let last = state.operations.get_mut(4).unwrap();
            last.set_freshness(fresh());
        });
        let now = clock::millis();
        let is_fresh = |record: &OperationRecord| {
            let until = record.freshness.as_ref().and_then(|one| one.until);
            until.is_some_and(|until| now < until)
        };
        let are_fresh: Vec<_> = core.state(|state| state.operations.iter().map(is_fresh).collect());
        assert_eq!(are_fresh, [false, false, true, false]);
    }
}
