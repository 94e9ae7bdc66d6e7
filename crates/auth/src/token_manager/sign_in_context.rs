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
    /// The only authorization server that may see what the user has entered for this server
    /// (authorization, Authorization Server Binding); `None` while none has.
    pub(super) async fn trusted_issuer(&self) -> Option<String> {
        match &self.settings.issuer {
            Some(issuer) => Some(issuer.clone()),
            None => self.store.client_issuer(&self.server).await,
        }
    }

    /// From now on this authorization server alone may see what the user has entered.
    pub(super) async fn bind_issuer(&self, context: &SignInContext<'_>) -> Result<(), Problem> {
        if self.settings.issuer.is_some() {
            return Ok(());
        }
        let issuer = &context.discovery.auth_server.issuer;
        let trusted = self.store.bind_client(&self.server, issuer).await;
        check_issuer(context, &trusted)
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
        if let Some(trusted) = self.trusted_issuer().await {
            check_issuer(context, &trusted)?;
        }
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

/// The server names the authorization server that may see what the user has entered.
pub(super) fn check_issuer(context: &SignInContext<'_>, trusted: &str) -> Result<(), Problem> {
    let issuer = &context.discovery.auth_server.issuer;
    if trusted == issuer {
        return Ok(());
    }
    Err(Problem::new(
        "client_belongs_elsewhere",
        "The server names a different authorization server than before.",
    )
    .because(format!(
        "The credentials in the settings are for `{trusted}`, but the server now names `{issuer}`. \
         Nothing was sent there."
    ))
    .advise(
        "If that is correct, enter the credentials and the issuer of the new authorization server in \
         the server's settings.",
    )
    .see(Spec::ClientRegistration))
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
