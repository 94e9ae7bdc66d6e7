//! Identity of the app towards an authorization server.

use std::sync::Arc;

use sonde_auth::{CredentialKind, MemoryStore};
use sonde_client::{
    Error,
    auth::{AuthState, ClientKind},
    config::SignInConfig,
};
use sonde_tests::{
    auth_peer::{AuthPeer, RefreshTokens, request_contains},
    client::typed,
    guarded::{Program, begun, joined, robot},
    port::Port,
};

#[tokio::test]
async fn a_registered_client_is_registered_once() {
    let (peer, _, server) = joined(|options| options.client_secrets = true).await;
    let registration = &peer.auth_server_requests_to("/register")[0];
    let body: serde_json::Value = serde_json::from_str(&registration.body).unwrap();
    assert_eq!(body["application_type"], "native");
    assert_eq!(
        body["grant_types"],
        serde_json::json!(["authorization_code", "refresh_token"])
    );
    let token = &peer.token_requests("authorization_code")[0];
    assert!(token.header("Authorization").unwrap().starts_with("Basic "));
    assert!(
        !token.body.contains("client_secret"),
        "one way of showing it is enough"
    );

    peer.forget_tokens();
    let call = server.start_call("read", 1).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    assert_eq!(peer.auth_server_requests_to("/register").len(), 1);
}

#[tokio::test]
async fn a_client_that_the_page_does_not_know_is_registered_again() {
    let (peer, app, server) = begun(|_| ()).await;
    let first = server.prompt().await;
    server.register_again(first.attempt).await.unwrap();
    let second = server
        .until("another prompt", |state| {
            let prompt = state.auth.as_ref()?.prompt.clone()?;
            (prompt.attempt > first.attempt).then_some(prompt)
        })
        .await;
    assert_ne!(first.client_id, second.client_id);
    assert_eq!(peer.auth_server_requests_to("/register").len(), 2);
    // Only the one that waits can be begun anew.
    let over = server.register_again(first.attempt);
    assert!(matches!(over.await, Err(Error::NoSignIn { .. })));
    let clients = app.stored(CredentialKind::Client).await;
    assert_eq!(clients.len(), 1, "{clients:?}");
    assert_eq!(clients[0].servers.len(), 1);
    // What waited has waited on.
    server.authorize().await;
    server.tools().await;
    assert_eq!(server.grant().unwrap().token.client_id, second.client_id);
}

#[tokio::test]
async fn a_client_of_the_user_goes_to_its_own_issuer_only() {
    let peer = AuthPeer::start().await;
    let reserved = Port::reserve().unwrap();
    let port = reserved.number();
    let redirect = format!("http://127.0.0.1:{port}/callback");
    let secret = peer.preregister("my-client", &redirect, true).unwrap();
    peer.configure(|options| options.client_secrets = true);
    let options = SignInConfig {
        client_id: Some("my-client".to_owned()),
        client_secret: Some(typed(secret.clone())),
        issuer: Some(peer.issuer().to_owned()),
        redirect_port: Some(port),
        ..SignInConfig::default()
    };
    let secrets = Arc::new(MemoryStore::default());
    let app = Program::start_with(secrets.clone());
    let server = app.add_with(&peer, options.clone()).await;
    server.begin();
    let (prompt, _) = server.authorize().await;
    assert_eq!(prompt.client_kind, ClientKind::Preregistered);
    assert_eq!(prompt.redirect_uri, redirect);
    server.tools().await;
    assert!(peer.auth_server_requests_to("/register").is_empty());
    server.close().await;

    // Another secret of the client replaces the one that signed in.
    let secret = peer.preregister("my-client", &redirect, true).unwrap();
    let options = SignInConfig {
        client_secret: Some(typed(secret.clone())),
        ..options
    };
    let app = Program::start_in(app.folder, secrets.clone());
    let server = app.add_with(&peer, options.clone()).await;
    peer.expire_all();
    server.begin();
    server.tools().await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);
    server.close().await;

    // An issuer that the settings do not name gets it only after the user has seen its prompt.
    let unseen = peer.preregister("my-client", &redirect, true).unwrap();
    let edited = SignInConfig {
        client_secret: Some(typed(unseen.clone())),
        issuer: None,
        ..options.clone()
    };
    let app = Program::start_in(app.folder, secrets);
    let server = app.add_with(&peer, edited).await;
    peer.expire_all();
    server.begin();
    server.prompt().await;
    let requests = peer.auth_server_requests();
    assert!(!requests.iter().any(|one| request_contains(one, &unseen)));

    let stranger = AuthPeer::start().await;
    let server = app.add_with(&stranger, options).await;
    server.begin();
    server.problem().await;
    for request in stranger.auth_server_requests() {
        assert!(
            !request_contains(&request, "my-client") && !request_contains(&request, &secret),
            "{request:?}"
        );
    }
}

#[tokio::test]
async fn a_client_that_signs_in_by_itself_needs_no_browser() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| {
        options.client_secrets = true;
        options.refresh_tokens = RefreshTokens::EveryGrant;
    });
    let secret = peer
        .preregister("robot", "http://127.0.0.1:1/none", true)
        .unwrap();
    let options = SignInConfig {
        issuer: Some(peer.issuer().to_owned()),
        ..robot(&secret)
    };
    let secrets = Arc::new(MemoryStore::default());
    let app = Program::start_with(secrets.clone());
    let server = app.add_with(&peer, options.clone()).await;
    server.begin();
    server.tools().await;
    peer.expire_all();
    server.call("read", 1).await;
    assert_eq!(peer.token_requests("client_credentials").len(), 2);
    assert!(peer.auth_server_requests_to("/authorize").is_empty());
    assert!(!server.states().contains(&AuthState::Prompt));
    assert!(!server.states().contains(&AuthState::Confirmation));
    server.close().await;

    // The challenge decides about the scopes also when the stored token has expired.
    let app = Program::start_in(app.folder, secrets);
    let server = app.add_with(&peer, options).await;
    server.expire_token().await.unwrap();
    server.begin();
    server.tools().await;
    let renewed = &peer.token_requests("client_credentials")[2];
    let mut params = renewed.body.split('&');
    assert!(params.any(|param| param == "scope=read"), "{renewed:?}");
}

#[tokio::test]
async fn an_issuer_of_the_settings_may_end_in_a_slash() {
    let peer = AuthPeer::start().await;
    let issuer = peer.url().replace("/mcp", "/");
    peer.configure(|options| {
        options.client_secrets = true;
        options.own_auth_server = true;
        options.issuer = Some(issuer.clone());
    });
    let secret = peer
        .preregister("robot", "http://127.0.0.1:1/none", true)
        .unwrap();
    let options = SignInConfig {
        issuer: Some(issuer),
        ..robot(&secret)
    };
    let app = Program::start();
    let server = app.add_with(&peer, options).await;
    server.begin();
    server.tools().await;
}

#[tokio::test]
async fn no_way_to_be_known_is_a_question_to_the_user() {
    let (peer, _, server) = begun(|options| options.registration = false).await;
    assert_eq!(server.problem().await.code, "client_needed");
    assert!(peer.auth_server_requests_to("/authorize").is_empty());
}

#[tokio::test]
async fn a_lasting_token_is_asked_for_where_it_is_offered() {
    let (_peer, _, server) = begun(|options| {
        options.offline_access = true;
        options.refresh_tokens = RefreshTokens::OfflineAccess;
    })
    .await;
    let (prompt, grant) = server.authorize().await;
    assert_eq!(prompt.scopes, ["read", "offline_access"]);
    assert!(grant.refresh_fingerprint.is_some());
}

#[tokio::test]
async fn metadata_is_found_at_the_open_id_location_too() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| {
        options.open_id_only = true;
        options.challenge_metadata = false;
    });
    let app = Program::start();
    app.join(&peer).await;
    let asked: Vec<_> = peer
        .auth_server_requests()
        .into_iter()
        .map(|one| one.target)
        .collect();
    assert_eq!(
        asked[..2],
        [
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration"
        ]
    );
}
