//! The whole app behind one handle.

use std::{sync::Arc, time::Duration};

use sonde_auth::SecretCache;
use sonde_files::FileLock;
use tokio_util::task::TaskTracker;

use crate::{
    bus::Key,
    core::{Core, Parts, State},
    drafts::{self, Drafts},
    files::{self, SavedFile},
    ipc::{Batch, DocumentSource, IpcError, NoticeLevel, Settings},
    operations,
    options::Options,
    problem,
    servers::{self, Loaded},
};

/// How long the orderly end of everything may take.
const SHUTDOWN: Duration = Duration::from_secs(6);
/// How long typed arguments and settings may be unsaved.
const GATHER: Duration = Duration::from_millis(400);

/// The whole app. Cheap to clone; all clones are the same app.
///
/// Each command of the window is a method of the same name.
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
    /// Reads what was saved and starts. Never fails: what is wrong becomes a notice. Call it inside
    /// a tokio runtime.
    pub async fn open(options: Options) -> Self {
        let folder = options.data_folder.clone();
        let read = tokio::task::spawn_blocking(move || {
            let claim = FileLock::try_take(&folder.join("servers.lock"));
            let servers = servers::load(&folder.join("servers.json"));
            let settings = load_settings(&folder.join("settings.json"));
            let drafts = drafts::load(&folder.join("drafts.json"));
            (claim, servers, settings, drafts)
        });
        let (claim, loaded, settings, drafts) = match read.await {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(%error, "reading the saved state failed");
                (
                    Ok(None),
                    Loaded {
                        list: servers::ServerList::default(),
                        changed: false,
                        locked: true,
                        notice: None,
                    },
                    Settings::default(),
                    drafts::Saved::default(),
                )
            }
        };
        let second = matches!(claim, Ok(None));
        let claim = claim.unwrap_or_else(|error| {
            // A file system without locks is no reason not to work.
            tracing::warn!(%error, "the data folder could not be claimed");
            None
        });
        let tasks = TaskTracker::new();
        let file =
            |name: &str, delay| SavedFile::start(options.data_folder.join(name), delay, &tasks);
        let core = Core::new(Parts {
            servers_file: file("servers.json", Duration::ZERO),
            settings_file: file("settings.json", GATHER),
            drafts: Drafts::new(drafts, file("drafts.json", GATHER)),
            state: State::new(loaded.list, settings, loaded.locked || second),
            claim,
            secrets: Arc::new(SecretCache::new(options.secrets)),
            tasks,
            watchdog_exe: options.watchdog,
            demo: options.demo,
            host: options.host,
            extensions: options.extensions,
            data_folder: options.data_folder,
            from_desktop: options.from_desktop,
        });
        if let Some((code, title, detail)) = loaded.notice {
            core.notice(NoticeLevel::Warning, None, code, title, detail);
        }
        if second {
            core.notice(
                NoticeLevel::Warning,
                None,
                "second_instance",
                "Sonde is already running. Changes to the server list made here are not saved.",
                None,
            );
        }
        if loaded.changed {
            core.save_servers().await;
        }
        Self { core }
    }

    /// Hands the window everything, and then what changes. A newer subscriber replaces the older;
    /// `sink` must not block and returns `false` when its window is gone.
    ///
    /// # Errors
    /// None at present.
    pub async fn subscribe(
        &self,
        sink: impl Fn(Batch) -> bool + Send + Sync + 'static,
    ) -> Result<(), IpcError> {
        // What the window before the reload had open.
        let (views, documents) = self.core.open_pages(|open| {
            (
                std::mem::take(&mut open.views),
                std::mem::take(&mut open.documents),
            )
        });
        for view in views {
            self.core.views.close(view);
        }
        for document in documents {
            self.core.documents.close(document);
        }
        let flush = self.core.bus.subscribe(self.core.clone(), Box::new(sink));
        self.core.tasks.spawn(flush);
        Ok(())
    }

    /// The window has handled all batches up to this number.
    ///
    /// # Errors
    /// None at present.
    pub async fn acknowledge(&self, number: u64) -> Result<(), IpcError> {
        self.core.bus.acknowledge(number);
        Ok(())
    }

    /// The decoded bytes of a document, for images and sound.
    ///
    /// # Errors
    /// `NotFound`, `EntryDropped`.
    pub async fn read_bytes(&self, source: DocumentSource) -> Result<Vec<u8>, IpcError> {
        let found = operations::find_source(&self.core, &source).await?;
        Ok(found.body.bytes().to_vec())
    }

    /// Replaces the settings.
    ///
    /// # Errors
    /// None at present: settings that cannot be saved last until the app ends.
    pub async fn update_settings(&self, settings: Settings) -> Result<(), IpcError> {
        let bytes = serde_json::to_vec_pretty(&settings).map_err(problem::internal)?;
        self.core.state(|state| {
            state.settings = settings;
            self.core.settings_file.put(bytes);
        });
        self.core.bus.touch(Key::Settings);
        Ok(())
    }

    /// Closes a notice.
    ///
    /// # Errors
    /// None: closing what is closed succeeds.
    pub async fn dismiss_notice(&self, id: u64) -> Result<(), IpcError> {
        self.core
            .state(|state| state.notices.retain(|notice| notice.id != id));
        self.core.bus.touch(Key::Notice(id));
        Ok(())
    }

    /// Opens an http or https address in the browser, after the user saw it whole.
    ///
    /// # Errors
    /// `InvalidInput` for any other address; `Internal` when the system refused.
    pub async fn open_external(&self, url: String) -> Result<(), IpcError> {
        let parsed = url::Url::parse(&url)
            .map_err(|error| problem::invalid(format!("`{url}` is not a valid URL: {error}.")))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(problem::invalid("Only http and https URLs are opened."));
        }
        let host = self.core.host.clone();
        tokio::task::spawn_blocking(move || host.open_url(parsed.as_str()))
            .await
            .map_err(problem::internal)?
            .map_err(problem::internal)
    }

    /// Ends every session in good order, then saves what is unsaved. Takes 6 seconds at most; what
    /// has not ended by then is killed with its process group when the runtime ends.
    pub async fn shutdown(&self) {
        let core = &self.core;
        core.closing.cancel();
        let sessions: Vec<_> = core.state(|state| {
            state
                .sessions
                .values()
                .filter_map(|session| session.end())
                .collect()
        });
        let orderly = async {
            for done in sessions {
                done.cancelled().await;
            }
        };
        if tokio::time::timeout(SHUTDOWN, orderly).await.is_err() {
            tracing::warn!("not every session ended in time");
        }
        // A token that is being renewed is stored first.
        let auths = core.server_auths.all();
        let mut closing = tokio::task::JoinSet::new();
        for auth in auths {
            closing.spawn(async move { auth.tokens.close().await });
        }
        closing.join_all().await;
        core.bus.close();
        core.servers_file.close();
        core.settings_file.close();
        core.drafts.close();
        core.tasks.close();
        if tokio::time::timeout(Duration::from_secs(2), core.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("not every task ended in time");
        }
        core.give_up_claim();
    }
}

fn load_settings(path: &std::path::Path) -> Settings {
    files::read_json(path)
}
