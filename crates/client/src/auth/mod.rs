//! Signing in to servers: what is known of it, and the commands about it. The work itself is
//! `sonde-auth`'s.

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
pub(crate) use self::{
    server_auth::AuthSlot,
    settings::{SettingsError, settings},
};
