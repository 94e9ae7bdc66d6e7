//! Credentials for requests, and the jobs that start when a server rejects them.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sonde_wire::{
    Header,
    http::{AuthRequest, Authenticator, Credentials, Rejection, RetryDecision},
};
use url::Url;

use super::{
    TokenManager,
    job::JobKind,
    shared::Shared,
    state::{AfterRejection, NextToken},
    token::{ActiveToken, TokenOrigin},
};
use crate::{
    HttpExchange, Problem, Spec,
    flow::{challenge::ChallengeInfo, scope},
};

/// Remaining lifetime at which a token is refreshed, in milliseconds; a fifth of its lifetime if that is less.
const REFRESH_MARGIN: u64 = 30_000;

/// Pause after a failed early refresh, in milliseconds.
const REFRESH_PAUSE: u64 = 30_000;

/// Limit of step-ups for one request.
const MAX_STEP_UPS: u32 = 2;

impl Authenticator for TokenManager {
    fn try_credentials(&self, request: &AuthRequest) -> Option<Credentials> {
        let token = match self.shared.state.next_token() {
            NextToken::Wait => return None,
            NextToken::None => return Some(no_credentials()),
            NextToken::Wrong(id) => {
                self.shared
                    .step("wrong_token", "Send an invalid token", None)
                    .done("Requested by you. The next request has the valid token again.");
                self.shared.notify();
                return Some(wrong_credentials(id));
            }
            NextToken::Use(token) => token,
        };
        if self.shared.refreshes_early(&token) {
            return None;
        }
        self.shared.credentials_from(&token, request)
    }

    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> BoxFuture<'a, Credentials> {
        Box::pin(async move {
            self.shared.load().await;
            if let Some(credentials) = self.try_credentials(request) {
                return credentials;
            }
            let parked = self.shared.park();
            let due = self.shared.state.idle_token();
            let kind = match due.filter(|token| self.shared.refreshes_early(token)) {
                // A client without a user gets a new token the same way as the first.
                Some(token) if self.shared.is_non_interactive() => JobKind::Renew {
                    rejected: token.id,
                    challenge: self.shared.state.challenge(),
                },
                Some(token) => JobKind::Refresh {
                    rejected: token.id,
                    early: true,
                },
                None => JobKind::Join,
            };
            let done = self.shared.join_or_start(kind).await;
            drop(parked);
            if !done {
                let later = self.shared.now().saturating_add(REFRESH_PAUSE);
                self.shared.state.waited_in_vain(request.exchange, later);
            }
            let token = self.shared.state.token();
            token
                .and_then(|token| self.shared.credentials_from(&token, request))
                .unwrap_or_else(no_credentials)
        })
    }

    fn on_rejection<'a>(
        &'a self,
        request: &'a AuthRequest,
        rejection: Rejection,
    ) -> BoxFuture<'a, RetryDecision> {
        Box::pin(async move {
            if self.shared.lacked_nonce(&rejection) {
                return RetryDecision::RetryNonce;
            }
            match self.shared.is_worth_retrying(request, rejection).await {
                true => RetryDecision::Retry,
                false => RetryDecision::GiveUp,
            }
        })
    }

    fn on_response(&self, dpop_nonce: Option<&str>) {
        let Some(nonce) = dpop_nonce else { return };
        if let Some(signer) = self.shared.state.token().and_then(|token| token.signer) {
            signer.store_nonce(&self.shared.settings.server, nonce);
        }
    }
}

impl Shared {
    /// True if a proof lacked the server's nonce, which does not reject the token (RFC 9449, section 9).
    fn lacked_nonce(&self, rejection: &Rejection) -> bool {
        let Some(nonce) = &rejection.dpop_nonce else {
            return false;
        };
        let token = self.state.token();
        let Some(signer) = token
            .filter(|token| token.id == rejection.token_id)
            .and_then(|token| token.signer)
        else {
            return false;
        };
        signer.store_nonce(&self.settings.server, nonce);
        ChallengeInfo::read(rejection).is_error("use_dpop_nonce")
    }

    /// True if the token should be refreshed before the next request, and can be without the user.
    fn refreshes_early(&self, token: &ActiveToken) -> bool {
        // Connections without a user, such as those of a diagnosis, leave the refresh token to the others.
        self.settings.with_user && self.is_due(token) && self.can_refresh(token)
    }

    /// True if the token is about to expire, or the user has expired it.
    fn is_due(&self, token: &ActiveToken) -> bool {
        let now = self.now();
        now >= token.no_refresh_before
            && (token.expired_at.is_some()
                || token.grant.expires_at.is_some_and(|expires| {
                    let life = expires.saturating_sub(token.grant.granted_at);
                    expires.saturating_sub(now) <= REFRESH_MARGIN.min(life / 5)
                }))
    }

    /// True if a new token can be requested without the user. A client without a user needs a challenge for that, which
    /// the first rejection brings: it has the scopes and the address of the metadata.
    fn can_refresh(&self, token: &ActiveToken) -> bool {
        match self.is_non_interactive() {
            true => self.state.challenge().url.is_some(),
            false => token.grant.refresh_token.is_some(),
        }
    }

    fn credentials_from(&self, token: &ActiveToken, request: &AuthRequest) -> Option<Credentials> {
        if token.expired_at.is_some() {
            // The server rejects this token as it would an expired one.
            return Some(Credentials {
                token_id: token.id,
                ..no_credentials()
            });
        }
        let access_token = &token.grant.access_token;
        let header = |name: &str, value: String| Header {
            name: name.to_owned(),
            value,
        };
        let headers = match &token.signer {
            Some(signer) if token.grant.is_dpop() => {
                let url = Url::parse(&request.url).ok()?;
                let proof = match signer.sign_proof(request.verb.name(), &url, Some(access_token)) {
                    Ok(proof) => proof,
                    Err(problem) => {
                        tracing::error!(%problem, "no proof for a token");
                        return Some(no_credentials());
                    }
                };
                vec![
                    header("Authorization", format!("DPoP {access_token}")),
                    header("DPoP", proof),
                ]
            }
            _ => vec![header("Authorization", format!("Bearer {access_token}"))],
        };
        Some(Credentials {
            token_id: token.id,
            url_bound: token.grant.is_dpop(),
            headers,
        })
    }

    /// True if the request may be sent again.
    async fn is_worth_retrying(
        self: &Arc<Self>,
        request: &AuthRequest,
        rejection: Rejection,
    ) -> bool {
        let challenge = ChallengeInfo::read(&rejection);
        match self.state.rejected(
            request,
            rejection.token_id,
            rejection.retries,
            challenge.clone(),
            exchange_of(request, &rejection),
        ) {
            AfterRejection::Retry => return true,
            AfterRejection::GiveUp => return false,
            AfterRejection::NeedsJob => {}
        }
        let kind = match rejection.status {
            403 if !challenge.is_error("insufficient_scope") => return false,
            403 => self.job_for_missing_scope(&challenge, &rejection),
            _ => self.job_for_rejected_token(challenge, &rejection),
        };
        let Some(kind) = kind else { return false };
        let _parked = self.park();
        self.join_or_start(kind).await
    }

    /// Returns the job for a 401.
    fn job_for_rejected_token(
        &self,
        challenge: ChallengeInfo,
        rejection: &Rejection,
    ) -> Option<JobKind> {
        let Some(token) = self.state.token() else {
            return Some(JobKind::SignIn {
                rejected: 0,
                challenge,
            });
        };
        // The request was rejected before, so this token was requested for it. A third token would be no better.
        let repeated = token.id == rejection.token_id && rejection.retries > 0;
        if repeated && (token.origin == TokenOrigin::SignIn || rejection.retries > 1) {
            self.fail(
                Problem::new(
                    "fresh_token_refused",
                    "The server rejects the token that was just issued for it.",
                )
                .because(match challenge.description {
                    Some(words) => format!("Message: {words}"),
                    None => "It returned HTTP 401 for a token that is seconds old.".to_owned(),
                })
                .advise(
                    "The server may not trust this authorization server, or may require \
                         another resource or scope.",
                )
                .see(Spec::TokenUse),
                false,
            );
            return None;
        }
        let rejected = token.id;
        Some(match rejection.retries {
            0 => JobKind::Renew {
                rejected,
                challenge,
            },
            _ => JobKind::SignIn {
                rejected,
                challenge,
            },
        })
    }

    /// Returns the job for a 403 that asks for more scopes: "a few" attempts, then an error (step-up
    /// authorization flow).
    fn job_for_missing_scope(
        &self,
        challenge: &ChallengeInfo,
        rejection: &Rejection,
    ) -> Option<JobKind> {
        let wanted = scope::split(challenge.scope.as_deref().unwrap_or_default());
        let token = self.state.token();
        let granted = token.map_or_else(Vec::new, |token| token.grant.scopes.clone());
        let has_all = !wanted.is_empty() && scope::beyond(&granted, &wanted).is_empty();
        if rejection.retries < MAX_STEP_UPS && !has_all {
            return Some(JobKind::StepUp {
                challenge: challenge.clone(),
            });
        }
        let (title, cause) = match has_all {
            true => (
                "The server requires scopes that the token already has.",
                format!(
                    "It requires `{}`, and the token has them.",
                    wanted.join(" ")
                ),
            ),
            false => (
                "The server keeps requiring more scopes.",
                format!("It last required `{}`.", wanted.join(" ")),
            ),
        };
        self.fail(
            Problem::new("scopes_never_enough", title)
                .because(cause)
                .advise("The server should name all scopes in one challenge.")
                .see(Spec::StepUp),
            true,
        );
        None
    }
}

/// Returns the known parts of a rejected request. Its body is in the wire log.
fn exchange_of(request: &AuthRequest, rejection: &Rejection) -> HttpExchange {
    let challenges = rejection.challenges.iter().map(|value| Header {
        name: "www-authenticate".to_owned(),
        value: value.clone(),
    });
    HttpExchange {
        method: request.verb.name().to_owned(),
        url: request.url.clone(),
        status: Some(rejection.status),
        response_headers: challenges.collect(),
        ..HttpExchange::default()
    }
}

fn no_credentials() -> Credentials {
    Credentials {
        headers: Vec::new(),
        token_id: 0,
        url_bound: false,
    }
}

/// Returns credentials with a token that no server issued.
fn wrong_credentials(token_id: u64) -> Credentials {
    Credentials {
        headers: vec![Header {
            name: "Authorization".to_owned(),
            value: "Bearer this-token-is-wrong-on-purpose".to_owned(),
        }],
        token_id,
        url_bound: false,
    }
}
