//! The whole sequence from a rejection to the tools.

use sonde_auth::MemoryStore;
use sonde_client::{
    auth::{AuthState, AuthStepState, ClientKind, Kept},
    config::AuthConfig,
    sessions::SessionPhase,
};
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, CANARY, browser},
    client::typed,
    guarded::{Program, begun, guarded, joined},
};

use super::listed;
use std::sync::Arc;

#[tokio::test]
async fn a_refused_connect_waits_for_the_sign_in_and_then_has_its_tools() {
    let (peer, _, server) = begun(|_| ()).await;

    let prompt = server.prompt().await;
    assert_eq!(
        server.read(|state| state.session.phase),
        SessionPhase::Connecting
    );
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

    let (_, page) = server.browse().await;
    assert_eq!(page.status, 200);
    let html = page.header("Content-Type").unwrap_or_default();
    assert!(html.starts_with("text/html"), "{page:?}");
    assert_eq!(server.tools().await.keys, ["read", "write"]);

    let view = server.auth(AuthState::SignedIn).await;
    assert!(view.problem.is_none() && view.prompt.is_none() && view.waiting == 0);
    let grant = view.grant.unwrap();
    assert_eq!(grant.token.issuer, peer.issuer());
    assert_eq!(grant.token.resource, peer.url());
    assert_eq!(grant.token.client_id, prompt.client_id);
    assert_eq!(grant.token.scopes, ["read"]);
    assert_eq!(grant.token.token_type, "Bearer");
    assert_eq!(
        grant.token.expires_at,
        Some(grant.token.granted_at + 3_600_000)
    );
    assert!(grant.refresh_fingerprint.is_some() && grant.token.revocable);
    assert_eq!((grant.token.refreshed, grant.kept), (0, Kept::Keyring));

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
    let exchange = server.auth_exchange(token.step).await.unwrap();
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
    let (peer, _, server) = joined(|_| ()).await;
    server.call("read", 1).await;
    while peer.endpoint("GET").is_empty() {
        tokio::task::yield_now().await;
    }
    server.end_session().await;
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
    let app = App::start().await;
    let (id, server) = listed::add(&app, &peer).await;
    app.sign_in(id.clone()).await.unwrap();
    let (first, _) = server.authorize().await;
    server.tools().await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);

    app.sign_in(id).await.unwrap();
    let (second, grant) = server.authorize().await;
    assert!(second.attempt > first.attempt);
    assert_eq!(grant.token.refreshed, 0);
    server.call("read", 1).await;
    assert_eq!(peer.served()[0].token, peer.issued()[1]);
    assert_eq!(server.read(|state| state.session.generation), 1);
}

#[tokio::test]
async fn a_stored_token_is_used_by_the_next_start() {
    let peer = AuthPeer::start().await;
    let secrets = Arc::new(MemoryStore::default());
    let app = Program::start_with(secrets.clone());
    let server = app.join(&peer).await;
    let folder = app.folder.clone();
    server.close().await;

    let app = Program::start_in(folder, secrets);
    let server = app.add(&peer).await;
    let asked = peer.auth_server_requests().len();
    let refused = peer.endpoint("POST").len();
    server.begin();
    server.tools().await;
    server.call("read", 1).await;
    assert_eq!(
        server
            .auth(AuthState::SignedIn)
            .await
            .grant
            .unwrap()
            .token
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
    let (peer, _, server) = begun(|_| ()).await;
    let (prompt, opened) = server.open().await;
    server.cancel_sign_in().await.unwrap();
    server.phase(SessionPhase::Failed).await;
    assert!(server.read(|state| state.session.failure.is_some()));
    let view = server
        .until("the cancellation", |state| {
            let view = state.auth.as_ref()?;
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
    let old = server
        .paste_redirect(prompt.attempt, late.header("Location").unwrap().to_owned())
        .await;
    assert!(old.is_err());

    server.begin();
    let (next, _) = server.authorize().await;
    assert!(next.attempt > prompt.attempt);
    server.tools().await;
}

#[tokio::test]
async fn the_way_back_can_be_pasted() {
    let (peer, _, server) = begun(|_| ()).await;
    let prompt = server.prompt().await;
    let page = browser::visit(&prompt.url).await.unwrap();
    let back = page.header("Location").unwrap().to_owned();

    let paste = |attempt, address: &str| server.paste_redirect(attempt, address.to_owned());
    assert!(paste(prompt.attempt, "no address").await.is_err());
    assert!(
        paste(prompt.attempt + 1, &back).await.is_err(),
        "of another sign-in"
    );
    paste(prompt.attempt, &back).await.unwrap();
    server.tools().await;
    assert_eq!(peer.token_requests("authorization_code").len(), 1);
}

#[tokio::test]
async fn what_the_user_refuses_is_refused() {
    let (peer, _, server) = begun(|options| options.deny = true).await;
    let (_, page) = server.browse().await;
    assert!(!page.body.contains("<script"), "{page:?}");
    let problem = server.problem().await;
    assert_eq!(problem.code, "access_denied");
    server.phase(SessionPhase::Failed).await;
    assert!(server.read(|state| state.session.failure.is_some()));
    assert!(peer.token_requests("authorization_code").is_empty());
}

#[tokio::test]
async fn who_never_signs_in_sees_the_refusal() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let typed = guarded(&peer.url(), AuthConfig::Off);
    let server = app.add_typed(typed).await;
    server.begin();
    server.phase(SessionPhase::Failed).await;
    assert!(server.read(|state| state.session.failure.is_some()));
    assert!(peer.auth_server_requests().is_empty());
    assert_eq!(
        peer.mcp_server_requests().len(),
        peer.endpoint("POST").len()
    );
}

#[tokio::test]
async fn a_token_of_the_user_is_sent_as_it_is() {
    let peer = AuthPeer::start().await;
    let helper = Program::start();
    helper.join(&peer).await;
    let token = peer.issued()[0].clone();

    let app = Program::start();
    let input = typed(token.clone());
    let typed = guarded(&peer.url(), AuthConfig::Token { token: input });
    let server = app.add_typed(typed).await;
    let asked = peer.auth_server_requests().len();
    server.begin();
    server.tools().await;
    server.call("read", 1).await;
    peer.expire_all();
    let call = server.start_call("read", 2).await;
    server.loses(call).await;
    assert_eq!(
        peer.auth_server_requests().len(),
        asked,
        "nobody signs in instead"
    );
    let log = server.log();
    for seq in log.entries() {
        let shown = format!("{:?} {:?}", log.detail(seq), log.body(seq));
        assert!(!shown.contains(&token), "{shown}");
    }
}
