use serde::{Deserialize, Serialize};
use sonde_explorer::{
    auth::{AuthProblem, AuthState, AuthStatus, AuthStep, Grant, IssuerConfirmation, SignInPrompt},
    servers::{DpopMode, ServerId},
};
use ts_rs::TS;

use super::secret::SecretInput;

/// Authentication method of a server that is reached over HTTP.
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
    /// Party that signs in, with its credentials.
    pub grant: GrantDraft,
    /// A client that is registered with the authorization server already.
    pub client_id: Option<String>,
    /// Its secret, if it has one.
    pub client_secret: Option<SecretInput>,
    /// The only authorization server that may see what is entered here; empty means the one that the
    /// user signs in at or confirms first.
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
    pub dpop: DpopMode,
}

/// Party that signs in.
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

/// Signing in to one server, live. Replaced whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthView {
    /// The server.
    pub server: ServerId,
    /// State of the sign-in.
    pub state: AuthState,
    /// The token, while there is one.
    pub grant: Option<Grant>,
    /// The sign-in that waits for the user.
    pub prompt: Option<SignInPrompt>,
    /// Authorization server that the user must confirm first.
    pub confirmation: Option<IssuerConfirmation>,
    /// The last failure.
    pub problem: Option<AuthProblem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The newest 100 steps, oldest first.
    pub steps: Vec<AuthStep>,
    /// The next request is sent with a wrong token, because the user wants it so.
    pub wrong_token: bool,
}

impl AuthView {
    pub(crate) fn new(server: &str, status: &AuthStatus) -> Self {
        let status = status.clone();
        Self {
            server: server.to_owned(),
            state: status.state,
            grant: status.grant,
            prompt: status.prompt,
            confirmation: status.confirmation,
            problem: status.problem,
            waiting: status.waiting,
            steps: status.steps,
            wrong_token: status.wrong_token,
        }
    }
}
