//! Signing in, with a real login form behind the Python SDK's own authorization routes and the real
//! keyring. The browser is a script that notes addresses, and a plain HTTP client that follows them.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use reqwest::Url;
use serde_json::json;
use sonde_tests::{auth_server::USER, browser::Answer, steps::*, window::Window};

use crate::{
    leaks::Canary,
    stage::{DEMO_USER, LONG, Stage, form_again, is_friendly, sign_out, start, token_entries},
};

/// What is noted. It is on the screen, so that the page has it in its memory.
const NOTE: &str = "the-lamp-is-lit-and-turning";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_whole_address_is_shown_before_it_opens() -> Result<()> {
    let stage = Stage::set(600, "canary-first-0b7e").await?;
    let window = &stage.window;
    window.click("button", "Connect").await?;
    let shown = stage.shown_address().await?;
    window.shot("sign-in-card").await?;
    assert_eq!(axe(window).await?, [""; 0], "the card, for a screen reader");
    assert_eq!(stage.opener.opened()?, [""; 0], "nobody pressed anything");
    let url = Url::parse(&shown)?;
    let asked = |name: &str| {
        let mut pairs = url.query_pairs();
        pairs
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    };
    assert!(
        shown.starts_with(&format!("{}/authorize?", stage.server.issuer())),
        "{shown}"
    );
    assert_eq!(asked("code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(asked("resource").as_deref(), Some(stage.server.url()));
    assert_eq!(asked("scope").as_deref(), Some("read"));

    window.click("button", "Open in browser").await?;
    assert_eq!(
        stage.opener.wait_for(1).await?,
        shown,
        "what was shown is what opens"
    );
    window.see("Waiting for the browser").await?;
    window.shot("sign-in-browser").await?;
    stage.land(&shown).await?;
    connected(window).await?;
    stage.whoami(USER).await?;
    window.find("button", "Signed in…").await?;
    window.see("expires in").await?;
    window.shot("signed-in").await?;

    assert_eq!(stage.opener.opened()?.len(), 1);
    assert!(stage.canary.in_keyring()? > 0, "the keyring has the token");
    stage.canary.is_in_no_file(window.data_folder())?;
    stage.canary.is_not_in_page(window).await?;
    assert_eq!(stage.server.count("registrations").await?, 1);
    assert_eq!(stage.server.count("exchanges").await?, 1);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_token_that_the_server_forgot_is_refreshed_once() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-refresh-51c2").await?;
    stage.whoami(USER).await?;
    stage.server.expire().await?;
    stage.whoami(USER).await?;
    assert_eq!(stage.server.count("refreshes").await?, 1);
    // Again, with the refresh token that came in place of the first.
    stage.server.expire().await?;
    stage.whoami(USER).await?;
    assert_eq!(stage.server.count("refreshes").await?, 2);
    assert_eq!(stage.server.count("token_refusals").await?, 0);
    assert_eq!(stage.server.count("logins").await?, 1);
    stage.window.click("tab", "Authentication…").await?;
    stage.window.see("2 times").await?;
    stage.window.shot("refreshed").await?;
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_token_that_ran_out_is_refreshed() -> Result<()> {
    let stage = Stage::signed_in(8, "canary-lifetime-93ad").await?;
    // The clock of the server decides: its token is dead by its own count.
    stage.server.reaches("live_tokens", 0).await?;
    let before = stage.server.count("refreshes").await?;
    stage.whoami(USER).await?;
    assert_eq!(stage.server.count("refreshes").await?, before + 1);
    assert_eq!(stage.server.count("token_refusals").await?, 0);
    assert_eq!(stage.server.count("logins").await?, 1);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_listener_and_the_end_of_a_session_carry_the_token_too() -> Result<()> {
    let stage = Stage::set(LONG, "canary-session-d01c").await?;
    let Stage { server, window, .. } = &stage;
    // Only the handshake era has them.
    window.click("button", "More actions for protected").await?;
    window.click("menuitem", "Edit").await?;
    let protocol = window.find("field", "Protocol mode").await?;
    protocol.select_by_value("handshake").await?;
    window.click("button", "Save").await?;
    stage.connect(1).await?;
    window.click("tab", "Connection…").await?;
    window.see("Open, listening").await?;
    assert_eq!(server.count("listeners").await?, 1);

    server.expire().await?;
    window.click("button", "Fault injection").await?;
    window.click("button", "Drop the background stream").await?;
    server.reaches("listeners", 2).await?;
    window.see("Open, listening").await?;
    assert_eq!(server.count("refreshes").await?, 1);
    window.shot("listener-refreshed").await?;
    stage.whoami(USER).await?;
    assert_eq!(server.count("refreshes").await?, 1);

    window.click("button", "Disconnect").await?;
    window.find("button", "Connect").await?;
    server.reaches("sessions_ended", 1).await?;
    assert_eq!(server.count("token_refusals").await?, 0);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_call_waits_while_the_user_signs_in_again() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-forgotten-3e8b").await?;
    let window = &stage.window;
    // Nothing that Sonde has is good for anything any more.
    stage.server.forget().await?;
    select_tool(window, "whoami").await?;
    run(window).await?;
    let address = stage.open(2).await?;
    newest_run_is(window, "Waiting for a token").await?;
    window.shot("call-waits").await?;
    stage.land(&address).await?;
    newest_run_is(window, "Done").await?;
    assert_eq!(
        runs(window).await?,
        1,
        "the call that waited is the one that ran"
    );
    assert_eq!(
        stage.server.count("token_refusals").await?,
        1,
        "one refresh was tried"
    );
    assert_eq!(stage.server.count("exchanges").await?, 2);
    assert_eq!(stage.server.count("registrations").await?, 1);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn tokens_can_be_spoiled_on_purpose() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-spoiled-a6d2").await?;
    let window = &stage.window;
    let refused = stage.server.count("unauthorized").await?;
    window.click("tab", "Authentication…").await?;
    window.click("button", "Expire token now").await?;
    window.see("expired").await?;
    stage.whoami(USER).await?;
    assert_eq!(stage.server.count("refreshes").await?, 1);
    assert_eq!(
        stage.server.count("unauthorized").await?,
        refused,
        "it was refreshed before anything was sent"
    );

    window.click("tab", "Authentication…").await?;
    window
        .click("checkbox", "Send an invalid token with the next request")
        .await?;
    stage.whoami(USER).await?;
    assert_eq!(stage.server.count("unauthorized").await?, refused + 1);
    assert_eq!(stage.server.count("refreshes").await?, 2);

    window.click("tab", "Authentication…").await?;
    window.click("button", "Refresh now").await?;
    window.see("3 times").await?;
    window.shot("spoiled").await?;
    assert_eq!(stage.server.count("refreshes").await?, 3);
    assert_eq!(stage.server.count("logins").await?, 1);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_tool_that_needs_a_further_scope_gets_it() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-step-up-77f0").await?;
    let window = &stage.window;
    select_tool(window, "write_note").await?;
    window.fill("text…", NOTE).await?;
    run(window).await?;
    // Both scopes are asked for, and the new one says so.
    let shown = stage.shown_address().await?;
    window.shot("step-up-card").await?;
    let scopes = window.until("the scopes asked for", SCOPES).await?;
    assert_eq!(scopes, json!(["read", "write new"]));
    let url = Url::parse(&shown)?;
    let scope = url
        .query_pairs()
        .find(|(name, _)| name == "scope")
        .context("scopes are asked for")?
        .1
        .into_owned();
    assert_eq!(scope, "read write");
    let address = stage.open(2).await?;
    stage.land(&address).await?;
    newest_run_is(window, "Done").await?;
    newest_run_says(window, &format!("noted: {NOTE}")).await?;
    stage.whoami("write").await?;
    assert_eq!(stage.server.count("insufficient_scope").await?, 1);
    assert_eq!(stage.server.count("logins").await?, 2);
    assert_eq!(stage.server.count("registrations").await?, 1);
    stage.window.close().await
}

/// The scopes in the card, one text each.
const SCOPES: &str = "
const items = [...document.querySelectorAll('[data-sign-in] li')].map((item) => item.innerText.replace(/\\s+/g, ' ').trim().toLowerCase());
return items.length > 0 ? items : null;";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_restart_needs_no_sign_in() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-restart-2d19").await?;
    stage.whoami(USER).await?;
    stage.window.close().await?;
    let again = start(&stage.data, &stage.opener, &[]).await?;
    again.click("button", "protected…").await?;
    connect(&again).await?;
    select_tool(&again, "whoami").await?;
    run(&again).await?;
    newest_run_is(&again, "Done").await?;
    again.find("button", "Signed in…").await?;
    assert_eq!(stage.server.count("authorizations").await?, 1);
    assert_eq!(stage.server.count("registrations").await?, 1);
    assert_eq!(stage.opener.opened()?.len(), 1);
    stage.canary.is_in_no_file(stage.data.path())?;
    again.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn without_a_keyring_the_token_is_in_memory_only() -> Result<()> {
    let nowhere = [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")];
    let stage = Stage::set_in(LONG, "canary-memory-1a5d", &nowhere).await?;
    stage.connect(1).await?;
    stage.whoami(USER).await?;
    stage.window.click("tab", "Authentication…").await?;
    stage.window.see("In memory only").await?;
    stage.window.shot("signed-in-without-keyring").await?;
    assert_eq!(stage.canary.in_keyring()?, 0);
    stage.canary.is_in_no_file(stage.data.path())?;
    stage.window.close().await?;

    let window = start(&stage.data, &stage.opener, &nowhere).await?;
    window.click("button", "protected…").await?;
    window.click("button", "Connect").await?;
    window.see("Sign in to protected").await?;
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn signing_out_deletes_and_revokes() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-sign-out-e4b8").await?;
    let window = &stage.window;
    sign_out(window).await?;
    // The authorization server is told last.
    stage.server.reaches("revocations", 1).await?;
    stage.server.reaches("live_tokens", 0).await?;
    stage.server.reaches("live_refresh_tokens", 0).await?;
    assert_eq!(
        token_entries(window, &stage.canary).await?,
        0,
        "the keyring still has a token"
    );
    window.shot("signed-out").await?;

    // The next connect asks again.
    window.click("button", "Disconnect").await?;
    window.click("tab", "Tools…").await?;
    stage.connect(2).await?;
    assert_eq!(stage.server.count("logins").await?, 2);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_wrong_password_is_between_the_user_and_the_form() -> Result<()> {
    let stage = Stage::set(LONG, "canary-password-6c05").await?;
    stage.window.click("button", "Connect").await?;
    let address = stage.open(1).await?;
    let wrong = stage
        .browser
        .sign_in(&address, Answer::SignIn(USER, "wrong"))
        .await?;
    assert_eq!(wrong.status, 401);
    assert!(
        wrong.url.starts_with(stage.server.issuer()),
        "{}",
        wrong.url
    );
    // Sonde still waits: the form has not sent the browser back.
    stage.window.see("Waiting for the browser").await?;
    let again = stage.browser.post(&wrong.url, &form_again(&wrong)?).await?;
    is_friendly(&again, &stage.canary)?;
    connected(&stage.window).await?;
    assert_eq!(stage.server.count("wrong_passwords").await?, 1);
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_refusal_is_told_and_can_be_overcome() -> Result<()> {
    let stage = Stage::set(LONG, "canary-refusal-08d3").await?;
    let window = &stage.window;
    window.click("button", "Connect").await?;
    let address = stage.open(1).await?;
    let page = stage.browser.sign_in(&address, Answer::Refuse).await?;
    assert!(page.url.starts_with("http://127.0.0.1:"), "{}", page.url);
    assert!(
        page.content_type.starts_with("text/html"),
        "{}",
        page.content_type
    );
    window.find("button", "Sign-in failed").await?;
    window.click("tab", "Authentication…").await?;
    window.see("denied").await?;
    window.shot("sign-in-refused").await?;
    assert_eq!(stage.server.count("token_requests").await?, 0);
    assert_eq!(token_entries(window, &stage.canary).await?, 0);

    window.click("button", "Sign in").await?;
    let address = stage.open(2).await?;
    stage.land(&address).await?;
    // Signing in is a way to connect.
    window.click("tab", "Tools…").await?;
    connected(window).await?;
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_cancelled_sign_in_can_begin_again() -> Result<()> {
    let stage = Stage::set(LONG, "canary-cancel-b3a1").await?;
    let window = &stage.window;
    window.click("button", "Connect").await?;
    let abandoned = stage.open(1).await?;
    window.see("Waiting for the browser").await?;
    window
        .click_in(Some("Sign in to protected"), "button", "Cancel")
        .await?;
    window.see_not("Waiting for the browser").await?;
    window.shot("sign-in-cancelled").await?;

    window.click("tab", "Authentication…").await?;
    window.click("button", "Sign in…").await?;
    let address = stage.open(2).await?;
    assert_ne!(address, abandoned);
    // The first tab of the browser is still there. What comes of it is not taken.
    let stale = stage
        .browser
        .sign_in_up_to_redirect(&abandoned, DEMO_USER)
        .await?;
    let _ = stage.browser.get(&stale).await;
    stage.land(&address).await?;
    window.click("tab", "Tools…").await?;
    connected(window).await?;
    assert_eq!(
        stage.server.count("exchanges").await?,
        1,
        "one code was redeemed"
    );
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn the_redirect_can_be_pasted() -> Result<()> {
    let stage = Stage::set(LONG, "canary-paste-f962").await?;
    let window = &stage.window;
    window.click("button", "Connect").await?;
    let address = stage.open(1).await?;
    // The browser is on another computer: its last address leads nowhere there.
    let redirect = stage
        .browser
        .sign_in_up_to_redirect(&address, DEMO_USER)
        .await?;
    window
        .click("button", "Browser on another computer?…")
        .await?;
    window
        .fill(
            "Redirect URL from the browser…",
            "http://127.0.0.1/elsewhere?code=1",
        )
        .await?;
    window.click("button", "Continue").await?;
    window
        .until(
            "a word about the wrong address",
            "const field = document.querySelector('[data-sign-in] input'); return field && field.getAttribute('aria-invalid') === 'true'",
        )
        .await?;
    window.shot("paste-refused").await?;
    window
        .fill("Redirect URL from the browser…", &redirect)
        .await?;
    window.click("button", "Continue").await?;
    connected(window).await?;
    stage.whoami(USER).await?;
    // What was pasted is forgotten.
    stage.canary.is_in_no_file(window.data_folder())?;
    stage.canary.is_not_in_page(window).await?;
    stage.window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn nothing_leaks() -> Result<()> {
    let stage = Stage::signed_in(LONG, "canary-leak-4c1f0e9d").await?;
    let Stage {
        server,
        canary,
        window,
        ..
    } = &stage;
    stage.whoami(USER).await?;
    server.expire().await?;
    stage.whoami(USER).await?;
    select_tool(window, "write_note").await?;
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
    server.reaches("revocations", 1).await?;
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

/// How many entries the log has. The first row of the table are its titles.
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
