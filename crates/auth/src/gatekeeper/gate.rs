//! Passes and refusals.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sonde_wire::{
    Header, Verb,
    http::{AuthRequest, Authenticator, Credentials, Rejection, RetryDecision},
};
use url::Url;

use super::{
    Gatekeeper, Shared,
    book::{Current, Origin},
    work::Task,
};
use crate::{
    ClientKind, Dpop, Exchange, Problem, Spec,
    flow::{challenge::Demand, scope},
    keep::Grant,
    trace::Step,
};

/// A token is renewed when this much of its life is left, in milliseconds, or a fifth of it.
const MARGIN: u64 = 30_000;

/// How long an early renewal that did not work is not tried again, in milliseconds.
const REST: u64 = 30_000;

/// How often one request may ask for more scopes.
const STEP_UPS: u32 = 2;

impl Authenticator for Gatekeeper {
    fn try_credentials(&self, request: &AuthRequest) -> Option<Credentials> {
        let mut pages = self.shared.book.open();
        if !pages.loaded || pages.work.is_some() {
            return None;
        }
        let Some(current) = pages.current.clone() else {
            return Some(no_token());
        };
        if pages.wrong_token {
            pages.wrong_token = false;
            drop(pages);
            let trace = &self.shared.trace;
            Step::begin(trace, "wrong_token", "Send an invalid token", None)
                .done("Requested by you. The next request has the valid token again.");
            self.shared.show();
            return Some(wrong(current.number));
        }
        drop(pages);
        if self.shared.renews_early(&current) {
            return None;
        }
        self.shared.pass(&current, request)
    }

    fn credentials<'a>(&'a self, request: &'a AuthRequest) -> BoxFuture<'a, Credentials> {
        Box::pin(async move {
            self.shared.load().await;
            if let Some(pass) = self.try_credentials(request) {
                return pass;
            }
            let parked = self.shared.park();
            let task = {
                let pages = self.shared.book.open();
                let due = pages
                    .current
                    .as_ref()
                    .filter(|current| pages.work.is_none() && self.shared.renews_early(current));
                match due {
                    // A program gets a new token as it got the first one.
                    Some(current) if self.shared.is_programs_own() => Task::Renew {
                        rejected: current.number,
                        demand: pages.demand.clone(),
                    },
                    Some(current) => Task::Refresh {
                        rejected: current.number,
                        early: true,
                    },
                    None => Task::Join,
                }
            };
            let done = self.shared.join_or_start(task).await;
            drop(parked);
            let current = {
                let mut pages = self.shared.book.open();
                if !done {
                    let now = self.shared.now();
                    if let Some(current) = &mut pages.current {
                        current.rest_until = now.saturating_add(REST);
                    }
                    // The user has said no, or nothing can be done: not once more for this one.
                    if pages.given_up {
                        pages.doomed.insert(request.exchange);
                    }
                }
                pages.current.clone()
            };
            current
                .and_then(|current| self.shared.pass(&current, request))
                .unwrap_or_else(no_token)
        })
    }

    fn on_rejection<'a>(
        &'a self,
        request: &'a AuthRequest,
        rejection: Rejection,
    ) -> BoxFuture<'a, RetryDecision> {
        Box::pin(async move {
            if self.shared.is_for_a_nonce(&rejection) {
                return RetryDecision::RetryNonce;
            }
            match self.shared.refused(request, rejection).await {
                true => RetryDecision::Retry,
                false => RetryDecision::GiveUp,
            }
        })
    }

    fn on_response(&self, nonce: Option<&str>) {
        let Some(nonce) = nonce else { return };
        let current = self.shared.book.open().current.clone();
        if let Some(proofs) = current.and_then(|current| current.proofs) {
            proofs.nonce(&self.shared.settings.server, nonce);
        }
    }
}

impl Shared {
    /// The keyring is asked when the first requests need it, and not again.
    pub(super) async fn load(&self) {
        if self.book.open().loaded {
            return;
        }
        let stored = self.vault.grant_of(&self.server).await;
        let (grant, withheld) = match stored {
            // A locked keyring says that there is none.
            Ok(None) => (None, self.vault.uses_grant(&self.server).await),
            Ok(grant) => (grant, false),
            Err(error) => {
                tracing::warn!(server = self.server, %error, "a stored token cannot be read");
                (None, true)
            }
        };
        let grant = grant.filter(|grant| self.suits(grant));
        if let Some(grant) = grant {
            let (proofs, in_memory) = self.take_up(&grant);
            let mut pages = self.book.open();
            if !pages.loaded {
                pages.adopt(grant, proofs, Origin::Stored, in_memory);
                pages.phase = super::State::SignedIn;
            }
        } else {
            let mut pages = self.book.open();
            pages.loaded = true;
            pages.withheld = withheld;
        }
        self.show();
    }

    /// A stored token is what the present settings would lead to: the server that it goes to, who
    /// gave it out, to whom and in which way may have been edited since.
    pub(super) fn suits(&self, grant: &Grant) -> bool {
        use crate::flow::metadata::{Fit, fit};
        let settings = &self.settings;
        let named = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let client = match named(&settings.client_id) {
            Some(id) => id == grant.client_id,
            None => self.is_programs_own() || grant.client_kind != ClientKind::Preregistered,
        };
        let document = settings.metadata_url.as_deref();
        let documented = grant.client_kind != ClientKind::MetadataDocument
            || document == Some(grant.client_id.as_str());
        let bound = match settings.dpop {
            Dpop::Automatic => true,
            Dpop::Always => grant.is_dpop(),
            Dpop::Never => !grant.is_dpop(),
        };
        client
            && documented
            && bound
            && grant.way == settings.grant.name()
            && named(&settings.issuer).is_none_or(|issuer| issuer == grant.issuer)
            && fit(&grant.resource, &settings.server) != Fit::Elsewhere
    }

    /// A proof lacked the server's nonce: that is no rejection of the token (RFC 9449, section 9).
    fn is_for_a_nonce(&self, rejection: &Rejection) -> bool {
        let Some(nonce) = &rejection.dpop_nonce else {
            return false;
        };
        let current = self.book.open().current.clone();
        let Some(proofs) = current
            .filter(|current| current.number == rejection.token_id)
            .and_then(|current| current.proofs)
        else {
            return false;
        };
        proofs.nonce(&self.settings.server, nonce);
        Demand::read(&rejection.challenges).is_error("use_dpop_nonce")
    }

    /// The token is renewed before the next request, which can be done without the user.
    fn renews_early(&self, current: &Current) -> bool {
        self.is_due(current) && self.can_renew(current)
    }

    /// The token is about to expire, or the user wants it to be.
    fn is_due(&self, current: &Current) -> bool {
        let now = self.now();
        now >= current.rest_until
            && (current.expired.is_some()
                || current.grant.expires_at.is_some_and(|expires| {
                    let life = expires.saturating_sub(current.grant.granted_at);
                    expires.saturating_sub(now) <= MARGIN.min(life / 5)
                }))
    }

    /// A new token can be got without the user.
    fn can_renew(&self, current: &Current) -> bool {
        current.grant.refresh_token.is_some() || self.is_programs_own()
    }

    fn pass(&self, current: &Current, request: &AuthRequest) -> Option<Credentials> {
        if current.expired.is_some() {
            // The server refuses it, as it would a token whose time is over.
            return Some(Credentials {
                token_id: current.number,
                ..no_token()
            });
        }
        let token = &current.grant.access_token;
        let mut headers = Vec::new();
        let mut add = |name: &str, value: String| {
            headers.push(Header {
                name: name.to_owned(),
                value,
            });
        };
        match &current.proofs {
            Some(proofs) if current.grant.is_dpop() => {
                let url = Url::parse(&request.url).ok()?;
                let proof = match proofs.prove(method(request.verb), &url, Some(token)) {
                    Ok(proof) => proof,
                    Err(problem) => {
                        tracing::error!(%problem, "no proof for a token");
                        return Some(no_token());
                    }
                };
                add("Authorization", format!("DPoP {token}"));
                add("DPoP", proof);
            }
            _ => add("Authorization", format!("Bearer {token}")),
        }
        Some(Credentials {
            token_id: current.number,
            url_bound: current.grant.is_dpop(),
            headers,
        })
    }

    /// `true` when the request may be sent once more.
    async fn refused(self: &Arc<Self>, request: &AuthRequest, rejection: Rejection) -> bool {
        let demand = Demand::read(&rejection.challenges);
        {
            let mut pages = self.book.open();
            pages.demand = demand.clone();
            pages.refusal = Some(exchange(request, &rejection));
            if pages.doomed.remove(&request.exchange) {
                return false;
            }
            if let Some(current) = &pages.current {
                // Another request brought about a new token while this one was under way.
                if current.number != rejection.token_id && rejection.retries <= 2 {
                    return true;
                }
            }
            // Nobody asked for it by name, and it did not work before.
            if pages.given_up && request.call.is_none() {
                return false;
            }
        }
        let task = match rejection.status {
            403 if !demand.is_error("insufficient_scope") => return false,
            403 => match self.step_up(&demand, &rejection) {
                Some(task) => task,
                None => return false,
            },
            _ => match self.renewal(demand, &rejection) {
                Some(task) => task,
                None => return false,
            },
        };
        let _parked = self.park();
        self.join_or_start(task).await
    }

    /// What to do about a 401.
    fn renewal(&self, demand: Demand, rejection: &Rejection) -> Option<Task> {
        let pages = self.book.open();
        let Some(current) = &pages.current else {
            return Some(Task::SignIn {
                rejected: 0,
                demand,
            });
        };
        // The request was refused before, so this token was made for it. A third one would be no
        // better, wherever it comes from.
        let refused = current.number == rejection.token_id;
        if refused
            && rejection.retries > 0
            && (current.origin == Origin::SignIn || rejection.retries > 1)
        {
            drop(pages);
            self.fail(
                Problem::new(
                    "fresh_token_refused",
                    "The server rejects the token that was just issued for it.",
                )
                .because(match demand.description {
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
        Some(match rejection.retries {
            0 => Task::Renew {
                rejected: current.number,
                demand,
            },
            _ => Task::SignIn {
                rejected: current.number,
                demand,
            },
        })
    }

    /// What to do about a 403 that asks for more scopes: "a few" attempts, then an error (step-up
    /// authorization flow).
    fn step_up(&self, demand: &Demand, rejection: &Rejection) -> Option<Task> {
        let wanted = scope::split(demand.scope.as_deref().unwrap_or_default());
        let granted = {
            let pages = self.book.open();
            let current = pages.current.as_ref();
            current.map_or_else(Vec::new, |current| current.grant.scopes.clone())
        };
        let has_all = !wanted.is_empty() && wanted.iter().all(|scope| granted.contains(scope));
        if rejection.retries < STEP_UPS && !has_all {
            return Some(Task::StepUp {
                demand: demand.clone(),
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

/// What is known of a refused request here. Its body is in the wire log.
fn exchange(request: &AuthRequest, rejection: &Rejection) -> Exchange {
    let challenges = rejection.challenges.iter().map(|value| Header {
        name: "www-authenticate".to_owned(),
        value: value.clone(),
    });
    Exchange {
        method: method(request.verb).to_owned(),
        url: request.url.clone(),
        request_headers: Vec::new(),
        request_body: None,
        status: Some(rejection.status),
        response_headers: challenges.collect(),
        response_body: None,
        error: None,
    }
}

fn method(verb: Verb) -> &'static str {
    match verb {
        Verb::Post => "POST",
        Verb::Get => "GET",
        Verb::Delete => "DELETE",
    }
}

fn no_token() -> Credentials {
    Credentials {
        headers: Vec::new(),
        token_id: 0,
        url_bound: false,
    }
}

/// A token that no server gave out.
fn wrong(number: u64) -> Credentials {
    Credentials {
        headers: vec![Header {
            name: "Authorization".to_owned(),
            value: "Bearer this-token-is-wrong-on-purpose".to_owned(),
        }],
        token_id: number,
        url_bound: false,
    }
}
