//! A value for each server, each in a file of its own that is read when first needed.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    core::Core,
    files::{self, DataFile, Read, SavedFile, is_plain},
    lock,
    notices::NoticeLevel,
    servers::ServerId,
};

/// The values of all servers.
pub(crate) struct PerServer<T> {
    place: Arc<Place>,
    of: Mutex<HashMap<ServerId, Arc<OfServer<T>>>>,
}

/// The folder of the files.
struct Place {
    folder: PathBuf,
    file: &'static DataFile,
    delay: Duration,
    writable: bool,
    closed: AtomicBool,
}

/// The value of one server. The state may be locked while this lock is held, but not the other way round.
pub(crate) struct OfServer<T> {
    place: Arc<Place>,
    loaded: Mutex<Option<Loaded<T>>>,
}

struct Loaded<T> {
    value: T,
    file: Option<Arc<SavedFile>>,
}

/// The value of a server, locked. Changes are saved by [`Held::write`].
pub(crate) struct Held<'a, T> {
    file: &'static DataFile,
    loaded: MutexGuard<'a, Option<Loaded<T>>>,
}

impl<T: Default + PartialEq + Serialize + DeserializeOwned> PerServer<T> {
    pub(crate) fn new(
        data_folder: &Path,
        file: &'static DataFile,
        delay: Duration,
        writable: bool,
    ) -> Self {
        Self {
            place: Arc::new(Place {
                folder: file.folder(data_folder),
                file,
                delay,
                writable,
                closed: AtomicBool::new(false),
            }),
            of: Mutex::default(),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.place.folder
    }

    pub(crate) fn is_writable(&self) -> bool {
        self.place.writable
    }

    /// Returns the value of a server; `None` for an id that cannot name a file.
    pub(crate) fn of(&self, server: &str) -> Option<Arc<OfServer<T>>> {
        // The id may come from a file that somebody has changed.
        is_plain(server).then(|| {
            let mut all = lock(&self.of);
            let of = all.entry(server.to_owned()).or_insert_with(|| {
                Arc::new(OfServer {
                    place: Arc::clone(&self.place),
                    loaded: Mutex::default(),
                })
            });
            Arc::clone(of)
        })
    }

    /// Forgets the value of a server, and deletes its file. Blocks.
    pub(crate) fn forget(&self, server: &str) -> io::Result<()> {
        let known = lock(&self.of).remove(server);
        match known.and_then(|known| lock(&known.loaded).take()?.file) {
            // It may be waiting to be written.
            Some(file) => {
                file.delete();
                file.close();
                Ok(())
            }
            None => std::fs::remove_file(self.place.path(server)),
        }
    }

    /// Writes what is unsaved and ends.
    pub(crate) fn close(&self) {
        self.place.closed.store(true, Ordering::SeqCst);
        let all: Vec<_> = lock(&self.of).values().cloned().collect();
        for one in all {
            if let Some(file) = lock(&one.loaded).as_ref().and_then(|one| one.file.as_ref()) {
                file.close();
            }
        }
    }
}

impl Place {
    fn path(&self, server: &str) -> PathBuf {
        self.folder.join(format!("{server}.json"))
    }

    fn load<T: Default + DeserializeOwned>(&self, core: &Arc<Core>, server: &str) -> Loaded<T> {
        let path = self.path(server);
        let Read {
            saved,
            locked,
            notice,
        } = files::read(&path, self.file, files::parse);
        if let Some((code, title, detail)) = notice {
            core.notice(NoticeLevel::Warning, Some(server), &code, title, detail);
        }
        let writable = self.writable && !locked && !self.closed.load(Ordering::SeqCst);
        let file = writable.then(|| {
            let file = SavedFile::new(path.clone(), self.delay, true);
            core.keep_saved(file.clone(), self.file, path);
            file
        });
        Loaded {
            value: saved.unwrap_or_default(),
            file,
        }
    }
}

impl<T: Default + DeserializeOwned> OfServer<T> {
    /// Locks the value, read from its file at the first time. Blocks.
    pub(crate) fn hold(&self, core: &Arc<Core>, server: &str) -> Held<'_, T> {
        let mut loaded = lock(&self.loaded);
        if loaded.is_none() {
            *loaded = Some(self.place.load(core, server));
        }
        let file = self.place.file;
        Held { file, loaded }
    }
}

impl<T: Default + PartialEq + Serialize> Held<'_, T> {
    pub(crate) fn value(&mut self) -> &mut T {
        let nothing = || Loaded {
            value: T::default(),
            file: None,
        };
        &mut self.loaded.get_or_insert_with(nothing).value
    }

    /// Saves the current value; a default value has no file.
    pub(crate) fn write(&self) {
        if let Some(Loaded {
            value,
            file: Some(file),
        }) = &*self.loaded
        {
            match *value == T::default() {
                true => file.delete(),
                false => file.put(files::to_bytes(value, self.file)),
            };
        }
    }
}
