//! Authorization in the browser: the address to open, and the response.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::{
    client::Client, discovery::Discovery, random::random_text, violations::judge_response_issuer,
};
use crate::{Problem, Secret, Spec, problem::ProblemKind, trace::Step};

/// The longest address in characters. Browsers need not open longer ones, and systems that start them with the address
/// as an argument refuse twice as much.
const MAX_URL: usize = 64 << 10;

/// A request that waits for the user in the browser.
#[derive(Debug)]
pub(crate) struct AuthorizationRequest {
    /// The whole address that the browser opens.
    pub(crate) url: Url,
    /// The issuer that has to respond.
    pub(crate) issuer: String,
    /// The server advertises the `iss` parameter of its responses; `None` without metadata.
    advertises_iss: Option<bool>,
    state: Secret,
    /// Proves to the token endpoint that the request came from this app (RFC 7636).
    pub(crate) verifier: Secret,
    pub(crate) redirect_uri: String,
}

impl AuthorizationRequest {
    /// Creates a request (RFC 6749, section 4.1.1). `resource` is sent byte for byte as published.
    pub(crate) fn new(
        discovery: &Discovery,
        client: &Client,
        redirect_uri: &str,
        scopes: &[String],
        without_pkce_promise: bool,
    ) -> Result<Self, Problem> {
        let auth_server = &discovery.auth_server;
        let Some(endpoint) = &auth_server.authorization_endpoint else {
            return Err(Problem::new(
                "no_authorization_endpoint",
                format!("`{}` has no sign-in page.", auth_server.issuer),
            )
            .because("Its metadata names no authorization endpoint.")
            .advise(
                "If it only issues tokens to clients without a user, choose client credentials.",
            )
            .see(Spec::ServerMetadata));
        };
        if !without_pkce_promise {
            pkce_is_promised(discovery)?;
        }
        let state = random_text()?;
        let verifier = random_text()?;
        let mut url = endpoint.clone();
        {
            let mut query = url.query_pairs_mut();
            query
                .append_pair("response_type", "code")
                .append_pair("client_id", &client.id)
                .append_pair("state", &state)
                .append_pair("code_challenge", &pkce_challenge(&verifier))
                .append_pair("code_challenge_method", "S256")
                .append_pair("redirect_uri", redirect_uri);
            if !scopes.is_empty() {
                query.append_pair("scope", &scopes.join(" "));
            }
            query.append_pair("resource", &discovery.resource);
        }
        if url.as_str().len() > MAX_URL {
            return Err(too_long(&url, scopes));
        }
        Ok(Self {
            url,
            issuer: auth_server.issuer.clone(),
            advertises_iss: auth_server
                .metadata
                .as_ref()
                .map(|metadata| metadata.authorization_response_iss_parameter_supported),
            state: Secret::new(state),
            verifier: Secret::new(verifier),
            redirect_uri: redirect_uri.to_owned(),
        })
    }
}

/// The `S256` transformation (RFC 7636, section 4.2).
fn pkce_challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
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

/// Checks that PKCE is supported. "MCP clients MUST verify PKCE support" and refuse a server that does not promise it
/// (authorization code protection). Without metadata a server cannot promise it, but protocol version 2025-03-26
/// requires PKCE of all.
fn pkce_is_promised(discovery: &Discovery) -> Result<(), Problem> {
    let Some(metadata) = &discovery.auth_server.metadata else {
        return Ok(());
    };
    if metadata.advertises_pkce() {
        return Ok(());
    }
    let methods = metadata.code_challenge_methods_supported.as_deref();
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
        "To test without it, edit the server and allow sign-in without PKCE support. Only do \
         that on a network you trust.",
    )
    .see(Spec::Pkce))
}

impl AuthorizationRequest {
    #[cfg(test)]
    pub(crate) fn state(&self) -> &Secret {
        &self.state
    }

    /// True if a response belongs to this request.
    pub(crate) fn matches_state(&self, answer: &Url) -> bool {
        param(answer, "state").as_deref() == Some(self.state.expose())
    }

    /// Reports violations in the browser's response, if it belongs to this request.
    pub(crate) fn judge(&self, step: &Step, answer: &Url) {
        if self.matches_state(answer) {
            let named = param(answer, "iss");
            judge_response_issuer(step, named.as_deref(), &self.issuer, self.advertises_iss);
        }
    }

    /// Returns the code in the browser's response, if it may be used.
    pub(crate) fn code_from(&self, answer: &Url) -> Result<Secret, Problem> {
        if !self.matches_state(answer) {
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
            return Err(authorization_error(
                &error,
                param(answer, "error_description"),
            ));
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

    /// Checks that the response comes from the requested issuer, compared as text without any normalisation (RFC 9207,
    /// section 2.4). An error from another issuer is not shown either.
    fn check_issuer(&self, answer: &Url) -> Result<(), Problem> {
        let named = param(answer, "iss");
        let wrong = |code, title: &str, cause: String| {
            Err(Problem::new(code, title)
                .because(cause)
                .advise(
                    "Sign in again. If the problem persists, do not trust this \
                         authorization server.",
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
            None if self.advertises_iss == Some(true) => wrong(
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

fn authorization_error(error: &str, description: Option<String>) -> Problem {
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
        problem = problem.kind(ProblemKind::Cancelled);
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
        super::{address_policy::Source, discovery::AuthorizationServer, metadata::ServerMetadata},
        *,
    };
    use crate::ClientKind;

    fn discovery(metadata: Option<ServerMetadata>) -> Discovery {
        Discovery {
            resource: "https://h".to_owned(),
            scopes: None,
            dpop_required: false,
            auth_server: AuthorizationServer {
                issuer: "https://a".to_owned(),
                authorization_endpoint: Some(Url::parse("https://a/authorize?tenant=1").unwrap()),
                source: Source::answer(&Url::parse("https://a").unwrap(), None),
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

    fn ask(metadata: Option<ServerMetadata>) -> Result<AuthorizationRequest, Problem> {
        ask_for(metadata, &["a b".to_owned(), "c".to_owned()])
    }

    fn ask_for(
        metadata: Option<ServerMetadata>,
        scopes: &[String],
    ) -> Result<AuthorizationRequest, Problem> {
        let client = Client {
            id: "https://me.example/c?x=1".to_owned(),
            secret: None,
            kind: ClientKind::MetadataDocument,
            auth: super::super::client::ClientAuth::None,
        };
        AuthorizationRequest::new(
            &discovery(metadata),
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

    fn answer(authorization: &AuthorizationRequest, rest: &str) -> Url {
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
    fn the_challenge_is_the_hash_of_the_verifier() {
        // RFC 7636, appendix B.
        assert_eq!(
            pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
        let (first, second) = (ask(promised(false)).unwrap(), ask(promised(false)).unwrap());
        // "minimum length of 43 characters" (section 4.1).
        let verifier = first.verifier.expose();
        assert!((43..=128).contains(&verifier.len()), "{}", verifier.len());
        assert!(first.verifier != second.verifier && first.state != second.state);
        assert_eq!(
            param(&first.url, "code_challenge").as_deref(),
            Some(pkce_challenge(verifier).as_str())
        );
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
            let taken = authorization.code_from(&answer(&authorization, rest));
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
            assert_eq!(
                authorization.code_from(&url).unwrap_err().code,
                "wrong_state"
            );
        }
    }
}
