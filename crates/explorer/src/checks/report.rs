//! The results of checks as Markdown, for a pull request or a ticket.

use std::fmt::Write as _;

use super::types::{Check, CheckResult, CheckState, CheckTotals, Checks};
use crate::{
    Error, Explorer,
    markdown::{code, plain},
    servers::ServerId,
    text::visible,
};

impl Explorer {
    /// The last results of a server's checks as Markdown, without secrets.
    ///
    /// # Errors
    /// `NotFound` for a server whose checks were not opened.
    pub async fn checks_report(&self, server: ServerId) -> Result<String, Error> {
        let entry = self.core.server(&server)?;
        self.read(|state| {
            let checks = state.checks().get(&server);
            let checks =
                checks.ok_or(Error::NotFound("The checks of this server are not open."))?;
            Ok(markdown(&entry.config.name, checks))
        })
    }
}

fn markdown(name: &str, checks: &Checks) -> String {
    let mut text = format!("# Checks of {}\n\n", line(name));
    match &checks.last {
        Some(last) => {
            let _ = writeln!(text, "- Result: {}", totals(last));
        }
        None => text.push_str("- Result: not run yet\n"),
    }
    if let Some(before) = &checks.before {
        let _ = writeln!(text, "- Before: {}", totals(before));
    }
    if let Some(revision) = checks.last.as_ref().and_then(|last| last.revision.as_ref()) {
        let _ = writeln!(text, "- Protocol version: {}", line(revision));
    }
    let _ = writeln!(text, "- Made by: Sonde {}\n", env!("CARGO_PKG_VERSION"));
    for suite in &checks.suites {
        let _ = writeln!(text, "## {}\n", line(&suite.name));
        for problem in &suite.problems {
            let message = line(&problem.message);
            let _ = writeln!(
                text,
                "- {}:{}: {message}",
                code(&visible(&suite.file)),
                problem.line
            );
        }
        if suite.checks.is_empty() {
            text.push('\n');
            continue;
        }
        let cases = cases(&suite.checks);
        let heads = cases.iter().map(|label| format!(" {} |", line(label)));
        let _ = writeln!(
            text,
            "| check | result |{} time |",
            heads.collect::<String>()
        );
        let _ = writeln!(text, "| --- | --- |{} --- |", " --- |".repeat(cases.len()));
        for check in &suite.checks {
            let time = check.result.as_ref().and_then(|result| result.duration);
            let time = time.map_or_else(String::new, |micros| {
                format!("{}.{:03} ms", micros / 1_000, micros % 1_000)
            });
            let of_case = |label: &&str| {
                let ran = check.result.iter().flat_map(|result| &result.cases);
                let case = ran.into_iter().find(|case| case.label == **label);
                format!(" {} |", case.map_or("", |case| word(case.state)))
            };
            let _ = writeln!(
                text,
                "| {} | {} |{} {time} |",
                line(&check.name),
                state(check),
                cases.iter().map(of_case).collect::<String>()
            );
        }
        text.push('\n');
        for check in &suite.checks {
            if let Some(result) = &check.result {
                reasons(&mut text, &suite.file, check, result);
            }
        }
    }
    text
}

/// Failures of a check, and the reason of another state.
fn reasons(text: &mut String, file: &str, check: &Check, result: &CheckResult) {
    let is_told = !result.failures.is_empty() || result.reason.is_some();
    if !is_told {
        return;
    }
    let place = code(&visible(&format!("{file}:{}", check.line)));
    let _ = writeln!(text, "**{}** ({place})\n", line(&check.name));
    for failure in &result.failures {
        let _ = writeln!(text, "- {}", line(&failure.message));
    }
    if let Some(reason) = &result.reason {
        let _ = writeln!(text, "- {}", line(reason));
    }
    text.push('\n');
}

fn totals(totals: &CheckTotals) -> String {
    let server = [&totals.server_name, &totals.version];
    let server: Vec<_> = server.into_iter().flatten().map(String::as_str).collect();
    let on = match server.is_empty() {
        true => String::new(),
        false => format!(" on {}", line(&server.join(" "))),
    };
    let CheckTotals {
        passed,
        failed,
        other,
        ..
    } = totals;
    let all = passed + failed + other;
    let checks = if all == 1 { "check" } else { "checks" };
    let mut text = format!("{all} {checks}{on}: {passed} passed, {failed} failed");
    if *other > 0 {
        let _ = write!(text, ", {other} without a verdict");
    }
    text
}

/// Labels of the cases of a suite's matrix, as its checks ran in them.
fn cases(checks: &[Check]) -> Vec<&str> {
    let mut labels = Vec::new();
    for result in checks.iter().filter_map(|check| check.result.as_ref()) {
        for case in &result.cases {
            if !labels.contains(&case.label.as_str()) {
                labels.push(case.label.as_str());
            }
        }
    }
    labels
}

fn state(check: &Check) -> &'static str {
    match &check.result {
        Some(result) => word(result.state),
        None if check.on => "not run",
        None => "off",
    }
}

fn word(state: CheckState) -> &'static str {
    match state {
        CheckState::Passed => "passed",
        CheckState::Failed => "**failed**",
        CheckState::Incomplete => "incomplete",
        CheckState::Broken => "**broken**",
        CheckState::Running | CheckState::Waiting => "running",
        CheckState::Skipped => "skipped",
    }
}

fn line(text: &str) -> String {
    plain(&visible(&text.replace(['\n', '\r'], " ")))
}
