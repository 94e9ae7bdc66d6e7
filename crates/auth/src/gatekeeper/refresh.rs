//! A new token for an old one.
//!
//! The order is what keeps credentials alive: hold the lock that all instances of the app share,
//! read the store again (somebody else may have renewed the token), ask, store what came, and only
//! then use it. Wherever the process ends, the store holds the newest token that any instance has
//! read from the network.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::{
    Shared, State,
    book::{Current, Origin},
    sign_in::Fresh,
    work::cancelled,
};
use crate::{
    ClientKind, Problem, Spec,
    flow::{
        dpop::Proofs,
        token::{Issued, TokenEndpoint},
    },
    keep::{Grant, Use},
    problem::Kind,
    trace::Step,
};

/// Waits between attempts when the authorization server has a bad moment.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];

impl Shared {
    /// Gets a new token for the one with this number. `false` when there is nothing to do it with,
    /// so that only a sign-in helps.
    /// With patience, a bad moment of the authorization server is waited out.
    pub(super) async fn refresh(
        self: &Arc<Self>,
        rejected: u64,
        patient: bool,
    ) -> Result<bool, Problem> {
        let current = self.book.open().current.clone();
        let Some(current) = current.filter(|current| current.number == rejected) else {
            return Ok(self.book.open().current.is_some());
        };
        if self.is_programs_own() {
            return Ok(false);
        }
        self.phase(State::Refreshing);
        // Once the server has taken back the old refresh token, the new one is all there is: it is
        // stored whoever gives up meanwhile.
        let shared = Arc::clone(self);
        let renewing = self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = shared.closing.cancelled() => Err(cancelled()),
                renewed = shared.renew_for_all(current, patient) => renewed,
            }
        });
        renewing.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a refresh broke down");
            Err(
                Problem::new("refresh_failed", "The token could not be refreshed.")
                    .advise("Sign in again; see the app log for details."),
            )
        })
    }

    async fn renew_for_all(&self, current: Current, patient: bool) -> Result<bool, Problem> {
        let key = current.grant.key();
        let _held = self.vault.hold(&key).await;
        let stored = match self.vault.grant(&key).await {
            // Another instance has signed out, and perhaps in again.
            Ok(None) if !self.vault.lists(&key).await => {
                match self.vault.grant_of(&self.server).await {
                    Ok(Some(newer)) if self.suits(&newer) => Some(newer),
                    _ => return Ok(false),
                }
            }
            Ok(stored) => stored.filter(|one| one.access_token != current.grant.access_token),
            Err(error) => {
                tracing::warn!(%error, "the stored token cannot be read again");
                None
            }
        };
        if let Some(stored) = stored {
            self.note_stored("Another window or instance has already refreshed it.");
            let (proofs, in_memory) = self.take_up(&stored);
            self.replace(&current, stored, proofs, in_memory);
            return Ok(true);
        }
        let Some(refresh_token) = current.grant.refresh_token.clone() else {
            return Ok(false);
        };
        match self.renew(&current, &refresh_token, patient).await {
            Ok(issued) => {
                let grant = renewed(&current.grant, &issued, self.now());
                let in_memory = self.store(&grant, Use::AsBefore).await;
                self.replace(&current, grant, current.proofs.clone(), in_memory);
                Ok(true)
            }
            Err(problem) => {
                if problem.kind == Kind::Spent {
                    self.spend(&current).await;
                }
                if problem.code == "invalid_client"
                    && current.grant.client_kind == ClientKind::Registered
                {
                    // The authorization server has forgotten it: the next sign-in registers anew.
                    let grant = &current.grant;
                    self.vault
                        .remove_registration(&grant.issuer, &grant.client_id)
                        .await;
                }
                Err(problem)
            }
        }
    }

    /// Uses the token that another instance has signed in for, if this one has none.
    pub(super) async fn find_stored(&self) -> bool {
        if self.book.open().current.is_some() {
            return false;
        }
        let Some(key) = self.vault.key_of(&self.server).await else {
            return false;
        };
        // Whoever signs out or renews it just now comes to an end first.
        let _held = self.vault.hold(&key).await;
        let stored = self.vault.grant_of(&self.server).await.ok().flatten();
        let Some(stored) = stored.filter(|one| self.suits(one)) else {
            return false;
        };
        self.note_stored("Another window or instance has already signed in.");
        let (proofs, in_memory) = self.take_up(&stored);
        let mut pages = self.book.open();
        if pages.current.is_none() {
            pages.adopt(stored, proofs, Origin::Stored, in_memory);
        }
        true
    }

    fn note_stored(&self, sentence: &str) {
        let step = Step::begin(&self.trace, "read_again", "Reload the stored token", None);
        step.done(sentence);
    }

    /// Uses a token instead of the old one, unless that is not in use any more.
    fn replace(&self, old: &Current, grant: Grant, proofs: Option<Arc<Proofs>>, in_memory: bool) {
        {
            let mut pages = self.book.open();
            if pages.current.as_ref().map(|current| current.number) != Some(old.number) {
                return;
            }
            pages.adopt(grant, proofs, Origin::Refresh, in_memory);
            pages.phase = pages.rest();
        }
        self.show();
    }

    async fn renew(
        &self,
        current: &Current,
        refresh_token: &str,
        patient: bool,
    ) -> Result<Issued, Problem> {
        let grant = &current.grant;
        let agent = self.agent().await;
        let url = Url::parse(&grant.token_endpoint).map_err(|error| {
            Problem::new(
                "unusable_address",
                "The token endpoint's URL cannot be used.",
            )
            .because(error.to_string())
        })?;
        let client = grant.client();
        let endpoint = TokenEndpoint {
            agent: &agent,
            url: &url,
            client: &client,
            assertion: None,
            proofs: current.proofs.as_deref(),
        };
        let mut pauses = PAUSES.into_iter().filter(|_| patient);
        loop {
            let step = Step::begin(&self.trace, "refresh", "Refresh the token", Spec::Refresh);
            let asked = endpoint
                .ask(
                    &step,
                    &[
                        ("grant_type", "refresh_token"),
                        ("refresh_token", refresh_token),
                        ("resource", &grant.resource),
                    ],
                )
                .await;
            let asked = step.settle(asked, |issued| {
                match issued.refresh_token {
                    Some(_) => "A new token and a new refresh token were issued.",
                    None => "A new token was issued; the refresh token stays the same.",
                }
                .to_owned()
            });
            match asked {
                Err(problem) if problem.kind == Kind::Passing => match pauses.next() {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(problem),
                },
                asked => return asked,
            }
        }
    }

    /// The refresh token is worth nothing: it is not tried again. The access token stays, it may
    /// be good for something yet.
    async fn spend(&self, current: &Current) {
        let spent = Grant {
            refresh_token: None,
            ..(*current.grant).clone()
        };
        // What somebody else has stored meanwhile is none of this.
        let stored = self.vault.grant(&current.grant.key()).await;
        let ours = matches!(&stored, Ok(Some(stored)) if stored.access_token == spent.access_token);
        if ours && let Err(error) = self.vault.put_grant(&spent, Use::AsBefore).await {
            tracing::warn!(%error, "a spent refresh token could not be removed");
        }
        let mut pages = self.book.open();
        if let Some(now) = &mut pages.current
            && now.number == current.number
        {
            now.grant = Arc::new(spent);
        }
    }

    /// Stores a token, then uses it. A refresh of the one before ends first.
    pub(super) async fn keep(&self, fresh: Fresh) {
        let Fresh { grant, proofs } = fresh;
        let _held = self.vault.hold(&grant.key()).await;
        let in_memory = self.store(&grant, Use::FromNowOn).await;
        let mut pages = self.book.open();
        pages.adopt(grant, proofs, Origin::SignIn, in_memory);
    }

    /// Stores a token. `true` when it is in memory only.
    async fn store(&self, grant: &Grant, used: Use) -> bool {
        self.learn(grant);
        let step = Step::begin(&self.trace, "saved", "Store the token", None);
        match self.vault.put_grant(grant, used).await {
            Ok(()) => {
                step.done("Stored in the keyring.");
                false
            }
            Err(error) => {
                step.warn(format!(
                    "Stored in memory until Sonde quits, because {error}."
                ));
                true
            }
        }
    }
}

/// The old grant with what the new answer says. What it does not mention stays (RFC 6749,
/// section 6).
fn renewed(old: &Grant, issued: &Issued, now: u64) -> Grant {
    Grant {
        access_token: issued.access_token.expose().to_owned(),
        token_type: issued.token_type.clone(),
        refresh_token: issued
            .refresh_token
            .as_ref()
            .map(|token| token.expose().to_owned())
            .or_else(|| old.refresh_token.clone()),
        scopes: issued.scopes.clone().unwrap_or_else(|| old.scopes.clone()),
        granted_at: now,
        expires_at: issued
            .expires_in
            .map(|seconds| now.saturating_add(seconds.saturating_mul(1_000))),
        refreshed: old.refreshed.saturating_add(1),
        ..old.clone()
    }
}
