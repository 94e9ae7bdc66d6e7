//! Servers that are pasted as commands, and those that other clients have.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sonde_tests::{
    steps::*,
    window::{Start, Window, files},
};

use super::giving::open_with;
use crate::{keys::paste, leaks::Canary};

const CANARY: &str = "sk-canary41c7e90b6d";
/// The prefix of a pasted command line, as a shell takes it.
const ASSIGNED: &str = "sk-canary-0b93fe7c52";

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
        window.pick("Client", client).await?;
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
        list_has_notes(&window, false).await?;
        open_with(&window, home.path().join(file)).await?;
        window.see(&format!("Recognized: {recognized}")).await?;
        window
            .find_in(Some("Recognized servers"), "checkbox", "notes")
            .await?;
        window.see_in("Recognized servers", &command).await?;
        window.see_in("Recognized servers", "NOTES_TOKEN=").await?;
        window.click("button", "Add 1 server").await?;
        list_has_notes(&window, true).await?;
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

/// Waits until the list of servers has the notes, or not.
async fn list_has_notes(window: &Window, there: bool) -> Result<()> {
    window
        .until_with(
            &format!("the list of servers to have the notes: {there}"),
            "const names = [...document.querySelectorAll('nav [data-select]')].map((row) => row.dataset.tip);
             return names.includes('notes') === arguments[0]",
            vec![json!(there)],
        )
        .await?;
    Ok(())
}
