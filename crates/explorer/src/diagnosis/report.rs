//! A diagnosis as one page to hand on.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{html::html, markdown::markdown, step::Diagnosis};
use crate::{
    limits::{LINE, NAME, redact_and_cut},
    log::{WireLog, fingerprint},
    servers::url_secrets,
};

/// Formats of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReportFormat {
    /// Markdown.
    Markdown,
    /// Self-contained HTML without scripts.
    Html,
}

/// Returns a diagnosis as one page, without secrets; `log` has the frames of its connection.
#[must_use]
pub fn report(diagnosis: Diagnosis, log: &WireLog, format: ReportFormat) -> String {
    written(without_secrets(diagnosis, log), format)
}

fn written(diagnosis: Diagnosis, format: ReportFormat) -> String {
    match format {
        ReportFormat::Markdown => markdown(&diagnosis),
        ReportFormat::Html => html(&diagnosis),
    }
}

/// Removes secrets. Some may have become known only after the text was recorded; text in URLs that looks like a secret
/// is removed, too.
fn without_secrets(mut diagnosis: Diagnosis, log: &WireLog) -> Diagnosis {
    let clean = |text: &mut String| {
        *text = redact_and_cut(text, LINE * 4, log);
        for secret in url_secrets(text).into_iter().rev() {
            let mark = fingerprint(&text[secret.range.clone()]);
            text.replace_range(secret.range, &mark);
        }
    };
    diagnosis.name = redact_and_cut(&diagnosis.name, NAME, log);
    clean(&mut diagnosis.address);
    for step in &mut diagnosis.steps {
        clean(&mut step.tried);
        clean(&mut step.found);
        step.fix.iter_mut().for_each(clean);
        step.detail.iter_mut().for_each(clean);
    }
    diagnosis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::step::{
        DiagnosisState, DiagnosisStep, DiagnosisStepCode, NO_TOOLS, StepOutcome,
    };

    fn diagnosis(found: &str) -> Diagnosis {
        let step = |code: DiagnosisStepCode, outcome| DiagnosisStep {
            code,
            title: code.title().to_owned(),
            outcome,
            tried: "Start it.".to_owned(),
            found: found.to_owned(),
            millis: Some(7),
            fix: vec![found.to_owned()],
            detail: vec![found.to_owned()],
        };
        Diagnosis {
            server: "id".to_owned(),
            number: 1,
            state: DiagnosisState::Done,
            name: found.to_owned(),
            address: found.to_owned(),
            began: 0,
            millis: Some(12),
            steps: vec![
                step(DiagnosisStepCode::Process, StepOutcome::Pass),
                step(DiagnosisStepCode::Stdout, StepOutcome::Fail),
                step(DiagnosisStepCode::Handshake, StepOutcome::NotEvaluated),
            ],
        }
    }

    #[test]
    fn what_was_not_evaluated_is_counted_as_nothing_else() {
        let page = written(diagnosis("words"), ReportFormat::Markdown);
        assert!(
            page.contains("First failed step: First output (1 pass, 1 fail, 1 not evaluated)."),
            "{page}"
        );
        assert!(
            page.contains("| Handshake | not evaluated | 7 ms |"),
            "{page}"
        );
    }

    #[test]
    fn a_diagnosis_is_complete_once_the_server_was_judged() {
        for (code, found, is_complete) in [
            (DiagnosisStepCode::Handshake, "words", false),
            (DiagnosisStepCode::Hosts, "words", false),
            (DiagnosisStepCode::Hosts, NO_TOOLS, true),
            (DiagnosisStepCode::Authorization, "words", true),
        ] {
            let mut done = diagnosis(found);
            done.steps[2].code = code;
            assert_eq!(done.is_complete(), is_complete, "{code:?}: {found}");
        }
    }

    #[test]
    fn words_of_a_server_are_words_in_both_formats() {
        let bad = "<script>alert(1)</script> & \"q\" | [a](http://b)\n# `h";
        let page = written(diagnosis(bad), ReportFormat::Html);
        assert!(!page.contains("<script"), "{page}");
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;"),
            "{page}"
        );
        assert!(!page.contains("http-equiv=\"refresh\"") && !page.contains("<img"));
        let page = written(diagnosis(bad), ReportFormat::Markdown);
        let mut fenced = false;
        for line in page.lines() {
            let is_fence = line.starts_with("```");
            fenced ^= is_fence;
            if fenced || is_fence || line.starts_with("- Server") {
                continue;
            }
            // What is escaped is a character like any other.
            let read = line.replace("\\<", "").replace("\\[", "");
            assert!(
                !read.contains("<script") && !read.contains("[a") && !read.starts_with("# `"),
                "{line}"
            );
        }
        assert!(!fenced, "{page}");
        assert!(!page.lines().any(|line| line == "# `h"), "{page}");
    }
}
