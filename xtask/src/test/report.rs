//! Results of a proof: its steps, its failed tests, and steps that were left out.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::suite::{MOST_FAILURES, Suite};
use crate::{
    cpu,
    results::TestResult,
    step::{self, seconds},
};

/// Tests that the report lists as the slowest.
const SLOWEST: usize = 10;

/// Lines of a failed test's output in the report.
const LINES: usize = 12;

/// Everything that ran so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) steps: Vec<Step>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) ran: Vec<(Suite, TestResult)>,
    /// Steps that were not done, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// True if a part stopped early, so that the results of its other tests are unknown.
    pub(crate) stopped: bool,
}

/// One step of the proof.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) name: String,
    /// Seconds until the step was done.
    pub(crate) wall: f64,
    /// Seconds of processor time, as far as the system counts them.
    pub(crate) cpu: f64,
    /// Its result in a few words.
    pub(crate) found: String,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

/// Something that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// The suite that can retry the test; `None` for a check, which fails each time.
    pub(crate) suite: Option<Suite>,
    pub(crate) test: TestResult,
}

impl Report {
    /// Runs a check, which passes or fails as a whole and always in the same way. True if it passed.
    pub(crate) fn check(&mut self, name: &str, work: impl FnOnce() -> Result<String>) -> bool {
        let summary = |found: &String| (found.clone(), 1, 0);
        self.step(name, work, summary).is_some()
    }

    /// Runs tests and keeps their results. With `may_be_empty`, no test at all is not a failure.
    pub(crate) fn tests(
        &mut self,
        suite: Suite,
        may_be_empty: bool,
        work: impl FnOnce() -> Result<Vec<TestResult>>,
    ) {
        let work = || {
            let results = work()?;
            for test in results.iter().filter(|test| test.failure.is_some()) {
                println!("    ✗ {}", test.title());
            }
            ensure!(may_be_empty || !results.is_empty(), "no test ran");
            Ok(results)
        };
        let summary = |results: &Vec<TestResult>| {
            let failed = results.iter().filter(|test| test.failure.is_some());
            let failed = failed.count();
            let passed = results.len() - failed;
            let found = match failed {
                0 => format!("{passed} passed"),
                _ => format!("{passed} passed, {failed} FAILED"),
            };
            (found, passed, failed)
        };
        let mut failed = 0;
        for test in self.step(suite.title(), work, summary).unwrap_or_default() {
            if test.failure.is_some() {
                failed += 1;
                self.failures.push(Failure {
                    suite: Some(suite),
                    test: test.clone(),
                });
            }
            self.ran.push((suite, test));
        }
        self.stopped |= failed >= MOST_FAILURES;
    }

    /// Runs a step, and adds it with its result in a few words and the numbers of what passed and failed. An error is one
    /// failure, and returns `None`.
    fn step<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<T>,
        summary: impl FnOnce(&T) -> (String, usize, usize),
    ) -> Option<T> {
        let (begun, used) = (Instant::now(), cpu::used());
        let result = step::step(name, work);
        let wall = begun.elapsed().as_secs_f64();
        let (found, passed, failed) = match &result {
            Ok(result) => summary(result),
            Err(error) => {
                let test = TestResult {
                    suite: "check".to_owned(),
                    name: name.to_owned(),
                    seconds: wall,
                    failure: Some(format!("{error:#}")),
                };
                self.failures.push(Failure { suite: None, test });
                ("FAILED".to_owned(), 0, 1)
            }
        };
        self.steps.push(Step {
            name: name.to_owned(),
            wall,
            cpu: cpu::used() - used,
            found,
            passed,
            failed,
        });
        result.ok()
    }

    /// Notes that a step was not done, so that the others do not look like the whole proof.
    pub(crate) fn left_out(&mut self, name: &str, why: &str) {
        println!("▸ {name}\n  ! NOT DONE: {why}");
        self.left_out.push((name.to_owned(), why.to_owned()));
    }

    /// Writes the report for [`Report::add`] in another process.
    pub(crate) fn save(&self, file: &Path) -> Result<()> {
        fs::write(file, serde_json::to_vec(self)?)
            .with_context(|| format!("writing {}", file.display()))
    }

    /// Adds a report that another process saved.
    pub(crate) fn add(&mut self, file: &Path) -> Result<()> {
        let text = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let other: Self = serde_json::from_slice(&text)
            .with_context(|| format!("the report in {}", file.display()))?;
        self.steps.extend(other.steps);
        self.failures.extend(other.failures);
        self.ran.extend(other.ran);
        self.left_out.extend(other.left_out);
        self.stopped |= other.stopped;
        Ok(())
    }

    /// Returns the number of passed tests and checks.
    pub(crate) fn passed(&self) -> usize {
        self.steps.iter().map(|step| step.passed).sum()
    }

    /// Formats the steps with their times, the slowest tests, and what was left out.
    pub(crate) fn text(&self) -> String {
        let time = |seconds_: f64| seconds(Duration::from_secs_f64(seconds_.max(0.0)));
        let mut rows = vec![["Step", "wall", "processor", ""].map(str::to_owned)];
        rows.extend(self.steps.iter().map(|step| {
            let cpu = if step.cpu > 0.0 {
                time(step.cpu)
            } else {
                String::new()
            };
            [step.name.clone(), time(step.wall), cpu, step.found.clone()]
        }));
        let mut text = step::columns(&rows, |column| column == 0 || column == 3);
        let mut slowest: Vec<&TestResult> = self.ran.iter().map(|(_, test)| test).collect();
        slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        if !slowest.is_empty() {
            text.push_str("\nSlowest tests:\n");
        }
        for test in slowest.iter().take(SLOWEST) {
            let _ = writeln!(text, "  {:>7.1} s  {}", test.seconds, test.title());
        }
        if !self.left_out.is_empty() {
            text.push_str("\n!!! NOT DONE, so this is not the whole proof:\n");
        }
        for (name, why) in &self.left_out {
            let _ = writeln!(text, "!!!   {name}: {why}");
        }
        text
    }
}

impl Failure {
    /// Formats the title and the first lines of the output, indented.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("  {}\n", self.test.title());
        let output = self.test.failure.as_deref().unwrap_or_default();
        let lines: Vec<&str> = output
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        for line in lines.iter().take(LINES) {
            let short: String = line.chars().take(300).collect();
            let _ = writeln!(text, "    {short}");
        }
        if lines.len() > LINES {
            let _ = writeln!(text, "    … {} more lines", lines.len() - LINES);
        }
        text
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn test(name: &str, failure: Option<&str>) -> TestResult {
        TestResult {
            suite: "suite".to_owned(),
            name: name.to_owned(),
            seconds: 1.0,
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn no_failure_ends_the_report() {
        let mut report = Report::default();
        assert!(report.check("Types", || Ok(String::new())));
        assert!(!report.check("Lints", || anyhow::bail!("unused")));
        report.tests(Suite::Rust, false, || {
            Ok(vec![test("holds", None), test("breaks", Some("no frame"))])
        });
        report.tests(Suite::States, false, || Ok(Vec::new()));
        report.tests(Suite::Page, true, || Ok(Vec::new()));
        assert_eq!((report.passed(), report.failures.len()), (2, 3));
        let failed: Vec<_> = report.failures.iter().map(|each| each.text()).collect();
        assert_eq!(failed[0], "  check Lints\n    unused\n");
        assert_eq!(failed[1], "  suite breaks\n    no frame\n");
        assert!(failed[2].contains("no test ran"));
        assert!(!report.stopped);
        let text = report.text();
        assert!(text.contains("1 passed, 1 FAILED") && text.contains("Slowest tests"));
    }

    #[test]
    fn a_part_that_stopped_is_remembered_across_processes() {
        let mut other = Report::default();
        other.tests(Suite::States, false, || {
            Ok((0..MOST_FAILURES)
                .map(|_| test("breaks", Some("")))
                .collect())
        });
        other.left_out("Packages", "it takes root");
        let file = std::env::temp_dir().join(format!("sonde-report-{}.json", std::process::id()));
        other.save(&file).expect("written");
        let mut report = Report::default();
        report.add(&file).expect("read");
        assert!(report.stopped);
        assert_eq!((report.passed(), report.failures.len()), (0, MOST_FAILURES));
        assert!(report.text().contains("!!!   Packages: it takes root"));
        fs::write(&file, "[]").expect("written");
        assert!(report.add(&file).is_err());
        fs::remove_file(&file).expect("removed");
    }
}
