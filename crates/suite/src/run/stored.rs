//! Files beside a suite: snapshots and durations.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::snapshot::{Snapshot, SnapshotState};

/// The folder of snapshots beside a suite.
const FOLDER: &str = "__snapshots__";

/// Snapshots to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// None; a missing one leaves its step incomplete. For CI.
    #[default]
    Never,
    /// Those that are missing.
    Missing,
    /// All that differ.
    All,
}

/// Stored values of one suite.
#[derive(Debug)]
pub(super) struct Stored {
    folder: PathBuf,
    stem: String,
    /// Microseconds by step.
    durations: BTreeMap<String, u64>,
    changed: bool,
}

impl Stored {
    pub(super) fn new(folder: &Path, stem: &str) -> Self {
        let mut stored = Self {
            folder: folder.join(FOLDER),
            stem: stem.to_owned(),
            durations: BTreeMap::new(),
            changed: false,
        };
        let text = fs::read_to_string(stored.path("durations"));
        let read = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        stored.durations = read.unwrap_or_default();
        stored
    }

    /// The file of a snapshot. Its name cannot leave the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder
            .join(crate::snapshot::file_name(&self.stem, name))
    }

    pub(super) fn snapshot(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    pub(super) fn duration(&self, step: &str) -> Option<Duration> {
        self.durations.get(step).copied().map(Duration::from_micros)
    }

    /// Writes a snapshot if the choice says so. Returns true if it is stored now as it is.
    pub(super) fn update(&self, snapshot: &Snapshot, update: Update) -> io::Result<bool> {
        let writes = match snapshot.state {
            SnapshotState::Same => return Ok(true),
            SnapshotState::Missing => update != Update::Never,
            SnapshotState::Different => update == Update::All,
        };
        if writes {
            fs::create_dir_all(&self.folder)?;
            fs::write(self.path(&snapshot.name), &snapshot.text)?;
        }
        Ok(writes)
    }

    pub(super) fn update_duration(&mut self, step: &str, duration: Duration, update: Update) {
        let known = self.durations.contains_key(step);
        if update == Update::All || (update == Update::Missing && !known) {
            let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
            self.durations.insert(step.to_owned(), micros);
            self.changed = true;
        }
    }

    pub(super) fn save_durations(&self) -> io::Result<()> {
        if !self.changed {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let mut text = serde_json::to_string_pretty(&self.durations)?;
        text.push('\n');
        fs::write(self.path("durations"), text)
    }
}
