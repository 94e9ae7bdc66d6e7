//! Cargo tools that the project pins, installed in the target folder on demand.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{project, step};

/// Returns the tool that runs the Rust tests.
pub(crate) fn cargo_nextest() -> Result<PathBuf> {
    installed("cargo-nextest", "0.9.143")
}

/// Returns the tool that judges the dependencies.
pub(crate) fn cargo_deny() -> Result<PathBuf> {
    installed("cargo-deny", "0.20.2")
}

/// Returns the program of this version: the one on the PATH if it has it, else one that is installed once.
fn installed(name: &str, version: &str) -> Result<PathBuf> {
    let program = PathBuf::from(format!("{name}{}", env::consts::EXE_SUFFIX));
    if has_version(&program, version) {
        return Ok(program);
    }
    let tools = project::cache_path("tools");
    let program = tools.join("bin").join(program);
    if !has_version(&program, version) {
        step::quiet(
            &format!("Install {name} {version}"),
            project::cargo()
                .args(["install", "--locked", "--force", "--version", version])
                // The tools run for seconds, and optimising them would take minutes. Nobody debugs them.
                .arg("--debug")
                .env("CARGO_PROFILE_DEV_DEBUG", "false")
                .arg("--root")
                .arg(&tools)
                .arg(name),
        )?;
    }
    Ok(program)
}

fn has_version(program: &Path, version: &str) -> bool {
    // Some tools respond only to the name of their cargo command.
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let subcommand = name.trim_start_matches("cargo-");
    [&["--version"][..], &[subcommand, "--version"]]
        .iter()
        .any(|args| {
            let output = Command::new(program).args(*args).output();
            output.is_ok_and(|output| {
                let text = String::from_utf8_lossy(&output.stdout);
                text.split_whitespace().any(|word| word == version)
            })
        })
}
