//! One step: its attempts, its judgement, its captures and the steps that verify it.

use std::time::Duration;

use serde_json::Value;
use sonde_client::Services;

use super::{
    caution::Caution,
    drive::perform,
    session::Session,
    stored::{Stored, Update},
};
use crate::{
    expect::{Baseline, judge, part},
    format::Step,
    observed::{End, Observed},
    problem::Problem,
    report::{Failure, PendingSchema},
    snapshot::{Snapshot, SnapshotState},
    variables::Variables,
};

/// Reason in place of a verdict about what comes after the response.
const NOT_REACHED: &str =
    "Captures and verifying steps did not run, since the step failed before them. Run it again.";

/// Context of running a step.
pub(super) struct Surroundings<'a> {
    pub(super) services: &'a Services,
    pub(super) stored: &'a mut Stored,
    pub(super) update: Update,
    pub(super) caution: Caution,
}

/// Results of one attempt.
#[derive(Default)]
pub(super) struct Attempt {
    pub(super) observed: Observed,
    pub(super) failures: Vec<Failure>,
    pub(super) snapshots: Vec<Snapshot>,
    /// Durations to store, by their names in the baseline.
    durations: Vec<(String, Duration)>,
    /// Reason why nothing was established.
    pub(super) incomplete: Option<String>,
    /// As in [`StepReport`](super::StepReport).
    pub(super) unjudged: Option<String>,
}

impl Attempt {
    /// True if it did not time out and nothing failed, apart from snapshots that are to be replaced.
    fn holds(&self, update: Update) -> bool {
        let mut failures = self.failures.iter();
        let timed_out = matches!(self.observed.end, End::TimedOut(_));
        !timed_out && failures.all(|one| update == Update::All && one.snapshot.is_some())
    }

    /// Stores snapshots and durations, unless something failed: later results are not to be compared with a wrong one.
    fn store(&mut self, around: &mut Surroundings<'_>) {
        let update = match self.holds(around.update) {
            true => around.update,
            false => Update::Never,
        };
        for snapshot in &mut self.snapshots {
            match around.stored.update(snapshot, update) {
                Ok(true) => {
                    let name = Some(&snapshot.name);
                    self.failures
                        .retain(|failure| failure.snapshot.as_ref() != name);
                    if snapshot.state != SnapshotState::Same {
                        snapshot.state = SnapshotState::Stored;
                    }
                }
                Ok(false) if snapshot.state == SnapshotState::Missing => {
                    self.incomplete = Some(format!("The snapshot `{}` is missing.", snapshot.name));
                }
                Ok(false) => {}
                Err(error) => {
                    let words = format!(
                        "The snapshot `{}` could not be written: {error}.",
                        snapshot.name
                    );
                    self.incomplete = Some(words);
                }
            }
        }
        for (key, duration) in self.durations.drain(..) {
            if let Err(error) = around.stored.update_duration(&key, duration, update) {
                let words = format!("The baseline of the duration could not be written: {error}.");
                self.incomplete = Some(words);
            }
        }
    }
}

/// Runs a step once, with the steps that verify it. Its captures become variables, and its results are stored, if
/// everything held.
///
/// # Errors
/// A variable is not set, or its value does not fit its place.
pub(super) async fn attempt(
    step: &Step,
    session: &mut Session,
    variables: &mut Variables,
    around: &mut Surroundings<'_>,
) -> Result<Attempt, Vec<Problem>> {
    let mut attempt = run(step, session, variables, around).await?;
    attempt.store(around);
    Ok(attempt)
}

async fn run(
    step: &Step,
    session: &mut Session,
    variables: &mut Variables,
    around: &mut Surroundings<'_>,
) -> Result<Attempt, Vec<Problem>> {
    let resolved = variables.step(step)?;
    let key = step.duration_key();
    let mut attempt = once(&resolved, &key, &[], session, variables, around).await;
    if !attempt.holds(around.update) {
        if !(step.verify.is_empty() && step.captures.is_empty()) {
            attempt.unjudged = Some(NOT_REACHED.to_owned());
        }
        return Ok(attempt);
    }
    capture(&resolved, variables, &mut attempt, around.update);
    // The steps that verify it may use what it captures.
    if !attempt.holds(around.update) && !step.verify.is_empty() {
        attempt.unjudged = Some(NOT_REACHED.to_owned());
        return Ok(attempt);
    }
    for verifying in &step.verify {
        let resolved = variables.step(verifying)?;
        // The title with variables: their values may be secret.
        let title = verifying.title();
        // A tool whose name is captured is known only now.
        if let Some(reason) = around.caution.reason(&resolved, &session.connection) {
            attempt.unjudged = Some(format!("{title}: {reason}"));
            break;
        }
        let key = verifying.duration_key();
        let stored = &attempt.snapshots;
        let mut verified = once(&resolved, &key, stored, session, variables, around).await;
        capture(&resolved, variables, &mut verified, around.update);
        let failed = !verified.holds(around.update);
        if let End::TimedOut(why) = verified.observed.end {
            attempt.observed.end = End::TimedOut(format!("{title}: {why}"));
        }
        attempt
            .failures
            .extend(verified.failures.into_iter().map(|failure| Failure {
                words: format!("{title}: {}", failure.words),
                ..failure
            }));
        attempt.snapshots.extend(verified.snapshots);
        attempt.durations.extend(verified.durations);
        attempt.unjudged = attempt.unjudged.or(verified.unjudged);
        // Further steps may use what it captures.
        if failed && !verifying.captures.is_empty() {
            attempt.unjudged = Some(NOT_REACHED.to_owned());
            break;
        }
    }
    Ok(attempt)
}

/// Sends and judges the request of a step; `key` names its duration in the baseline. `snapshots` are those of the same
/// attempt so far, with which a later one of the same name is compared.
async fn once(
    step: &Step,
    key: &str,
    snapshots: &[Snapshot],
    session: &mut Session,
    variables: &Variables,
    around: &Surroundings<'_>,
) -> Attempt {
    let observed = perform(step, session, around.services).await;
    let stored = around.stored.duration(key);
    let duration = match around.update {
        // It is replaced in any case.
        Update::All if stored.is_ok() => Ok(None),
        _ => stored.clone(),
    };
    let session = &*session;
    let hide = |text: &str| session.hide(text, variables);
    let to_store = |name: &str| {
        let mut changed = snapshots.iter().rev();
        changed.find(|one| one.name == name && one.state != SnapshotState::Same)
    };
    let mut judgement = judge(
        step,
        &observed,
        &Baseline {
            snapshot: &|name| match to_store(name) {
                Some(earlier) if around.update != Update::Never => Ok(Some(earlier.text.clone())),
                _ => around.stored.snapshot(name),
            },
            duration,
            hide: &hide,
        },
    );
    for pending in std::mem::take(&mut judgement.schemas) {
        judgement
            .failures
            .extend(check_schema(pending, around.services).await);
    }
    for failure in &mut judgement.failures {
        failure.hide(&hide);
    }
    let mut attempt = Attempt {
        observed,
        failures: judgement.failures,
        snapshots: judgement.snapshots,
        ..Attempt::default()
    };
    if step.expect.duration_factor.is_some() {
        if stored == Ok(None) && around.update == Update::Never {
            attempt.unjudged = Some("There is no baseline for the duration.".to_owned());
        }
        let duration = attempt.observed.duration;
        attempt.durations = duration
            .map(|duration| (key.to_owned(), duration))
            .into_iter()
            .collect();
    }
    attempt
}

/// Checks a value against a schema of the suite.
async fn check_schema(pending: PendingSchema, services: &Services) -> Option<Failure> {
    let PendingSchema {
        span,
        path,
        schema,
        value,
    } = pending;
    let actual = match services.validator.problems(schema, value).await {
        Ok(problems) if problems.is_empty() => return None,
        Ok(problems) => {
            let problems = problems.iter();
            let problems = problems.map(|problem| problem.words());
            problems.collect::<Vec<_>>().join("; ")
        }
        Err(error) => format!("a schema that cannot be used: {error}"),
    };
    let expected = "a value that the schema permits";
    Some(Failure::new(span, &path, expected, actual))
}

/// Adds what a step captures to the variables.
fn capture(step: &Step, variables: &mut Variables, attempt: &mut Attempt, update: Update) {
    if step.captures.is_empty() || !attempt.holds(update) {
        return;
    }
    let result = match &attempt.observed.end {
        End::Result(result) => serde_json::from_str(result).unwrap_or(Value::Null),
        _ => Value::Null,
    };
    for capture in &step.captures {
        let json = part(&step.verb, capture.within, &result);
        let found = json.as_ref().map(|json| capture.from.select(json));
        let actual = match found.as_deref() {
            Some([value]) => {
                variables.set(&capture.name, (*value).clone());
                continue;
            }
            None | Some([]) => "nothing".to_owned(),
            Some(several) => format!("{} values", several.len()),
        };
        let path = format!("capture.{}", capture.name);
        let expected = variables.mask(&format!("one value at {}", capture.from));
        attempt
            .failures
            .push(Failure::new(capture.span, &path, expected, actual));
    }
}
