//! An authorization server and the MCP server that it guards, on two ports of 127.0.0.1.
//!
//! Both obey the standards strictly until a test changes their [`PeerOptions`]: codes are valid once, PKCE is checked,
//! a rotated refresh token becomes invalid at once and ends its whole family when it is used again, tokens are for one
//! resource. The user allows access at once: `/authorize` responds with a redirect. The server speaks the versions with
//! a handshake and has two tools, `read` and `write`, which need the scope of the same name.
//!
//! Every code, token and secret begins with [`CANARY`]. Every request is recorded.

mod options;
mod registry;
mod authorization_server;
mod protected_server;
pub mod browser;
#[cfg(test)]
mod tests;

use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use self::registry::{Client, Registry};
pub use self::{
    options::{Iss, PeerOptions, RefreshTokens},
    registry::CANARY,
};
use crate::http_peer::{Gate, HttpPeer, Request};

/// A tool call that the server carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// The tool.
    pub tool: String,
    /// Its arguments, as JSON text.
    pub arguments: String,
    /// The access token of the request.
    pub token: String,
}

#[derive(Debug, Default)]
struct State {
    options: PeerOptions,
    registry: Registry,
    served: Vec<Served>,
    /// Other authorization servers whose tokens are valid here.
    trusted: Vec<Arc<Shared>>,
    /// Gates that end the streams opened by a GET.
    streams: Vec<Gate>,
}

/// State shared by both servers.
#[derive(Debug, Default)]
struct Shared {
    /// The addresses of the authorization server and of the guarded one.
    places: OnceLock<(String, String)>,
    sessions: AtomicU64,
    state: Mutex<State>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn registry<T>(&self, change: impl FnOnce(&mut Registry) -> T) -> T {
        change(&mut self.state().registry)
    }

    fn options(&self) -> PeerOptions {
        self.state().options.clone()
    }

    /// Decrements a counter of the options; false if it is 0.
    fn take(&self, counter: impl FnOnce(&mut PeerOptions) -> &mut u32) -> bool {
        let mut state = self.state();
        let counter = counter(&mut state.options);
        let some = *counter > 0;
        *counter = counter.saturating_sub(1);
        some
    }

    fn issuer(&self) -> &str {
        self.places.get().map_or("", |(issuer, _)| issuer)
    }

    /// Returns the origin of the authorization server in use.
    fn issuer_by(&self, options: &PeerOptions) -> &str {
        match options.own_auth_server {
            true => self.origin(),
            false => self.issuer(),
        }
    }

    fn origin(&self) -> &str {
        self.places.get().map_or("", |(_, origin)| origin)
    }

    fn resource(&self, options: &PeerOptions) -> String {
        options
            .resource
            .clone()
            .unwrap_or_else(|| format!("{}/mcp", self.origin()))
    }

    fn next_session(&self) -> String {
        format!("session-{}", self.sessions.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the gate that a new stream waits for.
    fn next_stream(&self) -> Gate {
        let gate = Gate::new();
        self.state().streams.push(gate.clone());
        gate
    }

    fn serve(&self, served: Served) {
        self.state().served.push(served);
    }

    /// Returns the scopes of a valid token.
    fn scopes_of(&self, token: &str) -> Option<Vec<String>> {
        let trusted = {
            let state = self.state();
            if let Some(permission) = state.registry.find_access(token) {
                return Some(permission.scopes.iter().cloned().collect());
            }
            state.trusted.clone()
        };
        trusted.iter().find_map(|other| other.scopes_of(token))
    }
}

/// The running pair.
#[derive(Debug)]
pub struct AuthPeer {
    auth_server: HttpPeer,
    server: HttpPeer,
    shared: Arc<Shared>,
}

impl AuthPeer {
    /// Starts both on free ports.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let known = Arc::clone(&shared);
        let auth_server =
            HttpPeer::start(move |request| authorization_server::answer(&known, request)).await;
        let known = Arc::clone(&shared);
        let server =
            HttpPeer::start(move |request| protected_server::answer(&known, request)).await;
        shared.registry(|registry| registry.mark = auth_server.address().port().to_string());
        let origin = |peer: &HttpPeer| format!("http://{}", peer.address());
        let places = shared
            .places
            .get_or_init(|| (origin(&auth_server), origin(&server)));
        debug_assert!(!places.0.is_empty());
        Self {
            auth_server,
            server,
            shared,
        }
    }

    /// Returns the address of the MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the authorization server's issuer, which is its origin.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.shared.issuer()
    }

    /// Returns the beginning of all of its secrets, and of no other peer's.
    #[must_use]
    pub fn canary(&self) -> String {
        self.shared
            .registry(|registry| format!("{CANARY}-{}-", registry.mark))
    }

    /// Changes the behaviour of both servers from now on.
    pub fn configure(&self, change: impl FnOnce(&mut PeerOptions)) {
        change(&mut self.shared.state().options);
    }

    /// Makes all access tokens issued so far expire.
    pub fn expire_all(&self) {
        self.shared.registry(Registry::expire_all);
    }

    /// Makes all tokens issued so far invalid, including refresh tokens.
    pub fn forget_tokens(&self) {
        self.shared.registry(Registry::forget_tokens);
    }

    /// Ends every stream opened by a GET, in good order.
    pub fn end_streams(&self) {
        let streams = std::mem::take(&mut self.shared.state().streams);
        streams.iter().for_each(Gate::open);
    }

    /// Adds a client without registration. Returns its secret, if it has one.
    pub fn preregister(&self, id: &str, redirect_uri: &str, with_secret: bool) -> Option<String> {
        self.shared.registry(|registry| {
            let secret = with_secret.then(|| registry.secret("client-secret", 0));
            let client = Client {
                secret: secret.clone(),
                redirect_uris: vec![redirect_uri.to_owned()],
            };
            registry.register(id, client);
            secret
        })
    }

    /// Makes the guarded server name another peer's authorization server, and accept its tokens in addition to the old
    /// ones.
    pub fn use_auth_server_of(&self, other: &AuthPeer) {
        let resource = self.url();
        other.configure(|options| options.resource = Some(resource));
        let issuer = other.issuer().to_owned();
        let mut state = self.shared.state();
        state.options.authorization_server = Some(issuer);
        state.trusted.push(Arc::clone(&other.shared));
    }

    /// Returns the tool calls that were carried out, in order.
    #[must_use]
    pub fn served(&self) -> Vec<Served> {
        self.shared.state().served.clone()
    }

    /// Returns every access token ever issued, in order.
    #[must_use]
    pub fn issued(&self) -> Vec<String> {
        self.shared.registry(|registry| registry.issued().to_vec())
    }

    /// Returns the number of valid refresh tokens.
    #[must_use]
    pub fn valid_refresh_tokens(&self) -> usize {
        self.shared
            .registry(|registry| registry.valid_refresh_tokens())
    }

    /// Returns the requests to the authorization server.
    #[must_use]
    pub fn auth_server_requests(&self) -> Vec<Request> {
        self.auth_server.requests()
    }

    /// Returns the requests to the guarded server, including those for its metadata.
    #[must_use]
    pub fn mcp_server_requests(&self) -> Vec<Request> {
        self.server.requests()
    }

    /// Returns the requests to this path of the authorization server.
    #[must_use]
    pub fn auth_server_requests_to(&self, path: &str) -> Vec<Request> {
        let mut requests = self.auth_server_requests();
        requests.retain(|one| one.target.split('?').next() == Some(path));
        requests
    }

    /// Returns the requests for a token with this `grant_type`.
    #[must_use]
    pub fn token_requests(&self, grant_type: &str) -> Vec<Request> {
        let wanted = format!("grant_type={grant_type}");
        let mut requests = self.auth_server_requests_to("/token");
        requests.retain(|one| one.body.split('&').any(|part| part == wanted));
        requests
    }

    /// Waits for this many refreshes.
    pub async fn refreshes_requested(&self, count: usize) {
        while self.token_requests("refresh_token").len() < count {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Returns the requests to the MCP endpoint with this verb.
    #[must_use]
    pub fn endpoint(&self, method: &str) -> Vec<Request> {
        let mut requests = self.mcp_server_requests();
        requests.retain(|one| one.target == "/mcp" && one.method == method);
        requests
    }
}

/// True if any part of the request contains this text.
#[must_use]
pub fn request_contains(request: &Request, text: &str) -> bool {
    request.target.contains(text)
        || request.body.contains(text)
        || request
            .headers
            .iter()
            .any(|(_, value)| value.contains(text))
}
