//! A second app in memory, with one server only, for the connection of a diagnosis.
//!
//! Connects, lists and judges by the code of the app itself, so that a diagnosis and a connection cannot disagree. It
//! shares the app's secrets, and its limits over all servers.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use crate::{
    baselines::Baselines,
    changes::{Change, Observer},
    core::{Common, Core, Parts, State},
    drafts::Drafts,
    files::SavedFile,
    operations::{History, StoredRuns},
    servers::{ServerEntry, ServerList},
};

/// Wakes the waiting task at any change.
pub(super) struct Wake(pub(super) Arc<Notify>);

impl Observer for Wake {
    fn changed(&self, _: Change) {
        self.0.notify_one();
    }
}

impl Core {
    /// Creates a second app with one server only: its connection, lists and log are its own, so that the user's session
    /// is not disturbed. Nothing of it is saved, and no user is there to sign in.
    pub(super) fn beside(&self, entry: ServerEntry, observer: Arc<dyn Observer>) -> Arc<Self> {
        let unsaved = || SavedFile::new(PathBuf::new(), Duration::ZERO, false);
        let mut servers = ServerList::default();
        servers.push(entry);
        let settings = self.state(|state| state.settings.clone());
        let parts = Parts {
            state: State::new(servers, settings, History::after(0)),
            observer,
            claim: None,
            secrets: Arc::clone(&self.secrets),
            servers_file: unsaved(),
            settings_file: unsaved(),
            inputs_file: unsaved(),
            presentations_file: unsaved(),
            drafts: Drafts::new(Default::default(), unsaved()),
            baselines: Baselines::none(),
            stored_runs: StoredRuns::new(&self.data_folder, 0, Duration::ZERO, false),
            tasks: TaskTracker::new(),
            watchdog_exe: self.watchdog_exe.clone(),
            validator: self.validator.clone(),
            demo: self.demo.clone(),
            host: Arc::clone(&self.host),
            extensions: self.extensions.clone(),
            data_folder: self.data_folder.clone(),
            client_home: self.client_home.clone(),
            from_desktop: self.from_desktop,
        };
        let common = Common {
            credentials: Arc::clone(&self.credentials),
            budget: Arc::clone(&self.budget),
            catalogs: Arc::clone(&self.catalogs),
            with_user: false,
        };
        let core = Self::assemble(parts, common);
        if let Some(watchdog) = self.watchdog.get() {
            let _ = core.watchdog.set(watchdog.clone());
        }
        core
    }
}
