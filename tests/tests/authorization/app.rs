//! The app without a window, with a browser that a test can look into: what cannot be done fails the
//! test.

use std::sync::{Arc, Mutex};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_headless::{Headless, Options, State};
use sonde_ipc::*;
use sonde_tests::{
    LIMIT,
    auth_peer::{
        AuthPeer,
        browser::{self, Page},
    },
};
use tokio::sync::watch;

/// Messages to the window so far.
#[derive(Debug, Default)]
struct Crossed {
    /// Every batch, as JSON.
    batches: Vec<String>,
    /// Every state of signing in, in order.
    states: Vec<AuthState>,
}

impl Crossed {
    fn take(&mut self, batch: &Batch) {
        self.batches.push(serde_json::to_string(batch).unwrap());
        let Batch::Events { events, .. } = batch else {
            return;
        };
        for event in events {
            if let UiEvent::Auth(auth) = event
                && self.states.last() != Some(&auth.state)
            {
                self.states.push(auth.state);
            }
        }
    }
}

/// The app.
pub(crate) struct App {
    pub(crate) explorer: Backend,
    pub(crate) folder: Arc<tempfile::TempDir>,
    headless: Headless,
    /// Addresses that the browser was sent to; it opens none by itself.
    opened: watch::Receiver<Vec<String>>,
    crossed: Arc<Mutex<Crossed>>,
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
        let crossed = Arc::<Mutex<Crossed>>::default();
        let crossing = crossed.clone();
        let options = Options::new(folder.path())
            .secrets(secrets)
            .browser(move |url| {
                sender.send_modify(|opened| opened.push(url.to_owned()));
                Ok(())
            })
            .limit(*LIMIT)
            .observer(move |batch| crossing.lock().unwrap().take(batch));
        let headless = Headless::open(options).await.unwrap();
        Self {
            explorer: headless.backend().clone(),
            folder,
            headless,
            opened,
            crossed,
        }
    }

    /// Returns the window's present state.
    pub(crate) fn seen(&self) -> State {
        self.headless.state()
    }

    /// Everything that ever crossed to the window, as JSON.
    pub(crate) fn crossed(&self) -> Vec<String> {
        self.crossed.lock().unwrap().batches.clone()
    }

    /// Every state of signing in, in order.
    pub(crate) fn states(&self) -> Vec<AuthState> {
        self.crossed.lock().unwrap().states.clone()
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

    /// Adds the guarded server of a peer.
    pub(crate) async fn add(&self, peer: &AuthPeer) -> ServerId {
        self.add_with(peer, SignInConfig::default()).await
    }

    /// The same, with something filled in for the sign-in.
    pub(crate) async fn add_with(
        &self,
        peer: &AuthPeer,
        options: SignInConfig<SecretInput>,
    ) -> ServerId {
        let options = Box::new(options);
        let draft = draft(&peer.url(), AuthConfig::SignIn { options });
        self.headless.add(draft).await.unwrap()
    }

    /// Adds the guarded server at this address.
    pub(crate) async fn add_at(&self, url: &str) -> ServerId {
        let options = Box::new(SignInConfig::default());
        let draft = draft(url, AuthConfig::SignIn { options });
        self.headless.add(draft).await.unwrap()
    }

    pub(crate) async fn connect(&self, server: &str) {
        self.headless.connect(server).await.unwrap();
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
        let ready = self.headless.ready(server).await;
        ready.unwrap_or_else(|error| panic!("{error}"));
        let tools = self.headless.tools(server).await.unwrap();
        tools.into_iter().map(|tool| tool.name).collect()
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
        let prompt = self.headless.prompt(server, 0).await;
        prompt.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits for the prompt, opens the browser, and answers what it was sent to.
    pub(crate) async fn open(&mut self, server: &str) -> (SignInPrompt, String) {
        let prompt = self.prompt(server).await;
        let before = self.opened.borrow().len();
        self.headless.open_prompt(server, &prompt).await.unwrap();
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
    pub(crate) async fn sign_in(&mut self, server: &str) -> (SignInPrompt, Grant) {
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

    pub(crate) fn grant(&self, server: &str) -> Option<Grant> {
        self.seen().auth.get(server)?.grant.clone()
    }

    pub(crate) async fn start_call(
        &self,
        server: &str,
        tool: &str,
        number: usize,
    ) -> OperationNumber {
        self.start_tool(server, tool, &format!("{{\"n\":{number}}}"))
            .await
    }

    /// Waits until all of these calls wait for a token.
    pub(crate) async fn all_wait(&mut self, calls: &[OperationNumber]) {
        self.until("all to wait", |seen| {
            let waits = |call| {
                let call = seen.operations.get(call);
                call.is_some_and(|call| call.state == OperationState::SigningIn)
            };
            calls.iter().all(waits).then_some(())
        })
        .await;
    }

    pub(crate) async fn finished(&mut self, call: OperationNumber) -> OperationView {
        let finished = self.headless.finished(call).await;
        finished.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Calls a tool with these arguments.
    pub(crate) async fn start_tool(
        &self,
        server: &str,
        tool: &str,
        arguments: &str,
    ) -> OperationNumber {
        let started = self.headless.start_tool(server, tool, Some(arguments));
        started.await.unwrap()
    }

    /// Calls a tool with these arguments. Answers its text.
    pub(crate) async fn said(&mut self, server: &str, tool: &str, arguments: &str) -> String {
        let call = self.start_tool(server, tool, arguments).await;
        text(&self.finished(call).await)
    }

    /// Calls a tool and expects its answer.
    pub(crate) async fn call(&mut self, server: &str, tool: &str, number: usize) {
        let call = self.start_call(server, tool, number).await;
        let view = self.finished(call).await;
        assert_eq!(text(&view), format!("{tool} {{\"n\":{number}}}"));
    }
}

/// The answer of a call, or how else it ended.
pub(crate) fn text(view: &OperationView) -> String {
    match &view.outcome {
        Some(OperationOutcome::Result { content, .. }) => content[0].text.clone().unwrap(),
        other => format!("{other:?}"),
    }
}

/// A server at this address.
pub(crate) fn draft(url: &str, auth: AuthConfig<SecretInput>) -> ServerDraft {
    ServerDraft {
        name: "Guarded".to_owned(),
        transport: TransportDraft::Http {
            url: url.to_owned(),
            headers: Vec::new(),
            kind: HttpKind::Streamable,
            network: NetworkConfig::default(),
            auth,
        },
        idle_seconds: None,
        hard_seconds: None,
        // The peer speaks the handshake revisions.
        protocol: ProtocolMode::Handshake,
        stream_attempts: None,
        roots: Vec::new(),
        request_rules: RequestRules::default(),
        declaration: Declaration::default(),
    }
}
