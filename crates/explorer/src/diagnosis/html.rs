//! The page in HTML: self-contained, without a script.

use std::fmt::Write as _;

use super::{
    report_text::{BY, outcome, result, time},
    step::{Diagnosis, StepOutcome},
};
use crate::text::visible;

/// Head of the page. Its policy loads and runs nothing, whatever a server has written.
const HEAD: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; }
section { border-top: 1px solid #8886; padding: .8rem 0; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: .5rem; margin: .5rem 0; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
.fail { font-weight: 700; }
</style>
"#;

pub(super) fn html(diagnosis: &Diagnosis) -> String {
    let name = escape(&diagnosis.name);
    let mut page =
        format!("{HEAD}<title>Diagnosis of {name}</title>\n<h1>Diagnosis of {name}</h1>\n");
    let _ = writeln!(page, "<p>{}</p>", escape(&result(diagnosis)));
    let _ = writeln!(page, "<p><code>{}</code></p>", escape(&diagnosis.address));
    let _ = writeln!(page, "<p>{}. {}</p>", time(diagnosis.millis), escape(BY));
    page.push_str("<table>\n<tr><th>Step<th>Result<th>Time\n");
    for step in &diagnosis.steps {
        let _ = writeln!(
            page,
            "<tr><td>{}<td{}>{}<td>{}",
            escape(&step.title),
            mark(step.outcome),
            outcome(step.outcome),
            time(step.millis)
        );
    }
    page.push_str("</table>\n");
    for step in &diagnosis.steps {
        let _ = writeln!(
            page,
            "<section>\n<h2>{}: <span{}>{}</span></h2>",
            escape(&step.title),
            mark(step.outcome),
            outcome(step.outcome)
        );
        for text in [&step.tried, &step.found] {
            if !text.is_empty() {
                let _ = writeln!(page, "<p>{}</p>", escape(text));
            }
        }
        if !step.fix.is_empty() {
            page.push_str("<p>What to do:</p>\n<ul>\n");
            for fix in &step.fix {
                let _ = writeln!(page, "<li>{}", escape(fix));
            }
            page.push_str("</ul>\n");
        }
        if !step.detail.is_empty() {
            page.push_str("<pre>");
            for line in &step.detail {
                let _ = writeln!(page, "{}", escape(line));
            }
            page.push_str("</pre>\n");
        }
        page.push_str("</section>\n");
    }
    page.push_str("</html>\n");
    page
}

fn mark(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Fail => " class=\"fail\"",
        _ => "",
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
