//! The report in the Test Anything Protocol, version 14.

use std::fmt::Write as _;

use super::{Report, Verdict, one_line};

pub(super) fn tap(report: &Report) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", report.cases().count());
    let cases = report
        .groups
        .iter()
        .flat_map(|group| group.cases.iter().map(move |case| (group, case)));
    for (number, (group, case)) in (1..).zip(cases) {
        // Problems of a passed case are only notes.
        let (ok, severity) = match case.verdict {
            Verdict::Passed | Verdict::Skipped => ("ok", ""),
            Verdict::Failed => ("not ok", "  severity: fail\n"),
            Verdict::Broken => ("not ok", "  severity: broken\n"),
        };
        // A number sign starts a directive, unless it is escaped by a backslash.
        let name = one_line(&format!("{}: {}", group.name, case.name));
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        let _ = write!(text, "{ok} {number} - {name}");
        if case.verdict == Verdict::Skipped {
            let why = case.skip_reason.as_deref().map(one_line);
            let _ = write!(text, " # SKIP {}", why.unwrap_or_default());
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        if case.is_flaky() {
            let runs = case.earlier.len();
            let _ = writeln!(text, "# flaky: it failed in {runs} earlier runs");
        }
        if case.problems.is_empty() {
            continue;
        }
        let _ = writeln!(text, "  ---\n{severity}  problems:");
        for problem in &case.problems {
            // JSON is YAML.
            let json = |text: &str| serde_json::Value::from(one_line(text));
            let _ = writeln!(text, "    - message: {}", json(&problem.words()));
            let at = problem.at(group);
            if !at.is_empty() {
                let _ = writeln!(text, "      at: {}", json(&at));
            }
        }
        let _ = writeln!(text, "  ...");
    }
    text
}
