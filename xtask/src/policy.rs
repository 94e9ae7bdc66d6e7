//! Checks beside the tests: the dependencies, and code for other systems.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use crate::{project, step, tool, ui};

/// Other systems that the app supports.
const TARGETS: &[&str] = &[
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
];
/// Checks licences, sources and bans of the dependencies, and known vulnerabilities if their database is available.
/// Returns a summary.
pub(crate) fn dependencies() -> Result<String> {
    let deny = tool::cargo_deny()?;
    let known = ["bans", "licenses", "sources"];
    step::silent("cargo deny check", &mut check(&deny, &known))?;
    // Separate: the database comes from a Git server, which not every machine can reach.
    if fetch_advisories(&deny).is_err() {
        return Ok(
            "bans, licenses, sources; not advisories: their database cannot be had here".to_owned(),
        );
    }
    check_advisories(&deny)?;
    Ok("bans, licenses, sources, advisories".to_owned())
}

fn check(deny: &Path, what: &[&str]) -> Command {
    let mut command = Command::new(deny);
    command
        .args(["--all-features", "check", "--hide-inclusion-graph"])
        .args(what);
    command
}

/// Brings the database of advisories up to date.
fn fetch_advisories(deny: &Path) -> Result<()> {
    let mut fetch = Command::new(deny);
    step::silent("cargo deny fetch db", fetch.args(["fetch", "db"]))
}

fn check_advisories(deny: &Path) -> Result<()> {
    step::silent(
        "cargo deny check advisories",
        check(deny, &["advisories"]).arg("--disable-fetch"),
    )
}

/// Checks for known vulnerabilities of the shipped crates and npm packages. Also fails if a database cannot be reached:
/// a release needs an answer from both.
pub(crate) fn advisories() -> Result<()> {
    let crates = step::step("Advisories of crates", || {
        let deny = tool::cargo_deny()?;
        fetch_advisories(&deny)?;
        check_advisories(&deny)
    });
    let mut audit = ui::npm("ui");
    audit.args(["audit", "--omit=dev", "--audit=true"]);
    let packages = step::quiet("Advisories of npm packages", &mut audit);
    match (crates, packages) {
        (Err(crates), Err(packages)) => bail!("{crates:#}\n{packages:#}"),
        (crates, packages) => crates.and(packages),
    }
}

/// Checks the code for every other system whose standard library is installed. Returns which were checked and which
/// were not.
pub(crate) fn other_systems() -> Result<String> {
    let host = project::host()?;
    let sysroot = project::rustc(&["--print", "sysroot"])?;
    let libraries = PathBuf::from(sysroot.trim()).join("lib/rustlib");
    let (installed, missing): (Vec<&str>, Vec<&str>) = TARGETS
        .iter()
        .filter(|target| **target != host)
        .partition(|target| libraries.join(target).join("lib").is_dir());
    let portable = packages()?;
    for target in &installed {
        let mut check = project::cargo();
        check.args(["check", "--target", target]);
        // The desktop needs more than a standard library to compile.
        for package in &portable {
            check.args(["--package", package]);
        }
        // Nothing is linked, so no C has to be compiled: these replace missing compilers.
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

/// Returns the packages below `crates`.
fn packages() -> Result<Vec<String>> {
    let folder = project::root().join("crates");
    std::fs::read_dir(&folder)?
        .map(|entry| Ok(format!("sonde-{}", entry?.file_name().to_string_lossy())))
        .collect()
}
