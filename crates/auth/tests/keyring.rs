//! The real keyring of this system. Runs only where `SONDE_TEST_KEYRING` is set: the test needs a
//! session bus and an unlocked keyring of its own (`cargo xtask test` starts both).

use sonde_auth::{Keyring, Secret, SecretStore as _};

#[test]
fn secrets_of_any_length_come_back_and_leave_nothing() {
    if std::env::var_os("SONDE_TEST_KEYRING").is_none() {
        eprintln!("skipped: SONDE_TEST_KEYRING is not set");
        return;
    }
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
fn works_from_blocking_tasks_of_a_runtime() {
    if std::env::var_os("SONDE_TEST_KEYRING").is_none() {
        eprintln!("skipped: SONDE_TEST_KEYRING is not set");
        return;
    }
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
