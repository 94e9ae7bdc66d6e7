//! Streams that break and sessions that are forgotten, as the window tells it.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::servers::HttpServer;

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_answer_that_has_to_be_polled_for() -> Result<()> {
    let server = HttpServer::polling().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "polling": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    select_tool(&window, "long-task").await?;
    run(&window).await?;
    newest_run_says(&window, "reconnecting…").await?;
    window.click("tab", "Connection…").await?;
    window.see("Response to tools/call, run").await?;
    window.see("Attempt 1 of 5").await?;
    window.see("delay set by the server").await?;
    window.shot("polling-waiting").await?;
    window.click("tab", "Tools…").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Long task completed successfully!").await?;
    window.click("tab", "Wire log").await?;
    window.see("resuming").await?;
    window.shot("polling-wire").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_server_that_goes_away_and_comes_back() -> Result<()> {
    let mut server = HttpServer::polling().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "comes-back": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    window.click("tab", "Connection…").await?;
    window.see("Open, listening").await?;
    window.shot("listening").await?;
    server.kill().await?;
    window.see("Reconnecting: attempt").await?;
    window.shot("listener-lost").await?;
    server.revive().await?;
    // The new process knows nothing of the session (404): it is begun anew.
    window.click("button", "Reconnect now").await?;
    window.see("Open, listening").await?;
    window.shot("listener-back").await?;
    select_tool(&window, "long-task").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("tab", "Wire log").await?;
    window.see("The server no longer knows the session").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_server_that_restarts_and_answers_400_for_the_session() -> Result<()> {
    let mut server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "restarts": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    is_said_to_be(&window, "Connected").await?;
    select_tool(&window, "Echo Tool").await?;
    window.fill("message…", "still there?").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;

    // The states in between may be short: all are written down.
    window
        .js(
            "const states = (window.states = []);
             const look = () => {
               const now = document.querySelector('main header [data-state]')?.dataset.state;
               if (now && now !== states.at(-1)) states.push(now);
             };
             look();
             new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });",
            vec![],
        )
        .await?;
    server.kill().await?;
    // Amber as soon as the stream is lost, before any call has failed.
    window
        .until("amber", "return window.states.includes('Degraded')")
        .await?;
    run(&window).await?;
    is_said_to_be(&window, "Not reachable").await?;
    let states = window.js("return window.states", vec![]).await?;
    assert_eq!(states[0], "Connected", "{states}");
    assert_eq!(states[1], "Degraded", "{states}");
    // Why, stands once: below the server's name.
    newest_run_says(&window, "The line below the server’s name says why.").await?;
    window.see("The server cannot be reached").await?;
    window.shot("killed").await?;

    server.revive().await?;
    run(&window).await?;
    newest_run_is(&window, "Session expired").await?;
    is_said_to_be(&window, "Session expired").await?;
    newest_run_says(&window, "No valid session ID provided").await?;
    window.shot("session-expired").await?;

    window.click_in(Some("Runs"), "button", "Reconnect").await?;
    is_said_to_be(&window, "Connected").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "still there?").await?;
    window.shot("session-opened-anew").await?;
    window.close().await
}

/// Waits until the header and the list of servers say this of the selected server.
async fn is_said_to_be(window: &Window, word: &str) -> Result<()> {
    window
        .until_with(
            &format!("the server to be “{word}”"),
            "const said = (where) => document.querySelector(where + ' [data-state]')?.dataset.state;
             return said('main header') === arguments[0] && said('[aria-current]') === arguments[0]",
            vec![json!(word)],
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn disturbed_on_purpose() -> Result<()> {
    let server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "disturbed": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    window.click("tab", "Connection…").await?;
    window.see("Open, listening").await?;
    window.click("button", "Fault injection").await?;
    window.click("button", "Drop the background stream").await?;
    window.see("Lost").await?;
    window.shot("dropped-on-purpose").await?;
    window.click("tab", "Wire log").await?;
    window.see("caused by you").await?;
    window.shot("dropped-on-purpose-wire").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_server_request_is_answered_beside_its_run() -> Result<()> {
    let server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "asking": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    select_tool(&window, "Trigger Elicitation Request Tool").await?;
    run(&window).await?;
    window
        .until(
            "the question's form",
            "return document.querySelectorAll('[data-server-request]').length === 1",
        )
        .await?;
    window.shot("request").await?;
    window.click("button", "Decline").await?;
    newest_run_is(&window, "Done").await?;
    window.shot("request-declined").await?;
    window.close().await
}
