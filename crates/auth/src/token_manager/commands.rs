//! Commands of the user and of the server's sessions to a token manager.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::{
    TokenManager,
    job::{Job, JobKind},
    shared::Shared,
    state::{PendingSignIn, PromptReply},
    token::{ActiveToken, TokenOrigin},
};
use crate::{
    ClientKind, Problem, Settings, Spec,
    flow::{dpop::DpopSigner, token::TokenEndpoint},
    store::Grant,
};

/// Limit of the wait for a running refresh when the token manager closes.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

impl TokenManager {
    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Starts the connect of a session: a sign-in that the user declined may be requested again.
    pub fn start_connect(&self) {
        self.shared.state.start_connect();
    }

    /// Loads the stored token for display.
    pub async fn load(&self) {
        self.shared.load().await;
    }

    /// Starts a sign-in and returns at once; a running sign-in starts again. A running refresh continues.
    pub async fn sign_in(&self) {
        let mut sign_ins = self.shared.state.jobs();
        sign_ins.retain(|job| job.control.signs_in());
        cancel_all(sign_ins).await;
        self.shared.load().await;
        self.start_connect();
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(async move {
            shared.join_or_start(JobKind::UserSignIn).await;
        });
    }

    /// Returns the address of a sign-in, to open in the browser.
    ///
    /// # Errors
    /// If that sign-in is over.
    pub fn open_prompt(&self, attempt: u64) -> Result<String, Problem> {
        let url = self.shared.state.open_prompt(attempt);
        let url = url.ok_or_else(sign_in_over)?;
        self.shared.notify();
        Ok(url)
    }

    /// Continues a sign-in with the address at which the browser ended.
    ///
    /// # Errors
    /// If the text is not an address, or not the response to this sign-in, which then keeps waiting.
    pub fn paste_redirect(&self, attempt: u64, address: &str) -> Result<(), Problem> {
        let pending = self.pending(attempt)?;
        let url = Url::parse(address.trim()).map_err(|error| {
            Problem::new("not_an_address", "This is not a URL.")
                .because(error.to_string())
                .advise(
                    "Copy the whole URL from the browser's address bar; it starts with http://.",
                )
        })?;
        if !pending.authorization.matches_state(&url) {
            return Err(Problem::new(
                "not_the_answer",
                "This URL does not belong to this sign-in.",
            )
            .because("Its `state` is missing or different.")
            .advise("Sign in with the URL above, and copy the URL of the last page.")
            .see(Spec::State));
        }
        // A full channel already has a reply.
        let _ = pending.reply.try_send(PromptReply::Pasted(url));
        Ok(())
    }

    /// Continues a sign-in with a new registration: the page in the browser did not know this client. Requests
    /// keep waiting.
    ///
    /// # Errors
    /// If that sign-in is over, or this app did not register the client.
    pub fn register_again(&self, attempt: u64) -> Result<(), Problem> {
        let pending = self.pending(attempt)?;
        if pending.prompt.client_kind != ClientKind::Registered {
            return Err(
                Problem::new("not_registered", "Sonde has not registered this client.")
                    .advise("Correct it in the server's settings.")
                    .see(Spec::ClientRegistration),
            );
        }
        let _ = pending.reply.try_send(PromptReply::RegisterAgain);
        Ok(())
    }

    /// Continues a sign-in whose authorization server the user trusts.
    ///
    /// # Errors
    /// If that sign-in is over.
    pub fn confirm_issuer(&self, attempt: u64) -> Result<(), Problem> {
        let pending = self.shared.state.pending_confirmation(attempt);
        let pending = pending.ok_or_else(sign_in_over)?;
        // A full channel already has the confirmation.
        let _ = pending.reply.try_send(());
        Ok(())
    }

    fn pending(&self, attempt: u64) -> Result<PendingSignIn, Problem> {
        let pending = self.shared.state.pending(attempt);
        pending.ok_or_else(sign_in_over)
    }

    /// Cancels all running jobs. The result of a refresh that was already sent is still stored.
    pub async fn cancel(&self) {
        cancel_all(self.shared.state.jobs()).await;
    }

    /// Handles the end of a session: cancels a sign-in that the user did not start. A refresh continues, but does not
    /// lead to a sign-in.
    pub async fn session_ended(&self) {
        for job in self.shared.state.jobs() {
            if job.control.by_user {
                continue;
            }
            job.control.detach();
            if job.control.signs_in() {
                job.control.cancel.cancel();
                job.outcome().await;
            }
        }
    }

    /// Gets a new token now.
    ///
    /// # Errors
    /// The reason why there is no new token.
    pub async fn refresh(&self) -> Result<(), Problem> {
        self.shared.load().await;
        let token = self.shared.state.token().ok_or_else(|| {
            Problem::new("signed_out", "There is no token to refresh.").advise("Sign in first.")
        })?;
        let kind = match self.shared.is_non_interactive() {
            true => JobKind::Renew {
                rejected: token.id,
                challenge: self.shared.state.challenge(),
            },
            false if token.grant.refresh_token.is_none() => {
                return Err(Problem::new(
                    "no_refresh_token",
                    "The authorization server issued no refresh token.",
                )
                .advise("Sign in again for a new token.")
                .see(Spec::Refresh));
            }
            false => JobKind::Refresh {
                rejected: token.id,
                early: false,
            },
        };
        match self.shared.join_or_start(kind).await {
            true => Ok(()),
            false => Err(self.shared.state.problem().unwrap_or_else(|| {
                Problem::new("refresh_failed", "The token could not be refreshed.")
            })),
        }
    }

    /// Treats the token as expired.
    pub async fn expire_token(&self) {
        self.shared.load().await;
        self.shared.state.expire_token(self.shared.now());
        self.shared.notify();
    }

    /// Sends a wrong token with the next request, or stops that.
    pub async fn send_wrong_token(&self, wrong: bool) {
        self.shared.load().await;
        self.shared.state.send_wrong_token(wrong);
        self.shared.notify();
    }

    /// Deletes the token, and revokes it if the authorization server offers that.
    ///
    /// # Errors
    /// If the keyring did not delete it. It is no longer used all the same.
    pub async fn sign_out(&self) -> Result<(), Problem> {
        self.cancel().await;
        self.shared.load().await;
        let token = self.shared.state.sign_out();
        self.shared.notify();
        let store = &self.shared.store;
        let Some(token) = token else {
            // Also deletes a token for an earlier address of the server.
            let deleted = store.delete_grant_of(&self.shared.server).await;
            self.shared
                .drop_token_if(|token| token.origin == TokenOrigin::Stored);
            return deleted.map_err(not_deleted);
        };
        let key = token.grant.key();
        // The lock keeps other instances from refreshing the token meanwhile.
        let _lock = store.lock(&key).await;
        let newest = store.grant(&key).await.ok().flatten();
        let newest = newest.unwrap_or_else(|| (*token.grant).clone());
        let removed = store.remove_locked(&key).await;
        self.shared.drop_token_if(|token| token.grant.key() == key);
        self.shared.revoke(&newest, token.signer.as_deref()).await;
        removed.map_err(not_deleted)
    }

    /// Checks if the keyring has accepted the token, after an earlier refusal.
    pub fn recheck_persistence(&self) {
        if let Some(token) = self.shared.state.token() {
            let in_memory = self.shared.store.is_unsaved(&token.grant.key());
            self.shared.state.set_in_memory(token.id, in_memory);
        }
        self.shared.notify();
    }

    /// Stops using a token that was deleted elsewhere.
    pub async fn token_deleted(&self) {
        self.cancel().await;
        self.shared.state.token_deleted();
        self.shared.notify();
    }

    /// Ends all running jobs; running writes are completed.
    pub async fn close(&self) {
        for job in self.shared.state.jobs() {
            job.control.detach();
            if job.control.signs_in() {
                job.control.cancel.cancel();
            }
        }
        self.shared.tasks.close();
        if tokio::time::timeout(CLOSE_TIMEOUT, self.shared.tasks.wait())
            .await
            .is_err()
        {
            self.shared.closing.cancel();
            // A keyring may wait for a user who is gone.
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.shared.tasks.wait()).await;
        }
    }
}

/// Cancels all jobs at once, since one may wait for another.
async fn cancel_all(jobs: Vec<Job>) {
    for job in &jobs {
        job.control.cancel.cancel();
    }
    for job in jobs {
        job.outcome().await;
    }
}

impl Shared {
    /// Stops using a token that a request may have read from the keyring before it was deleted.
    fn drop_token_if(&self, deleted: impl FnOnce(&ActiveToken) -> bool) {
        if self.state.drop_token_if(deleted) {
            self.notify();
        }
    }

    /// Revokes both tokens, the longer-lived refresh token first (RFC 7009, section 2).
    async fn revoke(&self, grant: &Grant, signer: Option<&DpopSigner>) {
        let Some(endpoint) = grant.revocation_endpoint.as_deref() else {
            return;
        };
        let Ok(url) = Url::parse(endpoint) else {
            return;
        };
        let http_client = self.http_client();
        let client = self.client_of(grant).await;
        let endpoint = TokenEndpoint {
            http_client: &http_client,
            url: &url,
            source: self.source_of(grant),
            client: &client,
            assertion: None,
            signer,
        };
        let tokens = [
            (grant.refresh_token.as_deref(), "refresh_token"),
            (Some(grant.access_token.as_str()), "access_token"),
        ];
        for (token, hint) in tokens {
            let Some(token) = token else { continue };
            let what = hint.replace('_', " ");
            let step = self.step(
                "revocation",
                &format!("Revoke the {what}"),
                Spec::Revocation,
            );
            let sent = endpoint
                .post(&step, &[("token", token), ("token_type_hint", hint)])
                .await;
            match sent {
                Ok(response) if response.status.is_success() => {
                    step.done(format!("The {what} was revoked."));
                }
                Ok(response) => step.fail(format!(
                    "It returned HTTP status {}. The token is deleted here anyway.",
                    response.status.as_u16()
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

fn sign_in_over() -> Problem {
    Problem::new("sign_in_over", "This sign-in has ended.").advise("Sign in again.")
}
