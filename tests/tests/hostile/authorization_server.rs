//! A server that names its authorization server, and attacks by that.

use std::sync::Arc;

use sonde_auth::MemoryStore;
use sonde_client::{
    Error,
    auth::{AuthState, SignInPrompt},
    config::{
        AuthConfig, CertificateFiles, GrantConfig, ProxyConfig, SecretInput, ServerConfig,
        SignInConfig, Transport,
    },
};
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, CANARY, request_contains},
    client::typed,
    guarded::{Guarded, Program, guarded, robot},
    http_peer::{HttpPeer, Reply, Request},
    public_names::PublicNames,
};
use url::Url;

const AUTH: &str = "https://auth.example";

/// Starts an MCP server at this origin that requires tokens of [`AUTH`].
async fn mcp_server(origin: &str) -> HttpPeer {
    let metadata = format!(r#"{{"resource":"{origin}/mcp","authorization_servers":["{AUTH}"]}}"#);
    HttpPeer::start(move |request| match request.target.as_str() {
        "/mcp" => Reply::status(401)
            .header("WWW-Authenticate", "Bearer")
            .body(""),
        "/.well-known/oauth-protected-resource/mcp" => Reply::json(&metadata),
        _ => Reply::status(404).body(""),
    })
    .await
}

/// Starts an authorization server at this origin. Each endpoint is at its address in `named`, or at the origin.
async fn auth_server(origin: &str, named: &[(&str, &str)]) -> HttpPeer {
    let mut metadata = serde_json::json!({
        "issuer": origin,
        "code_challenge_methods_supported": ["S256"],
    });
    for endpoint in ["authorization", "token", "registration"] {
        metadata[format!("{endpoint}_endpoint")] = format!("{origin}/{endpoint}").into();
    }
    for (member, value) in named {
        metadata[*member] = (*value).into();
    }
    HttpPeer::start(move |request: &Request| match request.target.as_str() {
        "/.well-known/oauth-authorization-server" => Reply::json(metadata.to_string()),
        "/registration" => Reply::json(r#"{"client_id":"client"}"#),
        _ => Reply::status(404).body(""),
    })
    .await
}

/// Creates an MCP server at this origin, reached through the proxy of these names.
fn behind(names: &PublicNames, origin: &str, trusted: &[&str]) -> ServerConfig<SecretInput> {
    let mut typed = guarded(&format!("{origin}/mcp"), AuthConfig::default());
    if let Transport::Http { network, .. } = &mut typed.transport {
        network.proxy = ProxyConfig::At {
            url: format!("http://127.0.0.1:{}", names.port()),
            user: None,
            password: None,
        };
        if !trusted.is_empty() {
            network.ca_file = Some(names.ca_file(trusted).display().to_string());
        }
    }
    typed
}

/// Returns the redirect address of the browser.
fn redirect(prompt: &SignInPrompt) -> String {
    let url = Url::parse(&prompt.url).unwrap();
    let state = url.query_pairs().find(|(name, _)| name == "state").unwrap();
    let mut back = Url::parse(&prompt.redirect_uri).unwrap();
    back.query_pairs_mut()
        .append_pair("code", "a-code-that-is-secret")
        .append_pair("state", &state.1);
    back.into()
}

/// Signs in as the user, so that the browser returns with a code.
pub(crate) async fn signs_in(server: &Guarded) {
    let prompt = server.prompt().await;
    let paste = server.paste_redirect(prompt.attempt, redirect(&prompt));
    paste.await.unwrap();
}

/// The server itself may have private addresses near it, but its authorization server on the internet may not.
#[tokio::test]
async fn an_authorization_server_on_the_internet_has_no_endpoint_inside() {
    const MCP: &str = "https://10.1.2.3";
    for endpoint in ["registration", "authorization", "token"] {
        let mcp = mcp_server(MCP).await;
        let member = format!("{endpoint}_endpoint");
        let auth = auth_server(AUTH, &[(&member, "https://10.1.2.4/inside")]).await;
        let names = PublicNames::start(&[
            ("10.1.2.3", mcp.address()),
            ("auth.example", auth.address()),
        ])
        .await;
        let app = Program::start();
        let typed = behind(&names, MCP, &["10.1.2.3", "auth.example"]);
        let server = app.add_typed(typed).await;
        server.begin();
        if endpoint == "token" {
            signs_in(&server).await;
        }
        let problem = server.problem().await;
        assert_eq!(problem.code, "private_address", "{endpoint}: {problem:?}");
        assert_eq!(
            problem.title,
            "The server's metadata points to `10.1.2.4`, an address on a private network."
        );
        assert!(problem.cause.ends_with("nothing was sent there."));
        for target in names.asked() {
            assert!(
                ["10.1.2.3:443", "auth.example:443"].contains(&&*target),
                "{target}"
            );
        }
    }
}

/// Trust in the MCP server (any certificate, a client certificate) does not extend to its authorization server.
#[tokio::test]
async fn an_authorization_server_is_not_trusted_as_the_server_is() {
    const MCP: &str = "https://mcp.example";
    let mcp = mcp_server(MCP).await;
    let auth = auth_server(AUTH, &[]).await;
    let names = PublicNames::start(&[
        ("mcp.example", mcp.address()),
        ("auth.example", auth.address()),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("client.pem");
    let made = rcgen::generate_simple_self_signed(vec!["client".to_owned()]).unwrap();
    let pem = made.cert.pem() + &made.signing_key.serialize_pem();
    std::fs::write(&certificate, pem).unwrap();

    let app = Program::start();
    for trusted in [&[][..], &["auth.example"]] {
        let mut typed = behind(&names, MCP, trusted);
        if let Transport::Http { network, .. } = &mut typed.transport {
            network.accept_any_certificate = true;
            network.client_certificate = Some(CertificateFiles {
                certificate: certificate.display().to_string(),
                key: certificate.display().to_string(),
            });
        }
        let server = app.add_typed(typed).await;
        server.begin();
        if trusted.is_empty() {
            let problem = server.problem().await;
            assert_eq!(problem.code, "not_trusted", "{problem:?}");
            assert_eq!(
                problem.title,
                "The connection to `https://auth.example/.well-known/oauth-authorization-server` \
                 cannot be trusted."
            );
            let said = problem.advice.last().unwrap();
            assert!(said.starts_with("“Accept any certificate” is for the MCP server alone"));
            assert!(auth.requests().is_empty(), "{:?}", auth.requests());
        } else {
            let prompt = server.prompt().await;
            assert_eq!(prompt.host, "auth.example");
        }
    }
    let shown = names.shown();
    assert!(!shown.is_empty() && shown.iter().all(|host| host == "mcp.example:443"));
    assert!(names.asked().iter().any(|host| host == "auth.example:443"));
}

/// In a sign-in without the user, the user has to confirm the address before a secret goes there.
#[tokio::test]
async fn no_secret_goes_to_an_issuer_that_the_user_has_not_seen() {
    let idp = HttpPeer::start(|_| Reply::status(404).body("")).await;
    let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    let secret = |value: &str| typed(value.to_owned());
    let assertion = format!("{CANARY}.assertion");
    for (grant, credential) in [
        (GrantConfig::ClientSecret, "the client secret"),
        (
            GrantConfig::PrivateKey {
                key: secret(&key),
                algorithm: None,
                audience: Some("https://auth.example".to_owned()),
            },
            "an assertion signed with the private key",
        ),
        (
            GrantConfig::Enterprise {
                idp_token_endpoint: format!("http://{}/token", idp.address()),
                idp_client_id: "at-idp".to_owned(),
                idp_client_secret: None,
                id_token: secret(&assertion),
            },
            "the identity provider's assertion and the client secret",
        ),
        (
            GrantConfig::Workload {
                assertion: secret(&assertion),
            },
            "the workload's assertion",
        ),
    ] {
        let peer = AuthPeer::start().await;
        let options = SignInConfig {
            grant,
            client_id: Some("robot".to_owned()),
            client_secret: Some(secret(&format!("{CANARY}-of-another-server"))),
            ..SignInConfig::default()
        };
        let app = Program::start();
        let server = app.add_with(&peer, options).await;
        server.begin();
        let view = server.auth(AuthState::Confirmation).await;
        let asked = view.confirmation.unwrap();
        assert_eq!(asked.issuer, peer.issuer());
        assert_eq!(asked.token_endpoint, format!("{}/token", peer.issuer()));
        assert_eq!(asked.resource, peer.url());
        assert_eq!(asked.client_id, "robot");
        assert_eq!(asked.credential, credential);
        // Another sign-in is not meant.
        let other = server.confirm_issuer(asked.attempt + 1);
        assert!(matches!(other.await, Err(Error::NoSignIn { .. })));
        server.cancel_sign_in().await.unwrap();
        let problem = server.problem().await;
        assert_eq!(problem.code, "cancelled");
        for request in peer.auth_server_requests() {
            assert_eq!((&*request.method, &*request.body), ("GET", ""));
            assert!(!request_contains(&request, CANARY), "{request:?}");
        }
        assert!(idp.requests().is_empty());
    }
}

#[tokio::test]
async fn a_confirmed_issuer_stays_the_only_one() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.client_secrets = true);
    let secret = peer.preregister("robot", "http://127.0.0.1:1/none", true);
    let secret = secret.unwrap();
    let options = robot(&secret);
    let secrets = Arc::new(MemoryStore::default());
    let app = App::keeping(secrets).await;
    let auth = AuthConfig::SignIn {
        options: Box::new(options),
    };
    let typed = guarded(&peer.url(), auth);
    let id = app.add_server(typed.clone()).await.unwrap();
    let server = Guarded::from(app.connection(&id));
    server.begin();
    let view = server.auth(AuthState::Confirmation).await;
    let attempt = view.confirmation.unwrap().attempt;
    let confirmed = server.confirm_issuer(attempt);
    confirmed.await.unwrap();
    server.tools().await;
    let view = server.auth(AuthState::SignedIn).await;
    assert!(view.confirmation.is_none());

    // Once is enough, also for the next start.
    let app = app.again().await;
    let server = Guarded::from(app.connection(&id));
    peer.forget_tokens();
    server.begin();
    server.tools().await;
    assert_eq!(peer.token_requests("client_credentials").len(), 2);
    assert!(!server.states().contains(&AuthState::Confirmation));

    // The server changes its mind.
    let stranger = AuthPeer::start().await;
    peer.use_auth_server_of(&stranger);
    peer.forget_tokens();
    let call = server.start_call("read", 1).await;
    let problem = server
        .until("the refusal", |state| state.auth.as_ref()?.problem.clone())
        .await;
    server.finished(call, |_| ()).await;
    assert_eq!(problem.code, "client_belongs_elsewhere");
    assert_eq!(
        problem.cause,
        format!(
            "The credentials in the settings are for `{}`, but the server now names `{}`. Nothing \
             was sent there.",
            peer.issuer(),
            stranger.issuer()
        )
    );
    for request in stranger.auth_server_requests() {
        assert!(!request_contains(&request, &secret), "{request:?}");
    }

    // Another secret is another matter.
    server.end_session().await;
    app.update_server(id, typed).await.unwrap();
    server.begin();
    let view = server.auth(AuthState::Confirmation).await;
    assert_eq!(view.confirmation.unwrap().issuer, stranger.issuer());
}

/// Secrets in use stay hidden in texts of the server, whatever else comes with a token.
#[tokio::test]
async fn no_answer_pushes_secrets_in_use_out_of_the_redaction() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| {
        options.client_secrets = true;
        options.more_secrets = 40;
    });
    let secret = peer.preregister("robot", "http://127.0.0.1:1/none", true);
    let secret = secret.unwrap();
    let options = SignInConfig {
        issuer: Some(peer.issuer().to_owned()),
        ..robot(&secret)
    };
    let app = Program::start();
    let server = app.add_with(&peer, options).await;
    server.begin();
    server.tools().await;
    let token = server
        .until("the request for the token", |state| {
            let mut steps = state.auth.as_ref()?.steps.iter();
            let token = steps.find(|step| step.code == "token" && step.has_exchange)?;
            Some(token.step)
        })
        .await;
    let exchange = server.auth_exchange(token);
    assert_eq!(
        exchange.await.unwrap().response_body.unwrap(),
        "(Not shown: this response has more than 16 secrets.)"
    );
    // As many as are looked for, over and over.
    peer.configure(|options| options.more_secrets = 15);
    for number in 0..4 {
        peer.expire_all();
        server.call("read", number).await;
    }
    let token = peer.issued().pop().unwrap();
    // The token stays in use while no other is to be had.
    peer.configure(|options| options.fail_tokens = 100);
    for _ in 0..4 {
        let refused = server.refresh_token().await;
        refused.unwrap_err();
    }
    peer.configure(|options| options.fail_tokens = 0);
    let arguments = serde_json::json!({ "again": [secret, token] });
    server.said("read", &arguments.to_string()).await;

    let log = server.log();
    let mut repeated = 0;
    for body in log.entries().filter_map(|seq| log.body(seq).ok()) {
        let text = String::from_utf8_lossy(body.bytes());
        assert!(!text.contains(CANARY), "{text}");
        repeated += usize::from(text.contains("again"));
    }
    assert_eq!(repeated, 2, "in the request and in its answer");
}
