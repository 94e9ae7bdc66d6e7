//! Views of the explorer's state for the window, made when they are sent.

use std::sync::Arc;

use sonde_explorer::{Change, Explorer, State};
use sonde_record::log::LogViews;

use super::{
    bus::{Key, Source},
    event::UiEvent,
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
    fn snapshot(&self) -> Vec<UiEvent> {
        self.explorer.read(|state| {
            let things = things(state);
            let events = things.iter().filter_map(|thing| self.view(state, thing));
            events.collect()
        })
    }

    fn event(&self, key: &Key) -> Option<UiEvent> {
        match key {
            Key::Log(view) => self.logs.state(*view).map(UiEvent::Log),
            Key::Closing => Some(UiEvent::Closing),
            Key::Explorer(change) => self.explorer.read(|state| self.view(state, change)),
        }
    }
}

/// Lists everything that a window shows, in an order in which it can be processed.
fn things(state: &State) -> Vec<Change> {
    let mut things = vec![Change::Settings];
    let mut server_requests = Vec::new();
    let mut operations = Vec::new();
    for id in state.servers().order() {
        let of_server = [
            Change::Server,
            Change::Session,
            Change::Connection,
            Change::Issues,
            Change::ResourceSubscriptions,
            Change::TaskList,
            Change::Auth,
            Change::Diagnosis,
            Change::Checks,
            Change::SavedInputs,
        ];
        things.extend(of_server.map(|of| of(id.clone())));
        let Some(connection) = state.connection(&id) else {
            continue;
        };
        connection.read(|of| {
            let kinds = of.catalogs.iter().map(|catalog| catalog.kind);
            things.extend(kinds.map(|kind| Change::Catalog(id.clone(), kind)));
            server_requests.extend(of.server_requests.iter().map(|one| one.number));
            operations.extend(of.operations.iter().map(|one| one.number));
        });
    }
    server_requests.sort_unstable();
    operations.sort_unstable();
    things.extend(server_requests.into_iter().map(Change::ServerRequest));
    things.extend(operations.into_iter().map(Change::Operation));
    let notices = state.notices().iter().map(|one| Change::Notice(one.id));
    things.extend(notices);
    things.extend([Change::Order, Change::Offer, Change::Presentations]);
    things
}

impl Views {
    /// Returns the view of a thing; `None` if there is nothing to show.
    fn view(&self, state: &State, change: &Change) -> Option<UiEvent> {
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
            Change::ServerRequest(number) => match state.server_request(*number, Clone::clone) {
                Some(open) => UiEvent::ServerRequest(Box::new(open)),
                None => UiEvent::ServerRequestRemoved(*number),
            },
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
    }
}
