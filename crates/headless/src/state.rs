//! The state that the window would show.

use std::{collections::BTreeMap, fmt, sync::Arc};

use sonde_ipc::{
    AuthView, Batch, CatalogKind, CatalogView, ConnectionView, Diagnosis, IssueCounts,
    LogViewState, Notice, OperationNumber, OperationState, OperationView, Presentation,
    ResourceSubscriptionsView, SavedInput, ServerGroupView, ServerId, ServerOrder,
    ServerRequestView, ServerView, SessionView, Settings, Snapshot, StepState, TaskList, UiEvent,
};

/// The state that the window would show: a reducer over the batches sent to it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Number of the last batch.
    pub number: u64,
    /// The servers of the list.
    pub servers: BTreeMap<ServerId, ServerView>,
    /// Their order.
    pub order: Vec<ServerId>,
    /// Their groups, in order.
    pub groups: Vec<ServerGroupView>,
    /// Their connections' state.
    pub sessions: BTreeMap<ServerId, SessionView>,
    /// Their catalogs, where they were ever connected.
    pub catalogs: BTreeMap<ServerId, BTreeMap<CatalogKind, Arc<CatalogView>>>,
    /// Contents of their connection panels, for servers that were ever connected.
    pub connections: BTreeMap<ServerId, ConnectionView>,
    /// Counts of their issues.
    pub issues: BTreeMap<ServerId, IssueCounts>,
    /// Their subscriptions to resources.
    pub resource_subscriptions: BTreeMap<ServerId, ResourceSubscriptionsView>,
    /// The tasks that they list.
    pub task_lists: BTreeMap<ServerId, TaskList>,
    /// Signing in, where that ever mattered.
    pub auth: BTreeMap<ServerId, AuthView>,
    /// Their last diagnoses, where they were diagnosed.
    pub diagnoses: BTreeMap<ServerId, Diagnosis>,
    /// Open requests of the servers, the oldest first.
    pub server_requests: BTreeMap<u64, ServerRequestView>,
    /// The history of operations, the oldest first.
    pub operations: BTreeMap<OperationNumber, OperationView>,
    /// Open notices, the oldest first.
    pub notices: BTreeMap<u64, Notice>,
    /// True while a link waits for the user to look at it.
    pub offer: bool,
    /// Log views that were opened since the subscription began.
    pub logs: BTreeMap<u64, LogViewState>,
    /// The settings.
    pub settings: Settings,
    /// Their saved inputs, in order; servers without any may be missing.
    pub saved_inputs: BTreeMap<ServerId, Vec<SavedInput>>,
    /// The presentations, in order.
    pub presentations: Vec<Presentation>,
}

/// Batches are numbered without gaps; here is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("batch {expected} is missing: {received} came")]
pub struct MissingBatch {
    /// The number that was due.
    pub expected: u64,
    /// The number that came.
    pub received: u64,
}

impl State {
    /// Takes what crossed to the window.
    ///
    /// # Errors
    /// When a batch is missing. Then nothing of this one is taken.
    pub fn apply(&mut self, batch: Batch) -> Result<(), MissingBatch> {
        match batch {
            Batch::Snapshot(snapshot) => *self = State::from(*snapshot),
            Batch::Events { number, events } => {
                let expected = self.number + 1;
                if number != expected {
                    return Err(MissingBatch {
                        expected,
                        received: number,
                    });
                }
                self.number = number;
                events.into_iter().for_each(|event| self.change(event));
            }
        }
        Ok(())
    }

    fn change(&mut self, event: UiEvent) {
        match event {
            UiEvent::Server(server) => {
                self.servers.insert(server.id.clone(), *server);
            }
            UiEvent::ServerRemoved(id) => {
                self.servers.remove(&id);
                self.sessions.remove(&id);
                self.catalogs.remove(&id);
                self.connections.remove(&id);
                self.issues.remove(&id);
                self.resource_subscriptions.remove(&id);
                self.task_lists.remove(&id);
                self.auth.remove(&id);
                self.diagnoses.remove(&id);
                self.saved_inputs.remove(&id);
            }
            UiEvent::ServerOrder(ServerOrder { order, groups }) => {
                self.order = order;
                self.groups = groups;
            }
            UiEvent::Session(session) => {
                self.sessions.insert(session.server.clone(), *session);
            }
            UiEvent::Catalog(catalog) => self.take_catalog(catalog),
            UiEvent::ResourceSubscriptions(subscriptions) => {
                self.resource_subscriptions
                    .insert(subscriptions.server.clone(), *subscriptions);
            }
            UiEvent::TaskList(list) => {
                self.task_lists.insert(list.server.clone(), list.list);
            }
            UiEvent::Connection(connection) => {
                self.connections
                    .insert(connection.server.clone(), *connection);
            }
            UiEvent::Issues(counts) => {
                self.issues.insert(counts.server.clone(), counts);
            }
            UiEvent::Auth(auth) => {
                self.auth.insert(auth.server.clone(), *auth);
            }
            UiEvent::Diagnosis(diagnosis) => {
                self.diagnoses.insert(diagnosis.server.clone(), *diagnosis);
            }
            UiEvent::ServerRequest(request) => {
                self.server_requests.insert(request.request, *request);
            }
            UiEvent::ServerRequestRemoved(request) => {
                self.server_requests.remove(&request);
            }
            UiEvent::Operation(operation) => {
                self.operations.insert(operation.operation, *operation);
            }
            UiEvent::OperationRemoved(operation) => {
                self.operations.remove(&operation);
            }
            UiEvent::Log(log) => {
                self.logs.insert(log.view, log);
            }
            UiEvent::Notice(notice) => {
                self.notices.insert(notice.id, notice);
            }
            UiEvent::NoticeRemoved(id) => {
                self.notices.remove(&id);
            }
            UiEvent::Offer(offer) => self.offer = offer,
            UiEvent::Settings(settings) => self.settings = settings,
            UiEvent::SavedInputs(saved) => {
                self.saved_inputs.insert(saved.server, saved.inputs);
            }
            UiEvent::Presentations(presentations) => self.presentations = presentations,
            // Nothing is typed here.
            UiEvent::Closing => {}
        }
    }
}

impl State {
    /// A catalog of a server that was ever connected.
    #[must_use]
    pub fn catalog(&self, server: &str, kind: CatalogKind) -> Option<&Arc<CatalogView>> {
        self.catalogs.get(server)?.get(&kind)
    }

    /// The tools of a server that was ever connected.
    #[must_use]
    pub fn tools(&self, server: &str) -> Option<&Arc<CatalogView>> {
        self.catalog(server, CatalogKind::Tools)
    }

    fn take_catalog(&mut self, catalog: Arc<CatalogView>) {
        let of_server = self.catalogs.entry(catalog.server.clone()).or_default();
        of_server.insert(catalog.kind, catalog);
    }
}

impl From<Snapshot> for State {
    fn from(snapshot: Snapshot) -> Self {
        fn by<K: Ord, T>(list: Vec<T>, key: impl Fn(&T) -> K) -> BTreeMap<K, T> {
            list.into_iter().map(|one| (key(&one), one)).collect()
        }
        let mut state = Self {
            number: snapshot.number,
            order: snapshot.servers.iter().map(|one| one.id.clone()).collect(),
            servers: by(snapshot.servers, |one| one.id.clone()),
            groups: snapshot.groups,
            sessions: by(snapshot.sessions, |one| one.server.clone()),
            catalogs: BTreeMap::new(),
            connections: by(snapshot.connections, |one| one.server.clone()),
            issues: by(snapshot.issues, |one| one.server.clone()),
            resource_subscriptions: by(snapshot.resource_subscriptions, |one| one.server.clone()),
            task_lists: snapshot
                .task_lists
                .into_iter()
                .map(|one| (one.server, one.list))
                .collect(),
            auth: by(snapshot.auth, |one| one.server.clone()),
            diagnoses: by(snapshot.diagnoses, |one| one.server.clone()),
            server_requests: by(snapshot.server_requests, |one| one.request),
            operations: by(snapshot.operations, |one| one.operation),
            notices: by(snapshot.notices, |one| one.id),
            offer: snapshot.offer,
            logs: BTreeMap::new(),
            settings: snapshot.settings,
            saved_inputs: BTreeMap::new(),
            presentations: snapshot.presentations,
        };
        for input in snapshot.saved_inputs {
            let of_server = state.saved_inputs.entry(input.server.clone());
            of_server.or_default().push(input);
        }
        for catalog in snapshot.catalogs {
            state.take_catalog(catalog);
        }
        state
    }
}

/// The state in short, a line for each thing, for whoever waited in vain.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, session) in &self.sessions {
            let name = self.servers.get(id).map_or("?", |one| &*one.config.name);
            write!(
                f,
                "- server {name:?} ({id}): {:?}, connect {}",
                session.phase, session.generation
            )?;
            for step in &session.steps {
                if step.state != StepState::Done {
                    write!(f, ", {:?} is {:?}", step.name, step.state)?;
                }
            }
            if let Some(failure) = &session.failure {
                write!(f, ", failed ({}): {}", failure.code, failure.title)?;
                if let Some(detail) = &failure.detail {
                    write!(f, " [{detail}]")?;
                }
            }
            if let Some(tools) = self.tools(id) {
                write!(
                    f,
                    ", {} tools (revision {}, reading {:?})",
                    tools.count, tools.revision, tools.reading
                )?;
                if let Some(error) = &tools.error {
                    write!(f, ", tools not listed: {error}")?;
                }
            }
            writeln!(f)?;
        }
        for (id, auth) in &self.auth {
            write!(f, "- sign-in of {id}: {:?}", auth.state)?;
            if let Some(problem) = &auth.problem {
                write!(f, ", problem ({}): {}", problem.code, problem.title)?;
            }
            if let Some(step) = auth.steps.last() {
                write!(f, ", last step {} {:?}", step.code, step.state)?;
            }
            writeln!(f)?;
        }
        for (number, request) in &self.server_requests {
            writeln!(f, "- server request {number}: {}", request.method)?;
        }
        for (number, operation) in &self.operations {
            write!(
                f,
                "- operation {number} of {:?}: {:?}",
                operation.target, operation.state
            )?;
            match &operation.outcome {
                Some(outcome) if operation.state == OperationState::Finished => {
                    let outcome = format!("{outcome:?}");
                    let short: String = outcome.chars().take(200).collect();
                    writeln!(f, ", {short}")?;
                }
                _ => writeln!(f)?,
            }
        }
        for notice in self.notices.values() {
            writeln!(f, "- notice {}: {}", notice.code, notice.title)?;
        }
        Ok(())
    }
}
