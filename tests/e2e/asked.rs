//! What servers that nobody here wrote ask for: folders, and what they see of a poorer client.

use anyhow::{Result, anyhow};
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

async fn import_everything(window: &Window) -> Result<()> {
    import(
        window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await
}

/// A list of folders, asked for at connect and again when it changes.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_hears_of_its_folders_and_of_a_poorer_client() -> Result<()> {
    let window = Window::open().await?;
    import_everything(&window).await?;
    edit(&window, "everything").await?;
    add_root(&window, 1, "/srv/first").await?;
    window.click("button", "Save").await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Get Roots List Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "URI: file:///srv/first").await?;
    edit(&window, "everything").await?;
    add_root(&window, 2, "/srv/second").await?;
    window.click("button", "Save").await?;
    window.click("tab", "Connection…").await?;
    window.see("2 roots were sent").await?;
    window.shot("asked-roots").await?;
    select_tool(&window, "Get Roots List Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "URI: file:///srv/second").await?;

    // A client that declares nothing gets no tool that would ask it.
    window.find("button", "Run").await?;
    edit(&window, "everything").await?;
    window.click("button", "Client capabilities").await?;
    choose_option(&window, "Declared as", "Nothing").await?;
    window
        .until(
            "nothing in the preview",
            "return document.querySelector('[aria-label=\"Sent in initialize\"]')?.innerText.includes('\"capabilities\": {}')",
        )
        .await?;
    window.shot("declared-nothing").await?;
    window.click("button", "Save and restart").await?;
    window.click("tab", "Tools…").await?;
    window.fill("Search tools", "Trigger").await?;
    window
        .until(
            "only the tool that asks for nothing",
            "const rows = [...document.querySelectorAll('[role=listbox][aria-label=Tools] [role=option]')];
             return rows.length === 1 && rows[0].innerText.includes('Trigger Long Running Operation Tool')",
        )
        .await?;
    window.click("tab", "Connection…").await?;
    window.see("Declares no capability").await?;
    window.shot("declared-nothing-connection").await?;
    window.close().await
}

/// Opens the settings of a server.
async fn edit(window: &Window, server: &str) -> Result<()> {
    window
        .click("button", &format!("More actions for {server}"))
        .await?;
    window.click("menuitem", "Edit").await?;
    window.see(&format!("Edit {server}")).await
}

/// Adds a folder to the settings that are open; the rows before it are there.
async fn add_root(window: &Window, number: usize, folder: &str) -> Result<()> {
    if number == 1 {
        window.click("button", "Roots").await?;
    }
    window.click("button", "Add root").await?;
    window
        .fill(&format!("Folder of root {number}"), folder)
        .await
}

/// Chooses an option of a list that opens.
async fn choose_option(window: &Window, list: &str, option: &str) -> Result<()> {
    // Where it is drawn anew at that moment, once more.
    let mut last = None;
    for _ in 0..10 {
        let select = window.find("field", &format!("{list}…")).await?;
        // Away from what lies over the edges: the buttons of a form, and messages.
        let shown = "document.querySelectorAll('select').forEach((each) => { if (each === arguments[0]) each.scrollIntoView({ block: 'center' }) })";
        window
            .client
            .execute(shown, vec![serde_json::to_value(&select)?])
            .await
            .ok();
        match select.select_by_label(option).await {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow!("there is no such list"), Into::into))
}
