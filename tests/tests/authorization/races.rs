//! Many callers that need a new token at the same moment.

use std::{collections::HashSet, sync::Arc};

use futures_util::future::join_all;
use sonde_auth::{CredentialKind, Keyring, MemoryStore, SecretStore};
use sonde_client::auth::AuthState;
use sonde_tests::{
    auth_peer::AuthPeer,
    guarded::{Guarded, Program, joined},
    http_peer::Gate,
};

/// Starts calls that all begin while the only token is expired. Each must get one response, and one refresh must serve
/// them all.
async fn meet_one_expiry(peer: &AuthPeer, servers: &[Guarded], calls: usize) {
    let gate = Gate::new();
    peer.configure(|options| options.hold_tokens = Some(gate.clone()));
    let refreshes = peer.token_requests("refresh_token").len();
    let served = peer.served().len();
    peer.expire_all();

    let mut started = Vec::new();
    for (place, server) in servers.iter().enumerate() {
        let numbers = place * calls..(place + 1) * calls;
        let numbers = numbers.map(|number| server.start_call("read", number));
        started.push(join_all(numbers).await);
    }
    // The answer of the refresh comes when all of them depend on it.
    for (server, calls) in servers.iter().zip(&started) {
        server.all_wait(calls).await;
    }
    peer.refreshes_requested(refreshes + 1).await;
    assert_eq!(peer.served().len(), served, "nobody was let in meanwhile");
    gate.open();

    for (place, (server, started)) in servers.iter().zip(started).enumerate() {
        for (index, call) in started.into_iter().enumerate() {
            let number = place * calls + index;
            let text = server.text(call).await;
            assert_eq!(text, format!("read {{\"n\":{number}}}"));
            let odd = server.finished(call, |run| (run.answered_after_cancel, run.late));
            assert_eq!(odd.await, (false, 0));
        }
    }
    let all = servers.len() * calls;
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
    for server in servers {
        let view = server
            .until("nobody waits", |state| {
                let view = state.auth.as_ref()?;
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
    let servers = [Program::start().join(&peer).await];
    for _ in 0..3 {
        meet_one_expiry(&peer, &servers, 200).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_calls_ask_for_the_same_scope_once() {
    let (peer, _, server) = joined(|_| ()).await;
    let calls = join_all((0..50).map(|number| server.start_call("write", number))).await;
    server.all_wait(&calls).await;
    server.authorize().await;
    for (number, call) in calls.into_iter().enumerate() {
        let text = server.text(call).await;
        assert_eq!(text, format!("write {{\"n\":{number}}}"));
    }
    assert_eq!(peer.served().len(), 50);
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
}

/// Runs the program twice with one sign-in. Returns the servers, and the second program.
async fn twice(peer: &AuthPeer, secrets: Arc<dyn SecretStore>) -> ([Guarded; 2], Program) {
    let program = Program::start_with(secrets.clone());
    let first = program.join(peer).await;
    let program = Program::start_in(program.folder, secrets);
    let second = program.add(peer).await;
    second.begin();
    second.tools().await;
    assert_eq!(
        peer.auth_server_requests_to("/authorize").len(),
        1,
        "the second one uses the token of the first"
    );
    ([first, second], program)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_apps_refresh_one_token_once() {
    let peer = AuthPeer::start().await;
    let (servers, _) = twice(&peer, Arc::new(MemoryStore::default())).await;
    for _ in 0..3 {
        meet_one_expiry(&peer, &servers, 100).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
async fn two_apps_with_the_real_keyring_refresh_one_token_once() {
    let peer = AuthPeer::start().await;
    // Too long for one entry.
    peer.configure(|options| options.padding = 6_000);
    let service = format!("dev.sonde.test.races.{}", std::process::id());
    let (servers, _) = twice(&peer, Arc::new(Keyring::for_service(service))).await;
    for _ in 0..3 {
        meet_one_expiry(&peer, &servers, 100).await;
    }
    servers[0].sign_out().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_app_signs_out_of_the_other_one_asks_for() {
    let peer = AuthPeer::start().await;
    let ([first, second], program) = twice(&peer, Arc::new(MemoryStore::default())).await;
    first.sign_out().await.unwrap();
    first.auth(AuthState::SignedOut).await;
    let call = second.start_call("read", 1).await;
    second.prompt().await;
    let stored = program.stored(CredentialKind::Token).await;
    assert!(stored.is_empty(), "it is not written back");
    second.authorize().await;
    assert_eq!(second.text(call).await, "read {\"n\":1}");
    assert!(peer.token_requests("refresh_token").is_empty());
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
    // And the first one takes what the second one got.
    let call = first.start_call("read", 2).await;
    assert_eq!(first.text(call).await, "read {\"n\":2}");
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_ends_during_a_refresh_does_not_block_the_other_one() {
    let peer = AuthPeer::start().await;
    let ([first, second], _) = twice(&peer, Arc::new(MemoryStore::default())).await;
    peer.configure(|options| options.hold_tokens = Some(Gate::new()));
    peer.expire_all();
    first.start_call("read", 1).await;
    peer.refreshes_requested(1).await;
    peer.configure(|options| options.hold_tokens = None);
    let call = second.start_call("read", 2).await;
    first.close().await;
    // The refresh token of the first is gone with its answer: nobody can know the new one.
    second.authorize().await;
    assert_eq!(second.text(call).await, "read {\"n\":2}");
}
