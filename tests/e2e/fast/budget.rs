//! Counts that do not depend on the machine, each with its limit: what the page asks for until it shows the servers, and
//! what it asks the host for a call.

use anyhow::{Result, ensure};
use serde_json::Value;
use sonde_tests::{
    steps::*,
    window::{Start, Window},
};

/// Files and commands until the servers are shown.
const START: usize = 8;
/// Commands from the click on Run until all of its result is shown.
const CALL: usize = 12;

/// Names of what the page has asked for, since the beginning or since it forgot it.
const REQUESTS: &str = "
    const before = performance.getEntriesByName('interactive')[0].startTime;
    return performance.getEntriesByType('resource').map(({ name, startTime }) => [name, startTime < before])";

/// Returns the requests, and for each if it was made before the servers were shown.
async fn requests(window: &Window) -> Result<Vec<(String, bool)>> {
    let found: Value = window.js(REQUESTS, vec![]).await?;
    Ok(serde_json::from_value(found)?)
}

#[tokio::test]
#[ignore = "needs a display, which `cargo xtask test` provides"]
async fn a_start_and_a_call_ask_for_little() -> Result<()> {
    let window = Window::start(Start {
        draws_as_shipped: true,
        ..Start::default()
    })
    .await?;
    window.see(DEMO).await?;
    let mut asked = requests(&window).await?;
    asked.retain(|(_, before)| *before);
    println!("{asked:#?}");
    ensure!(
        (2..=START).contains(&asked.len()),
        "until the servers were shown: {asked:#?}"
    );
    connect(&window).await?;
    select_tool(&window, "Say hello to the keeper").await?;
    window
        .js("performance.clearResourceTimings(); return true", vec![])
        .await?;
    run(&window).await?;
    newest_run_is(&window, "Done").await?;
    let asked = requests(&window).await?;
    println!("{asked:#?}");
    ensure!((1..=CALL).contains(&asked.len()), "for a call: {asked:#?}");
    window.close().await
}
