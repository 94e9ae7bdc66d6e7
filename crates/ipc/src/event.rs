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

/// One change. Each event replaces the whole state of one thing, so that many changes of the same
/// thing within one batch become one event and nothing is lost.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum UiEvent {
    /// A server was added or changed.
    Server(Box<ServerView>),
    /// A server is gone, with its session, catalogs, operations and log.
    ServerRemoved(ServerId),
    /// The order of the list, and its groups.
    ServerOrder(ServerOrder),
    /// A connection's state.
    Session(Box<SessionView>),
    /// A catalog of a server.
    Catalog(Arc<CatalogView>),
    /// The issue counts of a server. Also sent when the issues change and their counts do not.
    Issues(IssueCounts),
    /// The subscriptions to resources of a server.
    ResourceSubscriptions(Box<ResourceSubscriptionsView>),
    /// The tasks that a server lists.
    TaskList(Box<TaskListView>),
    /// The connection of a server as its panel shows it.
    Connection(Box<ConnectionView>),
    /// Signing in to a server.
    Auth(Box<AuthStatus>),
    /// The last diagnosis of a server.
    Diagnosis(Box<Diagnosis>),
    /// The checks of a server.
    Checks(Box<Checks>),
    /// The server asks the user something.
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
    /// The window is about to close: what was typed is handed over now, and `ready_to_close` says that it was.
    Closing,
}

/// Order and groups of the list of servers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerOrder {
    /// All servers: those of no group first, then those of each group.
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
    /// Its servers in order.
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
    /// Everything, first and whenever the window asks again: an event for each thing, the settings first.
    Snapshot {
        /// The next batch has this number plus one.
        number: u64,
        /// The state of each thing.
        events: Vec<UiEvent>,
    },
    /// Changes since. The window acknowledges `number`.
    Events {
        /// Counts up by one.
        number: u64,
        /// The changes.
        events: Vec<UiEvent>,
    },
}
