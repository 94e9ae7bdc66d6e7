//! A signed-in server while other things happen to it.

use std::{sync::Arc, time::Duration};

use sonde_auth::{CredentialKind, MemoryStore};
use sonde_client::{
    auth::AuthState,
    config::{AuthConfig, SignInConfig},
    operations::OperationOutcome,
    sessions::SessionPhase,
};
use sonde_ipc::{StoredKind, StoredSecret};
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, RefreshTokens, browser, request_contains},
    guarded::{Guarded, Program, guarded},
    http_peer::Gate,
};

use super::listed;

#[tokio::test]
async fn the_listener_comes_back_with_a_new_token() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    while peer.endpoint("GET").is_empty() {
        tokio::task::yield_now().await;
    }
    peer.expire_all();
    peer.end_streams();
    server.refreshed(1).await;
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
    server.call("read", 1).await;
}

#[tokio::test]
async fn the_end_of_a_session_is_orderly_although_the_token_is_over() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    peer.forget_tokens();
    server.end_session().await;
    assert!(!server.states().contains(&AuthState::Failed));
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "nobody is asked to sign in for it"
    );
    server
        .until("nothing is asked", |state| {
            let view = state.auth.as_ref()?;
            (view.prompt.is_none() && view.waiting == 0).then_some(())
        })
        .await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_token_can_be_cancelled_alone() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    peer.expire_all();
    let mut calls = Vec::new();
    for number in 0..3 {
        calls.push(server.start_call("read", number).await);
    }
    server.all_wait(&calls).await;
    server.cancel_operation(calls[1]).await.unwrap();
    peer.token_requested("refresh_token", 1).await;
    gate.open();
    for number in [0, 2] {
        let text = server.text(calls[number]).await;
        assert_eq!(text, format!("read {{\"n\":{number}}}"));
    }
    let outcome = server.finished(calls[1], |run| run.outcome.clone()).await;
    assert!(
        matches!(outcome, Some(OperationOutcome::Cancelled)),
        "{outcome:?}"
    );
    let served: Vec<_> = peer.served().into_iter().map(|one| one.arguments).collect();
    assert!(!served.contains(&r#"{"n":1}"#.to_owned()), "{served:?}");
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
}

/// The silence of a server that waits for the user is no silence.
#[tokio::test]
async fn a_call_has_all_the_time_that_its_user_takes() {
    let (peer, silent) = (AuthPeer::start().await, AuthPeer::start().await);
    let app = Program::start();
    let mut servers = Vec::new();
    for peer in [&peer, &silent] {
        let mut typed = guarded(&peer.url(), AuthConfig::default());
        typed.idle_seconds = Some(1);
        let server = app.add_typed(typed).await;
        server.begin();
        server.authorize().await;
        server.tools().await;
        servers.push(server);
    }
    peer.forget_tokens();
    let [server, witness] = &servers[..] else {
        unreachable!()
    };
    let call = server.start_call("read", 1).await;
    server.prompt().await;
    // The limit is over, twice: so a call says that has it as well and waits for nobody's sign-in.
    silent.configure(|options| options.server_delay = 3_600_000);
    for number in 0..2 {
        let other = witness.start_call("read", number).await;
        let outcome = witness.finished(other, |run| run.outcome.clone()).await;
        assert!(
            matches!(outcome, Some(OperationOutcome::TimedOut { .. })),
            "{outcome:?}"
        );
    }
    server.authorize().await;
    assert_eq!(server.text(call).await, "read {\"n\":1}");
}

#[tokio::test]
async fn other_calls_go_on_while_more_scopes_are_asked_for() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    let write = server.start_call("write", 1).await;
    server.prompt().await;
    server.call("read", 2).await;
    server.cancel_sign_in().await.unwrap();
    let outcome = server.finished(write, |run| run.outcome.clone()).await;
    assert!(
        matches!(outcome, Some(OperationOutcome::Lost { .. })),
        "{outcome:?}"
    );
    // The old token is as good as before.
    server.call("read", 3).await;
    assert_eq!(peer.issued().len(), 1);
}

#[tokio::test]
async fn a_refresh_goes_on_beside_a_request_for_more_scopes() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    let write = server.start_call("write", 1).await;
    let prompt = server.prompt().await;
    peer.expire_all();
    server.call("read", 2).await;
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    let waits = server.status().prompt.clone();
    assert_eq!(waits.map(|one| one.attempt), Some(prompt.attempt));
    server.authorize().await;
    let text = server.text(write).await;
    assert_eq!(text, "write {\"n\":1}");
    assert_eq!(peer.issued().len(), 3);
}

#[tokio::test]
async fn to_disconnect_gives_the_sign_in_up() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let server = app.add(&peer).await;
    server.begin();
    let prompt = server.prompt().await;
    server.end_session().await;
    server
        .until("the end of the prompt", |state| {
            let view = state.auth.as_ref()?;
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
    let app = App::start().await;
    let (id, server) = listed::join(&app, &peer).await;
    server.end_session().await;
    let edited = guarded(&other.url(), AuthConfig::default());
    app.explorer.update_server(id, edited).await.unwrap();
    server.begin();
    server
        .until("the prompt of the other", |state| {
            let prompt = state.auth.as_ref()?.prompt.as_ref()?;
            (prompt.issuer == other.issuer()).then_some(())
        })
        .await;
    server.authorize().await;
    for request in other
        .mcp_server_requests()
        .iter()
        .chain(&other.auth_server_requests())
    {
        assert!(!request_contains(request, &peer.issued()[0]), "{request:?}");
    }
    server
        .until("the tools of the other", |state| {
            (state.session.phase == SessionPhase::Ready).then_some(())
        })
        .await;
}

#[tokio::test]
async fn another_client_of_the_user_means_another_sign_in() {
    let peer = AuthPeer::start().await;
    let app = App::start().await;
    let (id, server) = listed::join(&app, &peer).await;
    // A sign-in of the old client is open when the settings change.
    server.sign_in().await.unwrap();
    let old = server.prompt().await;
    server.end_session().await;
    let auth = AuthConfig::SignIn {
        options: Box::new(SignInConfig {
            client_id: Some("my-client".to_owned()),
            ..SignInConfig::default()
        }),
    };
    let edited = guarded(&peer.url(), auth);
    app.explorer.update_server(id, edited).await.unwrap();
    server.begin();
    server
        .until("the prompt for the new client", |state| {
            let prompt = state.auth.as_ref()?.prompt.as_ref()?;
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
    let view = server.status();
    assert_eq!(view.state, AuthState::Prompt, "{view:?}");
}

#[tokio::test]
async fn a_sign_in_can_begin_again_while_calls_wait_for_it() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.refresh_tokens = RefreshTokens::Never);
    let app = Program::start();
    let server = app.join(&peer).await;
    server.start_call("write", 1).await;
    let lost = server.prompt().await;
    peer.expire_all();
    let waits = server.start_call("read", 2).await;
    server
        .until("both calls to wait", |state| {
            let view = state.auth.as_ref()?;
            let prompt = view.state == AuthState::Prompt && view.prompt.is_some();
            (prompt && view.waiting == 2).then_some(())
        })
        .await;
    server.sign_in().await.unwrap();
    server
        .until("a new prompt", |state| {
            let prompt = state.auth.as_ref()?.prompt.as_ref()?;
            (prompt.attempt > lost.attempt).then_some(())
        })
        .await;
    server.authorize().await;
    // Who waited for the sign-in that was given up was refused.
    server.finished(waits, |_| ()).await;
    server.call("read", 3).await;
}

#[tokio::test]
async fn two_servers_of_the_list_are_two_users_of_one_server() {
    let peer = AuthPeer::start().await;
    let app = Program::start();
    let (first, second) = (app.join(&peer).await, app.join(&peer).await);
    peer.expire_all();
    for (number, server) in [&first, &second].into_iter().enumerate() {
        server.call("read", number).await;
        server.refreshed(1).await;
    }
    assert_eq!(peer.token_requests("refresh_token").len(), 2);
    assert_eq!(app.stored(CredentialKind::Token).await.len(), 2);
    first.sign_out().await.unwrap();
    second.call("read", 9).await;
}

#[tokio::test]
async fn a_removed_server_leaves_no_token() {
    let peer = AuthPeer::start().await;
    let secrets = Arc::new(MemoryStore::default());
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let app = App::start_in(folder, secrets.clone()).await;
    let (id, _) = listed::join(&app, &peer).await;
    assert!(!secrets.is_empty());
    let deletion = app.explorer.remove_server(id.clone()).await.unwrap();
    let stored = app.explorer.stored_secrets().await.unwrap();
    let token = |one: &StoredSecret| one.kind == StoredKind::Token;
    assert!(!stored.secrets.iter().any(token), "{stored:?}");
    assert!(secrets.len() <= 1, "at most the registration is left");

    // Signed in as before once that is undone.
    app.explorer.undo_deletion(deletion).await.unwrap();
    let stored = app.explorer.stored_secrets().await.unwrap();
    assert!(stored.secrets.iter().any(token), "{stored:?}");
    let asked = peer.auth_server_requests_to("/authorize").len();
    let server = Guarded::from(app.connection(&id));
    server.phase(SessionPhase::Idle).await;
    server.begin();
    server.tools().await;
    server.call("read", 1).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), asked);
}
