//! Judgement of failed tests: red, or failed by chance.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::{
    change::Change,
    kept_file,
    report::{Failure, Report},
    suite::{self, Suite},
};
use crate::{
    files, project,
    results::{TestResult, Which},
    step::{self, Output},
};

/// Limit of the tests that may fail by chance in one proof.
const MOST_FLAKY: usize = 3;

/// A test that passed once and failed once, in the same proof.
#[derive(Debug)]
pub(crate) struct Flaky {
    pub(crate) failure: Failure,
    /// Reason why the proof does not accept it.
    pub(crate) red: Option<&'static str>,
}

/// Judgement of everything that failed.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Failures, each with the reason why it was not retried, if it was not.
    pub(crate) red: Vec<(Failure, Option<&'static str>)>,
    pub(crate) flaky: Vec<Flaky>,
}

impl Verdict {
    /// True if nothing prevents the proof from being accepted.
    pub(crate) fn is_green(&self) -> bool {
        self.failed() == 0
    }

    /// Returns the number of tests and checks that turn the proof red.
    pub(crate) fn failed(&self) -> usize {
        let flaky = self.flaky.iter().filter(|flaky| flaky.red.is_some());
        self.red.len() + flaky.count()
    }

    /// Returns the titles of the flaky tests.
    pub(crate) fn flaky_titles(&self) -> Vec<String> {
        let titles = self.flaky.iter().map(|flaky| flaky.failure.test.title());
        titles.collect()
    }

    /// Stores the titles of the flaky tests for the next proof on this machine.
    pub(crate) fn remember_flaky(&self, report: &Report, last: &[String]) -> Result<()> {
        let titles = serde_json::to_vec(&self.titles_to_remember(report, last))?;
        Ok(fs::write(kept_file(LAST_FLAKY)?, titles)?)
    }

    /// Adds the titles of the proof before whose tests did not run now.
    fn titles_to_remember(&self, report: &Report, last: &[String]) -> Vec<String> {
        let ran = |title: &str| {
            let mut titles = report.ran.iter().map(|(_, test)| test.title());
            // A play is named after its test.
            titles.any(|ran| title == ran || title.starts_with(&format!("{ran}::")))
        };
        let mut titles = self.flaky_titles();
        titles.extend(last.iter().filter(|title| !ran(title)).cloned());
        titles
    }

    /// Formats the verdict for the end of the report; empty if nothing failed.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if !self.flaky.is_empty() {
            text.push_str(
                "FLAKY: failed once and passed once. Their evidence is in artifacts/flaky:\n",
            );
        }
        for Flaky { failure, red } in &self.flaky {
            text.push_str(&failure.text());
            if let Some(red) = red {
                text.push_str(&format!("    red, since {red}\n"));
            }
        }
        if !self.red.is_empty() {
            text.push_str("FAILED:\n");
        }
        for (failure, why) in &self.red {
            text.push_str(&failure.text());
            if let Some(why) = why {
                text.push_str(&format!("    {why}\n"));
            }
        }
        text
    }
}

const LAST_FLAKY: &str = "flaky.json";

/// Returns the titles of the tests that were flaky in the previous proof on this machine.
pub(crate) fn last_flaky() -> Vec<String> {
    let text = kept_file(LAST_FLAKY).and_then(|file| Ok(fs::read(file)?));
    serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default()
}

/// Reasons why a flaky test is not accepted.
const TOUCHED: &str = "the change touches its file";
const TWICE: &str = "it was flaky in the proof before as well";
const TOO_MANY: &str = "more than three tests were flaky";

/// Retries every failed test once, alone, unless the proof is red anyway.
pub(crate) fn judge(report: &Report, change: &Change, last: &[String]) -> Result<Verdict> {
    let certain = why_red(report);
    let again = |failure: &Failure| match failure.suite {
        Some(suite) if certain.is_none() => {
            let title = format!("Again, alone: {}", failure.test.title());
            let again = step::step(&title, || {
                let kept = keep_evidence(failure)?;
                let passed = passes(suite, &failure.test)?;
                if !passed {
                    fs::remove_dir_all(kept)?;
                }
                ensure!(passed, "it failed again");
                Ok(())
            });
            Ok(again.is_ok())
        }
        Some(_) => Err(certain),
        None => Err(None),
    };
    judge_with(report, change, last, again, flaky_plays)
}

/// Runs one test. True if it passed.
fn passes(suite: Suite, test: &TestResult) -> Result<bool> {
    let results = suite.run(Which::These(&[test]), Output::Kept)?;
    ensure!(!results.is_empty(), "{} did not run", test.title());
    Ok(results.iter().all(|test| test.failure.is_none()))
}

/// Returns the reason why retrying failed tests cannot turn the proof green.
pub(super) fn why_red(report: &Report) -> Option<&'static str> {
    if report.stopped {
        return Some("not tried again: its part stopped");
    }
    if report.failures.iter().any(|each| each.suite.is_none()) {
        return Some("not tried again: a check failed");
    }
    (report.failures.len() > MOST_FLAKY).then_some("not tried again: too many tests failed")
}

/// Applies the rules to the outcome of each retry (passed, or the reason why there was none), and to the plays that
/// passed at their second try.
fn judge_with(
    report: &Report,
    change: &Change,
    last: &[String],
    again: impl Fn(&Failure) -> Result<bool, Option<&'static str>>,
    plays: impl FnOnce() -> Result<Vec<Failure>>,
) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    let flaky = |failure: &Failure| {
        let red = if change.touches_test(&failure.test) {
            Some(TOUCHED)
        } else if last.contains(&failure.test.title()) {
            Some(TWICE)
        } else {
            None
        };
        let failure = failure.clone();
        Flaky { failure, red }
    };
    for failure in &report.failures {
        match again(failure) {
            Ok(true) => verdict.flaky.push(flaky(failure)),
            Ok(false) => verdict.red.push((failure.clone(), None)),
            Err(why) => verdict.red.push((failure.clone(), why)),
        }
    }
    verdict.flaky.extend(plays()?.iter().map(flaky));
    // Only so many are accepted.
    for flaky in verdict.flaky.iter_mut().skip(MOST_FLAKY) {
        flaky.red.get_or_insert(TOO_MANY);
    }
    Ok(verdict)
}

/// Returns the plays of Rust tests that passed at their second try, and keeps their evidence.
fn flaky_plays() -> Result<Vec<Failure>> {
    let mut found = Vec::new();
    for file in files::below(&suite::plays())? {
        let title = file.file_stem().unwrap_or_default().to_string_lossy();
        let title = title.replace('.', "::");
        let (suite, name) = title.split_once(' ').context("a play names its test")?;
        let failure = Failure {
            suite: Some(Suite::Rust),
            test: TestResult {
                suite: suite.to_owned(),
                name: name.to_owned(),
                seconds: 0.0,
                failure: Some(String::from_utf8_lossy(&fs::read(&file)?).into_owned()),
            },
        };
        keep_evidence(&failure)?;
        found.push(failure);
    }
    Ok(found)
}

/// Folder with the evidence of flaky tests.
pub(crate) fn evidence() -> PathBuf {
    project::root().join("artifacts/flaky")
}

/// Copies the evidence of a failed test below `artifacts/flaky` before a rerun overwrites it: its output, and the files
/// of its suite.
pub(crate) fn keep_evidence(failure: &Failure) -> Result<PathBuf> {
    let folder = evidence().join(file_name(&failure.test.title()));
    fs::create_dir_all(&folder)?;
    let output = failure.test.failure.as_deref().unwrap_or_default();
    fs::write(folder.join("output.txt"), output)?;
    let Some(left) = failure.suite.and_then(Suite::evidence) else {
        return Ok(folder);
    };
    let name = file_name(&failure.test.name);
    for file in files::below(&left)? {
        let below = file_name(&file.strip_prefix(&left)?.to_string_lossy());
        // A window test has dots for colons in the name of its folder.
        if below.replace('.', "-").starts_with(&name) {
            fs::copy(&file, folder.join(below)).with_context(|| file.display().to_string())?;
        }
    }
    Ok(folder)
}

/// Converts a title to a file name: letters, digits and dots, and a dash for each other run of characters.
fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.chars() {
        if c.is_ascii_alphanumeric() || c == '.' || c == '_' {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_matches('-').chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::report::tests::test;

    fn report(names: &[&str]) -> Report {
        let mut report = Report::default();
        let results = names.iter().map(|name| test(name, Some("no")));
        report.tests(Suite::Rust, false, || Ok(results.collect()));
        report
    }

    fn verdict(report: &Report, last: &[&str], again: bool) -> Verdict {
        let last: Vec<String> = last.iter().map(|name| (*name).to_owned()).collect();
        let change = Change::default();
        let plays = || Ok(Vec::new());
        judge_with(report, &change, &last, |_| Ok(again), plays).unwrap()
    }

    #[test]
    fn what_fails_twice_is_red_and_what_fails_once_is_flaky() {
        let report = report(&["a"]);
        let red = verdict(&report, &[], false);
        assert!(!red.is_green() && red.flaky.is_empty());
        let flaky = verdict(&report, &[], true);
        assert!(flaky.is_green() && flaky.flaky.len() == 1);
    }

    #[test]
    fn flaky_twice_in_a_row_or_more_than_three_times_is_red() {
        assert!(!verdict(&report(&["a"]), &["suite a"], true).is_green());
        assert!(verdict(&report(&["a", "b", "c"]), &[], true).is_green());
        assert!(!verdict(&report(&["a", "b", "c", "d"]), &[], true).is_green());
    }

    #[test]
    fn a_play_counts_as_a_flaky_test() {
        let change = Change::default();
        for (names, green) in [(&["b", "c"][..], true), (&["b", "c", "d"], false)] {
            let (report, plays) = (report(&["a"]), || Ok(report(names).failures));
            let verdict = judge_with(&report, &change, &[], |_| Ok(true), plays);
            assert_eq!(verdict.unwrap().is_green(), green, "{names:?}");
        }
    }

    #[test]
    fn flaky_in_a_changed_file_is_red() {
        let mut report = Report::default();
        let mut failed = test("test::change::tests::x", Some("no"));
        failed.suite = "xtask".to_owned();
        report.tests(Suite::Rust, false, || Ok(vec![failed]));
        for (file, green) in [("xtask/src/test/change.rs", false), ("README.md", true)] {
            let change = Change::of([file]);
            let judged = judge_with(&report, &change, &[], |_| Ok(true), || Ok(vec![]));
            assert_eq!(judged.unwrap().is_green(), green, "{file}");
        }
    }

    #[test]
    fn flaky_titles_are_kept_until_their_tests_run() {
        let mut report = report(&["a"]);
        report.tests(Suite::Rust, false, || Ok(vec![test("b", None)]));
        let last = ["suite a", "suite a::play", "suite b", "suite c"].map(str::to_owned);
        let remembered = verdict(&report, &[], true).titles_to_remember(&report, &last);
        assert_eq!(remembered, ["suite a", "suite c"]);
    }

    #[test]
    fn no_second_look_is_taken_where_it_changes_nothing() {
        assert_eq!(why_red(&report(&["a", "b", "c"])), None);
        assert!(why_red(&report(&["a", "b", "c", "d"])).is_some());
        let mut checked = report(&["a"]);
        checked.check("Types", || anyhow::bail!("wrong"));
        assert!(why_red(&checked).is_some());
        assert!(why_red(&report(&["a", "b", "c", "d", "e"])).is_some());
    }

    #[test]
    fn a_title_is_a_file_name() {
        assert_eq!(file_name("help (light)"), "help-light");
        assert_eq!(file_name("a::b c"), "a-b-c");
    }
}
