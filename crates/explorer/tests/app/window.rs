//! An [`Explorer`] with a window that a test can look into.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_explorer::{DemoProgram, Explorer, Options, ipc::*};
use sonde_tests::stdio_peer::{self, Step};
use tokio::sync::watch;

/// How long anything may take before a test gives up.
const LIMIT: Duration = Duration::from_secs(120);

/// What the window knows: a reducer over batches, as the real one has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) number: u64,
    pub(crate) servers: HashMap<ServerId, ServerView>,
    pub(crate) order: Vec<ServerId>,
    pub(crate) sessions: HashMap<ServerId, SessionView>,
    pub(crate) tools: HashMap<ServerId, Arc<ToolListView>>,
    pub(crate) connections: HashMap<ServerId, ConnectionView>,
    pub(crate) auth: HashMap<ServerId, AuthView>,
    pub(crate) questions: HashMap<u64, QuestionView>,
    pub(crate) calls: HashMap<CallNumber, CallView>,
    pub(crate) notices: HashMap<u64, Notice>,
    pub(crate) logs: HashMap<u64, LogViewState>,
    pub(crate) settings: Settings,
    /// Every phase of every session, in order.
    pub(crate) phases: Vec<(ServerId, SessionPhase)>,
}

impl Seen {
    fn take(&mut self, batch: Batch) {
        match batch {
            Batch::Snapshot(snapshot) => {
                let phases = std::mem::take(&mut self.phases);
                *self = Seen {
                    number: snapshot.number,
                    order: snapshot.servers.iter().map(|one| one.id.clone()).collect(),
                    servers: snapshot
                        .servers
                        .into_iter()
                        .map(|one| (one.id.clone(), one))
                        .collect(),
                    sessions: snapshot
                        .sessions
                        .into_iter()
                        .map(|one| (one.server.clone(), one))
                        .collect(),
                    tools: snapshot
                        .tools
                        .into_iter()
                        .map(|one| (one.server.clone(), one))
                        .collect(),
                    auth: snapshot
                        .auth
                        .into_iter()
                        .map(|auth| (auth.server.clone(), auth))
                        .collect(),
                    connections: snapshot
                        .connections
                        .into_iter()
                        .map(|one| (one.server.clone(), one))
                        .collect(),
                    questions: snapshot
                        .questions
                        .into_iter()
                        .map(|one| (one.question, one))
                        .collect(),
                    calls: snapshot
                        .calls
                        .into_iter()
                        .map(|one| (one.call, one))
                        .collect(),
                    notices: snapshot
                        .notices
                        .into_iter()
                        .map(|one| (one.id, one))
                        .collect(),
                    logs: HashMap::new(),
                    settings: snapshot.settings,
                    phases,
                };
            }
            Batch::Events { number, events } => {
                assert_eq!(number, self.number + 1, "no batch is missing");
                self.number = number;
                events.into_iter().for_each(|event| self.apply(event));
            }
        }
    }

    fn apply(&mut self, event: UiEvent) {
        match event {
            UiEvent::Server(server) => {
                self.servers.insert(server.id.clone(), *server);
            }
            UiEvent::ServerRemoved(id) => {
                self.servers.remove(&id);
                self.sessions.remove(&id);
                self.tools.remove(&id);
                self.connections.remove(&id);
                self.auth.remove(&id);
            }
            UiEvent::Auth(auth) => {
                self.auth.insert(auth.server.clone(), *auth);
            }
            UiEvent::ServerOrder(order) => self.order = order,
            UiEvent::Session(session) => {
                let phase = (session.server.clone(), session.phase);
                if self.phases.last() != Some(&phase) {
                    self.phases.push(phase);
                }
                self.sessions.insert(session.server.clone(), *session);
            }
            UiEvent::Tools(tools) => {
                self.tools.insert(tools.server.clone(), tools);
            }
            UiEvent::Connection(connection) => {
                self.connections
                    .insert(connection.server.clone(), *connection);
            }
            UiEvent::Question(question) => {
                self.questions.insert(question.question, *question);
            }
            UiEvent::QuestionRemoved(question) => {
                self.questions.remove(&question);
            }
            UiEvent::Call(call) => {
                self.calls.insert(call.call, *call);
            }
            UiEvent::CallRemoved(call) => {
                self.calls.remove(&call);
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
            UiEvent::Settings(settings) => self.settings = settings,
        }
    }
}

/// The app with a window.
pub(crate) struct App {
    pub(crate) explorer: Explorer,
    pub(crate) folder: Arc<tempfile::TempDir>,
    seen: watch::Receiver<Seen>,
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
        let mut options = Options::new(folder.path());
        options.secrets = secrets;
        options.demo = Some(DemoProgram {
            program: PathBuf::from(stdio_peer::binary("sonde-demo")),
            args: Vec::new(),
        });
        Self::open(options, folder).await
    }

    pub(crate) async fn open(options: Options, folder: Arc<tempfile::TempDir>) -> Self {
        let explorer = Explorer::open(options).await;
        let seen = look(&explorer).await;
        Self {
            explorer,
            folder,
            seen,
        }
    }

    /// The window reloads.
    pub(crate) async fn reload(&mut self) {
        self.seen = look(&self.explorer).await;
    }

    /// What the window knows now.
    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Waits until the window knows something.
    pub(crate) async fn until<T>(
        &mut self,
        what: &str,
        mut found: impl FnMut(&Seen) -> Option<T>,
    ) -> T {
        let mut result = None;
        let waited = tokio::time::timeout(
            LIMIT,
            self.seen.wait_for(|seen| {
                result = found(seen);
                result.is_some()
            }),
        )
        .await
        .map(|waited| waited.map(|_| ()));
        match (waited, result) {
            (Ok(Ok(())), Some(result)) => result,
            _ => panic!("waited for {what} in vain: {:#?}", self.seen.borrow()),
        }
    }

    pub(crate) async fn add(&self, name: &str, transport: TransportDraft) -> ServerId {
        self.explorer
            .add_server(draft(name, transport))
            .await
            .unwrap()
    }

    /// Connects, confirming the command as a user would.
    pub(crate) async fn connect(&self, server: &str) {
        let confirm = match self.explorer.preview_command(server.to_owned()).await {
            Ok(preview) => Some(preview.fingerprint),
            Err(_) => None,
        };
        self.explorer
            .connect(server.to_owned(), confirm)
            .await
            .unwrap();
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
    pub(crate) async fn ready(&mut self, server: &str) -> Arc<ToolListView> {
        self.connect(server).await;
        let server = server.to_owned();
        self.until("ready with tools", |seen| {
            let session = seen.sessions.get(&server)?;
            assert!(session.failure.is_none(), "{:#?}", session.failure);
            let tools = seen.tools.get(&server)?;
            let done = session
                .steps
                .iter()
                .all(|step| step.state == StepState::Done);
            (session.phase == SessionPhase::Ready && tools.revision > 0 && done)
                .then(|| tools.clone())
        })
        .await
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

    pub(crate) async fn call(&self, server: &str, tool: &str, arguments: &str) -> CallNumber {
        self.explorer
            .start_call(
                server.to_owned(),
                tool.to_owned(),
                Some(arguments.to_owned()),
                false,
            )
            .await
            .unwrap()
    }

    pub(crate) async fn finished(&mut self, call: CallNumber) -> CallView {
        self.until("the end of a call", |seen| {
            seen.calls
                .get(&call)
                .filter(|one| one.state == CallState::Finished)
                .cloned()
        })
        .await
    }
}

async fn look(explorer: &Explorer) -> watch::Receiver<Seen> {
    let (sender, receiver) = watch::channel(Seen::default());
    let shared = Mutex::new(Seen::default());
    let runtime = tokio::runtime::Handle::current();
    let window = explorer.clone();
    explorer
        .subscribe(move |batch| {
            let number = match &batch {
                Batch::Snapshot(_) => None,
                Batch::Events { number, .. } => Some(*number),
            };
            // It crosses to the window as JSON.
            serde_json::to_string(&batch).unwrap();
            let mut seen = shared.lock().unwrap();
            seen.take(batch);
            sender.send_replace(seen.clone());
            if let Some(number) = number {
                let window = window.clone();
                runtime.spawn(async move { window.acknowledge(number).await });
            }
            true
        })
        .await
        .unwrap();
    receiver
}

pub(crate) fn draft(name: &str, transport: TransportDraft) -> ServerDraft {
    ServerDraft {
        name: name.to_owned(),
        transport,
        idle_seconds: None,
        hard_seconds: None,
        // Peers that are scripted to the byte know the handshake only.
        era: EraDraft::Handshake,
        stream_attempts: None,
    }
}

pub(crate) fn stdio(command: &str, args: &[&str]) -> TransportDraft {
    TransportDraft::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
    }
}

pub(crate) fn http(url: impl Into<String>) -> TransportDraft {
    TransportDraft::Http {
        url: url.into(),
        headers: Vec::new(),
        kind: HttpKind::Streamable,
        network: NetworkDraft::default(),
        auth: AuthDraft::default(),
    }
}

/// A process that plays these steps.
pub(crate) fn scripted(steps: impl IntoIterator<Item = Step>) -> TransportDraft {
    TransportDraft::Stdio {
        command: stdio_peer::program(),
        args: stdio_peer::script(steps),
        env: Vec::new(),
        cwd: None,
    }
}

/// The answer to the handshake, which is always the first request.
pub(crate) fn welcome(capabilities: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"serverInfo":{{"name":"scripted","version":"1"}}}}}}"#
    ) + "\n"
}

pub(crate) fn one_text(view: &CallView) -> String {
    match &view.outcome {
        Some(OutcomeView::Result { content, .. }) => content[0].text.clone().unwrap(),
        other => panic!("{other:?}"),
    }
}
