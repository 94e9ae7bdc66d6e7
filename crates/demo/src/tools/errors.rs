//! Failures of each kind: a tool error, a protocol error, output on stderr, a crash.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode};
use serde_json::json;

use super::DemoTool;
use super::fields::{integer, titled_choice};
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "open_rusty_door",
            "Trouble: a door that will not open",
            "However hard you push, it stays shut. Returns a **tool error**: a result with `isError`.",
            [titled_choice(
                "push",
                "How hard to push",
                &[
                    ("gently", "Gently"),
                    ("firmly", "Firmly"),
                    ("with a shoulder", "With a shoulder"),
                ],
            )
            .with("default", "gently".into())],
            |call| Box::pin(open_rusty_door(call)),
        ),
        DemoTool::reading(
            "call_wrong_number",
            "Trouble: a wrong number",
            "Somebody else answers. Returns a **protocol error**: a JSON-RPC error with a code and \
             data.",
            // The default is not a code that JSON-RPC or MCP reserve.
            [integer(
                "code",
                "Error code",
                i64::from(i32::MIN)..=i64::from(i32::MAX),
                -32_050,
            )],
            |call| Box::pin(call_wrong_number(call)),
        ),
        DemoTool::reading(
            "shout_to_engine_room",
            "Trouble: shouting to the engine room",
            "Nobody hears it but the log. Writes lines to **stderr**.",
            [integer("lines", "How many lines", 1..=100_000, 5)],
            |call| Box::pin(shout_to_engine_room(call)),
        ),
        DemoTool::reading(
            "blow_fuse",
            "Trouble: blow the fuse",
            "The lights go out. **Crashes** the server: it writes to stderr and exits.",
            [
                integer("code", "Exit code", 0..=255, 3),
                integer(
                    "after_ms",
                    "How long to wait first, in milliseconds",
                    0..=60_000,
                    0,
                ),
            ],
            |call| Box::pin(blow_fuse(call)),
        )
        .changing(true, false),
    ]
}

async fn open_rusty_door(call: &Call) -> Answer {
    let push: String = call.argument("push")?;
    let sound = match push.as_str() {
        "gently" => "It does not move.",
        "firmly" => "It groans, but does not move.",
        _ => "Your shoulder hurts, and it does not move.",
    };
    Ok(CallToolResult::error(vec![
        ContentBlock::text(format!("The north door stays shut. {sound}")),
        ContentBlock::text("Ask for oil when the supply boat comes, then try again."),
    ]))
}

async fn call_wrong_number(call: &Call) -> Answer {
    let data = json!({
        "dialled": "0049 1207",
        "reached": "a bakery in North Haven",
        "tries": 2,
        "hint": ["Check the last digit.", "Call again after six."]
    });
    Err(ErrorData::new(
        ErrorCode(call.argument("code")?),
        "Wrong number: this is not the harbour office.",
        Some(data),
    )
    .into())
}

async fn shout_to_engine_room(call: &Call) -> Answer {
    let lines: u32 = call.argument("lines")?;
    for line in 1..=lines {
        eprintln!("engine room: line {line} of {lines}: more steam, please");
    }
    Ok(text(format!("Shouted {lines} lines down the tube.")))
}

async fn blow_fuse(call: &Call) -> Answer {
    let code: u8 = call.argument("code")?;
    let wait = Duration::from_millis(call.argument("after_ms")?);
    call.pause(wait).await?;
    eprintln!("engine room: the dynamo is running hot");
    eprintln!("engine room: 312 volts and rising");
    eprintln!("engine room: fuse blown, lights out (exit code {code})");
    std::process::exit(i32::from(code));
}
