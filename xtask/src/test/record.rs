//! `tests/proof.toml`: the tree that passed the last whole proof.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::{kept_file, report::Report, verdict::Verdict};
use crate::{policy, project, step};

/// Path of the record.
pub(crate) const RECORD: &str = "tests/proof.toml";

/// A whole proof of one tree.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    /// Hash of all tracked files but this one.
    tree: String,
    date: String,
    passed: usize,
    minutes: u64,
    flaky: Vec<String>,
    /// Steps that the machine did not allow.
    #[serde(default)]
    left_out: Vec<String>,
    /// Passed tests of each step.
    steps: BTreeMap<String, usize>,
}

/// Refuses to begin a proof that could not be recorded because files are not committed.
pub(crate) fn may_begin() -> Result<()> {
    let status = step::git(&["status", "--porcelain"])?;
    ensure!(
        status.trim().is_empty(),
        "commit first: a record is of committed files, and these are not:\n{status}"
    );
    Ok(())
}

/// Writes the record of a green proof, if the files are unchanged since it began.
pub(crate) fn write(report: &Report, verdict: &Verdict, tree: &str) -> Result<()> {
    ensure!(
        tree == hash()?,
        "the commit has changed since the proof began, so it is not recorded"
    );
    let mut left_out = report.left_out.iter().map(|(name, _)| name.as_str());
    ensure!(
        left_out.all(|name| [policy::ADVISORIES, policy::OTHER_SYSTEMS].contains(&name)),
        "packages were left out, so this proof is not recorded"
    );
    let wall: f64 = report.steps.iter().map(|step| step.wall).sum();
    let steps = report.steps.iter().filter(|step| step.passed > 0);
    let record = Record {
        tree: tree.to_owned(),
        date: time::OffsetDateTime::now_utc().date().to_string(),
        passed: report.passed(),
        minutes: std::time::Duration::from_secs_f64(wall).as_secs() / 60,
        flaky: verdict.flaky_titles(),
        left_out: report
            .left_out
            .iter()
            .map(|(name, _)| name.clone())
            .collect(),
        steps: steps.map(|step| (step.name.clone(), step.passed)).collect(),
    };
    let text = format!(
        "# Written by `cargo xtask test --all --record`; `cargo xtask proven` compares it with HEAD.\n{}",
        toml::to_string(&record)?
    );
    fs::write(project::root().join(RECORD), text)?;
    println!("\n{RECORD} is written: commit it.");
    Ok(())
}

/// Prints if the committed files are those of the last whole proof.
pub(crate) fn proven() -> Result<()> {
    let text = fs::read_to_string(project::root().join(RECORD))
        .with_context(|| format!("no proof is recorded in {RECORD}"))?;
    let record: Record = toml::from_str(&text).context(RECORD)?;
    if record.tree != hash()? {
        bail!(
            "HEAD is not proven: the last whole proof, of {}, was of other files",
            record.date
        );
    }
    println!(
        "HEAD is proven: {} passed on {}, in {} minutes of steps.",
        record.passed, record.date, record.minutes
    );
    if !record.left_out.is_empty() {
        println!("Left out: {}.", record.left_out.join(", "));
    }
    Ok(())
}

/// Hashes all files of HEAD except the record itself.
pub(crate) fn hash() -> Result<String> {
    let listed = step::git(&["ls-tree", "-r", "--full-tree", "HEAD"])?;
    let suffix = format!("\t{RECORD}");
    let files: String = listed
        .split_inclusive('\n')
        .filter(|line| !line.trim_end().ends_with(&suffix))
        .collect();
    let list = kept_file("tree")?;
    fs::write(&list, files)?;
    step::git(&["hash-object", &list.to_string_lossy()])
}
