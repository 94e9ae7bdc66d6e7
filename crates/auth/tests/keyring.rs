//! The real keyring of this system. These tests need a session bus and an unlocked keyring of their own:
//! `cargo xtask test` starts both.

use sonde_auth::{Keyring, Secret, SecretStore as _};

#[test]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
fn secrets_of_any_length_come_back_and_leave_nothing() {
    let store = Keyring::for_service(format!("dev.sonde.test.{}", std::process::id()));
    assert_eq!(store.get("s", "env:A").unwrap(), None);

    for secret in ["", "short", &"é".repeat(10_000), "short again"] {
        let secret = Secret::new(secret);
        store.set("s", "env:A", &secret).unwrap();
        assert!(store.get("s", "env:A").unwrap() == Some(secret));
    }
    assert_eq!(
        store.get("s", "env:A#1").unwrap(),
        None,
        "parts of the long secret are gone"
    );

    store.set("t", "env:A", &Secret::new("other")).unwrap();
    store.remove("s", "env:A").unwrap();
    store.remove("s", "env:A").unwrap();
    assert_eq!(store.get("s", "env:A").unwrap(), None);
    assert!(store.get("t", "env:A").unwrap() == Some(Secret::new("other")));
    store.remove("t", "env:A").unwrap();
    assert!(store.describe().contains("stored in"));
}

/// On a runtime's worker thread some stores panic when called directly; `spawn_blocking` is the
/// way, and it must work.
#[test]
#[ignore = "needs a keyring, which `cargo xtask test` provides"]
fn works_from_blocking_tasks_of_a_runtime() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Keyring::for_service(format!("dev.sonde.test.rt.{}", std::process::id()));
        let found = tokio::task::spawn_blocking(move || {
            store.set("s", "header:A", &Secret::new("value")).unwrap();
            let found = store.get("s", "header:A").unwrap();
            store.remove("s", "header:A").unwrap();
            found
        })
        .await
        .unwrap();
        assert!(found == Some(Secret::new("value")));
    });
}
