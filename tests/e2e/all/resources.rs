//! Resources of servers that nobody here wrote: lists and templates, previews, subscriptions, links of results.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

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
    window.click("button", "Open in Resources").await?;
    newest_run_says(&window, "Resource 1: This is a base64 blob").await?;
    window.shot("resources-everything-link").await?;

    // What is said of a piece of content beside it.
    select_tool(&window, "Get Annotated Message Tool").await?;
    // The first of its options.
    window.pick("messageType…", "0").await?;
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
           [...card.querySelectorAll('button')].find((button) => button.innerText === 'Play it')?.click();
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
