//! One run of a scenario, and its judgement.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use serde_json::Value;

use super::suite::{Case, Suite};
use crate::files;

/// The suite's own limit, which ends only the shell that it started, so it is not enough; the client limits itself to
/// 150 seconds.
const LIMIT: Duration = Duration::from_secs(170);

/// Time limit for the suite itself, in case it does not end.
const OUTER_LIMIT: Duration = Duration::from_secs(190);

/// Outcome of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) passed: bool,
    /// Checks with the status SUCCESS.
    pub(super) successes: usize,
    /// Checks that count: SUCCESS, FAILURE and WARNING.
    pub(super) checks: usize,
    /// Reason of a failure, in one line.
    pub(super) reason: Option<String>,
}

/// Runs a scenario. Afterwards `folder` has the output of the suite and the client.
pub(super) fn run(
    suite: &Suite,
    case: &Case,
    client: &Path,
    folder: &Path,
    automatic: bool,
) -> Result<Verdict> {
    files::empty(folder)?;
    let mut command = suite.command();
    // The suite passes the command to a shell, so a path with blanks needs quotes.
    command
        .arg("client")
        .arg("--command")
        .arg(format!("\"{}\"", client.display()))
        .args(["--scenario", &case.scenario])
        .arg("--output-dir")
        .arg(folder)
        .args(["--timeout", &LIMIT.as_millis().to_string()]);
    if let Some(revision) = &case.revision {
        command.args(["--spec-version", revision]);
    }
    if automatic {
        command.env("SONDE_CONFORMANCE_AUTOMATIC", "1");
    }
    let status = ended(&mut command, folder, OUTER_LIMIT)?;
    let checks = find(folder, "checks.json")?.map(fs::read_to_string);
    let said = find(folder, "stderr.txt")?.map(fs::read_to_string);
    let verdict = judge(
        status.map(|status| status.success()),
        checks.transpose()?.as_deref(),
        said.transpose()?.as_deref().unwrap_or_default(),
    );
    Ok(verdict)
}

/// Runs a command in a folder, which gets its output, and waits for its end within the limit; then ends everything that
/// it started.
pub(super) fn ended(
    command: &mut Command,
    folder: &Path,
    limit: Duration,
) -> Result<Option<ExitStatus>> {
    // A file, not a pipe: a client that does not end would keep a pipe open.
    let file = File::create(folder.join("suite.txt"))?;
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().context("starting the suite")?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() > limit {
            end(&mut child)?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn end(child: &mut Child) -> Result<()> {
    if cfg!(unix) {
        // The shell and the client are in the suite's process group.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    } else {
        let _ = child.kill();
    }
    child.wait()?;
    Ok(())
}

/// Judges a run. It passes if the suite's exit code says so (which includes required exit codes of the client, time
/// limits and warnings), at least one check succeeded (a client that does nothing passes several scenarios otherwise),
/// none failed, and the client found exactly the server's faults.
fn judge(suite: Option<bool>, checks: Option<&str>, client: &str) -> Verdict {
    let checks: Vec<Value> = checks
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let with = |status: &str| {
        checks
            .iter()
            .filter(|check| check["status"] == status)
            .collect::<Vec<_>>()
    };
    let (successes, failures, warnings) = (with("SUCCESS"), with("FAILURE"), with("WARNING"));
    let complaint = failures.first().or(warnings.first()).map(|check| {
        let id = check["id"].as_str().unwrap_or("a check");
        let text = check["errorMessage"]
            .as_str()
            .or(check["details"]["message"].as_str())
            .or(check["description"].as_str())
            .unwrap_or("it failed");
        format!("{id}: {}", one_line(text))
    });
    let wrong = client
        .lines()
        .find(|line| line.starts_with("wrong findings: "));
    let last = client.lines().rev().find(|line| !line.trim().is_empty());
    let reason = match (suite, complaint) {
        (None, _) => Some(format!("not done after {} s", OUTER_LIMIT.as_secs())),
        (Some(_), Some(complaint)) => Some(complaint),
        (Some(_), None) if checks.is_empty() => Some("no check was made".to_owned()),
        (Some(_), None) if successes.is_empty() => Some("no check succeeded".to_owned()),
        (Some(false), None) => Some("the client failed".to_owned()),
        (Some(true), None) => None,
    };
    let reason = reason.or(wrong.map(one_line));
    let reason = reason.map(|reason| match last {
        Some(last) => format!("{reason} (client: {})", one_line(last)),
        None => reason,
    });
    Verdict {
        passed: suite == Some(true)
            && !successes.is_empty()
            && failures.is_empty()
            && wrong.is_none(),
        successes: successes.len(),
        checks: successes.len() + failures.len() + warnings.len(),
        reason,
    }
}

/// Returns at most 160 characters without line breaks.
pub(super) fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Finds the file of that name below the folder: the suite puts its results into folders with a time.
fn find(folder: &Path, name: &str) -> Result<Option<PathBuf>> {
    Ok(find_all(folder, name)?.pop())
}

/// Finds all files of that name.
pub(super) fn find_all(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let mut found = files::below(folder)?;
    found.retain(|path| path.file_name().is_some_and(|file| file == name));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(suite: Option<bool>, checks: &str, client: &str) -> Option<String> {
        let verdict = judge(suite, Some(checks), client);
        assert_eq!(verdict.passed, verdict.reason.is_none(), "{verdict:?}");
        verdict.reason
    }

    #[test]
    fn only_a_success_without_a_failure_counts() {
        let good = r#"[{"id":"a","status":"SUCCESS"},{"id":"b","status":"INFO"}]"#;
        assert_eq!(reason(Some(true), good, "a remark"), None);
        assert_eq!(
            reason(Some(false), good, "\nit hung\n\n").as_deref(),
            Some("the client failed (client: it hung)")
        );
        assert_eq!(
            reason(Some(true), good, "wrong findings: none\ndone").as_deref(),
            Some("wrong findings: none (client: done)")
        );
        assert_eq!(
            reason(None, good, "").as_deref(),
            Some("not done after 190 s")
        );
        let skipped = r#"[{"id":"a","status":"SKIPPED"}]"#;
        assert_eq!(
            reason(Some(true), skipped, "").as_deref(),
            Some("no check succeeded")
        );
        assert_eq!(
            reason(Some(true), "[]", "").as_deref(),
            Some("no check was made")
        );
        let mixed = r#"[{"id":"a","status":"SUCCESS"},
            {"id":"b","status":"FAILURE","errorMessage":"not\n sent"}]"#;
        assert_eq!(
            reason(Some(true), mixed, "").as_deref(),
            Some("b: not sent")
        );
        let verdict = judge(Some(false), Some(mixed), "");
        assert_eq!((verdict.successes, verdict.checks), (1, 2));
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_end_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("started");
        let script = "trap '' TERM; sleep 1000 & echo $! > \"$0\"; wait";
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(&file);
        assert!(
            ended(&mut command, folder.path(), Duration::from_millis(500))
                .unwrap()
                .is_none()
        );
        let started = fs::read_to_string(&file).unwrap();
        // The process is an orphan: its new parent needs a moment to collect it.
        let state = || {
            let output = Command::new("ps")
                .args(["-o", "stat=", "-p", started.trim()])
                .output()
                .unwrap();
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        };
        while !state().is_empty() && !state().starts_with('Z') {
            thread::sleep(Duration::from_millis(20));
        }
    }
}
