//! Destinations of tokens and requests, allowed and forbidden.

use sonde_client::{
    auth::AuthState,
    config::{AuthConfig, ProxyConfig, SecretInput, ServerConfig, Transport},
};
use sonde_tests::{
    auth_peer::{AuthPeer, CANARY, request_contains},
    guarded::{Program, guarded, joined, robot},
    http_peer::{HttpPeer, Reply},
    public_names::PublicNames,
};

#[tokio::test]
async fn a_token_does_not_follow_a_redirect_to_another_origin() {
    let stranger = HttpPeer::start(|_| Reply::accepted()).await;
    let (peer, _, server) = joined(|_| ()).await;
    let elsewhere = stranger.url();
    peer.configure(|options| options.redirect_mcp = Some(elsewhere));
    let call = server.start_call("read", 1).await;
    server.loses(call).await;
    server.end_session().await;
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
    let app = Program::start();
    let server = app.add(&peer).await;
    server.begin();
    server.problem().await;
    assert!(stranger.requests().is_empty(), "{:?}", stranger.requests());
}

#[tokio::test]
async fn an_issuer_that_another_server_uses_is_named_with_both_addresses() {
    let peer = AuthPeer::start().await;
    let evil = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    let client = server.grant().unwrap().token.client_id;

    // Another host than the issuer's.
    let address = evil.url().replace("127.0.0.1", "localhost");
    let resource = address.clone();
    let issuer = peer.issuer().to_owned();
    evil.configure(|options| {
        options.resource = Some(resource);
        options.authorization_server = Some(issuer);
        options.challenge_metadata = false;
    });
    let other = app.add_at(&address).await;
    other.begin();
    let prompt = other.prompt().await;
    let warned = |warnings: &[String]| {
        let [warning] = warnings else {
            panic!("{warnings:?}");
        };
        for named in [address.as_str(), &peer.url(), peer.issuer()] {
            assert!(warning.contains(named), "{warning}");
        }
    };
    warned(&prompt.warnings);
    assert_ne!(prompt.client_id, client, "a client of its own");
    assert_eq!(peer.auth_server_requests_to("/register").len(), 2);

    // Without a browser the same is said before the secret goes.
    let options = robot("robot-secret");
    let typed = guarded(
        &address,
        AuthConfig::SignIn {
            options: Box::new(options),
        },
    );
    let robot = app.add_typed(typed).await;
    robot.begin();
    let view = robot.auth(AuthState::Confirmation).await;
    warned(&view.confirmation.unwrap().warnings);
    assert!(peer.token_requests("client_credentials").is_empty());

    // The first server goes on with its own client.
    peer.forget_tokens();
    let call = server.start_call("read", 1).await;
    let (prompt, _) = server.authorize().await;
    assert_eq!(prompt.client_id, client);
    assert!(prompt.warnings.is_empty(), "{:?}", prompt.warnings);
    server.finished(call, |_| ()).await;
}

#[tokio::test]
async fn another_authorization_server_learns_nothing_of_the_first() {
    let peer = AuthPeer::start().await;
    let other = AuthPeer::start().await;
    let app = Program::start();
    let server = app.join(&peer).await;
    let client = server.grant().unwrap().token.client_id;

    peer.use_auth_server_of(&other);
    peer.forget_tokens();
    let call = server.start_call("read", 1).await;
    let (prompt, grant) = server.authorize().await;
    assert_eq!(prompt.issuer, other.issuer());
    assert_eq!(grant.token.issuer, other.issuer());
    assert_ne!(grant.token.client_id, client, "registered anew");
    server.finished(call, |_| ()).await;
    assert_eq!(peer.served().len(), 1);
    assert_eq!(peer.served()[0].token, other.issued()[0]);
    let mark = format!("{}refresh", peer.canary());
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
    let app = Program::start();
    app.join(&one).await;
    let second = app.join(&two).await;
    second.call("read", 1).await;
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

/// A name on the public internet.
const NAME: &str = "public.example";

/// Creates a server that is reached through a proxy at this address, with these certificates trusted.
fn behind(names: &PublicNames, url: &str, proxy: &str) -> ServerConfig<SecretInput> {
    let mut typed = guarded(url, AuthConfig::default());
    if let Transport::Http { network, .. } = &mut typed.transport {
        network.proxy = ProxyConfig::At {
            url: format!("http://{proxy}:{}", names.port()),
            user: None,
            password: None,
        };
        network.ca_file = Some(names.ca_file(&[NAME]).display().to_string());
    }
    typed
}

/// The public server names addresses that only this computer can reach: in its challenge, or in metadata at the
/// expected place.
#[tokio::test]
async fn a_public_server_cannot_point_at_private_addresses() {
    const METADATA: &str = "/.well-known/oauth-protected-resource";
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
        for in_challenge in [true, false] {
            let named = format!("https://{host}:{port}");
            let public = HttpPeer::start(move |request| {
                if request.method == "POST" {
                    let challenge = if in_challenge {
                        format!("Bearer resource_metadata=\"{named}/metadata\"")
                    } else {
                        "Bearer".to_owned()
                    };
                    Reply::status(401)
                        .header("WWW-Authenticate", &challenge)
                        .body("")
                } else if request.target.starts_with(METADATA) {
                    Reply::json(format!(
                        r#"{{"resource":"https://{}/mcp","authorization_servers":["{named}"]}}"#,
                        NAME
                    ))
                } else {
                    Reply::status(404).body("")
                }
            })
            .await;
            let names = PublicNames::start(&[(NAME, public.address())]).await;
            let app = Program::start();
            let typed = behind(&names, &format!("https://{NAME}/mcp"), "127.0.0.1");
            let server = app.add_typed(typed).await;
            server.begin();
            let problem = server.problem().await;
            assert_eq!(problem.code, "private_address", "{host}: {problem:?}");
            let asked_for_metadata = public
                .requests()
                .iter()
                .any(|request| request.target.starts_with(METADATA));
            assert_eq!(
                asked_for_metadata,
                !in_challenge,
                "{host}: the address came from where it was meant to: {:?}",
                public.requests()
            );
            for target in names.asked() {
                assert_eq!(target, format!("{}:443", NAME));
            }
            assert!(
                inside.auth_server_requests().is_empty() && inside.mcp_server_requests().is_empty()
            );
        }
    }
}

/// The user chose the proxy, so its address says nothing about the server's.
#[tokio::test]
async fn a_proxy_may_have_a_name_that_leads_to_this_computer() {
    let public = HttpPeer::start(|request| match request.target.as_str() {
        "/mcp" => Reply::status(401)
            .header("WWW-Authenticate", "Bearer")
            .body(""),
        "/.well-known/oauth-protected-resource/mcp" => Reply::json(format!(
            r#"{{"resource":"https://{NAME}/mcp","authorization_servers":["https://{NAME}"]}}"#
        )),
        "/.well-known/oauth-authorization-server" => Reply::json(format!(
            r#"{{"issuer":"https://{NAME}","authorization_endpoint":"https://{NAME}/authorize",
                "token_endpoint":"https://{NAME}/token",
                "registration_endpoint":"https://{NAME}/register",
                "code_challenge_methods_supported":["S256"]}}"#
        )),
        "/register" => Reply::json(r#"{"client_id":"client"}"#),
        _ => Reply::status(404).body(""),
    })
    .await;
    let names = PublicNames::start(&[(NAME, public.address())]).await;
    let app = Program::start();
    let typed = behind(&names, &format!("https://{NAME}/mcp"), "localhost");
    let server = app.add_typed(typed).await;
    server.begin();
    let prompt = server.prompt().await;
    assert_eq!(prompt.host, NAME);
}
