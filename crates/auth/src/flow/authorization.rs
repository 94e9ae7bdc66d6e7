//! The way through the browser: the address that it opens, and what it brings back.

use oauth2::{AuthUrl, ClientId, CsrfToken, EndpointNotSet, PkceCodeChallenge, RedirectUrl, Scope};
use url::Url;

use super::{client::Client, discovery::Found};
use crate::{Problem, Secret, Spec, problem::Kind};

/// The longest address in characters. No browser has to open longer ones, and systems that start it
/// with the address as an argument refuse twice as much.
const LONGEST: usize = 64 << 10;

/// What is remembered of a request while the user is in the browser.
#[derive(Debug)]
pub(crate) struct Authorization {
    /// The whole address that the browser opens.
    pub(crate) url: Url,
    /// Who has to answer.
    pub(crate) issuer: String,
    /// That server promises to say who it is.
    names_itself: bool,
    state: Secret,
    /// Proves at the token endpoint that it was this app that asked (RFC 7636).
    pub(crate) verifier: Secret,
    pub(crate) redirect_uri: String,
}

/// Puts a request together. `resource` goes in byte for byte as it was published.
pub(crate) fn request(
    found: &Found,
    client: &Client,
    redirect_uri: &str,
    scopes: &[String],
    without_pkce_promise: bool,
) -> Result<Authorization, Problem> {
    let authority = &found.authority;
    let Some(endpoint) = &authority.authorization_endpoint else {
        return Err(Problem::new(
            "no_authorization_endpoint",
            format!("`{}` has no sign-in page.", authority.issuer),
        )
        .because("Its metadata names no authorization endpoint.")
        .advise("If it only issues tokens to clients without a user, choose client credentials.")
        .see(Spec::ServerMetadata));
    };
    if !without_pkce_promise {
        pkce_is_promised(found)?;
    }
    let bad = |error: url::ParseError| {
        Problem::new("bad_redirect", "The redirect URI is not a valid URL.")
            .because(error.to_string())
    };
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let client = oauth2::basic::BasicClient::<
        EndpointNotSet,
        EndpointNotSet,
        EndpointNotSet,
        EndpointNotSet,
        EndpointNotSet,
    >::new(ClientId::new(client.id.clone()))
    .set_auth_uri(AuthUrl::from_url(endpoint.clone()))
    .set_redirect_uri(RedirectUrl::new(redirect_uri.to_owned()).map_err(bad)?);
    let (url, state) = client
        .authorize_url(CsrfToken::new_random)
        .set_pkce_challenge(challenge)
        .add_scopes(scopes.iter().cloned().map(Scope::new))
        .add_extra_param("resource", found.resource.clone())
        .url();
    if url.as_str().len() > LONGEST {
        return Err(too_long(&url, scopes));
    }
    Ok(Authorization {
        url,
        issuer: authority.issuer.clone(),
        names_itself: authority
            .metadata
            .as_ref()
            .is_some_and(|metadata| metadata.authorization_response_iss_parameter_supported),
        state: Secret::new(state.secret().as_str()),
        verifier: Secret::new(verifier.secret().as_str()),
        redirect_uri: redirect_uri.to_owned(),
    })
}

fn too_long(url: &Url, scopes: &[String]) -> Problem {
    Problem::new(
        "address_too_long",
        "The sign-in URL is too long for a browser.",
    )
    .because(format!(
        "It has {} characters and requests {} scopes.",
        url.as_str().len(),
        scopes.len()
    ))
    .advise("Edit the server and enter the scopes that you need.")
    .advise("The server should request few scopes at first, and more when they are needed.")
    .see(Spec::ScopeSelection)
}

/// "MCP clients MUST verify PKCE support" and refuse where it is not promised (authorization code
/// protection). Without any metadata nothing can be promised: revision 2025-03-26 requires it of
/// everybody.
fn pkce_is_promised(found: &Found) -> Result<(), Problem> {
    let Some(metadata) = &found.authority.metadata else {
        return Ok(());
    };
    let methods = metadata.code_challenge_methods_supported.as_deref();
    if methods.is_some_and(|methods| methods.iter().any(|method| method == "S256")) {
        return Ok(());
    }
    Err(Problem::new(
        "no_pkce",
        "The authorization server does not advertise PKCE with S256.",
    )
    .because(match methods {
        None => "Its metadata has no `code_challenge_methods_supported`.".to_owned(),
        Some(methods) => {
            format!("`code_challenge_methods_supported` is {methods:?}, without `S256`.")
        }
    })
    .advise("Its operator has to publish it.")
    .advise(
        "To test without it, edit the server and allow sign-in without PKCE support. Only do that \
         on a network you trust.",
    )
    .see(Spec::Pkce))
}

impl Authorization {
    #[cfg(test)]
    pub(crate) fn state(&self) -> &Secret {
        &self.state
    }

    /// Whether an answer is meant for this request at all.
    pub(crate) fn is_meant(&self, answer: &Url) -> bool {
        param(answer, "state").as_deref() == Some(self.state.expose())
    }

    /// Takes the code out of what the browser brought back, if it may be used.
    pub(crate) fn accept(&self, answer: &Url) -> Result<Secret, Problem> {
        if !self.is_meant(answer) {
            return Err(Problem::new(
                "wrong_state",
                "The redirect belongs to another sign-in and is not used.",
            )
            .because(match param(answer, "state") {
                Some(_) => "Its `state` is not the one that Sonde sent.",
                None => "It has no `state`.",
            })
            .advise("Sign in again, and finish on the page that Sonde opens.")
            .see(Spec::State));
        }
        self.check_issuer(answer)?;
        if let Some(error) = param(answer, "error") {
            return Err(said_no(&error, param(answer, "error_description")));
        }
        param(answer, "code").map(Secret::new).ok_or_else(|| {
            Problem::new(
                "no_code",
                "The authorization server sent the browser back without a code.",
            )
            .because("The redirect has neither `code` nor `error`.")
            .advise("Sign in again. If the problem persists, contact its operator.")
            .see(Spec::AuthorizationResponse)
        })
    }

    /// Who answered must be who was asked: compared as text, without any normalisation (RFC 9207,
    /// section 2.4). Errors of somebody else are not shown either.
    fn check_issuer(&self, answer: &Url) -> Result<(), Problem> {
        let named = param(answer, "iss");
        let wrong = |code, title: &str, cause: String| {
            Err(Problem::new(code, title)
                .because(cause)
                .advise(
                    "Sign in again. If the problem persists, do not trust this authorization \
                     server.",
                )
                .see(Spec::ResponseIssuer))
        };
        match named {
            Some(named) if named == self.issuer => Ok(()),
            Some(named) => wrong(
                "wrong_issuer",
                "The redirect comes from a different authorization server.",
                format!(
                    "The request went to `{}`; the redirect names `{named}`.",
                    self.issuer
                ),
            ),
            None if self.names_itself => wrong(
                "issuer_missing",
                "The redirect does not say which authorization server it comes from.",
                format!(
                    "`{}` advertises that it does \
                     (`authorization_response_iss_parameter_supported`).",
                    self.issuer
                ),
            ),
            None => Ok(()),
        }
    }
}

fn said_no(error: &str, description: Option<String>) -> Problem {
    let (code, title, advice): (_, _, &[&str]) = match error {
        "access_denied" => (
            "access_denied",
            "The sign-in was denied in the browser.",
            &["Sign in again and allow it, or ask the operator for access."],
        ),
        "invalid_scope" => (
            "invalid_scope",
            "The authorization server does not know a requested scope.",
            &["Edit the server and choose the scopes yourself."],
        ),
        "invalid_request" | "unauthorized_client" | "unsupported_response_type" => (
            "client_refused",
            "The authorization server rejects this client or its request.",
            &["Delete the stored client in the settings and sign in again to register again."],
        ),
        "invalid_target" => (
            "invalid_target",
            "The authorization server does not issue tokens for this server.",
            &["Its operator has to allow the server's URL as a resource."],
        ),
        "server_error" | "temporarily_unavailable" => (
            "authorization_server_error",
            "The authorization server has an internal problem.",
            &["Try again later."],
        ),
        _ => (
            "authorization_refused",
            "The authorization server rejected the sign-in.",
            &["Sign in again; the operator's log may have details."],
        ),
    };
    let mut problem = Problem::new(code, title)
        .because(format!("Error: `{error}`."))
        .see(Spec::AuthorizationResponse);
    if code == "access_denied" {
        problem = problem.kind(Kind::GivenUp);
    }
    problem.advice = advice.iter().map(|text| (*text).to_owned()).collect();
    problem.detail = description;
    problem
}

fn param(url: &Url, name: &str) -> Option<String> {
    url.query_pairs()
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{discovery::Authority, metadata::ServerMetadata},
        *,
    };
    use crate::ClientKind;

    fn found(metadata: Option<ServerMetadata>) -> Found {
        Found {
            resource: "https://h".to_owned(),
            scopes: None,
            dpop_required: false,
            authority: Authority {
                issuer: "https://a".to_owned(),
                authorization_endpoint: Some(Url::parse("https://a/authorize?tenant=1").unwrap()),
                token_endpoint: Url::parse("https://a/token").unwrap(),
                registration_endpoint: None,
                revocation_endpoint: None,
                metadata,
            },
        }
    }

    fn promised(iss: bool) -> Option<ServerMetadata> {
        Some(ServerMetadata {
            code_challenge_methods_supported: Some(vec!["S256".to_owned()]),
            authorization_response_iss_parameter_supported: iss,
            ..ServerMetadata::default()
        })
    }

    fn ask(metadata: Option<ServerMetadata>) -> Result<Authorization, Problem> {
        ask_for(metadata, &["a b".to_owned(), "c".to_owned()])
    }

    fn ask_for(
        metadata: Option<ServerMetadata>,
        scopes: &[String],
    ) -> Result<Authorization, Problem> {
        let client = Client {
            id: "https://me.example/c?x=1".to_owned(),
            secret: None,
            kind: ClientKind::MetadataDocument,
            auth: super::super::client::ClientAuth::None,
        };
        request(
            &found(metadata),
            &client,
            "http://127.0.0.1:7/callback",
            scopes,
            false,
        )
    }

    #[test]
    fn an_address_that_no_browser_opens_is_not_shown() {
        let scopes: Vec<String> = (0..10_000)
            .map(|number| format!("scope:{number}"))
            .collect();
        let problem = ask_for(promised(false), &scopes).unwrap_err();
        assert_eq!(problem.code, "address_too_long");
        assert!(problem.cause.contains("10000 scopes"), "{}", problem.cause);
    }

    fn answer(authorization: &Authorization, rest: &str) -> Url {
        let state = authorization.state().expose();
        Url::parse(&format!("http://127.0.0.1:7/callback?state={state}{rest}")).unwrap()
    }

    #[test]
    fn the_address_has_everything_and_keeps_what_was_there() {
        let authorization = ask(promised(false)).unwrap();
        for (name, value) in [
            ("tenant", "1"),
            ("response_type", "code"),
            ("client_id", "https://me.example/c?x=1"),
            ("redirect_uri", "http://127.0.0.1:7/callback"),
            ("code_challenge_method", "S256"),
            ("resource", "https://h"),
            ("scope", "a b c"),
        ] {
            assert_eq!(
                param(&authorization.url, name).as_deref(),
                Some(value),
                "{name}"
            );
        }
        assert!(
            !authorization
                .url
                .as_str()
                .contains(authorization.verifier.expose())
        );
        assert!(!format!("{authorization:?}").contains(authorization.verifier.expose()));
    }

    #[test]
    fn without_the_promise_of_pkce_nothing_is_opened() {
        for methods in [None, Some(vec![]), Some(vec!["plain".to_owned()])] {
            let metadata = ServerMetadata {
                code_challenge_methods_supported: methods,
                ..ServerMetadata::default()
            };
            assert_eq!(ask(Some(metadata)).unwrap_err().code, "no_pkce");
        }
        assert!(ask(None).is_ok(), "there is nobody to promise anything");
    }

    #[test]
    fn only_the_right_answer_is_taken() {
        for (promises, rest, expected) in [
            (false, "&code=x", Ok("x")),
            (false, "&code=x&iss=https://a", Ok("x")),
            (true, "&code=x&iss=https%3A%2F%2Fa", Ok("x")),
            (true, "&code=x", Err("issuer_missing")),
            (false, "&code=x&iss=https://a/", Err("wrong_issuer")),
            (true, "&code=x&iss=https://b", Err("wrong_issuer")),
            (
                false,
                "&error=access_denied&iss=https://b",
                Err("wrong_issuer"),
            ),
            (false, "&error=access_denied", Err("access_denied")),
            (false, "&error=odd", Err("authorization_refused")),
            (false, "", Err("no_code")),
        ] {
            let authorization = ask(promised(promises)).unwrap();
            let taken = authorization.accept(&answer(&authorization, rest));
            assert_eq!(
                taken
                    .as_ref()
                    .map(Secret::expose)
                    .map_err(|problem| problem.code),
                expected,
                "{rest}"
            );
        }
        let authorization = ask(promised(false)).unwrap();
        for query in ["?code=x&state=other", "?code=x", ""] {
            let url = Url::parse(&format!("http://127.0.0.1:7/callback{query}")).unwrap();
            assert_eq!(authorization.accept(&url).unwrap_err().code, "wrong_state");
        }
    }
}
