//! axe finds nothing, in light and dark, in the real window.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use sonde_tests::{steps::*, window::Window};

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn axe_finds_nothing_in_light_and_dark() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    select_tool(&window, "List the ships in sight").await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    for theme in ["Light", "Dark"] {
        choose_theme(&window, theme).await?;
        for (width, height) in [(1280, 800), (900, 600)] {
            window.resize(width, height).await?;
            for tab in ["Tools…", "Wire log", "About"] {
                window.click("tab", tab).await?;
                let name = tab.trim_end_matches('…');
                window
                    .shot(&format!("{name}-{theme}-{width}").to_lowercase())
                    .await?;
                let found = axe(&window).await?;
                assert!(
                    found.is_empty(),
                    "{name}, {theme}, {width}x{height}: {found:#?}"
                );
            }
        }
        window.resize(1280, 800).await?;
    }

    // What stands beside and instead of these, in a large window.
    window.resize(1600, 1000).await?;
    select_tool(&window, "Salvage the wreck").await?;
    run(&window).await?;
    for (tab, there) in [
        ("Tools…", "Salvage the wreck"),
        ("Tasks…", "Salvage the wreck"),
        ("Issues…", "Counted:"),
        ("Hosts", "Only problems"),
        ("Skills…", "The keeper of Gull Rock"),
    ] {
        window.click("tab", tab).await?;
        window.see(there).await?;
        nothing_found(&window, tab).await?;
    }
    select_tool(&window, "Hail the pilot").await?;
    run(&window).await?;
    newest_run_is(&window, "Needs input").await?;
    nothing_found(&window, "a server request").await?;
    show_all_runs(&window).await?;
    run_menu(&window, "List the ships in sight", "Compare with…").await?;
    window.see("Choose a run to compare with").await?;
    nothing_found(&window, "the choice of a run").await?;
    window.keys(&char::from(Key::Escape).to_string()).await?;
    window
        .click("button", &format!("More actions for {DEMO}"))
        .await?;
    window.click("menuitem", "Diagnose connection").await?;
    nothing_found(&window, "the diagnosis").await?;
    window.close().await
}

/// axe finds nothing in what is on show.
async fn nothing_found(window: &Window, place: &str) -> Result<()> {
    let found = axe(window).await?;
    ensure!(found.is_empty(), "{place}: {found:#?}");
    Ok(())
}

/// Chooses an item of the menu of the newest run of a tool.
async fn run_menu(window: &Window, tool: &str, item: &str) -> Result<()> {
    window
        .click_in(Some("Runs"), "button", &format!("{tool}…"))
        .await?;
    window.click("button", "More actions for this run").await?;
    window.click("menuitem", item).await
}
