//! A tool that brings another tool and takes it away again.

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::json;

use super::{Answer, changes, fields, tool};
use crate::call::{Call, text};
use crate::station::Station;

pub(super) fn definitions(station: &Station) -> Vec<Tool> {
    let mut tools = vec![tool(
        "boathouse_doors",
        "Open or close the boathouse",
        "With the doors open there is one more tool, *Launch the boat*. Sends \
         **`notifications/tools/list_changed`**.",
        fields(json!({
            "open": {
                "type": "boolean",
                "title": "Doors open",
                "description": "Without it the doors are closed again.",
                "default": true
            }
        })),
        changes().idempotent(true),
    )];
    if station.boathouse_is_open() {
        tools.push(tool(
            "launch_boat",
            "Launch the boat",
            "Takes the boat out and notes it in the logbook.",
            fields(json!({
                "rowers": {
                    "type": "integer",
                    "title": "How many rowers",
                    "minimum": 1,
                    "maximum": 6,
                    "default": 4
                }
            })),
            changes(),
        ));
    }
    tools
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Doors {
    #[serde(default = "yes")]
    open: bool,
}

fn yes() -> bool {
    true
}

pub(super) fn doors(call: &Call) -> Answer {
    let Doors { open } = call.arguments()?;
    let changed = call.station().set_boathouse(open);
    Ok(text(match (open, changed) {
        (true, true) => "The doors are open. A new tool is there: Launch the boat.",
        (false, true) => "The doors are closed. The tool Launch the boat is gone.",
        (true, false) => "The doors were open already.",
        (false, false) => "The doors were closed already.",
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Launch {
    #[serde(default = "four")]
    rowers: u8,
}

fn four() -> u8 {
    4
}

pub(super) fn launch(call: &Call) -> Answer {
    let Launch { rowers } = call.arguments()?;
    let count = call
        .station()
        .write_down(format!("Boat launched with {rowers} rowers."));
    Ok(text(format!(
        "The boat is out, {rowers} at the oars. Logbook entry {count}."
    )))
}
