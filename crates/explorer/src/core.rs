//! State of the app, behind one lock.
//!
//! One mutex guards all models. It is held for the time of a small change, never across an `.await`. Each connection has
//! a lock of its own, which may be taken while this one is held, and never the other way round.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use sonde_client::{Connection, Services};
use sonde_files::FileLock;
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::TaskTracker,
};

use crate::{
    Error,
    apps::Apps,
    baselines::{Baselines, Changed},
    catalogs::{JudgingAll, lint_all},
    changes::{Change, Observer},
    checks::{CheckList, KeptChecks},
    config_uses::ConfigUses,
    deletions::{Deleted, Deletions},
    diagnosis::Diagnoses,
    drafts::Drafts,
    files::{DataFile, SavedFile},
    lock,
    log::WireLog,
    notices::{Notice, NoticeLevel, Notices},
    operations::{OperationNumber, OperationRecord, StoredRuns},
    options::Host,
    presentations::{Presentation, PresentationList},
    saved_inputs::SavedInputList,
    servers::{self, ServerEntry, ServerId, ServerList},
    sessions::OpenServerRequest,
    settings::Settings,
};

/// Names a deletion. Counts up while the app runs.
pub type DeletionNumber = u64;

/// Everything behind [`crate::Explorer`].
pub(crate) struct Core {
    pub(crate) state: Mutex<State>,
    pub(crate) observer: Arc<dyn Observer>,
    /// Resources that the connections share.
    pub(crate) services: Arc<Services>,
    pub(crate) servers_file: Arc<SavedFile>,
    pub(crate) settings_file: Arc<SavedFile>,
    pub(crate) inputs_file: Arc<SavedFile>,
    pub(crate) presentations_file: Arc<SavedFile>,
    pub(crate) drafts: Drafts,
    pub(crate) baselines: Baselines,
    pub(crate) checks: KeptChecks,
    pub(crate) stored_runs: Arc<StoredRuns>,
    /// Every task that outlives a command.
    pub(crate) tasks: TaskTracker,
    /// While it is held, no other process writes to the data folder.
    pub(crate) claim: Mutex<Option<FileLock>>,
    /// Held while the muted rules of a server change, until its wire log knows.
    pub(crate) muting: Mutex<()>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) data_folder: PathBuf,
    pub(crate) client_home: Option<PathBuf>,
}

/// All models. They are read with [`Explorer::read`](crate::Explorer::read).
#[derive(Default)]
pub struct State {
    pub(crate) servers: ServerList,
    /// One for each server of the list.
    pub(crate) connections: HashMap<ServerId, Connection>,
    /// Definitions of each server that differ from the accepted ones.
    pub(crate) changed: HashMap<ServerId, Arc<Changed>>,
    pub(crate) config_uses: ConfigUses,
    pub(crate) judging_all: JudgingAll,
    pub(crate) apps: Apps,
    pub(crate) notices: Notices,
    pub(crate) deletions: Deletions,
    pub(crate) offer: Option<String>,
    pub(crate) settings: Settings,
    pub(crate) saved_inputs: SavedInputList,
    pub(crate) presentations: PresentationList,
    pub(crate) diagnoses: Diagnoses,
    pub(crate) checks: CheckList,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl State {
    /// The server list.
    #[must_use]
    pub fn servers(&self) -> &ServerList {
        &self.servers
    }

    /// The connection of a server of the list.
    #[must_use]
    pub fn connection(&self, server: &str) -> Option<&Connection> {
        self.connections.get(server)
    }

    /// The connection of a server of the list, and its entry to be changed.
    pub(crate) fn entry(&mut self, server: &str) -> Result<(&Connection, &mut ServerEntry), Error> {
        let gone = || Error::NoServer(server.to_owned());
        let connection = self.connections.get(server).ok_or_else(gone)?;
        Ok((connection, self.servers.get_mut(server).ok_or_else(gone)?))
    }

    /// Returns the entry of a server, whose configuration is in use until the guard is dropped. `cancel` is cancelled
    /// when that must end.
    pub(crate) fn use_config(
        &mut self,
        server: &str,
        cancel: &CancellationToken,
    ) -> Result<(ServerEntry, DropGuard), Error> {
        let entry = self.entry(server)?.1.clone();
        let in_use = self.config_uses.add(entry.id.clone(), cancel);
        Ok((entry, in_use))
    }

    /// The connection whose history has an operation.
    #[must_use]
    pub fn connection_of_operation(&self, operation: OperationNumber) -> Option<&Connection> {
        let has = |one: &&Connection| one.read(|state| state.operations.get(operation).is_some());
        self.connections.values().find(has)
    }

    /// Reads an operation; `None` where no history has it.
    pub fn operation<T>(
        &self,
        operation: OperationNumber,
        read: impl FnOnce(&OperationRecord) -> T,
    ) -> Option<T> {
        let connection = self.connection_of_operation(operation)?;
        connection.read(|state| state.operations.get(operation).map(read))
    }

    /// Reads an open request of a server; `None` where it is closed.
    pub fn server_request<T>(
        &self,
        request: u64,
        read: impl FnOnce(&OpenServerRequest) -> T,
    ) -> Option<T> {
        let connection = self.connection_of_request(request)?;
        connection.read(|state| state.server_requests.get(request).map(read))
    }

    /// The connection whose server asked this.
    #[must_use]
    pub fn connection_of_request(&self, request: u64) -> Option<&Connection> {
        let has =
            |one: &&Connection| one.read(|state| state.server_requests.get(request).is_some());
        self.connections.values().find(has)
    }

    /// Definitions of a server that differ from the accepted ones.
    #[must_use]
    pub fn changed(&self, server: &str) -> Arc<Changed> {
        self.changed.get(server).cloned().unwrap_or_default()
    }

    /// The open notices, the oldest first.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices.open
    }

    /// True if a link waits for the user's review.
    #[must_use]
    pub fn has_offer(&self) -> bool {
        self.offer.is_some()
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The saved inputs of all servers.
    #[must_use]
    pub fn saved_inputs(&self) -> &SavedInputList {
        &self.saved_inputs
    }

    /// Returns the last diagnosis of each diagnosed server.
    #[must_use]
    pub fn diagnoses(&self) -> &Diagnoses {
        &self.diagnoses
    }

    /// The checks of each server whose checks were opened.
    #[must_use]
    pub fn checks(&self) -> &CheckList {
        &self.checks
    }

    /// Returns the presentations in order; references to removed servers and inputs are marked.
    #[must_use]
    pub fn presentations(&self) -> Vec<Presentation> {
        let presentations = self.presentations.iter().cloned();
        presentations
            .map(|mut one| {
                one.look_up(&self.servers, &self.saved_inputs);
                one
            })
            .collect()
    }
}

impl Core {
    /// Opens a connection for each server of the list.
    pub(crate) fn start(self) -> Arc<Self> {
        let core = Arc::new(self);
        let entries: Vec<_> = core.state(|state| state.servers.iter().cloned().collect());
        for entry in entries {
            core.add_connection(&entry);
        }
        core
    }

    /// Reads or changes the models. `change` must not record in a log and must not take long.
    pub(crate) fn state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut lock(&self.state))
    }

    /// Keeps something for the time in which its deletion can be undone.
    pub(crate) fn keep(&self, deleted: impl Into<Deleted>) -> DeletionNumber {
        self.state(|state| state.deletions.keep(deleted.into()))
    }

    /// Releases the data folder, so that another process may write to it.
    pub(crate) fn give_up_claim(&self) {
        lock(&self.claim).take();
    }

    /// The connection of a server.
    pub(crate) fn connection(&self, server: &str) -> Result<Connection, Error> {
        self.state(|state| state.connections.get(server).cloned())
            .ok_or_else(|| Error::NoServer(server.to_owned()))
    }

    /// The connection whose history has an operation.
    pub(crate) fn connection_of_operation(
        &self,
        operation: OperationNumber,
    ) -> Result<Connection, Error> {
        self.state(|state| state.connection_of_operation(operation).cloned())
            .ok_or(Error::NoOperation(operation))
    }

    /// All connections.
    pub(crate) fn connections(&self) -> Vec<Connection> {
        self.state(|state| state.connections.values().cloned().collect())
    }

    pub(crate) fn server(&self, server: &str) -> Result<ServerEntry, Error> {
        self.state(|state| state.servers.get(server).cloned())
            .ok_or_else(|| Error::NoServer(server.to_owned()))
    }

    pub(crate) fn log(&self, server: &str) -> Result<Arc<WireLog>, Error> {
        Ok(Arc::clone(self.connection(server)?.log()))
    }

    /// Shows the user a notice, which replaces an earlier one of the same code about the same server.
    pub(crate) fn notice(
        &self,
        level: NoticeLevel,
        server: Option<&str>,
        code: &str,
        title: impl Into<String>,
        detail: Option<String>,
    ) {
        let notice = Notice {
            id: 0,
            level,
            server: server.map(str::to_owned),
            code: code.to_owned(),
            title: title.into(),
            detail,
        };
        for id in self.state(|state| state.notices.add(notice)) {
            self.observer.changed(Change::Notice(id));
        }
    }

    /// Closes notices of this code about this server.
    pub(crate) fn retract(&self, server: Option<&str>, code: &str) {
        for id in self.state(|state| state.notices.remove(server, code)) {
            self.observer.changed(Change::Notice(id));
        }
    }

    /// Announces a changed configuration of a server, and everything that shows the server's name.
    pub(crate) fn configuration_changed(self: &Arc<Self>, server: &str) {
        self.observer.changed(Change::Server(server.to_owned()));
        self.observer.changed(Change::Presentations);
        lint_all(self);
    }

    /// Saves the server list and waits until it is on disk, or could not be written: that is a notice,
    /// and the change itself is made.
    pub(crate) async fn save_servers(&self) {
        // Under the lock, so that versions are written in the order of the changes.
        let version = self.state(|state| self.servers_file.put(servers::to_bytes(&state.servers)));
        if let Some(version) = version {
            let _ = self.servers_file.written(version).await;
        }
    }

    /// Keeps the file at this path up to date until it is closed. A notice is shown while it cannot be saved.
    pub(crate) fn keep_saved(
        self: &Arc<Self>,
        saved: Arc<SavedFile>,
        file: &'static DataFile,
        path: PathBuf,
    ) {
        let core = Arc::downgrade(self);
        self.tasks.spawn(saved.run(move |error| {
            let Some(core) = core.upgrade() else { return };
            core.tell_not_saved(file, &path, error);
        }));
    }

    /// Shows a notice that something cannot be saved at this path; with `None`, closes it.
    pub(crate) fn tell_not_saved(&self, file: &DataFile, path: &Path, error: Option<&str>) {
        let code = file.not_saved();
        let Some(error) = error else {
            return self.retract(None, &code);
        };
        self.notice(
            NoticeLevel::Error,
            None,
            &code,
            format!(
                "{} could not be saved. Sonde keeps trying; what is not saved by then is lost when Sonde \
                 quits.",
                file.what
            ),
            Some(format!("{}: {error}", path.display())),
        );
    }
}
