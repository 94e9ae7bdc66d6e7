//! The files of the data folder: read at the start, saved when something changes.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::{Notify, watch};
use tokio_util::task::TaskTracker;

#[derive(Deserialize)]
struct Version {
    #[serde(default)]
    version: u64,
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u64,
    #[serde(flatten)]
    saved: &'a T,
}

/// What a file of at most this version holds, or the default where there is none, and whether the
/// file may be written. Files of the first days name no version, and are of the first. A file that
/// cannot be read or understood is set aside first, since the next change writes a new one; one of
/// a newer version of the app is left as it is.
pub(crate) fn read<T: Default + DeserializeOwned>(path: &Path, newest: u64) -> (T, bool) {
    let problem = match std::fs::read(path) {
        Ok(text) => match serde_json::from_slice::<Version>(&text) {
            Ok(Version { version }) if version > newest => {
                tracing::warn!(path = %path.display(), version, "a file of a newer version");
                return (T::default(), false);
            }
            Ok(_) => match serde_json::from_slice(&text) {
                Ok(saved) => return (saved, true),
                Err(error) => place(&error),
            },
            Err(error) => place(&error),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (T::default(), true),
        Err(error) => error.to_string(),
    };
    let aside = sonde_files::set_aside(path);
    tracing::warn!(path = %path.display(), problem, ?aside, "a file could not be read");
    (T::default(), true)
}

/// Not the words of the error: they may quote what the file holds.
fn place(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// The text of such a file.
pub(crate) fn to_bytes(saved: &impl Serialize, version: u64) -> Vec<u8> {
    let versioned = Versioned { version, saved };
    // Names and texts always have a JSON form.
    let text = serde_json::to_string_pretty(&versioned).unwrap_or_default();
    format!("{text}\n").into_bytes()
}

/// Conversions, both ways, between two enums whose variants have the same names and no fields.
macro_rules! same_variants {
    ($a:ty, $b:ty: $($variant:ident),*) => {
        impl From<$a> for $b {
            fn from(value: $a) -> Self {
                match value { $(<$a>::$variant => Self::$variant),* }
            }
        }
        impl From<$b> for $a {
            fn from(value: $b) -> Self {
                match value { $(<$b>::$variant => Self::$variant),* }
            }
        }
    };
}
pub(crate) use same_variants;

/// Saves the latest state of one file in a task of its own. States that were replaced before they
/// were written are skipped, so that a quick series of changes costs one write.
#[derive(Debug)]
pub(crate) struct SavedFile {
    path: PathBuf,
    writable: bool,
    pending: Mutex<Pending>,
    wake: Notify,
    saved: watch::Sender<Saved>,
}

#[derive(Debug, Default)]
struct Pending {
    version: u64,
    bytes: Option<Vec<u8>>,
    hurry: bool,
    closed: bool,
}

#[derive(Clone, Debug, Default)]
struct Saved {
    version: u64,
    error: Option<Arc<str>>,
    over: bool,
}

impl SavedFile {
    /// Starts the task. It waits `delay` before it writes, to gather changes; a file that is not
    /// `writable` is left as it is.
    pub(crate) fn start(
        path: PathBuf,
        delay: Duration,
        writable: bool,
        tasks: &TaskTracker,
    ) -> Arc<Self> {
        let file = Arc::new(Self {
            path,
            writable,
            pending: Mutex::default(),
            wake: Notify::new(),
            saved: watch::Sender::new(Saved::default()),
        });
        tasks.spawn(file.clone().run(delay));
        file
    }

    /// Takes the new text of the file and returns its number; `None` for a file that is left as it
    /// is.
    pub(crate) fn put(&self, bytes: Vec<u8>) -> Option<u64> {
        if !self.writable {
            return None;
        }
        let mut pending = self.lock();
        pending.version += 1;
        pending.bytes = Some(bytes);
        let version = pending.version;
        drop(pending);
        self.wake.notify_one();
        Some(version)
    }

    /// Waits until this version, or a newer one, is on disk.
    ///
    /// # Errors
    /// What the system said when it could not be written.
    pub(crate) async fn written(&self, version: u64) -> Result<(), Arc<str>> {
        let mut saved = self.saved.subscribe();
        match saved
            .wait_for(|saved| saved.version >= version || saved.over)
            .await
        {
            Ok(saved) if saved.version < version => Err(Arc::from("the app is closing")),
            Ok(saved) => saved.error.clone().map_or(Ok(()), Err),
            Err(_) => Err(Arc::from("the app is closing")),
        }
    }

    /// Writes what is pending and ends the task.
    pub(crate) fn close(&self) {
        let mut pending = self.lock();
        pending.closed = true;
        pending.hurry = true;
        drop(pending);
        self.wake.notify_one();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>, delay: Duration) {
        loop {
            self.wake.notified().await;
            if !delay.is_zero() && !self.lock().hurry {
                tokio::select! {
                    () = tokio::time::sleep(delay) => {}
                    // Another change, or the end: either is no reason to wait longer.
                    () = self.wake.notified() => {}
                }
            }
            let (version, bytes, closed) = {
                let mut pending = self.lock();
                (pending.version, pending.bytes.take(), pending.closed)
            };
            if let Some(bytes) = bytes {
                let path = self.path.clone();
                let written =
                    tokio::task::spawn_blocking(move || sonde_files::replace(&path, &bytes)).await;
                let error = match written {
                    Ok(Ok(())) => None,
                    Ok(Err(error)) => Some(error.to_string()),
                    Err(error) => Some(error.to_string()),
                };
                if let Some(error) = &error {
                    tracing::error!(path = %self.path.display(), error, "a file could not be saved");
                }
                self.saved.send_replace(Saved {
                    version,
                    error: error.map(Arc::from),
                    over: closed,
                });
            }
            if closed {
                self.saved.send_modify(|saved| saved.over = true);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Numbers = std::collections::BTreeMap<String, u64>;

    #[test]
    fn a_file_of_a_newer_version_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.json");
        std::fs::write(&path, r#"{"version": 2, "one": 1}"#).unwrap();
        assert_eq!(read::<Numbers>(&path, 1), (Numbers::new(), false));
        assert!(path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.json");
        assert!(read::<Numbers>(&path, 1).0.is_empty());
        std::fs::write(&path, r#"{"one": 1}"#).unwrap();
        assert_eq!(read::<Numbers>(&path, 1).0["one"], 1);
        std::fs::remove_file(&path).unwrap();
        // Not even root can read this one.
        std::fs::create_dir(&path).unwrap();
        assert!(read::<Numbers>(&path, 1).0.is_empty());
        assert!(folder.path().join("file.damaged-1.json").is_dir() && !path.exists());
    }

    #[tokio::test]
    async fn the_latest_state_is_on_disk_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("file.json");
        let tasks = TaskTracker::new();
        let file = SavedFile::start(path.clone(), Duration::from_millis(50), true, &tasks);
        let mut version = 0;
        for number in 0..100 {
            version = file.put(format!("state {number}").into_bytes()).unwrap();
        }
        file.written(version).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "state 99");
        file.put(b"last words".to_vec());
        file.close();
        tasks.close();
        tasks.wait().await;
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "last words");
        let names: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary files are left");
        assert!(file.written(version + 100).await.is_err());
    }

    #[tokio::test]
    async fn a_refusal_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("blocked");
        std::fs::write(&blocked, "a file where a folder is needed").unwrap();
        let tasks = TaskTracker::new();
        let file = SavedFile::start(blocked.join("file.json"), Duration::ZERO, true, &tasks);
        let version = file.put(b"x".to_vec()).unwrap();
        assert!(file.written(version).await.is_err());
    }
}
