//! Progress of a diagnosis, for its observers.

use std::sync::{Arc, Mutex};

use super::step::{Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, StepOutcome};
use crate::{
    clock,
    limits::{LINE, redact_and_cut},
    lock,
    log::WireLog,
};

/// Limits of a step's further lines, and of the characters of each.
const DETAIL: usize = 40;
const DETAIL_LINE: usize = 300;
/// Limit of advice per step, in sentences.
const FIX: usize = 10;

/// Result of a step.
pub(super) struct Verdict {
    outcome: StepOutcome,
    found: String,
    millis: Option<u64>,
    fix: Vec<String>,
    detail: Vec<String>,
}

impl Verdict {
    fn new(outcome: StepOutcome, found: impl Into<String>) -> Self {
        Self {
            outcome,
            found: found.into(),
            millis: None,
            fix: Vec::new(),
            detail: Vec::new(),
        }
    }

    pub(super) fn pass(found: impl Into<String>) -> Self {
        Self::new(StepOutcome::Pass, found)
    }

    pub(super) fn fail(found: impl Into<String>) -> Self {
        Self::new(StepOutcome::Fail, found)
    }

    pub(super) fn not_evaluated(why: impl Into<String>) -> Self {
        Self::new(StepOutcome::NotEvaluated, why)
    }

    pub(super) fn took(mut self, millis: impl Into<Option<u64>>) -> Self {
        self.millis = millis.into();
        self
    }

    pub(super) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix.push(fix.into());
        self
    }

    pub(super) fn fixes(mut self, fixes: impl IntoIterator<Item = String>) -> Self {
        self.fix.extend(fixes);
        self
    }

    pub(super) fn detail(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.detail.extend(lines);
        self
    }
}

/// Milliseconds since a reading of [`clock::micros`].
pub(super) fn since(micros: u64) -> u64 {
    clock::micros().saturating_sub(micros).div_ceil(1_000)
}

/// Records the progress of a diagnosis. Texts of a server are cut, and secrets removed.
#[derive(Clone)]
pub(super) struct Progress {
    diagnosis: Arc<Mutex<Diagnosis>>,
    changed: Arc<dyn Fn(&Diagnosis) + Send + Sync>,
    pub(super) log: Arc<WireLog>,
}

impl Progress {
    /// `changed` sees the diagnosis after each change, in order.
    pub(super) fn new(
        diagnosis: Diagnosis,
        log: Arc<WireLog>,
        changed: impl Fn(&Diagnosis) + Send + Sync + 'static,
    ) -> Self {
        Self {
            diagnosis: Arc::new(Mutex::new(diagnosis)),
            changed: Arc::new(changed),
            log,
        }
    }

    fn locked<T>(&self, work: impl FnOnce(&mut Diagnosis) -> T) -> T {
        work(&mut lock(&self.diagnosis))
    }

    fn change(&self, change: impl FnOnce(&mut Diagnosis)) {
        self.locked(|diagnosis| {
            change(diagnosis);
            (self.changed)(diagnosis);
        });
    }

    /// The diagnosis as it is now.
    pub(super) fn now(&self) -> Diagnosis {
        self.locked(|diagnosis| diagnosis.clone())
    }

    /// Marks a step as running.
    pub(super) fn begin(&self, code: DiagnosisStepCode, tried: impl AsRef<str>) {
        let tried = redact_and_cut(tried.as_ref(), LINE, &self.log);
        self.change(|diagnosis| {
            if let Some(step) = diagnosis.step_mut(code)
                && step.outcome == StepOutcome::Waiting
            {
                step.outcome = StepOutcome::Running;
                step.tried = tried;
            }
        });
    }

    /// Sets the verdict on a step, unless the step already has one.
    pub(super) fn end(&self, code: DiagnosisStepCode, verdict: Verdict) {
        self.set(code, verdict, false);
    }

    /// Sets the verdict on a step, even if the step already has one.
    pub(super) fn overrule(&self, code: DiagnosisStepCode, verdict: Verdict) {
        self.set(code, verdict, true);
    }

    fn set(&self, code: DiagnosisStepCode, verdict: Verdict, always: bool) {
        let clean = |text: &str, longest| redact_and_cut(text.trim_end(), longest, &self.log);
        let found = clean(&verdict.found, LINE);
        let fix: Vec<_> = verdict
            .fix
            .iter()
            .take(FIX)
            .map(|one| clean(one, LINE))
            .collect();
        let lines = verdict.detail.iter().filter(|line| !line.trim().is_empty());
        let detail: Vec<_> = lines
            .take(DETAIL)
            .map(|line| clean(line, DETAIL_LINE))
            .collect();
        self.change(|diagnosis| {
            if let Some(step) = diagnosis.step_mut(code)
                && (always || is_open(step))
            {
                step.outcome = verdict.outcome;
                step.found = found;
                step.millis = verdict.millis.or(step.millis);
                step.fix = fix;
                step.detail = detail;
            }
        });
    }

    /// Outcome of a step so far; `None` where the transport has no such step.
    pub(super) fn outcome(&self, code: DiagnosisStepCode) -> Option<StepOutcome> {
        self.locked(|diagnosis| Some(diagnosis.step_mut(code)?.outcome))
    }

    /// Leaves out all remaining steps, for this reason.
    pub(super) fn leave_out(&self, why: &str) {
        self.change(|diagnosis| {
            for step in diagnosis.steps.iter_mut().filter(|step| is_open(step)) {
                step.tried.clear();
                leave_out(step, why);
            }
        });
    }

    /// Fails the first open step, where the diagnosis itself failed.
    pub(super) fn break_off(&self, why: &str) {
        self.change(|diagnosis| {
            if let Some(step) = diagnosis.steps.iter_mut().find(|step| is_open(step)) {
                step.outcome = StepOutcome::Fail;
                step.found = why.to_owned();
            }
        });
    }

    /// Ends the diagnosis; open steps are skipped.
    pub(super) fn finish(&self, state: DiagnosisState, why: &str) {
        self.change(|diagnosis| {
            let steps = diagnosis.steps.iter_mut();
            steps
                .filter(|step| is_open(step))
                .for_each(|step| leave_out(step, why));
            diagnosis.state = state;
            let took = clock::millis().saturating_sub(diagnosis.began);
            diagnosis.millis = Some(took);
        });
    }
}

fn is_open(step: &DiagnosisStep) -> bool {
    matches!(step.outcome, StepOutcome::Waiting | StepOutcome::Running)
}

fn leave_out(step: &mut DiagnosisStep, why: &str) {
    step.outcome = StepOutcome::NotEvaluated;
    step.found = why.to_owned();
}
