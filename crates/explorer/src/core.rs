//! What the app knows, and who may change it.
//!
//! One mutex guards all models. It is held for the time of a small change, never across an
//! `.await`, and never while something is recorded in a wire log (the log calls back into here).

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use sonde_mcp::{CatalogItem, SessionHandle};
use sonde_wire::stdio::Watchdog;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    auth::ServerAuths,
    bus::{Bus, Key, Source},
    catalogs::Catalogs,
    clock,
    document::Documents,
    drafts::Drafts,
    files::SavedFile,
    ipc::{
        AuthView, CatalogKind, IpcError, Notice, NoticeLevel, OperationNumber, OperationState,
        ServerId, SessionPhase, Settings, Snapshot, UiEvent,
    },
    limits::MESSAGE,
    log::{LogLimits, LogViews, WireLog},
    operations::{History, OperationRecord},
    options::{DemoProgram, Host},
    problem,
    servers::{self, ServerEntry, ServerList},
    sessions::{Connection, ServerRequests, Session},
    text::cut,
};
use sonde_auth::{CredentialStore, SecretCache};
use sonde_files::FileLock;
use sonde_record::Budget;
use sonde_validation::Validator;

/// How many notices are open at once; the oldest goes first.
const NOTICES: usize = 50;

/// Everything behind [`crate::Explorer`].
pub(crate) struct Core {
    state: Mutex<State>,
    pub(crate) bus: Arc<Bus>,
    pub(crate) secrets: Arc<SecretCache>,
    /// Tokens and registrations.
    pub(crate) credentials: Arc<CredentialStore>,
    /// Who is signed in to.
    pub(crate) server_auths: ServerAuths,
    pub(crate) servers_file: Arc<SavedFile>,
    pub(crate) settings_file: Arc<SavedFile>,
    pub(crate) drafts: Drafts,
    pub(crate) views: Arc<LogViews>,
    pub(crate) documents: Arc<Documents>,
    /// Over the logs and documents of all servers.
    budget: Arc<Budget>,
    pub(crate) validator: Validator,
    /// Log views and documents that the window has open.
    pub(crate) open: Mutex<OpenPages>,
    /// Every task that outlives a command.
    pub(crate) tasks: TaskTracker,
    /// The app is ending.
    pub(crate) closing: CancellationToken,
    /// While it is held, no other process writes the server list.
    claim: Mutex<Option<FileLock>>,
    pub(crate) watchdog: OnceLock<Option<Arc<Watchdog>>>,
    pub(crate) watchdog_exe: Option<PathBuf>,
    pub(crate) demo: Option<DemoProgram>,
    pub(crate) host: Arc<dyn Host>,
    /// What is declared beyond what the app serves.
    pub(crate) extensions: Vec<(String, String)>,
    pub(crate) data_folder: PathBuf,
    pub(crate) from_desktop: bool,
}

/// What a window that reloads leaves open.
#[derive(Debug, Default)]
pub(crate) struct OpenPages {
    pub(crate) views: HashSet<u64>,
    pub(crate) documents: HashSet<u64>,
}

/// All models.
pub(crate) struct State {
    pub(crate) servers: ServerList,
    pub(crate) sessions: HashMap<ServerId, Session>,
    pub(crate) catalogs: Catalogs,
    pub(crate) operations: History,
    pub(crate) server_requests: ServerRequests,
    /// Signing in, by server; those where it never mattered are missing.
    pub(crate) auth: HashMap<ServerId, AuthView>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) settings: Settings,
    /// The server file must not be written.
    pub(crate) servers_locked: bool,
    next_notice: u64,
}

impl State {
    pub(crate) fn new(servers: ServerList, settings: Settings, servers_locked: bool) -> Self {
        Self {
            servers,
            sessions: HashMap::new(),
            catalogs: Catalogs::default(),
            operations: History::default(),
            server_requests: ServerRequests::default(),
            auth: HashMap::new(),
            notices: Vec::new(),
            settings,
            servers_locked,
            next_notice: 1,
        }
    }
}

/// The parts that [`Core`] is put together from.
pub(crate) struct Parts {
    pub(crate) state: State,
    pub(crate) claim: Option<FileLock>,
    pub(crate) secrets: Arc<SecretCache>,
    pub(crate) servers_file: Arc<SavedFile>,
    pub(crate) settings_file: Arc<SavedFile>,
    pub(crate) drafts: Drafts,
    pub(crate) tasks: TaskTracker,
    pub(crate) watchdog_exe: Option<PathBuf>,
    pub(crate) demo: Option<DemoProgram>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) extensions: Vec<(String, String)>,
    pub(crate) data_folder: PathBuf,
    pub(crate) from_desktop: bool,
}

impl Core {
    pub(crate) fn new(parts: Parts) -> Arc<Self> {
        let bus = Arc::new(Bus::default());
        let dirty = bus.clone();
        let credentials = CredentialStore::new(
            Arc::clone(&parts.secrets),
            Some(&parts.data_folder),
            Arc::new(clock::millis),
        );
        let budget = Arc::new(Budget::default());
        let core = Arc::new(Self {
            state: Mutex::new(parts.state),
            views: LogViews::new(Arc::new(move |view| dirty.touch(Key::Log(view)))),
            bus,
            secrets: parts.secrets,
            credentials: Arc::new(credentials),
            server_auths: ServerAuths::default(),
            servers_file: parts.servers_file,
            settings_file: parts.settings_file,
            drafts: parts.drafts,
            documents: Documents::within(&budget),
            budget,
            validator: Validator::new(None),
            open: Mutex::default(),
            tasks: parts.tasks,
            closing: CancellationToken::new(),
            claim: Mutex::new(parts.claim),
            watchdog: OnceLock::new(),
            watchdog_exe: parts.watchdog_exe,
            demo: parts.demo,
            host: parts.host,
            extensions: parts.extensions,
            data_folder: parts.data_folder,
            from_desktop: parts.from_desktop,
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

    pub(crate) fn open_pages<T>(&self, change: impl FnOnce(&mut OpenPages) -> T) -> T {
        change(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another process may write the server list from now on.
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
                let place = if entry.answer {
                    &mut record.view.response_seq
                } else {
                    &mut record.view.request_seq
                };
                // A request that was sent again is told by its last round. What comes after the
                // end changes nothing.
                if place.is_none() || record.view.state != OperationState::Finished {
                    *place = Some(entry.seq);
                }
            });
        }));
        let session = Session::new(server.to_owned(), log);
        self.state(|state| state.sessions.insert(server.to_owned(), session));
        self.bus.touch(Key::Session(server.to_owned()));
    }

    pub(crate) fn with_operation(
        &self,
        operation: OperationNumber,
        change: impl FnOnce(&mut OperationRecord),
    ) {
        let found = self.state(|state| state.operations.get_mut(operation).map(change).is_some());
        if found {
            self.bus.touch(Key::Operation(operation));
        }
    }

    pub(crate) fn with_session(&self, server: &str, change: impl FnOnce(&mut Session)) {
        let found = self.state(|state| state.sessions.get_mut(server).map(change).is_some());
        if found {
            self.bus.touch(Key::Session(server.to_owned()));
        }
    }

    /// Changes what is known of the present connect of a server.
    pub(crate) fn with_connection(&self, server: &str, change: impl FnOnce(&mut Connection)) {
        let found = self.state(|state| {
            let session = state.sessions.get_mut(server)?;
            session.connection.as_mut().map(change)
        });
        if found.is_some() {
            self.bus
                .touch_later(Key::Connection(server.to_owned()), &self.tasks);
        }
    }

    /// Closes the server requests of a server whose session is over.
    pub(crate) fn close_server_requests(&self, server: &str) {
        for gone in self.state(|state| state.server_requests.close_all(server)) {
            self.bus.touch(Key::ServerRequest(gone));
        }
    }

    pub(crate) fn server(&self, server: &str) -> Result<ServerEntry, IpcError> {
        self.state(|state| state.servers.get(server).cloned())
            .ok_or_else(|| problem::no_server(server))
    }

    pub(crate) fn log(&self, server: &str) -> Result<Arc<WireLog>, IpcError> {
        self.state(|state| {
            state
                .sessions
                .get(server)
                .map(|session| session.log.clone())
        })
        .ok_or_else(|| problem::no_server(server))
    }

    pub(crate) fn tool(&self, server: &str, key: &str) -> Result<CatalogItem, IpcError> {
        self.state(|state| {
            state
                .catalogs
                .get(server, CatalogKind::Tools)
                .and_then(|catalog| catalog.item(key))
                .cloned()
        })
        .ok_or_else(|| problem::not_found("This tool is not, or no longer, in the server's list."))
    }

    /// The handle of a session that takes operations, and which connect it is.
    pub(crate) fn ready(&self, server: &str) -> Result<(SessionHandle, u32), IpcError> {
        self.state(|state| {
            let session = state
                .sessions
                .get(server)
                .ok_or_else(|| problem::no_server(server))?;
            if session.view.phase != SessionPhase::Ready {
                return Err(problem::not_connected());
            }
            session
                .handle()
                .map(|handle| (handle, session.view.generation))
                .ok_or_else(problem::not_connected)
        })
    }

    /// The handle of the session in which an operation runs; `None` when it ended.
    pub(crate) fn handle_of_operation(
        &self,
        operation: OperationNumber,
    ) -> Result<Option<SessionHandle>, IpcError> {
        self.state(|state| {
            let record = state
                .operations
                .get(operation)
                .ok_or_else(|| problem::no_operation(operation))?;
            if record.view.state == OperationState::Finished {
                return Ok(None);
            }
            let session = state.sessions.get(&record.view.server);
            Ok(session
                .filter(|session| session.view.generation == record.view.generation)
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
        let title = cut(&title.into(), MESSAGE);
        let detail = detail.map(|detail| cut(&detail, MESSAGE));
        tracing::info!(code, title, "notice");
        let touched = self.state(|state| {
            let mut touched = Vec::new();
            let same = |one: &Notice| one.code == code && one.server.as_deref() == server;
            if let Some(index) = state.notices.iter().position(same) {
                touched.push(state.notices.remove(index).id);
            }
            if state.notices.len() >= NOTICES {
                touched.push(state.notices.remove(0).id);
            }
            let id = state.next_notice;
            state.next_notice += 1;
            state.notices.push(Notice {
                id,
                level,
                server: server.map(str::to_owned),
                code: code.to_owned(),
                title,
                detail,
            });
            touched.push(id);
            touched
        });
        for id in touched {
            self.bus.touch(Key::Notice(id));
        }
    }

    /// Closes notices of this code about this server.
    pub(crate) fn retract(&self, server: Option<&str>, code: &str) {
        let gone: Vec<_> = self.state(|state| {
            let same = |one: &Notice| one.code == code && one.server.as_deref() == server;
            let gone = state
                .notices
                .iter()
                .filter(|one| same(one))
                .map(|one| one.id)
                .collect();
            state.notices.retain(|one| !same(one));
            gone
        });
        for id in gone {
            self.bus.touch(Key::Notice(id));
        }
    }

    /// Saves the server list and waits until it is on disk. What cannot be saved is a notice: the
    /// change itself is made, and the next one saves it as well.
    pub(crate) async fn save_servers(&self) {
        // Under the lock, so that versions are written in the order of the changes.
        let version = self.state(|state| {
            (!state.servers_locked)
                .then(|| self.servers_file.put(servers::to_bytes(&state.servers)))
        });
        let Some(version) = version else { return };
        match self.servers_file.written(version).await {
            Ok(()) => self.retract(None, "servers_not_saved"),
            Err(error) => self.notice(
                NoticeLevel::Error,
                None,
                "servers_not_saved",
                "The server list could not be saved. Sonde retries with the next change.",
                Some(error.to_string()),
            ),
        }
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

impl Source for Core {
    fn snapshot(&self, number: u64) -> Snapshot {
        self.state(|state| {
            let order = state.servers.order();
            Snapshot {
                number,
                servers: state
                    .servers
                    .iter()
                    .map(|entry| entry.view(self.secrets.unsaved(&entry.id)))
                    .collect(),
                sessions: order
                    .iter()
                    .filter_map(|id| state.sessions.get(id))
                    .map(|session| session.view.clone())
                    .collect(),
                connections: order
                    .iter()
                    .filter_map(|id| state.sessions.get(id)?.connection.as_ref())
                    .map(Connection::view)
                    .collect(),
                auth: order
                    .iter()
                    .filter_map(|id| state.auth.get(id))
                    .cloned()
                    .collect(),
                server_requests: state
                    .server_requests
                    .iter()
                    .map(|request| request.view.clone())
                    .collect(),
                catalogs: order
                    .iter()
                    .flat_map(|id| state.catalogs.of(id))
                    .map(|catalog| catalog.view.clone())
                    .collect(),
                operations: state
                    .operations
                    .iter()
                    .map(|record| record.view.clone())
                    .collect(),
                notices: state.notices.clone(),
                settings: state.settings.clone(),
            }
        })
    }

    fn event(&self, key: &Key) -> Option<UiEvent> {
        if let Key::Log(view) = key {
            return self.views.state(*view).map(UiEvent::Log);
        }
        self.state(|state| {
            Some(match key {
                Key::Server(id) => match state.servers.get(id) {
                    Some(entry) => UiEvent::Server(Box::new(entry.view(self.secrets.unsaved(id)))),
                    None => UiEvent::ServerRemoved(id.clone()),
                },
                Key::Order => UiEvent::ServerOrder(state.servers.order()),
                Key::Session(id) => {
                    UiEvent::Session(Box::new(state.sessions.get(id)?.view.clone()))
                }
                Key::Connection(id) => UiEvent::Connection(Box::new(
                    state.sessions.get(id)?.connection.as_ref()?.view(),
                )),
                Key::Auth(id) => UiEvent::Auth(Box::new(state.auth.get(id)?.clone())),
                Key::ServerRequest(number) => match state.server_requests.get(*number) {
                    Some(request) => UiEvent::ServerRequest(Box::new(request.view.clone())),
                    None => UiEvent::ServerRequestRemoved(*number),
                },
                Key::Catalog(id, kind) => {
                    UiEvent::Catalog(state.catalogs.get(id, *kind)?.view.clone())
                }
                Key::Operation(operation) => match state.operations.get(*operation) {
                    Some(record) => UiEvent::Operation(Box::new(record.view.clone())),
                    None => UiEvent::OperationRemoved(*operation),
                },
                Key::Notice(id) => match state.notices.iter().find(|one| one.id == *id) {
                    Some(notice) => UiEvent::Notice(notice.clone()),
                    None => UiEvent::NoticeRemoved(*id),
                },
                Key::Settings => UiEvent::Settings(state.settings.clone()),
                Key::Log(_) => return None,
            })
        })
    }
}
