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

/// Why a secret could not be kept, read or removed. Never holds the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// There is no keyring here: no service runs, or this system has none.
    #[error("no keyring is available: {reason}")]
    Unavailable {
        /// What the system said.
        reason: String,
    },
    /// The keyring is there and refuses: it is locked, or access was denied.
    #[error("the keyring is locked or denies access: {reason}")]
    Locked {
        /// What the system said.
        reason: String,
    },
    /// What the keyring holds is not what was stored.
    #[error("the stored secret is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// The keyring failed in another way.
    #[error("the keyring failed: {reason}")]
    Failed {
        /// What the system said.
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

    /// Stores a secret, replacing what was there.
    ///
    /// # Errors
    /// When the store did not take it.
    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError>;

    /// Removes a secret. Removing what is not there succeeds.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError>;

    /// Whether there is anything to keep secrets in. A locked keyring is usable as far as this
    /// knows: only a write would tell.
    fn is_usable(&self) -> bool {
        true
    }

    /// Where secrets are kept, one plain sentence for the user.
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
