//! The server side of the suite, which judges the demo server over HTTP.
//!
//! Most of its scenarios use tools, resources and prompts that a server would provide only for the suite. The demo
//! server has none of them, so checks that need them cannot pass. This module lists them, so that no other check can
//! fail unnoticed.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{run, suite::Suite};
use crate::{
    files,
    project::{self, Profile},
};

/// Protocol versions, and the minimum number of passed checks at each. Fewer means that checks were lost.
const REVISIONS: [(&str, usize); 2] = [("2025-11-25", 47), ("2026-07-28", 106)];

/// Minimum number of passed checks in the scenarios without a protocol version.
const EXTENSIONS: usize = 54;

/// Time limit of the suite for all scenarios of one protocol version, or for one scenario; it takes some seconds.
const LIMIT: Duration = Duration::from_secs(90);

/// Checks that a server can pass only with parts made for the suite.
const NOT_APPLICABLE: &[&str] = &[
    // Tools of the suite, named `test_…`.
    "elicitation-sep1034-general",
    "elicitation-sep1330-general",
    "json-schema-2020-12-tool-found",
    "sep-2322-elicitation-incomplete",
    "sep-2322-ignore-unexpected-params",
    "sep-2322-list-roots-incomplete",
    "sep-2322-missing-response-rerequests",
    "sep-2322-multi-round-r1",
    "sep-2322-multiple-inputs-incomplete",
    "sep-2322-reject-tampered-state",
    "sep-2322-request-state-incomplete",
    "sep-2322-respect-client-capabilities",
    "sep-2322-result-type-included",
    "sep-2322-sampling-incomplete",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-missing-capability-http-400",
    "sep-2575-server-no-log-without-loglevel",
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-server-sends-tools-list-changed-on-subscription",
    "server-sse-disconnect-resume",
    "tools-call-audio",
    "tools-call-elicitation",
    "tools-call-embedded-resource",
    "tools-call-error",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-sampling",
    "tools-call-simple-text",
    "tools-call-with-logging",
    "tools-call-with-progress",
    // Resources of the suite, `test://…`.
    "resources-read-binary",
    "resources-read-text",
    "resources-subscribe",
    "resources-templates-read",
    "resources-unsubscribe",
    // Prompts of the suite, named `test_…`.
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "sep-2322-non-tool-incomplete",
    // Tools of the suite that run as tasks (`slow_compute`, `confirm_delete`, …).
    "sep-2663-cancel-ack-empty-result",
    "sep-2663-durable-create-strong-consistency",
    "sep-2663-legacy-task-param-ignored",
    "sep-2663-mrtr-synchronous-before-task-creation",
    "sep-2663-result-type-task-on-create",
    "sep-2663-routing-headers-accepted-on-tasks-get",
    "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
    "sep-2663-server-rejects-undeclared-client",
    "sep-2663-server-returns-missing-capability-when-required",
    "sep-2663-tasks-get-status-completed",
    "sep-2663-tasks-get-status-failed",
    "sep-2663-tasks-get-status-input-required",
    "sep-2663-tasks-get-status-working",
    "sep-2663-tool-error-uses-completed-status",
    "tasks-cancel-terminal-idempotent-ack",
    "tasks-headers-tolerate-mcp-method-on-tools-call",
    "tasks-immediate-result-shortcut",
    "tasks-mrtr-partial-fulfillment",
    "tasks-mrtr-tasks-update-resumes",
    "tasks-no-early-ttl-expiry",
    "tasks-no-related-task-meta-on-inlined-result",
    "tasks-per-request-meta-opt-in",
    "tasks-request-state-removal-setup",
    "tasks-result-type-complete-on-non-task-responses",
    "tasks-server-directed-creation-no-hint",
    "tasks-sync-tool-call",
    "tasks-wire-field-renames",
];

/// Runs every scenario of both protocol versions and of extensions. Returns the number of passed checks.
pub(super) fn judge_demo(suite: &Suite) -> Result<String> {
    let mut demo = Demo::start()?;
    let (mut passed, mut apart) = (0, 0);
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    let place = |name: &str| project::cache_path("conformance/server").join(name);
    for (revision, least) in REVISIONS {
        let which = ["--suite", "all", "--spec-version", revision];
        let checks = play(suite, &demo.url, &which, &place(revision))?;
        all.push((revision, least, checks));
    }
    // The suite leaves these scenarios out of every version, so each is named.
    let mut checks = Vec::new();
    for scenario in suite.extensions_of_servers()? {
        let folder = place("extension").join(&scenario);
        let which = ["--scenario", &scenario, "--force"];
        checks.extend(play(suite, &demo.url, &which, &folder)?);
    }
    all.push(("extension", EXTENSIONS, checks));
    demo.end();
    for (revision, least, checks) in &all {
        let verdict = judge(checks);
        println!(
            "  {revision}: {} checks passed, {} do not apply",
            verdict.passed, verdict.not_applicable
        );
        passed += verdict.passed;
        apart += verdict.not_applicable;
        wrong.extend(
            verdict
                .wrong
                .into_iter()
                .map(|one| format!("{revision}: {one}")),
        );
        if verdict.passed < *least {
            wrong.push(format!(
                "{revision}: {} checks passed, and {least} did before",
                verdict.passed
            ));
        }
    }
    wrong.extend(unseen(all.iter().flat_map(|(_, _, checks)| checks)));
    for one in &wrong {
        println!("  ✗ {one}");
    }
    if !wrong.is_empty() {
        bail!("{} of the demo server: {}", wrong.len(), wrong.join("; "));
    }
    Ok(format!("{passed} checks passed, {apart} do not apply"))
}

/// Runs the scenarios that these arguments name, and returns their checks.
fn play(suite: &Suite, url: &str, which: &[&str], folder: &Path) -> Result<Vec<Value>> {
    files::empty(folder)?;
    let mut command = suite.command();
    command
        .args(["server", "--url", url])
        .args(which)
        .arg("--output-dir")
        .arg(folder);
    // The exit code is expected to report failed checks; the results tell which.
    if run::ended(&mut command, folder, LIMIT)?.is_none() {
        bail!("the suite was not done after {} s", LIMIT.as_secs());
    }
    let mut checks = Vec::new();
    for file in run::find_all(folder, "checks.json")? {
        let text = fs::read_to_string(&file)?;
        let found: Vec<Value> =
            serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
        checks.extend(found);
    }
    Ok(checks)
}

/// Returns the checks of the list above that the suite does not make: it has renamed or removed them.
fn unseen<'a>(checks: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let made: BTreeSet<_> = checks.filter_map(|check| check["id"].as_str()).collect();
    NOT_APPLICABLE
        .iter()
        .filter(|id| !made.contains(**id))
        .map(|id| format!("{id} is listed as a check that cannot pass, and was not made"))
        .collect()
}

/// Outcome of the checks of one revision.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    passed: usize,
    not_applicable: usize,
    /// Unexpected failures (and unexpected passes), one line each.
    wrong: Vec<String>,
}

fn judge(checks: &[Value]) -> Verdict {
    let mut verdict = Verdict::default();
    for check in checks {
        let id = check["id"].as_str().unwrap_or("a check");
        let applies = !NOT_APPLICABLE.contains(&id);
        match (check["status"].as_str(), applies) {
            (Some("SUCCESS"), true) => verdict.passed += 1,
            // Passed without its missing part: the check is void, or the list above is outdated.
            (Some("SUCCESS"), false) => verdict
                .wrong
                .push(format!("{id} passed, and is listed as one that cannot")),
            (Some("FAILURE" | "WARNING"), true) => {
                let why = check["errorMessage"].as_str().unwrap_or("it failed");
                verdict.wrong.push(format!("{id}: {}", run::one_line(why)));
            }
            (Some("FAILURE" | "WARNING"), false) => verdict.not_applicable += 1,
            _ => {}
        }
    }
    verdict
}

/// The demo server on a free port.
struct Demo {
    child: Child,
    url: String,
}

impl Demo {
    fn start() -> Result<Self> {
        let program = project::program(project::DEMO, Profile::Dev);
        // The server ends with its standard input, in case this program is killed.
        let mut child = Command::new(&program)
            .arg("--http")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let mut line = String::new();
        let output = child
            .stdout
            .take()
            .context("the demo server has an output")?;
        BufReader::new(output).read_line(&mut line)?;
        let Some(url) = line.trim().strip_prefix("listening ") else {
            let _ = child.kill();
            let _ = child.wait();
            bail!("the demo server said {line:?}");
        };
        Ok(Self {
            url: url.to_owned(),
            child,
        })
    }

    fn end(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_listed_may_fail_and_all_of_that_has_to() {
        let verdict = judge(&[
            json!({ "id": "ping", "status": "SUCCESS" }),
            json!({ "id": "tools-call-audio", "status": "FAILURE" }),
            json!({ "id": "caching", "status": "WARNING", "errorMessage": "no\n ttl" }),
            json!({ "id": "prompts-get-simple", "status": "SUCCESS" }),
            json!({ "id": "x", "status": "SKIPPED" }),
        ]);
        let expected = Verdict {
            passed: 1,
            not_applicable: 1,
            wrong: vec![
                "caching: no ttl".to_owned(),
                "prompts-get-simple passed, and is listed as one that cannot".to_owned(),
            ],
        };
        assert_eq!(verdict, expected);
    }

    #[test]
    fn what_is_listed_has_to_be_made() {
        let checks: Vec<_> = NOT_APPLICABLE
            .iter()
            .map(|id| json!({ "id": id, "status": "FAILURE" }))
            .collect();
        assert_eq!(unseen(checks.iter()), Vec::<String>::new());
        let without_one = unseen(checks.iter().skip(1));
        assert_eq!(without_one.len(), 1, "{without_one:?}");
        assert!(without_one[0].starts_with("elicitation-sep1034-general is listed"));
    }
}
