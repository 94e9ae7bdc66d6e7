//! The keyring for async callers, and a cache of the secrets that it refused.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{Secret, SecretError, SecretStore};

/// Reads and writes secrets off the runtime's threads. Keeps secrets that the keyring refused in memory until the
/// keyring accepts them or the app ends.
pub struct SecretCache {
    store: Arc<dyn SecretStore>,
    unsaved: Arc<Mutex<Unsaved>>,
    /// Serializes requests to the keyring in the order of the calls, because it asks the user one thing at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Number of requests that were refused because the keyring is locked.
    refusals: Arc<AtomicU64>,
}

/// Secrets by owner and name.
type Unsaved = BTreeMap<(String, String), Secret>;

impl std::fmt::Debug for SecretCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretCache")
    }
}

impl SecretCache {
    /// Creates a cache for this store.
    #[must_use]
    pub fn new(store: Arc<dyn SecretStore>) -> Self {
        Self {
            store,
            unsaved: Arc::default(),
            turn: Arc::default(),
            refusals: Arc::default(),
        }
    }

    /// True if a store is available.
    pub async fn is_usable(&self) -> bool {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.is_usable())
            .await
            .unwrap_or(false)
    }

    /// Returns owner and name of all secrets that are only in memory, in order.
    #[must_use]
    pub fn all_unsaved(&self) -> Vec<(String, String)> {
        self.lock().keys().cloned().collect()
    }

    /// Describes the store, as one plain sentence.
    pub async fn describe(&self) -> String {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || store.describe())
            .await
            .unwrap_or_else(|_| "It is unknown where secrets are stored.".to_owned())
    }

    /// Returns the names of an owner's secrets that are only in memory, in order.
    #[must_use]
    pub fn unsaved(&self, owner: &str) -> Vec<String> {
        let unsaved = self.lock();
        let of_owner = unsaved.keys().filter(|(other, _)| other == owner);
        of_owner.map(|(_, name)| name.clone()).collect()
    }

    /// Reads a secret; a value that is only in memory comes first.
    ///
    /// # Errors
    /// If the keyring cannot be asked, or its value is damaged.
    pub async fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        if let Some(secret) = self.lock().get(&key) {
            return Ok(Some(secret.clone()));
        }
        self.ask(move |store| store.get(&key.0, &key.1)).await
    }

    /// Stores a secret. If the keyring refuses it, keeps it in memory and returns the reason.
    ///
    /// # Errors
    /// If the keyring did not accept it; it is still in memory.
    pub async fn put(&self, owner: &str, name: &str, secret: Secret) -> Result<(), SecretError> {
        // Kept in memory first: whatever the keyring does, the value is there for the next connect.
        self.hold(owner, name, secret.clone());
        let key = (owner.to_owned(), name.to_owned());
        self.save(key, secret).await.map(|_| ())
    }

    /// Keeps a secret in memory; [`Self::retry`] offers it to the keyring.
    pub fn hold(&self, owner: &str, name: &str, secret: Secret) {
        let key = (owner.to_owned(), name.to_owned());
        self.lock().insert(key, secret);
    }

    /// Offers the keyring a secret that is in memory, unless it was replaced, removed or stored meanwhile. `true` if
    /// the keyring accepted it.
    async fn save(&self, key: (String, String), secret: Secret) -> Result<bool, SecretError> {
        let unsaved = Arc::clone(&self.unsaved);
        self.ask(move |store| {
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
    /// If the keyring cannot be asked.
    pub async fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        let key = (owner.to_owned(), name.to_owned());
        self.lock().remove(&key);
        self.ask(move |store| store.remove(&key.0, &key.1)).await
    }

    /// Offers the secrets in memory to the keyring. Returns the owner of each accepted secret, and the last refusal. A
    /// locked keyring is asked only once, because each request opens a dialog.
    pub async fn retry(&self) -> (Vec<String>, Option<SecretError>) {
        let waiting = self.lock().clone();
        let (mut taken, mut refused) = (Vec::new(), None);
        for (key, secret) in waiting {
            let owner = key.0.clone();
            match self.save(key, secret).await {
                Ok(true) => taken.push(owner),
                Ok(false) => {}
                Err(error) => {
                    let is_locked = matches!(error, SecretError::Locked { .. });
                    refused = Some(error);
                    if is_locked {
                        break;
                    }
                }
            }
        }
        (taken, refused)
    }

    /// Calls the keyring. A caller that is dropped early does not give up its turn early. If the user refuses to unlock
    /// the keyring, callers that waited meanwhile are refused as well.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn SecretStore) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let refusals = self.refusals.load(Ordering::SeqCst);
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if self.refusals.load(Ordering::SeqCst) != refusals {
            return Err(SecretError::Locked {
                reason: "it was not unlocked".to_owned(),
            });
        }
        let (store, refusals) = (Arc::clone(&self.store), Arc::clone(&self.refusals));
        let answer = tokio::task::spawn_blocking(move || {
            let answer = question(&*store);
            if let Err(SecretError::Locked { .. }) = &answer {
                refusals.fetch_add(1, Ordering::SeqCst);
            }
            drop(turn);
            answer
        });
        answer.await.unwrap_or_else(|error| {
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
        let (taken, refused) = cache.retry().await;
        assert!(taken.is_empty() && matches!(refused, Some(SecretError::Locked { .. })));

        store.lock(false);
        assert_eq!(cache.retry().await.0, ["s"]);
        assert!(cache.unsaved("s").is_empty());
        assert!(store.contents().get("s", "env:A").unwrap() == Some(Secret::new("x")));
        cache.remove("s", "env:A").await.unwrap();
        assert!(store.contents().is_empty());
    }

    /// A locked keyring that counts its dialogs; the user refuses once all callers wait.
    #[derive(Default)]
    struct RefusingStore {
        asked: AtomicU64,
        all_callers_wait: Mutex<bool>,
        refuses: std::sync::Condvar,
    }

    impl RefusingStore {
        fn refuse(&self) -> SecretError {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let waiting = self.all_callers_wait.lock().unwrap();
            drop(self.refuses.wait_while(waiting, |all| !*all).unwrap());
            SecretError::Locked {
                reason: "dismissed".to_owned(),
            }
        }
    }

    impl SecretStore for RefusingStore {
        fn get(&self, _: &str, _: &str) -> Result<Option<Secret>, SecretError> {
            Err(self.refuse())
        }
        fn set(&self, _: &str, _: &str, _: &Secret) -> Result<(), SecretError> {
            Err(self.refuse())
        }
        fn remove(&self, _: &str, _: &str) -> Result<(), SecretError> {
            Err(self.refuse())
        }
        fn describe(&self) -> String {
            String::new()
        }
    }

    #[tokio::test]
    async fn the_user_is_asked_once_for_all_who_wait() {
        let store = Arc::new(RefusingStore::default());
        let cache = SecretCache::new(store.clone());
        let get = |owner: &'static str| cache.get(owner, "env:A");
        let refuse = async {
            // Polled last, when all have called or wait.
            *store.all_callers_wait.lock().unwrap() = true;
            store.refuses.notify_all();
        };
        let (one, two, put, ()) = tokio::join!(
            get("s"),
            get("t"),
            cache.put("u", "env:A", Secret::new("x")),
            refuse
        );
        assert!(one.is_err() && two.is_err() && put.is_err());
        assert_eq!(store.asked.load(Ordering::SeqCst), 1);
        cache.hold("u", "env:B", Secret::new("y"));
        assert!(cache.retry().await.1.is_some());
        assert_eq!(store.asked.load(Ordering::SeqCst), 2, "once for both");
        assert!(get("s").await.is_err());
        assert_eq!(store.asked.load(Ordering::SeqCst), 3, "a new question");
    }

    /// A slow keyring, as if it asked its user.
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
        assert_eq!(first.0.len() + second.0.len(), 1);
        assert!(cache.get("s", "env:A").await.unwrap() == Some(Secret::new("old")));

        // An old value does not replace a newer one when it is offered again.
        cache.lock().insert(key(), Secret::new("old"));
        let (_, put) = tokio::join!(cache.retry(), cache.put("s", "env:A", Secret::new("new")));
        put.unwrap();
        assert!(store.0.get("s", "env:A").unwrap() == Some(Secret::new("new")));
        assert!(cache.unsaved("s").is_empty());

        // An old value is not stored again after its removal.
        cache.lock().insert(key(), Secret::new("old"));
        let (_, removed) = tokio::join!(cache.retry(), cache.remove("s", "env:A"));
        removed.unwrap();
        assert!(store.0.is_empty() && cache.unsaved("s").is_empty());
    }
}
