//! Progress notifications, with and without a total, and cancellation.
// Log messages are deprecated from 2026-07-28 on; the versions before it still use them.
#![expect(deprecated)]

use std::time::Duration;

use rmcp::model::LoggingLevel;

use super::DemoTool;
use super::fields::{integer, pause};
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "climb_tower",
            "Climb the tower",
            "Takes a while and says at every landing how far it is. Sends **progress notifications** \
             with a known total.",
            [
                integer("landings", "How many landings", 1..=1000, 12),
                pause(400),
            ],
            |call| Box::pin(climb_tower(call)),
        ),
        DemoTool::reading(
            "scan_horizon",
            "Scan the horizon",
            "Counts ships until enough are found. Sends **progress notifications** without a total.",
            [
                integer("ships", "How many ships to find", 1..=1000, 9),
                pause(500),
            ],
            |call| Box::pin(scan_horizon(call)),
        ),
    ]
}

pub(super) fn cancellable_tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "polish_lens",
        "Polish the lens",
        "Takes long, so that you can **cancel** it: the keeper puts the cloth down at once.",
        [integer("seconds", "How long, in seconds", 1..=3600, 60)],
        |call| Box::pin(polish_lens(call)),
    )]
}

async fn climb_tower(call: &Call) -> Answer {
    let landings: u32 = call.argument("landings")?;
    let pause = Duration::from_millis(call.argument("pause_ms")?);
    for landing in 1..=landings {
        let message = format!("Landing {landing} of {landings}");
        call.progress(landing, Some(landings), Some(message)).await;
        call.pause(pause).await?;
    }
    Ok(text(format!(
        "Up on the gallery after {landings} landings. What a view!"
    )))
}

async fn scan_horizon(call: &Call) -> Answer {
    let ships: u32 = call.argument("ships")?;
    let pause = Duration::from_millis(call.argument("pause_ms")?);
    for found in 1..=ships {
        call.progress(found, None, None).await;
        call.pause(pause).await?;
    }
    Ok(text(format!(
        "{ships} ships on the horizon, none in trouble."
    )))
}

async fn polish_lens(call: &Call) -> Answer {
    let seconds: u32 = call.argument("seconds")?;
    for second in 0..seconds {
        let message = format!("Polishing, {} s to go", seconds - second);
        call.progress(second, Some(seconds), Some(message)).await;
        if let Err(stopped) = call.pause(Duration::from_secs(1)).await {
            // A cancelled call gets no response (2025-11-25 basic/utilities/cancellation), so the reaction goes to
            // the log and into the logbook.
            let note = format!("Cloth put down after {second} seconds, as you wished.");
            call.state().write_down(note.clone());
            call.log(LoggingLevel::Notice, note).await;
            return Err(stopped);
        }
    }
    call.progress(seconds, Some(seconds), None).await;
    Ok(text(
        "The lens shines. You can see it from fourteen miles away.",
    ))
}
