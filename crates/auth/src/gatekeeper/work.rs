//! One piece of work for everybody who waits.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::watch;

use super::{
    Shared, State,
    book::{Orders, Work},
    sign_in::Fresh,
};
use crate::{
    Problem,
    flow::{agent::Agent, challenge::Demand, dpop::Proofs},
    keep::Grant,
    problem::Kind,
};

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Wait for what is under way, if anything is.
    Join,
    /// Get a new token for this one, and do no more if that does not work. Early means that the old
    /// one is good yet.
    Refresh { rejected: u64, early: bool },
    /// Get a new token for this one, by signing in if need be.
    Renew { rejected: u64, demand: Demand },
    /// Sign in, since this token (0 for none) is not good enough.
    SignIn { rejected: u64, demand: Demand },
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

    /// It is a sign-in from its beginning.
    fn signs_in(&self) -> bool {
        matches!(
            self,
            Task::SignIn { .. } | Task::StepUp { .. } | Task::Wanted
        )
    }

    /// The token for which another one is wanted.
    fn rejected(&self) -> Option<u64> {
        match self {
            Task::Refresh { rejected, .. }
            | Task::Renew { rejected, .. }
            | Task::SignIn { rejected, .. } => Some(*rejected),
            _ => None,
        }
    }
}

impl Shared {
    /// Waits for the work under way, or begins this and waits for it. `true` when it came to a
    /// token.
    pub(super) async fn join_or_start(self: &Arc<Self>, task: Task) -> bool {
        let running = match self.enter(task) {
            Ok(running) => running,
            Err(signed_in) => return signed_in,
        };
        outcome(running).await
    }

    /// The work that does this: one that is under way, or a new one. `Err` when there is nothing to
    /// wait for, with whether there is a token.
    fn enter(self: &Arc<Self>, task: Task) -> Result<Work, bool> {
        let mut pages = self.book.open();
        let beside = task.is_beside() && pages.current.is_some();
        let running = match &task {
            // There is one sign-in at a time, whatever it was begun for.
            task if task.signs_in() => pages.sign_in(),
            Task::Join => pages.work.as_ref().or(pages.side.as_ref()),
            _ => None,
        };
        let running = running.or(match beside {
            true => pages.side.as_ref(),
            false => pages.work.as_ref(),
        });
        if let Some(work) = running {
            return Ok(work.clone());
        }
        // Whoever comes late finds that it is done already.
        let current = pages.current.as_ref().map(|current| current.number);
        let late = task
            .rejected()
            .is_some_and(|rejected| current.unwrap_or(0) != rejected);
        if late || matches!(task, Task::Join) || self.closing.is_cancelled() {
            return Err(current.is_some());
        }
        let (say, done) = watch::channel(None);
        let cancel = self.closing.child_token();
        let orders = Orders {
            left: Arc::default(),
            cancel,
            by_user: matches!(task, Task::Wanted),
            signs_in: Arc::new(AtomicBool::new(task.signs_in())),
        };
        let work = Work {
            done,
            orders: orders.clone(),
        };
        match beside {
            true => pages.side = Some(work.clone()),
            false => pages.work = Some(work.clone()),
        }
        drop(pages);
        self.tasks
            .spawn(Arc::clone(self).work(task, beside, say, orders));
        Ok(work)
    }

    async fn work(
        self: Arc<Self>,
        task: Task,
        beside: bool,
        say: watch::Sender<Option<bool>>,
        orders: Orders,
    ) {
        // A fault in it ends the app where panics abort; elsewhere the next one may begin.
        let _clear = Clear(&self);
        let result = tokio::select! {
            biased;
            () = orders.cancel.cancelled() => Err(cancelled()),
            result = self.perform(task, &orders) => result,
        };
        let result = match result {
            // Given out is given out: nobody's cancelling leaves it half stored.
            Ok(Some(fresh)) => {
                self.keep(fresh).await;
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(problem) => Err(problem),
        };
        {
            let mut pages = self.book.open();
            match beside {
                true => pages.side = None,
                false => pages.work = None,
            }
            let signs_in = orders.signs_in.load(Ordering::Relaxed);
            if signs_in {
                pages.waiting_for = None;
            }
            let phase = pages.rest();
            pages.phase = phase;
            if let Err(problem) = &result {
                pages.given_up |= signs_in && problem.kind != Kind::Passing;
                pages.problem = Some(problem.clone());
                if phase == State::SignedOut {
                    pages.phase = State::Failed;
                }
            }
        }
        self.show();
        let _ = say.send(Some(result.is_ok()));
    }

    /// Does it. What a sign-in came to is not in use yet.
    async fn perform(
        self: &Arc<Self>,
        task: Task,
        orders: &Orders,
    ) -> Result<Option<Fresh>, Problem> {
        match task {
            Task::Join => Ok(None),
            Task::Refresh { rejected, early } => match self.refresh(rejected, !early).await? {
                true => Ok(None),
                false => Err(Problem::new("no_refresh", "There is no refresh token.")),
            },
            Task::Renew { rejected, demand } => {
                match self.refresh(rejected, true).await {
                    Ok(true) => return Ok(None),
                    Ok(false) => {}
                    // Signing in would meet the same trouble, and the token may be good yet.
                    Err(problem) if problem.kind == Kind::Passing => return Err(problem),
                    Err(problem) => {
                        let mut pages = self.book.open();
                        pages.problem = Some(problem);
                    }
                }
                let beside = {
                    let mut pages = self.book.open();
                    orders.signs_in.store(true, Ordering::Relaxed);
                    if pages.side.is_some() {
                        pages.phase = pages.rest();
                    }
                    pages.side.clone()
                };
                match beside {
                    Some(work) => {
                        self.show();
                        match outcome(work).await {
                            true => Ok(None),
                            false => Err(cancelled()),
                        }
                    }
                    None => self.sign_in(&demand, false, orders).await.map(Some),
                }
            }
            Task::SignIn { demand, .. } => match self.find_stored().await {
                true => Ok(None),
                false => self.sign_in(&demand, false, orders).await.map(Some),
            },
            Task::StepUp { demand } => self.sign_in(&demand, true, orders).await.map(Some),
            Task::Wanted => {
                let demand = self.book.open().demand.clone();
                // What was missing before is asked for beside what is there.
                let step_up = demand.is_error("insufficient_scope");
                self.sign_in(&demand, step_up, orders).await.map(Some)
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

    /// Nothing is begun about this. `usable` when the token serves other requests all the same.
    pub(super) fn fail(&self, problem: Problem, usable: bool) {
        {
            let mut pages = self.book.open();
            pages.problem = Some(problem);
            pages.phase = match pages.rest() {
                State::SignedOut => State::Failed,
                State::SignedIn if !usable => State::Failed,
                rest => rest,
            };
        }
        self.show();
    }

    /// Everything secret in a token is hidden from now on.
    pub(super) fn learn(&self, grant: &Grant) {
        grant.secrets().for_each(|secret| self.trace.learn(secret));
    }

    /// What is needed to use a stored token: its proofs, and whether it is in memory only. Everything
    /// secret in it is hidden from now on.
    pub(super) fn take_up(&self, stored: &Grant) -> (Option<Arc<Proofs>>, bool) {
        self.learn(stored);
        let in_memory = self.vault.is_unsaved(&stored.key());
        (self.proofs_of(stored), in_memory)
    }

    /// Sends requests the way that the server's own go.
    pub(super) async fn agent(&self) -> Agent {
        Agent::new(&self.settings.server, &self.settings.network).await
    }

    fn proofs_of(&self, grant: &Grant) -> Option<Arc<Proofs>> {
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

/// Waits for work. `true` when it came to a token.
pub(super) async fn outcome(mut work: Work) -> bool {
    match work.done.wait_for(Option::is_some).await {
        Ok(outcome) => outcome.unwrap_or(false),
        // The task broke down.
        Err(_) => false,
    }
}

pub(super) fn cancelled() -> Problem {
    Problem::new("cancelled", "The sign-in was cancelled.")
        .kind(Kind::GivenUp)
        .advise("Sign in when you are ready. Waiting requests failed with the server's response.")
        .advise(
            "If the sign-in page rejected the client, sign in again: while Sonde waits for the \
             browser, it can register again.",
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
            pages.side = None;
            pages.waiting_for = None;
            pages.phase = State::Failed;
        }
    }
}
