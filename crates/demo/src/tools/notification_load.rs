//! Notifications as fast as possible.
// Log messages are deprecated from 2026-07-28 on; the versions before it still use them.
#![expect(deprecated)]

use std::time::Duration;

use rmcp::model::LoggingLevel;

use super::DemoTool;
use super::fields::integer;
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "ride_out_storm",
        "Load: ride out a storm",
        "Sends **progress notifications and log messages** as fast as it can, without \
         skipping any.",
        [
            integer("progress", "Progress reports", 0..=50_000, 1_000),
            integer("logs", "Log messages", 0..=50_000, 1_000),
        ],
        |call| Box::pin(ride_out_storm(call)),
    )]
}

async fn ride_out_storm(call: &Call) -> Answer {
    let progress: u32 = call.argument("progress")?;
    let logs: u32 = call.argument("logs")?;
    for wave in 1..=progress.max(logs) {
        if wave <= progress {
            let message = format!("Wave {wave}");
            call.progress(wave, Some(progress), Some(message)).await;
        }
        if wave <= logs {
            call.log(LoggingLevel::Info, format!("Gust {wave} of {logs}"))
                .await;
        }
        if wave % 100 == 0 {
            call.pause(Duration::ZERO).await?;
        }
    }
    let reported = if call.wants_progress() { progress } else { 0 };
    Ok(text(format!(
        "The storm is over: {reported} progress reports and {logs} log messages."
    )))
}
