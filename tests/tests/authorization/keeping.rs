//! Storage of tokens.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use sonde_auth::{
    CredentialKind, MemoryStore, Secret, SecretError, SecretStore,
    doubles::{LockableKeyring, NoKeyring},
};
use sonde_client::{
    auth::{AuthStatus, Kept},
    sessions::SessionPhase,
};
use sonde_ipc::StoredKind;
use sonde_tests::{
    app::App,
    auth_peer::{AuthPeer, CANARY, request_contains},
    guarded::{Guarded, Program},
};

use super::listed;

#[tokio::test]
async fn a_locked_keyring_gets_the_token_once_it_is_open() {
    let keyring = Arc::new(LockableKeyring::default());
    keyring.lock(true);
    let peer = AuthPeer::start().await;
    let app = App::keeping(keyring.clone()).await;
    let (id, server) = listed::join(&app, &peer).await;
    assert_eq!(server.grant().unwrap().kept, Kept::Memory);
    server.call("read", 1).await;
    let stored = app.stored_secrets().await.unwrap();
    let token = stored
        .secrets
        .iter()
        .find(|one| one.kind == StoredKind::Token)
        .unwrap();
    assert_eq!(token.kept, Kept::Memory);
    assert!(keyring.contents().is_empty());
    assert_eq!(app.retry_keyring().await.unwrap(), 0);

    // What is in memory only is refreshed like everything else.
    peer.expire_all();
    server.call("read", 2).await;
    assert_eq!(server.grant().unwrap().kept, Kept::Memory);

    keyring.lock(false);
    assert!(app.retry_keyring().await.unwrap() >= 1);
    let kept = |auth: &AuthStatus| {
        auth.grant
            .as_ref()
            .is_some_and(|grant| grant.kept == Kept::Keyring)
    };
    server.auth_holds("it is in the keyring", kept).await;
    assert!(!keyring.contents().is_empty());
    let app = app.again().await;
    let server = Guarded::from(app.connection(&id));
    server.begin();
    server.tools().await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);
}

#[tokio::test]
async fn without_a_keyring_a_token_lasts_as_long_as_the_app() {
    let peer = AuthPeer::start().await;
    let app = App::keeping(Arc::new(NoKeyring)).await;
    let (id, server) = listed::join(&app, &peer).await;
    assert_eq!(server.grant().unwrap().kept, Kept::Memory);
    let stored = app.stored_secrets().await.unwrap();
    assert!(!stored.usable && !stored.place.is_empty(), "{stored:?}");
    app.restart(id.clone()).await.unwrap();
    server
        .until("the second connect", |state| {
            let session = &state.session;
            (session.generation == 2 && session.phase == SessionPhase::Ready).then_some(())
        })
        .await;
    peer.expire_all();
    server.call("read", 1).await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 1);

    let app = app.again().await;
    let server = Guarded::from(app.connection(&id));
    server.begin();
    server.authorize().await;
    server.tools().await;
}

#[tokio::test]
async fn what_is_stored_is_listed_and_can_be_deleted() {
    let peer = AuthPeer::start().await;
    peer.configure(|options| options.client_secrets = true);
    let app = App::start().await;
    let (id, server) = listed::join(&app, &peer).await;
    let grant = server.grant().unwrap();
    let stored = app.stored_secrets().await.unwrap();
    assert!(stored.usable);
    let kind = |kind| stored.secrets.iter().find(|one| one.kind == kind).unwrap();
    for one in [kind(StoredKind::Token), kind(StoredKind::Client)] {
        assert_eq!(one.issuer.as_deref(), Some(peer.issuer()));
        assert_eq!(one.client_id.as_deref(), Some(&*grant.token.client_id));
        assert_eq!(one.servers, std::slice::from_ref(&id));
        assert_eq!(one.kept, Kept::Keyring);
        assert!(one.saved_at.is_some() && !one.title.is_empty());
    }
    assert_eq!(kind(StoredKind::Token).resource, Some(peer.url()));
    assert!(!serde_json::to_string(&stored).unwrap().contains(CANARY));

    for one in &stored.secrets {
        app.delete_secret(one.id.clone()).await.unwrap();
    }
    assert!(app.stored_secrets().await.unwrap().secrets.is_empty());
    server
        .auth_holds("the token is gone", |auth| auth.grant.is_none())
        .await;
    let call = server.start_call("read", 1).await;
    server.authorize().await;
    server.finished(call, |_| ()).await;
    assert_eq!(
        peer.auth_server_requests_to("/register").len(),
        2,
        "the registration was deleted as well"
    );
}

/// A keyring that becomes slow at some point.
#[derive(Default)]
struct Slow {
    inner: MemoryStore,
    /// Blocks new writes while it is locked.
    busy: Mutex<()>,
    begun: AtomicUsize,
}

impl SecretStore for Slow {
    fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
        self.inner.get(owner, name)
    }
    fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let _turn = self.busy.lock();
        self.inner.set(owner, name, secret)
    }
    fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
        self.inner.remove(owner, name)
    }
    fn describe(&self) -> String {
        "Secrets are stored in a slow keyring.".to_owned()
    }
}

#[tokio::test]
async fn a_new_token_is_stored_before_it_is_used() {
    let keyring = Arc::new(Slow::default());
    let peer = AuthPeer::start().await;
    let app = Program::start_with(keyring.clone());
    let server = app.join(&peer).await;
    let other = AuthPeer::start().await;
    let elsewhere = app.join(&other).await;
    let stored = keyring.begun.load(Ordering::SeqCst);
    let (begin, begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let slow = keyring.clone();
    let thread = std::thread::spawn(move || {
        let _busy = slow.busy.lock();
        begin.send(()).unwrap();
        let _ = ended.recv();
    });
    begun.recv().unwrap();
    peer.expire_all();
    let call = server.start_call("read", 1).await;
    while keyring.begun.load(Ordering::SeqCst) == stored {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // What could be done without the keyring had time enough: as much as whole calls take elsewhere.
    for number in 0..5 {
        elsewhere.call("read", number).await;
    }
    assert_eq!(peer.issued().len(), 2);
    let new = &peer.issued()[1];
    for request in peer.mcp_server_requests() {
        assert!(
            !request_contains(&request, new),
            "used before it was stored"
        );
    }
    end.send(()).unwrap();
    thread.join().unwrap();
    assert_eq!(server.text(call).await, "read {\"n\":1}");
    assert_eq!(&peer.served()[0].token, new);
}

#[tokio::test]
async fn a_damaged_entry_means_to_sign_in_again_and_no_more() {
    /// A keyring that returns damaged secrets until they are written again.
    #[derive(Default)]
    struct Damaged(MemoryStore);
    impl SecretStore for Damaged {
        fn get(&self, owner: &str, name: &str) -> Result<Option<Secret>, SecretError> {
            match self.0.get(owner, name)? {
                Some(secret) => Ok(Some(secret)),
                None => Err(SecretError::Damaged {
                    reason: "of no use".to_owned(),
                }),
            }
        }
        fn set(&self, owner: &str, name: &str, secret: &Secret) -> Result<(), SecretError> {
            self.0.set(owner, name, secret)
        }
        fn remove(&self, owner: &str, name: &str) -> Result<(), SecretError> {
            self.0.remove(owner, name)
        }
        fn describe(&self) -> String {
            "Secrets are stored in a damaged keyring.".to_owned()
        }
    }
    let peer = AuthPeer::start().await;
    let app = Program::start_with(Arc::new(Damaged::default()));
    let server = app.join(&peer).await;
    server.call("read", 1).await;
}

#[tokio::test]
async fn a_damaged_list_of_what_is_stored_is_set_aside() {
    let peer = AuthPeer::start().await;
    let secrets = Arc::new(MemoryStore::default());
    let app = Program::start_with(secrets.clone());
    let server = app.join(&peer).await;
    server.close().await;
    let path = app.folder.path().join("credentials.json");
    let damaged = &std::fs::read_to_string(&path).unwrap()[..40];
    std::fs::write(&path, damaged).unwrap();

    let app = Program::start_in(app.folder, secrets.clone());
    let server = app.add(&peer).await;
    server.begin();
    server.authorize().await;
    server.tools().await;
    server.close().await;
    let aside = app.folder.path().join("credentials.damaged-1.json");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);

    let server = Program::start_in(app.folder, secrets).add(&peer).await;
    server.begin();
    server.tools().await;
    assert_eq!(peer.auth_server_requests_to("/authorize").len(), 2);
}

#[tokio::test]
async fn a_list_that_cannot_be_written_costs_no_sign_in() {
    let peer = AuthPeer::start().await;
    let folder = Arc::new(tempfile::tempdir().unwrap());
    // Where the file should be there is a folder.
    std::fs::create_dir(folder.path().join("credentials.json")).unwrap();
    let app = Program::start_in(folder, Arc::new(MemoryStore::default()));
    let server = app.join(&peer).await;
    server.call("read", 1).await;
    peer.expire_all();
    server.call("read", 2).await;
    assert_eq!(peer.token_requests("refresh_token").len(), 1);
    assert_eq!(app.stored(CredentialKind::Token).await.len(), 1);
    server.sign_out().await.unwrap();
    assert_eq!(peer.valid_refresh_tokens(), 0);
}
