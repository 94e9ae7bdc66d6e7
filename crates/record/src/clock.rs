//! Wall-clock time; no other module reads the clock.

use std::sync::OnceLock;

use time::{OffsetDateTime, macros::format_description};
use tokio::time::Instant;

/// Keeps [`micros`] positive when a test's paused clock began before the first reading.
const OFFSET: u64 = 1 << 40;

/// Returns the milliseconds since the Unix epoch, with fractions.
pub fn now_millis() -> f64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one home of wall-clock time"
    )]
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

/// Returns the time of day in UTC as RFC 3339 writes it: `2026-11-22T10:00:00.000Z`.
pub fn time_of_day() -> String {
    rfc3339(now_millis())
}

/// Formats a time in milliseconds since the Unix epoch as RFC 3339 writes it. Returns the epoch for times outside the
/// calendar.
pub fn rfc3339(at: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
    let nanos = at as i128 * 1_000_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanos)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
        .format(format_description!(
            "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
        ))
        .unwrap_or_default()
}

/// Returns the microseconds of a clock that never goes back; only differences are meaningful.
pub fn micros() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let now = Instant::now();
    let start = *START.get_or_init(|| now);
    let ahead = u64::try_from(now.saturating_duration_since(start).as_micros()).unwrap_or(u64::MAX);
    let behind =
        u64::try_from(start.saturating_duration_since(now).as_micros()).unwrap_or(u64::MAX);
    OFFSET.saturating_add(ahead).saturating_sub(behind)
}

/// Returns the milliseconds since the Unix epoch.
pub fn millis() -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a time after 1970 and before the year 285,000,000"
    )]
    let millis = now_millis() as u64;
    millis
}
