//! The open views of all logs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::signal::Dirty;
use super::view::View;
use super::{LogFilter, LogRow, LogViewState, Summarize, WireLog};

/// The views that the window has open, by number.
pub struct LogViews {
    dirty: Dirty,
    summarize: Summarize,
    next: AtomicU64,
    views: Mutex<HashMap<u64, Arc<View>>>,
}

impl std::fmt::Debug for LogViews {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogViews")
            .field("open", &self.lock().len())
            .finish_non_exhaustive()
    }
}

impl LogViews {
    /// Creates an empty set. `dirty` is called with the number of a view whose state changed, and not again until
    /// [`LogViews::state`] is called for it. It runs on the thread that records and must return at once. Rows on
    /// display may have changed as well, so they must be fetched again with each new state. `summarize` summarizes
    /// messages.
    #[must_use]
    pub fn new(dirty: Arc<dyn Fn(u64) + Send + Sync>, summarize: Summarize) -> Arc<Self> {
        Arc::new(Self {
            dirty,
            summarize,
            next: AtomicU64::new(1),
            views: Mutex::default(),
        })
    }

    /// Opens a view. Inside a tokio runtime, long searches continue in the background.
    pub fn open(&self, log: &Arc<WireLog>, filter: LogFilter) -> LogViewState {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let view = View::new(id, log, self.dirty.clone(), self.summarize);
        let state = view.set_filter(filter);
        self.lock().insert(id, view);
        state
    }

    /// Changes the filter of a view; a search that runs for it stops. `None`: no such view.
    pub fn filter(&self, view: u64, filter: LogFilter) -> Option<LogViewState> {
        Some(self.get(view)?.set_filter(filter))
    }

    /// Shows every entry of the group that an entry belongs to, or one row for them. `None`: no such view.
    pub fn open_group(&self, view: u64, seq: u64, open: bool) -> Option<LogViewState> {
        Some(self.get(view)?.open_group(seq, open))
    }

    /// Returns the state of a view. `None`: no such view.
    pub fn state(&self, view: u64) -> Option<LogViewState> {
        Some(self.get(view)?.state())
    }

    /// Returns at most 1,000 rows by index, as counted in `epoch`; none if the epoch is too old. Rows of entries
    /// dropped since then say so. `None`: no such view.
    pub fn rows(&self, view: u64, epoch: u32, from: u64, count: u32) -> Option<Vec<LogRow>> {
        Some(self.get(view)?.rows(epoch, from, count))
    }

    /// Returns the index of an entry in a view, or of the nearest one after it. Outer `None`: no such view.
    pub fn index(&self, view: u64, seq: u64) -> Option<Option<u64>> {
        Some(self.get(view)?.index(seq))
    }

    /// Closes a view.
    pub fn close(&self, view: u64) {
        let closed = self.lock().remove(&view);
        if let Some(view) = closed {
            view.close();
        }
    }

    /// Closes all views of a server's log.
    pub fn close_server(&self, server: &str) {
        let closed: Vec<u64> = self
            .lock()
            .iter()
            .filter(|(_, view)| view.log.server() == server)
            .map(|(id, _)| *id)
            .collect();
        closed.into_iter().for_each(|view| self.close(view));
    }

    fn get(&self, view: u64) -> Option<Arc<View>> {
        self.lock().get(&view).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<View>>> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
