//! The whole way by keyboard: from the first start to a result, and from anywhere to everything.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::{importing::paste, preparing::press};

const GREETS: &str = "Say hello to the keeper";

async fn key(window: &Window, key: Key) -> Result<()> {
    window.keys(&char::from(key).to_string()).await
}

/// Waits until the window's headings have this one.
async fn heading_is(window: &Window, text: &str) -> Result<()> {
    window
        .until_with(
            &format!("the heading “{text}”"),
            "return [...document.querySelectorAll('main :is(h1, h2, h3)')].some((one) => one.innerText.trim() === arguments[0])",
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

/// Waits until the focus is in a field or on the button of the form.
async fn form_has_focus(window: &Window) -> Result<()> {
    window
        .until(
            "the form to have the focus",
            "return document.activeElement.closest('[data-form], [data-focus-name=\"pane form\"]') !== null",
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn from_an_empty_data_folder_to_a_result_with_a_few_keys() -> Result<()> {
    let window = Window::open().await?;
    // All ways to a server are in sight.
    heading_is(&window, DEMO).await?;
    window.see("Run your first tool in one minute").await?;
    window.see("Ctrl+V anywhere").await?;
    window.find("button", "Connect").await?;

    // Other clients.
    window
        .press_up_to(Key::Tab, "button", "Import from other clients")
        .await?;
    key(&window, Key::Enter).await?;
    heading_is(&window, "Import servers").await?;
    window.see("Other clients on this computer").await?;
    key(&window, Key::Escape).await?;
    window.see("Run your first tool in one minute").await?;

    // A server of one's own.
    window
        .press_up_to(Key::Tab, "button", "Add your own server")
        .await?;
    key(&window, Key::Enter).await?;
    heading_is(&window, "Add a server").await?;
    window
        .find("field", "Paste a URL, command or configuration")
        .await?;
    key(&window, Key::Escape).await?;
    window.see("Run your first tool in one minute").await?;

    // What is pasted is shown, and nothing is added by that.
    paste(&window, "npx -y @modelcontextprotocol/server-everything").await?;
    window.see("Recognized: A command line").await?;
    window.has_focus("button", "Add 1 server").await?;
    key(&window, Key::Escape).await?;
    window.see("Run your first tool in one minute").await?;

    // The demo: connected, a tool found, and run.
    window.press_up_to(Key::Tab, "button", "Connect").await?;
    key(&window, Key::Enter).await?;
    connected(&window).await?;
    window.has_focus("listbox", "Tools").await?;
    window.shot("keyboard-connected").await?;
    window.keys("/").await?;
    window.has_focus("field", "Search tools").await?;
    window.keys("hello").await?;
    key(&window, Key::Enter).await?;
    heading_is(&window, GREETS).await?;
    form_has_focus(&window).await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Mind the stairs").await?;
    ensure!(runs(&window).await? == 1);
    window.close().await
}

/// Opens the palette, types, waits until this is what Enter opens, and opens it.
pub(crate) async fn find_anything(window: &Window, typed: &str, found: &str) -> Result<()> {
    press(window, Key::Control, 'k').await?;
    window
        .has_focus("field", "Find tools, runs, servers and actions")
        .await?;
    window.keys(typed).await?;
    window
        .until_with(
            &format!("“{found}” to be found"),
            "return document.querySelector('[role=listbox][aria-label=Found] [role=option][aria-selected=true]')
               ?.innerText.replace(/\\s+/g, ' ').trim().startsWith(arguments[0])",
            vec![json!(found)],
        )
        .await?;
    key(window, Key::Enter).await?;
    window
        .until(
            "the palette to close",
            "return document.querySelector('[role=listbox][aria-label=Found]') === null",
        )
        .await?;
    Ok(())
}

async fn tab_is(window: &Window, name: &str) -> Result<()> {
    window
        .until_with(
            &format!("the tab “{name}”"),
            "return [...document.querySelectorAll('main [role=tab][aria-selected=true]')].some((tab) => tab.innerText.trim().startsWith(arguments[0]))",
            vec![json!(name)],
        )
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_palette_menus_and_problems_of_a_form_lead_to_everything_by_keyboard() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;

    // A tool, a resource of another server whose list nobody has looked at, and an action.
    find_anything(&window, "hello keeper", GREETS).await?;
    heading_is(&window, DEMO).await?;
    heading_is(&window, GREETS).await?;
    form_has_focus(&window).await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    newest_run_is(&window, "Done").await?;
    press(&window, Key::Control, '2').await?;
    heading_is(&window, "everything").await?;
    find_anything(&window, "tide table", "Tide table").await?;
    heading_is(&window, DEMO).await?;
    tab_is(&window, "Resources").await?;
    heading_is(&window, "Tide table").await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "19:20").await?;
    find_anything(&window, "dark theme", "Use the dark theme").await?;
    window
        .until(
            "the dark theme",
            "return document.documentElement.dataset.theme === 'dark'",
        )
        .await?;
    find_anything(&window, "wire log", "Show the wire log").await?;
    tab_is(&window, "Wire log").await?;

    // The context menu of what a list points to, and the focus comes back to the list.
    press(&window, Key::Alt, '1').await?;
    window.has_focus("listbox", "Tools").await?;
    press(&window, Key::Shift, Key::F10.into()).await?;
    window
        .press_up_to(Key::Down, "menuitem", "Copy name")
        .await?;
    window.shot("context-menu-by-keyboard").await?;
    key(&window, Key::Enter).await?;
    let name = window.copied("say_hello").await?;
    ensure!(name == "say_hello", "copied {name:?}");
    window.has_focus("listbox", "Tools").await?;

    // The list of keys is searched.
    window.keys("?").await?;
    window.see("Reset the zoom").await?;
    window
        .press_up_to(Key::Tab, "field", "Search the shortcuts")
        .await?;
    window.keys("wire log").await?;
    window.see("Show the wire log").await?;
    window.see_not("Reset the zoom").await?;
    window.shot("shortcuts-searched").await?;
    // What was typed goes first, then the list.
    key(&window, Key::Escape).await?;
    window.see("Reset the zoom").await?;
    key(&window, Key::Escape).await?;
    window.see_not("Reset the zoom").await?;
    window.has_focus("listbox", "Tools").await?;

    // What is wrong with a form leads to its fields.
    find_anything(&window, "get sum", "Get Sum Tool").await?;
    window.has_focus("field", "a…").await?;
    window.press_up_to(Key::Tab, "field", "b…").await?;
    window.keys("twenty").await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    window.see("2 problems with the arguments.").await?;
    window.shot("problems").await?;
    window
        .press_up_to(Key::Tab, "button", "Next problem")
        .await?;
    key(&window, Key::Enter).await?;
    window.has_focus("field", "a…").await?;
    window.keys("19").await?;
    window.see("1 problem with the arguments.").await?;
    window
        .press_up_to(Key::Tab, "button", "Go to the problem")
        .await?;
    key(&window, Key::Enter).await?;
    window.has_focus("field", "b…").await?;
    press(&window, Key::Control, 'a').await?;
    window.keys("23").await?;
    window.see_not("with the arguments.").await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "The sum of 19 and 23 is 42").await?;
    window.close().await
}
