//! Locks shared by all instances of the app.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sonde_files::FileLock;
use tokio::sync::OwnedMutexGuard;

/// Pause between attempts to take a lock that another process holds.
const RETRY_PAUSE: Duration = Duration::from_millis(50);
/// Limit of attempts, a minute in all: an instance that hangs must not stop this one.
const MAX_TRIES: u32 = 1_200;

/// Locks by name: a mutex within the process, a locked file between processes. The system unlocks the file however its
/// process ends.
#[derive(Debug, Default)]
pub(super) struct Locks {
    folder: Option<PathBuf>,
    mutexes: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// A lock, released when this is dropped.
#[derive(Debug)]
pub(crate) struct StoreLock {
    // Field order matters: the file is unlocked before the next task of this process continues.
    _file: Option<FileLock>,
    _mutex: OwnedMutexGuard<()>,
}

impl Locks {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            mutexes: Mutex::default(),
        }
    }

    /// Waits for the lock, at most a minute for another process. On a file system without locks, excludes only within
    /// this process.
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

async fn lock_file(path: PathBuf) -> Option<FileLock> {
    for _ in 0..MAX_TRIES {
        let path = path.clone();
        match tokio::task::spawn_blocking(move || FileLock::try_take(&path)).await {
            Ok(Ok(Some(lock))) => return Some(lock),
            Ok(Ok(None)) => tokio::time::sleep(RETRY_PAUSE).await,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a lock file cannot be locked");
                return None;
            }
            Err(_) => return None,
        }
    }
    tracing::warn!("another instance has held a lock for very long; going on without it");
    None
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
        tokio::time::sleep(RETRY_PAUSE * 3).await;
        assert!(!waiting.is_finished());
        drop((held, free));
        waiting.await.unwrap();
    }
}
