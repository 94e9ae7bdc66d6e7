//! axe finds nothing, in light and dark, in the real window; and the app works by keyboard.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::keys::{find_anything, form_has_focus, heading_is, key, paste, press};

const GREETS: &str = "Say hello to the keeper";

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
    window.has_focus("button", "Add and connect").await?;
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
    window.see("1 of ").await?;
    key(&window, Key::Enter).await?;
    heading_is(&window, GREETS).await?;
    form_has_focus(&window).await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "Mind the stairs").await?;
    ensure!(runs(&window).await? == 1);

    // To the wire log, and by the palette to the form again.
    press(&window, Key::Alt, '6').await?;
    window.see("tools/call").await?;
    find_anything(&window, "hello", GREETS).await?;
    form_has_focus(&window).await?;
    press(&window, Key::Control, Key::Enter.into()).await?;
    window
        .until_with("a second run", "return document.querySelectorAll('[aria-label=\"Runs, newest first\"] article').length === arguments[0]", vec![json!(2)])
        .await?;
    newest_run_is(&window, "Done").await?;
    window.close().await
}
