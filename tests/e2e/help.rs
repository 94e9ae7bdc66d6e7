//! The guide in the window: opened with a key, searched in ordinary words, and opened by a failure at what it says about
//! this failure. All of it comes with the app.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

/// A page is on show, with all of its pictures, and a heading has the focus and stands in the window.
const AT: &str = "const [page, heading] = arguments;
    const shown = document.querySelector(`[role=region][aria-label=${JSON.stringify(page)}]`);
    const at = document.activeElement;
    if (!shown?.contains(at) || !/^H[2-6]$/.test(at.tagName)) return false;
    const { top, bottom } = at.getBoundingClientRect();
    return at.innerText.trim() === heading && top >= 0 && bottom <= innerHeight";
/// Whatever the page has from anywhere but the app itself; null where it has nothing from anywhere. The web view
/// does not tell what was fetched.
const FOREIGN: &str = "const from = [...document.querySelectorAll('[src], link[href]')].map((one) => one.src ?? one.href);
    return from.length === 0 ? null : from.filter((url) => !url.startsWith(location.origin) && !/^(blob|data):/.test(url))";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_key_opens_the_guide_and_a_search_finds_a_page_by_an_ordinary_word() -> Result<()> {
    let window = Window::open().await?;
    window.see(DEMO).await?;
    window.keys(&char::from(Key::F1).to_string()).await?;
    window
        .until(
            "the search to have the focus",
            "return document.activeElement?.getAttribute('aria-label') === 'Search the help'
               || [...(document.activeElement?.labels ?? [])].some((label) => label.textContent.trim() === 'Search the help')",
        )
        .await?;
    window.keys("bigger letters").await?;
    window
        .see_in("Results", "Text size, zoom and theme")
        .await?;
    window.shot("help-search").await?;
    // The best is about presentations, the next about the window.
    for key in [Key::Down, Key::Down, Key::Enter] {
        window.keys(&char::from(key).to_string()).await?;
    }
    is_at(
        &window,
        "Panes, servers and text size",
        "Text size, zoom and theme",
    )
    .await?;

    // A page with pictures: they are the app's own. The list of all pages is there without a search.
    window.click("button", "Clear").await?;
    window.click("button", "Take the first steps").await?;
    window
        .until(
            "the pictures of the page",
            "const pictures = [...document.querySelectorAll('article img')];
             return pictures.length > 1 && pictures.every((picture) =>
               picture.complete && picture.naturalWidth === 1280 && picture.src.startsWith(location.origin))",
        )
        .await?;
    ensure!(axe(&window).await?.is_empty(), "{:?}", axe(&window).await?);
    window.shot("help-page").await?;
    offline(&window).await?;

    window.click("button", "Close").await?;
    window.find("button", "Connect").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_failure_opens_the_guide_at_what_it_says_about_it() -> Result<()> {
    let window = Window::open().await?;

    // A call that fails. Each failure has an entry of its own.
    connect(&window).await?;
    select_tool(&window, "Trouble: a door that will not open").await?;
    run(&window).await?;
    newest_run_is(&window, "Tool error").await?;
    help_at(
        &window,
        "Runs, newest first",
        "Troubleshooting: runs",
        "The tool returned an error",
    )
    .await?;
    window.shot("help-call").await?;
    window.click("button", "Close").await?;
    newest_run_is(&window, "Tool error").await?;

    // A connection that fails. Port 9 (discard) is open nowhere today.
    import(
        &window,
        json!({ "weather": { "url": "http://127.0.0.1:9/mcp" } }),
    )
    .await?;
    window.click_in(None, "button", "Connect").await?;
    window.see("refused the connection").await?;
    help_at(
        &window,
        "Failure report",
        "Troubleshooting: connecting",
        "… refused the connection.",
    )
    .await?;
    window.shot("help-connection").await?;
    offline(&window).await?;
    window.click("button", "Close").await?;
    window.see("refused the connection").await?;
    window.close().await
}

/// Presses Help beside a failure, which leads to this place. The list of servers has a button for help in general.
async fn help_at(window: &Window, failure: &str, page: &str, heading: &str) -> Result<()> {
    window.click_in(Some(failure), "button", "Help").await?;
    is_at(window, page, heading).await
}

async fn is_at(window: &Window, page: &str, heading: &str) -> Result<()> {
    window
        .until_with(
            &format!("“{heading}” of “{page}”"),
            AT,
            vec![json!(page), json!(heading)],
        )
        .await?;
    Ok(())
}

/// Nothing on the page is from any other machine.
async fn offline(window: &Window) -> Result<()> {
    let foreign = window.js(FOREIGN, vec![]).await?;
    ensure!(foreign == json!([]), "not the app's own: {foreign}");
    Ok(())
}
