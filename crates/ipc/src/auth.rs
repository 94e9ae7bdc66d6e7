use serde::{Deserialize, Serialize};
use sonde_explorer::{
    auth::{AuthProblem, AuthState, AuthStatus, AuthStep, Grant, IssuerConfirmation, SignInPrompt},
    servers::ServerId,
};
use ts_rs::TS;

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
