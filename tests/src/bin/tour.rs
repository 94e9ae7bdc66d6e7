//! The guided tour: drives the built app's real window as a newcomer would, says what it sees, and
//! leaves screenshots.
//!
//! Usage: `tour <tour|screenshots> <folder>`, with `SONDE_APP` naming the app.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use sonde_tests::{
    steps::*,
    window::{Start, Window},
};

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args.next().context("tour or screenshots")?;
    let folder = PathBuf::from(args.next().context("a folder for the screenshots")?);
    let window = Window::start(Start {
        shots: Some(folder),
        ..Start::default()
    })
    .await?;
    match what.as_str() {
        "tour" => tour(&window).await?,
        "screenshots" => screenshots(&window).await?,
        other => bail!("no such guide: {other}"),
    }
    window.close().await
}

fn say(text: &str) {
    println!("  • {text}");
}

async fn tour(window: &Window) -> Result<()> {
    window.see(DEMO).await?;
    window.shot("1-first-start").await?;
    say("The window is open. The demo server is in the list.");

    connect(window).await?;
    let tools = window
        .js("return document.querySelector('[role=listbox][aria-label=Tools] [role=option]').getAttribute('aria-setsize')", vec![])
        .await?;
    say(&format!(
        "Connected. The server has {} tools.",
        tools.as_str().unwrap_or("its")
    ));

    select_tool(window, "Polish the lens").await?;
    run(window).await?;
    newest_run_is(window, "Running").await?;
    say("“Polish the lens” is running; it would take a while.");

    select_tool(window, "Climb the tower").await?;
    window.shot("2-form").await?;
    run(window).await?;
    progress_moves(window).await?;
    window.shot("3-live-progress").await?;
    say("“Climb the tower” runs beside it and reports live progress.");
    window.click("button", "Cancel run Polish the lens").await?;
    run_of_is(window, "Polish the lens", "Cancelled").await?;
    window.shot("4-cancelled").await?;
    say("“Polish the lens” was cancelled while it ran.");
    newest_run_is(window, "Done").await?;
    window.shot("5-result").await?;
    say("“Climb the tower” is done; its result is beside the form.");

    window.click("tab", "Wire log").await?;
    window.see("notifications/cancelled").await?;
    window.shot("6-wire").await?;
    say("The wire log shows every frame of it.");
    Ok(())
}

/// What the README and the guide show, each in both themes.
async fn screenshots(window: &Window) -> Result<()> {
    choose_theme(window, "Light").await?;
    window.see("Connect").await?;
    both(window, "start").await?;

    connect(window).await?;
    select_tool(window, "Polish the lens").await?;
    run(window).await?;
    select_tool(window, SHIPS).await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    all_tools(window).await?;
    both(window, "tools").await?;

    window.click("button", "Maximize run").await?;
    window.find("button", "Restore run").await?;
    both(window, "table").await?;
    window.click("button", "Restore run").await?;

    select_tool(window, SHIPS).await?;
    window.fill("How many at most…", "3").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("button", "More actions for this run").await?;
    window
        .click("menuitem", "Compare with the previous run of this tool")
        .await?;
    window.see("ships[3]").await?;
    both(window, "compare").await?;
    window.click("button", "Close").await?;

    // Slow enough for both pictures.
    select_tool(window, "Climb the tower").await?;
    window.fill("Pause between steps…", "1500").await?;
    run(window).await?;
    all_tools(window).await?;
    progress_moves(window).await?;
    both(window, "progress").await?;

    window.click("tab", "Wire log").await?;
    // Messages alone: the row of the process shows where this machine keeps the demo server.
    for kind in ["Requests", "Responses", "Notifications"] {
        window.click("button", kind).await?;
    }
    window.see_not("started (pid").await?;
    window.see("tools/call").await?;
    both(window, "wire").await?;
    window.click("tab", "Connection…").await?;
    window.see("Latency").await?;
    both(window, "connection").await?;

    window.click("button", "Presentations").await?;
    window.click("button", &format!("{PRESENTATION}…")).await?;
    window.see("Add a step").await?;
    both(window, "prepare").await?;
    window
        .click("button", &format!("Start {PRESENTATION}"))
        .await?;
    window.see("Step 1 of").await?;
    window.click("button", "Next").await?;
    window.see("Step 2 of").await?;
    window.click("button", "Run").await?;
    window.find("button", "Run again").await?;
    both(window, "presentation").await?;
    window.click("button", "Leave").await?;
    window.click("button", "Close").await?;

    // Port 9 (discard) is open nowhere today.
    let weather = json!({ "weather": { "url": "http://127.0.0.1:9/mcp" } });
    window.click("button", "Import servers").await?;
    window
        .fill(
            "URL, command or configuration",
            &json!({ "mcpServers": weather }).to_string(),
        )
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "weather")
        .await?;
    both(window, "import").await?;
    window.click("button", "Add 1 server").await?;
    window.click("button", "weather…").await?;
    window.click_in(None, "button", "Connect").await?;
    window.see("refused the connection").await?;
    both(window, "failure").await?;
    Ok(())
}

/// What is prepared of the demo server.
const PRESENTATION: &str = "A visit to the lighthouse";

const SHIPS: &str = "List the ships in sight";

/// Ends the search for a tool.
async fn all_tools(window: &Window) -> Result<()> {
    window.fill("Search tools", "").await?;
    window.see("Climb the tower").await
}

/// A picture in each theme, of things as they stand: the setting is left alone.
async fn both(window: &Window, name: &str) -> Result<()> {
    for theme in ["dark", "light"] {
        window
            .js(
                "document.documentElement.dataset.theme = arguments[0]",
                vec![json!(theme)],
            )
            .await?;
        window.shot(&format!("{name}-{theme}")).await?;
    }
    Ok(())
}
