//! Secrets live in the keyring: not in a file, not in the log, not in the page.

use std::{fs, os::unix::fs::PermissionsExt as _};

use anyhow::{Context as _, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use sonde_tests::{
    http_peer::{HttpPeer, Reply},
    steps::*,
    window::{Start, Window, files},
};

use crate::leaks::{Canary, is_private};

const CANARY: &str = "canary-7f3a9c51e2";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_secret_is_in_the_keyring_and_nowhere_else() -> Result<()> {
    // As it was left by somebody who did not mind.
    let data = tempfile::tempdir()?;
    let lock = data.path().join("instance.lock");
    fs::write(&lock, "")?;
    for (path, mode) in [(data.path(), 0o755), (&lock, 0o644)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    let start = Start {
        data: Some(data.path().to_owned()),
        ..Start::default()
    };
    let window = Window::start(start).await?;
    // The server prints its secret, as careless servers do.
    import(
        &window,
        json!({ "careless": {
            "command": "sh",
            // The words come together in the output alone, not in the command that is shown.
            "args": ["-c", "word=token; echo the $word is $API_TOKEN >&2; exit 5"],
            "env": { "API_TOKEN": CANARY },
        } }),
    )
    .await?;
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    window.click("button", "Run this command").await?;
    window.see_in("Failure report", "code 5").await?;
    window
        .see_in("Last lines of stderr", "the token is")
        .await?;
    window.shot("secret").await?;
    assert!(
        !window.text().await?.contains(CANARY),
        "the page shows the secret"
    );
    window.click("tab", "Wire log").await?;
    // The row of what the server printed is there, without the secret.
    window
        .see_in("Wire log entries, oldest first", "the token is")
        .await?;
    assert!(
        !window.text().await?.contains(CANARY),
        "the log shows the secret"
    );

    let kept = files(window.data_folder())?;
    assert!(!kept.is_empty(), "the app wrote its files");
    for entry in kept {
        let bytes = std::fs::read(&entry)?;
        assert!(
            !bytes
                .windows(CANARY.len())
                .any(|part| part == CANARY.as_bytes()),
            "{} holds the secret",
            entry.display()
        );
    }
    #[expect(clippy::disallowed_methods, reason = "a look from outside")]
    let found = std::process::Command::new("secret-tool")
        .args(["search", "--all", "--unlock", "service", "dev.sonde.app"])
        .output()?;
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        found.contains(CANARY),
        "the keyring does not hold the secret: {found}"
    );
    passwords_of_a_proxy(&window).await?;
    is_private(data.path())?;
    window.close().await
}

/// One is typed into its field, another one stands in the address: both are used, and are in the keyring
/// alone.
async fn passwords_of_a_proxy(window: &Window) -> Result<()> {
    let proxy = HttpPeer::start(|_| Reply::status(502).body("")).await;
    let address = proxy.address();
    for (name, password, in_address) in [
        ("typed", "canary-proxy-5d20b8", false),
        ("in-address", "canary-proxy-91c4ae", true),
    ] {
        // No name server knows it: only a proxy can.
        let behind = format!("http://{name}.invalid/mcp");
        import(window, json!({ name: { "url": behind } })).await?;
        let more = format!("More actions for {name}");
        window.click("button", &more).await?;
        window.click("menuitem", "Edit").await?;
        window.click("button", "Network").await?;
        window.pick("Proxy", "at").await?;
        if in_address {
            let with_login = format!("http://me:{password}@{address}");
            window.fill("Proxy URL", &with_login).await?;
        } else {
            let plain = format!("http://{address}");
            window.fill("Proxy URL", &plain).await?;
            window.fill("Proxy user name", "me").await?;
            window.fill("Proxy password", password).await?;
        }
        window.click("button", "Save").await?;
        window.click("button", "Connect").await?;
        window.see_in("Failure report", "502").await?;
        let canary = Canary::new(password);
        canary.is_in_no_file(window.data_folder())?;
        assert_eq!(canary.in_keyring()?, 1, "the keyring has it once");
        canary.is_not_in_page(window).await?;
        canary.is_not_told(window).await?;
        let requests = proxy.requests();
        let request = requests.last().context("the proxy was asked")?;
        let login = format!("Basic {}", STANDARD.encode(format!("me:{password}")));
        assert_eq!(request.header("proxy-authorization"), Some(&*login));
        assert_eq!(request.target, behind);
        window.shot(&format!("proxy-password-{name}")).await?;
    }
    Ok(())
}
