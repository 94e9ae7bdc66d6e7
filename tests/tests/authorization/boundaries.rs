//! Where tokens and questions go, and where they never go.

use sonde_explorer::ipc::*;
use sonde_tests::{
    auth_peer::{AuthPeer, CANARY, request_contains},
    http_peer::{HttpPeer, Reply},
};

use super::app::{App, draft};

#[tokio::test]
async fn a_token_does_not_follow_a_redirect_to_another_origin() {
    let stranger = HttpPeer::start(|_| Reply::accepted()).await;
    let peer = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let elsewhere = stranger.url();
    peer.configure(|options| options.redirect_mcp = Some(elsewhere));
    let call = app.start_call(&server, "read", 1).await;
    let view = app.finished(call).await;
    assert!(
        matches!(view.outcome, Some(OutcomeView::Lost { .. })),
        "{view:?}"
    );
    app.explorer.disconnect(server.clone()).await.unwrap();
    app.phase(&server, SessionPhase::Idle).await;
    for request in stranger.requests() {
        assert!(!request_contains(&request, CANARY), "{request:?}");
        assert!(request.header("Authorization").is_none(), "{request:?}");
    }
}

#[tokio::test]
async fn metadata_does_not_come_from_another_origin() {
    let stranger = HttpPeer::start(|_| Reply::status(404).body("")).await;
    let peer = AuthPeer::start().await;
    let elsewhere = format!("http://{}", stranger.address());
    peer.configure(|options| options.redirect_metadata = Some(elsewhere));
    let mut app = App::start().await;
    let server = app.add(&peer).await;
    app.connect(&server).await;
    app.problem(&server).await;
    assert!(stranger.requests().is_empty(), "{:?}", stranger.requests());
}

#[tokio::test]
async fn another_authorization_server_learns_nothing_of_the_first() {
    let peer = AuthPeer::start().await;
    let other = AuthPeer::start().await;
    let mut app = App::start().await;
    let server = app.join(&peer).await;
    let client = app.grant(&server).unwrap().client_id;

    peer.use_auth_server_of(&other);
    peer.forget_tokens();
    let call = app.start_call(&server, "read", 1).await;
    let (prompt, grant) = app.sign_in(&server).await;
    assert_eq!(prompt.issuer, other.issuer());
    assert_eq!(grant.issuer, other.issuer());
    assert_ne!(grant.client_id, client, "registered anew");
    app.finished(call).await;
    assert_eq!(peer.served().len(), 1);
    assert_eq!(peer.served()[0].token, other.issued()[0]);
    let secrets_of_the_first = peer.issuer().rsplit(':').next().unwrap();
    let mark = format!("{CANARY}-refresh-{secrets_of_the_first}");
    for request in other.auth_server_requests() {
        for told in [&client, &mark, &peer.issued()[0]] {
            assert!(!request_contains(&request, told), "{request:?}");
        }
    }
    // And the other way round.
    for request in peer.auth_server_requests() {
        assert!(!request_contains(&request, &other.issued()[0]));
    }
}

#[tokio::test]
async fn a_token_stays_with_its_server() {
    let one = AuthPeer::start().await;
    let two = AuthPeer::start().await;
    let mut app = App::start().await;
    app.join(&one).await;
    let second = app.join(&two).await;
    app.call(&second, "read", 1).await;
    for request in two
        .mcp_server_requests()
        .into_iter()
        .chain(two.auth_server_requests())
    {
        assert!(!request_contains(&request, &one.issued()[0]));
    }
    for request in one
        .mcp_server_requests()
        .into_iter()
        .chain(one.auth_server_requests())
    {
        assert!(!request_contains(&request, &two.issued()[0]));
    }
}

/// A server with a public name is reached through a proxy, so that this needs no network. It names
/// addresses that only this computer can reach.
#[tokio::test]
async fn a_public_server_cannot_point_at_private_addresses() {
    let inside = AuthPeer::start().await;
    let port = inside.issuer().rsplit(':').next().unwrap().to_owned();
    for host in [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "192.168.0.1",
        "[::1]",
        "[fd00::1]",
        "localhost",
    ] {
        for metadata in [true, false] {
            let target = format!("https://{host}:{port}");
            let named = target.clone();
            let proxy = HttpPeer::start(move |request| {
                if request.method == "CONNECT" {
                    Reply::status(502).body("")
                } else if request.target.ends_with("/mcp") && request.method == "POST" {
                    let challenge = if metadata {
                        format!("Bearer resource_metadata=\"{named}/metadata\"")
                    } else {
                        "Bearer".to_owned()
                    };
                    Reply::status(401).header("WWW-Authenticate", &challenge).body("")
                } else if request.target.contains("oauth-protected-resource") {
                    Reply::json(format!(
                        r#"{{"resource":"http://public.example/mcp","authorization_servers":["{named}"]}}"#
                    ))
                } else {
                    Reply::status(404).body("")
                }
            })
            .await;
            let mut app = App::start().await;
            let mut draft = draft("http://public.example/mcp", AuthDraft::default());
            if let TransportDraft::Http { network, .. } = &mut draft.transport {
                network.proxy = ProxyDraft::At {
                    url: format!("http://{}", proxy.address()),
                };
            }
            let server = app.explorer.add_server(draft).await.unwrap();
            app.connect(&server).await;
            app.problem(&server).await;
            for request in proxy.requests() {
                assert!(
                    !request.target.contains(&format!("{host}:{port}")),
                    "{request:?}"
                );
            }
            assert!(
                inside.auth_server_requests().is_empty() && inside.mcp_server_requests().is_empty()
            );
        }
    }
}
