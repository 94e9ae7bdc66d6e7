//! OAuth 2.1 for MCP, and the store of secrets.
//!
//! - `flow`: the steps of signing in, one function each.
//! - `store`: tokens and registrations, and the locks between instances of the app.
//! - `token_manager`: the credentials of one server's requests, and new tokens after rejections.
//! - `secrets`: the operating system's keyring, and a type that never shows a secret by accident.
//!
//! A [`SecretStore`] blocks: the keyring asks another process, which may ask the user. Callers on an async runtime use
//! a [`SecretCache`].

mod limits;
mod problem;
mod settings;
mod trace;

mod flow;
mod store;

mod token_manager;

mod secrets;

pub use flow::challenge;
pub use problem::{Problem, ProblemKind, Spec};
pub use secrets::{
    Keyring, MemoryStore, SERVICE, Secret, SecretCache, SecretError, SecretStore, doubles,
};
pub use settings::{
    ClientKind, Clock, Dpop, GrantConfig, SecretInput, Settings, SignInConfig, slots,
};
pub use store::{
    CredentialEntry, CredentialKind, CredentialStore, ServerCredentials, StoredCredential,
};
pub use token_manager::{
    AuthObserver, AuthSnapshot, IssuerConfirmation, Phase, Prompt, TokenFacts, TokenInfo,
    TokenManager,
};
pub use trace::{HttpExchange, StepState, Trace};
