//! Tasks that outlive the app.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    steps::*,
    task_peer::{Task, TaskPeer},
    window::{Start, Window},
};
use tokio::time::{Duration, sleep, timeout};

/// How long the servers keep their tasks, in milliseconds.
const KEPT: u64 = 600_000;

pub(crate) async fn start(data: &Path) -> Result<Window> {
    Window::start(Start {
        data: Some(data.to_owned()),
        ..Start::default()
    })
    .await
}

/// A task in each way of the protocol: the app is killed while they work, and started again.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn tasks_are_resumed_after_the_app_was_killed() -> Result<()> {
    let handshake = TaskPeer::with_a_handshake(KEPT).await;
    let stateless = TaskPeer::keeping_for(KEPT).await;
    let data = tempfile::tempdir()?;
    let servers = [("handshake", &handshake), ("stateless", &stateless)];

    let window = start(data.path()).await?;
    import(
        &window,
        json!({ "handshake": { "url": handshake.peer.url() }, "stateless": { "url": stateless.peer.url() } }),
    )
    .await?;
    for (name, version) in [
        ("handshake", "MCP 2025-11-25"),
        ("stateless", "MCP 2026-07-28"),
    ] {
        window.click("button", &format!("{name}…")).await?;
        connect(&window).await?;
        window.see(version).await?;
        select_tool(&window, "salvage").await?;
        run(&window).await?;
        newest_run_is(&window, "Running").await?;
        window.see("Stop waiting").await?;
    }
    runs_are_stored(data.path(), servers.len()).await?;
    window.kill().await?;
    window.end().await?;

    let window = start(data.path()).await?;
    for (name, server) in servers {
        window.click("button", &format!("{name}…")).await?;
        // It ended with the app, as far as anybody knows.
        newest_run_is(&window, "Connection lost").await?;
        connect(&window).await?;
        newest_run_is(&window, "Running").await?;
        window.shot(&format!("resumed-task-{name}")).await?;
        server.becomes(Task::Done);
        newest_run_is(&window, "Done").await?;
        window.click_in(Some("Runs"), "button", "salvage…").await?;
        newest_run_says(&window, "salvaged").await?;
        ensure!(runs(&window).await? == 1);
    }
    for (name, server) in servers {
        let requests = server.peer.requests();
        let calls = requests.iter().filter(|it| it.body.contains("tools/call"));
        ensure!(calls.count() == 1, "{name}: nothing runs twice");
    }
    window.close().await
}

/// Waits until so many runs are in files, which is what a killed app leaves.
pub(crate) async fn runs_are_stored(data: &Path, count: usize) -> Result<()> {
    let stored = || {
        let servers = std::fs::read_dir(data.join("history"))?;
        let mut files = 0;
        for server in servers {
            for file in std::fs::read_dir(server?.path())? {
                let is_run = file?.path().extension().is_some_and(|it| it == "json");
                files += usize::from(is_run);
            }
        }
        Ok::<_, std::io::Error>(files)
    };
    let looking = async {
        while stored().unwrap_or(0) < count {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let looked = timeout(LIMIT, looking).await;
    looked.with_context(|| format!("waited {LIMIT:?} for {count} stored runs"))
}
