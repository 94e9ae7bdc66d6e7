//! Tasks that outlive the app.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::json;
use sonde_tests::{LIMIT, http_server::HttpServer, steps::*, window::Window};
use tokio::time::{Duration, sleep, timeout};

/// Waits until so many tasks that need input are in files, which is what a killed app leaves.
async fn tasks_are_stored(data: &Path, count: usize) -> Result<()> {
    let stored = || {
        let servers = std::fs::read_dir(data.join("history"))?;
        let mut files = 0;
        for server in servers {
            for file in std::fs::read_dir(server?.path())? {
                let run = std::fs::read_to_string(file?.path())?;
                files += usize::from(run.contains("\"input_required\""));
            }
        }
        Ok::<_, std::io::Error>(files)
    };
    let looking = async {
        while stored().unwrap_or(0) < count {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let looked = timeout(*LIMIT, looking).await;
    looked.with_context(|| format!("waited {LIMIT:?} for {count} stored tasks"))
}

/// Label of the card for a form.
const FORM: &str = "The server needs your input";

/// Runs a tool whose task soon asks for something.
async fn begin(window: &Window, tool: &str, field: &str, value: &str) -> Result<()> {
    select_tool(window, tool).await?;
    window.fill(field, value).await?;
    run(window).await?;
    needs_input(window).await
}

async fn needs_input(window: &Window) -> Result<()> {
    newest_run_is(window, "Needs input").await?;
    newest_run_says(window, "Task input required").await
}

/// Chooses an option of a list that opens.
async fn choose_option(window: &Window, list: &str, option: &str) -> Result<()> {
    // Where it is drawn anew at that moment, once more.
    let mut last = None;
    for _ in 0..10 {
        let select = window.find("field", &format!("{list}…")).await?;
        // Away from what lies over the edges: the buttons of a form, and messages.
        let shown = "document.querySelectorAll('select').forEach((each) => { if (each === arguments[0]) each.scrollIntoView({ block: 'center' }) })";
        window
            .client
            .execute(shown, vec![serde_json::to_value(&select)?])
            .await
            .ok();
        match select.select_by_label(option).await {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow!("there is no such list"), Into::into))
}

/// The question of the salvage, answered.
async fn keep_the_bells(window: &Window) -> Result<()> {
    choose_option(window, "The cargo", "Keep it").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    newest_run_is(window, "Done").await?;
    newest_run_says(window, "The bells are yours.").await
}

const SALVAGE: &str = "Salvage the wreck";
const SECONDS: &str = "How long, in seconds…";

/// The app is killed while tasks need input, and started again.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn tasks_that_need_input_are_picked_up_after_the_app_was_killed() -> Result<()> {
    let interactive = HttpServer::example("simpleTaskInteractive", "/mcp").await?;
    let demo = HttpServer::demo(&demo_program(), &[]).await?;
    let data = tempfile::tempdir()?;
    let window = Window::open_with(data.path()).await?;
    import(
        &window,
        json!({
            "interactive": { "type": "http", "url": interactive.url() },
            "gull-rock": { "type": "http", "url": demo.url() },
        }),
    )
    .await?;
    window.click("button", "interactive…").await?;
    connect(&window).await?;
    begin(&window, "confirm_delete", "filename…", "old-chart.pdf").await?;
    window.click("button", "gull-rock…").await?;
    connect(&window).await?;
    begin(&window, SALVAGE, SECONDS, "2").await?;
    tasks_are_stored(data.path(), 2).await?;
    window.kill().await?;
    window.end().await?;

    let window = Window::open_with(data.path()).await?;
    window.click("button", "gull-rock…").await?;
    newest_run_is(&window, "Sonde closed").await?;
    connect(&window).await?;
    show_all_runs(&window).await?;
    // The question stands in the status, so it is asked again.
    needs_input(&window).await?;
    window.click_in(Some("Runs"), "button", "Salvage…").await?;
    keep_the_bells(&window).await?;
    ensure!(runs(&window).await? == 1, "nothing ran twice");

    window.click("button", "interactive…").await?;
    newest_run_is(&window, "Sonde closed").await?;
    connect(&window).await?;
    show_all_runs(&window).await?;
    // This server lets any session read a task. Its question went to the session that is gone, so it asks no more.
    needs_input(&window).await?;
    window.shot("tasks-picked-up").await?;
    window
        .click("button", "Stop waiting for confirm_delete")
        .await?;
    newest_run_is(&window, "Stopped waiting").await?;
    ensure!(runs(&window).await? == 1, "nothing ran twice");
    window.close().await
}
