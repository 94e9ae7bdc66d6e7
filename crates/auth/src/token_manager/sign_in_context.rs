//! What the ways of signing in have in common.

use std::sync::Arc;

use super::{shared::Shared, state::Activity};
use crate::{
    Problem, Spec,
    flow::{
        client::{Client, preregistered_client},
        discovery::Discovery,
        dpop::DpopSigner,
        http_client::HttpClient,
        token::{TokenEndpoint, TokenResponse},
    },
    trace::Step,
};

/// What a sign-in under way goes by.
pub(super) struct SignInContext<'a> {
    pub(super) http_client: &'a HttpClient,
    pub(super) discovery: &'a Discovery,
    pub(super) scopes: Vec<String>,
    /// Scopes of the token in use.
    pub(super) granted: Vec<String>,
    pub(super) step_up: bool,
    pub(super) signer: Option<Arc<DpopSigner>>,
}

impl SignInContext<'_> {
    pub(super) fn token_endpoint<'a>(&'a self, client: &'a Client) -> TokenEndpoint<'a> {
        TokenEndpoint {
            http_client: self.http_client,
            url: &self.discovery.auth_server.token_endpoint,
            source: self.discovery.auth_server.source,
            client,
            assertion: None,
            signer: self.signer.as_deref(),
        }
    }
}

impl Shared {
    /// What the user has entered for this server may be seen by one authorization server alone
    /// (authorization, Authorization Server Binding).
    pub(super) async fn check_issuer_binding(
        &self,
        context: &SignInContext<'_>,
        what: &str,
    ) -> Result<(), Problem> {
        let issuer = &context.discovery.auth_server.issuer;
        let seen_by = match &self.settings.issuer {
            Some(issuer) => issuer.clone(),
            None => self.store.bind_client(&self.server, issuer).await,
        };
        match seen_by == *issuer {
            true => Ok(()),
            false => Err(Problem::new(
                "client_belongs_elsewhere",
                "The server names a different authorization server than before.",
            )
            .because(format!(
                "{what} belongs to `{seen_by}`, but the server now names `{issuer}`. Nothing \
                 was sent there."
            ))
            .advise(
                "If that is correct, enter the credentials and the issuer of the new \
                 authorization server in the server's settings.",
            )
            .see(Spec::ClientRegistration)),
        }
    }

    /// The client that the user registered, if there is one.
    pub(super) async fn user_client(
        &self,
        context: &SignInContext<'_>,
    ) -> Result<Option<Client>, Problem> {
        let Some(id) = self
            .settings
            .client_id
            .as_deref()
            .filter(|id| !id.is_empty())
        else {
            return Ok(None);
        };
        self.check_issuer_binding(context, &format!("The client `{id}`"))
            .await?;
        let auth_server = &context.discovery.auth_server;
        let step = Step::begin(
            &self.trace,
            "client",
            "Use the pre-registered client",
            Spec::ClientRegistration,
        );
        let client = preregistered_client(id, self.settings.client_secret.as_ref(), auth_server);
        let issuer = &auth_server.issuer;
        step.done(format!("The client is `{id}`, used with `{issuer}` only."));
        Ok(Some(client))
    }

    /// Asks for a token once: no way of signing in is worth another try by itself.
    pub(super) async fn request_token(
        &self,
        step: Step,
        endpoint: TokenEndpoint<'_>,
        params: &[(&str, &str)],
    ) -> Result<TokenResponse, Problem> {
        self.busy(Activity::Exchanging);
        match endpoint.request_token(&step, params).await {
            Ok(response) if response.warnings.is_empty() => {
                step.done(summary(&response));
                Ok(response)
            }
            Ok(response) => {
                step.warn(format!(
                    "{} {}",
                    summary(&response),
                    response.warnings.join(" ")
                ));
                Ok(response)
            }
            Err(problem) => {
                step.fail(&problem.title);
                Err(problem)
            }
        }
    }
}

fn summary(response: &TokenResponse) -> String {
    let life = match response.expires_in {
        Some(seconds) => format!("valid for {seconds} s"),
        None => "valid for an unknown time".to_owned(),
    };
    let more = match response.refresh_token {
        Some(_) => ", and a refresh token",
        None => ", and no refresh token",
    };
    format!("A token was issued, {life}{more}.")
}
