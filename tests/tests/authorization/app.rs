//! An [`Explorer`] with a window and a browser that a test can look into.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_explorer::{Explorer, Host, Options, ipc::*};
use sonde_tests::auth_peer::{
    AuthPeer,
    browser::{self, Page},
};
use tokio::sync::watch;

/// How long anything may take before a test gives up.
const LIMIT: Duration = Duration::from_secs(60);

/// What the window knows, as far as signing in goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    number: u64,
    pub(crate) sessions: HashMap<ServerId, SessionView>,
    pub(crate) tools: HashMap<ServerId, Arc<ToolListView>>,
    pub(crate) auth: HashMap<ServerId, AuthView>,
    pub(crate) calls: HashMap<CallNumber, CallView>,
    /// Every state of signing in, in order.
    pub(crate) states: Vec<AuthState>,
    /// Every state of every call, in order.
    pub(crate) call_states: Vec<(CallNumber, CallState)>,
}

impl Seen {
    fn take(&mut self, batch: Batch) {
        match batch {
            Batch::Snapshot(snapshot) => {
                self.number = snapshot.number;
                for session in snapshot.sessions {
                    self.sessions.insert(session.server.clone(), session);
                }
                for tools in snapshot.tools {
                    self.tools.insert(tools.server.clone(), tools);
                }
                for auth in snapshot.auth {
                    self.auth.insert(auth.server.clone(), auth);
                }
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
            UiEvent::Session(session) => {
                self.sessions.insert(session.server.clone(), *session);
            }
            UiEvent::Tools(tools) => {
                self.tools.insert(tools.server.clone(), tools);
            }
            UiEvent::Auth(auth) => {
                if self.states.last() != Some(&auth.state) {
                    self.states.push(auth.state);
                }
                self.auth.insert(auth.server.clone(), *auth);
            }
            UiEvent::Call(call) => {
                let state = (call.call, call.state);
                if self.call_states.last() != Some(&state) {
                    self.call_states.push(state);
                }
                self.calls.insert(call.call, *call);
            }
            _ => {}
        }
    }
}

/// The user's browser: it goes nowhere by itself.
#[derive(Debug)]
struct Browser {
    opened: watch::Sender<Vec<String>>,
}

impl Host for Browser {
    fn open_url(&self, url: &str) -> Result<(), String> {
        self.opened
            .send_modify(|opened| opened.push(url.to_owned()));
        Ok(())
    }
    fn download_folder(&self) -> Option<PathBuf> {
        None
    }
}

/// The app with a window.
pub(crate) struct App {
    pub(crate) explorer: Explorer,
    pub(crate) folder: Arc<tempfile::TempDir>,
    opened: watch::Receiver<Vec<String>>,
    seen: watch::Receiver<Seen>,
    /// Everything that ever crossed to the window, as JSON.
    crossed: Arc<Mutex<Vec<String>>>,
}

impl App {
    /// A first start in a fresh folder.
    pub(crate) async fn start() -> Self {
        Self::start_with(Arc::new(MemoryStore::default())).await
    }

    /// A first start in a fresh folder, with these secrets.
    pub(crate) async fn start_with(secrets: Arc<dyn SecretStore>) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Self::start_in(folder, secrets).await
    }

    /// A start in this folder, with these secrets.
    pub(crate) async fn start_in(
        folder: Arc<tempfile::TempDir>,
        secrets: Arc<dyn SecretStore>,
    ) -> Self {
        let (sender, opened) = watch::channel(Vec::new());
        let mut options = Options::new(folder.path());
        options.secrets = secrets;
        options.host = Arc::new(Browser { opened: sender });
        let explorer = Explorer::open(options).await;
        let crossed = Arc::default();
        let seen = look(&explorer, Arc::clone(&crossed)).await;
        Self {
            explorer,
            folder,
            opened,
            seen,
            crossed,
        }
    }

    /// What the window knows now.
    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Everything that ever crossed to the window, as JSON.
    pub(crate) fn crossed(&self) -> Vec<String> {
        self.crossed.lock().unwrap().clone()
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
            _ => {
                let seen = self.seen.borrow();
                panic!(
                    "waited for {what} in vain: {:#?} {:#?}",
                    seen.auth, seen.sessions
                )
            }
        }
    }

    /// Adds the guarded server of a peer.
    pub(crate) async fn add(&self, peer: &AuthPeer) -> ServerId {
        self.add_with(peer, SignInDraft::default()).await
    }

    /// The same, with something filled in for the sign-in.
    pub(crate) async fn add_with(&self, peer: &AuthPeer, options: SignInDraft) -> ServerId {
        let options = Box::new(options);
        let draft = draft(&peer.url(), AuthDraft::SignIn { options });
        self.explorer.add_server(draft).await.unwrap()
    }

    pub(crate) async fn connect(&self, server: &str) {
        self.explorer
            .connect(server.to_owned(), None)
            .await
            .unwrap();
    }

    pub(crate) async fn phase(&mut self, server: &str, phase: SessionPhase) -> SessionView {
        self.until(&format!("{phase:?}"), |seen| {
            let session = seen.sessions.get(server)?;
            (session.phase == phase).then(|| session.clone())
        })
        .await
    }

    /// Waits for the tools of a connect that is under way.
    pub(crate) async fn ready(&mut self, server: &str) -> Vec<String> {
        self.until("ready with tools", |seen| {
            let session = seen.sessions.get(server)?;
            assert!(
                session.failure.is_none(),
                "{:#?} {:#?}",
                session.failure,
                seen.auth
            );
            let tools = seen.tools.get(server)?;
            let ready = session.phase == SessionPhase::Ready && !tools.tools.is_empty();
            ready.then(|| tools.tools.iter().map(|tool| tool.name.clone()).collect())
        })
        .await
    }

    /// Waits for a state of signing in.
    pub(crate) async fn auth(&mut self, server: &str, state: AuthState) -> AuthView {
        self.until(&format!("{state:?}"), |seen| {
            let auth = seen.auth.get(server)?;
            (auth.state == state).then(|| auth.clone())
        })
        .await
    }

    /// Waits until the user is asked to sign in.
    pub(crate) async fn prompt(&mut self, server: &str) -> SignInPrompt {
        let view = self.auth(server, AuthState::Prompt).await;
        view.prompt.unwrap()
    }

    /// Waits for the prompt, opens the browser, and answers what it was sent to.
    pub(crate) async fn open(&mut self, server: &str) -> (SignInPrompt, String) {
        let prompt = self.prompt(server).await;
        let before = self.opened.borrow().len();
        self.explorer
            .open_sign_in(server.to_owned(), prompt.attempt)
            .await
            .unwrap();
        let opened = self.opened.wait_for(|opened| opened.len() > before);
        let opened = opened.await.unwrap()[before].clone();
        assert_eq!(opened, prompt.url, "the browser goes where the prompt said");
        (prompt, opened)
    }

    /// Waits for the prompt and lets the browser go all the way. Answers the prompt and the page at
    /// the end.
    pub(crate) async fn browse(&mut self, server: &str) -> (SignInPrompt, Page) {
        let (prompt, opened) = self.open(server).await;
        (prompt, browser::follow(&opened).await.unwrap())
    }

    /// The same up to being signed in.
    pub(crate) async fn sign_in(&mut self, server: &str) -> (SignInPrompt, GrantView) {
        let (prompt, page) = self.browse(server).await;
        assert_eq!(page.status, 200, "{page:?}");
        let view = self.auth(server, AuthState::SignedIn).await;
        (prompt, view.grant.unwrap())
    }

    /// Connects, signs in and waits for the tools.
    pub(crate) async fn join(&mut self, peer: &AuthPeer) -> ServerId {
        let server = self.add(peer).await;
        self.connect(&server).await;
        self.sign_in(&server).await;
        self.ready(&server).await;
        server
    }

    /// Waits for a failed sign-in.
    pub(crate) async fn problem(&mut self, server: &str) -> AuthProblem {
        let view = self.auth(server, AuthState::Failed).await;
        let problem = view.problem.unwrap();
        println!("{problem:#?}");
        assert!(
            problem.title.ends_with('.') && !problem.advice.is_empty(),
            "{problem:?}"
        );
        problem
    }

    /// Waits until the token was refreshed so often.
    pub(crate) async fn refreshed(&mut self, server: &str, count: u32) {
        self.until("the new token", |seen| {
            let grant = seen.auth.get(server)?.grant.as_ref()?;
            (grant.refreshed == count).then_some(())
        })
        .await;
    }

    pub(crate) fn grant(&self, server: &str) -> Option<GrantView> {
        self.seen.borrow().auth.get(server)?.grant.clone()
    }

    pub(crate) async fn start_call(&self, server: &str, tool: &str, number: usize) -> CallNumber {
        let arguments = format!("{{\"n\":{number}}}");
        self.explorer
            .start_call(server.to_owned(), tool.to_owned(), Some(arguments), false)
            .await
            .unwrap()
    }

    /// Waits until all of these calls wait for a token.
    pub(crate) async fn all_wait(&mut self, calls: &[CallNumber]) {
        self.until("all to wait", |seen| {
            let waits = |call| {
                let call = seen.calls.get(call);
                call.is_some_and(|call| call.state == CallState::SigningIn)
            };
            calls.iter().all(waits).then_some(())
        })
        .await;
    }

    pub(crate) async fn finished(&mut self, call: CallNumber) -> CallView {
        self.until("the end of a call", |seen| {
            let call = seen.calls.get(&call)?;
            (call.state == CallState::Finished).then(|| call.clone())
        })
        .await
    }

    /// Calls a tool and expects its answer.
    pub(crate) async fn call(&mut self, server: &str, tool: &str, number: usize) {
        let call = self.start_call(server, tool, number).await;
        let view = self.finished(call).await;
        assert_eq!(text(&view), format!("{tool} {{\"n\":{number}}}"));
    }
}

/// The answer of a call, or how else it ended.
pub(crate) fn text(view: &CallView) -> String {
    match &view.outcome {
        Some(OutcomeView::Result { content, .. }) => content[0].text.clone().unwrap(),
        other => format!("{other:?}"),
    }
}

async fn look(explorer: &Explorer, crossed: Arc<Mutex<Vec<String>>>) -> watch::Receiver<Seen> {
    let (sender, receiver) = watch::channel(Seen::default());
    let runtime = tokio::runtime::Handle::current();
    let window = explorer.clone();
    explorer
        .subscribe(move |batch| {
            let text = serde_json::to_string(&batch).unwrap();
            crossed.lock().unwrap().push(text);
            let number = match &batch {
                Batch::Snapshot(_) => None,
                Batch::Events { number, .. } => Some(*number),
            };
            sender.send_modify(|seen| seen.take(batch));
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

/// A server at this address.
pub(crate) fn draft(url: &str, auth: AuthDraft) -> ServerDraft {
    ServerDraft {
        name: "Guarded".to_owned(),
        transport: TransportDraft::Http {
            url: url.to_owned(),
            headers: Vec::new(),
            kind: HttpKind::Streamable,
            network: NetworkDraft::default(),
            auth,
        },
        idle_seconds: None,
        hard_seconds: None,
        // The peer speaks the handshake revisions.
        era: EraDraft::Handshake,
        stream_attempts: None,
    }
}
