//! What is deleted or replaced comes back.

use anyhow::Result;
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::window::Window;

use sonde_tests::steps::*;

/// Where what was done just now offers to be undone.
const TOASTS: &str = "Done just now";

async fn undo_by_key(window: &Window) -> Result<()> {
    let keys = format!("{}z{}", char::from(Key::Control), char::from(Key::Null));
    window.keys(&keys).await
}

/// Moves the focus to the toasts: their time stands still then, however slow the machine is.
async fn hold_toasts(window: &Window) -> Result<()> {
    window.keys(&char::from(Key::F6).to_string()).await
}

/// Shows the runs of the present tool, or of all.
async fn show_runs(window: &Window, of: &str) -> Result<()> {
    choose_in(window, Some("Runs"), of).await
}

async fn runs_are(window: &Window, count: u64) -> Result<()> {
    window
        .until_with(
            &format!("{count} runs"),
            "return document.querySelectorAll('[aria-label=\"Runs, newest first\"] article').length === arguments[0]",
            vec![json!(count)],
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn what_is_deleted_or_replaced_comes_back() -> Result<()> {
    const GREETS: &str = "Say hello to the keeper";
    const REPORTS: &str = "Read the daily report";
    let window = Window::open().await?;
    connect(&window).await?;
    for tool in [GREETS, REPORTS] {
        select_tool(&window, tool).await?;
        run(&window).await?;
        newest_run_is(&window, "Done").await?;
    }

    // Only what the list shows is deleted.
    show_runs(&window, "This tool").await?;
    runs_are(&window, 1).await?;
    window
        .click("button", "Clear finished runs of this tool")
        .await?;
    runs_are(&window, 0).await?;
    show_runs(&window, "All").await?;
    run_of_is(&window, GREETS, "Done").await?;
    runs_are(&window, 1).await?;
    window.click("button", "Clear all finished runs").await?;
    hold_toasts(&window).await?;
    runs_are(&window, 0).await?;
    window
        .see_in(TOASTS, "Run of “Say hello to the keeper” deleted")
        .await?;
    window.shot("undo").await?;
    window.click_in(Some(TOASTS), "button", "Undo").await?;
    run_of_is(&window, GREETS, "Done").await?;

    // What was typed comes back after a reset.
    select_tool(&window, GREETS).await?;
    window.fill("Your name…", "Grace").await?;
    window.click("button", "Reset form").await?;
    window.see_in(TOASTS, "Form reset").await?;
    assert_ne!(window.value("Your name…").await?, "Grace");
    undo_by_key(&window).await?;
    window.see_not("Form reset").await?;
    assert_eq!(window.value("Your name…").await?, "Grace");
    // So it does where the arguments of a run took its place.
    window
        .click_in(Some("Runs"), "button", &format!("{GREETS}…"))
        .await?;
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Edit arguments").await?;
    window
        .until(
            "the arguments of the run in the form",
            "return [...document.querySelectorAll('[data-form] input')].every((field) => field.value !== 'Grace')",
        )
        .await?;
    undo_by_key(&window).await?;
    window
        .until(
            "what was typed before to be back",
            "return [...document.querySelectorAll('[data-form] input')].some((field) => field.value === 'Grace')",
        )
        .await?;

    // A server comes back with its runs and drafts, and works.
    window
        .click("button", &format!("More actions for {DEMO}"))
        .await?;
    window.click("menuitem", "Remove").await?;
    window.see_in(TOASTS, "disconnected and removed").await?;
    hold_toasts(&window).await?;
    window.see_not(GREETS).await?;
    undo_by_key(&window).await?;
    run_of_is(&window, GREETS, "Done").await?;
    assert_eq!(window.value("Your name…").await?, "Grace");
    connect(&window).await?;
    run(&window).await?;
    newest_run_says(&window, "Grace").await?;
    window.close().await
}
