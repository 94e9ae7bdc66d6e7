//! Checks beside the tests: the dependencies, and code for other systems.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::Result;

use crate::{project, step, tool, ui};

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
    let deny = tool::cargo_deny()?;
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

/// Known vulnerabilities of the crates and of the packages of npm that are shipped. Fails also where a database cannot be
/// reached: a release is made with an answer or not at all.
pub(crate) fn advisories() -> Result<()> {
    let mut crates = Command::new(tool::cargo_deny()?);
    crates.current_dir(project::root()).args([
        "--all-features",
        "check",
        "--hide-inclusion-graph",
        "advisories",
    ]);
    step::quiet("Advisories of crates", &mut crates)?;
    let mut packages = ui::npm("ui");
    packages.args(["audit", "--omit=dev", "--audit=true"]);
    step::quiet("Advisories of npm packages", &mut packages)
}

/// Checks the code for every other system whose standard library is installed. Answers which were
/// checked and which were not.
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
