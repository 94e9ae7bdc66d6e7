//! Events of a connection, and the interface to its owner.

use std::{future::ready, ops::Deref, pin::Pin, sync::Arc};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use ts_rs::TS;

use crate::{catalogs::CatalogKind, operations::OperationNumber};

/// Names a part of a connection whose state changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The session: its phase, steps, identity.
    Session,
    /// Details of the present connect.
    Details,
    /// A catalog.
    Catalog(CatalogKind),
    /// The issues.
    Issues,
    /// The subscriptions to resources.
    ResourceSubscriptions,
    /// The tasks that the server lists.
    TaskList,
    /// Signing in.
    Auth,
    /// A request of the server.
    ServerRequest(u64),
    /// An operation.
    Operation(OperationNumber),
}

/// Levels of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum NoticeLevel {
    Info,
    Warning,
    Error,
}

/// Code of the notice that the watchdog could not be started. It concerns all connections.
pub const WATCHDOG_NOT_STARTED: &str = "watchdog_not_started";

/// A reply that the user saved for requests of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedReply {
    /// Its name.
    pub name: String,
    /// The method of the requests that it is for.
    pub method: String,
    /// The values, as JSON text.
    pub arguments: String,
    /// For a reply to a form: the digest of the form's schema.
    pub schema_digest: Option<String>,
}

/// Work of the owner that a connection waits for.
pub type Wait<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Owner of a connection: receives its events, and keeps what outlives it. Every method but `changed` may be left as it is.
///
/// An event names only the part that changed; its present state is read with
/// [`Connection::read`](crate::Connection::read). `changed`, `changes_often` and `run_changed` are called wherever
/// something changes, the state locked or not: they must neither wait nor read.
pub trait Owner: Send + Sync + 'static {
    /// Called when a part changed.
    fn changed(&self, change: Change);

    /// Called when a part changed that may change thousands of times a second.
    fn changes_often(&self, change: Change) {
        self.changed(change);
    }

    /// Called when an operation began, ended, or changed in a way that its stored run must show.
    fn run_changed(&self, operation: OperationNumber) {
        let _ = operation;
    }

    /// Called after an operation was added or has ended, so that an owner can bound the operations of several
    /// connections. The state is not locked.
    fn run_added(&self, operation: OperationNumber) {
        let _ = operation;
    }

    /// Shows the user a notice, which replaces an earlier one of the same code.
    fn notice(
        &self,
        level: NoticeLevel,
        code: &'static str,
        title: String,
        detail: Option<String>,
    ) {
        let _ = (level, code, title, detail);
    }

    /// Closes the notice of this code.
    fn retract(&self, code: &'static str) {
        let _ = code;
    }

    /// Returns a reply that the user saved for requests of this server.
    fn saved_reply(&self, id: &str) -> Option<SavedReply> {
        let _ = id;
        None
    }

    /// Reads the operations of earlier connections into the history, before their tasks are resumed.
    fn load_runs(&self) -> Wait<'_> {
        Box::pin(ready(()))
    }

    /// Called when the server has introduced itself and will not list tools.
    fn on_introduced(&self) {}

    /// Called when the tools were listed.
    fn on_tools_listed(&self) -> Wait<'_> {
        Box::pin(ready(()))
    }

    /// Called when the schemas of the listed tools were judged.
    fn on_schemas_judged(&self) -> Wait<'_> {
        Box::pin(ready(()))
    }
}

/// An owner that keeps nothing.
impl Owner for () {
    fn changed(&self, _: Change) {}
}

/// The owner of a connection, and the tasks that wait for a change.
pub(crate) struct Events {
    owner: Arc<dyn Owner>,
    changes: watch::Sender<()>,
}

impl Events {
    pub(crate) fn new(owner: Arc<dyn Owner>) -> Self {
        let changes = watch::Sender::new(());
        Self { owner, changes }
    }

    pub(crate) fn changed(&self, change: Change) {
        self.owner.changed(change);
        self.wake();
    }

    pub(crate) fn changes_often(&self, change: Change) {
        self.owner.changes_often(change);
        self.wake();
    }

    /// Wakes the waiting tasks, if there are any.
    fn wake(&self) {
        let _ = self.changes.send(());
    }

    /// Subscribes to all changes from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }
}

impl Deref for Events {
    type Target = dyn Owner;

    fn deref(&self) -> &Self::Target {
        &*self.owner
    }
}
