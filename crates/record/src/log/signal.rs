//! Signals from a log to its views that it changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Limit of the changed entries of a view; beyond it, the view matches all entries again.
const MAX_TOUCHED: usize = 100_000;

/// Callback with the number of a view whose state changed since its last read.
pub(super) type Dirty = Arc<dyn Fn(u64) + Send + Sync>;

/// A flag, and the callback for raising it.
pub(super) struct Signal {
    view: u64,
    raised: AtomicBool,
    dirty: Dirty,
}

impl Signal {
    pub(super) fn new(view: u64, dirty: Dirty) -> Self {
        Self {
            view,
            raised: AtomicBool::new(false),
            dirty,
        }
    }

    /// Raises the flag. If it returns `true`, the caller must call [`Signal::call`] without holding a lock.
    pub(super) fn raise(&self) -> bool {
        !self.raised.load(Ordering::Acquire) && !self.raised.swap(true, Ordering::AcqRel)
    }

    pub(super) fn call(&self) {
        (self.dirty)(self.view);
    }

    /// Lowers the flag: later changes are reported again.
    pub(super) fn lower(&self) {
        self.raised.store(false, Ordering::Release);
    }
}

/// The log's record of one of its views.
pub(super) struct Attached {
    pub(super) view: u64,
    pub(super) signal: Arc<Signal>,
    /// The view shows every entry, so it has nothing to match.
    pub(super) unfiltered: bool,
    /// Entries before this number were passed to the view for matching.
    pub(super) scanned: u64,
    /// Entries before `scanned` that changed since.
    touched: Vec<u64>,
    /// Older entries were restored: all entries must be matched again.
    start_over: bool,
    /// The first entry whose row changed since the last state of the view.
    changed_from: Option<u64>,
}

impl Attached {
    pub(super) fn new(view: u64, signal: Arc<Signal>) -> Self {
        Self {
            view,
            signal,
            unfiltered: true,
            scanned: 0,
            touched: Vec::new(),
            start_over: false,
            changed_from: None,
        }
    }

    /// Returns the first entry whose row changed since the last call.
    pub(super) fn take_changed(&mut self) -> Option<u64> {
        self.changed_from.take()
    }

    /// Makes the view match all entries again.
    pub(super) fn start_over(&mut self) {
        self.start_over = !self.unfiltered;
    }

    /// Notes that an entry changed.
    pub(super) fn touch(&mut self, seq: u64) {
        self.changed_from = Some(self.changed_from.map_or(seq, |first| first.min(seq)));
        if !self.unfiltered && seq < self.scanned && self.touched.last() != Some(&seq) {
            self.touched.push(seq);
        }
    }

    /// Starts over with another filter.
    pub(super) fn restart(&mut self, unfiltered: bool, first: u64) {
        self.unfiltered = unfiltered;
        self.scanned = first;
        self.touched.clear();
        self.start_over = false;
    }

    /// Returns up to `limit` changed entries, each once. `None` if all must be matched again: older entries were
    /// restored, or too many changed.
    pub(super) fn take_touched(&mut self, limit: usize) -> Option<Vec<u64>> {
        if self.start_over || self.touched.len() > MAX_TOUCHED {
            self.touched.clear();
            return None;
        }
        let rest = self.touched.split_off(self.touched.len().min(limit));
        let mut taken = std::mem::replace(&mut self.touched, rest);
        taken.sort_unstable();
        taken.dedup();
        Some(taken)
    }

    pub(super) fn is_behind(&self, next: u64) -> bool {
        let changed = self.start_over || !self.touched.is_empty();
        !self.unfiltered && (self.scanned < next || changed)
    }
}
