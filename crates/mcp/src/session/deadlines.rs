//! All deadlines of a session in one ordered set, so that one timer serves them all.

use std::collections::{BTreeSet, HashMap};

use tokio::time::{Duration, Instant};

use crate::{CatalogKind, OperationId, StreamId};

/// Purposes of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Alarm {
    /// The probe, or the handshake as a whole.
    Handshake,
    /// Waiting for the acknowledgement of `notifications/initialized`.
    Initialized,
    /// Silence, total time or grace period of this request.
    Request(u64),
    /// An operation between two of its requests continues, or has lasted too long.
    NextRound(OperationId),
    /// The status of an operation's task is requested, or the operation has lasted too long.
    Task(OperationId),
    /// Stop reading the stream of the response to this request, which has come or is no longer waited for.
    Abandon(u64),
    /// Time to send the first delayed response.
    HeldResponses,
    /// The announced attempt to resume this stream.
    Stream(StreamId),
    /// The pause between a change and reading the catalog.
    RefreshCatalog(CatalogKind),
    /// The end of the HTTP session was requested but not confirmed.
    SessionDelete,
    /// Limit of waiting for the transport to close.
    Closing,
}

/// Deadlines in order, one entry per alarm. Entries may be early: the woken component checks if the alarm
/// is really due and arms it again, which makes postponing (every progress message does it) free.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    ordered: BTreeSet<(Instant, Alarm)>,
    armed: HashMap<Alarm, Instant>,
}

impl Deadlines {
    pub(super) fn arm(&mut self, alarm: Alarm, at: Instant) {
        if let Some(before) = self.armed.insert(alarm, at) {
            self.ordered.remove(&(before, alarm));
        }
        self.ordered.insert((at, alarm));
    }

    /// Arms an alarm for the time after this wait.
    pub(super) fn arm_in(&mut self, alarm: Alarm, wait: Duration) {
        self.arm(alarm, later(Instant::now(), wait));
    }

    pub(super) fn disarm(&mut self, alarm: Alarm) {
        if let Some(at) = self.armed.remove(&alarm) {
            self.ordered.remove(&(at, alarm));
        }
    }

    pub(super) fn is_armed(&self, alarm: Alarm) -> bool {
        self.armed.contains_key(&alarm)
    }

    pub(super) fn next(&self) -> Option<Instant> {
        self.ordered.first().map(|(at, _)| *at)
    }

    /// Removes and returns an alarm that is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Alarm> {
        let (at, alarm) = *self.ordered.first()?;
        if at > now {
            return None;
        }
        self.disarm(alarm);
        Some(alarm)
    }
}

/// `now + wait`, with waits above a year cut to a year: far enough for "no limit", near enough for
/// every clock.
pub(super) fn later(now: Instant, wait: Duration) -> Instant {
    now + wait.min(Duration::from_secs(365 * 24 * 3600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn alarms_come_in_order_and_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut deadlines = Deadlines::default();
        deadlines.arm(Alarm::Request(2), at(2));
        deadlines.arm(Alarm::Request(1), at(1));
        deadlines.arm(Alarm::RefreshCatalog(CatalogKind::Tools), at(1));
        deadlines.arm(Alarm::Request(1), at(5));
        deadlines.arm(Alarm::SessionDelete, at(3));
        deadlines.disarm(Alarm::SessionDelete);
        assert_eq!(deadlines.next(), Some(at(1)));
        assert_eq!(deadlines.take_due(start), None);
        assert_eq!(
            deadlines.take_due(at(2)),
            Some(Alarm::RefreshCatalog(CatalogKind::Tools))
        );
        assert_eq!(deadlines.take_due(at(2)), Some(Alarm::Request(2)));
        assert_eq!(deadlines.take_due(at(2)), None);
        assert!(deadlines.is_armed(Alarm::Request(1)));
        assert_eq!(deadlines.take_due(at(9)), Some(Alarm::Request(1)));
        assert_eq!(deadlines.next(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn endless_waits_do_not_overflow() {
        let now = Instant::now();
        assert!(later(now, Duration::MAX) > now);
    }
}
