//! Secrets of servers: the keyring, and what it would not take.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use sonde_auth::{Secret, SecretError, SecretStore};

use crate::ipc::ServerId;

/// Reads and writes secrets off the runtime's threads, and keeps in memory what the keyring
/// refused, until it takes it or the app ends.
pub(crate) struct SecretKeeper {
    store: Arc<dyn SecretStore>,
    unsaved: Mutex<HashMap<(ServerId, String), Secret>>,
}

impl std::fmt::Debug for SecretKeeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKeeper")
    }
}

impl SecretKeeper {
    pub(crate) fn new(store: Arc<dyn SecretStore>) -> Self {
        Self {
            store,
            unsaved: Mutex::default(),
        }
    }

    /// Where secrets are kept, one plain sentence.
    pub(crate) async fn describe(&self) -> String {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.describe())
            .await
            .unwrap_or_else(|_| "It is not known where secrets are kept.".to_owned())
    }

    /// The names of a server's secrets that are in memory only, in order.
    pub(crate) fn unsaved(&self, server: &str) -> Vec<String> {
        let unsaved = self.lock();
        let mut names: Vec<_> = unsaved
            .keys()
            .filter(|(owner, _)| owner == server)
            .map(|(_, name)| name.clone())
            .collect();
        names.sort();
        names
    }

    pub(crate) async fn get(
        &self,
        server: &str,
        name: &str,
    ) -> Result<Option<Secret>, SecretError> {
        let key = (server.to_owned(), name.to_owned());
        if let Some(secret) = self.lock().get(&key) {
            return Ok(Some(secret.clone()));
        }
        self.ask(move |store| store.get(&key.0, &key.1)).await
    }

    /// Stores a secret; when the keyring refuses, keeps it in memory and says why.
    pub(crate) async fn put(
        &self,
        server: &str,
        name: &str,
        secret: Secret,
    ) -> Result<(), SecretError> {
        let key = (server.to_owned(), name.to_owned());
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

    pub(crate) async fn remove(&self, server: &str, name: &str) -> Result<(), SecretError> {
        let key = (server.to_owned(), name.to_owned());
        self.lock().remove(&key);
        self.ask(move |store| store.remove(&key.0, &key.1)).await
    }

    /// Offers the keyring again what it refused. Returns the servers whose secrets it took.
    pub(crate) async fn retry(&self) -> Vec<ServerId> {
        let waiting: Vec<_> = self
            .lock()
            .iter()
            .map(|(key, secret)| (key.clone(), secret.clone()))
            .collect();
        let mut taken = Vec::new();
        for ((server, name), secret) in waiting {
            if self.put(&server, &name, secret).await.is_ok() && !taken.contains(&server) {
                taken.push(server);
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

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(ServerId, String), Secret>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use sonde_auth::doubles::LockableKeyring;

    use super::*;

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
