//! Limits on data of a server and its authorization server about signing in.

use serde_json::{Value, json};
use sonde_client::{auth::AuthStepState, sessions::SessionPhase};
use sonde_tests::{
    guarded::{Guarded, Program},
    http_peer::{HttpPeer, Reply, Request},
};

use super::authorization_server::signs_in;

/// Returns the origin that a request was sent to.
fn origin(request: &Request) -> String {
    format!("http://{}", request.header("host").unwrap())
}

/// Metadata of an authorization server.
fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorization"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/registration"),
        "code_challenge_methods_supported": ["S256"],
    })
}

/// A server that refuses everything with this challenge. Its metadata name itself and `metadata`.
async fn protected(challenge: String, metadata: Value) -> HttpPeer {
    HttpPeer::start(move |request| match request.target.as_str() {
        "/mcp" => Reply::status(401)
            .header("WWW-Authenticate", &challenge)
            .body(""),
        "/.well-known/oauth-protected-resource/mcp" => {
            let mut metadata = metadata.clone();
            metadata["resource"] = format!("{}/mcp", origin(request)).into();
            Reply::json(metadata.to_string())
        }
        _ => Reply::status(404).body(""),
    })
    .await
}

/// Adds a server, and starts to connect.
async fn connect(app: &Program, peer: &HttpPeer) -> Guarded {
    let server = app.add_at(&peer.url()).await;
    server.begin();
    server
}

/// Published metadata about signing in have limits for each part and for the whole.
#[tokio::test]
async fn metadata_without_end_is_used_as_far_as_its_limits_and_says_so() {
    let long = "v".repeat(60_000);
    let auth = HttpPeer::start(move |request| match request.target.as_str() {
        "/.well-known/oauth-authorization-server" => {
            let issuer = origin(request);
            let mut metadata = metadata(&issuer);
            metadata["revocation_endpoint"] = format!("{issuer}/{}", "r".repeat(500_000)).into();
            metadata["code_challenge_methods_supported"] = vec!["S256"; 20_000].into();
            Reply::status(200)
                .header("Content-Type", "application/json")
                .header("X-Long", &long)
                .body(metadata.to_string())
        }
        "/registration" => Reply::json(r#"{"client_id":"client"}"#),
        _ => Reply::status(404).body(""),
    })
    .await;
    let issuer = format!("http://{}", auth.address());
    let mut servers = vec![issuer.clone()];
    servers.extend((0..20_000).map(|n| format!("https://{n}.example")));
    let scopes: Vec<String> = (0..20_000).map(|n| format!("s{n}")).collect();
    let challenge = format!(
        r#"Bearer error="invalid_token", error_description="{}""#,
        "d".repeat(30_000)
    );
    let metadata = json!({ "authorization_servers": servers, "scopes_supported": scopes });
    let mcp = protected(challenge, metadata).await;

    let app = Program::start();
    let server = connect(&app, &mcp).await;
    let prompt = server.prompt().await;
    assert_eq!(prompt.issuer, issuer);
    assert_eq!(prompt.scopes.len(), 1_000);
    assert!(prompt.url.len() < 16 * 1024, "{}", prompt.url.len());
    let steps = server.status().steps.clone();
    let said = |code: &str| {
        let step = steps.iter().find(|step| step.code == code).unwrap();
        assert_eq!(step.state, AuthStepState::Warning, "{step:?}");
        assert!(step.sentence.chars().count() <= 1_001, "{step:?}");
        (step.sentence.clone(), step.step)
    };
    let (sentence, _) = said("resource_metadata");
    let (first, second) = sentence.split_once(" are used. ").unwrap();
    assert!(
        first.starts_with("`authorization_servers` has 20001 entries, of which the first 86"),
        "{first}"
    );
    assert!(
        second.starts_with(
            "`scopes_supported` has 20000 entries, of which the first 1000 are used. \
             Authorization servers: "
        ) && second.ends_with('…'),
        "{second}"
    );
    let (sentence, step) = said("server_metadata");
    assert_eq!(
        sentence,
        format!(
            "`revocation_endpoint` has {} bytes, more than 4096, and is not used. \
             `code_challenge_methods_supported` has 20000 entries, of which the first 1000 are \
             used. Issuer: `{issuer}`.",
            issuer.len() + 1 + 500_000
        )
    );
    let exchange = server.auth_exchange(step);
    let exchange = exchange.await.unwrap();
    let body = exchange.response_body.unwrap();
    assert!(body.ends_with('…') && body.len() <= (64 << 10) + 3);
    let mut headers = exchange.response_headers.iter();
    let header = headers.find(|header| header.name == "x-long").unwrap();
    assert!(header.value.ends_with('…') && header.value.len() <= (8 << 10) + 3);
    let shown = format!("{:?}", server.status());
    assert!(shown.len() < 100_000, "{}", shown.len());

    // All requests and responses together.
    let mut attempt = prompt.attempt;
    for _ in 0..10 {
        server.cancel_sign_in().await.unwrap();
        server.phase(SessionPhase::Failed).await;
        server.begin();
        attempt = server
            .until("the next prompt", |state| {
                let prompt = state.auth.as_ref()?.prompt.as_ref()?;
                (prompt.attempt > attempt).then_some(prompt.attempt)
            })
            .await;
    }
    let (mut kept, mut forgotten) = (0, 0);
    for step in server.status().steps.clone() {
        if !step.has_exchange {
            continue;
        }
        let exchange = server.auth_exchange(step.step);
        match exchange.await.unwrap().response_body {
            Some(body) if body.starts_with("(No longer stored:") => {
                assert_eq!(kept, 0, "the oldest go first");
                forgotten += 1;
            }
            body => kept += body.map_or(0, |body| body.len()),
        }
    }
    assert!(forgotten > 0, "{kept}");
    assert!(kept > 1 << 19 && kept <= 1 << 20, "{kept}");
}

/// Values that are useless in part are refused as a whole.
#[tokio::test]
async fn tokens_and_clients_without_end_are_refused_in_words() {
    for (client_id, code, cause) in [
        (
            "c".repeat(100_000),
            "registration_too_long",
            "Sonde takes a client ID of 4096 bytes and a client secret of 65536 at most.",
        ),
        (
            "client".to_owned(),
            "token_too_long",
            "It has 900000 bytes, and Sonde takes 65536 at most.",
        ),
    ] {
        let auth = HttpPeer::start(move |request| {
            let issuer = origin(request);
            match request.target.as_str() {
                "/.well-known/oauth-authorization-server" => {
                    Reply::json(metadata(&issuer).to_string())
                }
                "/registration" => Reply::json(json!({ "client_id": client_id }).to_string()),
                "/token" => {
                    let token = "t".repeat(900_000);
                    Reply::json(format!(
                        r#"{{"access_token":"{token}","token_type":"Bearer"}}"#
                    ))
                }
                _ => Reply::status(404).body(""),
            }
        })
        .await;
        let issuer = format!("http://{}", auth.address());
        let named = json!({ "authorization_servers": [issuer] });
        let mcp = protected("Bearer".to_owned(), named).await;
        let app = Program::start();
        let server = connect(&app, &mcp).await;
        if code == "token_too_long" {
            signs_in(&server).await;
        }
        let problem = server.problem().await;
        assert_eq!((problem.code, &*problem.cause), (code, cause));
    }
}

#[tokio::test]
async fn addresses_without_end_are_refused_in_words() {
    let long = format!("http://127.0.0.1:1/{}", "a".repeat(5_000));
    for (challenge, code, cause) in [
        (
            format!(r#"Bearer resource_metadata="{long}""#),
            "bad_challenge",
            "`resource_metadata` has more than 4096 bytes.",
        ),
        (
            "Bearer".to_owned(),
            "bad_issuer",
            "It has more than 4096 bytes.",
        ),
    ] {
        let mcp = protected(challenge, json!({ "authorization_servers": [long] })).await;
        let app = Program::start();
        let server = connect(&app, &mcp).await;
        let problem = server.problem().await;
        assert_eq!((problem.code, &*problem.cause), (code, cause));
    }
}
