//! Resources of servers that nobody here wrote: lists and templates, previews, subscriptions, links of results, and
//! one of 50 MB.

use std::{collections::BTreeMap, fs};

use anyhow::{Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use sonde_tests::{
    stdio_peer::{Step, script},
    steps::*,
    window::{Start, Window},
};

/// Presses Read and waits for its result.
async fn read(window: &Window) -> Result<()> {
    run_by(window, "Read").await?;
    newest_run_is(window, "Done").await
}

/// Waits until the part about the subscription begins so.
async fn subscription_says(window: &Window, begin: &str) -> Result<()> {
    window
        .until_with(
            &format!("the subscription to say “{begin}”"),
            "return document.querySelector('[aria-label=Subscription] [role=status]')?.innerText.startsWith(arguments[0])",
            vec![json!(begin)],
        )
        .await?;
    Ok(())
}

/// After a handshake: a request for each subscription.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn resources_of_server_everything() -> Result<()> {
    const TOGGLE: &str = "Toggle Subscriber Updates";
    let window = Window::open().await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    open_item(&window, "resources", "architecture.md").await?;
    read(&window).await?;
    newest_run_shows(
        &window,
        "Markdown with a heading",
        "card.querySelector('[aria-label^=Text] :is(h1, h2, h3, h4)')?.innerText.includes('Architecture')",
    )
    .await?;
    window.shot("resources-everything").await?;

    window.click("button", "Subscribe").await?;
    subscription_says(&window, "Subscribed. No update yet.").await?;
    select_tool(&window, TOGGLE).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("tab", "Resources…").await?;
    subscription_says(&window, "Updated ").await?;
    window
        .until(
            "the mark of the update in the list",
            "const row = document.querySelector('[role=listbox][aria-label=Resources] [role=option][aria-selected=true]');
             return row.innerText.includes('Updated') && !!row.querySelector('[aria-label=Subscribed]')",
        )
        .await?;
    window.see("Not read since").await?;
    window.shot("resources-everything-updated").await?;
    // It goes on for as long as it is not switched off.
    select_tool(&window, TOGGLE).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("tab", "Resources…").await?;
    read(&window).await?;
    window.see_not("Not read since").await?;
    window.click("button", "Unsubscribe").await?;
    window.see("Not subscribed.").await?;

    open_item(&window, "resource templates", "Dynamic Text Resource").await?;
    take_suggestion(&window, "resourceId", "7", &["7"]).await?;
    window
        .until(
            "the URI of the template",
            "return document.querySelector('[aria-label=\"Expanded URI\"] code')?.innerText === 'demo://resource/dynamic/text/7'",
        )
        .await?;
    read(&window).await?;
    newest_run_says(&window, "Resource 7: This is a plaintext resource").await?;

    // A link of a result opens here.
    select_tool(&window, "Get Resource Links Tool").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    let before = runs(&window).await?;
    window.click("button", "Open in Resources").await?;
    window
        .until_with(
            "the reading of the link",
            "return document.querySelectorAll('[aria-label=\"Runs, newest first\"] article').length > arguments[0]",
            vec![json!(before)],
        )
        .await?;
    newest_run_says(&window, "Resource 1: This is a base64 blob").await?;
    window.shot("resources-everything-link").await?;

    // What is said of a piece of content beside it.
    select_tool(&window, "Get Annotated Message Tool").await?;
    let kind = window.find("field", "messageType…").await?;
    // The first of its options.
    kind.select_by_value("0").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "For the user and the model · Priority 1").await?;
    window.shot("content-annotations").await?;
    window.close().await
}

/// Without a handshake: one subscription with a filter.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn resources_of_the_python_sdk() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "contents": python_server("contents_server.py") }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    // Icons, annotations and metadata of an item.
    open_item(&window, "resources", "Read me").await?;
    window.see("0.9").await?;
    window.click("button", "1 icon").await?;
    window
        .until(
            "the picture of the icon",
            "return document.querySelector('[aria-label=Icons] img')?.naturalWidth === 16",
        )
        .await?;
    window.click("button", "_meta").await?;
    window.see("example.com/shelf").await?;
    window.shot("resources-python-extras").await?;
    for (name, what, shown) in PREVIEWS {
        open_item(&window, "resources", name).await?;
        read(&window).await?;
        newest_run_shows(&window, what, shown).await?;
    }
    window.shot("resources-python-bytes").await?;

    open_item(&window, "resource templates", "A town").await?;
    take_suggestion(&window, "country", "s", &["Scotland"]).await?;
    // The country that was chosen goes along.
    take_suggestion(&window, "town", "", &["Leith", "Oban", "Wick"]).await?;
    read(&window).await?;
    newest_run_says(&window, "Leith lies in Scotland.").await?;
    open_item(&window, "resource templates", "search").await?;
    window.fill("shelf", "shelf").await?;
    window
        .see("100 of 250 suggestions; type to find the others")
        .await?;
    window.shot("resources-python-suggestions").await?;
    take_suggestion(&window, "shelf", "shelf-24", &SHELVES).await?;
    window.fill("most", "a b").await?;
    window
        .until(
            "the URI of the template",
            "return document.querySelector('[aria-label=\"Expanded URI\"] code')?.innerText === 'contents://search/shelf-240?most=a%20b'",
        )
        .await?;
    read(&window).await?;
    newest_run_says(&window, "a b").await?;

    open_item(&window, "resources", "clock").await?;
    read(&window).await?;
    window.click("button", "Subscribe").await?;
    subscription_says(&window, "Subscribed. No update yet.").await?;
    select_tool(&window, "Tick").await?;
    run(&window).await?;
    newest_run_says(&window, "The clock has 1 ticks.").await?;
    window.click("tab", "Resources…").await?;
    subscription_says(&window, "Updated ").await?;
    window
        .click_in(Some("Subscription"), "button", "Read again")
        .await?;
    newest_run_is(&window, "Done").await?;
    window
        .click("button", "Compare with the previous reading")
        .await?;
    window
        .until(
            "the difference between both readings",
            "return document.querySelector('[aria-label=Differences]')?.innerText.includes('ticks')",
        )
        .await?;
    window.shot("resources-python-compared").await?;
    window.close().await
}

const SHELVES: [&str; 10] = [
    "shelf-240",
    "shelf-241",
    "shelf-242",
    "shelf-243",
    "shelf-244",
    "shelf-245",
    "shelf-246",
    "shelf-247",
    "shelf-248",
    "shelf-249",
];

/// A resource, and what its reading has to hold: in words, and as an expression about `card`.
const PREVIEWS: [(&str, &str, &str); 7] = [
    (
        "Read me",
        "Markdown with emphasis",
        "card.querySelector('[aria-label^=Text] strong')?.innerText === 'every kind'",
    ),
    (
        "towns",
        "JSON as a tree",
        "(() => {
           const tree = [...card.querySelectorAll('label')].find((label) => label.textContent === 'JSON');
           if (tree && !tree.querySelector('input')?.checked) tree.click();
           return [...card.querySelectorAll('[role=treeitem]')].some((row) => row.textContent.includes('Norway'));
         })()",
    ),
    (
        "source",
        "source by line",
        "[...card.querySelectorAll('[aria-label^=\"Source text\"] [data-row]')].filter((row) => row.textContent.trim() !== '').length === 3",
    ),
    (
        "photo",
        "a picture of 48 pixels",
        "card.querySelector('img')?.naturalWidth === 48",
    ),
    (
        "sound",
        "a sound, or that it cannot be played",
        "(() => {
           const sound = card.querySelector('audio');
           return (sound && Math.abs(sound.duration - 0.1) < 0.01) || /cannot be played here/.test(card.innerText);
         })()",
    ),
    (
        "film",
        "a film that plays, or that it cannot",
        "(() => {
           [...card.querySelectorAll('button')].find((button) => button.innerText === 'Show it')?.click();
           const film = card.querySelector('video');
           return (film?.videoWidth === 32 && film.readyState >= 2) || /cannot be played here/.test(card.innerText);
         })()",
    ),
    (
        "bytes",
        "bytes in hexadecimal digits, and a way to save them",
        "card.querySelector('[aria-label^=Bytes]')?.innerText.includes('00000000  00 01 02')
           && [...card.querySelectorAll('button')].some((button) => /^Save/.test(button.innerText))",
    ),
];

/// A text of 50 MB is shown like that of a tool: some rows of it are in the page.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_resource_of_50_mb_is_read_by_row() -> Result<()> {
    const SIZE: u64 = 50_000_000;
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "resources": {}, "tools": {} },
                "serverInfo": { "name": "large", "version": "1" },
            }),
        ),
        (
            "tools/list".to_owned(),
            json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }] }),
        ),
        (
            "resources/list".to_owned(),
            json!({ "resources": [{ "uri": "large://text", "name": "large" }] }),
        ),
        (
            "resources/templates/list".to_owned(),
            json!({ "resourceTemplates": [] }),
        ),
    ]);
    let steps = [
        Step::Serve {
            results,
            until: Some("resources/read".to_owned()),
        },
        Step::EmitLong {
            before: "{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{\"contents\":[{\"uri\":\"large://text\",\"mimeType\":\"text/plain\",\"text\":\"First line.\\n".to_owned(),
            size: SIZE,
            after: "\\nLast line.\"}]}}\n".to_owned(),
        },
        Step::AwaitEof,
    ];
    let window = Window::open().await?;
    import(
        &window,
        json!({ "large": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(steps) } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    open_item(&window, "resources", "large").await?;
    read(&window).await?;
    newest_run_shows(
        &window,
        "its first rows and few of all",
        "(() => {
           const rows = [...card.querySelectorAll('[data-row]')];
           return rows.some((row) => row.textContent.includes('First line.')) && rows.length < 200
             && card.textContent.length < 1_000_000;
         })()",
    )
    .await?;
    window.shot("resource-of-50-mb").await?;
    newest_run_shows(
        &window,
        "its last row",
        "(() => {
           const scroller = card.querySelector('[data-row-layer]').closest('[data-focus]');
           scroller.scrollTop = scroller.scrollHeight;
           return [...card.querySelectorAll('[data-row]')].some((row) => row.textContent.includes('Last line.'));
         })()",
    )
    .await?;
    window.close().await
}

/// Several contents of one reading, what differs from the list, and what is saved of them.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn several_contents_are_compared_with_the_list_and_saved() -> Result<()> {
    let bytes: Vec<u8> = (0..=255).rev().collect();
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "resources": {} },
                "serverInfo": { "name": "several", "version": "1" },
            }),
        ),
        (
            "resources/list".to_owned(),
            json!({ "resources": [
                { "uri": "several://all", "name": "all", "mimeType": "text/plain", "size": 4_000 },
            ] }),
        ),
        (
            "resources/templates/list".to_owned(),
            json!({ "resourceTemplates": [] }),
        ),
        (
            "resources/read".to_owned(),
            json!({ "contents": [
                { "uri": "several://all", "mimeType": "text/plain", "text": "The first." },
                {
                    "uri": "several://bytes",
                    "mimeType": "application/octet-stream",
                    "blob": STANDARD.encode(&bytes),
                    "_meta": { "example.org/place": 2 },
                },
            ], "_meta": { "example.org/of": "the result" } }),
        ),
    ]);
    let steps = [
        Step::Serve {
            results,
            until: None,
        },
        Step::AwaitEof,
    ];
    let home = tempfile::tempdir()?;
    let start = Start {
        env: [("HOME".to_owned(), home.path().display().to_string())].into(),
        ..Start::default()
    };
    let window = Window::start(start).await?;
    import(
        &window,
        json!({ "several": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(steps) } }),
    )
    .await?;
    // It has no tools.
    window.click("button", "Connect").await?;
    window.click("button", "Run this command").await?;
    window.find("button", "Disconnect").await?;
    open_item(&window, "resources", "all").await?;
    read(&window).await?;
    newest_run_says(&window, "2 contents of one reading").await?;
    newest_run_says(&window, "The first.").await?;
    newest_run_says(
        &window,
        "The list of resources says 4000 bytes, and reading gave 10.",
    )
    .await?;
    window.click("button", "_meta of the result").await?;
    newest_run_says(&window, "example.org/of").await?;
    window
        .click_in(Some("Binary data, block 2"), "button", "Save")
        .await?;
    window.see("Saved as").await?;
    let saved = fs::read_dir(home.path())?.filter_map(|entry| Some(entry.ok()?.path()));
    let saved: Vec<_> = saved.filter(|path| path.is_file()).collect();
    ensure!(saved.len() == 1, "{saved:?}");
    ensure!(fs::read(&saved[0])? == bytes, "other bytes were saved");
    window.shot("resources-several").await?;
    window.close().await
}
