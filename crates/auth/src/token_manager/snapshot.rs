//! State of signing in, for the user.

use crate::{ClientKind, Problem, Secret};

/// Phases of signing in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Not signed in, and nobody asked for it.
    #[default]
    SignedOut,
    /// Finding the authorization server, and registering there.
    Discovering,
    /// The user has to look at the address.
    Prompt,
    /// The user has to confirm the authorization server.
    Confirmation,
    /// The browser is open.
    Browser,
    /// Getting a token.
    Exchanging,
    /// Signed in.
    SignedIn,
    /// Getting a new token for an old one.
    Refreshing,
    /// It did not work.
    Failed,
}

/// The token in use, as far as it may be shown. `Debug` shows no secret.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenInfo {
    /// The issuer of the token.
    pub issuer: String,
    /// The resource of the token.
    pub resource: String,
    /// To whom.
    pub client_id: String,
    /// Registration of that client.
    pub client_kind: ClientKind,
    /// As granted.
    pub scopes: Vec<String>,
    /// `Bearer` or `DPoP`.
    pub token_type: String,
    /// The token itself, for a fingerprint. Secret.
    pub access_token: Secret,
    /// The refresh token, for a fingerprint. Secret.
    pub refresh_token: Option<Secret>,
    /// Milliseconds since the Unix epoch.
    pub granted_at: u64,
    /// Milliseconds since the Unix epoch.
    pub expires_at: Option<u64>,
    /// Number of refreshes since the sign-in.
    pub refreshed: u32,
    /// The keyring refused it.
    pub in_memory: bool,
    /// The authorization server can revoke it.
    pub revocable: bool,
}

impl std::fmt::Debug for TokenInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenInfo")
            .field("issuer", &self.issuer)
            .field("resource", &self.resource)
            .finish_non_exhaustive()
    }
}

/// A sign-in that the user looks at before the browser opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Names this sign-in.
    pub attempt: u64,
    /// The reason for it, as one plain sentence.
    pub reason: String,
    /// The whole address.
    pub url: String,
    /// The issuer of the requested token.
    pub issuer: String,
    /// The resource of the requested token.
    pub resource: String,
    /// To whom.
    pub client_id: String,
    /// Registration of that client.
    pub client_kind: ClientKind,
    /// Scopes asked for.
    pub scopes: Vec<String>,
    /// Scopes that were not granted before.
    pub new_scopes: Vec<String>,
    /// Target of the browser's redirect.
    pub redirect_uri: String,
    /// The app listens there.
    pub listening: bool,
    /// The browser was opened.
    pub opened: bool,
    /// Time at which it is given up, in milliseconds since the Unix epoch.
    pub expires_at: u64,
    /// Remarkable facts about it, as plain sentences.
    pub warnings: Vec<String>,
}

/// An authorization server that only the server has named: the user confirms it before it sees the
/// credentials that the user has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerConfirmation {
    /// Names this sign-in.
    pub attempt: u64,
    /// The issuer of the requested token.
    pub issuer: String,
    /// Target of the token request.
    pub token_endpoint: String,
    /// The credential to send, in words: `the client secret`.
    pub credential: &'static str,
    /// The client of the token; empty if it is not sent.
    pub client_id: String,
    /// The resource of the requested token.
    pub resource: String,
    /// Scopes asked for.
    pub scopes: Vec<String>,
    /// Time at which it is given up, in milliseconds since the Unix epoch.
    pub expires_at: u64,
}

/// Snapshot of signing in to one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthSnapshot {
    /// Counts up: of two snapshots from different tasks, the higher number is newer.
    pub number: u64,
    /// The current phase.
    pub phase: Phase,
    /// The token in use.
    pub token: Option<TokenInfo>,
    /// The sign-in that waits for the user to open the browser and to come back.
    pub prompt: Option<Prompt>,
    /// The authorization server that waits for the user's confirmation.
    pub confirmation: Option<IssuerConfirmation>,
    /// The latest problem.
    pub problem: Option<Problem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The next request gets a wrong token.
    pub wrong_token: bool,
    /// Secrets in use: of the settings, of the token, and of a job under way.
    pub secrets: Vec<Secret>,
}

/// Receiver of every change. Methods return at once.
pub trait AuthObserver: Send + Sync + 'static {
    /// Receives the new state.
    fn changed(&self, snapshot: AuthSnapshot);
}
