//! What the user is shown.

use crate::{ClientKind, Problem};

/// Where signing in stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Not signed in, and nobody asked for it.
    #[default]
    SignedOut,
    /// Finding out who gives out tokens, and registering there.
    Discovering,
    /// The user has to look at the address.
    Prompt,
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
    /// Who gave it out.
    pub issuer: String,
    /// What it is for.
    pub resource: String,
    /// To whom.
    pub client_id: String,
    /// What that client is.
    pub client_kind: ClientKind,
    /// As granted.
    pub scopes: Vec<String>,
    /// `Bearer` or `DPoP`.
    pub token_type: String,
    /// The token itself, for a fingerprint. Secret.
    pub access_token: crate::Secret,
    /// The refresh token, for a fingerprint. Secret.
    pub refresh_token: Option<crate::Secret>,
    /// Milliseconds since the Unix epoch.
    pub granted_at: u64,
    /// Milliseconds since the Unix epoch.
    pub expires_at: Option<u64>,
    /// How often it was refreshed since the sign-in.
    pub refreshed: u32,
    /// The keyring did not take it.
    pub in_memory: bool,
    /// The authorization server can be told that it is not needed any more.
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

/// What the user looks at before the browser opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Names this sign-in.
    pub attempt: u64,
    /// Why it is needed, one plain sentence.
    pub reason: String,
    /// The whole address.
    pub url: String,
    /// Who will give out the token.
    pub issuer: String,
    /// What for.
    pub resource: String,
    /// To whom.
    pub client_id: String,
    /// What that client is.
    pub client_kind: ClientKind,
    /// Scopes asked for.
    pub scopes: Vec<String>,
    /// Those that were not granted before.
    pub new_scopes: Vec<String>,
    /// Where the browser returns to.
    pub redirect_uri: String,
    /// Somebody listens there.
    pub listening: bool,
    /// The browser was opened.
    pub opened: bool,
    /// When it is given up, in milliseconds since the Unix epoch.
    pub expires_at: u64,
    /// What is remarkable about it, plain sentences.
    pub warnings: Vec<String>,
}

/// Everything about signing in to one server at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthSnapshot {
    /// Counts up: of two that are shown by different tasks, the higher one is the newer.
    pub number: u64,
    /// Where it stands.
    pub phase: Phase,
    /// The token in use.
    pub token: Option<TokenInfo>,
    /// What waits for the user.
    pub prompt: Option<Prompt>,
    /// What went wrong last.
    pub problem: Option<Problem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The next request gets a wrong token.
    pub wrong_token: bool,
}

/// Who is told of every change. Methods return at once.
pub trait AuthObserver: Send + Sync + 'static {
    /// Something changed; this is how everything is now.
    fn changed(&self, snapshot: AuthSnapshot);
}
