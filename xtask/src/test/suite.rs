//! Groups of tests with one runner each, and reruns of single tests.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::kept_file;
use crate::{
    build, conformance, files,
    project::{self, Profile},
    results::{self, TestResult, Which},
    sandbox,
    step::{self, Output},
    tool, ui,
};

/// Failures after which a part stops: more of them probably have one cause.
pub(crate) const MOST_FAILURES: usize = 5;

/// Tests with one runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Suite {
    /// Unit tests of the page.
    Page,
    /// Rust tests that need nothing but this machine.
    Rust,
    /// Rust tests with a real keyring.
    Keyring,
    /// Headless sessions with servers of other authors.
    Foreign,
    /// States of the window in Chromium, each loaded once.
    States,
    /// The states of the window, walked in every look, with pictures.
    StatesInEveryLook,
    /// Window tests of properties that no other test proves.
    Windows,
    /// The other window tests.
    MoreWindows,
    /// The official conformance suite.
    Conformance,
    /// The official suite with automatic detection of each server's protocol version.
    AutomaticConformance,
}

/// Filter expressions of cargo-nextest (nextest.rs, "Filterset DSL").
const WINDOWS: &str = "binary_id(=sonde-tests::e2e)";
const FOREIGN: &str = "(binary_id(=sonde-tests::explorer) | binary_id(=sonde-tests::suites) | test(/^typescript_sdk::/))";

impl Suite {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Suite::Page => "Unit tests of the page",
            Suite::Rust => "Rust tests",
            Suite::Keyring => "Rust tests with a real keyring",
            Suite::Foreign => "Sessions with the servers of others",
            Suite::States => "States of the window in Chromium",
            Suite::StatesInEveryLook => "States of the window in every look",
            Suite::Windows => "Tests in the real window",
            Suite::MoreWindows => "More tests in the real window",
            Suite::Conformance => "The official conformance suite",
            Suite::AutomaticConformance => "The same, detecting what each server speaks",
        }
    }

    /// Returns the folder in which failed tests leave pictures, texts and logs, named after the test.
    pub(crate) fn evidence(self) -> Option<PathBuf> {
        let folder = match self {
            Suite::States | Suite::StatesInEveryLook => "artifacts/states",
            Suite::Windows | Suite::MoreWindows => "artifacts/e2e",
            _ => return None,
        };
        Some(project::root().join(folder))
    }

    /// Runs tests and returns their results. An error means that the runner itself failed.
    pub(crate) fn run(self, which: Which<'_>, output: Output) -> Result<Vec<TestResult>> {
        match self {
            Suite::Page => page(which, output),
            Suite::States => states(false, which, output),
            Suite::StatesInEveryLook => states(true, which, output),
            Suite::Conformance => conformance::tests(false, which),
            Suite::AutomaticConformance => conformance::tests(true, which),
            Suite::Rust | Suite::Keyring | Suite::Foreign | Suite::Windows | Suite::MoreWindows => {
                self.rust(which, output)
            }
        }
    }

    /// Returns the filter of cargo-nextest, and true if the tests are marked as ignored.
    fn filter(self) -> (String, bool) {
        match self {
            Suite::Keyring => (format!("not ({WINDOWS} | {FOREIGN})"), true),
            Suite::Foreign => (FOREIGN.to_owned(), true),
            Suite::Windows => (format!("{WINDOWS} & test(/^fast::/)"), true),
            Suite::MoreWindows => (format!("{WINDOWS} & test(/^all::/)"), true),
            _ => ("all()".to_owned(), false),
        }
    }

    fn rust(self, which: Which<'_>, output: Output) -> Result<Vec<TestResult>> {
        let (all, ignored) = self.filter();
        let filter = match which {
            Which::All => all,
            Which::Named(name) => format!("({all}) & test({})", escaped(name)),
            Which::These(tests) => {
                let each = tests
                    .iter()
                    .map(|test| format!("(binary_id(={}) & test(={}))", test.suite, test.name));
                each.collect::<Vec<_>>().join(" | ")
            }
        };
        let screen = matches!(self, Suite::Windows | Suite::MoreWindows);
        let profile = if screen { "windows" } else { "default" };
        let mut args = vec!["nextest", "run", "--workspace"];
        args.extend(build::FEATURES);
        args.extend(["--lib", "--bins", "--tests", "--profile", profile]);
        args.extend(["--filterset", &filter, "--no-tests", "pass"]);
        if ignored {
            args.extend(["--run-ignored", "only"]);
        }
        let program = tool::cargo_nextest()?;
        let mut desktop = None;
        let mut plain = Command::new(&program);
        let command = if ignored {
            let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
            let made = sandbox::desktop(screen, program.as_os_str(), &args)?;
            &mut desktop.insert(made).command
        } else {
            plain
                .args(&args)
                // Tests must not use the desktop of the user who runs them.
                .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
                .env_remove("DISPLAY")
                .env_remove("WAYLAND_DISPLAY")
        };
        project::as_from_a_shell(command);
        command
            .env("SONDE_APP", project::program(project::APP, Profile::Dev))
            .env("SONDE_FLAKY_DIR", plays());
        // As `.config/nextest.toml` says: in the clone, wherever cargo's target folder is.
        let junit = project::root().join(format!("target/nextest/{profile}/junit.xml"));
        ran(self.title(), command, &junit, output)
    }
}

/// Returns the folder in which tests with many plays write those that passed at their second try, a file each.
pub(crate) fn plays() -> PathBuf {
    project::cache_path("proof/plays")
}

/// Quotes a name within an expression of cargo-nextest.
fn escaped(name: &str) -> String {
    name.chars()
        .flat_map(|c| {
            let quoted = matches!(c, '(' | ')' | ',' | '\\');
            quoted.then_some('\\').into_iter().chain([c])
        })
        .collect()
}

fn page(which: Which<'_>, output: Output) -> Result<Vec<TestResult>> {
    let junit = kept_file("page.xml")?;
    let mut command = ui::npx();
    let most = MOST_FAILURES.to_string();
    command
        .args(["vitest", "run", "--bail", &most])
        .args(["--reporter=default", "--reporter=junit"])
        .arg(format!("--outputFile.junit={}", junit.display()));
    match which {
        Which::All => {}
        Which::Named(name) => {
            command.args(["-t", name]);
        }
        Which::These(tests) => {
            command.args(tests.iter().map(|test| test.suite.as_str()));
            // A file that does not load fails under its own name.
            let is_file = |test: &&&TestResult| test.name == test.suite;
            let tests: Vec<_> = tests.iter().filter(|test| !is_file(test)).collect();
            if tests.is_empty() {
                return ran(Suite::Page.title(), &mut command, &junit, output);
            }
            let names = tests.iter().map(|test| whole_name(&test.name));
            let names = names.collect::<Vec<_>>().join("|");
            command.arg("-t").arg(format!("^(?:{names})$"));
        }
    }
    ran(Suite::Page.title(), &mut command, &junit, output)
}

/// Builds a regular expression for a test of vitest, whose JUnit has ` > ` where its filter has a blank.
fn whole_name(name: &str) -> String {
    let mut expression = String::new();
    for c in name.chars() {
        if "\\^$.*+?()[]{}|/".contains(c) {
            expression.push('\\');
        }
        expression.push(c);
    }
    expression.replace(" > ", "(?: > | )")
}

fn states(every_look: bool, which: Which<'_>, output: Output) -> Result<Vec<TestResult>> {
    let junit = kept_file("states.xml")?;
    ui::install("ui")?;
    let mut command = Command::new("node");
    command
        .current_dir(project::root().join("ui"))
        .args(["tests/states/run.mjs", "--junit"])
        .arg(&junit);
    if every_look {
        command.arg("--both");
    }
    match which {
        Which::All => {}
        Which::Named(name) => {
            command.args(["--containing", name]);
        }
        Which::These(tests) => {
            command.arg("--no-build");
            command.args(tests.iter().map(|test| test.name.as_str()));
        }
    }
    let suite = if every_look {
        Suite::StatesInEveryLook
    } else {
        Suite::States
    };
    ran(suite.title(), &mut command, &junit, output)
}

/// Runs a test runner and reads its results. A runner that fails without a failed test is an error.
fn ran(name: &str, command: &mut Command, junit: &Path, output: Output) -> Result<Vec<TestResult>> {
    // Results of an earlier run would count for this one.
    files::remove(junit)?;
    let ended = step::run(name, command, output);
    let results = match results::read(junit) {
        Ok(results) => results,
        // The runner's own output tells more.
        Err(error) => {
            ended?;
            // The filter left nothing to run.
            return if junit.exists() {
                Err(error)
            } else {
                Ok(Vec::new())
            };
        }
    };
    let failed = results.iter().any(|test| test.failure.is_some());
    if ended.is_err() && !failed {
        bail!(ended.expect_err("it failed"));
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_are_taken_to_the_letter() {
        assert_eq!(escaped("a(b),c"), "a\\(b\\)\\,c");
        assert_eq!(whole_name("a > 1+1 (x)"), "a(?: > | )1\\+1 \\(x\\)");
    }
}
