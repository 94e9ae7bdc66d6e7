//! Builds that several chores share.

use anyhow::Result;

use crate::{
    project::{self, Profile},
    step, ui,
};

/// Cargo features of everything that runs on this system. All steps use the same, so that no library is built twice.
///
/// For the same reason a step that builds programs also names [`A_TEST`].
pub(crate) const FEATURES: [&str; 2] = if cfg!(target_os = "linux") {
    ["--features", "sonde-tests/bench"]
} else {
    ["--features", "sonde-tests/engine"]
};

/// Cargo adds the features that tests need (such as `tokio/test-util`) as soon as one test is built, so building
/// programs without a test would build most libraries a second time.
const A_TEST: [&str; 2] = ["--test", "architecture"];

/// Builds only the app, with cargo's own progress.
pub(crate) fn app(profile: Profile) -> Result<()> {
    ui::build()?;
    let mut build = project::build(profile);
    for package in project::SHIPPED {
        build.args(["--package", package]);
    }
    let (mut name, minutes) = match profile {
        Profile::Release => ("Build the app (release)".to_owned(), 20),
        Profile::Dev | Profile::DevOpt => ("Build the app".to_owned(), 9),
    };
    if !project::program(project::APP, profile).exists() {
        name += &format!(": about {minutes} minutes the first time, on two cores");
    }
    step::loud(&name, build.arg("--bins"))
}

/// Builds every program; each part of the proof starts some of them.
pub(crate) fn everything() -> Result<()> {
    ui::build()?;
    step::quiet(
        "Build the app and all that drives it",
        project::cargo()
            .args(["build", "--workspace", "--bins"])
            .args(A_TEST)
            .args(FEATURES),
    )
}

/// Builds every program and every test at once, so that the compiler stays busy while one library waits for another.
pub(crate) fn with_tests() -> Result<()> {
    ui::build()?;
    step::silent(
        "Build all programs and tests",
        project::cargo()
            .args(["build", "--workspace", "--all-targets"])
            .args(FEATURES),
    )
}
