//! The report as one HTML page: no script, nothing is loaded.

use std::fmt::Write as _;

use super::{Case, Group, Report};
use crate::{console::visible, units::show_duration};

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
details,.case{border-left:4px solid #8c959f;margin:.4rem 0;padding:.2rem .8rem}
.passed{border-color:#1a7f37}.failed{border-color:#cf222e}.broken{border-color:#8250df}.skipped{border-color:#8c959f}
.word{display:inline-block;min-width:4.5rem;font-weight:600}.time,.at{color:#59636e}
pre{overflow:auto;background:#f6f8fa;padding:.6rem}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}.time,.at{color:#9198a1}}";

pub(super) fn html(report: &Report) -> String {
    let title = escaped(&report.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{} in {}</p>\n",
        report.counts(),
        show_duration(report.took)
    );
    for group in &report.groups {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&group.name));
        let properties = group.properties.iter();
        let properties = properties.map(|(name, value)| format!("{name}: {value}"));
        let facts = group.file.iter().cloned().chain(properties);
        let facts: Vec<_> = facts.map(|fact| escaped(&fact)).collect();
        if !facts.is_empty() {
            let _ = writeln!(page, "<p class=\"at\">{}</p>", facts.join(" · "));
        }
        for case in &group.cases {
            add_case(&mut page, group, case);
        }
        if !group.stderr.is_empty() {
            let lines = escaped(&group.stderr.join("\n"));
            let _ = writeln!(
                page,
                "<details><summary>Standard error of the server</summary><pre>{lines}</pre></details>"
            );
        }
    }
    for one in &report.coverage {
        let _ = writeln!(page, "<h2>Coverage of {}</h2>\n<ul>", escaped(&one.server));
        for kind in &one.kinds {
            let names = escaped(&kind.without_step.join(", "));
            let words = kind.words();
            let _ = writeln!(page, "<li>{words} <span class=\"at\">{names}</span>");
        }
        let _ = writeln!(page, "</ul>");
    }
    let by = concat!("Sonde ", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(page, "<p class=\"at\">Made by {by}.</p>\n</html>");
    page
}

fn add_case(page: &mut String, group: &Group, case: &Case) {
    let word = case.verdict.word();
    let flaky = if case.is_flaky() { " (flaky)" } else { "" };
    let head = format!(
        "<span class=\"word\">{word}{flaky}</span> {} <span class=\"time\">{}</span>",
        escaped(&case.name),
        show_duration(case.took)
    );
    if case.problems.is_empty() {
        let _ = writeln!(page, "<div class=\"case {word}\">{head}</div>");
        return;
    }
    let summary = format!("<summary>{head}</summary>");
    let _ = writeln!(page, "<details open class=\"{word}\">{summary}<ul>");
    for problem in &case.problems {
        let fix = problem.fix.iter();
        let fix = fix.map(|fix| format!("<br>{}", escaped(fix)));
        let _ = writeln!(
            page,
            "<li>{} <span class=\"at\">{} {}</span>{}</li>",
            escaped(&problem.message),
            escaped(&problem.rule),
            escaped(&problem.at(group)),
            fix.collect::<String>()
        );
    }
    let _ = writeln!(page, "</ul></details>");
}

fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
