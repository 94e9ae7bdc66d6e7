//! How fast an operation progresses.

use std::collections::VecDeque;

/// How far back the rate looks, in microseconds.
const WINDOW: u64 = 5_000_000;
/// The least time between two samples, in microseconds: bounds how many are kept.
const STEP: u64 = 50_000;

/// Progress over a sliding window.
#[derive(Clone, Debug, Default)]
pub(super) struct Rate {
    samples: VecDeque<(u64, f64)>,
    latest: Option<(u64, f64)>,
}

impl Rate {
    /// Takes a value and answers the units per second over the last seconds, once there are two
    /// values some time apart and the progress did not go backwards.
    pub(super) fn push(&mut self, at: u64, value: f64) -> Option<f64> {
        if self
            .samples
            .back()
            .is_none_or(|(last, _)| at.saturating_sub(*last) >= STEP)
        {
            self.samples.push_back((at, value));
        }
        self.latest = Some((at, value));
        // The oldest sample may lie just outside, so that slow servers have a rate as well.
        while self.samples.len() > 2 && at.saturating_sub(self.samples[1].0) > WINDOW {
            self.samples.pop_front();
        }
        let (begin, first) = *self.samples.front()?;
        let elapsed = at.saturating_sub(begin);
        if elapsed == 0 || !value.is_finite() || value < first {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "microseconds of a few seconds")]
        let seconds = elapsed as f64 / 1_000_000.0;
        Some((value - first) / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_follows_the_last_seconds() {
        let mut rate = Rate::default();
        assert_eq!(rate.push(0, 0.0), None);
        assert_eq!(rate.push(1_000_000, 10.0), Some(10.0));
        for second in 2..=20_u32 {
            rate.push(
                u64::from(second) * 1_000_000,
                10.0 + f64::from(second - 1) * 100.0,
            );
        }
        let now = rate.push(21_000_000, 2010.0).unwrap();
        assert!((now - 100.0).abs() < 1e-9, "{now}");
    }

    #[test]
    fn floods_are_bounded_and_odd_values_have_no_rate() {
        let mut rate = Rate::default();
        for at in 0..100_000_u32 {
            rate.push(u64::from(at) * 100, f64::from(at));
        }
        assert!(rate.samples.len() <= 102, "{}", rate.samples.len());
        let now = rate.push(10_000_000, 100_000.0).unwrap();
        assert!((now - 10_000.0).abs() < 1.0, "{now}");
        assert_eq!(rate.push(11_000_000, 1.0), None);
        assert_eq!(rate.push(12_000_000, f64::NAN), None);
        // One value every ten seconds.
        let mut slow = Rate::default();
        slow.push(0, 0.0);
        slow.push(10_000_000, 1.0);
        assert_eq!(slow.push(20_000_000, 2.0), Some(0.1));
    }
}
