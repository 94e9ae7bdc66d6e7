//! `cargo xtask static-cli`: the command line as one program without libraries, for images of continuous integration.

use std::{env, path::PathBuf, process::Command};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{
    bundle, packages,
    project::{self, Profile},
    step,
};

/// Builds it as it ships, and copies it beside the packages.
pub(crate) fn run() -> Result<()> {
    let program = build(Profile::Release)?;
    bundle::names_no_folder(&program, &project::folders())?;
    let name = format!(
        "{}-{}-linux-{}",
        project::CLI,
        env!("CARGO_PKG_VERSION"),
        env::consts::ARCH
    );
    let named = program.with_file_name(name);
    std::fs::copy(&program, &named).with_context(|| format!("writing {}", named.display()))?;
    let folder = bundle::folder();
    std::fs::create_dir_all(&folder)?;
    bundle::put(&named, &folder)
}

/// Builds it with a profile, and checks that it starts without any library.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    if !cfg!(target_os = "linux") {
        bail!("the static program is made on Linux");
    }
    packages::ensure(&[packages::STATIC])?;
    let target = format!("{}-unknown-linux-musl", env::consts::ARCH);
    let mut rustup = Command::new("rustup");
    step::quiet(
        "Install the standard library for static programs",
        rustup.args(["target", "add", &target]),
    )?;
    let mut build = project::build(profile);
    build.args(["--package", project::CLI, "--bins", "--target", &target]);
    step::quiet("Build the command line as a static program", &mut build)?;
    let program = project::target_of(&target, profile).join(project::CLI);
    let bytes =
        std::fs::read(&program).with_context(|| format!("reading {}", program.display()))?;
    // A program with a loader contains its path.
    ensure!(
        memchr::memmem::find(&bytes, b"/lib64/ld-linux").is_none()
            && memchr::memmem::find(&bytes, b"/lib/ld-musl").is_none(),
        "{} needs a loader",
        program.display()
    );
    Ok(program)
}
