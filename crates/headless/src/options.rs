use std::{
    future::ready,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use sonde_auth::{MemoryStore, SecretStore};
use sonde_explorer::{DemoProgram, Host, SavePlace};
use sonde_ipc::Batch;

/// Default limit of a wait.
const LIMIT: Duration = Duration::from_secs(60);

type OpenUrl = dyn Fn(&str) -> Result<(), String> + Send + Sync;
type ChoosePath = dyn Fn() -> Option<PathBuf> + Send + Sync;
type ChooseFile = dyn Fn(&str) -> SavePlace + Send + Sync;
pub(crate) type Observer = dyn Fn(&Batch) + Send + Sync;

/// Options for opening a [`Headless`](crate::Headless).
pub struct Options {
    explorer: sonde_explorer::Options,
    desktop: Desktop,
    pub(crate) limit: Duration,
    pub(crate) observer: Option<Arc<Observer>>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("data_folder", &self.explorer.data_folder)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// Servers, settings and what is stored of sign-ins in this folder, secrets in the keyring of the
    /// operating system; no demo server, no browser, waits of at most a minute.
    #[must_use]
    pub fn new(data_folder: impl AsRef<Path>) -> Self {
        Self {
            explorer: sonde_explorer::Options::new(data_folder.as_ref()),
            desktop: Desktop::default(),
            limit: LIMIT,
            observer: None,
        }
    }

    /// Secrets in memory: they are gone when the program ends.
    #[must_use]
    pub fn secrets_in_memory(self) -> Self {
        self.secrets(Arc::new(MemoryStore::default()))
    }

    /// Secrets in this store.
    #[must_use]
    pub fn secrets(mut self, store: Arc<dyn SecretStore>) -> Self {
        self.explorer.secrets = store;
        self
    }

    /// The program of the demo server.
    #[must_use]
    pub fn demo(mut self, program: impl Into<PathBuf>) -> Self {
        self.explorer.demo = Some(DemoProgram {
            program: program.into(),
            args: Vec::new(),
        });
        self
    }

    /// The home folder in which the files of other clients are looked for, in place of the user's.
    #[must_use]
    pub fn client_home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.explorer.client_home = Some(folder.into());
        self
    }

    /// The executable that ends child processes if this program is killed
    /// (`sonde_explorer::Options::watchdog`).
    #[must_use]
    pub fn watchdog(mut self, program: impl Into<PathBuf>) -> Self {
        self.explorer.watchdog = Some(program.into());
        self
    }

    /// The executable that validates against schemas (`sonde_explorer::Options::validation_worker`).
    #[must_use]
    pub fn validation_worker(mut self, program: impl Into<PathBuf>) -> Self {
        self.explorer.validation_worker = Some(program.into());
        self
    }

    /// An extension that this program serves beyond what the app does, by its identifier, with its
    /// settings as JSON text. It is declared to every server.
    #[must_use]
    pub fn extension(mut self, id: impl Into<String>, settings: impl Into<String>) -> Self {
        let extension = (id.into(), settings.into());
        self.explorer.extensions.push(extension);
        self
    }

    /// Opens an http or https address in the user's browser, or says in one plain sentence why that
    /// is not possible. Called on a blocking thread.
    #[must_use]
    pub fn browser(
        mut self,
        open: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.desktop.open_url = Some(Box::new(open));
        self
    }

    /// Says where a file goes that is saved, by the name that it would have. Without this it is the folder for
    /// downloads.
    #[must_use]
    pub fn save_dialog(
        mut self,
        choose: impl Fn(&str) -> SavePlace + Send + Sync + 'static,
    ) -> Self {
        self.desktop.choose_file = Some(Box::new(choose));
        self
    }

    /// Says which folder the user chooses. Without this they choose none.
    #[must_use]
    pub fn folder_dialog(
        mut self,
        choose: impl Fn() -> Option<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        self.desktop.choose_folder = Some(Box::new(choose));
        self
    }

    /// Says which file that is there the user chooses. Without this they choose none.
    #[must_use]
    pub fn file_dialog(
        mut self,
        choose: impl Fn() -> Option<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        self.desktop.pick_file = Some(Box::new(choose));
        self
    }

    /// Gives the pages of apps addresses, as a window would that shows them; nothing loads them by itself.
    #[must_use]
    pub fn shows_apps(mut self) -> Self {
        self.desktop.shows_apps = true;
        self
    }

    /// Sets the folder that documents are saved to.
    #[must_use]
    pub fn downloads(mut self, folder: impl Into<PathBuf>) -> Self {
        self.desktop.downloads = Some(folder.into());
        self
    }

    /// Sets the limit of a wait.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sets a callback that gets every batch before the state takes it, in order. It must not block.
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&Batch) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    pub(crate) fn into_explorer(self) -> sonde_explorer::Options {
        let mut options = self.explorer;
        options.host = Arc::new(self.desktop);
        options
    }
}

/// Stand-in for the desktop.
#[derive(Default)]
struct Desktop {
    open_url: Option<Box<OpenUrl>>,
    downloads: Option<PathBuf>,
    choose_file: Option<Box<ChooseFile>>,
    choose_folder: Option<Box<ChoosePath>>,
    pick_file: Option<Box<ChoosePath>>,
    shows_apps: bool,
}

impl Host for Desktop {
    fn open_url(&self, url: &str) -> Result<(), String> {
        match &self.open_url {
            Some(open) => open(url),
            None => Err("No browser is available.".to_owned()),
        }
    }

    fn app_url(&self, app: &str) -> Result<String, String> {
        match self.shows_apps {
            true => Ok(format!("mcp-app://{app}/")),
            false => Err("Nothing here could show an app.".to_owned()),
        }
    }

    fn download_folder(&self) -> Option<PathBuf> {
        self.downloads.clone()
    }

    fn choose_folder(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        let chosen = self.choose_folder.as_ref().and_then(|choose| choose());
        Box::pin(ready(chosen))
    }

    fn pick_file(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        let chosen = self.pick_file.as_ref().and_then(|choose| choose());
        Box::pin(ready(chosen))
    }

    fn choose_file(&self, name: String) -> Pin<Box<dyn Future<Output = SavePlace> + Send>> {
        let chosen = self.choose_file.as_ref().map(|choose| choose(&name));
        Box::pin(ready(chosen.unwrap_or(SavePlace::Downloads)))
    }
}
