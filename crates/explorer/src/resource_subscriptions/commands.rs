//! Commands of the user and events of the sessions that change the subscriptions.

use sonde_mcp::{OperationEvent, OperationId, Outcome, ResourceSubscriptionState as SessionState};

use super::list::{ResourceSubscriptions, SubscriptionState, invalid};
use crate::{
    Error, Explorer,
    changes::Change,
    clock,
    core::Core,
    limits::{LINE, MESSAGE, shown},
    log::WireLog,
    notices::NoticeLevel,
    operations::RESOURCES_READ,
    servers::ServerId,
};

impl Explorer {
    /// Subscribes to a resource of a server, in this session and in those that follow.
    ///
    /// # Errors
    /// `NotConnected`; `InvalidInput` where the server takes no subscriptions, and above the limits.
    pub async fn subscribe_resource(&self, server: ServerId, uri: String) -> Result<(), Error> {
        let (handle, _) = self.core.ready(&server)?;
        self.core.state(|state| {
            let session = state.sessions.get_mut(&server);
            let subscriptions = &mut session.ok_or(Error::NotConnected)?.resource_subscriptions;
            if !subscriptions.supported {
                return Err(invalid(
                    "This server does not declare that it takes subscriptions to resources \
                     (`resources.subscribe`).",
                ));
            }
            subscriptions.add(uri.clone())
        })?;
        changed(&self.core, &server);
        let asked = handle.subscribe_resource(uri).await;
        asked.map_err(|_| Error::NotConnected)
    }

    /// Ends the subscription to a resource. Nothing happens where there is none.
    ///
    /// # Errors
    /// `NoServer`.
    pub async fn unsubscribe_resource(&self, server: ServerId, uri: String) -> Result<(), Error> {
        self.core.server(&server)?;
        let ready = self.core.ready(&server).is_ok();
        let handle = self
            .core
            .state(|state| state.sessions.get(&server)?.handle());
        // One that connects was given the subscriptions already.
        if let Some(handle) = handle
            && handle.unsubscribe_resource(uri.clone()).await.is_ok()
            && ready
        {
            return Ok(());
        }
        with(&self.core, &server, |subscriptions| {
            subscriptions.set(&uri, None);
        });
        Ok(())
    }
}

/// A subscription has changed.
pub(crate) fn stands(core: &Core, server: &str, uri: &str, state: SessionState, log: &WireLog) {
    let state = match state {
        SessionState::Pending => Some(SubscriptionState::Pending),
        SessionState::Active => Some(SubscriptionState::Active),
        SessionState::Ending => Some(SubscriptionState::Ending),
        SessionState::Ended => None,
        SessionState::Failed(why) => Some(SubscriptionState::Failed(shown(&why, MESSAGE, log))),
        SessionState::NotEnded(why) => {
            core.notice(
                NoticeLevel::Warning,
                Some(server),
                "not_unsubscribed",
                "The subscription to a resource was not ended.",
                Some(shown(&why, MESSAGE, log)),
            );
            Some(SubscriptionState::Active)
        }
    };
    with(core, server, |subscriptions| subscriptions.set(uri, state));
}

/// The server says that a resource has changed.
pub(crate) fn updated(
    core: &Core,
    server: &str,
    uri: &str,
    sub_resource: Option<&str>,
    log: &WireLog,
) {
    let sub_resource = sub_resource.map(|uri| shown(uri, LINE, log));
    let at = clock::millis();
    core.state(|state| {
        if let Some(session) = state.sessions.get_mut(server) {
            let subscriptions = &mut session.resource_subscriptions;
            subscriptions.updated(uri, sub_resource, at);
        }
    });
    let change = Change::ResourceSubscriptions(server.to_owned());
    core.observer.changes_often(change);
}

/// Follows the readings: what is read after an update is news no more.
pub(crate) fn follow(core: &Core, server: &str, id: OperationId, event: &OperationEvent) {
    let result = match event {
        OperationEvent::Sent { .. } => None,
        OperationEvent::Finished(outcome) => Some(matches!(outcome, Outcome::Result { .. })),
        _ => return,
    };
    let OperationId(operation) = id;
    let news = core.state(|state| {
        let record = state.operations.get(operation)?;
        let uri = record.target.as_deref()?;
        let subscriptions = &mut state.sessions.get_mut(server)?.resource_subscriptions;
        (record.method == RESOURCES_READ).then(|| match result {
            None => {
                subscriptions.reading(uri, operation);
                false
            }
            Some(result) => subscriptions.read(uri, operation, result),
        })
    });
    if news == Some(true) {
        changed(core, server);
    }
}

fn with(core: &Core, server: &str, change: impl FnOnce(&mut ResourceSubscriptions)) {
    core.state(|state| {
        if let Some(session) = state.sessions.get_mut(server) {
            change(&mut session.resource_subscriptions);
        }
    });
    changed(core, server);
}

/// Says that the subscriptions of a server have changed.
pub(crate) fn changed(core: &Core, server: &str) {
    let change = Change::ResourceSubscriptions(server.to_owned());
    core.observer.changed(change);
}
