//! Locks that all instances of the app share.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::OwnedMutexGuard;

/// How often a lock that another process has is tried again.
const PAUSE: Duration = Duration::from_millis(50);
/// How often at most, which is a minute: an instance that is stopped must not stop this one.
const MAX_TRIES: u32 = 1_200;

/// Locks by name: within the process a mutex, between processes a locked file, which the system
/// unlocks when its process ends in whatever way.
#[derive(Debug, Default)]
pub(super) struct Locks {
    folder: Option<PathBuf>,
    mutexes: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// A lock, released when this is dropped.
#[derive(Debug)]
pub(crate) struct StoreLock {
    // In this order: the file is unlocked before the next task here goes on.
    _file: Option<File>,
    _mutex: OwnedMutexGuard<()>,
}

impl Locks {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            mutexes: Mutex::default(),
        }
    }

    /// Waits for the lock, at most a minute for another process. A file system without locks excludes
    /// within the process alone.
    pub(super) async fn acquire(&self, name: &str) -> StoreLock {
        let mutex = {
            let mut locks = self.mutexes.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(locks.entry(name.to_owned()).or_default())
        };
        let mutex = mutex.lock_owned().await;
        let file = match &self.folder {
            Some(folder) => lock_file(folder.join(format!("{name}.lock"))).await,
            None => None,
        };
        StoreLock {
            _file: file,
            _mutex: mutex,
        }
    }
}

async fn lock_file(path: PathBuf) -> Option<File> {
    let opened = tokio::task::spawn_blocking(move || open(&path))
        .await
        .ok()?;
    let file = match opened {
        Ok(file) => file,
        Err(error) => {
            tracing::warn!(%error, "a lock file cannot be made");
            return None;
        }
    };
    for _ in 0..MAX_TRIES {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "a lock file cannot be locked");
                return None;
            }
        }
    }
    tracing::warn!("another instance has held a lock for very long; going on without it");
    None
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn two_instances_exclude_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let at = || Locks::new(Some(folder.path().to_owned()));
        let (one, other) = (at(), at());
        let held = one.acquire("a").await;
        let free = other.acquire("b").await;
        let waiting = tokio::spawn(async move { other.acquire("a").await });
        tokio::time::sleep(PAUSE * 3).await;
        assert!(!waiting.is_finished());
        drop((held, free));
        waiting.await.unwrap();
    }
}
