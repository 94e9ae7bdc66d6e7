//! A connection for tests, in memory, with an owner that keeps what it is told.

use std::sync::{Arc, Mutex};

use sonde_auth::{CredentialStore, MemoryStore, SecretCache};
use sonde_validation::Validator;

use crate::{
    Change, Connection, ConnectionOptions, NoticeLevel, Owner, Services, clock,
    config::ServerConfig,
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
    let secrets = Arc::new(SecretCache::new(Arc::new(MemoryStore::default())));
    let credentials = CredentialStore::new(Arc::clone(&secrets), None, Arc::new(clock::millis));
    let services = Services::new(secrets, Arc::new(credentials), Validator::new(None));
    let owner = Arc::new(Notices::default());
    let connection = Connection::new(ConnectionOptions {
        server: "s".to_owned(),
        config,
        log_level: None,
        muted: Vec::new(),
        with_user: true,
        owner: owner.clone(),
        services: Arc::new(services),
    });
    (connection, owner)
}
