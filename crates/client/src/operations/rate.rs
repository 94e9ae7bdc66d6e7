//! Rate of an operation's progress: current, and over its whole time.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Span of the sliding window, in microseconds.
const WINDOW: u64 = 5_000_000;
/// Shortest time between two samples, in microseconds: bounds their number.
const STEP: u64 = 50_000;
/// Limit of rates kept per operation.
const MOST: usize = 120;

/// The rate of progress between two moments. Times are microseconds since the first progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProgressRate {
    /// The beginning.
    pub from: u64,
    /// The end.
    pub to: u64,
    /// Units per second; `None` where the progress fell.
    pub rate: Option<f64>,
}

/// Progress over a sliding window, and over all the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rate {
    samples: VecDeque<(u64, f64)>,
    latest: Option<(u64, f64)>,
    course: ProgressSamples,
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
        self.course.push(at, value);
        // The oldest sample may lie just outside, so that slow servers have a rate as well.
        while self.samples.len() > 2 && at.saturating_sub(self.samples[1].0) > WINDOW {
            self.samples.pop_front();
        }
        between(*self.samples.front()?, (at, value))
    }

    /// The rates over all the time, oldest first.
    pub(super) fn course(&self) -> Vec<ProgressRate> {
        self.course.rates()
    }

    /// Returns its memory, in bytes.
    pub(super) fn weight(&self) -> usize {
        (self.samples.len() + self.course.points.len()) * size_of::<(u64, f64)>()
    }
}

/// Units per second between two values; `None` without time between them, and where the progress fell.
fn between((begin, first): (u64, f64), (end, last): (u64, f64)) -> Option<f64> {
    let elapsed = end.saturating_sub(begin);
    if elapsed == 0 || last < first {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "microseconds of one operation")]
    let rate = (last - first) / (elapsed as f64 / 1_000_000.0);
    rate.is_finite().then_some(rate)
}

/// Values of the progress over all the time of an operation: a bounded number, further apart the longer it takes.
#[derive(Clone, Debug, Default)]
struct ProgressSamples {
    points: Vec<(u64, f64)>,
    /// The newest value, where it came too soon after the last point.
    latest: Option<(u64, f64)>,
    /// The least time between two points, in microseconds.
    step: u64,
}

impl ProgressSamples {
    fn push(&mut self, at: u64, value: f64) {
        let since_last = |points: &[(u64, f64)]| Some(at.saturating_sub(points.last()?.0));
        let soon = since_last(&self.points).is_some_and(|since| since < self.step.max(STEP));
        self.latest = soon.then_some((at, value));
        if soon {
            return;
        }
        if self.points.len() >= MOST {
            // Two adjacent rates are merged into their mean.
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            let span = at.saturating_sub(self.points[0].0);
            self.step = span / (MOST as u64 / 2);
        }
        self.points.push((at, value));
    }

    fn rates(&self) -> Vec<ProgressRate> {
        let Some((first, _)) = self.points.first() else {
            return Vec::new();
        };
        let points: Vec<_> = self.points.iter().chain(&self.latest).collect();
        let pairs = points.windows(2).filter(|pair| pair[0].0 < pair[1].0);
        pairs
            .map(|pair| ProgressRate {
                from: pair[0].0 - first,
                to: pair[1].0 - first,
                rate: between(*pair[0], *pair[1]),
            })
            .collect()
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

    #[test]
    fn the_rates_over_all_the_time_are_bounded_and_add_up_to_the_progress() {
        let mut rate = Rate::default();
        for second in 0..10_000_u32 {
            // Ten times as fast in the second half.
            let value = second + second.saturating_sub(5_000) * 9;
            rate.push(u64::from(second) * 1_000_000, f64::from(value));
        }
        let rates = rate.course();
        assert!((60..=MOST).contains(&rates.len()), "{}", rates.len());
        assert!(rates.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert_eq!((rates[0].from, rates[0].rate), (0, Some(1.0)));
        let last = rates.last().unwrap();
        assert_eq!((last.to, last.rate), (9_999_000_000, Some(10.0)));
        let units: f64 = rates
            .iter()
            .map(|one| one.rate.unwrap() * ((one.to - one.from) / 1_000_000) as f64)
            .sum();
        assert!((units - (9_999.0 + 4_999.0 * 9.0)).abs() < 1e-3, "{units}");
    }

    #[test]
    fn a_fall_of_the_progress_is_a_gap() {
        let mut rate = Rate::default();
        assert_eq!(rate.course(), []);
        for (at, value) in [
            (0, 5.0),
            (1_000_000, 7.0),
            (2_000_000, 1.0),
            (2_010_000, 2.0),
        ] {
            rate.push(at, value);
        }
        let rates: Vec<_> = rate.course().into_iter().map(|one| one.rate).collect();
        let last = rates[2].unwrap();
        assert_eq!((rates[0], rates[1]), (Some(2.0), None));
        assert!((last - 100.0).abs() < 1e-9, "{last}");
    }
}
