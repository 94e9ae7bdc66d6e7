//! A tool that adds another tool to the list and removes it again.

use super::DemoTool;
use super::fields::{boolean, integer};
use crate::call::{Answer, Call, text};

/// Name of the tool that exists only while the doors are open.
pub(super) const LAUNCH: &str = "launch_boat";

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "boathouse_doors",
            "Open or close the boathouse",
            "With the doors open there is one more tool, *Launch the boat*. Sends \
             **`notifications/tools/list_changed`**.",
            [boolean("open", "Doors open", true)
                .described("Without it the doors are closed again.")],
            |call| Box::pin(boathouse_doors(call)),
        )
        .changing(false, true),
        DemoTool::reading(
            LAUNCH,
            "Launch the boat",
            "Takes the boat out and notes it in the logbook.",
            [integer("rowers", "How many rowers", 1..=6, 4)],
            |call| Box::pin(launch_boat(call)),
        )
        .changing(false, false),
    ]
}

async fn boathouse_doors(call: &Call) -> Answer {
    let open = call.argument("open")?;
    let changed = call.state().set_boathouse(open);
    Ok(text(match (open, changed) {
        (true, true) => "The doors are open. A new tool is there: Launch the boat.",
        (false, true) => "The doors are closed. The tool Launch the boat is gone.",
        (true, false) => "The doors were open already.",
        (false, false) => "The doors were closed already.",
    }))
}

async fn launch_boat(call: &Call) -> Answer {
    let rowers: u8 = call.argument("rowers")?;
    let count = call
        .state()
        .write_down(format!("Boat launched with {rowers} rowers."));
    Ok(text(format!(
        "The boat is out, {rowers} at the oars. Logbook entry {count}."
    )))
}
