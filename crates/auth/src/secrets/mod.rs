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

/// A value that is never shown, neither by `Debug` nor in an error.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Returns the value itself, for the one place that needs it.
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
    /// The keyring refused: it is locked, or access was denied.
    #[error("the keyring is locked or denies access: {reason}")]
    Locked {
        /// Message of the system.
        reason: String,
    },
    /// The keyring returned something else than was stored.
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

/// Stores secrets by owner (a server's id) and name (`env:NAME`, `header:NAME`).
///
/// All methods block, as long as it takes the user to unlock the keyring.
pub trait SecretStore: Send + Sync + 'static {
    /// Reads a secret; `None` if there is none. A locked keyring may also return `None` (the Secret Service does not
    /// show locked items), so `None` proves nothing about the store.
    ///
    /// # Errors
    /// If the store cannot be asked, or its value is damaged.
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError>;

    /// Stores a secret, replacing any earlier value.
    ///
    /// # Errors
    /// If the store did not accept it.
    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError>;

    /// Removes a secret. Succeeds if there is none.
    ///
    /// # Errors
    /// If the store cannot be asked.
    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError>;

    /// True if a store is available. A locked keyring counts as usable, because only a write would reveal the lock.
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
