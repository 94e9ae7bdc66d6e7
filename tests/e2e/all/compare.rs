//! Results as tables, two runs compared, and what comes up again after a restart.

use anyhow::{Result, ensure};
use fantoccini::{Locator, key::Key};
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

const LISTS: &str = "List the ships in sight";

/// Waits until the selected row of the list of differences says this.
async fn difference_is(window: &Window, text: &str) -> Result<()> {
    window
        .until_with(
            &format!("the difference “{text}”"),
            "return document.querySelector('[aria-label=Differences] [aria-selected=true]')
               ?.textContent.replace(/\\s+/g, ' ').includes(arguments[0])",
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn tables_and_comparisons_and_what_comes_up_again() -> Result<()> {
    let data = tempfile::tempdir()?;
    let window = Window::open_with(data.path()).await?;
    connect(&window).await?;
    select_tool(&window, LISTS).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;

    // Sorted by numbers, filtered by words.
    window.click("button", "miles").await?;
    newest_run_shows(
        &window,
        "the nearest ship first",
        "(() => {
            const table = card.querySelector('[role=table]');
            const cells = [...(table?.querySelectorAll('[role=row]:not(:has([role=columnheader])) [role=cell]:nth-child(5)') ?? [])]
              .map((cell) => Number(cell.innerText));
            return cells.length > 2 && cells.every((miles, at) => at === 0 || cells[at - 1] <= miles);
         })()",
    )
    .await?;
    // A column is made wider by the pointer.
    let width =
        "document.querySelector('[role=table] [role=columnheader]')?.getBoundingClientRect().width";
    let before = window.js(&format!("return {width}"), vec![]).await?;
    let wider = format!("return {width} > arguments[0] + 20");
    // What is pressed while the table is drawn anew is not the handle any more: the user takes it again.
    for _ in 0..10 {
        let handle = "[role=table] [role=columnheader] > [aria-hidden][class*=handle]";
        let handle = window.client.find(Locator::Css(handle)).await?;
        window.drag(handle, (40.0, 0.0), 1).await?;
        if window.js(&wider, vec![before.clone()]).await? == true {
            break;
        }
    }
    window
        .until_with("a wider column", &wider, vec![before])
        .await?;
    window.fill("Filter rows", "no ship has this name").await?;
    window.see("No row matches.").await?;
    window.shot("table").await?;

    window.fill("How many at most…", "3").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "More actions for this run").await?;
    window
        .click("menuitem", "Compare with the previous run of this tool")
        .await?;
    difference_is(&window, "arguments").await?;
    window.keys(&char::from(Key::F7).to_string()).await?;
    difference_is(&window, "result.structuredContent.ships[3]").await?;
    window.shot("compare").await?;
    window.keys(&char::from(Key::Escape).to_string()).await?;
    window.find("button", "Run").await?;

    // A tab and a place of its own, after the end of the app.
    window.click("tab", "Wire log…").await?;
    window.resize(1000, 700).await?;
    window.stores("\"tab\": \"wire\"").await?;
    window.close().await?;
    let place = std::fs::read_to_string(data.path().join("window.json"))?;
    ensure!(place.contains("\"width\":1000"), "kept: {place}");
    let window = Window::open_with(data.path()).await?;
    window
        .until(
            "the wire log to be on show",
            "return [...document.querySelectorAll('[role=tab][aria-selected=true]')].some((tab) => tab.innerText.includes('Wire log'))",
        )
        .await?;
    window.close().await
}
