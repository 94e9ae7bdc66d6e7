//! The guided tour: drives the built app's real window as a newcomer would, prints what it sees, and leaves
//! screenshots.
//!
//! Usage: `tour <tour|screenshots> <folder>`, with `SONDE_APP` naming the app.

mod pictures;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
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
        "screenshots" => pictures::take(&window).await?,
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
    show_all_runs(window).await?;
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
