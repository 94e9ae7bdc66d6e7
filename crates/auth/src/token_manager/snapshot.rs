//! State of signing in, for the user.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ClientKind, Problem, Secret};

/// States of signing in to a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(rename = "AuthState")]
pub enum Phase {
    /// Not signed in; no sign-in was requested.
    #[default]
    SignedOut,
    /// Looking up the authorization server of this server, and registering with it.
    Discovering,
    /// The user has to open the address in `prompt`.
    Prompt,
    /// The user has to confirm the authorization server in `confirmation`.
    Confirmation,
    /// The browser is open; waiting for the user there.
    Browser,
    /// Getting a token.
    Exchanging,
    /// Signed in.
    SignedIn,
    /// Getting a new token for one that expired or was rejected.
    Refreshing,
    /// The sign-in failed; `problem` says why.
    Failed,
}

/// A token without its secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TokenFacts {
    /// Issuer of the token.
    pub issuer: String,
    /// Resource that the token is for, as the server publishes it.
    pub resource: String,
    /// Id of the client that holds the token.
    pub client_id: String,
    /// Kind of that client.
    pub client_kind: ClientKind,
    /// Scopes, as granted.
    pub scopes: Vec<String>,
    /// `Bearer` or `DPoP`.
    pub token_type: String,
    /// Time of issue, in milliseconds since the Unix epoch.
    pub granted_at: u64,
    /// Time of expiry, in milliseconds since the Unix epoch; `None` if the server does not say.
    pub expires_at: Option<u64>,
    /// Number of refreshes since the sign-in.
    pub refreshed: u32,
    /// The authorization server offers to revoke the token.
    pub revocable: bool,
}

/// The token in use. `Debug` shows no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// Facts about the token that are not secret.
    pub facts: TokenFacts,
    /// The token itself, for a fingerprint. Secret.
    pub access_token: Secret,
    /// The refresh token, for a fingerprint. Secret.
    pub refresh_token: Option<Secret>,
    /// The token is only in memory, because the keyring refused it.
    pub in_memory: bool,
}

/// A sign-in for the user to review before the browser opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "SignInPrompt")]
pub struct Prompt {
    /// Number of this sign-in, for commands about it.
    pub attempt: u64,
    /// Reason for the sign-in, one plain sentence.
    pub reason: String,
    /// The whole address that the browser opens.
    pub url: String,
    /// Host of that address.
    pub host: String,
    /// Issuer of the token.
    pub issuer: String,
    /// Resource that the token will be for.
    pub resource: String,
    /// The client's id.
    pub client_id: String,
    /// Kind of that client.
    pub client_kind: ClientKind,
    /// Requested scopes; empty if the server decides.
    pub scopes: Vec<String>,
    /// Requested scopes that were not granted before; empty on the first sign-in.
    pub new_scopes: Vec<String>,
    /// Address to which the browser returns.
    pub redirect_uri: String,
    /// Sonde listens at that address. If not, the user has to paste the address.
    pub listening: bool,
    /// The browser was opened.
    pub opened: bool,
    /// Deadline of the sign-in, in milliseconds since the Unix epoch.
    pub expires_at: u64,
    /// Remarkable points, plain sentences.
    pub warnings: Vec<String>,
}

/// Confirmation that the user must give before the entered credentials go to an authorization server that only the
/// server has named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IssuerConfirmation {
    /// Number of this sign-in, for the command about it.
    pub attempt: u64,
    /// Issuer of the token.
    pub issuer: String,
    /// Address that would receive the token request.
    pub token_endpoint: String,
    /// Credential that would be sent, in words: `the client secret`.
    pub credential: String,
    /// Id of the client that would get the token; empty if it is not sent.
    pub client_id: String,
    /// Resource that the token would be for.
    pub resource: String,
    /// Requested scopes; empty if the server decides.
    pub scopes: Vec<String>,
    /// Remarkable points, plain sentences.
    pub warnings: Vec<String>,
    /// Deadline of the confirmation, in milliseconds since the Unix epoch.
    pub expires_at: u64,
}

/// Snapshot of signing in to one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthSnapshot {
    /// Increases: of two snapshots from different tasks, the one with the higher number is newer.
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
    /// Number of requests that wait for a token.
    pub waiting: u32,
    /// The next request gets a wrong token.
    pub wrong_token: bool,
    /// Secrets in use: of the settings, of the token, and of running jobs.
    pub secrets: Vec<Secret>,
}

/// Receiver of every change. Methods return at once.
pub trait AuthObserver: Send + Sync + 'static {
    /// Receives the new state.
    fn changed(&self, snapshot: AuthSnapshot);
}
