//! A tool that sends progress and log messages as fast as it can.

use anyhow::Result;
use sonde_tests::{
    figures::{median, plain},
    steps::connect,
    window::Window,
};

use crate::{
    page::{self, Frames},
    size::Size,
};

/// Number of floods whose longest frames are compared.
const FLOODS: usize = 3;

/// Title of the tool.
pub(crate) const TOOL: &str = "Load: ride out a storm";

/// Returns the start of the result after this many messages of each kind.
pub(crate) fn result(each: u64) -> String {
    format!("The storm is over: {each} progress")
}

pub(crate) async fn run(size: Size) -> Result<()> {
    let each = size.messages;
    let window = page::open(None).await?;
    let before = page::memory_at_rest(&window, size).await?;
    connect(&window).await?;
    // The first run of a window renders all parts of a run for the first time, so it has a figure of its own.
    let first = ride_out(&window, 1).await?;
    let frames = ride_out(&window, each).await?;
    let server = page::server_id(&window, 0)?;
    let progress = page::log(&window, &server, "notification", "notifications/progress").await?;
    let messages = page::log(&window, &server, "notification", "notifications/message").await?;
    let answer = page::log(&window, &server, "response", "tools/call").await?;
    let memory = page::print_memory(&window, "after the flood")?;
    window.shot("bench-flood").await?;
    // Other work of the machine can make one frame out of dozens long, so three floods are measured.
    let mut longest = vec![frames.longest];
    for _ in 1..FLOODS {
        longest.push(ride_out(&window, each).await?.longest);
    }
    page::print_memory_left(&window, "floods", before, size).await?;
    window.close().await?;
    let took = frames.until_shown();
    let idle = page::idle(took.min(size.idle)).await?;

    plain("click to result shown", took, "ms").print();
    plain("messages per second", 2e3 * each as f64 / took, "/s").print();
    let floods = FLOODS as u64;
    plain(
        "longest frame, median of the floods",
        median(&longest),
        "ms",
    )
    .of(floods, "floods")
    .at_most(100.0)
    .print();
    plain(
        "longest frame, worst of the floods",
        longest.iter().copied().fold(0.0, f64::max),
        "ms",
    )
    .of(floods, "floods")
    .print();
    idle.longest("longest frame, idle empty window").print();
    first
        .longest("longest frame, first run of the window, with two messages")
        .print();
    plain("frames above 100 ms", frames.over100 as f64, "")
        .of(frames.frames, "frames")
        .print();
    plain("frames above 50 ms", frames.over50 as f64, "")
        .of(frames.frames, "frames")
        .print();
    let latency = frames.shown_at.unwrap_or(f64::NAN) - answer.last_at;
    plain("last byte to result shown", latency, "ms").print();
    // The messages of the first run do not belong to the flood.
    let there = |log: &page::Log| (log.rows - 1).min(each);
    let missing = 2 * each - there(&progress) - there(&messages);
    plain("messages missing from the log", missing as f64, "")
        .of(2 * each, "messages")
        .at_most(0.0)
        .print();
    plain("log entries dropped", answer.dropped as f64, "")
        .of(2 * each, "messages")
        .at_most(0.0)
        .print();
    plain("memory afterwards", memory, "MiB").print();
    Ok(())
}

/// Runs the tool with this many messages of each kind, until its result is shown.
async fn ride_out(window: &Window, each: u64) -> Result<Frames> {
    page::run_tool(
        window,
        TOOL,
        &[each, each],
        &format!("run.textContent.includes('{}')", result(each)),
    )
    .await
}
