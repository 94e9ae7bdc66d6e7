//! Runs are there after a restart, and found.

use anyhow::Result;
use fantoccini::key::Key;
use sonde_tests::{steps::*, window::Window};

const GREETS: &str = "Say hello to the keeper";
const REPORTS: &str = "Read the daily report";
const SEARCH: &str = "Search the runs";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_run_is_found_pinned_named_and_run_again_after_a_restart() -> Result<()> {
    let data = tempfile::tempdir()?;
    let window = Window::open_with(data.path()).await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    window.fill("Your name…", "Grace").await?;
    run(&window).await?;
    newest_run_says(&window, "Grace").await?;
    select_tool(&window, REPORTS).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.close().await?;

    // Not connected, the runs are there; only the one that the search finds is listed.
    let window = Window::open_with(data.path()).await?;
    run_of_is(&window, REPORTS, "Done").await?;
    show_all_runs(&window).await?;
    window.fill(SEARCH, "grace").await?;
    window.see_in("Runs", "1 of 2").await?;
    run_of_is(&window, GREETS, "Done").await?;
    assert_eq!(runs(&window).await?, 1);
    window
        .click_in(Some("Runs"), "button", &format!("{GREETS}…"))
        .await?;
    window.click("button", "Pin this run").await?;
    window.find("button", "Unpin this run").await?;
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Name and note…").await?;
    window
        .fill_in(Some("Name and note"), "Note", "Greets Grace by name.")
        .await?;
    window
        .fill_in(Some("Name and note"), "Name", "Smoke test")
        .await?;
    window.keys(&char::from(Key::Enter).to_string()).await?;
    window.see_in("Runs", "Smoke test").await?;
    // What is not known yet is neither being loaded nor gone.
    window.see("Connect to see the server’s tools.").await?;
    window.shot("history").await?;

    // Once more from its arguments.
    connect(&window).await?;
    window.click_in(Some("Runs"), "button", "Run again").await?;
    window.fill(SEARCH, "grace").await?;
    window.see_in("Runs", "2 of 3").await?;
    window.close().await?;

    // The pinned one stands on top with its name.
    let window = Window::open_with(data.path()).await?;
    show_all_runs(&window).await?;
    newest_run_shows(&window, "its name", "card.innerText.includes('Smoke test')").await?;
    assert_eq!(runs(&window).await?, 3);
    window
        .click_in(Some("Runs"), "button", "Smoke test…")
        .await?;
    window.see_in("Runs", "Greets Grace by name.").await?;
    window.click("button", "Settings").await?;
    window.pick("Runs stored per server", "50").await?;
    window.stores("\"runs\": 50").await?;
    window.close().await
}
