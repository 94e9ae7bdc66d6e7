//! Refresh of a token.
//!
//! The order keeps credentials valid: take the lock that all instances of the app share, read the store again (another
//! instance may have refreshed the token), send the request, store the new token, and only then use it. Wherever the
//! process ends, the store has the newest token that any instance has received.

use std::{sync::Arc, time::Duration};

use url::Url;

use super::{
    job::cancelled,
    shared::Shared,
    state::Activity,
    token::{ActiveToken, NewToken, check_token_type},
};
use crate::{
    ClientKind, Dpop, Problem, Spec,
    flow::token::{TokenEndpoint, TokenResponse, unusable_endpoint},
    problem::ProblemKind,
    store::{Assignment, Grant},
};

/// Waits between attempts when the authorization server has a transient problem.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];

impl Shared {
    /// Gets a new token for this one. `false` if that is impossible, so that only a sign-in helps. With `patient`,
    /// waits for transient problems of the authorization server to pass.
    pub(super) async fn refresh(
        self: &Arc<Self>,
        rejected: u64,
        patient: bool,
    ) -> Result<bool, Problem> {
        let token = match self.state.token() {
            Some(token) if token.id == rejected => token,
            other => return Ok(other.is_some()),
        };
        if self.is_non_interactive() {
            return Ok(false);
        }
        self.busy(Activity::Refreshing);
        // Once the server has invalidated the old refresh token, only the new one works: it is stored even if the
        // caller gives up.
        let shared = Arc::clone(self);
        let refreshing = self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = shared.closing.cancelled() => Err(cancelled()),
                refreshed = shared.refresh_locked(token, patient) => refreshed,
            }
        });
        refreshing.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a refresh broke down");
            Err(
                Problem::new("refresh_failed", "The token could not be refreshed.")
                    .advise("Sign in again; see the app log for details."),
            )
        })
    }

    async fn refresh_locked(&self, token: ActiveToken, patient: bool) -> Result<bool, Problem> {
        let key = token.grant.key();
        let _lock = self.store.lock(&key).await;
        let stored = match self.store.grant(&key).await {
            // Another instance has signed out, and perhaps in again.
            Ok(None) if !self.store.is_indexed(&key).await => {
                match self.store.grant_for_server(&self.server).await {
                    Ok(Some(newer)) if self.matches_settings(&newer) => Some(newer),
                    _ => return Ok(false),
                }
            }
            Ok(stored) => stored.filter(|one| one.access_token != token.grant.access_token),
            Err(error) => {
                tracing::warn!(%error, "the stored token cannot be read again");
                None
            }
        };
        if let Some(stored) = stored {
            self.trace_stored("Another window or instance has already refreshed it.");
            let (stored, in_memory) = self.prepare_stored(stored);
            self.use_refreshed(&token, stored, in_memory);
            return Ok(true);
        }
        let Some(refresh_token) = token.grant.refresh_token.clone() else {
            return Ok(false);
        };
        match self.request_refresh(&token, &refresh_token, patient).await {
            Ok(response) => {
                let dpop = self.settings.sign_in.dpop;
                let grant = match refreshed_grant(&token.grant, &response, self.now(), dpop) {
                    Ok(grant) => grant,
                    Err(problem) => {
                        // Used: a server that issues a new one each time takes its reuse for theft.
                        self.drop_refresh_token(&token).await;
                        return Err(problem);
                    }
                };
                let in_memory = self.save(&grant, Assignment::KeepExisting).await;
                let signer = token.signer.clone();
                self.use_refreshed(&token, NewToken { grant, signer }, in_memory);
                Ok(true)
            }
            Err(problem) => {
                if problem.kind == ProblemKind::InvalidGrant {
                    self.drop_refresh_token(&token).await;
                }
                if problem.code == "invalid_client"
                    && token.grant.client_kind == ClientKind::Registered
                {
                    // The authorization server has forgotten the client: the next sign-in registers a new one.
                    let grant = &token.grant;
                    self.store
                        .remove_registration(&grant.issuer, &grant.resource, &grant.client_id)
                        .await;
                }
                Err(problem)
            }
        }
    }

    /// Replaces the token in use with the new one, unless the old one is no longer in use.
    fn use_refreshed(&self, old: &ActiveToken, new: NewToken, in_memory: bool) {
        if self.state.refreshed(old.id, new, in_memory) {
            self.notify();
        }
    }

    async fn request_refresh(
        &self,
        token: &ActiveToken,
        refresh_token: &str,
        patient: bool,
    ) -> Result<TokenResponse, Problem> {
        let grant = &token.grant;
        let http_client = self.http_client();
        let url = Url::parse(&grant.token_endpoint).map_err(unusable_endpoint)?;
        let client = self.client_of(grant).await;
        let endpoint = TokenEndpoint {
            http_client: &http_client,
            url: &url,
            source: self.source_of(grant),
            client: &client,
            assertion: None,
            signer: token.signer.as_deref(),
        };
        let mut pauses = RETRY_PAUSES.into_iter().filter(|_| patient);
        loop {
            let step = self.step("refresh", "Refresh the token", Spec::Refresh);
            let response = endpoint
                .request_token(
                    &step,
                    &[
                        ("grant_type", "refresh_token"),
                        ("refresh_token", refresh_token),
                        ("resource", &grant.resource),
                    ],
                )
                .await;
            let response = step.settle(response, |response| {
                match response.refresh_token {
                    Some(_) => "A new token and a new refresh token were issued.",
                    None => "A new token was issued; the refresh token stays the same.",
                }
                .to_owned()
            });
            match response {
                Err(problem) if problem.kind == ProblemKind::Transient => match pauses.next() {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err(problem),
                },
                response => return response,
            }
        }
    }

    /// Drops a refresh token that is invalid. The access token stays, since it may still work.
    async fn drop_refresh_token(&self, token: &ActiveToken) {
        let without = Grant {
            refresh_token: None,
            ..(*token.grant).clone()
        };
        // A token that another instance has stored meanwhile stays unchanged.
        let stored = self.store.grant(&token.grant.key()).await;
        let ours =
            matches!(&stored, Ok(Some(stored)) if stored.access_token == without.access_token);
        if ours
            && let Err(error) = self
                .store
                .put_grant(&without, Assignment::KeepExisting)
                .await
        {
            tracing::warn!(%error, "an invalid refresh token could not be removed");
        }
        self.state.refresh_token_dropped(token.id, without);
    }
}

/// Merges the old grant with the new response. Members that the response lacks stay (RFC 6749, section 6).
fn refreshed_grant(
    old: &Grant,
    response: &TokenResponse,
    now: u64,
    dpop: Dpop,
) -> Result<Grant, Problem> {
    let grant = Grant {
        access_token: response.access_token.expose().to_owned(),
        token_type: response.token_type.clone(),
        refresh_token: response
            .refresh_token
            .as_ref()
            .map(|token| token.expose().to_owned())
            .or_else(|| old.refresh_token.clone()),
        scopes: response
            .scopes
            .clone()
            .unwrap_or_else(|| old.scopes.clone()),
        granted_at: now,
        expires_at: response.expires_at(now),
        refreshed: old.refreshed.saturating_add(1),
        ..old.clone()
    };
    check_token_type(&grant, dpop)?;
    Ok(grant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refreshed_token_is_of_a_known_type_and_bound_where_that_is_set() {
        let grant = |dpop_key: Option<&str>| -> Grant {
            let grant = serde_json::json!({
                "server": "s", "way": "authorization_code", "issuer": "https://a.example",
                "client_id": "c", "client_kind": "registered", "client_auth": "none",
                "resource": "https://s.example", "token_endpoint": "https://a.example/token",
                "access_token": "old", "token_type": "Bearer", "scopes": [], "asked": [],
                "granted_at": 1, "refreshed": 0, "dpop_key": dpop_key,
            });
            serde_json::from_value(grant).unwrap()
        };
        for (dpop_key, token_type, dpop, expected) in [
            (None, "Bearer", Dpop::Automatic, Ok("Bearer")),
            (Some("k"), "dpop", Dpop::Always, Ok("dpop")),
            (Some("k"), "bearer", Dpop::Always, Err("not_bound")),
            (None, "DPoP", Dpop::Automatic, Err("unknown_token_type")),
            (None, "mac", Dpop::Automatic, Err("unknown_token_type")),
        ] {
            let response = TokenResponse {
                access_token: crate::Secret::new("new"),
                token_type: token_type.to_owned(),
                refresh_token: None,
                expires_in: None,
                issued_type: None,
                scopes: None,
                warnings: Vec::new(),
            };
            let refreshed = refreshed_grant(&grant(dpop_key), &response, 2, dpop);
            let found = refreshed.as_ref().map(|grant| grant.token_type.as_str());
            assert_eq!(found.map_err(|problem| problem.code), expected);
        }
    }
}
