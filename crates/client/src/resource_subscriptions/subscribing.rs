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

/// Handles an update of a resource.
pub(crate) fn updated(core: &Core, uri: &str, sub_resource: Option<&str>, log: &WireLog) {
    let sub_resource = sub_resource.map(|uri| redact_and_cut(uri, LINE, log));
    let at = clock::millis();
    core.state(|state| {
        let subscriptions = &mut state.session.resource_subscriptions;
        subscriptions.updated(uri, sub_resource, at);
    });
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

    use sonde_mcp::OperationRequest;
    use sonde_wire::Seq;

    use super::*;
    use crate::{
        config::{ServerConfig, Transport},
        operations::{NewOperation, OperationInput, OperationRecord},
        testing,
    };

    #[tokio::test]
    async fn a_read_of_a_long_uri_clears_its_mark() {
        let config = ServerConfig::new("S", Transport::Demo { http: false });
        let (connection, _) = testing::connection(config);
        let core = &*connection.core;
        let uri = format!("x:{}", "a".repeat(LINE));
        let input = OperationInput {
            method: RESOURCES_READ.to_owned(),
            target: Some(uri.clone()),
            ..OperationInput::default()
        };
        let request = OperationRequest {
            method: input.method.clone(),
            target: input.target.clone(),
            ..OperationRequest::default()
        };
        core.state(|state| {
            state.operations.add(OperationRecord::new(NewOperation {
                operation: 1,
                server: "s".to_owned(),
                generation: 1,
                input,
                request,
                item: None,
                key: None,
            }));
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
}
