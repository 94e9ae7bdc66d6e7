use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sonde_explorer::{
    auth::AuthStatus,
    checks::Checks,
    diagnosis::Diagnosis,
    issues::IssueCounts,
    notices::Notice,
    operations::OperationNumber,
    presentations::Presentation,
    servers::{ServerGroup, ServerId, ServerList},
    sessions::OpenServerRequest,
    settings::Settings,
};
use sonde_record::log::LogViewState;
use ts_rs::TS;

use super::{
    catalog::CatalogView, connection::ConnectionView, operation::OperationView,
    presentation::SavedInputs, resource::ResourceSubscriptionsView, server::ServerView,
    session::SessionView, task_list::TaskListView,
};

/// A change. Each event replaces the whole state of one thing, so that many changes of the same thing within one batch
/// become one event and nothing is lost.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum UiEvent {
    /// A server was added or changed.
    Server(Box<ServerView>),
    /// A server was removed, with its session, catalogs, operations and log.
    ServerRemoved(ServerId),
    /// Order and groups of the server list.
    ServerOrder(ServerOrder),
    /// A connection's state.
    Session(Box<SessionView>),
    /// A catalog of a server.
    Catalog(Arc<CatalogView>),
    /// The issue counts of a server. Also sent when the issues change without their counts.
    Issues(IssueCounts),
    /// The subscriptions to resources of a server.
    ResourceSubscriptions(Box<ResourceSubscriptionsView>),
    /// The tasks that a server lists.
    TaskList(Box<TaskListView>),
    /// The connection of a server as its panel shows it.
    Connection(Box<ConnectionView>),
    /// State of signing in to a server.
    Auth(Box<AuthStatus>),
    /// The last diagnosis of a server.
    Diagnosis(Box<Diagnosis>),
    /// The checks of a server.
    Checks(Box<Checks>),
    /// A server request that waits for the user.
    ServerRequest(Box<OpenServerRequest>),
    /// A server request is closed.
    ServerRequestRemoved(u64),
    /// An operation.
    Operation(Box<OperationView>),
    /// An operation left the history.
    OperationRemoved(OperationNumber),
    /// An open log view.
    Log(LogViewState),
    /// A new notice.
    Notice(Notice),
    /// A notice is gone.
    NoticeRemoved(u64),
    /// True while a link or a file waits for the user.
    Offer(bool),
    /// The settings.
    Settings(Settings),
    /// The saved inputs of a server.
    SavedInputs(SavedInputs),
    /// The presentations.
    Presentations(Vec<Presentation>),
    /// The window is about to close: the page sends its unsaved text now and calls `ready_to_close`.
    Closing,
}

/// Order and groups of the list of servers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerOrder {
    /// All servers: first those without a group, then those of each group.
    pub order: Vec<ServerId>,
    /// The groups in order.
    pub groups: Vec<ServerGroupView>,
}

/// A group of the list with its servers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerGroupView {
    /// The group.
    #[serde(flatten)]
    pub group: ServerGroup,
    /// Servers of the group in order.
    pub servers: Vec<ServerId>,
}

impl From<&ServerList> for ServerOrder {
    fn from(list: &ServerList) -> Self {
        let groups = list.groups().iter().map(|group| {
            let servers = list.iter();
            let servers = servers.filter(|entry| entry.group.as_ref() == Some(&group.id));
            ServerGroupView {
                group: group.clone(),
                servers: servers.map(|entry| entry.id.clone()).collect(),
            }
        });
        Self {
            order: list.order(),
            groups: groups.collect(),
        }
    }
}

/// Messages on the window's channel.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Batch {
    /// Everything, at first, on request and instead of too many changes: an event for each thing, the settings first.
    Snapshot {
        /// Number of the batch; the next one is one higher.
        number: u64,
        /// The state of each thing.
        events: Vec<UiEvent>,
    },
    /// Changes since the previous batch. The window acknowledges `number`.
    Events {
        /// Number of the batch, one higher than the previous.
        number: u64,
        /// The changes.
        events: Vec<UiEvent>,
    },
}
