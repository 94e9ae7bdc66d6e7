//! The demo server: what a stranger sees in the first minutes.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use sonde_tests::{
    steps::*,
    window::{Start, Window, files},
};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn first_start_to_first_result() -> Result<()> {
    let window = Window::open().await?;
    window.see(DEMO).await?;
    window.shot("first-start").await?;
    // With the pointer of the system; other tests press in the page.
    window.click_native("button", "Connect").await?;
    connected(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window.click_native("button", "Run").await?;
    newest_run_is(&window, "Done").await?;
    window.shot("first-result").await?;
    // The form is still there beside the result.
    window.find("button", "Run").await?;
    a_skill_is_read(&window).await?;
    window.close().await
}

/// The skill of the demo server: what its entry says, its text, and one of its files among the resources.
async fn a_skill_is_read(window: &Window) -> Result<()> {
    window.click("tab", "Skills…").await?;
    window.see("The keeper of Gull Rock").await?;
    run_by(window, "Read").await?;
    newest_run_is(window, "Done").await?;
    newest_run_shows(
        window,
        "the text of the skill",
        "card.querySelector('[aria-label^=Text] :is(h1, h2, h3, h4)')?.innerText.includes('Keep watch in fog')",
    )
    .await?;
    window.shot("skill").await?;
    window.click("button", "references/signals.md").await?;
    newest_run_says(window, "two long blasts every minute").await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn progress_moves_while_another_call_is_cancelled_and_the_log_is_saved() -> Result<()> {
    let home = tempfile::tempdir()?;
    let window = Window::start(Start {
        env: vec![("HOME".to_owned(), home.path().display().to_string())],
        ..Start::default()
    })
    .await?;
    connect(&window).await?;
    select_tool(&window, "Polish the lens").await?;
    run(&window).await?;
    newest_run_is(&window, "Running").await?;
    select_tool(&window, "Climb the tower").await?;
    run(&window).await?;
    show_all_runs(&window).await?;
    progress_moves(&window).await?;
    window.shot("progress").await?;
    window.click("button", "Cancel run Polish the lens").await?;
    run_of_is(&window, "Polish the lens", "Cancelled").await?;
    window.shot("cancelled").await?;
    newest_run_is(&window, "Done").await?;

    window.click("tab", "Wire log").await?;
    the_log_is_saved(&window, home.path()).await?;
    window.close().await
}

/// The log as a file: a driver is not asked for a place, and without a folder for downloads it is the home folder.
async fn the_log_is_saved(window: &Window, home: &Path) -> Result<()> {
    window
        .click("button", "More actions for the wire log")
        .await?;
    window.click("menuitem", "Save to a file").await?;
    window.see("Wire log saved as").await?;
    let saved = files(home)?
        .into_iter()
        .find(|file| file.extension().is_some_and(|ending| ending == "mcplog"))
        .context("a saved log")?;
    let saved = fs::read_to_string(saved)?;
    ensure!(saved.lines().count() > 20, "{saved}");
    for line in saved.lines() {
        serde_json::from_str::<serde_json::Value>(line).with_context(|| line.to_owned())?;
    }
    ensure!(
        saved.matches("notifications/progress").count() >= 12 && saved.contains("climb_tower"),
        "{saved}"
    );
    Ok(())
}
