//! `cargo xtask test`: proves everything.

use std::{ffi::OsStr, path::Path, process::Command};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::{
    bench,
    beside::Beside,
    build, conformance, fuzz,
    installed::{self, Packages},
    packages::{self, Need},
    policy,
    project::{self, Profile},
    published::{self, Signer},
    sandbox,
    step::{self, silent},
    summary::{Counter, Summary, of_cargo, of_states, of_vitest},
    ui,
};

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Types, lints and unit tests of the web part.
    Ui,
    /// Formatting, lints, dependencies and tests of all Rust code.
    Rust,
    /// Every state of the window, in Chromium.
    States,
    /// Random inputs for whatever reads the bytes of strangers, ten seconds for each.
    Fuzz,
    /// The official conformance suite, without what is about signing in.
    Conformance,
    /// The built app in its real window, against real servers.
    E2e,
    /// The packages for Linux: what is in them, and the deb installed, used, upgraded and removed.
    Packages,
    /// Every benchmark once, with little to do.
    Bench,
}

impl Part {
    /// As it is given on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it needs to be installed.
    fn needs(self) -> &'static [Need] {
        match self {
            Part::Ui => &[],
            Part::Rust => &[Need::Build, Need::Keyring],
            Part::States => &[Need::Browser],
            Part::Fuzz => &[Need::Build],
            Part::Conformance => &[Need::Build],
            Part::E2e => &[Need::Build, Need::Keyring, Need::Window, Need::Python],
            Part::Packages => &[Need::Build, Need::Keyring, Need::Window, Need::Packages],
            Part::Bench => &[Need::Build, Need::Keyring, Need::Window],
        }
    }
}

/// The step about what is published beside packages.
const BESIDE: &str = "Signatures, lists and checksums of the packages";

/// How long each target gets random inputs.
const FUZZ_SECONDS: u64 = 10;
/// The proof tries the same inputs each time, so that it fails for what was changed alone;
/// `cargo xtask fuzz` looks for new ones.
const FUZZ_SEED: u32 = 1;

/// Runs the parts (all if none is named): that of the UI beside the build of the Rust code, states and window tests
/// beside all that comes after it, since none keeps all processors busy. `complete`: what is not allowed here
/// is an error. `steps`: where what passed is saved for the process that asked for it.
pub(crate) fn run(
    only: &[Part],
    complete: bool,
    steps: Option<&Path>,
    filter: Option<&str>,
) -> Result<()> {
    let parts: Vec<Part> = Part::value_variants()
        .iter()
        .copied()
        .filter(|part| only.is_empty() || only.contains(part))
        .collect();
    if filter.is_some()
        && !parts
            .iter()
            .any(|part| matches!(part, Part::Rust | Part::E2e))
    {
        bail!("a filter is for the parts rust and e2e");
    }
    let mut needs: Vec<Need> = parts
        .iter()
        .flat_map(|part| part.needs())
        .copied()
        .collect();
    needs.dedup();
    packages::ensure(&needs)?;
    let mut summary = Summary::default();
    // How many tests the filter left.
    let mut found = 0;
    let mut rest = parts;
    // With a filter little is done.
    let together = filter.is_none();
    if together && rest.starts_with(&[Part::Ui, Part::Rust]) {
        // What both need.
        ui::build()?;
        let web = Beside::start(&Part::Ui.name())?;
        let built = rust_without_tests(&mut summary, true);
        both(built, web.finish(&mut summary))?;
        rest.remove(0);
    } else if rest.contains(&Part::Rust) {
        rust_without_tests(&mut summary, together)?;
    }
    if together && rest.len() > 1 {
        let (long, others): (Vec<Part>, Vec<Part>) = rest
            .into_iter()
            .partition(|part| matches!(part, Part::States | Part::E2e));
        let mut beside = Vec::new();
        for part in long {
            beside.push(Beside::start(&part.name())?);
        }
        // What makes packages writes into the program that the window tests run.
        let (last, others): (Vec<Part>, Vec<Part>) =
            others.into_iter().partition(|part| *part == Part::Packages);
        let others = others
            .into_iter()
            .try_for_each(|part| run_part(part, &mut summary, complete, None).map(drop));
        let finished = beside.into_iter().map(|part| part.finish(&mut summary));
        finished.fold(others, both)?;
        for part in last {
            run_part(part, &mut summary, complete, None)?;
        }
    } else {
        for part in rest {
            found += run_part(part, &mut summary, complete, filter)?;
        }
    }
    if let Some(filter) = filter
        && found == 0
    {
        bail!("no test has “{filter}” in its name");
    }
    if let Some(steps) = steps {
        summary.save(steps)?;
    }
    println!("\n{}", summary.report());
    Ok(())
}

/// What is wrong with either of two parts is told, also when the other failed as well.
fn both(one: Result<()>, other: Result<()>) -> Result<()> {
    match (one, other) {
        (Err(one), Err(other)) => bail!("{one:#}\n{other:#}"),
        (one, other) => one.and(other),
    }
}

/// Answers how many tests ran of those that a filter can choose from.
fn run_part(
    part: Part,
    summary: &mut Summary,
    complete: bool,
    filter: Option<&str>,
) -> Result<usize> {
    match part {
        Part::Ui => web(
            summary,
            "Types, format, lints and unit tests of the UI",
            "check",
            of_vitest,
        )?,
        Part::Rust => return rust_tests(summary, filter),
        Part::States => web(
            summary,
            "Every state of the window in Chromium",
            "test:states",
            of_states,
        )?,
        Part::Fuzz => random_inputs(summary)?,
        Part::Conformance => suite(summary)?,
        Part::E2e => return e2e(summary, filter),
        Part::Packages => packed(summary, complete)?,
        Part::Bench => bench_once(summary)?,
    }
    Ok(0)
}

/// Runs a script of the UI's package.
fn web(summary: &mut Summary, name: &str, script: &str, counter: Counter) -> Result<()> {
    ui::install("ui")?;
    summary.tests(name, ui::npm("ui").args(["run", script]), counter, false)?;
    Ok(())
}

fn random_inputs(summary: &mut Summary) -> Result<()> {
    summary.step("Random inputs", || {
        fuzz::run(&fuzz::Selection {
            seconds: Some(FUZZ_SECONDS),
            seed: Some(FUZZ_SEED),
            ..fuzz::Selection::default()
        })
    })?;
    Ok(())
}

fn suite(summary: &mut Summary) -> Result<()> {
    for (name, automatic) in [
        ("The official conformance suite", false),
        ("The same, finding out what each server speaks", true),
    ] {
        summary.step(name, || {
            conformance::run(&conformance::Selection {
                automatic,
                // Signing in is the same whatever is spoken afterwards.
                without_sign_in: automatic,
                ..conformance::Selection::default()
            })
        })?;
    }
    summary.step(
        "The demo server before the official conformance suite",
        conformance::judge_demo_server,
    )?;
    Ok(())
}

/// Of the debug build: what ships, without the time that its optimisation takes.
fn packed(summary: &mut Summary, complete: bool) -> Result<()> {
    let (contents, system) = ("Contents of the packages", "The Debian package on a system");
    if !cfg!(target_os = "linux") {
        for name in [contents, BESIDE, system] {
            summary.left_out(name, "the packages are made on Linux");
        }
        return Ok(());
    }
    // Before all that takes its time.
    let way = installed::way(complete)?;
    build::everything()?;
    let signer = Signer::new()?;
    let made = Packages::make(signer.keys())?;
    summary.step(contents, || made.contents())?;
    summary.step(BESIDE, || published::prove(&made, &signer))?;
    match way {
        Some(way) => {
            summary.step(system, || made.install(way))?;
        }
        None => summary.left_out(system, installed::REFUSED),
    }
    Ok(())
}

fn bench_once(summary: &mut Summary) -> Result<()> {
    summary.step("Every benchmark, with little to do", || {
        bench::run(&[], true, Profile::Dev)
    })?;
    Ok(())
}

/// Everything of the part rust that is not a test, the build of the tests last. `judged`: with what is checked
/// beside them.
fn rust_without_tests(summary: &mut Summary, judged: bool) -> Result<()> {
    ui::build()?;
    if judged {
        summary.step("Formatting of the Rust code", || {
            silent(
                "Formatting",
                project::cargo().args(["fmt", "--all", "--check"]),
            )
            .map(|()| "")
        })?;
        summary.step("Lints of the Rust code", || {
            let mut clippy = project::cargo();
            clippy
                .args(["clippy", "--workspace", "--all-targets"])
                .args(build::FEATURES)
                .args(["--", "--deny", "warnings"]);
            silent("Lints", &mut clippy).map(|()| "")
        })?;
        summary.step("Dependencies", policy::dependencies)?;
        summary.step("Code for other systems", policy::other_systems)?;
    }
    // The programs that tests start must be there before the tests.
    build::everything()?;
    step::quiet(
        "Build the Rust tests",
        project::cargo()
            .args(["test", "--workspace", "--no-run"])
            .args(build::FEATURES),
    )
}

/// Answers how many tests ran.
fn rust_tests(summary: &mut Summary, filter: Option<&str>) -> Result<usize> {
    let mut plain = project::cargo();
    plain
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(build::FEATURES)
        .args(filter)
        // No test here may lean on the desktop of whoever runs it.
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    let plain = summary.tests("Rust tests", &mut plain, of_cargo, filter.is_some())?;
    let mut args = vec!["test", "--workspace", "--no-fail-fast"];
    args.extend(build::FEATURES);
    // What these leave out needs a keyring.
    args.extend(["--test", "keyring", "--test", "authorization"]);
    args.extend(filter);
    args.extend(["--", "--ignored"]);
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    let mut desktop = sandbox::desktop(false, project::cargo().get_program(), &args)?;
    let keyring = summary.tests(
        "Rust tests with a real keyring",
        &mut desktop.command,
        of_cargo,
        filter.is_some(),
    )?;
    Ok(plain.ran() + keyring.ran())
}

/// Installs the servers that nobody here wrote.
pub(crate) fn peers() -> Result<()> {
    ui::install("tests/peers")?;
    let venv = project::root().join("target/peers/venv");
    let requirements = project::root().join("tests/peers/requirements.txt");
    let stamp = venv.join("requirements.txt");
    let wanted = std::fs::read(&requirements)?;
    if std::fs::read(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    // Debian's own interpreter: one from elsewhere may lack the venv module, or be a script that
    // looks for one. The tests start the environment's alone.
    let debian = Path::new("/usr/bin/python3");
    let python = if debian.exists() {
        debian
    } else {
        Path::new("python3")
    };
    step::quiet(
        "Make a Python environment",
        Command::new(python)
            .args(["-m", "venv", "--clear"])
            .arg(&venv),
    )?;
    step::quiet(
        "Install the Python servers",
        Command::new(venv.join("bin/python"))
            .args([
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(&requirements),
    )?;
    std::fs::write(stamp, wanted)?;
    Ok(())
}

/// Answers how many tests ran.
fn e2e(summary: &mut Summary, filter: Option<&str>) -> Result<usize> {
    peers()?;
    build::everything()?;
    let test = |name: &str| {
        let mut cargo = project::cargo();
        cargo.args(["test", "--workspace"]).args(build::FEATURES);
        cargo.args(["--test", name]).args(filter);
        cargo
    };
    let sessions = summary.tests(
        "Sessions with the foreign servers",
        test("session").args(["--test", "explorer", "--", "--ignored"]),
        of_cargo,
        filter.is_some(),
    )?;
    step::quiet("Build the end-to-end tests", test("e2e").arg("--no-run"))?;
    let mut windows = test("e2e");
    // One window at a time: two cores do not carry several webviews.
    windows.args(["--", "--ignored", "--test-threads=1"]);
    let args: Vec<&OsStr> = windows.get_args().collect();
    let mut desktop = sandbox::desktop(true, windows.get_program(), &args)?;
    let windows = summary.tests(
        "End-to-end tests in the real window",
        desktop
            .command
            .env("SONDE_APP", project::program(project::APP, Profile::Dev)),
        of_cargo,
        filter.is_some(),
    )?;
    Ok(sessions.ran() + windows.ran())
}

/// Writes the TypeScript twin of the IPC types.
pub(crate) fn write_bindings() -> Result<()> {
    step::quiet(
        "Write ui/src/ipc/bindings.ts",
        project::cargo()
            .args([
                "test",
                "--workspace",
                build::FEATURES[0],
                build::FEATURES[1],
                "--lib",
                "bindings::tests",
            ])
            .env("SONDE_WRITE_BINDINGS", "1"),
    )
}
