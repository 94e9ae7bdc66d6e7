//! Options of the explorer, and the interface to its host.

use std::{
    future::ready,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};

use sonde_auth::{Keyring, SecretStore};
use sonde_client::DemoProgram;
use sonde_files::FileLock;

use crate::changes::Observer;

/// The file in the data folder whose lock the one instance has that writes there.
pub const DATA_LOCK: &str = "instance.lock";

/// Abilities that only the host has.
pub trait Host: Send + Sync + 'static {
    /// Opens an http or https address in the user's browser.
    ///
    /// # Errors
    /// The system's message, one plain sentence.
    fn open_url(&self, url: &str) -> Result<(), String>;

    /// Shows the window so large, in percent. A host without a window has nothing to do.
    fn set_zoom(&self, percent: u16) {
        let _ = percent;
    }

    /// Switches full screen on or off; `None` toggles it. Returns true if it was on before. A host without a window
    /// does nothing.
    fn set_full_screen(&self, on: Option<bool>) -> bool {
        let _ = on;
        false
    }

    /// Uses dark or light colours for the window and for what the system draws for it; `None` follows the system. A
    /// host without a window does nothing.
    fn set_dark(&self, dark: Option<bool>) {
        let _ = dark;
    }

    /// The address under which the window can load the page of an app, on an origin of its own.
    ///
    /// # Errors
    /// Why this host does not show apps: one plain sentence.
    fn app_url(&self, app: &str) -> Result<String, String> {
        let _ = app;
        Err("There is no window here to show an app in.".to_owned())
    }

    /// Folder of files that the user saves without choosing another place.
    fn download_folder(&self) -> Option<PathBuf>;

    /// Asks the user where to save a file, which would be called `name`. A host without dialogs asks
    /// nobody.
    fn choose_file(&self, name: String) -> Pin<Box<dyn Future<Output = SavePlace> + Send>> {
        drop(name);
        Box::pin(ready(SavePlace::Downloads))
    }

    /// Asks the user for a folder; `None` when they cancelled. A host without dialogs asks nobody.
    fn choose_folder(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        Box::pin(ready(None))
    }

    /// Asks the user for an existing file; `None` if they cancelled. A host without dialogs asks nobody.
    fn pick_file(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        Box::pin(ready(None))
    }

    /// Shows a file in the system's file manager.
    ///
    /// # Errors
    /// The system's message, one plain sentence. A host without a desktop has no file manager.
    fn show_in_folder(&self, path: &Path) -> Result<(), String> {
        let _ = path;
        Err("No file manager is available.".to_owned())
    }
}

/// Places for a file that the user saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavePlace {
    /// Into the download folder, under a free name.
    Downloads,
    /// This file. The user has agreed to replace a present one.
    File(PathBuf),
    /// No place: the user has cancelled.
    Nowhere,
}

/// A host without a desktop: nothing can be opened, files go nowhere.
#[derive(Debug)]
struct NoHost;

impl Host for NoHost {
    fn open_url(&self, _: &str) -> Result<(), String> {
        Err("No browser is available.".to_owned())
    }
    fn download_folder(&self) -> Option<PathBuf> {
        None
    }
}

/// Options to open an [`Explorer`](crate::Explorer) with.
#[non_exhaustive]
pub struct Options {
    /// Folder of servers, settings, drafts and logs.
    pub data_folder: PathBuf,
    /// The lock of [`DATA_LOCK`], where the host has taken it already.
    pub lock: Option<FileLock>,
    /// Store of secrets.
    pub secrets: Arc<dyn SecretStore>,
    /// The demo server that ships with the app, if it does.
    pub demo: Option<DemoProgram>,
    /// Host of the app.
    pub host: Arc<dyn Host>,
    /// Receives change events.
    pub observer: Arc<dyn Observer>,
    /// Protocol extensions that the host serves in addition to the app's, by identifier, with their settings as JSON
    /// text. They are declared to every server.
    pub extensions: Vec<(String, String)>,
    /// The executable that ends child processes of an app that was killed, when started with
    /// [`sonde_wire::stdio::watchdog::ARGUMENT`].
    pub watchdog: Option<PathBuf>,
    /// The executable that checks values against schemas in a separate process, when started with
    /// [`sonde_validation::worker::ARGUMENT`]. Without it they are checked in this process, where the memory of a check
    /// is unlimited.
    pub validation_worker: Option<PathBuf>,
    /// The home folder in which the files of other clients are looked for; `None` means the user's, with
    /// the variables that name other places.
    pub client_home: Option<PathBuf>,
    /// The app was started by double-click, so its environment differs from a terminal's.
    pub from_desktop: bool,
}

impl Options {
    /// The system's keyring; no demo server, no watchdog, no desktop.
    #[must_use]
    pub fn new(data_folder: impl Into<PathBuf>) -> Self {
        Self {
            data_folder: data_folder.into(),
            lock: None,
            secrets: Arc::new(Keyring::new()),
            demo: None,
            host: Arc::new(NoHost),
            observer: Arc::new(()),
            extensions: Vec::new(),
            watchdog: None,
            validation_worker: None,
            client_home: None,
            from_desktop: false,
        }
    }

    /// With secrets in memory only.
    #[cfg(test)]
    pub(crate) fn for_tests(data_folder: impl Into<PathBuf>) -> Self {
        Self {
            secrets: Arc::new(sonde_auth::MemoryStore::default()),
            ..Self::new(data_folder)
        }
    }
}
