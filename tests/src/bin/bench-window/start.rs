//! Start to interactive, and memory, beside an empty window.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result};
use sonde_tests::{
    figures::{median, plain},
    steps::connect,
    window::{Start, Window},
};

use crate::{page, process, size::Size};

/// The times of the page's steps since the Unix epoch, once it is interactive.
const PAGE: &str = "if (performance.getEntriesByName('interactive').length === 0) return null;
    const steps = { 'page begun': performance.timeOrigin };
    for (const { name, startTime } of performance.getEntriesByType('mark')) steps[name] = performance.timeOrigin + startTime;
    return steps;";

/// Steps of a start, each with its times in milliseconds since the start of the process.
type Steps = BTreeMap<String, Vec<f64>>;

pub(crate) async fn run(size: Size) -> Result<()> {
    let sonde = page::sonde()?;
    let empty = std::env::var("EMPTY_APP").context("EMPTY_APP must name the empty window")?;
    let (mut of_sonde, mut of_empty) = (Steps::new(), Steps::new());
    for round in 0..=size.starts {
        let (one, other) = (start(&empty).await?, start(&sonde).await?);
        if round > 0 {
            for (steps, times) in [(&mut of_empty, one), (&mut of_sonde, other)] {
                for (step, at) in times {
                    steps.entry(step).or_default().push(at);
                }
            }
        }
    }
    let interactive = |steps: &Steps| steps.get("interactive").cloned().unwrap_or_default();
    let (one, other) = (
        median(&interactive(&of_empty)),
        median(&interactive(&of_sonde)),
    );
    plain("empty window, start to painted (median)", one, "ms").print();
    plain("start to interactive (median)", other, "ms").print();
    plain("Sonde, fastest start", best(&interactive(&of_sonde)), "ms").print();
    plain("start beside the empty window", other / one, "×")
        .at_most(1.2)
        .print();
    print_steps(&of_sonde, &of_empty);

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
    plain("memory, demo server connected", full, "MiB").print();
    plain("memory beside the empty window", full / bare, "×")
        .at_most(1.2)
        .print();
    Ok(())
}

fn best(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Prints the median time of each step of Sonde, in order, with that of the empty window.
fn print_steps(sonde: &Steps, empty: &Steps) {
    let mut steps: Vec<_> = sonde.iter().map(|(step, at)| (median(at), step)).collect();
    steps.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (at, step) in steps {
        let mut figure = plain(format!("start to: {step}"), at, "ms");
        if let Some(at) = empty.get(step) {
            figure.samples = Some(format!("empty window: {:.0} ms", median(at)));
        }
        figure.print();
    }
}

async fn open(app: &str) -> Result<Window> {
    Window::start(Start {
        draws_as_shipped: true,
        app: Some(app.to_owned()),
        env: vec![("SONDE_LOG".to_owned(), "info,start=debug".to_owned())],
        ..Start::default()
    })
    .await
}

/// Measures the steps from the start of the process to the page's mark `interactive`.
async fn start(app: &str) -> Result<BTreeMap<String, f64>> {
    let window = open(app).await?;
    let steps = window.until("the page to be interactive", PAGE).await?;
    let mut steps: BTreeMap<String, f64> = serde_json::from_value(steps)?;
    steps.extend(logged(&window)?);
    let started = process::started_at(window.process())?;
    window.close().await?;
    for at in steps.values_mut() {
        *at -= started;
    }
    Ok(steps)
}

/// Returns the steps that the program logged, with their times since the Unix epoch.
fn logged(window: &Window) -> Result<BTreeMap<String, f64>> {
    let mut steps = BTreeMap::new();
    for file in fs::read_dir(window.data_folder().join("logs"))? {
        for line in fs::read_to_string(file?.path())?.lines() {
            if let Some((_, step)) = line.split_once("step=\"")
                && let Some((step, at)) = step.split_once("\" at=")
            {
                steps.insert(step.to_owned(), at.parse()?);
            }
        }
    }
    Ok(steps)
}
