//! Arguments that were typed and not sent yet.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::{
    files::{self, SavedFile},
    servers::ServerId,
};

/// The longest draft that is kept, in bytes.
pub(super) const LONGEST: usize = 4 * 1024 * 1024;
/// The longest draft that goes into the file, in bytes. Longer ones last until the app ends.
const LONGEST_SAVED: usize = 256 * 1024;

/// The file, version 1: the drafts by server, then by tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    #[serde(default)]
    drafts: BTreeMap<ServerId, BTreeMap<String, String>>,
}

/// What was typed, some of it in memory only.
pub(crate) struct Drafts {
    inner: Mutex<Inner>,
    file: Arc<SavedFile>,
}

#[derive(Default)]
struct Inner {
    saved: Saved,
    private: HashMap<(ServerId, String), String>,
}

/// The drafts of the file, and whether it may be written. Blocks.
pub(crate) fn load(path: &Path) -> (Saved, bool) {
    files::read(path)
}

impl Drafts {
    pub(crate) fn new(saved: Saved, file: Arc<SavedFile>) -> Self {
        Self {
            inner: Mutex::new(Inner {
                saved,
                private: HashMap::new(),
            }),
            file,
        }
    }

    pub(super) fn get(&self, server: &str, tool: &str) -> Option<String> {
        let inner = self.lock();
        inner
            .private
            .get(&(server.to_owned(), tool.to_owned()))
            .or_else(|| inner.saved.drafts.get(server)?.get(tool))
            .cloned()
    }

    pub(super) fn put(&self, server: &str, tool: &str, text: Option<String>, private: bool) {
        let mut inner = self.lock();
        let key = (server.to_owned(), tool.to_owned());
        inner.private.remove(&key);
        // Whatever was saved for it before is older, or no longer to be seen in a file.
        let mut changed = inner.saved.forget(server, tool);
        match text {
            Some(text) if private || text.len() > LONGEST_SAVED => {
                inner.private.insert(key, text);
            }
            Some(text) => {
                let tools = inner.saved.drafts.entry(key.0).or_default();
                tools.insert(key.1, text);
                changed = true;
            }
            None => {}
        }
        if changed {
            self.write(&inner);
        }
    }

    /// Forgets what was typed for a server's tools.
    pub(crate) fn remove_server(&self, server: &str) {
        let mut inner = self.lock();
        inner.private.retain(|(owner, _), _| owner != server);
        if inner.saved.drafts.remove(server).is_some() {
            self.write(&inner);
        }
    }

    /// Writes what is unsaved and ends.
    pub(crate) fn close(&self) {
        self.file.close();
    }

    /// Called with the lock held, so that versions are written in order.
    fn write(&self, inner: &Inner) {
        self.file.put(files::to_bytes(&inner.saved));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Saved {
    fn forget(&mut self, server: &str, tool: &str) -> bool {
        let Some(tools) = self.drafts.get_mut(server) else {
            return false;
        };
        let found = tools.remove(tool).is_some();
        if tools.is_empty() {
            self.drafts.remove(server);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_util::task::TaskTracker;

    use super::*;

    #[tokio::test]
    async fn private_drafts_stay_out_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drafts.json");
        let tasks = TaskTracker::new();
        let file = SavedFile::start(path.clone(), Duration::from_millis(5), true, &tasks);
        let drafts = Drafts::new(load(&path).0, file);
        drafts.put("s", "a", Some("{\"x\":1}".into()), false);
        drafts.put("s", "b", Some("hush".into()), true);
        drafts.put("s", "c", Some("seen, then hush".into()), false);
        drafts.put("s", "c", Some("hush".into()), true);
        drafts.put("s", "d", Some("gone".into()), false);
        drafts.put("s", "d", None, false);
        drafts.put("t", "a", Some("other".into()), false);
        drafts.remove_server("t");
        drafts.put("s", "long", Some("l".repeat(LONGEST_SAVED + 1)), false);
        assert_eq!(drafts.get("s", "b").as_deref(), Some("hush"));
        assert_eq!(drafts.get("s", "c").as_deref(), Some("hush"));
        assert_eq!(drafts.get("s", "d"), None);
        assert!(drafts.get("s", "long").is_some());
        drafts.close();
        tasks.close();
        tasks.wait().await;
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            !text.contains("hush") && !text.contains("gone") && !text.contains("lll"),
            "{text}"
        );
        assert_eq!(load(&path).0.drafts["s"]["a"], "{\"x\":1}");
        assert_eq!(load(&path).0.drafts.len(), 1);
    }

    #[test]
    fn files_of_the_first_version_lose_nothing() {
        let text = include_str!("../../tests/files/drafts-1.json");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drafts.json");
        std::fs::write(&path, text).unwrap();
        let (saved, writable) = load(&path);
        assert!(writable && saved.drafts.values().next().unwrap().len() == 2);
        assert_eq!(String::from_utf8(files::to_bytes(&saved)).unwrap(), text);
    }

    #[test]
    fn a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drafts.json");
        std::fs::write(&path, "{").unwrap();
        assert!(load(&path).0.drafts.is_empty());
        assert!(folder.path().join("drafts.damaged-1.json").exists());
    }
}
