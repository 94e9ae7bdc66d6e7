//! Results of 50 MB and of a million JSON values.

use anyhow::{Result, bail};
use sonde_tests::{figures::plain, steps::connect, window::Window};

use crate::{
    page::{self, Frames},
    size::Size,
};

/// The scroller of the newest run's result, and what its last row says.
const SCROLLER: &str = "document.querySelector('[aria-label=\"Runs, newest first\"] article [data-row-layer]')?.closest('[data-focus]')";

/// Titles of the tools.
pub(crate) const TEXT: &str = "Load: print the almanac";
pub(crate) const JSON: &str = "Load: export the star catalogue";

/// Name of the text in figures.
pub(crate) fn text_name(size: Size) -> String {
    format!("text of {} bytes", size.text)
}

/// Name of the JSON document in figures.
pub(crate) fn json_name(size: Size) -> String {
    format!("{} nodes", size.nodes)
}

pub(crate) async fn run(size: Size) -> Result<()> {
    text(size).await?;
    json(size).await
}

async fn text(size: Size) -> Result<()> {
    let window = page::open(None).await?;
    let before = page::memory_at_rest(&window, size).await?;
    connect(&window).await?;
    let frames = page::run_tool(
        &window,
        TEXT,
        &[size.text],
        "[...run.querySelectorAll('[data-row]')].some(row => row.textContent.includes('Day 1:'))",
    )
    .await?;
    let name = text_name(size);
    report(&window, &name, (&frames, 300.0), size).await?;
    let last = reach_end(&window, &name, size).await?;
    // Every line has its own number, and none is longer than a hundred bytes.
    let numbers = last.split("Day ").skip(1).filter_map(|line| {
        let digits = line.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    });
    if numbers
        .max()
        .is_none_or(|number| u64::from(number) < size.text / 100)
    {
        bail!("the last rows are not the last lines: {last}");
    }
    window.shot("bench-large-text").await?;
    page::print_memory_left(&window, &name, before, size).await?;
    window.close().await
}

async fn json(size: Size) -> Result<()> {
    let window = page::open(None).await?;
    let before = page::memory_at_rest(&window, size).await?;
    connect(&window).await?;
    let frames = page::run_tool(
        &window,
        JSON,
        &[size.nodes],
        // A list of objects is first shown as a table.
        "(() => {
           const tree = [...run.querySelectorAll('label')].find(label => label.textContent === 'JSON');
           if (tree && !tree.querySelector('input')?.checked) tree.click();
           return [...run.querySelectorAll('[role=treeitem]')].some(row => row.textContent.includes('stars'));
         })()",
    )
    .await?;
    let name = json_name(size);
    report(&window, &name, (&frames, 200.0), size).await?;
    // Opens every node from the keyboard, and scrolls to the end.
    page::begin(&window, "false").await?;
    window
        .js(
            &format!(
                "const tree = {SCROLLER}; tree.focus();
                 tree.dispatchEvent(new KeyboardEvent('keydown', {{ key: '*', bubbles: true }})); return true"
            ),
            vec![],
        )
        .await?;
    let tall = size.nodes / 10;
    page::wait(&window, &format!("{SCROLLER}.scrollHeight > {tall}")).await?;
    page::drawn(&window).await?;
    let opened = page::end(&window).await?;
    opened
        .longest(format!("{name}: longest frame while opening all"))
        .at_most(100.0)
        .print();
    let last = reach_end(&window, &name, size).await?;
    if !last.contains("faint") {
        bail!("the last rows are not the last values: {last}");
    }
    window.shot("bench-large-json").await?;
    page::print_memory_left(&window, &name, before, size).await?;
    window.close().await
}

/// Prints the figures of a result, which is to be shown within `most` milliseconds.
async fn report(
    window: &Window,
    name: &str,
    (frames, most): (&Frames, f64),
    size: Size,
) -> Result<()> {
    let server = page::server_id(window, 0)?;
    let answer = page::log(window, &server, "response", "tools/call").await?;
    let shown = frames.shown_at.unwrap_or(f64::NAN) - answer.last_at;
    let idle = page::idle((frames.ended - frames.began).min(size.idle)).await?;
    plain(format!("{name}: last byte to shown"), shown, "ms")
        .at_most(most)
        .print();
    plain(
        format!("{name}: click to shown"),
        frames.until_shown(),
        "ms",
    )
    .print();
    frames
        .longest(format!("{name}: longest frame"))
        .at_most(100.0)
        .print();
    idle.longest("longest frame, idle empty window").print();
    tokio::time::sleep(size.rest).await;
    let memory = page::print_memory(window, name)?;
    plain(format!("{name}: memory afterwards"), memory, "MiB").print();
    Ok(())
}

/// Scrolls to the end and returns the text of the last rows.
async fn reach_end(window: &Window, name: &str, size: Size) -> Result<String> {
    let scrolled = page::scroll(window, SCROLLER, size.scroll).await?;
    scrolled
        .longest(format!("{name}: longest frame while scrolling"))
        .at_most(100.0)
        .print();
    page::begin(
        window,
        &format!(
            "{{ const rows = [...({SCROLLER}).querySelectorAll('[data-row]')];
                const last = rows.reduce((a, b) => (Number(b.dataset.row) > Number(a.dataset.row) ? b : a), rows[0]);
                bench.lastRows = rows.filter(row => Number(row.dataset.row) > Number(last.dataset.row) - 8)
                    .sort((a, b) => a.dataset.row - b.dataset.row).map(row => row.textContent).join('\\n');
                const box = last?.getBoundingClientRect(), view = ({SCROLLER}).getBoundingClientRect();
                return !!last && last.textContent.trim() !== '…' && box.bottom <= view.bottom + 1; }}"
        ),
    )
    .await?;
    window
        .js(
            &format!(
                "bench.run.began = Date.now(); const e = {SCROLLER}; e.scrollTop = e.scrollHeight; return true"
            ),
            vec![],
        )
        .await?;
    page::shown(window).await?;
    let frames = page::end(window).await?;
    plain(
        format!("{name}: jump to the last row"),
        frames.until_shown(),
        "ms",
    )
    .print();
    let last = window.js("return bench.lastRows", vec![]).await?;
    Ok(last.as_str().unwrap_or_default().trim().to_owned())
}
