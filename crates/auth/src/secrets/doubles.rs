//! Stores that fail like real ones, for tests.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{MemoryStore, Secret, SecretError, SecretStore};

/// A machine without a keyring: every operation fails.
#[derive(Debug, Default)]
pub struct NoKeyring;

impl NoKeyring {
    fn error() -> SecretError {
        SecretError::Unavailable {
            reason: "no session bus".to_owned(),
        }
    }
}

impl SecretStore for NoKeyring {
    fn get(&self, _: &str, _: &str) -> Result<Option<Secret>, SecretError> {
        Err(Self::error())
    }
    fn set(&self, _: &str, _: &str, _: &Secret) -> Result<(), SecretError> {
        Err(Self::error())
    }
    fn remove(&self, _: &str, _: &str) -> Result<(), SecretError> {
        Err(Self::error())
    }
    fn describe(&self) -> String {
        "No keyring is available: secrets stay in memory until Sonde quits.".to_owned()
    }
}

/// A keyring that can be locked and unlocked. While it is locked, reads find nothing and writes are refused, as with
/// the Secret Service without a prompter.
#[derive(Debug, Default)]
pub struct LockableKeyring {
    locked: AtomicBool,
    inner: MemoryStore,
}

impl LockableKeyring {
    /// Locks or unlocks the keyring.
    pub fn lock(&self, locked: bool) {
        self.locked.store(locked, Ordering::SeqCst);
    }

    /// Returns the contents, locked or not.
    #[must_use]
    pub fn contents(&self) -> &MemoryStore {
        &self.inner
    }

    fn open(&self) -> Result<(), SecretError> {
        if self.locked.load(Ordering::SeqCst) {
            return Err(SecretError::Locked {
                reason: "the collection is locked".to_owned(),
            });
        }
        Ok(())
    }
}

impl SecretStore for LockableKeyring {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        if self.open().is_err() {
            return Ok(None);
        }
        self.inner.get(owner, name)
    }
    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        self.open()?;
        self.inner.set(owner, name, secret)
    }
    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        self.open()?;
        self.inner.remove(owner, name)
    }
    fn describe(&self) -> String {
        "Secrets are stored in a keyring that can be locked.".to_owned()
    }
}
