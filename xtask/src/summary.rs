//! What a proof ran: one line for each step of it, told at the end.

use std::{
    fmt, fs,
    io::{BufRead as _, BufReader, Read, Write},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    project,
    step::{self, seconds},
};

/// How many tests a runner reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) ignored: usize,
}

impl Counts {
    /// Whether anything ran at all.
    pub(crate) fn ran(self) -> usize {
        self.passed + self.failed
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed", self.passed)?;
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        if self.ignored > 0 {
            write!(f, ", {} left to another step", self.ignored)?;
        }
        Ok(())
    }
}

/// Reads how many tests ran from a line of a runner's output.
pub(crate) type Counter = fn(&str) -> Option<Counts>;

/// The name of a test that failed, of Rust's test runner. The other runners end with what failed.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The name of a test whose output follows, of Rust's test runner.
fn output_of(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

/// How many lines of what a failed test said are told once more, and how many characters of each.
const SAID: (usize, usize) = (4, 300);

/// What a line of a runner's output says, in colours or not.
pub(crate) fn count(line: &str, counter: Counter) -> Counts {
    let mut parts = line.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A colour ends with its first letter.
        let end = part.find(|c: char| c.is_ascii_alphabetic());
        plain.push_str(end.map_or("", |end| &part[end + 1..]));
    }
    counter(&plain).unwrap_or_default()
}

/// `test result: ok. 12 passed; 0 failed; 1 ignored; …`, of Rust's test runner.
pub(crate) fn of_cargo(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("test result: ")?;
    let number = |word: &str| {
        let (before, _) = rest.split_once(word)?;
        before.split(' ').next_back()?.parse().ok()
    };
    Some(Counts {
        passed: number(" passed")?,
        failed: number(" failed")?,
        ignored: number(" ignored")?,
    })
}

/// `Tests  2 failed | 12 passed (14)`, of vitest.
pub(crate) fn of_vitest(line: &str) -> Option<Counts> {
    let rest = line.trim().strip_prefix("Tests ")?;
    let number = |word: &str| {
        let (before, _) = rest.split_once(word)?;
        before.trim().split(' ').next_back()?.parse().ok()
    };
    Some(Counts {
        passed: number(" passed").unwrap_or(0),
        failed: number(" failed").unwrap_or(0),
        ignored: number(" skipped").unwrap_or(0),
    })
}

/// `states: 182 passed, 0 failed`, of the states of the window.
pub(crate) fn of_states(line: &str) -> Option<Counts> {
    let (passed, failed) = line.strip_prefix("states: ")?.split_once(" passed, ")?;
    Some(Counts {
        passed: passed.parse().ok()?,
        failed: failed.strip_suffix(" failed")?.parse().ok()?,
        ignored: 0,
    })
}

/// What [`Summary::save`] writes: each step with its seconds and what it found, and what was left out.
type Saved = (Vec<(String, f64, String)>, Vec<(String, String)>);

/// The steps of a proof so far.
#[derive(Default)]
pub(crate) struct Summary {
    lines: Vec<(String, Duration, String)>,
    /// What was not done here, and why.
    left_out: Vec<(String, String)>,
}

impl Summary {
    /// Runs a step and keeps its name, its time and what it found.
    pub(crate) fn step<T: fmt::Display>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let begin = Instant::now();
        let found = step::step(name, work)?;
        self.lines
            .push((name.to_owned(), begin.elapsed(), found.to_string()));
        Ok(found)
    }

    /// Runs a test runner as a step, shows its output as it comes, and counts the tests in it.
    /// Nothing that ran is an error, unless a filter was given.
    pub(crate) fn tests(
        &mut self,
        name: &str,
        command: &mut Command,
        counter: Counter,
        filtered: bool,
    ) -> Result<Counts> {
        self.step(name, || {
            let counts = counted(name, command, counter)?;
            if counts.ran() == 0 && !filtered {
                bail!("{name}: nothing ran");
            }
            Ok(counts)
        })
    }

    /// Keeps that a step was not done, so that nobody takes what passed for all of the proof.
    pub(crate) fn left_out(&mut self, name: &str, why: &str) {
        println!("▸ {name}\n  ! NOT DONE: {why}");
        self.left_out.push((name.to_owned(), why.to_owned()));
    }

    /// Writes what passed, for [`Summary::add_saved`] in another process.
    pub(crate) fn save(&self, file: &Path) -> Result<()> {
        let lines = self
            .lines
            .iter()
            .map(|(name, took, found)| (name.clone(), took.as_secs_f64(), found.clone()));
        let saved: Saved = (lines.collect(), self.left_out.clone());
        let text = serde_json::to_vec(&saved)?;
        fs::write(file, text).with_context(|| format!("writing {}", file.display()))
    }

    /// Adds what another process saved.
    pub(crate) fn add_saved(&mut self, file: &Path) -> Result<()> {
        let text = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let (lines, left_out): Saved = serde_json::from_slice(&text)
            .with_context(|| format!("the steps in {}", file.display()))?;
        for (name, took, found) in lines {
            let took = Duration::try_from_secs_f64(took)?;
            self.lines.push((name, took, found));
        }
        self.left_out.extend(left_out);
        Ok(())
    }

    /// What passed, and below it what was not done.
    pub(crate) fn report(&self) -> String {
        let mut text = format!("All of this passed:\n{}", self.text());
        if !self.left_out.is_empty() {
            text.push_str("\n!!! NOT DONE, so this is not the whole proof:\n");
        }
        for (name, why) in &self.left_out {
            text.push_str(&format!("!!!   {name}: {why}\n"));
        }
        text
    }

    /// What was run, in the order in which it ran.
    fn text(&self) -> String {
        let width = |text: &str| text.chars().count();
        let names = self.lines.iter().map(|line| width(&line.0)).max();
        let times = self.lines.iter().map(|line| width(&seconds(line.1))).max();
        let (names, times) = (names.unwrap_or(0), times.unwrap_or(0));
        let mut text = String::new();
        for (name, took, found) in &self.lines {
            let took = seconds(*took);
            let line = format!("  {name:names$}  {took:>times$}  {found}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn counted(name: &str, command: &mut Command, counter: Counter) -> Result<Counts> {
    if command.get_current_dir().is_none() {
        command.current_dir(project::root());
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    let mut found = Found::default();
    if let Some(output) = child.stdout.take() {
        found = pass_on(output, &mut std::io::stdout(), counter)?;
    }
    let status = child.wait()?;
    if !status.success() {
        bail!(
            "{name} failed ({status}; {}){}",
            found.counts,
            found.failures()
        );
    }
    Ok(found.counts)
}

/// What a runner's output says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    counts: Counts,
    /// Tests that failed, each once, with the first lines of what they said.
    failed: Vec<(String, Vec<String>)>,
    /// Whose output is being read.
    reading: Option<usize>,
}

impl Found {
    fn read(&mut self, line: &str, counter: Counter) {
        self.counts.add(count(line, counter));
        if let Some(test) = failed_test(line) {
            self.reading = None;
            self.position(test);
        } else if let Some(test) = output_of(line) {
            self.reading = Some(self.position(test));
        } else if let Some((_, said)) = self.reading.and_then(|at| self.failed.get_mut(at)) {
            if line.starts_with("stack backtrace:") || said.len() == SAID.0 {
                self.reading = None;
            } else if !line.trim().is_empty() {
                said.push(line.chars().take(SAID.1).collect());
            }
        }
    }

    fn position(&mut self, test: &str) -> usize {
        let known = self.failed.iter().position(|(known, _)| known == test);
        known.unwrap_or_else(|| {
            self.failed.push((test.to_owned(), Vec::new()));
            self.failed.len() - 1
        })
    }

    /// Whoever reads the end of a long output learns what failed, and why.
    fn failures(&self) -> String {
        let mut text = String::new();
        for (test, said) in &self.failed {
            text.push_str(&format!("\n  {test}"));
            for line in said {
                text.push_str(&format!("\n    {line}"));
            }
        }
        text
    }
}

/// Passes on every piece of a line as it comes, so that a test that hangs can be seen.
fn pass_on(output: impl Read, shown: &mut impl Write, counter: Counter) -> Result<Found> {
    let mut found = Found::default();
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        let piece = output.fill_buf()?;
        if piece.is_empty() {
            break;
        }
        shown.write_all(piece)?;
        shown.flush()?;
        for &byte in piece {
            if byte == b'\n' {
                found.read(&String::from_utf8_lossy(&line), counter);
                line.clear();
            } else {
                line.push(byte);
            }
        }
        let read = piece.len();
        output.consume(read);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize, ignored: usize) -> Counts {
        Counts {
            passed,
            failed,
            ignored,
        }
    }

    #[test]
    fn each_runner_is_understood() {
        let cargo = "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 5 filtered out; finished in 0.00s";
        assert_eq!(of_cargo(cargo), Some(counts(12, 0, 3)));
        assert_eq!(of_cargo("test a::b ... ok"), None);
        let vitest = "      Tests  1 failed | 453 passed | 2 skipped (456)";
        assert_eq!(of_vitest(vitest), Some(counts(453, 1, 2)));
        let colours = "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m7 passed\x1b[39m\x1b[22m (7)";
        assert_eq!(count(colours, of_vitest), counts(7, 0, 0));
        assert_eq!(of_vitest(" Test Files  48 passed (48)"), None);
        assert_eq!(
            of_states("states: 182 passed, 1 failed"),
            Some(counts(182, 1, 0))
        );
        assert_eq!(of_states("states: none"), None);
    }

    #[test]
    fn what_a_runner_prints_is_added_up() {
        let output = "a\ntest result: ok. 1 passed; 0 failed; 0 ignored;\n\
                      test wire::breaks ... FAILED\ntest wire::breaks ... FAILED\n\
                      test wire::holds ... ok\n\
                      \n---- wire::breaks stdout ----\n\n\
                      thread 'wire::breaks' panicked at wire.rs:1:1:\nno frame\n\
                      stack backtrace:\n   0: begin\n\
                      test result: FAILED. 2 passed; 1 failed; 4 ignored;\n";
        let mut shown = Vec::new();
        let found = pass_on(output.as_bytes(), &mut shown, of_cargo).expect("readable");
        assert_eq!(found.counts, counts(3, 1, 4));
        assert_eq!(
            found.failures(),
            "\n  wire::breaks\n    thread 'wire::breaks' panicked at wire.rs:1:1:\n    no frame"
        );
        assert_eq!(shown, output.as_bytes());
    }

    #[test]
    fn what_was_not_done_stands_last() {
        let mut summary = Summary::default();
        summary.step("Tests", || Ok("1 passed")).expect("passed");
        assert!(!summary.report().contains("NOT DONE"));
        summary.left_out("Packages", "it takes root");
        let report = summary.report();
        let (passed, left_out) = report.split_once("!!! NOT DONE").expect("a warning");
        assert!(
            passed.contains("  Tests") && !passed.contains("Packages"),
            "{report}"
        );
        assert!(
            left_out.ends_with("!!!   Packages: it takes root\n"),
            "{report}"
        );
    }

    #[test]
    fn what_another_process_ran_is_added() {
        let mut other = Summary::default();
        other.step("Windows", || Ok("71 passed")).expect("passed");
        other.left_out("Packages", "it takes root");
        let file = std::env::temp_dir().join(format!("sonde-steps-{}.json", std::process::id()));
        other.save(&file).expect("written");
        let mut summary = Summary::default();
        summary.step("Tests", || Ok("1 passed")).expect("passed");
        summary.add_saved(&file).expect("read");
        let report = summary.report();
        for part in ["Tests", "1 passed", "Windows", "71 passed", "it takes root"] {
            assert!(report.contains(part), "{part} in {report}");
        }
        fs::write(&file, "[]").expect("written");
        assert!(summary.add_saved(&file).is_err());
        fs::remove_file(&file).expect("removed");
    }

    #[test]
    fn a_step_that_runs_nothing_fails_unless_it_was_filtered() {
        let nothing = || {
            let mut command = Command::new("node");
            command.args(["-e", "0"]);
            command
        };
        let mut summary = Summary::default();
        assert!(
            summary
                .tests("none", &mut nothing(), of_cargo, false)
                .is_err()
        );
        let found = summary.tests("few", &mut nothing(), of_cargo, true);
        assert_eq!(found.expect("allowed").ran(), 0);
        assert!(summary.text().starts_with("  few  "), "{}", summary.text());
    }
}
