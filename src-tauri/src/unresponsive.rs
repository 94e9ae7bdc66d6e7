//! Ends the page's process if it is busy without end: with an app, which is a frame of the page and shares its process,
//! or with a picture of a server. Nothing in the page can then stop it, and WebKit itself treats a page as unresponsive
//! only after the user has pressed or typed something.

use std::time::Duration;

use sonde_ipc::{Backend, UNRESPONSIVE};
use tauri::{AppHandle, Manager as _, Runtime};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout},
};
use webkit2gtk::WebViewExt as _;

use crate::{page, page_network};

/// Pause between a reply of the page and the next question, while an app is shown; below, without one.
const PAUSE_WITH_APP: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_secs(5);
/// The longest wait for a reply without an app: the page itself may work for long on a slow computer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest wait for the first reply of a page, which has to load.
const FIRST: Duration = Duration::from_secs(180);
/// A reply that takes this long is slow, and several slow ones in a row count as none: an app that pauses between long
/// work would freeze the window as well.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_IN_A_ROW: u32 = 3;
/// Step of a wait. A process that was suspended for a while has missed at most one step.
const STEP: Duration = Duration::from_secs(1);

/// Watches the page as long as the program runs.
pub(crate) fn watch<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let shows_app = || {
            let backend = app.state::<Backend>();
            page_network::keep(&app, |id| backend.explorer().app_is_shown(id));
            backend.explorer().shows_apps()
        };
        loop {
            stops_responding(&shows_app, || ask(&app)).await;
            end(&app);
        }
    });
}

/// Asks the page again and again. Returns when it did not reply in time.
async fn stops_responding<A: Future<Output = ()>>(
    shows_app: impl Fn() -> bool,
    ask: impl Fn() -> A,
) {
    let mut slow = 0;
    let mut limit = FIRST;
    loop {
        let asked = Instant::now();
        let mut answer = std::pin::pin!(ask());
        let mut waited = Duration::ZERO;
        while timeout(STEP, &mut answer).await.is_err() {
            waited += STEP;
            // An app may open or close meanwhile.
            if waited >= if shows_app() { UNRESPONSIVE } else { limit } {
                return;
            }
        }
        let with_app = shows_app();
        let is_slow = with_app && asked.elapsed() >= SLOW;
        slow = if is_slow { slow + 1 } else { 0 };
        if slow == SLOW_IN_A_ROW {
            return;
        }
        limit = PATIENCE;
        sleep(if with_app { PAUSE_WITH_APP } else { PAUSE }).await;
    }
}

/// Has the page evaluate something, and waits for the result.
async fn ask<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(page::WINDOW) else {
        return;
    };
    let (answer, mut answered) = mpsc::channel(1);
    // A full channel has the reply already.
    let take = move |_| _ = answer.try_send(());
    if let Err(error) = window.eval_with_callback("0", take) {
        tracing::warn!(%error, "the page could not be asked");
    }
    // No reply arrives if the question was dropped; that does not mean that the page is busy.
    answered.recv().await;
}

/// Ends the page's process; `page::ended` handles that.
fn end<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(page::WINDOW) else {
        return;
    };
    tracing::warn!("the page does not respond: its process is ended");
    let ended = window.with_webview(|webview| webview.inner().terminate_web_process());
    if let Err(error) = ended {
        tracing::error!(%error, "the page's process could not be ended");
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        future::{pending, ready},
    };

    use super::*;

    /// Creates a page that replies at once this number of times, and never again.
    fn stops_after(answers: u32) -> (Cell<u32>, impl Fn(&Cell<u32>) -> bool) {
        (Cell::new(0), move |asked: &Cell<u32>| {
            asked.set(asked.get() + 1);
            asked.get() <= answers
        })
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_stops_answering_is_noticed_after_the_time() {
        for (with_app, pause, limit) in [
            (true, PAUSE_WITH_APP, UNRESPONSIVE),
            (false, PAUSE, PATIENCE),
        ] {
            let (asked, next) = stops_after(2);
            let ask = || {
                let answers = next(&asked);
                async move {
                    if !answers {
                        pending().await
                    }
                }
            };
            let start = Instant::now();
            stops_responding(|| with_app, ask).await;
            assert_eq!(asked.get(), 3);
            assert_eq!(start.elapsed(), 2 * pause + limit);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_has_longer_to_load() {
        let start = Instant::now();
        stops_responding(|| false, pending).await;
        assert_eq!(start.elapsed(), FIRST);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_answer_is_one() {
        let left = Cell::new(30);
        // Never enough slow replies in a row.
        let late = || async {
            left.set(left.get() - 1);
            match left.get() {
                0 => pending().await,
                one if one % 3 == 0 => ready(()).await,
                _ => sleep(UNRESPONSIVE - STEP).await,
            }
        };
        stops_responding(|| true, late).await;
        assert_eq!(left.get(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_slow_again_and_again_with_an_app_is_noticed() {
        let asked = Cell::new(0);
        let late = || {
            asked.set(asked.get() + 1);
            sleep(SLOW)
        };
        stops_responding(|| true, late).await;
        assert_eq!(asked.get(), SLOW_IN_A_ROW);
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_has_longer_once_its_app_is_gone() {
        let start = Instant::now();
        stops_responding(|| start.elapsed() < UNRESPONSIVE - STEP, pending).await;
        assert_eq!(start.elapsed(), FIRST);
    }
}
