//! Issues of a server that breaks rules, each with its place.

use anyhow::Result;
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    broken_server::{GAUGE, RULES, TOOL, steps},
    stdio_peer::script,
    steps::*,
    window::Window,
};

/// The part of the window that tells about one rule.
fn detail(rule: &str) -> String {
    format!("Issue {rule}")
}

/// Searches a rule and selects its row.
async fn select_rule(window: &Window, rule: &str) -> Result<()> {
    window.fill("Search the issues (Ctrl+F)", rule).await?;
    window.click("option", &format!("… {rule} …")).await?;
    let told = "const side = document.querySelector(`[aria-label=\"${arguments[0]}\"]`);
        return ['Why it matters', 'What to do'].every((text) => side?.innerText.includes(text) ?? false)";
    window
        .until_with(rule, told, vec![json!(detail(rule))])
        .await?;
    Ok(())
}

/// Selects the first case of the rule that is selected.
async fn select_first_case(window: &Window, rule: &str) -> Result<()> {
    window.keys(&Key::Right.to_string()).await?;
    window.keys(&Key::Down.to_string()).await?;
    window.see_in(&detail(rule), "Go to").await
}

/// Waits until the tree of a document has this member selected.
async fn member_is_selected(window: &Window, document: &str, member: &str) -> Result<()> {
    let script =
        "const tree = document.querySelector(`[role=tree][aria-label=\"${arguments[0]}, tree\"]`);
        const row = tree?.querySelector('[aria-selected=true]')?.innerText ?? '';
        return row.replace(/^\\W+/, '').startsWith(arguments[1])";
    window
        .until_with(member, script, vec![json!(document), json!(member)])
        .await?;
    Ok(())
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn rules_that_a_server_breaks_lead_to_their_places() -> Result<()> {
    let window = Window::open().await?;
    import(
        &window,
        json!({ "broken": { "command": env!("CARGO_BIN_EXE_scripted-stdio"), "args": script(steps("nothing")) } }),
    )
    .await?;
    confirm_and_connect(&window).await?;
    select_tool(&window, TOOL).await?;
    run(&window).await?;
    // Its content, and the envelope of its response.
    newest_run_is(&window, "Done, 2 issues").await?;
    window.click("tab", "Issues…").await?;
    for rule in RULES {
        select_rule(&window, rule).await?;
    }
    window.shot("issues").await?;

    // A message, and back; an item of a list; the result of a run.
    select_rule(&window, "bad-jsonrpc").await?;
    select_first_case(&window, "bad-jsonrpc").await?;
    window.click("button", "Go to entry").await?;
    window
        .until(
            "the entry with its rule",
            "return document.querySelector('[aria-label^=\"Log entry\"]')?.innerText.includes('bad-jsonrpc') ?? false",
        )
        .await?;
    member_is_selected(&window, "Body", "jsonrpc").await?;
    window.shot("issue-of-a-message").await?;
    window.click("tab", "Issues…").await?;
    window
        .see_in(&detail("bad-jsonrpc"), "Why it matters")
        .await?;
    select_rule(&window, "schema-not-object").await?;
    select_first_case(&window, "schema-not-object").await?;
    window.click("button", "Go to tool").await?;
    window.see("Its schema is of a text.").await?;
    member_is_selected(&window, "Definition", "inputSchema").await?;
    window.shot("issue-of-a-tool").await?;
    window.click("tab", "Issues…").await?;
    select_rule(&window, "unknown-content-type").await?;
    select_first_case(&window, "unknown-content-type").await?;
    window.click("button", "Go to run").await?;
    newest_run_says(&window, "unknown-content-type").await?;
    // The first content block.
    member_is_selected(&window, "Response as recorded", "0:").await?;
    window.shot("issue-of-a-run").await?;

    // A result that breaks its output schema is told at the run, at the server and among the issues.
    select_tool(&window, GAUGE).await?;
    run(&window).await?;
    newest_run_is(&window, "Done, 1 issue").await?;
    window
        .until(
            "the header to say that there are issues",
            "return /issues in this connection/.test(document.querySelector('main header')?.innerHTML)",
        )
        .await?;
    window.click("tab", "Issues…").await?;
    select_rule(&window, "nonconforming-structured-content").await?;
    // And at the response that brought it.
    window.click("tab", "Wire log…").await?;
    window.click("checkbox", "Only with issues").await?;
    window
        .until(
            "the response with the rule that its result breaks",
            "return [...document.querySelectorAll('main [role=row]')].some((row) =>
                row.querySelector('[data-tip=\"nonconforming-structured-content\"]') && row.innerText.includes('tools/call'))",
        )
        .await?;
    window.shot("issue-of-a-result").await?;
    window.close().await
}
