//! Time limits of requests.

use tokio::time::{Duration, Instant};

use super::deadlines::later;
use crate::{TimeoutKind, Timeouts};

/// Time for a response that was under way when its operation was cancelled. For the user a cancellation ends at once.
pub(super) const CANCEL_GRACE: Duration = Duration::from_millis(300);
/// Time that the stream of a cancelled or expired request stays open for a late response, and the stream of an answered
/// request for its end. Also the time for the response to the cancellation of a task.
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
    /// True for each [`Pause`] under way.
    pauses: [bool; 2],
    /// Time since which no limit counts.
    paused_at: Option<Instant>,
}

/// Waits for somebody other than the server. "Implementations SHOULD always enforce a maximum timeout"
/// (lifecycle, Timeouts) is about the server: no limit counts during these waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// For the token without which the server refuses the request.
    Authorization,
    /// For the user, who is to respond to a request of the server.
    User,
}

/// Reasons why a request stopped waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expiry {
    /// A limit passed.
    Timeout(TimeoutKind),
    /// No answer came within the grace period after its cancellation.
    Cancelled,
}

impl Limits {
    /// Creates the session's default limits.
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
            pauses: [false; 2],
            paused_at: None,
        }
    }

    /// Pauses the idle clock, for example while the server's stream is lost. The hard limit stays.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// Starts the idle clock again, from its beginning.
    pub(super) fn release(&mut self, now: Instant) {
        if std::mem::take(&mut self.held) {
            self.progressed(now);
        }
    }

    /// Stops both clocks: it is not the server that is waited for.
    pub(super) fn pause(&mut self, now: Instant, pause: Pause) {
        self.pauses[pause as usize] = true;
        self.paused_at.get_or_insert(now);
    }

    /// Restarts both clocks, unless there is another pause: the time in between did not count. Returns true if they run
    /// again.
    pub(super) fn resume(&mut self, now: Instant, pause: Pause) -> bool {
        self.pauses[pause as usize] = false;
        if self.pauses.contains(&true) {
            return false;
        }
        let Some(since) = self.paused_at.take() else {
            return false;
        };
        let waited = now.saturating_duration_since(since);
        self.hard_at = later(self.hard_at, waited);
        self.idle_at = later(self.idle_at, waited);
        self.progressed(now);
        true
    }

    /// The same limits with both clocks running.
    pub(super) fn resumed(mut self, now: Instant) -> Self {
        self.resume(now, Pause::Authorization);
        self.resume(now, Pause::User);
        self
    }

    /// Progress restarts the idle clock; the hard limit holds "regardless of progress" (lifecycle,
    /// Timeouts). It never reduces the time that the user added.
    pub(super) fn progressed(&mut self, now: Instant) {
        self.idle_at = self.idle_at.max(later(now, self.idle));
    }

    /// Returns the limits of the same operation's next request: the hard limit stays.
    pub(super) fn again(&self, now: Instant) -> Self {
        Limits {
            idle_at: later(now, self.idle),
            ..self.resumed(now)
        }
    }

    /// Extends both limits by at least `by`.
    pub(super) fn extend(&mut self, now: Instant, by: Duration) {
        let until = later(now, by);
        self.idle_at = self.idle_at.max(until);
        self.hard_at = self.hard_at.max(until);
    }

    /// Starts the grace period; false if it runs already.
    pub(super) fn cancel(&mut self, now: Instant, grace: Duration) -> bool {
        let first = self.cancelled_at.is_none();
        self.cancelled_at.get_or_insert(now + grace);
        first
    }

    /// Undoes a cancellation that the server refused.
    pub(super) fn revive(&mut self) {
        self.cancelled_at = None;
    }

    pub(super) fn hard_at(&self) -> Instant {
        self.hard_at
    }

    /// Returns true if the hard limit has passed.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.paused_at.is_none() && self.hard_at <= now
    }

    /// Returns true if silence does not count at present.
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

    /// Returns the time of the next check.
    pub(super) fn due(&self) -> Instant {
        self.cancelled_at
            .unwrap_or_else(|| match (self.paused_at, self.held) {
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
        assert!(limits.cancel(at(30), secs(5)));
        assert!(!limits.cancel(at(33), secs(5)));
        assert_eq!(limits.expired(at(34)), None);
        assert_eq!(limits.expired(at(35)), Some(Expiry::Cancelled));
    }

    #[tokio::test(start_paused = true)]
    async fn time_for_which_the_server_is_not_waited_for_does_not_count() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let secs = Duration::from_secs;
        for pause in [Pause::Authorization, Pause::User] {
            let mut limits = Limits::new(start, secs(10), secs(25));
            limits.pause(at(5), pause);
            limits.pause(at(8), pause);
            assert_eq!(limits.expired(at(1_000)), None);
            assert!(!limits.is_over(at(1_000)));
            assert!(limits.resume(at(105), pause));
            assert_eq!(limits.remaining(at(105)), (secs(10), secs(20)));
            assert!(!limits.resume(at(110), pause));
            assert_eq!(limits.due(), at(115));
            assert!(limits.is_over(at(125)));
            limits.pause(at(110), pause);
            assert!(limits.cancel(at(111), secs(5)));
            assert_eq!(limits.expired(at(116)), Some(Expiry::Cancelled));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_clocks_stand_still_until_nobody_else_is_waited_for() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let secs = Duration::from_secs;
        let mut limits = Limits::new(start, secs(10), secs(25));
        limits.pause(at(5), Pause::User);
        limits.pause(at(15), Pause::Authorization);
        assert!(!limits.resume(at(20), Pause::User));
        assert_eq!(limits.expired(at(1_000)), None);
        assert!(limits.resume(at(35), Pause::Authorization));
        assert_eq!(limits.remaining(at(35)), (secs(10), secs(20)));
        // The next request of the same operation begins with what is left.
        limits.pause(at(40), Pause::User);
        assert_eq!(limits.again(at(90)).remaining(at(90)), (secs(10), secs(15)));
    }
}
