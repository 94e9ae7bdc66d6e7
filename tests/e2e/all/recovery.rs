//! Streams that break and sessions that are forgotten, as the window tells it.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{http_server::HttpServer, steps::*, window::Window};

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
        .until("amber", "return window.states.includes('No notifications')")
        .await?;
    run(&window).await?;
    is_said_to_be(&window, "Not reachable").await?;
    let states = window.js("return window.states", vec![]).await?;
    assert_eq!(states[0], "Connected", "{states}");
    assert_eq!(states[1], "No notifications", "{states}");
    // Why, stands once: beside the server's name.
    newest_run_says(&window, "The line beside the server’s name says why.").await?;
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
