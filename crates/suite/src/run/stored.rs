//! Files beside a suite: snapshots and durations.

use std::{
    collections::BTreeMap,
    fmt::Display,
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
/// Most bytes of a file in it.
const BYTES: usize = 16 * 1024 * 1024;

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
    /// Microseconds by step, or the reason why they cannot be read.
    durations: Result<BTreeMap<String, u64>, String>,
}

impl Stored {
    /// The values of a suite; `folder` is that of its file, `stem` its name without the ending.
    #[must_use]
    pub fn new(folder: &Path, stem: &str) -> Self {
        let mut stored = Self {
            folder: folder.join(FOLDER),
            stem: stem.to_owned(),
            durations: Ok(BTreeMap::new()),
        };
        stored.durations = stored.snapshot(DURATIONS).and_then(|text| match text {
            Some(text) => {
                serde_json::from_str(&text).map_err(|error| stored.unreadable(DURATIONS, error))
            }
            None => Ok(BTreeMap::new()),
        });
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

    /// Returns the text of a snapshot; `None` if there is none.
    ///
    /// # Errors
    /// The end of a sentence: a file that cannot be read, or has more than 16 MiB, and what to do. It is no missing
    /// snapshot, since a new one would replace it.
    pub fn snapshot(&self, name: &str) -> Result<Option<String>, String> {
        match self.read(name) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unreadable(name, error)),
        }
    }

    fn read(&self, name: &str) -> io::Result<Option<String>> {
        let path = self.path(name);
        let is_folder = fs::symlink_metadata(&self.folder)?.is_dir();
        if !is_folder || !fs::symlink_metadata(&path)?.is_file() {
            return Ok(None);
        }
        let mut text = String::new();
        let file = File::open(path)?;
        file.take(BYTES as u64 + 1).read_to_string(&mut text)?;
        within_limit(&text)?;
        Ok(Some(text))
    }

    fn unreadable(&self, name: &str, error: impl Display) -> String {
        let path = self.path(name);
        format!(
            "a file that cannot be read: {} ({error}). Restore it, or delete it.",
            path.display()
        )
    }

    /// Stores a snapshot by replacing its file; a link is replaced by a file, too.
    ///
    /// # Errors
    /// The system refused, the text has more than 16 MiB, or the folder of snapshots is a link.
    pub fn put_snapshot(&self, name: &str, text: &str) -> io::Result<()> {
        within_limit(text)?;
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

    /// Returns the stored duration of a step.
    ///
    /// # Errors
    /// Those of [`Self::snapshot`].
    pub(super) fn duration(&self, step: &str) -> Result<Option<Duration>, String> {
        let durations = self.durations.as_ref().map_err(String::clone)?;
        Ok(durations.get(step).copied().map(Duration::from_micros))
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

    /// Writes the duration of a step if the choice says so.
    pub(super) fn update_duration(
        &mut self,
        step: &str,
        duration: Duration,
        update: Update,
    ) -> io::Result<()> {
        let is_missing = self.duration(step) == Ok(None);
        match update == Update::All || (update == Update::Missing && is_missing) {
            true => self.put_duration(step, duration),
            false => Ok(()),
        }
    }

    /// Stores the duration of a step.
    ///
    /// # Errors
    /// Those of [`Self::put_snapshot`]; the file could not be read before, and stays as it is.
    pub fn put_duration(&mut self, step: &str, duration: Duration) -> io::Result<()> {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let durations = self.durations.as_mut();
        let durations = durations.map_err(|why| io::Error::other(why.as_str()))?;
        durations.insert(step.to_owned(), micros);
        let mut text = serde_json::to_string_pretty(durations)?;
        text.push('\n');
        self.put_snapshot(DURATIONS, &text)
    }
}

/// Refuses a text that would be too long to be read again.
fn within_limit(text: &str) -> io::Result<()> {
    match text.len() > BYTES {
        true => Err(io::Error::other("more than 16 MiB")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        expect::{Baseline, judge},
        format::Suite,
        observed::{End, Observed},
    };

    #[test]
    fn no_name_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let stored = Stored::new(&root, "suite");
        for name in ["../../up", "..", "a/b", "\0", ""] {
            stored.put_snapshot(name, "1").unwrap();
            assert_eq!(stored.snapshot(name), Ok(Some("1".to_owned())), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        assert!(stored.put_snapshot(&"x".repeat(5_000), "1").is_err());
    }

    #[test]
    fn a_text_that_is_too_long_to_be_read_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let stored = Stored::new(folder.path(), "suite");
        let longest = "1".repeat(BYTES);
        stored.put_snapshot("large", &longest).unwrap();
        assert_eq!(stored.snapshot("large").unwrap().unwrap().len(), BYTES);
        stored.put_snapshot("large", &(longest + "1")).unwrap_err();
        let large = File::create(stored.path("large")).unwrap();
        large.set_len(100 * 1024 * 1024).unwrap();
        assert!(stored.snapshot("large").unwrap_err().contains("16 MiB"));
    }

    #[test]
    fn a_damaged_file_fails_its_step_and_is_not_replaced() {
        let text = "sonde: 1\nsteps:\n  - ping: true\n    expect: { result: { snapshot: a }, duration: { factor: 2 } }\n";
        let step = Suite::read("suite", text).unwrap().steps.remove(0);
        let observed = Observed {
            end: End::Result("{}".to_owned()),
            duration: Some(Duration::from_millis(1)),
            ..Observed::default()
        };
        let files: [(&str, &[u8]); 3] = [
            ("a", b"\xff\xfe{\0}\0"),
            ("a", b"{ \"a\": \"\xe9\" }"),
            (DURATIONS, b"<<<<<<< HEAD\n{}\n"),
        ];
        for (name, damaged) in files {
            let folder = tempfile::tempdir().unwrap();
            let intact = Stored::new(folder.path(), "suite");
            intact.put_snapshot("a", "{}").unwrap();
            let path = intact.path(name);
            fs::write(&path, damaged).unwrap();
            let mut stored = Stored::new(folder.path(), "suite");
            let baseline = Baseline {
                snapshot: &|name| stored.snapshot(name),
                duration: stored.duration("ping"),
                hide: &str::to_owned,
            };
            let judged = judge(&step, &observed, &baseline);
            let [failure] = &judged.failures[..] else {
                panic!("{:?}", judged.failures);
            };
            assert!(failure.words.contains(&path.display().to_string()));
            assert!(failure.words.ends_with("Restore it, or delete it."));
            let snapshot = &judged.snapshots[0];
            stored.update(snapshot, Update::Missing).unwrap();
            let put = stored.put_duration("ping", Duration::ZERO);
            assert_eq!(put.is_err(), name == DURATIONS);
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
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
        assert_eq!(stored.snapshot("a"), Ok(None));
        stored.put_snapshot("a", "2").unwrap();
        assert_eq!(fs::read_to_string(&outside).unwrap(), "theirs");
        assert_eq!(stored.snapshot("a"), Ok(Some("2".to_owned())));
        // The folder itself.
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("suite.a.json"), "theirs").unwrap();
        let root = folder.path().join("linked");
        fs::create_dir(&root).unwrap();
        symlink(&elsewhere, root.join(FOLDER)).unwrap();
        let stored = Stored::new(&root, "suite");
        assert_eq!(stored.snapshot("a"), Ok(None));
        assert!(stored.put_snapshot("a", "2").is_err());
    }
}
