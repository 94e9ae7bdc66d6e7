//! Log messages: to which run they belong, which of them the server sends, and the Console.

use std::collections::BTreeMap;

use anyhow::Result;
use fantoccini::Locator;
use serde_json::{Value, json};
use sonde_tests::{
    stdio_peer::{Step, script},
    steps::*,
    window::Window,
};

use crate::servers::HttpServer;

/// Over stdio all messages come on one stream, so a message that comes while two calls are open is either's.
fn talking() -> Vec<Step> {
    let tool = |name: &str| json!({ "name": name, "inputSchema": { "type": "object" } });
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "logging": {}, "tools": {} },
                "serverInfo": { "name": "talking", "version": "1" },
            }),
        ),
        (
            "tools/list".to_owned(),
            json!({ "tools": [tool("weigh"), tool("measure")] }),
        ),
    ]);
    let until = Some("tools/list".to_owned());
    vec![
        Step::Serve { results, until },
        Step::Expect,
        Step::Expect,
        Step::emit(format!(
            "{}\n",
            json!({
                "jsonrpc": "2.0",
                "method": "notifications/message",
                "params": { "level": "warning", "data": "the scale is not level" },
            })
        )),
        Step::AwaitEof,
    ]
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_message_that_two_calls_may_have_caused_is_shown_by_both_which_say_so() -> Result<()> {
    const MESSAGE: &str = "the scale is not level";
    let window = Window::open().await?;
    import(
        &window,
        json!({ "talking": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(talking()) } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    for tool in ["weigh", "measure"] {
        select_tool(&window, tool).await?;
        run(&window).await?;
        run_of_is(&window, tool, "Running").await?;
    }
    let said_by_both = "const cards = [...document.querySelectorAll('[aria-label=\"Runs, newest first\"] article')];
        const said = (card, text) => card.innerText.replace(/\\s+/g, ' ').includes(text);
        return cards.length === 2 && cards.every((card) => arguments[0].every((text) => said(card, text)))";
    let shown: Value = json!(["1 message", "warning", MESSAGE, "this or another run"]);
    window
        .until_with(
            "the message at both runs",
            said_by_both,
            vec![shown.clone()],
        )
        .await?;

    // Each says more of it where its messages are opened.
    let closed = "//*[@aria-label='Runs, newest first']//button[@aria-expanded='false'][contains(., '1 message')]";
    for _ in 0..2 {
        window.click_on(Locator::XPath(closed)).await?;
    }
    let why =
        "the protocol does not say which of them a message belongs to. Each of them shows it.";
    window
        .until_with(
            "why both show it",
            said_by_both,
            vec![json!([MESSAGE, why])],
        )
        .await?;
    window.shot("message-of-either").await?;

    // It stays with both once they are over.
    for tool in ["weigh", "measure"] {
        window
            .click("button", &format!("Cancel run {tool}"))
            .await?;
    }
    for tool in ["weigh", "measure"] {
        run_of_is(&window, tool, "Cancelled").await?;
    }
    for tool in ["weigh", "measure"] {
        window
            .until_with(
                &format!("the message at the run of {tool}, which is over"),
                "const cards = [...document.querySelectorAll('[aria-label=\"Runs, newest first\"] article')];
                 const card = cards.find((each) => each.querySelector('[data-card-head]').innerText.includes(arguments[0]));
                 const head = card?.querySelector('[data-card-head]');
                 if (head?.getAttribute('aria-expanded') === 'false') head.click();
                 return !!card && arguments[1].every((text) => card.innerText.replace(/\\s+/g, ' ').includes(text))",
                vec![json!(tool), shown.clone()],
            )
            .await?;
    }
    window.close().await
}

/// The TypeScript SDK sends only what the level lets pass.
/// Without a handshake the level goes with each request.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn without_a_handshake_each_request_says_the_level() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    window.see("MCP 2026-07-28").await?;
    // Of the eight levels, four are errors or worse.
    for (level, heard) in [("debug", "8 messages"), ("error", "4 messages")] {
        window.click("tab", "Console…").await?;
        let field = window.find("field", "Server log level").await?;
        field.select_by_value(level).await?;
        select_tool(&window, "Listen to the radio").await?;
        run(&window).await?;
        newest_run_is(&window, "Done").await?;
        newest_run_says(&window, heard).await?;
    }
    window.shot("stateless-level").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_level_is_told_and_a_line_of_the_console_leads_to_its_run() -> Result<()> {
    const TOOL: &str = "start-notification-stream";
    let server = HttpServer::simple().await?;
    let window = Window::open().await?;
    import(
        &window,
        json!({
            "simple": { "url": server.url() },
            "contents": python_server("contents_server.py"),
        }),
    )
    .await?;
    connect(&window).await?;
    let talk = async |times: &str| {
        select_tool(&window, TOOL).await?;
        window.fill("interval…", "100").await?;
        window.fill("count…", times).await?;
        run(&window).await?;
        newest_run_is(&window, "Done").await
    };
    talk("5").await?;
    window.click("tab", "Console…").await?;
    window.see("Periodic notification #5").await?;
    let level = window.find("field", "Server log level").await?;
    level.select_by_value("error").await?;
    talk("5").await?;
    window.click("tab", "Console…").await?;
    let level = window.find("field", "Server log level").await?;
    level.select_by_value("debug").await?;
    talk("6").await?;
    window.click("tab", "Console…").await?;
    window.see("Periodic notification #6").await?;
    // Those of the second run would have come before: the stream keeps their order.
    window
        .fill("Search the console…", "notification #1 at")
        .await?;
    window.see("2 lines").await?;
    let least = window.find("field", "Level").await?;
    least.select_by_value("4").await?;
    window.see("No matching lines").await?;
    let least = window.find("field", "Level").await?;
    least.select_by_value("1").await?;
    window.see("2 lines").await?;
    window.shot("console-levels").await?;

    // Over stdio a message is that of the only run there is.
    window.click("button", "contents…").await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, "Talk").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "3 messages").await?;
    window.click("tab", "Console…").await?;
    window.see("It is too late.").await?;
    let logger = window.find("field", "Logger").await?;
    logger.select_by_value("contents.end").await?;
    window.see("2 lines").await?;
    window
        .until(
            "a line that leads to its run",
            "const link = document.querySelector('[role=listbox] [role=option] [data-run-of]');
             link?.click();
             return !!link",
        )
        .await?;
    window
        .until(
            "the run of the message",
            "const heads = [...document.querySelectorAll('[aria-label=\"Runs, newest first\"] article [data-card-head]')];
             return heads.length === 1 && heads[0].innerText.includes('Talk') && heads[0].getAttribute('aria-expanded') === 'true'",
        )
        .await?;
    window.close().await
}
