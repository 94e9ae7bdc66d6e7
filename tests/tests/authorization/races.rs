//! Many who want a new token at the same moment.

use std::{collections::HashSet, path::Path, sync::Arc};

use futures_util::future::join_all;
use sonde_auth::{Keyring, MemoryStore, SecretStore};
use sonde_ipc::*;
use sonde_tests::{auth_peer::AuthPeer, http_peer::Gate};

use super::app::{App, text};

/// Calls that all begin while the only token is expired. Each has to be answered once, and one
/// refresh has to serve them all.
async fn meet_one_expiry(peer: &AuthPeer, apps: &mut [App], server: &str, calls: usize) {
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    let refreshes = peer.token_requests("refresh_token").len();
    let served = peer.served().len();
    peer.expire_all();

    let mut started = Vec::new();
    for (place, app) in apps.iter().enumerate() {
        let numbers = place * calls..(place + 1) * calls;
        let numbers = numbers.map(|number| app.start_call(server, "read", number));
        started.push(join_all(numbers).await);
    }
    // The answer of the refresh comes when all of them depend on it.
    for (app, calls) in apps.iter_mut().zip(&started) {
        app.until("every call to wait", |seen| {
            let waiting = calls.iter().all(|call| {
                let state = seen.operations.get(call).map(|call| call.state);
                state == Some(OperationState::SigningIn)
            });
            waiting.then_some(())
        })
        .await;
    }
    peer.token_requested("refresh_token", refreshes + 1).await;
    assert_eq!(peer.served().len(), served, "nobody was let in meanwhile");
    gate.open();

    for (place, (app, started)) in apps.iter_mut().zip(started).enumerate() {
        for (index, call) in started.into_iter().enumerate() {
            let number = place * calls + index;
            let view = app.finished(call).await;
            assert_eq!(text(&view), format!("read {{\"n\":{number}}}"));
            assert!(!view.answered_after_cancel && view.late == 0, "{view:?}");
        }
    }
    let all = apps.len() * calls;
    let arguments: Vec<_> = peer.served()[served..]
        .iter()
        .map(|one| one.arguments.clone())
        .collect();
    assert_eq!(arguments.len(), all, "each call was carried out once");
    assert_eq!(arguments.iter().collect::<HashSet<_>>().len(), all);
    assert_eq!(
        peer.token_requests("refresh_token").len(),
        refreshes + 1,
        "one refresh for all"
    );
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);
    for app in apps {
        let view = app
            .until("nobody waits", |seen| {
                let view = seen.auth.get(server)?;
                (view.waiting == 0 && view.state == AuthState::SignedIn).then(|| view.clone())
            })
            .await;
        assert!(view.problem.is_none() && view.prompt.is_none(), "{view:?}");
    }
    peer.configure(|options| options.hold_tokens = None);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_calls_meet_one_expiry() {
    let peer = AuthPeer::start().await;
    let mut apps = [App::start().await];
    let server = apps[0].join(&peer).await;
    for _ in 0..3 {
        meet_one_expiry(&peer, &mut apps, &server, 200).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_calls_ask_for_the_same_scope_once() {
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let calls = join_all((0..50).map(|number| app.start_call(&server, "write", number))).await;
    app.all_wait(&calls).await;
    app.sign_in(&server).await;
    for (number, call) in calls.into_iter().enumerate() {
        let view = app.finished(call).await;
        assert_eq!(text(&view), format!("write {{\"n\":{number}}}"));
    }
    assert_eq!(peer.served().len(), 50);
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
}

/// Waits until the list of servers is on disk.
async fn saved(folder: &Path, server: &str) {
    let saved = || {
        let text = std::fs::read_to_string(folder.join("servers.json"));
        text.is_ok_and(|text| text.contains(server))
    };
    while !saved() {
        tokio::task::yield_now().await;
    }
}

/// The app runs twice, signed in once.
async fn twice(peer: &AuthPeer, secrets: Arc<dyn SecretStore>) -> ([App; 2], ServerId) {
    let mut first = App::start_with(secrets.clone()).await;
    let server = first.join(peer).await;
    saved(first.folder.path(), &server).await;
    let mut second = App::start_in(first.folder.clone(), secrets).await;
    second.connect(&server).await;
    second.ready(&server).await;
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "the second one uses the token of the first"
    );
    ([first, second], server)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_apps_refresh_one_token_once() {
    let peer = AuthPeer::start().await;
    let (mut apps, server) = twice(&peer, Arc::new(MemoryStore::default())).await;
    for _ in 0..3 {
        meet_one_expiry(&peer, &mut apps, &server, 100).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
async fn two_apps_with_the_real_keyring_refresh_one_token_once() {
    let peer = AuthPeer::start().await;
    // Too long for one entry.
    peer.configure(|options| options.padding = 6_000);
    let service = format!("dev.sonde.test.races.{}", std::process::id());
    let (mut apps, server) = twice(&peer, Arc::new(Keyring::for_service(service))).await;
    for _ in 0..3 {
        meet_one_expiry(&peer, &mut apps, &server, 100).await;
    }
    apps[0].explorer.sign_out(server).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_app_signs_out_of_the_other_one_asks_for() {
    let peer = AuthPeer::start().await;
    let ([mut first, mut second], server) = twice(&peer, Arc::new(MemoryStore::default())).await;
    first.explorer.sign_out(server.clone()).await.unwrap();
    first.auth(&server, AuthState::SignedOut).await;
    let call = second.start_call(&server, "read", 1).await;
    second.prompt(&server).await;
    let stored = second.explorer.stored_secrets().await.unwrap();
    let token = |one: &StoredSecret| one.kind == StoredKind::Token;
    assert!(!stored.secrets.iter().any(token), "it is not written back");
    second.sign_in(&server).await;
    assert_eq!(text(&second.finished(call).await), "read {\"n\":1}");
    assert!(peer.token_requests("refresh_token").is_empty());
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
    // And the first one takes what the second one got.
    let call = first.start_call(&server, "read", 2).await;
    assert_eq!(text(&first.finished(call).await), "read {\"n\":2}");
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_ends_during_a_refresh_does_not_block_the_other_one() {
    let peer = AuthPeer::start().await;
    let ([first, mut second], server) = twice(&peer, Arc::new(MemoryStore::default())).await;
    peer.configure(|options| options.hold_tokens = Some(Gate::new()));
    peer.expire_all();
    first.start_call(&server, "read", 1).await;
    peer.token_requested("refresh_token", 1).await;
    peer.configure(|options| options.hold_tokens = None);
    let call = second.start_call(&server, "read", 2).await;
    first.explorer.shutdown().await;
    drop(first);
    // The refresh token of the first is gone with its answer: nobody can know the new one.
    second.sign_in(&server).await;
    assert_eq!(text(&second.finished(call).await), "read {\"n\":2}");
}
