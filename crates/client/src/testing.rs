//! A connection for tests, in memory, with an owner that records notices and counts changes.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use crate::{
    Change, Connection, ConnectionOptions, NoticeLevel, Owner, Services, config::ServerConfig,
};

/// Keeps the titles of its notices, and the number of its changes.
#[derive(Default)]
pub(crate) struct Notices {
    titles: Mutex<Vec<String>>,
    changes: AtomicUsize,
    frequent_changes: AtomicUsize,
}

impl Notices {
    pub(crate) fn titles(&self) -> Vec<String> {
        self.titles.lock().unwrap().clone()
    }

    /// Number of changes to show at once, and of those to gather.
    pub(crate) fn changes(&self) -> (usize, usize) {
        let all = [&self.changes, &self.frequent_changes];
        all.map(|count| count.load(Ordering::Relaxed)).into()
    }
}

impl Owner for Notices {
    fn changed(&self, _: Change) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn changes_often(&self, _: Change) {
        self.frequent_changes.fetch_add(1, Ordering::Relaxed);
    }

    fn notice(&self, _: NoticeLevel, _: &'static str, title: String, _: Option<String>) {
        self.titles.lock().unwrap().push(title);
    }
}

/// A connection to a server `s` that is not open, and its owner.
pub(crate) fn connection(config: ServerConfig) -> (Connection, Arc<Notices>) {
    let owner = Arc::new(Notices::default());
    let connection = Connection::new(ConnectionOptions {
        owner: owner.clone(),
        ..ConnectionOptions::new("s", config, Arc::new(Services::in_memory()))
    });
    (connection, owner)
}
