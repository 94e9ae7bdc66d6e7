//! What is checked beside the tests: the dependencies, and code for other systems.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result};

use crate::{project, step};

/// The version of cargo-deny that judges the dependencies.
const DENY: &str = "0.20.2";
/// The systems beside this one that the app is made for.
const TARGETS: &[&str] = &[
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
];
/// Licences, sources and bans of the dependencies; and known vulnerabilities, where their database can
/// be had. Answers what was checked.
pub(crate) fn dependencies() -> Result<String> {
    let deny = cargo_deny()?;
    let check = |what: &[&str]| {
        let mut command = Command::new(&deny);
        command
            .args(["--all-features", "check", "--hide-inclusion-graph"])
            .args(what);
        command
    };
    let known = ["bans", "licenses", "sources"];
    step::silent("cargo deny check", &mut check(&known))?;
    // Apart: the database comes from a Git server, which not every machine reaches.
    let fetched = Command::new(&deny)
        .current_dir(project::root())
        .args(["fetch", "db"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !fetched {
        return Ok(
            "bans, licenses, sources; not advisories: their database cannot be had here".to_owned(),
        );
    }
    step::silent(
        "cargo deny check advisories",
        check(&["advisories"]).arg("--disable-fetch"),
    )?;
    Ok("bans, licenses, sources, advisories".to_owned())
}

/// The pinned cargo-deny below `target/tools`, installed when it is missing.
fn cargo_deny() -> Result<PathBuf> {
    let tools = project::root().join("target/tools");
    let program = tools
        .join("bin/cargo-deny")
        .with_extension(env::consts::EXE_EXTENSION);
    let there = Command::new(&program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii_end().ends_with(DENY.as_bytes()));
    if !there {
        step::silent(
            "install cargo-deny",
            project::cargo()
                .args(["install", "--locked", "--force", "--version", DENY])
                .arg("--root")
                .arg(&tools)
                .arg("cargo-deny"),
        )?;
    }
    Ok(program)
}

/// Checks the code for every other system whose standard library is installed. Answers which were
/// checked and which were not.
pub(crate) fn other_systems() -> Result<String> {
    let host = rustc(&["-vV"])?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let libraries = PathBuf::from(rustc(&["--print", "sysroot"])?.trim()).join("lib/rustlib");
    let (installed, missing): (Vec<&str>, Vec<&str>) = TARGETS
        .iter()
        .filter(|target| Some(**target) != host)
        .partition(|target| libraries.join(target).join("lib").is_dir());
    let portable = packages()?;
    for target in &installed {
        let mut check = project::cargo();
        check.args(["check", "--target", target]);
        // The desktop needs more than a standard library to be compiled.
        for package in &portable {
            check.args(["--package", package]);
        }
        // Nothing is linked, so that no C has to be compiled: these stand in for compilers that are not
        // there.
        for tool in ["CC", "AR"] {
            let name = format!("{tool}_{}", target.replace('-', "_"));
            if env::var_os(&name).is_none() {
                check.env(name, "true");
            }
        }
        step::silent(&format!("check {target}"), &mut check)?;
    }
    let list = |targets: &[&str]| match targets {
        [] => "none".to_owned(),
        some => some.join(", "),
    };
    Ok(format!(
        "checked: {}; not installed: {}",
        list(&installed),
        list(&missing)
    ))
}

/// The packages below `crates`.
fn packages() -> Result<Vec<String>> {
    let folder = project::root().join("crates");
    std::fs::read_dir(&folder)?
        .map(|entry| Ok(format!("sonde-{}", entry?.file_name().to_string_lossy())))
        .collect()
}

fn rustc(args: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(args)
        .output()
        .context("asking rustc about itself")?;
    Ok(String::from_utf8(output.stdout)?)
}
