//! A run kept as a check: run again, edited by hand, compared with its baseline, accepted.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use sonde_tests::{
    steps::*,
    window::{Window, files},
};

/// The file of the suite below the app's data folder.
fn suite(data: &Path) -> Result<PathBuf> {
    let found = files(data)?.into_iter();
    let mut found = found.filter(|path| path.ends_with("checks.sonde.yaml"));
    found.next().context("no suite was written")
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_run_is_kept_as_a_check_and_edited_in_the_window_and_by_hand() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window.fill("Your name", "Ada").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Keep as a check…").await?;
    window.fill("Name", "Greets by name").await?;
    window.see("name: Greets by name").await?;
    window.shot("keep-check").await?;
    window.click("button", "Keep").await?;
    window.click("button", "Show").await?;
    window.see("1 check, not run yet").await?;
    window.click("button", "Run all").await?;
    window.see(": 1 pass").await?;

    // By hand: another argument, and a comment.
    let file = suite(window.data_folder())?;
    let text = fs::read_to_string(&file)?;
    ensure!(text.contains("Ada"), "kept as {text}");
    let edited = format!("# Ours.\n{}", text.replace("Ada", "Grace"));
    fs::write(&file, edited)?;
    let run_again = format!(
        "{}{}{}",
        char::from(Key::Control),
        char::from(Key::Shift),
        char::from(Key::Enter)
    );
    window.keys(&run_again).await?;
    window.see(": 1 fail").await?;
    window.shot("checks-failed").await?;

    window.click("button", "Compare").await?;
    window.see("result.content[0].text").await?;
    window.see("Good evening, Grace.").await?;
    window.shot("check-compared").await?;
    window.click("button", "Accept as the new baseline").await?;
    window.click("button", "Run all").await?;
    window.see(": 1 pass").await?;
    // The window edits only the lines that it is about.
    window.click("checkbox", "On").await?;
    window.stores("skip").await?;
    let text = fs::read_to_string(&file)?;
    ensure!(
        text.starts_with("# Ours.\n") && text.contains("Grace"),
        "edited to {text}"
    );
    window.close().await
}
