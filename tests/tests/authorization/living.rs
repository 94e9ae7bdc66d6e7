//! A signed-in server during other changes.

use std::{sync::Arc, time::Duration};

use sonde_auth::{CredentialKind, MemoryStore};
use sonde_client::{
    auth::{AuthState, AuthStatus},
    config::{AuthConfig, SignInConfig},
    operations::OperationOutcome,
    sessions::SessionPhase,
};
use sonde_ipc::{StoredKind, StoredSecret};
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, RefreshTokens, browser, request_contains},
    guarded::{Guarded, Program, begun, guarded, joined},
    http_peer::Gate,
};

use super::listed;

#[tokio::test]
async fn the_listener_comes_back_with_a_new_token() {
    let (peer, _, server) = joined(|_| ()).await;
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
    let (peer, _, server) = joined(|_| ()).await;
    peer.forget_tokens();
    server.end_session().await;
    assert!(!server.states().contains(&AuthState::Failed));
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "nobody is asked to sign in for it"
    );
    let idle = |auth: &AuthStatus| auth.prompt.is_none() && auth.waiting == 0;
    server.auth_holds("nothing is asked", idle).await;
}

#[tokio::test]
async fn a_call_that_waits_for_a_token_can_be_cancelled_alone() {
    let (peer, _, server) = joined(|_| ()).await;
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    peer.expire_all();
    let mut calls = Vec::new();
    for number in 0..3 {
        calls.push(server.start_call("read", number).await);
    }
    server.all_wait(&calls).await;
    server.cancel_operation(calls[1]).await.unwrap();
    peer.refreshes_requested(1).await;
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

/// The silence of a server that waits for the user does not count.
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
    let (peer, _, server) = joined(|_| ()).await;
    let write = server.start_call("write", 1).await;
    server.prompt().await;
    server.call("read", 2).await;
    server.cancel_sign_in().await.unwrap();
    server.loses(write).await;
    // The old token is as good as before.
    server.call("read", 3).await;
    assert_eq!(peer.issued().len(), 1);
}

#[tokio::test]
async fn a_refresh_goes_on_beside_a_request_for_more_scopes() {
    let (peer, _, server) = joined(|_| ()).await;
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
    let (_peer, _, server) = begun(|_| ()).await;
    let prompt = server.prompt().await;
    server.end_session().await;
    let idle = |auth: &AuthStatus| auth.prompt.is_none() && auth.waiting == 0;
    server.auth_holds("the end of the prompt", idle).await;
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
    app.update_server(id, edited).await.unwrap();
    server.begin();
    let issuer = |auth: &AuthStatus| Some(auth.prompt.as_ref()?.issuer.clone());
    server
        .auth_holds("the prompt of the other", |auth| {
            issuer(auth).as_deref() == Some(other.issuer())
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
    server.phase(SessionPhase::Ready).await;
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
    app.update_server(id, edited).await.unwrap();
    server.begin();
    let client = |auth: &AuthStatus| Some(auth.prompt.as_ref()?.client_id.clone());
    let of_new_client = |auth: &AuthStatus| client(auth).as_deref() == Some("my-client");
    server
        .auth_holds("the prompt for the new client", of_new_client)
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
    let (peer, _, server) = joined(|options| options.refresh_tokens = RefreshTokens::Never).await;
    server.start_call("write", 1).await;
    let lost = server.prompt().await;
    peer.expire_all();
    let waits = server.start_call("read", 2).await;
    let both_wait = |auth: &AuthStatus| {
        auth.state == AuthState::Prompt && auth.prompt.is_some() && auth.waiting == 2
    };
    server.auth_holds("both calls to wait", both_wait).await;
    server.sign_in().await.unwrap();
    server.prompt_after(lost.attempt).await;
    server.authorize().await;
    // Who waited for the sign-in that was given up was refused.
    server.finished(waits, |_| ()).await;
    server.call("read", 3).await;
}

#[tokio::test]
async fn a_sign_in_that_calls_wait_for_keeps_its_reason_and_its_prompt() {
    let (peer, _, server) = joined(|options| options.refuse_refreshes = 1).await;
    server.start_call("write", 1).await;
    server.prompt().await;
    peer.expire_all();
    let waits = server.start_call("read", 2).await;
    let refused = |auth: &AuthStatus| auth.state == AuthState::Prompt && auth.problem.is_some();
    server.auth_holds("the refused refresh", refused).await;
    peer.configure(|options| options.deny = true);
    server.browse().await;
    server.finished(waits, |_| ()).await;
    let problem = server.status().problem.unwrap();
    assert_eq!(problem.code, "access_denied", "{problem:?}");

    server.sign_in().await.unwrap();
    let prompt = server.prompt().await;
    server.start_call("read", 3).await;
    let waits = |auth: &AuthStatus| auth.prompt.is_some() && auth.waiting == 1;
    server.auth_holds("the call to wait", waits).await;
    server.end_session().await;
    let stays = |auth: &AuthStatus| {
        let open = auth.prompt.as_ref().map(|open| open.attempt);
        auth.waiting == 0 && open == Some(prompt.attempt) && auth.problem.is_none()
    };
    server.auth_holds("the prompt to stay", stays).await;
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
    let app = App::keeping(secrets.clone()).await;
    let (id, server) = listed::join(&app, &peer).await;
    // Nor does a sign-in as another client leave the one before it.
    server.sign_in().await.unwrap();
    let prompt = server.prompt().await;
    server.register_again(prompt.attempt).await.unwrap();
    server.prompt_after(prompt.attempt).await;
    server.authorize().await;
    let stored = app.stored_secrets().await.unwrap();
    assert_eq!(stored.secrets.len(), 2, "{stored:?}");
    let deletion = app.remove_server(id.clone()).await.unwrap();
    let stored = app.stored_secrets().await.unwrap();
    let token = |one: &StoredSecret| one.kind == StoredKind::Token;
    assert!(!stored.secrets.iter().any(token), "{stored:?}");
    assert!(
        secrets.is_empty(),
        "neither the token nor the registration is left"
    );

    // Signed in as before once that is undone.
    app.undo_deletion(deletion).await.unwrap();
    let stored = app.stored_secrets().await.unwrap();
    assert!(stored.secrets.iter().any(token), "{stored:?}");
    let asked = peer.auth_server_requests_to("/authorize").len();
    let server = Guarded::from(app.connection(&id));
    server.phase(SessionPhase::Idle).await;
    server.begin();
    server.tools().await;
    server.call("read", 1).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), asked);
}
