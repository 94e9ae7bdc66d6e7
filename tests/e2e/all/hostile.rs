//! Servers and configurations that attack whoever opens them, in the real window.

use std::{fs, os::unix::fs::PermissionsExt as _};

use anyhow::{Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use sonde_tests::{
    costly_schemas::{doubling, patterns},
    http_peer::{HttpPeer, Reply, Request},
    mcp_peer, processes,
    steps::*,
    window::Window,
};

use crate::ends::{end_from_outside, logged, page};

/// Limit for the growth of the app's own memory, in bytes. Without limits it grows by gigabytes.
const GROWTH: u64 = 256 << 20;

/// A server whose tools have costly schemas.
fn server(request: &Request) -> Reply {
    let (mut schema, value) = doubling(24);
    schema["type"] = "object".into();
    let text = json!({ "type": "string", "allOf": patterns(200, 60) });
    let capabilities = json!({ "tools": {} });
    mcp_peer::reply(request, "costly", &capabilities, |method| match method {
        "tools/list" => Some(json!({ "tools": [
            { "name": "patterns", "inputSchema": { "type": "object", "properties": { "text": text } } },
            { "name": "doubling", "inputSchema": { "type": "object" }, "outputSchema": schema },
        ] })),
        "tools/call" => Some(json!({
            "content": [{ "type": "text", "text": "the tool has run" }],
            "structuredContent": value,
        })),
        _ => None,
    })
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn schemas_that_use_up_memory_end_neither_the_app_nor_the_tool() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    let peer = HttpPeer::start(server).await;
    import(&window, json!({ "costly": { "url": peer.url() } })).await?;
    connect(&window).await?;
    let app = window.process().pid;
    let before = processes::peak_memory(app)?;

    select_tool(&window, "patterns").await?;
    window
        .see("The input schema cannot be used for validation.")
        .await?;
    window.see("needs more than its share of memory").await?;
    run(&window).await?;
    newest_run_says(&window, "the tool has run").await?;
    window.shot("hostile-patterns").await?;

    select_tool(&window, "doubling").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "the tool has run").await?;
    newest_run_says(&window, "Not checked against the tool's output schema").await?;
    newest_run_says(&window, "was stopped.").await?;
    window.shot("hostile-doubling").await?;

    let grown = processes::peak_memory(app)?.saturating_sub(before);
    ensure!(grown < GROWTH, "the app's memory grew by {grown} bytes");

    // Neither has been noticed by the others.
    window.click("button", &format!("{DEMO}…")).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.close().await?;
    ensure!(
        processes::below(app)?.is_empty(),
        "a process outlived the app"
    );
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_program_that_is_confirmed_is_the_one_that_runs() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("npx");
    let mark = folder.path().join("mark");
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0\" >'{}'\nexit 7\n", mark.display()),
    )?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;

    let window = Window::open().await?;
    // To a guess by its shape this is a key.
    let path = format!("sk-0000000000000:{}:/usr/bin:/bin", folder.path().display());
    import(
        &window,
        json!({ "helper": {
            "command": "npx",
            "args": ["-y", "@scope/server"],
            "env": { "PATH": path },
        } }),
    )
    .await?;
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    let program = program.display().to_string();
    window.see(&program).await?;
    window.see(&format!("PATH={path}")).await?;
    window
        .see("It sets PATH. It decides which program files are found and run.")
        .await?;
    window.shot("confirm-imported-path").await?;
    window.click("button", "Run this command").await?;
    window.see_in("Failure report", "code 7").await?;
    assert_eq!(fs::read_to_string(&mark)?.trim(), program);
    window.close().await
}

/// A PNG of so many pixels, as far as its head says.
fn huge_png(side: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend([side.to_be_bytes(), side.to_be_bytes()].concat());
    png.extend([1, 0, 0, 0, 0]);
    png
}

/// A server whose tool returns pictures that would take all memory or all time of the page.
fn pictures(request: &Request) -> Reply {
    const ENDLESS: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="200000"/></filter><rect width="400" height="400" filter="url(#f)"/></svg>"#;
    let image = |mime: &str, data: &[u8]| json!({ "type": "image", "mimeType": mime, "data": STANDARD.encode(data) });
    mcp_peer::reply(
        request,
        "pictures",
        &json!({ "tools": {} }),
        |method| match method {
            "tools/list" => {
                Some(json!({ "tools": [{ "name": "draw", "inputSchema": { "type": "object" } }] }))
            }
            "tools/call" => Some(json!({ "content": [
                image("image/png", &huge_png(23_000)),
                image("image/svg+xml", ENDLESS.as_bytes()),
            ] })),
            _ => None,
        },
    )
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn pictures_wait_for_a_click_and_one_without_end_ends_the_page_alone() -> Result<()> {
    let peer = HttpPeer::start(pictures).await;
    let window = Window::open().await?;
    import(&window, json!({ "pictures": { "url": peer.url() } })).await?;
    connect(&window).await?;
    select_tool(&window, "draw").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.see("A large image (23000 × 23000 px").await?;
    window
        .see("An SVG image. Drawing it can take long.")
        .await?;
    let drawn = "return [...document.querySelectorAll('img')].filter((one) => one.src.startsWith('blob:')).length";
    ensure!(window.js(drawn, vec![]).await? == json!(0), "it was drawn");

    // Pressed from within the page, whose answer the driver does not wait for.
    let press = "
        const buttons = [...document.querySelectorAll('button')].filter((one) => one.innerText === 'Show it');
        setTimeout(() => buttons.at(-1).click())";
    window.js(press, vec![]).await?;
    // The driver's session ends with the page's process: from here on, it is seen from outside.
    page(&window, 2).await?;
    ensure!(
        logged(&window, "the page does not respond")? == 1,
        "the log does not say why"
    );
    end_from_outside(window).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_process_of_the_page_is_in_a_sandbox() -> Result<()> {
    let window = Window::open().await?;
    let page = page(&window, 1).await?;
    let status = fs::read_to_string(format!("/proc/{}/status", page.pid))?;
    let has = |line: &str| {
        status
            .lines()
            .any(|one| one.split_whitespace().collect::<Vec<_>>().join(" ") == line)
    };
    // A system that forbids namespaces has none, and the log says so.
    let is_on = logged(&window, "WebKit's sandbox on=true")? == 1;
    ensure!(
        has("Seccomp: 2") == is_on && has("NoNewPrivs: 1") == is_on,
        "the log says {is_on}, the process:\n{status}"
    );
    window.close().await
}
