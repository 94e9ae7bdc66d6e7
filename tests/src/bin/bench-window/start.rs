//! Start to interactive, and memory, beside an empty window.

use anyhow::{Context as _, Result};
use sonde_tests::{
    figures::{median, plain},
    steps::connect,
    window::{Start, Window},
};

use crate::{page, process, size::Size};

pub(crate) async fn run(size: Size) -> Result<()> {
    let sonde = page::sonde()?;
    let empty = std::env::var("EMPTY_APP").context("EMPTY_APP must name the empty window")?;
    let (mut sonde_ms, mut empty_ms) = (Vec::new(), Vec::new());
    for round in 0..=size.starts {
        let (one, other) = (start(&empty).await?, start(&sonde).await?);
        if round > 0 {
            empty_ms.push(one);
            sonde_ms.push(other);
        }
    }
    let (one, other) = (median(&empty_ms), median(&sonde_ms));
    plain("empty window, start to painted (median)", one, "ms").print();
    plain("Sonde, start to interactive (median)", other, "ms").print();
    plain("Sonde, fastest start", best(&sonde_ms), "ms").print();
    plain("start beside the empty window", other / one, "×")
        .at_most(1.25)
        .print();

    let window = open(&empty).await?;
    tokio::time::sleep(size.rest).await;
    let bare = process::total(&process::memory(window.process().pid)?);
    window.close().await?;
    plain("empty window, memory", bare, "MiB").print();
    let window = open(&sonde).await?;
    connect(&window).await?;
    tokio::time::sleep(size.rest).await;
    let full = page::print_memory(&window, "demo server connected")?;
    window.close().await?;
    plain("Sonde, memory, demo server connected", full, "MiB").print();
    plain("memory beside the empty window", full / bare, "×")
        .at_most(1.3)
        .print();
    Ok(())
}

fn best(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

async fn open(app: &str) -> Result<Window> {
    Window::start(Start {
        app: Some(app.to_owned()),
        ..Start::default()
    })
    .await
}

/// From the start of the process to the page's own mark, in milliseconds.
async fn start(app: &str) -> Result<f64> {
    let window = open(app).await?;
    let marked = window
        .until(
            "the page to be interactive",
            "const mark = performance.getEntriesByName('interactive')[0]; return mark ? performance.timeOrigin + mark.startTime : null",
        )
        .await?
        .as_f64()
        .context("a time")?;
    let started = process::started_at(window.process())?;
    window.close().await?;
    Ok(marked - started)
}
