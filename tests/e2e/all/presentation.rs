//! The demo server's presentation, given by keyboard in the real window: a table, an image and a chart.

use anyhow::Result;
use fantoccini::key::Key;
use sonde_tests::{steps::*, window::Window};

use crate::keys::key;

const TABLE: &str = "return document.querySelectorAll('main [role=table] [role=cell]').length > 10";
const IMAGE: &str = "const image = document.querySelector('main img');
    return !!image && image.complete && image.naturalWidth === 640 && image.getBoundingClientRect().width > 300";
const CHART: &str = "const chart = document.querySelector('main svg[role=img]');
    const box = chart?.getBoundingClientRect();
    return box?.width > 300 && box.height > 150 && chart.querySelector('path, polyline') !== null";

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_presentation_is_given_by_keyboard() -> Result<()> {
    let window = Window::open().await?;
    connect(&window).await?;
    key(&window, Key::F5).await?;
    window.see("Step 1 of 8").await?;
    for (step, shown, script) in [
        (2, "a table of ships", TABLE),
        (3, "the picture of the lighthouse", IMAGE),
        (4, "a chart of the waves", CHART),
    ] {
        key(&window, Key::PageDown).await?;
        window.see(&format!("Step {step} of 8")).await?;
        window.has_focus("button", "Run").await?;
        key(&window, Key::Enter).await?;
        window.until(shown, script).await?;
        window.shot(&format!("presentation-{step}")).await?;
    }
    key(&window, Key::Escape).await?;
    window.see("Leave the presentation?").await?;
    key(&window, Key::Enter).await?;
    window
        .until(
            "the presentation to be left",
            "return !document.querySelector('[data-presentation]')",
        )
        .await?;
    window.close().await
}
