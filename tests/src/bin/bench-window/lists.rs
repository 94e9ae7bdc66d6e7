//! Ten thousand tools.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{figures::plain, steps::built_program, window::Window};

use crate::{page, size::Size};

const OPTIONS: &str = "document.querySelectorAll('[role=listbox][aria-label=Tools] [role=option]')";

pub(crate) async fn run(size: Size) -> Result<()> {
    one("one page", &[], size).await?;
    one("pages of 500", &["--page", "500"], size).await
}

async fn one(name: &str, paging: &[&str], size: Size) -> Result<()> {
    let tools = size.tools;
    let count = tools.to_string();
    let args = [&["--tools", &count], paging].concat();
    let window = Window::open().await?;
    page::prepare(&window).await?;
    let program = built_program("sonde-demo");
    let servers = json!({ "mcpServers": { "many": { "command": program, "args": args } } });
    page::call(
        &window,
        "import_servers",
        json!({ "text": servers.to_string(), "chosen": [{ "index": 0, "name": null }] }),
    )
    .await?;
    let entry = "[...document.querySelectorAll('nav *')].find(e => e.children.length === 0 && e.textContent === 'many')";
    page::wait(&window, &format!("!!{entry}")).await?;
    window
        .js(&format!("{entry}.click(); return true"), vec![])
        .await?;
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    let usable = format!(
        "{{ const options = {OPTIONS};
            return options.length > 5 && Number(options[0].getAttribute('aria-setsize')) >= {tools}; }}"
    );
    page::begin(&window, &usable).await?;
    window.click("button", "Run this command").await?;
    page::shown(&window).await?;
    let frames = page::end(&window).await?;
    let answer = page::log(
        &window,
        &page::server_id(&window, 1)?,
        "response",
        "tools/list",
    )
    .await?;
    let idle = page::idle(size.idle.min(5000.0)).await?;
    let usable = frames.shown_at.unwrap_or(f64::NAN) - answer.last_at;
    plain(format!("{name}: last answer to usable list"), usable, "ms")
        .at_most(500.0)
        .print();
    frames
        .longest(format!("{name}: longest frame while listing"))
        .print();

    let scrolled = page::scroll(
        &window,
        "document.querySelector('[role=listbox][aria-label=Tools]')",
        size.scroll,
    )
    .await?;
    scrolled
        .longest(format!("{name}: longest frame while scrolling"))
        .at_most(50.0)
        .print();
    idle.longest("longest frame, idle empty window").print();
    plain(
        format!("{name}: frames above 50 ms while scrolling"),
        scrolled.over50 as f64,
        "",
    )
    .of(scrolled.frames, "frames")
    .print();

    // A search that leaves few of them, keyed in at once.
    let hits = format!(
        "{{ const options = {OPTIONS};
            return options.length > 0 && Number(options[0].getAttribute('aria-setsize')) < {tools}; }}"
    );
    page::begin(&window, &hits).await?;
    window
        .js(
            "bench.run.typed = Date.now(); bench.type(document.querySelector('[aria-label=\"Search tools\"]'), '999'); return true",
            vec![],
        )
        .await?;
    page::shown(&window).await?;
    let typed = window
        .js("return bench.run.typed", vec![])
        .await?
        .as_f64()
        .unwrap_or(f64::NAN);
    let found = page::end(&window).await?;
    plain(
        format!("{name}: search to hits shown"),
        found.shown_at.unwrap_or(f64::NAN) - typed,
        "ms",
    )
    .print();
    let memory = page::print_memory(&window, name)?;
    plain(format!("{name}: memory"), memory, "MiB").print();
    window.shot("bench-tools").await?;
    window.close().await
}
