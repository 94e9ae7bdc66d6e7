//! Views of the explorer's state for the window, made when they are sent.

use std::sync::Arc;

use sonde_client::State as ConnectionState;
use sonde_explorer::{Change, Explorer, auth::AuthStatus, sessions::OpenServerRequest};
use sonde_record::log::LogViews;

use super::{
    bus::{Key, Source},
    catalog::CatalogView,
    connection::ConnectionView,
    event::{ServerOrder, Snapshot, UiEvent},
    operation::OperationView,
    presentation::SavedInputs,
    resource::ResourceSubscriptionsView,
    server::ServerView,
    session::SessionView,
    task_list::TaskListView,
};

/// Views of the connections, for a snapshot.
#[derive(Default)]
struct OfConnections {
    sessions: Vec<SessionView>,
    connections: Vec<ConnectionView>,
    resource_subscriptions: Vec<ResourceSubscriptionsView>,
    task_lists: Vec<TaskListView>,
    auth: Vec<AuthStatus>,
    server_requests: Vec<OpenServerRequest>,
    catalogs: Vec<Arc<CatalogView>>,
    operations: Vec<OperationView>,
}

impl OfConnections {
    fn add(&mut self, state: &ConnectionState) {
        let session = &state.session;
        self.sessions.push(session.into());
        self.connections
            .extend(session.connection.as_ref().map(Into::into));
        self.resource_subscriptions.push(session.into());
        self.task_lists.push(session.into());
        self.auth.extend(state.auth.clone());
        self.server_requests
            .extend(state.server_requests.iter().cloned());
        let catalogs = state.catalogs.iter();
        self.catalogs
            .extend(catalogs.map(|catalog| Arc::new(catalog.into())));
        self.operations
            .extend(state.operations.iter().map(OperationView::short));
    }
}

/// Source of the views.
pub(crate) struct Views {
    pub(crate) explorer: Explorer,
    pub(crate) logs: Arc<LogViews>,
}

impl Source for Views {
    fn snapshot(&self, number: u64) -> Snapshot {
        self.explorer.read(|state| {
            let order = state.servers().order();
            let mut of = OfConnections::default();
            for id in &order {
                if let Some(connection) = state.connection(id) {
                    connection.read(|state| of.add(state));
                }
            }
            of.operations.sort_by_key(|one| one.operation);
            of.server_requests.sort_by_key(|one| one.number);
            let servers = state.servers().iter();
            Snapshot {
                number,
                servers: servers
                    .map(|entry| ServerView::new(entry, self.explorer.unsaved_secrets(&entry.id)))
                    .collect(),
                groups: ServerOrder::from(state.servers()).groups,
                issues: order
                    .iter()
                    .filter_map(|id| state.issue_counts(id))
                    .collect(),
                connections: of.connections,
                resource_subscriptions: of.resource_subscriptions,
                task_lists: of.task_lists,
                sessions: of.sessions,
                auth: of.auth,
                diagnoses: state.diagnoses().iter().cloned().collect(),
                checks: state.checks().iter().cloned().collect(),
                server_requests: of.server_requests,
                catalogs: of.catalogs,
                operations: of.operations,
                notices: state.notices().to_vec(),
                offer: state.has_offer(),
                settings: state.settings().clone(),
                saved_inputs: state.saved_inputs().iter().cloned().collect(),
                presentations: state.presentations(),
            }
        })
    }

    fn event(&self, key: &Key) -> Option<UiEvent> {
        let change = match key {
            Key::Log(view) => return self.logs.state(*view).map(UiEvent::Log),
            Key::Closing => return Some(UiEvent::Closing),
            Key::Explorer(change) => change,
        };
        self.explorer.read(|state| {
            Some(match change {
                Change::Server(id) => match state.servers().get(id) {
                    Some(entry) => UiEvent::Server(Box::new(ServerView::new(
                        entry,
                        self.explorer.unsaved_secrets(id),
                    ))),
                    None => UiEvent::ServerRemoved(id.clone()),
                },
                Change::Order => UiEvent::ServerOrder(state.servers().into()),
                Change::Session(id) => UiEvent::Session(Box::new(
                    state.connection(id)?.read(|one| (&one.session).into()),
                )),
                Change::ResourceSubscriptions(id) => UiEvent::ResourceSubscriptions(Box::new(
                    state.connection(id)?.read(|one| (&one.session).into()),
                )),
                Change::TaskList(id) => UiEvent::TaskList(Box::new(
                    state.connection(id)?.read(|one| (&one.session).into()),
                )),
                Change::Connection(id) => {
                    let connection = state.connection(id)?;
                    let details =
                        connection.read(|one| Some(one.session.connection.as_ref()?.into()))?;
                    UiEvent::Connection(Box::new(details))
                }
                Change::Issues(id) => UiEvent::Issues(state.issue_counts(id)?),
                Change::Auth(id) => {
                    let connection = state.connection(id)?;
                    let view = connection.read(|one| one.auth.clone())?;
                    UiEvent::Auth(Box::new(view))
                }
                Change::Diagnosis(id) => {
                    UiEvent::Diagnosis(Box::new(state.diagnoses().get(id)?.clone()))
                }
                Change::Checks(id) => UiEvent::Checks(Box::new(state.checks().get(id)?.clone())),
                Change::ServerRequest(number) => {
                    match state.server_request(*number, Clone::clone) {
                        Some(open) => UiEvent::ServerRequest(Box::new(open)),
                        None => UiEvent::ServerRequestRemoved(*number),
                    }
                }
                Change::Catalog(id, kind) => {
                    let connection = state.connection(id)?;
                    let view = connection.read(|one| Some(one.catalogs.get(*kind)?.into()))?;
                    UiEvent::Catalog(Arc::new(view))
                }
                Change::Operation(number) => match state.operation(*number, OperationView::short) {
                    Some(view) => UiEvent::Operation(Box::new(view)),
                    None => UiEvent::OperationRemoved(*number),
                },
                Change::Notice(id) => match state.notices().iter().find(|one| one.id == *id) {
                    Some(notice) => UiEvent::Notice(notice.clone()),
                    None => UiEvent::NoticeRemoved(*id),
                },
                Change::Offer => UiEvent::Offer(state.has_offer()),
                Change::Settings => UiEvent::Settings(state.settings().clone()),
                Change::SavedInputs(id) => UiEvent::SavedInputs(SavedInputs {
                    server: id.clone(),
                    inputs: state.saved_inputs().of(id).cloned().collect(),
                }),
                Change::Presentations => UiEvent::Presentations(state.presentations()),
            })
        })
    }
}
