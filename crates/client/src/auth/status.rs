//! Sign-in state of a server, without the secrets.

use serde::{Deserialize, Serialize};
use sonde_auth::{
    IssuerConfirmation, Phase as AuthState, Prompt as SignInPrompt, TokenFacts, TokenInfo,
};
pub use sonde_auth::{Problem as AuthProblem, StepState as AuthStepState};
use sonde_findings::SpecLink;
use ts_rs::TS;

use crate::{
    config::ServerId,
    limits::MESSAGE,
    log::{WireLog, fingerprint},
    text::cut,
};

/// Places where a secret is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// In the keyring.
    Keyring,
    /// In memory only, since the keyring did not take it: gone when the app ends.
    Memory,
}

/// A token as far as it may be shown.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Grant {
    /// The token.
    #[serde(flatten)]
    pub token: TokenFacts,
    /// Mark that tells this access token from others.
    pub token_fingerprint: String,
    /// The mark of the refresh token, if there is one.
    pub refresh_fingerprint: Option<String>,
    /// Place where the token is kept.
    pub kept: Kept,
}

/// One step of signing in or refreshing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuthStep {
    /// Names it: counts from 1 within the server while the app runs.
    pub step: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// Duration in milliseconds, once over.
    pub millis: Option<u64>,
    /// A stable name in snake_case: `refused`, `resource_metadata`, `server_metadata`, `client`,
    /// `registration`, `authorization`, `callback`, `token`, `refresh`, `saved`, `revocation`, ….
    pub code: String,
    /// A plain name.
    pub title: String,
    /// State of the step.
    pub state: AuthStepState,
    /// Outcome, one plain sentence.
    pub sentence: String,
    /// A request was sent: `auth_exchange` returns it.
    pub has_exchange: bool,
    /// Section of the specification that asks for the step.
    pub spec: Option<SpecLink>,
}

/// Signing in to one server, live.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct AuthStatus {
    /// The server.
    pub server: ServerId,
    /// State of the sign-in.
    pub state: AuthState,
    /// The token, while there is one.
    pub grant: Option<Grant>,
    /// The sign-in that waits for the user.
    pub prompt: Option<SignInPrompt>,
    /// The confirmation that waits for the user.
    pub confirmation: Option<IssuerConfirmation>,
    /// The last problem.
    pub problem: Option<AuthProblem>,
    /// Requests that wait for a token.
    pub waiting: u32,
    /// The newest 100 steps, oldest first.
    pub steps: Vec<AuthStep>,
    /// The next request is sent with a wrong token, because the user wants it so.
    pub wrong_token: bool,
}

impl AuthStatus {
    /// Returns the status with nothing under way: the token manager's end has ended it.
    pub fn at_rest(self) -> Self {
        let state = match self.state {
            AuthState::SignedOut | AuthState::SignedIn | AuthState::Failed => self.state,
            _ if self.grant.is_some() => AuthState::SignedIn,
            _ => AuthState::SignedOut,
        };
        Self {
            state,
            prompt: None,
            confirmation: None,
            waiting: 0,
            ..self
        }
    }
}

/// Place of a secret.
#[must_use]
pub fn kept(in_memory: bool) -> Kept {
    match in_memory {
        true => Kept::Memory,
        false => Kept::Keyring,
    }
}

pub(super) fn grant(token: &TokenInfo) -> Grant {
    let refresh = token.refresh_token.as_ref();
    Grant {
        token: token.facts.clone(),
        token_fingerprint: fingerprint(token.access_token.expose()),
        refresh_fingerprint: refresh.map(|token| fingerprint(token.expose())),
        kept: kept(token.in_memory),
    }
}

/// The problem without the secrets that a server may have repeated in it.
pub(super) fn problem(problem: &AuthProblem, log: &WireLog) -> AuthProblem {
    let clean = |text: &str| {
        let mut text = text.to_owned();
        log.hide(&mut text);
        cut(&text, MESSAGE)
    };
    AuthProblem {
        title: clean(&problem.title),
        cause: clean(&problem.cause),
        advice: problem.advice.iter().map(|text| clean(text)).collect(),
        detail: problem.detail.as_deref().map(clean),
        ..*problem
    }
}
