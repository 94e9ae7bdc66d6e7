//! Foreign servers that the app does not start itself.

use anyhow::Result;
use serde_json::json;
pub(crate) use sonde_tests::http_server::HttpServer;
use sonde_tests::{
    steps::{connect, import, newest_run_is, run, select_tool},
    window::Window,
};

/// A window with the reference server over Streamable HTTP, of which the sum of 19 and 23 was just asked for.
pub(crate) async fn sum_of_everything() -> Result<(HttpServer, Window)> {
    let server = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    select_tool(&window, "Get Sum Tool").await?;
    window.fill("a…", "19").await?;
    window.fill("b…", "23").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    Ok((server, window))
}
