//! In which hosts the tools of a server work.

use std::collections::BTreeMap;

use anyhow::Result;
use fantoccini::Locator;
use serde_json::json;
use sonde_tests::{
    stdio_peer::{Step, script},
    steps::*,
    window::Window,
};

/// One tool that the APIs of models refuse, and one that works.
fn attaching() -> Vec<Step> {
    let results = BTreeMap::from([
        (
            "initialize".to_owned(),
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "attaching", "version": "1" },
            }),
        ),
        (
            "tools/list".to_owned(),
            json!({ "tools": [
                {
                    "name": "attach",
                    "description": "Attaches a file to a page.",
                    "inputSchema": {
                        "type": "object",
                        "anyOf": [{ "required": ["content"] }, { "required": ["url"] }],
                    },
                },
                {
                    "name": "search",
                    "description": "Searches the pages for words.",
                    "inputSchema": { "type": "object", "properties": {} },
                },
            ] }),
        ),
    ]);
    vec![
        Step::Serve {
            results,
            until: None,
        },
        Step::AwaitEof,
    ]
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_tool_that_a_host_refuses_is_shown_with_the_reason_and_its_source() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "attaching": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(attaching()) } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    window.click("tab", "Hosts").await?;
    let row = "const row = [...document.querySelectorAll('[role=grid] [role=row]')]
            .find((one) => one.querySelector('[role=rowheader]')?.innerText.includes(arguments[0]));
        return row?.innerText.includes(arguments[1]) ?? false";
    window
        .until_with("the refusal", row, vec![json!("attach"), json!("Fails")])
        .await?;
    window
        .until_with(
            "the refusal that is not sure",
            row,
            vec![json!("attach"), json!("May fail")],
        )
        .await?;
    window
        .until_with("the other tool", row, vec![json!("search"), json!("Works")])
        .await?;
    let cell = "//*[@role='row'][.//*[@role='rowheader'][contains(., 'attach')]]//*[@role='gridcell'][contains(., 'May fail')]";
    window.click_on(Locator::XPath(cell)).await?;
    let said = "const side = document.querySelector('[aria-label=\"Host details\"]');
        return [...arguments].every((text) => side?.innerText.includes(text) ?? false)";
    window
        .until_with(
            "the reason",
            said,
            vec![
                json!("anyOf at its root"),
                json!("/inputSchema/anyOf"),
                json!("makenotion/notion-mcp-server#340"),
            ],
        )
        .await?;
    window.close().await
}
