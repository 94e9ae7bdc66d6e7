//! Tools of cargo that the project pins, installed below `target/tools` when they are needed.

use std::{env, path::PathBuf, process::Command};

use anyhow::Result;

use crate::{project, step};

/// Judges the dependencies.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    installed("cargo-deny", "0.20.2")
}

/// Lists what a program is made of.
pub(crate) fn cargo_cyclonedx() -> Result<PathBuf> {
    installed("cargo-cyclonedx", "0.5.9")
}

fn installed(name: &str, version: &str) -> Result<PathBuf> {
    let tools = project::root().join("target/tools");
    let program = tools
        .join("bin")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    // Some answer only as what cargo starts them as.
    let subcommand = name.trim_start_matches("cargo-");
    let there = [&["--version"][..], &[subcommand, "--version"]]
        .iter()
        .any(|args| {
            Command::new(&program)
                .args(*args)
                .output()
                .is_ok_and(|output| output.stdout.trim_ascii_end().ends_with(version.as_bytes()))
        });
    if !there {
        step::silent(
            &format!("install {name}"),
            project::cargo()
                .args(["install", "--locked", "--force", "--version", version])
                // They run for seconds, and optimising them would take minutes. Nobody debugs them.
                .arg("--debug")
                .env("CARGO_PROFILE_DEV_DEBUG", "false")
                .arg("--root")
                .arg(&tools)
                .arg(name),
        )?;
    }
    Ok(program)
}
