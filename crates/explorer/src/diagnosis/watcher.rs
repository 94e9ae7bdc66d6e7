//! Owner of the connection of a diagnosis: wakes the diagnosis, and keeps what the connection tells.

use std::sync::{Arc, Mutex, PoisonError};

use sonde_client::{Change, NoticeLevel, Owner};
use tokio::sync::Notify;

/// Wakes the waiting task at any change.
#[derive(Default)]
pub(super) struct Watcher {
    wake: Notify,
    ping_failed: Mutex<Option<String>>,
}

impl Watcher {
    /// Waits for the next change.
    pub(super) async fn changed(&self) {
        self.wake.notified().await;
    }

    /// Returns why the last ping failed; `None` if none did.
    pub(super) fn ping_failure(&self) -> Option<String> {
        let failed = self.ping_failed.lock();
        failed.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The owner, shared with the diagnosis.
pub(super) struct Wake(pub(super) Arc<Watcher>);

impl Owner for Wake {
    fn changed(&self, _: Change) {
        self.0.wake.notify_one();
    }

    fn notice(&self, _: NoticeLevel, code: &'static str, title: String, detail: Option<String>) {
        if code == "ping_failed" {
            let mut failed = self
                .0
                .ping_failed
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *failed = Some(detail.unwrap_or(title));
            drop(failed);
            self.0.wake.notify_one();
        }
    }
}
