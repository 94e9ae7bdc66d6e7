//! The token in use.

use std::sync::Arc;

use super::snapshot::{TokenFacts, TokenInfo};
use crate::{Dpop, Problem, Secret, Spec, flow::dpop::DpopSigner, store::Grant};

/// Origins of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenOrigin {
    /// Read from the store; an earlier run or another instance put it there.
    Stored,
    Refresh,
    SignIn,
}

/// A token that is not in use yet, with the signer of its proofs.
#[derive(Debug)]
pub(super) struct NewToken {
    pub(super) grant: Grant,
    pub(super) signer: Option<Arc<DpopSigner>>,
}

/// The token in use.
#[derive(Clone, Debug)]
pub(super) struct ActiveToken {
    /// Number of the token; counts from 1.
    pub(super) id: u64,
    pub(super) grant: Arc<Grant>,
    pub(super) signer: Option<Arc<DpopSigner>>,
    pub(super) origin: TokenOrigin,
    pub(super) in_memory: bool,
    /// Time since which the user treats it as expired, in milliseconds since the Unix epoch.
    pub(super) expired_at: Option<u64>,
    /// Earliest time of the next early refresh (milliseconds since the Unix epoch), set when one failed.
    pub(super) no_refresh_before: u64,
}

impl ActiveToken {
    /// Returns the facts about the token that may be shown.
    pub(super) fn info(&self) -> TokenInfo {
        let grant = &self.grant;
        TokenInfo {
            facts: TokenFacts {
                issuer: grant.issuer.clone(),
                resource: grant.resource.clone(),
                client_id: grant.client_id.clone(),
                client_kind: grant.client_kind,
                scopes: grant.scopes.clone(),
                token_type: if grant.is_dpop() { "DPoP" } else { "Bearer" }.to_owned(),
                granted_at: grant.granted_at,
                expires_at: self.expired_at.or(grant.expires_at),
                refreshed: grant.refreshed,
                revocable: grant.revocation_endpoint.is_some(),
            },
            access_token: Secret::new(grant.access_token.as_str()),
            refresh_token: grant.refresh_token.as_deref().map(Secret::new),
            in_memory: self.in_memory,
        }
    }
}

/// Rejects a token of an unsupported type, and one without a key where the settings demand one.
pub(super) fn check_token_type(grant: &Grant, dpop: Dpop) -> Result<(), Problem> {
    match grant.token_type.to_ascii_lowercase().as_str() {
        "bearer" if dpop == Dpop::Always => Err(Problem::new(
            "not_bound",
            "The authorization server issued a token that is not bound to a key.",
        )
        .because("`token_type` is `Bearer`, but DPoP is set to always for this server.")
        .advise("Set DPoP to automatic if that is correct.")
        .see(Spec::Dpop)),
        "bearer" => Ok(()),
        "dpop" if grant.dpop_key.is_some() => Ok(()),
        other => Err(Problem::new(
            "unknown_token_type",
            "The authorization server issued a token of an unsupported type.",
        )
        .because(format!("`token_type` is `{other}`."))
        .see(Spec::TokenRequest)),
    }
}
