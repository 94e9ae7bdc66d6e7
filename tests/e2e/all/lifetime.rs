//! No server outlives the app.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;
use sonde_tests::{
    LIMIT,
    stdio_peer::{Step, first_results, script},
    steps::*,
    window::Window,
};
use tokio::time::timeout;

use crate::ends::{end_from_outside, end_page, page, page_of, running, start_stubborn};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_stubborn_server_ends_with_an_app_that_is_asked_to_end() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let window = Window::open().await?;
    let processes = start_stubborn(&window, folder.path()).await?;
    window.process().terminate();
    timeout(*LIMIT, window.process().ended())
        .await
        .context("the app went on after SIGTERM")??;
    // The app waited for them: nothing has to be waited for.
    for process in &processes {
        assert!(!process.runs(), "outlived the app: {}", process.describe());
    }
    window.end().await
}

/// A server that answers, and, once its tools are listed, sends notifications beside it as fast as they
/// are taken.
fn flooding(folder: &Path) -> Vec<Step> {
    let tools = json!([{ "name": "wait", "inputSchema": { "type": "object" } }]);
    let results = first_results("flooding", &json!({ "logging": {}, "tools": {} }), &tools);
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
