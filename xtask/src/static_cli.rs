//! `cargo xtask static-cli`: the command line as one program without libraries, for images of continuous integration.

use std::{env, fs, process::Command};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{
    bundle, notices, packages,
    project::{self, Profile},
    step,
};

/// Builds it as it ships, checks that it starts without any library, and copies it beside the packages, with the notices
/// of others.
pub(crate) fn run() -> Result<()> {
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
    let mut build = project::build(Profile::Release);
    build.args(["--package", project::CLI, "--bins", "--target", &target]);
    step::quiet("Build the command line as a static program", &mut build)?;
    let program = project::cache_path(&target)
        .join("release")
        .join(project::CLI);
    let bytes = fs::read(&program).with_context(|| format!("reading {}", program.display()))?;
    // A program with a loader contains its path.
    ensure!(
        memchr::memmem::find(&bytes, b"/lib64/ld-linux").is_none()
            && memchr::memmem::find(&bytes, b"/lib/ld-musl").is_none(),
        "{} needs a loader",
        program.display()
    );
    bundle::names_no_folder(&program, &project::folders())?;
    let name = format!(
        "{}-{}-linux-{}",
        project::CLI,
        env!("CARGO_PKG_VERSION"),
        env::consts::ARCH
    );
    let named = program.with_file_name(name);
    fs::copy(&program, &named).with_context(|| format!("writing {}", named.display()))?;
    let folder = bundle::folder();
    fs::create_dir_all(&folder)?;
    bundle::put(&named, &folder)?;
    notices::write(&folder).map(drop)
}
