//! Results of checks from reports of steps.

use sonde_record::text::cut;
use sonde_suite::{
    Failure,
    problem::Problem,
    run::{NoConnection, StepReport, StopReason, Verdict},
    snapshot::SnapshotState,
};

use super::{
    folder::WORDS,
    kept::{KeptResult, KeptValue},
    types::{CheckCase, CheckFailure, CheckResult, CheckState},
};

/// Failures of a check that are kept.
const FAILURES: usize = 50;
pub(super) const NO_BASELINE: &str =
    "No baseline yet: accept the result to compare later ones with it.";

/// Result of a step that ran. `label` names the case of a matrix.
pub(super) fn finished(step: &StepReport, label: &str, at: u64) -> KeptResult {
    let (state, reason) = match &step.verdict {
        Verdict::Passed => (CheckState::Passed, None),
        Verdict::Failed => (CheckState::Failed, None),
        Verdict::Incomplete(why) => (CheckState::Incomplete, Some(why)),
        Verdict::Skipped(why) => (CheckState::Skipped, Some(why)),
        Verdict::Broken(why) | Verdict::TimedOut(why) => (CheckState::Broken, Some(why)),
    };
    let values = step.snapshots.iter();
    let values = values.filter(|snapshot| snapshot.state != SnapshotState::Same);
    let in_state = |state| step.snapshots.iter().any(|one| one.state == state);
    let baseline_missing = in_state(SnapshotState::Missing);
    let reason = reason.filter(|why| !why.is_empty());
    let micros = step.duration.map(|time| u64::try_from(time.as_micros()));
    let duration = micros.and_then(Result::ok);
    KeptResult {
        result: CheckResult {
            state,
            failures: step
                .failures
                .iter()
                .take(FAILURES)
                .map(|one| failure(one, label))
                .collect(),
            reason: match (state, baseline_missing) {
                (CheckState::Incomplete, true) => Some(NO_BASELINE.to_owned()),
                _ => reason.map(|why| labelled(why, label)),
            },
            duration,
            at,
            differs: in_state(SnapshotState::Different),
            baseline_missing,
            cases: cases(label, state, duration),
            ..CheckResult::default()
        },
        values: values
            .map(|snapshot| KeptValue {
                name: snapshot.name.clone(),
                text: snapshot.text.clone(),
            })
            .collect(),
        unjudged: step.unjudged.as_ref().map(|why| labelled(why, label)),
        ..KeptResult::default()
    }
}

/// Result of a step that did not run since its case ended.
pub(super) fn not_run(why: &StopReason, label: &str, at: u64) -> KeptResult {
    let (state, reason) = match why {
        StopReason::Files(problems) => (CheckState::Broken, in_words(problems)),
        StopReason::NotConnected { words, why } => match why {
            NoConnection::OtherVersion => (CheckState::Incomplete, words.clone()),
            NoConnection::Failed | NoConnection::NeedsSignIn => (CheckState::Broken, words.clone()),
        },
        StopReason::Died(why) => {
            let reason = format!("Not run: the connection ended before. {why}");
            (CheckState::Incomplete, reason)
        }
        StopReason::Cancelled | StopReason::Bailed => {
            (CheckState::Incomplete, "Not run.".to_owned())
        }
    };
    KeptResult {
        result: CheckResult {
            state,
            reason: Some(labelled(&reason, label)),
            at,
            cases: cases(label, state, None),
            ..CheckResult::default()
        },
        ..KeptResult::default()
    }
}

/// True for a result that *Run failed* runs again.
pub(super) fn failed_before(result: &CheckResult) -> bool {
    matches!(
        result.state,
        CheckState::Failed | CheckState::Broken | CheckState::Incomplete
    )
}

/// Returns the result of a case; without a matrix, the check's own result suffices.
fn cases(label: &str, state: CheckState, duration: Option<u64>) -> Vec<CheckCase> {
    match label {
        "" => Vec::new(),
        label => vec![CheckCase {
            label: label.to_owned(),
            state,
            duration,
        }],
    }
}

/// Adds the result of a further case of a matrix: the worse state, with the failures of both.
pub(super) fn merged(mut all: KeptResult, case: KeptResult) -> KeptResult {
    if all.cases.is_empty() {
        all.cases.push(all.clone());
        all.values.clear();
    }
    let (result, other) = (&mut all.result, &case.result);
    result.failures.extend(other.failures.iter().cloned());
    result.failures.truncate(FAILURES);
    if other.state > result.state {
        result.state = other.state;
        result.reason.clone_from(&other.reason);
    }
    result.duration = result.duration.max(other.duration);
    result.at = other.at;
    result.differs |= other.differs;
    result.baseline_missing |= other.baseline_missing;
    result.cases.extend(other.cases.iter().cloned());
    all.cases.push(case);
    all
}

/// Completes the result of a run that may have been stopped. `planned` has the labels of the run's cases. `None` if
/// cases are left and none failed: then an earlier result says more.
pub(super) fn complete_result(result: KeptResult, planned: &[String]) -> Option<KeptResult> {
    let (state, at) = (result.result.state, result.result.at);
    let ran: Vec<_> = result.result.cases.iter().map(|case| &case.label).collect();
    let left = planned.iter().filter(|label| !label.is_empty());
    let left = left.filter(|label| !ran.contains(label));
    let left: Vec<_> = left
        .map(|label| not_run(&StopReason::Cancelled, label, at))
        .collect();
    let is_whole = left.is_empty() && state != CheckState::Waiting;
    (is_whole || state >= CheckState::Failed).then(|| left.into_iter().fold(result, merged))
}

pub(super) fn failure(failure: &Failure, label: &str) -> CheckFailure {
    CheckFailure {
        line: failure.span.line,
        message: labelled(&failure.words, label),
        differs: failure.snapshot.is_some(),
        path: failure.pointer.clone(),
    }
}

pub(super) fn labelled(words: &str, label: &str) -> String {
    let words = cut(words, WORDS);
    match label {
        "" => words,
        label => format!("{label}: {words}"),
    }
}

fn in_words(problems: &[Problem]) -> String {
    let words = problems.iter().take(3).map(|one| match one.span.line {
        0 => one.message.clone(),
        line => format!("Line {line}: {}", one.message),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_was_stopped_or_skipped_in_a_case_does_not_pass() {
        use CheckState::{Failed, Incomplete, Passed, Skipped};
        let labels = ["a", "b"];
        let ran = |states: &[CheckState]| {
            let cases = labels.iter().zip(states).map(|(label, state)| KeptResult {
                result: CheckResult {
                    state: *state,
                    cases: cases(label, *state, None),
                    ..CheckResult::default()
                },
                ..KeptResult::default()
            });
            let result = cases.reduce(merged).unwrap_or_default();
            let completed = complete_result(result, &labels.map(str::to_owned))?.result;
            let of_cases: Vec<_> = completed.cases.iter().map(|case| case.state).collect();
            Some((completed.state, of_cases))
        };
        for (states, expected) in [
            (&[Passed, Passed][..], Some((Passed, vec![Passed, Passed]))),
            (&[Passed, Skipped], Some((Skipped, vec![Passed, Skipped]))),
            (&[Skipped, Failed], Some((Failed, vec![Skipped, Failed]))),
            (&[Failed], Some((Failed, vec![Failed, Incomplete]))),
            (&[Passed], None),
            (&[], None),
        ] {
            assert_eq!(ran(states), expected, "{states:?}");
        }
        let waiting = complete_result(KeptResult::default(), &[String::new()]);
        assert!(waiting.is_none());
        let passed = KeptResult {
            result: CheckResult {
                state: Passed,
                ..CheckResult::default()
            },
            ..KeptResult::default()
        };
        assert_eq!(
            complete_result(passed.clone(), &[String::new()]),
            Some(passed)
        );
    }
}
