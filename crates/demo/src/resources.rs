//! The documents in the chart drawer, which tools link to or enclose.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, Icon, JsonObject, MetaObject, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role,
};
use serde_json::{Value, json};

use crate::cli::Generated;
use crate::media;
use crate::skills;
use crate::station::Station;

/// The logbook's address.
pub(crate) const LOGBOOK: &str = "lighthouse://gull-rock/logbook";
const APPROACH: &str = "lighthouse://gull-rock/charts/approach";
const TIDES: &str = "lighthouse://gull-rock/charts/tides";
const BAROGRAPH: &str = "lighthouse://gull-rock/barograph";
/// State of the station: the address of its changing parts.
pub(crate) const STATE: &str = "lighthouse://gull-rock/state";
/// The app that shows the ships in sight. Tools name it, so it is in no list (MCP Apps, Resource Discovery).
pub(crate) const SHIPS: &str = "ui://gull-rock/ships";
const FLAG: &str = "lighthouse://gull-rock/flag";
/// All charts: several contents of one reading.
const CHARTS: &str = "lighthouse://gull-rock/charts";
const HORN: &str = "lighthouse://gull-rock/horn";
const LAMP: &str = "lighthouse://gull-rock/lamp.py";
const NOTICE: &str = "lighthouse://gull-rock/notice.pdf";
/// Log entries of one watch: the days are weekdays, the watches `morning` and `evening`.
const WATCH: &str = "lighthouse://gull-rock/watches/{day}/{watch}";
const WATCHES: &str = "lighthouse://gull-rock/watches/";
/// Generated documents, also of the generated templates.
const BUOYS: &str = "lighthouse://gull-rock/buoys/";
const CHAINS: &str = "lighthouse://gull-rock/chains/";

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

const APPROACH_TEXT: &str = "\
# Approach to Gull Rock

Keep the tower on a bearing of **040 degrees** until the bell buoy is abeam.

1. Leave the red buoy to port.
2. Mind the *Teeth*, a reef that dries at low water.
3. Land at the north steps, in daylight only.
";

const TIDES_TEXT: &str = "\
time,height_m,water
00:41,4.2,high
06:58,0.9,low
13:07,4.4,high
19:20,0.7,low
";

const LAMP_TEXT: &str = "\
\"\"\"How the lamp turns.\"\"\"

TURN = 20  # seconds
FLASHES = (0.0, 2.5)  # after the begin of a turn


def is_lit(seconds: float) -> bool:
    \"\"\"Whether a ship sees the light at this moment.\"\"\"
    at = seconds % TURN
    return any(flash <= at < flash + 0.4 for flash in FLASHES)
";

/// Sound of the foghorn, kept because the list states its size each time.
static BLAST: LazyLock<Vec<u8>> = LazyLock::new(|| media::horn(1));

/// Returns the icon of the station, which clients show beside its name.
pub(crate) fn icon() -> Icon {
    let source = format!("data:image/png;base64,{}", STANDARD.encode(flag()));
    let mut icon = Icon::new(source).with_mime_type("image/png");
    icon.sizes = Some(vec!["120x72".to_owned()]);
    icon
}

/// Returns the list entry of the tide table.
pub(crate) fn tide_table() -> Resource {
    Resource::new(TIDES, "tides")
        .with_title("Tide table")
        .with_description("High and low water today.")
        .with_mime_type("text/csv")
        .with_size(TIDES_TEXT.len() as u64)
}

/// Returns all documents, and this many generated documents.
pub(crate) fn list(generated: usize) -> Vec<Resource> {
    let mut list = vec![
        Resource::new(APPROACH, "approach")
            .with_title("Chart of the approach")
            .with_description("How to come near without touching the rock.")
            .with_mime_type("text/markdown")
            .with_size(APPROACH_TEXT.len() as u64)
            .with_annotations(surveyed()),
        tide_table(),
        Resource::new(LOGBOOK, "logbook")
            .with_title("Logbook")
            .with_description(
                "What happened, as the keeper saw it. Whoever is subscribed hears of every new line: \
                 *Write in the logbook* adds one.",
            )
            .with_mime_type("text/markdown"),
        Resource::new(BAROGRAPH, "barograph")
            .with_title("Record of the air pressure")
            .with_description("The air pressure of last night, one number for each minute.")
            .with_mime_type("application/octet-stream")
            .with_size(pressures().len() as u64),
        Resource::new(STATE, "state")
            .with_title("State of the station")
            .with_description(
                "The boathouse and the logbook at this moment. It changes when they do, and whoever is \
                 subscribed hears of it.",
            )
            .with_mime_type("application/json"),
        Resource::new(FLAG, "flag")
            .with_title("Flag of the station")
            .with_description("Blue, white and blue.")
            .with_mime_type("image/png")
            .with_size(flag().len() as u64)
            .with_icons(vec![icon()]),
        Resource::new(CHARTS, "charts")
            .with_title("All charts")
            .with_description("The chart of the approach, the tide table and the flag, in one reading."),
        Resource::new(HORN, "horn")
            .with_title("Sound of the foghorn")
            .with_description("What ships hear in fog.")
            .with_mime_type("audio/wav")
            .with_size(BLAST.len() as u64),
        Resource::new(LAMP, "lamp")
            .with_title("Program of the lamp")
            .with_description("When a ship sees the light.")
            .with_mime_type("text/x-python")
            .with_size(LAMP_TEXT.len() as u64),
        Resource::new(NOTICE, "notice")
            .with_title("Notice to mariners")
            .with_description("A page to be hung up in the harbour.")
            .with_mime_type("application/pdf")
            .with_size(notice().len() as u64),
        skills::resource(),
    ];
    list.extend((1..=generated).map(|number| {
        Resource::new(format!("{BUOYS}{number:05}"), format!("buoy_{number:05}"))
            .with_title(format!("Card of buoy {number}"))
            .with_description(format!("Where buoy {number} lies, and how she is lit."))
            .with_mime_type("text/plain")
    }));
    list
}

/// Returns all templates, and this many generated templates.
pub(crate) fn templates(generated: usize) -> Vec<ResourceTemplate> {
    let mut list = vec![
        ResourceTemplate::new(WATCH, "watch")
            .with_title("Watch of a day")
            .with_description(
                "Who kept watch: `day` is a day of the week, `watch` is `morning` or `evening`.",
            )
            .with_mime_type("application/json"),
    ];
    list.extend((1..=generated).map(|number| {
        let template = format!("{CHAINS}{number:05}/{{link}}");
        ResourceTemplate::new(template, format!("chain_{number:05}"))
            .with_title(format!("Chain of buoy {number}"))
            .with_description("One link of the chain that holds her.")
            .with_mime_type("text/plain")
    }));
    list
}

/// One document.
///
/// # Errors
///
/// Resource not found (2025-11-25 server/resources, Error Handling) for any other address.
pub(crate) fn read(uri: &str, station: &Station) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        APPROACH => approach(),
        TIDES => tides(),
        CHARTS => {
            let flag = blob(FLAG, &flag(), "image/png");
            return Ok(ReadResourceResult::new(vec![approach(), tides(), flag]));
        }
        HORN => blob(uri, &BLAST, "audio/wav"),
        LAMP => ResourceContents::text(LAMP_TEXT, uri).with_mime_type("text/x-python"),
        NOTICE => blob(uri, &notice(), "application/pdf"),
        LOGBOOK => ResourceContents::text(logbook(station), uri).with_mime_type("text/markdown"),
        BAROGRAPH => barograph(),
        STATE => ResourceContents::text(state(station), uri).with_mime_type("application/json"),
        FLAG => blob(uri, &flag(), "image/png"),
        SHIPS => ResourceContents::text(include_str!("ships.html"), uri)
            .with_mime_type("text/html;profile=mcp-app")
            .with_meta(ui(json!({ "prefersBorder": true }))),
        _ => match watch(uri)
            .or_else(|| skills::read(uri))
            .or_else(|| generated(uri, station.generated()))
        {
            Some(contents) => contents,
            None => {
                let message = "There is no resource with this URI.";
                return Err(ErrorData::resource_not_found(
                    message,
                    Some(json!({ "uri": uri })),
                ));
            }
        },
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// Creates the `_meta` of a tool or a document with its facts about an app.
pub(crate) fn ui(says: Value) -> MetaObject {
    MetaObject(JsonObject::from_iter([("ui".to_owned(), says)]))
}

/// Returns the lifetime of a document in a client's cache, in milliseconds: 0 if it can change.
pub(crate) fn ttl(uri: &str) -> u64 {
    match uri {
        LOGBOOK | STATE => 0,
        _ => 60 * 1000,
    }
}

/// Returns the logbook as a Markdown page.
pub(crate) fn logbook(station: &Station) -> String {
    let entries = station.logbook();
    if entries.is_empty() {
        return "# Logbook\n\n*No entries.*\n".into();
    }
    let lines: String = entries.iter().map(|entry| format!("- {entry}\n")).collect();
    format!("# Logbook\n\n{lines}")
}

fn blob(uri: &str, data: &[u8], mime: &str) -> ResourceContents {
    ResourceContents::blob(STANDARD.encode(data), uri).with_mime_type(mime)
}

/// Returns the barograph roll as a binary document.
pub(crate) fn barograph() -> ResourceContents {
    blob(BAROGRAPH, &pressures(), "application/octet-stream")
}

/// Returns the changing parts of the station.
fn state(station: &Station) -> String {
    let boathouse = if station.boathouse_is_open() {
        "open"
    } else {
        "closed"
    };
    json!({ "boathouse": boathouse, "logbook_entries": station.logbook().len() }).to_string()
}

/// Returns a generated document, also of a generated template.
fn generated(uri: &str, generated: Generated) -> Option<ResourceContents> {
    let number = |text: &str, count: usize| {
        let number: usize = text.parse().ok()?;
        ((1..=count).contains(&number) && format!("{number:05}") == text).then_some(number)
    };
    let text = if let Some(buoy) = uri.strip_prefix(BUOYS) {
        let buoy = number(buoy, generated.resources)?;
        format!("Buoy {buoy}: {} flashes a minute.\n", 6 + buoy % 25)
    } else {
        let (buoy, link) = uri.strip_prefix(CHAINS)?.split_once('/')?;
        let buoy = number(buoy, generated.templates)?;
        format!("Link {link} of the chain of buoy {buoy} is sound.\n")
    };
    Some(ResourceContents::text(text, uri).with_mime_type("text/plain"))
}

/// Returns the keeper of the watch of this address.
fn watch(uri: &str) -> Option<ResourceContents> {
    let text = keeper(uri.strip_prefix(WATCHES)?)?;
    Some(ResourceContents::text(text, uri).with_mime_type("application/json"))
}

/// Returns the keeper of the watch of `day/watch`.
fn keeper(path: &str) -> Option<String> {
    const KEEPERS: [&str; 3] = ["Ada", "Grace", "Katherine"];
    let (day, watch) = path.split_once('/')?;
    let place = DAYS.iter().position(|one| *one == day)?;
    let later = match watch {
        "morning" => 0,
        "evening" => 1,
        _ => return None,
    };
    let keeper = KEEPERS[(place + later) % KEEPERS.len()];
    Some(json!({ "day": day, "watch": watch, "keeper": keeper }).to_string())
}

/// Returns the suggestions for a variable of a template.
pub(crate) fn values(template: &str, variable: &str) -> Vec<&'static str> {
    match (template, variable) {
        (WATCH, "day") => DAYS.to_vec(),
        (WATCH, "watch") => vec!["morning", "evening"],
        _ => Vec::new(),
    }
}

/// Returns the chart of the approach.
pub(crate) fn approach() -> ResourceContents {
    ResourceContents::text(APPROACH_TEXT, APPROACH).with_mime_type("text/markdown")
}

fn tides() -> ResourceContents {
    ResourceContents::text(TIDES_TEXT, TIDES).with_mime_type("text/csv")
}

/// Annotations of the chart: audience, priority, date of the survey.
fn surveyed() -> Annotations {
    let mut annotations = Annotations::default()
        .with_audience(vec![Role::User, Role::Assistant])
        .with_priority(0.9);
    annotations.last_modified = Some("2026-05-04T06:00:00Z".to_owned());
    annotations
}

/// Creates a notice to hang up.
fn notice() -> Vec<u8> {
    media::pdf(&[
        "NOTICE TO MARINERS",
        "",
        "The bell buoy off Gull Rock is out of its place.",
        "Keep the tower on a bearing of 040 degrees.",
        "",
        "The keeper",
    ])
}

/// The flag as a PNG.
fn flag() -> Vec<u8> {
    let palette = [[0x1c, 0x4e, 0x8a], [0xff, 0xff, 0xff]];
    media::png(120, 72, &palette, |_, y| u8::from((24..48).contains(&y)))
}

/// Eight hours of pressure in tenths of a hectopascal, two bytes each, big end first.
fn pressures() -> Vec<u8> {
    (0..480_u16)
        .flat_map(|minute| (10_132 - minute / 6 + minute % 7).to_be_bytes())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_watch_of_the_week_can_be_read_and_no_other() {
        assert_eq!(
            keeper("monday/evening").as_deref(),
            Some(r#"{"day":"monday","watch":"evening","keeper":"Grace"}"#)
        );
        for path in [
            "monday",
            "monday/noon",
            "someday/morning",
            "monday/evening/x",
            "",
        ] {
            assert_eq!(keeper(path), None, "{path}");
        }
    }

    #[test]
    fn what_is_generated_can_be_read_and_nothing_else() {
        let counts = Generated {
            resources: 2,
            templates: 2,
            ..Generated::default()
        };
        for resource in list(counts.resources).iter().skip(list(0).len()) {
            assert!(generated(&resource.uri, counts).is_some(), "{resource:?}");
        }
        for template in templates(counts.templates).iter().skip(1) {
            let uri = template.uri_template.replace("{link}", "7");
            assert!(generated(&uri, counts).is_some(), "{uri}");
        }
        for uri in ["00000", "00003", "1", "+0001", ""] {
            assert!(generated(&format!("{BUOYS}{uri}"), counts).is_none());
            assert!(generated(&format!("{CHAINS}{uri}/7"), counts).is_none());
        }
    }
}
