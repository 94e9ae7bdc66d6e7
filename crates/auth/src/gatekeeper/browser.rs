//! A token by way of the user's browser (authorization code with PKCE).

use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc;
use url::Url;

use super::{
    Prompt, Shared, State,
    book::{Reply, Waiting},
    programs::endpoint,
    sign_in::Entry,
    work::cancelled,
};
use crate::{
    ClientKind, Problem, Secret, Spec,
    flow::{
        authorization::{self, Authorization},
        client::{Client, Registration, documented, register},
        loopback::{Loopback, port_of, redirect_uri},
        reach::is_local,
        scope,
        token::Issued,
    },
    problem::Kind,
    trace::Step,
};

/// How long the user may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// Where the browser returns to.
struct Return {
    uri: String,
    /// `None` when the port could not be had: the user pastes the address.
    listener: Option<Loopback>,
    warning: Option<String>,
}

impl Shared {
    pub(super) async fn through_the_browser(
        self: &Arc<Self>,
        entry: &Entry<'_>,
    ) -> Result<(Client, Issued), Problem> {
        let issuer = &entry.found.authority.issuer;
        loop {
            let stored = self.vault.registration(issuer).await;
            let back = self.listen(stored.as_ref()).await?;
            let client = self.client(entry, &back.uri, stored).await?;
            let authorization = Arc::new(authorization::request(
                entry.found,
                &client,
                &back.uri,
                &entry.scopes,
                self.settings.without_pkce_promise,
            )?);
            entry.agent.reach.check(&authorization.url).await?;
            self.trace.learn(authorization.verifier.expose());
            let Some(answer) = self.wait(entry, &client, &authorization, back).await? else {
                // Only the page in the browser says that a client is not known, and it says so to
                // the user alone.
                self.vault.remove_registration(issuer, &client.id).await;
                continue;
            };
            let code = self.receive(&authorization, &answer)?;
            let issued = self.redeem(entry, &client, &authorization, &code).await?;
            return Ok((client, issued));
        }
    }

    /// Where the browser shall return to: the port that the user chose, the one that a stored
    /// registration names, or any.
    async fn listen(&self, stored: Option<&Registration>) -> Result<Return, Problem> {
        if let Some(port) = self.settings.redirect_port {
            return Ok(match Loopback::bind(port).await {
                Ok(listener) => Return {
                    uri: listener.redirect_uri(),
                    listener: Some(listener),
                    warning: None,
                },
                Err(problem) => Return {
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
            Some(port) => match Loopback::bind(port).await {
                Ok(listener) => listener,
                Err(_) => Loopback::bind(0).await?,
            },
            None => Loopback::bind(0).await?,
        };
        Ok(Return {
            uri: listener.redirect_uri(),
            listener: Some(listener),
            warning: None,
        })
    }

    /// Who this client is here, in the order that the specification gives (client registration).
    async fn client(
        &self,
        entry: &Entry<'_>,
        redirect_uri: &str,
        stored: Option<Registration>,
    ) -> Result<Client, Problem> {
        if let Some(client) = self.own_client(entry).await? {
            return Ok(client);
        }
        let authority = &entry.found.authority;
        let metadata = authority.metadata.as_ref();
        let documents =
            metadata.is_some_and(|metadata| metadata.client_id_metadata_document_supported);
        if let Some(url) = self.settings.metadata_url.as_deref().filter(|_| documents) {
            let step = Step::begin(
                &self.trace,
                "client",
                "Use the client ID metadata document",
                Spec::MetadataDocument,
            );
            step.done(format!("The client is `{url}`."));
            return Ok(documented(url));
        }
        if let Some(registration) = stored.filter(|one| one.fits(redirect_uri, self.now())) {
            let step = Step::begin(
                &self.trace,
                "client",
                "Use the stored registration",
                Spec::DynamicRegistration,
            );
            if let Some(secret) = &registration.client_secret {
                self.trace.learn(secret);
            }
            step.done(format!("The client is `{}`.", registration.client_id));
            self.vault
                .use_registration(&self.server, &authority.issuer)
                .await;
            return Ok(registration.client());
        }
        let Some(endpoint) = &authority.registration_endpoint else {
            return Err(client_needed(&authority.issuer, documents, redirect_uri));
        };
        let registration =
            register(entry.agent, &self.trace, authority, endpoint, redirect_uri).await?;
        self.vault
            .put_registration(&self.server, &authority.issuer, &registration)
            .await;
        Ok(registration.client())
    }

    /// Shows the address and waits for what the browser brings back; `None` when the client is to be
    /// registered again.
    async fn wait(
        self: &Arc<Self>,
        entry: &Entry<'_>,
        client: &Client,
        authorization: &Arc<Authorization>,
        back: Return,
    ) -> Result<Option<Url>, Problem> {
        let step = Step::begin(
            &self.trace,
            "authorization",
            "Sign in with the browser",
            Spec::AuthorizationRequest,
        );
        let Return {
            listener, warning, ..
        } = back;
        let (answer_in, mut replies) = mpsc::channel(1);
        let patience = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
        let warnings = self.warnings(entry, client, warning);
        {
            let mut pages = self.book.open();
            pages.attempts += 1;
            let prompt = Prompt {
                attempt: pages.attempts,
                reason: reason(entry, pages.problem.as_ref()),
                url: authorization.url.to_string(),
                issuer: authorization.issuer.clone(),
                resource: entry.found.resource.clone(),
                client_id: client.id.clone(),
                client_kind: client.kind,
                scopes: entry.scopes.clone(),
                new_scopes: match entry.granted.is_empty() {
                    true => Vec::new(),
                    false => scope::beyond(&entry.granted, &entry.scopes),
                },
                redirect_uri: authorization.redirect_uri.clone(),
                listening: listener.is_some(),
                opened: false,
                expires_at: self.now().saturating_add(patience),
                warnings,
            };
            pages.waiting_for = Some(Waiting {
                prompt,
                authorization: Arc::clone(authorization),
                answer: answer_in,
            });
        }
        self.phase(State::Prompt);
        let meant = Arc::clone(authorization);
        let answer = async {
            let returned = async {
                match listener {
                    Some(listener) => listener.answer(move |url| meant.is_meant(url)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(reply) = replies.recv() => Ok(match reply {
                    Reply::Pasted(url) => Some(url),
                    Reply::RegisterAgain => None,
                }),
                Some(url) = returned => Ok(Some(url)),
                else => Err(cancelled()),
            }
        };
        let answer = tokio::time::timeout(PATIENCE, answer)
            .await
            .unwrap_or_else(|_| {
                Err(Problem::new(
                    "timed_out",
                    "The sign-in was not completed within ten minutes.",
                )
                .kind(Kind::GivenUp)
                .advise("Sign in when you are ready."))
            });
        self.book.open().waiting_for = None;
        step.settle(answer, |answer| {
            match answer {
                Some(_) => "The browser was redirected back.",
                None => "The sign-in page rejected the client: registering again.",
            }
            .to_owned()
        })
    }

    fn warnings(&self, entry: &Entry<'_>, client: &Client, more: Option<String>) -> Vec<String> {
        let mut warnings: Vec<String> = more.into_iter().collect();
        if self.book.open().withheld {
            warnings.push(
                "You were signed in before, but the keyring did not return the token: it may be \
                 locked."
                    .to_owned(),
            );
        }
        if self.settings.without_pkce_promise {
            warnings.push(
                "The settings allow sign-in without PKCE: an attacker who intercepts the redirect \
                 could take the token."
                    .to_owned(),
            );
        }
        if client.kind == ClientKind::MetadataDocument {
            warnings.push(
                "Any program on this computer can pose as this client: only sign in if you \
                 started this."
                    .to_owned(),
            );
        }
        let public = entry
            .found
            .authority
            .authorization_endpoint
            .as_ref()
            .is_some_and(|url| url.scheme() == "http" && !is_local(url));
        if public {
            warnings.push("The sign-in page is not encrypted (http).".to_owned());
        }
        warnings
    }

    fn receive(&self, authorization: &Authorization, answer: &Url) -> Result<Secret, Problem> {
        let step = Step::begin(
            &self.trace,
            "callback",
            "Check the redirect",
            Spec::ResponseIssuer,
        );
        if let Some((_, code)) = answer.query_pairs().find(|(name, _)| name == "code") {
            self.trace.learn(&code);
        }
        let code = authorization.accept(answer);
        step.settle(code, |_| "`state` and issuer match.".to_owned())
    }

    async fn redeem(
        &self,
        entry: &Entry<'_>,
        client: &Client,
        authorization: &Authorization,
        code: &Secret,
    ) -> Result<Issued, Problem> {
        let step = Step::begin(
            &self.trace,
            "token",
            "Exchange the code for a token",
            Spec::TokenRequest,
        );
        let params = [
            ("grant_type", "authorization_code"),
            ("code", code.expose()),
            ("redirect_uri", authorization.redirect_uri.as_str()),
            ("code_verifier", authorization.verifier.expose()),
            ("resource", entry.found.resource.as_str()),
        ];
        let issued = self.ask(step, endpoint(entry, client), &params).await;
        if let Err(problem) = &issued
            && problem.code == "invalid_client"
            && client.kind == ClientKind::Registered
        {
            // The authorization server has forgotten it: the next sign-in registers anew.
            self.vault
                .remove_registration(&entry.found.authority.issuer, &client.id)
                .await;
        }
        issued
    }
}

fn reason(entry: &Entry<'_>, before: Option<&Problem>) -> String {
    if entry.step_up {
        return "The server requires more scopes for this request.".to_owned();
    }
    match before.filter(|problem| problem.kind == Kind::Spent) {
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
