//! Tools for measuring: the fastest answer, very large answers, very many messages.
// Log messages are deprecated from 2026-07-28 on; the revisions before it still use them.
#![expect(deprecated)]

use rmcp::model::{CallToolResult, ContentBlock, LoggingLevel, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, fields, looks, object, tool};
use crate::call::{Call, failure, refusal, text};

/// The longest almanac, in bytes.
const MAX_BYTES: usize = 50 * 1024 * 1024;
/// The largest catalogue, in JSON values.
const MAX_NODES: usize = 2_000_000;
/// The smallest one: the outer object, its count and the two lists.
const MIN_NODES: usize = 4;
/// The most messages of one kind in a storm.
const MAX_MESSAGES: u32 = 50_000;

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "echo",
            "Load: echo",
            "Returns the same text as fast as it can.",
            fields(json!({
                "message": { "type": "string", "title": "Message", "default": "Ahoy!" }
            })),
            looks(),
        ),
        tool(
            "print_almanac",
            "Load: print the almanac",
            "Returns a very long text of **exactly** the size you ask for.",
            fields(json!({
                "bytes": {
                    "type": "integer",
                    "title": "Size in bytes",
                    "description": "Up to 50 MiB.",
                    "minimum": 0,
                    "maximum": MAX_BYTES,
                    "default": 1_000_000
                }
            })),
            looks(),
        ),
        tool(
            "export_star_catalogue",
            "Load: export the star catalogue",
            "Returns very large **structured content**, with exactly as many JSON values as you \
             ask for.",
            fields(json!({
                "nodes": {
                    "type": "integer",
                    "title": "JSON values",
                    "minimum": MIN_NODES,
                    "maximum": MAX_NODES,
                    "default": 10_000
                }
            })),
            looks(),
        )
        .with_raw_output_schema(object(json!({
            "type": "object",
            "properties": {
                "nodes": { "type": "integer" },
                "stars": { "type": "array", "items": { "type": "object" } },
                "faint": { "type": "array", "items": { "type": "integer" } }
            },
            "required": ["nodes", "stars", "faint"]
        }))),
        tool(
            "ride_out_storm",
            "Load: ride out a storm",
            "Sends **progress notifications and log messages** as fast as it can, without \
             skipping any.",
            fields(json!({
                "progress": messages("Progress reports"),
                "logs": messages("Log messages")
            })),
            looks(),
        ),
    ]
}

fn messages(title: &str) -> Value {
    json!({
        "type": "integer",
        "title": title,
        "minimum": 0,
        "maximum": MAX_MESSAGES,
        "default": 1_000
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Echo {
    #[serde(default = "ahoy")]
    message: String,
}

fn ahoy() -> String {
    "Ahoy!".into()
}

pub(super) fn echo(call: &Call) -> Answer {
    let Echo { message } = call.arguments()?;
    Ok(text(message))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Almanac {
    #[serde(default = "a_million")]
    bytes: usize,
}

fn a_million() -> usize {
    1_000_000
}

pub(super) fn print_almanac(call: &Call) -> Answer {
    let Almanac { bytes } = call.arguments()?;
    if bytes > MAX_BYTES {
        return Err(refusal(format!(
            "The almanac has at most {MAX_BYTES} bytes."
        )));
    }
    Ok(text(almanac(bytes)))
}

/// Numbered lines, cut to the length; all of it ASCII, so that bytes are characters.
fn almanac(bytes: usize) -> String {
    let mut pages = String::with_capacity(bytes + 128);
    let mut day = 0_u32;
    while pages.len() < bytes {
        day += 1;
        let (hour, minute) = (day * 7 % 24, day * 13 % 60);
        let line = format!(
            "Day {day}: sunset {hour:02}:{minute:02}, high water {:02}:{:02}, lamp lit at dusk.\n",
            (hour + 5) % 24,
            (minute + 29) % 60
        );
        pages.push_str(&line);
    }
    pages.truncate(bytes);
    pages
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    #[serde(default = "ten_thousand")]
    nodes: usize,
}

fn ten_thousand() -> usize {
    10_000
}

pub(super) fn export_star_catalogue(call: &Call) -> Answer {
    let Catalogue { nodes } = call.arguments()?;
    if !(MIN_NODES..=MAX_NODES).contains(&nodes) {
        return Err(refusal(format!(
            "Between {MIN_NODES} and {MAX_NODES} values are possible."
        )));
    }
    // The text stays short: repeating a large result as text would double it.
    let note = format!("A catalogue of {nodes} JSON values is in the structured content.");
    let mut result = CallToolResult::success(vec![ContentBlock::text(note)]);
    result.structured_content = Some(catalogue(nodes));
    Ok(result)
}

/// An object of exactly `nodes` JSON values, itself included. A star takes ten of them.
fn catalogue(nodes: usize) -> Value {
    let rest = nodes - MIN_NODES;
    let stars: Vec<Value> = (0..rest / 10).map(star).collect();
    let faint: Vec<usize> = (0..rest % 10).collect();
    json!({ "nodes": nodes, "stars": stars, "faint": faint })
}

fn star(number: usize) -> Value {
    const COLOURS: [&str; 5] = ["blue", "white", "yellow", "orange", "red"];
    json!({
        "id": number,
        "name": format!("GR {number:07}"),
        "colour": COLOURS[number % COLOURS.len()],
        "magnitude": (number % 650) as f64 / 100.0,
        "seen": number % 4 != 3,
        "position": [number * 37 % 360, number * 53 % 181],
        "notes": Value::Null
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Storm {
    progress: u32,
    logs: u32,
}

impl Default for Storm {
    fn default() -> Self {
        Self {
            progress: 1_000,
            logs: 1_000,
        }
    }
}

pub(super) async fn ride_out_storm(call: &Call) -> Answer {
    let Storm { progress, logs } = call.arguments()?;
    if progress.max(logs) > MAX_MESSAGES {
        return Err(refusal(format!(
            "At most {MAX_MESSAGES} messages of a kind are possible."
        )));
    }
    let total = Some(f64::from(progress));
    for wave in 1..=progress.max(logs) {
        if wave <= progress {
            call.progress(f64::from(wave), total, Some(format!("Wave {wave}")))
                .await;
        }
        if wave <= logs {
            call.log(LoggingLevel::Info, format!("Gust {wave} of {logs}"))
                .await;
        }
        if wave % 100 == 0 && call.check().await.is_err() {
            return Ok(failure(format!(
                "The storm was called off after {wave} waves."
            )));
        }
    }
    let reported = if call.wants_progress() { progress } else { 0 };
    Ok(text(format!(
        "The storm is over: {reported} progress reports and {logs} log messages."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(value: &Value) -> usize {
        1 + match value {
            Value::Array(items) => items.iter().map(count).sum(),
            Value::Object(members) => members.values().map(count).sum(),
            _ => 0,
        }
    }

    #[test]
    fn a_catalogue_has_exactly_the_values_asked_for() {
        for nodes in [4, 5, 13, 14, 15, 1_000, 12_347] {
            assert_eq!(count(&catalogue(nodes)), nodes);
        }
    }

    #[test]
    fn an_almanac_has_exactly_the_bytes_asked_for() {
        for bytes in [0, 1, 70, 100_000] {
            assert_eq!(almanac(bytes).len(), bytes);
        }
    }
}
