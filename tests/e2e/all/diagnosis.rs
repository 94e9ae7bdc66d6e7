//! From a failed connection to its cause, the fix, and a page about it.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{
    stdio_peer::{Step, first_results, script},
    steps::*,
    window::{Start, Window},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scripted-stdio");
const SECRET: &str = "correct-horse-battery";

fn server() -> Vec<Step> {
    let tools = json!([{
        "name": "now",
        "description": "Tells the time of day.",
        "inputSchema": { "type": "object", "properties": {} },
    }]);
    let results = first_results("clock", &json!({ "tools": {} }), &tools);
    vec![
        Step::stderr(format!("token {SECRET}\n")),
        Step::Serve {
            results,
            until: None,
        },
    ]
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_failed_connection_is_diagnosed_fixed_and_the_page_saved() -> Result<()> {
    let home = tempfile::tempdir()?;
    let start = Start {
        env: [("HOME".to_owned(), home.path().display().to_string())].into(),
        ..Start::default()
    };
    let window = Window::start(start).await?;
    import(
        &window,
        json!({ "clock": {
            "command": "sonde-no-such-program",
            "args": script(server()),
            "env": { "CLOCK_TOKEN": SECRET },
        } }),
    )
    .await?;
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    window.click("button", "Run this command").await?;
    window
        .see("The command sonde-no-such-program was not found.")
        .await?;
    window.click("button", "Diagnose").await?;
    window.see("First failed step: Command.").await?;
    window.see("Not reached: Command failed.").await?;
    window.shot("diagnosis-failed").await?;

    window.click("button", "Edit server").await?;
    window.fill("Command", PROGRAM).await?;
    window.click("button", "Save").await?;
    window.click("button", "Reconnect").await?;
    window.see("Run this command?").await?;
    window.click("button", "Run this command").await?;
    connected(&window).await?;
    window.click("button", "More actions for clock").await?;
    window.click("menuitem", "Diagnose connection").await?;
    window.see("No step failed.").await?;
    window
        .see("clock 1 speaks protocol version 2025-11-25.")
        .await?;
    window.shot("diagnosis-healthy").await?;
    window.click("button", "Save as HTML").await?;
    window.see("Saved as").await?;
    let saved = fs::read_dir(home.path())?.filter_map(|entry| Some(entry.ok()?.path()));
    let saved = saved.filter(|path| path.extension().is_some_and(|one| one == "html"));
    let saved: Vec<_> = saved.collect();
    ensure!(saved.len() == 1, "{saved:?}");
    let page = fs::read_to_string(&saved[0])?;
    ensure!(
        page.contains("Diagnosis of clock") && page.contains("not evaluated"),
        "{page}"
    );
    ensure!(
        !page.contains(SECRET) && !page.contains("<script"),
        "{page}"
    );
    window.click("button", "Close").await?;
    // The session of the user has gone on.
    connected(&window).await?;
    window.close().await
}
