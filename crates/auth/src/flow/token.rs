//! The token endpoint.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use http::StatusCode;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::{
    address_policy::{Source, display_url},
    client::{Client, ClientAuth},
    dpop::DpopSigner,
    http_client::{HttpClient, HttpResponse},
    jwt::SigningKey,
    random::random_text,
    scope,
};
use crate::{
    Clock, Problem, Secret, Spec,
    limits::{NAME, SECRET, first_entries, words},
    problem::ProblemKind,
    trace::Step,
};

/// Lifetime of an assertion of this client, in seconds.
const ASSERTION_LIFETIME: u64 = 300;

const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Response of a token endpoint.
#[derive(Clone, Debug)]
pub(crate) struct TokenResponse {
    pub(crate) access_token: Secret,
    /// As the server writes it: `Bearer`, `DPoP`.
    pub(crate) token_type: String,
    pub(crate) refresh_token: Option<Secret>,
    /// Lifetime in seconds.
    pub(crate) expires_in: Option<u64>,
    /// `issued_token_type` of a token exchange (RFC 8693, section 2.2.1).
    pub(crate) issued_type: Option<String>,
    /// Scopes as granted; `None` means as requested.
    pub(crate) scopes: Option<Vec<String>>,
    /// Oddities of the response, as sentences.
    pub(crate) warnings: Vec<&'static str>,
}

impl TokenResponse {
    /// Returns the expiry of a token received at `now`. Both in milliseconds since the Unix epoch.
    pub(crate) fn expires_at(&self, now: u64) -> Option<u64> {
        self.expires_in
            .map(|seconds| now.saturating_add(seconds.saturating_mul(1_000)))
    }
}

/// A token endpoint, and the client that sends to it.
pub(crate) struct TokenEndpoint<'a> {
    pub(crate) http_client: &'a HttpClient,
    pub(crate) url: &'a Url,
    /// Source of the endpoint's address.
    pub(crate) source: Source,
    pub(crate) client: &'a Client,
    /// Authenticates the client with a signed assertion instead of a secret.
    pub(crate) assertion: Option<ClientAssertion<'a>>,
    /// Binds the token to a key.
    pub(crate) signer: Option<&'a DpopSigner>,
}

/// Parts of the assertion that authenticates a client (RFC 7523, section 2.2).
pub(crate) struct ClientAssertion<'a> {
    pub(crate) key: &'a SigningKey,
    pub(crate) audience: &'a str,
    pub(crate) clock: &'a Clock,
}

impl TokenEndpoint<'_> {
    /// Sends a form and reads the token in the response.
    pub(crate) async fn request_token(
        &self,
        step: &Step,
        params: &[(&str, &str)],
    ) -> Result<TokenResponse, Problem> {
        let answer = self.post(step, params).await?;
        issued(self.url, &answer)
    }

    /// Sends a form as this client. Repeats it with a nonce in the proof if the server wants it.
    pub(crate) async fn post(
        &self,
        step: &Step,
        params: &[(&str, &str)],
    ) -> Result<HttpResponse, Problem> {
        if let Some(secret) = &self.client.secret {
            step.add_secret(secret.expose());
            // The credentials as the header encodes them.
            let header = basic(&self.client.id, secret.expose());
            step.add_secret(header.trim_start_matches("Basic "));
        }
        let mut asked_again = false;
        loop {
            let request = self.request(params)?;
            let answer = self.http_client.send(step, request, self.source).await?;
            let Some(signer) = self.signer else {
                return Ok(answer);
            };
            let given = answer
                .header("dpop-nonce")
                .map(|nonce| signer.store_nonce(self.url, nonce));
            let wanted = error_of(&answer).0.as_deref() == Some("use_dpop_nonce");
            if !wanted || given.is_none() || asked_again {
                return Ok(answer);
            }
            asked_again = true;
        }
    }

    fn request(&self, params: &[(&str, &str)]) -> Result<http::Request<Vec<u8>>, Problem> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(params);
        let mut builder = http::Request::post(self.url.as_str())
            .header("accept", "application/json")
            .header("content-type", "application/x-www-form-urlencoded");
        let client = self.client;
        match (&self.assertion, client.auth, &client.secret) {
            (Some(assertion), ..) => {
                form.append_pair("client_id", &client.id);
                form.append_pair("client_assertion_type", JWT_BEARER);
                form.append_pair("client_assertion", &assertion.sign(&client.id)?);
            }
            (None, ClientAuth::Basic, Some(secret)) => {
                builder = builder.header("authorization", basic(&client.id, secret.expose()));
                // Some servers look up the client by the body before they read the header.
                form.append_pair("client_id", &client.id);
            }
            (None, ClientAuth::Post, Some(secret)) => {
                form.append_pair("client_id", &client.id);
                form.append_pair("client_secret", secret.expose());
            }
            (None, ..) if !client.id.is_empty() => {
                form.append_pair("client_id", &client.id);
            }
            (None, ..) => {}
        }
        if let Some(signer) = self.signer {
            builder = builder.header("dpop", signer.sign_proof("POST", self.url, None)?);
        }
        let body = form.finish().into_bytes();
        builder.body(body).map_err(unusable_endpoint)
    }
}

/// Returns the problem of a token endpoint whose URL cannot be used.
pub(crate) fn unusable_endpoint(error: impl ToString) -> Problem {
    let title = "The token endpoint's URL cannot be used.";
    Problem::new("unusable_address", title).because(error.to_string())
}

impl ClientAssertion<'_> {
    fn sign(&self, client_id: &str) -> Result<String, Problem> {
        let now = (self.clock)() / 1_000;
        self.key.sign(
            json!({"typ": "JWT"}),
            &json!({
                "iss": client_id, "sub": client_id, "aud": self.audience,
                "iat": now, "exp": now + ASSERTION_LIFETIME, "jti": random_text()?,
            }),
        )
    }
}

/// Encodes id and secret, each of which is form-encoded first (RFC 6749, section 2.3.1).
fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(id), encoded(secret));
    format!("Basic {}", BASE64_STANDARD.encode(pair))
}

/// Reads the response as an object. Some servers respond with a form.
fn object(answer: &HttpResponse) -> Option<serde_json::Map<String, Value>> {
    match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) => None,
        Err(_) => {
            let form = answer
                .header("content-type")?
                .starts_with("application/x-www-form-urlencoded");
            form.then(|| {
                form_urlencoded::parse(&answer.body)
                    .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
                    .collect()
            })
        }
    }
}

/// Returns the token in a response, or its error.
fn issued(url: &Url, answer: &HttpResponse) -> Result<TokenResponse, Problem> {
    if !answer.status.is_success() {
        return Err(refusal(url, answer));
    }
    let Some(token) = read(answer) else {
        // Some servers, such as GitHub, return an error with status 200.
        if error_of(answer).0.is_some() {
            return Err(refusal(url, answer));
        }
        let title = format!("`{}` responded without a token.", display_url(url));
        return Err(Problem::new("no_token", title)
            .because("Its response is not a JSON object with an `access_token`.")
            .advise("The operator of the authorization server has to fix it.")
            .see(Spec::TokenRequest));
    };
    check(url, &token)?;
    Ok(token)
}

fn read(answer: &HttpResponse) -> Option<TokenResponse> {
    let object = object(answer)?;
    let text = |name: &str| {
        object
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let access_token = Secret::new(text("access_token")?);
    let mut warnings = Vec::new();
    let token_type = text("token_type").map_or_else(
        || {
            warnings.push("The token type is missing; `Bearer` is assumed.");
            "Bearer".to_owned()
        },
        |named| named.chars().take(NAME).collect(),
    );
    let expires_in = match object.get("expires_in") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => {
            warnings.push("`expires_in` is a string instead of a number.");
            text.parse().ok()
        }
        Some(value) => value
            .as_u64()
            .or_else(|| value.as_f64().map(|seconds| seconds.max(0.0) as u64)),
    };
    Some(TokenResponse {
        access_token,
        token_type,
        refresh_token: text("refresh_token").map(Secret::new),
        expires_in,
        issued_type: text("issued_token_type").map(words),
        scopes: text("scope").map(|scopes| {
            let scopes = first_entries(scopes.split_ascii_whitespace());
            scope::union(&[], scopes)
        }),
        warnings,
    })
}

/// Refuses a token that is too long or not a single line.
fn check(url: &Url, token: &TokenResponse) -> Result<(), Problem> {
    let tokens = [Some(&token.access_token), token.refresh_token.as_ref()];
    for token in tokens.into_iter().flatten().map(Secret::expose) {
        let (code, what, cause) = if token.len() > SECRET {
            (
                "token_too_long",
                "is too long",
                format!(
                    "It has {} bytes, and Sonde takes {SECRET} at most.",
                    token.len()
                ),
            )
        } else if token.chars().any(char::is_control) {
            (
                "token_control_character",
                "has a control character in it",
                "A token consists of printable ASCII characters (RFC 6749, appendix A).".to_owned(),
            )
        } else {
            continue;
        };
        let title = format!("`{}` issued a token that {what}.", display_url(url));
        return Err(Problem::new(code, title)
            .because(cause)
            .advise("The operator of the authorization server has to fix it.")
            .see(Spec::TokenRequest));
    }
    Ok(())
}

/// Returns `error` and `error_description` of a response.
fn error_of(answer: &HttpResponse) -> (Option<String>, Option<String>) {
    let object = object(answer).unwrap_or_default();
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
    (text("error"), text("error_description"))
}

fn refusal(url: &Url, answer: &HttpResponse) -> Problem {
    let status = answer.status;
    let (error, description) = error_of(answer);
    let (code, title, kind, advice) = match error.as_deref() {
        Some("invalid_grant" | "bad_verification_code" | "bad_refresh_token") => (
            "invalid_grant",
            "The grant is no longer valid.",
            ProblemKind::InvalidGrant,
            "Sign in again.",
        ),
        Some("invalid_client" | "unauthorized_client" | "incorrect_client_credentials") => (
            "invalid_client",
            "The authorization server rejects the client ID or the client secret.",
            ProblemKind::Permanent,
            "Correct the client ID and secret in the server's settings, or delete the stored \
             client and sign in again.",
        ),
        Some("invalid_scope") => (
            "invalid_scope",
            "The authorization server does not grant the requested scopes.",
            ProblemKind::Permanent,
            "Edit the server and choose the scopes yourself.",
        ),
        Some("invalid_target") => (
            "invalid_target",
            "The authorization server does not issue tokens for this server.",
            ProblemKind::Permanent,
            "Its operator has to allow the server's URL as a resource.",
        ),
        Some("unsupported_grant_type") => (
            "unsupported_grant_type",
            "The authorization server does not support this grant type.",
            ProblemKind::Permanent,
            "Choose another authentication method.",
        ),
        error
            if status.is_server_error()
                || status == StatusCode::TOO_MANY_REQUESTS
                || matches!(
                    error,
                    Some("server_error" | "temporarily_unavailable" | "slow_down")
                ) =>
        {
            (
                "authorization_server_error",
                "The authorization server has an internal problem.",
                ProblemKind::Transient,
                "Try again later.",
            )
        }
        _ => (
            "token_refused",
            "The authorization server did not issue a token.",
            ProblemKind::Permanent,
            "The operator's log may have details.",
        ),
    };
    let error = error.map_or_else(String::new, |error| format!("`{error}` with "));
    let cause = format!(
        "`{}` returned {error}HTTP status {}.",
        display_url(url),
        status.as_u16()
    );
    let problem = Problem::new(code, title)
        .kind(kind)
        .because(cause)
        .advise(advice)
        .see(Spec::TokenRequest);
    match description {
        Some(words) => problem.detail(words),
        None => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{ENTRIES, WORDS};

    fn answer(status: u16, content_type: &str, body: &str) -> HttpResponse {
        let mut headers = http::HeaderMap::new();
        headers.insert("content-type", content_type.parse().unwrap());
        HttpResponse {
            status: StatusCode::from_u16(status).unwrap(),
            headers,
            body: body.as_bytes().to_vec(),
            source: Source::answer(&Url::parse("https://a").unwrap(), None),
        }
    }

    #[test]
    fn tokens_are_read_as_servers_write_them() {
        let json = "application/json";
        let issued = read(&answer(
            200,
            json,
            r#"{"access_token":"a","token_type":"bearer","expires_in":60,"scope":"x y x","refresh_token":"r"}"#,
        ))
        .unwrap();
        assert_eq!(issued.access_token.expose(), "a");
        assert_eq!(issued.scopes.unwrap(), ["x", "y"]);
        assert_eq!((issued.expires_in, issued.warnings.len()), (Some(60), 0));
        let odd = read(&answer(
            200,
            json,
            r#"{"access_token":"a","expires_in":"60","refresh_token":""}"#,
        ))
        .unwrap();
        assert_eq!((odd.expires_in, odd.warnings.len()), (Some(60), 2));
        assert!(odd.refresh_token.is_none() && odd.scopes.is_none());
        let form = "application/x-www-form-urlencoded; charset=utf-8";
        let form = read(&answer(200, form, "access_token=a%26b&token_type=bearer")).unwrap();
        assert_eq!(form.access_token.expose(), "a&b");
        for body in ["", "null", "[]", "{}", r#"{"access_token":""}"#, "<html>"] {
            assert!(read(&answer(200, json, body)).is_none(), "{body}");
        }
    }

    #[test]
    fn an_error_with_status_200_is_that_error() {
        let url = Url::parse("https://a/token").unwrap();
        let body =
            r#"{"error":"incorrect_client_credentials","error_description":"Wrong secret."}"#;
        let form = "error=bad_verification_code&error_description=Expired.";
        for (kind, body, code, detail) in [
            ("application/json", body, "invalid_client", "Wrong secret."),
            (
                "application/x-www-form-urlencoded",
                form,
                "invalid_grant",
                "Expired.",
            ),
        ] {
            let problem = issued(&url, &answer(200, kind, body)).unwrap_err();
            assert_eq!(
                (problem.code, problem.detail.as_deref()),
                (code, Some(detail))
            );
            assert!(problem.cause.contains("HTTP status 200"));
        }
        let none = issued(&url, &answer(200, "application/json", "{}")).unwrap_err();
        assert_eq!(none.code, "no_token");
        let both = answer(
            200,
            "application/json",
            r#"{"access_token":"a","error":"x"}"#,
        );
        assert_eq!(issued(&url, &both).unwrap().access_token.expose(), "a");
    }

    #[test]
    fn what_comes_with_a_token_is_used_in_part() {
        let scopes: Vec<_> = (0..20_000).map(|n| format!("s{n}")).collect();
        let long = "x".repeat(30_000);
        let body = json!({
            "access_token": "a",
            "token_type": long,
            "issued_token_type": long,
            "scope": scopes.join(" "),
        });
        let read = read(&answer(200, "application/json", &body.to_string())).unwrap();
        assert_eq!(read.token_type.len(), NAME);
        assert_eq!(read.issued_type.unwrap().len(), WORDS + "…".len());
        assert_eq!(read.scopes.unwrap().len(), ENTRIES);
    }

    #[test]
    fn tokens_without_end_and_with_control_characters_are_refused() {
        let url = Url::parse("https://a/token").unwrap();
        let code = |access: &str, refresh: &str| {
            let body = json!({"access_token": access, "refresh_token": refresh}).to_string();
            let token = read(&answer(200, "application/json", &body)).unwrap();
            check(&url, &token).err().map(|problem| problem.code)
        };
        assert_eq!(code("a b~!", "é"), None);
        assert_eq!(code(&"a".repeat(SECRET), ""), None);
        assert_eq!(code("a", &"a".repeat(SECRET + 1)), Some("token_too_long"));
        for control in ["a\nb", "a\r\nb", "\0a", "a\u{7f}", "a\u{85}"] {
            assert_eq!(code(control, "r"), Some("token_control_character"));
            assert_eq!(code("a", control), Some("token_control_character"));
        }
    }

    #[test]
    fn refusals_are_told_apart() {
        let url = Url::parse("https://a/token?secret=1").unwrap();
        use ProblemKind::{InvalidGrant, Permanent, Transient};
        let away = "authorization_server_error";
        for (status, error, code, kind) in [
            (400, "invalid_grant", "invalid_grant", InvalidGrant),
            (401, "invalid_client", "invalid_client", Permanent),
            (400, "whatever", "token_refused", Permanent),
            (503, "<html>", away, Transient),
            (500, "whatever", away, Transient),
            (429, "too_many_requests", away, Transient),
            (400, "temporarily_unavailable", away, Transient),
            (404, "", "token_refused", Permanent),
        ] {
            let body = match error {
                "" | "<html>" => error.to_owned(),
                error => format!(r#"{{"error":"{error}"}}"#),
            };
            let problem = refusal(&url, &answer(status, "application/json", &body));
            assert_eq!((problem.code, problem.kind), (code, kind));
            assert!(!problem.cause.contains("secret"), "{}", problem.cause);
        }
    }

    #[test]
    fn ids_and_secrets_are_encoded_before_they_are_joined() {
        assert_eq!(
            basic("a:b", "c d"),
            format!("Basic {}", BASE64_STANDARD.encode("a%3Ab:c+d"))
        );
    }
}
