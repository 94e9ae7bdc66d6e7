//! A run as a program: what is copied does the same outside of the app.

use std::{path::Path, process::Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use sonde_tests::{
    LIMIT,
    http_server::HttpServer,
    processes,
    steps::*,
    window::{Window, root},
};
use tokio::{process::Command, time::timeout};

/// With these a program begins that was copied.
const CURL: &str = "curl ";
const TYPESCRIPT: &str = "// npm install @modelcontextprotocol/sdk";
const PYTHON: &str = "# pip install \"mcp";

/// Copies the newest run in this language.
async fn copied_as(window: &Window, language: &str, begin: &str) -> Result<String> {
    window.click("button", "More actions for this run").await?;
    window
        .click_native("menuitem", &format!("Copy as {language}"))
        .await?;
    window.copied(begin).await
}

#[expect(
    clippy::disallowed_methods,
    reason = "a program that the user copied out of the app"
)]
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs it to its end, and answers whether it was content and what it printed.
async fn output_of(command: &mut Command) -> Result<(bool, String, String)> {
    let child = processes::spawn(command)?;
    let output = timeout(*LIMIT, child.wait_with_output())
        .await
        .context("the program does not end")??;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    ))
}

/// Returns the output of a program, which must succeed.
async fn printed_by(command: &mut Command) -> Result<String> {
    let (done, out, err) = output_of(command).await?;
    ensure!(done, "it failed:\n{out}\n{err}");
    Ok(out)
}

/// The first text of a tool's result.
fn text_of(result: &Value) -> Result<&str> {
    result["content"][0]["text"]
        .as_str()
        .with_context(|| format!("no text in {result}"))
}

/// Runs it with the official SDK, as an editor would save it: there are no types in it, so that it is JavaScript too.
async fn run_typescript(folder: &Path, program: &str) -> Result<Value> {
    let packages = folder.join("node_modules");
    if !packages.exists() {
        std::os::unix::fs::symlink(root().join("tests/peers/node_modules"), packages)?;
    }
    let file = folder.join("program.mjs");
    std::fs::write(&file, program)?;
    let printed = printed_by(command("node").arg(&file)).await?;
    serde_json::from_str(&printed).with_context(|| printed)
}

/// Runs it with the official SDK.
async fn run_python(folder: &Path, program: &str) -> Result<Value> {
    let file = folder.join("program.py");
    std::fs::write(&file, program)?;
    let printed = printed_by(command(&python_program("python")).arg(&file)).await?;
    serde_json::from_str(&printed).with_context(|| printed)
}

/// Opens a session of one's own at a server that wants one, and answers its id.
async fn session_at(url: &str) -> Result<String> {
    let opening = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "curl", "version": "1" },
    } });
    let head = printed_by(command("curl").args([
        "--silent",
        "--show-error",
        "--dump-header",
        "-",
        "--header",
        "content-type: application/json",
        "--header",
        "accept: application/json, text/event-stream",
        "--data-raw",
        &opening.to_string(),
        url,
    ]))
    .await?;
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
        .map(|(_, value)| value.trim().to_owned())
        .with_context(|| format!("no session in {head}"))
}

/// A window with the reference server over Streamable HTTP, of which the sum of 19 and 23 was just asked for.
async fn sum_of_everything() -> Result<(HttpServer, Window)> {
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

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_run_copied_as_a_program_gives_the_same_result_when_it_is_executed() -> Result<()> {
    const SUM: &str = "The sum of 19 and 23 is 42";
    let folder = tempfile::tempdir()?;
    let (server, window) = sum_of_everything().await?;
    newest_run_says(&window, SUM).await?;

    // The session is a secret, so it is asked for; with one of one's own it works.
    let curl = copied_as(&window, "curl", CURL).await?;
    let (done, out, err) = output_of(command("sh").args(["-c", &curl])).await?;
    ensure!(
        !done && out.is_empty() && err.contains("MCP_SESSION_ID"),
        "{out}\n{err}"
    );
    let session = session_at(&server.url()).await?;
    let printed = printed_by(
        command("sh")
            .args(["-c", &curl])
            .env("MCP_SESSION_ID", session),
    )
    .await?;
    let answer = printed
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .find_map(|data| serde_json::from_str::<Value>(data).ok())
        .with_context(|| format!("no response in {printed}"))?;
    ensure!(text_of(&answer["result"])?.contains(SUM), "{answer}");

    let program = copied_as(&window, "TypeScript", TYPESCRIPT).await?;
    let result = run_typescript(folder.path(), &program).await?;
    ensure!(text_of(&result)?.contains(SUM), "{result}");
    let program = copied_as(&window, "Python", PYTHON).await?;
    let result = run_python(folder.path(), &program).await?;
    ensure!(text_of(&result)?.contains(SUM), "{result}");

    // Of a server that is a process: each program starts its own.
    window.click("button", &format!("{DEMO}…")).await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window
        .fill("Your name…", "Grace \"Amazing\" Hopper")
        .await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    let name = "Grace \"Amazing\" Hopper";
    newest_run_says(&window, name).await?;
    // The clipboard has the program before this one until the new one is there.
    let program = copied_as(&window, "TypeScript", TYPESCRIPT).await?;
    let result = run_typescript(folder.path(), &program).await?;
    newest_run_says(&window, text_of(&result)?).await?;
    ensure!(text_of(&result)?.contains(name), "{result}");
    let program = copied_as(&window, "Python", PYTHON).await?;
    let result = run_python(folder.path(), &program).await?;
    newest_run_says(&window, text_of(&result)?).await?;
    ensure!(text_of(&result)?.contains(name), "{result}");
    window.close().await
}
