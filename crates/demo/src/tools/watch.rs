//! Work that takes a while: progress, log messages and cancelling.
// Log messages are deprecated from 2026-07-28 on; the revisions before it still use them.
#![expect(deprecated)]

use std::time::Duration;

use rmcp::model::{LoggingLevel, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, fields, looks, tool};
use crate::call::{Call, failure, refusal, text};

/// The longest pause between two steps, in milliseconds.
const MAX_PAUSE: u64 = 10_000;

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "climb_tower",
            "Climb the tower",
            "Takes a while and says at every landing how far it is. Sends **progress notifications** \
             with a known total.",
            fields(json!({
                "landings": {
                    "type": "integer",
                    "title": "How many landings",
                    "minimum": 1,
                    "maximum": 1000,
                    "default": 12
                },
                "pause_ms": pause(400)
            })),
            looks(),
        ),
        tool(
            "scan_horizon",
            "Scan the horizon",
            "Counts ships until enough are found. Sends **progress notifications** without a total.",
            fields(json!({
                "ships": {
                    "type": "integer",
                    "title": "How many ships to find",
                    "minimum": 1,
                    "maximum": 1000,
                    "default": 9
                },
                "pause_ms": pause(500)
            })),
            looks(),
        ),
        tool(
            "listen_to_radio",
            "Listen to the radio",
            "What is said on the radio, from small talk to a call for help. Sends **log messages** of \
             every level while it runs.",
            fields(json!({
                "rounds": {
                    "type": "integer",
                    "title": "How many rounds",
                    "description": "Eight messages each.",
                    "minimum": 1,
                    "maximum": 100,
                    "default": 1
                },
                "pause_ms": pause(300)
            })),
            looks(),
        ),
        tool(
            "polish_lens",
            "Polish the lens",
            "Takes long, so that you can **cancel** it: the keeper puts the cloth down at once.",
            fields(json!({
                "seconds": {
                    "type": "integer",
                    "title": "How long, in seconds",
                    "minimum": 1,
                    "maximum": 3600,
                    "default": 60
                }
            })),
            looks(),
        ),
    ]
}

fn pause(default: u64) -> Value {
    json!({
        "type": "integer",
        "title": "Pause between steps, in milliseconds",
        "minimum": 0,
        "maximum": MAX_PAUSE,
        "default": default
    })
}

fn pause_of(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(MAX_PAUSE))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Climb {
    landings: u32,
    pause_ms: u64,
}

impl Default for Climb {
    fn default() -> Self {
        Self {
            landings: 12,
            pause_ms: 400,
        }
    }
}

pub(super) async fn climb_tower(call: &Call) -> Answer {
    let Climb { landings, pause_ms } = call.arguments()?;
    if !(1..=1000).contains(&landings) {
        return Err(refusal("The tower has between 1 and 1000 landings."));
    }
    let total = Some(f64::from(landings));
    for landing in 1..=landings {
        let message = format!("Landing {landing} of {landings}");
        call.progress(f64::from(landing), total, Some(message))
            .await;
        if call.pause(pause_of(pause_ms)).await.is_err() {
            return Ok(failure(format!("Turned back at landing {landing}.")));
        }
    }
    Ok(text(format!(
        "Up on the gallery after {landings} landings. What a view!"
    )))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Scan {
    ships: u32,
    pause_ms: u64,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            ships: 9,
            pause_ms: 500,
        }
    }
}

pub(super) async fn scan_horizon(call: &Call) -> Answer {
    let Scan { ships, pause_ms } = call.arguments()?;
    if !(1..=1000).contains(&ships) {
        return Err(refusal("Between 1 and 1000 ships can be found."));
    }
    for found in 1..=ships {
        call.progress(f64::from(found), None, None).await;
        if call.pause(pause_of(pause_ms)).await.is_err() {
            return Ok(failure(format!("Stopped looking after {found} ships.")));
        }
    }
    Ok(text(format!(
        "{ships} ships on the horizon, none in trouble."
    )))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Radio {
    rounds: u32,
    pause_ms: u64,
}

impl Default for Radio {
    fn default() -> Self {
        Self {
            rounds: 1,
            pause_ms: 300,
        }
    }
}

/// One message for every level there is.
const MESSAGES: [(LoggingLevel, &str); 8] = [
    (LoggingLevel::Debug, "Static. Turning the dial."),
    (
        LoggingLevel::Info,
        "Harbour office: good evening, all stations.",
    ),
    (
        LoggingLevel::Notice,
        "Ferry Fair Isle leaves ten minutes late.",
    ),
    (LoggingLevel::Warning, "Wind rising to seven by midnight."),
    (LoggingLevel::Error, "Bell buoy does not answer."),
    (
        LoggingLevel::Critical,
        "Fishing boat Old Tom reports water in the hold.",
    ),
    (LoggingLevel::Alert, "Old Tom needs a tow."),
    (
        LoggingLevel::Emergency,
        "Mayday relay: Old Tom, two miles north. Lifeboat launched.",
    ),
];

pub(super) async fn listen_to_radio(call: &Call) -> Answer {
    let Radio { rounds, pause_ms } = call.arguments()?;
    if !(1..=100).contains(&rounds) {
        return Err(refusal("Between 1 and 100 rounds are possible."));
    }
    let mut heard = 0_u32;
    for round in 1..=rounds {
        for (channel, (level, message)) in MESSAGES.into_iter().enumerate() {
            // Log data may be any JSON value (2025-11-25 server/utilities/logging).
            let data = match channel % 2 {
                0 => json!(message),
                _ => json!({ "message": message, "channel": 10 + channel, "round": round }),
            };
            call.log(level, data).await;
            heard += 1;
            if call.pause(pause_of(pause_ms)).await.is_err() {
                return Ok(failure(format!(
                    "Radio switched off after {heard} messages."
                )));
            }
        }
    }
    Ok(text(format!("{heard} messages heard. Everybody is safe.")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Polish {
    #[serde(default = "a_minute")]
    seconds: u32,
}

fn a_minute() -> u32 {
    60
}

pub(super) async fn polish_lens(call: &Call) -> Answer {
    let Polish { seconds } = call.arguments()?;
    if !(1..=3600).contains(&seconds) {
        return Err(refusal("Polishing takes between 1 and 3600 seconds."));
    }
    for second in 0..seconds {
        let message = format!("Polishing, {} s to go", seconds - second);
        call.progress(f64::from(second), Some(f64::from(seconds)), Some(message))
            .await;
        if call.pause(Duration::from_secs(1)).await.is_err() {
            let note = format!("Cloth put down after {second} seconds, as you wished.");
            // A cancelled call is not answered (2025-11-25 basic/utilities/cancellation), so the
            // reaction is told in a log message and in the logbook.
            call.station().write_down(note.clone());
            call.log(LoggingLevel::Notice, note.as_str()).await;
            return Ok(failure(note));
        }
    }
    call.progress(f64::from(seconds), Some(f64::from(seconds)), None)
        .await;
    Ok(text(
        "The lens shines. You can see it from fourteen miles away.",
    ))
}
