//! The password of a proxy: the places where it is stored, and where it must not appear.

use std::sync::Arc;

use base64::Engine as _;
use sonde_auth::{Secret, SecretStore as _, doubles::LockableKeyring};
use sonde_ipc::*;
use sonde_tests::{
    app::{App, granted},
    client::{http, typed},
    http_peer::{HttpPeer, Reply},
    port::Port,
};

const NAME: &str = "proxy:password";
const PASSWORD: &str = "hush hush@1";
const WRITTEN: &str = "hush%20hush%401";

/// An address that no name server knows, so only a proxy can reach it.
const SERVER: &str = "http://server.invalid/mcp";

/// Starts a proxy that reaches nothing.
async fn proxy() -> HttpPeer {
    HttpPeer::start(|_| Reply::status(502).body("")).await
}

fn by_proxy(url: String, user: Option<&str>, password: Option<SecretInput>) -> TransportDraft {
    let mut transport = http(SERVER);
    if let Transport::Http { network, .. } = &mut transport {
        network.proxy = ProxyConfig::At {
            url,
            user: user.map(str::to_owned),
            password,
        };
    }
    transport
}

/// Returns a server as the form shows it.
async fn shown(app: &App, server: &str) -> ServerDraft {
    app.until("the server", |seen| {
        let server = seen.servers.get(server)?;
        Some(server.config.clone().into())
    })
    .await
}

fn by_me(url: String) -> TransportDraft {
    by_proxy(url, Some("me"), Some(SecretInput::Keep))
}

/// Connects once, which fails, and checks that only the proxy got the password.
async fn connect(app: &App, proxy: &HttpPeer, server: &str) {
    let session = app.fails(server).await;
    let login = base64::engine::general_purpose::STANDARD.encode(format!("me:{PASSWORD}"));
    let requests = proxy.requests();
    let request = requests.last().unwrap();
    let sent = format!("Basic {login}");
    assert_eq!(request.header("proxy-authorization"), Some(&*sent));
    assert_eq!(request.target, SERVER);
    let seen = format!("{session:?} {:?}", app.seen());
    for hidden in [PASSWORD, WRITTEN, &login] {
        assert!(!seen.contains(hidden), "{seen}");
    }
}

#[tokio::test]
async fn what_is_typed_is_kept_in_the_keyring_copied_and_removed() {
    let (proxy, store) = (proxy().await, Arc::new(LockableKeyring::default()));
    let app = App::keeping(store.clone()).await;
    let set = |value: &str| Some(typed(value.to_owned()));
    let at = format!("http://{}", proxy.address());
    let in_address = format!("http://me:{WRITTEN}@{}", proxy.address());
    let typed = [
        by_proxy(in_address, Some("other"), set("other")),
        by_proxy(at.clone(), Some("me"), set(PASSWORD)),
    ];
    for transport in typed {
        let server = app.add("Typed", transport).await;
        connect(&app, &proxy, &server).await;
        let copy = app.duplicate_server(server).await.unwrap();
        connect(&app, &proxy, &copy).await;
        assert!(store.contents().get(&copy, NAME).unwrap() == Some(Secret::new(PASSWORD)));

        // Another password, then none.
        let mut draft = shown(&app, &copy).await;
        draft.transport = by_proxy(at.clone(), Some("me"), set("new"));
        granted(app.update_server(copy.clone(), draft.clone())).await;
        assert!(store.contents().get(&copy, NAME).unwrap() == Some(Secret::new("new")));
        draft.transport = by_proxy(at.clone(), Some("me"), None);
        granted(app.update_server(copy.clone(), draft.clone())).await;
        assert!(store.contents().get(&copy, NAME).unwrap().is_none());
        // There is nothing to keep any more.
        draft.transport = by_me(at.clone());
        granted(app.update_server(copy.clone(), draft)).await;
        assert!(store.contents().get(&copy, NAME).unwrap().is_none());
    }
    let file = app.file("servers.json");
    assert!(!file.contains("hush"));
    // It cannot be read from a locked keyring, and the failure names it.
    let locked = app
        .add("Typed", by_proxy(at, Some("me"), set(PASSWORD)))
        .await;
    store.lock(true);
    let app = app.again().await;
    let session = app.fails(&locked).await;
    let failure = session.failure.unwrap();
    assert_eq!(failure.code, "secret_missing");
    assert!(failure.title.contains("The password of the proxy"));
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named() {
    let app = App::start().await;
    let nobody = Port::reserve().unwrap();
    let at = format!("http://me:{WRITTEN}@{}", nobody.address());
    let (_, failure) = app.failure(by_proxy(at, None, None)).await;
    assert_eq!(failure.code, "proxy_failed");
    let title = format!("The proxy {} could not be used.", nobody.address());
    assert_eq!(failure.title, title);
    assert!(!format!("{failure:?}").contains("hush"));
}
