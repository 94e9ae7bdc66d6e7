//! Text shared by both formats of the report.

use super::step::{Diagnosis, DiagnosisState, StepOutcome};

/// An outcome in words.
pub(super) fn outcome(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Waiting => "waiting",
        StepOutcome::Running => "running",
        StepOutcome::Pass => "pass",
        StepOutcome::Fail => "fail",
        StepOutcome::NotEvaluated => "not evaluated",
    }
}

/// Result of the whole diagnosis, one plain sentence.
pub(super) fn result(diagnosis: &Diagnosis) -> String {
    let count = |outcome| diagnosis.count(outcome);
    let counts = format!(
        "{} pass, {} fail, {} not evaluated",
        count(StepOutcome::Pass),
        count(StepOutcome::Fail),
        count(StepOutcome::NotEvaluated)
    );
    let ended = match diagnosis.state {
        DiagnosisState::Running => "The diagnosis is under way. ",
        DiagnosisState::Done => "",
        DiagnosisState::Lost => "The connection ended by itself. ",
        DiagnosisState::Cancelled => "The diagnosis was cancelled. ",
        DiagnosisState::TimedOut => "The diagnosis took too long and was ended. ",
    };
    match diagnosis.first_failure() {
        Some(step) => format!("{ended}First failed step: {} ({counts}).", step.title),
        None => format!("{ended}No step failed ({counts})."),
    }
}

/// A time as people read it.
pub(super) fn time(millis: Option<u64>) -> String {
    millis.map_or_else(|| "-".to_owned(), |millis| format!("{millis} ms"))
}

/// Origin of the page.
pub(super) const BY: &str = concat!("Sonde ", env!("CARGO_PKG_VERSION"));
