//! `cargo xtask test`: proves everything.

use std::{ffi::OsStr, process::Command};

use anyhow::Result;
use clap::ValueEnum;

use crate::{
    conformance,
    packages::{self, Need},
    project, sandbox, step, ui,
};

/// A part of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Formatting, lints and tests of all Rust code.
    Rust,
    /// Types, lints and unit tests of the web part.
    Ui,
    /// Every state of the window, in Chromium.
    States,
    /// The official conformance suite, without what is about signing in.
    Conformance,
    /// The built app in its real window, against real servers.
    E2e,
}

/// Runs the parts (all if none is named), cheap ones first.
pub(crate) fn run(only: &[Part], filter: Option<&str>) -> Result<()> {
    let wanted = |part| only.is_empty() || only.contains(&part);
    packages::ensure(Need::Tests)?;
    ui::build()?;
    if wanted(Part::Ui) {
        step::loud(
            "Types, lints and unit tests of the UI",
            ui::npm("ui").args(["run", "check"]),
        )?;
    }
    if wanted(Part::Rust) {
        rust(filter)?;
    }
    if wanted(Part::States) {
        step::loud(
            "Every state of the window in Chromium",
            ui::npm("ui").args(["run", "test:states"]),
        )?;
    }
    if wanted(Part::Conformance) {
        for (name, automatic) in [
            ("The official conformance suite", false),
            ("The same, finding out what each server speaks", true),
        ] {
            step::step(name, || {
                conformance::run(&conformance::Selection {
                    automatic,
                    // Signing in is the same whatever is spoken afterwards.
                    without_sign_in: automatic,
                    ..conformance::Selection::default()
                })
            })?;
        }
    }
    if wanted(Part::E2e) {
        e2e(filter)?;
    }
    println!("\nAll parts passed.");
    Ok(())
}

fn rust(filter: Option<&str>) -> Result<()> {
    step::quiet(
        "Formatting",
        project::cargo().args(["fmt", "--all", "--check"]),
    )?;
    step::quiet(
        "Lints",
        project::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            "sonde-tests/bench",
            "--",
            "--deny",
            "warnings",
        ]),
    )?;
    let engine = ["--features", "sonde-tests/engine"];
    let mut args = vec!["test", "--workspace", "--no-fail-fast"];
    args.extend(engine);
    args.extend(filter);
    // The programs that tests start must be there before the tests.
    step::quiet(
        "Build all programs",
        project::cargo()
            .args(["build", "--workspace", "--bins"])
            .args(engine),
    )?;
    step::quiet(
        "Build the Rust tests",
        project::cargo()
            .args(["test", "--workspace", "--no-run"])
            .args(engine),
    )?;
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    step::loud(
        "Rust tests, with a real keyring",
        &mut sandbox::desktop(false, project::cargo().get_program(), &args)?,
    )
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
    // Debian's own interpreter: one from elsewhere may lack the venv module.
    let debian = std::path::Path::new("/usr/bin/python3");
    let python = if debian.exists() {
        debian
    } else {
        std::path::Path::new("python3")
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

/// Builds what the end-to-end tests drive.
pub(crate) fn build_app(release: bool) -> Result<()> {
    ui::build()?;
    let mut build = project::cargo();
    build.args([
        "build",
        "--package",
        "sonde",
        "--package",
        "sonde-demo",
        "--bins",
    ]);
    if release {
        build.arg("--release");
    }
    step::quiet(
        if release {
            "Build the app (release)"
        } else {
            "Build the app"
        },
        &mut build,
    )
}

fn e2e(filter: Option<&str>) -> Result<()> {
    peers()?;
    build_app(false)?;
    step::loud(
        "Sessions with the foreign servers",
        project::cargo().args([
            "test",
            "--package",
            "sonde-tests",
            "--test",
            "session",
            "--",
            "--ignored",
        ]),
    )?;
    let features = ["--package", "sonde-tests", "--features", "window"];
    step::quiet(
        "Build the end-to-end tests",
        project::cargo()
            .arg("test")
            .args(features)
            .args(["--test", "e2e", "--no-run"]),
    )?;
    let mut args = vec!["test"];
    args.extend(features);
    args.extend(["--test", "e2e"]);
    args.extend(filter);
    // One window at a time: two cores do not carry several webviews.
    args.extend(["--", "--test-threads=1"]);
    let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
    let mut command = sandbox::desktop(true, project::cargo().get_program(), &args)?;
    command.env("SONDE_APP", project::program("sonde", false));
    step::loud("End-to-end tests in the real window", &mut command)
}

/// Writes the TypeScript twin of the IPC types.
pub(crate) fn write_bindings() -> Result<()> {
    step::quiet(
        "Write ui/src/ipc/bindings.ts",
        project::cargo()
            .args([
                "test",
                "--package",
                "sonde-explorer",
                "--lib",
                "ipc::bindings",
            ])
            .env("SONDE_WRITE_BINDINGS", "1"),
    )
}
