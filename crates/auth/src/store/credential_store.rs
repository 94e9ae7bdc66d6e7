//! The tokens and registrations of all servers.

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{
    grant::{Grant, GrantKey, digest},
    index::{CredentialKind, Entry, Index, ServerEntry},
    lock::{Locks, StoreLock},
};
use crate::{Clock, Secret, SecretCache, SecretError, flow::client::Registration};

/// The keyring owner of all these secrets.
const OWNER: &str = "oauth";
/// The lock around changes of the index.
const INDEX_LOCK: &str = "index";
/// Pause before an unreadable file is read again.
const READ_PAUSE: Duration = Duration::from_millis(100);

/// A stored credential, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredential {
    /// Id of the credential, for deleting it.
    pub id: String,
    /// The credential.
    pub entry: Entry,
    /// Servers that use the credential.
    pub servers: Vec<String>,
    /// The credential is only in memory, since the keyring did not accept it.
    pub in_memory: bool,
}

/// Credentials of a server: its token, and its registration.
#[derive(Debug)]
pub struct ServerCredentials {
    used: ServerEntry,
    /// With their ids.
    stored: Vec<(String, Entry, Secret)>,
}

/// Effect of storing a token on the server that it was issued for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assignment {
    /// The server uses it from now on.
    Replace,
    /// The server keeps its token; it uses this token only if it has none.
    KeepExisting,
}

/// Tokens and registrations: secrets through a [`SecretCache`], their index in a file.
pub struct CredentialStore {
    secrets: Arc<SecretCache>,
    file: Option<PathBuf>,
    locks: Locks,
    clock: Clock,
    /// The index, if there is no file or it cannot be read or written.
    memory: Mutex<Option<Index>>,
}

impl std::fmt::Debug for CredentialStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CredentialStore").finish_non_exhaustive()
    }
}

impl CredentialStore {
    /// Creates a store with its index and locks in this folder. `None` keeps the index in memory and locks out no other
    /// process.
    #[must_use]
    pub fn new(secrets: Arc<SecretCache>, folder: Option<&Path>, clock: Clock) -> Self {
        Self {
            secrets,
            file: folder.map(|folder| folder.join("credentials.json")),
            locks: Locks::new(folder.map(|folder| folder.join("locks"))),
            clock,
            memory: Mutex::default(),
        }
    }

    /// Takes the lock of a token: only one instance of the app refreshes it at a time.
    pub(crate) async fn lock(&self, key: &GrantKey) -> StoreLock {
        self.locks.acquire(&lock_name(&key.id())).await
    }

    /// Returns the key of the token that a server used last.
    pub(crate) async fn key_for_server(&self, server: &str) -> Option<GrantKey> {
        let used = self.read().await.servers.remove(server)?;
        GrantKey::from_id(&used.grant?)
    }

    /// Returns the token that a server used last.
    pub(crate) async fn grant_for_server(
        &self,
        server: &str,
    ) -> Result<Option<Grant>, SecretError> {
        match self.key_for_server(server).await {
            Some(key) => self.grant(&key).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn grant(&self, key: &GrantKey) -> Result<Option<Grant>, SecretError> {
        let secret = self.secrets.get(OWNER, &key.id()).await?;
        Ok(secret.as_ref().and_then(Grant::read))
    }

    /// True if the index has the token, even if the keyring does not return it.
    pub(crate) async fn is_indexed(&self, key: &GrantKey) -> bool {
        self.read().await.entries.contains_key(&key.id())
    }

    /// Stores a token. `Err` is the reason why it is only in memory.
    pub(crate) async fn put_grant(
        &self,
        grant: &Grant,
        assignment: Assignment,
    ) -> Result<(), SecretError> {
        let id = grant.key().id();
        let entry = Entry {
            kind: CredentialKind::Token,
            issuer: grant.issuer.clone(),
            client_id: grant.client_id.clone(),
            resource: Some(grant.resource.clone()),
            saved_at: (self.clock)(),
        };
        // The secret is stored first: an index entry without a secret is useless, but the next sign-in finds a secret
        // without an entry.
        let kept = match grant.secret() {
            Some(secret) => self.secrets.put(OWNER, &id, secret).await,
            None => Ok(()),
        };
        let mut unused = None;
        self.change(|index| {
            let known = index.entries.get(&id).is_some_and(|known| {
                (&known.issuer, &known.client_id) == (&entry.issuer, &entry.client_id)
            });
            let server = index.servers.get(&grant.server);
            let mut changed = !known;
            if assignment == Assignment::Replace || server.is_none_or(|used| used.grant.is_none()) {
                let (new, previous) = index.assign(&grant.server, |used| &mut used.grant, &id);
                changed |= new;
                unused = previous;
            }
            index.entries.insert(id, entry);
            changed
        })
        .await;
        self.delete_replaced(unused).await;
        kept
    }

    /// True if the token is only in memory.
    pub(crate) fn is_unsaved(&self, key: &GrantKey) -> bool {
        self.secrets.unsaved(OWNER).contains(&key.id())
    }

    /// Removes a token for all servers that use it; the caller holds its lock.
    pub(crate) async fn remove_locked(&self, key: &GrantKey) -> Result<(), SecretError> {
        self.remove(&key.id()).await
    }

    /// Removes the token that a server used last, whatever it was for.
    pub(crate) async fn delete_grant_of(&self, server: &str) -> Result<(), SecretError> {
        let used = self.read().await.servers.remove(server);
        match used.and_then(|used| used.grant) {
            Some(id) => self.delete(&id).await,
            None => Ok(()),
        }
    }

    /// True if the index has a token for this server, even if the keyring does not return it.
    pub(crate) async fn has_grant(&self, server: &str) -> bool {
        let index = self.read().await;
        index
            .servers
            .get(server)
            .is_some_and(|used| used.grant.is_some())
    }

    /// Returns the issuers of the stored credentials that this server uses.
    pub(crate) async fn known_issuers(&self, server: &str) -> HashSet<String> {
        let index = self.read().await;
        index.issuers(server).map(str::to_owned).collect()
    }

    /// Returns the resources, except this one, for which other servers use a token or a registration of this issuer.
    pub(crate) async fn other_resources(
        &self,
        server: &str,
        issuer: &str,
        resource: &str,
    ) -> Vec<String> {
        let index = self.read().await;
        let others = index.other_resources(server, issuer, resource);
        others.into_iter().map(str::to_owned).collect()
    }

    /// Returns the registration for requesting tokens of this resource from this issuer. Each resource has its own: an
    /// authorization server may give tokens to a known client without asking the user.
    pub(crate) async fn registration(&self, issuer: &str, resource: &str) -> Option<Registration> {
        let id = client_id(issuer, resource);
        let secret = self.secrets.get(OWNER, &id).await.ok()??;
        serde_json::from_str(secret.expose()).ok()
    }

    /// Notes that a server uses this registration.
    pub(crate) async fn use_registration(&self, server: &str, issuer: &str, resource: &str) {
        let id = client_id(issuer, resource);
        let mut unused = None;
        self.change(|index| {
            let changed;
            (changed, unused) = index.assign(server, |used| &mut used.registration, &id);
            changed
        })
        .await;
        self.delete_replaced(unused).await;
    }

    /// Stores a registration, which this server uses from now on.
    pub(crate) async fn put_registration(
        &self,
        server: &str,
        issuer: &str,
        resource: &str,
        registration: &Registration,
    ) {
        let id = client_id(issuer, resource);
        let Ok(text) = serde_json::to_string(registration) else {
            return;
        };
        if let Err(error) = self.secrets.put(OWNER, &id, Secret::new(text)).await {
            tracing::warn!(%error, "a registration is kept in memory only");
        }
        let entry = Entry {
            kind: CredentialKind::Client,
            issuer: issuer.to_owned(),
            client_id: registration.client_id.clone(),
            resource: Some(resource.to_owned()),
            saved_at: (self.clock)(),
        };
        let mut unused = None;
        self.change(|index| {
            (_, unused) = index.assign(server, |used| &mut used.registration, &id);
            index.entries.insert(id, entry);
            true
        })
        .await;
        self.delete_replaced(unused).await;
    }

    /// Removes a registration, if it still belongs to this client.
    pub(crate) async fn remove_registration(&self, issuer: &str, resource: &str, client: &str) {
        let stored = self.registration(issuer, resource).await;
        if stored.is_some_and(|stored| stored.client_id != client) {
            return;
        }
        if let Err(error) = self.delete(&client_id(issuer, resource)).await {
            tracing::warn!(%error, "a registration could not be removed");
        }
    }

    /// Returns the authorization server that may see the credentials that the user entered for a server, if there is
    /// one.
    pub(crate) async fn client_issuer(&self, server: &str) -> Option<String> {
        self.read().await.servers.remove(server)?.client_issuer
    }

    /// Sets the authorization server that may see the credentials that the user entered for a server, unless there is
    /// one; returns the one that may.
    pub(crate) async fn bind_client(&self, server: &str, issuer: &str) -> String {
        let mut bound = issuer.to_owned();
        self.change(|index| {
            let used = index.servers.entry(server.to_owned()).or_default();
            match &used.client_issuer {
                Some(first) => {
                    bound.clone_from(first);
                    false
                }
                None => {
                    used.client_issuer = Some(issuer.to_owned());
                    true
                }
            }
        })
        .await;
        bound
    }

    /// Forgets which authorization server may see the user's credentials for a server, after the user changed its
    /// sign-in.
    pub async fn unbind_client(&self, server: &str) {
        self.change(|index| match index.servers.get_mut(server) {
            Some(used) => used.client_issuer.take().is_some(),
            None => false,
        })
        .await;
    }

    /// Forgets a server that left the list, and the credentials that no other server uses.
    ///
    /// # Errors
    /// If the keyring cannot be asked.
    pub async fn forget_server(&self, server: &str) -> Result<(), SecretError> {
        let mut orphans = Vec::new();
        self.change(|index| {
            let Some(used) = index.servers.remove(server) else {
                return false;
            };
            let ids = [used.grant, used.registration].into_iter().flatten();
            orphans.extend(ids.filter(|id| index.users(id).is_empty()));
            true
        })
        .await;
        let mut deleted = Ok(());
        for id in orphans {
            deleted = deleted.and(self.delete_unused(&id).await);
        }
        deleted
    }

    /// Returns the credentials of a server, so that they can be restored after [`Self::forget_server`]. `None` if it
    /// uses none.
    pub async fn server_credentials(&self, server: &str) -> Option<ServerCredentials> {
        let mut index = self.read().await;
        let used = index.servers.remove(server)?;
        let mut stored = Vec::new();
        for id in [&used.grant, &used.registration].into_iter().flatten() {
            let entry = index.entries.remove(id);
            let secret = self.secrets.get(OWNER, id).await.ok().flatten();
            let known = entry.zip(secret);
            stored.extend(known.map(|(entry, secret)| (id.clone(), entry, secret)));
        }
        Some(ServerCredentials { used, stored })
    }

    /// Restores the credentials of a server, unless they are stored again.
    ///
    /// # Errors
    /// If the keyring refused one of them; it is still in memory.
    pub async fn give_back(
        &self,
        server: &str,
        credentials: ServerCredentials,
    ) -> Result<(), SecretError> {
        let ServerCredentials { mut used, stored } = credentials;
        let mut kept = Ok(());
        let mut entries = Vec::new();
        for (id, entry, secret) in stored {
            if !self.read().await.entries.contains_key(&id) {
                kept = kept.and(self.secrets.put(OWNER, &id, secret).await);
            }
            entries.push((id, entry));
        }
        self.change(|index| {
            for (id, entry) in entries {
                index.entries.entry(id).or_insert(entry);
            }
            // Credentials that could not be read stay deleted.
            for one in [&mut used.grant, &mut used.registration] {
                one.take_if(|id| !index.entries.contains_key(id));
            }
            if used == ServerEntry::default() {
                return false;
            }
            index.servers.insert(server.to_owned(), used);
            true
        })
        .await;
        kept
    }

    /// Returns all stored credentials, newest first.
    pub async fn list(&self) -> Vec<StoredCredential> {
        let index = self.read().await;
        let unsaved = self.secrets.unsaved(OWNER);
        let mut all: Vec<StoredCredential> = index
            .entries
            .iter()
            .map(|(id, entry)| StoredCredential {
                id: id.clone(),
                entry: entry.clone(),
                servers: index.users(id),
                in_memory: unsaved.contains(id),
            })
            .collect();
        all.sort_by_key(|stored| std::cmp::Reverse(stored.entry.saved_at));
        all
    }

    /// Deletes a stored credential. Succeeds if it does not exist. Waits for a refresh of it.
    ///
    /// # Errors
    /// If the keyring cannot be asked; then the credential stays in the list, and no server uses it.
    pub async fn delete(&self, id: &str) -> Result<(), SecretError> {
        let _lock = self.locks.acquire(&lock_name(id)).await;
        self.remove(id).await
    }

    /// Deletes a credential, unless a server has begun to use it again.
    async fn delete_unused(&self, id: &str) -> Result<(), SecretError> {
        let _lock = self.locks.acquire(&lock_name(id)).await;
        match self.read().await.users(id).is_empty() {
            true => self.remove(id).await,
            false => Ok(()),
        }
    }

    async fn delete_replaced(&self, id: Option<String>) {
        if let Some(id) = id
            && let Err(error) = self.delete_unused(&id).await
        {
            tracing::warn!(%error, "a credential that no server uses could not be deleted");
        }
    }

    async fn remove(&self, id: &str) -> Result<(), SecretError> {
        // Whatever the keyring does, no server uses the credential again.
        self.change(|index| {
            let mut changed = false;
            for used in index.servers.values_mut() {
                for entry in [&mut used.grant, &mut used.registration] {
                    if entry.as_deref() == Some(id) {
                        *entry = None;
                        changed = true;
                    }
                }
            }
            index
                .servers
                .retain(|_, used| *used != ServerEntry::default());
            changed
        })
        .await;
        self.secrets.remove(OWNER, id).await?;
        self.change(|index| index.entries.remove(id).is_some())
            .await;
        Ok(())
    }

    async fn read(&self) -> Index {
        if let Some(index) = self.memory().clone() {
            return index;
        }
        let Some(path) = self.file.clone() else {
            return Index::default();
        };
        match tokio::task::spawn_blocking(move || Index::read(&path)).await {
            Ok(Ok(index)) => index,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the index of stored tokens cannot be read");
                Index::default()
            }
            Err(_) => Index::default(),
        }
    }

    /// Changes the index under its lock. `change` returns true if there is anything to write. An unreadable index is
    /// not overwritten: the changes stay in memory then.
    async fn change(&self, change: impl FnOnce(&mut Index) -> bool) {
        let _lock = self.locks.acquire(INDEX_LOCK).await;
        let known = self.memory().clone();
        let (mut index, file) = match (known, self.file.clone()) {
            (Some(index), _) => (index, None),
            (None, None) => (Index::default(), None),
            (None, Some(path)) => {
                let place = path.clone();
                let read = tokio::task::spawn_blocking(move || match Index::read(&place) {
                    Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                        tracing::warn!(%error, "the index of stored tokens is damaged");
                        Index::set_aside(&place).map(|()| Index::default())
                    }
                    // The cause may be temporary, such as a lack of file handles, so the file is read again.
                    Err(_) => {
                        std::thread::sleep(READ_PAUSE);
                        Index::read(&place)
                    }
                    read => read,
                });
                match read.await {
                    Ok(Ok(index)) => (index, Some(path)),
                    _ => (Index::default(), None),
                }
            }
        };
        if !change(&mut index) {
            return;
        }
        let Some(path) = file else {
            *self.memory() = Some(index);
            return;
        };
        let copy = index.clone();
        let written = tokio::task::spawn_blocking(move || copy.write(&path)).await;
        if !matches!(written, Ok(Ok(()))) {
            tracing::warn!(?written, "the index of stored tokens cannot be written");
            *self.memory() = Some(index);
        }
    }

    fn memory(&self) -> MutexGuard<'_, Option<Index>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a valid file name for a lock.
fn lock_name(id: &str) -> String {
    id.replace(':', "-")
}

fn client_id(issuer: &str, resource: &str) -> String {
    format!("client:{}", digest(&[issuer, resource]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryStore, flow::client::ClientAuth};

    #[tokio::test]
    async fn a_registration_leaves_with_its_last_server_and_comes_back() {
        let keyring = Arc::new(MemoryStore::default());
        let cache = Arc::new(SecretCache::new(keyring.clone()));
        let store = CredentialStore::new(cache, None, Arc::new(|| 1));
        let (issuer, resource) = ("https://a.example", "https://s.example");
        let registration = Registration {
            client_id: "c".to_owned(),
            client_secret: Some("hush".to_owned()),
            secret_expires_at: 0,
            auth: ClientAuth::None,
            redirect_uri: None,
        };
        let put = store.put_registration("one", issuer, resource, &registration);
        put.await;
        store.use_registration("two", issuer, resource).await;
        store.forget_server("one").await.unwrap();
        let id = client_id(issuer, resource);
        store.delete_unused(&id).await.unwrap();
        assert!(store.registration(issuer, resource).await.is_some());
        let credentials = store.server_credentials("two").await.unwrap();
        store.forget_server("two").await.unwrap();
        assert!(keyring.is_empty() && store.list().await.is_empty());
        store.give_back("two", credentials).await.unwrap();
        assert!(store.registration(issuer, resource).await.is_some());
        assert_eq!(store.list().await[0].servers, ["two"]);
    }
}
