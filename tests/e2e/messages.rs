//! Log messages of a server that does not say to which run they belong.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use fantoccini::Locator;
use serde_json::{Value, json};
use sonde_tests::{
    stdio_peer::{Step, script},
    steps::*,
    window::Window,
};

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
    let lines = window
        .client
        .find_all(Locator::XPath(
            "//*[@aria-label='Runs, newest first']//button[@aria-expanded='false'][contains(., '1 message')]",
        ))
        .await?;
    ensure!(lines.len() == 2, "{} lines to open", lines.len());
    for line in lines {
        line.click().await?;
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
