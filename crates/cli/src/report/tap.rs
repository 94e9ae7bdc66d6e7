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
        let (ok, skipped, severity) = match case.verdict {
            Verdict::Passed => ("ok", "", "fail"),
            Verdict::Skipped => ("ok", " # SKIP", "fail"),
            Verdict::Failed => ("not ok", "", "fail"),
            Verdict::Broken => ("not ok", "", "broken"),
        };
        // A number sign begins a directive, unless a backslash stands before it.
        let name = one_line(&format!("{}: {}", group.name, case.name));
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        let _ = writeln!(text, "{ok} {number} - {name}{skipped}");
        if case.is_flaky() {
            let runs = case.earlier.len();
            let _ = writeln!(text, "# flaky: it failed in {runs} earlier runs");
        }
        if case.problems.is_empty() {
            continue;
        }
        let _ = writeln!(text, "  ---\n  severity: {severity}\n  problems:");
        for problem in &case.problems {
            // JSON is YAML.
            let message = serde_json::Value::from(one_line(&problem.message));
            let _ = writeln!(text, "    - message: {message}");
            if let (Some(file), Some((row, column))) = (&group.file, problem.place) {
                let at = serde_json::Value::from(format!("{file}:{row}:{column}"));
                let _ = writeln!(text, "      at: {at}");
            }
        }
        let _ = writeln!(text, "  ...");
    }
    text
}
