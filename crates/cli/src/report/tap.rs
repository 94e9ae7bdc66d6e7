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
        let ok = match case.verdict {
            Verdict::Passed | Verdict::Skipped => "ok",
            Verdict::Failed | Verdict::Broken => "not ok",
        };
        // A number sign begins a directive, unless a backslash stands before it.
        let name = one_line(&format!("{}: {}", group.name, case.name));
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        let skipped = match case.verdict {
            Verdict::Skipped => " # SKIP",
            _ => "",
        };
        let _ = writeln!(text, "{ok} {number} - {name}{skipped}");
        if case.is_flaky() {
            let _ = writeln!(
                text,
                "# flaky: it failed in {} earlier runs",
                case.earlier.len()
            );
        }
        if case.problems.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "  ---\n  severity: {}\n  problems:",
            match case.verdict {
                Verdict::Broken => "broken",
                _ => "fail",
            }
        );
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
