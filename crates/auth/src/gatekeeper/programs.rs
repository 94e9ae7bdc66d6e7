//! Tokens without a browser: client credentials, enterprise-managed authorization, workloads.

use url::Url;

use super::{Shared, State, sign_in::Entry};
use crate::{
    ClientKind, GrantType, Problem, Secret, Spec,
    flow::{
        agent::Agent,
        client::{Client, ClientAuth},
        jwt::SigningKey,
        token::{ClientAssertion, Issued, TokenEndpoint},
    },
    trace::Step,
};

const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";

impl Shared {
    pub(super) async fn as_a_program(
        &self,
        entry: &Entry<'_>,
    ) -> Result<(Client, Issued), Problem> {
        match &self.settings.grant {
            GrantType::Browser | GrantType::ClientSecret => {
                let client = self.required_client(entry).await?;
                let issued = self.client_credentials(entry, &client, None).await?;
                Ok((client, issued))
            }
            GrantType::PrivateKey {
                key,
                algorithm,
                audience,
            } => {
                self.trace.learn(key.expose());
                let key = SigningKey::from_pem(key.expose(), algorithm.as_deref())?;
                let client = Client {
                    secret: None,
                    auth: ClientAuth::None,
                    ..self.required_client(entry).await?
                };
                let assertion = ClientAssertion {
                    key: &key,
                    audience: audience
                        .as_deref()
                        .filter(|audience| !audience.is_empty())
                        .unwrap_or(&entry.found.authority.issuer),
                    clock: &self.clock,
                };
                let issued = self
                    .client_credentials(entry, &client, Some(assertion))
                    .await?;
                Ok((client, issued))
            }
            GrantType::Enterprise {
                token_endpoint,
                client_id,
                client_secret,
                id_token,
            } => {
                let client = self.required_client(entry).await?;
                let at_idp = AtIdp {
                    token_endpoint,
                    client_id,
                    client_secret: client_secret.as_ref(),
                    id_token,
                };
                let assertion = self.exchange_at_idp(entry, &at_idp).await?;
                let issued = self
                    .bearer(entry, &client, &assertion, Spec::Enterprise)
                    .await?;
                Ok((client, issued))
            }
            GrantType::Workload { assertion } => {
                self.bind(entry, "The assertion").await?;
                // The assertion says who it is; the id is only a name for what is stored.
                let client = Client {
                    id: self.settings.client_id.clone().unwrap_or_default(),
                    secret: None,
                    kind: ClientKind::Preregistered,
                    auth: ClientAuth::None,
                };
                let nobody = Client {
                    id: String::new(),
                    ..client.clone()
                };
                let issued = self
                    .bearer(entry, &nobody, assertion, Spec::Workload)
                    .await?;
                Ok((client, issued))
            }
        }
    }

    async fn required_client(&self, entry: &Entry<'_>) -> Result<Client, Problem> {
        self.own_client(entry).await?.ok_or_else(|| {
            Problem::new(
                "client_needed",
                "This authentication method needs a client ID.",
            )
            .advise(
                "Edit the server and enter the ID of a client that is registered with the \
                 authorization server.",
            )
            .see(Spec::ClientCredentials)
        })
    }

    async fn client_credentials(
        &self,
        entry: &Entry<'_>,
        client: &Client,
        assertion: Option<ClientAssertion<'_>>,
    ) -> Result<Issued, Problem> {
        let step = Step::begin(
            &self.trace,
            "token",
            "Get a token with client credentials",
            Spec::ClientCredentials,
        );
        let scope = entry.scopes.join(" ");
        let mut params = vec![
            ("grant_type", "client_credentials"),
            ("resource", entry.found.resource.as_str()),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        let endpoint = TokenEndpoint {
            assertion,
            ..endpoint(entry, client)
        };
        self.ask(step, endpoint, &params).await
    }

    /// The identity provider vouches for the user (token exchange, RFC 8693).
    async fn exchange_at_idp(&self, entry: &Entry<'_>, idp: &AtIdp<'_>) -> Result<Secret, Problem> {
        let step = Step::begin(
            &self.trace,
            "token_exchange",
            "Get an ID-JAG from the identity provider",
            Spec::Enterprise,
        );
        self.trace.learn(idp.id_token.expose());
        let url = Url::parse(idp.token_endpoint).map_err(|error| {
            Problem::new("bad_idp", "The identity provider's URL is not valid.")
                .because(error.to_string())
                .advise("Edit the server and correct it.")
        })?;
        let client = Client {
            id: idp.client_id.to_owned(),
            secret: idp.client_secret.cloned(),
            kind: ClientKind::Preregistered,
            auth: match idp.client_secret {
                Some(_) => ClientAuth::Basic,
                None => ClientAuth::None,
            },
        };
        let scope = entry.scopes.join(" ");
        let mut params = vec![
            ("grant_type", TOKEN_EXCHANGE),
            ("requested_token_type", ID_JAG),
            ("audience", entry.found.authority.issuer.as_str()),
            ("resource", entry.found.resource.as_str()),
            ("subject_token", idp.id_token.expose()),
            ("subject_token_type", ID_TOKEN),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        // The user has typed this address; where the server is says nothing about it.
        let agent = Agent::new(&url, &self.settings.network).await;
        let endpoint = TokenEndpoint {
            agent: &agent,
            url: &url,
            client: &client,
            assertion: None,
            proofs: None,
        };
        let issued = self.ask(step, endpoint, &params).await?;
        match issued.issued_type.as_deref() {
            Some(ID_JAG) => Ok(issued.access_token),
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

    async fn bearer(
        &self,
        entry: &Entry<'_>,
        client: &Client,
        assertion: &Secret,
        spec: Spec,
    ) -> Result<Issued, Problem> {
        let step = Step::begin(
            &self.trace,
            "token",
            "Exchange the assertion for a token",
            spec,
        );
        self.trace.learn(assertion.expose());
        let scope = entry.scopes.join(" ");
        let mut params = vec![
            ("grant_type", JWT_BEARER),
            ("assertion", assertion.expose()),
            ("resource", entry.found.resource.as_str()),
        ];
        if !scope.is_empty() {
            params.push(("scope", &scope));
        }
        self.ask(step, endpoint(entry, client), &params).await
    }

    /// Asks once: none of these is worth another try by itself.
    pub(super) async fn ask(
        &self,
        step: Step,
        endpoint: TokenEndpoint<'_>,
        params: &[(&str, &str)],
    ) -> Result<Issued, Problem> {
        self.phase(State::Exchanging);
        match endpoint.ask(&step, params).await {
            Ok(issued) if issued.oddities.is_empty() => {
                step.done(summary(&issued));
                Ok(issued)
            }
            Ok(issued) => {
                step.warn(format!(
                    "{} {}",
                    summary(&issued),
                    issued.oddities.join(" ")
                ));
                Ok(issued)
            }
            Err(problem) => {
                step.fail(&problem.title);
                Err(problem)
            }
        }
    }
}

struct AtIdp<'a> {
    token_endpoint: &'a str,
    client_id: &'a str,
    client_secret: Option<&'a Secret>,
    id_token: &'a Secret,
}

pub(super) fn endpoint<'a>(entry: &'a Entry<'_>, client: &'a Client) -> TokenEndpoint<'a> {
    TokenEndpoint {
        agent: entry.agent,
        url: &entry.found.authority.token_endpoint,
        client,
        assertion: None,
        proofs: entry.proofs.as_deref(),
    }
}

fn summary(issued: &Issued) -> String {
    let life = match issued.expires_in {
        Some(seconds) => format!("valid for {seconds} s"),
        None => "valid for an unknown time".to_owned(),
    };
    let more = match issued.refresh_token {
        Some(_) => ", and a refresh token",
        None => ", and no refresh token",
    };
    format!("A token was issued, {life}{more}.")
}
