//! Signing in with the real keyring. The browser is a script that notes addresses, and a plain HTTP client that follows
//! them.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use crate::{
    leaks::Canary,
    stage::{Stage, revoked, sign_out},
};

/// A note that is on the screen, so that the page has it in its memory.
const NOTE: &str = "the-lamp-is-lit-and-turning";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn nothing_leaks() -> Result<()> {
    let stage = Stage::signed_in().await?;
    let Stage {
        server,
        canary,
        window,
        ..
    } = &stage;
    stage.call().await?;
    server.expire_all();
    stage.call().await?;
    select_tool(window, "write").await?;
    window.fill("text…", NOTE).await?;
    run(window).await?;
    let address = stage.open(2).await?;
    stage.land(&address).await?;
    newest_run_is(window, "Done").await?;
    // The keyring is where the tokens are; without them nothing below proves anything.
    ensure!(canary.in_keyring()? > 0, "the keyring has the token");
    let told = canary.is_not_told(window).await?;
    for word in [
        "grant_type=refresh_token",
        "code_verifier",
        "tools/call",
        "insufficient_scope",
    ] {
        ensure!(told.contains(word), "{word} was not told: {told}");
    }
    every_log_entry(window, canary).await?;
    every_step(window, canary).await?;
    assert_eq!(
        axe(window).await?,
        [""; 0],
        "the steps, for a screen reader"
    );
    canary.is_in_no_file(window.data_folder())?;
    ensure!(
        !canary.is_in(stage.opener.opened()?.concat().as_bytes()),
        "an argument of another program holds the secret"
    );

    sign_out(window).await?;
    // The token from before the step-up is not used any more, and stays.
    revoked(server, 1).await?;
    every_step(window, canary).await?;
    canary.is_not_told(window).await?;
    canary.is_not_in_page(window).await?;
    canary.is_in_no_file(window.data_folder())?;
    canary.is_not_in_memory(window, NOTE)?;
    stage.window.close().await
}

/// Opens the entries of the log one after the other, and looks at the page with each.
async fn every_log_entry(window: &Window, canary: &Canary) -> Result<()> {
    window.click("tab", "Wire log").await?;
    let grouped = window.until("rows in the log", ENTRIES).await?;
    // Each of them has its own row.
    window.click("checkbox", "Group").await?;
    window
        .until_with("a row for each entry", UNGROUPED, vec![grouped])
        .await?;
    window
        .click_in(Some("Wire log entries, oldest first"), "option", "…")
        .await?;
    window.keys(&char::from(Key::Home).to_string()).await?;
    let entries = window.until("entries in the log", ENTRIES).await?;
    let entries = entries.as_u64().context("entries are counted")?;
    ensure!(entries > 5, "{entries} entries in the log");
    for entry in 0..entries {
        window
            .until_with("the details of an entry", DETAILS, vec![json!(entry)])
            .await?;
        canary.is_not_in_page(window).await?;
        window.keys(&char::from(Key::Down).to_string()).await?;
    }
    Ok(())
}

/// Number of entries of the log. The first row of the table are its titles.
const ENTRIES: &str = "
const rows = Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0);
return rows > 1 ? rows - 1 : null;";

/// The log has more rows than these.
const UNGROUPED: &str = "
return Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0) - 1 > arguments[0];";

/// The entry with this index is selected, and what there is to know about it has arrived.
const DETAILS: &str = "
const row = document.querySelector('[role=row][aria-selected=true]');
const title = document.querySelector('aside[aria-label^=\"Log entry\"] h2');
return row?.dataset.row === String(arguments[0]) && !!title && !/^Entry \\d+$/.test(title.innerText);";

/// Opens all steps of the sign-in with their requests and answers, and looks at the page.
async fn every_step(window: &Window, canary: &Canary) -> Result<()> {
    window.click("tab", "Authentication…").await?;
    window
        .until(
            "every step to be open",
            "const steps = [...document.querySelectorAll('[aria-label=Steps] button[aria-expanded]')];
             for (const step of steps) if (step.getAttribute('aria-expanded') === 'false') step.click();
             return steps.length > 0 && steps.every((step) => step.getAttribute('aria-expanded') === 'true')
               && !document.body.innerText.includes('Loading the request')",
        )
        .await?;
    canary.is_not_in_page(window).await
}
