//! Requests of servers that nobody here wrote: forms, pages, responses of a model, folders; answered by hand and by
//! rule.

use anyhow::{Result, anyhow, ensure};
use serde_json::json;
use sonde_tests::{
    opener::Opener,
    steps::*,
    window::{Start, Window},
};

/// The value of a label of the card.
const FORM: &str = "The server needs your input";
const PAGE: &str = "The server asks you to open a page";
const MODEL: &str = "Sampling request";

async fn open(opener: &Opener) -> Result<Window> {
    Window::start(Start {
        env: opener.environment(),
        ..Start::default()
    })
    .await
}

async fn import_everything(window: &Window) -> Result<()> {
    import(
        window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await
}

/// After a handshake: requests of the server, one after the other.
#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn server_everything_asks_for_a_form_a_page_and_a_model() -> Result<()> {
    let opener = Opener::new()?;
    let window = open(&opener).await?;
    import_everything(&window).await?;
    confirm_and_connect(&window).await?;

    // Every kind of field, with its default; what is not touched is sent as the server proposed it.
    select_tool(&window, "Trigger Elicitation Request Tool").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    // Without what is required nothing is sent: what is wrong, the way to it and Send are in sight, in a small window too.
    window.resize(900, 600).await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    window.see_in(FORM, "1 problem with the response.").await?;
    window
        .click_in(Some(FORM), "button", "Go to the problem")
        .await?;
    window
        .until(
            "the field with the problem to have the focus, and Send to be in sight",
            "const { top, bottom } = document.querySelector('[data-send]').getBoundingClientRect();
             return document.activeElement.matches('input') && top >= 0 && bottom <= innerHeight",
        )
        .await?;
    window.shot("asked-form-problem").await?;
    window.resize(1280, 800).await?;
    window.fill_in(Some(FORM), "String…", "Ada").await?;
    choose_option(&window, "titledSingleSelectEnum", "Wonder Woman").await?;
    window.click_in(Some(FORM), "checkbox", "Salmon").await?;
    window.shot("asked-form").await?;
    window.click_in(Some(FORM), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    for sent in [
        r#""name": "Ada""#,
        r#""firstLine": "It was a dark and stormy night.""#,
        r#""integer": 42"#,
        r#""number": 3.14"#,
        r#""untitledSingleSelectEnum": "Monica""#,
        r#""untitledMultipleSelectEnum": [ "Guitar" ]"#,
        r#""titledSingleSelectEnum": "hero-3""#,
        r#""titledMultipleSelectEnum": [ "fish-1", "fish-2" ]"#,
        r#""legacyTitledEnum": "pet-1""#,
    ] {
        newest_run_says(&window, sent).await?;
    }

    // A page: nothing is opened before it was asked for, and the whole address stands there.
    const ADDRESS: &str = "https://example.com/pay?for=tea";
    select_tool(&window, "Trigger URL Elicitation Tool").await?;
    window.fill("url…", ADDRESS).await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    address_is(&window, ADDRESS, "example.com").await?;
    ensure!(opener.opened()?.is_empty(), "{:?}", opener.opened()?);
    window.shot("asked-page").await?;
    window
        .click_in(Some(PAGE), "button", "Open in the browser")
        .await?;
    ensure!(opener.wait_for(1).await? == ADDRESS);
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, "User completed the URL elicitation flow.").await?;

    // An error that names a page: it is opened, and the user's click runs the tool again.
    choose_in(&window, Some("errorPath"), "Yes").await?;
    run(&window).await?;
    newest_run_is(&window, "Error").await?;
    window
        .see("The server wants you to open a page first.")
        .await?;
    address_is(
        &window,
        "https://modelcontextprotocol.io",
        "modelcontextprotocol.io",
    )
    .await?;
    newest_run_begins_in_view(&window).await?;
    window.shot("asked-required-page").await?;
    window.click("button", "Open in the browser").await?;
    opener.wait_for(2).await?;
    window.click("button", "Run again").await?;
    newest_run_is(&window, "Needs input").await?;
    window.click_in(Some(PAGE), "button", "Decline").await?;
    newest_run_says(&window, "User declined to open the URL").await?;

    // A conversation, answered by hand.
    select_tool(&window, "Trigger Sampling Request Tool").await?;
    window.fill("prompt…", "How high is the tide?").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    window.see("You are a helpful test server.").await?;
    window.fill_in(Some(MODEL), "Text", "Three metres.").await?;
    window.fill_in(Some(MODEL), "Model", "by-hand-1").await?;
    window.shot("asked-model").await?;
    // Saved under a name, for a rule.
    window
        .click_in(Some(MODEL), "button", "Save this answer…")
        .await?;
    window
        .fill_in(Some(MODEL), "Save this answer as", "The usual tide")
        .await?;
    window.click_in(Some(MODEL), "button", "Save").await?;
    window
        .find_in(
            Some(MODEL),
            "button",
            "Delete the saved answer “The usual tide”",
        )
        .await?;
    window.click_in(Some(MODEL), "button", "Send").await?;
    newest_run_is(&window, "Done").await?;
    newest_run_says(&window, r#""model": "by-hand-1""#).await?;

    // From now on by rule, at once: forms are declined, and the answer is the one that was saved.
    edit(&window, "everything").await?;
    window.click("button", "Rules for server requests").await?;
    choose_option(&window, "Forms (elicitation)", "Decline").await?;
    choose_option(
        &window,
        "Requests for a model (sampling)",
        "Answer with “The usual tide”",
    )
    .await?;
    window.shot("asked-rules").await?;
    window.click("button", "Save").await?;
    window.click("tab", "Tools…").await?;
    select_tool(&window, "Trigger Sampling Request Tool").await?;
    run(&window).await?;
    newest_run_says(&window, "Three metres.").await?;
    select_tool(&window, "Trigger Elicitation Request Tool").await?;
    run(&window).await?;
    newest_run_says(
        &window,
        "User declined to provide the requested information",
    )
    .await?;
    window.see("1 server request answered by rule").await?;
    window.click("tab", "Console…").await?;
    window.see("Answered by rule for forms: declined").await?;
    window.shot("asked-console").await?;
    window.close().await
}

/// Waits until the head of the newest run's card stands where the runs begin to be seen.
async fn newest_run_begins_in_view(window: &Window) -> Result<()> {
    newest_run_shows(
        window,
        "its head in view",
        "card.getBoundingClientRect().top >= card.closest('[data-scroll]').getBoundingClientRect().top - 1",
    )
    .await
}

/// Waits until the address of a page stands there whole, with its host standing out.
async fn address_is(window: &Window, address: &str, host: &str) -> Result<()> {
    window
        .until_with(
            &format!("the address {address}"),
            "return [...document.querySelectorAll('[aria-label=\"Address of the page\"]')].some((place) =>
               place.textContent === arguments[0] && place.querySelector('strong')?.textContent === arguments[1])",
            vec![json!(address), json!(host)],
        )
        .await?;
    Ok(())
}

/// Opens the settings of a server.
pub(crate) async fn edit(window: &Window, server: &str) -> Result<()> {
    window
        .click("button", &format!("More actions for {server}"))
        .await?;
    window.click("menuitem", "Edit").await?;
    window.see(&format!("Edit {server}")).await
}

/// Chooses an option of a list that opens.
pub(crate) async fn choose_option(window: &Window, list: &str, option: &str) -> Result<()> {
    // Where it is drawn anew at that moment, once more.
    let mut last = None;
    for _ in 0..10 {
        let select = window.find("field", &format!("{list}…")).await?;
        // Away from what lies over the edges: the buttons of a form, and messages.
        let shown = "document.querySelectorAll('select').forEach((each) => { if (each === arguments[0]) each.scrollIntoView({ block: 'center' }) })";
        window
            .client
            .execute(shown, vec![serde_json::to_value(&select)?])
            .await
            .ok();
        match select.select_by_label(option).await {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow!("there is no such list"), Into::into))
}
