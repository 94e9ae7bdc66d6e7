//! The keyring for async callers, and a memory of what it would not take.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Secret, SecretError, SecretStore};

/// Reads and writes secrets off the runtime's threads, and keeps in memory what the keyring
/// refused, until it takes it or the app ends.
pub struct SecretKeeper {
    store: Arc<dyn SecretStore>,
    unsaved: Mutex<HashMap<(String, String), Secret>>,
}

impl std::fmt::Debug for SecretKeeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKeeper")
    }
}

impl SecretKeeper {
    /// A keeper for this store.
    #[must_use]
    pub fn new(store: Arc<dyn SecretStore>) -> Self {
        Self {
            store,
            unsaved: Mutex::default(),
        }
    }

    /// Whether there is anything to keep secrets in.
    pub async fn is_usable(&self) -> bool {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.is_usable())
            .await
            .unwrap_or(false)
    }

    /// Everything that is in memory only, by owner and name, in order.
    #[must_use]
    pub fn all_unsaved(&self) -> Vec<(String, String)> {
        let mut all: Vec<_> = self.lock().keys().cloned().collect();
        all.sort();
        all
    }

    /// Where secrets are kept, one plain sentence.
    pub async fn describe(&self) -> String {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.describe())
            .await
            .unwrap_or_else(|_| "It is not known where secrets are kept.".to_owned())
    }

    /// The names of an owner's secrets that are in memory only, in order.
    #[must_use]
    pub fn unsaved(&self, owner: &str) -> Vec<String> {
        let unsaved = self.lock();
        let mut names: Vec<_> = unsaved
            .keys()
            .filter(|(other, _)| other == owner)
            .map(|(_, name)| name.clone())
            .collect();
        names.sort();
        names
    }

    /// Reads a secret; what is in memory only comes first.
    ///
    /// # Errors
    /// When the keyring cannot be asked, or what it holds is damaged.
    pub async fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        if let Some(secret) = self.lock().get(&key) {
            return Ok(Some(secret.clone()));
        }
        self.ask(move |store| store.get(&key.0, &key.1)).await
    }

    /// Stores a secret; when the keyring refuses, keeps it in memory and says why.
    ///
    /// # Errors
    /// When the keyring did not take it; it is in memory all the same.
    pub async fn put(&self, owner: &str, name: &str, secret: Secret) -> Result<(), SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        // In memory first: whatever the keyring does, the value is there for the next connect.
        self.lock().insert(key.clone(), secret.clone());
        let (owner, name) = key.clone();
        let kept = secret.clone();
        self.ask(move |store| store.set(&owner, &name, &kept))
            .await?;
        let mut unsaved = self.lock();
        // Only if no newer value took its place meanwhile.
        if unsaved.get(&key) == Some(&secret) {
            unsaved.remove(&key);
        }
        Ok(())
    }

    /// Removes a secret from the keyring and from memory.
    ///
    /// # Errors
    /// When the keyring cannot be asked.
    pub async fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        self.lock().remove(&key);
        self.ask(move |store| store.remove(&key.0, &key.1)).await
    }

    /// Offers the keyring again what it refused. Returns the owners whose secrets it took, one for
    /// each secret.
    pub async fn retry(&self) -> Vec<String> {
        let waiting: Vec<_> = self
            .lock()
            .iter()
            .map(|(key, secret)| (key.clone(), secret.clone()))
            .collect();
        let mut taken = Vec::new();
        for (key, secret) in waiting {
            let (owner, name) = key.clone();
            let offered = secret.clone();
            // What was removed or replaced meanwhile is not brought back.
            if self.lock().get(&key) != Some(&secret) {
                continue;
            }
            let stored = self
                .ask(move |store| store.set(&owner, &name, &offered))
                .await;
            let still = {
                let mut unsaved = self.lock();
                let still = unsaved.get(&key) == Some(&secret);
                if still && stored.is_ok() {
                    unsaved.remove(&key);
                }
                still
            };
            match (stored, still) {
                (Ok(()), true) => taken.push(key.0),
                (Ok(()), false) if !self.lock().contains_key(&key) => {
                    let (owner, name) = key;
                    let _ = self.ask(move |store| store.remove(&owner, &name)).await;
                }
                _ => {}
            }
        }
        taken
    }

    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn SecretStore) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || question(&*store))
            .await
            .unwrap_or_else(|error| {
                Err(SecretError::Failed {
                    reason: format!("asking it failed: {error}"),
                })
            })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Secret>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::doubles::LockableKeyring, *};

    #[tokio::test]
    async fn what_a_locked_keyring_refuses_is_kept_and_offered_again() {
        let store = Arc::new(LockableKeyring::default());
        let keeper = SecretKeeper::new(store.clone());
        store.lock(true);
        let refused = keeper.put("s", "env:A", Secret::new("x")).await;
        assert!(matches!(refused, Err(SecretError::Locked { .. })));
        assert_eq!(keeper.unsaved("s"), ["env:A"]);
        assert!(keeper.get("s", "env:A").await.unwrap() == Some(Secret::new("x")));
        assert!(keeper.retry().await.is_empty());

        store.lock(false);
        assert_eq!(keeper.retry().await, ["s"]);
        assert!(keeper.unsaved("s").is_empty());
        assert!(store.contents().get("s", "env:A").unwrap() == Some(Secret::new("x")));
        keeper.remove("s", "env:A").await.unwrap();
        assert!(store.contents().is_empty());
    }
}
