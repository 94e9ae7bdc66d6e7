//! The secret store and its implementations.

use std::fmt;

pub mod doubles;
mod cache;
mod keyring;
mod memory;
mod entries;
mod parts;

pub use self::{
    cache::SecretCache,
    keyring::{Keyring, SERVICE},
    memory::MemoryStore,
};

/// A value that is never shown: not by `Debug`, not by an error.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that needs it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Errors of storing, reading or removing a secret. Never holds the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// There is no keyring here: no service runs, or this system has none.
    #[error("no keyring is available: {reason}")]
    Unavailable {
        /// Message of the system.
        reason: String,
    },
    /// The keyring refuses: it is locked, or access was denied.
    #[error("the keyring is locked or denies access: {reason}")]
    Locked {
        /// Message of the system.
        reason: String,
    },
    /// The keyring holds something else than was stored.
    #[error("the stored secret is damaged: {reason}")]
    Damaged {
        /// The fault.
        reason: String,
    },
    /// The keyring failed in another way.
    #[error("the keyring failed: {reason}")]
    Failed {
        /// Message of the system.
        reason: String,
    },
}

/// Keeps secrets by owner (a server's id) and name (`env:NAME`, `header:NAME`).
///
/// All methods block, for as long as it takes the user to unlock the keyring.
pub trait SecretStore: Send + Sync + 'static {
    /// Reads a secret; `None` when there is none. A locked keyring may answer `None` as well
    /// (the Secret Service does not show locked items), so `None` proves nothing about the store.
    ///
    /// # Errors
    /// When the store cannot be asked, or what it holds is damaged.
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError>;

    /// Stores a secret, replacing any earlier value.
    ///
    /// # Errors
    /// When the store did not take it.
    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError>;

    /// Removes a secret. Succeeds if there is none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError>;

    /// Returns true if a store is available. A locked keyring counts as usable: only a write would show it.
    fn is_usable(&self) -> bool {
        true
    }

    /// Describes the store, as one plain sentence for the user.
    fn describe(&self) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show_itself() {
        let secret = Secret::new("hunter2");
        assert_eq!(
            format!("{secret:?} {:?}", Some(&secret)),
            "Secret(…) Some(Secret(…))"
        );
        assert_eq!(secret.expose(), "hunter2");
    }
}
