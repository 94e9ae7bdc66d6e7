//! What the user does by hand.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::{
    Gatekeeper, Shared, State,
    book::{Current, Origin, Reply, Work},
    work::{Task, outcome},
};
use crate::{
    ClientKind, Problem, Settings, Spec, flow::token::TokenEndpoint, keep::Grant, trace::Step,
};

/// How long a refresh under way may take at the end.
const END: Duration = Duration::from_secs(3);

impl Gatekeeper {
    /// How it was set up.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// A connect begins: what the user said no to may be asked again.
    pub fn begin(&self) {
        let mut pages = self.shared.book.open();
        pages.given_up = false;
        pages.doomed.clear();
        for work in pages.works() {
            work.orders.stay();
        }
        if pages.works().is_empty() {
            pages.problem = None;
            pages.phase = pages.rest();
        }
    }

    /// Reads what is stored, so that it can be shown.
    pub async fn look(&self) {
        self.shared.load().await;
    }

    /// Begins to sign in and returns at once; a sign-in under way begins anew. A refresh goes on beside
    /// it.
    pub async fn sign_in(&self) {
        self.cancel_sign_ins().await;
        self.shared.load().await;
        self.begin();
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(async move {
            shared.join_or_start(Task::Wanted).await;
        });
    }

    /// The address of a sign-in, which is about to be opened.
    ///
    /// # Errors
    /// When that sign-in is over.
    pub fn open(&self, attempt: u64) -> Result<String, Problem> {
        let url = {
            let mut pages = self.shared.book.open();
            let waiting = pages
                .waiting_for
                .as_mut()
                .filter(|waiting| waiting.prompt.attempt == attempt)
                .ok_or_else(over)?;
            waiting.prompt.opened = true;
            let url = waiting.prompt.url.clone();
            pages.phase = State::Browser;
            url
        };
        self.shared.show();
        Ok(url)
    }

    /// Goes on with the address at which the browser ended.
    ///
    /// # Errors
    /// When it is none, or not the answer to this sign-in, which then goes on waiting.
    pub fn paste(&self, attempt: u64, address: &str) -> Result<(), Problem> {
        let waiting = self.shared.book.open().waiting_for.clone();
        let waiting = waiting
            .filter(|waiting| waiting.prompt.attempt == attempt)
            .ok_or_else(over)?;
        let url = Url::parse(address.trim()).map_err(|error| {
            Problem::new("not_an_address", "This is not a URL.")
                .because(error.to_string())
                .advise(
                    "Copy the whole URL from the browser's address bar; it starts with http://.",
                )
        })?;
        if !waiting.authorization.is_meant(&url) {
            return Err(Problem::new(
                "not_the_answer",
                "This URL does not belong to this sign-in.",
            )
            .because("Its `state` is missing or different.")
            .advise("Sign in with the URL above, and copy the URL of the last page.")
            .see(Spec::State));
        }
        // Full means that one came before.
        let _ = waiting.answer.try_send(Reply::Pasted(url));
        Ok(())
    }

    /// Goes on with a new registration: the page in the browser did not know this client. Requests
    /// go on waiting.
    ///
    /// # Errors
    /// When that sign-in is over, or the client is not one that this app registered.
    pub fn register_again(&self, attempt: u64) -> Result<(), Problem> {
        let waiting = self.shared.book.open().waiting_for.clone();
        let waiting = waiting
            .filter(|waiting| waiting.prompt.attempt == attempt)
            .ok_or_else(over)?;
        if waiting.prompt.client_kind != ClientKind::Registered {
            return Err(
                Problem::new("not_registered", "Sonde has not registered this client.")
                    .advise("Correct it in the server's settings.")
                    .see(Spec::ClientRegistration),
            );
        }
        let _ = waiting.answer.try_send(Reply::RegisterAgain);
        Ok(())
    }

    /// Gives up what is under way. A refresh that has been sent is stored all the same.
    pub async fn cancel(&self) {
        let works = self.works();
        for work in &works {
            work.orders.cancel.cancel();
        }
        for work in works {
            outcome(work).await;
        }
    }

    /// Whoever asked has gone: gives up a sign-in that nobody asked for by name. A refresh goes on,
    /// and does not come to a sign-in.
    pub async fn leave(&self) {
        for work in self.works() {
            if work.orders.by_user {
                continue;
            }
            work.orders.leave();
            if work.signs_in() {
                work.orders.cancel.cancel();
                outcome(work).await;
            }
        }
    }

    async fn cancel_sign_ins(&self) {
        let mut works = self.works();
        works.retain(Work::signs_in);
        // One of them may wait for the other.
        for work in &works {
            work.orders.cancel.cancel();
        }
        for work in works {
            outcome(work).await;
        }
    }

    fn works(&self) -> Vec<Work> {
        self.shared.book.open().works()
    }

    /// Gets a new token now.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn refresh(&self) -> Result<(), Problem> {
        self.shared.load().await;
        let task = {
            let pages = self.shared.book.open();
            let current = pages.current.as_ref().ok_or_else(|| {
                Problem::new("signed_out", "There is no token to refresh.").advise("Sign in first.")
            })?;
            let own = self.shared.is_programs_own();
            if current.grant.refresh_token.is_none() && !own {
                return Err(Problem::new(
                    "no_refresh_token",
                    "The authorization server issued no refresh token.",
                )
                .advise("Sign in again for a new token.")
                .see(Spec::Refresh));
            }
            match own {
                true => Task::Renew {
                    rejected: current.number,
                    demand: pages.demand.clone(),
                },
                false => Task::Refresh {
                    rejected: current.number,
                    early: false,
                },
            }
        };
        match self.shared.join_or_start(task).await {
            true => Ok(()),
            false => Err(self.shared.book.open().problem.clone().unwrap_or_else(|| {
                Problem::new("refresh_failed", "The token could not be refreshed.")
            })),
        }
    }

    /// Treats the token as expired.
    pub async fn expire(&self) {
        self.shared.load().await;
        if let Some(current) = &mut self.shared.book.open().current {
            current.expired = Some(self.shared.now());
        }
        self.shared.show();
    }

    /// Sends a wrong token with the next request, or no longer.
    pub async fn send_wrong(&self, wrong: bool) {
        self.shared.load().await;
        {
            let mut pages = self.shared.book.open();
            pages.wrong_token = wrong && pages.current.is_some();
        }
        self.shared.show();
    }

    /// Deletes the token, and tells the authorization server where that is offered.
    ///
    /// # Errors
    /// When the keyring did not delete it. It is not used any more all the same.
    pub async fn sign_out(&self) -> Result<(), Problem> {
        self.cancel().await;
        self.shared.load().await;
        let current = {
            let mut pages = self.shared.book.open();
            pages.phase = State::SignedOut;
            pages.problem = None;
            pages.wrong_token = false;
            // What goes on by itself does not bring the question back at once.
            pages.given_up = true;
            pages.current.take()
        };
        self.shared.show();
        let Some(current) = current else {
            // What is stored for another address than the present one goes as well.
            let vault = &self.shared.vault;
            let released = vault.release_grant(&self.shared.server).await;
            self.shared
                .drop_current(|current| current.origin == Origin::Stored);
            return released.map_err(not_deleted);
        };
        let key = current.grant.key();
        // Nobody renews it meanwhile.
        let _held = self.shared.vault.hold(&key).await;
        let newest = self.shared.vault.grant(&key).await.ok().flatten();
        let newest = newest.unwrap_or_else(|| (*current.grant).clone());
        let removed = self.shared.vault.remove_held(&key).await;
        self.shared
            .drop_current(|current| current.grant.key() == key);
        self.shared.revoke(&newest, current.proofs.as_deref()).await;
        removed.map_err(not_deleted)
    }

    /// The keyring may have taken what it refused before.
    pub fn look_where_it_is(&self) {
        if let Some(current) = &mut self.shared.book.open().current {
            current.in_memory = self.shared.vault.is_unsaved(&current.grant.key());
        }
        self.shared.show();
    }

    /// The token was deleted elsewhere: it is not used any more.
    pub async fn forget(&self) {
        self.cancel().await;
        {
            let mut pages = self.shared.book.open();
            pages.current = None;
            pages.given_up = true;
            pages.phase = State::SignedOut;
        }
        self.shared.show();
    }

    /// Ends everything under way; what is being stored is stored.
    pub async fn close(&self) {
        for work in self.works() {
            work.orders.leave();
            if work.signs_in() {
                work.orders.cancel.cancel();
            }
        }
        self.shared.tasks.close();
        if tokio::time::timeout(END, self.shared.tasks.wait())
            .await
            .is_err()
        {
            self.shared.closing.cancel();
            // A keyring may ask its user, who has gone.
            let _ = tokio::time::timeout(END, self.shared.tasks.wait()).await;
        }
    }
}

impl Shared {
    /// Signs out of what a request may have found in the keyring before it was deleted.
    fn drop_current(&self, deleted: impl FnOnce(&Current) -> bool) {
        {
            let mut pages = self.book.open();
            if !pages.current.as_ref().is_some_and(deleted) {
                return;
            }
            pages.current = None;
            pages.phase = State::SignedOut;
        }
        self.show();
    }

    /// Both tokens, the refresh token first: it is the one that lasts (RFC 7009, section 2).
    async fn revoke(&self, grant: &Grant, proofs: Option<&crate::flow::dpop::Proofs>) {
        let Some(endpoint) = grant.revocation_endpoint.as_deref() else {
            return;
        };
        let Ok(url) = Url::parse(endpoint) else {
            return;
        };
        let agent = self.agent().await;
        let client = grant.client();
        let endpoint = TokenEndpoint {
            agent: &agent,
            url: &url,
            client: &client,
            assertion: None,
            proofs,
        };
        let tokens = [
            (grant.refresh_token.as_deref(), "refresh_token"),
            (Some(grant.access_token.as_str()), "access_token"),
        ];
        for (token, hint) in tokens {
            let Some(token) = token else { continue };
            let what = hint.replace('_', " ");
            let step = Step::begin(
                &self.trace,
                "revocation",
                &format!("Revoke the {what}"),
                Spec::Revocation,
            );
            let sent = endpoint
                .post(&step, &[("token", token), ("token_type_hint", hint)])
                .await;
            match sent {
                Ok(answer) if answer.status.is_success() => {
                    step.done(format!("The {what} was revoked."));
                }
                Ok(answer) => step.fail(format!(
                    "It returned HTTP status {}. The token is deleted here anyway.",
                    answer.status.as_u16()
                )),
                Err(problem) => step.fail(&problem.title),
            }
        }
    }
}

fn not_deleted(error: crate::SecretError) -> Problem {
    Problem::new("not_deleted", "The keyring did not delete the token.")
        .because(error.to_string())
        .advise("Unlock the keyring and delete it in the settings under “Stored secrets”.")
}

fn over() -> Problem {
    Problem::new("sign_in_over", "This sign-in has ended.").advise("Sign in again.")
}
