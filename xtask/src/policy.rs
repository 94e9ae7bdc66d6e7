//! Checks beside the tests: the dependencies, and code for other systems.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use crate::{project, step, tool, ui};

/// Other systems that the app supports.
const TARGETS: &[&str] = &[
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-gnu",
];

/// Checks that are left out where the machine does not allow them.
pub(crate) const ADVISORIES: &str = "Advisories of crates";
pub(crate) const OTHER_SYSTEMS: &str = "Code for other systems";

/// Checks licences, sources and bans of the dependencies. Returns a summary.
pub(crate) fn dependencies() -> Result<String> {
    let deny = tool::cargo_deny()?;
    let known = ["bans", "licenses", "sources"];
    step::silent("cargo deny check", &mut check(&deny, &known))?;
    Ok(known.join(", "))
}

fn check(deny: &Path, what: &[&str]) -> Command {
    let mut command = Command::new(deny);
    command
        .args(["--all-features", "check", "--hide-inclusion-graph"])
        .args(what);
    command
}

/// Brings the database of advisories up to date, from a Git server that not every machine can reach.
pub(crate) fn fetch_advisories() -> Result<()> {
    let mut fetch = Command::new(tool::cargo_deny()?);
    step::silent("cargo deny fetch db", fetch.args(["fetch", "db"]))
}

/// Checks for known vulnerabilities of all crates, once their database is there.
pub(crate) fn check_advisories() -> Result<()> {
    step::silent(
        "cargo deny check advisories",
        check(&tool::cargo_deny()?, &["advisories"]).arg("--disable-fetch"),
    )
}

/// Checks for known vulnerabilities of the shipped crates and npm packages. Also fails if a database cannot be reached:
/// a release needs an answer from both.
pub(crate) fn advisories() -> Result<()> {
    let crates = step::step(ADVISORIES, || {
        fetch_advisories()?;
        check_advisories()
    });
    let mut audit = ui::npm("ui");
    audit.args(["audit", "--omit=dev", "--audit=true"]);
    let packages = step::quiet("Advisories of npm packages", &mut audit);
    match (crates, packages) {
        (Err(crates), Err(packages)) => bail!("{crates:#}\n{packages:#}"),
        (crates, packages) => crates.and(packages),
    }
}

/// Returns the other systems whose standard library is installed.
pub(crate) fn other_systems() -> Result<Vec<&'static str>> {
    let host = project::host()?;
    let sysroot = project::rustc(&["--print", "sysroot"])?;
    let libraries = PathBuf::from(sysroot.trim()).join("lib/rustlib");
    let others = TARGETS.iter().copied().filter(|target| *target != host);
    Ok(others
        .filter(|target| libraries.join(target).join("lib").is_dir())
        .collect())
}

/// Checks the code for these systems. Returns a summary.
pub(crate) fn check_systems(targets: &[&str]) -> Result<String> {
    let portable = packages()?;
    for target in targets {
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
    Ok(targets.join(", "))
}

/// Returns the packages below `crates`.
fn packages() -> Result<Vec<String>> {
    let folder = project::root().join("crates");
    fs::read_dir(&folder)?
        .map(|entry| {
            let manifest = fs::read_to_string(entry?.path().join("Cargo.toml"))?;
            let manifest: toml::Table = toml::from_str(&manifest)?;
            let name = manifest["package"]["name"].as_str();
            Ok(name.context("a name of the package")?.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_knows_every_package() {
        let lock = fs::read_to_string(project::root().join("Cargo.lock")).unwrap();
        let packages = packages().unwrap();
        assert!(packages.contains(&project::CLI.to_owned()), "{packages:?}");
        for package in packages {
            let line = format!("name = \"{package}\"\n");
            assert!(lock.contains(&line), "{package}");
        }
    }
}
