//! What a gatekeeper remembers, behind one lock that is never held across an await.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use sonde_wire::ExchangeId;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::account::{Account, Phase, Prompt, Standing};
use crate::{
    Exchange, Problem, Secret,
    flow::{authorization::Authorization, challenge::Demand, dpop::Proofs},
    keep::Grant,
};

/// Where a token came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was stored, by an earlier run or another instance.
    Stored,
    Refresh,
    SignIn,
}

/// The token in use.
#[derive(Clone, Debug)]
pub(super) struct Current {
    /// Names it; counts from 1.
    pub(super) number: u64,
    pub(super) grant: Arc<Grant>,
    pub(super) proofs: Option<Arc<Proofs>>,
    pub(super) origin: Origin,
    pub(super) in_memory: bool,
    /// The user wants it to be treated as expired.
    /// Since when, in milliseconds since the Unix epoch.
    pub(super) expired: Option<u64>,
    /// It is not renewed early before this time (milliseconds since the Unix epoch), since that did
    /// not work a moment ago.
    pub(super) rest_until: u64,
}

/// What is being done for everybody who waits.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// The outcome: whether it came to a token.
    pub(super) done: watch::Receiver<Option<bool>>,
    pub(super) orders: Orders,
}

/// What a piece of work obeys.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    /// Give up.
    pub(super) cancel: CancellationToken,
    /// Do not begin to sign in: whoever it was for has gone.
    pub(super) left: Arc<AtomicBool>,
    /// The user asked for it by name, so it outlives a session.
    pub(super) by_user: bool,
    /// It has come to signing in, or waits for somebody who does.
    pub(super) signs_in: Arc<AtomicBool>,
}

impl Orders {
    /// Whoever it was for goes.
    pub(super) fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// Somebody came for whom it is worth it.
    pub(super) fn stay(&self) {
        self.left.store(false, Ordering::Relaxed);
    }
}

impl Work {
    pub(super) fn signs_in(&self) -> bool {
        self.orders.signs_in.load(Ordering::Relaxed)
    }
}

/// A sign-in that waits for the browser.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) prompt: Prompt,
    pub(super) authorization: Arc<Authorization>,
    pub(super) answer: mpsc::Sender<Reply>,
}

/// What a user does about a sign-in that waits, besides signing in.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// The address at which the browser ended.
    Pasted(Url),
    /// The page did not know this client.
    RegisterAgain,
}

#[derive(Debug, Default)]
pub(super) struct Pages {
    /// The keyring was asked.
    pub(super) loaded: bool,
    pub(super) current: Option<Current>,
    /// What requests wait for.
    pub(super) work: Option<Work>,
    /// A sign-in beside which requests go on with the present token.
    pub(super) side: Option<Work>,
    pub(super) waiting_for: Option<Waiting>,
    pub(super) phase: Phase,
    pub(super) problem: Option<Problem>,
    pub(super) parked: u32,
    pub(super) wrong_token: bool,
    /// The last sign-in came to nothing: what nobody asked for by name does not begin another.
    pub(super) given_up: bool,
    /// What the server last asked for.
    pub(super) demand: Demand,
    /// The refusal in which it did.
    pub(super) refusal: Option<Exchange>,
    /// There should be a stored token, and the keyring did not give it out.
    pub(super) withheld: bool,
    /// Requests that waited for work which failed: their refusal is final.
    pub(super) doomed: HashSet<ExchangeId>,
    tokens: u64,
    shown: u64,
    pub(super) attempts: u64,
}

impl Pages {
    /// A sign-in under way.
    pub(super) fn sign_in(&self) -> Option<&Work> {
        let mut works = [&self.work, &self.side].into_iter().flatten();
        works.find(|work| work.signs_in())
    }

    /// Everything under way.
    pub(super) fn works(&self) -> Vec<Work> {
        [&self.work, &self.side]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    /// Where it stands when nothing new happens.
    pub(super) fn rest(&self) -> Phase {
        match (&self.waiting_for, &self.current) {
            (Some(waiting), _) if waiting.prompt.opened => Phase::Browser,
            (Some(_), _) => Phase::Prompt,
            (None, Some(_)) => Phase::SignedIn,
            (None, None) => Phase::SignedOut,
        }
    }

    /// Puts a token in use.
    pub(super) fn adopt(
        &mut self,
        grant: Grant,
        proofs: Option<Arc<Proofs>>,
        origin: Origin,
        in_memory: bool,
    ) {
        self.tokens += 1;
        self.current = Some(Current {
            number: self.tokens,
            grant: Arc::new(grant),
            proofs,
            origin,
            in_memory,
            expired: None,
            rest_until: 0,
        });
        self.loaded = true;
        self.problem = None;
        self.given_up = false;
    }
}

#[derive(Debug, Default)]
pub(super) struct Book {
    pages: Mutex<Pages>,
}

impl Book {
    pub(super) fn open(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn standing(&self) -> Standing {
        let mut pages = self.open();
        pages.shown += 1;
        Standing {
            number: pages.shown,
            phase: pages.phase,
            account: pages.current.as_ref().map(account),
            prompt: pages.waiting_for.as_ref().map(|one| one.prompt.clone()),
            problem: pages.problem.clone(),
            waiting: pages.parked,
            wrong_token: pages.wrong_token,
        }
    }
}

fn account(current: &Current) -> Account {
    let grant = &current.grant;
    Account {
        issuer: grant.issuer.clone(),
        resource: grant.resource.clone(),
        client_id: grant.client_id.clone(),
        client_kind: grant.client_kind,
        scopes: grant.scopes.clone(),
        token_type: if grant.is_dpop() { "DPoP" } else { "Bearer" }.to_owned(),
        access_token: Secret::new(grant.access_token.as_str()),
        refresh_token: grant.refresh_token.as_deref().map(Secret::new),
        granted_at: grant.granted_at,
        expires_at: current.expired.or(grant.expires_at),
        refreshed: grant.refreshed,
        in_memory: current.in_memory,
        revocable: grant.revocation_endpoint.is_some(),
    }
}
