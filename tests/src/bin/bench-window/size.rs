//! Sizes of the benchmarks.

use std::time::Duration;

use anyhow::{Result, bail};

/// Numbers of what is sent, listed and shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Starts of each app, alternating, beside a first one that is not counted: it warms the disk
    /// cache.
    pub(crate) starts: usize,
    /// Time that a window rests before its memory is measured.
    pub(crate) rest: Duration,
    /// Time limit for measuring an idle window, in milliseconds.
    pub(crate) idle: f64,
    /// Notifications of each kind.
    pub(crate) messages: u64,
    /// Items of a server's list.
    pub(crate) items: u64,
    /// Bytes of a text.
    pub(crate) text: u64,
    /// Nodes of a JSON document. Enough for 256 KiB: a smaller one is shown as a table, not as a tree.
    pub(crate) nodes: u64,
    /// Frames of scrolling, each way.
    pub(crate) scroll: u32,
}

impl Size {
    /// `full`: what the figures in the documents are about. `smoke`: just enough to see that a
    /// benchmark works.
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
