//! One piece of work for everybody who waits.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Shared, State, book::Work};
use crate::{
    Problem,
    flow::{challenge::Demand, dpop::Proofs},
    keep::Grant,
    problem::Kind,
};

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Wait for what is under way, if anything is.
    Join,
    /// Get a new token for this one, and do no more if that does not work.
    Refresh { rejected: u64 },
    /// Get a new token for this one, by signing in if need be.
    Renew { rejected: u64, demand: Demand },
    /// Sign in.
    SignIn { demand: Demand },
    /// Sign in for more scopes.
    StepUp { demand: Demand },
    /// The user wants to sign in.
    Wanted,
}

impl Task {
    /// Requests with the present token go on meanwhile.
    fn is_beside(&self) -> bool {
        matches!(self, Task::StepUp { .. } | Task::Wanted)
    }
}

impl Shared {
    /// Waits for the work under way, or begins this and waits for it. `true` when it came to a
    /// token.
    pub(super) async fn join_or_start(self: &Arc<Self>, task: Task) -> bool {
        let mut done = {
            let mut pages = self.book.open();
            match &pages.work {
                Some(work) => work.done.clone(),
                None => {
                    // Whoever comes late finds that it is done already.
                    if let Task::Refresh { rejected } | Task::Renew { rejected, .. } = &task
                        && pages.current.as_ref().map(|current| current.number) != Some(*rejected)
                    {
                        return pages.current.is_some();
                    }
                    if matches!(task, Task::Join) || self.closing.is_cancelled() {
                        return pages.current.is_some();
                    }
                    let (say, done) = watch::channel(None);
                    let cancel = self.closing.child_token();
                    pages.work = Some(Work {
                        done: done.clone(),
                        beside: task.is_beside() && pages.current.is_some(),
                        cancel: cancel.clone(),
                    });
                    drop(pages);
                    self.tasks.spawn(Arc::clone(self).work(task, say, cancel));
                    done
                }
            }
        };
        match done.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.unwrap_or(false),
            // The task broke down.
            Err(_) => false,
        }
    }

    async fn work(
        self: Arc<Self>,
        task: Task,
        say: watch::Sender<Option<bool>>,
        cancel: CancellationToken,
    ) {
        // Whatever becomes of it, the next one may begin.
        let _clear = Clear(&self);
        let signs_in = !matches!(task, Task::Join | Task::Refresh { .. });
        let result = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(cancelled()),
            result = self.perform(task, &cancel) => result,
        };
        {
            let mut pages = self.book.open();
            pages.work = None;
            pages.waiting_for = None;
            match &result {
                Ok(()) => pages.phase = settled(pages.current.is_some()),
                Err(problem) => {
                    pages.given_up |= signs_in;
                    pages.problem = Some(problem.clone());
                    pages.phase = match problem.code {
                        "closed" => settled(pages.current.is_some()),
                        _ => State::Failed,
                    };
                }
            }
        }
        self.show();
        let _ = say.send(Some(result.is_ok()));
    }

    async fn perform(
        self: &Arc<Self>,
        task: Task,
        cancel: &CancellationToken,
    ) -> Result<(), Problem> {
        match task {
            Task::Join => Ok(()),
            Task::Refresh { rejected } => match self.refresh(rejected).await? {
                true => Ok(()),
                false => Err(Problem::new(
                    "no_refresh",
                    "There is no refresh token to use.",
                )),
            },
            Task::Renew { rejected, demand } => {
                match self.refresh(rejected).await {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    // Signing in would meet the same trouble, and the token may be good yet.
                    Err(problem) if problem.kind == Kind::Passing => return Err(problem),
                    Err(problem) => {
                        let mut pages = self.book.open();
                        pages.problem = Some(problem);
                    }
                }
                self.sign_in(&demand, false, cancel).await
            }
            Task::SignIn { demand } => match self.find_stored().await {
                true => Ok(()),
                false => self.sign_in(&demand, false, cancel).await,
            },
            Task::StepUp { demand } => self.sign_in(&demand, true, cancel).await,
            Task::Wanted => {
                let demand = self.book.open().demand.clone();
                self.sign_in(&demand, false, cancel).await
            }
        }
    }

    /// Says that somebody waits, until the guard is dropped.
    pub(super) fn park(self: &Arc<Self>) -> Parked {
        self.book.open().parked += 1;
        self.show();
        Parked {
            shared: Arc::clone(self),
        }
    }

    pub(super) fn phase(&self, phase: State) {
        self.book.open().phase = phase;
        self.show();
    }

    pub(super) fn fail(&self, problem: Problem) {
        {
            let mut pages = self.book.open();
            pages.problem = Some(problem);
            pages.phase = State::Failed;
        }
        self.show();
    }

    /// Everything secret in a token is hidden from now on.
    pub(super) fn learn(&self, grant: &Grant) {
        grant.secrets().for_each(|secret| self.trace.learn(secret));
    }

    pub(super) fn proofs_of(&self, grant: &Grant) -> Option<Arc<Proofs>> {
        let stored = grant.dpop_key.as_deref()?;
        match Proofs::restore(stored, Arc::clone(&self.clock)) {
            Ok(proofs) => Some(Arc::new(proofs)),
            Err(problem) => {
                tracing::warn!(%problem, "a stored key cannot be used");
                None
            }
        }
    }
}

fn settled(signed_in: bool) -> State {
    match signed_in {
        true => State::SignedIn,
        false => State::SignedOut,
    }
}

pub(super) fn cancelled() -> Problem {
    Problem::new("cancelled", "The sign-in was given up.")
        .kind(Kind::GivenUp)
        .advise("Sign in when you are ready. Requests that waited were refused.")
        .advise(
            "If the page in the browser did not know Sonde, delete its registration in the settings, \
             under stored secrets, and sign in again.",
        )
}

/// Somebody waits while this lives.
pub(super) struct Parked {
    shared: Arc<Shared>,
}

impl Drop for Parked {
    fn drop(&mut self) {
        {
            let mut pages = self.shared.book.open();
            pages.parked = pages.parked.saturating_sub(1);
        }
        self.shared.show();
    }
}

/// Takes work away that broke down.
struct Clear<'a>(&'a Shared);

impl Drop for Clear<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut pages = self.0.book.open();
            pages.work = None;
            pages.waiting_for = None;
            pages.phase = State::Failed;
        }
    }
}
