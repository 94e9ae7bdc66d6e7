//! How long the requests of one connection took, by method.

use std::{collections::VecDeque, sync::Arc};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Round trips of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MethodStats {
    /// The method.
    pub method: String,
    /// Answered requests.
    pub count: u64,
    /// Those that failed.
    pub failed: u64,
    /// Shortest, in microseconds.
    pub min_micros: u64,
    /// Median of the last 512, in microseconds.
    pub median_micros: u64,
    /// 95th percentile of the last 512, in microseconds.
    pub p95_micros: u64,
    /// Longest, in microseconds.
    pub max_micros: u64,
}

/// How many round trips the percentiles look back on.
const WINDOW: usize = 512;
/// How many methods have a row of their own; the rest share one.
const METHODS: usize = 100;
/// What the shared row is called.
const OTHERS: &str = "(others)";

/// Latency by method, in order of their first use.
#[derive(Debug, Default)]
pub struct Stats {
    methods: Vec<Method>,
}

#[derive(Debug)]
struct Method {
    name: Arc<str>,
    count: u64,
    failed: u64,
    min: u64,
    max: u64,
    last: VecDeque<u64>,
}

impl Stats {
    pub(super) fn add(&mut self, method: &Arc<str>, micros: u64, failed: bool) {
        let known = self.methods.iter().position(|one| one.name == *method);
        if known.is_none() && self.methods.len() < METHODS {
            // The last row is the shared one.
            let shared = self.methods.len() + 1 == METHODS;
            self.methods.push(Method {
                name: if shared {
                    OTHERS.into()
                } else {
                    method.clone()
                },
                count: 0,
                failed: 0,
                min: u64::MAX,
                max: 0,
                last: VecDeque::new(),
            });
        }
        let index = known.unwrap_or(self.methods.len() - 1);
        if let Some(row) = self.methods.get_mut(index) {
            row.count += 1;
            row.failed += u64::from(failed);
            row.min = row.min.min(micros);
            row.max = row.max.max(micros);
            if row.last.len() == WINDOW {
                row.last.pop_front();
            }
            row.last.push_back(micros);
        }
    }

    /// A row for each method.
    #[must_use]
    pub fn rows(&self) -> Vec<MethodStats> {
        self.methods
            .iter()
            .map(|row| {
                let mut sorted: Vec<_> = row.last.iter().copied().collect();
                sorted.sort_unstable();
                MethodStats {
                    method: row.name.to_string(),
                    count: row.count,
                    failed: row.failed,
                    min_micros: row.min,
                    median_micros: percentile(&sorted, 50),
                    p95_micros: percentile(&sorted, 95),
                    max_micros: row.max,
                }
            })
            .collect()
    }
}

/// The nearest-rank percentile: the smallest value that at least so many percent do not exceed.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_over_the_last_512() {
        let mut stats = Stats::default();
        let ping: Arc<str> = "ping".into();
        stats.add(&ping, 1_000_000, true);
        for micros in (1..=512).rev() {
            stats.add(&ping, micros, false);
        }
        stats.add(&"tools/list".into(), 7, false);
        let view = stats.rows();
        assert_eq!(
            view[0],
            MethodStats {
                method: "ping".to_owned(),
                count: 513,
                failed: 1,
                min_micros: 1,
                median_micros: 256,
                p95_micros: 487,
                max_micros: 1_000_000,
            }
        );
        assert_eq!(
            (
                view[1].median_micros,
                view[1].p95_micros,
                view[1].min_micros
            ),
            (7, 7, 7)
        );
    }

    #[test]
    fn methods_are_bounded_and_nothing_is_uncounted() {
        let mut stats = Stats::default();
        for number in 0..500 {
            stats.add(&format!("m{number}").into(), number, false);
        }
        let view = stats.rows();
        assert_eq!(view.len(), METHODS);
        assert_eq!(view[0].method, "m0");
        assert_eq!(view[METHODS - 1].method, OTHERS);
        assert_eq!(view.iter().map(|row| row.count).sum::<u64>(), 500);
    }
}
