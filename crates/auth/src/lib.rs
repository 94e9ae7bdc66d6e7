//! Secrets: where they are kept, and a type that never shows one by accident.
//!
//! A [`SecretStore`] blocks: the keyring asks another process, and that one may ask the user.
//! Callers on an async runtime use `spawn_blocking`.

mod secrets;

pub use secrets::{Keyring, MemoryStore, SERVICE, Secret, SecretError, SecretStore, doubles};
