//! Bad input: each gets a plain sentence, the cause and the way out, and nothing is lost.

use anyhow::Result;
use serde_json::{Value, json};
use sonde_tests::{port::Port, window::Window};

use sonde_tests::steps::*;

/// The part of the window that says what went wrong.
const REPORT: &str = "Failure report";
/// What a program printed on standard error, and instead of messages.
const STDERR: &str = "Last lines of stderr";
const PRINTED: &str = "Last lines of non-JSON output";
const DETAIL: &str = "Technical details";

/// Imports one server, tries to connect, and expects these words, each in its part of the window.
async fn fails_with(
    window: &Window,
    name: &str,
    server: Value,
    words: &[(&str, &str)],
) -> Result<()> {
    let stdio = server.get("command").is_some();
    import(window, json!({ name: server })).await?;
    window.click("button", "Connect").await?;
    if stdio {
        window.see("Run this command?").await?;
        window.click("button", "Run this command").await?;
    }
    for (place, word) in words {
        window.see_in(place, word).await?;
    }
    window.find_in(Some(REPORT), "button", "Reconnect").await?;
    window.shot(&format!("bad-{name}")).await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn servers_that_cannot_work_say_why() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    let folder = tempfile::tempdir()?;
    let plain = folder.path().join("not-a-program");
    std::fs::write(&plain, "hello")?;
    let html = html_server().await?;
    let nobody = Port::reserve()?;

    fails_with(
        &window,
        "missing",
        json!({ "command": "no-such-program-here" }),
        &[
            (REPORT, "The command no-such-program-here was not found."),
            (DETAIL, "Directories searched."),
            (DETAIL, "/usr/bin"),
        ],
    )
    .await?;
    fails_with(
        &window,
        "not-executable",
        json!({ "command": plain }),
        &[
            (REPORT, "cannot be run as a program."),
            (REPORT, "not marked as executable"),
        ],
    )
    .await?;
    fails_with(
        &window,
        "pretty",
        json!({ "command": "sh", "args": ["-c", "printf '{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1\n}\n'; exit 3"] }),
        &[
            (REPORT, "wrote JSON over several lines"),
            (REPORT, "Over stdio each message is one line"),
            (PRINTED, "\"jsonrpc\": \"2.0\""),
        ],
    )
    .await?;
    fails_with(
        &window,
        "exits",
        json!({ "command": "sh", "args": ["-c", "echo the database is gone >&2; exit 7"] }),
        &[
            (REPORT, "code 7 before it responded."),
            (STDERR, "the database is gone"),
        ],
    )
    .await?;
    fails_with(
        &window,
        "no-json",
        json!({ "command": "sh", "args": ["-c", "echo Welcome to my server; exit 0"] }),
        &[
            (
                REPORT,
                "The process wrote non-JSON output to stdout and ended",
            ),
            (PRINTED, "Welcome to my server"),
        ],
    )
    .await?;
    fails_with(
        &window,
        "refused",
        json!({ "url": format!("http://{}/mcp", nobody.address()) }),
        &[(
            REPORT,
            &format!("{} refused the connection.", nobody.address()),
        )],
    )
    .await?;
    fails_with(
        &window,
        "unknown-host",
        json!({ "url": "http://no-such-host.invalid/mcp" }),
        &[(REPORT, "The host no-such-host.invalid was not found.")],
    )
    .await?;
    fails_with(
        &window,
        "html",
        json!({ "url": html }),
        &[(REPORT, "The URL returns a web page, not MCP.")],
    )
    .await?;
    let secure = html.replace("http://", "https://");
    let host = secure
        .trim_start_matches("https://")
        .trim_end_matches("/mcp");
    fails_with(
        &window,
        "not-tls",
        json!({ "url": secure }),
        &[(REPORT, &format!("No secure connection to {host}"))],
    )
    .await?;

    // The one that works never noticed.
    window.click("button", &format!("{DEMO}…")).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
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
