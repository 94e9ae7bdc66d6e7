//! `cargo xtask bench`: measures, and prints ratios.

use anyhow::Result;
use clap::ValueEnum;

/// A benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bench {
    /// Start to interactive and memory, beside an empty window.
    Start,
    /// 10,000 sequential calls, beside a bare pipe and rmcp's client.
    Echo,
    /// 50,000 progress and 50,000 log notifications.
    Flood,
    /// 10,000 tools.
    Tools,
    /// A 50 MB text and a JSON of a million nodes.
    Large,
}

pub(crate) fn run(_only: &[Bench]) -> Result<()> {
    anyhow::bail!("not yet")
}
