//! How long a request is waited for.

use tokio::time::{Duration, Instant};

use super::deadlines::later;
use crate::{TimeoutKind, Timeouts};

/// How long a cancelled operation is still listened for, and how long the stream of one that timed
/// out stays open.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// The limits of one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    idle: Duration,
    idle_at: Instant,
    hard_at: Instant,
    cancelled_at: Option<Instant>,
    /// Silence does not count at present.
    held: bool,
    /// No limit counts since then.
    parked_at: Option<Instant>,
}

/// Why a request stopped waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expiry {
    /// A limit passed.
    Timeout(TimeoutKind),
    /// No answer came within the grace period after its cancellation.
    Cancelled,
}

impl Limits {
    /// The session's usual waits.
    pub(super) fn usual(timeouts: &Timeouts) -> Self {
        Limits::new(Instant::now(), timeouts.idle, timeouts.hard)
    }

    pub(super) fn new(now: Instant, idle: Duration, hard: Duration) -> Self {
        Limits {
            idle,
            idle_at: later(now, idle),
            hard_at: later(now, hard),
            cancelled_at: None,
            held: false,
            parked_at: None,
        }
    }

    /// Stops the idle clock: somebody else is being waited for. The hard limit stays.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// Starts the idle clock again, from its beginning.
    pub(super) fn release(&mut self, now: Instant) {
        if std::mem::take(&mut self.held) {
            self.progressed(now);
        }
    }

    /// Stops both clocks: the request is not with the server.
    pub(super) fn park(&mut self, now: Instant) {
        self.parked_at.get_or_insert(now);
    }

    /// Starts both clocks again: the time in between did not count.
    pub(super) fn unpark(&mut self, now: Instant) {
        if let Some(since) = self.parked_at.take() {
            let waited = now.saturating_duration_since(since);
            self.hard_at = later(self.hard_at, waited);
            self.idle_at = later(self.idle_at, waited);
            self.progressed(now);
        }
    }

    /// Progress starts the idle clock again; the hard limit holds "regardless of progress"
    /// (lifecycle, Timeouts). It never takes back what the user added by waiting longer.
    pub(super) fn progressed(&mut self, now: Instant) {
        self.idle_at = self.idle_at.max(later(now, self.idle));
    }

    /// The limits of the same operation's next request: the hard one stays.
    pub(super) fn again(&self, now: Instant) -> Self {
        Limits {
            idle_at: later(now, self.idle),
            parked_at: None,
            ..*self
        }
    }

    /// At least `by` more on both limits.
    pub(super) fn extend(&mut self, now: Instant, by: Duration) {
        let until = later(now, by);
        self.idle_at = self.idle_at.max(until);
        self.hard_at = self.hard_at.max(until);
    }

    /// Starts the grace period. `false` when it runs already.
    pub(super) fn cancel(&mut self, now: Instant) -> bool {
        let first = self.cancelled_at.is_none();
        self.cancelled_at.get_or_insert(now + GRACE);
        first
    }

    /// It is wanted again, since the server refused to cancel it.
    pub(super) fn revive(&mut self) {
        self.cancelled_at = None;
    }

    pub(super) fn hard_at(&self) -> Instant {
        self.hard_at
    }

    /// Whether the silence is not the server's: somebody else is being waited for.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled_at.is_some()
    }

    /// Time until the idle and the hard limit.
    pub(super) fn remaining(&self, now: Instant) -> (Duration, Duration) {
        (
            self.idle_at.saturating_duration_since(now),
            self.hard_at.saturating_duration_since(now),
        )
    }

    /// When to look again.
    pub(super) fn due(&self) -> Instant {
        self.cancelled_at
            .unwrap_or_else(|| match (self.parked_at, self.held) {
                (Some(since), _) => later(since, Duration::MAX),
                (None, true) => self.hard_at,
                (None, false) => self.idle_at.min(self.hard_at),
            })
    }

    pub(super) fn expired(&self, now: Instant) -> Option<Expiry> {
        if self.due() > now {
            None
        } else if self.cancelled_at.is_some() {
            Some(Expiry::Cancelled)
        } else if self.hard_at <= now {
            Some(Expiry::Timeout(TimeoutKind::Hard))
        } else {
            Some(Expiry::Timeout(TimeoutKind::Idle))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn limits() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let secs = Duration::from_secs;
        let mut limits = Limits::new(start, secs(10), secs(25));
        assert_eq!(limits.expired(at(9)), None);
        assert_eq!(
            limits.expired(at(10)),
            Some(Expiry::Timeout(TimeoutKind::Idle))
        );
        limits.progressed(at(9));
        assert_eq!(limits.due(), at(19));
        limits.progressed(at(18));
        assert_eq!(limits.due(), at(25), "the hard limit holds");
        assert_eq!(
            limits.expired(at(25)),
            Some(Expiry::Timeout(TimeoutKind::Hard))
        );
        limits.extend(at(20), secs(60));
        limits.progressed(at(21));
        assert_eq!(limits.due(), at(80), "progress does not shorten");
        limits.extend(at(21), secs(1));
        assert_eq!(limits.remaining(at(70)), (secs(10), secs(10)));
        assert!(limits.cancel(at(30)));
        assert!(!limits.cancel(at(33)));
        assert_eq!(limits.expired(at(34)), None);
        assert_eq!(limits.expired(at(35)), Some(Expiry::Cancelled));
    }

    #[tokio::test(start_paused = true)]
    async fn time_without_permission_does_not_count() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let secs = Duration::from_secs;
        let mut limits = Limits::new(start, secs(10), secs(25));
        limits.park(at(5));
        limits.park(at(8));
        assert_eq!(limits.expired(at(1_000)), None);
        limits.unpark(at(105));
        assert_eq!(limits.remaining(at(105)), (secs(10), secs(20)));
        limits.unpark(at(110));
        assert_eq!(limits.due(), at(115));
        limits.park(at(110));
        assert!(limits.cancel(at(111)));
        assert_eq!(limits.expired(at(116)), Some(Expiry::Cancelled));
    }
}
