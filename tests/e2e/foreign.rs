//! Servers that nobody here wrote.

use anyhow::Result;
use serde_json::json;
use sonde_tests::window::Window;

use sonde_tests::steps::*;

#[tokio::test]
async fn server_everything_over_stdio() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    everything(&window, "everything-stdio").await?;
    window.close().await
}

#[tokio::test]
async fn server_everything_over_streamable_http() -> Result<()> {
    let server = HttpServer::everything().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything-http": { "type": "http", "url": server.url } }),
    )
    .await?;
    connect(&window).await?;
    everything(&window, "everything-http").await?;
    window.close().await
}

/// Fill a form, run, see progress move, cancel, see the result and the frames.
async fn everything(window: &Window, name: &str) -> Result<()> {
    select_tool(window, "Get Sum Tool").await?;
    window.fill("a…", "19").await?;
    window.fill("b…", "23").await?;
    run(window).await?;
    newest_run_ends(window, "Done").await?;
    newest_run_says(window, "42").await?;
    window.shot(&format!("{name}-sum")).await?;

    select_tool(window, "Trigger Long Running Operation Tool").await?;
    window.fill("duration…", "8").await?;
    window.fill("steps…", "16").await?;
    run(window).await?;
    progress_moves(window).await?;
    window.shot(&format!("{name}-progress")).await?;
    newest_run_ends(window, "Done").await?;

    window.fill("duration…", "120").await?;
    run(window).await?;
    newest_run_says(window, "Running").await?;
    progress_moves(window).await?;
    window.click("button", "Cancel Trigger…").await?;
    newest_run_ends(window, "Cancelled").await?;
    window.shot(&format!("{name}-cancelled")).await?;

    window.click("tab", "Wire").await?;
    window.see("notifications/progress").await?;
    window.see("notifications/cancelled").await?;
    window.shot(&format!("{name}-wire")).await?;
    Ok(())
}

#[tokio::test]
async fn server_filesystem() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("note.txt");
    std::fs::write(&file, "The lamp is lit.")?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "files": { "command": npm_program("mcp-server-filesystem"), "args": [folder.path()] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Read Text File").await?;
    window.fill("path…", &file.display().to_string()).await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    newest_run_says(&window, "The lamp is lit.").await?;
    window.shot("filesystem-read").await?;

    // A path outside the allowed folder is the tool's own refusal.
    window.fill("path…", "/etc/hostname").await?;
    run(&window).await?;
    newest_run_ends(&window, "Tool reports a problem").await?;
    window.shot("filesystem-refused").await?;
    window.click("tab", "Wire").await?;
    window.see("tools/call").await?;
    window.close().await
}

#[tokio::test]
async fn python_server_time() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "time": {
            "command": python_program("mcp-server-time"),
            "args": ["--local-timezone", "Europe/Berlin"],
        } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "convert_time").await?;
    window.fill("source_timezone…", "Europe/Berlin").await?;
    window.fill("time…", "12:00").await?;
    window.fill("target_timezone…", "Asia/Tokyo").await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    newest_run_says(&window, "Asia/Tokyo").await?;
    window.shot("time-convert").await?;
    window.click("tab", "Wire").await?;
    window.see("tools/call").await?;
    window.close().await
}

/// A server that listens on a free port until it is dropped.
struct HttpServer {
    url: String,
    _child: tokio::process::Child,
}

impl HttpServer {
    async fn everything() -> Result<HttpServer> {
        let port = std::net::TcpListener::bind(("127.0.0.1", 0))?
            .local_addr()?
            .port();
        #[expect(
            clippy::disallowed_methods,
            reason = "a server that the app does not start"
        )]
        let child = tokio::process::Command::new(npm_program("mcp-server-everything"))
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        for _ in 0..600 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port))
                .await
                .is_ok()
            {
                return Ok(HttpServer {
                    url: format!("http://127.0.0.1:{port}/mcp"),
                    _child: child,
                });
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        anyhow::bail!("server-everything does not listen")
    }
}
