//! Shared parts of all grants.

use std::sync::Arc;

use url::Url;

use super::{shared::Shared, state::Activity};
use crate::{
    Problem, Spec,
    flow::{
        address_policy::display_url,
        client::{Client, preregistered_client},
        discovery::Discovery,
        dpop::DpopSigner,
        http_client::HttpClient,
        token::{TokenEndpoint, TokenResponse},
    },
    trace::Step,
};

/// Inputs of a running sign-in.
pub(super) struct SignInContext<'a> {
    pub(super) http_client: &'a HttpClient,
    pub(super) discovery: &'a Discovery,
    pub(super) scopes: Vec<String>,
    /// Scopes of the token in use.
    pub(super) granted: Vec<String>,
    pub(super) step_up: bool,
    /// Resources of other servers that sign in to the same issuer; empty if the issuer is part of this server's site.
    pub(super) others: Vec<String>,
    pub(super) signer: Option<Arc<DpopSigner>>,
}

/// True if one host equals the other or is part of it. Names with only a common ending may belong to two owners;
/// telling them apart would take a list of the suffixes under which names are sold.
pub(super) fn is_within(server: &Url, issuer: &str) -> bool {
    let Ok(issuer) = Url::parse(issuer) else {
        return false;
    };
    let (Some(one), Some(other)) = (server.host_str(), issuer.host_str()) else {
        return false;
    };
    let is_part = |name: &str, of: &str| {
        of.contains('.')
            && name
                .strip_suffix(of)
                .is_some_and(|rest| rest.ends_with('.'))
    };
    one == other || is_part(one, other) || is_part(other, one)
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
    /// Returns the warning about an issuer that other servers use: this server may have named it to get a token for
    /// theirs.
    pub(super) fn shared_issuer_warning(&self, context: &SignInContext<'_>) -> Option<String> {
        let quoted = |text: &str| format!("`{}`", text.replace('`', "'"));
        let others = match &*context.others {
            [] => return None,
            [other] => quoted(other),
            [first, more @ ..] => format!("{} and {} more", quoted(first), more.len()),
        };
        Some(format!(
            "{} will get a token from {}, which is also used by {others} of your list. Go on only if they belong \
             together.",
            quoted(&display_url(&self.settings.server)),
            quoted(&context.discovery.auth_server.issuer),
        ))
    }

    /// Returns the only authorization server that may see the credentials that the user entered for this server
    /// (authorization, Authorization Server Binding); `None` if none may yet.
    pub(super) async fn trusted_issuer(&self) -> Option<String> {
        match &self.settings.sign_in.issuer {
            Some(issuer) => Some(issuer.clone()),
            None => self.store.client_issuer(&self.server).await,
        }
    }

    /// Makes this authorization server the only one that may see the credentials that the user entered.
    pub(super) async fn bind_issuer(&self, context: &SignInContext<'_>) -> Result<(), Problem> {
        if self.settings.sign_in.issuer.is_some() {
            return Ok(());
        }
        let issuer = &context.discovery.auth_server.issuer;
        let trusted = self.store.bind_client(&self.server, issuer).await;
        check_issuer(context, &trusted)
    }

    /// Returns the client that the user registered, if any.
    pub(super) async fn user_client(
        &self,
        context: &SignInContext<'_>,
    ) -> Result<Option<Client>, Problem> {
        let Some(id) = self
            .settings
            .sign_in
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
        let step = self.step(
            "client",
            "Use the pre-registered client",
            Spec::ClientRegistration,
        );
        let client = preregistered_client(
            id,
            self.settings.sign_in.client_secret.as_ref(),
            auth_server,
        );
        let issuer = &auth_server.issuer;
        step.done(format!("The client is `{id}`, used with `{issuer}` only."));
        Ok(Some(client))
    }

    /// Requests a token once: no grant retries by itself.
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

/// Checks that the server names the authorization server that may see the credentials that the user entered.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_belong_together_where_one_is_a_part_of_the_other() {
        let within =
            |server: &str, issuer: &str| is_within(&Url::parse(server).expect("a URL"), issuer);
        assert!(within(
            "https://example.com/mcp",
            "https://auth.example.com"
        ));
        assert!(within(
            "https://mcp.example.com/",
            "https://example.com/tenant"
        ));
        assert!(within("http://127.0.0.1:4000/mcp", "http://127.0.0.1:4001"));
        assert!(!within(
            "https://example.com.evil.org/",
            "https://example.com"
        ));
        assert!(!within("https://notexample.com/", "https://example.com"));
        assert!(!within("https://evil.com/", "https://com"));
    }
}
