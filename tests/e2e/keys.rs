//! Keys, pastes and the palette, for several tests.

use anyhow::Result;
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::window::Window;

/// Events of the page when the user presses Ctrl+V outside of a field.
pub(crate) async fn paste(window: &Window, text: &str) -> Result<()> {
    window
        .js(
            "const event = new Event('paste', { bubbles: true, cancelable: true });
             Object.defineProperty(event, 'clipboardData', { value: { getData: () => arguments[0] } });
             document.body.dispatchEvent(event);",
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

pub(crate) async fn key(window: &Window, key: Key) -> Result<()> {
    window.keys(&char::from(key).to_string()).await
}

/// Waits until the window's headings have this one.
pub(crate) async fn heading_is(window: &Window, text: &str) -> Result<()> {
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
pub(crate) async fn form_has_focus(window: &Window) -> Result<()> {
    window
        .until(
            "the form to have the focus",
            "return document.activeElement.closest('[data-form], [data-focus-name=\"pane form\"]') !== null",
        )
        .await?;
    Ok(())
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

pub(crate) async fn press(window: &Window, modifier: Key, key: char) -> Result<()> {
    let keys = format!("{}{key}{}", char::from(modifier), char::from(Key::Null));
    window.keys(&keys).await
}
