//! A tool that sends progress and log messages as fast as it can.

use anyhow::Result;
use sonde_tests::{figures::plain, steps::connect, window::Window};

use crate::{page, size::Size};

pub(crate) async fn run(size: Size) -> Result<()> {
    let each = size.messages;
    let window = Window::open().await?;
    page::prepare(&window).await?;
    connect(&window).await?;
    let frames = page::run_tool(
        &window,
        "Load: ride out a storm",
        &[each, each],
        "run.textContent.includes('The storm is over')",
    )
    .await?;
    let server = page::server_id(&window, 0)?;
    let progress = page::log(&window, &server, "notification", "notifications/progress").await?;
    let messages = page::log(&window, &server, "notification", "notifications/message").await?;
    let answer = page::log(&window, &server, "response", "tools/call").await?;
    let memory = page::print_memory(&window, "after the flood")?;
    window.shot("bench-flood").await?;
    window.close().await?;
    let took = frames.ended - frames.began;
    let idle = page::idle(took.min(size.idle)).await?;

    plain("click to result shown", took, "ms").print();
    plain("messages per second", 2e3 * each as f64 / took, "/s").print();
    frames.longest("longest frame").at_most(100.0).print();
    idle.longest("longest frame, idle empty window").print();
    plain("frames above 100 ms", frames.over100 as f64, "")
        .of(frames.frames, "frames")
        .print();
    plain("frames above 50 ms", frames.over50 as f64, "")
        .of(frames.frames, "frames")
        .print();
    let latency = frames.shown_at.unwrap_or(f64::NAN) - answer.last_at;
    plain("last byte to result shown", latency, "ms").print();
    let missing = 2 * each - progress.rows.min(each) - messages.rows.min(each);
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
