//! Tools that go wrong on purpose, each in its own way.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, Tool};
use serde::Deserialize;
use serde_json::json;

use super::{Answer, changes, fields, looks, tool};
use crate::call::{Call, Outcome, Refusal, failure, refusal, text};

/// The most lines that go to standard error in one call.
const MAX_LINES: u32 = 100_000;

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "open_rusty_door",
            "Trouble: a door that will not open",
            "However hard you push, it stays shut. Returns a **tool error**: a result with `isError`.",
            fields(json!({
                "push": {
                    "type": "string",
                    "title": "How hard to push",
                    "enum": ["gently", "firmly", "with a shoulder"],
                    "default": "gently"
                }
            })),
            looks(),
        ),
        tool(
            "call_wrong_number",
            "Trouble: a wrong number",
            "Somebody else answers. Returns a **protocol error**: a JSON-RPC error with a code and \
             data.",
            fields(json!({
                "code": {
                    "type": "integer",
                    "title": "Error code",
                    "minimum": -2_147_483_648_i64,
                    "maximum": 2_147_483_647,
                    "default": -32_050
                }
            })),
            looks(),
        ),
        tool(
            "shout_to_engine_room",
            "Trouble: shouting to the engine room",
            "Nobody hears it but the log. Writes lines to **stderr**.",
            fields(json!({
                "lines": {
                    "type": "integer",
                    "title": "How many lines",
                    "minimum": 1,
                    "maximum": MAX_LINES,
                    "default": 5
                }
            })),
            looks(),
        ),
        tool(
            "blow_fuse",
            "Trouble: blow the fuse",
            "The lights go out. **Crashes** the server: it writes to stderr and exits.",
            fields(json!({
                "code": {
                    "type": "integer",
                    "title": "Exit code",
                    "minimum": 0,
                    "maximum": 255,
                    "default": 3
                },
                "after_ms": {
                    "type": "integer",
                    "title": "How long to wait first, in milliseconds",
                    "minimum": 0,
                    "maximum": 60_000,
                    "default": 0
                }
            })),
            changes().destructive(true),
        ),
    ]
}

#[derive(Deserialize, Default)]
enum Push {
    #[default]
    #[serde(rename = "gently")]
    Gently,
    #[serde(rename = "firmly")]
    Firmly,
    #[serde(rename = "with a shoulder")]
    Shoulder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Door {
    #[serde(default)]
    push: Push,
}

pub(super) fn open_rusty_door(call: &Call) -> Answer {
    let Door { push } = call.arguments()?;
    let sound = match push {
        Push::Gently => "It does not move.",
        Push::Firmly => "It groans, but does not move.",
        Push::Shoulder => "Your shoulder hurts, and it does not move.",
    };
    Ok(CallToolResult::error(vec![
        ContentBlock::text(format!("The north door stays shut. {sound}")),
        ContentBlock::text("Ask for oil when the supply boat comes, then try again."),
    ]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Number {
    #[serde(default = "wrong_number")]
    code: i32,
}

/// Outside the codes that JSON-RPC and MCP reserve for themselves.
fn wrong_number() -> i32 {
    -32_050
}

pub(super) fn call_wrong_number(call: &Call) -> Outcome {
    let code = match call.arguments() {
        Ok(Number { code }) => code,
        Err(Refusal(sentence)) => return Ok(failure(sentence)),
    };
    let data = json!({
        "dialled": "0049 1207",
        "reached": "a bakery in North Haven",
        "tries": 2,
        "hint": ["Check the last digit.", "Call again after six."]
    });
    Err(ErrorData::new(
        ErrorCode(code),
        "Wrong number: this is not the harbour office.",
        Some(data),
    ))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shout {
    #[serde(default = "five")]
    lines: u32,
}

fn five() -> u32 {
    5
}

pub(super) fn shout_to_engine_room(call: &Call) -> Answer {
    let Shout { lines } = call.arguments()?;
    if !(1..=MAX_LINES).contains(&lines) {
        return Err(refusal(format!(
            "Between 1 and {MAX_LINES} lines are possible."
        )));
    }
    for line in 1..=lines {
        eprintln!("engine room: line {line} of {lines}: more steam, please");
    }
    Ok(text(format!("Shouted {lines} lines down the tube.")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Fuse {
    code: u8,
    after_ms: u64,
}

impl Default for Fuse {
    fn default() -> Self {
        Self {
            code: 3,
            after_ms: 0,
        }
    }
}

pub(super) async fn blow_fuse(call: &Call) -> Answer {
    let Fuse { code, after_ms } = call.arguments()?;
    if call
        .pause(Duration::from_millis(after_ms.min(60_000)))
        .await
        .is_err()
    {
        return Ok(failure("Somebody switched the current off in time."));
    }
    eprintln!("engine room: the dynamo is running hot");
    eprintln!("engine room: 312 volts and rising");
    eprintln!("engine room: fuse blown, lights out (exit code {code})");
    std::process::exit(i32::from(code));
}
