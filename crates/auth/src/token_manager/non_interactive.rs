//! Tokens without a browser: client credentials, enterprise-managed authorization, workloads.

use url::Url;

use super::{shared::Shared, sign_in_context::SignInContext};
use crate::{
    ClientKind, GrantConfig, Problem, Secret, Spec,
    flow::{
        address_policy::Source,
        client::{Client, ClientAuth},
        jwt::SigningKey,
        token::{ClientAssertion, TokenEndpoint, TokenResponse},
    },
};

const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";

impl Shared {
    /// Gets the client and its token without a user.
    pub(super) async fn non_interactive_grant(
        &self,
        context: &SignInContext<'_>,
    ) -> Result<(Client, TokenResponse), Problem> {
        self.confirm_issuer(context).await?;
        match &self.settings.sign_in.grant {
            GrantConfig::Browser | GrantConfig::ClientSecret => {
                let client = self.required_client(context).await?;
                let response = self.client_credentials(context, &client, None).await?;
                Ok((client, response))
            }
            GrantConfig::PrivateKey {
                key,
                algorithm,
                audience,
            } => {
                let key = SigningKey::from_pem(key.expose(), algorithm.as_deref())?;
                let client = Client {
                    secret: None,
                    auth: ClientAuth::None,
                    ..self.required_client(context).await?
                };
                let assertion = ClientAssertion {
                    key: &key,
                    audience: audience
                        .as_deref()
                        .filter(|audience| !audience.is_empty())
                        .unwrap_or(&context.discovery.auth_server.issuer),
                    clock: &self.clock,
                };
                let response = self
                    .client_credentials(context, &client, Some(assertion))
                    .await?;
                Ok((client, response))
            }
            GrantConfig::Enterprise {
                idp_token_endpoint: token_endpoint,
                idp_client_id: client_id,
                idp_client_secret: client_secret,
                id_token,
            } => {
                let client = self.required_client(context).await?;
                let known_to_idp = Client {
                    id: client_id.clone(),
                    secret: client_secret.clone(),
                    kind: ClientKind::Preregistered,
                    auth: match client_secret {
                        Some(_) => ClientAuth::Basic,
                        None => ClientAuth::None,
                    },
                };
                let assertion = self
                    .exchange_at_idp(context, token_endpoint, &known_to_idp, id_token)
                    .await?;
                let response = self
                    .jwt_bearer(context, &client, &assertion, Spec::Enterprise)
                    .await?;
                Ok((client, response))
            }
            GrantConfig::Workload { assertion } => {
                // The assertion identifies the client; this id only names the stored token.
                let id = self.settings.sign_in.client_id.as_deref();
                let client = Client::public(id.unwrap_or_default(), ClientKind::Preregistered);
                let nobody = Client::public("", ClientKind::Preregistered);
                let response = self
                    .jwt_bearer(context, &nobody, assertion, Spec::Workload)
                    .await?;
                Ok((client, response))
            }
        }
    }

    async fn required_client(&self, context: &SignInContext<'_>) -> Result<Client, Problem> {
        self.user_client(context).await?.ok_or_else(|| {
            Problem::new(
                "client_needed",
                "This authentication method needs a client ID.",
            )
            .advise(
                "Edit the server and enter the ID of a client that is registered with \
                         the authorization server.",
            )
            .see(Spec::ClientCredentials)
        })
    }

    async fn client_credentials(
        &self,
        context: &SignInContext<'_>,
        client: &Client,
        assertion: Option<ClientAssertion<'_>>,
    ) -> Result<TokenResponse, Problem> {
        let step = self.step(
            "token",
            "Get a token with client credentials",
            Spec::ClientCredentials,
        );
        let scope = context.scopes.join(" ");
        let mut params = vec![
            ("grant_type", "client_credentials"),
            ("resource", context.discovery.resource.as_str()),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        let endpoint = TokenEndpoint {
            assertion,
            ..context.token_endpoint(client)
        };
        self.request_token(step, endpoint, &params).await
    }

    /// Exchanges the user's ID token at the identity provider, which vouches for the user (token exchange, RFC 8693).
    async fn exchange_at_idp(
        &self,
        context: &SignInContext<'_>,
        token_endpoint: &str,
        client: &Client,
        id_token: &Secret,
    ) -> Result<Secret, Problem> {
        let step = self.step(
            "token_exchange",
            "Get an ID-JAG from the identity provider",
            Spec::Enterprise,
        );
        let url = Url::parse(token_endpoint).map_err(|error| {
            Problem::new("bad_idp", "The identity provider's URL is not valid.")
                .because(error.to_string())
                .advise("Edit the server and correct it.")
        })?;
        let scope = context.scopes.join(" ");
        let mut params = vec![
            ("grant_type", TOKEN_EXCHANGE),
            ("requested_token_type", ID_JAG),
            ("audience", context.discovery.auth_server.issuer.as_str()),
            ("resource", context.discovery.resource.as_str()),
            ("subject_token", id_token.expose()),
            ("subject_token_type", ID_TOKEN),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        let endpoint = TokenEndpoint {
            http_client: context.http_client,
            url: &url,
            source: Source::user(&url),
            client,
            assertion: None,
            signer: None,
        };
        let response = self.request_token(step, endpoint, &params).await?;
        match response.issued_type.as_deref() {
            Some(ID_JAG) => Ok(response.access_token),
            other => Err(Problem::new(
                "no_id_jag",
                "The identity provider issued something other than requested.",
            )
            .because(format!(
                "`issued_token_type` should be `{ID_JAG}` but is {}. It was not sent anywhere.",
                other.map_or_else(|| "missing".to_owned(), |kind| format!("`{kind}`"))
            ))
            .advise("The identity provider has to be set up for enterprise-managed authorization.")
            .see(Spec::Enterprise)),
        }
    }

    async fn jwt_bearer(
        &self,
        context: &SignInContext<'_>,
        client: &Client,
        assertion: &Secret,
        spec: Spec,
    ) -> Result<TokenResponse, Problem> {
        let step = self.step("token", "Exchange the assertion for a token", spec);
        self.hold([assertion.expose()]);
        let scope = context.scopes.join(" ");
        let mut params = vec![
            ("grant_type", JWT_BEARER),
            ("assertion", assertion.expose()),
            ("resource", context.discovery.resource.as_str()),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        self.request_token(step, context.token_endpoint(client), &params)
            .await
    }
}
