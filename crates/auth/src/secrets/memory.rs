//! Secrets in memory, for the lifetime of the app.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use super::{Secret, SecretError, SecretStore};

/// Keeps secrets in memory only.
#[derive(Debug, Default)]
pub struct MemoryStore {
    secrets: Mutex<HashMap<(String, String), Secret>>,
}

impl MemoryStore {
    /// True without secrets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Secret>> {
        // The map is consistent between any two operations, also after a panic.
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SecretStore for MemoryStore {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        Ok(self
            .lock()
            .get(&(owner.to_owned(), name.to_owned()))
            .cloned())
    }

    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        self.lock()
            .insert((owner.to_owned(), name.to_owned()), secret.clone());
        Ok(())
    }

    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        self.lock().remove(&(owner.to_owned(), name.to_owned()));
        Ok(())
    }

    fn describe(&self) -> String {
        "Secrets stay in memory until Sonde quits.".to_owned()
    }
}
