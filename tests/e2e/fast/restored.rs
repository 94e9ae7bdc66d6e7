//! The window as its user arranged it: two servers side by side, panes, zoom and text, also after a restart.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{
    steps::*,
    window::{Start, Window},
};

use crate::keys::press;

const OTHER: &str = "everything";
const SLOW: &str = "Polish the lens";
const ECHO: &str = "Echo Tool";

/// Starts the app with these data, in the window that was left.
async fn again(data: &Path) -> Result<Window> {
    start(data, true).await
}

async fn start(data: &Path, as_left: bool) -> Result<Window> {
    Window::start(Start {
        data: Some(data.to_owned()),
        as_left,
        ..Start::default()
    })
    .await
}

/// Waits until the window shows its page at this zoom, in percent.
async fn is_zoomed(window: &Window, percent: u32) -> Result<()> {
    window
        .until_with(
            &format!("a zoom of {percent}%"),
            "const [width, height, percent] = arguments;
             return Math.abs(innerWidth * percent / 100 - width) < 2 && Math.abs(innerHeight * percent / 100 - height) < 2",
            vec![json!(WIDTH), json!(HEIGHT), json!(percent)],
        )
        .await?;
    Ok(())
}

const WIDTH: u32 = 1600;
const HEIGHT: u32 = 1000;

/// The height of the servers' names, in CSS pixels.
async fn height_of_text(window: &Window) -> Result<f64> {
    let size = window
        .until(
            "a server in the list",
            "const name = document.querySelector('nav [data-select]');
             return name && parseFloat(getComputedStyle(name).fontSize)",
        )
        .await?;
    size.as_f64().context("a size is a number")
}

/// Returns the left edge and the width of the form, then of the runs, in CSS pixels.
async fn panes(window: &Window) -> Result<Vec<f64>> {
    let edges = window
        .until(
            "the form and the runs",
            "const boxes = ['section[aria-label=Tool]', 'section:has(> header > h2)']
               .map((pane) => document.querySelector(`main ${pane}`)?.getBoundingClientRect());
             return boxes.every((box) => box?.width > 0) && boxes.flatMap(({ left, width }) => [left, width])",
        )
        .await?;
    Ok(serde_json::from_value(edges)?)
}

/// Presses the separator of the runs, moves the pointer by so many CSS pixels, and lets go.
async fn drag_runs(window: &Window, x: f64, y: f64) -> Result<()> {
    let element = window.find("separator", "Resize runs").await?;
    window.drag(element, (x, y), 2).await
}

/// Waits until the runs stand below the form, and answers their share of the height that both have. It is more than `least`.
async fn runs_below(window: &Window, least: f64) -> Result<f64> {
    let share = window
        .until_with(
            &format!("the runs below the form, with more than {least} of the height"),
            "const [form, runs] = ['section[aria-label=Tool]', 'section:has(> header > h2)']
               .map((pane) => document.querySelector(`main ${pane}`)?.getBoundingClientRect());
             if (!(form?.height > 0 && runs?.top >= form.bottom)) return false;
             const share = runs.height / (form.height + runs.height);
             return share > arguments[0] && share",
            vec![json!(least)],
        )
        .await?;
    share.as_f64().context("a share is a number")
}

/// Waits until the form and the runs stand as they did, but for [`ROUNDED`].
async fn panes_are(window: &Window, arranged: &[f64]) -> Result<()> {
    window
        .until_with(
            &format!("the panes at {arranged:?}"),
            "const boxes = ['section[aria-label=Tool]', 'section:has(> header > h2)']
               .map((pane) => document.querySelector(`main ${pane}`)?.getBoundingClientRect());
             return boxes.every((box) => box)
               && boxes.flatMap(({ left, width }) => [left, width]).every((edge, at) => Math.abs(edge - arguments[0][at]) < arguments[1])",
            vec![json!(arranged), json!(ROUNDED)],
        )
        .await?;
    Ok(())
}

/// Maximizes a pane, which is then as wide as all panes together, and takes it back.
async fn maximizes(window: &Window, label: &str, pane: &str, by_key: bool) -> Result<()> {
    window.click("button", &format!("Maximize {label}")).await?;
    window
        .until_with(
            &format!("the {label} alone"),
            "const panes = ['section[aria-label=Tool]', 'section:has(> header > h2)'].map((one) => document.querySelector(`main ${one}`));
             const shown = panes.filter((one) => one?.getBoundingClientRect().width > 0);
             return shown.length === 1 && shown[0].matches(arguments[0])
               && shown[0].getBoundingClientRect().width > document.querySelector('main').clientWidth - 10",
            vec![json!(pane)],
        )
        .await?;
    window.shot(&format!("maximized-{label}")).await?;
    if by_key {
        window.keys(&char::from(Key::Escape).to_string()).await?;
    } else {
        window.click("button", &format!("Restore {label}")).await?;
    }
    window.find("button", &format!("Maximize {label}")).await?;
    Ok(())
}

/// Changes with the pointer: the width of the runs, their place below the form, their share of the height there, and
/// the maximized pane. Returns the edges of the panes and that share.
async fn arrange_by_pointer(window: &Window) -> Result<(Vec<f64>, f64)> {
    let before = panes(window).await?;
    drag_runs(window, -90.0, 0.0).await?;
    window
        .until_with(
            "wider runs",
            "return document.querySelector('main section:has(> header > h2)').getBoundingClientRect().width > arguments[0]",
            vec![json!(before[3] + 70.0)],
        )
        .await?;
    let arranged = panes(window).await?;
    window.click("button", "Show runs below the form").await?;
    let share = runs_below(window, 0.0).await?;
    drag_runs(window, 0.0, -90.0).await?;
    let share = runs_below(window, share + 0.05).await?;
    window.shot("runs-below").await?;
    window.click("button", "Show runs beside the form").await?;
    panes_are(window, &arranged).await?;
    maximizes(window, "form", "section[aria-label=Tool]", true).await?;
    maximizes(window, "runs", "section:has(> header > h2)", false).await?;
    panes_are(window, &arranged).await?;
    Ok((arranged, share))
}

/// Sizes are kept in whole percents of the room that the panes have.
const ROUNDED: f64 = 10.0;

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn two_servers_side_by_side_panes_zoom_and_text_come_up_as_they_were_left() -> Result<()> {
    let data = tempfile::tempdir()?;
    let window = start(data.path(), false).await?;
    connect(&window).await?;
    import(
        &window,
        json!({ OTHER: { "command": npm_program("mcp-server-everything"), "args": ["stdio"] } }),
    )
    .await?;
    confirm_and_connect(&window).await?;

    window.resize(WIDTH, HEIGHT).await?;
    let text = height_of_text(&window).await?;
    window.click("button", "Settings").await?;
    choose(&window, "Large").await?;
    window
        .until_with(
            "larger text",
            "return parseFloat(getComputedStyle(document.querySelector('nav [data-select]')).fontSize) > arguments[0]",
            vec![json!(text)],
        )
        .await?;
    let text = height_of_text(&window).await?;
    window.click("button", &format!("{OTHER}…")).await?;

    // The runs get wider by the keyboard, and the list of tools goes.
    let first = panes(&window).await?;
    let separator = window.find("separator", "Resize runs").await?;
    for _ in 0..2 {
        separator
            .send_keys(&char::from(Key::Left).to_string())
            .await?;
    }
    window.click("button", "Collapse tool list").await?;
    window.find("button", "Show tool list").await?;
    window
        .until_with(
            "the form in the place of the list",
            "return document.querySelector('section[aria-label=Tool]').getBoundingClientRect().left < arguments[0] - 50",
            vec![json!(first[0])],
        )
        .await?;
    let arranged = panes(&window).await?;
    ensure!(
        arranged[3] / arranged[1] > first[3] / first[1] + 0.1,
        "the form and the runs were {first:?} and are {arranged:?}"
    );
    let (arranged, share) = arrange_by_pointer(&window).await?;

    // Both are used at once: one answers while the other one works.
    window
        .click("button", &format!("Actions for {DEMO}"))
        .await?;
    window
        .click("menuitem", "Show beside the selected server")
        .await?;
    run_at_side(&window, DEMO, SLOW, ("How long, in seconds…", "300")).await?;
    window.see_in(DEMO, "Running").await?;
    // Large as it is, the button to cancel it covers none of what is said of it.
    window
        .until(
            "the words of the run beside its button",
            "const card = document.querySelector('[aria-label=\"Runs, newest first\"] article:has([data-run-state])');
             const button = [...(card?.querySelectorAll('button') ?? [])].find((one) => one.innerText.trim() === 'Cancel run');
             const words = [...(card?.querySelectorAll('[data-card-head] *') ?? [])]
               .filter((one) => one.childElementCount === 0 && one.textContent.trim() !== '');
             return !!button && words.length > 3
               && words.every((one) => one.getBoundingClientRect().right <= button.getBoundingClientRect().left)",
        )
        .await?;
    run_at_side(&window, OTHER, ECHO, ("message…", "both at once")).await?;
    window.see_in(OTHER, "Echo: both at once").await?;
    window.see_in(DEMO, "Running").await?;
    window.shot("side-by-side").await?;
    window
        .click_in(Some(DEMO), "button", &format!("Cancel run {SLOW}"))
        .await?;
    window.see_in(DEMO, "Cancelled").await?;
    window.click_in(Some(OTHER), "tab", "Wire log").await?;
    window.see_in(OTHER, "tools/call").await?;
    // The driver points beside what is zoomed, so that comes last.
    for (key, percent) in [('+', 110), ('+', 125), ('-', 110), ('0', 100), ('+', 110)] {
        press(&window, Key::Control, key).await?;
        is_zoomed(&window, percent).await?;
    }
    // What was done last is not lost by leaving at once.
    window.close().await?;

    let window = again(data.path()).await?;
    is_zoomed(&window, 110).await?;
    ensure!((height_of_text(&window).await? - text).abs() < 0.1);
    window
        .until_with(
            "both servers side by side with their tabs",
            "const sides = [...document.querySelectorAll('[data-side]')].map((side) => [
               side.getAttribute('aria-label'),
               side.dataset.side,
               side.querySelector('[role=tab][aria-selected=true]')?.innerText.trim().split(/\\s/)[0],
             ]);
             return JSON.stringify(sides) === JSON.stringify(arguments[0])",
            vec![json!([
                [OTHER, "selected", "Wire"],
                [DEMO, "other", "Tools"]
            ])],
        )
        .await?;
    window.shot("side-by-side-again").await?;
    press(&window, Key::Control, '0').await?;
    is_zoomed(&window, 100).await?;
    window
        .click("button", &format!("Close {DEMO} at this side"))
        .await?;
    window.click("tab", "Tools…").await?;
    window.find("button", "Show tool list").await?;
    panes_are(&window, &arranged).await?;
    window.click("button", "Show runs below the form").await?;
    let kept = runs_below(&window, 0.0).await?;
    ensure!(
        (kept - share).abs() < 0.01,
        "{kept} of the height and not {share}"
    );
    window.close().await
}

/// Runs a tool with one value at the side of a server, where there is room for one pane at a time.
async fn run_at_side(
    window: &Window,
    side: &str,
    tool: &str,
    (field, value): (&str, &str),
) -> Result<()> {
    let here = Some(side);
    choose_in(window, here, "Tool list").await?;
    window.fill_in(here, "Search tools", tool).await?;
    window.click_in(here, "option", &format!("{tool}…")).await?;
    choose_in(window, here, "Form").await?;
    window.fill_in(here, field, value).await?;
    // The line with the name is as high as its words.
    window
        .until_with(
            "each field's control right below its name",
            "const side = document.querySelector(`[data-side][aria-label=\"${arguments[0]}\"]`);
             const fields = [...side.querySelectorAll('[data-field]')];
             return fields.length > 0 && fields.every((field) => {
               const words = [...field.firstElementChild.children].filter((one) => one.getClientRects().length > 0);
               const bottom = Math.max(...words.map((one) => one.getBoundingClientRect().bottom));
               const below = field.children[1].getBoundingClientRect();
               return below.top - bottom < 24;
             })",
            vec![json!(side)],
        )
        .await?;
    window.click_in(here, "button", "Run").await?;
    choose_in(window, here, "Runs").await
}
