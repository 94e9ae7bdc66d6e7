//! Servers and responses that are not good enough for signing in.

use sonde_client::{
    auth::{AuthProblem, AuthState},
    config::SignInConfig,
    sessions::SessionPhase,
};
use sonde_tests::{
    auth_peer::{AuthPeer, Iss, PeerOptions, browser},
    guarded::{Guarded, Program, begun, joined},
};

/// Connects to a peer with these options and returns why signing in failed.
async fn problem(
    change: impl FnOnce(&mut PeerOptions),
    browser: bool,
) -> (AuthPeer, Guarded, AuthProblem) {
    let peer = AuthPeer::start().await;
    peer.configure(change);
    let app = Program::start();
    let server = app.add(&peer).await;
    server.begin();
    if browser {
        server.browse().await;
    }
    let problem = server.problem().await;
    server.phase(SessionPhase::Failed).await;
    assert!(server.read(|state| state.session.failure.is_some()));
    assert!(peer.token_requests("authorization_code").is_empty());
    assert!(peer.issued().is_empty());
    (peer, server, problem)
}

#[tokio::test]
async fn an_issuer_that_gives_another_name_is_not_believed() {
    let (peer, ..) = problem(
        |options| options.issuer = Some("https://attacker.example.com".to_owned()),
        false,
    )
    .await;
    assert!(peer.auth_server_requests_to("/register").is_empty());
}

#[tokio::test]
async fn without_the_promise_of_pkce_nobody_signs_in_by_accident() {
    let (peer, _, problem) = problem(|options| options.pkce = false, false).await;
    assert_eq!(problem.code, "no_pkce");
    assert!(problem.spec.is_some());
    assert!(peer.auth_server_requests_to("/authorize").is_empty());

    let app = Program::start();
    let options = SignInConfig {
        without_pkce_promise: true,
        ..SignInConfig::default()
    };
    let server = app.add_with(&peer, options).await;
    server.begin();
    let (prompt, _) = server.authorize().await;
    let warned = prompt.warnings.iter().any(|one| one.contains("PKCE"));
    assert!(warned, "it is insecure, and says so: {prompt:?}");
    assert!(
        prompt.url.contains("code_challenge_method=S256"),
        "PKCE is used all the same"
    );
}

#[tokio::test]
async fn a_return_address_of_another_issuer_is_not_used() {
    for iss in [
        Iss::Missing,
        Iss::Wrong("https://attacker.example.com".to_owned()),
        Iss::Unexpected("https://attacker.example.com".to_owned()),
    ] {
        problem(|options| options.iss = iss, true).await;
    }
    let peer = AuthPeer::start().await;
    // Compared as text, nothing is normalised (RFC 9207 section 2.4).
    let name = format!("{}/", peer.issuer());
    peer.configure(|options| options.iss = Iss::Wrong(name));
    let app = Program::start();
    let server = app.add(&peer).await;
    server.begin();
    server.browse().await;
    server.problem().await;
    assert!(peer.token_requests("authorization_code").is_empty());
}

#[tokio::test]
async fn a_silent_issuer_that_promised_nothing_is_fine() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.iss = Iss::Silent);
    Program::start().join(&peer).await;
}

#[tokio::test]
async fn errors_of_another_issuer_are_not_shown() {
    let (_, server, problem) = problem(
        |options| {
            options.deny = true;
            options.iss = Iss::Wrong("https://attacker.example.com".to_owned());
        },
        true,
    )
    .await;
    assert_eq!(problem.code, "wrong_issuer");
    let shown = server.read(|state| format!("{:?} {:?}", state.auth, state.session.failure));
    assert!(!shown.contains("The user said no."), "{shown}");
}

#[tokio::test]
async fn a_return_for_somebody_else_is_not_mine() {
    let (peer, _, server) = begun(|options| options.wrong_state = true).await;
    let (prompt, page) = server.browse().await;
    assert_ne!(page.status, 200, "{page:?}");
    assert!(peer.token_requests("authorization_code").is_empty());
    // Whoever sent it cannot end the sign-in of the user.
    peer.configure(|options| options.wrong_state = false);
    let page = browser::follow(&prompt.url).await.unwrap();
    assert_eq!(page.status, 200, "{page:?}");
    server.tools().await;
}

#[tokio::test]
async fn a_resource_elsewhere_is_not_signed_in_to() {
    let (peer, ..) = problem(
        |options| options.resource = Some("https://evil.example.com/mcp".to_owned()),
        false,
    )
    .await;
    assert!(
        peer.auth_server_requests().is_empty()
            || peer.auth_server_requests_to("/authorize").is_empty()
    );
}

#[tokio::test]
async fn a_failing_token_endpoint_is_said_to_fail() {
    let (peer, _, server) = begun(|options| options.fail_tokens = 5).await;
    server.browse().await;
    let problem = server.problem().await;
    assert_eq!(problem.code, "authorization_server_error");
    server.phase(SessionPhase::Failed).await;
    assert_eq!(
        peer.token_requests("authorization_code").len(),
        1,
        "a code is good once, so it is not tried twice"
    );
}

/// Signs in as often as the user is asked to, and returns why it ended.
async fn sign_in_for_ever(server: &Guarded, mut then: impl FnMut(u64)) -> AuthProblem {
    let mut last = 0;
    loop {
        let prompt = server
            .until("a new prompt or the end", |state| {
                let view = state.auth.as_ref()?;
                if let Some(prompt) = view.prompt.as_ref().filter(|one| one.attempt > last) {
                    return Some(Ok(prompt.clone()));
                }
                let over = matches!(view.state, AuthState::Failed | AuthState::SignedIn);
                view.problem.clone().filter(|_| over).map(Err)
            })
            .await;
        let prompt = match prompt {
            Ok(prompt) => prompt,
            Err(problem) => return problem,
        };
        last = prompt.attempt;
        then(last);
        let page = browser::follow(&prompt.url).await.unwrap();
        assert_eq!(page.status, 200, "{page:?}");
    }
}

/// Neither a server that accepts no token nor tokens that are issued invalid keep the user busy.
#[tokio::test]
async fn a_token_that_is_never_good_enough_is_not_asked_for_for_ever() {
    for (dead, most) in [(false, 1), (true, 2)] {
        let peer = AuthPeer::start().await;
        peer.configure(|options| match dead {
            true => options.token_seconds = Some(0),
            false => options.refuse_all = true,
        });
        let app = Program::start();
        let server = app.add(&peer).await;
        server.begin();
        let problem = sign_in_for_ever(&server, |_| {}).await;
        assert_eq!(problem.code, "fresh_token_refused");
        server.phase(SessionPhase::Failed).await;
        assert_eq!(
            peer.auth_server_requests_to("/authorize").len(),
            most,
            "dead: {dead}"
        );
        assert!(
            peer.mcp_server_requests().len() <= 12,
            "{}",
            peer.mcp_server_requests().len()
        );
    }
}

#[tokio::test]
async fn scopes_that_are_never_enough_are_not_asked_for_for_ever() {
    let (peer, _, server) = joined(|_| ()).await;
    peer.configure(|options| options.write_scope = "more-1".to_owned());
    let call = server.start_call("write", 1).await;
    let problem = sign_in_for_ever(&server, |attempt| {
        peer.configure(|options| options.write_scope = format!("more-{attempt}"));
    })
    .await;
    assert_eq!(problem.code, "scopes_never_enough");
    server.loses(call).await;
    assert!((2..=4).contains(&peer.auth_server_requests_to("/authorize").len()));
    assert!(peer.served().is_empty());
    server.call("read", 2).await;
}

/// Uses an authorization server with a self-signed certificate.
#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_told_from_a_server_that_is_away() {
    let (_, config) = sonde_tests::self_signed::self_signed("localhost");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let secure = tokio::spawn(async move {
        let acceptor = tokio_rustls::TlsAcceptor::from(std::sync::Arc::new(config));
        while let Ok((stream, _)) = listener.accept().await {
            assert!(acceptor.accept(stream).await.is_err(), "nobody goes on");
        }
    });
    let named =
        |address| move |options: &mut PeerOptions| options.authorization_server = Some(address);
    let (.., untrusted) = problem(named(format!("https://localhost:{port}")), false).await;
    assert_eq!(untrusted.code, "not_trusted", "{untrusted:?}");
    secure.abort();
    assert!(secure.await.is_err_and(|error| error.is_cancelled()));
    let (.., away) = problem(named(format!("https://localhost:{port}")), false).await;
    assert_eq!(away.code, "unreachable", "{away:?}");
}
