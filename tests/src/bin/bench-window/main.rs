//! Measures the built app in its real window. Prints one figure per line.
//!
//! Usage: `bench-window <start|flood|tools|large>`, with `SONDE_APP` naming the app and `EMPTY_APP`
//! the empty window to compare with, on a display.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock"
)]

mod flood;
mod large;
mod page;
mod process;
mod start;
mod tools;

use anyhow::{Context as _, Result, bail};

#[tokio::main]
async fn main() -> Result<()> {
    let what = std::env::args()
        .nth(1)
        .context("start, flood, tools or large")?;
    match what.as_str() {
        "start" => start::run().await,
        "flood" => flood::run().await,
        "tools" => tools::run().await,
        "large" => large::run().await,
        other => bail!("no such benchmark: {other}"),
    }
}
