//! Servers that nobody here wrote.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{http_server::HttpServer, steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_over_streamable_http() -> Result<()> {
    let server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything-http": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    select_tool(&window, "Get Sum Tool").await?;
    window.fill("a…", "19").await?;
    window.fill("b…", "23").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "The sum of 19 and 23 is 42").await?;
    window.shot("everything-sum").await?;

    select_tool(&window, "Trigger Long Running Operation Tool").await?;
    window.fill("duration…", "8").await?;
    window.fill("steps…", "16").await?;
    run(&window).await?;
    progress_moves(&window).await?;
    window.shot("everything-progress").await?;
    newest_run_is(&window, "Done").await?;

    window.fill("duration…", "120").await?;
    run(&window).await?;
    newest_run_is(&window, "Running").await?;
    progress_moves(&window).await?;
    window.click("button", "Cancel run Trigger…").await?;
    newest_run_is(&window, "Cancelled").await?;
    window.shot("everything-cancelled").await?;

    window.click("tab", "Wire log").await?;
    window.see("notifications/progress").await?;
    window.see("notifications/cancelled").await?;
    window.shot("everything-wire").await?;
    window.close().await
}
