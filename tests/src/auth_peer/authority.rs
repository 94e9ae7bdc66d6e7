//! The authorization server's half of the peer.

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;

use super::{
    Manners, RefreshTokens, Shared,
    book::{Code, Permission},
};
use crate::http_peer::{Reply, Request};

/// Members of a form or a query.
struct Form(Vec<(String, String)>);

impl Form {
    fn read(text: &str) -> Self {
        Self(
            form_urlencoded::parse(text.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    fn get(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map_or("", |(_, value)| value)
    }
}

/// What is wrong with a request for a token (RFC 6749 section 5.2).
struct Refusal(&'static str, &'static str);

pub(super) fn answer(shared: &Shared, request: &Request) -> Reply {
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let manners = shared.manners();
    let reply = match (request.method.as_str(), path) {
        ("GET", "/.well-known/oauth-authorization-server") if !manners.open_id_only => {
            metadata(shared, &manners, path)
        }
        ("GET", "/.well-known/openid-configuration") => metadata(shared, &manners, path),
        ("GET", "/authorize") => authorize(shared, &manners, &Form::read(query)),
        ("POST", "/token") => token(shared, &manners, request),
        ("POST", "/register") if manners.registration => register(shared, &manners, request),
        ("POST", "/revoke") if manners.revocation => revoke(shared, request),
        _ => Reply::status(404).body(""),
    };
    reply.after(manners.authority_delay)
}

fn metadata(shared: &Shared, manners: &Manners, path: &str) -> Reply {
    if let Some(elsewhere) = &manners.redirect_metadata {
        return Reply::status(302)
            .header("Location", &format!("{elsewhere}{path}"))
            .body("");
    }
    let issuer = shared.issuer();
    let mut scopes = vec!["read", "write"];
    if manners.offline_access {
        scopes.push("offline_access");
    }
    let mut document = json!({
        "issuer": manners.issuer.as_deref().unwrap_or(issuer),
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_methods_supported":
            if manners.client_secrets { json!(["client_secret_basic"]) } else { json!(["none"]) },
        "scopes_supported": scopes,
        "authorization_response_iss_parameter_supported": manners.iss.promised(),
    });
    if manners.pkce {
        document["code_challenge_methods_supported"] = json!(["S256"]);
    }
    if manners.registration {
        document["registration_endpoint"] = json!(format!("{issuer}/register"));
    }
    if manners.revocation {
        document["revocation_endpoint"] = json!(format!("{issuer}/revoke"));
    }
    Reply::json(document.to_string())
}

/// RFC 7591.
fn register(shared: &Shared, manners: &Manners, request: &Request) -> Reply {
    let asked: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let uris: Vec<String> = asked["redirect_uris"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|uri| uri.as_str().map(str::to_owned))
        .collect();
    if uris.is_empty() {
        let refusal = json!({ "error": "invalid_redirect_uri" });
        return Reply::status(400).json_body(refusal);
    }
    let (id, secret, access) = shared.book(|book| {
        let (id, secret) = book.register_new(uris.clone(), manners.client_secrets);
        (id, secret, book.secret("registration", 0))
    });
    let mut answer = json!({
        "client_id": id,
        "redirect_uris": uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": "none",
        "registration_access_token": access,
    });
    if let Some(secret) = secret {
        answer["client_secret"] = json!(secret);
        answer["client_secret_expires_at"] = json!(0);
        answer["token_endpoint_auth_method"] = json!("client_secret_basic");
    }
    Reply::status(201).json_body(written(manners, &answer))
}

/// The user says yes (or no) at once. What makes no sense is shown to the user instead of sent back
/// (RFC 6749 section 4.1.2.1).
fn authorize(shared: &Shared, manners: &Manners, form: &Form) -> Reply {
    let redirect_uri = form.get("redirect_uri");
    let known = shared.book(|book| {
        book.client(form.get("client_id"))
            .is_some_and(|client| client.redirect_uris.iter().any(|uri| uri == redirect_uri))
    });
    let wrong = if !known {
        Some("no such client with this redirect URI")
    } else if form.get("response_type") != "code" {
        Some("response_type is not code")
    } else if form.get("code_challenge_method") != "S256" || form.get("code_challenge").is_empty() {
        Some("no code challenge with S256")
    } else if form.get("resource") != shared.resource(manners) {
        Some("the resource is not the one that is guarded")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        return Reply::status(400).body(wrong);
    }
    let Ok(mut back) = url::Url::parse(redirect_uri) else {
        return Reply::status(400).body("the redirect URI is no address");
    };
    {
        let mut query = back.query_pairs_mut();
        if manners.deny {
            query.append_pair("error", "access_denied");
            query.append_pair("error_description", "The user said no.");
        } else {
            let code = shared.book(|book| {
                let scopes = scopes(form.get("scope"));
                book.permit(form.get("client_id"), scopes, form.get("resource"))
                    .into_code(book, redirect_uri, form.get("code_challenge"))
            });
            query.append_pair("code", &code);
        }
        let state = if manners.wrong_state {
            "of-somebody-else"
        } else {
            form.get("state")
        };
        query.append_pair("state", state);
        if let Some(iss) = manners.iss.value(shared.issuer()) {
            query.append_pair("iss", &iss);
        }
    }
    Reply::status(302)
        .header("Location", back.as_str())
        .body("")
}

impl Permission {
    fn into_code(
        self,
        book: &mut super::book::Book,
        redirect_uri: &str,
        challenge: &str,
    ) -> String {
        book.add_code(Code {
            permission: self,
            redirect_uri: redirect_uri.to_owned(),
            challenge: challenge.to_owned(),
        })
    }
}

fn token(shared: &Shared, manners: &Manners, request: &Request) -> Reply {
    let form = Form::read(&request.body);
    let refresh = form.get("grant_type") == "refresh_token";
    if shared.take(|manners| &mut manners.fail_tokens) {
        return Reply::status(500).body("out of order");
    }
    let granted = client(shared, request, &form).and_then(|client| match form.get("grant_type") {
        "authorization_code" => by_code(shared, manners, &form, &client),
        "refresh_token" => by_refresh(shared, manners, &form, &client),
        "client_credentials" => by_itself(shared, manners, &form, &client),
        _ => Err(Refusal("unsupported_grant_type", "never heard of it")),
    });
    let reply = match granted {
        Ok(answer) => Reply::status(200)
            .header("Cache-Control", "no-store")
            .json_body(written(manners, &answer)),
        Err(Refusal(error, description)) => {
            let description = if manners.echo {
                format!("{description}: {}", request.body)
            } else {
                description.to_owned()
            };
            let refusal = json!({ "error": error, "error_description": description });
            Reply::status(if error == "invalid_client" { 401 } else { 400 })
                .json_body(written(manners, &refusal))
        }
    };
    if shared.take(|manners| &mut manners.drop_tokens) {
        return Reply::raw("").cut();
    }
    match &manners.hold_tokens {
        Some(gate) if refresh || form.get("grant_type") == "authorization_code" => {
            reply.after_gate(gate)
        }
        _ => reply,
    }
}

/// JSON text in one of its ways to write the same.
fn written(manners: &Manners, value: &Value) -> String {
    let text = value.to_string();
    if manners.escape {
        text.replace('/', "\\/").replace('+', "\\u002b")
    } else {
        text
    }
}

/// Who asks: by HTTP Basic, by members of the form, or by name alone (RFC 6749 section 2.3).
fn client(shared: &Shared, request: &Request, form: &Form) -> Result<String, Refusal> {
    let basic = request
        .header("Authorization")
        .and_then(|value| value.strip_prefix("Basic "))
        .and_then(|value| general_purpose::STANDARD.decode(value).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let (id, secret) = match basic.as_deref().and_then(|pair| pair.split_once(':')) {
        Some((id, secret)) => (unescape(id), unescape(secret)),
        None => (
            form.get("client_id").to_owned(),
            form.get("client_secret").to_owned(),
        ),
    };
    let wanted = shared.book(|book| book.client(&id).cloned());
    let wanted = wanted.ok_or(Refusal("invalid_client", "no such client"))?;
    if wanted.secret.is_some_and(|wanted| wanted != secret) {
        return Err(Refusal("invalid_client", "the secret is wrong"));
    }
    Ok(id)
}

/// The parts of Basic credentials are encoded as in a form (RFC 6749 section 2.3.1).
fn unescape(text: &str) -> String {
    Form::read(&format!("value={text}")).get("value").to_owned()
}

fn by_code(
    shared: &Shared,
    manners: &Manners,
    form: &Form,
    client: &str,
) -> Result<Value, Refusal> {
    let code = shared.book(|book| book.take_code(form.get("code")));
    let code = code.ok_or(Refusal("invalid_grant", "no such code"))?;
    // RFC 7636 section 4.6.
    let challenge = general_purpose::URL_SAFE_NO_PAD
        .encode(Sha256::digest(form.get("code_verifier").as_bytes()));
    if code.challenge != challenge {
        return Err(Refusal("invalid_grant", "the code verifier is wrong"));
    }
    if code.permission.client != client || code.redirect_uri != form.get("redirect_uri") {
        return Err(Refusal("invalid_grant", "the code is for somebody else"));
    }
    // RFC 8707 section 2.2: the same resource as before.
    if form.get("resource") != code.permission.resource {
        return Err(Refusal("invalid_target", "the resource is another one"));
    }
    let refresh = match manners.refresh_tokens {
        RefreshTokens::Always => true,
        RefreshTokens::OfflineAccess => code.permission.scopes.contains("offline_access"),
        RefreshTokens::Never => false,
    };
    Ok(grant(shared, manners, &code.permission, refresh))
}

fn by_refresh(
    shared: &Shared,
    manners: &Manners,
    form: &Form,
    client: &str,
) -> Result<Value, Refusal> {
    let old = form.get("refresh_token");
    let permission = shared
        .book(|book| book.redeem(old, client, form.get("resource"), manners.rotate))
        .ok_or(Refusal("invalid_grant", "the refresh token is not valid"))?;
    if shared.take(|manners| &mut manners.refuse_refreshes) {
        shared.book(|book| book.end_family(permission.family));
        return Err(Refusal("invalid_grant", "the refresh token has expired"));
    }
    Ok(grant(shared, manners, &permission, manners.rotate))
}

fn by_itself(
    shared: &Shared,
    manners: &Manners,
    form: &Form,
    client: &str,
) -> Result<Value, Refusal> {
    let secret = shared.book(|book| book.client(client).and_then(|one| one.secret.clone()));
    if secret.is_none() {
        return Err(Refusal("unauthorized_client", "it has no secret"));
    }
    let permission =
        shared.book(|book| book.permit(client, scopes(form.get("scope")), form.get("resource")));
    if permission.resource != shared.resource(manners) {
        return Err(Refusal("invalid_target", "no such resource"));
    }
    let access =
        shared.book(|book| book.add_access(&permission, manners.token_seconds, manners.padding));
    Ok(answer_with(&permission, manners, access))
}

fn grant(shared: &Shared, manners: &Manners, permission: &Permission, refresh: bool) -> Value {
    shared.book(|book| {
        let access = book.add_access(permission, manners.token_seconds, manners.padding);
        let mut answer = answer_with(permission, manners, access);
        if refresh {
            let token = book.add_refresh(permission, manners.padding);
            answer["refresh_token"] = json!(token);
        }
        // Not asked for, and as secret as the rest.
        answer["id_token"] = json!(book.secret("id", 0));
        answer
    })
}

fn answer_with(permission: &Permission, manners: &Manners, access: String) -> Value {
    let scope: Vec<_> = permission.scopes.iter().map(String::as_str).collect();
    let mut answer = json!({
        "access_token": access,
        "token_type": "Bearer",
        "scope": scope.join(" "),
    });
    if let Some(seconds) = manners.token_seconds {
        answer["expires_in"] = json!(seconds);
    }
    answer
}

/// RFC 7009: what is not known is revoked already.
fn revoke(shared: &Shared, request: &Request) -> Reply {
    let form = Form::read(&request.body);
    if let Err(Refusal(error, _)) = client(shared, request, &form) {
        return Reply::status(401).json_body(json!({ "error": error }));
    }
    shared.book(|book| book.revoke(form.get("token")));
    Reply::status(200).body("")
}

fn scopes(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
