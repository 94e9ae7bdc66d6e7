//! The whole app behind one handle.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_auth::{CredentialStore, SecretCache};
use sonde_client::{Connection, Services};
use sonde_files::FileLock;
use sonde_record::Budget;
use sonde_validation::Validator;
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;

use crate::{
    Error,
    baselines::Baselines,
    blocking,
    checks::KeptChecks,
    clock,
    core::{Core, State},
    drafts::Drafts,
    files::{self, DataFile, SavedFile},
    log::WireLog,
    notices::NoticeLevel,
    operations::{self, OperationNumber, StoredRuns},
    options::{DATA_LOCK, Host, Options},
    servers,
    settings::Settings,
};

/// Time limit of the orderly shutdown.
const SHUTDOWN: Duration = Duration::from_secs(6);
/// Longest time for which typed arguments, settings and runs may be unsaved.
const GATHER: Duration = Duration::from_millis(400);

/// The whole app. Cheap to clone; all clones are the same app.
///
/// Actions of the user are methods; state is read with [`Explorer::read`], and the [`Observer`](crate::Observer) of the
/// options receives change events.
#[derive(Clone)]
pub struct Explorer {
    pub(crate) core: Arc<Core>,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Explorer")
    }
}

impl Explorer {
    /// Reads the saved data and starts. Never fails: problems become notices. Call it inside a tokio runtime.
    pub async fn open(options: Options) -> Self {
        let folder = options.data_folder.clone();
        let lock = options.lock;
        let read = blocking(move || {
            (
                sonde_files::private_folder(&folder),
                match lock {
                    Some(lock) => Ok(Some(lock)),
                    None => FileLock::try_take(&folder.join(DATA_LOCK)),
                },
                servers::load(&files::SERVERS.path(&folder)),
                files::SETTINGS.read::<Settings>(&folder),
                files::DRAFTS.read(&folder),
                files::SAVED_INPUTS.read(&folder),
                files::PRESENTATIONS.read(&folder),
                operations::last_number(&folder),
            )
        });
        let (private, claim, loaded, settings, drafts, inputs, presentations, last) =
            read.await.unwrap_or_else(|_| {
                (
                    Ok(()),
                    Ok(None),
                    Default::default(),
                    Default::default(),
                    Default::default(),
                    Default::default(),
                    Default::default(),
                    operations::UNKNOWN_LAST,
                )
            });
        let second = matches!(claim, Ok(None));
        let claim = claim.unwrap_or_else(|error| {
            // File systems without locks are supported.
            tracing::warn!(%error, "the data folder could not be claimed");
            None
        });
        let mut opened = Vec::new();
        let mut file = |file: &'static DataFile, delay, locked: bool| {
            let path = file.path(&options.data_folder);
            let saved = SavedFile::new(path, delay, !locked && !second);
            opened.push((Arc::clone(&saved), file));
            saved
        };
        let servers_file = file(&files::SERVERS, Duration::ZERO, loaded.locked);
        let settings_file = file(&files::SETTINGS, GATHER, settings.locked);
        let drafts_file = file(&files::DRAFTS, GATHER, drafts.locked);
        let inputs_file = file(&files::SAVED_INPUTS, GATHER, inputs.locked);
        let presentations_file = file(&files::PRESENTATIONS, GATHER, presentations.locked);
        let stored_runs = StoredRuns::new(&options.data_folder, last, GATHER, !second);
        let secrets = Arc::new(SecretCache::new(options.secrets));
        let credentials = CredentialStore::new(
            Arc::clone(&secrets),
            Some(&options.data_folder),
            Arc::new(clock::millis),
        );
        let validator = Validator::new(options.validation_worker);
        let first_start = loaded.saved.is_none() && !loaded.locked;
        let no_presentations = presentations.saved.is_none() && presentations.notice.is_none();
        let core = Core {
            services: Arc::new(Services {
                demo: options.demo,
                extensions: options.extensions,
                from_desktop: options.from_desktop,
                watchdog: options.watchdog,
                last_operation: last.into(),
                ..Services::new(secrets, Arc::new(credentials), validator)
            }),
            servers_file,
            settings_file,
            inputs_file,
            presentations_file,
            drafts: Drafts::new(drafts.saved.unwrap_or_default(), drafts_file),
            baselines: Baselines::in_folder(&options.data_folder, GATHER, !second),
            checks: KeptChecks::new(&options.data_folder, GATHER, !second),
            stored_runs: stored_runs.clone(),
            state: Mutex::new(State {
                servers: loaded.saved.unwrap_or_else(servers::first_list),
                settings: settings.saved.unwrap_or_default().within_limits(),
                saved_inputs: inputs.saved.unwrap_or_default(),
                presentations: presentations.saved.unwrap_or_default(),
                ..State::default()
            }),
            tasks: TaskTracker::new(),
            claim: Mutex::new(claim),
            muting: Mutex::new(()),
            observer: options.observer,
            host: options.host,
            data_folder: options.data_folder,
            client_home: options.client_home,
        }
        .start();
        for (saved, file) in opened {
            core.keep_saved(saved, file, file.path(&core.data_folder));
        }
        core.tasks.spawn(stored_runs.run(Arc::downgrade(&core)));
        if no_presentations {
            core.add_demo_presentation();
        }
        let notices = [
            loaded.notice,
            settings.notice,
            drafts.notice,
            inputs.notice,
            presentations.notice,
        ];
        for (code, title, detail) in notices.into_iter().flatten() {
            core.notice(NoticeLevel::Warning, None, &code, title, detail);
        }
        if let Err(error) = private {
            core.notice(
                NoticeLevel::Warning,
                None,
                "data_folder_not_private",
                "Other users of this computer may be able to read and change what Sonde saves: its data \
                 folder could not be made private.",
                Some(format!("{}: {error}", core.data_folder.display())),
            );
        }
        if second {
            core.notice(
                NoticeLevel::Warning,
                None,
                "second_instance",
                "Sonde is already running. Changes made here are not saved.",
                None,
            );
        }
        if first_start {
            core.save_servers().await;
        }
        Self { core }
    }

    /// Reads the state. It is locked meanwhile, so `read` must not take long and must not call
    /// anything else here.
    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        self.core.state(|state| read(state))
    }

    /// The connection of a server.
    ///
    /// # Errors
    /// `NoServer`.
    pub fn connection(&self, server: &str) -> Result<Connection, Error> {
        self.core.connection(server)
    }

    /// The connection whose history has an operation.
    ///
    /// # Errors
    /// `NoOperation`.
    pub fn connection_of_operation(&self, operation: OperationNumber) -> Result<Connection, Error> {
        self.core.connection_of_operation(operation)
    }

    /// The connection whose server asked this.
    ///
    /// # Errors
    /// `NotFound` when the request is closed.
    pub fn connection_of_request(&self, request: u64) -> Result<Connection, Error> {
        let found = self.read(|state| state.connection_of_request(request).cloned());
        found.ok_or(Error::NotFound("This request is already closed."))
    }

    /// The wire log of a server.
    ///
    /// # Errors
    /// `NoServer`.
    pub fn log(&self, server: &str) -> Result<Arc<WireLog>, Error> {
        self.core.log(server)
    }

    /// The names of a server's secrets that are in memory only, since the keyring did not take them.
    #[must_use]
    pub fn unsaved_secrets(&self, server: &str) -> Vec<String> {
        self.core.services.secrets.unsaved(server)
    }

    /// Describes the place of the secrets, one plain sentence.
    pub async fn keyring(&self) -> String {
        self.core.services.secrets.describe().await
    }

    /// The budget that logs and documents of all servers share.
    #[must_use]
    pub fn budget(&self) -> &Arc<Budget> {
        &self.core.services.budget
    }

    /// The host of the app.
    #[must_use]
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.core.host
    }

    /// The folder of servers, settings, drafts and logs.
    #[must_use]
    pub fn data_folder(&self) -> &Path {
        &self.core.data_folder
    }

    /// Shows the user a notice about the app as a whole, which replaces an earlier one of the same code.
    pub fn notice(&self, level: NoticeLevel, code: &str, title: &str) {
        self.core.notice(level, None, code, title, None);
    }

    /// Opens an http or https address in the browser, after the user saw it whole.
    ///
    /// # Errors
    /// `InvalidInput` for any other address; `Internal` when the system refused.
    pub async fn open_external(&self, url: String) -> Result<(), Error> {
        let parsed = url::Url::parse(&url)
            .map_err(|error| Error::invalid(format!("`{url}` is not a valid URL: {error}.")))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(Error::invalid("Only http and https URLs are opened."));
        }
        let host = self.core.host.clone();
        let opened = blocking(move || host.open_url(parsed.as_str())).await?;
        opened.map_err(Error::internal)
    }

    /// Switches full screen on or off; `None` toggles it. Returns true if it was on before.
    ///
    /// # Errors
    /// `Internal` when the host failed.
    pub async fn set_full_screen(&self, on: Option<bool>) -> Result<bool, Error> {
        let host = self.core.host.clone();
        blocking(move || host.set_full_screen(on)).await
    }

    /// Asks the user for a folder, and answers with its path; `None` when they cancelled.
    ///
    /// # Errors
    /// `InvalidInput` for a path that is not text.
    pub async fn choose_folder(&self) -> Result<Option<String>, Error> {
        let chosen = self.core.host.clone().choose_folder().await;
        chosen.map(path_text).transpose()
    }

    /// Asks the user for an existing file; returns its path, or `None` if they cancelled.
    ///
    /// # Errors
    /// `InvalidInput` for a path that is not text.
    pub async fn choose_file(&self) -> Result<Option<String>, Error> {
        let chosen = self.core.host.clone().pick_file().await;
        chosen.map(path_text).transpose()
    }

    /// Closes every session, then saves unsaved data. Takes at most 6 seconds; processes that have not ended by then
    /// are killed with their process group when the runtime ends.
    pub async fn shutdown(&self) {
        let core = &self.core;
        core.services.closing.cancel();
        let mut connections = core.connections();
        let removed = || core.state(|state| state.deletions.servers()).into_iter();
        connections.extend(removed().map(|(_, connection)| connection));
        // All at once: each may take its time.
        let mut ending = JoinSet::new();
        for connection in connections.clone() {
            ending.spawn(async move { connection.end_session().await });
        }
        let orderly = ending.join_all();
        if tokio::time::timeout(SHUTDOWN, orderly).await.is_err() {
            tracing::warn!("not every session ended in time");
        }
        // A token that is being renewed is stored first.
        let mut closing = JoinSet::new();
        for connection in connections.clone() {
            closing.spawn(async move { connection.close_auth().await });
        }
        closing.join_all().await;
        core.servers_file.close();
        core.settings_file.close();
        core.inputs_file.close();
        core.presentations_file.close();
        core.drafts.close();
        core.baselines.close();
        let removed: Vec<_> = removed().map(|(server, _)| server).collect();
        core.stored_runs.close(&removed);
        core.checks.wait_for_runs().await;
        core.checks.close(&removed);
        core.tasks.close();
        let tasks = async {
            core.tasks.wait().await;
            for connection in &connections {
                connection.wait_for_tasks().await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(2), tasks)
            .await
            .is_err()
        {
            tracing::warn!("not every task ended in time");
        }
        core.give_up_claim();
    }
}

/// A path that the user chose, as it crosses to the window.
fn path_text(path: PathBuf) -> Result<String, Error> {
    path.into_os_string()
        .into_string()
        .map_err(|_| Error::invalid("This path has characters that cannot be written as text."))
}
