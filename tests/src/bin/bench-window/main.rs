//! Measures the built app in its real window. Prints one figure per line.
//!
//! Usage: `bench-window <start|flood|tools|resources|prompts|large> <full|smoke>`, with `SONDE_APP` naming the app and `EMPTY_APP`
//! the empty window to compare with, on a display. With `INSPECTOR` and `INSPECTOR_NODE` the MCP Inspector is measured too.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock"
)]

mod flood;
mod inspector;
mod large;
mod lists;
mod page;
mod process;
mod size;
mod start;

use anyhow::{Context as _, Result, bail};
use inspector::Inspector;
use size::Size;

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let what = args
        .next()
        .context("start, flood, tools, resources, prompts or large")?;
    let size = Size::named(&args.next().context("full or smoke")?)?;
    match what.as_str() {
        "start" => start::run(size).await,
        "flood" => flood::run(size).await,
        "tools" => lists::run(&lists::TOOLS, size).await,
        "resources" => lists::run(&lists::RESOURCES, size).await,
        "prompts" => lists::run(&lists::PROMPTS, size).await,
        "large" => large::run(size).await,
        other => bail!("no such benchmark: {other}"),
    }?;
    let Some(inspector) = Inspector::given(size) else {
        return Ok(());
    };
    match what.as_str() {
        "start" => inspector.start().await,
        "flood" => inspector.flood().await,
        "tools" => inspector.list(&lists::TOOLS).await,
        "large" => inspector.large().await,
        _ => Ok(()),
    }
}
