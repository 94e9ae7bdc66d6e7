//! A connection for tests, in memory, with an owner that records notices.

use std::sync::{Arc, Mutex};

use crate::{
    Change, Connection, ConnectionOptions, NoticeLevel, Owner, Services, config::ServerConfig,
};

/// Keeps the titles of its notices.
#[derive(Default)]
pub(crate) struct Notices(Mutex<Vec<String>>);

impl Notices {
    pub(crate) fn titles(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Owner for Notices {
    fn changed(&self, _: Change) {}

    fn notice(&self, _: NoticeLevel, _: &'static str, title: String, _: Option<String>) {
        self.0.lock().unwrap().push(title);
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
