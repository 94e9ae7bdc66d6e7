//! Tasks of servers that nobody here wrote, and tasks that outlive the app.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sonde_tests::{LIMIT, http_server::HttpServer, steps::*, window::Window};
use tokio::time::{Duration, sleep, timeout};

use super::asked::choose_option;

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

/// Labels of the cards for a form and for a sampling request.
const FORM: &str = "The server needs your input";
const MODEL: &str = "Sampling request";

async fn interactive() -> Result<HttpServer> {
    HttpServer::example("simpleTaskInteractive", "/mcp").await
}

async fn demo() -> Result<HttpServer> {
    HttpServer::demo(&demo_program(), &[]).await
}

async fn open(name: &str, server: &HttpServer) -> Result<Window> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ name: { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    Ok(window)
}

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

/// Opens what is known of the completed task of the newest run, and looks at the history of its status: each has these
/// words in it, in order.
async fn history_is(window: &Window, words: &[&str]) -> Result<()> {
    window
        .click_in(Some("Runs"), "button", "Task: completed")
        .await?;
    let words = json!(words);
    newest_run_shows(
        window,
        &format!("the history {words}"),
        &format!(
            "(() => {{
               const rows = [...card.querySelectorAll('table tbody tr')].map((row) => row.innerText.replace(/\\s+/g, ' '));
               let at = 0;
               const wanted = {words};
               for (const row of rows) if (at < wanted.length && row.includes(wanted[at])) at += 1;
               return at === wanted.length && rows.at(-1)?.includes(wanted.at(-1));
             }})()"
        ),
    )
    .await
}

/// The SDK's interactive example: every tool has to be run as a task, and what a task asks for comes while its result
/// is waited for.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn interactive_tasks_of_the_typescript_sdk() -> Result<()> {
    let server = interactive().await?;
    let window = open("interactive", &server).await?;
    begin(&window, "confirm_delete", "filename…", "old-chart.pdf").await?;
    window
        .see("Are you sure you want to delete 'old-chart.pdf'?")
        .await?;
    window.shot("tasks-form").await?;
    choose_in(&window, Some(FORM), "Yes").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    // Its answer is a task that waits already, which the specification does not let a task begin with.
    newest_run_is(&window, "Done, 1 issue").await?;
    newest_run_says(&window, "Deleted 'old-chart.pdf'").await?;
    history_is(&window, &["input required", "completed"]).await?;
    window.shot("tasks-history").await?;

    begin(&window, "write_haiku", "topic…", "the tide").await?;
    window.see("Write a haiku about the tide").await?;
    window
        .fill_in(Some(MODEL), "Text", "It comes and it goes")
        .await?;
    window.fill_in(Some(MODEL), "Model", "by-hand-1").await?;
    window.click_in(Some(MODEL), "button", "Send").await?;
    newest_run_is(&window, "Done, 1 issue").await?;
    newest_run_says(&window, "It comes and it goes").await?;
    history_is(&window, &["input required", "completed"]).await?;
    window.close().await
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
    let (interactive, demo) = (interactive().await?, demo().await?);
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
