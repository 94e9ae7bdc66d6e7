//! Memory limit that all logs and documents share.

use std::sync::{
    Arc, Mutex, PoisonError, TryLockError, Weak,
    atomic::{AtomicU64, Ordering},
};

/// A holder of data that may be dropped.
pub(crate) trait Holder: Send + Sync {
    /// Size of the held data as last reported to its [`Share`], in bytes.
    fn held(&self) -> u64;
    /// Drops about this many bytes, the oldest first. Data that the user looked at last stays.
    fn release(&self, bytes: u64);
}

/// A limit in bytes over several logs and documents. Above it, the largest holder drops its oldest data.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    held: AtomicU64,
    holders: Mutex<Vec<Weak<dyn Holder>>>,
}

impl Default for Budget {
    /// Creates a budget of 512 MiB.
    fn default() -> Self {
        Self::new(512 << 20)
    }
}

impl std::fmt::Debug for dyn Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Holder")
            .field("held", &self.held())
            .finish()
    }
}

impl Budget {
    /// Creates a budget of this many bytes in all.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            held: AtomicU64::new(0),
            holders: Mutex::default(),
        }
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the size of all held data, in bytes.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    pub(crate) fn join(&self, holder: Weak<dyn Holder>) {
        let mut holders = self.holders.lock().unwrap_or_else(PoisonError::into_inner);
        holders.retain(|one| one.strong_count() > 0);
        holders.push(holder);
    }

    /// Has the oldest data dropped until the limit holds. The caller must not hold the lock of any holder.
    pub(crate) fn keep(&self) {
        if self.held() <= self.limit {
            return;
        }
        let holders = match self.holders.try_lock() {
            Ok(holders) => holders,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            // Another thread is already releasing memory.
            Err(TryLockError::WouldBlock) => return,
        };
        loop {
            let held = self.held();
            let largest = holders.iter().filter_map(Weak::upgrade);
            let Some(largest) = largest.max_by_key(|holder| holder.held()) else {
                return;
            };
            if held <= self.limit {
                return;
            }
            largest.release(held - self.limit);
            if self.held() >= held {
                // The largest holder has nothing left to drop.
                return;
            }
        }
    }
}

/// Share of one holder in a [`Budget`].
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    held: AtomicU64,
}

impl Share {
    pub(crate) fn of(budget: &Arc<Budget>) -> Self {
        Self {
            budget: Arc::clone(budget),
            held: AtomicU64::new(0),
        }
    }

    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    pub(crate) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Sets the number of bytes that the holder keeps. Called while the holder is locked, so that calls come in the
    /// order of the changes.
    pub(crate) fn set(&self, bytes: u64) {
        let before = self.held.swap(bytes, Ordering::Relaxed);
        if bytes >= before {
            let more = bytes - before;
            self.budget.held.fetch_add(more, Ordering::Relaxed);
        } else {
            let less = before - bytes;
            self.budget.held.fetch_sub(less, Ordering::Relaxed);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use sonde_wire::{Body, Direction, Entry, EntryKind, Tap as _};

    use super::*;
    use crate::{
        document::{DocumentMode, Documents},
        log::{LogLimits, LogMiss, WireLog},
    };

    const MIB: u64 = 1 << 20;

    fn record(log: &WireLog, size: u64) -> u64 {
        let size = usize::try_from(size).unwrap();
        let body = Body::Text(Arc::new("x".repeat(size)));
        let entry = Entry::new(Direction::In, EntryKind::Stderr, body);
        log.record(entry).0
    }

    #[tokio::test]
    async fn the_largest_gives_up_what_is_oldest() {
        let budget = Arc::new(Budget::new(8 * MIB));
        let log = |name: &str| WireLog::within(&budget, name.to_owned(), LogLimits::default());
        let (quiet, loud) = (log("quiet"), log("loud"));
        let documents = Documents::within(&budget);
        let kept = record(&quiet, MIB);
        let text = "y".repeat(2 << 20);
        let shown = documents.open(text.into(), DocumentMode::Raw, 80).await;
        let mut last = 0;
        for _ in 0..100 {
            last = record(&loud, MIB);
            assert!(budget.held() <= 8 * MIB, "{}", budget.held());
        }
        assert!(quiet.row(kept).is_ok(), "others are left alone");
        assert!(documents.view(shown.document).is_some());
        assert!(loud.row(last).is_ok());
        assert_eq!(loud.row(1), Err(LogMiss::Dropped));
        // The documents are the largest now: the least recently used one is closed.
        let text = "z".repeat(6 << 20);
        let large = documents.open(text.into(), DocumentMode::Raw, 80).await;
        assert!(documents.view(shown.document).is_none());
        assert!(documents.view(large.document).is_some());
        documents.close(large.document);
        loud.clear();
        drop(quiet);
        assert_eq!(budget.held(), 0, "what is gone weighs nothing");
    }

    #[test]
    fn what_is_larger_than_all_stays_while_it_is_the_newest() {
        let budget = Arc::new(Budget::new(MIB));
        let log = WireLog::within(&budget, "s".to_owned(), LogLimits::default());
        let first = record(&log, 4 * MIB);
        assert!(log.row(first).is_ok());
        let second = record(&log, 10);
        assert_eq!(log.row(first), Err(LogMiss::Dropped));
        assert!(log.row(second).is_ok());
    }
}
