//! `cargo xtask run`: from a fresh clone to the running app.

use std::{env, ffi::OsStr, fs, process::Command};

use anyhow::Result;

use crate::{
    build,
    packages::{self, BUILD, KEYRING, WINDOW},
    project::{self, Profile},
    sandbox,
    step::{self, loud},
};

/// Builds and starts the app; takes the demo tour where there is no screen.
pub(crate) fn run(release: bool, tour: bool) -> Result<()> {
    let profile = if release {
        Profile::Release
    } else {
        Profile::DevOpt
    };
    let screen = has_screen();
    let tour = tour || !screen;
    packages::ensure(if tour {
        &[BUILD, KEYRING, WINDOW]
    } else {
        &[BUILD]
    })?;
    build::app(profile)?;
    if !tour {
        println!("\nSonde is starting. Close its window to come back here.");
        return loud(
            "Run Sonde",
            &mut Command::new(project::program(project::APP, profile)),
        );
    }
    println!("\nThere is no display here, so Sonde takes its demo tour on a virtual one.");
    let shots = project::root().join("artifacts/tour");
    guided(profile, "tour", &shots)?;
    println!("\nThe screenshots lie in {}", shots.display());
    Ok(())
}

/// Takes the screenshots that the README and the guide show.
pub(crate) fn screenshots() -> Result<()> {
    packages::ensure(&[BUILD, KEYRING, WINDOW])?;
    build::app(Profile::Dev)?;
    guided(
        Profile::Dev,
        "screenshots",
        &project::root().join("docs/images"),
    )
}

/// Runs a guide (a program that drives the window) on a virtual desktop.
fn guided(profile: Profile, guide: &str, shots: &std::path::Path) -> Result<()> {
    // Uses the app's profile, so that most of both is built only once.
    step::quiet(
        "Build the guide",
        project::build(profile).args([
            "--package",
            "sonde-tests",
            "--features",
            "window",
            "--bin",
            "tour",
        ]),
    )?;
    fs::create_dir_all(shots)?;
    let tour = project::program("tour", profile);
    let args = [OsStr::new(guide), shots.as_os_str()];
    let mut desktop = sandbox::desktop(true, tour.as_os_str(), &args)?;
    let app = project::program(project::APP, profile);
    step::loud(
        "The tour in the real window",
        desktop.command.env("SONDE_APP", app),
    )
}

fn has_screen() -> bool {
    if cfg!(any(target_os = "macos", target_os = "windows")) {
        return true;
    }
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    set("DISPLAY") || set("WAYLAND_DISPLAY")
}
