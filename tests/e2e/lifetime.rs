//! No server outlives the app.

use std::{path::Path, time::Duration};

use anyhow::Result;
use serde_json::json;
use sonde_tests::window::Window;

use sonde_tests::steps::*;

/// A server that answers, spawns a grandchild, and ignores both the end of its input and SIGTERM.
const STUBBORN: &str = r#"
import json, os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    result = {}
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "stubborn", "version": "1"}}
    if message["method"] == "tools/list":
        result = {"tools": [{"name": "stay", "inputSchema": {"type": "object"}}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
while True: time.sleep(60)
"#;

async fn start_stubborn(window: &Window, pids: &Path) -> Result<Vec<String>> {
    import(
        window,
        json!({ "stubborn": { "command": "python3", "args": ["-c", STUBBORN, pids] } }),
    )
    .await?;
    confirm_and_connect(window).await?;
    let pids: Vec<String> = std::fs::read_to_string(pids)?
        .split(' ')
        .map(str::to_owned)
        .collect();
    assert_eq!(pids.len(), 2);
    for pid in &pids {
        assert!(alive(pid), "{pid} runs");
    }
    Ok(pids)
}

/// A process that is there and no zombie.
fn alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim()
            .starts_with('Z')
    })
}

async fn gone(pids: &[String]) -> bool {
    for _ in 0..600 {
        if !pids.iter().any(|pid| alive(pid)) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    false
}

#[tokio::test]
async fn a_stubborn_server_ends_with_the_window() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let pids = start_stubborn(&window, &folder.path().join("pids")).await?;
    window.close().await?;
    assert!(
        gone(&pids).await,
        "the server or its child outlived the app"
    );
    Ok(())
}

#[tokio::test]
async fn a_stubborn_server_ends_with_a_killed_app() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let pids = start_stubborn(&window, &folder.path().join("pids")).await?;
    // The app is the parent of the server.
    let status = std::fs::read_to_string(format!("/proc/{}/status", pids[0]))?;
    let parent = status
        .lines()
        .find_map(|line| line.strip_prefix("PPid:"))
        .map(|pid| pid.trim().to_owned())
        .unwrap_or_default();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm"))?;
    assert_eq!(name.trim(), "sonde", "the server's parent");
    #[expect(clippy::disallowed_methods, reason = "a signal without unsafe code")]
    let killed = std::process::Command::new("kill")
        .args(["-KILL", &parent])
        .status()?;
    assert!(killed.success());
    assert!(
        gone(&pids).await,
        "the server or its child outlived the killed app"
    );
    window.close().await
}
