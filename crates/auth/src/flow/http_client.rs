//! Requests of signing in: bounded, checked before they are sent, and told to the trace.

use std::{error::Error as _, sync::OnceLock, time::Duration};

use http::{Method, StatusCode};
use reqwest::{Client, Request, Response, redirect, retry};
use sonde_wire::{
    Header,
    http::{Network, tls_failure},
};
use url::{Url, form_urlencoded};

use super::address_policy::{AddressPolicy, PrivateAddress, display_url, is_local};
use crate::{
    Problem,
    problem::ProblemKind,
    trace::{HttpExchange, Step},
};

/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest answer in bytes.
const MAX_BODY: usize = 1 << 20;
/// How many redirects are followed, within one origin.
const MAX_REDIRECTS: u32 = 5;

/// Members of JSON and fields of forms that are secrets.
const SECRET_FIELDS: [&str; 10] = [
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "code_verifier",
    "assertion",
    "client_assertion",
    "subject_token",
    "actor_token",
];
/// Fields that are secrets where we send them. In an answer these names mean all sorts of things.
const SENT_SECRET_FIELDS: [&str; 3] = ["code", "token", "password"];

/// Members that show that a response is one of OAuth.
const KNOWN_MEMBERS: [&str; 3] = ["access_token", "client_id", "error"];

/// What stands in the place of an answer that cannot be searched for secrets.
const HIDDEN_BODY: &str = "(Not shown: this is not a standard response and may contain a token.)";

/// Sends requests.
#[derive(Debug)]
pub(crate) struct HttpClient {
    network: Network,
    pub(crate) policy: AddressPolicy,
    /// One for what is on this computer, where no proxy leads, and one for the rest.
    clients: [OnceLock<Client>; 2],
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct HttpResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl HttpClient {
    /// A client that goes the same way as the requests to the server.
    pub(crate) async fn new(server: &Url, network: &Network) -> Self {
        Self {
            network: network.clone(),
            policy: AddressPolicy::for_server(server).await,
            clients: Default::default(),
        }
    }

    fn client(&self, url: &Url) -> Result<&Client, Problem> {
        let slot = &self.clients[usize::from(is_local(url))];
        if let Some(client) = slot.get() {
            return Ok(client);
        }
        let bad = |reason: String| {
            Problem::new(
                "network_settings",
                "The server's network settings cannot be used.",
            )
            .because(reason)
            .advise("Edit the server and check its network settings.")
        };
        let client = self
            .network
            .client(url)
            .map_err(|error| bad(error.to_string()))?
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            .dns_resolver(self.policy.resolver())
            .connect_timeout(Duration::from_secs(10))
            .timeout(REQUEST_TIMEOUT)
            .build()
            .map_err(|error| bad(error.without_url().to_string()))?;
        Ok(slot.get_or_init(|| client))
    }

    /// GET for metadata. Redirects are followed within the origin.
    pub(crate) async fn get(&self, step: &Step, url: &Url) -> Result<HttpResponse, Problem> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = http::Request::builder()
                .method(Method::GET)
                .uri(url.as_str())
                .header("accept", "application/json")
                .body(Vec::new())
                .map_err(|error| unusable_address(&url, &error.to_string()))?;
            let answer = self.send(step, request).await?;
            let next = answer
                .status
                .is_redirection()
                .then(|| answer.header("location"))
                .flatten()
                .and_then(|location| url.join(location).ok())
                .filter(|next| next.origin() == url.origin());
            match next {
                Some(next) => url = next,
                None => return Ok(answer),
            }
        }
        Err(Problem::new(
            "redirects",
            format!("`{}` redirects too many times.", display_url(&url)),
        ))
    }

    /// Sends one request and reads its answer.
    pub(crate) async fn send(
        &self,
        step: &Step,
        request: http::Request<Vec<u8>>,
    ) -> Result<HttpResponse, Problem> {
        let mut request = Request::try_from(request).map_err(|error| {
            Problem::new("unusable_address", "A sign-in URL cannot be used.")
                .because(error.without_url().to_string())
        })?;
        self.policy.check(request.url()).await?;
        let client = self.client(request.url())?;
        request.headers_mut().insert(
            http::header::USER_AGENT,
            http::HeaderValue::from_static(concat!("Sonde/", env!("CARGO_PKG_VERSION"))),
        );
        let mut exchange = begin(step, &request);
        let posted = request.method() == Method::POST;
        let url = request.url().clone();
        let response = match client.execute(request).await {
            Ok(response) => read(response, &url).await,
            Err(error) => Err(request_failed(&url, &error)),
        };
        match &response {
            Ok(response) => {
                let readable = add_secrets_of(step, &response.body, false);
                exchange.status = Some(response.status.as_u16());
                exchange.response_headers = headers(&response.headers);
                // An error page says what is wrong; a yes may be a damaged token.
                let hidden = posted && response.status.is_success() && !readable;
                exchange.response_body = Some(match hidden {
                    true => HIDDEN_BODY.to_owned(),
                    false => String::from_utf8_lossy(&response.body).into_owned(),
                });
            }
            Err(problem) => exchange.error = Some(problem.title.clone()),
        }
        step.exchange(exchange);
        response
    }
}

/// What is sent, with its secrets told first.
fn begin(step: &Step, request: &Request) -> HttpExchange {
    let body = request
        .body()
        .and_then(reqwest::Body::as_bytes)
        .filter(|body| !body.is_empty());
    if let Some(body) = body {
        add_secrets_of(step, body, true);
    }
    HttpExchange {
        method: request.method().to_string(),
        url: request.url().to_string(),
        request_headers: headers(request.headers()),
        request_body: body.map(|body| String::from_utf8_lossy(body).into_owned()),
        status: None,
        response_headers: Vec::new(),
        response_body: None,
        error: None,
    }
}

fn headers(map: &http::HeaderMap) -> Vec<Header> {
    map.iter()
        .map(|(name, value)| Header {
            name: name.as_str().to_owned(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
        .collect()
}

/// Secrets in a body, whether it is JSON or a form. `false` when it is not known what may be secret
/// in it.
fn add_secrets_of(step: &Step, body: &[u8], sent: bool) -> bool {
    fn walk(step: &Step, value: &serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        serde_json::Value::String(text)
                            if SECRET_FIELDS.contains(&name.as_str()) =>
                        {
                            step.add_secret(text);
                        }
                        value => walk(step, value),
                    }
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| walk(step, item)),
            _ => {}
        }
    }
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(body) {
        walk(step, &value);
        return KNOWN_MEMBERS.iter().any(|name| value.get(name).is_some());
    }
    let mut known = body.is_empty();
    for (name, value) in form_urlencoded::parse(body) {
        let name = name.as_ref();
        if SECRET_FIELDS.contains(&name) || (sent && SENT_SECRET_FIELDS.contains(&name)) {
            step.add_secret(&value);
            known = true;
        }
    }
    known
}

async fn read(mut response: Response, url: &Url) -> Result<HttpResponse, Problem> {
    let status = response.status();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > MAX_BODY => {
                return Err(Problem::new(
                    "answer_too_large",
                    format!(
                        "The response of `{}` is larger than 1 MiB.",
                        display_url(url)
                    ),
                ));
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) => return Err(request_failed(url, &error)),
        }
    }
    Ok(HttpResponse {
        status,
        headers,
        body,
    })
}

fn unusable_address(url: &Url, reason: &str) -> Problem {
    Problem::new(
        "unusable_address",
        format!("`{}` is not a usable URL.", display_url(url)),
    )
    .because(reason)
}

fn request_failed(url: &Url, error: &reqwest::Error) -> Problem {
    let mut source = error.source();
    let mut innermost = String::new();
    while let Some(inner) = source {
        if let Some(hidden) = inner.downcast_ref::<PrivateAddress>() {
            return hidden.problem();
        }
        innermost = inner.to_string();
        source = inner.source();
    }
    if error.is_timeout() && !error.is_connect() {
        return Problem::new(
            "no_answer",
            format!("`{}` does not respond.", display_url(url)),
        )
        .kind(ProblemKind::Transient)
        .because(format!(
            "Sonde waited {} seconds.",
            REQUEST_TIMEOUT.as_secs()
        ))
        .advise("Try again. If the problem persists, contact its operator.");
    }
    if let Some(reason) = tls_failure(error) {
        return Problem::new(
            "not_trusted",
            format!(
                "The connection to `{}` cannot be trusted.",
                display_url(url)
            ),
        )
        .because(format!("TLS failed: {reason}."))
        .advise(
            "If your company issued its certificate, enter the CA file in the server's \
                 network settings.",
        )
        .advise("Otherwise its operator has to install a certificate for this name.");
    }
    let cause = match error.is_timeout() {
        true => "Connecting took too long.".to_owned(),
        false => innermost,
    };
    Problem::new(
        "unreachable",
        format!("`{}` cannot be reached.", display_url(url)),
    )
    .kind(ProblemKind::Transient)
    .because(cause)
    .advise("Check that this server is running and reachable, then try again.")
}
