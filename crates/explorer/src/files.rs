//! The files of the data folder: read at the start, saved when something changes.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::{Notify, watch};

use crate::lock;

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

/// A file of the data folder, `{name}.json`, with the description that notices use.
#[derive(Debug)]
pub(crate) struct DataFile {
    pub(crate) name: &'static str,
    /// Content of the file, as the beginning of a sentence.
    pub(crate) what: &'static str,
    /// The version that is written. Older ones are read as well.
    pub(crate) version: u64,
}

pub(crate) const SERVERS: DataFile = DataFile::new("servers", "The server list");
pub(crate) const SETTINGS: DataFile = DataFile::new("settings", "The settings file");
pub(crate) const DRAFTS: DataFile = DataFile {
    version: 2,
    ..DataFile::new("drafts", "The file of typed arguments")
};
pub(crate) const SAVED_INPUTS: DataFile = DataFile::new("saved_inputs", "The file of saved inputs");
pub(crate) const PRESENTATIONS: DataFile =
    DataFile::new("presentations", "The file of presentations");
/// Accepted definitions of servers: a folder with a file for each server.
pub(crate) const DEFINITIONS: DataFile =
    DataFile::new("definitions", "The file of accepted definitions");
/// Checks of servers: a folder with a file and a folder of suites for each server.
pub(crate) const CHECKS: DataFile = DataFile::new("checks", "The results of checks");
/// The stored runs: no file, but a folder of files.
pub(crate) const HISTORY: DataFile = DataFile::new("history", "The history of runs");

/// True if the id of a server can name a file or a folder. It may come from a file that somebody has changed, so only
/// plain names are used: nothing is stored for other servers.
pub(crate) fn is_plain(server: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !server.is_empty() && server.len() <= 64 && server.bytes().all(plain)
}

impl DataFile {
    const fn new(name: &'static str, what: &'static str) -> Self {
        Self {
            name,
            what,
            version: 1,
        }
    }

    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.json", self.name))
    }

    /// Reads it in the data folder. Blocks.
    pub(crate) fn read<T: DeserializeOwned>(&self, folder: &Path) -> Read<T> {
        read(&self.path(folder), self, parse)
    }

    /// Path of data that is stored as a folder.
    pub(crate) fn folder(&self, folder: &Path) -> PathBuf {
        folder.join(self.name)
    }

    /// The code of the notice that it cannot be saved.
    pub(crate) fn not_saved(&self) -> String {
        format!("{}_not_saved", self.name)
    }
}

/// Notice for the user: code, title, detail.
pub(crate) type Told = (String, String, Option<String>);

/// Result of reading a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Read<T> {
    /// `None` without a file, and for a file that gives nothing: then there is a notice.
    pub(crate) saved: Option<T>,
    /// The file must not be written, since its content is not known.
    pub(crate) locked: bool,
    pub(crate) notice: Option<Told>,
}

/// Reasons why a file cannot be parsed.
#[derive(Debug)]
pub(crate) enum Unparsed {
    /// Written by a newer version of the app, with this file version.
    Newer(u64),
    /// Malformed; the text names the place.
    Damaged(String),
}

/// Parses the text of a file. One without a version is read like the oldest.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8], file: &DataFile) -> Result<T, Unparsed> {
    let damaged = |error| Unparsed::Damaged(place(&error));
    let Version { version } = serde_json::from_slice(text).map_err(damaged)?;
    match version > file.version {
        true => Err(Unparsed::Newer(version)),
        false => serde_json::from_slice(text).map_err(damaged),
    }
}

/// Reads a file. A malformed file is set aside, since the next change writes a new one; a file of a newer version of
/// the app is left as it is, and so is a file that cannot be read or set aside. Blocks.
pub(crate) fn read<T>(
    path: &Path,
    file: &DataFile,
    parse: impl FnOnce(&[u8], &DataFile) -> Result<T, Unparsed>,
) -> Read<T> {
    let found = |saved| Read {
        saved,
        locked: false,
        notice: None,
    };
    let unread = |locked: bool, code: &str, title: &str, detail: String| Read {
        saved: None,
        locked,
        notice: Some((
            format!("{}_file_{code}", file.name),
            format!("{} {title}", file.what),
            Some(detail),
        )),
    };
    let place = path.display();
    let problem = match std::fs::read(path) {
        Ok(text) => match parse(&text, file) {
            Ok(saved) => return found(Some(saved)),
            Err(Unparsed::Newer(version)) => {
                return unread(
                    true,
                    "newer",
                    "was saved by a newer version of Sonde. It is left as it is, so changes will not be \
                     saved.",
                    format!("{place}: version {version}, known is {}", file.version),
                );
            }
            Err(Unparsed::Damaged(problem)) => problem,
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => return found(None),
        Err(error) => {
            return unread(
                true,
                "unreadable",
                "could not be read. It is left as it is, so changes will not be saved.",
                format!("{place}: {error}"),
            );
        }
    };
    match sonde_files::set_aside(path) {
        Ok(aside) => unread(
            false,
            "damaged",
            "was damaged. It was set aside and a new one was created.",
            format!("{}\n{problem}", aside.display()),
        ),
        Err(error) => unread(
            true,
            "damaged",
            "is damaged and could not be set aside, so changes will not be saved.",
            format!("{place}: {error}\n{problem}"),
        ),
    }
}

/// Returns the place of an error without its message, which may quote the content of the file.
fn place(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// Encodes the content of a file.
pub(crate) fn to_bytes(saved: &impl Serialize, file: &DataFile) -> Vec<u8> {
    let version = file.version;
    let versioned = Versioned { version, saved };
    // Names and texts always have a JSON form.
    let text = serde_json::to_string_pretty(&versioned).unwrap_or_default();
    format!("{text}\n").into_bytes()
}

/// Panics unless a written file has everything that another one has. It may have more: members that were omitted there.
#[cfg(test)]
pub(crate) fn assert_kept(text: &str, written: &[u8]) {
    use serde_json::Value;

    fn kept(before: &Value, after: &Value) {
        match (before, after) {
            (Value::Object(before), Value::Object(after)) => {
                for (name, value) in before {
                    kept(value, after.get(name).unwrap_or(&Value::Null));
                }
            }
            (Value::Array(before), Value::Array(after)) => {
                assert_eq!(before.len(), after.len());
                before
                    .iter()
                    .zip(after)
                    .for_each(|(one, other)| kept(one, other));
            }
            _ => assert_eq!(before, after),
        }
    }
    let (before, after) = (serde_json::from_str(text), serde_json::from_slice(written));
    kept(&before.unwrap(), &after.unwrap());
}

/// The longest pause between two attempts to save a file.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Schedule of writing: a moment after a change, so that changes are gathered, and after a growing pause where writing
/// failed.
#[derive(Debug)]
pub(crate) struct Schedule {
    delay: Duration,
    wake: Notify,
}

impl Schedule {
    pub(crate) fn new(delay: Duration) -> Self {
        Self {
            delay,
            wake: Notify::new(),
        }
    }

    /// Something changed, or is over.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Waits until there is something to write, or until it is time to retry after so many failures in a row.
    pub(crate) async fn wait(&self, failures: u32, closed: impl Fn() -> bool) {
        if failures == 0 {
            self.wake.notified().await;
        } else {
            let pause = Duration::from_secs(1 << (failures - 1).min(6)).min(LONGEST_PAUSE);
            tokio::select! {
                () = tokio::time::sleep(pause) => return,
                () = self.wake.notified() => {}
            }
        }
        if !self.delay.is_zero() && !closed() {
            tokio::select! {
                () = tokio::time::sleep(self.delay) => {}
                // Another change, or the end, ends the pause.
                () = self.wake.notified() => {}
            }
        }
    }
}

/// Saves the latest content of one file in a separate task. Content that is replaced before it was written is skipped,
/// so that a quick series of changes costs one write. After a failed write, the content is kept and written again:
/// after growing pauses, with the next change, and at the end.
#[derive(Debug)]
pub(crate) struct SavedFile {
    path: PathBuf,
    writable: bool,
    pending: Mutex<Pending>,
    schedule: Schedule,
    saved: watch::Sender<Saved>,
}

#[derive(Debug, Default)]
struct Pending {
    version: u64,
    bytes: Option<Vec<u8>>,
    closed: bool,
}

#[derive(Clone, Debug, Default)]
struct Saved {
    /// The newest version that an attempt was made with.
    version: u64,
    error: Option<Arc<str>>,
    over: bool,
}

impl SavedFile {
    /// Creates a file that [`SavedFile::run`] writes. It waits `delay` before writing, to combine changes; a file that
    /// is not `writable` is never written.
    pub(crate) fn new(path: PathBuf, delay: Duration, writable: bool) -> Arc<Self> {
        Arc::new(Self {
            path,
            writable,
            pending: Mutex::default(),
            schedule: Schedule::new(delay),
            saved: watch::Sender::new(Saved::default()),
        })
    }

    /// Takes the new text of the file and returns its number; `None` for a file that is left as it
    /// is.
    pub(crate) fn put(&self, bytes: Vec<u8>) -> Option<u64> {
        if !self.writable {
            return None;
        }
        let mut pending = lock(&self.pending);
        pending.version += 1;
        pending.bytes = Some(bytes);
        let version = pending.version;
        drop(pending);
        self.schedule.wake();
        Some(version)
    }

    /// Deletes the file. Returns the version of that change, like [`SavedFile::put`].
    pub(crate) fn delete(&self) -> Option<u64> {
        // Empty content means deletion: no saved file is empty.
        self.put(Vec::new())
    }

    /// Waits until this version, or a newer one, is on disk or could not be written. Retries continue in the
    /// background.
    ///
    /// # Errors
    /// The system's message if it could not be written.
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
        lock(&self.pending).closed = true;
        self.schedule.wake();
    }

    /// Writes until it is closed. `tell` gets the reason when writing fails, and `None` when it succeeds after that.
    pub(crate) async fn run(self: Arc<Self>, tell: impl Fn(Option<&str>)) {
        let mut failures = 0;
        loop {
            let closed = || lock(&self.pending).closed;
            self.schedule.wait(failures, closed).await;
            let (version, bytes, closed) = {
                let mut pending = lock(&self.pending);
                (pending.version, pending.bytes.take(), pending.closed)
            };
            if let Some(bytes) = bytes {
                let error = self.write(bytes).await;
                failures = error.as_ref().map_or(0, |_| failures + 1);
                let before = self.saved.borrow().error.clone();
                if error != before {
                    tell(error.as_deref());
                }
                self.saved.send_replace(Saved {
                    version,
                    error,
                    over: closed,
                });
            }
            if closed {
                self.saved.send_modify(|saved| saved.over = true);
                return;
            }
        }
    }

    /// Writes these bytes; returns the system's message if that failed. Then they are pending again, unless newer ones
    /// are.
    async fn write(&self, bytes: Vec<u8>) -> Option<Arc<str>> {
        let path = self.path.clone();
        let bytes = Arc::new(bytes);
        let writing = bytes.clone();
        let written = tokio::task::spawn_blocking(move || {
            if !writing.is_empty() {
                return sonde_files::replace(&path, &writing);
            }
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        });
        let error = match written.await {
            Ok(Ok(())) => return None,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::error!(path = %self.path.display(), error, "a file could not be saved");
        lock(&self.pending)
            .bytes
            .get_or_insert_with(|| Arc::unwrap_or_clone(bytes));
        Some(Arc::from(error))
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::task::TaskTracker;

    use super::*;
    use crate::{
        baselines::Baseline, drafts, presentations::PresentationList, saved_inputs::SavedInputList,
        settings::Settings,
    };

    type Numbers = std::collections::BTreeMap<String, u64>;

    #[test]
    fn files_of_earlier_versions_lose_nothing() {
        fn keeps<T: DeserializeOwned + Serialize>(file: &DataFile, text: &str) {
            let Ok(saved) = parse::<T>(text.as_bytes(), file) else {
                panic!("{} cannot be read", file.name);
            };
            assert_kept(text, &to_bytes(&saved, file));
        }
        macro_rules! fixture {
            ($name:literal) => {
                include_str!(concat!("../tests/files/", $name, ".json"))
            };
        }
        keeps::<Settings>(&SETTINGS, fixture!("settings-1"));
        keeps::<drafts::Saved>(&DRAFTS, fixture!("drafts-2"));
        keeps::<SavedInputList>(&SAVED_INPUTS, fixture!("saved_inputs-1"));
        keeps::<PresentationList>(&PRESENTATIONS, fixture!("presentations-1"));
        keeps::<Baseline>(&DEFINITIONS, fixture!("definitions-1"));
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.json");
        std::fs::write(&path, r#"{"version": 2, "one": 1}"#).unwrap();
        let found = read::<Numbers>(&path, &SETTINGS, parse);
        assert!(found.saved.is_none() && found.locked && path.exists());
        assert_eq!(found.notice.unwrap().0, "settings_file_newer");
    }

    #[test]
    fn what_is_damaged_is_set_aside_and_what_cannot_be_read_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.json");
        let read = || read::<Numbers>(&path, &SETTINGS, parse);
        assert_eq!(read(), Read::default());
        std::fs::write(&path, r#"{"one": 1}"#).unwrap();
        assert_eq!(read().saved.unwrap()["one"], 1);
        std::fs::write(&path, r#"{"one": "#).unwrap();
        let damaged = read();
        assert!(damaged.saved.is_none() && !damaged.locked);
        assert_eq!(damaged.notice.unwrap().0, "settings_file_damaged");
        assert!(folder.path().join("file.damaged-1.json").is_file() && !path.exists());
        // Not even root can read a folder as a file.
        std::fs::create_dir(&path).unwrap();
        let unreadable = read();
        assert!(unreadable.saved.is_none() && unreadable.locked && path.is_dir());
        assert_eq!(unreadable.notice.unwrap().0, "settings_file_unreadable");
    }

    #[tokio::test]
    async fn the_latest_state_is_on_disk_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("file.json");
        let tasks = TaskTracker::new();
        let file = SavedFile::new(path.clone(), Duration::from_millis(50), true);
        tasks.spawn(file.clone().run(|_| ()));
        let mut version = 0;
        for number in 0..100 {
            version = file.put(format!("state {number}").into_bytes()).unwrap();
        }
        file.written(version).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "state 99");
        let version = file.delete().unwrap();
        file.written(version).await.unwrap();
        assert!(!path.exists());
        let version = file.delete().unwrap();
        file.written(version).await.unwrap();
        file.put(b"last words".to_vec());
        file.close();
        tasks.close();
        tasks.wait().await;
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "last words");
        let names: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary files are left");
        assert!(file.written(version + 100).await.is_err());
    }

    /// A file that cannot be written, since its folder's path is a file.
    struct Blocked {
        _temporary: tempfile::TempDir,
        folder: PathBuf,
        file: Arc<SavedFile>,
        told: tokio::sync::mpsc::Receiver<Option<String>>,
        tasks: TaskTracker,
    }

    impl Blocked {
        fn new() -> Self {
            let temporary = tempfile::tempdir().unwrap();
            let folder = temporary.path().join("blocked");
            std::fs::write(&folder, "a file where a folder is needed").unwrap();
            let file = SavedFile::new(folder.join("file.json"), Duration::ZERO, true);
            let (tell, told) = tokio::sync::mpsc::channel(8);
            let tasks = TaskTracker::new();
            tasks.spawn(file.clone().run(move |error| {
                tell.try_send(error.map(str::to_owned)).unwrap();
            }));
            Self {
                _temporary: temporary,
                folder,
                file,
                told,
                tasks,
            }
        }

        /// Returns the next message; fails the test if none comes.
        async fn told(&mut self) -> Option<String> {
            let told = tokio::time::timeout(Duration::from_secs(600), self.told.recv());
            told.await.unwrap().unwrap()
        }

        fn unblock(&self) {
            std::fs::remove_file(&self.folder).unwrap();
        }

        fn text(&self) -> String {
            std::fs::read_to_string(self.folder.join("file.json")).unwrap()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_is_told() {
        let mut blocked = Blocked::new();
        let version = blocked.file.put(b"x".to_vec()).unwrap();
        assert!(blocked.file.written(version).await.is_err());
        assert!(blocked.told().await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn what_could_not_be_written_is_tried_again_and_told_once() {
        let mut blocked = Blocked::new();
        for text in ["old", "new"] {
            let version = blocked.file.put(text.into()).unwrap();
            assert!(blocked.file.written(version).await.is_err());
        }
        assert!(blocked.told().await.is_some());
        // Retried without a further change.
        blocked.unblock();
        assert_eq!(blocked.told().await, None);
        assert_eq!(blocked.text(), "new");
    }

    #[tokio::test]
    async fn the_next_change_and_the_end_are_no_reason_to_wait() {
        let blocked = Blocked::new();
        let version = blocked.file.put(b"old".to_vec()).unwrap();
        assert!(blocked.file.written(version).await.is_err());
        blocked.unblock();
        let version = blocked.file.put(b"new".to_vec()).unwrap();
        blocked.file.written(version).await.unwrap();
        assert_eq!(blocked.text(), "new");

        let blocked = Blocked::new();
        let version = blocked.file.put(b"last words".to_vec()).unwrap();
        assert!(blocked.file.written(version).await.is_err());
        blocked.unblock();
        blocked.file.close();
        blocked.tasks.close();
        blocked.tasks.wait().await;
        assert_eq!(blocked.text(), "last words");
    }
}
