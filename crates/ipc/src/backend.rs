//! Backend of the window: its state and commands.

use std::{
    collections::HashSet,
    mem::take,
    path::PathBuf,
    pin::pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use sonde_explorer::{Error, Explorer, Options, lock, notices::NoticeLevel, operations::AppEnd};
use sonde_record::{document::Documents, log::LogViews};
use tokio::sync::Notify;

use super::{
    bus::{Bus, Changes, Key, Source as _},
    error::IpcError,
    event::Batch,
    event::UiEvent,
    source::Views,
};

/// The explorer, with the events, log views and documents that a window uses. Cheap to clone; all clones share one
/// state.
///
/// Each command of the window is a method of the same name.
#[derive(Clone)]
pub struct Backend {
    explorer: Explorer,
    window: Arc<Window>,
}

struct Window {
    bus: Arc<Bus>,
    logs: Arc<LogViews>,
    documents: Arc<Documents>,
    page: Mutex<Page>,
    /// Notified when the page has sent its unsaved text.
    ready_to_close: Notify,
}

/// Facts about the page that outlive it.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Log views that a reloading page leaves open.
    pub(crate) logs: HashSet<u64>,
    /// Documents that a reloading page leaves open.
    pub(crate) documents: HashSet<u64>,
    /// State of the page, in its own format. In memory only: it holds unsaved text of forms.
    view: Option<String>,
    /// Files that were saved for the user.
    pub(crate) saved: HashSet<PathBuf>,
}

/// Longest wait for the page before its window closes: a stuck page must not keep the app running.
const PAGE_TIME: Duration = Duration::from_secs(5);

/// Limit in bytes of the stored state of a page.
const LONGEST_PAGE: usize = 16 << 20;

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Backend")
    }
}

impl Backend {
    /// Opens the explorer and sends its changes to the window. Call it inside a tokio runtime.
    pub async fn open(mut options: Options) -> Self {
        let bus = Arc::new(Bus::default());
        options.observer = Arc::new(Changes(Arc::clone(&bus)));
        let explorer = Explorer::open(options).await;
        let of_logs = Arc::clone(&bus);
        let logs = LogViews::new(
            Arc::new(move |view| of_logs.touch(Key::Log(view))),
            sonde_mcp::message_summary,
        );
        let window = Arc::new(Window {
            bus,
            logs,
            documents: Documents::within(explorer.budget()),
            page: Mutex::default(),
            ready_to_close: Notify::new(),
        });
        Self { explorer, window }
    }

    /// Returns the explorer behind the window.
    #[must_use]
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    pub(crate) fn logs(&self) -> &LogViews {
        &self.window.logs
    }

    pub(crate) fn documents(&self) -> &Documents {
        &self.window.documents
    }

    pub(crate) fn page<T>(&self, change: impl FnOnce(&mut Page) -> T) -> T {
        change(&mut lock(&self.window.page))
    }

    /// Sends everything to the window, then every change. A newer subscriber replaces the older; `sink` must not block
    /// and returns `false` when its window is gone.
    pub async fn subscribe(
        &self,
        sink: impl Fn(Batch) -> bool + Send + Sync + 'static,
    ) -> Result<(), IpcError> {
        tracing::info!("a page subscribed");
        // Views and documents that the window had open before the reload.
        let (logs, documents) = self.page(|page| (take(&mut page.logs), take(&mut page.documents)));
        for view in logs {
            self.logs().close(view);
        }
        for document in documents {
            self.documents().close(document);
        }
        self.explorer.forget_deletions();
        self.explorer.end_apps(AppEnd::PageEnded);
        let views = Arc::new(self.views());
        self.window.bus.subscribe(views, Box::new(sink));
        Ok(())
    }

    /// Returns the state of everything that a window shows, as a subscription receives it first.
    #[must_use]
    pub fn snapshot(&self) -> Vec<UiEvent> {
        self.views().snapshot()
    }

    fn views(&self) -> Views {
        Views {
            explorer: self.explorer.clone(),
            logs: Arc::clone(&self.window.logs),
        }
    }

    /// The window has handled all batches up to this number.
    pub async fn acknowledge(&self, number: u64) -> Result<(), IpcError> {
        self.window.bus.acknowledge(number);
        Ok(())
    }

    /// Asks the page for text that was typed just now, before its window closes. Waits 5 seconds at most, during which the
    /// window need not be seen.
    pub async fn before_close(&self) {
        let mut ready = pin!(self.window.ready_to_close.notified());
        // Registered before the event is sent, so that the reply cannot be missed.
        ready.as_mut().enable();
        self.window.bus.touch(Key::Closing);
        if tokio::time::timeout(PAGE_TIME, ready).await.is_err() {
            tracing::warn!("the page did not say that it is ready to close");
        }
    }

    /// Notes that the page has sent its unsaved text.
    pub async fn ready_to_close(&self) -> Result<(), IpcError> {
        self.window.ready_to_close.notify_waiters();
        Ok(())
    }

    /// Stores the state of the page, in the page's own format, as long as the app runs.
    ///
    /// # Errors
    /// `InvalidInput` above 16 MiB.
    pub async fn keep_view(&self, view: String) -> Result<(), IpcError> {
        if view.len() > LONGEST_PAGE {
            return Err(Error::invalid("More than 16 MiB are not kept.").into());
        }
        self.page(|page| page.view = Some(view));
        Ok(())
    }

    /// Returns the stored state of the page, for a page that is loaded again.
    pub async fn kept_view(&self) -> Result<Option<String>, IpcError> {
        Ok(self.page(|page| page.view.clone()))
    }

    /// Tells the user that the page was loaded again, because its process ended.
    pub fn page_was_loaded_again(&self, why: AppEnd) {
        match why {
            AppEnd::PageEnded => self.explorer.notice(
                NoticeLevel::Warning,
                "page_loaded_again",
                "The part of Sonde that shows this window ended unexpectedly and was started again. The \
                 servers were not affected.",
            ),
            AppEnd::Unresponsive => self.explorer.notice(
                NoticeLevel::Warning,
                "window_unresponsive",
                "The window stopped responding and was loaded again. An app that was shown is closed, and a picture \
                 that was drawn waits for a click. The servers were not affected.",
            ),
        }
    }

    /// Ends every session in good order, then saves all unsaved data, then ends the events. Takes 8 seconds at most.
    pub async fn shutdown(&self) {
        self.explorer.shutdown().await;
        self.window.bus.close().await;
    }
}
