//! Servers that are pasted, that other clients have, and that a link brings.

use std::{ffi::OsStr, fs};

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    LIMIT, processes,
    steps::*,
    window::{Start, Window, files},
};
use tokio::time::timeout;

use crate::{leaks::Canary, preparing::press, servers::HttpServer};

const CANARY: &str = "sk-canary41c7e90b6d";
const GREETS: &str = "Say hello to the keeper";
/// What stands before a pasted command line, as a shell takes it.
const ASSIGNED: &str = "sk-canary-0b93fe7c52";

/// What the window's page is told when the user presses Ctrl+V outside of a field.
pub(crate) async fn paste(window: &Window, text: &str) -> Result<()> {
    window
        .js(
            "const event = new Event('paste', { bubbles: true, cancelable: true });
             Object.defineProperty(event, 'clipboardData', { value: { getData: () => arguments[0] } });
             document.body.dispatchEvent(event);",
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn pasted_commands_are_shown_and_added_with_their_secrets_in_the_keyring() -> Result<()> {
    let window = Window::open().await?;
    let server = npm_program("mcp-server-everything");
    window.find("button", &format!("{DEMO}…")).await?;
    paste(&window, &format!("API_TOKEN={ASSIGNED} {server}")).await?;
    window.see("Recognized: A command line").await?;
    window.see_in("Recognized servers", &server).await?;
    window.see_in("Recognized servers", "API_TOKEN=").await?;
    let secret = Canary::new(ASSIGNED);
    secret.is_not_in_page(&window).await?;
    window.shot("paste-assignment").await?;
    window.click("button", "Add and connect").await?;
    window.see("Run this command?").await?;
    window.see_in("Run this command?", "API_TOKEN").await?;
    ensure!(!window.text().await?.contains(ASSIGNED));
    window.click("button", "Run this command").await?;
    connected(&window).await?;
    ensure!(secret.in_keyring()? == 1, "the keyring has it once");
    secret.is_in_no_file(window.data_folder())?;
    secret.is_not_in_page(&window).await?;

    paste(
        &window,
        &format!("claude mcp add --scope user -e API_TOKEN={CANARY} everything -- {server} stdio"),
    )
    .await?;
    window.see("Recognized: A claude mcp add command").await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "everything")
        .await?;
    window.shot("paste").await?;
    window.click("button", "Add 1 server").await?;
    confirm_and_connect(&window).await?;
    window.close().await
}

/// What the user types where a configuration of VS Code asks for it.
const KEY: &str = "canary-harbour-62d1a9";

/// What the window's page is told when a text is dragged over it and dropped there.
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

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn servers_of_other_clients_are_imported_and_come_back_from_an_export() -> Result<()> {
    let home = tempfile::tempdir()?;
    let data = tempfile::tempdir()?;
    let write = |path: &str, text: &str| -> Result<()> {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().context("it has a folder")?)?;
        Ok(fs::write(path, text)?)
    };
    let notes = json!({ "mcpServers": { "notes": {
        "command": "touch", "args": [home.path().join("ran")], "env": { "NOTES_TOKEN": CANARY },
    } } });
    write(
        ".config/Claude/claude_desktop_config.json",
        &notes.to_string(),
    )?;
    write(
        ".codex/config.toml",
        "[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\n",
    )?;
    write(
        ".config/goose/config.yaml",
        "extensions:\n  clock:\n    type: stdio\n    cmd: uvx\n    args: [mcp-server-time]\n",
    )?;
    // The other clients have one server each, in the words of each.
    let at = |name: &str| json!({ name: { "command": "uvx", "args": [name] } });
    let others = [
        (
            ".claude.json",
            json!({ "mcpServers": at("of-claude-code") }),
        ),
        (
            ".config/Code/User/mcp.json",
            json!({ "servers": at("of-vs-code") }),
        ),
        (".cursor/mcp.json", json!({ "mcpServers": at("of-cursor") })),
        (
            ".codeium/windsurf/mcp_config.json",
            json!({ "mcpServers": at("of-windsurf") }),
        ),
        (
            ".cline/data/settings/cline_mcp_settings.json",
            json!({ "mcpServers": at("of-cline") }),
        ),
        (
            ".config/zed/settings.json",
            json!({ "context_servers": at("of-zed") }),
        ),
        (
            ".gemini/settings.json",
            json!({ "mcpServers": at("of-gemini") }),
        ),
    ];
    for (path, servers) in &others {
        write(path, &servers.to_string())?;
    }
    let environment = [
        ("HOME", home.path().to_owned()),
        ("XDG_CONFIG_HOME", home.path().join(".config")),
        ("CODEX_HOME", home.path().join(".codex")),
    ];
    let start = Start {
        data: Some(data.path().to_owned()),
        env: environment
            .map(|(name, folder)| (name.to_owned(), folder.display().to_string()))
            .into(),
        ..Start::default()
    };
    let window = Window::start(start).await?;
    window.click("button", "Import from other clients").await?;
    window.see("10 servers in 10 files.").await?;
    let found = axe(&window).await?;
    ensure!(found.is_empty(), "the import: {found:#?}");
    window.shot("installed").await?;
    window.click("button", "Add 10 servers").await?;
    for name in [
        "notes",
        "docs",
        "clock",
        "of-claude-code",
        "of-vs-code",
        "of-cursor",
        "of-windsurf",
        "of-cline",
        "of-zed",
        "of-gemini",
    ] {
        window.find("button", &format!("{name}…")).await?;
    }
    assert!(!home.path().join("ran").exists(), "an import ran something");
    assert!(!window.text().await?.contains(CANARY));
    // A driver is not asked for a place; without a folder for downloads it is the home folder.
    window.click("button", "notes…").await?;
    window.click("button", "More actions for notes").await?;
    window.click("menuitem", "Copy as configuration").await?;
    window.click("button", "Save to a file").await?;
    window.see("Saved as").await?;
    let saved = fs::read_to_string(home.path().join("notes - Claude Code.json"))?;
    assert!(
        saved.contains("${NOTES_TOKEN}") && !saved.contains(CANARY),
        "{saved}"
    );
    // Each client has its words for it, or a reason why it has none; a secret is in none of them.
    for (client, says) in [
        ("claude_desktop", "\"mcpServers\""),
        ("claude_code", "\"mcpServers\""),
        ("vs_code", "\"servers\""),
        ("cursor", "\"mcpServers\""),
        ("windsurf", "\"mcpServers\""),
        ("cline", "\"mcpServers\""),
        ("zed", "\"context_servers\""),
        ("gemini_cli", "\"mcpServers\""),
        ("goose", "extensions:"),
        ("opencode", "\"mcp\""),
        ("codex", "[mcp_servers.notes]"),
    ] {
        window
            .find("field", "Client")
            .await?
            .select_by_value(client)
            .await?;
        window.see_in("Configuration", says).await?;
        window.see_in("Configuration", "NOTES_TOKEN").await?;
        assert!(!window.text().await?.contains(CANARY), "{client}");
    }
    let found = axe(&window).await?;
    ensure!(found.is_empty(), "the export: {found:#?}");
    window
        .see_in("Configuration", "[mcp_servers.notes]")
        .await?;
    window.click("button", "Save to a file").await?;
    window.see("notes - Codex").await?;
    window.click("button", "Close").await?;

    // The files bring it back on a computer that does not have it.
    let command = format!("touch {}", home.path().join("ran").display());
    for (file, recognized) in [
        ("notes - Claude Code.json", "Configuration in JSON"),
        ("notes - Codex.toml", "A Codex configuration (TOML)"),
    ] {
        window.click("button", "More actions for notes").await?;
        window.click("menuitem", "Remove").await?;
        list_has(&window, "notes", false).await?;
        open_with(&window, home.path().join(file)).await?;
        window.see(&format!("Recognized: {recognized}")).await?;
        window
            .find_in(Some("Recognized servers"), "checkbox", "notes")
            .await?;
        window.see_in("Recognized servers", &command).await?;
        window.see_in("Recognized servers", "NOTES_TOKEN=").await?;
        window.click("button", "Add 1 server").await?;
        list_has(&window, "notes", true).await?;
    }
    assert!(!home.path().join("ran").exists(), "an import ran something");
    window.close().await?;
    for file in files(data.path())? {
        let bytes = fs::read(&file)?;
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(CANARY), "{}", file.display());
    }
    Ok(())
}

/// Waits until the list of servers has one of this name, or none.
async fn list_has(window: &Window, name: &str, there: bool) -> Result<()> {
    window
        .until_with(
            &format!("the list of servers to have {name}: {there}"),
            "const [name, there] = arguments;
             const names = [...document.querySelectorAll('nav [data-select]')].map((row) => row.title.split('\\n')[0]);
             return names.includes(name) === there",
            vec![json!(name), json!(there)],
        )
        .await?;
    Ok(())
}

/// Starts the app as the system does for a link or a file, while it runs.
#[expect(
    clippy::disallowed_methods,
    reason = "the app itself, as the system starts it"
)]
pub(crate) async fn open_with(window: &Window, argument: impl AsRef<OsStr>) -> Result<()> {
    let mut second = tokio::process::Command::new(std::env::var("SONDE_APP")?);
    second
        .arg(argument)
        .env("SONDE_DATA_DIR", window.data_folder());
    let mut second = processes::spawn(&mut second)?;
    let status = timeout(LIMIT, second.wait())
        .await
        .context("the second instance stayed")??;
    assert!(status.success(), "{status}");
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_file_shows_what_it_would_add() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("my servers.json");
    fs::write(
        &file,
        r#"{"mcpServers":{"opened":{"command":"touch","args":["ran"]}}}"#,
    )?;
    let window = Window::open().await?;
    open_with(&window, &file).await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "opened")
        .await?;
    window.see("touch ran").await?;

    // Of files that are dropped the first is read, and it is said that the others are not.
    let fire = "const [kind] = arguments;
         const event = new Event(kind, { bubbles: true, cancelable: true });
         const file = (name) => new File([`{\"mcpServers\":{\"${name}\":{\"command\":\"touch\"}}}`], `${name}.json`);
         const dataTransfer = { types: ['Files'], files: [file('dropped'), file('left')], getData: () => '' };
         Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
         document.querySelector('main').dispatchEvent(event);";
    window.js(fire, vec![json!("dragover")]).await?;
    window.see("Drop to import servers").await?;
    window.js(fire, vec![json!("drop")]).await?;
    window
        .see("“dropped.json” was read. 1 other file was not")
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "dropped")
        .await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_link_shows_what_it_would_add() -> Result<()> {
    let window = Window::open().await?;
    let config = "%7B%22command%22%3A%22touch%22%2C%22args%22%3A%5B%22ran%22%5D%7D";
    open_with(&window, format!("sonde://add?name=linked&config={config}")).await?;
    window
        .see("Recognized: A link that adds a server to Sonde")
        .await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", "linked")
        .await?;
    window.see("touch ran").await?;
    window.shot("link").await?;
    let servers = window
        .js(
            "return [...document.querySelectorAll('[data-server]')].length",
            vec![],
        )
        .await?;
    assert_eq!(servers, json!(1), "the link added a server by itself");
    window.click("button", "Add 1 server").await?;
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    window.close().await
}
