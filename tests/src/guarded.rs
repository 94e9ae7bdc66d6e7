//! Guarded servers and their user, each over one connection. A helper that fails panics.

use std::{
    ops::Deref,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use sonde_auth::{
    CredentialKind, CredentialStore, MemoryStore, SecretCache, SecretStore, StoredCredential,
};
use sonde_client::{
    Connection, ConnectionOptions, Services,
    auth::{AuthProblem, AuthState, AuthStatus, Grant, SignInPrompt},
    clock,
    config::{
        AuthConfig, GrantConfig, SecretInput, ServerConfig, ServerInput, SignInConfig, Transport,
    },
    operations::{OperationNumber, OperationOutcome, OperationState},
};
use sonde_validation::Validator;
use tempfile::TempDir;

use crate::{
    auth_peer::{
        AuthPeer, PeerOptions,
        browser::{self, Page},
    },
    client::{Client, handshake, http, typed},
};

/// Name of the first server of a program.
pub const FIRST: &str = "guarded-0";

/// A client without a user, with this secret.
#[must_use]
pub fn robot(secret: &str) -> SignInConfig<SecretInput> {
    SignInConfig {
        grant: GrantConfig::ClientSecret,
        client_id: Some("robot".to_owned()),
        client_secret: Some(typed(secret)),
        ..SignInConfig::default()
    }
}

/// A program that connects to guarded servers.
pub struct Program {
    /// Folder with its index of stored credentials.
    pub folder: Arc<TempDir>,
    services: Arc<Services>,
    servers: AtomicUsize,
}

impl Program {
    /// Starts for the first time, with secrets in memory.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(Arc::new(MemoryStore::default()))
    }

    /// Starts for the first time, with these secrets.
    ///
    /// # Panics
    /// If no folder can be created.
    #[must_use]
    pub fn start_with(secrets: Arc<dyn SecretStore>) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().expect("a folder")), secrets)
    }

    /// Starts in this folder with these secrets.
    #[must_use]
    pub fn start_in(folder: Arc<TempDir>, secrets: Arc<dyn SecretStore>) -> Self {
        Self {
            services: services(folder.path(), secrets),
            folder,
            servers: AtomicUsize::new(0),
        }
    }

    /// Adds the server of a peer. Servers are stored by the order in which they are added, which is the same at each
    /// start.
    pub async fn add(&self, peer: &AuthPeer) -> Guarded {
        self.add_at(&peer.url()).await
    }

    /// Adds the server of a peer with options for signing in.
    pub async fn add_with(&self, peer: &AuthPeer, options: SignInConfig<SecretInput>) -> Guarded {
        let options = Box::new(options);
        self.add_typed(guarded(&peer.url(), AuthConfig::SignIn { options }))
            .await
    }

    /// Adds the server at this address.
    pub async fn add_at(&self, url: &str) -> Guarded {
        self.add_typed(guarded(url, AuthConfig::default())).await
    }

    /// Adds a server as a form sends it.
    ///
    /// # Panics
    /// If a secret cannot be stored.
    pub async fn add_typed(&self, typed: ServerConfig<SecretInput>) -> Guarded {
        let number = self.servers.fetch_add(1, Ordering::SeqCst);
        let id = format!("guarded-{number}");
        let ServerInput { config, secrets } = typed.into();
        for (name, secret) in secrets {
            if let Some(secret) = secret {
                let stored = self.services.secrets.put(&id, &name, secret).await;
                stored.unwrap_or_else(|error| panic!("{error}"));
            }
        }
        let connection = Connection::new(ConnectionOptions {
            with_user: true,
            ..ConnectionOptions::new(id, config, Arc::clone(&self.services))
        });
        Guarded {
            _folder: Some(Arc::clone(&self.folder)),
            ..connection.into()
        }
    }

    /// Adds the server of a peer, connects, signs in and waits for the tools.
    pub async fn join(&self, peer: &AuthPeer) -> Guarded {
        let server = self.add(peer).await;
        server.begin();
        server.authorize().await;
        server.tools().await;
        server
    }

    /// Returns the stored credentials of this kind.
    pub async fn stored(&self, kind: CredentialKind) -> Vec<StoredCredential> {
        let mut stored = self.services.credentials.list().await;
        stored.retain(|one| one.entry.kind == kind);
        stored
    }
}

/// A guarded server with these options, and a program that is signed in to it.
pub async fn joined(change: impl FnOnce(&mut PeerOptions)) -> (AuthPeer, Program, Guarded) {
    let peer = AuthPeer::start().await;
    peer.configure(change);
    let program = Program::start();
    let server = program.join(&peer).await;
    (peer, program, server)
}

/// A guarded server with these options, and a program that begins to connect to it.
pub async fn begun(change: impl FnOnce(&mut PeerOptions)) -> (AuthPeer, Program, Guarded) {
    let peer = AuthPeer::start().await;
    peer.configure(change);
    let program = Program::start();
    let server = program.add(&peer).await;
    server.begin();
    (peer, program, server)
}

/// Services with these secrets, whose list is in this folder.
#[must_use]
pub fn services(folder: &Path, secrets: Arc<dyn SecretStore>) -> Arc<Services> {
    let secrets = Arc::new(SecretCache::new(secrets));
    let clock = Arc::new(clock::millis);
    let credentials = CredentialStore::new(Arc::clone(&secrets), Some(folder), clock);
    let credentials = Arc::new(credentials);
    Arc::new(Services::new(secrets, credentials, Validator::new(None)))
}

/// A connection to a guarded server, and its user.
#[derive(Debug)]
pub struct Guarded {
    client: Client,
    states: Arc<Mutex<Vec<AuthState>>>,
    /// Folder of its program.
    _folder: Option<Arc<TempDir>>,
}

impl Deref for Guarded {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl From<Connection> for Guarded {
    fn from(connection: Connection) -> Self {
        let states = Arc::<Mutex<Vec<AuthState>>>::default();
        let (watched, remembered) = (connection.clone(), Arc::clone(&states));
        let remember = move |state: Option<AuthState>| {
            let mut states = remembered.lock().unwrap_or_else(PoisonError::into_inner);
            if states.last().copied() != state {
                states.extend(state);
            }
        };
        tokio::spawn(async move {
            let mut changes = watched.changes();
            loop {
                remember(watched.read(|state| state.auth.as_ref().map(|auth| auth.state)));
                if changes.changed().await.is_err() {
                    break;
                }
            }
        });
        Self {
            client: connection.into(),
            states,
            _folder: None,
        }
    }
}

impl Guarded {
    /// Returns every state of signing in so far, in order.
    #[must_use]
    pub fn states(&self) -> Vec<AuthState> {
        let states = self.states.lock();
        states.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for a state of signing in.
    pub async fn auth(&self, wanted: AuthState) -> AuthStatus {
        self.until(&format!("{wanted:?}"), |state| {
            let auth = state.auth.as_ref()?;
            (auth.state == wanted).then(|| auth.clone())
        })
        .await
    }

    /// Waits until this holds of signing in.
    pub async fn auth_holds(&self, what: &str, is_so: impl Fn(&AuthStatus) -> bool) {
        self.holds(what, |state| state.auth.as_ref().is_some_and(&is_so))
            .await;
    }

    /// Waits until the user is asked to sign in.
    pub async fn prompt(&self) -> SignInPrompt {
        self.prompt_after(0).await
    }

    /// Waits for a prompt with a later attempt than `attempt`.
    pub async fn prompt_after(&self, attempt: u64) -> SignInPrompt {
        let prompt = self.wait_for_prompt(attempt);
        self.within("a prompt to sign in", prompt).await
    }

    /// Waits for the prompt, and opens the browser. Returns the prompt and the address that was opened.
    ///
    /// # Panics
    /// If that differs from the prompt's address.
    pub async fn open(&self) -> (SignInPrompt, String) {
        let prompt = self.prompt().await;
        let opened = self.open_prompt(prompt.attempt);
        let opened = opened.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(opened, prompt.url, "the browser goes where the prompt said");
        (prompt, opened)
    }

    /// Waits for the prompt and lets the browser follow all redirects. Returns the prompt and the last page.
    ///
    /// # Panics
    /// If the browser gets no page.
    pub async fn browse(&self) -> (SignInPrompt, Page) {
        let (prompt, opened) = self.open().await;
        let page = browser::follow(&opened).await;
        (prompt, page.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Signs in as [`Self::browse`] does, and waits until the token is in use.
    ///
    /// # Panics
    /// If the page reports a failure.
    pub async fn authorize(&self) -> (SignInPrompt, Grant) {
        let (prompt, page) = self.browse().await;
        assert_eq!(page.status, 200, "{page:?}");
        let status = self.auth(AuthState::SignedIn).await;
        (prompt, status.grant.expect("a token"))
    }

    /// Waits for a failed sign-in.
    ///
    /// # Panics
    /// If the problem lacks a text.
    pub async fn problem(&self) -> AuthProblem {
        let status = self.auth(AuthState::Failed).await;
        let problem = status.problem.expect("a failure has a problem");
        println!("{problem:#?}");
        assert!(
            problem.title.ends_with('.') && !problem.advice.is_empty(),
            "{problem:?}"
        );
        problem
    }

    /// Waits until the token was refreshed this many times.
    pub async fn refreshed(&self, count: u32) {
        self.auth_holds("the new token", |auth| {
            let grant = auth.grant.as_ref();
            grant.is_some_and(|grant| grant.token.refreshed == count)
        })
        .await;
    }

    /// Returns the state of signing in.
    ///
    /// # Panics
    /// If the server never needed a sign-in.
    #[must_use]
    pub fn status(&self) -> AuthStatus {
        self.read(|state| state.auth.clone()).expect("a status")
    }

    /// Returns the token.
    #[must_use]
    pub fn grant(&self) -> Option<Grant> {
        self.read(|state| state.auth.as_ref()?.grant.clone())
    }

    /// Starts a call of a tool, with a number as its argument.
    pub async fn start_call(&self, tool: &str, number: usize) -> OperationNumber {
        self.start_tool(tool, &format!("{{\"n\":{number}}}")).await
    }

    /// Calls a tool and expects its response.
    ///
    /// # Panics
    /// If the response is another one.
    pub async fn call(&self, tool: &str, number: usize) {
        let call = self.start_call(tool, number).await;
        let expected = format!("{tool} {{\"n\":{number}}}");
        assert_eq!(self.text(call).await, expected);
    }

    /// Waits until a call is lost.
    ///
    /// # Panics
    /// When it ends otherwise.
    pub async fn loses(&self, call: OperationNumber) {
        let outcome = self.finished(call, |run| run.outcome.clone()).await;
        let is_lost = matches!(outcome, Some(OperationOutcome::Lost { .. }));
        assert!(is_lost, "{outcome:?}");
    }

    /// Calls a tool with these arguments. Answers its text.
    pub async fn said(&self, tool: &str, arguments: &str) -> String {
        let call = self.start_tool(tool, arguments).await;
        self.text(call).await
    }

    /// Waits until all of these calls wait for a token.
    pub async fn all_wait(&self, calls: &[OperationNumber]) {
        self.holds("all to wait", |state| {
            let mut calls = calls.iter().map(|call| state.operations.get(*call));
            calls.all(|call| call.is_some_and(|call| call.state == OperationState::SigningIn))
        })
        .await;
    }
}

/// Creates a server at this address, as a form sends it. Peers speak the versions with a handshake.
#[must_use]
pub fn guarded(url: &str, with: AuthConfig<SecretInput>) -> ServerConfig<SecretInput> {
    let mut config = ServerConfig::<SecretInput>::from(handshake(http("")));
    config.name = "Guarded".to_owned();
    config.transport = http(url);
    if let Transport::Http { auth, .. } = &mut config.transport {
        *auth = with;
    }
    config
}
