//! The authorization server of the peer.

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;

use super::{
    PeerOptions, RefreshTokens, Shared,
    registry::{Code, Permission},
};
use crate::http_peer::{Reply, Request};

/// Members of a form or a query.
struct Form(Vec<(String, String)>);

impl Form {
    fn read(text: &str) -> Self {
        let pairs = form_urlencoded::parse(text.as_bytes());
        Self(pairs.into_owned().collect())
    }

    fn get(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map_or("", |(_, value)| value)
    }
}

/// Error of a token request: the code and its description (RFC 6749 section 5.2).
struct OAuthError(&'static str, &'static str);

pub(super) fn answer(shared: &Shared, request: &Request) -> Reply {
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let options = shared.options();
    match (request.method.as_str(), path) {
        ("GET", "/.well-known/oauth-authorization-server") if !options.open_id_only => {
            metadata(shared, &options, path)
        }
        ("GET", "/.well-known/openid-configuration") => metadata(shared, &options, path),
        ("GET", "/authorize") => authorize(shared, &options, &Form::read(query)),
        ("POST", "/token") => token(shared, &options, request),
        ("POST", "/register") if options.registration => register(shared, &options, request),
        ("POST", "/revoke") if options.revocation => revoke(shared, request),
        _ => Reply::status(404).body(""),
    }
}

fn metadata(shared: &Shared, options: &PeerOptions, path: &str) -> Reply {
    if let Some(elsewhere) = &options.redirect_metadata {
        return Reply::status(302)
            .header("Location", &format!("{elsewhere}{path}"))
            .body("");
    }
    let issuer = shared.issuer_by(options);
    let mut scopes = vec!["read", "write"];
    if options.offline_access {
        scopes.push("offline_access");
    }
    let mut document = json!({
        "issuer": options.issuer.as_deref().unwrap_or(issuer),
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "token_endpoint_auth_methods_supported":
            if options.client_secrets { json!(["client_secret_basic"]) } else { json!(["none"]) },
        "scopes_supported": scopes,
        "authorization_response_iss_parameter_supported": options.iss.promised(),
    });
    if options.pkce {
        document["code_challenge_methods_supported"] = json!(["S256"]);
    }
    if options.registration {
        document["registration_endpoint"] = json!(format!("{issuer}/register"));
    }
    if options.revocation {
        document["revocation_endpoint"] = json!(format!("{issuer}/revoke"));
    }
    Reply::json(document.to_string())
}

/// Handles a registration (RFC 7591).
fn register(shared: &Shared, options: &PeerOptions, request: &Request) -> Reply {
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
    let (id, secret, access) = shared.registry(|registry| {
        let (id, secret) = registry.register_new(uris.clone(), options.client_secrets);
        (id, secret, registry.secret("registration", 0))
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
    Reply::status(201).json_body(to_json_text(options, &answer))
}

/// Lets the user allow or deny access at once. An invalid request is shown to the user instead of sent back (RFC 6749
/// section 4.1.2.1).
fn authorize(shared: &Shared, options: &PeerOptions, form: &Form) -> Reply {
    let redirect_uri = form.get("redirect_uri");
    let known = shared.registry(|registry| {
        registry
            .client(form.get("client_id"))
            .is_some_and(|client| client.redirect_uris.iter().any(|uri| uri == redirect_uri))
    });
    let wrong = if !known {
        Some("no such client with this redirect URI")
    } else if form.get("response_type") != "code" {
        Some("response_type is not code")
    } else if form.get("code_challenge_method") != "S256" || form.get("code_challenge").is_empty() {
        Some("no code challenge with S256")
    } else if form.get("resource") != shared.resource(options) {
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
        if options.deny {
            query.append_pair("error", "access_denied");
            query.append_pair("error_description", "The user said no.");
        } else {
            let code = shared.registry(|registry| {
                let (client, resource) = (form.get("client_id"), form.get("resource"));
                let permission = registry.permit(client, scopes(form.get("scope")), resource);
                registry.add_code(Code {
                    permission,
                    redirect_uri: redirect_uri.to_owned(),
                    challenge: form.get("code_challenge").to_owned(),
                })
            });
            query.append_pair("code", &code);
        }
        let state = if options.wrong_state {
            "of-somebody-else"
        } else {
            form.get("state")
        };
        query.append_pair("state", state);
        if let Some(iss) = options.iss.value(shared.issuer_by(options)) {
            query.append_pair("iss", &iss);
        }
    }
    Reply::status(302)
        .header("Location", back.as_str())
        .body("")
}

fn token(shared: &Shared, options: &PeerOptions, request: &Request) -> Reply {
    let form = Form::read(&request.body);
    let refresh = form.get("grant_type") == "refresh_token";
    if shared.take(|options| &mut options.fail_tokens) {
        return match options.more_secrets {
            0 => Reply::status(500).body("out of order"),
            _ => Reply::status(500).json_body(with_more(shared, options, json!({}))),
        };
    }
    let granted = client(shared, request, &form).and_then(|client| match form.get("grant_type") {
        "authorization_code" => by_code(shared, options, &form, &client),
        "refresh_token" => by_refresh(shared, options, &form, &client),
        "client_credentials" => by_client_credentials(shared, options, &form, &client),
        _ => Err(OAuthError("unsupported_grant_type", "never heard of it")),
    });
    let reply = match granted {
        Ok(answer) => Reply::status(200)
            .header("Cache-Control", "no-store")
            .json_body(to_json_text(options, &with_more(shared, options, answer))),
        Err(OAuthError(error, description)) => {
            let description = if options.echo {
                format!("{description}: {}", request.body)
            } else {
                description.to_owned()
            };
            let refusal = json!({ "error": error, "error_description": description });
            Reply::status(if error == "invalid_client" { 401 } else { 400 })
                .json_body(to_json_text(options, &refusal))
        }
    };
    if shared.take(|options| &mut options.drop_tokens) {
        return Reply::raw("").cut();
    }
    match &options.hold_tokens {
        Some(gate) if refresh || form.get("grant_type") == "authorization_code" => {
            reply.after_gate(gate)
        }
        _ => reply,
    }
}

/// Formats JSON text in one of its equivalent spellings.
fn to_json_text(options: &PeerOptions, value: &Value) -> String {
    let text = value.to_string();
    if options.escape {
        text.replace('/', "\\/").replace('+', "\\u002b")
    } else {
        text
    }
}

/// Identifies the client: by HTTP Basic, by members of the form, or by its id alone (RFC 6749 section 2.3).
fn client(shared: &Shared, request: &Request, form: &Form) -> Result<String, OAuthError> {
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
    let wanted = shared.registry(|registry| registry.client(&id).cloned());
    let wanted = wanted.ok_or(OAuthError("invalid_client", "no such client"))?;
    if wanted.secret.is_some_and(|wanted| wanted != secret) {
        return Err(OAuthError("invalid_client", "the secret is wrong"));
    }
    Ok(id)
}

/// Decodes a part of Basic credentials, which is form-encoded (RFC 6749 section 2.3.1).
fn unescape(text: &str) -> String {
    Form::read(&format!("value={text}")).get("value").to_owned()
}

fn by_code(
    shared: &Shared,
    options: &PeerOptions,
    form: &Form,
    client: &str,
) -> Result<Value, OAuthError> {
    let code = shared.registry(|registry| registry.take_code(form.get("code")));
    let code = code.ok_or(OAuthError("invalid_grant", "no such code"))?;
    // RFC 7636 section 4.6.
    let challenge = general_purpose::URL_SAFE_NO_PAD
        .encode(Sha256::digest(form.get("code_verifier").as_bytes()));
    if code.challenge != challenge {
        return Err(OAuthError("invalid_grant", "the code verifier is wrong"));
    }
    if code.permission.client != client || code.redirect_uri != form.get("redirect_uri") {
        return Err(OAuthError("invalid_grant", "the code is for somebody else"));
    }
    // RFC 8707 section 2.2: the same resource as before.
    if form.get("resource") != code.permission.resource {
        return Err(OAuthError("invalid_target", "the resource is another one"));
    }
    let refresh = match options.refresh_tokens {
        RefreshTokens::EveryGrant | RefreshTokens::Always => true,
        RefreshTokens::OfflineAccess => code.permission.scopes.contains("offline_access"),
        RefreshTokens::Never => false,
    };
    Ok(grant(shared, options, &code.permission, refresh))
}

fn by_refresh(
    shared: &Shared,
    options: &PeerOptions,
    form: &Form,
    client: &str,
) -> Result<Value, OAuthError> {
    let old = form.get("refresh_token");
    let permission = shared
        .registry(|registry| registry.redeem(old, client, form.get("resource"), options.rotate))
        .ok_or(OAuthError(
            "invalid_grant",
            "the refresh token is not valid",
        ))?;
    if shared.take(|options| &mut options.refuse_refreshes) {
        shared.registry(|registry| registry.end_family(permission.family));
        return Err(OAuthError("invalid_grant", "the refresh token has expired"));
    }
    Ok(grant(shared, options, &permission, options.rotate))
}

fn by_client_credentials(
    shared: &Shared,
    options: &PeerOptions,
    form: &Form,
    client: &str,
) -> Result<Value, OAuthError> {
    let secret =
        shared.registry(|registry| registry.client(client).and_then(|one| one.secret.clone()));
    if secret.is_none() {
        return Err(OAuthError("unauthorized_client", "it has no secret"));
    }
    let permission = shared.registry(|registry| {
        registry.permit(client, scopes(form.get("scope")), form.get("resource"))
    });
    if permission.resource != shared.resource(options) {
        return Err(OAuthError("invalid_target", "no such resource"));
    }
    let refresh = options.refresh_tokens == RefreshTokens::EveryGrant;
    Ok(grant(shared, options, &permission, refresh))
}

fn grant(shared: &Shared, options: &PeerOptions, permission: &Permission, refresh: bool) -> Value {
    shared.registry(|registry| {
        let access = registry.add_access(permission, options.token_seconds, options.padding);
        let mut answer = answer_with(permission, options, access);
        if refresh {
            let token = registry.add_refresh(permission, options.padding);
            answer["refresh_token"] = json!(token);
        }
        // Nobody requested it, and it is as secret as the others.
        answer["id_token"] = json!(registry.secret("id", 0));
        answer
    })
}

fn answer_with(permission: &Permission, options: &PeerOptions, access: String) -> Value {
    let scope: Vec<_> = permission.scopes.iter().map(String::as_str).collect();
    let mut answer = json!({
        "access_token": access,
        "token_type": "Bearer",
        "scope": scope.join(" "),
    });
    if let Some(seconds) = options.token_seconds {
        answer["expires_in"] = json!(seconds);
    }
    answer
}

fn with_more(shared: &Shared, options: &PeerOptions, mut answer: Value) -> Value {
    if options.more_secrets > 0 {
        answer["more"] = shared.registry(|registry| {
            let more = |_| json!({ "access_token": registry.secret("more", 0) });
            (0..options.more_secrets).map(more).collect()
        });
    }
    answer
}

/// Revokes a token; an unknown token counts as revoked (RFC 7009).
fn revoke(shared: &Shared, request: &Request) -> Reply {
    let form = Form::read(&request.body);
    if let Err(OAuthError(error, _)) = client(shared, request, &form) {
        return Reply::status(401).json_body(json!({ "error": error }));
    }
    shared.registry(|registry| registry.revoke(form.get("token")));
    Reply::status(200).body("")
}

fn scopes(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
