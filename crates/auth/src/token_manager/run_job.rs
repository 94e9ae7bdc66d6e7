//! Running of one job for all callers that wait for it.

use std::sync::Arc;

use tokio::sync::watch;

use super::{
    job::{JobControl, JobKind, cancelled},
    shared::Shared,
    state::{Entered, JobSlot},
    token::NewToken,
};
use crate::{Problem, problem::ProblemKind};

impl Shared {
    /// Waits for the running job, or starts this one and waits for it. `true` if there is a token.
    pub(super) async fn join_or_start(self: &Arc<Self>, kind: JobKind) -> bool {
        let job = match self.state.enter(&kind, &self.closing) {
            Entered::Nothing(has_token) => return has_token,
            Entered::Running(job) => job,
            Entered::Started(job, outcome, slot) => {
                let control = job.control.clone();
                self.tasks
                    .spawn(Arc::clone(self).run_job(kind, slot, outcome, control));
                job
            }
        };
        job.outcome().await
    }

    async fn run_job(
        self: Arc<Self>,
        kind: JobKind,
        slot: JobSlot,
        outcome: watch::Sender<Option<bool>>,
        control: JobControl,
    ) {
        // After a panic in this job, the next one can start.
        let _clear = ClearOnPanic(&self);
        let result = tokio::select! {
            biased;
            () = control.cancel.cancelled() => Err(cancelled()),
            result = self.perform(kind, &control) => result,
        };
        let result = match result {
            // The authorization server has issued the token, so it is stored completely even if the job is cancelled.
            Ok(Some(new)) => {
                self.store_and_use(new).await;
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(problem) => Err(problem),
        };
        self.state.job_ended(slot, &control, &result);
        self.notify();
        let _ = outcome.send(Some(result.is_ok()));
    }

    /// Does the work of the job. A token from a sign-in is not in use yet.
    async fn perform(
        self: &Arc<Self>,
        kind: JobKind,
        control: &JobControl,
    ) -> Result<Option<NewToken>, Problem> {
        match kind {
            JobKind::Join => Ok(None),
            JobKind::Refresh { rejected, early } => match self.refresh(rejected, !early).await? {
                true => Ok(None),
                false => Err(Problem::new("no_refresh", "There is no refresh token.")),
            },
            JobKind::Renew {
                rejected,
                challenge,
            } => {
                match self.refresh(rejected, true).await {
                    Ok(true) => return Ok(None),
                    Ok(false) => {}
                    // Signing in would fail the same way, and the token may still be valid.
                    Err(problem) if problem.kind == ProblemKind::Transient => return Err(problem),
                    Err(problem) => self.state.refresh_failed(problem),
                }
                let Some(beside) = self.state.begin_sign_in(control) else {
                    return self.sign_in(&challenge, false, control).await.map(Some);
                };
                self.notify();
                match beside.outcome().await {
                    true => Ok(None),
                    false => Err(self.state.problem().unwrap_or_else(cancelled)),
                }
            }
            JobKind::SignIn { challenge, .. } => match self.adopt_stored().await {
                true => Ok(None),
                false => self.sign_in(&challenge, false, control).await.map(Some),
            },
            JobKind::StepUp { challenge } => {
                self.sign_in(&challenge, true, control).await.map(Some)
            }
            JobKind::UserSignIn => {
                let challenge = self.state.challenge();
                // A step-up requests missing scopes in addition to granted ones.
                let step_up = challenge.is_error("insufficient_scope");
                self.sign_in(&challenge, step_up, control).await.map(Some)
            }
        }
    }
}

/// Removes jobs whose task panicked.
struct ClearOnPanic<'a>(&'a Shared);

impl Drop for ClearOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state.job_panicked();
        }
    }
}
