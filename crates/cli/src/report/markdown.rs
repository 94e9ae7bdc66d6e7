//! The report in Markdown, for a job summary or a comment.

use std::fmt::Write as _;

use super::{Case, Report, Verdict, counts, one_line};
use crate::units::show_duration;

/// Limit of listed cases, since the size of a summary is limited.
const LISTED: usize = 500;

pub(super) fn markdown(report: &Report) -> String {
    let mut text = format!(
        "## {}\n\n{} in {}\n",
        plain(&report.title),
        report.counts(),
        show_duration(report.took)
    );
    let mut left = LISTED;
    for group in &report.groups {
        let wrong = group.cases.iter();
        let told = |case: &&Case| !case.problems.is_empty() || case.is_flaky();
        let wrong: Vec<_> = wrong.filter(told).collect();
        let properties: Vec<_> = group.properties.iter().map(|one| plain(&one.1)).collect();
        let properties = match properties.is_empty() {
            true => String::new(),
            false => format!(" ({})", properties.join(", ")),
        };
        let _ = writeln!(text, "\n### {}{properties}\n", plain(&group.name));
        if wrong.is_empty() {
            let _ = writeln!(text, "{}.", counts(group.cases.iter()));
            continue;
        }
        let _ = writeln!(text, "| | Case | Problem |\n| --- | --- | --- |");
        for case in wrong {
            if left == 0 {
                let _ = writeln!(text, "\nMore cases are left out here.");
                return text;
            }
            left -= 1;
            let earlier = case.earlier.iter().filter(|_| case.is_flaky());
            let problems = earlier.chain([case]).flat_map(|case| &case.problems);
            let problems: Vec<_> = problems.map(|one| plain(&one.line(group))).collect();
            let mark = match case.verdict {
                Verdict::Passed if case.is_flaky() => "⚠️ flaky",
                Verdict::Passed => "✅",
                Verdict::Failed => "❌",
                Verdict::Broken => "💥",
                Verdict::Skipped => "⏭️",
            };
            let (name, problems) = (plain(&case.name), problems.join("<br>"));
            let _ = writeln!(text, "| {mark} | {name} | {problems} |");
        }
    }
    for one in &report.coverage {
        let _ = writeln!(text, "\n### Coverage of {}\n", plain(&one.server));
        for kind in &one.kinds {
            let names: Vec<_> = kind.without_step.iter().map(|name| plain(name)).collect();
            let names = match names.is_empty() {
                true => String::new(),
                false => format!(", without a step: {}", names.join(", ")),
            };
            let _ = writeln!(text, "- {}{names}", kind.words());
        }
    }
    text
}

/// A line in which nothing is read as Markdown or HTML.
fn plain(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '|' | '#' | '!' | '@' | '$' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    // An address would become a link.
    out.replace("://", "\\://").replace("www.", "www\\.")
}
