//! The guided tour: drives the built app's real window as a newcomer would, says what it sees, and
//! leaves screenshots.
//!
//! Usage: `tour <tour|screenshots|installed|upgraded> <folder> [data folder]`, with `SONDE_APP` naming the app.
//! The last two use the app as the test of its package has installed it, one after the other with the same data.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use sonde_tests::{
    LIMIT, processes,
    steps::*,
    window::{Start, Window},
};
use tokio::time::timeout;

/// The tool that an installed app runs.
const GREETS: &str = "Say hello to the keeper";

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args.next().context("the name of a guide")?;
    let folder = PathBuf::from(args.next().context("a folder for the screenshots")?);
    let window = Window::start(Start {
        shots: Some(folder),
        data: args.next().map(PathBuf::from),
        ..Start::default()
    })
    .await?;
    match what.as_str() {
        "tour" => tour(&window).await?,
        "screenshots" => screenshots(&window).await?,
        "installed" => installed(&window).await?,
        "upgraded" => upgraded(&window).await?,
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
    window.click("button", "Cancel Polish the lens").await?;
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

/// What the README and the guide show.
async fn screenshots(window: &Window) -> Result<()> {
    connect(window).await?;
    select_tool(window, "Polish the lens").await?;
    run(window).await?;
    select_tool(window, "List the ships in sight").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.fill("Search tools", "").await?;
    window.see("Climb the tower").await?;
    window.shot("tools-light").await?;
    window.click("tab", "Wire log").await?;
    // Messages alone: the row of the process shows where this machine keeps the demo server.
    for kind in ["Requests", "Responses", "Notifications"] {
        window.click("button", kind).await?;
    }
    window.see_not("started (pid").await?;
    window.see("tools/call").await?;
    window.shot("wire-light").await?;
    window.click("tab", "Connection…").await?;
    window.see("Latency").await?;
    window.shot("connection-light").await?;
    choose_theme(window, "Dark").await?;
    window.click("tab", "Tools…").await?;
    select_tool(window, "Climb the tower").await?;
    run(window).await?;
    window.fill("Search tools", "").await?;
    progress_moves(window).await?;
    window.shot("tools-dark").await?;
    Ok(())
}

/// The first start of an installed app.
async fn installed(window: &Window) -> Result<()> {
    window.see(DEMO).await?;
    connect(window).await?;
    select_tool(window, GREETS).await?;
    window.fill("Your name…", "Grace").await?;
    run(window).await?;
    newest_run_says(window, "Grace").await?;
    window.shot("installed").await?;
    say("The installed app has run a tool of its demo server.");
    open_link(window).await?;
    window.shot("link").await?;
    say("A link that the desktop opened shows the server that it would add.");
    Ok(())
}

/// Opens a link as a click in another program does: the desktop finds out what it is for.
#[expect(clippy::disallowed_methods, reason = "what desktops open links with")]
async fn open_link(window: &Window) -> Result<()> {
    let config = "%7B%22command%22%3A%22touch%22%2C%22args%22%3A%5B%22ran%22%5D%7D";
    let mut open = tokio::process::Command::new("gio");
    open.args(["open", &format!("sonde://add?name=linked&config={config}")])
        .env("SONDE_DATA_DIR", window.data_folder());
    let mut open = processes::spawn(&mut open)?;
    let status = timeout(LIMIT, open.wait())
        .await
        .context("`gio open` did not end")??;
    ensure!(status.success(), "`gio open` ended with {status}");
    window
        .see("Recognized: A link that adds a server to Sonde")
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "linked")
        .await?;
    Ok(())
}

/// The first start of a newer version.
async fn upgraded(window: &Window) -> Result<()> {
    run_of_is(window, GREETS, "Done").await?;
    say("The run of the older version is there.");
    connect(window).await?;
    select_tool(window, GREETS).await?;
    window.fill("Your name…", "Ada").await?;
    let listed = run(window).await?;
    ensure!(listed == 2, "{listed} runs, not one of each version");
    newest_run_says(window, "Ada").await?;
    window.shot("upgraded").await?;
    say("The newer version has run it again.");
    Ok(())
}
