//! The baselines of all servers, each in a file of its own that is read when its server is first judged.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::baseline::{AcceptedTool, Baseline};
use crate::{
    core::Core,
    files::{self, DEFINITIONS, Read, SavedFile, is_plain},
    notices::NoticeLevel,
    servers::ServerId,
};

/// The version of the files that is written.
const VERSION: u64 = 1;

/// Accepted definitions of all servers.
pub(crate) struct Baselines {
    folder: PathBuf,
    delay: Duration,
    writable: bool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    of: HashMap<ServerId, Arc<OfServer>>,
    closed: bool,
}

/// Accepted definitions of one server. A holder of the lock may ask for the state; nobody takes them the other way
/// round.
#[derive(Default)]
pub(super) struct OfServer {
    loaded: Mutex<Option<Loaded>>,
}

struct Loaded {
    baseline: Baseline,
    file: Option<Arc<SavedFile>>,
}

/// A baseline that is being looked at. What it is changed to is saved by [`Held::write`].
pub(super) struct Held<'a>(MutexGuard<'a, Option<Loaded>>);

impl Baselines {
    pub(crate) fn new(data_folder: &Path, delay: Duration, writable: bool) -> Self {
        Self {
            folder: DEFINITIONS.folder(data_folder),
            delay,
            writable,
            inner: Mutex::default(),
        }
    }

    /// Returns the accepted definitions of a server; `None` for an id that is none of the list.
    pub(super) fn of(&self, server: &str) -> Option<Arc<OfServer>> {
        // The id may come from a file that somebody has changed.
        is_plain(server).then(|| {
            let mut inner = self.lock();
            Arc::clone(inner.of.entry(server.to_owned()).or_default())
        })
    }

    /// Forgets what was accepted of a server that is removed, and deletes its file. Blocks.
    pub(crate) fn take(&self, core: &Arc<Core>, server: &str) -> Baseline {
        let Some(of) = self.of(server) else {
            return Baseline::default();
        };
        let mut held = of.hold(core, server);
        let taken = std::mem::take(held.baseline());
        held.write();
        taken
    }

    /// The accepted tools of a server. Blocks.
    pub(crate) fn tools(&self, core: &Arc<Core>, server: &str) -> Vec<AcceptedTool> {
        let of = self.of(server);
        of.map_or_else(Vec::new, |of| {
            of.hold(core, server).baseline().accepted_tools()
        })
    }

    /// Puts what was taken back. Blocks.
    pub(crate) fn restore(&self, core: &Arc<Core>, server: &str, baseline: Baseline) {
        if let Some(of) = self.of(server) {
            let mut held = of.hold(core, server);
            *held.baseline() = baseline;
            held.write();
        }
    }

    /// Writes what is unsaved and ends.
    pub(crate) fn close(&self) {
        let all: Vec<_> = {
            let mut inner = self.lock();
            inner.closed = true;
            inner.of.values().cloned().collect()
        };
        for one in all {
            let loaded = one.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(file) = loaded.as_ref().and_then(|one| one.file.as_ref()) {
                file.close();
            }
        }
    }

    fn load(&self, core: &Arc<Core>, server: &str) -> Loaded {
        let path = self.folder.join(format!("{server}.json"));
        let Read {
            saved,
            locked,
            notice,
        } = files::read::<Baseline>(&path, VERSION, &DEFINITIONS);
        if let Some((code, title, detail)) = notice {
            core.notice(NoticeLevel::Warning, Some(server), &code, title, detail);
        }
        let writable = self.writable && !locked && !self.lock().closed;
        let file = writable.then(|| {
            let file = SavedFile::new(path.clone(), self.delay, true);
            core.keep_saved_at(file.clone(), &DEFINITIONS, path);
            file
        });
        Loaded {
            baseline: saved,
            file,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OfServer {
    /// The baseline, read from its file at the first time. Blocks.
    pub(super) fn hold(&self, core: &Arc<Core>, server: &str) -> Held<'_> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if loaded.is_none() {
            *loaded = Some(core.baselines.load(core, server));
        }
        Held(loaded)
    }
}

impl Held<'_> {
    pub(super) fn baseline(&mut self) -> &mut Baseline {
        let nothing = || Loaded {
            baseline: Baseline::default(),
            file: None,
        };
        &mut self.0.get_or_insert_with(nothing).baseline
    }

    /// Saves the baseline as it is now; an empty one has no file.
    pub(super) fn write(&self) {
        if let Some(Loaded {
            baseline,
            file: Some(file),
        }) = &*self.0
        {
            match baseline.is_empty() {
                true => file.delete(),
                false => file.put(files::to_bytes(baseline, VERSION)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_first_version_lose_nothing() {
        let text = include_str!("../../tests/files/definitions-1.json");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.json");
        std::fs::write(&path, text).unwrap();
        let read = files::read::<Baseline>(&path, VERSION, &DEFINITIONS);
        assert!(!read.locked && !read.saved.is_empty());
        let written = files::to_bytes(&read.saved, VERSION);
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }
}
