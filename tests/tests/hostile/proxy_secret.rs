//! The password of a proxy: where it is kept, and where it must not be seen.

use std::sync::Arc;

use base64::Engine as _;
use sonde_auth::{MemoryStore, Secret, SecretStore as _, doubles::LockableKeyring};
use sonde_ipc::*;
use sonde_tests::{
    http_peer::{HttpPeer, Reply},
    port::Port,
};

use crate::window::{App, http};

const NAME: &str = "proxy:password";
const PASSWORD: &str = "hush hush@1";
const WRITTEN: &str = "hush%20hush%401";

/// No name server knows it: only a proxy can.
const SERVER: &str = "http://server.invalid/mcp";

/// A proxy that leads nowhere.
async fn proxy() -> HttpPeer {
    HttpPeer::start(|_| Reply::status(502).body("")).await
}

fn by_proxy(url: String, user: Option<&str>, password: Option<SecretInput>) -> TransportDraft {
    let mut transport = http(SERVER);
    if let TransportDraft::Http { network, .. } = &mut transport {
        network.proxy = ProxyDraft::At {
            url,
            user: user.map(str::to_owned),
            password,
        };
    }
    transport
}

/// A server as the form shows it.
async fn shown(app: &mut App, server: &str) -> ServerDraft {
    app.until("the server", |seen| {
        seen.servers.get(server).map(|server| server.config.clone())
    })
    .await
}

fn by_me(url: String) -> TransportDraft {
    by_proxy(url, Some("me"), Some(SecretInput::Keep))
}

/// Connects once, which fails, and finds the password at the proxy and nowhere else.
async fn connect(app: &mut App, proxy: &HttpPeer, server: &str) {
    app.connect(server).await;
    let session = app.phase(server, SessionPhase::Failed).await;
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

fn file(folder: &tempfile::TempDir) -> String {
    std::fs::read_to_string(folder.path().join("servers.json")).unwrap()
}

/// A list of the first days: the password stands in the address.
fn old_list(folder: &tempfile::TempDir, proxy: &HttpPeer) -> String {
    let address = format!("http://me:{WRITTEN}@{}", proxy.address());
    let text = format!(
        r#"{{"servers": [{{"id": "old", "name": "Old", "transport": {{"type": "http",
        "url": "{SERVER}", "network": {{"proxy": {{"type": "at", "url": "{address}"}}}}}}}}]}}"#
    );
    std::fs::write(folder.path().join("servers.json"), &text).unwrap();
    address
}

#[tokio::test]
async fn it_moves_from_the_file_to_the_keyring() {
    let (proxy, store) = (proxy().await, Arc::new(MemoryStore::default()));
    let folder = Arc::new(tempfile::tempdir().unwrap());
    old_list(&folder, &proxy);
    for _ in 0..2 {
        let mut app = App::start_in(folder.clone(), store.clone()).await;
        assert!(!file(&folder).contains("hush"), "{}", file(&folder));
        assert!(store.get("old", NAME).unwrap() == Some(Secret::new(PASSWORD)));
        let at = format!("http://{}/", proxy.address());
        let (TransportDraft::Http { network: now, .. }, TransportDraft::Http { network: kept, .. }) =
            (shown(&mut app, "old").await.transport, by_me(at))
        else {
            panic!()
        };
        assert_eq!(now, kept);
        connect(&mut app, &proxy, "old").await;
        assert!(app.seen().notices.is_empty());
        app.explorer.shutdown().await;
    }
}

#[tokio::test]
async fn it_stays_in_the_file_until_the_keyring_takes_it() {
    let (proxy, store) = (proxy().await, Arc::new(LockableKeyring::default()));
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let address = old_list(&folder, &proxy);
    store.lock(true);
    for _ in 0..2 {
        let mut app = App::start_in(folder.clone(), store.clone()).await;
        app.until("the notice", |seen| {
            let told = |one: &Notice| one.code == "secrets_not_saved";
            let unsaved = &seen.servers.get("old")?.unsaved_secrets;
            (unsaved == &[NAME] && seen.notices.values().any(told)).then_some(())
        })
        .await;
        connect(&mut app, &proxy, "old").await;
        app.add("Another", http("http://a/")).await;
        assert!(file(&folder).contains(&address));
        app.explorer.shutdown().await;
    }
    let mut app = App::start_in(folder.clone(), store.clone()).await;
    store.lock(false);
    assert_eq!(app.explorer.retry_keyring().await.unwrap(), 1);
    assert!(!file(&folder).contains("hush"));
    assert!(store.contents().get("old", NAME).unwrap() == Some(Secret::new(PASSWORD)));
    connect(&mut app, &proxy, "old").await;

    // Locked again: it cannot be read, and the failure names it.
    store.lock(true);
    app.explorer.connect("old".to_owned(), None).await.unwrap();
    let failure = app
        .until("the failure", |seen| {
            let failure = seen.sessions.get("old")?.failure.clone()?;
            (failure.code == "secret_missing").then_some(failure)
        })
        .await;
    assert!(failure.title.contains("The password of the proxy"));
    app.explorer.shutdown().await;
}

#[tokio::test]
async fn what_is_typed_is_kept_in_the_keyring_copied_and_removed() {
    let (proxy, store) = (proxy().await, Arc::new(MemoryStore::default()));
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut app = App::start_in(folder.clone(), store.clone()).await;
    let set = |value: &str| {
        Some(SecretInput::Set {
            value: value.to_owned(),
        })
    };
    let at = format!("http://{}", proxy.address());
    let in_address = format!("http://me:{WRITTEN}@{}", proxy.address());
    let typed = [
        by_proxy(in_address, Some("other"), set("other")),
        by_proxy(at.clone(), Some("me"), set(PASSWORD)),
    ];
    for transport in typed {
        let server = app.add("Typed", transport).await;
        connect(&mut app, &proxy, &server).await;
        let copy = app.explorer.duplicate_server(server).await.unwrap();
        connect(&mut app, &proxy, &copy).await;
        assert!(store.get(&copy, NAME).unwrap() == Some(Secret::new(PASSWORD)));

        // Another password, then none.
        let mut draft = shown(&mut app, &copy).await;
        draft.transport = by_proxy(at.clone(), Some("me"), set("new"));
        let update = app.explorer.update_server(copy.clone(), draft.clone());
        update.await.unwrap();
        assert!(store.get(&copy, NAME).unwrap() == Some(Secret::new("new")));
        draft.transport = by_proxy(at.clone(), Some("me"), None);
        let update = app.explorer.update_server(copy.clone(), draft.clone());
        update.await.unwrap();
        assert!(store.get(&copy, NAME).unwrap().is_none());
        // There is nothing to keep any more.
        draft.transport = by_me(at.clone());
        let refused = app.explorer.update_server(copy, draft).await.unwrap_err();
        assert_eq!(refused.detail.as_deref(), Some("proxy"));
    }
    assert!(!file(&folder).contains("hush"));
    app.explorer.shutdown().await;
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named() {
    let mut app = App::start().await;
    let nobody = Port::reserve().unwrap();
    let at = format!("http://me:{WRITTEN}@{}", nobody.address());
    let (_, failure) = app.failure(by_proxy(at, None, None)).await;
    assert_eq!(failure.code, "proxy_failed");
    let title = format!("The proxy {} could not be used.", nobody.address());
    assert_eq!(failure.title, title);
    assert!(!format!("{failure:?}").contains("hush"));
    app.explorer.shutdown().await;
}
