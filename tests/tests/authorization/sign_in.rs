//! The whole way from a refusal to the tools.

use sonde_auth::MemoryStore;
use sonde_ipc::*;
use sonde_tests::auth_peer::{AuthPeer, CANARY, browser};
use std::sync::Arc;

use super::app::App;

#[tokio::test]
async fn a_refused_connect_waits_for_the_sign_in_and_then_has_its_tools() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;

    let prompt = app.prompt(&server).await;
    assert_eq!(app.seen().sessions[&server].phase, SessionPhase::Connecting);
    assert_eq!(prompt.issuer, peer.issuer());
    assert_eq!(prompt.resource, peer.url());
    assert_eq!(prompt.scopes, ["read"]);
    assert!(prompt.new_scopes.is_empty());
    assert_eq!(prompt.client_kind, ClientKind::Registered);
    assert_eq!(prompt.host, "127.0.0.1");
    assert!(
        prompt.redirect_uri.starts_with("http://127.0.0.1:"),
        "{prompt:?}"
    );
    assert!(prompt.listening && !prompt.opened);
    assert!(
        prompt
            .url
            .starts_with(&format!("{}/authorize?", peer.issuer()))
    );
    assert!(
        peer.auth_server_requests_to("/authorize").is_empty(),
        "nothing opens by itself"
    );

    let (_, page) = app.browse(&server).await;
    assert_eq!(page.status, 200);
    let html = page.header("Content-Type").unwrap_or_default();
    assert!(html.starts_with("text/html"), "{page:?}");
    assert_eq!(app.ready(&server).await, ["read", "write"]);

    let view = app.auth(&server, AuthState::SignedIn).await;
    assert!(view.problem.is_none() && view.prompt.is_none() && view.waiting == 0);
    let grant = view.grant.unwrap();
    assert_eq!(grant.issuer, peer.issuer());
    assert_eq!(grant.resource, peer.url());
    assert_eq!(grant.client_id, prompt.client_id);
    assert_eq!(grant.scopes, ["read"]);
    assert_eq!(grant.token_type, "Bearer");
    assert_eq!(grant.expires_at, Some(grant.granted_at + 3_600_000));
    assert!(grant.refresh_fingerprint.is_some() && grant.revocable);
    assert_eq!((grant.refreshed, grant.kept), (0, Kept::Keyring));

    let steps: Vec<_> = view.steps.iter().map(|step| step.code.as_str()).collect();
    for code in [
        "refused",
        "resource_metadata",
        "server_metadata",
        "registration",
        "authorization",
        "callback",
        "token",
        "saved",
    ] {
        assert!(steps.contains(&code), "{code} is a step: {steps:?}");
    }
    for step in &view.steps {
        assert_eq!(step.state, AuthStepState::Done, "{step:?}");
        assert!(
            step.millis.is_some() && !step.sentence.is_empty(),
            "{step:?}"
        );
    }
    let token = view.steps.iter().find(|step| step.code == "token").unwrap();
    let exchange = app
        .explorer
        .auth_exchange(server.clone(), token.step)
        .await
        .unwrap();
    assert_eq!(
        (exchange.method.as_str(), exchange.status),
        ("POST", Some(200))
    );
    assert!(
        exchange
            .request_body
            .unwrap()
            .contains("grant_type=authorization_code")
    );

    // One request was refused, once, and every later one was let in.
    let opening = peer.endpoint("POST");
    assert!(opening[0].header("Authorization").is_none());
    let token = format!("Bearer {}", peer.issued()[0]);
    for request in &opening[1..] {
        assert_eq!(request.header("Authorization"), Some(&*token));
    }
    assert_eq!(peer.issued().len(), 1);
    for request in peer.auth_server_requests() {
        assert!(request.header("Authorization").is_none(), "{request:?}");
    }
}

#[tokio::test]
async fn every_kind_of_request_shows_the_token() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    app.call(&server, "read", 1).await;
    while peer.endpoint("GET").is_empty() {
        tokio::task::yield_now().await;
    }
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    let token = format!("Bearer {}", peer.issued()[0]);
    for verb in ["POST", "GET", "DELETE"] {
        let requests = peer.endpoint(verb);
        let shown = requests
            .iter()
            .filter(|one| one.header("Authorization") == Some(&*token));
        let without = usize::from(verb == "POST");
        assert!(!requests.is_empty(), "{verb}");
        assert_eq!(
            shown.count(),
            requests.len() - without,
            "{verb}: {requests:#?}"
        );
    }
    // Never in an address (RFC 6750 section 2.3).
    let targets = peer
        .mcp_server_requests()
        .into_iter()
        .chain(peer.auth_server_requests());
    for request in targets {
        assert!(!request.target.contains(CANARY), "{request:?}");
    }
}

#[tokio::test]
async fn to_sign_in_connects_and_to_sign_in_again_stays_connected() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.explorer.sign_in(server.clone()).await.unwrap();
    let (first, _) = app.sign_in(&server).await;
    app.ready(&server).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);

    app.explorer.sign_in(server.clone()).await.unwrap();
    let (second, grant) = app.sign_in(&server).await;
    assert!(second.attempt > first.attempt);
    assert_eq!(grant.refreshed, 0);
    app.call(&server, "read", 1).await;
    assert_eq!(peer.served()[0].token, peer.issued()[1]);
    assert_eq!(app.seen().sessions[&server].generation, 1);
}

#[tokio::test]
async fn a_stored_token_is_used_by_the_next_start() {
    let peer = AuthPeer::start().await;
    let secrets = Arc::new(MemoryStore::default());
    let mut app = App::start_with(secrets.clone()).await;
    let server = app.join(&peer).await;
    let folder = app.folder.clone();
    app.explorer.shutdown().await;
    drop(app);

    let mut app = App::start_in(folder, secrets).await;
    let asked = peer.auth_server_requests().len();
    let refused = peer.endpoint("POST").len();
    app.connect(&server).await;
    app.ready(&server).await;
    app.call(&server, "read", 1).await;
    assert_eq!(
        app.auth(&server, AuthState::SignedIn)
            .await
            .grant
            .unwrap()
            .scopes,
        ["read"]
    );
    assert_eq!(
        peer.auth_server_requests().len(),
        asked,
        "nobody was asked for anything"
    );
    for request in &peer.endpoint("POST")[refused..] {
        assert!(request.header("Authorization").is_some());
    }
}

#[tokio::test]
async fn a_sign_in_is_given_up_at_any_moment() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;
    let (prompt, opened) = app.open(&server).await;
    app.explorer.cancel_sign_in(server.clone()).await.unwrap();
    let failed = app.phase(&server, SessionPhase::Failed).await;
    assert!(failed.failure.is_some());
    let view = app
        .until("the cancellation", |seen| {
            let view = seen.auth.get(&server)?;
            let over = view.prompt.is_none() && view.waiting == 0;
            (over && view.problem.is_some()).then(|| view.clone())
        })
        .await;
    assert_eq!(view.problem.unwrap().code, "cancelled");
    // Who comes back too late finds nobody.
    let late = browser::visit(&opened).await.unwrap();
    assert!(
        browser::visit(late.header("Location").unwrap())
            .await
            .is_err()
    );
    assert!(peer.token_requests("authorization_code").is_empty());
    let old = app
        .explorer
        .paste_redirect(
            server.clone(),
            prompt.attempt,
            late.header("Location").unwrap().to_owned(),
        )
        .await;
    assert!(old.is_err());

    app.connect(&server).await;
    let (next, _) = app.sign_in(&server).await;
    assert!(next.attempt > prompt.attempt);
    app.ready(&server).await;
}

#[tokio::test]
async fn the_way_back_can_be_pasted() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;
    let prompt = app.prompt(&server).await;
    let page = browser::visit(&prompt.url).await.unwrap();
    let back = page.header("Location").unwrap().to_owned();

    let paste = |attempt, address: &str| {
        app.explorer
            .paste_redirect(server.clone(), attempt, address.to_owned())
    };
    assert!(paste(prompt.attempt, "no address").await.is_err());
    assert!(
        paste(prompt.attempt + 1, &back).await.is_err(),
        "of another sign-in"
    );
    paste(prompt.attempt, &back).await.unwrap();
    app.ready(&server).await;
    assert_eq!(peer.token_requests("authorization_code").len(), 1);
}

#[tokio::test]
async fn what_the_user_refuses_is_refused() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.deny = true);
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;
    let (_, page) = app.browse(&server).await;
    assert!(!page.body.contains("<script"), "{page:?}");
    let problem = app.problem(&server).await;
    assert_eq!(problem.code, "access_denied");
    let failed = app.phase(&server, SessionPhase::Failed).await;
    assert!(failed.failure.is_some());
    assert!(peer.token_requests("authorization_code").is_empty());
}

#[tokio::test]
async fn who_never_signs_in_sees_the_refusal() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let draft = super::app::draft(&peer.url(), AuthConfig::Off);
    let server = app.explorer.add_server(draft).await.unwrap();
    app.connect(&server).await;
    let failed = app.phase(&server, SessionPhase::Failed).await;
    assert!(failed.failure.is_some());
    assert!(peer.auth_server_requests().is_empty());
    assert_eq!(
        peer.mcp_server_requests().len(),
        peer.endpoint("POST").len()
    );
}

#[tokio::test]
async fn a_token_of_the_user_is_sent_as_it_is() {
    let peer = AuthPeer::start().await;
    let mut helper = App::start().await;
    helper.join(&peer).await;
    let token = peer.issued()[0].clone();

    let mut app = App::start().await;
    let input = SecretInput::Set {
        value: token.clone(),
    };
    let draft = super::app::draft(&peer.url(), AuthConfig::Token { token: input });
    let server = app.explorer.add_server(draft).await.unwrap();
    let asked = peer.auth_server_requests().len();
    app.connect(&server).await;
    app.ready(&server).await;
    app.call(&server, "read", 1).await;
    peer.expire_all();
    let call = app.start_call(&server, "read", 2).await;
    let view = app.finished(call).await;
    assert!(
        matches!(view.outcome, Some(OperationOutcome::Lost { .. })),
        "{view:?}"
    );
    assert_eq!(
        peer.auth_server_requests().len(),
        asked,
        "nobody signs in instead"
    );
    assert!(!app.crossed().concat().contains(&token));
}
