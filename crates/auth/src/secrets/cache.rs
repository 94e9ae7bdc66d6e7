//! The keyring for async callers, and a memory of the secrets that it refused.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Secret, SecretError, SecretStore};

/// Reads and writes secrets off the runtime's threads, and keeps in memory what the keyring
/// refused, until it takes it or the app ends.
pub struct SecretCache {
    store: Arc<dyn SecretStore>,
    unsaved: Arc<Mutex<Unsaved>>,
    /// Serializes the changes of the keyring, in the order of the calls.
    writing: Arc<tokio::sync::Mutex<()>>,
}

/// Secrets by owner and name.
type Unsaved = HashMap<(String, String), Secret>;

impl std::fmt::Debug for SecretCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretCache")
    }
}

impl SecretCache {
    /// A cache for this store.
    #[must_use]
    pub fn new(store: Arc<dyn SecretStore>) -> Self {
        Self {
            store,
            unsaved: Arc::default(),
            writing: Arc::default(),
        }
    }

    /// Returns true if a store is available.
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

    /// Describes the store, as one plain sentence.
    pub async fn describe(&self) -> String {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.describe())
            .await
            .unwrap_or_else(|_| "It is unknown where secrets are stored.".to_owned())
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
        self.save(key, secret).await.map(|_| ())
    }

    /// Offers the keyring a secret that is in memory, unless it was replaced, removed or stored
    /// meanwhile. `true` when the keyring took it.
    async fn save(&self, key: (String, String), secret: Secret) -> Result<bool, SecretError> {
        let unsaved = Arc::clone(&self.unsaved);
        self.change(move |store| {
            let current = |unsaved: &Mutex<Unsaved>| open(unsaved).get(&key) == Some(&secret);
            if !current(&unsaved) {
                return Ok(false);
            }
            store.set(&key.0, &key.1, &secret)?;
            if current(&unsaved) {
                open(&unsaved).remove(&key);
            }
            Ok(true)
        })
        .await
    }

    /// Removes a secret from the keyring and from memory.
    ///
    /// # Errors
    /// When the keyring cannot be asked.
    pub async fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        self.lock().remove(&key);
        self.change(move |store| store.remove(&key.0, &key.1)).await
    }

    /// Offers the refused secrets to the keyring again. Returns the owners whose secrets it took, one for
    /// each secret.
    pub async fn retry(&self) -> Vec<String> {
        let waiting: Vec<_> = self
            .lock()
            .iter()
            .map(|(key, secret)| (key.clone(), secret.clone()))
            .collect();
        let mut taken = Vec::new();
        for (key, secret) in waiting {
            let owner = key.0.clone();
            if let Ok(true) = self.save(key, secret).await {
                taken.push(owner);
            }
        }
        taken
    }

    /// Changes the keyring. A caller that is dropped before the end does not release the lock early.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&dyn SecretStore) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let turn = Arc::clone(&self.writing).lock_owned().await;
        self.ask(move |store| {
            let changed = change(store);
            drop(turn);
            changed
        })
        .await
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

    fn lock(&self) -> MutexGuard<'_, Unsaved> {
        open(&self.unsaved)
    }
}

fn open(unsaved: &Mutex<Unsaved>) -> MutexGuard<'_, Unsaved> {
    unsaved.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{MemoryStore, doubles::LockableKeyring},
        *,
    };

    #[tokio::test]
    async fn what_a_locked_keyring_refuses_is_kept_and_offered_again() {
        let store = Arc::new(LockableKeyring::default());
        let cache = SecretCache::new(store.clone());
        store.lock(true);
        let refused = cache.put("s", "env:A", Secret::new("x")).await;
        assert!(matches!(refused, Err(SecretError::Locked { .. })));
        assert_eq!(cache.unsaved("s"), ["env:A"]);
        assert!(cache.get("s", "env:A").await.unwrap() == Some(Secret::new("x")));
        assert!(cache.retry().await.is_empty());

        store.lock(false);
        assert_eq!(cache.retry().await, ["s"]);
        assert!(cache.unsaved("s").is_empty());
        assert!(store.contents().get("s", "env:A").unwrap() == Some(Secret::new("x")));
        cache.remove("s", "env:A").await.unwrap();
        assert!(store.contents().is_empty());
    }

    /// Is slow, like a keyring that asks its user.
    struct Slow(MemoryStore);

    impl SecretStore for Slow {
        fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
            self.0.get(owner, name)
        }
        fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
            std::thread::sleep(std::time::Duration::from_millis(30));
            self.0.set(owner, name, secret)
        }
        fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
            self.0.remove(owner, name)
        }
        fn describe(&self) -> String {
            "Secrets are kept slowly.".to_owned()
        }
    }

    #[tokio::test]
    async fn nobody_loses_a_secret_that_two_offer_at_once() {
        let store = Arc::new(Slow(MemoryStore::default()));
        let cache = SecretCache::new(store.clone());
        let key = || ("s".to_owned(), "env:A".to_owned());
        cache.lock().insert(key(), Secret::new("old"));
        let (first, second) = tokio::join!(cache.retry(), cache.retry());
        assert_eq!(first.len() + second.len(), 1);
        assert!(cache.get("s", "env:A").await.unwrap() == Some(Secret::new("old")));

        // What is offered again does not come after what replaced it.
        cache.lock().insert(key(), Secret::new("old"));
        let (_, put) = tokio::join!(cache.retry(), cache.put("s", "env:A", Secret::new("new")));
        put.unwrap();
        assert!(store.0.get("s", "env:A").unwrap() == Some(Secret::new("new")));
        assert!(cache.unsaved("s").is_empty());

        // Nor does it bring back what was removed.
        cache.lock().insert(key(), Secret::new("old"));
        let (_, removed) = tokio::join!(cache.retry(), cache.remove("s", "env:A"));
        removed.unwrap();
        assert!(store.0.is_empty() && cache.unsaved("s").is_empty());
    }
}
