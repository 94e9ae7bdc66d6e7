//! Ten thousand tools, resources, prompts.

use anyhow::Result;
use serde_json::json;
use sonde_tests::{
    figures::plain,
    steps::{connected, demo_program},
    window::Window,
};

use crate::{page, size::Size};

/// A kind of list.
pub(crate) struct List {
    /// Name of the tab, and of the list.
    title: &'static str,
    /// Method of the request that reads it.
    method: &'static str,
    /// Read on connecting, not when its tab is first opened.
    at_connect: bool,
}

pub(crate) const TOOLS: List = List {
    title: "Tools",
    method: "tools/list",
    at_connect: true,
};

pub(crate) const RESOURCES: List = List {
    title: "Resources",
    method: "resources/list",
    at_connect: false,
};

pub(crate) const PROMPTS: List = List {
    title: "Prompts",
    method: "prompts/list",
    at_connect: false,
};

impl List {
    /// Returns the word in the demo server's option and in the name of the search.
    fn many(&self) -> String {
        self.title.to_lowercase()
    }

    /// Returns the ways in which a server sends the list: a name, and the demo server's options.
    pub(crate) fn pages(&self) -> [(&'static str, &'static [&'static str]); 2] {
        [("one page", &[]), ("pages of 500", &["--page", "500"])]
    }

    /// Returns the demo server's arguments for a list of this size.
    pub(crate) fn arguments(&self, size: Size, paging: &[&str]) -> Vec<String> {
        let mut arguments = vec![format!("--{}", self.many()), size.items.to_string()];
        arguments.extend(paging.iter().map(|&option| option.to_owned()));
        arguments
    }

    /// Returns JavaScript for the list's element.
    fn element(&self) -> String {
        format!(
            "document.querySelector('[role=listbox][aria-label={}]')",
            self.title
        )
    }

    /// Returns JavaScript for the rows that exist at present.
    fn options(&self) -> String {
        format!(
            "document.querySelectorAll('[role=listbox][aria-label={}] [role=option]')",
            self.title
        )
    }
}

pub(crate) async fn run(list: &List, size: Size) -> Result<()> {
    for (name, paging) in list.pages() {
        one(list, name, paging, size).await?;
    }
    if list.at_connect {
        judged(list, size).await?;
    }
    Ok(())
}

/// Measures the time from the last response until each tool's hosts are known, while the window shows the list.
async fn judged(list: &List, size: Size) -> Result<()> {
    let window = confirming(list, &[], size).await?;
    let server = page::server_id(&window, 1)?;
    let ask = "bench.judged = null;
        const ask = async () => {
            const summary = await bench.call('host_summary', { server: arguments[0] });
            if (summary.revision > 0) bench.judged = Date.now();
            else setTimeout(ask, 20);
        };
        ask();
        return true";
    window.js(ask, vec![json!(server)]).await?;
    window.click("button", "Run this command").await?;
    page::wait(&window, "bench.judged !== null").await?;
    let judged = window.js("return bench.judged", vec![]).await?;
    let answer = page::log(&window, &server, "response", list.method).await?;
    let took = judged.as_f64().unwrap_or(f64::NAN) - answer.last_at;
    plain("last answer to all tools judged for all hosts", took, "ms")
        .at_most(2000.0)
        .print();
    window.close().await
}

/// Opens a window that asks for permission to start a server with such a list.
async fn confirming(list: &List, paging: &[&str], size: Size) -> Result<Window> {
    let args = list.arguments(size, paging);
    let window = page::open(None).await?;
    let program = demo_program();
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
    Ok(window)
}

async fn one(list: &List, name: &str, paging: &[&str], size: Size) -> Result<()> {
    let items = size.items;
    let many = list.many();
    let window = confirming(list, paging, size).await?;
    // The dialog is open, and no server runs.
    let before = page::memory_at_rest(&window, size).await?;
    let options = list.options();
    let usable = format!(
        "{{ const options = {options};
            return options.length > 5 && Number(options[0].getAttribute('aria-setsize')) >= {items}; }}"
    );
    if list.at_connect {
        page::begin(&window, &usable).await?;
        window.click("button", "Run this command").await?;
    } else {
        window.click("button", "Run this command").await?;
        connected(&window).await?;
        page::begin(&window, &usable).await?;
        window.click("tab", &format!("{}…", list.title)).await?;
    }
    page::shown(&window).await?;
    let frames = page::end(&window).await?;
    let answer = page::log(
        &window,
        &page::server_id(&window, 1)?,
        "response",
        list.method,
    )
    .await?;
    let idle = page::idle(size.idle.min(5000.0)).await?;
    let usable = frames.shown_at.unwrap_or(f64::NAN) - answer.last_at;
    plain(format!("{name}: last answer to usable list"), usable, "ms")
        .at_most(200.0)
        .print();
    plain(
        format!("{name}: click to usable list"),
        frames.until_shown(),
        "ms",
    )
    .print();
    frames
        .longest(format!("{name}: longest frame while listing"))
        .print();

    let scrolled = page::scroll(&window, &list.element(), size.scroll).await?;
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

    // A search with few hits, entered at once.
    let hits = format!(
        "{{ const options = {options};
            return options.length > 0 && Number(options[0].getAttribute('aria-setsize')) < {items}; }}"
    );
    page::begin(&window, &hits).await?;
    window
        .js(
            &format!(
                "bench.run.typed = Date.now(); bench.type(document.querySelector('[aria-label=\"Search {many}\"]'), '999'); return true"
            ),
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
    window.shot(&format!("bench-{many}")).await?;
    page::print_memory_left(&window, name, before, size).await?;
    window.close().await
}
