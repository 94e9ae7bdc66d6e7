//! The client as an authorization server knows it, and its authentication.

use std::sync::Arc;

use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::{
    address_policy::{Source, display_url},
    discovery::AuthorizationServer,
    http_client::HttpClient,
};
use crate::{
    ClientKind, Problem, Secret, Spec,
    limits::{ADDRESS, SECRET},
    trace::{Step, Trace},
};

/// Client authentication methods of the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClientAuth {
    /// Only the client's id.
    None,
    /// Id and secret in a header.
    Basic,
    /// Id and secret in the body.
    Post,
}

/// A client.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<Secret>,
    pub(crate) kind: ClientKind,
    pub(crate) auth: ClientAuth,
}

impl Client {
    /// Creates a client without a secret.
    pub(crate) fn public(id: &str, kind: ClientKind) -> Self {
        Self {
            id: id.to_owned(),
            secret: None,
            kind,
            auth: ClientAuth::None,
        }
    }
}

/// A stored registration. Secret.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub(crate) client_id: String,
    pub(crate) client_secret: Option<String>,
    /// Seconds since the Unix epoch; 0 means never.
    pub(crate) secret_expires_at: u64,
    pub(crate) auth: ClientAuth,
    pub(crate) redirect_uri: Option<String>,
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Registration")
    }
}

impl Registration {
    pub(crate) fn client(&self) -> Client {
        Client {
            id: self.client_id.clone(),
            secret: self.client_secret.as_deref().map(Secret::new),
            kind: ClientKind::Registered,
            auth: self.auth,
        }
    }

    /// True if the registration is still valid for this redirect; `now` in milliseconds.
    pub(crate) fn fits(&self, redirect_uri: &str, now: u64) -> bool {
        let alive =
            self.secret_expires_at == 0 || self.secret_expires_at.saturating_mul(1_000) > now;
        alive && self.redirect_uri.as_deref() == Some(redirect_uri)
    }
}

/// Creates a client that the user registered.
pub(crate) fn preregistered_client(
    id: &str,
    secret: Option<&Secret>,
    auth_server: &AuthorizationServer,
) -> Client {
    Client {
        id: id.to_owned(),
        secret: secret.cloned(),
        kind: ClientKind::Preregistered,
        auth: match secret {
            Some(_) => auth_method_with_secret(auth_server),
            None => ClientAuth::None,
        },
    }
}

fn methods(auth_server: &AuthorizationServer) -> Option<&[String]> {
    let metadata = auth_server.metadata.as_ref()?;
    metadata.token_endpoint_auth_methods_supported.as_deref()
}

/// Returns the method for a client with a secret; `client_secret_basic` is the default (RFC 8414, section 2).
fn auth_method_with_secret(auth_server: &AuthorizationServer) -> ClientAuth {
    let Some(methods) = methods(auth_server) else {
        return ClientAuth::Basic;
    };
    let has = |name: &str| methods.iter().any(|method| method == name);
    match (
        has("client_secret_basic"),
        has("client_secret_post"),
        has("none"),
    ) {
        (true, ..) => ClientAuth::Basic,
        (false, true, _) => ClientAuth::Post,
        (false, false, true) => ClientAuth::None,
        (false, false, false) => ClientAuth::Basic,
    }
}

/// Returns the authentication method to request in a registration: none if offered, since a desktop app cannot keep a
/// secret. A secret is preferably sent in the body: some servers register a client for the header and still look into
/// the body.
fn wanted(auth_server: &AuthorizationServer) -> &'static str {
    let Some(methods) = methods(auth_server) else {
        return "none";
    };
    ["none", "client_secret_post"]
        .into_iter()
        .find(|wanted| methods.iter().any(|method| method == wanted))
        .unwrap_or("client_secret_basic")
}

/// Registers a new client (RFC 7591; authorization, Dynamic Client Registration).
pub(crate) async fn register(
    http_client: &HttpClient,
    trace: &Arc<dyn Trace>,
    auth_server: &AuthorizationServer,
    endpoint: &Url,
    redirect_uri: &str,
) -> Result<Registration, Problem> {
    let step = Step::begin(
        trace,
        "registration",
        "Register Sonde with the authorization server",
        Spec::DynamicRegistration,
    );
    let asked = wanted(auth_server);
    let body = json!({
        "client_name": "Sonde",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": asked,
        "application_type": "native",
    });
    let sent = send(http_client, &step, endpoint, auth_server.source, &body).await;
    // Without metadata the endpoint is a guess, so the guess failed.
    let sent = sent.map_err(|problem| match auth_server.metadata {
        None if problem.code == REFUSED => nothing_published(&problem.cause),
        _ => problem,
    });
    let registered = sent.and_then(|answer| read(&answer, auth_server, redirect_uri));
    step.settle(registered, |registration| {
        format!("The client is `{}`.", registration.client_id)
    })
}

async fn send(
    http_client: &HttpClient,
    step: &Step,
    endpoint: &Url,
    source: Source,
    body: &Value,
) -> Result<Value, Problem> {
    let request = http::Request::post(endpoint.as_str())
        .header("content-type", "application/json")
        .header("accept", "application/json")
        .body(body.to_string().into_bytes())
        .map_err(|error| refused(endpoint, &error.to_string(), None))?;
    let answer = http_client.send(step, request, source).await?;
    let value: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let word = |name: &str| {
        let value = value.as_ref()?.get(name)?;
        value.as_str().map(str::to_owned)
    };
    match answer.status {
        // RFC 7591 requires 201; some servers respond with 200.
        StatusCode::CREATED | StatusCode::OK => {
            value.ok_or_else(|| refused(endpoint, "Its response is not valid JSON.", None))
        }
        status => {
            let error = word("error").map(|error| format!("`{error}` with "));
            let error = error.unwrap_or_default();
            let cause = format!("It returned {error}HTTP status {}.", status.as_u16());
            Err(refused(endpoint, &cause, word("error_description")))
        }
    }
}

const REFUSED: &str = "registration_refused";

fn nothing_published(cause: &str) -> Problem {
    Problem::new(
        "nothing_published",
        "The server requires a sign-in but does not say how.",
    )
    .because(format!(
        "It publishes no metadata, and there is no client registration at the default URL: {cause}"
    ))
    .advise(
        "If you have a token or key for it, edit the server and enter it under “Authentication”.",
    )
    .advise("The server has to publish protected resource metadata.")
    .see(Spec::ResourceMetadata)
}

fn refused(endpoint: &Url, cause: &str, words: Option<String>) -> Problem {
    let problem = Problem::new(
        REFUSED,
        format!(
            "`{}` did not register Sonde as a client.",
            display_url(endpoint)
        ),
    )
    .because(cause)
    .advise("Register a client there yourself, then edit the server and enter its client ID.")
    .advise("Some servers accept only certain redirect URIs: choose a fixed redirect port.")
    .see(Spec::DynamicRegistration);
    match words {
        Some(words) => problem.detail(words),
        None => problem,
    }
}

fn read(
    answer: &Value,
    auth_server: &AuthorizationServer,
    redirect_uri: &str,
) -> Result<Registration, Problem> {
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    let Some(id) = text("client_id").filter(|id| !id.is_empty()) else {
        return Err(Problem::new(
            "registration_without_id",
            "The authorization server registered Sonde without returning a client ID.",
        )
        .advise("The operator of the authorization server has to fix its client registration.")
        .see(Spec::DynamicRegistration));
    };
    let secret = text("client_secret").filter(|secret| !secret.is_empty());
    if id.len() > ADDRESS || secret.is_some_and(|secret| secret.len() > SECRET) {
        return Err(Problem::new(
            "registration_too_long",
            "The authorization server registered Sonde with a client ID or a secret that is too long.",
        )
        .because(format!(
            "Sonde takes a client ID of {ADDRESS} bytes and a client secret of {SECRET} at most."
        ))
        .advise("The operator of the authorization server has to fix its client registration.")
        .see(Spec::DynamicRegistration));
    }
    let auth = match (text("token_endpoint_auth_method"), secret) {
        (_, None) | (Some("none"), _) => ClientAuth::None,
        (Some("client_secret_post"), _) => ClientAuth::Post,
        (Some("client_secret_basic"), _) => ClientAuth::Basic,
        _ => auth_method_with_secret(auth_server),
    };
    Ok(Registration {
        client_id: id.to_owned(),
        client_secret: secret.map(str::to_owned),
        secret_expires_at: answer
            .get("client_secret_expires_at")
            .and_then(Value::as_u64)
            .unwrap_or(0),
        auth,
        redirect_uri: Some(redirect_uri.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::{super::metadata::ServerMetadata, *};

    fn auth_server(methods: &[&str]) -> AuthorizationServer {
        let methods = methods.iter().map(|name| (*name).to_owned()).collect();
        AuthorizationServer {
            issuer: "https://a".to_owned(),
            authorization_endpoint: None,
            token_endpoint: Url::parse("https://a/token").unwrap(),
            registration_endpoint: None,
            revocation_endpoint: None,
            source: Source::answer(&Url::parse("https://a").unwrap(), None),
            metadata: Some(ServerMetadata {
                token_endpoint_auth_methods_supported: Some(methods),
                ..ServerMetadata::default()
            }),
        }
    }

    #[test]
    fn the_server_says_how_a_client_shows_who_it_is() {
        for (methods, asked, secret) in [
            (&["none"][..], "none", ClientAuth::None),
            (
                &["client_secret_post"],
                "client_secret_post",
                ClientAuth::Post,
            ),
            (
                &["client_secret_basic"],
                "client_secret_basic",
                ClientAuth::Basic,
            ),
            (&["client_secret_post", "none"], "none", ClientAuth::Post),
            (
                &["client_secret_basic", "client_secret_post"],
                "client_secret_post",
                ClientAuth::Basic,
            ),
            (
                &["private_key_jwt"],
                "client_secret_basic",
                ClientAuth::Basic,
            ),
        ] {
            let auth_server = auth_server(methods);
            assert_eq!(wanted(&auth_server), asked);
            assert_eq!(auth_method_with_secret(&auth_server), secret);
        }
        let bare = AuthorizationServer {
            metadata: None,
            ..auth_server(&[])
        };
        assert_eq!(
            (wanted(&bare), auth_method_with_secret(&bare)),
            ("none", ClientAuth::Basic)
        );
    }

    #[test]
    fn the_answer_decides_over_what_was_asked_for() {
        let auth_server = auth_server(&["client_secret_post", "client_secret_basic"]);
        let read = |answer: Value| read(&answer, &auth_server, "http://127.0.0.1:1/").unwrap();
        let registration = read(json!({
            "client_id": "c", "client_secret": "s", "client_secret_expires_at": 7,
            "token_endpoint_auth_method": "client_secret_post",
        }));
        assert_eq!(registration.auth, ClientAuth::Post);
        assert!(registration.fits("http://127.0.0.1:1/", 6_999));
        assert!(!registration.fits("http://127.0.0.1:1/", 7_000));
        assert!(!registration.fits("http://127.0.0.1:2/", 0));
        let public = read(json!({"client_id": "c", "client_secret": ""}));
        assert_eq!(public.auth, ClientAuth::None);
        assert!(public.fits("http://127.0.0.1:1/", u64::MAX));
    }
}
