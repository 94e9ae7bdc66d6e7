//! Rules about responses during a sign-in.

use serde_json::{Value, json};
use sonde_client::{auth::AuthState, operations::OperationInput};
use sonde_tests::{
    auth_peer::{AuthPeer, Iss, browser},
    client::{Client, http},
    http_peer::{HttpPeer, Reply, Request},
};

use crate::{
    play::{Case, Play, Played},
    server::{rule, with},
};

const RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";
const SERVER: &str = "/.well-known/oauth-authorization-server";

/// Placeholder for the server's origin.
const ORIGIN: &str = "$origin";

/// Placeholder for the server's port.
const PORT: &str = "$port";

/// Responses of a guarded server and its authorization server; `null` removes a member.
#[derive(Clone)]
struct Guarded {
    /// Parameters of the challenge, besides the address of the metadata.
    challenge: &'static str,
    resource: Value,
    /// Metadata; `null` if there is none.
    server: Value,
    /// The URL of the server redirects to another one.
    redirects: bool,
    /// Place of the resource's metadata.
    metadata: Metadata,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Metadata {
    There,
    /// At another path of the server.
    Moved,
    Missing,
    /// At an address that is not a URL.
    Nowhere,
}

const REDIRECTED: &str = "/redirected";

fn sound() -> Guarded {
    Guarded {
        challenge: r#", scope="read""#,
        resource: json!({}),
        server: json!({}),
        redirects: false,
        metadata: Metadata::There,
    }
}

impl Guarded {
    fn reply(&self, request: &Request) -> Reply {
        let origin = format!("http://{}", request.header("host").unwrap_or_default());
        match request.target.as_str() {
            "/mcp" if self.redirects => Reply::status(307).header("location", REDIRECTED).body(""),
            "/mcp" | REDIRECTED => {
                let origin = match self.metadata {
                    Metadata::Nowhere => "nowhere",
                    _ => &origin,
                };
                let named = format!(
                    r#"Bearer resource_metadata="{origin}{RESOURCE}"{}"#,
                    self.challenge
                );
                Reply::status(401)
                    .header("www-authenticate", &named)
                    .body("")
            }
            RESOURCE if self.metadata == Metadata::Missing => Reply::status(404).body(""),
            RESOURCE if self.metadata == Metadata::Moved => Reply::status(302)
                .header("location", &format!("{origin}/moved"))
                .body(""),
            RESOURCE | "/moved" => {
                let resource = json!({
                    "resource": format!("{origin}/mcp"),
                    "authorization_servers": [origin],
                    "scopes_supported": ["read"],
                });
                let resource = match self.resource.is_array() {
                    true => self.resource.to_string(),
                    false => with(&resource, self.resource.clone()).to_string(),
                };
                let port = origin.rsplit(':').next().unwrap_or_default();
                let resource = resource.replace(ORIGIN, &origin);
                Reply::json(resource.replace(PORT, port))
            }
            SERVER if self.server.is_null() => Reply::status(404).body(""),
            SERVER => {
                let server = json!({
                    "issuer": origin,
                    "authorization_endpoint": format!("{origin}/authorize"),
                    "token_endpoint": format!("{origin}/token"),
                    "registration_endpoint": format!("{origin}/register"),
                    "code_challenge_methods_supported": ["S256"],
                    "response_types_supported": ["code"],
                    "token_endpoint_auth_methods_supported": ["none"],
                    "client_id_metadata_document_supported": true,
                });
                Reply::json(with(&server, self.server.clone()).to_string())
            }
            "/register" => {
                let asked: Value = serde_json::from_str(&request.body).unwrap_or_default();
                let client = with(&asked, json!({ "client_id": "c" }));
                Reply::status(201)
                    .header("content-type", "application/json")
                    .body(client.to_string())
            }
            _ => Reply::status(404).body(""),
        }
    }

    /// Connects, and checks the findings as soon as the user has to sign in.
    fn play(self, broken: Option<&'static str>) -> Play {
        Box::pin(async move {
            let peer = HttpPeer::start(move |request| self.reply(request)).await;
            let played = Played::begin(http(peer.url()));
            let asked = played.client.until("the prompt", |state| {
                let state = state.auth.as_ref()?.state;
                matches!(state, AuthState::Prompt | AuthState::Failed).then_some(())
            });
            asked.await;
            played.end(broken).await
        })
    }
}

fn case(rule: &'static str, broken: Guarded, sound: Guarded) -> Case {
    Case::new(rule, Guarded::play, broken, sound)
}

/// Waits for the prompt, and signs in as the user. Returns the attempt.
async fn sign_in(client: &Client) -> u64 {
    let prompt = client.wait_for_prompt(0);
    let attempt = client.within("the prompt", prompt).await.attempt;
    let address = client.open_prompt(attempt).unwrap();
    browser::follow(&address).await.unwrap();
    attempt
}

/// Creates a server that requires another scope when the tool `write` is called, with or without the address of its
/// metadata.
fn step_up(names_metadata: bool, broken: Option<&'static str>) -> Play {
    Box::pin(async move {
        let peer = AuthPeer::start().await;
        let played = Played::begin(http(peer.url()));
        let client = &played.client;
        let attempt = sign_in(client).await;
        client.tools().await;
        peer.configure(|options| options.challenge_metadata = names_metadata);
        client.start(OperationInput::tool("write", None)).await;
        let next = client.wait_for_prompt(attempt);
        client.within("the next prompt", next).await;
        played.end(broken).await
    })
}

/// Creates a server whose only metadata are those of an authorization server at its root, in this protocol version; or
/// one with metadata of the resource.
fn rooted(
    own_auth_server: bool,
    revision: Option<&'static str>,
    broken: Option<&'static str>,
) -> Play {
    Box::pin(async move {
        let peer = AuthPeer::start().await;
        peer.configure(|options| {
            options.own_auth_server = own_auth_server;
            options.revision = revision;
        });
        let played = Played::begin(http(peer.url()));
        let client = &played.client;
        sign_in(client).await;
        client.tools().await;
        played.end(broken).await
    })
}

/// Creates an authorization server with this issuer in its responses, which refuse if `deny`.
fn responding(iss: Iss, deny: bool, broken: Option<&'static str>) -> Play {
    Box::pin(async move {
        let peer = AuthPeer::start().await;
        // No token, so no connection whose revision might be too old for the rule.
        peer.configure(|options| {
            options.iss = iss;
            options.deny = deny;
            options.fail_tokens = u32::MAX;
        });
        let played = Played::begin(http(peer.url()));
        let client = &played.client;
        sign_in(client).await;
        let failed = client.until("the end of the sign-in", |state| {
            (state.auth.as_ref()?.state == AuthState::Failed).then_some(())
        });
        failed.await;
        played.end(broken).await
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let resource = |resource: Value| Guarded {
        resource,
        ..sound()
    };
    let server = |server: Value| Guarded { server, ..sound() };
    let challenge = |challenge| Guarded {
        challenge,
        ..sound()
    };
    let response = |rule, iss, deny| Case {
        rule,
        broken: responding(iss, deny, Some(rule)),
        sound: responding(Iss::Right, deny, None),
    };
    let elsewhere = "https://elsewhere.example".to_owned();
    let each = |guarded: &dyn Fn(Value) -> Guarded, rows: Value| -> Vec<Case> {
        let rows: Vec<(String, Value)> = serde_json::from_value(rows).unwrap();
        let case = |(name, broken): (String, Value)| case(rule(&name), guarded(broken), sound());
        rows.into_iter().map(case).collect()
    };
    let of_metadata = |rule, metadata| {
        case(
            rule,
            Guarded {
                metadata,
                ..sound()
            },
            sound(),
        )
    };
    let redirected = |to: &str| Guarded {
        redirects: true,
        ..resource(json!({ "resource": format!("{ORIGIN}{to}") }))
    };
    let resources = json!([
        // JSON, and no metadata.
        ["missing-resource-metadata", []],
        ["no-authorization-servers", { "authorization_servers": [] }],
        ["resource-mismatch", { "resource": elsewhere }],
        ["bad-issuer", { "authorization_servers": ["auth.example"] }],
        ["bad-issuer", { "authorization_servers": ["http://auth.example"] }],
        ["wildcard-scopes", { "scopes_supported": ["*"] }],
    ]);
    let no_document = "client_id_metadata_document_supported";
    let servers = json!([
        ["missing-server-metadata", null],
        ["issuer-mismatch", { "issuer": elsewhere }],
        ["pkce-not-advertised", { "code_challenge_methods_supported": ["plain"] }],
        ["insecure-endpoint", { "revocation_endpoint": "http://auth.example/revoke" }],
        ["no-registration", { "registration_endpoint": null, no_document: null }],
        ["only-dynamic-registration", { no_document: null }],
    ]);
    let no_metadata = "no-resource-metadata";
    let others = vec![
        Case {
            rule: no_metadata,
            broken: rooted(true, None, Some(no_metadata)),
            sound: rooted(false, None, None),
        },
        Case {
            rule: no_metadata,
            broken: rooted(true, Some("2025-06-18"), Some(no_metadata)),
            sound: rooted(true, Some("2025-03-26"), None),
        },
        of_metadata("missing-resource-metadata", Metadata::Missing),
        of_metadata("bad-resource-metadata-url", Metadata::Nowhere),
        of_metadata("redirected-metadata", Metadata::Moved),
        case(
            "resource-mismatch",
            resource(json!({ "resource": null })),
            // Another name of this computer.
            resource(json!({ "resource": format!("http://localhost:{PORT}/mcp") })),
        ),
        case(
            "resource-mismatch",
            redirected("/elsewhere"),
            redirected(REDIRECTED),
        ),
        response("bad-response-issuer", Iss::Missing, false),
        response("bad-response-issuer", Iss::Missing, true),
        response("bad-response-issuer", Iss::Wrong(elsewhere.clone()), false),
        response("unadvertised-response-issuer", Iss::Unadvertised, false),
        case("challenge-without-scope", challenge(""), sound()),
        case(
            "offline-access-scope",
            challenge(r#", scope="read offline_access""#),
            sound(),
        ),
        Case {
            rule: "incomplete-scope-challenge",
            broken: step_up(false, Some("incomplete-scope-challenge")),
            sound: step_up(true, None),
        },
    ];
    let tables = [each(&resource, resources), each(&server, servers)];
    tables.into_iter().flatten().chain(others).collect()
}
