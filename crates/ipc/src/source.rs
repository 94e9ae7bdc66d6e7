//! Views of the explorer's state for the window, made when they are sent.

use std::sync::Arc;

use sonde_explorer::{Change, Explorer};
use sonde_record::log::LogViews;

use super::{
    auth::AuthView,
    bus::{Key, Source},
    event::{ServerOrder, Snapshot, UiEvent},
    operation::OperationView,
    presentation::SavedInputs,
    server::ServerView,
};

/// Source of the views.
pub(crate) struct Views {
    pub(crate) explorer: Explorer,
    pub(crate) logs: Arc<LogViews>,
}

impl Source for Views {
    fn snapshot(&self, number: u64) -> Snapshot {
        self.explorer.read(|state| {
            let order = state.servers().order();
            let sessions: Vec<_> = order.iter().filter_map(|id| state.session(id)).collect();
            let connections = sessions.iter().filter_map(|one| one.connection.as_ref());
            let catalogs = order.iter().flat_map(|id| state.catalogs().of(id));
            let auth = order
                .iter()
                .filter_map(|id| Some(AuthView::new(id, state.auth(id)?)));
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
                connections: connections.map(Into::into).collect(),
                resource_subscriptions: sessions.iter().map(|one| (*one).into()).collect(),
                task_lists: sessions.iter().map(|one| (*one).into()).collect(),
                sessions: sessions.into_iter().map(Into::into).collect(),
                auth: auth.collect(),
                diagnoses: state.diagnoses().iter().cloned().collect(),
                server_requests: state.server_requests().iter().map(Into::into).collect(),
                catalogs: catalogs.map(|catalog| Arc::new(catalog.into())).collect(),
                operations: state
                    .operations()
                    .iter()
                    .map(OperationView::short)
                    .collect(),
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
                Change::Session(id) => UiEvent::Session(Box::new(state.session(id)?.into())),
                Change::ResourceSubscriptions(id) => {
                    UiEvent::ResourceSubscriptions(Box::new(state.session(id)?.into()))
                }
                Change::TaskList(id) => UiEvent::TaskList(Box::new(state.session(id)?.into())),
                Change::Connection(id) => {
                    let connection = state.session(id)?.connection.as_ref()?;
                    UiEvent::Connection(Box::new(connection.into()))
                }
                Change::Issues(id) => UiEvent::Issues(state.issue_counts(id)?),
                Change::Auth(id) => UiEvent::Auth(Box::new(AuthView::new(id, state.auth(id)?))),
                Change::Diagnosis(id) => {
                    UiEvent::Diagnosis(Box::new(state.diagnoses().get(id)?.clone()))
                }
                Change::ServerRequest(number) => match state.server_requests().get(*number) {
                    Some(open) => UiEvent::ServerRequest(Box::new(open.into())),
                    None => UiEvent::ServerRequestRemoved(*number),
                },
                Change::Catalog(id, kind) => {
                    UiEvent::Catalog(Arc::new(state.catalogs().get(id, *kind)?.into()))
                }
                Change::Operation(number) => match state.operations().get(*number) {
                    Some(record) => UiEvent::Operation(Box::new(OperationView::short(record))),
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
