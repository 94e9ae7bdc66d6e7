//! Structured content with an output schema: a table, and a series of numbers.

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::fields::{integer, titled_choice};
use super::{DemoTool, output};
use crate::call::{Answer, Call};
use crate::resources;

/// Kinds of ships, with their titles.
const KINDS: [(&str, &str); 4] = [
    ("cargo", "Cargo"),
    ("ferry", "Ferry"),
    ("fishing", "Fishing"),
    ("sailing", "Sailing"),
];

pub(super) fn tools() -> Vec<DemoTool> {
    vec![
        DemoTool::reading(
            "list_ships",
            "List the ships in sight",
            "Every ship in sight, as a table you can sort. Returns **structured content** with an \
             output schema, and has an **app** that shows them.",
            [
                titled_choice("kind", "Kind of ship", &KINDS)
                    .described("Leave it out to see ships of all kinds."),
                integer("limit", "How many at most", 1..=500, 12),
            ],
            |call| Box::pin(list_ships(call)),
        )
        .with_output(output(json!({
            "total": {
                "type": "integer",
                "title": "Ships in all",
                "description": "How many there are, also beyond those in the list."
            },
            "ships": { "type": "array", "title": "Ships", "items": output(ship_properties()) }
        })))
        .with_meta(resources::ui(json!({ "resourceUri": resources::SHIPS }))),
        DemoTool::reading(
            "measure_waves",
            "Measure the waves",
            "How high the waves are and how strong the wind is, hour by hour. Returns a **series of \
             numbers** as structured content, good for a chart.",
            [integer("hours", "How many hours", 2..=168, 24)],
            |call| Box::pin(measure_waves(call)),
        )
        .with_output(output(json!({
            "readings": {
                "type": "array",
                "title": "Readings",
                "items": output(json!({
                    "hour": { "type": "integer", "title": "Hour" },
                    "waves": { "type": "number", "title": "Waves in metres" },
                    "wind": { "type": "number", "title": "Wind in knots" }
                }))
            }
        }))),
    ]
}

fn ship_properties() -> Value {
    json!({
        "name": { "type": "string", "title": "Name" },
        "kind": { "type": "string", "title": "Kind of ship", "enum": KINDS.map(|(kind, _)| kind) },
        "flag": {
            "type": "string",
            "title": "Flag",
            "description": "The country in which the ship is registered."
        },
        "bearing": {
            "type": "integer",
            "title": "Direction",
            "description": "In degrees, clockwise from north."
        },
        "miles": { "type": "number", "title": "Distance", "description": "In nautical miles." },
        "lights": {
            "type": "boolean",
            "title": "Lights on",
            "description": "Whether the ship shows its lights."
        },
        "bound": {
            "type": ["string", "null"],
            "title": "Going to",
            "description": "The harbour that the ship is bound for, if known."
        }
    })
}

async fn list_ships(call: &Call) -> Answer {
    let kind: Option<String> = call.argument("kind")?;
    let limit: usize = call.argument("limit")?;
    let fitting: Vec<Value> = (0..60)
        .map(ship)
        .filter(|ship| kind.as_ref().is_none_or(|kind| ship["kind"] == **kind))
        .collect();
    // Clients that do not read structured content get the same data as text (2025-11-25 server/tools, Structured
    // Content).
    Ok(CallToolResult::structured(json!({
        "total": fitting.len(),
        "ships": fitting.into_iter().take(limit).collect::<Vec<_>>()
    })))
}

fn ship(number: usize) -> Value {
    const NAMES: [&str; 15] = [
        "Kittiwake",
        "Northern Star",
        "Mary Ellen",
        "Albatros",
        "Sea Holly",
        "Windrose",
        "Old Tom",
        "Halcyon",
        "Borealis",
        "Petrel",
        "Silver Spray",
        "Fair Isle",
        "Marigold",
        "Tern",
        "Argo",
    ];
    const FLAGS: [&str; 7] = [
        "Norway", "Ireland", "Denmark", "Portugal", "Iceland", "France", "Estonia",
    ];
    const BOUND: [Option<&str>; 5] = [
        Some("Bergen"),
        Some("Cork"),
        None,
        Some("Reykjavik"),
        Some("Tallinn"),
    ];
    const ROTATION: [&str; 4] = ["fishing", "cargo", "sailing", "ferry"];
    let name = match number / NAMES.len() {
        0 => NAMES[number].to_owned(),
        round => format!("{} {}", NAMES[number % NAMES.len()], round + 1),
    };
    let tenths = 8 + (number * 37) % 115;
    json!({
        "name": name,
        "kind": ROTATION[number % ROTATION.len()],
        "flag": FLAGS[number % FLAGS.len()],
        "bearing": (number * 53) % 360,
        "miles": tenths as f64 / 10.0,
        "lights": number % 3 != 2,
        "bound": BOUND[number % BOUND.len()]
    })
}

async fn measure_waves(call: &Call) -> Answer {
    let hours: u32 = call.argument("hours")?;
    let readings: Vec<Value> = (0..hours).map(reading).collect();
    Ok(CallToolResult::structured(json!({ "readings": readings })))
}

/// Returns the weather of an hour in a storm that comes and goes in three days; the waves follow the wind some hours
/// later.
fn reading(hour: u32) -> Value {
    let swell = |hour: f64| (hour * std::f64::consts::TAU / 72.0).sin();
    let ripple = f64::from(hour * 37 % 10) / 10.0;
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let hours = f64::from(hour);
    json!({
        "hour": hour,
        "waves": tenth(2.1 + 1.4 * swell(hours - 6.0) + ripple * 0.3),
        "wind": tenth(18.0 + 12.0 * swell(hours) + ripple * 4.0)
    })
}
