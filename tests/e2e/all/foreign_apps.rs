//! Apps of servers that nobody here wrote.

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use sonde_tests::{steps::*, window::Window};

use crate::frames::{app_messages_say, click_in_app, in_app};

/// Runs a tool of a server and shows its app, which gets the result.
async fn shows(server: Value, tool: &str, app: &str, says: &str) -> Result<Window> {
    let window = Window::open().await?;
    shows_in(&window, "foreign", server, tool, app, says).await?;
    Ok(window)
}

/// The same in a window that has other servers already.
async fn shows_in(
    window: &Window,
    name: &str,
    server: Value,
    tool: &str,
    app: &str,
    says: &str,
) -> Result<()> {
    import(window, json!({ name: server })).await?;
    confirm_and_connect(window).await?;
    select_tool(window, tool).await?;
    run(window).await?;
    newest_run_is(window, "Done").await?;
    window.click("button", "Show app").await?;
    window.see(&format!("which calls itself “{app}”")).await?;
    in_app(window, "what shows the result", says).await?;
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
    Ok(())
}

/// Checks that the wire log shows the messages between Sonde and the app.
async fn conversed(window: Window) -> Result<()> {
    window.click("tab", "Wire log").await?;
    app_messages_say(
        &window,
        &[
            "ui/initialize",
            "ui/notifications/initialized",
            "ui/notifications/tool-input",
            "ui/notifications/tool-result",
        ],
    )
    .await?;
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
async fn further_examples_of_the_extension_show_their_results() -> Result<()> {
    let window = Window::open().await?;
    for (server, tool, app, says) in [
        (
            "mcp-cohort-heatmap-server",
            "Get Cohort Retention Data",
            "Cohort Heatmap",
            "return document.body.innerText.includes('Cohort')",
        ),
        (
            "mcp-scenario-modeler-server",
            "Get Scenario Data",
            "SaaS Scenario Modeler",
            "return document.body.innerText.includes('MRR')",
        ),
    ] {
        shows_in(&window, server, example(server), tool, app, says).await?;
    }
    // One that takes its data from a call of its own.
    shows_in(
        &window,
        "segments",
        example("mcp-customer-segmentation-server"),
        "Get Customer Data",
        "Customer Segmentation",
        "return document.getElementById('scatter-chart') !== null",
    )
    .await?;
    window
        .click_in(Some("The app asks"), "button", "Allow once")
        .await?;
    in_app(
        &window,
        "what its own call gave",
        "return document.getElementById('legend').innerText.trim() !== ''",
    )
    .await?;
    // One that asks its server again and again does so under a rule, with a run each time.
    shows_in(
        &window,
        "monitor",
        example("mcp-system-monitor-server"),
        "Get System Info",
        "System Monitor",
        "return document.getElementById('info-hostname').innerText.trim().length > 1",
    )
    .await?;
    window
        .click_in(Some("The app asks"), "button", "Always for this server")
        .await?;
    in_app(
        &window,
        "the load of this machine",
        "return /[0-9]%/.test(document.getElementById('memory-percent').innerText)",
    )
    .await?;
    show_all_runs(&window).await?;
    window
        .until(
            "several runs by the app",
            "return document.body.innerText.split('by an app').length > 3",
        )
        .await?;
    window.click("button", "Close app").await?;
    conversed(window).await
}

/// Presses a button of an app that is far down in its page, where the driver does not reach.
async fn press_in_app(window: &Window, button: &str) -> Result<()> {
    in_app(
        window,
        button,
        &format!("document.querySelector('{button}').click(); return true"),
    )
    .await
}

/// The app with which the authors of the extension try hosts: a button for whatever an app may ask for.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_debug_app_of_the_extension_hears_of_everything() -> Result<()> {
    const EVENTS: &str = "return document.getElementById('event-log')?.innerText.includes";
    let window = Window::open().await?;
    import(&window, json!({ "debug": example("mcp-server-debug") })).await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Debug Tool").await?;
    window.fill("delayMs…", "60000").await?;
    run(&window).await?;
    // While the tool runs its app is there already, with the input; it hears that the run was cancelled.
    window.click("button", "Show app").await?;
    in_app(&window, "the input", &format!("{EVENTS}('ontoolinput')")).await?;
    window.shot("app-debug").await?;
    window
        .click_in(Some("The app asks"), "button", "Always for this server")
        .await?;
    window.click("button", "Cancel run Debug Tool").await?;
    run_of_is(&window, "Debug Tool", "Cancelled").await?;
    in_app(
        &window,
        "the cancellation",
        &format!("{EVENTS}('ontoolcancelled')"),
    )
    .await?;
    for (button, said) in [
        ("#send-message-text-btn", "Messages for a conversation (1)"),
        ("#send-message-image-btn", "Messages for a conversation (2)"),
        ("#update-context-structured-btn", "Context for a model"),
    ] {
        press_in_app(&window, button).await?;
        window.see(said).await?;
    }
    for (button, asked, answer) in [
        ("#call-debug-refresh-btn", "debug-refresh", "Allow once"),
        (
            "#open-link-btn",
            "https://modelcontextprotocol.io/",
            "Refuse",
        ),
        ("#display-fullscreen-btn", "full size", "Refuse"),
    ] {
        press_in_app(&window, button).await?;
        window.see_in("The app asks", asked).await?;
        window
            .click_in(Some("The app asks"), "button", answer)
            .await?;
    }
    press_in_app(&window, "#log-warning-btn").await?;
    window.click("button", "Close app").await?;
    window.click("tab", "Wire log").await?;
    app_messages_say(
        &window,
        &[
            "ui/notifications/tool-cancelled",
            "notifications/message",
            "ui/update-model-context",
            "ui/open-link",
            "ui/resource-teardown",
        ],
    )
    .await?;
    window.close().await
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
    window.see("The tide turns at six").await?;
    window.shot("app-silent").await?;
    conversed(window).await
}
