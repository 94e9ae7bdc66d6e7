//! Bad input: each gets a plain sentence, the cause and the way out, and nothing is lost.

use anyhow::Result;
use serde_json::{Value, json};
use sonde_tests::window::Window;

use sonde_tests::steps::*;

/// Imports one server, tries to connect, and expects these words.
async fn fails_with(window: &Window, name: &str, server: Value, words: &[&str]) -> Result<()> {
    let stdio = server.get("command").is_some();
    import(window, json!({ name: server })).await?;
    window.click("button", "Connect").await?;
    if stdio {
        window.see("Run this command?").await?;
        window.click("button", "Run this command").await?;
    }
    for word in words {
        window.see(word).await?;
    }
    window.find("button", "Reconnect").await?;
    window.shot(&format!("bad-{name}")).await?;
    Ok(())
}

#[tokio::test]
async fn servers_that_cannot_work_say_why() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    let folder = tempfile::tempdir()?;
    let plain = folder.path().join("not-a-program");
    std::fs::write(&plain, "hello")?;
    let html = html_server().await?;
    let closed = std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;

    fails_with(
        &window,
        "missing",
        json!({ "command": "no-such-program-here" }),
        &["was not found", "/usr/bin"],
    )
    .await?;
    fails_with(
        &window,
        "not-executable",
        json!({ "command": plain }),
        &["not marked as executable"],
    )
    .await?;
    fails_with(
        &window,
        "exits",
        json!({ "command": "sh", "args": ["-c", "echo the database is gone >&2; exit 7"] }),
        &["code 7", "the database is gone"],
    )
    .await?;
    fails_with(
        &window,
        "no-json",
        json!({ "command": "sh", "args": ["-c", "echo Welcome to my server; exit 0"] }),
        &["Welcome to my server"],
    )
    .await?;
    fails_with(
        &window,
        "refused",
        json!({ "url": format!("http://{closed}/mcp") }),
        &["refused"],
    )
    .await?;
    fails_with(
        &window,
        "unknown-host",
        json!({ "url": "http://no-such-host.invalid/mcp" }),
        &["no-such-host.invalid"],
    )
    .await?;
    fails_with(&window, "html", json!({ "url": html }), &["web page"]).await?;
    fails_with(
        &window,
        "not-tls",
        json!({ "url": html.replace("http://", "https://") }),
        &["secure"],
    )
    .await?;

    // The one that works never noticed.
    window.click("button", &format!("{DEMO}…")).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_ends(&window, "Done").await?;
    window.close().await
}

/// Answers everything with a page.
async fn html_server() -> Result<String> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let url = format!("http://{}/mcp", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 65536];
                let _ = stream.read(&mut request).await;
                let page = "<!doctype html><title>Welcome</title><h1>It works!</h1>";
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                    page.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    Ok(url)
}
