//! Sizes of the benchmarks.

use std::time::Duration;

use anyhow::{Result, bail};

/// Numbers of sent, listed and displayed things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Number of starts of each app, alternating, after a first one that only warms the disk cache.
    pub(crate) starts: usize,
    /// Time that a window is idle before its memory is measured.
    pub(crate) rest: Duration,
    /// Duration of measuring an idle window, in milliseconds.
    pub(crate) idle: f64,
    /// Number of notifications of each kind.
    pub(crate) messages: u64,
    /// Number of items of a server's list.
    pub(crate) items: u64,
    /// Number of bytes of a text.
    pub(crate) text: u64,
    /// Number of nodes of a JSON document. At least 256 KiB, since a smaller one is shown as a table, not as a tree.
    pub(crate) nodes: u64,
    /// Number of frames of scrolling, each way.
    pub(crate) scroll: u32,
}

impl Size {
    /// Returns a size: `full` for the figures in the documents, `smoke` for a check that a benchmark works.
    pub(crate) fn named(name: &str) -> Result<Self> {
        match name {
            "full" => Ok(Self {
                starts: 8,
                rest: Duration::from_secs(4),
                idle: 20_000.0,
                messages: 50_000,
                items: 10_000,
                text: 50_000_000,
                nodes: 1_000_000,
                scroll: 120,
            }),
            "smoke" => Ok(Self {
                starts: 1,
                rest: Duration::ZERO,
                idle: 500.0,
                messages: 200,
                items: 1_500,
                text: 200_000,
                nodes: 40_000,
                scroll: 4,
            }),
            other => bail!("no such size: {other}"),
        }
    }
}
