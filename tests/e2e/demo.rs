//! The demo server: what a stranger sees in the first minutes.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    steps::*,
    window::{Start, Window, files},
};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn first_start_to_first_result() -> Result<()> {
    let window = Window::open().await?;
    window.see(DEMO).await?;
    window.shot("first-start").await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.shot("first-result").await?;
    // The form is still there beside the result.
    window.find("button", "Run").await?;
    a_skill_is_read(&window).await?;
    window.close().await
}

/// The skill of the demo server: what its entry says, its text, and one of its files among the resources.
async fn a_skill_is_read(window: &Window) -> Result<()> {
    window.click("tab", "Skills…").await?;
    window.see("The keeper of Gull Rock").await?;
    run_by(window, "Read").await?;
    newest_run_is(window, "Done").await?;
    newest_run_shows(
        window,
        "the text of the skill",
        "card.querySelector('[aria-label^=Text] :is(h1, h2, h3, h4)')?.innerText.includes('Keep watch in fog')",
    )
    .await?;
    window.shot("skill").await?;
    window.click("button", "references/signals.md").await?;
    newest_run_says(window, "two long blasts every minute").await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn progress_moves_while_another_call_is_cancelled_and_is_a_picture_afterwards() -> Result<()>
{
    let home = tempfile::tempdir()?;
    let window = Window::start(Start {
        env: vec![("HOME".to_owned(), home.path().display().to_string())],
        ..Start::default()
    })
    .await?;
    connect(&window).await?;
    select_tool(&window, "Polish the lens").await?;
    run(&window).await?;
    newest_run_is(&window, "Running").await?;
    select_tool(&window, "Climb the tower").await?;
    run(&window).await?;
    progress_moves(&window).await?;
    window.shot("progress").await?;
    window.click("button", "Cancel run Polish the lens").await?;
    run_of_is(&window, "Polish the lens", "Cancelled").await?;
    window.shot("cancelled").await?;
    newest_run_is(&window, "Done").await?;

    // Once more and by itself: nothing comes between its notifications.
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    the_newest_run_fills_the_window(&window).await?;
    window.click("tab", "Wire log").await?;
    repeated_notifications_are_one_row(&window).await?;
    an_entry_fills_the_window(&window).await?;
    the_log_is_saved(&window, home.path()).await?;
    window.click("tab", "Connection…").await?;
    picture(&window, "Distribution of ", "rect").await?;
    picture(&window, "Durations from ", "circle").await?;
    window.shot("latency").await?;
    window.close().await
}

/// Waits for a picture in sight whose name begins so and says a number, and that draws something that has a size.
async fn picture(window: &Window, name: &str, mark: &str) -> Result<()> {
    window
        .until_with(
            &format!("the picture “{name}…”"),
            "const [name, mark] = arguments;
             const picture = [...document.querySelectorAll('main svg[role=img]')].find((one) => one.getAttribute('aria-label').startsWith(name));
             const marks = [...(picture?.querySelectorAll(mark) ?? [])].filter((one) => one.getBoundingClientRect().width > 0);
             return !!picture && /\\d/.test(picture.getAttribute('aria-label')) && picture.getBoundingClientRect().width > 100 && marks.length > 0",
            vec![json!(name), json!(mark)],
        )
        .await?;
    Ok(())
}

/// The run alone, with the picture of its progress, and the form and the other runs again.
async fn the_newest_run_fills_the_window(window: &Window) -> Result<()> {
    window.click("button", "Maximize run").await?;
    window
        .until(
            "one run alone",
            "const runs = document.querySelectorAll('main article[data-operation], main [data-operation]');
             const form = document.querySelector('main section[aria-label=Tool]');
             return runs.length === 1 && !(form?.getBoundingClientRect().width > 0)
               && runs[0].getBoundingClientRect().width > document.querySelector('main').clientWidth - 80",
        )
        .await?;
    window.click("button", "Rate of progress").await?;
    picture(window, "Rate of progress over ", "path").await?;
    window.shot("run-maximized").await?;
    window.click("button", "Restore run").await?;
    window.find("button", "Maximize run").await?;
    window.find("button", "Run").await?;
    Ok(())
}

/// The notifications of the last run: one row with their number, whose bar lies within that of the request.
async fn repeated_notifications_are_one_row(window: &Window) -> Result<()> {
    const ROWS: &str = "const rows = [...document.querySelectorAll('[role=grid] [role=row][data-row]')];
        const of = (row, name) => {
          const heads = [...document.querySelectorAll('[role=grid] [role=columnheader]')].map((head) => head.innerText.trim() || head.textContent.trim());
          return row?.querySelectorAll('[role=gridcell]')[heads.indexOf(name)];
        };
        const said = rows.filter((row) => of(row, 'Method')?.innerText.startsWith('notifications/progress'));
        const last = said.at(-1);
        const group = last?.querySelector('[data-act=group]');";
    window
        .until(
            "twelve notifications in one row",
            &format!("{ROWS} return group?.textContent.startsWith('12×') && group.getAttribute('aria-expanded') === 'false'"),
        )
        .await?;
    window
        .until(
            "the request and its notifications in time",
            &format!(
                "{ROWS}
                 const bar = (row) => of(row, 'Timeline')?.firstElementChild?.getBoundingClientRect();
                 const call = rows.filter((row) => row.dataset.kind === 'request' && row.innerText.includes('climb_tower')).at(-1);
                 const [asked, told] = [bar(call), bar(last)];
                 return asked?.width > 20 && told?.width > 0 && told.left >= asked.left && told.left <= asked.right"
            ),
        )
        .await?;
    window.shot("wire-repeated").await?;
    window
        .until(
            "each notification",
            &format!(
                "{ROWS}
                 if (said.length < 6) rows.find((row) => row.querySelector('[data-act=group]')?.textContent.startsWith('12×'))?.querySelector('[data-act=group][aria-expanded=false]')?.click();
                 return said.length >= 6"
            ),
        )
        .await?;
    Ok(())
}

/// An entry alone, and the log beside it again.
async fn an_entry_fills_the_window(window: &Window) -> Result<()> {
    window
        .click_in(
            Some("Wire log entries, oldest first"),
            "option",
            "…notifications/progress…",
        )
        .await?;
    window.click("button", "Maximize log entry").await?;
    window
        .until(
            "the entry alone",
            "const entry = document.querySelector('main aside[aria-label^=\"Log entry\"]');
             const list = document.querySelector('[role=grid]');
             return entry?.getBoundingClientRect().width > document.querySelector('main').clientWidth - 10
               && !(list?.getBoundingClientRect().width > 0)",
        )
        .await?;
    window.see("notifications/progress").await?;
    window.shot("entry-maximized").await?;
    window.click("button", "Restore log entry").await?;
    window
        .find_in(None, "grid", "Wire log entries, oldest first")
        .await?;
    Ok(())
}

/// The log as a file: a driver is not asked for a place, and without a folder for downloads it is the home folder.
async fn the_log_is_saved(window: &Window, home: &Path) -> Result<()> {
    window
        .click("button", "More actions for the wire log")
        .await?;
    window.click("menuitem", "Save to a file").await?;
    window.see("Wire log saved as").await?;
    let saved = files(home)?
        .into_iter()
        .find(|file| file.extension().is_some_and(|ending| ending == "mcplog"))
        .context("a saved log")?;
    let saved = fs::read_to_string(saved)?;
    ensure!(saved.lines().count() > 20, "{saved}");
    for line in saved.lines() {
        serde_json::from_str::<serde_json::Value>(line).with_context(|| line.to_owned())?;
    }
    ensure!(
        saved.matches("notifications/progress").count() >= 12 && saved.contains("climb_tower"),
        "{saved}"
    );
    Ok(())
}

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

/// What the demo server has besides tools: documents of each kind, a template with suggestions, and a conversation with a
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
    window.click("menuitem", "Copy as CSV").await?;
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

/// Which sounds can be played depends on what is installed.
const SOUND: &str = "(() => {
  const sound = card.querySelector('audio');
  return (sound && Math.abs(sound.duration - 1.5) < 0.01) || /cannot be played here/.test(card.innerText);
})()";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_crash_keeps_everything_and_restarts_with_one_click() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Polish the lens").await?;
    run(&window).await?;
    newest_run_is(&window, "Running").await?;
    select_tool(&window, "Trouble: blow the fuse").await?;
    run(&window).await?;
    window.see("Connection lost").await?;
    newest_run_is(&window, "Connection lost").await?;
    window.shot("crash").await?;
    // The code that the server ended with, and its last words.
    window.see("code 3").await?;
    assert_eq!(runs(&window).await?, 2, "both runs stay in the history");
    window.click("button", "Reconnect").await?;
    connected(&window).await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn typed_values_survive_switching_tools_views_and_reloads() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Load: echo").await?;
    window.fill("message…", "9007199254740993 is kept").await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window.click("tab", "Wire log").await?;
    select_tool(&window, "Load: echo").await?;
    assert_eq!(window.value("message…").await?, "9007199254740993 is kept");
    // The draft is saved a moment after the last key.
    window.stores("9007199254740993 is kept").await?;
    window.client.refresh().await?;
    window.see(DEMO).await?;
    select_tool(&window, "Load: echo").await?;
    let typed = window.value("message…").await?;
    assert_eq!(
        typed, "9007199254740993 is kept",
        "after a reload of the page"
    );
    // Still connected: the session lives in the backend.
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "9007199254740993 is kept").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_changed_list_is_read_again_and_the_difference_shown() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Open or close the boathouse").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.see("1 tool added").await?;
    window.fill("Search tools", "Launch").await?;
    window.find_in(Some("Tools"), "option", "Launch…").await?;
    window.shot("list-changed").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_wire_shows_every_frame_and_leads_back_to_the_call() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("tab", "Wire log").await?;
    for method in ["server/discover", "tools/list", "tools/call"] {
        window
            .see_in("Wire log entries, oldest first", method)
            .await?;
    }
    // Each request with its answer: two entries with one id, in both directions.
    window
        .until("every request with its answer", FRAMES)
        .await?;
    window.shot("wire").await?;
    window.fill("Search the wire log…", "tools/call").await?;
    window.see("2 of").await?;
    window
        .click_in(
            Some("Wire log entries, oldest first"),
            "option",
            "…tools/call…",
        )
        .await?;
    window.find("button", "Go to response").await?;
    window.shot("wire-detail").await?;
    // And back to the call: its result beside the form, selected.
    window.click("button", "Go to run").await?;
    newest_run_says(&window, "Mind the stairs").await?;
    window
        .find_in(
            Some("Runs, newest first"),
            "button",
            "Say hello to the keeper…",
        )
        .await?;
    window.close().await
}

/// Whether each of these methods is there once each way, with one id.
const FRAMES: &str = "
const rows = [...document.querySelectorAll('[role=grid] [role=row][data-row]')].map((row) =>
  [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.innerText.trim()));
return ['server/discover', 'tools/list', 'tools/call'].every((method) => {
  const frames = rows.filter((row) => row[3]?.split(/\\s/)[0] === method && row[4] !== '');
  return frames.length === 2 && frames[0][4] === frames[1][4] && frames[0][0] !== frames[1][0];
});";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_json_view_edits_the_same_arguments() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "Plan a voyage").await?;
    window.shot("rich-form").await?;
    window.click("tab", "JSON").await?;
    // The editor brings its styles along at run time, which the content security policy must allow.
    window
        .until(
            "a styled editor",
            "const scroller = document.querySelector('.cm-scroller');
             return !!scroller && getComputedStyle(scroller).display === 'flex'",
        )
        .await?;
    window.shot("rich-json").await?;
    // What is typed there is in the form, and what is typed in the form is there.
    select_tool(&window, "Load: echo").await?;
    window.fill("message…", "from the form").await?;
    window.click("tab", "JSON").await?;
    window
        .see_in("Description and arguments", "\"from the form\"")
        .await?;
    let editor = fantoccini::Locator::Css("[data-form] .cm-content");
    window.click_on(editor).await?;
    let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
    window.keys(&all).await?;
    // The editor closes what it opens: the quotes and the brace are typed over.
    window
        .keys("{\"message\": \"from JSON 9007199254740993.0\"}")
        .await?;
    window.click("tab", "Form").await?;
    assert_eq!(
        window.value("message…").await?,
        "from JSON 9007199254740993.0"
    );
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "from JSON 9007199254740993.0").await?;
    window.close().await
}
