//! Tests of changed files run three times, because a change of a test must not make it flaky.

use std::collections::BTreeMap;

use super::{
    change::Change,
    report::{Failure, Report},
    suite::Suite,
};
use crate::{
    results::{TestResult, Which},
    step::Output,
};

/// Number of runs after the first.
const MORE: usize = 2;

/// Limit in seconds of the tests that run again, by their first times: a change that touches every test must not triple
/// the proof.
const MOST_SECONDS: f64 = 60.0;

/// Runs the tests of changed files again, and adds those that fail now.
pub(crate) fn changed(report: &mut Report, change: &Change) {
    let failed = !report.failures.is_empty();
    let mut chosen: BTreeMap<Suite, Vec<TestResult>> = BTreeMap::new();
    let (mut count, mut all, mut seconds) = (0, 0, 0.0);
    for (suite, test) in &report.ran {
        if !change.touches_test(test) {
            continue;
        }
        all += 1;
        if seconds + test.seconds <= MOST_SECONDS {
            seconds += test.seconds;
            count += 1;
            chosen.entry(*suite).or_default().push(test.clone());
        }
    }
    // A red proof need not take longer.
    if all == 0 || failed {
        return;
    }
    let name = format!("Tests of changed files, {MORE} times more");
    let mut found: Vec<Failure> = Vec::new();
    let ran = report.check(&name, || {
        for (suite, tests) in &chosen {
            let tests: Vec<&TestResult> = tests.iter().collect();
            for _ in 0..MORE {
                let results = suite.run(Which::These(&tests), Output::Kept)?;
                let failed = results.into_iter().filter(|test| test.failure.is_some());
                found.extend(failed.map(|test| Failure {
                    suite: Some(*suite),
                    test,
                }));
            }
        }
        Ok(format!("{count} of {all}"))
    });
    if ran {
        report.failures.extend(found);
    }
}
