//! Checks beside the tests: the dependencies, and code for other systems.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, de::IgnoredAny};

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
    if !fetch_advisories(&deny) {
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

/// Brings the database of advisories up to date. Returns true if that worked.
fn fetch_advisories(deny: &Path) -> bool {
    Command::new(deny)
        .current_dir(project::root())
        .args(["fetch", "db"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
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
        if !fetch_advisories(&deny) {
            bail!("The crates were not checked: the database of RustSec cannot be reached.");
        }
        check_advisories(&deny)
    });
    let packages = step::step("Advisories of npm packages", || {
        let mut audit = ui::npm("ui");
        audit.args(["audit", "--omit=dev", "--audit=true", "--json"]);
        let output = audit.output().context("starting npm")?;
        judge_audit(&String::from_utf8_lossy(&output.stdout))
    });
    match (crates, packages) {
        (Err(crates), Err(packages)) => bail!("{crates:#}\n{packages:#}"),
        (crates, packages) => crates.and(packages),
    }
}

/// Fails for an npm report that names vulnerable packages, or is not a report.
fn judge_audit(report: &str) -> Result<()> {
    #[derive(Default, Deserialize)]
    struct Report {
        vulnerabilities: Option<BTreeMap<String, IgnoredAny>>,
        /// Reason why there is no report.
        message: Option<String>,
    }
    let Report {
        vulnerabilities,
        message,
    } = serde_json::from_str(report).unwrap_or_default();
    match vulnerabilities {
        Some(vulnerable) if vulnerable.is_empty() => Ok(()),
        Some(vulnerable) => {
            let names: Vec<_> = vulnerable.into_keys().collect();
            bail!(
                "Vulnerable npm packages: {}. `npm audit --audit=true` in `ui` has the details.",
                names.join(", ")
            )
        }
        None => bail!(
            "The npm packages were not checked: the registry has no answer ({}).",
            message.as_deref().unwrap_or("no report")
        ),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_report_without_vulnerable_packages_passes() {
        judge_audit(r#"{"auditReportVersion":2,"vulnerabilities":{}}"#).unwrap();
        let error = |report: &str| judge_audit(report).unwrap_err().to_string();
        let found = error(r#"{"vulnerabilities":{"pdfjs-dist":{"severity":"high"}}}"#);
        assert!(
            found.contains("Vulnerable npm packages: pdfjs-dist"),
            "{found}"
        );
        let refused = error(r#"{"message":"405 Method Not Allowed","statusCode":405}"#);
        assert!(
            refused.contains("not checked") && refused.contains("405"),
            "{refused}"
        );
        assert!(error("").contains("not checked"));
    }
}
