//! Pauses before a broken stream is opened again.

use std::{
    hash::{BuildHasher as _, RandomState},
    time::Duration,
};

use crate::{DelaySource, StreamOptions};

/// The shortest wait, also where the server asks for less: a stream that closes at once must not
/// keep a processor busy.
const SHORTEST: Duration = Duration::from_millis(10);

/// Returns the delay before attempt `attempt` (from 1). `retry` is the server's value in milliseconds, which a client
/// "MUST respect" (transports, Sending Messages); without one, the delay doubles with each attempt. `chance` in 0..1
/// spreads clients that lost the same server.
pub(super) fn delay(
    options: &StreamOptions,
    attempt: u32,
    retry: Option<u64>,
    chance: f64,
) -> (Duration, DelaySource) {
    let longest = options.cap.max(SHORTEST);
    if let Some(millis) = retry {
        let wait = Duration::from_millis(millis).clamp(SHORTEST, longest);
        return (wait, DelaySource::Server);
    }
    let doublings = attempt.saturating_sub(1).min(16);
    let full = options
        .floor
        .max(SHORTEST)
        .saturating_mul(1 << doublings)
        .min(longest);
    // Between three quarters and all of it: spread, but not far below the announced delay.
    let wait = full.mul_f64(0.75 + 0.25 * chance.clamp(0.0, 1.0));
    (wait.max(SHORTEST), DelaySource::Backoff)
}

/// A number in 0..1 to spread attempts with. The keys of the standard library's hasher are random,
/// which is all that is needed here.
#[expect(clippy::cast_precision_loss, reason = "53 bits are kept")]
pub(super) fn chance() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_decides_within_bounds() {
        let options = StreamOptions::default();
        for (retry, millis) in [(0, 10), (500, 500), (u64::MAX, 30_000)] {
            assert_eq!(
                delay(&options, 3, Some(retry), 0.5),
                (Duration::from_millis(millis), DelaySource::Server)
            );
        }
    }

    #[test]
    fn without_a_wish_the_wait_doubles_up_to_the_cap() {
        let options = StreamOptions::default();
        let waits: Vec<u64> = (1..=7)
            .map(|attempt| delay(&options, attempt, None, 1.0).0.as_secs())
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(
            delay(&options, 1, None, 0.0).0,
            Duration::from_millis(750),
            "the jitter shortens by a quarter at most"
        );
        assert_eq!(delay(&options, u32::MAX, None, 1.0).0.as_secs(), 30);
    }
}
