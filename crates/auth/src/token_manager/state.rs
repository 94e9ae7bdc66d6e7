//! State of a token manager, behind one lock that is never held across an await.
//!
//! The fields are private: every change calls a method named after its event. The phase follows from these events, only
//! in [`Inner::apply`].

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sonde_wire::{ExchangeId, http::AuthRequest};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    job::{Job, JobControl, JobKind},
    snapshot::{AuthSnapshot, IssuerConfirmation, Phase, Prompt},
    token::{ActiveToken, NewToken, TokenOrigin},
};
use crate::{
    HttpExchange, Problem, Secret,
    flow::{authorization::AuthorizationRequest, challenge::ChallengeInfo},
    problem::ProblemKind,
    store::Grant,
};

/// Limit of retries with a newer token than the rejected one.
const NEWER_TOKEN_RETRIES: u32 = 2;

/// A sign-in that waits for the browser.
#[derive(Clone, Debug)]
pub(super) struct PendingSignIn {
    pub(super) prompt: Prompt,
    pub(super) authorization: Arc<AuthorizationRequest>,
    pub(super) reply: mpsc::Sender<PromptReply>,
}

/// A sign-in that waits for the user to confirm the authorization server.
#[derive(Clone, Debug)]
pub(super) struct PendingConfirmation {
    pub(super) confirmation: IssuerConfirmation,
    pub(super) reply: mpsc::Sender<()>,
}

/// A sign-in that waits for the user.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    Browser(PendingSignIn),
    Confirmation(PendingConfirmation),
}

/// Replies of the user to a waiting sign-in, besides signing in.
#[derive(Clone, Debug)]
pub(super) enum PromptReply {
    /// The address at which the browser ended.
    Pasted(Url),
    /// The page did not know this client.
    RegisterAgain,
}

/// Current work of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Discovering,
    Exchanging,
    Refreshing,
}

/// The token for a request, if available at once.
#[derive(Debug)]
pub(super) enum NextToken {
    /// The token is not loaded yet, or a job is getting another one.
    Wait,
    /// There is no token.
    None,
    /// The user wants a wrong token to be sent instead of this one.
    Wrong(u64),
    Use(ActiveToken),
}

/// Decisions about a rejected request.
#[derive(Debug)]
pub(super) enum AfterRejection {
    /// Send the request again: a newer token than the rejected one is in use.
    Retry,
    /// Report the rejection as the response.
    GiveUp,
    /// Let a job decide.
    NeedsJob,
}

/// The job that a caller waits for.
#[derive(Debug)]
pub(super) enum Entered {
    /// No job to wait for. `true` with a token.
    Nothing(bool),
    Running(Job),
    /// A new job, which the caller has to run.
    Started(Job, watch::Sender<Option<bool>>, JobSlot),
}

/// Slots of the registered jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobSlot {
    /// Requests wait for it.
    Blocking,
    /// Requests continue with the current token.
    Beside,
}

/// Events that change the phase.
enum Event {
    /// A job started this activity.
    Busy(Activity),
    /// The user is asked to act, or has opened the browser.
    Prompted,
    /// A job ended, or continues without anything to show.
    Settled,
    /// A job or a request failed. The token may still work for other requests.
    Failed { token_usable: bool },
    /// The token is gone.
    SignedOut,
    /// The task of a job panicked.
    Panicked,
}

#[derive(Debug, Default)]
struct Inner {
    /// The keyring has been read.
    loaded: bool,
    token: Option<ActiveToken>,
    /// The job that requests wait for.
    blocking: Option<Job>,
    /// A sign-in during which requests continue with the current token.
    beside: Option<Job>,
    pending: Option<Pending>,
    phase: Phase,
    problem: Option<Problem>,
    /// Number of waiting requests.
    parked: u32,
    wrong_token: bool,
    /// The last sign-in failed: only the user starts another.
    given_up: bool,
    /// The latest challenge of the server.
    challenge: ChallengeInfo,
    /// The rejection with that challenge.
    rejection: Option<HttpExchange>,
    /// The index names a stored token, but the keyring did not return it.
    withheld: bool,
    /// Secrets of running jobs.
    held: Vec<Secret>,
    /// Requests that waited for a failed job: their rejection is final.
    abandoned: HashSet<ExchangeId>,
    last_token: u64,
    last_snapshot: u64,
    last_attempt: u64,
}

impl Inner {
    /// Changes the phase; nothing else does.
    fn apply(&mut self, event: Event) {
        let resting = match (&self.pending, &self.token) {
            (Some(Pending::Browser(one)), _) if one.prompt.opened => Phase::Browser,
            (Some(Pending::Browser(_)), _) => Phase::Prompt,
            (Some(Pending::Confirmation(_)), _) => Phase::Confirmation,
            (None, Some(_)) => Phase::SignedIn,
            (None, None) => Phase::SignedOut,
        };
        self.phase = match (event, resting) {
            (Event::Busy(Activity::Discovering), _) => Phase::Discovering,
            (Event::Busy(Activity::Exchanging), _) => Phase::Exchanging,
            (Event::Busy(Activity::Refreshing), _) => Phase::Refreshing,
            (Event::Prompted | Event::Settled, resting) => resting,
            (Event::Failed { .. }, Phase::SignedOut) => Phase::Failed,
            (Event::Failed { token_usable }, Phase::SignedIn) if !token_usable => Phase::Failed,
            (Event::Failed { .. }, resting) => resting,
            (Event::SignedOut, _) => Phase::SignedOut,
            (Event::Panicked, _) => Phase::Failed,
        };
    }

    fn adopt(&mut self, new: NewToken, origin: TokenOrigin, in_memory: bool) {
        self.last_token += 1;
        self.token = Some(ActiveToken {
            id: self.last_token,
            grant: Arc::new(new.grant),
            signer: new.signer,
            origin,
            in_memory,
            expired_at: None,
            no_refresh_before: 0,
        });
        self.loaded = true;
        self.problem = None;
        self.given_up = false;
    }

    fn jobs(&self) -> impl Iterator<Item = &Job> {
        [&self.blocking, &self.beside].into_iter().flatten()
    }

    /// Returns every secret in use, each once.
    fn secrets(&self) -> Vec<Secret> {
        let mut all = self.held.clone();
        let token = self.token.iter().flat_map(|token| token.grant.secrets());
        for secret in token.map(Secret::new) {
            if !all.contains(&secret) {
                all.push(secret);
            }
        }
        all
    }

    fn token_id(&self) -> Option<u64> {
        self.token.as_ref().map(|token| token.id)
    }
}

/// The state of one token manager.
#[derive(Debug, Default)]
pub(super) struct State {
    inner: Mutex<Inner>,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every method leaves the state consistent, so a panic elsewhere damages nothing.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a snapshot for the user, under the next number.
    pub(super) fn snapshot(&self) -> AuthSnapshot {
        let mut inner = self.lock();
        inner.last_snapshot += 1;
        AuthSnapshot {
            number: inner.last_snapshot,
            phase: inner.phase,
            token: inner.token.as_ref().map(ActiveToken::info),
            prompt: match &inner.pending {
                Some(Pending::Browser(pending)) => Some(pending.prompt.clone()),
                _ => None,
            },
            confirmation: match &inner.pending {
                Some(Pending::Confirmation(pending)) => Some(pending.confirmation.clone()),
                _ => None,
            },
            problem: inner.problem.clone(),
            waiting: inner.parked,
            wrong_token: inner.wrong_token,
            secrets: inner.secrets(),
        }
    }
}

/// The token.
impl State {
    pub(super) fn is_loaded(&self) -> bool {
        self.lock().loaded
    }

    pub(super) fn token(&self) -> Option<ActiveToken> {
        self.lock().token.clone()
    }

    /// Returns the token, unless requests wait for another.
    pub(super) fn idle_token(&self) -> Option<ActiveToken> {
        let inner = self.lock();
        inner.token.clone().filter(|_| inner.blocking.is_none())
    }

    /// Returns the token for a request. A wrong token that the user requested is returned once.
    pub(super) fn next_token(&self) -> NextToken {
        let mut inner = self.lock();
        if !inner.loaded || inner.blocking.is_some() {
            return NextToken::Wait;
        }
        let Some(token) = inner.token.clone() else {
            return NextToken::None;
        };
        match std::mem::take(&mut inner.wrong_token) {
            true => NextToken::Wrong(token.id),
            false => NextToken::Use(token),
        }
    }

    /// Uses the token that the keyring returned, unless another task was faster.
    pub(super) fn loaded(&self, stored: NewToken, in_memory: bool) {
        let mut inner = self.lock();
        if !inner.loaded {
            inner.adopt(stored, TokenOrigin::Stored, in_memory);
            inner.apply(Event::Settled);
        }
    }

    /// Notes that the keyring returned no token. `withheld`: the index names a token.
    pub(super) fn nothing_loaded(&self, withheld: bool) {
        let mut inner = self.lock();
        inner.loaded = true;
        inner.withheld = withheld;
    }

    /// True if the index names a stored token, but the keyring did not return it.
    pub(super) fn is_withheld(&self) -> bool {
        self.lock().withheld
    }

    /// Uses a token from now on.
    pub(super) fn adopt(&self, new: NewToken, origin: TokenOrigin, in_memory: bool) {
        self.lock().adopt(new, origin, in_memory);
    }

    /// Uses a stored token if there is none.
    pub(super) fn adopt_if_none(&self, stored: NewToken, in_memory: bool) {
        let mut inner = self.lock();
        if inner.token.is_none() {
            inner.adopt(stored, TokenOrigin::Stored, in_memory);
        }
    }

    /// Replaces the old token with a new one. `false` if the old one is no longer in use.
    pub(super) fn refreshed(&self, old: u64, new: NewToken, in_memory: bool) -> bool {
        let mut inner = self.lock();
        if inner.token_id() != Some(old) {
            return false;
        }
        inner.adopt(new, TokenOrigin::Refresh, in_memory);
        inner.apply(Event::Settled);
        true
    }

    /// Drops the refresh token of this token. The access token stays in use.
    pub(super) fn refresh_token_dropped(&self, id: u64, without: Grant) {
        if let Some(token) = &mut self.lock().token
            && token.id == id
        {
            token.grant = Arc::new(without);
        }
    }

    /// Treats the token as expired.
    pub(super) fn expire_token(&self, now: u64) {
        if let Some(token) = &mut self.lock().token {
            token.expired_at = Some(now);
        }
    }

    /// Makes the next request get a wrong token, or stops that.
    pub(super) fn send_wrong_token(&self, wrong: bool) {
        let mut inner = self.lock();
        inner.wrong_token = wrong && inner.token.is_some();
    }

    /// Notes if the token is only in memory.
    pub(super) fn set_in_memory(&self, id: u64, in_memory: bool) {
        if let Some(token) = &mut self.lock().token
            && token.id == id
        {
            token.in_memory = in_memory;
        }
    }

    /// Signs the user out. Automatic requests do not start a sign-in right away.
    pub(super) fn sign_out(&self) -> Option<ActiveToken> {
        let mut inner = self.lock();
        inner.problem = None;
        inner.wrong_token = false;
        inner.given_up = true;
        inner.apply(Event::SignedOut);
        inner.token.take()
    }

    /// Stops using a token that was deleted elsewhere.
    pub(super) fn token_deleted(&self) {
        let mut inner = self.lock();
        inner.token = None;
        inner.given_up = true;
        inner.apply(Event::SignedOut);
    }

    /// Stops using the token if `deleted` returns true for it; returns true if it did.
    pub(super) fn drop_token_if(&self, deleted: impl FnOnce(&ActiveToken) -> bool) -> bool {
        let mut inner = self.lock();
        let drop = inner.token.as_ref().is_some_and(deleted);
        if drop {
            inner.token = None;
            inner.apply(Event::SignedOut);
        }
        drop
    }
}

/// Requests and their rejections.
impl State {
    /// Counts another waiting request.
    pub(super) fn park(&self) {
        self.lock().parked += 1;
    }

    /// Counts one waiting request less.
    pub(super) fn unpark(&self) {
        let mut inner = self.lock();
        inner.parked = inner.parked.saturating_sub(1);
    }

    /// Notes that a request waited for a job that failed. `no_refresh_before`: earliest time of the next early refresh
    /// (milliseconds since the Unix epoch).
    pub(super) fn waited_in_vain(&self, exchange: ExchangeId, no_refresh_before: u64) {
        let mut inner = self.lock();
        if let Some(token) = &mut inner.token {
            token.no_refresh_before = no_refresh_before;
        }
        // The user declined, or nothing can be done: do not try again for this request.
        if inner.given_up {
            inner.abandoned.insert(exchange);
        }
    }

    /// Decides about a request with this token that was rejected after this number of retries.
    pub(super) fn rejected(
        &self,
        request: &AuthRequest,
        token: u64,
        retries: u32,
        challenge: ChallengeInfo,
        rejection: HttpExchange,
    ) -> AfterRejection {
        let mut inner = self.lock();
        inner.challenge = challenge;
        inner.rejection = Some(rejection);
        if inner.abandoned.remove(&request.exchange) {
            return AfterRejection::GiveUp;
        }
        // Another request led to a new token while this one was running.
        let newer = inner.token_id().is_some_and(|id| id != token);
        if newer && retries <= NEWER_TOKEN_RETRIES {
            return AfterRejection::Retry;
        }
        // The user did not start this request, and signing in failed before.
        if inner.given_up && request.operation.is_none() {
            return AfterRejection::GiveUp;
        }
        AfterRejection::NeedsJob
    }

    /// Returns the latest challenge of the server.
    pub(super) fn challenge(&self) -> ChallengeInfo {
        self.lock().challenge.clone()
    }

    /// Returns the rejection that began a sign-in, once.
    pub(super) fn take_rejection(&self) -> Option<HttpExchange> {
        self.lock().rejection.take()
    }

    /// Stores the problem of a rejection that starts no job.
    pub(super) fn failed(&self, problem: Problem, token_usable: bool) {
        let mut inner = self.lock();
        inner.problem = Some(problem);
        inner.apply(Event::Failed { token_usable });
    }

    pub(super) fn problem(&self) -> Option<Problem> {
        self.lock().problem.clone()
    }
}

/// Jobs.
impl State {
    /// Starts a connect: a sign-in that the user declined may be requested again.
    pub(super) fn start_connect(&self) {
        let mut inner = self.lock();
        inner.given_up = false;
        inner.abandoned.clear();
        inner.jobs().for_each(|job| job.control.attach());
        if inner.jobs().next().is_none() {
            inner.problem = None;
            inner.apply(Event::Settled);
        }
    }

    /// Returns the running jobs.
    pub(super) fn jobs(&self) -> Vec<Job> {
        self.lock().jobs().cloned().collect()
    }

    /// Returns a job of this kind: the running one, or a new one, which `closing` ends.
    pub(super) fn enter(&self, kind: &JobKind, closing: &CancellationToken) -> Entered {
        let mut inner = self.lock();
        let slot = match kind.keeps_token() && inner.token.is_some() {
            true => JobSlot::Beside,
            false => JobSlot::Blocking,
        };
        let running = match kind {
            // There is one sign-in at a time, whatever its cause.
            kind if kind.is_sign_in() => inner.jobs().find(|job| job.control.signs_in()),
            JobKind::Join => inner.jobs().next(),
            _ => None,
        };
        let running = running.or(match slot {
            JobSlot::Beside => inner.beside.as_ref(),
            JobSlot::Blocking => inner.blocking.as_ref(),
        });
        if let Some(job) = running {
            return Entered::Running(job.clone());
        }
        // A late caller finds the work already done.
        let late = kind
            .rejected()
            .is_some_and(|rejected| inner.token_id().unwrap_or(0) != rejected);
        if late || matches!(kind, JobKind::Join) || closing.is_cancelled() {
            return Entered::Nothing(inner.token.is_some());
        }
        let (job, outcome) = Job::new(kind, closing.child_token());
        match slot {
            JobSlot::Beside => inner.beside = Some(job.clone()),
            JobSlot::Blocking => inner.blocking = Some(job.clone()),
        }
        Entered::Started(job, outcome, slot)
    }

    /// Hides a secret of a job until no job is running.
    pub(super) fn hold(&self, secret: Secret) {
        let mut inner = self.lock();
        if !inner.held.contains(&secret) {
            inner.held.push(secret);
        }
    }

    /// Notes that a job started this activity.
    pub(super) fn busy(&self, activity: Activity) {
        self.lock().apply(Event::Busy(activity));
    }

    /// Stores the problem of a failed refresh as the reason of the sign-in that follows.
    pub(super) fn refresh_failed(&self, problem: Problem) {
        self.lock().problem = Some(problem);
    }

    /// Notes that a job that blocks requests begins to sign in. Returns a sign-in that runs beside it, if any.
    pub(super) fn begin_sign_in(&self, control: &JobControl) -> Option<Job> {
        let mut inner = self.lock();
        control.begin_sign_in();
        if inner.beside.is_some() {
            inner.apply(Event::Settled);
        }
        inner.beside.clone()
    }

    /// Notes the end of a job.
    pub(super) fn job_ended(
        &self,
        slot: JobSlot,
        control: &JobControl,
        result: &Result<(), Problem>,
    ) {
        let mut inner = self.lock();
        match slot {
            JobSlot::Beside => inner.beside = None,
            JobSlot::Blocking => inner.blocking = None,
        }
        if control.signs_in() {
            if inner.beside.is_some() {
                // The job only waited for the sign-in beside it, which continues.
                return;
            }
            inner.pending = None;
        }
        if inner.jobs().next().is_none() {
            inner.held.clear();
        }
        match result {
            Ok(()) => inner.apply(Event::Settled),
            Err(problem) => {
                inner.given_up |= control.signs_in() && problem.kind != ProblemKind::Transient;
                inner.problem = Some(problem.clone());
                inner.apply(Event::Failed { token_usable: true });
            }
        }
    }

    /// Clears the jobs after a panic in a job's task, so that the next may begin.
    pub(super) fn job_panicked(&self) {
        let mut inner = self.lock();
        inner.blocking = None;
        inner.beside = None;
        inner.pending = None;
        inner.held.clear();
        inner.apply(Event::Panicked);
    }
}

/// The prompt.
impl State {
    /// Returns the number of the next sign-in that waits for the user.
    pub(super) fn next_attempt(&self) -> u64 {
        let mut inner = self.lock();
        inner.last_attempt += 1;
        inner.last_attempt
    }

    /// Stores a sign-in that waits for the user.
    pub(super) fn prompted(&self, pending: Pending) {
        let mut inner = self.lock();
        inner.pending = Some(pending);
        inner.apply(Event::Prompted);
    }

    /// Returns the sign-in of this number, if it waits for the browser.
    pub(super) fn pending(&self, attempt: u64) -> Option<PendingSignIn> {
        match self.lock().pending.clone()? {
            Pending::Browser(pending) if pending.prompt.attempt == attempt => Some(pending),
            _ => None,
        }
    }

    /// Returns the sign-in of this number, if it waits for the user's confirmation.
    pub(super) fn pending_confirmation(&self, attempt: u64) -> Option<PendingConfirmation> {
        match self.lock().pending.clone()? {
            Pending::Confirmation(pending) if pending.confirmation.attempt == attempt => {
                Some(pending)
            }
            _ => None,
        }
    }

    /// Returns the address of this sign-in for the browser; `None` if it does not wait.
    pub(super) fn open_prompt(&self, attempt: u64) -> Option<String> {
        let mut inner = self.lock();
        let Some(Pending::Browser(pending)) = &mut inner.pending else {
            return None;
        };
        if pending.prompt.attempt != attempt {
            return None;
        }
        pending.prompt.opened = true;
        let url = pending.prompt.url.clone();
        inner.apply(Event::Prompted);
        Some(url)
    }

    /// Clears the waiting sign-in.
    pub(super) fn prompt_closed(&self) {
        self.lock().pending = None;
    }
}
