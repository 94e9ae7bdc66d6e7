//! Icons at URLs: fetched from the server's own origin, without any data of the user.

use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted, with_token},
    client::http,
    http_peer::{HttpPeer, Reply},
    mcp_peer::obliging,
};

/// Creates the head of a still PNG of this size.
fn png(side: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(side.to_be_bytes());
    bytes.extend(side.to_be_bytes());
    bytes
}

fn image(mime_type: &str, bytes: impl AsRef<[u8]>) -> Reply {
    Reply::status(200)
        .header("Content-Type", mime_type)
        .header("Set-Cookie", "session=1")
        .body(bytes)
}

fn redirect(location: &str) -> Reply {
    Reply::status(302).header("Location", location).body("")
}

async fn picture(
    app: &App,
    server: &str,
    src: &str,
    mime_type: Option<&str>,
) -> Result<String, String> {
    let mime_type = mime_type.map(str::to_owned);
    let answer = granted(app.icon_picture(server.to_owned(), src.to_owned(), mime_type)).await;
    match answer {
        IconPicture::Picture { uri } => Ok(uri),
        IconPicture::Refused { reason } => Err(reason),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_icon_is_fetched_once_and_without_what_is_the_users() {
    let elsewhere = HttpPeer::start(|_| image("image/png", png(48))).await;
    let other = elsewhere.url();
    let peer = HttpPeer::start(move |request| match request.target.as_str() {
        "/icon.png" | "/other-type" => image("image/png", png(48)),
        "/moved" => redirect("/icon.png?moved"),
        "/icon.png?moved" => image("image/png", png(48)),
        "/away" => redirect(&other),
        "/round" => redirect("/round"),
        "/svg" => image("image/png", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        "/huge" => image("image/png", png(2048)),
        "/long" => image("image/png", vec![0; 300 * 1024]),
        "/missing" => Reply::status(404).body("no"),
        _ => obliging(request),
    })
    .await;
    let app = App::start().await;
    let server = app
        .add("icons", with_token(http(peer.url()), "of the user"))
        .await;
    let at = |path: &str| peer.url().replace("/mcp", path);
    let early = picture(&app, &server, &at("/icon.png"), None).await;
    assert!(early.unwrap_err().contains("not connected"));
    app.ready(&server).await;

    let uri = picture(&app, &server, &at("/icon.png"), Some("image/png")).await;
    let uri = uri.unwrap();
    assert!(
        uri.starts_with("data:image/png;base64,iVBORw0KGgo"),
        "{uri}"
    );
    assert_eq!(
        picture(&app, &server, &at("/icon.png"), Some("image/png")).await,
        Ok(uri.clone())
    );
    assert_eq!(picture(&app, &server, &at("/moved"), None).await, Ok(uri));
    for (path, mime_type, reason) in [
        ("/away", None, "redirects to"),
        ("/round", None, "redirects to"),
        ("/svg", None, "not a PNG"),
        ("/other-type", Some("image/jpeg"), "mimeType"),
        ("/huge", None, "larger than 1024"),
        ("/long", None, "larger than 262144 bytes"),
        ("/missing", None, "404"),
        ("/icon.png", Some("image/svg+xml"), "Not fetched"),
    ] {
        let refused = picture(&app, &server, &at(path), mime_type).await;
        let refused = refused.expect_err(path);
        assert!(refused.contains(reason), "{path}: {refused}");
    }
    let refused = picture(&app, &server, &elsewhere.url(), None).await;
    assert!(refused.unwrap_err().contains("another origin"));
    assert!(elsewhere.requests().is_empty(), "nobody was asked there");

    let requests = peer.requests();
    let fetched: Vec<_> = requests.iter().filter(|one| one.method == "GET").collect();
    let icons = fetched.iter().filter(|one| one.target == "/icon.png");
    assert_eq!(icons.count(), 1, "what was fetched is kept");
    let own: Vec<_> = fetched.iter().filter(|one| one.target != "/mcp").collect();
    assert!(own.len() > 6);
    for request in own {
        for name in ["token", "authorization", "cookie", "mcp-session-id"] {
            assert_eq!(request.header(name), None, "{request:?}");
        }
    }
    // It is traffic of Sonde's own, and the log has it with its cause.
    let rows = app.log(&server, LogFilter::default()).await;
    let caused: Vec<_> = rows
        .iter()
        .filter(|row| row.cause == Some(LogCause::Icon))
        .collect();
    assert!(
        caused.iter().any(|row| row.preview.contains("/icon.png")),
        "{caused:#?}"
    );

    app.end(&server).await;
    let kept = picture(&app, &server, &at("/icon.png"), Some("image/png")).await;
    assert!(kept.is_ok(), "what was fetched is shown on: {kept:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_a_url_has_no_origin_to_fetch_from() {
    let app = App::start().await;
    let server = app.join("local", Transport::Demo { http: false }).await;
    let refused = picture(&app, &server, "https://example.org/icon.png", None).await;
    assert!(refused.unwrap_err().contains("not reached by a URL"));
}
