//! Authorization servers built after reports about other clients.

use std::path::PathBuf;

use sonde_tests::{guarded::Program, http_server::HttpServer};

/// Starts the program of a case, which needs only Node.
async fn served(name: &str) -> HttpServer {
    let cases = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases");
    let program = cases.join(format!("{name}.mjs")).display().to_string();
    let server = HttpServer::program("node", &[&program, "{port}"], "/mcp").await;
    server.unwrap()
}

#[tokio::test]
async fn an_error_of_the_token_endpoint_is_one_whatever_its_status() {
    let peer = served("error-with-200").await;
    let app = Program::start();
    let server = app.add_at(&peer.url()).await;
    server.begin();
    server.browse().await;
    let problem = server.problem().await;
    let words = format!("{problem:?}");
    assert!(words.contains("incorrect_client_credentials"), "{words}");
    assert!(
        problem.advice.join(" ").contains("client ID and secret"),
        "{words}"
    );
    assert_eq!(server.grant(), None);
}

#[tokio::test]
async fn metadata_that_is_not_there_is_named_with_its_address() {
    let peer = served("metadata-that-is-not-there").await;
    let app = Program::start();
    let server = app.add_at(&peer.url()).await;
    server.begin();
    let problem = server.problem().await;
    assert_eq!(problem.code, "no_resource_metadata");
    let address = peer
        .url()
        .replace("/mcp", "/.well-known/oauth-protected-resource");
    let named = format!("`{address}`: HTTP status 404.");
    assert!(problem.cause.starts_with(&named), "{}", problem.cause);
}
