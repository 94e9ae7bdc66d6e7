use serde::{Deserialize, Serialize};
use sonde_findings::SpecLink;
use ts_rs::TS;

use super::{LogHeader, SecretInput, ServerId};

/// How a server that is reached over HTTP is signed in to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AuthDraft {
    /// Sign in when the server asks for it (OAuth), and not before.
    SignIn {
        /// Everything that may be left empty.
        #[serde(default)]
        options: Box<SignInDraft>,
    },
    /// Send this token with every request.
    Token {
        /// The token, without `Bearer`.
        token: SecretInput,
    },
    /// Never sign in: a refusal is shown as it is.
    Off,
}

impl Default for AuthDraft {
    fn default() -> Self {
        AuthDraft::SignIn {
            options: Box::default(),
        }
    }
}

/// Authentication method. Empty fields are found out or chosen by Sonde.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SignInDraft {
    /// Who signs in, and how.
    pub grant: GrantDraft,
    /// A client that is registered with the authorization server already.
    pub client_id: Option<String>,
    /// Its secret, if it has one.
    pub client_secret: Option<SecretInput>,
    /// The only authorization server that may see the client above; empty means the first one that
    /// it is used with.
    pub issuer: Option<String>,
    /// The https address of a client ID metadata document, used where the authorization server
    /// accepts one.
    pub metadata_url: Option<String>,
    /// Scopes to ask for instead of what the server says, separated by spaces.
    pub scopes: Option<String>,
    /// The port of 127.0.0.1 to which the browser returns; empty means a free one.
    pub redirect_port: Option<u16>,
    /// Sign in although the authorization server does not advertise PKCE with S256. Insecure.
    pub without_pkce_promise: bool,
    /// Bind tokens to a key of this computer (DPoP).
    pub dpop: DpopDraft,
}

/// Who signs in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GrantDraft {
    /// The user, in the browser.
    #[default]
    Browser,
    /// The client itself, with its id and secret.
    ClientSecret,
    /// The client itself, with its id and a private key.
    PrivateKey {
        /// PEM, PKCS #8.
        key: SecretInput,
        /// `ES256`, `ES384`, `RS256`, `PS256` or `EdDSA`; empty means what fits the key.
        algorithm: Option<String>,
        /// `aud` of the assertion; empty means the issuer.
        audience: Option<String>,
    },
    /// The user, by way of the company's identity provider (enterprise-managed authorization).
    Enterprise {
        /// The token endpoint of the identity provider.
        idp_token_endpoint: String,
        /// The client that the identity provider knows.
        idp_client_id: String,
        /// Its secret, if it has one.
        idp_client_secret: Option<SecretInput>,
        /// The user's ID token.
        id_token: SecretInput,
    },
    /// A workload, with an assertion of its platform (workload identity federation).
    Workload {
        /// The assertion, a JWT.
        assertion: SecretInput,
    },
}

/// When tokens are bound to a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DpopDraft {
    /// Where the server says that it wants it.
    #[default]
    Automatic,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where signing in to a server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuthState {
    /// Not signed in, and nobody asked for it.
    SignedOut,
    /// Finding out who gives out tokens for this server, and registering with them.
    Discovering,
    /// The user has to open the address in `prompt`.
    Prompt,
    /// The browser is open; waiting for the user there.
    Browser,
    /// Getting a token.
    Exchanging,
    /// Signed in.
    SignedIn,
    /// Getting a new token for one that expired or was refused.
    Refreshing,
    /// It did not work; `problem` says why.
    Failed,
}

/// What a client is to the authorization server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// Registered beforehand, by the user.
    Preregistered,
    /// Known by the document at its address.
    MetadataDocument,
    /// Registered by Sonde.
    Registered,
}

/// Where a secret is at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// In the keyring.
    Keyring,
    /// In memory only, since the keyring did not take it: gone when the app ends.
    Memory,
}

/// A token as far as it may be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct GrantView {
    /// Who gave it out.
    pub issuer: String,
    /// What it is for, as the server publishes it.
    pub resource: String,
    /// The client that it was given to.
    pub client_id: String,
    /// What that client is.
    pub client_kind: ClientKind,
    /// Scopes, as granted.
    pub scopes: Vec<String>,
    /// `Bearer` or `DPoP`.
    pub token_type: String,
    /// A mark by which the access token can be told from others.
    pub token_mark: String,
    /// The same for the refresh token, if there is one.
    pub refresh_mark: Option<String>,
    /// When it was given out, in milliseconds since the Unix epoch.
    pub granted_at: u64,
    /// When it expires, in milliseconds since the Unix epoch; `None` if the server does not say.
    pub expires_at: Option<u64>,
    /// How often it was refreshed since the sign-in.
    pub refreshed: u32,
    /// Where it is.
    pub kept: Kept,
    /// The authorization server can be told that it is not needed any more.
    pub revocable: bool,
}

/// What the user has to look at before the browser opens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SignInPrompt {
    /// Names this sign-in; handed back with the commands about it.
    pub attempt: u64,
    /// Why it is needed, one plain sentence.
    pub reason: String,
    /// The whole address that the browser opens.
    pub url: String,
    /// The host in it.
    pub host: String,
    /// Who will give out the token.
    pub issuer: String,
    /// What the token will be for.
    pub resource: String,
    /// The client's id.
    pub client_id: String,
    /// What that client is.
    pub client_kind: ClientKind,
    /// Scopes asked for; empty when the server decides.
    pub scopes: Vec<String>,
    /// Those among them that were not granted before; empty on the first sign-in.
    pub new_scopes: Vec<String>,
    /// Where the browser returns to.
    pub redirect_uri: String,
    /// Sonde listens there. If not, the address has to be pasted.
    pub listening: bool,
    /// The browser was opened.
    pub opened: bool,
    /// When it is given up, in milliseconds since the Unix epoch.
    pub expires_at: u64,
    /// What is remarkable about it, plain sentences.
    pub warnings: Vec<String>,
}

/// Why signing in did not work, or what is wrong although it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthProblem {
    /// A stable name in snake_case, for example `issuer_mismatch`, `no_pkce`, `refused`,
    /// `client_needed`, `cancelled`, `timed_out`.
    pub code: String,
    /// What happened, one plain sentence.
    pub title: String,
    /// Why, one plain sentence; empty when the title says it all.
    pub cause: String,
    /// What to do next, plain sentences.
    pub advice: Vec<String>,
    /// Technical detail.
    pub detail: Option<String>,
    /// Where the specification says so.
    pub spec: Option<SpecLink>,
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AuthStepState {
    /// Under way.
    Running,
    /// As it should be.
    Done,
    /// It worked, and something about it is not as it should be.
    Warning,
    /// It failed; another way may be tried.
    Failed,
}

/// One step of signing in or refreshing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthStepView {
    /// Names it: counts from 1 within the server while the app runs.
    pub step: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// How long it took, in milliseconds, once over.
    pub millis: Option<u64>,
    /// A stable name in snake_case: `refused`, `resource_metadata`, `server_metadata`, `client`,
    /// `registration`, `authorization`, `callback`, `token`, `refresh`, `saved`, `revocation`, ….
    pub code: String,
    /// A plain name.
    pub title: String,
    /// How it went.
    pub state: AuthStepState,
    /// What came of it, one plain sentence.
    pub sentence: String,
    /// It sent a request: `auth_exchange` has the bytes.
    pub has_exchange: bool,
    /// Where the specification asks for it.
    pub spec: Option<SpecLink>,
}

/// A request of a step and its answer, with fingerprints where secrets stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthExchange {
    /// The verb.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// Request headers in order.
    pub request_headers: Vec<LogHeader>,
    /// Request body; at most 64 KiB.
    pub request_body: Option<String>,
    /// HTTP status; `None` if no answer came.
    pub status: Option<u16>,
    /// Response headers in order.
    pub response_headers: Vec<LogHeader>,
    /// Response body; at most 64 KiB.
    pub response_body: Option<String>,
    /// Why no answer came, one plain sentence.
    pub error: Option<String>,
}

/// Signing in to one server, live. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthView {
    /// Whose.
    pub server: ServerId,
    /// Where it stands.
    pub state: AuthState,
    /// The token, while there is one.
    pub grant: Option<GrantView>,
    /// The sign-in that waits for the user.
    pub prompt: Option<SignInPrompt>,
    /// What went wrong last.
    pub problem: Option<AuthProblem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The newest 100 steps, oldest first.
    pub steps: Vec<AuthStepView>,
    /// The next request is sent with a wrong token, because the user wants it so.
    pub wrong_token: bool,
}

/// Something in the keyring (or in memory, where there is none), without the secret itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StoredSecret {
    /// Names it, for deleting.
    pub id: String,
    /// `token`, `client` or `setting`.
    pub kind: StoredKind,
    /// What it is, one plain line.
    pub title: String,
    /// Who gave it out, for tokens and clients.
    pub issuer: Option<String>,
    /// What it is for, for tokens.
    pub resource: Option<String>,
    /// The client's id, for tokens and clients.
    pub client_id: Option<String>,
    /// Servers of the list that use it.
    pub servers: Vec<ServerId>,
    /// When it was stored, in milliseconds since the Unix epoch, where known.
    pub saved_at: Option<u64>,
    /// Where it is.
    pub kept: Kept,
}

/// What a stored secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StoredKind {
    /// What a sign-in gave: access and refresh token.
    Token,
    /// A registration with an authorization server.
    Client,
    /// A value of a server's configuration: a header, an environment variable, a key.
    Setting,
}

/// What is stored, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StoredSecrets {
    /// Where secrets are kept, one plain sentence.
    pub place: String,
    /// The keyring can be used and has taken everything. If not, what it did not take is in memory
    /// only.
    pub usable: bool,
    /// All of them.
    pub secrets: Vec<StoredSecret>,
}
