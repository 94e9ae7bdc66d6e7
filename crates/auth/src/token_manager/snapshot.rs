//! What the user is shown.

use crate::{ClientKind, Problem, Secret};

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
    pub access_token: Secret,
    /// The refresh token, for a fingerprint. Secret.
    pub refresh_token: Option<Secret>,
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

/// What the user confirms before an authorization server that only the server has named gets to see
/// what the user has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerConfirmation {
    /// Names this sign-in.
    pub attempt: u64,
    /// Who would give out the token.
    pub issuer: String,
    /// Where the request for it would go.
    pub token_endpoint: String,
    /// What would be sent, in words: `the client secret`.
    pub credential: &'static str,
    /// To whom the token would be given; empty if that is not sent.
    pub client_id: String,
    /// What the token would be for.
    pub resource: String,
    /// Scopes asked for.
    pub scopes: Vec<String>,
    /// When it is given up, in milliseconds since the Unix epoch.
    pub expires_at: u64,
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
    /// What waits for the user to open the browser and to come back.
    pub prompt: Option<Prompt>,
    /// What waits for the user to confirm it.
    pub confirmation: Option<IssuerConfirmation>,
    /// What went wrong last.
    pub problem: Option<Problem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The next request gets a wrong token.
    pub wrong_token: bool,
    /// Every secret in use: those of the settings, of the token, and of a job under way.
    pub secrets: Vec<Secret>,
}

/// Who is told of every change. Methods return at once.
pub trait AuthObserver: Send + Sync + 'static {
    /// Something changed; this is how everything is now.
    fn changed(&self, snapshot: AuthSnapshot);
}
