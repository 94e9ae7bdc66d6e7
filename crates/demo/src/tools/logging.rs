//! Log messages of every level.
// Log messages are deprecated from 2026-07-28 on; the versions before it still use them.
#![expect(deprecated)]

use std::time::Duration;

use rmcp::model::LoggingLevel::{
    self, Alert, Critical, Debug, Emergency, Error, Info, Notice, Warning,
};
use serde_json::json;

use super::DemoTool;
use super::fields::{integer, pause};
use crate::call::{Answer, Call, text};

const MESSAGES: [(LoggingLevel, &str); 8] = [
    (Debug, "Static. Turning the dial."),
    (Info, "Harbour office: good evening, all stations."),
    (Notice, "Ferry Fair Isle leaves ten minutes late."),
    (Warning, "Wind rising to seven by midnight."),
    (Error, "Bell buoy does not answer."),
    (Critical, "Fishing boat Old Tom reports water in the hold."),
    (Alert, "Old Tom needs a tow."),
    (
        Emergency,
        "Mayday relay: Old Tom, two miles north. Lifeboat launched.",
    ),
];

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "listen_to_radio",
        "Listen to the radio",
        "What is said on the radio, from small talk to a call for help. Sends **log messages** of \
         every level while it runs.",
        [
            integer("rounds", "How many rounds", 1..=100, 1).described("Eight messages each."),
            pause(300),
        ],
        |call| Box::pin(listen_to_radio(call)),
    )]
}

async fn listen_to_radio(call: &Call) -> Answer {
    let rounds: u32 = call.argument("rounds")?;
    let pause = Duration::from_millis(call.argument("pause_ms")?);
    for round in 1..=rounds {
        for (channel, (level, message)) in MESSAGES.into_iter().enumerate() {
            // Log data may be any JSON value (2025-11-25 server/utilities/logging).
            let data = match channel % 2 {
                0 => json!(message),
                _ => json!({ "message": message, "channel": 10 + channel, "round": round }),
            };
            call.log(level, data).await;
            call.pause(pause).await?;
        }
    }
    Ok(text(format!(
        "{} messages heard. Everybody is safe.",
        rounds * 8
    )))
}
