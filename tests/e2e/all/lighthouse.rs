//! The presentation that is prepared of the demo server, given in the real window: a table, an image and a chart, the
//! speaker's notes, the way back, and larger type.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use sonde_tests::{steps::*, window::Window};

use super::giving::{Hand, Stage};
use crate::keys::press;

const TITLE: &str = "A visit to the lighthouse";
const STEPS: usize = 8;
const SHIPS: &str = "Which ships are in sight?";
const VIEW: &str = "What does the lighthouse look like?";
const WAVES: &str = "How high are the waves?";
/// Rows and cells of the table on show; a head without any is none.
const TABLE: &str = "const table = document.querySelector('main [role=table]');
    const rows = Number(table?.getAttribute('aria-rowcount') ?? 0) - 1;
    const cells = [...(table?.querySelectorAll('[role=cell]') ?? [])].filter((cell) => cell.innerText.trim() !== '');
    return rows > 5 && cells.length > 10 && table.innerText.includes('Bound')";
/// The picture of the lighthouse, as wide as it was asked for, and on show as a picture of a room.
const IMAGE: &str = "const image = document.querySelector('main img');
    return !!image && image.complete && image.naturalWidth === 640 && image.getBoundingClientRect().width > 300";
/// The chart: a line through a value for each hour, and what it says to whoever does not see it.
const CHART: &str = "const chart = document.querySelector('main svg[role=img]');
    const box = chart?.getBoundingClientRect();
    return !!box && box.width > 300 && box.height > 150 && chart.querySelectorAll('path, polyline').length > 0
      && /waves/i.test(chart.getAttribute('aria-label'))";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_table_an_image_and_a_chart_are_shown_with_notes_and_larger_type() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    let rounds = [
        (Hand::Keys, 1024, 768, "light"),
        (Hand::Pointer, 1280, 800, "dark"),
    ];
    for (hand, width, height, theme) in rounds {
        window.resize(width, height).await?;
        let stage = Stage {
            window: &window,
            hand,
            steps: STEPS,
            look: format!("{theme}-{width}x{height}"),
        };
        start(&stage).await?;
        stage.step(1, "Say hello to the keeper").await?;
        stage.wear(theme).await?;
        show(&stage).await?;
        leave(&stage).await?;
    }
    window.close().await
}

/// Begins at the first step.
async fn start(stage: &Stage<'_>) -> Result<()> {
    let window = stage.window;
    match stage.hand {
        Hand::Keys => stage.key(Key::F5).await,
        Hand::Pointer => {
            window.click("button", "Presentations").await?;
            window.click("button", &format!("{TITLE}…")).await?;
            window.click("button", &format!("Start {TITLE}")).await
        }
    }
}

async fn show(stage: &Stage<'_>) -> Result<()> {
    let window = stage.window;
    // The notes are the speaker's: nobody sees them before they are asked for.
    notes(stage, None).await?;
    toggle_notes(stage).await?;
    notes(stage, Some("Ask somebody in the audience for a name")).await?;

    stage.next().await?;
    stage.step(2, SHIPS).await?;
    stage.run().await?;
    window.until("a table of ships", TABLE).await?;
    notes(stage, Some("The answer is a table.")).await?;
    stage.look_at("table-and-notes").await?;
    toggle_notes(stage).await?;
    notes(stage, None).await?;

    stage.next().await?;
    stage.step(3, VIEW).await?;
    stage.run().await?;
    window.until("the picture of the lighthouse", IMAGE).await?;
    stage.look_at("image").await?;

    // Back to what was shown, and forth again: nothing of it is run once more.
    previous(stage).await?;
    stage.step(2, SHIPS).await?;
    window.until("the table again", TABLE).await?;
    window.find("button", "Run again").await?;
    stage.next().await?;
    stage.step(3, VIEW).await?;
    window.until("the picture again", IMAGE).await?;

    stage.next().await?;
    stage.step(4, WAVES).await?;
    stage.run().await?;
    window.until("a chart of the waves", CHART).await?;
    stage.look_at("chart").await?;

    let usual = heading(window).await?;
    larger(stage).await?;
    window
        .until_with(
            "a larger heading",
            "return parseFloat(getComputedStyle(document.querySelector('main h1')).fontSize) > arguments[0] * 1.05",
            vec![json!(usual)],
        )
        .await?;
    // What is larger still fits, and the chart is drawn for it.
    window.until("the chart in larger type", CHART).await?;
    let sideways = window
        .js(
            "const { scrollWidth, clientWidth } = document.querySelector('main'); return scrollWidth - clientWidth",
            vec![],
        )
        .await?;
    ensure!(
        sideways.as_i64() <= Some(1),
        "larger type is {sideways} px too wide"
    );
    stage.look_at("larger").await?;
    usual_type(stage).await?;
    window
        .until_with(
            "the heading in its usual size",
            "return parseFloat(getComputedStyle(document.querySelector('main h1')).fontSize) === arguments[0]",
            vec![json!(usual)],
        )
        .await?;
    Ok(())
}

/// Waits until the notes begin with this, or are not shown.
async fn notes(stage: &Stage<'_>, text: Option<&str>) -> Result<()> {
    stage
        .window
        .until_with(
            &format!("the notes to be {text:?}"),
            "const notes = document.querySelector('aside[aria-label=Notes]');
             return arguments[0] === null
               ? notes === null
               : !!notes && notes.getBoundingClientRect().height > 0 && notes.innerText.trim().startsWith(arguments[0])",
            vec![json!(text)],
        )
        .await?;
    Ok(())
}

async fn toggle_notes(stage: &Stage<'_>) -> Result<()> {
    match stage.hand {
        Hand::Keys => stage.window.keys("n").await,
        Hand::Pointer => stage.window.click("button", "Notes").await,
    }
}

async fn previous(stage: &Stage<'_>) -> Result<()> {
    match stage.hand {
        Hand::Keys => stage.key(Key::PageUp).await,
        Hand::Pointer => stage.window.click("button", "Previous").await,
    }
}

async fn larger(stage: &Stage<'_>) -> Result<()> {
    match stage.hand {
        Hand::Keys => press(stage.window, Key::Control, '+').await,
        Hand::Pointer => stage.window.click("button", "Larger type").await,
    }
}

async fn usual_type(stage: &Stage<'_>) -> Result<()> {
    match stage.hand {
        Hand::Keys => press(stage.window, Key::Control, '0').await,
        Hand::Pointer => stage.window.click("button", "Smaller type").await,
    }
}

/// The size of the type of the step's heading, in px.
async fn heading(window: &Window) -> Result<f64> {
    let size = window
        .js(
            "return parseFloat(getComputedStyle(document.querySelector('main h1')).fontSize)",
            vec![],
        )
        .await?;
    let size = size.as_f64().unwrap_or_default();
    ensure!(size > 10.0, "the heading has {size} px");
    Ok(size)
}

async fn leave(stage: &Stage<'_>) -> Result<()> {
    match stage.hand {
        Hand::Keys => {
            stage.key(Key::Escape).await?;
            stage.window.see("Leave the presentation?").await?;
            stage.key(Key::Enter).await?;
        }
        Hand::Pointer => stage.window.click("button", "Leave").await?,
    }
    stage
        .window
        .until(
            "the presentation to be left",
            "return !document.querySelector('[data-presentation]')",
        )
        .await?;
    Ok(())
}
