//! A server that names its authorization server, and that authorization server.

use sonde_ipc::*;
use sonde_tests::{
    http_peer::{HttpPeer, Reply, Request},
    public_names::PublicNames,
};
use url::Url;

use super::app::{App, draft};

/// An MCP server at this origin that requires tokens of this issuer.
async fn mcp_server(origin: &str, issuer: &str) -> HttpPeer {
    let metadata = format!(r#"{{"resource":"{origin}/mcp","authorization_servers":["{issuer}"]}}"#);
    HttpPeer::start(move |request| match request.target.as_str() {
        "/mcp" => Reply::status(401)
            .header("WWW-Authenticate", "Bearer")
            .body(""),
        "/.well-known/oauth-protected-resource/mcp" => Reply::json(&metadata),
        _ => Reply::status(404).body(""),
    })
    .await
}

/// An authorization server at this origin. Each endpoint is at the place that `named` has for it, or
/// at the origin.
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

/// An MCP server at this origin, reached by way of these names.
fn behind(names: &PublicNames, origin: &str, trusted: &[&str]) -> ServerDraft {
    let mut draft = draft(&format!("{origin}/mcp"), AuthDraft::default());
    if let TransportDraft::Http { network, .. } = &mut draft.transport {
        network.proxy = ProxyConfig::At {
            url: format!("http://127.0.0.1:{}", names.port()),
        };
        if !trusted.is_empty() {
            network.ca_file = Some(names.ca_file(trusted).display().to_string());
        }
    }
    draft
}

/// The address at which the browser would end.
fn redirect(prompt: &SignInPrompt) -> String {
    let url = Url::parse(&prompt.url).unwrap();
    let state = url.query_pairs().find(|(name, _)| name == "state").unwrap();
    let mut back = Url::parse(&prompt.redirect_uri).unwrap();
    back.query_pairs_mut()
        .append_pair("code", "a-code-that-is-secret")
        .append_pair("state", &state.1);
    back.into()
}

/// The server may have neighbours inside, but what it trusts on the internet has none.
#[tokio::test]
async fn an_authorization_server_on_the_internet_has_no_endpoint_inside() {
    const MCP: &str = "https://10.1.2.3";
    const AUTH: &str = "https://auth.example";
    for endpoint in ["registration", "authorization", "token"] {
        let mcp = mcp_server(MCP, AUTH).await;
        let member = format!("{endpoint}_endpoint");
        let auth = auth_server(AUTH, &[(&member, "https://10.1.2.4/inside")]).await;
        let names = PublicNames::start(&[
            ("10.1.2.3", mcp.address()),
            ("auth.example", auth.address()),
        ])
        .await;
        let mut app = App::start().await;
        let draft = behind(&names, MCP, &["10.1.2.3", "auth.example"]);
        let server = app.explorer.add_server(draft).await.unwrap();
        app.connect(&server).await;
        if endpoint == "token" {
            let prompt = app.prompt(&server).await;
            let paste =
                app.explorer
                    .paste_redirect(server.clone(), prompt.attempt, redirect(&prompt));
            paste.await.unwrap();
        }
        let problem = app.problem(&server).await;
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

/// What the user allows for the MCP server is for it alone.
#[tokio::test]
async fn an_authorization_server_is_not_trusted_as_the_server_is() {
    const MCP: &str = "https://mcp.example";
    const AUTH: &str = "https://auth.example";
    let mcp = mcp_server(MCP, AUTH).await;
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

    let mut app = App::start().await;
    for trusted in [&[][..], &["auth.example"]] {
        let mut draft = behind(&names, MCP, trusted);
        if let TransportDraft::Http { network, .. } = &mut draft.transport {
            network.accept_any_certificate = true;
            network.client_certificate = Some(CertificateFiles {
                certificate: certificate.display().to_string(),
                key: certificate.display().to_string(),
            });
        }
        let server = app.explorer.add_server(draft).await.unwrap();
        app.connect(&server).await;
        if trusted.is_empty() {
            let problem = app.problem(&server).await;
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
            let prompt = app.prompt(&server).await;
            assert_eq!(prompt.host, "auth.example");
        }
    }
    let shown = names.shown();
    assert!(!shown.is_empty() && shown.iter().all(|host| host == "mcp.example:443"));
    assert!(names.asked().iter().any(|host| host == "auth.example:443"));
}
