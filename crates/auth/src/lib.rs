//! OAuth 2.1 for MCP, and the place where secrets are kept.
//!
//! - `flow`: the steps of signing in, each of them a function.
//! - `keep`: what is stored of it, and how several instances of the app share it.
//! - `gatekeeper`: lets the requests of one server in, and does what is needed when they are refused.
//! - `secrets`: the operating system's keyring, and a type that never shows a secret by accident.
//!
//! A [`SecretStore`] blocks: the keyring asks another process, and that one may ask the user.
//! Callers on an async runtime use a [`SecretKeeper`].

mod problem;
mod settings;
mod trace;

mod flow;
mod keep;

mod gatekeeper;

mod secrets;

pub use gatekeeper::{Account, Desk, Gatekeeper, Prompt, Standing, State};
pub use keep::{Stored, StoredKind, Vault};
pub use problem::{Kind, Problem, Spec};
pub use secrets::{
    Keyring, MemoryStore, SERVICE, Secret, SecretError, SecretKeeper, SecretStore, doubles,
};
pub use settings::{ClientKind, Clock, Dpop, GrantType, Settings};
pub use trace::{Exchange, StepState, Trace};
