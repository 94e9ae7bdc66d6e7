//! The whole way by keyboard: from the first start to a result, and from anywhere to everything.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::keys::{find_anything, form_has_focus, heading_is, key, press};

const GREETS: &str = "Say hello to the keeper";

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
