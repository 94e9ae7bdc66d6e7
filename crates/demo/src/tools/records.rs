//! Words and records: plain text, Markdown, a table, and the logbook.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, changes, fields, looks, object, tool};
use crate::call::{Call, refusal, text};
use crate::resources;

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "say_hello",
            "Say hello to the keeper",
            "The keeper greets you by name. Returns **text content**.",
            fields(json!({
                "name": {
                    "type": "string",
                    "title": "Your name",
                    "description": "How the keeper should call you.",
                    "maxLength": 80,
                    "default": "visitor"
                }
            })),
            looks(),
        ),
        tool(
            "daily_report",
            "Read the daily report",
            "What happened on one day, and what is left in store. Returns text in **Markdown** with \
             headings, a list and a table.",
            fields(json!({
                "day": {
                    "type": "string",
                    "title": "Day",
                    "oneOf": [
                        { "const": "monday", "title": "Monday, a clear day" },
                        { "const": "wednesday", "title": "Wednesday, with fog" },
                        { "const": "saturday", "title": "Saturday, with a gale" }
                    ],
                    "default": "monday"
                }
            })),
            looks(),
        ),
        tool(
            "list_ships",
            "List the ships in sight",
            "Every ship in sight, as a table you can sort. Returns **structured content** with an \
             output schema, and has an **app** that shows them.",
            fields(json!({
                "kind": {
                    "type": "string",
                    "title": "Kind of ship",
                    "description": "Leave it out to see ships of all kinds.",
                    "enum": ["cargo", "ferry", "fishing", "sailing"]
                },
                "limit": {
                    "type": "integer",
                    "title": "How many at most",
                    "minimum": 1,
                    "maximum": 500,
                    "default": 12
                }
            })),
            looks(),
        )
        .with_raw_output_schema(object(json!({
            "type": "object",
            "properties": {
                "total": {
                    "type": "integer",
                    "title": "Ships in all",
                    "description": "How many there are, also beyond those in the list."
                },
                "ships": {
                    "type": "array",
                    "title": "Ships",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": { "type": "string", "title": "Name" },
                            "kind": {
                                "type": "string",
                                "title": "Kind of ship",
                                "enum": ["cargo", "ferry", "fishing", "sailing"]
                            },
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
                            "miles": {
                                "type": "number",
                                "title": "Distance",
                                "description": "In nautical miles."
                            },
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
                        },
                        "required": ["name", "kind", "flag", "bearing", "miles", "lights", "bound"]
                    }
                }
            },
            "required": ["total", "ships"]
        })))
        .with_meta(resources::ui(json!({ "resourceUri": resources::SHIPS }))),
        tool(
            "measure_waves",
            "Measure the waves",
            "How high the waves are and how strong the wind is, hour by hour. Returns a **series of \
             numbers** as structured content, good for a chart.",
            fields(json!({
                "hours": {
                    "type": "integer",
                    "title": "How many hours",
                    "minimum": 2,
                    "maximum": 168,
                    "default": 24
                }
            })),
            looks(),
        )
        .with_raw_output_schema(object(json!({
            "type": "object",
            "properties": {
                "readings": {
                    "type": "array",
                    "title": "Readings",
                    "items": {
                        "type": "object",
                        "properties": {
                            "hour": { "type": "integer", "title": "Hour" },
                            "waves": { "type": "number", "title": "Waves in metres" },
                            "wind": { "type": "number", "title": "Wind in knots" }
                        },
                        "required": ["hour", "waves", "wind"]
                    }
                }
            },
            "required": ["readings"]
        }))),
        tool(
            "read_logbook",
            "Read the logbook",
            "What the keeper has written down. Returns an **embedded resource**.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "write_logbook",
            "Write in the logbook",
            "Adds one line to the logbook. *Read the logbook* shows it. Whoever is subscribed to it gets \
             **`notifications/resources/updated`**.",
            json!({
                "type": "object",
                "properties": {
                    "entry": {
                        "type": "string",
                        "title": "What happened",
                        "description": "One line, as it will stand in the logbook.",
                        "minLength": 1,
                        "maxLength": 400
                    }
                },
                "required": ["entry"],
                "additionalProperties": false
            }),
            changes(),
        ),
        tool(
            "clear_logbook",
            "Clear the logbook",
            "Deletes everything that is written in the logbook. Annotated as **destructive**.",
            fields(json!({})),
            changes().destructive(true).idempotent(true),
        ),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    #[serde(default = "visitor")]
    name: String,
}

fn visitor() -> String {
    "visitor".into()
}

pub(super) fn say_hello(call: &Call) -> Answer {
    let Hello { name } = call.arguments()?;
    Ok(text(format!(
        "Good evening, {name}. Mind the stairs: there are 142 of them."
    )))
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Day {
    #[default]
    Monday,
    Wednesday,
    Saturday,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    #[serde(default)]
    day: Day,
}

pub(super) fn daily_report(call: &Call) -> Answer {
    let Report { day } = call.arguments()?;
    let (day, sky, oil, note) = match day {
        Day::Monday => (
            "Monday",
            "clear, light breeze",
            "212",
            "The lens was cleaned.",
        ),
        Day::Wednesday => (
            "Wednesday",
            "fog until noon",
            "198",
            "The horn sounded for *five hours*.",
        ),
        Day::Saturday => (
            "Saturday",
            "gale from the west",
            "181",
            "A window of the gallery **broke**.",
        ),
    };
    Ok(text(format!(
        "# Gull Rock, {day}\n\n\
         The day was **{sky}**. {note}\n\n\
         ## Stores\n\n\
         | Item | In stock | Enough for |\n\
         |------|---------:|------------|\n\
         | Lamp oil | {oil} l | 3 weeks |\n\
         | Tea | 4 kg | 2 months |\n\
         | Matches | 61 boxes | a year |\n\n\
         ## To do\n\n\
         - [x] Wind the clockwork\n\
         - [ ] Paint the north door\n\
         - [ ] Answer the letter from the *Lights Board*\n\n\
         > Keep the light, and the light keeps you.\n\n\
         ```text\n\
         flash 0.4 s, dark 4.6 s, repeat\n\
         ```\n"
    )))
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Cargo,
    Ferry,
    Fishing,
    Sailing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ships {
    kind: Option<Kind>,
    #[serde(default = "dozen")]
    limit: usize,
}

fn dozen() -> usize {
    12
}

pub(super) fn list_ships(call: &Call) -> Answer {
    let Ships { kind, limit } = call.arguments()?;
    let fitting: Vec<Value> = (0..60)
        .map(ship)
        .filter(|(its_kind, _)| kind.is_none_or(|kind| kind == *its_kind))
        .map(|(_, row)| row)
        .collect();
    let shown = json!({
        "total": fitting.len(),
        "ships": fitting.into_iter().take(limit).collect::<Vec<_>>()
    });
    // Clients that do not read structured content get the same as text (2025-11-25 server/tools,
    // Structured Content).
    Ok(CallToolResult::structured(shown))
}

fn ship(number: usize) -> (Kind, Value) {
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
    const KINDS: [(Kind, &str); 4] = [
        (Kind::Fishing, "fishing"),
        (Kind::Cargo, "cargo"),
        (Kind::Sailing, "sailing"),
        (Kind::Ferry, "ferry"),
    ];
    let name = match number / NAMES.len() {
        0 => NAMES[number].to_owned(),
        round => format!("{} {}", NAMES[number % NAMES.len()], round + 1),
    };
    let (kind, kind_name) = KINDS[number % KINDS.len()];
    let tenths = 8 + (number * 37) % 115;
    let row = json!({
        "name": name,
        "kind": kind_name,
        "flag": FLAGS[number % FLAGS.len()],
        "bearing": (number * 53) % 360,
        "miles": tenths as f64 / 10.0,
        "lights": number % 3 != 2,
        "bound": BOUND[number % BOUND.len()]
    });
    (kind, row)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Waves {
    #[serde(default = "day")]
    hours: u32,
}

fn day() -> u32 {
    24
}

pub(super) fn measure_waves(call: &Call) -> Answer {
    let Waves { hours } = call.arguments()?;
    if !(2..=168).contains(&hours) {
        return Err(refusal("Between 2 and 168 hours can be measured."));
    }
    let readings: Vec<Value> = (0..hours).map(reading).collect();
    Ok(CallToolResult::structured(json!({ "readings": readings })))
}

/// A storm that comes and goes in three days; the waves follow the wind some hours later.
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

pub(super) fn read_logbook(call: &Call) -> Answer {
    let page = ResourceContents::text(resources::logbook(call.station()), resources::LOGBOOK)
        .with_mime_type("text/markdown");
    Ok(CallToolResult::success(vec![ContentBlock::resource(page)]))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    entry: String,
}

pub(super) fn write_logbook(call: &Call) -> Answer {
    let Entry { entry } = call.arguments()?;
    if entry.is_empty() || entry.chars().count() > 400 {
        return Err(refusal("An entry has between 1 and 400 characters."));
    }
    let count = call.station().write_down(entry);
    Ok(text(format!(
        "Written down. The logbook has {count} entries now."
    )))
}

pub(super) fn clear_logbook(call: &Call) -> Answer {
    let count = call.station().wipe();
    Ok(text(format!(
        "The logbook is empty; {count} entries are gone."
    )))
}
