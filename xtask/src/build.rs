//! The builds that several chores share.

use anyhow::Result;

use crate::{
    project::{self, Profile},
    step, ui,
};

/// Cargo's features of everything that runs on this system. All steps have the same, so that no library is
/// built twice.
///
/// For the same reason a step that builds programs names [`A_TEST`] too.
pub(crate) const FEATURES: [&str; 2] = if cfg!(target_os = "linux") {
    ["--features", "sonde-tests/bench"]
} else {
    ["--features", "sonde-tests/engine"]
};

/// Cargo adds the features that tests ask for (such as `tokio/test-util`) as soon as one test is built, so programs
/// that are built without any would need most libraries a second time.
const A_TEST: [&str; 2] = ["--test", "architecture"];

/// Builds the app alone, with cargo's own progress.
pub(crate) fn app(profile: Profile) -> Result<()> {
    ui::build()?;
    let mut build = project::build(profile);
    for package in project::SHIPPED {
        build.args(["--package", package]);
    }
    let mut name = match profile {
        Profile::Release => "Build the app (release)",
        Profile::Dev | Profile::DevOpt => "Build the app",
    }
    .to_owned();
    if !project::program(project::APP, profile).exists() {
        name += match profile {
            Profile::Release => ": about 20 minutes the first time, on two cores",
            Profile::Dev | Profile::DevOpt => ": about 9 minutes the first time, on two cores",
        };
    }
    step::loud(&name, build.arg("--bins"))
}

/// Builds every program, of which the parts of the proof start some each.
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

/// Builds every program and every test at once, so that the compiler is kept busy where one library waits for another.
pub(crate) fn with_tests() -> Result<()> {
    ui::build()?;
    step::silent(
        "Build all programs and tests",
        project::cargo()
            .args(["build", "--workspace", "--all-targets"])
            .args(FEATURES),
    )
}
