//! No server outlives the app.

use std::{collections::BTreeMap, path::Path, time::Duration};

use anyhow::{Context as _, Result};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    processes::{self, Process},
    stdio_peer::{Step, script},
    steps::*,
    window::{Window, files},
};
use tokio::time::timeout;

/// A server that answers, has started another process, and ends neither at the end of its input nor on
/// request, like that other process.
fn stubborn(folder: &Path) -> Vec<Step> {
    let stay = |name: &str| {
        [
            Step::IgnoreTerminate,
            Step::WritePid {
                file: folder.join(name),
            },
        ]
    };
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "stubborn", "version": "1" },
            }),
        ),
        (
            "tools/list".to_owned(),
            json!({ "tools": [{ "name": "stay", "inputSchema": { "type": "object" } }] }),
        ),
    ]);
    let mut steps = Vec::from(stay("server"));
    steps.push(Step::Spawn {
        steps: stay("child").into_iter().chain([Step::Hang]).collect(),
        detached: true,
    });
    let until = None;
    steps.extend([Step::Serve { results, until }, Step::Hang]);
    steps
}

/// Connects to it. Answers the server and its child.
async fn start_stubborn(window: &Window, folder: &Path) -> Result<[Process; 2]> {
    import(
        window,
        json!({ "stubborn": {
            "command": env!("CARGO_BIN_EXE_scripted-stdio"),
            "args": script(stubborn(folder)),
        } }),
    )
    .await?;
    confirm_and_connect(window).await?;
    Ok([
        running(&folder.join("server")).await?,
        running(&folder.join("child")).await?,
    ])
}

/// The process whose id stands in this file, which it writes at its start.
async fn running(file: &Path) -> Result<Process> {
    let written = async {
        loop {
            if let Ok(pid) = tokio::fs::read_to_string(file).await {
                return pid;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let pid = timeout(LIMIT, written)
        .await
        .with_context(|| format!("waited {LIMIT:?} for {}", file.display()))?;
    let process = Process::of(pid.parse()?).filter(Process::runs);
    process.with_context(|| format!("{pid} of {} does not run", file.display()))
}

async fn gone(processes: &[Process]) -> Result<()> {
    let left = processes::outlive(processes, LIMIT).await?;
    assert!(
        left.is_empty(),
        "still running after {LIMIT:?}:\n{}",
        processes::describe(&left)
    );
    Ok(())
}

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
async fn a_stubborn_server_ends_with_an_app_that_is_asked_to_end() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let processes = start_stubborn(&window, folder.path()).await?;
    window.process().terminate();
    timeout(LIMIT, window.process().ended())
        .await
        .context("the app went on after SIGTERM")??;
    // The app waited for them: nothing has to be waited for.
    for process in &processes {
        assert!(!process.runs(), "outlived the app: {}", process.describe());
    }
    window.end().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
#[expect(
    clippy::disallowed_methods,
    reason = "the app itself, as a second start of it"
)]
async fn a_second_instance_leaves_the_data_to_the_first() -> Result<()> {
    let window = Window::open().await?;
    let mut second = tokio::process::Command::new(std::env::var("SONDE_APP")?);
    second.env("SONDE_DATA_DIR", window.data_folder());
    let mut second = processes::spawn(&mut second)?;
    let status = timeout(LIMIT, second.wait())
        .await
        .context("the second instance stayed")??;
    assert!(status.success(), "{status}");
    window.find("button", "Add a server").await?;
    window.close().await
}

/// The process of the app's page.
fn page_of(window: &Window) -> Result<Option<Process>> {
    let below = processes::below(window.process().pid)?;
    Ok(below.into_iter().find(|process| {
        process.runs()
            && std::fs::read_to_string(format!("/proc/{}/comm", process.pid))
                .is_ok_and(|name| name.starts_with("WebKitWebProces"))
    }))
}

/// How many pages have come up so far.
fn pages(window: &Window) -> Result<usize> {
    logged(window, "a page subscribed")
}

/// How often the app's own log says this.
pub(crate) fn logged(window: &Window, text: &str) -> Result<usize> {
    let mut count = 0;
    for file in files(&window.data_folder().join("logs"))? {
        count += std::fs::read_to_string(file)?.matches(text).count();
    }
    Ok(count)
}

/// Waits until so many pages have come up, and answers the process of the newest. One that ends before
/// it has come up takes the app with it: WebKit does that.
pub(crate) async fn page(window: &Window, number: usize) -> Result<Process> {
    let up = async {
        loop {
            if pages(window)? >= number
                && let Some(page) = page_of(window)?
            {
                return anyhow::Ok(page);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LIMIT, up)
        .await
        .with_context(|| format!("page {number} stayed away"))?
}

/// Kills the process of page `number`, and waits until it is gone: the app hears of the end, and may
/// show what follows, before the system has cleared the last thread away.
async fn end_page(window: &Window, number: usize) -> Result<()> {
    let page = page(window, number).await?;
    page.kill();
    gone(&[page]).await
}

/// Ends an app whose driver has lost its page.
pub(crate) async fn end_from_outside(window: Window) -> Result<()> {
    window.process().terminate();
    timeout(LIMIT, window.process().ended())
        .await
        .context("the app went on after SIGTERM")??;
    window.end().await
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

/// A server that answers, and, once its tools are listed, sends notifications beside it as fast as they
/// are taken.
fn flooding(folder: &Path) -> Vec<Step> {
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "logging": {}, "tools": {} },
                "serverInfo": { "name": "flooding", "version": "1" },
            }),
        ),
        (
            "tools/list".to_owned(),
            json!({ "tools": [{ "name": "wait", "inputSchema": { "type": "object" } }] }),
        ),
    ]);
    let flood = Step::EmitMany {
        count: u64::MAX,
        text: "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\
               \"params\":{\"level\":\"info\",\"data\":{n}}}\n"
            .to_owned(),
    };
    vec![
        Step::WritePid {
            file: folder.join("server"),
        },
        Step::Serve {
            results: results.clone(),
            until: Some("tools/list".to_owned()),
        },
        Step::Spawn {
            steps: vec![flood],
            detached: false,
        },
        Step::Serve {
            results,
            until: None,
        },
    ]
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_page_whose_process_ended_under_a_flood_gets_another() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "flooding": {
            "command": env!("CARGO_BIN_EXE_scripted-stdio"),
            "args": script(flooding(folder.path())),
        } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    window.click("tab", "Wire log").await?;
    window
        .see_in("Wire log entries, oldest first", "notifications/message")
        .await?;
    let server = running(&folder.path().join("server")).await?;
    end_page(&window, 1).await?;
    // The next one draws the flood too, and can end.
    end_page(&window, 2).await?;
    page(&window, 3).await?;
    assert!(server.runs(), "ended with the page: {}", server.describe());
    end_from_outside(window).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_page_that_ends_again_and_again_is_asked_about() -> Result<()> {
    let window = Window::open().await?;
    for number in 1..=3 {
        end_page(&window, number).await?;
    }
    window.titled("Sonde cannot show its window").await?;
    if let Some(page) = page_of(&window)? {
        panic!("the page was loaded once more: {}", page.describe());
    }
    end_from_outside(window).await
}
