//! `cargo xtask test`: the proof. docs/proof.md explains it.

mod beside;
mod change;
mod record;
mod repeat;
mod report;
mod soak;
mod suite;
mod verdict;

use std::{fs, path::PathBuf};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

pub(crate) use record::{RECORD, proven};

use crate::{
    bench, build, conformance, fuzz,
    installed::{self, Packages},
    mutations,
    packages::{self, BROWSER, BUILD, KEYRING, Need, PACKAGES, PYTHON, WINDOW},
    peers, policy,
    project::{self, Profile},
    published,
    results::Which,
    step::{self, Output, silent},
    tool, ui,
};
use beside::Beside;
use change::Change;
use report::Report;
use suite::Suite;

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Part {
    /// Types, format, lints and unit tests of the page.
    Ui,
    /// Format, lints, dependencies and tests of all Rust code.
    Rust,
    /// States of the window in Chromium.
    States,
    /// The official conformance suite.
    Conformance,
    /// The built app in its real window.
    E2e,
    /// Random inputs for parsers, ten seconds each.
    Fuzz,
    /// Every benchmark once, with little to do.
    Bench,
    /// The packages for Linux: their contents, and the deb installed, used, upgraded and removed.
    Packages,
    /// Mutations of the files that changed since the last recorded proof.
    Mutations,
}

/// Parts that only the whole proof runs, unless a changed path adds them.
const WHOLE: &[Part] = &[Part::Fuzz, Part::Bench, Part::Packages, Part::Mutations];

/// Parts that need nothing compiled and run beside all others.
const OF_THE_PAGE: &[Part] = &[Part::Ui, Part::States];

/// Parts that run beside the Rust tests, once everything is built.
const OF_THE_APP: &[Part] = &[Part::Conformance, Part::E2e];

impl Part {
    /// Returns the needs of the part.
    fn needs(self) -> &'static [Need] {
        match self {
            Part::Ui => &[],
            Part::Rust => &[BUILD, KEYRING],
            Part::States => &[BROWSER],
            Part::Fuzz | Part::Conformance | Part::Mutations => &[BUILD],
            Part::E2e => &[BUILD, KEYRING, WINDOW, PYTHON, BROWSER],
            Part::Packages => &[BUILD, KEYRING, WINDOW, PACKAGES],
            Part::Bench => &[BUILD, KEYRING, WINDOW],
        }
    }
}

/// Choice of what to prove.
#[derive(Args, Debug, Default)]
pub(crate) struct Options {
    /// Only these parts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// The whole proof, as it is run before an issue is resolved.
    #[arg(long)]
    all: bool,
    /// Write tests/proof.toml if the whole proof is green.
    #[arg(long, requires = "all", conflicts_with_all = ["only", "filter"])]
    record: bool,
    /// Fail where the Debian package cannot be installed, instead of leaving that out. Continuous integration does.
    #[arg(long)]
    complete: bool,
    /// Run the tests with these names again and again beside busy loops.
    #[arg(long, num_args = 1.., conflicts_with_all = ["only", "all", "filter"])]
    soak: Vec<String>,
    /// Runs of each name with --soak.
    #[arg(long, default_value_t = 10, requires = "soak")]
    times: u32,
    /// (internal) Run the parts for another process: their output is kept, and their report is written here.
    #[arg(long, hide = true)]
    report: Option<PathBuf>,
    /// Only tests whose name contains this, of the parts ui, rust, states, conformance and e2e. It is an error when
    /// there is none.
    filter: Option<String>,
}

/// Time of random inputs for each target.
const FUZZ_SECONDS: u64 = 10;
/// Fixed, so that the proof tries the same inputs each time and fails only because of a change; `cargo xtask fuzz`
/// tries new ones.
const FUZZ_SEED: u32 = 1;

/// Runs the parts. If several are chosen, those of the page run beside all others, those of the app beside the Rust
/// tests, and packages and mutations last, since they write programs that the others run.
pub(crate) fn run(options: &Options) -> Result<()> {
    if !options.soak.is_empty() {
        packages::ensure(Part::E2e.needs())?;
        packages::ensure(Part::States.needs())?;
        return soak::run(&options.soak, options.times);
    }
    let tree = if options.record {
        record::may_begin()?;
        record::hash()?
    } else {
        String::new()
    };
    let change = Change::since_record()?;
    let parts = parts(options, &change);
    let needs: Vec<Need> = parts
        .iter()
        .flat_map(|part| part.needs())
        .copied()
        .collect();
    packages::ensure(&needs)?;
    let mut proof = Proof {
        report: Report::default(),
        output: Output::Shown,
        complete: options.complete || options.record || project::in_ci(),
        all: options.all,
        filter: options.filter.clone(),
        change,
        // Another process has built everything before it starts this one.
        built: options.report.is_some().then_some(true),
    };
    if let Some(file) = &options.report {
        proof.output = Output::Kept;
        proof.run(&parts);
        return proof.report.save(file);
    }
    // Files of an earlier proof would count for this one.
    for folder in [suite::plays(), verdict::evidence()] {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
    }
    if parts.len() == 1 || options.filter.is_some() {
        proof.run(&parts);
    } else {
        proof.output = Output::Kept;
        proof.run_beside_each_other(&parts)?;
    }
    proof.finish(options, &tree)
}

/// Returns the path of a file that proofs keep, whose folder then exists.
fn kept_file(name: &str) -> Result<PathBuf> {
    let folder = project::cache_path("proof");
    fs::create_dir_all(&folder)?;
    Ok(folder.join(name))
}

/// Returns the requested parts, in the order of [`Part`].
fn parts(options: &Options, change: &Change) -> Vec<Part> {
    let added = change.adds();
    let is_chosen = |part: &Part| {
        if options.only.is_empty() {
            options.all || !WHOLE.contains(part) || added.contains(part)
        } else {
            options.only.contains(part)
        }
    };
    let has_names = |part: &Part| options.filter.is_none() || !WHOLE.contains(part);
    let all = Part::value_variants().iter().copied();
    all.filter(is_chosen).filter(has_names).collect()
}

/// A running proof.
struct Proof {
    report: Report,
    /// Destination of the test runners' output.
    output: Output,
    complete: bool,
    all: bool,
    filter: Option<String>,
    change: Change,
    /// True if all programs are built, false if that failed.
    built: Option<bool>,
}

impl Proof {
    /// Runs parts one after the other. A failed part does not end the others.
    fn run(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Ui => self.page(),
                Part::Rust => self.rust(),
                Part::States => self.states(),
                Part::Conformance => self.conformance(),
                Part::E2e => self.windows(),
                Part::Fuzz => self.fuzz(),
                Part::Bench => self.bench(),
                Part::Packages => self.packages(),
                Part::Mutations => self.mutations(),
            }
        }
    }

    fn run_beside_each_other(&mut self, parts: &[Part]) -> Result<()> {
        let chosen = |among: &[Part]| -> Vec<Part> {
            parts
                .iter()
                .copied()
                .filter(|part| among.contains(part))
                .collect()
        };
        // Several parts need the page's packages.
        ui::install("ui")?;
        // The compiler is the critical path of the proof, so the page's parts yield to it.
        let mut beside = vec![Beside::start(&chosen(OF_THE_PAGE), self.all, true)?];
        if parts.contains(&Part::Rust) {
            self.rust_checks();
        }
        let app = chosen(OF_THE_APP);
        if !app.is_empty() && self.build() {
            beside.push(Beside::start(&app, self.all, false)?);
        } else {
            self.run(&app);
        }
        if parts.contains(&Part::Rust) {
            self.rust_tests();
        }
        self.run(&chosen(&[Part::Fuzz, Part::Bench]));
        for each in beside.into_iter().flatten() {
            if let Err(error) = each.finish(&mut self.report) {
                self.report.check("A process of the proof", || Err(error));
            }
        }
        // These write programs that the others run.
        self.run(&chosen(&[Part::Packages, Part::Mutations]));
        Ok(())
    }

    fn tests(&mut self, suite: Suite) {
        let filter = self.filter.as_deref();
        let which = filter.map_or(Which::All, Which::Named);
        let run = || suite.run(which, self.output);
        self.report.tests(suite, filter.is_some(), run);
    }

    /// Builds every program once. False if that failed.
    fn build(&mut self) -> bool {
        if self.built.is_none() {
            self.built = Some(self.report.check("Build of all programs and tests", || {
                build::with_tests()?;
                Ok(String::new())
            }));
        }
        self.built == Some(true)
    }

    fn needs_programs(&mut self, name: &str) -> bool {
        let built = self.build();
        if !built {
            self.report.left_out(name, "the build failed");
        }
        built
    }

    fn page(&mut self) {
        if self.filter.is_none() {
            for (name, script) in [
                ("Format of the page", "format"),
                ("Types of the page", "typecheck"),
                ("Lints of the page", "lint"),
            ] {
                self.report.check(name, || {
                    ui::install("ui")?;
                    silent(name, ui::npm("ui").args(["run", script]))?;
                    Ok(String::new())
                });
            }
        }
        self.tests(Suite::Page);
    }

    fn rust(&mut self) {
        if self.filter.is_none() {
            self.rust_checks();
        }
        self.rust_tests();
    }

    fn rust_tests(&mut self) {
        if !self.needs_programs(Suite::Rust.title()) {
            return;
        }
        self.tests(Suite::Rust);
        self.tests(Suite::Keyring);
        if self.all && self.filter.is_none() {
            self.report.check("Examples in the documentation", || {
                let mut cargo = project::cargo();
                cargo
                    .args(["test", "--workspace", "--doc"])
                    .args(build::FEATURES);
                silent("Examples", &mut cargo).map(|()| String::new())
            });
        }
    }

    fn rust_checks(&mut self) {
        self.report.check("Format of the Rust code", || {
            let mut cargo = project::cargo();
            silent("Format", cargo.args(["fmt", "--all", "--check"]))?;
            Ok(String::new())
        });
        // Only the whole proof lints tests, which checks each program once more.
        let targets: &[&str] = if self.all {
            &["--all-targets"]
        } else {
            &["--lib", "--bins"]
        };
        self.report.check("Lints of the Rust code", || {
            ui::build()?;
            let mut cargo = project::cargo();
            cargo
                .args(["clippy", "--workspace"])
                .args(targets)
                .args(build::FEATURES)
                .args(["--", "--deny", "warnings"]);
            silent("Lints", &mut cargo).map(|()| String::new())
        });
        self.report.check("Dependencies", policy::dependencies);
        let advisories = policy::ADVISORIES;
        match policy::fetch_advisories() {
            Ok(()) => {
                let work = || policy::check_advisories().map(|()| String::new());
                self.report.check(advisories, work);
            }
            Err(_) => self
                .report
                .left_out(advisories, "their database cannot be had here"),
        }
        let others = policy::OTHER_SYSTEMS;
        match policy::other_systems() {
            Ok(targets) if targets.is_empty() => self
                .report
                .left_out(others, "no standard library of another system is installed"),
            targets => {
                let work = || policy::check_systems(&targets?);
                self.report.check(others, work);
            }
        }
    }

    fn states(&mut self) {
        self.tests(if self.all {
            Suite::StatesInEveryLook
        } else {
            Suite::States
        });
    }

    fn conformance(&mut self) {
        if !self.needs_programs(Suite::Conformance.title()) {
            return;
        }
        self.tests(Suite::Conformance);
        if self.all && self.filter.is_none() {
            self.tests(Suite::AutomaticConformance);
            self.report.check(
                "The demo server before the official conformance suite",
                conformance::judge_demo_server,
            );
        }
    }

    fn windows(&mut self) {
        if !self.needs_programs(Suite::Windows.title()) {
            return;
        }
        if let Err(error) = peers::install() {
            self.report
                .check("Install the servers of others", || Err(error));
            return;
        }
        if self.all || self.filter.is_some() {
            self.tests(Suite::Foreign);
        }
        self.tests(Suite::Windows);
        if self.all || self.filter.is_some() {
            self.tests(Suite::MoreWindows);
        }
    }

    fn fuzz(&mut self) {
        if !self.needs_programs("Random inputs") {
            return;
        }
        self.report.check("Random inputs", || {
            fuzz::run(&fuzz::Options {
                seconds: Some(FUZZ_SECONDS),
                seed: Some(FUZZ_SEED),
                ..fuzz::Options::default()
            })
        });
    }

    fn bench(&mut self) {
        if !self.needs_programs("Every benchmark, with little to do") {
            return;
        }
        self.report.check("Every benchmark, with little to do", || {
            bench::run(&[], true, Profile::Dev, None)
        });
    }

    /// Proves the packages of the debug build: what ships, without the time for optimisation.
    fn packages(&mut self) {
        let (contents, beside, system) = (
            "Contents of the packages",
            "Signatures, lists and checksums of the packages",
            "The Debian package on a system",
        );
        if !cfg!(target_os = "linux") {
            for name in [contents, beside, system] {
                self.report.left_out(name, "the packages are made on Linux");
            }
            return;
        }
        if !self.needs_programs(contents) {
            return;
        }
        let complete = self.complete;
        let mut made = None;
        self.report.check("Making the packages", || {
            // Checked before the long steps.
            let way = installed::way(complete)?;
            made = Some((way, Packages::make()?));
            Ok(String::new())
        });
        let Some((way, packages)) = made else {
            return;
        };
        self.report.check(contents, || packages.contents());
        self.report.check(beside, || published::prove(&packages));
        match way {
            Some(way) => {
                self.report.check(system, || packages.install(way));
            }
            None => self.report.left_out(system, installed::REFUSED),
        }
    }

    fn mutations(&mut self) {
        let name = "Mutations of changed files";
        let change = &self.change;
        self.report.check(name, || {
            let count = mutations::touching(|place| change.touches(place))?;
            Ok(format!("{count} noticed"))
        });
    }

    /// Retries failed tests, prints the report, and fails if the proof is red.
    fn finish(mut self, options: &Options, tree: &str) -> Result<()> {
        if let Some(filter) = &self.filter {
            let ran = self
                .report
                .steps
                .iter()
                .map(|step| step.passed + step.failed);
            ensure!(ran.sum::<usize>() > 0, "no test has “{filter}” in its name");
        }
        if self.filter.is_none() {
            repeat::changed(&mut self.report, &self.change);
        }
        let last = verdict::last_flaky();
        let verdict = verdict::judge(&self.report, &self.change, &last)?;
        if options.filter.is_none() {
            verdict.remember_flaky(&self.report, &last)?;
        }
        println!("\n{}", self.report.text());
        println!("{}", verdict.text());
        // A test that passed at its second try counts as passed.
        let second = verdict.flaky.iter().filter(|flaky| flaky.red.is_none());
        let passed = self.report.passed() + second.count();
        println!("{passed} passed, {} failed", verdict.failed());
        ensure!(verdict.is_green(), "the proof is red");
        if options.record {
            record::write(&self.report, &verdict, tree)?;
        }
        Ok(())
    }
}

/// Writes the TypeScript types of the IPC crate.
pub(crate) fn write_bindings() -> Result<()> {
    let mut nextest = std::process::Command::new(tool::cargo_nextest()?);
    project::as_from_a_shell(&mut nextest);
    nextest
        .args(["nextest", "run", "--workspace"])
        .args(build::FEATURES)
        .args(["--lib", "bindings::tests"])
        .env("SONDE_WRITE_BINDINGS", "1");
    step::quiet("Write ui/src/ipc/bindings.ts", &mut nextest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_proof_leaves_to_the_whole_one_what_no_change_touches() {
        let fast = Options::default();
        let chosen = parts(&fast, &Change::default());
        assert!(chosen.contains(&Part::States) && !chosen.contains(&Part::Packages));
        let touched = Change::of(["packaging/x"]);
        assert!(parts(&fast, &touched).contains(&Part::Packages));
        let all = Options {
            all: true,
            ..Options::default()
        };
        assert_eq!(parts(&all, &Change::default()), Part::value_variants());
        let named = Options {
            only: vec![Part::Ui],
            ..Options::default()
        };
        assert_eq!(parts(&named, &touched), [Part::Ui]);
    }
}
