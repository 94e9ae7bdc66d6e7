//! The results of checks as Markdown, for a pull request or a ticket.

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
    let last = checks.last.as_ref();
    let result = last.map_or_else(|| "not run yet".to_owned(), totals);
    let mut lines = vec![
        format!("# Checks of {}\n", line(name)),
        format!("- Result: {result}"),
    ];
    let before = checks.before.as_ref();
    lines.extend(before.map(|before| format!("- Before: {}", totals(before))));
    let revision = last.and_then(|last| last.revision.as_ref());
    lines.extend(revision.map(|one| format!("- Protocol version: {}", line(one))));
    lines.push(format!("- Made by: Sonde {}\n", env!("CARGO_PKG_VERSION")));
    for suite in &checks.suites {
        lines.push(format!("## {}\n", line(&suite.name)));
        let file = code(&visible(&suite.file));
        let problems = suite.problems.iter();
        lines.extend(problems.map(|one| format!("- {file}:{}: {}", one.line, line(&one.message))));
        if !suite.checks.is_empty() {
            table(&mut lines, &suite.checks);
        }
        lines.push(String::new());
        for check in &suite.checks {
            if let Some(result) = &check.result {
                reasons(&mut lines, &suite.file, check, result);
            }
        }
    }
    lines.join("\n") + "\n"
}

/// A row for each check, with a column for each case of the matrix.
fn table(lines: &mut Vec<String>, checks: &[Check]) {
    let cases = cases(checks);
    let heads: String = cases
        .iter()
        .map(|label| format!(" {} |", line(label)))
        .collect();
    lines.push(format!("| check | result |{heads} time |"));
    lines.push(format!(
        "| --- | --- |{} --- |",
        " --- |".repeat(cases.len())
    ));
    for check in checks {
        let result = check.result.as_ref();
        let time = result.and_then(|result| result.duration);
        let time = time.map_or_else(String::new, |micros| {
            format!("{}.{:03} ms", micros / 1_000, micros % 1_000)
        });
        let of_case = |label: &&str| {
            let mut ran = result.into_iter().flat_map(|result| &result.cases);
            let case = ran.find(|case| case.label == **label);
            format!(" {} |", case.map_or("", |case| word(case.state)))
        };
        let of_cases: String = cases.iter().map(of_case).collect();
        let (name, state) = (line(&check.name), state(check));
        lines.push(format!("| {name} | {state} |{of_cases} {time} |"));
    }
}

/// Failures of a check, and the reason of another state.
fn reasons(lines: &mut Vec<String>, file: &str, check: &Check, result: &CheckResult) {
    let failures = result.failures.iter().map(|failure| &failure.message);
    let sentences = failures
        .chain(&result.reason)
        .map(|one| format!("- {}", line(one)));
    let sentences: Vec<_> = sentences.collect();
    if !sentences.is_empty() {
        let place = code(&visible(&format!("{file}:{}", check.line)));
        lines.push(format!("**{}** ({place})\n", line(&check.name)));
        lines.extend(sentences);
        lines.push(String::new());
    }
}

fn totals(totals: &CheckTotals) -> String {
    let server = [&totals.server_name, &totals.version];
    let server: Vec<_> = server.into_iter().flatten().map(String::as_str).collect();
    let on = match server.is_empty() {
        true => String::new(),
        false => format!(" on {}", line(&server.join(" "))),
    };
    let all = totals.all();
    let checks = if all == 1 { "check" } else { "checks" };
    let mut counts = format!("{} passed, {} failed", totals.passed, totals.failed);
    for (count, word) in [
        (totals.off, "off"),
        (totals.skipped, "skipped"),
        (totals.other, "without a verdict"),
    ] {
        if count > 0 {
            counts += &format!(", {count} {word}");
        }
    }
    format!("{all} {checks}{on}: {counts}")
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
