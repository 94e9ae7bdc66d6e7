//! Tasks of servers that nobody here wrote, and of the demo server, whose tasks without a handshake are those of rmcp's
//! `TaskManager`.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::{
    asked::{choose_option, edit},
    resumed_tasks::{runs_are_stored, start},
    servers::HttpServer,
};

/// What stands in a label of the card.
const FORM: &str = "The server needs your input";
const MODEL: &str = "Sampling request";

async fn interactive() -> Result<HttpServer> {
    HttpServer::example("simpleTaskInteractive", "/mcp").await
}

async fn demo() -> Result<HttpServer> {
    HttpServer::demo(&built_program("sonde-demo"), &[]).await
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

/// Opens what is known of the task of the newest run, and looks at the history of its status: each has these words in it,
/// in order.
async fn history_is(window: &Window, last: &str, words: &[&str]) -> Result<()> {
    window
        .click_in(Some("Runs"), "button", &format!("Task: {last}"))
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
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Deleted 'old-chart.pdf'").await?;
    history_is(&window, "completed", &["input required", "completed"]).await?;
    window.shot("tasks-history").await?;

    begin(&window, "write_haiku", "topic…", "the tide").await?;
    window.see("Write a haiku about the tide").await?;
    window
        .fill_in(Some(MODEL), "Text", "It comes and it goes")
        .await?;
    window.fill_in(Some(MODEL), "Model", "by-hand-1").await?;
    window.click_in(Some(MODEL), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "It comes and it goes").await?;
    history_is(&window, "completed", &["input required", "completed"]).await?;
    window.close().await
}

/// A long task: where it stands, when it is asked for next, and its end by the user.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_task_of_the_streamable_example_is_counted_down_and_cancelled() -> Result<()> {
    let server = HttpServer::simple().await?;
    let window = open("streamable", &server).await?;
    select_tool(&window, "Delay").await?;
    window.fill("duration…", "300000").await?;
    run(&window).await?;
    newest_run_is(&window, "Running").await?;
    newest_run_says(&window, "Task working").await?;
    newest_run_says(&window, "next status in 1 s").await?;
    window
        .find("button", "Ask now for the status of Delay")
        .await?;
    window.shot("tasks-countdown").await?;
    window.click("button", "Cancel run Delay").await?;
    newest_run_is(&window, "Cancelled").await?;
    history_is(&window, "cancelled", &["working", "cancelled"]).await?;
    newest_run_says(&window, "answer to the cancellation").await?;
    window.close().await
}

/// The research of the reference server, which needs to know what is meant.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_research_of_server_everything_asks_what_is_meant() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Simulate Research Query").await?;
    window.fill("topic…", "python").await?;
    choose_in(&window, Some("ambiguous"), "Yes").await?;
    run(&window).await?;
    newest_run_says(&window, "Task working").await?;
    needs_input(&window).await?;
    choose_option(&window, "Clarification", "Python snake species").await?;
    window.shot("tasks-research").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Research Report: python (snake)").await?;
    history_is(
        &window,
        "completed",
        &["Gathering sources", "input required", "completed"],
    )
    .await?;
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

/// The demo server without a handshake over HTTP, and with one over stdio.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_demo_server_has_tasks_in_both_ways_of_the_protocol() -> Result<()> {
    let server = demo().await?;
    let window = open("gull-rock", &server).await?;
    window.see("MCP 2026-07-28").await?;
    begin(&window, SALVAGE, SECONDS, "4").await?;
    window.shot("tasks-demo").await?;
    keep_the_bells(&window).await?;
    history_is(
        &window,
        "completed",
        &["working", "input required", "completed"],
    )
    .await?;

    window.click("button", &format!("{DEMO}…")).await?;
    edit(&window, DEMO).await?;
    let protocol = window.find("field", "Protocol mode").await?;
    protocol.select_by_value("handshake").await?;
    window.click("button", "Save").await?;
    connect(&window).await?;
    window.see("MCP 2025-11-25").await?;
    select_tool(&window, SALVAGE).await?;
    window.fill(SECONDS, "4").await?;
    window.click("checkbox", "Run as a task").await?;
    run(&window).await?;
    needs_input(&window).await?;
    keep_the_bells(&window).await?;
    // This one has to be a task, so nobody is asked.
    select_tool(&window, "Survey the reef").await?;
    window.fill(SECONDS, "2").await?;
    run(&window).await?;
    newest_run_says(&window, "Task working").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "The reef has three teeth").await?;
    // The server lists them too.
    window.click("tab", "Tasks…").await?;
    window.see("2 tasks · list of the server read at").await?;
    window.shot("tasks-demo-listed").await?;
    window.close().await
}

/// The app is killed while tasks need input, and started again.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn tasks_that_need_input_are_picked_up_after_the_app_was_killed() -> Result<()> {
    let (interactive, demo) = (interactive().await?, demo().await?);
    let data = tempfile::tempdir()?;
    let window = start(data.path()).await?;
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
    runs_are_stored(data.path(), 2).await?;
    window.kill().await?;
    window.end().await?;

    let window = start(data.path()).await?;
    window.click("button", "gull-rock…").await?;
    newest_run_is(&window, "Connection lost").await?;
    connect(&window).await?;
    // The question stands in the status, so it is asked again.
    needs_input(&window).await?;
    window.click_in(Some("Runs"), "button", "Salvage…").await?;
    keep_the_bells(&window).await?;
    ensure!(runs(&window).await? == 1, "nothing ran twice");

    window.click("button", "interactive…").await?;
    newest_run_is(&window, "Connection lost").await?;
    connect(&window).await?;
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
