//! Tokens through the user's browser (authorization code with PKCE).

use std::{sync::Arc, time::Duration};

use sonde_findings::{Finding, rules};
use tokio::sync::mpsc;
use url::Url;

use super::{
    job::cancelled,
    shared::Shared,
    sign_in_context::SignInContext,
    snapshot::Prompt,
    state::{Pending, PendingSignIn, PromptReply},
};
use crate::{
    ClientKind, Problem, Secret, Spec,
    flow::{
        address_policy::is_local,
        authorization::AuthorizationRequest,
        client::{Client, Registration, register},
        discovery::Discovery,
        loopback::{LoopbackListener, port_of, redirect_uri},
        scope,
        token::TokenResponse,
    },
    problem::ProblemKind,
};

/// Limit of the wait for the user.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(600);

/// Target of the browser's redirect.
struct RedirectTarget {
    uri: String,
    /// `None` if the port is not available: the user pastes the address.
    listener: Option<LoopbackListener>,
    warning: Option<String>,
}

/// Returns the problem of a sign-in or confirmation that needs a user when there is none.
pub(super) fn sign_in_needed(issuer: &str) -> Problem {
    Problem::new(
        "sign_in_needed",
        "The server requires a sign-in, and you are not signed in.",
    )
    .because(format!("Its tokens come from `{issuer}`, which answers."))
    .advise("Connect to the server: Sonde then leads you through the sign-in.")
}

impl Shared {
    /// Gets the client and its token through the browser.
    pub(super) async fn authorization_code_grant(
        self: &Arc<Self>,
        context: &SignInContext<'_>,
    ) -> Result<(Client, TokenResponse), Problem> {
        let auth_server = &context.discovery.auth_server;
        let issuer = &auth_server.issuer;
        let resource = &context.discovery.resource;
        if !self.settings.with_user {
            return Err(sign_in_needed(issuer));
        }
        loop {
            let stored = self.store.registration(issuer, resource).await;
            let redirect = self.listen(stored.as_ref()).await?;
            let client = self.client(context, &redirect.uri, stored).await?;
            let authorization = Arc::new(AuthorizationRequest::new(
                context.discovery,
                &client,
                &redirect.uri,
                &context.scopes,
                self.settings.sign_in.without_pkce_promise,
            )?);
            auth_server.source.reach(&authorization.url)?;
            self.hold([authorization.verifier.expose()]);
            let Some(answer) = self
                .wait_for_redirect(context, &client, &authorization, redirect)
                .await?
            else {
                // Only the page in the browser reports an unknown client, and only the user sees it.
                self.store
                    .remove_registration(issuer, resource, &client.id)
                    .await;
                continue;
            };
            let code = self.check_redirect(&authorization, &answer)?;
            let response = self
                .exchange_code(context, &client, &authorization, &code)
                .await?;
            return Ok((client, response));
        }
    }

    /// Opens the target of the browser's redirect: on the port that the user chose, else on the port of a stored
    /// registration, else on any port.
    async fn listen(&self, stored: Option<&Registration>) -> Result<RedirectTarget, Problem> {
        if let Some(port) = self.settings.sign_in.redirect_port {
            return Ok(match LoopbackListener::bind(port).await {
                Ok(listener) => RedirectTarget {
                    uri: listener.redirect_uri(),
                    listener: Some(listener),
                    warning: None,
                },
                Err(problem) => RedirectTarget {
                    uri: redirect_uri(port),
                    listener: None,
                    warning: Some(format!(
                        "{} Paste the URL at which the browser ends here.",
                        problem.title
                    )),
                },
            });
        }
        let known = stored.and_then(|registration| port_of(registration.redirect_uri.as_deref()?));
        let listener = match known {
            Some(port) => match LoopbackListener::bind(port).await {
                Ok(listener) => listener,
                Err(_) => LoopbackListener::bind(0).await?,
            },
            None => LoopbackListener::bind(0).await?,
        };
        Ok(RedirectTarget {
            uri: listener.redirect_uri(),
            listener: Some(listener),
            warning: None,
        })
    }

    /// Returns the client for this issuer, in the order of the specification (client registration).
    async fn client(
        &self,
        context: &SignInContext<'_>,
        redirect_uri: &str,
        stored: Option<Registration>,
    ) -> Result<Client, Problem> {
        if let Some(client) = self.user_client(context).await? {
            return Ok(client);
        }
        let Discovery {
            resource,
            auth_server,
            ..
        } = context.discovery;
        let metadata = auth_server.metadata.as_ref();
        let documents =
            metadata.is_some_and(|metadata| metadata.client_id_metadata_document_supported);
        if let Some(url) = self
            .settings
            .sign_in
            .metadata_url
            .as_deref()
            .filter(|_| documents)
        {
            let step = self.step(
                "client",
                "Use the client ID metadata document",
                Spec::MetadataDocument,
            );
            step.done(format!("The client is `{url}`."));
            return Ok(Client::public(url, ClientKind::MetadataDocument));
        }
        if let Some(registration) = stored.filter(|one| one.fits(redirect_uri, self.now())) {
            let step = self.step(
                "client",
                "Use the stored registration",
                Spec::DynamicRegistration,
            );
            self.hold(registration.client_secret.as_deref());
            step.done(format!("The client is `{}`.", registration.client_id));
            self.store
                .use_registration(&self.server, &auth_server.issuer, resource)
                .await;
            return Ok(registration.client());
        }
        let Some(endpoint) = &auth_server.registration_endpoint else {
            let step = self.step("client", "Register a client", Spec::ClientRegistration);
            if !documents {
                step.add_finding(Finding::new(&rules::NO_REGISTRATION));
            }
            let problem = client_needed(&auth_server.issuer, documents, redirect_uri);
            step.fail(&problem.title);
            return Err(problem);
        };
        let registration = register(
            context.http_client,
            &self.trace,
            auth_server,
            endpoint,
            redirect_uri,
        )
        .await?;
        self.hold(registration.client_secret.as_deref());
        self.store
            .put_registration(&self.server, &auth_server.issuer, resource, &registration)
            .await;
        Ok(registration.client())
    }

    /// Shows the address and waits for the browser's response; `None` when the client should be
    /// registered again.
    async fn wait_for_redirect(
        self: &Arc<Self>,
        context: &SignInContext<'_>,
        client: &Client,
        authorization: &Arc<AuthorizationRequest>,
        redirect: RedirectTarget,
    ) -> Result<Option<Url>, Problem> {
        let step = self.step(
            "authorization",
            "Sign in with the browser",
            Spec::AuthorizationRequest,
        );
        let RedirectTarget {
            listener, warning, ..
        } = redirect;
        let (reply, mut replies) = mpsc::channel(1);
        let timeout = u64::try_from(SIGN_IN_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
        let warnings = self.warnings(context, client, warning);
        let prompt = Prompt {
            attempt: self.state.next_attempt(),
            reason: reason(context, self.state.problem().as_ref()),
            url: authorization.url.to_string(),
            host: authorization.url.host_str().unwrap_or_default().to_owned(),
            issuer: authorization.issuer.clone(),
            resource: context.discovery.resource.clone(),
            client_id: client.id.clone(),
            client_kind: client.kind,
            scopes: context.scopes.clone(),
            new_scopes: match context.granted.is_empty() {
                true => Vec::new(),
                false => scope::beyond(&context.granted, &context.scopes),
            },
            redirect_uri: authorization.redirect_uri.clone(),
            listening: listener.is_some(),
            opened: false,
            expires_at: self.now().saturating_add(timeout),
            warnings,
        };
        self.state.prompted(Pending::Browser(PendingSignIn {
            prompt,
            authorization: Arc::clone(authorization),
            reply,
        }));
        self.notify();
        let expected = Arc::clone(authorization);
        let answer = async {
            let returned = async {
                match listener {
                    Some(listener) => {
                        listener
                            .wait_for_redirect(move |url| expected.matches_state(url))
                            .await
                    }
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(reply) = replies.recv() => Ok(match reply {
                    PromptReply::Pasted(url) => Some(url),
                    PromptReply::RegisterAgain => None,
                }),
                Some(url) = returned => Ok(Some(url)),
                else => Err(cancelled()),
            }
        };
        let answer = tokio::time::timeout(SIGN_IN_TIMEOUT, answer)
            .await
            .unwrap_or_else(|_| {
                Err(Problem::new(
                    "timed_out",
                    "The sign-in was not completed within ten minutes.",
                )
                .kind(ProblemKind::Cancelled)
                .advise("Sign in when you are ready."))
            });
        self.state.prompt_closed();
        step.settle(answer, |answer| {
            match answer {
                Some(_) => "The browser was redirected back.",
                None => "The sign-in page rejected the client: registering again.",
            }
            .to_owned()
        })
    }

    fn warnings(
        &self,
        context: &SignInContext<'_>,
        client: &Client,
        more: Option<String>,
    ) -> Vec<String> {
        let mut warnings: Vec<String> = more.into_iter().collect();
        if self.state.is_withheld() {
            warnings.push(
                "You were signed in before, but the keyring did not return the token: it may be \
                 locked."
                    .to_owned(),
            );
        }
        if self.settings.sign_in.without_pkce_promise {
            warnings.push(
                "The settings allow sign-in without PKCE: an attacker who intercepts the \
                 redirect could take the token."
                    .to_owned(),
            );
        }
        warnings.extend(self.shared_issuer_warning(context));
        if client.kind == ClientKind::MetadataDocument {
            warnings.push(
                "Any program on this computer can pose as this client: only sign in if you \
                 started this."
                    .to_owned(),
            );
        }
        let public = context
            .discovery
            .auth_server
            .authorization_endpoint
            .as_ref()
            .is_some_and(|url| url.scheme() == "http" && !is_local(url));
        if public {
            warnings.push("The sign-in page is not encrypted (http).".to_owned());
        }
        warnings
    }

    fn check_redirect(
        &self,
        authorization: &AuthorizationRequest,
        answer: &Url,
    ) -> Result<Secret, Problem> {
        let step = self.step("callback", "Check the redirect", Spec::ResponseIssuer);
        if let Some((_, code)) = answer.query_pairs().find(|(name, _)| name == "code") {
            self.trace.add_secret(&code);
        }
        authorization.judge(&step, answer);
        let code = authorization.code_from(answer);
        step.settle(code, |_| "`state` and issuer match.".to_owned())
    }

    async fn exchange_code(
        &self,
        context: &SignInContext<'_>,
        client: &Client,
        authorization: &AuthorizationRequest,
        code: &Secret,
    ) -> Result<TokenResponse, Problem> {
        if client.kind == ClientKind::Preregistered {
            // The user has seen the issuer and signed in there.
            self.bind_issuer(context).await?;
        }
        let step = self.step("token", "Exchange the code for a token", Spec::TokenRequest);
        let params = [
            ("grant_type", "authorization_code"),
            ("code", code.expose()),
            ("redirect_uri", authorization.redirect_uri.as_str()),
            ("code_verifier", authorization.verifier.expose()),
            ("resource", context.discovery.resource.as_str()),
        ];
        let response = self
            .request_token(step, context.token_endpoint(client), &params)
            .await;
        if let Err(problem) = &response
            && problem.code == "invalid_client"
            && client.kind == ClientKind::Registered
        {
            // The authorization server has forgotten the client: the next sign-in registers a new one.
            let discovery = context.discovery;
            self.store
                .remove_registration(
                    &discovery.auth_server.issuer,
                    &discovery.resource,
                    &client.id,
                )
                .await;
        }
        response
    }
}

fn reason(context: &SignInContext<'_>, before: Option<&Problem>) -> String {
    if context.step_up {
        return "The server requires more scopes for this request.".to_owned();
    }
    match before.filter(|problem| problem.kind == ProblemKind::InvalidGrant) {
        Some(_) => "The stored sign-in is no longer valid: its refresh token was used, was \
                    revoked or has expired."
            .to_owned(),
        None => "The server requires a token.".to_owned(),
    }
}

fn client_needed(issuer: &str, documents: bool, redirect_uri: &str) -> Problem {
    let problem = Problem::new(
        "client_needed",
        format!("Sonde is not registered with `{issuer}` and cannot register itself."),
    )
    .because(match documents {
        true => "It accepts client ID metadata documents, but none is set for this server.",
        false => "It offers neither dynamic registration nor client ID metadata documents.",
    })
    .advise(format!(
        "Choose a fixed redirect port in the server's settings, register a client with the \
         redirect URI `{redirect_uri}`, then enter its client ID in the settings."
    ))
    .see(Spec::ClientRegistration);
    match documents {
        true => problem.advise("Or enter the URL of a client ID metadata document."),
        false => problem,
    }
}
