//! The page's own process, which can end while the app runs on: for lack of memory, or by a fault of the system's web
//! view or a graphics driver.

use std::{collections::VecDeque, sync::Mutex, time::Duration};

use rfd::{AsyncMessageDialog, MessageButtons, MessageDialogResult, MessageLevel};
use sonde_explorer::lock;
use sonde_ipc::{AppEnd, Backend};
use tauri::{AppHandle, Manager as _, Runtime};
use tokio::time::Instant;

/// The label of the only window; `capabilities/main.json` names it too.
pub(crate) const WINDOW: &str = "main";

/// Number of ends within [`WITHIN`] after which the page is no longer reloaded automatically.
const ENDS: usize = 3;
const WITHIN: Duration = Duration::from_secs(60);

/// Times of recent ends of the page's process.
#[derive(Debug, Default)]
pub(crate) struct Ends(Mutex<VecDeque<Instant>>);

impl Ends {
    /// Counts an end. Returns true if the page is to be loaded again.
    fn count(&self, now: Instant) -> bool {
        let mut ends = lock(&self.0);
        ends.retain(|end| now.duration_since(*end) < WITHIN);
        ends.push_back(now);
        ends.len() < ENDS
    }

    fn forget(&self) {
        lock(&self.0).clear();
    }
}

/// Loads the page again whenever its process ended. On macOS the builder's own hook does the same; on Windows the web
/// view itself shows an error page with a way to reload.
#[cfg(any(
    target_os = "linux",
    target_os = "dragonfly",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd"
))]
pub(crate) fn watch<R: Runtime>(window: &tauri::WebviewWindow<R>) {
    use webkit2gtk::{WebProcessTerminationReason, WebViewExt as _};

    let app = window.app_handle().clone();
    let watched = window.with_webview(move |webview| {
        let view = webview.inner();
        view.connect_web_process_terminated(move |_, reason| {
            let why = match reason {
                // Only `unresponsive` ends the process this way.
                WebProcessTerminationReason::TerminatedByApi => AppEnd::Unresponsive,
                _ => AppEnd::PageEnded,
            };
            ended(&app, why, &format!("{reason:?}"));
        });
    });
    if let Err(error) = watched {
        tracing::warn!(%error, "an end of the page's process will not be noticed");
    }
}

/// Does nothing: see the other implementation.
#[cfg(any(windows, target_os = "macos"))]
pub(crate) fn watch<R: Runtime>(_: &tauri::WebviewWindow<R>) {}

/// Handles the end of the page's process.
pub(crate) fn ended<R: Runtime>(app: &AppHandle<R>, why: AppEnd, reason: &str) {
    tracing::error!(reason, "the page's process ended");
    let backend = app.state::<Backend>();
    backend.explorer().end_apps(why);
    // An app that made the page unresponsive does not return by itself, since apps are not restarted.
    if why == AppEnd::Unresponsive || app.state::<Ends>().count(Instant::now()) {
        reload(app);
        backend.page_was_loaded_again(why);
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if ask_to_try_again().await {
            app.state::<Ends>().forget();
            reload(&app);
        } else {
            app.exit(0);
        }
    });
}

/// Asks the user with a dialog of the system, since the window cannot show one.
async fn ask_to_try_again() -> bool {
    const AGAIN: &str = "Try again";
    let answer = AsyncMessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title("Sonde cannot show its window")
        .set_description(
            "The part of Sonde that shows its window ended three times within a minute. The servers \
             are still connected.",
        )
        .set_buttons(MessageButtons::OkCancelCustom(
            AGAIN.to_owned(),
            "Quit".to_owned(),
        ))
        .show()
        .await;
    answer == MessageDialogResult::Custom(AGAIN.to_owned())
}

fn reload<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(WINDOW) else {
        return;
    };
    if let Err(error) = window.reload() {
        tracing::error!(%error, "the page could not be loaded again");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_ends_within_a_minute_are_too_many() {
        let ends = Ends::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert!(ends.count(after(0)) && ends.count(after(30)));
        assert!(ends.count(after(60)), "the first is a minute ago");
        assert!(!ends.count(after(61)));
        ends.forget();
        assert!(ends.count(after(62)));
    }
}
