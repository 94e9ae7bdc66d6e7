//! The app without a window, for tests that need the list of servers or the window's views. A helper that fails panics.
//! Tests of one connection use [`client`](crate::client).

use std::{
    collections::BTreeMap,
    fmt::Debug,
    future::ready,
    ops::Deref,
    panic::Location,
    path::{Path, PathBuf},
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_client::Connection;
use sonde_explorer::{DemoProgram, Host, Options, SavePlace};
use sonde_ipc::*;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::{
    LIMIT,
    client::{operation, typed},
    stdio_peer,
};

/// The app with the window's commands and state, but nothing on the screen.
pub struct App {
    /// Commands of the window.
    pub explorer: Backend,
    /// Data folder.
    pub folder: Arc<TempDir>,
    secrets: Arc<dyn SecretStore>,
    /// Of the newest subscription.
    state: Mutex<watch::Receiver<State>>,
    watcher: Arc<Watcher>,
}

/// Gives access to the commands of the window.
impl Deref for App {
    type Target = Backend;

    fn deref(&self) -> &Backend {
        &self.explorer
    }
}

/// Callback for each batch as JSON, as it crosses to the window.
type Observer = Box<dyn Fn(&str) + Send + Sync>;

/// Keeps data that the state drops.
struct Watcher {
    phases: Mutex<Vec<(ServerId, SessionPhase)>>,
    largest: AtomicUsize,
    observer: Observer,
}

impl Watcher {
    fn take(&self, batch: &Batch) {
        let crossed = serde_json::to_string(batch).unwrap_or_default();
        self.largest.fetch_max(crossed.len(), Ordering::SeqCst);
        (self.observer)(&crossed);
        let Batch::Events { events, .. } = batch else {
            return;
        };
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        for event in events {
            if let UiEvent::Session(session) = event {
                let phase = (session.server.clone(), session.phase);
                let mut of_server = phases.iter().rev().filter(|(one, _)| *one == phase.0);
                if of_server.next() != Some(&phase) {
                    phases.push(phase);
                }
            }
        }
    }
}

/// Returns options with secrets in memory and the demo server.
#[must_use]
pub fn options(folder: &Path) -> Options {
    let mut options = Options::new(folder);
    options.secrets = Arc::new(MemoryStore::default());
    options.demo = Some(DemoProgram {
        program: stdio_peer::binary("sonde-demo").into(),
        args: Vec::new(),
    });
    options
}

impl App {
    /// Starts the app for the first time, in a new folder.
    ///
    /// # Panics
    /// If no folder can be created.
    pub async fn start() -> Self {
        Self::keeping(Arc::new(MemoryStore::default())).await
    }

    /// Starts the app with the data in this folder and no secrets.
    pub async fn with_data(folder: &Arc<TempDir>) -> Self {
        Self::start_in(folder.clone(), Arc::new(MemoryStore::default())).await
    }

    /// A first start in a fresh folder with these secrets.
    ///
    /// # Panics
    /// When there can be no folder.
    pub async fn keeping(secrets: Arc<dyn SecretStore>) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().expect("a folder")), secrets).await
    }

    /// Ends it, and starts it once more with its data and its secrets.
    pub async fn again(&self) -> Self {
        self.explorer.shutdown().await;
        Self::start_in(self.folder.clone(), self.secrets.clone()).await
    }

    /// Starts the app in this folder with these secrets.
    pub async fn start_in(folder: Arc<TempDir>, secrets: Arc<dyn SecretStore>) -> Self {
        let mut options = options(folder.path());
        options.secrets = secrets;
        Self::open(options, folder).await
    }

    /// Starts the app with these options. `folder` is kept as long as the app.
    pub async fn open(options: Options, folder: Arc<TempDir>) -> Self {
        Self::observed(options, folder, |_| ()).await
    }

    /// Starts the app with these options; `observer` is called with each batch as JSON before the state receives it.
    pub async fn observed(
        options: Options,
        folder: Arc<TempDir>,
        observer: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let secrets = options.secrets.clone();
        let explorer = Backend::open(options).await;
        let watcher = Arc::new(Watcher {
            phases: Mutex::default(),
            largest: AtomicUsize::new(0),
            observer: Box::new(observer),
        });
        Self {
            state: Mutex::new(subscribe(&explorer, &watcher).await),
            explorer,
            folder,
            secrets,
            watcher,
        }
    }

    /// Returns the bytes of the largest batch so far.
    #[must_use]
    pub fn largest_batch(&self) -> usize {
        self.watcher.largest.load(Ordering::SeqCst)
    }

    /// Reloads the window.
    pub async fn reload(&self) {
        let state = subscribe(&self.explorer, &self.watcher).await;
        *self.state() = state;
    }

    fn state(&self) -> MutexGuard<'_, watch::Receiver<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the window shows once it has every change that was made before this call. Only log views are
    /// missing.
    #[must_use]
    pub fn seen(&self) -> State {
        let mut state = State::default();
        for event in self.explorer.snapshot() {
            state.change(event);
        }
        state
    }

    /// Returns every phase of a server's session, in order.
    #[must_use]
    pub fn phases(&self, server: &str) -> Vec<SessionPhase> {
        let phases = self.watcher.phases.lock();
        let phases = phases.unwrap_or_else(PoisonError::into_inner);
        let of_server = phases.iter().filter(|(one, _)| one == server);
        of_server.map(|(_, phase)| *phase).collect()
    }

    /// Waits until the window's state has something.
    ///
    /// # Panics
    /// If it does not appear in time, or a batch is missing.
    pub async fn until<T>(&self, what: &str, mut found: impl FnMut(&State) -> Option<T>) -> T {
        let mut state = self.state().clone();
        let mut result = None;
        let waiting = state.wait_for(|state| {
            result = found(state);
            result.is_some() || state.missing.is_some()
        });
        let waited = tokio::time::timeout(*LIMIT, waiting).await.map(drop);
        result.unwrap_or_else(|| {
            let seen = &*state.borrow();
            let missing = seen.missing;
            panic!("waited for {what}: {waited:?}, missing {missing:?}, saw\n{seen}")
        })
    }

    /// Waits until this holds of what the window knows.
    pub async fn holds(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        self.until(what, |state| is_so(state).then_some(())).await;
    }

    /// The demo server, which a first start adds to the list.
    pub async fn first(&self) -> ServerId {
        self.until("the first server", |seen| seen.order.first().cloned())
            .await
    }

    /// The demo server of a first start, connected.
    pub async fn demo(&self) -> ServerId {
        let server = self.first().await;
        self.ready(&server).await;
        server
    }

    /// Adds a server.
    pub async fn add(&self, name: &str, transport: TransportDraft) -> ServerId {
        self.add_draft(draft(name, transport)).await
    }

    /// Adds a server that is spoken to in this way of the protocol.
    pub async fn add_as(
        &self,
        protocol: ProtocolMode,
        name: &str,
        transport: TransportDraft,
    ) -> ServerId {
        let draft = draft(name, transport);
        self.add_draft(ServerDraft { protocol, ..draft }).await
    }

    /// Adds a server as the form hands it in.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn add_draft(&self, draft: ServerDraft) -> ServerId {
        granted(self.explorer.add_server(draft)).await
    }

    /// Adds a server, connects and waits for the tools.
    pub async fn join(&self, name: &str, transport: TransportDraft) -> ServerId {
        self.join_draft(draft(name, transport)).await
    }

    /// The same for a server as the form hands it in.
    pub async fn join_draft(&self, draft: ServerDraft) -> ServerId {
        let server = self.add_draft(draft).await;
        self.ready(&server).await;
        server
    }

    /// Begins to connect, confirming the command as a user would.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn connect(&self, server: &str) {
        let generation = |state: &State| state.sessions.get(server).map_or(0, |one| one.generation);
        let before = generation(&self.seen());
        let begun = match self.explorer.connect(server.to_owned(), None).await {
            Err(error) if error.code == ErrorCode::CommandNotConfirmed => {
                let preview = granted(self.explorer.preview_command(server.to_owned())).await;
                let confirmed = Some(preview.fingerprint);
                self.explorer.connect(server.to_owned(), confirmed).await
            }
            begun => begun,
        };
        begun.unwrap_or_else(|error| panic!("{error:?}"));
        // What is waited for next must not be found in what is left of an earlier connect.
        self.holds("the connect to begin", |state| generation(state) > before)
            .await;
    }

    /// Disconnects, and waits for the end of the session.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn end(&self, server: &str) -> SessionView {
        granted(self.explorer.disconnect(server.to_owned())).await;
        self.phase(server, SessionPhase::Idle).await
    }

    /// Returns the connection of a server.
    ///
    /// # Panics
    /// If it is not in the list.
    #[must_use]
    pub fn connection(&self, server: &str) -> Connection {
        let explorer = self.explorer.explorer();
        let connection = explorer.read(|state| state.connection(server).cloned());
        connection.expect("a server of the list has a connection")
    }

    /// Waits for a phase of a server's session.
    pub async fn phase(&self, server: &str, phase: SessionPhase) -> SessionView {
        self.until(&format!("{phase:?}"), |seen| {
            let session = seen.sessions.get(server)?;
            (session.phase == phase).then(|| session.clone())
        })
        .await
    }

    /// Waits for a phase of the session of a server's connect with this number.
    pub async fn phase_of(&self, server: &str, connect: u32, phase: SessionPhase) {
        self.holds(&format!("{phase:?} of connect {connect}"), |seen| {
            let session = seen.sessions.get(server);
            session.is_some_and(|one| (one.generation, one.phase) == (connect, phase))
        })
        .await;
    }

    /// The text of a file of its data.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Connects, and waits until the session is open.
    pub async fn opens(&self, server: &str) -> SessionView {
        self.connect(server).await;
        self.phase(server, SessionPhase::Ready).await
    }

    /// Connects, and waits until that has failed, or the session has.
    pub async fn fails(&self, server: &str) -> SessionView {
        self.connect(server).await;
        self.phase(server, SessionPhase::Failed).await
    }

    /// Connects and waits for the tools; a server without any has an empty list.
    pub async fn ready(&self, server: &str) -> Arc<CatalogView> {
        self.connect(server).await;
        self.tools(server).await
    }

    /// Waits for the tools of a connect that has begun.
    ///
    /// # Panics
    /// If the connect fails.
    pub async fn tools(&self, server: &str) -> Arc<CatalogView> {
        self.until("a connection with its tools", |state| {
            let session = state.sessions.get(server)?;
            if session.phase == SessionPhase::Failed {
                panic!("{:#?}", session.failure);
            }
            let tools = state.tools(server)?;
            let done = session.steps.iter().all(|one| one.state == StepState::Done);
            let listed = tools.revision > 0 || !tools.supported;
            (session.phase == SessionPhase::Ready && done && listed).then(|| tools.clone())
        })
        .await
    }

    /// Returns the rows of a catalog that match a search, best first; without a search, all rows in the server's order.
    ///
    /// # Panics
    /// If they cannot be read.
    pub async fn rows(&self, server: &str, kind: CatalogKind, search: &str) -> Vec<CatalogRow> {
        let seen = self.seen();
        let mut revision = seen.catalog(server, kind).map_or(0, |one| one.revision);
        let mut rows: Vec<CatalogRow> = Vec::new();
        loop {
            let (server, search) = (server.to_owned(), search.to_owned());
            let from = rows.len() as u64;
            let page = granted(
                self.explorer
                    .catalog_rows(server, kind, revision, search, from, 500),
            )
            .await;
            if page.revision != revision {
                // The catalog was read again meanwhile.
                revision = page.revision;
                rows.clear();
                continue;
            }
            let is_last = page.rows.is_empty();
            rows.extend(page.rows);
            if is_last || rows.len() >= page.total as usize {
                return rows;
            }
        }
    }

    /// Reads a catalog again.
    ///
    /// # Panics
    /// If it cannot be read.
    pub async fn refresh(&self, server: &str, kind: CatalogKind) -> Arc<CatalogView> {
        let seen = self.seen();
        let before = seen.catalog(server, kind).map_or(0, |one| one.revision);
        granted(self.explorer.refresh_catalog(server.to_owned(), kind)).await;
        self.until("the list", |state| {
            let catalog = state.catalog(server, kind)?;
            let is_read = catalog.reading.is_none() && catalog.revision > before;
            is_read.then(|| catalog.clone())
        })
        .await
    }

    /// Connects and waits for the failure.
    ///
    /// # Panics
    /// If there is no reason.
    pub async fn failure(&self, transport: TransportDraft) -> (SessionView, Failure) {
        let server = self.add("Bad", transport).await;
        let session = self.fails(&server).await;
        let failure = session.failure.clone().expect("a failure has a reason");
        println!("{failure:#?}");
        (session, failure)
    }

    /// Starts a tool.
    pub async fn call(&self, server: &str, tool: &str, arguments: &str) -> OperationNumber {
        let call = OperationInput::tool(tool, Some(arguments.to_owned()));
        self.start_run(server, call).await
    }

    /// Starts an operation.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn start_run(&self, server: &str, input: OperationInput) -> OperationNumber {
        granted(self.start_operation(server.to_owned(), input)).await
    }

    /// Runs an operation to its end.
    pub async fn run(&self, server: &str, input: OperationInput) -> OperationView {
        let operation = self.start_run(server, input).await;
        self.finished(operation).await
    }

    /// Runs a tool to its end.
    pub async fn run_tool(&self, server: &str, tool: &str, arguments: &str) -> OperationView {
        let call = self.call(server, tool, arguments).await;
        self.finished(call).await
    }

    /// The open request of the server to the user during this run.
    pub async fn asked(&self, operation: OperationNumber) -> OpenServerRequest {
        self.until("the request", |seen| {
            let mut open = seen.server_requests.values();
            open.find(|one| one.operation == Some(operation)).cloned()
        })
        .await
    }

    /// Answers a request of the server.
    ///
    /// # Panics
    /// When that is refused.
    pub async fn answer(&self, request: &OpenServerRequest, answer: AnswerInput) {
        granted(self.answer_server_request(request.number, answer)).await;
    }

    /// The rows of a server's wire log that match, at most a thousand.
    ///
    /// # Panics
    /// When they cannot be read.
    pub async fn log(&self, server: &str, filter: LogFilter) -> Vec<LogRow> {
        let opened = self.open_log(server.to_owned(), filter).await;
        let view = opened.unwrap_or_else(|error| panic!("{error:?}"));
        let rows = self.log_rows(view.view, view.epoch, 0, 1_000).await;
        granted(self.close_log(view.view)).await;
        rows.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// A document as text.
    ///
    /// # Panics
    /// When it cannot be read.
    pub async fn document(&self, source: DocumentSource) -> String {
        let bytes = granted(self.read_bytes(source)).await;
        String::from_utf8(bytes).expect("it is text")
    }

    /// Waits for the end of an operation, and returns its whole view.
    ///
    /// # Panics
    /// If it is not in the history.
    pub async fn finished(&self, operation: OperationNumber) -> OperationView {
        let view = self
            .until(&format!("the end of operation {operation}"), |state| {
                let view = state.operations.get(&operation)?;
                (view.state == OperationState::Finished).then(|| view.clone())
            })
            .await;
        match view.cut {
            false => view,
            true => granted(self.explorer.operation(operation)).await,
        }
    }
}

async fn subscribe(explorer: &Backend, watcher: &Arc<Watcher>) -> watch::Receiver<State> {
    let (sender, state) = watch::channel(State::default());
    let (window, watcher) = (explorer.clone(), Arc::clone(watcher));
    let runtime = tokio::runtime::Handle::current();
    let subscribed = explorer.subscribe(move |batch| {
        watcher.take(&batch);
        sender.send_modify(|state| state.take(batch));
        let number = sender.borrow().number;
        let window = window.clone();
        runtime.spawn(async move { window.acknowledge(number).await });
        !sender.is_closed()
    });
    subscribed.await.unwrap_or_else(|error| panic!("{error:?}"));
    state
}

/// The state that the window would show, reduced from the batches sent to it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Number of the last batch.
    number: u64,
    /// Expected and actual number of a batch out of order.
    missing: Option<(u64, u64)>,
    pub servers: BTreeMap<ServerId, ServerView>,
    pub order: Vec<ServerId>,
    pub groups: Vec<ServerGroupView>,
    pub sessions: BTreeMap<ServerId, SessionView>,
    pub catalogs: BTreeMap<(ServerId, CatalogKind), Arc<CatalogView>>,
    pub connections: BTreeMap<ServerId, ConnectionView>,
    pub issues: BTreeMap<ServerId, IssueCounts>,
    pub resource_subscriptions: BTreeMap<ServerId, ResourceSubscriptionsView>,
    pub task_lists: BTreeMap<ServerId, TaskList>,
    pub auth: BTreeMap<ServerId, AuthStatus>,
    pub diagnoses: BTreeMap<ServerId, Diagnosis>,
    pub server_requests: BTreeMap<u64, OpenServerRequest>,
    pub checks: BTreeMap<ServerId, Checks>,
    pub operations: BTreeMap<OperationNumber, OperationView>,
    pub notices: BTreeMap<u64, Notice>,
    pub offer: bool,
    /// Log views opened since the subscription began.
    pub logs: BTreeMap<u64, LogViewState>,
    pub settings: Settings,
    pub saved_inputs: BTreeMap<ServerId, Vec<SavedInput>>,
    pub presentations: Vec<Presentation>,
}

impl State {
    /// Returns a catalog of a server that was ever connected.
    #[must_use]
    pub fn catalog(&self, server: &str, kind: CatalogKind) -> Option<&Arc<CatalogView>> {
        self.catalogs.get(&(server.to_owned(), kind))
    }

    /// Returns the tools of a server that was ever connected.
    #[must_use]
    pub fn tools(&self, server: &str) -> Option<&Arc<CatalogView>> {
        self.catalog(server, CatalogKind::Tools)
    }

    fn take(&mut self, batch: Batch) {
        let (number, events) = match batch {
            Batch::Snapshot { number, events } => {
                *self = State::default();
                (number, events)
            }
            Batch::Events { number, events } => {
                if number != self.number + 1 {
                    self.missing.get_or_insert((self.number + 1, number));
                }
                (number, events)
            }
        };
        self.number = number;
        events.into_iter().for_each(|event| self.change(event));
    }

    fn change(&mut self, event: UiEvent) {
        match event {
            UiEvent::Server(one) => drop(self.servers.insert(one.id.clone(), *one)),
            UiEvent::ServerRemoved(id) => {
                self.servers.remove(&id);
                self.sessions.remove(&id);
                self.catalogs.retain(|(server, _), _| *server != id);
                self.connections.remove(&id);
                self.issues.remove(&id);
                self.resource_subscriptions.remove(&id);
                self.task_lists.remove(&id);
                self.auth.remove(&id);
                self.diagnoses.remove(&id);
                self.checks.remove(&id);
                self.saved_inputs.remove(&id);
            }
            UiEvent::ServerOrder(ServerOrder { order, groups }) => {
                self.order = order;
                self.groups = groups;
            }
            UiEvent::Session(one) => drop(self.sessions.insert(one.server.clone(), *one)),
            UiEvent::Catalog(one) => {
                self.catalogs.insert((one.server.clone(), one.kind), one);
            }
            UiEvent::ResourceSubscriptions(one) => {
                let server = one.server.clone();
                self.resource_subscriptions.insert(server, *one);
            }
            UiEvent::TaskList(one) => drop(self.task_lists.insert(one.server, one.list)),
            UiEvent::Connection(one) => {
                self.connections.insert(one.facts.server.clone(), *one);
            }
            UiEvent::Issues(one) => drop(self.issues.insert(one.server.clone(), one)),
            UiEvent::Auth(one) => drop(self.auth.insert(one.server.clone(), *one)),
            UiEvent::Checks(one) => drop(self.checks.insert(one.server.clone(), *one)),
            UiEvent::Diagnosis(one) => drop(self.diagnoses.insert(one.server.clone(), *one)),
            UiEvent::ServerRequest(one) => drop(self.server_requests.insert(one.number, *one)),
            UiEvent::ServerRequestRemoved(number) => drop(self.server_requests.remove(&number)),
            UiEvent::Operation(one) => drop(self.operations.insert(one.operation, *one)),
            UiEvent::OperationRemoved(number) => drop(self.operations.remove(&number)),
            UiEvent::Log(one) => drop(self.logs.insert(one.view, one)),
            UiEvent::Notice(one) => drop(self.notices.insert(one.id, one)),
            UiEvent::NoticeRemoved(id) => drop(self.notices.remove(&id)),
            UiEvent::Offer(offer) => self.offer = offer,
            UiEvent::Settings(settings) => self.settings = settings,
            UiEvent::SavedInputs(one) => drop(self.saved_inputs.insert(one.server, one.inputs)),
            UiEvent::Presentations(all) => self.presentations = all,
            // There is no unsaved text here.
            UiEvent::Closing => {}
        }
    }
}

/// Summarizes the state for the message of a wait that failed.
impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (id, session) in &self.sessions {
            let (phase, failure) = (session.phase, &session.failure);
            writeln!(f, "- server {id}: {phase:?}, {failure:?}")?;
        }
        for (id, auth) in &self.auth {
            let last = auth.steps.last();
            writeln!(f, "- {id}: {:?}, {:?}, {last:?}", auth.state, auth.problem)?;
        }
        for (number, request) in &self.server_requests {
            writeln!(f, "- server request {number}: {}", request.method)?;
        }
        for (number, operation) in &self.operations {
            let outcome = format!("{:?}", operation.outcome);
            let outcome: String = outcome.chars().take(200).collect();
            let (target, state) = (&operation.target, operation.state);
            writeln!(
                f,
                "- operation {number} of {target:?}: {state:?}, {outcome}"
            )?;
        }
        for notice in self.notices.values() {
            writeln!(f, "- notice {}: {}", notice.code, notice.title)?;
        }
        Ok(())
    }
}

type OpenUrl = dyn Fn(&str) -> Result<(), String> + Send + Sync;
type ChooseFile = dyn Fn(&str) -> SavePlace + Send + Sync;

/// Stand-in for the desktop.
#[derive(Default)]
pub struct Desktop {
    /// Function that opens an address in the user's browser.
    pub open_url: Option<Box<OpenUrl>>,
    /// Folder that documents are saved to.
    pub downloads: Option<PathBuf>,
    /// Chooses the path of a saved file by its suggested name; without this, files go to the folder for downloads.
    pub choose_file: Option<Box<ChooseFile>>,
    /// The folder that the user chooses.
    pub folder: Option<PathBuf>,
    /// The file that the user chooses.
    pub file: Option<PathBuf>,
    /// Gives the pages of apps addresses, as a window that shows them would; nothing loads them automatically.
    pub shows_apps: bool,
}

impl Host for Desktop {
    fn open_url(&self, url: &str) -> Result<(), String> {
        match &self.open_url {
            Some(open) => open(url),
            None => Err("No browser is available.".to_owned()),
        }
    }

    fn app_url(&self, app: &str) -> Result<String, String> {
        match self.shows_apps {
            true => Ok(format!("mcp-app://{app}/")),
            false => Err("Nothing here could show an app.".to_owned()),
        }
    }

    fn download_folder(&self) -> Option<PathBuf> {
        self.downloads.clone()
    }

    fn choose_folder(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        Box::pin(ready(self.folder.clone()))
    }

    fn pick_file(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        Box::pin(ready(self.file.clone()))
    }

    fn choose_file(&self, name: String) -> Pin<Box<dyn Future<Output = SavePlace> + Send>> {
        let chosen = self.choose_file.as_ref().map(|choose| choose(&name));
        Box::pin(ready(chosen.unwrap_or(SavePlace::Downloads)))
    }
}

/// Waits for a command and answers its result.
///
/// # Panics
/// When it is refused.
#[track_caller]
pub fn granted<T, E: Debug>(
    command: impl Future<Output = Result<T, E>>,
) -> impl Future<Output = T> {
    let asked = Location::caller();
    async move {
        let result = command.await;
        result.unwrap_or_else(|error| panic!("{asked}: {error:?}"))
    }
}

/// Waits for a command that is refused with this code.
///
/// # Panics
/// When it is not refused, or with another code.
#[track_caller]
pub fn denied<T>(
    command: impl Future<Output = Result<T, IpcError>>,
    code: ErrorCode,
) -> impl Future<Output = ()> {
    let asked = Location::caller();
    async move {
        let refusal = command.await.err();
        assert_eq!(refusal.map(|error| error.code), Some(code), "{asked}");
    }
}

/// The operation that reads a resource.
#[must_use]
pub fn reading(uri: &str) -> OperationInput {
    operation("resources/read", uri)
}

/// The first block of the result of an operation.
#[must_use]
pub fn first_block(operation: OperationNumber) -> DocumentSource {
    let index = 0;
    DocumentSource::Content { operation, index }
}

/// An entry of the wire log.
#[must_use]
pub fn entry(server: &str, seq: u64) -> DocumentSource {
    let server = server.to_owned();
    DocumentSource::LogEntry { server, seq }
}

/// Shows entries of these kinds alone.
#[must_use]
pub fn of_kinds(kinds: &[LogKind]) -> LogFilter {
    LogFilter {
        kinds: kinds.to_vec(),
        ..LogFilter::default()
    }
}

/// Shows entries with findings alone.
#[must_use]
pub fn with_findings() -> LogFilter {
    LogFilter {
        findings_only: true,
        ..LogFilter::default()
    }
}

/// Saved arguments of a tool.
#[must_use]
pub fn saved(server: &str, tool: &str, name: &str, arguments: &str) -> SavedInput {
    SavedInput {
        server: server.to_owned(),
        method: "tools/call".to_owned(),
        target: tool.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        ..SavedInput::default()
    }
}

/// The server with a secret: in the environment of its program, or in a header.
#[must_use]
pub fn with_token(mut transport: TransportDraft, value: &str) -> TransportDraft {
    if let Transport::Stdio { env: values, .. }
    | Transport::Http {
        headers: values, ..
    } = &mut transport
    {
        values.push(NamedValue {
            name: "TOKEN".to_owned(),
            value: ConfigValue::Secret(typed(value)),
        });
    }
    transport
}

/// Creates a server with the handshake, the only way of the protocol that scripted peers know.
#[must_use]
pub fn draft(name: &str, transport: TransportDraft) -> ServerDraft {
    ServerDraft {
        name: name.to_owned(),
        transport,
        idle_seconds: None,
        hard_seconds: None,
        protocol: ProtocolMode::Handshake,
        stream_attempts: None,
        roots: Vec::new(),
        request_rules: RequestRules::default(),
        declaration: Declaration::default(),
    }
}

/// Returns the text of the first block of a result.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn one_text(view: &OperationView) -> String {
    match &view.outcome {
        Some(OperationOutcome::Result { content, .. }) => {
            content[0].text.clone().expect("the first block is text")
        }
        other => panic!("{other:?}"),
    }
}
