//! Servers that do not end by themselves, and the process of the app's page.

use std::{path::Path, time::Duration};

use anyhow::{Context as _, Result};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    processes::{self, Process},
    stdio_peer::{Step, first_results, script},
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
    let tools = json!([{ "name": "stay", "inputSchema": { "type": "object" } }]);
    let results = first_results("stubborn", &json!({ "tools": {} }), &tools);
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
pub(crate) async fn start_stubborn(window: &Window, folder: &Path) -> Result<[Process; 2]> {
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
pub(crate) async fn running(file: &Path) -> Result<Process> {
    let written = async {
        loop {
            if let Ok(pid) = tokio::fs::read_to_string(file).await {
                return pid;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let pid = timeout(*LIMIT, written)
        .await
        .with_context(|| format!("waited {LIMIT:?} for {}", file.display()))?;
    let process = Process::of(pid.parse()?).filter(Process::runs);
    process.with_context(|| format!("{pid} of {} does not run", file.display()))
}

pub(crate) async fn gone(processes: &[Process]) -> Result<()> {
    let left = processes::outlive(processes, *LIMIT).await?;
    assert!(
        left.is_empty(),
        "still running after {LIMIT:?}:\n{}",
        processes::describe(&left)
    );
    Ok(())
}

/// The process of the app's page.
pub(crate) fn page_of(window: &Window) -> Result<Option<Process>> {
    let below = processes::below(window.process().pid)?;
    Ok(below.into_iter().find(|process| {
        process.runs()
            && std::fs::read_to_string(format!("/proc/{}/comm", process.pid))
                .is_ok_and(|name| name.starts_with("WebKitWebProces"))
    }))
}

/// Number of pages that have come up so far.
fn pages(window: &Window) -> Result<usize> {
    logged(window, "a page subscribed")
}

/// Counts how often the app's own log says this.
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
    timeout(*LIMIT, up)
        .await
        .with_context(|| format!("page {number} stayed away"))?
}

/// Kills the process of page `number`, and waits until it is gone: the app hears of the end, and may
/// show what follows, before the system has cleared the last thread away.
pub(crate) async fn end_page(window: &Window, number: usize) -> Result<()> {
    let page = page(window, number).await?;
    page.kill();
    gone(&[page]).await
}

/// Ends an app whose driver has lost its page.
pub(crate) async fn end_from_outside(window: Window) -> Result<()> {
    window.process().terminate();
    timeout(*LIMIT, window.process().ended())
        .await
        .context("the app went on after SIGTERM")??;
    window.end().await
}
