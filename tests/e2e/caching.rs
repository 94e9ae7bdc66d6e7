//! Results and lists that a server lets be kept.

use anyhow::{Result, ensure};
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::servers::HttpServer;

/// Waits until the wire log has at least so many requests of a method, and answers how many.
async fn requests(window: &Window, method: &str, least: u64) -> Result<u64> {
    window.click("tab", "Wire log…").await?;
    window.fill("Search the wire log…", method).await?;
    let found = window
        .until_with(
            &format!("{least} requests {method}"),
            "const lines = [...document.querySelectorAll('[role=status]')].map((line) => line.innerText.trim());
             if (!lines.some((line) => /^[\\d,]+ of [\\d,]+$/.test(line))) return null;
             const rows = [...document.querySelectorAll('[role=grid] [data-row][data-kind=request]')];
             const requests = rows.filter((row) => row.innerText.includes(arguments[0])).length;
             return requests >= arguments[1] ? requests : null",
            vec![json!(method), json!(least)],
        )
        .await?;
    Ok(found.as_u64().unwrap_or_default())
}

/// A result is shown again for as long as the server lets it be kept, and a list is read again after that.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn what_the_server_lets_be_kept_is_marked_and_not_asked_for_again() -> Result<()> {
    const MARK: &str = r"/^from cache, (\d+ s|\d+:\d\d) left/.test(card.querySelector('[data-from-cache]')?.innerText ?? '')";
    let server = HttpServer::demo(&built_program("sonde-demo"), &["--list-ttl", "3000"]).await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({ "gull-rock": { "type": "http", "url": server.url() } }),
    )
    .await?;
    connect(&window).await?;
    window.see("MCP 2026-07-28").await?;
    open_item(&window, "resources", "Chart of the approach").await?;
    run_by(&window, "Read").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_shows(
        &window,
        "no mark",
        "!card.querySelector('[data-from-cache]')",
    )
    .await?;

    window.click("button", "Read").await?;
    newest_run_shows(&window, "that it is from the cache", MARK).await?;
    ensure!(runs(&window).await? == 1, "it is the same run");
    window.shot("from-cache").await?;
    ensure!(requests(&window, "resources/read", 1).await? == 1);

    window.click("tab", "Resources…").await?;
    window.click_in(Some("Runs"), "button", "Ask again").await?;
    window
        .until(
            "a second run without the mark",
            "const runs = document.querySelectorAll('[aria-label=\"Runs, newest first\"] article');
             return runs.length === 2 && !runs[0].querySelector('[data-from-cache]')",
        )
        .await?;
    newest_run_is(&window, "Done").await?;
    ensure!(requests(&window, "resources/read", 2).await? == 2);

    // A list whose time is over is read again at the next look.
    window.click("tab", "Tools…").await?;
    window
        .see("No longer fresh: it is read again the next time you look at this tab.")
        .await?;
    let before = requests(&window, "tools/list", 1).await?;
    window.click("tab", "Tools…").await?;
    window.see("Fresh for").await?;
    ensure!(requests(&window, "tools/list", before + 1).await? > before);
    window.close().await
}
