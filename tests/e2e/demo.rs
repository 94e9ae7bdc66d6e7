//! The demo server: what a stranger sees in the first minutes.

use anyhow::Result;
use sonde_tests::window::Window;

use sonde_tests::steps::*;

#[tokio::test]
async fn first_start_to_first_result() -> Result<()> {
    let window = Window::open().await?;
    window.see(DEMO).await?;
    window.shot("first-start").await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    window.shot("first-result").await?;
    // The form is still there beside the result.
    window.find("button", "Run").await?;
    window.close().await
}

#[tokio::test]
async fn progress_moves_while_another_call_is_cancelled() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Polish the lens").await?;
    run(&window).await?;
    newest_run_says(&window, "Running").await?;
    select_tool(&window, "Climb the tower").await?;
    run(&window).await?;
    progress_moves(&window).await?;
    window.shot("progress").await?;
    window.click("button", "Cancel Polish the lens").await?;
    window
        .until(
            "the run to be cancelled",
            "return [...document.querySelectorAll('article')].some(a => /Polish the lens/.test(a.innerText) && /Cancelled/.test(a.innerText))",
        )
        .await?;
    window.shot("cancelled").await?;
    newest_run_ends(&window, "Done").await?;
    window.close().await
}

#[tokio::test]
async fn every_kind_of_result_is_shown() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    for (tool, says) in [
        ("Read the daily report", "Done"),
        ("List the ships in sight", "Done"),
        ("Paint the view", "Done"),
        ("Sound the foghorn", "Done"),
        ("Find the sea charts", "Done"),
        ("Fetch the barograph roll", "Done"),
        ("Do the morning round", "Done"),
        ("Trouble: a door that will not open", "Tool error"),
        ("Trouble: a wrong number", "Error"),
    ] {
        select_tool(&window, tool).await?;
        run(&window).await?;
        newest_run_ends(&window, says).await?;
        let name = tool.to_lowercase().replace([' ', ':'], "-");
        window.shot(&format!("result-{name}")).await?;
    }
    window.close().await
}

#[tokio::test]
async fn a_crash_keeps_everything_and_restarts_with_one_click() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Polish the lens").await?;
    run(&window).await?;
    newest_run_says(&window, "Running").await?;
    select_tool(&window, "Trouble: blow the fuse").await?;
    run(&window).await?;
    window.see("Connection lost").await?;
    newest_run_ends(&window, "Connection lost").await?;
    window.shot("crash").await?;
    // The code that the server ended with, and its last words.
    window.see("code 3").await?;
    assert_eq!(runs(&window).await?, 2, "both runs stay in the history");
    window.click("button", "Reconnect").await?;
    connected(&window).await?;
    window.close().await
}

#[tokio::test]
async fn typed_values_survive_switching_tools_views_and_reloads() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Load: echo").await?;
    window.fill("message…", "9007199254740993 is kept").await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window.click("tab", "Wire log").await?;
    select_tool(&window, "Load: echo").await?;
    assert_eq!(window.value("message…").await?, "9007199254740993 is kept");
    // The draft is saved a moment after the last key.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    window.client.refresh().await?;
    window.see(DEMO).await?;
    select_tool(&window, "Load: echo").await?;
    let typed = window.value("message…").await?;
    assert_eq!(
        typed, "9007199254740993 is kept",
        "after a reload of the page"
    );
    // Still connected: the session lives in the backend.
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    newest_run_says(&window, "9007199254740993 is kept").await?;
    window.close().await
}

#[tokio::test]
async fn a_changed_list_is_read_again_and_the_difference_shown() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Open or close the boathouse").await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    window.see("1 tool added").await?;
    window.fill("Search tools", "Launch").await?;
    window.find_in(Some("Tools"), "option", "Launch…").await?;
    window.shot("list-changed").await?;
    window.close().await
}

#[tokio::test]
async fn the_wire_shows_every_frame_and_leads_back_to_the_call() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    window.click("tab", "Wire log").await?;
    for method in ["server/discover", "tools/list", "tools/call"] {
        window.see(method).await?;
    }
    window.shot("wire").await?;
    window.fill("Search the wire log…", "tools/call").await?;
    window.see("2 of").await?;
    window
        .click_in(Some("Wire log entries, oldest first"), "option", "…")
        .await?;
    window.shot("wire-detail").await?;
    window.close().await
}

#[tokio::test]
async fn the_json_view_edits_the_same_arguments() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Plan a voyage").await?;
    window.shot("rich-form").await?;
    window.click("tab", "JSON").await?;
    // The editor brings its styles along at run time, which the content security policy must allow.
    window
        .until(
            "a styled editor",
            "const scroller = document.querySelector('.cm-scroller');
             return !!scroller && getComputedStyle(scroller).display === 'flex'",
        )
        .await?;
    window.shot("rich-json").await?;
    window.close().await
}
