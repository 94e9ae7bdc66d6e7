//! Work that only the desktop can do: find the bundled demo server, open the browser, choose folders.

use std::{
    future::ready,
    io::IsTerminal,
    path::{Path, PathBuf},
    pin::Pin,
};

use rfd::AsyncFileDialog;
use sonde_explorer::{DemoProgram, Host, SavePlace};
use tauri::{AppHandle, Manager, Runtime, Theme, Url, window::Color};
use tauri_plugin_shell::ShellExt;

use crate::{apps, page};

/// The desktop around the app.
pub(crate) struct Desktop<R: Runtime> {
    app: AppHandle<R>,
}

impl<R: Runtime> Desktop<R> {
    pub(crate) fn new(app: AppHandle<R>) -> Self {
        Desktop { app }
    }

    /// Creates a file dialog of the system; `None` if nobody would answer it.
    fn dialog(&self) -> Option<AsyncFileDialog> {
        if std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some() {
            return None;
        }
        let dialog = AsyncFileDialog::new();
        // Other systems put the dialog in front by themselves.
        #[cfg(windows)]
        if let Some(window) = self.app.get_webview_window(page::WINDOW) {
            return Some(dialog.set_parent(&window));
        }
        Some(dialog)
    }
}

impl<R: Runtime> Host for Desktop<R> {
    fn open_url(&self, url: &str) -> Result<(), String> {
        // The explorer lets only http and https addresses pass.
        tauri_plugin_opener::open_url(url, None::<&str>).map_err(|error| error.to_string())
    }

    fn set_zoom(&self, percent: u16) {
        let Some(window) = self.app.get_webview_window(page::WINDOW) else {
            return;
        };
        if let Err(error) = window.set_zoom(f64::from(percent) / 100.0) {
            tracing::warn!(%error, "the window could not be zoomed");
        }
    }

    fn set_full_screen(&self, on: Option<bool>) -> bool {
        let Some(window) = self.app.get_webview_window(page::WINDOW) else {
            return false;
        };
        let before = window.is_fullscreen().unwrap_or_default();
        // Also called without a visible change: the system may have changed the state without notice.
        if let Err(error) = window.set_fullscreen(on.unwrap_or(!before)) {
            tracing::warn!(%error, "the window could not fill its screen, or no longer");
        }
        before
    }

    fn app_url(&self, app: &str) -> Result<String, String> {
        apps::address(app)
    }

    // Sets the theme of the drop-down lists, tooltips and title bar, which the system draws, and of the window's
    // background before its page is loaded.
    fn set_dark(&self, dark: Option<bool>) {
        let Some(window) = self.app.get_webview_window(page::WINDOW) else {
            return;
        };
        let (theme, background) = match dark {
            None => (None, None),
            // `--bg` of the token sheet.
            Some(false) => (Some(Theme::Light), Some(Color(0xff, 0xff, 0xff, 0xff))),
            Some(true) => (Some(Theme::Dark), Some(Color(0x16, 0x19, 0x1d, 0xff))),
        };
        let drawn = window
            .set_theme(theme)
            .and_then(|()| window.set_background_color(background));
        if let Err(error) = drawn {
            tracing::warn!(%error, "the colours of the window could not be changed");
        }
    }

    fn download_folder(&self) -> Option<PathBuf> {
        let paths = self.app.path();
        paths.download_dir().or_else(|_| paths.home_dir()).ok()
    }

    fn choose_file(&self, name: String) -> Pin<Box<dyn Future<Output = SavePlace> + Send>> {
        let Some(mut dialog) = self.dialog() else {
            return Box::pin(ready(SavePlace::Downloads));
        };
        dialog = dialog.set_file_name(name);
        if let Some(folder) = self.download_folder() {
            dialog = dialog.set_directory(folder);
        }
        let saving = dialog.save_file();
        Box::pin(async move {
            let chosen = saving.await;
            chosen.map_or(SavePlace::Nowhere, |file| {
                SavePlace::File(file.path().to_owned())
            })
        })
    }

    fn choose_folder(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        let Some(dialog) = self.dialog() else {
            return Box::pin(ready(None));
        };
        let choosing = dialog.pick_folder();
        Box::pin(async move { choosing.await.map(|folder| folder.path().to_owned()) })
    }

    fn pick_file(&self) -> Pin<Box<dyn Future<Output = Option<PathBuf>> + Send>> {
        let Some(dialog) = self.dialog() else {
            return Box::pin(ready(None));
        };
        let choosing = dialog.pick_file();
        Box::pin(async move { choosing.await.map(|file| file.path().to_owned()) })
    }

    fn show_in_folder(&self, path: &Path) -> Result<(), String> {
        tauri_plugin_opener::reveal_item_in_dir(path).map_err(|error| error.to_string())
    }
}

/// Finds the demo server that ships beside the app. The shell plugin knows the folder and the name of a bundled program
/// on each system; `wire::stdio` runs it like any other server.
pub(crate) fn demo_program<R: Runtime>(app: &AppHandle<R>) -> Option<DemoProgram> {
    let command = match app.shell().sidecar("sonde-demo") {
        Ok(command) => std::process::Command::from(command),
        Err(error) => {
            tracing::error!(%error, "the demo server is not where it should be");
            return None;
        }
    };
    Some(DemoProgram {
        program: PathBuf::from(command.get_program()),
        args: command
            .get_args()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect(),
    })
}

/// Returns the path of the program `sonde-helper` beside the app's own.
pub(crate) fn helper_program() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(format!("sonde-helper{}", std::env::consts::EXE_SUFFIX)))
}

/// True if the app was started by double-click, so that it lacks the PATH of the user's shell.
pub(crate) fn started_from_desktop() -> bool {
    !std::io::stdin().is_terminal() && std::env::var_os("TERM").is_none()
}

/// True if the web view may open this address: only the app's own page is allowed.
pub(crate) fn is_own_page(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Windows serves the app's page under this host. On other systems, or with a port, the host leads to whatever
        // listens on this computer.
        "http" | "https" => {
            cfg!(windows) && url.host_str() == Some("tauri.localhost") && url.port().is_none()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_own_page_is_allowed() {
        for (url, allowed) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", cfg!(windows)),
            ("http://tauri.localhost:8080/", false),
            ("https://example.com/", false),
            ("http://localhost:1420/", false),
            ("tauri://elsewhere/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,hello", false),
        ] {
            assert_eq!(super::is_own_page(&url.parse().unwrap()), allowed, "{url}");
        }
    }
}
