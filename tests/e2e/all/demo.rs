//! The demo server: what a stranger sees in the first minutes.

use anyhow::{Context as _, Result, ensure};
use sonde_tests::{steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn every_kind_of_result_is_shown() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    for (tool, state, what, shown) in KINDS {
        select_tool(&window, tool).await?;
        run(&window).await?;
        newest_run_is(&window, state).await?;
        newest_run_shows(&window, what, shown).await?;
        if tool == SHIPS {
            a_table_is_copied(&window).await?;
        }
        let name = tool.to_lowercase().replace([' ', ':'], "-");
        window.shot(&format!("result-{name}")).await?;
    }
    window.close().await
}

/// Everything of the demo server besides tools: documents of each kind, a template with suggestions, and a conversation with a
/// message of each kind.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn every_kind_of_document_and_message_is_shown() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    for (name, what, shown) in DOCUMENTS {
        open_item(&window, "resources", name).await?;
        run_by(&window, "Read").await?;
        newest_run_is(&window, "Done").await?;
        newest_run_shows(&window, what, shown).await?;
        let name = name.to_lowercase().replace(' ', "-");
        window.shot(&format!("document-{name}")).await?;
    }
    open_item(&window, "resources", "Notice to mariners").await?;
    run_by(&window, "Read").await?;
    newest_run_is(&window, "Done").await?;
    window
        .click_in(Some("Runs"), "button", "Show pages")
        .await?;
    newest_run_says(&window, "Page 1 of 1").await?;
    newest_run_shows(
        &window,
        "a page with writing on it",
        "(() => {
           const page = card.querySelector('canvas');
           if (!page || page.hidden || page.width === 0) return false;
           const { data } = page.getContext('2d').getImageData(0, 0, page.width, page.height);
           return data.some((value, at) => at % 4 === 0 && value < 64);
         })()",
    )
    .await?;
    window.shot("document-pdf").await?;

    open_item(&window, "resource templates", "Watch of a day").await?;
    take_suggestion(&window, "day", "fri", &["friday"]).await?;
    take_suggestion(&window, "watch", "", &["morning", "evening"]).await?;
    run_by(&window, "Read").await?;
    newest_run_says(&window, "Grace").await?;

    open_item(&window, "prompts", "Hand over the watch").await?;
    run_by(&window, "Get prompt").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Tide table").await?;
    newest_run_shows(
        &window,
        "text of both roles, a chart, a link, a sound and a flag",
        HANDOVER,
    )
    .await?;
    window.shot("prompt-of-every-kind").await?;

    // What it says about itself.
    window.click("tab", "About…").await?;
    window.see("https://modelcontextprotocol.io/").await?;
    window
        .until(
            "its picture",
            "return document.querySelector('[aria-label=Icons] img')?.naturalWidth === 120",
        )
        .await?;
    window.close().await
}

/// A document of the demo server, and what the card of its reading has to hold.
const DOCUMENTS: [(&str, &str, &str); 4] = [
    (
        "All charts",
        "two texts and a picture",
        "card.innerText.includes('3 contents of one reading') && card.querySelector('img')?.naturalWidth === 120",
    ),
    (
        "Sound of the foghorn",
        "a sound of 0.75 seconds, or that it cannot be played",
        "(() => {
           [...card.querySelectorAll('button')].find((button) => button.innerText === 'Play it')?.click();
           const sound = card.querySelector('audio');
           return (sound && Math.abs(sound.duration - 0.75) < 0.01) || /cannot be played here/.test(card.innerText);
         })()",
    ),
    (
        "Program of the lamp",
        "source in colours",
        "card.innerText.includes('def is_lit') && new Set([...card.querySelectorAll('[data-row] span')].map((part) => getComputedStyle(part).color)).size > 2",
    ),
    (
        "Chart of the approach",
        "Markdown, and whom it is for",
        "card.querySelector('strong')?.innerText === '040 degrees'",
    ),
];

const HANDOVER: &str = "card.querySelector('audio, [aria-label*=Audio]') && card.querySelector('img')?.naturalWidth === 160 && card.innerText.includes('Approach to Gull Rock')";
const SHIPS: &str = "List the ships in sight";

/// The table of the newest run in the clipboard, a line for each of its rows.
async fn a_table_is_copied(window: &Window) -> Result<()> {
    window.click("button", "Copy table").await?;
    window.click_native("menuitem", "Copy as CSV").await?;
    // It is in sight for three seconds.
    window.see("12 rows copied as CSV").await?;
    let copied = window.copied("name,kind,").await?;
    ensure!(copied.lines().count() == 13, "{copied}");
    let name = window
        .js(
            "return document.querySelector('[role=table] [role=rowgroup] [role=cell]').innerText",
            vec![],
        )
        .await?;
    let name = name.as_str().context("the first ship")?;
    ensure!(
        copied
            .lines()
            .nth(1)
            .is_some_and(|line| line.starts_with(name)),
        "{name}: {copied}"
    );
    Ok(())
}

/// A tool of the demo server, how its call ends, and what its card has to hold then: in words, and as
/// an expression about `card`.
const KINDS: [(&str, &str, &str, &str); 9] = [
    (
        "Read the daily report",
        "Done",
        "Markdown with a heading, a list and a table",
        "(() => {
           const text = card.querySelector('[aria-label^=Text]');
           return text && ['h1, h2, h3, h4', 'li', 'table td'].every((part) => text.querySelector(part)?.innerText);
         })()",
    ),
    (
        SHIPS,
        "Done",
        "a table of ships",
        "card.querySelectorAll('table tr, [role=table] [role=row]').length > 10",
    ),
    (
        "Paint the view",
        "Done",
        "a picture of 320 pixels",
        "card.querySelector('img')?.naturalWidth === 320",
    ),
    (
        "Sound the foghorn",
        "Done",
        "a sound of 1.5 seconds, or that it cannot be played",
        SOUND,
    ),
    (
        "Find the sea charts",
        "Done",
        "links to resources with their addresses",
        "card.querySelectorAll('[aria-label^=\"Resource link\"] code').length > 1",
    ),
    (
        "Fetch the record of the air pressure",
        "Done",
        "binary data with a way to save it",
        "card.querySelector('[aria-label^=\"Embedded resource\"]')?.innerText.includes('Binary data') && [...card.querySelectorAll('button')].some((button) => /^Save/.test(button.innerText))",
    ),
    (
        "Do the morning round",
        "Done",
        "text, a picture, a sound, a link, a document and text, in this order",
        "[...card.querySelectorAll('[aria-label*=\", block \"]')].map((part) => part.getAttribute('aria-label').split(',')[0]).join() === 'Text,Image,Audio,Resource link,Embedded resource,Text'",
    ),
    (
        "Trouble: a door that will not open",
        "Tool error",
        "what the tool says",
        "[...card.children].some((part) => !part.matches('[data-card-head]') && part.innerText.includes('does not move'))",
    ),
    (
        "Trouble: a wrong number",
        "Error",
        "the code of the error",
        "(() => {
           const more = [...card.querySelectorAll('summary')].find((each) => each.innerText.trim() === 'Code and data');
           if (more && !more.closest('details').open) more.click();
           return card.innerText.includes('JSON-RPC code -32050');
         })()",
    ),
];

/// The sounds that can be played depend on what is installed. None is read before it is asked for.
const SOUND: &str = "(() => {
  [...card.querySelectorAll('button')].find((button) => button.innerText === 'Play it')?.click();
  const sound = card.querySelector('audio');
  return (sound && Math.abs(sound.duration - 1.5) < 0.01) || /cannot be played here/.test(card.innerText);
})()";
