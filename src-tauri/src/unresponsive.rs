//! Ends the page's process where an app keeps it busy without end. An app is a frame of the page and shares its process,
//! so that nothing in the page can end the app then; and WebKit itself takes a page for unresponsive only once the user
//! has pressed or typed something.

use std::time::Duration;

use sonde_ipc::{Backend, UNRESPONSIVE};
use tauri::{AppHandle, Manager as _, Runtime};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout},
};
use webkit2gtk::WebViewExt as _;

use crate::page;

/// How long after an answer the page is asked again.
const PAUSE: Duration = Duration::from_secs(2);
/// An answer that takes so long is a slow one, and so many of them in a row are none: an app that pauses between long
/// work would freeze the window as well.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_IN_A_ROW: u32 = 3;
/// What is waited for at once. A process that was stopped for a while has missed one of these at most.
const STEP: Duration = Duration::from_secs(1);

/// Watches the page for as long as this app is shown.
pub(crate) fn watch<R: Runtime>(app: &AppHandle<R>, id: &str) {
    let (app, id) = (app.clone(), id.to_owned());
    tauri::async_runtime::spawn(async move {
        let is_shown = || app.state::<Backend>().explorer().app_is_shown(&id);
        if stops_responding(is_shown, || ask(&app)).await {
            end(&app);
        }
    });
}

/// Asks the page again and again while the app is shown. Whether it did not answer in time.
async fn stops_responding<A: Future<Output = ()>>(
    is_shown: impl Fn() -> bool,
    ask: impl Fn() -> A,
) -> bool {
    let mut slow = 0;
    while is_shown() {
        let asked = Instant::now();
        let answered = answers(ask()).await;
        slow = if asked.elapsed() < SLOW { 0 } else { slow + 1 };
        if !answered || slow == SLOW_IN_A_ROW {
            // It is gone where the page ended otherwise.
            return is_shown();
        }
        sleep(PAUSE).await;
    }
    false
}

async fn answers(answer: impl Future<Output = ()>) -> bool {
    let mut answer = std::pin::pin!(answer);
    for _ in 0..UNRESPONSIVE.as_secs() / STEP.as_secs() {
        if timeout(STEP, &mut answer).await.is_ok() {
            return true;
        }
    }
    false
}

/// Has the page evaluate something.
async fn ask<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(page::WINDOW) else {
        return;
    };
    let (answer, mut answered) = mpsc::channel(1);
    // Full is as good as taken.
    let take = move |_| _ = answer.try_send(());
    if let Err(error) = window.eval_with_callback("0", take) {
        tracing::warn!(%error, "the page could not be asked");
    }
    // Nothing where the question was dropped: that does not mean that the page is busy.
    answered.recv().await;
}

/// Ends the page's process; `page::ended` hears of it.
fn end<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(page::WINDOW) else {
        return;
    };
    tracing::warn!("the page does not respond while an app is shown: its process is ended");
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

    #[tokio::test(start_paused = true)]
    async fn a_page_that_stops_answering_is_noticed_after_the_time() {
        let asked = Cell::new(0);
        let ask = || {
            asked.set(asked.get() + 1);
            let number = asked.get();
            async move {
                if number == 3 {
                    pending().await
                }
            }
        };
        let start = Instant::now();
        assert!(stops_responding(|| true, ask).await);
        assert_eq!(asked.get(), 3);
        assert_eq!(start.elapsed(), 2 * PAUSE + UNRESPONSIVE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_answer_is_one() {
        let left = Cell::new(30);
        let is_shown = || left.replace(left.get() - 1) > 0;
        // Never as often in a row as would be too often.
        let late = || match left.get() % 3 {
            0 => sleep(Duration::ZERO),
            _ => sleep(UNRESPONSIVE - STEP),
        };
        assert!(!stops_responding(is_shown, late).await);
        assert_eq!(left.get(), -1, "it was asked until the app was closed");
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_slow_again_and_again_is_noticed() {
        let asked = Cell::new(0);
        let late = || {
            asked.set(asked.get() + 1);
            sleep(SLOW)
        };
        assert!(stops_responding(|| true, late).await);
        assert_eq!(asked.get(), SLOW_IN_A_ROW);
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_ended_for_an_app_that_is_gone() {
        let asked = Cell::new(false);
        let ask = || {
            asked.set(true);
            pending()
        };
        assert!(!stops_responding(|| !asked.get(), ask).await);
        assert!(!stops_responding(|| false, || ready(())).await);
    }
}
