//! Servers that nobody here wrote.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{browser::Browser, opener::Opener, steps::*, window::Window};

use crate::{servers::HttpServer, stage};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
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
    everything(&window, "everything-http").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_guarded_example_that_forgets_its_clients() -> Result<()> {
    let mut server = HttpServer::guarded().await?;
    let opener = Opener::new()?;
    let data = tempfile::Builder::new().prefix("sonde-e2e-").tempdir()?;
    let window = stage::start(&data, &opener, &[]).await?;
    // By that name it knows itself.
    let url = server.url().replace("127.0.0.1", "localhost");
    import(&window, json!({ "example": { "url": url } })).await?;
    window.click("button", "Connect").await?;
    let browser = Browser::new()?;
    let open = async |number| {
        window.see("Sign in to example").await?;
        window.click("button", "Open in browser").await?;
        browser.get(&opener.wait_for(number).await?).await
    };
    let page = open(1).await?;
    ensure!(page.status == 200, "{} {}", page.status, page.body);
    connected(&window).await?;
    greet(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.shot("example-signed-in").await?;

    // Its tokens, its clients and its sessions are gone. To a token that it does not know it answers
    // 500, so that nobody can tell why but the user.
    server.kill().await?;
    server.revive().await?;
    window.click("tab", "Authentication…").await?;
    window.click("button", "Sign in again").await?;
    let page = open(2).await?;
    ensure!(page.status == 400, "{} {}", page.status, page.body);
    window
        .click("button", "Does the sign-in page reject the client?")
        .await?;
    window.shot("example-register-again").await?;
    window.click("button", "Register again").await?;
    let page = open(3).await?;
    ensure!(page.status == 200, "{} {}", page.status, page.body);
    window.find("button", "Signed in…").await?;
    window.shot("example-signed-in-again").await?;
    window.click("tab", "Tools…").await?;
    window.click("button", "Reconnect").await?;
    connected(&window).await?;
    greet(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Hello, Ada!").await?;
    window.close().await
}

async fn greet(window: &Window) -> Result<()> {
    select_tool(window, "Greeting Tool").await?;
    window.fill("name…", "Ada").await?;
    run(window).await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_over_http_with_sse() -> Result<()> {
    let server = HttpServer::everything("sse", "/sse").await?;
    let window = Window::open().await?;
    // The address alone: that it is the older transport is found out.
    import(
        &window,
        json!({ "everything-sse": { "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    // What it refused meanwhile is an error in no place.
    window.click("tab", "Wire log").await?;
    window.click("button", "Errors").await?;
    window
        .until(
            "a log without errors",
            r"return [...document.querySelectorAll('[role=status]')].some((line) => /^0 of \d+$/.test(line.innerText.trim()))",
        )
        .await?;
    window.shot("everything-sse-no-errors").await?;
    window.click("button", "Errors").await?;
    window.click("tab", "Connection…").await?;
    window
        .until(
            "requests of which none failed",
            "const rows = [...document.querySelectorAll('[aria-label=\"Latency by method\"] tbody tr')];
             return rows.length > 0 && rows.every((row) => row.cells[2].innerText.trim() === '0')",
        )
        .await?;
    everything(&window, "everything-sse").await?;
    window.click("tab", "Connection…").await?;
    window.see("HTTP+SSE").await?;
    window.shot("everything-sse-connection").await?;
    window.close().await
}

/// Fill a form, run, see progress move, cancel, see the result and the frames.
async fn everything(window: &Window, name: &str) -> Result<()> {
    select_tool(window, "Get Sum Tool").await?;
    window.fill("a…", "19").await?;
    window.fill("b…", "23").await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    newest_run_says(window, "The sum of 19 and 23 is 42").await?;
    window.shot(&format!("{name}-sum")).await?;

    select_tool(window, "Trigger Long Running Operation Tool").await?;
    window.fill("duration…", "8").await?;
    window.fill("steps…", "16").await?;
    run(window).await?;
    progress_moves(window).await?;
    window.shot(&format!("{name}-progress")).await?;
    newest_run_is(window, "Done").await?;

    window.fill("duration…", "120").await?;
    run(window).await?;
    newest_run_is(window, "Running").await?;
    progress_moves(window).await?;
    window.click("button", "Cancel run Trigger…").await?;
    newest_run_is(window, "Cancelled").await?;
    window.shot(&format!("{name}-cancelled")).await?;

    window.click("tab", "Wire log").await?;
    window.see("notifications/progress").await?;
    window.see("notifications/cancelled").await?;
    window.shot(&format!("{name}-wire")).await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
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
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "The lamp is lit.").await?;
    window.shot("filesystem-read").await?;

    // A path outside the allowed folder is the tool's own refusal.
    window.fill("path…", "/etc/hostname").await?;
    run(&window).await?;
    newest_run_is(&window, "Tool error").await?;
    window.shot("filesystem-refused").await?;
    window.click("tab", "Wire log").await?;
    window.see("tools/call").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
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
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Asia/Tokyo").await?;
    window.shot("time-convert").await?;
    window.click("tab", "Connection…").await?;
    window.see("2026-07-28").await?;
    window.see("Stateless").await?;
    window.shot("time-connection").await?;
    window.click("tab", "Wire log").await?;
    window.see("tools/call").await?;
    window.close().await
}
