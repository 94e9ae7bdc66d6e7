//! Files beside a suite: snapshots and durations.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::snapshot::{Snapshot, SnapshotState};

/// The folder of snapshots beside a suite.
const FOLDER: &str = "__snapshots__";
/// Durations of steps, kept like a snapshot of this name.
const DURATIONS: &str = "durations";
/// Bytes of a file in it that are read.
const BYTES: u64 = 16 * 1024 * 1024;

/// Snapshots to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// Write none; a missing snapshot leaves its step incomplete. For CI.
    #[default]
    Never,
    /// Write missing snapshots.
    Missing,
    /// Write all that differ.
    All,
}

/// Stored values of one suite. Links are neither read nor followed.
#[derive(Debug)]
pub struct Stored {
    folder: PathBuf,
    stem: String,
    /// Microseconds by step.
    durations: BTreeMap<String, u64>,
    changed: bool,
}

impl Stored {
    /// The values of a suite; `folder` is that of its file, `stem` its name without the ending.
    #[must_use]
    pub fn new(folder: &Path, stem: &str) -> Self {
        let mut stored = Self {
            folder: folder.join(FOLDER),
            stem: stem.to_owned(),
            durations: BTreeMap::new(),
            changed: false,
        };
        let text = stored.snapshot(DURATIONS);
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        stored.durations = read.unwrap_or_default();
        stored
    }

    /// The file of a snapshot. Its name cannot leave the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder
            .join(crate::snapshot::file_name(&self.stem, name))
    }

    /// True if something has the place of a snapshot.
    #[must_use]
    pub fn has_snapshot(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// Returns the text of a snapshot; `None` if there is none, or if it has more than 16 MiB.
    #[must_use]
    pub fn snapshot(&self, name: &str) -> Option<String> {
        let path = self.path(name);
        let is_folder = fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir());
        let found = fs::symlink_metadata(&path).ok().filter(|_| is_folder)?;
        if !found.is_file() || found.len() > BYTES {
            return None;
        }
        let mut text = String::new();
        let file = File::open(path).ok()?;
        file.take(BYTES).read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// Stores a snapshot by replacing its file; a link is replaced by a file, too.
    ///
    /// # Errors
    /// The system refused, or the folder of snapshots is a link.
    pub fn put_snapshot(&self, name: &str, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        if !fs::symlink_metadata(&self.folder)?.is_dir() {
            let folder = self.folder.display();
            return Err(io::Error::other(format!("{folder} is a link")));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sonde-");
        // As other files of a repository are; the umask takes away from it.
        #[cfg(unix)]
        {
            use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
            builder.permissions(Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(self.path(name)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Deletes a snapshot, if it is there.
    ///
    /// # Errors
    /// The system refused.
    pub fn remove_snapshot(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub(super) fn duration(&self, step: &str) -> Option<Duration> {
        self.durations.get(step).copied().map(Duration::from_micros)
    }

    /// Writes a snapshot if the choice says so. Returns true if it is stored now as it is.
    pub(super) fn update(&self, snapshot: &Snapshot, update: Update) -> io::Result<bool> {
        let writes = match snapshot.state {
            SnapshotState::Same | SnapshotState::Stored => return Ok(true),
            SnapshotState::Missing => update != Update::Never,
            SnapshotState::Different => update == Update::All,
        };
        if writes {
            self.put_snapshot(&snapshot.name, &snapshot.text)?;
        }
        Ok(writes)
    }

    pub(super) fn update_duration(&mut self, step: &str, duration: Duration, update: Update) {
        let known = self.durations.contains_key(step);
        if update == Update::All || (update == Update::Missing && !known) {
            self.put_duration(step, duration);
        }
    }

    /// Takes the duration of a step, to be written by [`Self::save_durations`].
    pub fn put_duration(&mut self, step: &str, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.durations.insert(step.to_owned(), micros);
        self.changed = true;
    }

    /// Writes the durations if one has changed.
    ///
    /// # Errors
    /// The system refused, or the folder of snapshots is a link.
    pub fn save_durations(&self) -> io::Result<()> {
        if !self.changed {
            return Ok(());
        }
        let mut text = serde_json::to_string_pretty(&self.durations)?;
        text.push('\n');
        self.put_snapshot(DURATIONS, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let stored = Stored::new(&root, "suite");
        for name in ["../../up", "..", "a/b", "\0", ""] {
            stored.put_snapshot(name, "1").unwrap();
            assert_eq!(stored.snapshot(name).unwrap(), "1", "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        assert!(stored.put_snapshot(&"x".repeat(5_000), "1").is_err());
    }

    #[test]
    fn a_large_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let stored = Stored::new(folder.path(), "suite");
        stored.put_snapshot("large", "1").unwrap();
        let large = File::create(stored.path("large")).unwrap();
        large.set_len(100 * 1024 * 1024).unwrap();
        assert_eq!(stored.snapshot("large"), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_read_nor_written_through() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::write(&outside, "theirs").unwrap();
        let root = folder.path().join("root");
        let stored = Stored::new(&root, "suite");
        stored.put_snapshot("a", "1").unwrap();
        fs::remove_file(stored.path("a")).unwrap();
        symlink(&outside, stored.path("a")).unwrap();
        assert_eq!(stored.snapshot("a"), None);
        stored.put_snapshot("a", "2").unwrap();
        assert_eq!(fs::read_to_string(&outside).unwrap(), "theirs");
        assert_eq!(stored.snapshot("a").unwrap(), "2");
        // The folder itself.
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("suite.a.json"), "theirs").unwrap();
        let root = folder.path().join("linked");
        fs::create_dir(&root).unwrap();
        symlink(&elsewhere, root.join(FOLDER)).unwrap();
        let stored = Stored::new(&root, "suite");
        assert_eq!(stored.snapshot("a"), None);
        assert!(stored.put_snapshot("a", "2").is_err());
    }
}
