//! Saved inputs, and a presentation that is prepared here and imported elsewhere.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    steps::*,
    window::{Start, Window, files},
};

use crate::importing::paste;

const GREETS: &str = "Say hello to the keeper";
const SUMS: &str = "Get Sum Tool";
const TOASTS: &str = "Done just now";
const NAME: &str = "Your name…";

pub(crate) async fn press(window: &Window, modifier: Key, key: char) -> Result<()> {
    let keys = format!("{}{key}{}", char::from(modifier), char::from(Key::Null));
    window.keys(&keys).await
}

/// Starts the app with these data and a home of its own, where exported files go.
pub(crate) async fn start(data: &Path, home: &Path) -> Result<Window> {
    let environment = [
        ("HOME", home.to_owned()),
        ("XDG_CONFIG_HOME", home.join(".config")),
    ];
    Window::start(Start {
        data: Some(data.to_owned()),
        env: environment
            .map(|(name, folder)| (name.to_owned(), folder.display().to_string()))
            .into(),
        ..Start::default()
    })
    .await
}

/// Waits until the steps of the presentation that is being prepared begin with these texts, in order.
async fn steps_are(window: &Window, titles: &[&str]) -> Result<()> {
    window
        .until_with(
            &format!("the steps {titles:?}"),
            "const steps = [...document.querySelectorAll('section[aria-label=Steps] li [aria-expanded]:not([aria-haspopup])')]
               .map((step) => step.innerText.replace(/\\s+/g, ' '));
             return steps.length === arguments[0].length &&
               arguments[0].every((title, at) => steps[at].startsWith(`${at + 1} ${title}`))",
            vec![json!(titles)],
        )
        .await?;
    Ok(())
}

pub(crate) async fn add_step(window: &Window, tool: &str) -> Result<()> {
    window.fill("Search the tools of all servers", tool).await?;
    window
        .click_in(Some("Add a step"), "option", &format!("{tool}…"))
        .await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn inputs_are_saved_under_names_and_fill_the_form() -> Result<()> {
    let data = tempfile::tempdir()?;
    let home = tempfile::tempdir()?;
    let window = start(data.path(), home.path()).await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    window.fill(NAME, "Grace").await?;
    press(&window, Key::Control, 's').await?;
    window.fill("Save these values as", "To Grace").await?;
    window.shot("save-input").await?;
    window.keys(&char::from(Key::Enter).to_string()).await?;
    window.find("button", "Saved inputs: To Grace").await?;

    // It fills the form, and what was typed comes back.
    window.fill(NAME, "Barbara").await?;
    window
        .click("button", "Saved inputs: To Grace, changed")
        .await?;
    window.click("menuitem", "To Grace").await?;
    window.see_in(TOASTS, "Form filled with “To Grace”").await?;
    assert_eq!(window.value(NAME).await?, "Grace");
    window.click_in(Some(TOASTS), "button", "Undo").await?;
    window
        .find("button", "Saved inputs: To Grace, changed")
        .await?;
    assert_eq!(window.value(NAME).await?, "Barbara");

    // The values of a run, beside what is in the form.
    run(&window).await?;
    newest_run_says(&window, "Barbara").await?;
    window.fill(NAME, "nobody").await?;
    window.click("button", "More actions for this run").await?;
    window
        .click("menuitem", "Save its values as an input…")
        .await?;
    window.fill("Save them as", "To Barbara").await?;
    window.click("button", "Save").await?;
    window.stores("To Barbara").await?;
    assert_eq!(window.value(NAME).await?, "nobody");
    window.close().await?;

    // They are there after a restart.
    let window = start(data.path(), home.path()).await?;
    connect(&window).await?;
    select_tool(&window, GREETS).await?;
    window.click("button", "Saved inputs…").await?;
    window.click("menuitem", "To Barbara").await?;
    window.find("button", "Saved inputs: To Barbara").await?;
    assert_eq!(window.value(NAME).await?, "Barbara");
    window.close().await
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_presentation_of_two_servers_is_prepared_and_imported_elsewhere() -> Result<()> {
    let data = tempfile::tempdir()?;
    let home = tempfile::tempdir()?;
    let window = start(data.path(), home.path()).await?;
    connect(&window).await?;
    import(
        &window,
        json!({ "everything": { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;

    // Prepared with tools of both servers.
    window.click("button", "Presentations").await?;
    window.click("button", "New presentation").await?;
    window.fill("Title", "Two servers").await?;
    window.click("button", "Add a step").await?;
    add_step(&window, GREETS).await?;
    add_step(&window, SUMS).await?;
    window
        .click_in(Some("Add a step"), "button", "Done")
        .await?;
    steps_are(&window, &[GREETS, SUMS]).await?;
    window.click_in(Some("Steps"), "button", "2 …").await?;
    window.fill_in(Some("Step 2"), "Title", "Add").await?;
    window
        .fill_in(Some("Step 2"), "Speaker's notes", "Ask for two numbers.")
        .await?;
    steps_are(&window, &[GREETS, "Add"]).await?;
    window.click_in(Some("Steps"), "button", "2 …").await?;
    press(&window, Key::Alt, Key::Up.into()).await?;
    steps_are(&window, &["Add", GREETS]).await?;
    window.shot("prepare").await?;
    ensure!(axe(&window).await?.is_empty(), "{:?}", axe(&window).await?);

    // What is removed comes back.
    window
        .click("button", &format!("Actions for step 2, {GREETS}"))
        .await?;
    window.click("menuitem", "Remove").await?;
    steps_are(&window, &["Add"]).await?;
    window.click_in(Some(TOASTS), "button", "Undo").await?;
    steps_are(&window, &["Add", GREETS]).await?;
    window.stores("Ask for two numbers.").await?;

    window.click("button", "Export to a file").await?;
    window.see_in(TOASTS, "Saved as").await?;
    window.close().await?;
    let exported = files(home.path())?
        .into_iter()
        .find(|file| file.to_string_lossy().ends_with(".sonde-presentation.json"))
        .context("there is an exported file")?;
    let text = fs::read_to_string(exported)?;

    // Elsewhere: seen first, with the command that would run; then the same steps.
    let data = tempfile::tempdir()?;
    let home = tempfile::tempdir()?;
    let window = start(data.path(), home.path()).await?;
    window.find("button", &format!("{DEMO}…")).await?;
    paste(&window, &text).await?;
    window.see("Import a presentation").await?;
    window.see("mcp-server-everything stdio").await?;
    window.see_in("Presentation", "Two servers").await?;
    window.shot("import-presentation").await?;
    window
        .click("button", "Import the presentation and 1 server")
        .await?;
    window.see("Prepare a presentation").await?;
    assert_eq!(window.value("Title").await?, "Two servers");
    steps_are(&window, &["Add", GREETS]).await?;
    window.click_in(Some("Steps"), "button", "1 …").await?;
    let notes = window
        .find_in(Some("Step 1"), "field", "Speaker's notes")
        .await?;
    let notes = notes.prop("value").await?;
    assert_eq!(notes.as_deref(), Some("Ask for two numbers."));
    window.find("button", "everything…").await?;

    // A server that is gone is said at its step, and comes back.
    window.click("button", "Actions for everything").await?;
    window.click("menuitem", "Remove").await?;
    window
        .see("The server “everything” is no longer in the list.")
        .await?;
    window.click_in(Some(TOASTS), "button", "Undo").await?;
    window
        .see_not("The server “everything” is no longer in the list.")
        .await?;
    window.close().await
}
