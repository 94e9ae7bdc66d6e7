//! Uses the app as the test of its package has installed it, in its real window.
//!
//! Usage: `installed-app <installed|upgraded> <folder for screenshots> <data folder>`, with `SONDE_APP` naming the app:
//! first an older version, then a newer one, with the same data.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use sonde_tests::{
    LIMIT, processes,
    steps::*,
    window::{Start, Window},
};
use tokio::time::timeout;

const GREETS: &str = "Say hello to the keeper";

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args.next().context("installed or upgraded")?;
    let shots = args.next().context("a folder for the screenshots")?;
    let data = args.next().context("the data folder")?;
    let window = Window::start(Start {
        shots: Some(PathBuf::from(shots)),
        data: Some(PathBuf::from(data)),
        ..Start::default()
    })
    .await?;
    match what.as_str() {
        "installed" => installed(&window).await?,
        "upgraded" => upgraded(&window).await?,
        other => bail!("neither installed nor upgraded: {other}"),
    }
    window.close().await
}

fn say(text: &str) {
    println!("  • {text}");
}

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
