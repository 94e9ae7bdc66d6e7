//! Benchmarks without a window: Sonde's engine beside other clients. Prints one figure per line.
//!
//! Usage: `bench-engine <echo|parallel> <plain-server> <sonde> <full|smoke>`.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads the real clock and starts the plainest child there is"
)]

mod clients;
mod echo;
mod parallel;

use std::env;

use anyhow::{Context as _, Result, bail};

/// Programs and size of a run.
struct Run {
    /// Path of the program `plain-server`.
    server: String,
    /// Path of the program `sonde`.
    sonde: String,
    is_smoke: bool,
}

impl Run {
    /// Returns how many, in a run that measures and in one that only shows that it works.
    fn size(&self, full: u32, smoke: u32) -> u32 {
        if self.is_smoke { smoke } else { full }
    }

    fn rounds(&self) -> u32 {
        self.size(3, 1)
    }
}

fn main() -> Result<()> {
    let mut args = env::args().skip(1);
    let benchmark = args.next().context("the benchmark")?;
    let run = Run {
        server: args.next().context("the server's path")?,
        sonde: args.next().context("the path of the command line")?,
        is_smoke: match args.next().context("full or smoke")?.as_str() {
            "full" => false,
            "smoke" => true,
            other => bail!("no such size: {other}"),
        },
    };
    // The TLS provider of clients that bring none.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    match benchmark.as_str() {
        "echo" => echo::run(&run, &runtime),
        "parallel" => parallel::run(&run, &runtime),
        other => bail!("no such benchmark: {other}"),
    }
}
