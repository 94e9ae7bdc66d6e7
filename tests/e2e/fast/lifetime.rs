//! No server outlives the app, which is one for its data.

use std::fs;

use anyhow::{Context as _, Result};
use serde_json::json;
use sonde_tests::{LIMIT, processes, window::Window};
use tokio::time::timeout;

use crate::ends::{end_from_outside, end_page, gone, page, start_stubborn};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_stubborn_server_ends_with_the_window() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let processes = start_stubborn(&window, folder.path()).await?;
    window.close().await?;
    // The app waited for them: nothing has to be waited for.
    for process in &processes {
        assert!(!process.runs(), "outlived the app: {}", process.describe());
    }
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_stubborn_server_ends_with_a_killed_app() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let processes = start_stubborn(&window, folder.path()).await?;
    assert_eq!(
        processes[0].parent,
        window.process().pid,
        "the server's parent is the app"
    );
    window.kill().await?;
    gone(&processes).await?;
    window.end().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
#[expect(
    clippy::disallowed_methods,
    reason = "the app itself, as a second start of it"
)]
async fn a_second_instance_hands_its_file_to_the_first() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("notes.json");
    let servers = json!({ "mcpServers": { "notes": { "command": "touch", "args": [folder.path().join("ran")] } } });
    fs::write(&file, servers.to_string())?;
    let window = Window::open().await?;
    window.find("button", "Add a server").await?;
    let mut second = tokio::process::Command::new(std::env::var("SONDE_APP")?);
    second.arg(file).env("SONDE_DATA_DIR", window.data_folder());
    let mut second = processes::spawn(&mut second)?;
    let status = timeout(*LIMIT, second.wait())
        .await
        .context("the second instance stayed")??;
    assert!(status.success(), "{status}");
    window.see("Recognized: Configuration in JSON").await?;
    window.see_in("Recognized servers", "touch").await?;
    assert!(!folder.path().join("ran").exists(), "an import ran it");
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_page_whose_process_ended_gets_another() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let servers = start_stubborn(&window, folder.path()).await?;
    end_page(&window, 1).await?;
    // The driver's session ends with the page: from here on, it is seen from outside.
    page(&window, 2).await?;
    for server in &servers {
        assert!(server.runs(), "ended with the page: {}", server.describe());
    }
    end_from_outside(window).await
}
