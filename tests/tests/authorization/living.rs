//! A signed-in server while other things happen to it.

use std::{sync::Arc, time::Duration};

use sonde_auth::MemoryStore;
use sonde_ipc::*;
use sonde_tests::{
    auth_peer::{AuthPeer, RefreshTokens, browser, request_contains},
    http_peer::Gate,
};

use super::app::{App, draft, text};

#[tokio::test]
async fn the_listener_comes_back_with_a_new_token() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    while peer.endpoint("GET").is_empty() {
        tokio::task::yield_now().await;
    }
    peer.expire_all();
    peer.end_streams();
    app.refreshed(&server, 1).await;
    let token = format!("Bearer {}", peer.issued()[1]);
    let listens = |peer: &AuthPeer| {
        let gets = peer.endpoint("GET");
        gets.iter()
            .any(|one| one.header("Authorization") == Some(&*token))
    };
    while !listens(&peer) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    app.call(&server, "read", 1).await;
}

#[tokio::test]
async fn the_end_of_a_session_is_orderly_although_the_token_is_over() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    peer.forget_tokens();
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    assert!(!app.states().contains(&AuthState::Failed));
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "nobody is asked to sign in for it"
    );
    app.until("nothing is asked", |seen| {
        let view = seen.auth.get(&server)?;
        (view.prompt.is_none() && view.waiting == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_token_can_be_cancelled_alone() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    peer.expire_all();
    let mut calls = Vec::new();
    for number in 0..3 {
        calls.push(app.start_call(&server, "read", number).await);
    }
    app.all_wait(&calls).await;
    app.explorer.cancel_operation(calls[1]).await.unwrap();
    peer.token_requested("refresh_token", 1).await;
    gate.open();
    for number in [0, 2] {
        let view = app.finished(calls[number]).await;
        assert_eq!(text(&view), format!("read {{\"n\":{number}}}"));
    }
    let view = app.finished(calls[1]).await;
    assert!(
        matches!(view.outcome, Some(OperationOutcome::Cancelled)),
        "{view:?}"
    );
    let served: Vec<_> = peer.served().into_iter().map(|one| one.arguments).collect();
    assert!(!served.contains(&r#"{"n":1}"#.to_owned()), "{served:?}");
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
}

/// The silence of a server that waits for the user is no silence.
#[tokio::test]
async fn a_call_has_all_the_time_that_its_user_takes() {
    let (peer, silent) = (AuthPeer::start().await, AuthPeer::start().await);
    let mut app = App::start().await;
    let mut servers = Vec::new();
    for peer in [&peer, &silent] {
        let mut draft = draft(&peer.url(), AuthConfig::default());
        draft.idle_seconds = Some(1);
        let server = app.explorer.add_server(draft).await.unwrap();
        app.connect(&server).await;
        app.sign_in(&server).await;
        app.ready(&server).await;
        servers.push(server);
    }
    peer.forget_tokens();
    let call = app.start_call(&servers[0], "read", 1).await;
    app.prompt(&servers[0]).await;
    // The limit is over, twice: so a call says that has it as well and waits for nobody's sign-in.
    silent.configure(|options| options.server_delay = 3_600_000);
    for number in 0..2 {
        let witness = app.start_call(&servers[1], "read", number).await;
        let view = app.finished(witness).await;
        assert!(
            matches!(view.outcome, Some(OperationOutcome::TimedOut { .. })),
            "{view:?}"
        );
    }
    app.sign_in(&servers[0]).await;
    assert_eq!(text(&app.finished(call).await), "read {\"n\":1}");
}

#[tokio::test]
async fn other_calls_go_on_while_more_scopes_are_asked_for() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let write = app.start_call(&server, "write", 1).await;
    app.prompt(&server).await;
    app.call(&server, "read", 2).await;
    app.explorer.cancel_sign_in(server.clone()).await.unwrap();
    let view = app.finished(write).await;
    assert!(
        matches!(view.outcome, Some(OperationOutcome::Lost { .. })),
        "{view:?}"
    );
    // The old token is as good as before.
    app.call(&server, "read", 3).await;
    assert_eq!(peer.issued().len(), 1);
}

#[tokio::test]
async fn a_refresh_goes_on_beside_a_request_for_more_scopes() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let write = app.start_call(&server, "write", 1).await;
    let prompt = app.prompt(&server).await;
    peer.expire_all();
    app.call(&server, "read", 2).await;
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    let waits = app.seen().auth[&server].prompt.clone();
    assert_eq!(waits.map(|one| one.attempt), Some(prompt.attempt));
    app.sign_in(&server).await;
    let view = app.finished(write).await;
    assert_eq!(text(&view), "write {\"n\":1}");
    assert_eq!(peer.issued().len(), 3);
}

#[tokio::test]
async fn to_disconnect_gives_the_sign_in_up() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;
    let prompt = app.prompt(&server).await;
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    app.until("the end of the prompt", |seen| {
        let view = seen.auth.get(&server)?;
        (view.prompt.is_none() && view.waiting == 0).then_some(())
    })
    .await;
    let page = browser::visit(&prompt.url).await.unwrap();
    let back = page.header("Location").unwrap();
    assert!(browser::visit(back).await.is_err(), "nobody listens");
}

#[tokio::test]
async fn a_token_does_not_follow_an_edited_address() {
    let peer = AuthPeer::start().await;
    let other = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    let edited = draft(&other.url(), AuthConfig::default());
    app.explorer
        .update_server(server.clone(), edited)
        .await
        .unwrap();
    app.connect(&server).await;
    app.until("the prompt of the other", |seen| {
        let prompt = seen.auth.get(&server)?.prompt.as_ref()?;
        (prompt.issuer == other.issuer()).then_some(())
    })
    .await;
    app.sign_in(&server).await;
    for request in other
        .mcp_server_requests()
        .iter()
        .chain(&other.auth_server_requests())
    {
        assert!(!request_contains(request, &peer.issued()[0]), "{request:?}");
    }
    app.until("the tools of the other", |seen| {
        (seen.sessions[&server].phase == SessionPhase::Ready).then_some(())
    })
    .await;
}

#[tokio::test]
async fn another_client_of_the_user_means_another_sign_in() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    // A sign-in of the old client is open when the settings change.
    app.explorer.sign_in(server.clone()).await.unwrap();
    let old = app.prompt(&server).await;
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    let auth = AuthConfig::SignIn {
        options: Box::new(SignInConfig {
            client_id: Some("my-client".to_owned()),
            ..SignInConfig::default()
        }),
    };
    let edited = draft(&peer.url(), auth);
    app.explorer
        .update_server(server.clone(), edited)
        .await
        .unwrap();
    app.connect(&server).await;
    app.until("the prompt for the new client", |seen| {
        let prompt = seen.auth.get(&server)?.prompt.as_ref()?;
        (prompt.client_id == "my-client").then_some(())
    })
    .await;
    // Nobody waits for the old one any more, although the same port may be listened on.
    let page = browser::visit(&old.url).await.unwrap();
    let back = page.header("Location").unwrap();
    let taken = browser::visit(back)
        .await
        .is_ok_and(|page| page.status == 200);
    assert!(!taken, "the old sign-in is over");
    let view = app.seen().auth[&server].clone();
    assert_eq!(view.state, AuthState::Prompt, "{view:?}");
}

#[tokio::test]
async fn a_sign_in_can_begin_again_while_calls_wait_for_it() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.refresh_tokens = RefreshTokens::Never);
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    app.start_call(&server, "write", 1).await;
    let lost = app.prompt(&server).await;
    peer.expire_all();
    let waits = app.start_call(&server, "read", 2).await;
    app.until("both calls to wait", |seen| {
        let view = seen.auth.get(&server)?;
        let prompt = view.state == AuthState::Prompt && view.prompt.is_some();
        (prompt && view.waiting == 2).then_some(())
    })
    .await;
    app.explorer.sign_in(server.clone()).await.unwrap();
    app.until("a new prompt", |seen| {
        let prompt = seen.auth.get(&server)?.prompt.as_ref()?;
        (prompt.attempt > lost.attempt).then_some(())
    })
    .await;
    app.sign_in(&server).await;
    // Who waited for the sign-in that was given up was refused.
    app.finished(waits).await;
    app.call(&server, "read", 3).await;
}

#[tokio::test]
async fn two_servers_of_the_list_are_two_users_of_one_server() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let (first, second) = (app.join(&peer).await, app.join(&peer).await);
    peer.expire_all();
    for (number, server) in [&first, &second].into_iter().enumerate() {
        app.call(server, "read", number).await;
        app.refreshed(server, 1).await;
    }
    assert_eq!(peer.token_requests("refresh_token").len(), 2);
    let stored = app.explorer.stored_secrets().await.unwrap();
    let token = |one: &&StoredSecret| one.kind == StoredKind::Token;
    assert_eq!(stored.secrets.iter().filter(token).count(), 2);
    app.explorer.sign_out(first).await.unwrap();
    app.call(&second, "read", 9).await;
}

#[tokio::test]
async fn a_removed_server_leaves_no_token() {
    let peer = AuthPeer::start().await;
    let secrets = Arc::new(MemoryStore::default());
    let mut app = App::start_with(secrets.clone()).await;
    let server = app.join(&peer).await;
    assert!(!secrets.is_empty());
    let deletion = app.explorer.remove_server(server.clone()).await.unwrap();
    let stored = app.explorer.stored_secrets().await.unwrap();
    let token = |one: &StoredSecret| one.kind == StoredKind::Token;
    assert!(!stored.secrets.iter().any(token), "{stored:?}");
    assert!(secrets.len() <= 1, "at most the registration is left");

    // Signed in as before once that is undone.
    app.explorer.undo_deletion(deletion).await.unwrap();
    let stored = app.explorer.stored_secrets().await.unwrap();
    assert!(stored.secrets.iter().any(token), "{stored:?}");
    let asked = peer.auth_server_requests_to("/authorize").len();
    app.phase(&server, SessionPhase::Idle).await;
    app.connect(&server).await;
    app.ready(&server).await;
    app.call(&server, "read", 1).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), asked);
}
