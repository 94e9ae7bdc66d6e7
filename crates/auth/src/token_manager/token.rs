//! The token in use.

use std::sync::Arc;

use super::snapshot::{TokenFacts, TokenInfo};
use crate::{Secret, flow::dpop::DpopSigner, store::Grant};

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
