//! Change events for observers.

use crate::{catalogs::CatalogKind, operations::OperationNumber, servers::ServerId};

/// Names an object whose state changed, or that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A server of the list.
    Server(ServerId),
    /// The order of the list, and its groups.
    Order,
    /// The session of a server.
    Session(ServerId),
    /// Details of a server's connection.
    Connection(ServerId),
    /// A catalog of a server.
    Catalog(ServerId, CatalogKind),
    /// The issues of a server.
    Issues(ServerId),
    /// The subscriptions to resources of a server.
    ResourceSubscriptions(ServerId),
    /// The tasks that a server lists.
    TaskList(ServerId),
    /// Signing in to a server.
    Auth(ServerId),
    /// The diagnosis of a server.
    Diagnosis(ServerId),
    /// The checks of a server.
    Checks(ServerId),
    /// A request of a server.
    ServerRequest(u64),
    /// An operation.
    Operation(OperationNumber),
    /// A notice.
    Notice(u64),
    /// A link that waits for the user's review.
    Offer,
    /// The settings.
    Settings,
    /// The saved inputs of a server.
    SavedInputs(ServerId),
    /// The presentations.
    Presentations,
}

/// Receives change events. An event names only the object that changed; its state is read with
/// [`Explorer::read`](crate::Explorer::read). Both methods may be called while the state is locked: they must neither
/// block nor read the state.
pub trait Observer: Send + Sync + 'static {
    /// Called when an object changed.
    fn changed(&self, change: Change);

    /// Called when an object changed that may change thousands of times a second.
    fn changes_often(&self, change: Change) {
        self.changed(change);
    }
}

/// Ignores all changes.
impl Observer for () {
    fn changed(&self, _: Change) {}
}
