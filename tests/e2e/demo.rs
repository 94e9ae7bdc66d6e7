//! The demo server: what a stranger sees in the first minutes.

use anyhow::Result;
use fantoccini::key::Key;
use sonde_tests::window::Window;

use sonde_tests::steps::*;

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
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn progress_moves_while_another_call_is_cancelled() -> Result<()> {
    let window = Window::open().await?;
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
    window.close().await
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
        let name = tool.to_lowercase().replace([' ', ':'], "-");
        window.shot(&format!("result-{name}")).await?;
    }
    window.close().await
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
        "List the ships in sight",
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
    let editor = window
        .client
        .find(fantoccini::Locator::Css("[data-form] .cm-content"))
        .await?;
    editor.click().await?;
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
