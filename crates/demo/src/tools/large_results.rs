//! Results for measurements: the fastest one, and very large ones.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::fields::{integer, string};
use super::{DemoTool, output};
use crate::call::{Answer, Call, text};

/// JSON values of the smallest catalogue: the outer object, its count and the two lists.
const MIN_NODES: usize = 4;

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "echo",
            "Load: echo",
            "Returns the same text as fast as it can.",
            [string("message", "Message").with("default", "Ahoy!".into())],
            |call| Box::pin(echo(call)),
        ),
        DemoTool::reading(
            "print_almanac",
            "Load: print the almanac",
            "Returns a very long text of **exactly** the size you ask for.",
            [
                integer("bytes", "Size in bytes", 0..=50 * 1024 * 1024, 1_000_000)
                    .described("Up to 50 MiB."),
            ],
            |call| Box::pin(print_almanac(call)),
        ),
        DemoTool::reading(
            "export_star_catalogue",
            "Load: export the star catalogue",
            "Returns very large **structured content**, with exactly as many JSON values as you \
             ask for.",
            [integer(
                "nodes",
                "JSON values",
                MIN_NODES as i64..=2_000_000,
                10_000,
            )],
            |call| Box::pin(export_star_catalogue(call)),
        )
        .with_output(output(json!({
            "nodes": { "type": "integer" },
            "stars": { "type": "array", "items": { "type": "object" } },
            "faint": { "type": "array", "items": { "type": "integer" } }
        }))),
    ]
}

async fn echo(call: &Call) -> Answer {
    let message: String = call.argument("message")?;
    Ok(text(message))
}

async fn print_almanac(call: &Call) -> Answer {
    Ok(text(almanac(call.argument("bytes")?)))
}

/// Returns numbered lines, cut to the length; all ASCII, so that bytes are characters.
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

async fn export_star_catalogue(call: &Call) -> Answer {
    let nodes: usize = call.argument("nodes")?;
    // The text is short: repeating a large result as text would double it.
    let note = format!("A catalogue of {nodes} JSON values is in the structured content.");
    let mut result = CallToolResult::success(vec![ContentBlock::text(note)]);
    result.structured_content = Some(catalogue(nodes));
    Ok(result)
}

/// Creates an object of exactly `nodes` JSON values, itself included. A star takes ten of them.
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
