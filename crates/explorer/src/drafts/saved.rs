//! Drafts and their file.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};

use crate::{
    files::{self, SavedFile},
    lock,
    servers::ServerId,
};

/// The longest draft that is kept, in bytes.
pub(super) const LONGEST: usize = 4 * 1024 * 1024;
/// The longest draft that goes into the file, in bytes. Longer ones last until the app ends.
const LONGEST_SAVED: usize = 256 * 1024;

/// Target of a draft.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct DraftKey {
    pub(crate) server: ServerId,
    /// The method, for example `tools/call`.
    pub(crate) method: String,
    /// The key of a tool, the name of a prompt, the URI of a resource.
    pub(crate) target: String,
}

/// The drafts of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Saved {
    #[serde(with = "file")]
    drafts: BTreeMap<DraftKey, String>,
}

/// Drafts of all servers, some of them in memory only.
pub(crate) struct Drafts {
    inner: Mutex<Inner>,
    file: Arc<SavedFile>,
}

/// Drafts for one server.
pub(crate) struct DraftsOfServer {
    saved: Vec<(DraftKey, String)>,
    private: Vec<(DraftKey, String)>,
}

#[derive(Default)]
struct Inner {
    saved: Saved,
    private: HashMap<DraftKey, String>,
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

    pub(super) fn get(&self, key: &DraftKey) -> Option<String> {
        let inner = lock(&self.inner);
        let private = inner.private.get(key);
        private.or_else(|| inner.saved.drafts.get(key)).cloned()
    }

    pub(super) fn put(&self, key: DraftKey, text: Option<String>, private: bool) {
        let mut inner = lock(&self.inner);
        inner.private.remove(&key);
        // An earlier saved draft is outdated, or must no longer be in the file.
        let mut changed = inner.saved.drafts.remove(&key).is_some();
        match text {
            Some(text) if private || text.len() > LONGEST_SAVED => {
                inner.private.insert(key, text);
            }
            Some(text) => {
                inner.saved.drafts.insert(key, text);
                changed = true;
            }
            None => {}
        }
        if changed {
            self.write(&inner);
        }
    }

    /// Removes and returns the drafts for a server.
    pub(crate) fn take(&self, server: &str) -> DraftsOfServer {
        let mut inner = lock(&self.inner);
        let of_server = |key: &DraftKey, _: &mut String| key.server == server;
        let private: Vec<_> = inner.private.extract_if(of_server).collect();
        let saved: Vec<_> = inner.saved.drafts.extract_if(.., of_server).collect();
        if !saved.is_empty() {
            self.write(&inner);
        }
        DraftsOfServer { saved, private }
    }

    /// Restores the drafts for a server.
    pub(crate) fn restore(&self, drafts: DraftsOfServer) {
        let mut inner = lock(&self.inner);
        inner.private.extend(drafts.private);
        if !drafts.saved.is_empty() {
            inner.saved.drafts.extend(drafts.saved);
            self.write(&inner);
        }
    }

    /// Writes what is unsaved and ends.
    pub(crate) fn close(&self) {
        self.file.close();
    }

    /// Called with the lock held, so that versions are written in order.
    fn write(&self, inner: &Inner) {
        self.file.put(files::to_bytes(&inner.saved, &files::DRAFTS));
    }
}

/// Drafts in the file: a list, since their key is not a string.
mod file {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::DraftKey;

    #[derive(Serialize, Deserialize)]
    struct Draft<K, T> {
        #[serde(flatten)]
        key: K,
        text: T,
    }

    pub(super) fn serialize<S: Serializer>(
        drafts: &BTreeMap<DraftKey, String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(drafts.iter().map(|(key, text)| Draft { key, text }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<DraftKey, String>, D::Error> {
        let drafts = Vec::<Draft<DraftKey, String>>::deserialize(deserializer)?;
        Ok(drafts.into_iter().map(|one| (one.key, one.text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_util::task::TaskTracker;

    use super::*;

    fn key(server: &str, tool: &str) -> DraftKey {
        DraftKey {
            server: server.to_owned(),
            method: "tools/call".to_owned(),
            target: tool.to_owned(),
        }
    }

    #[tokio::test]
    async fn private_drafts_stay_out_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drafts.json");
        let tasks = TaskTracker::new();
        let file = SavedFile::new(path.clone(), Duration::from_millis(5), true);
        tasks.spawn(file.clone().run(|_| ()));
        let drafts = Drafts::new(Saved::default(), file);
        drafts.put(key("s", "a"), Some("{\"x\":1}".into()), false);
        drafts.put(key("s", "b"), Some("hush".into()), true);
        drafts.put(key("s", "c"), Some("seen, then hush".into()), false);
        drafts.put(key("s", "c"), Some("hush".into()), true);
        drafts.put(key("s", "d"), Some("gone".into()), false);
        drafts.put(key("s", "d"), None, false);
        drafts.put(key("t", "a"), Some("other".into()), false);
        drafts.put(key("u", "a"), Some("{}".into()), false);
        drafts.put(key("u", "b"), Some("hush".into()), true);
        let taken = drafts.take("u");
        assert_eq!(drafts.get(&key("u", "a")), None);
        drafts.restore(taken);
        assert_eq!(drafts.get(&key("u", "a")).as_deref(), Some("{}"));
        assert_eq!(drafts.get(&key("u", "b")).as_deref(), Some("hush"));
        for server in ["t", "u"] {
            drop(drafts.take(server));
        }
        drafts.put(key("s", "long"), Some("l".repeat(LONGEST_SAVED + 1)), false);
        assert_eq!(drafts.get(&key("s", "b")).as_deref(), Some("hush"));
        assert_eq!(drafts.get(&key("s", "c")).as_deref(), Some("hush"));
        assert_eq!(drafts.get(&key("s", "d")), None);
        assert!(drafts.get(&key("s", "long")).is_some());
        drafts.close();
        tasks.close();
        tasks.wait().await;
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            !text.contains("hush") && !text.contains("gone") && !text.contains("lll"),
            "{text}"
        );
        let saved: Saved = serde_json::from_str(&text).unwrap();
        assert_eq!(saved.drafts[&key("s", "a")], "{\"x\":1}");
        assert_eq!(saved.drafts.len(), 1);
    }
}
