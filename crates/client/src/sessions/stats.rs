//! Latencies of one connection's requests, by method and by tool.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Round trips of one method, or of one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MethodStats {
    /// The method.
    pub method: String,
    /// The tool, for a row about one.
    pub tool: Option<String>,
    /// Answered requests.
    pub count: u64,
    /// Failed requests among them.
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

/// One request that was answered, cancelled or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RoundTrip {
    /// Time of its end, in milliseconds since the Unix epoch.
    pub at: u64,
    /// Duration in microseconds.
    pub micros: u64,
    /// The answer was an error, or there was none.
    pub failed: bool,
}

/// Number of latest round trips from which percentiles are computed.
const WINDOW: usize = 512;
/// Limit of methods and tools with a row of their own; the rest share one.
const ROWS: usize = 100;
/// Name of the shared row.
const OTHERS: &str = "(others)";

/// Latency by method and by tool, in order of their first use.
#[derive(Debug, Default)]
pub struct Stats {
    rows: Vec<Row>,
    /// The shared row of methods and tools without a row of their own.
    others: Option<Row>,
}

#[derive(Debug)]
struct Row {
    method: String,
    tool: Option<String>,
    count: u64,
    failed: u64,
    min: u64,
    max: u64,
    last: VecDeque<RoundTrip>,
}

impl Stats {
    /// Counts a round trip for a method, or for one tool of it. Tools beyond the limit have no row: their
    /// method has one.
    pub(super) fn add(&mut self, method: &str, tool: Option<&str>, trip: RoundTrip) {
        let is_it = |row: &Row| row.method == method && row.tool.as_deref() == tool;
        if let Some(row) = self.rows.iter_mut().find(|row| is_it(row)) {
            row.add(trip);
        } else if self.rows.len() + 1 < ROWS {
            let mut row = Row::new(method, tool);
            row.add(trip);
            self.rows.push(row);
        } else if tool.is_none() {
            self.others
                .get_or_insert_with(|| Row::new(OTHERS, None))
                .add(trip);
        }
    }

    /// A row for each method and tool.
    #[must_use]
    pub fn rows(&self) -> Vec<MethodStats> {
        self.rows
            .iter()
            .chain(&self.others)
            .map(Row::stats)
            .collect()
    }

    /// The last 512 round trips of a row, oldest first.
    #[must_use]
    pub fn trips(&self, method: &str, tool: Option<&str>) -> Vec<RoundTrip> {
        let mut rows = self.rows.iter().chain(&self.others);
        rows.find(|row| row.method == method && row.tool.as_deref() == tool)
            .map(|row| row.last.iter().copied().collect())
            .unwrap_or_default()
    }
}

impl Row {
    fn new(method: &str, tool: Option<&str>) -> Self {
        Self {
            method: method.to_owned(),
            tool: tool.map(str::to_owned),
            count: 0,
            failed: 0,
            min: u64::MAX,
            max: 0,
            last: VecDeque::new(),
        }
    }

    fn add(&mut self, trip: RoundTrip) {
        self.count += 1;
        self.failed += u64::from(trip.failed);
        self.min = self.min.min(trip.micros);
        self.max = self.max.max(trip.micros);
        if self.last.len() == WINDOW {
            self.last.pop_front();
        }
        self.last.push_back(trip);
    }

    fn stats(&self) -> MethodStats {
        let mut sorted: Vec<_> = self.last.iter().map(|trip| trip.micros).collect();
        sorted.sort_unstable();
        MethodStats {
            method: self.method.clone(),
            tool: self.tool.clone(),
            count: self.count,
            failed: self.failed,
            min_micros: self.min,
            median_micros: percentile(&sorted, 50),
            p95_micros: percentile(&sorted, 95),
            max_micros: self.max,
        }
    }
}

/// Returns the nearest-rank percentile: the smallest value that is not exceeded by at least this share of all values.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trip(micros: u64, failed: bool) -> RoundTrip {
        RoundTrip {
            at: 1,
            micros,
            failed,
        }
    }

    #[test]
    fn percentiles_are_exact_over_the_last_512() {
        let mut stats = Stats::default();
        stats.add("ping", None, trip(1_000_000, true));
        for micros in (1..=512).rev() {
            stats.add("ping", None, trip(micros, false));
        }
        stats.add("tools/list", None, trip(7, false));
        let view = stats.rows();
        assert_eq!(
            view[0],
            MethodStats {
                method: "ping".to_owned(),
                tool: None,
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
            stats.add(&format!("m{number}"), None, trip(number, false));
        }
        let view = stats.rows();
        assert_eq!(view.len(), ROWS);
        assert_eq!(view[0].method, "m0");
        assert_eq!(view[ROWS - 1].method, OTHERS);
        assert_eq!(view.iter().map(|row| row.count).sum::<u64>(), 500);
    }

    #[test]
    fn a_tool_has_a_row_beside_its_method() {
        let mut stats = Stats::default();
        for (tool, micros) in [("a", 5), ("b", 7), ("a", 9)] {
            stats.add("tools/call", None, trip(micros, false));
            stats.add("tools/call", Some(tool), trip(micros, micros == 9));
        }
        let rows: Vec<_> = stats
            .rows()
            .into_iter()
            .map(|row| (row.tool, row.count, row.failed))
            .collect();
        let named = |tool: &str| Some(tool.to_owned());
        assert_eq!(rows, [(None, 3, 0), (named("a"), 2, 1), (named("b"), 1, 0)]);
        assert_eq!(
            stats.trips("tools/call", Some("a")),
            [trip(5, false), trip(9, true)]
        );
        assert_eq!(stats.trips("tools/call", Some("c")), []);
        // A flood of tools hides no method.
        for number in 0..500 {
            stats.add("tools/call", Some(&format!("t{number}")), trip(1, false));
        }
        stats.add("ping", None, trip(2, false));
        assert_eq!(stats.rows().len(), ROWS);
        assert_eq!(stats.trips(OTHERS, None), [trip(2, false)]);
    }
}
