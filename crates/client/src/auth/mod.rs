//! Signing in to servers: status, history of steps, and commands. `sonde-auth` does the work.

mod settings;

mod status;
mod exchange;
mod server_auth;

mod sign_in;

pub use sonde_auth::{ClientKind, IssuerConfirmation, Phase as AuthState, Prompt as SignInPrompt};

pub use self::{
    exchange::AuthExchange,
    status::{AuthProblem, AuthStatus, AuthStep, AuthStepState, Grant, Kept, kept},
};
pub(crate) use self::{server_auth::AuthSlot, settings::settings};
