//! Names of everything that takes the focus, and a list of servers longer than fits.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::{Value, json};
use sonde_tests::{steps::*, window::Window};

use crate::keys::press;

const GREETS: &str = "Say hello to the keeper";

/// The controls that take the focus and have no name, as HTML.
const UNNAMED: &str = r#"
const text = (node) =>
  node.nodeType === Node.TEXT_NODE
    ? node.data
    : node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true"
      ? ""
      : (node.getAttribute("aria-label") ?? (node.matches("img") ? node.alt : [...node.childNodes].map(text).join(" ")));
const named = (element) => {
  const ids = element.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const labels = [...ids.map((id) => document.getElementById(id)), ...(element.labels ?? [])];
  const names = [
    ...labels.map((label) => (label ? text(label) : "")),
    element.getAttribute("aria-label") ?? "",
    // What a field holds is not its name, and neither is what stands in for it while it is empty.
    element.matches("input, select, textarea, [role=textbox], [role=listbox], [role=grid], [role=group]") ? "" : text(element),
  ];
  return names.some((name) => name.trim() !== "");
};
const takes = "button, a[href], input:not([type=hidden]), select, textarea, summary, audio[controls], video[controls], [contenteditable=true], [tabindex]:not([tabindex='-1'])";
const all = [...document.querySelectorAll(takes)].filter(
  (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden" && !element.closest("[inert], [aria-hidden=true]"),
);
return { count: all.length, unnamed: all.filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 200)) };
"#;

/// At least so many controls are there, and each has a name.
async fn everything_is_named(window: &Window, place: &str, least: u64) -> Result<()> {
    let found = window.js(UNNAMED, vec![]).await?;
    ensure!(
        found["count"].as_u64().is_some_and(|count| count >= least),
        "{place}: {found}"
    );
    ensure!(found["unnamed"] == json!([]), "{place}: {found:#}");
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn controls_are_named_and_every_server_of_a_long_list_is_reached() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Mind the stairs").await?;
    window.resize(1600, 1000).await?;
    for (tab, there) in [
        ("Tools…", "Mind the stairs"),
        ("Resources…", "Tide table"),
        ("Prompts…", "Get prompt"),
        ("Wire log", "tools/call"),
        ("Console…", "Console"),
        ("Raw request", "Send"),
        ("Connection…", "Latency"),
        ("About", "Capabilities"),
        ("Issues…", "Counted:"),
        ("Hosts", "Only problems"),
    ] {
        window.click("tab", tab).await?;
        window.see(there).await?;
        everything_is_named(&window, tab, 15).await?;
    }
    for (button, there) in [
        ("Add a server", "Server type"),
        ("Import servers", "Other clients on this computer"),
        ("Presentations", "New presentation"),
        ("Settings", "Stored secrets"),
        ("Help", "Search the help"),
    ] {
        window.click("button", button).await?;
        window
            .until_with(
                &format!("what “{button}” opens"),
                "return document.querySelector('main').innerText.includes(arguments[0])
                   || document.querySelector(`main [aria-label=${JSON.stringify(arguments[0])}]`) !== null",
                vec![json!(there)],
            )
            .await?;
        everything_is_named(&window, button, 8).await?;
    }
    window.click("button", &format!("{DEMO}…")).await?;
    press(&window, Key::Control, 'k').await?;
    window
        .has_focus("field", "Find tools, runs, servers and actions")
        .await?;
    everything_is_named(&window, "the palette", 1).await?;
    window.keys(&char::from(Key::Escape).to_string()).await?;
    window
        .until(
            "the palette to close",
            "return document.querySelector('[role=dialog]') === null",
        )
        .await?;
    window.click("button", "Keyboard shortcuts").await?;
    window.see("Reset the zoom").await?;
    everything_is_named(&window, "the shortcuts", 2).await?;
    window.keys(&char::from(Key::Escape).to_string()).await?;
    // Both fonts are those that come with the app, not what the system has in their place.
    window
        .until(
            "the fonts of the app",
            "const loaded = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('\"', ''));
             return ['Inter', 'JetBrains Mono'].every((name) => loaded.includes(name) && document.fonts.check(`14px '${name}'`))",
        )
        .await?;
    many_servers(&window).await?;
    window.close().await
}

/// Returns the names in the list of servers, in order.
async fn servers(window: &Window) -> Result<Vec<String>> {
    let names = window
        .js(
            "return [...document.querySelectorAll('nav [data-server] [data-select]')].map(({ dataset }) => dataset.tip)",
            vec![],
        )
        .await?;
    Ok(serde_json::from_value(names)?)
}

/// With more servers than fit, in a small window: one is moved by the pointer, and the menu of each row is reached.
async fn many_servers(window: &Window) -> Result<()> {
    let address = |at: u32| json!({ "type": "http", "url": format!("http://127.0.0.1:9/{at}") });
    let many: serde_json::Map<_, _> = (1..=20)
        .map(|at| (format!("s{at:02}"), address(at)))
        .collect();
    import(window, Value::Object(many)).await?;
    window.resize(900, 600).await?;
    window.click("button", "Show servers").await?;
    let before = servers(window).await?;
    ensure!(before.len() == 21, "{before:?}");
    let element = window.find("button", "s02…").await?;
    window.drag(element, (0.0, 80.0), 4).await?;
    window
        .until(
            "the server to stand below those that it was dragged over",
            "const names = [...document.querySelectorAll('nav [data-server] [data-select]')].map(({ dataset }) => dataset.tip);
             return names.indexOf('s02') > names.indexOf('s03')",
        )
        .await?;
    ensure!(servers(window).await?.len() == before.len());
    for name in ["s01", "s12", "s20"] {
        window
            .click("button", &format!("Actions for {name}"))
            .await?;
        window.find("menuitem", "Remove").await?;
        window.shot(&format!("menu-of-{name}")).await?;
        window.keys(&char::from(Key::Escape).to_string()).await?;
        window.see_not("Remove").await?;
    }
    Ok(())
}
