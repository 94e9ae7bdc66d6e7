//! Apps of servers that nobody here wrote.

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sonde_tests::{steps::*, window::Window};

use crate::apps::{LOG, click_in_app, in_app};

/// Runs a tool and shows its app, which gets the result.
async fn shows(server: Value, tool: &str, app: &str, says: &str) -> Result<Window> {
    let window = Window::open().await?;
    import(&window, json!({ "foreign": server })).await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, tool).await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    window
        .see(&format!("“{app}”, an app of the server"))
        .await?;
    in_app(&window, "what shows the result", says).await?;
    window
        .shot(&format!("app-{}", app.replace(' ', "-")))
        .await?;
    ensure!(
        !window
            .text()
            .await?
            .contains("does not follow the specification"),
        "it has findings"
    );
    Ok(window)
}

/// What passed between Sonde and the app stands in the wire log.
async fn conversed(window: Window) -> Result<()> {
    window.click("tab", "Wire log").await?;
    window.click("button", "Apps").await?;
    for method in [
        "ui/initialize",
        "ui/notifications/initialized",
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
    ] {
        window.see_in(LOG, method).await?;
    }
    window.close().await
}

/// A program of `tests/peers/package.json` that speaks over stdio.
fn example(program: &str) -> Value {
    json!({ "command": npm_program(program), "args": ["--stdio"] })
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_basic_example_of_the_extension_is_shown_and_calls_its_tool() -> Result<()> {
    let window = shows(
        example("mcp-server-basic-vanillajs"),
        "Get Time",
        "Get Time App",
        "return /^\\d{4}-\\d\\d-\\d\\dT/.test(document.getElementById('server-time').innerText)",
    )
    .await?;
    click_in_app(&window, "#get-time-btn").await?;
    window
        .click_in(Some("The app asks"), "button", "Allow once")
        .await?;
    window.see("by an app").await?;
    click_in_app(&window, "#send-message-btn").await?;
    window.see("Messages for a conversation (1)").await?;
    conversed(window).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_larger_example_of_the_extension_draws_its_result() -> Result<()> {
    let window = shows(
        example("mcp-budget-allocator-server"),
        "Get Budget Data",
        "Budget Allocator",
        "return document.querySelectorAll('#sliders-container input').length === 5
           && /Allocated: [$]100,?000/.test(document.getElementById('status-bar').innerText)",
    )
    .await?;
    conversed(window).await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn an_app_of_the_python_sdk_is_shown() -> Result<()> {
    let window = shows(
        python_server("apps_server.py"),
        "Next tide",
        "Tides",
        // The SDK itself says whether Sonde declared that it shows apps.
        "return tide.innerText === 'High water at noon'",
    )
    .await?;

    // A page that never says a word is there, with the reason why it has no result, and the result is below.
    select_tool(&window, "Tide clock").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    window.click("button", "Show app").await?;
    in_app(
        &window,
        "the page",
        "return document.getElementById('clock')?.innerText === 'Six'",
    )
    .await?;
    window.see("it has not sent ui/initialize").await?;
    // The newest run is the reading of its page.
    window.see("The tide turns at six").await?;
    window.shot("app-silent").await?;
    conversed(window).await
}
