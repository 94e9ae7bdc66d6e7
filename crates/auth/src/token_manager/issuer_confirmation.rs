//! The user's confirmation of an authorization server, before it sees the credentials that the user entered.
//!
//! In a sign-in without a user nobody checks an address, so the secret would go to any issuer that the server names.
//! Therefore the settings name the issuer, or the user confirms it once.

use std::time::Duration;

use tokio::sync::mpsc;

use super::{
    authorization_code::sign_in_needed,
    job::cancelled,
    shared::Shared,
    sign_in_context::{SignInContext, check_issuer},
    snapshot::IssuerConfirmation,
    state::{Pending, PendingConfirmation},
};
use crate::{GrantConfig, Problem, Secret, Spec, problem::ProblemKind};

/// Limit of the wait for the user.
const CONFIRMATION_TIMEOUT: Duration = Duration::from_secs(600);

impl Shared {
    /// Ensures that the user trusts the authorization server with the credentials in the settings. Asks the user if
    /// that is not known.
    pub(super) async fn confirm_issuer(&self, context: &SignInContext<'_>) -> Result<(), Problem> {
        if let Some(trusted) = self.trusted_issuer().await {
            return check_issuer(context, &trusted);
        }
        let auth_server = &context.discovery.auth_server;
        if !self.settings.with_user {
            return Err(sign_in_needed(&auth_server.issuer));
        }
        let step = self.step(
            "issuer",
            "Confirm the authorization server",
            Spec::ClientRegistration,
        );
        let (reply, mut replies) = mpsc::channel(1);
        let timeout = u64::try_from(CONFIRMATION_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
        let confirmation = IssuerConfirmation {
            attempt: self.state.next_attempt(),
            issuer: auth_server.issuer.clone(),
            token_endpoint: auth_server.token_endpoint.to_string(),
            credential: credential(&self.settings.sign_in.grant).to_owned(),
            client_id: self.settings.sign_in.client_id.clone().unwrap_or_default(),
            resource: context.discovery.resource.clone(),
            scopes: context.scopes.clone(),
            warnings: self.shared_issuer_warning(context).into_iter().collect(),
            expires_at: self.now().saturating_add(timeout),
        };
        self.state
            .prompted(Pending::Confirmation(PendingConfirmation {
                confirmation,
                reply,
            }));
        self.notify();
        let answer = match tokio::time::timeout(CONFIRMATION_TIMEOUT, replies.recv()).await {
            Ok(Some(())) => Ok(()),
            Ok(None) => Err(cancelled()),
            Err(_) => Err(Problem::new(
                "timed_out",
                "The authorization server was not confirmed within ten minutes.",
            )
            .kind(ProblemKind::Cancelled)
            .advise("Sign in when you are ready, or enter the issuer in the server's settings.")),
        };
        self.state.prompt_closed();
        step.settle(answer, |()| {
            format!("You confirmed `{}`.", auth_server.issuer)
        })?;
        self.bind_issuer(context).await
    }
}

/// Returns the credential that the authorization server would see, in words.
fn credential(grant: &GrantConfig<Secret>) -> &'static str {
    match grant {
        GrantConfig::Browser | GrantConfig::ClientSecret => "the client secret",
        GrantConfig::PrivateKey { .. } => "an assertion signed with the private key",
        GrantConfig::Enterprise { .. } => "the identity provider's assertion and the client secret",
        GrantConfig::Workload { .. } => "the workload's assertion",
    }
}
