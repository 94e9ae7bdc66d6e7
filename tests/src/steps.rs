//! Frequent steps of a user, by the names on the screen.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use fantoccini::key::Key;
use serde_json::{Value, json};

pub use crate::http_server::python_program;
use crate::window::{Window, root};

/// Name of the server that is in the list on first start.
pub const DEMO: &str = "Demo server";

/// Connects the selected server and waits for its tools.
pub async fn connect(window: &Window) -> Result<()> {
    window.click_in(None, "button", "Connect").await?;
    connected(window).await
}

/// Waits until the selected server is connected and its tools are listed.
pub async fn connected(window: &Window) -> Result<()> {
    window.find("button", "Disconnect").await?;
    window
        .until(
            "a list of tools",
            "return document.querySelectorAll('[role=listbox][aria-label=Tools] [role=option]').length > 0",
        )
        .await?;
    Ok(())
}

/// Adds servers by pasting the JSON that every client uses, and selects the first.
pub async fn import(window: &Window, servers: Value) -> Result<()> {
    window.click("button", "Import servers").await?;
    let names: Vec<String> = servers
        .as_object()
        .context("servers are an object")?
        .keys()
        .cloned()
        .collect();
    let text = json!({ "mcpServers": servers }).to_string();
    window.fill("URL, command or configuration", &text).await?;
    window
        .find_in(Some("Recognized servers"), "checkbox", &names[0])
        .await?;
    let add = match names.len() {
        1 => "Add 1 server".to_owned(),
        count => format!("Add {count} servers"),
    };
    window.click("button", &add).await?;
    window.click("button", &format!("{}…", names[0])).await
}

/// Confirms the command that is shown in full, and waits for the tools.
pub async fn confirm_and_connect(window: &Window) -> Result<()> {
    window.click("button", "Connect").await?;
    window.see("Run this command?").await?;
    window.click("button", "Run this command").await?;
    connected(window).await
}

/// Searches for a tool and selects it.
pub async fn select_tool(window: &Window, title: &str) -> Result<()> {
    window.click("tab", "Tools…").await?;
    window.fill("Search tools", title).await?;
    window
        .click_in(Some("Tools"), "option", &format!("{title}…"))
        .await?;
    window
        .until_with(
            "the tool's form",
            "return [...document.querySelectorAll('main h2, main h3, form h2')].some(h => h.textContent.trim() === arguments[0])",
            vec![json!(title)],
        )
        .await?;
    Ok(())
}

/// Presses Run and returns the new number of runs.
pub async fn run(window: &Window) -> Result<u64> {
    run_by(window, "Run").await
}

/// Presses the button that starts a run, and returns the new number of runs.
pub async fn run_by(window: &Window, button: &str) -> Result<u64> {
    let before = runs(window).await?;
    window.click("button", button).await?;
    window
        .until_with(
            "a new run",
            &format!("return ({RUNS}) > arguments[0]"),
            vec![json!(before)],
        )
        .await?;
    Ok(before + 1)
}

const RUNS: &str =
    "document.querySelectorAll('[aria-label=\"Runs, newest first\"] article').length";

/// Lists the runs of all items, not only those of the item beside them.
pub async fn show_all_runs(window: &Window) -> Result<()> {
    choose_in(window, Some("Runs"), "All").await
}

/// Returns the number of listed runs.
pub async fn runs(window: &Window) -> Result<u64> {
    Ok(window
        .js(&format!("return {RUNS}"), vec![])
        .await?
        .as_u64()
        .unwrap_or(0))
}

/// The newest run's card, in JavaScript.
const NEWEST: &str =
    "const card = document.querySelector('[aria-label=\"Runs, newest first\"] article');";

/// Waits until the newest run's card has this text below its head, ignoring white space. The head repeats the tool's
/// name and the arguments, which prove nothing about the result.
pub async fn newest_run_says(window: &Window, text: &str) -> Result<()> {
    window
        .until_with(
            &format!("the newest run to say “{text}”"),
            &format!(
                "{NEWEST}
                 const said = card ? [...card.children].filter((part) => !part.matches('[data-card-head]')) : [];
                 return said.some((part) => part.innerText.replace(/\\s+/g, ' ').includes(arguments[0]))"
            ),
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

/// Waits until the newest run has exactly this state, for example `Running` or `Done`.
pub async fn newest_run_is(window: &Window, state: &str) -> Result<()> {
    window
        .until_with(
            &format!("the newest run to be “{state}”"),
            &format!(
                "{NEWEST} return card?.querySelector('[data-run-state]')?.innerText.trim() === arguments[0]"
            ),
            vec![json!(state)],
        )
        .await?;
    Ok(())
}

/// Waits until the run of this tool has exactly this state.
pub async fn run_of_is(window: &Window, title: &str, state: &str) -> Result<()> {
    window
        .until_with(
            &format!("the run of “{title}” to be “{state}”"),
            "return [...document.querySelectorAll('[aria-label=\"Runs, newest first\"] article [data-card-head]')].some((head) =>
               head.innerText.includes(arguments[0]) && head.querySelector('[data-run-state]')?.innerText.trim() === arguments[1])",
            vec![json!(title), json!(state)],
        )
        .await?;
    Ok(())
}

/// Waits until an expression about the newest run's card (`card`) is true.
pub async fn newest_run_shows(window: &Window, what: &str, expression: &str) -> Result<()> {
    window
        .until(
            &format!("the newest run to show {what}"),
            &format!("{NEWEST} return !!card && !!({expression})"),
        )
        .await?;
    Ok(())
}

/// Waits until the newest run's progress bar has moved.
pub async fn progress_moves(window: &Window) -> Result<()> {
    const VALUE: &str = "const bar = document.querySelector('[aria-label=\"Runs, newest first\"] article [role=progressbar], [aria-label=\"Runs, newest first\"] article progress');
        const value = bar && (bar.getAttribute('aria-valuenow') ?? bar.getAttribute('value'));";
    let first = window
        .until(
            "a progress bar with a value",
            &format!("{VALUE} return value !== null && value !== undefined ? String(value) : null"),
        )
        .await?;
    window
        .until_with(
            "progress to move",
            &format!("{VALUE} return value !== null && value !== undefined && Number(value) > Number(arguments[0])"),
            vec![first],
        )
        .await?;
    Ok(())
}

/// Returns the violations that axe-core finds on the current page, one line each.
pub async fn axe(window: &Window) -> Result<Vec<String>> {
    let source = std::fs::read_to_string(root().join("ui/node_modules/axe-core/axe.min.js"))?;
    window
        .js(&format!("{source}\nwindow.axe = axe;"), vec![])
        .await?;
    let found = window
        .client
        .execute_async(
            // Tooltips and the bars that resize panes are outside the landmarks.
            "const done = arguments[arguments.length - 1];
             const regionMatcher = 'dialog, [role=dialog], [role=alertdialog], svg, [role=separator], [role=tooltip]';
             const checks = { region: { options: { regionMatcher } } };
             window.axe.run(document, { resultTypes: ['violations'], checks }).then(
               (r) => done(r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).slice(0, 5).join(' | ')}`)),
               (e) => done([String(e)]))",
            vec![],
        )
        .await?;
    Ok(found
        .as_array()
        .into_iter()
        .flatten()
        .map(|line| line.as_str().unwrap_or_default().to_owned())
        .collect())
}

/// Returns the path of a program in `tests/peers/node_modules/.bin`.
pub fn npm_program(name: &str) -> String {
    root()
        .join("tests/peers/node_modules/.bin")
        .join(name)
        .display()
        .to_string()
}

/// Returns the configuration of a server of `tests/peers` written with the Python SDK.
pub fn python_server(script: &str) -> Value {
    let script = root().join("tests/peers").join(script);
    json!({ "command": python_program("python"), "args": [script] })
}

/// Opens a tab of the server that lists items, searches its list (`prompts`, `resource templates`), and opens the first
/// item whose name begins with `name`.
pub async fn open_item(window: &Window, list: &str, name: &str) -> Result<()> {
    let (title, tab) = match list {
        "prompts" => ("Prompts", "Prompts…"),
        "resources" => ("Resources", "Resources…"),
        "resource templates" => ("Resource templates", "Resources…"),
        other => bail!("no such list: {other}"),
    };
    window.click("tab", tab).await?;
    if tab == "Resources…" {
        let shown = if list == "resources" {
            "Resources…"
        } else {
            "Templates…"
        };
        choose_in(window, Some("List shown"), shown).await?;
    }
    window.fill(&format!("Search {list}"), name).await?;
    window
        .click_in(Some(title), "option", &format!("{name}…"))
        .await?;
    window
        .until_with(
            &format!("“{name}” to be shown"),
            "return [...document.querySelectorAll('main h2, main h3')].some((heading) => heading.textContent.trim().startsWith(arguments[0]))",
            vec![json!(name)],
        )
        .await?;
    Ok(())
}

/// Types into a field, or requests all suggestions of an empty one, waits for exactly these suggested values, and takes
/// the first.
pub async fn take_suggestion(
    window: &Window,
    field: &str,
    typed: &str,
    suggested: &[&str],
) -> Result<()> {
    window.fill(field, typed).await?;
    if typed.is_empty() {
        window.keys(&char::from(Key::Down).to_string()).await?;
    }
    window
        .until_with(
            &format!("{suggested:?} to be suggested for “{field}”"),
            "const list = document.getElementById(document.activeElement.getAttribute('aria-controls') ?? '');
             const values = [...(list?.querySelectorAll('[role=option]') ?? [])].map((option) => option.innerText.trim());
             return JSON.stringify(values) === JSON.stringify(arguments[0])",
            vec![json!(suggested)],
        )
        .await?;
    window
        .keys(&format!(
            "{}{}",
            char::from(Key::Down),
            char::from(Key::Enter)
        ))
        .await?;
    let first = suggested.first().context("a suggestion to take")?;
    window
        .until_with(
            &format!("“{first}” to be taken"),
            "return document.activeElement.value === arguments[0]",
            vec![json!(first)],
        )
        .await?;
    Ok(())
}

/// Returns the path of the demo server that cargo built beside the app.
pub fn demo_program() -> PathBuf {
    let app = PathBuf::from(std::env::var_os("SONDE_APP").unwrap_or_default());
    app.with_file_name("sonde-demo")
}

/// Chooses one of a few options shown side by side.
pub async fn choose(window: &Window, name: &str) -> Result<()> {
    choose_in(window, None, name).await
}

/// Chooses an option inside a labelled region.
pub async fn choose_in(window: &Window, region: Option<&str>, name: &str) -> Result<()> {
    // The radio button itself is hidden under its label.
    window.click_in(region, "label", name).await
}

/// Chooses the colours of the window and returns to the demo server.
pub async fn choose_theme(window: &Window, theme: &str) -> Result<()> {
    window.click("button", "Settings").await?;
    choose(window, theme).await?;
    window
        .until_with(
            "the colours of the page and of what the system draws to change",
            "return document.documentElement.dataset.theme === arguments[0]
               && matchMedia('(prefers-color-scheme: dark)').matches === (arguments[0] === 'dark')",
            vec![json!(theme.to_lowercase())],
        )
        .await?;
    window.click("button", &format!("{DEMO}…")).await
}
