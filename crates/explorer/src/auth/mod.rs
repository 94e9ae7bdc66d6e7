//! Signing in to servers: what is known of it, and the commands about it. The work itself is
//! `sonde-auth`'s.

mod settings;

mod status;
mod exchange;
mod server_auth;

mod commands;
mod stored;

pub use sonde_auth::{ClientKind, IssuerConfirmation, Phase as AuthState, Prompt as SignInPrompt};

pub use self::{
    exchange::AuthExchange,
    status::{AuthProblem, AuthStatus, AuthStep, AuthStepState, Grant, Kept},
    stored::{StoredKind, StoredSecret, StoredSecrets},
};
pub(crate) use self::{
    server_auth::{ServerAuth, ServerAuths},
    settings::{SettingsError, settings},
};
