//! Handling of tokens that are no longer valid.

use std::sync::Arc;

use sonde_auth::{CredentialKind, MemoryStore};
use sonde_client::{
    auth::{AuthState, AuthStatus, AuthStepState},
    operations::OperationState,
};
use sonde_ipc::{StoredKind, StoredSecret};
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, CANARY, RefreshTokens, request_contains},
    guarded::{Guarded, Program, joined},
    http_peer::Gate,
};

use super::listed;

#[tokio::test]
async fn a_refused_call_is_refreshed_and_sent_once_more() {
    let (peer, _, server) = joined(|_| ()).await;
    let before = server.grant().unwrap();
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    peer.expire_all();
    let call = server.start_call("read", 1).await;
    server
        .until("the call waits for the token", |state| {
            (state.operations.get(call)?.state == OperationState::SigningIn).then_some(())
        })
        .await;
    let view = server.auth(AuthState::Refreshing).await;
    assert!(view.waiting >= 1, "{view:?}");
    gate.open();
    assert_eq!(server.text(call).await, "read {\"n\":1}");
    let waits = server.finished(call, |run| run.token_waits).await;
    assert_eq!(waits, 1, "the call tells of it");
    let view = server.auth(AuthState::SignedIn).await;
    let after = view.grant.clone().unwrap();
    assert_eq!(after.token.refreshed, 1);
    assert_ne!(after.token_fingerprint, before.token_fingerprint);
    assert_ne!(after.refresh_fingerprint, before.refresh_fingerprint);
    assert_eq!(after.token.scopes, before.token.scopes);
    assert!(
        view.steps.iter().any(|step| step.code == "refresh"),
        "{view:#?}"
    );
    let refreshes = peer.token_requests("refresh_token");
    assert_eq!(refreshes.len(), 1);
    let resource = url_encoded(&peer.url());
    assert!(refreshes[0].body.contains(&format!("resource={resource}")));
    assert_eq!(peer.served().len(), 1);
    assert!(!server.states().contains(&AuthState::Failed));
}

fn url_encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[tokio::test]
async fn a_token_known_to_be_over_is_not_shown_again() {
    let (peer, _, server) = joined(|_| ()).await;
    let old = peer.issued()[0].clone();
    let shown = |peer: &AuthPeer| {
        peer.mcp_server_requests()
            .iter()
            .filter(|one| request_contains(one, &old))
            .count()
    };
    let before = shown(&peer);
    server.expire_token().await.unwrap();
    server.call("read", 1).await;
    assert_eq!(
        shown(&peer),
        before,
        "refreshed before the request, not after a refusal"
    );
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    server.refreshed(1).await;
}

#[tokio::test]
async fn a_token_that_is_treated_as_expired_is_not_shown_either() {
    let (peer, _, server) = joined(|options| options.refresh_tokens = RefreshTokens::Never).await;
    server.expire_token().await.unwrap();
    let call = server.start_call("read", 1).await;
    server.authorize().await;
    assert_eq!(server.text(call).await, "read {\"n\":1}");
    assert_eq!(peer.issued().len(), 2);
}

#[tokio::test]
async fn a_refresh_can_be_asked_for() {
    let (peer, _, server) = joined(|_| ()).await;
    server.refresh_token().await.unwrap();
    server.refreshed(1).await;
    server.call("read", 1).await;
    assert_eq!(peer.served()[0].token, peer.issued()[1]);
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
}

#[tokio::test]
async fn a_wrong_token_on_purpose_is_refused_and_mended() {
    let (peer, _, server) = joined(|_| ()).await;
    let opening = peer.endpoint("POST").len();
    server.send_wrong_token(true).await.unwrap();
    server
        .auth_holds("the intention", |auth| auth.wrong_token)
        .await;
    server.call("read", 1).await;
    let requests = peer.endpoint("POST");
    let wrong = requests[opening].header("Authorization").unwrap();
    assert!(
        !wrong.contains(&peer.issued()[0]) && wrong.starts_with("Bearer "),
        "{wrong}"
    );
    assert_eq!(peer.served().len(), 1);
    server
        .auth_holds("it was once", |auth| !auth.wrong_token)
        .await;
}

#[tokio::test]
async fn parked_calls_wait_for_the_user_when_the_refresh_is_refused() {
    let (peer, _, server) = joined(|_| ()).await;
    peer.configure(|options| options.refuse_refreshes = 1);
    peer.expire_all();
    let mut calls = Vec::new();
    for number in 0..10 {
        calls.push(server.start_call("read", number).await);
    }
    let prompt = server.prompt().await;
    assert!(!prompt.reason.is_empty());
    server.all_wait(&calls).await;
    assert!(peer.served().is_empty());
    server.authorize().await;
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(server.text(call).await, format!("read {{\"n\":{number}}}"));
    }
    assert_eq!(peer.served().len(), 10);
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
    server
        .auth_holds("nobody waits", |auth| auth.waiting == 0)
        .await;
}

#[tokio::test]
async fn giving_up_answers_those_who_wait() {
    let (peer, _, server) = joined(|_| ()).await;
    peer.forget_tokens();
    let call = server.start_call("read", 1).await;
    server.prompt().await;
    server.cancel_sign_in().await.unwrap();
    server.loses(call).await;
    assert!(peer.served().is_empty());
    server
        .auth_holds("the end of the prompt", |auth| auth.prompt.is_none())
        .await;
    // The next call asks again.
    let call = server.start_call("read", 2).await;
    server.authorize().await;
    assert_eq!(server.text(call).await, "read {\"n\":2}");
}

#[tokio::test]
async fn a_token_without_a_refresh_token_means_to_sign_in_again() {
    let (peer, _, server) = joined(|options| options.refresh_tokens = RefreshTokens::Never).await;
    assert!(server.grant().unwrap().refresh_fingerprint.is_none());
    peer.expire_all();
    let call = server.start_call("read", 1).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    assert!(peer.token_requests("refresh_token").is_empty());
    assert_eq!(peer.served().len(), 1);
}

#[tokio::test]
async fn a_refresh_token_that_does_not_rotate_is_kept() {
    let (peer, _, server) = joined(|options| options.rotate = false).await;
    for number in 1..=3 {
        peer.expire_all();
        server.call("read", number).await;
    }
    assert_eq!(peer.token_requests("refresh_token").len(), 3);
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);
    server.refreshed(3).await;
}

#[tokio::test]
async fn an_authorization_server_out_of_order_costs_no_credential() {
    let (peer, _, server) = joined(|_| ()).await;
    peer.expire_all();
    peer.configure(|options| options.fail_tokens = 100);
    let call = server.start_call("read", 1).await;
    server
        .until("the failure shows", |state| {
            let view = state.auth.as_ref()?;
            let over = state
                .operations
                .get(call)
                .is_some_and(|one| one.state == OperationState::Finished);
            (over || view.problem.is_some()).then_some(())
        })
        .await;
    peer.configure(|options| options.fail_tokens = 0);
    server.refresh_token().await.unwrap();
    server.auth(AuthState::SignedIn).await;
    server.finished(call, |_| ()).await;
    server.call("read", 2).await;
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "nobody had to sign in"
    );
}

/// Makes a call request a new token, which the peer holds back.
async fn refreshing(server: &Guarded, peer: &AuthPeer) -> Gate {
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    peer.expire_all();
    server.start_call("read", 1).await;
    peer.refreshes_requested(1).await;
    gate
}

/// Whoever cancels meanwhile, only the new refresh token is valid.
#[tokio::test]
async fn a_refresh_on_its_way_is_not_lost_by_giving_up_or_closing() {
    for close in [false, true] {
        let peer = AuthPeer::start().await;
        let secrets = Arc::new(MemoryStore::default());
        let app = Program::start_with(secrets.clone());
        let server = app.join(&peer).await;
        let gate = refreshing(&server, &peer).await;
        let release = async {
            // The answer comes after the user's decision.
            tokio::task::yield_now().await;
            gate.open();
        };
        if close {
            tokio::join!(server.close(), release);
        } else {
            server.cancel_sign_in().await.unwrap();
            release.await;
            server.auth(AuthState::SignedIn).await;
            server.close().await;
        }
        peer.configure(|options| options.hold_tokens = None);
        peer.expire_all();
        let server = Program::start_in(app.folder, secrets).add(&peer).await;
        server.begin();
        server.tools().await;
        assert_eq!(
            peer.auth_server_requests_to("/authorize").len(),
            1,
            "close: {close}"
        );
    }
}

#[tokio::test]
async fn a_refresh_on_its_way_does_not_bring_back_what_is_deleted() {
    for remove in [false, true] {
        let peer = AuthPeer::start().await;
        let secrets = Arc::new(MemoryStore::default());
        let app = App::keeping(secrets.clone()).await;
        let (id, server) = listed::join(&app, &peer).await;
        let gate = refreshing(&server, &peer).await;
        let explorer = app.clone();
        let gone = async {
            match remove {
                true => {
                    explorer.remove_server(id).await.map(drop).unwrap();
                }
                false => explorer.sign_out(id).await.unwrap(),
            }
        };
        // In this order: the deletion has begun before the new token can come.
        tokio::join!(biased; gone, async { gate.open() });
        let app = app.again().await;
        let stored = app.stored_secrets().await.unwrap();
        let token = |one: &StoredSecret| one.kind == StoredKind::Token;
        assert!(
            !stored.secrets.iter().any(token),
            "remove: {remove}, {stored:#?}"
        );
        if !remove {
            assert_eq!(peer.valid_refresh_tokens(), 0, "the newest one was revoked");
        }
    }
}

#[tokio::test]
async fn a_missing_scope_is_asked_for_beside_the_old_ones() {
    let (peer, _, server) = joined(|_| ()).await;
    let call = server.start_call("write", 1).await;
    let (prompt, grant) = server.authorize().await;
    let mut scopes = prompt.scopes.clone();
    scopes.sort();
    assert_eq!(scopes, ["read", "write"]);
    assert_eq!(prompt.new_scopes, ["write"]);
    assert_eq!(server.text(call).await, "write {\"n\":1}");
    assert_eq!(peer.served().len(), 1);
    assert_eq!(grant.token.scopes.len(), 2);
    server.call("read", 2).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
    assert!(
        peer.token_requests("refresh_token").is_empty(),
        "a refresh brings no new scope"
    );
}

#[tokio::test]
async fn signing_out_deletes_and_revokes() {
    let (peer, app, server) = joined(|_| ()).await;
    let token = peer.issued()[0].clone();
    server.sign_out().await.unwrap();
    let view = server.auth(AuthState::SignedOut).await;
    assert!(view.grant.is_none());
    let revoked = |auth: &AuthStatus| {
        let mut steps = auth.steps.iter();
        steps.any(|step| step.code == "revocation" && step.state == AuthStepState::Done)
    };
    server.auth_holds("the revocation", revoked).await;
    assert_eq!(peer.valid_refresh_tokens(), 0);
    let stored = app.stored(CredentialKind::Token).await;
    assert!(stored.is_empty(), "{stored:?}");

    let before = peer.mcp_server_requests().len();
    let call = server.start_call("read", 1).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    for request in &peer.mcp_server_requests()[before..] {
        assert!(!request_contains(request, &token));
    }
    assert!(peer.served()[0].token.starts_with(CANARY));
}

#[tokio::test]
async fn signing_out_works_although_nobody_can_be_told() {
    let (peer, _, server) = joined(|options| options.revocation = false).await;
    assert!(!server.grant().unwrap().token.revocable);
    server.sign_out().await.unwrap();
    server.auth(AuthState::SignedOut).await;
    assert!(peer.auth_server_requests_to("/revoke").is_empty());
}
