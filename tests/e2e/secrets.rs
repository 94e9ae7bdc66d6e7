//! Secrets live in the keyring: not in a file, not in the log, not in the page.

use anyhow::Result;
use serde_json::json;
use sonde_tests::window::{Window, files};

use sonde_tests::steps::*;

const CANARY: &str = "canary-7f3a9c51e2";

#[tokio::test]
async fn a_secret_is_in_the_keyring_and_nowhere_else() -> Result<()> {
    let window = Window::open().await?;
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
    window.close().await
}
