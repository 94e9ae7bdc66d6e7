//! Servers that are pasted from the clipboard and dropped on the window.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{http_server::HttpServer, steps::*, window::Window};

use crate::{
    keys::{paste, press},
    leaks::Canary,
};

const GREETS: &str = "Say hello to the keeper";

/// The value that the user types where a configuration of VS Code asks for it.
const KEY: &str = "canary-harbour-62d1a9";

/// Events of the page when a text is dragged over it and dropped there.
async fn drop_text(window: &Window, text: &str) -> Result<()> {
    let fire = "const [kind, text] = arguments;
         const event = new Event(kind, { bubbles: true, cancelable: true });
         Object.defineProperty(event, 'dataTransfer', { value: { types: ['text/plain'], files: [], getData: () => text } });
         document.querySelector('main').dispatchEvent(event);";
    window
        .js(fire, vec![json!("dragover"), json!(text)])
        .await?;
    window.see("Drop to import servers").await?;
    window.js(fire, vec![json!("drop"), json!(text)]).await?;
    window.see_not("Drop to import servers").await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_pasted_url_and_a_dropped_configuration_of_vs_code_are_shown_added_and_connected()
-> Result<()> {
    let http = HttpServer::everything("streamableHttp", "/mcp").await?;
    let window = Window::open().await?;
    window.click("button", &format!("{DEMO}…")).await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    // By the keys, with the focus in a list; the text comes from another program.
    window
        .until(
            "the tool list to take the focus",
            "const list = document.querySelector('[role=listbox][aria-label=Tools]');
             list?.focus();
             return list !== null && list === document.activeElement",
        )
        .await?;
    let copied = window.copy(&http.url()).await?;
    press(&window, Key::Control, 'v').await?;
    window.see("Recognized: A URL").await?;
    drop(copied);
    window.see_in("Recognized servers", &http.url()).await?;
    window.shot("paste-url").await?;
    window.click("button", "Add and connect").await?;
    connected(&window).await?;
    let host = http.url().replace("/mcp", "");
    let port = host.rsplit(':').next().context("it has a port")?;
    window
        .until_with(
            "the server at the URL",
            "return document.querySelector('main h1')?.innerText.trim().endsWith(`:${arguments[0]}`)",
            vec![json!(port)],
        )
        .await?;

    let program = npm_program("mcp-server-everything");
    // It writes down what it was started with.
    let folder = tempfile::tempdir()?;
    let told = folder.path().join("told");
    let command = format!(
        "printf %s $HARBOUR/$QUAY >> {}; exec {program} stdio",
        told.display()
    );
    let configuration = format!(
        r#"{{
  // The servers of this workspace. "url": "https://not.this.one/mcp"
  "inputs": [{{ "type": "promptString", "id": "harbour", "description": "The key of the harbour", "password": true }}],
  "servers": {{
    /* the reference server, which has all
       of the features */
    "reference": {{ "type": "stdio", "command": "sh", "args": ["-c", {command:?}], "env": {{ "HARBOUR": "${{input:harbour}}", "QUAY": "${{env:SONDE_TEST_QUAY}}" }}, }}, // the last one
  }},
}}
"#
    );
    drop_text(&window, &configuration).await?;
    window.see("Recognized: Configuration in JSON").await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "reference")
        .await?;
    window
        .see_in("Recognized servers", &format!("{program} stdio"))
        .await?;
    window.find("button", "Add 1 server").await?;
    window.shot("drop-vs-code").await?;
    window.click("button", "Add and connect").await?;
    // What VS Code asks for is asked for here, and nothing runs before.
    window.see("Values are missing.").await?;
    window.see("Enter the value of “harbour”.").await?;
    ensure!(!window.text().await?.contains("Run this command?"));
    ensure!(!told.exists(), "the server ran without its key");
    window.shot("asked-for-input").await?;
    window.fill("Value of HARBOUR", KEY).await?;
    // What is still missing is asked for too.
    window.click("button", "Save and connect").await?;
    window.see("Enter the value of “SONDE_TEST_QUAY”.").await?;
    ensure!(!told.exists(), "the server ran without its quay");
    window.fill("Value of QUAY", "north").await?;
    window.click("button", "Save and connect").await?;
    window.see("Run this command?").await?;
    window.see_in("Run this command?", "stdio").await?;
    window.click("button", "Run this command").await?;
    connected(&window).await?;
    select_tool(&window, "Echo Tool").await?;
    window.fill("message…", "dropped").await?;
    run(&window).await?;
    newest_run_says(&window, "Echo: dropped").await?;
    ensure!(
        fs::read_to_string(&told)? == format!("{KEY}/north"),
        "{told:?}"
    );
    let key = Canary::new(KEY);
    ensure!(key.in_keyring()? == 1, "the keyring has it once");
    key.is_in_no_file(window.data_folder())?;

    // A run of one server is compared with that of another.
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", "Compare with…").await?;
    window.fill("Search runs", "hello").await?;
    window
        .find_in(
            Some("Runs to compare with"),
            "option",
            &format!("{GREETS}…"),
        )
        .await?;
    window.click("button", "Compare").await?;
    window.see_in("Compare runs", "reference").await?;
    window.see_in("Compare runs", DEMO).await?;
    window.shot("compare-two-servers").await?;
    window.click("button", "Close").await?;

    let published = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json",
        "name": "io.example/harbour",
        "description": "Ships and tides.",
        "version": "1.0.0",
        "packages": [{
            "registryType": "npm",
            "identifier": "@example/harbour",
            "version": "1.0.0",
            "transport": { "type": "stdio" },
        }],
    });
    paste(&window, &published.to_string()).await?;
    window
        .see("Recognized: A server.json of the MCP registry")
        .await?;
    window
        .see_in("Recognized servers", "@example/harbour")
        .await?;
    window.close().await
}
