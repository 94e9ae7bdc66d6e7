//! State of the app, behind one lock.
//!
//! One mutex guards all models. It is held for the time of a small change, never across an
//! `.await`, and never while something is recorded in a wire log (the log calls back into here).

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use sonde_mcp::{CatalogBudget, CatalogItem, CatalogShare, SessionHandle};
use sonde_wire::stdio::Watchdog;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Error,
    apps::Apps,
    auth::{AuthStatus, ServerAuths},
    baselines::Baselines,
    catalogs::{CatalogKind, Catalogs, lint_all},
    changes::{Change, Observer},
    clock,
    deletions::Deletions,
    diagnosis::Diagnoses,
    drafts::Drafts,
    files::{DataFile, SavedFile},
    log::{LogLimits, WireLog},
    notices::{Notice, NoticeLevel, Notices},
    operations::{History, OperationNumber, OperationRecord, OperationState, StoredRuns},
    options::{DemoProgram, Host},
    presentations::{Presentation, PresentationList},
    saved_inputs::SavedInputList,
    servers::{self, ServerEntry, ServerId, ServerList},
    sessions::{Connection, ServerRequests, Session, SessionPhase},
    settings::Settings,
};
use sonde_auth::{CredentialStore, SecretCache};
use sonde_files::FileLock;
use sonde_record::Budget;
use sonde_validation::Validator;

/// Everything behind [`crate::Explorer`].
pub(crate) struct Core {
    state: Mutex<State>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) secrets: Arc<SecretCache>,
    /// Tokens and registrations.
    pub(crate) credentials: Arc<CredentialStore>,
    /// Sign-in managers of the servers.
    pub(crate) server_auths: ServerAuths,
    pub(crate) servers_file: Arc<SavedFile>,
    pub(crate) settings_file: Arc<SavedFile>,
    pub(crate) inputs_file: Arc<SavedFile>,
    pub(crate) presentations_file: Arc<SavedFile>,
    pub(crate) drafts: Drafts,
    pub(crate) baselines: Baselines,
    pub(crate) stored_runs: Arc<StoredRuns>,
    /// Over the logs and documents of all servers.
    pub(crate) budget: Arc<Budget>,
    /// Over the catalogs of all servers.
    pub(crate) catalogs: Arc<CatalogBudget>,
    pub(crate) validator: Validator,
    /// Every task that outlives a command.
    pub(crate) tasks: TaskTracker,
    /// The app is ending.
    pub(crate) closing: CancellationToken,
    /// While it is held, no other process writes what is saved.
    claim: Mutex<Option<FileLock>>,
    /// Held while the muted rules of a server change, until its wire log knows.
    pub(crate) muting: Mutex<()>,
    pub(crate) watchdog: OnceLock<Option<Arc<Watchdog>>>,
    pub(crate) watchdog_exe: Option<PathBuf>,
    pub(crate) demo: Option<DemoProgram>,
    pub(crate) host: Arc<dyn Host>,
    /// Extensions to declare beyond those that the app serves.
    pub(crate) extensions: Vec<(String, String)>,
    pub(crate) data_folder: PathBuf,
    pub(crate) client_home: Option<PathBuf>,
    pub(crate) from_desktop: bool,
    /// A user is present who can sign in.
    pub(crate) with_user: bool,
}

/// All models. They are read with [`Explorer::read`](crate::Explorer::read).
pub struct State {
    pub(crate) servers: ServerList,
    pub(crate) sessions: HashMap<ServerId, Session>,
    pub(crate) catalogs: Catalogs,
    pub(crate) operations: History,
    pub(crate) server_requests: ServerRequests,
    pub(crate) apps: Apps,
    pub(crate) auth: HashMap<ServerId, AuthStatus>,
    pub(crate) notices: Notices,
    pub(crate) deletions: Deletions,
    pub(crate) offer: Option<String>,
    pub(crate) settings: Settings,
    pub(crate) saved_inputs: SavedInputList,
    pub(crate) presentations: PresentationList,
    pub(crate) diagnoses: Diagnoses,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl State {
    pub(crate) fn new(servers: ServerList, settings: Settings, operations: History) -> Self {
        Self {
            servers,
            sessions: HashMap::new(),
            catalogs: Catalogs::default(),
            operations,
            server_requests: ServerRequests::default(),
            apps: Apps::default(),
            auth: HashMap::new(),
            notices: Notices::default(),
            deletions: Deletions::default(),
            offer: None,
            settings,
            saved_inputs: SavedInputList::default(),
            presentations: PresentationList::default(),
            diagnoses: Diagnoses::default(),
        }
    }

    /// The server list.
    #[must_use]
    pub fn servers(&self) -> &ServerList {
        &self.servers
    }

    /// The session of a server.
    #[must_use]
    pub fn session(&self, server: &str) -> Option<&Session> {
        self.sessions.get(server)
    }

    /// The catalogs of all servers that were ever connected.
    #[must_use]
    pub fn catalogs(&self) -> &Catalogs {
        &self.catalogs
    }

    /// The operations that are remembered.
    #[must_use]
    pub fn operations(&self) -> &History {
        &self.operations
    }

    /// The open requests of all servers.
    #[must_use]
    pub fn server_requests(&self) -> &ServerRequests {
        &self.server_requests
    }

    /// Signing in to a server, where that ever mattered.
    #[must_use]
    pub fn auth(&self, server: &str) -> Option<&AuthStatus> {
        self.auth.get(server)
    }

    /// A mark of the token that requests to a server have, where they have one.
    pub(crate) fn token_fingerprint(&self, server: &str) -> Option<&str> {
        let grant = self.auth.get(server)?.grant.as_ref()?;
        Some(&grant.token_fingerprint)
    }

    /// The open notices, the oldest first.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices.open
    }

    /// A link waits for the user to look at it.
    #[must_use]
    pub fn has_offer(&self) -> bool {
        self.offer.is_some()
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The saved inputs of all servers.
    #[must_use]
    pub fn saved_inputs(&self) -> &SavedInputList {
        &self.saved_inputs
    }

    /// The last diagnosis of each server that was diagnosed.
    #[must_use]
    pub fn diagnoses(&self) -> &Diagnoses {
        &self.diagnoses
    }

    /// The presentations in order, each with what is no longer there marked as such.
    #[must_use]
    pub fn presentations(&self) -> Vec<Presentation> {
        let presentations = self.presentations.iter().cloned();
        presentations
            .map(|mut one| {
                one.look_up(&self.servers, &self.saved_inputs);
                one
            })
            .collect()
    }
}

/// Resources that a diagnosis shares with the app: limits over all servers, and the stored sign-ins.
pub(crate) struct Common {
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) budget: Arc<Budget>,
    pub(crate) catalogs: Arc<CatalogBudget>,
    pub(crate) with_user: bool,
}

/// The parts that [`Core`] is put together from.
pub(crate) struct Parts {
    pub(crate) state: State,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) claim: Option<FileLock>,
    pub(crate) secrets: Arc<SecretCache>,
    pub(crate) servers_file: Arc<SavedFile>,
    pub(crate) settings_file: Arc<SavedFile>,
    pub(crate) inputs_file: Arc<SavedFile>,
    pub(crate) presentations_file: Arc<SavedFile>,
    pub(crate) drafts: Drafts,
    pub(crate) baselines: Baselines,
    pub(crate) stored_runs: Arc<StoredRuns>,
    pub(crate) tasks: TaskTracker,
    pub(crate) watchdog_exe: Option<PathBuf>,
    pub(crate) validator: Validator,
    pub(crate) demo: Option<DemoProgram>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) extensions: Vec<(String, String)>,
    pub(crate) data_folder: PathBuf,
    pub(crate) client_home: Option<PathBuf>,
    pub(crate) from_desktop: bool,
}

impl Core {
    pub(crate) fn new(parts: Parts) -> Arc<Self> {
        let credentials = CredentialStore::new(
            Arc::clone(&parts.secrets),
            Some(&parts.data_folder),
            Arc::new(clock::millis),
        );
        let common = Common {
            credentials: Arc::new(credentials),
            budget: Arc::default(),
            catalogs: Arc::default(),
            with_user: true,
        };
        Self::assemble(parts, common)
    }

    /// Creates the core with resources that it may share with another core.
    pub(crate) fn assemble(parts: Parts, common: Common) -> Arc<Self> {
        let core = Arc::new(Self {
            state: Mutex::new(parts.state),
            observer: parts.observer,
            secrets: parts.secrets,
            credentials: common.credentials,
            server_auths: ServerAuths::default(),
            servers_file: parts.servers_file,
            settings_file: parts.settings_file,
            inputs_file: parts.inputs_file,
            presentations_file: parts.presentations_file,
            drafts: parts.drafts,
            baselines: parts.baselines,
            stored_runs: parts.stored_runs,
            budget: common.budget,
            catalogs: common.catalogs,
            validator: parts.validator,
            tasks: parts.tasks,
            closing: CancellationToken::new(),
            claim: Mutex::new(parts.claim),
            muting: Mutex::new(()),
            watchdog: OnceLock::new(),
            watchdog_exe: parts.watchdog_exe,
            demo: parts.demo,
            host: parts.host,
            extensions: parts.extensions,
            data_folder: parts.data_folder,
            client_home: parts.client_home,
            from_desktop: parts.from_desktop,
            with_user: common.with_user,
        });
        let ids = core.state(|state| state.servers.order());
        for id in ids {
            core.add_session(&id);
        }
        core
    }

    /// Reads or changes the models. `change` must not record in a log and must not take long.
    pub(crate) fn state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another process may write what is saved from now on.
    pub(crate) fn give_up_claim(&self) {
        self.claim
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    /// Gives a server its session and its log, which live as long as the server is in the list.
    pub(crate) fn add_session(self: &Arc<Self>, server: &str) {
        let log = WireLog::within(&self.budget, server.to_owned(), LogLimits::default());
        let weak = Arc::downgrade(self);
        log.set_operation_hook(Arc::new(move |entry| {
            let Some(core) = weak.upgrade() else { return };
            core.with_operation(entry.operation, |record| {
                // A cancellation belongs to the operation, and is not what it asks.
                if entry.notification && !record.notification {
                    return;
                }
                // A task began with the request that is shown; what is asked about it follows.
                if !entry.answer && record.task.is_some() {
                    return;
                }
                if !entry.answer && record.state != OperationState::Finished {
                    record.first_sent.get_or_insert(entry.micros);
                    record.last_sent = Some(entry.micros);
                }
                let place = if entry.answer {
                    &mut record.response_seq
                } else {
                    &mut record.request_seq
                };
                // A request that was sent again is told by its last round. What comes after the
                // end changes nothing.
                if place.is_none() || record.state != OperationState::Finished {
                    *place = Some(entry.seq);
                }
            });
        }));
        let muted = self.state(|state| {
            let entry = state.servers.get(server);
            entry.map(ServerEntry::muted).unwrap_or_default()
        });
        log.set_muted(muted);
        let session = Session::new(server.to_owned(), log, CatalogShare::of(&self.catalogs));
        self.state(|state| state.sessions.insert(server.to_owned(), session));
        self.observer.changed(Change::Session(server.to_owned()));
    }

    pub(crate) fn with_operation(
        &self,
        operation: OperationNumber,
        change: impl FnOnce(&mut OperationRecord),
    ) {
        let ended = self.state(|state| {
            let record = state.operations.get_mut(operation)?;
            change(record);
            Some(record.finished().then(|| record.server.clone()))
        });
        let Some(ended) = ended else { return };
        self.observer.changed(Change::Operation(operation));
        if let Some(server) = ended {
            self.stored_runs.changed(server, operation);
        }
    }

    pub(crate) fn with_session(&self, server: &str, change: impl FnOnce(&mut Session)) {
        let found = self.state(|state| state.sessions.get_mut(server).map(change).is_some());
        if found {
            self.observer.changed(Change::Session(server.to_owned()));
        }
    }

    /// Changes what is known of the present connect of a server.
    pub(crate) fn with_connection(&self, server: &str, change: impl FnOnce(&mut Connection)) {
        let found = self.state(|state| {
            let session = state.sessions.get_mut(server)?;
            session.connection.as_mut().map(change)
        });
        if found.is_some() {
            self.observer
                .changes_often(Change::Connection(server.to_owned()));
        }
    }

    /// Closes the server requests of a server whose session is over.
    pub(crate) fn close_server_requests(&self, server: &str) {
        for gone in self.state(|state| state.server_requests.close_all(server)) {
            self.observer.changed(Change::ServerRequest(gone));
        }
    }

    pub(crate) fn server(&self, server: &str) -> Result<ServerEntry, Error> {
        self.state(|state| state.servers.get(server).cloned())
            .ok_or_else(|| Error::NoServer(server.to_owned()))
    }

    pub(crate) fn log(&self, server: &str) -> Result<Arc<WireLog>, Error> {
        self.state(|state| {
            state
                .sessions
                .get(server)
                .map(|session| session.log.clone())
        })
        .ok_or_else(|| Error::NoServer(server.to_owned()))
    }

    pub(crate) fn tool(&self, server: &str, key: &str) -> Result<CatalogItem, Error> {
        let tool = self.item(server, CatalogKind::Tools, key);
        tool.map_err(|_| Error::NotFound("This tool is not, or no longer, in the server's list."))
    }

    /// An item of a catalog, by its key in the list.
    pub(crate) fn item(
        &self,
        server: &str,
        kind: CatalogKind,
        key: &str,
    ) -> Result<CatalogItem, Error> {
        self.state(|state| {
            let catalog = state.catalogs.get(server, kind)?;
            catalog.item(key).cloned()
        })
        .ok_or(Error::NotFound(
            "This is not, or no longer, in the server's list.",
        ))
    }

    /// True if a server runs tools as tasks where it is asked to.
    pub(crate) fn takes_tool_tasks(&self, server: &str) -> bool {
        self.state(|state| {
            let session = state.sessions.get(server);
            session.is_some_and(|session| session.tool_tasks)
        })
    }

    /// The handle of a session that takes operations, and which connect it is.
    pub(crate) fn ready(&self, server: &str) -> Result<(SessionHandle, u32), Error> {
        self.state(|state| {
            let session = state
                .sessions
                .get(server)
                .ok_or_else(|| Error::NoServer(server.to_owned()))?;
            if session.phase != SessionPhase::Ready {
                return Err(Error::NotConnected);
            }
            session
                .handle()
                .map(|handle| (handle, session.generation))
                .ok_or(Error::NotConnected)
        })
    }

    /// The handle of the session in which an operation runs; `None` when it ended.
    pub(crate) fn handle_of_operation(
        &self,
        operation: OperationNumber,
    ) -> Result<Option<SessionHandle>, Error> {
        self.state(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or(Error::NoOperation(operation))?;
            if record.state == OperationState::Finished {
                return Ok(None);
            }
            let session = state.sessions.get(&record.server);
            Ok(session
                .filter(|session| session.generation == record.generation)
                .and_then(Session::handle))
        })
    }

    /// Tells the user something. A notice of the same code about the same server is replaced.
    pub(crate) fn notice(
        &self,
        level: NoticeLevel,
        server: Option<&str>,
        code: &str,
        title: impl Into<String>,
        detail: Option<String>,
    ) {
        let notice = Notice {
            id: 0,
            level,
            server: server.map(str::to_owned),
            code: code.to_owned(),
            title: title.into(),
            detail,
        };
        tracing::info!(code, title = notice.title, "notice");
        for id in self.state(|state| state.notices.add(notice)) {
            self.observer.changed(Change::Notice(id));
        }
    }

    /// Closes notices of this code about this server.
    pub(crate) fn retract(&self, server: Option<&str>, code: &str) {
        for id in self.state(|state| state.notices.remove(server, code)) {
            self.observer.changed(Change::Notice(id));
        }
    }

    /// Announces that the configuration of a server is another, and what has the server's name with it.
    pub(crate) fn configuration_changed(self: &Arc<Self>, server: &str) {
        self.observer.changed(Change::Server(server.to_owned()));
        self.observer.changed(Change::Presentations);
        lint_all(self);
    }

    /// Saves the server list and waits until it is on disk, or could not be written: that is a notice,
    /// and the change itself is made.
    pub(crate) async fn save_servers(&self) {
        // Under the lock, so that versions are written in the order of the changes.
        let version = self.state(|state| self.servers_file.put(servers::to_bytes(&state.servers)));
        if let Some(version) = version {
            let _ = self.servers_file.written(version).await;
        }
    }

    /// Keeps a file up to date until it is closed. A notice says while it cannot be saved.
    pub(crate) fn keep_saved(self: &Arc<Self>, saved: Arc<SavedFile>, file: &'static DataFile) {
        self.keep_saved_at(saved, file, file.path(&self.data_folder));
    }

    /// Keeps a file at another path up to date until it is closed, as [`Self::keep_saved`] does.
    pub(crate) fn keep_saved_at(
        self: &Arc<Self>,
        saved: Arc<SavedFile>,
        file: &'static DataFile,
        path: PathBuf,
    ) {
        let core = Arc::downgrade(self);
        self.tasks.spawn(saved.run(move |error| {
            let Some(core) = core.upgrade() else { return };
            core.tell_not_saved(file, &path, error);
        }));
    }

    /// Says why something cannot be saved at this place; with `None`, that it is saved again.
    pub(crate) fn tell_not_saved(&self, file: &DataFile, path: &Path, error: Option<&str>) {
        let code = file.not_saved();
        let Some(error) = error else {
            return self.retract(None, &code);
        };
        self.notice(
            NoticeLevel::Error,
            None,
            &code,
            format!(
                "{} could not be saved. Sonde keeps trying; what is not saved by then is lost when Sonde \
                 quits.",
                file.what
            ),
            Some(format!("{}: {error}", path.display())),
        );
    }

    /// The process that ends children of an app that was killed; started with the first child.
    pub(crate) fn watchdog(&self) -> Option<Arc<Watchdog>> {
        self.watchdog
            .get_or_init(|| {
                let exe = self.watchdog_exe.clone()?;
                match Watchdog::start(exe) {
                    Ok(watchdog) => Some(watchdog),
                    Err(error) => {
                        self.notice(
                            NoticeLevel::Warning,
                            None,
                            "watchdog_not_started",
                            "If Sonde is killed, server processes may keep running: the watchdog \
                             that would end them could not be started.",
                            Some(error.to_string()),
                        );
                        None
                    }
                }
            })
            .clone()
    }
}
