//! A token job (refresh, sign-in, step-up) shared by all waiting requests.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{Problem, flow::challenge::ChallengeInfo, problem::ProblemKind};

/// Kinds of jobs.
#[derive(Clone, Debug)]
pub(super) enum JobKind {
    /// Wait for the running job, if any.
    Join,
    /// Get a new token for this token, and stop if that fails. Early: the old token is still valid.
    Refresh { rejected: u64, early: bool },
    /// Get a new token for this token, by signing in if necessary.
    Renew {
        rejected: u64,
        challenge: ChallengeInfo,
    },
    /// Sign in, since this token (0 for none) is not sufficient.
    SignIn {
        rejected: u64,
        challenge: ChallengeInfo,
    },
    /// Sign in for more scopes.
    StepUp { challenge: ChallengeInfo },
    /// Sign in because the user wants to.
    UserSignIn,
}

impl JobKind {
    /// True if requests continue with the current token meanwhile.
    pub(super) fn keeps_token(&self) -> bool {
        matches!(self, JobKind::StepUp { .. } | JobKind::UserSignIn)
    }

    /// True if the job begins with signing in.
    pub(super) fn is_sign_in(&self) -> bool {
        matches!(
            self,
            JobKind::SignIn { .. } | JobKind::StepUp { .. } | JobKind::UserSignIn
        )
    }

    /// Returns the token to replace.
    pub(super) fn rejected(&self) -> Option<u64> {
        match self {
            JobKind::Refresh { rejected, .. }
            | JobKind::Renew { rejected, .. }
            | JobKind::SignIn { rejected, .. } => Some(*rejected),
            _ => None,
        }
    }
}

/// A running job.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The outcome: true with a token.
    outcome: watch::Receiver<Option<bool>>,
    pub(super) control: JobControl,
}

/// Controls of a running job.
#[derive(Clone, Debug)]
pub(super) struct JobControl {
    /// Cancels the job.
    pub(super) cancel: CancellationToken,
    /// Set to keep the job from signing in: the session that needed it has ended.
    unattended: Arc<AtomicBool>,
    /// The user started the job, so it outlives a session.
    pub(super) by_user: bool,
    /// The job is signing in, or waits for another job that is.
    signs_in: Arc<AtomicBool>,
}

impl Job {
    /// Creates a job that `cancel` ends, and the sender of its outcome.
    pub(super) fn new(
        kind: &JobKind,
        cancel: CancellationToken,
    ) -> (Self, watch::Sender<Option<bool>>) {
        let (sender, outcome) = watch::channel(None);
        let control = JobControl {
            cancel,
            unattended: Arc::default(),
            by_user: matches!(kind, JobKind::UserSignIn),
            signs_in: Arc::new(AtomicBool::new(kind.is_sign_in())),
        };
        (Self { outcome, control }, sender)
    }

    /// Waits for the end of the job. Returns true with a token.
    pub(super) async fn outcome(mut self) -> bool {
        match self.outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.unwrap_or(false),
            // The job's task panicked.
            Err(_) => false,
        }
    }
}

impl JobControl {
    /// Detaches the job from an ended session: the job does not begin to sign in.
    pub(super) fn detach(&self) {
        self.unattended.store(true, Ordering::Relaxed);
    }

    /// Attaches a session that needs the job (again).
    pub(super) fn attach(&self) {
        self.unattended.store(false, Ordering::Relaxed);
    }

    pub(super) fn is_unattended(&self) -> bool {
        self.unattended.load(Ordering::Relaxed)
    }

    pub(super) fn begin_sign_in(&self) {
        self.signs_in.store(true, Ordering::Relaxed);
    }

    pub(super) fn signs_in(&self) -> bool {
        self.signs_in.load(Ordering::Relaxed)
    }
}

/// Returns the problem of a job that was cancelled before it had a token.
pub(super) fn cancelled() -> Problem {
    Problem::new("cancelled", "The sign-in was cancelled.")
        .kind(ProblemKind::Cancelled)
        .advise("Sign in when you are ready. Waiting requests failed with the server's response.")
        .advise(
            "If the sign-in page rejected the client, sign in again: while Sonde waits for the \
             browser, it can register again.",
        )
}
