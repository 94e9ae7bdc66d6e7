//! Tests of changed files run three times, because a change of a test must not make it flaky.

use std::collections::BTreeMap;

use super::{
    change::Change,
    report::{Failure, Report},
    suite::Suite,
    verdict,
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

/// Tests to run again.
#[derive(Default)]
struct Chosen {
    tests: BTreeMap<Suite, Vec<TestResult>>,
    count: usize,
    /// Number of tests of changed files.
    all: usize,
}

/// Chooses tests of changed files. None if the proof is red anyway: it need not take longer.
fn choose(report: &Report, change: &Change) -> Chosen {
    let mut chosen = Chosen::default();
    let is_certain = |failure: &Failure| change.touches_test(&failure.test);
    if verdict::why_red(report).is_some() || report.failures.iter().any(is_certain) {
        return chosen;
    }
    let mut seconds = 0.0;
    for (suite, test) in &report.ran {
        if !change.touches_test(test) {
            continue;
        }
        chosen.all += 1;
        if seconds + test.seconds <= MOST_SECONDS {
            seconds += test.seconds;
            chosen.count += 1;
            chosen.tests.entry(*suite).or_default().push(test.clone());
        }
    }
    chosen
}

/// Runs the tests of changed files again, and adds those that fail now.
pub(crate) fn changed(report: &mut Report, change: &Change) {
    let Chosen { tests, count, all } = choose(report, change);
    if all == 0 {
        return;
    }
    let name = format!("Tests of changed files, {MORE} times more");
    let mut found: Vec<Failure> = Vec::new();
    let ran = report.check(&name, || {
        for (suite, tests) in &tests {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::report::tests::test;

    #[test]
    fn tests_of_changed_files_run_again_unless_the_proof_is_red_anyway() {
        let mut report = Report::default();
        let mut changed = test("test::repeat::tests::x", None);
        changed.suite = "xtask".to_owned();
        let failed = test("a", Some("no"));
        report.tests(Suite::Rust, false, || Ok(vec![changed, failed]));
        let change = Change::of(["xtask/src/test/repeat.rs"]);
        let count = |report: &Report| choose(report, &change).count;
        assert_eq!(count(&report), 1);
        let mut fails = test("test::repeat::tests::y", Some("no"));
        fails.suite = "xtask".to_owned();
        let mut other = Report::default();
        other.tests(Suite::Rust, false, || Ok(vec![fails]));
        assert_eq!(count(&other), 0);
        report.check("Types", || anyhow::bail!("wrong"));
        assert_eq!(count(&report), 0);
    }
}
