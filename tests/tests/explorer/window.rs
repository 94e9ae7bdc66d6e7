//! The app without a window, for tests: what cannot be done fails the test.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_headless::{Error, Headless, Options, State};
use sonde_ipc::*;
use sonde_tests::{
    LIMIT,
    stdio_peer::{self, Step},
};

type Phases = Arc<Mutex<Vec<(ServerId, SessionPhase)>>>;

/// The app.
pub(crate) struct App {
    pub(crate) explorer: Backend,
    pub(crate) folder: Arc<tempfile::TempDir>,
    headless: Headless,
    phases: Phases,
    largest: Arc<AtomicUsize>,
}

impl App {
    /// A first start in a fresh folder.
    pub(crate) async fn start() -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Self::start_in(folder, Arc::new(MemoryStore::default())).await
    }

    /// A start in this folder with these secrets.
    pub(crate) async fn start_in(
        folder: Arc<tempfile::TempDir>,
        secrets: Arc<dyn SecretStore>,
    ) -> Self {
        let options = Options::new(folder.path())
            .secrets(secrets)
            .demo(stdio_peer::binary("sonde-demo"));
        Self::open(options, folder).await
    }

    pub(crate) async fn open(options: Options, folder: Arc<tempfile::TempDir>) -> Self {
        let phases = Phases::default();
        let seen = phases.clone();
        let largest = Arc::new(AtomicUsize::new(0));
        let size = Arc::clone(&largest);
        let options = options.limit(*LIMIT).observer(move |batch| {
            // It crosses to the window as JSON.
            let crossed = serde_json::to_string(batch).unwrap().len();
            size.fetch_max(crossed, Ordering::SeqCst);
            remember(&mut seen.lock().unwrap(), batch);
        });
        let headless = Headless::open(options).await.unwrap();
        Self {
            explorer: headless.backend().clone(),
            folder,
            headless,
            phases,
            largest,
        }
    }

    /// Bytes of the largest batch so far that crossed to the window by itself.
    pub(crate) fn largest_batch(&self) -> usize {
        self.largest.load(Ordering::SeqCst)
    }

    /// The window reloads.
    pub(crate) async fn reload(&mut self) {
        self.headless.reload().await.unwrap();
    }

    /// Returns the window's present state.
    pub(crate) fn seen(&self) -> State {
        self.headless.state()
    }

    /// Every phase of a server's session, in order.
    pub(crate) fn phases(&self, server: &str) -> Vec<SessionPhase> {
        let phases = self.phases.lock().unwrap();
        let of_server = phases.iter().filter(|(one, _)| one == server);
        of_server.map(|(_, phase)| *phase).collect()
    }

    /// Waits until the window knows something.
    pub(crate) async fn until<T>(
        &mut self,
        what: &str,
        found: impl FnMut(&State) -> Option<T>,
    ) -> T {
        let waited = self.headless.wait_for(what, found).await;
        waited.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn add(&self, name: &str, transport: TransportDraft) -> ServerId {
        self.headless.add(draft(name, transport)).await.unwrap()
    }

    /// Connects, confirming the command as a user would.
    pub(crate) async fn connect(&self, server: &str) {
        match self.headless.connect(server).await {
            Err(Error::NotConfirmed(preview)) => {
                let fingerprint = &preview.fingerprint;
                let confirmed = self.headless.connect_confirmed(server, fingerprint);
                confirmed.await.unwrap();
            }
            begun => begun.unwrap(),
        }
    }

    pub(crate) async fn phase(&mut self, server: &str, phase: SessionPhase) -> SessionView {
        let server = server.to_owned();
        self.until(&format!("{phase:?}"), |seen| {
            seen.sessions
                .get(&server)
                .filter(|one| one.phase == phase)
                .cloned()
        })
        .await
    }

    /// Connects and waits for the tools.
    pub(crate) async fn ready(&mut self, server: &str) -> Arc<CatalogView> {
        self.connect(server).await;
        let ready = self.headless.ready(server).await;
        ready.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The rows of a catalog that match a search.
    pub(crate) async fn rows(
        &self,
        server: &str,
        kind: CatalogKind,
        search: &str,
    ) -> Vec<CatalogRow> {
        self.headless.rows(server, kind, search).await.unwrap()
    }

    /// Reads a catalog again.
    pub(crate) async fn refresh(&self, server: &str, kind: CatalogKind) -> Arc<CatalogView> {
        let listed = self.headless.refresh(server, kind).await;
        listed.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Connects and waits for the failure.
    pub(crate) async fn failure(&mut self, transport: TransportDraft) -> (SessionView, Failure) {
        let server = self.add("Bad", transport).await;
        self.connect(&server).await;
        let session = self.phase(&server, SessionPhase::Failed).await;
        let failure = session.failure.clone().unwrap();
        println!("{failure:#?}");
        (session, failure)
    }

    pub(crate) async fn call(&self, server: &str, tool: &str, arguments: &str) -> OperationNumber {
        let started = self.headless.start_tool(server, tool, Some(arguments));
        started.await.unwrap()
    }

    pub(crate) async fn finished(&mut self, call: OperationNumber) -> OperationView {
        let finished = self.headless.finished(call).await;
        finished.unwrap_or_else(|error| panic!("{error}"))
    }
}

fn remember(phases: &mut Vec<(ServerId, SessionPhase)>, batch: &Batch) {
    let Batch::Events { events, .. } = batch else {
        return;
    };
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

pub(crate) fn draft(name: &str, transport: TransportDraft) -> ServerDraft {
    ServerDraft {
        name: name.to_owned(),
        transport,
        idle_seconds: None,
        hard_seconds: None,
        // Peers that are scripted to the byte know the handshake only.
        protocol: ProtocolMode::Handshake,
        stream_attempts: None,
        roots: Vec::new(),
        request_rules: RequestRules::default(),
        declaration: Declaration::default(),
    }
}

pub(crate) fn stdio(command: &str, args: &[&str]) -> TransportDraft {
    Transport::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
    }
}

pub(crate) fn http(url: impl Into<String>) -> TransportDraft {
    Transport::Http {
        url: url.into(),
        headers: Vec::new(),
        kind: HttpKind::Streamable,
        network: NetworkConfig::default(),
        auth: AuthConfig::default(),
    }
}

/// A process that plays these steps.
pub(crate) fn scripted(steps: impl IntoIterator<Item = Step>) -> TransportDraft {
    Transport::Stdio {
        command: stdio_peer::program(),
        args: stdio_peer::script(steps),
        env: Vec::new(),
        cwd: None,
    }
}

/// A process that speaks the oldest protocol version alone.
pub(crate) fn picky() -> TransportDraft {
    scripted([
        Step::Expect,
        Step::emit(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}"#
                .to_owned()
                + "\n",
        ),
        Step::AwaitEof,
    ])
}

/// The answer to the handshake, which is always the first request.
pub(crate) fn welcome(capabilities: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{{"name":"scripted","version":"1"}}}}}}"#
    ) + "\n"
}

pub(crate) fn one_text(view: &OperationView) -> String {
    match &view.outcome {
        Some(OperationOutcome::Result { content, .. }) => content[0].text.clone().unwrap(),
        other => panic!("{other:?}"),
    }
}
