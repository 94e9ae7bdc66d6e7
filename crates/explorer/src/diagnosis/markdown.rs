//! The page in Markdown.

use std::fmt::Write as _;

use super::{
    report_text::{BY, outcome, result, time},
    step::Diagnosis,
};
use crate::{
    markdown::{self, code, fence},
    text::visible,
};

pub(super) fn markdown(diagnosis: &Diagnosis) -> String {
    let mut text = format!("# Diagnosis of {}\n\n", plain(&diagnosis.name));
    let _ = writeln!(text, "- Result: {}", plain(&result(diagnosis)));
    let _ = writeln!(text, "- Server: {}", code(&one_line(&diagnosis.address)));
    let _ = writeln!(text, "- Time: {}", time(diagnosis.millis));
    let _ = writeln!(text, "- Made by: {BY}\n");
    let _ = writeln!(text, "| step | result | time |\n| --- | --- | --- |");
    for step in &diagnosis.steps {
        let (title, went) = (&step.title, outcome(step.outcome));
        let _ = writeln!(text, "| {title} | {went} | {} |", time(step.millis));
    }
    for step in &diagnosis.steps {
        let _ = writeln!(text, "\n## {}: {}\n", step.title, outcome(step.outcome));
        if !step.tried.is_empty() {
            let _ = writeln!(text, "Tried: {}\n", plain(&step.tried));
        }
        let _ = writeln!(text, "{}", plain(&step.found));
        if !step.fix.is_empty() {
            let _ = writeln!(text, "\nWhat to do:\n");
            for fix in &step.fix {
                let _ = writeln!(text, "- {}", plain(fix));
            }
        }
        if !step.detail.is_empty() {
            let lines: Vec<_> = step.detail.iter().map(|line| one_line(line)).collect();
            let lines = lines.join("\n");
            let fence = fence(&lines);
            let _ = writeln!(text, "\n{fence}text\n{lines}\n{fence}");
        }
    }
    text
}

fn one_line(text: &str) -> String {
    visible(&text.replace(['\n', '\r'], " "))
}

/// Escapes a line, so that only its code spans are Markdown.
fn plain(text: &str) -> String {
    let line = markdown::plain(&one_line(text));
    // A number at the beginning would start a list.
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '+'] };
    match line[digits..].starts_with(marks) {
        true => format!("{}\\{}", &line[..digits], &line[digits..]),
        false => line,
    }
}
