//! Documents that clients read, and that tools link to or embed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, Icon, JsonObject, MetaObject, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role,
};
use serde_json::{Value, json};

use crate::state::State;
use crate::{media, skills};

pub(crate) const LOGBOOK: &str = "lighthouse://gull-rock/logbook";
/// State of the station: the address of its changing parts.
pub(crate) const STATE: &str = "lighthouse://gull-rock/state";
/// The app that shows the ships in sight. Tools name it, so it is in no list (MCP Apps, Resource Discovery).
pub(crate) const SHIPS: &str = "ui://gull-rock/ships";
/// Log entries of one watch.
const WATCH: &str = "lighthouse://gull-rock/watches/{day}/{watch}";
/// Prefix of the addresses of watches.
const WATCHES: &str = "lighthouse://gull-rock/watches/";
/// Prefix of the addresses of generated documents.
const BUOYS: &str = "lighthouse://gull-rock/buoys/";

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const SHIFTS: [&str; 2] = ["morning", "evening"];

/// A document of the list.
pub(crate) struct Document {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
    body: Body,
}

enum Body {
    Text(&'static str),
    Bytes(fn() -> Vec<u8>),
    /// Generated from the current state.
    Current(fn(&State) -> String),
}

pub(crate) const APPROACH: Document = Document {
    uri: "lighthouse://gull-rock/charts/approach",
    name: "approach",
    title: "Chart of the approach",
    description: "How to come near without touching the rock.",
    mime: "text/markdown",
    body: Body::Text(include_str!("../assets/approach.md")),
};

const TIDES: Document = Document {
    uri: "lighthouse://gull-rock/charts/tides",
    name: "tides",
    title: "Tide table",
    description: "High and low water today.",
    mime: "text/csv",
    body: Body::Text(include_str!("../assets/tides.csv")),
};

pub(crate) const LOGBOOK_PAGE: Document = Document {
    uri: LOGBOOK,
    name: "logbook",
    title: "Logbook",
    description: "What happened, as the keeper saw it. Whoever is subscribed hears of every new line: \
                  *Write in the logbook* adds one.",
    mime: "text/markdown",
    body: Body::Current(logbook_text),
};

pub(crate) const BAROGRAPH: Document = Document {
    uri: "lighthouse://gull-rock/barograph",
    name: "barograph",
    title: "Record of the air pressure",
    description: "The air pressure of last night, one number for each minute.",
    mime: "application/octet-stream",
    body: Body::Bytes(pressures),
};

const STATE_PAGE: Document = Document {
    uri: STATE,
    name: "state",
    title: "State of the station",
    description: "The boathouse and the logbook at this moment. It changes when they do, and whoever is \
                  subscribed hears of it.",
    mime: "application/json",
    body: Body::Current(state_text),
};

const FLAG: Document = Document {
    uri: "lighthouse://gull-rock/flag",
    name: "flag",
    title: "Flag of the station",
    description: "Blue, white and blue.",
    mime: "image/png",
    body: Body::Bytes(flag),
};

const HORN: Document = Document {
    uri: "lighthouse://gull-rock/horn",
    name: "horn",
    title: "Sound of the foghorn",
    description: "What ships hear in fog.",
    mime: "audio/wav",
    body: Body::Bytes(|| media::horn(1)),
};

const LAMP: Document = Document {
    uri: "lighthouse://gull-rock/lamp.py",
    name: "lamp",
    title: "Program of the lamp",
    description: "When a ship sees the light.",
    mime: "text/x-python",
    body: Body::Text(include_str!("../assets/lamp.py")),
};

const NOTICE: Document = Document {
    uri: "lighthouse://gull-rock/notice.pdf",
    name: "notice",
    title: "Notice to mariners",
    description: "A page to be hung up in the harbour.",
    mime: "application/pdf",
    body: Body::Bytes(|| include_bytes!("../assets/notice.pdf").to_vec()),
};

/// All documents with one content.
const DOCUMENTS: [Document; 9] = [
    APPROACH,
    TIDES,
    LOGBOOK_PAGE,
    BAROGRAPH,
    STATE_PAGE,
    FLAG,
    HORN,
    LAMP,
    NOTICE,
];
/// Address of all charts: several contents of one reading.
const CHARTS: &str = "lighthouse://gull-rock/charts";

impl Document {
    fn entry(&self) -> Resource {
        let entry = Resource::new(self.uri, self.name)
            .with_title(self.title)
            .with_description(self.description)
            .with_mime_type(self.mime);
        match self.body {
            Body::Text(text) => entry.with_size(text.len() as u64),
            Body::Bytes(bytes) => entry.with_size(bytes().len() as u64),
            Body::Current(_) => entry,
        }
    }

    pub(crate) fn contents(&self, state: &State) -> ResourceContents {
        match self.body {
            Body::Text(text) => ResourceContents::text(text, self.uri),
            Body::Bytes(bytes) => ResourceContents::blob(STANDARD.encode(bytes()), self.uri),
            Body::Current(text) => ResourceContents::text(text(state), self.uri),
        }
        .with_mime_type(self.mime)
    }
}

/// Returns the icon of the station, which clients show beside its name.
pub(crate) fn icon() -> Icon {
    let source = format!("data:image/png;base64,{}", STANDARD.encode(flag()));
    let mut icon = Icon::new(source).with_mime_type("image/png");
    icon.sizes = Some(vec!["120x72".to_owned()]);
    icon
}

/// Returns the list entry of the tide table.
pub(crate) fn tide_table() -> Resource {
    TIDES.entry()
}

/// Returns the list entry of the chart of the approach, with its audience, its priority and the date of its survey.
pub(crate) fn chart_of_the_approach() -> Resource {
    let mut annotations = Annotations::default()
        .with_audience(vec![Role::User, Role::Assistant])
        .with_priority(0.9);
    annotations.last_modified = Some("2026-05-04T06:00:00Z".to_owned());
    APPROACH.entry().with_annotations(annotations)
}

/// Returns all documents, and this many generated ones.
pub(crate) fn list(generated: usize) -> Vec<Resource> {
    let mut list: Vec<Resource> = DOCUMENTS.iter().map(Document::entry).collect();
    list[0] = chart_of_the_approach();
    for flag in list.iter_mut().filter(|document| document.uri == FLAG.uri) {
        flag.icons = Some(vec![icon()]);
    }
    let charts = "The chart of the approach, the tide table and the flag, in one reading.";
    list.push(
        Resource::new(CHARTS, "charts")
            .with_title("All charts")
            .with_description(charts),
    );
    list.push(skills::resource());
    list.extend((1..=generated).map(|number| {
        Resource::new(format!("{BUOYS}{number:05}"), format!("buoy_{number:05}"))
            .with_title(format!("Card of buoy {number}"))
            .with_description(format!("Where buoy {number} lies, and how she is lit."))
            .with_mime_type("text/plain")
    }));
    list
}

/// Returns all templates.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let watch = "Who kept watch: `day` is a day of the week, `watch` is `morning` or `evening`.";
    vec![
        ResourceTemplate::new(WATCH, "watch")
            .with_title("Watch of a day")
            .with_description(watch)
            .with_mime_type("application/json"),
    ]
}

/// Returns the contents of a document.
///
/// # Errors
///
/// Resource not found (2025-11-25 server/resources, Error Handling) for any other address.
pub(crate) fn read(uri: &str, state: &State) -> Result<ReadResourceResult, ErrorData> {
    if uri == CHARTS {
        let charts = [APPROACH, TIDES, FLAG].map(|chart| chart.contents(state));
        return Ok(ReadResourceResult::new(charts.to_vec()));
    }
    let document = DOCUMENTS.iter().find(|document| document.uri == uri);
    document
        .map(|document| document.contents(state))
        .or_else(|| (uri == SHIPS).then(ships_app))
        .or_else(|| watch(uri))
        .or_else(|| skills::read(uri))
        .or_else(|| generated(uri, state.generated().resources))
        .map(|contents| ReadResourceResult::new(vec![contents]))
        .ok_or_else(|| {
            let data = json!({ "uri": uri });
            ErrorData::resource_not_found("There is no resource with this URI.", Some(data))
        })
}

/// Creates the `_meta` of a tool or a document with facts about its app.
pub(crate) fn ui(facts: Value) -> MetaObject {
    MetaObject(JsonObject::from_iter([("ui".to_owned(), facts)]))
}

/// Returns the lifetime of a document in a client's cache, in milliseconds: 0 if it can change.
pub(crate) fn ttl(uri: &str) -> u64 {
    match uri {
        LOGBOOK | STATE => 0,
        _ => 60 * 1000,
    }
}

fn ships_app() -> ResourceContents {
    ResourceContents::text(include_str!("../assets/ships.html"), SHIPS)
        .with_mime_type("text/html;profile=mcp-app")
        .with_meta(ui(json!({ "prefersBorder": true })))
}

fn logbook_text(state: &State) -> String {
    let entries = state.logbook();
    let lines: String = entries.iter().map(|entry| format!("- {entry}\n")).collect();
    format!("# Logbook\n\n{lines}")
}

/// Returns the changing parts of the station.
fn state_text(state: &State) -> String {
    let boathouse = if state.boathouse_is_open() {
        "open"
    } else {
        "closed"
    };
    json!({ "boathouse": boathouse, "logbook_entries": state.logbook().len() }).to_string()
}

fn generated(uri: &str, count: usize) -> Option<ResourceContents> {
    let number = numbered(uri, BUOYS, count)?;
    let text = format!("Buoy {number}: {} flashes a minute.\n", 6 + number % 25);
    Some(ResourceContents::text(text, uri).with_mime_type("text/plain"))
}

/// Returns the number of a generated item if its name has the prefix and the number is below `count`.
pub(crate) fn numbered(name: &str, prefix: &str, count: usize) -> Option<usize> {
    let number = name.strip_prefix(prefix)?.parse().ok()?;
    ((1..=count).contains(&number) && format!("{prefix}{number:05}") == name).then_some(number)
}

/// Returns the keeper of the watch with this address.
fn watch(uri: &str) -> Option<ResourceContents> {
    const KEEPERS: [&str; 3] = ["Ada", "Grace", "Katherine"];
    let (day, shift) = uri.strip_prefix(WATCHES)?.split_once('/')?;
    let number = DAYS.iter().position(|name| *name == day)?
        + SHIFTS.iter().position(|name| *name == shift)?;
    let keeper = KEEPERS[number % KEEPERS.len()];
    let text = json!({ "day": day, "watch": shift, "keeper": keeper }).to_string();
    Some(ResourceContents::text(text, uri).with_mime_type("application/json"))
}

/// Returns the suggestions for a variable of a template.
pub(crate) fn values(template: &str, variable: &str) -> Vec<&'static str> {
    match (template, variable) {
        (WATCH, "day") => DAYS.to_vec(),
        (WATCH, "watch") => SHIFTS.to_vec(),
        _ => Vec::new(),
    }
}

fn flag() -> Vec<u8> {
    let palette = [[0x1c, 0x4e, 0x8a], [0xff, 0xff, 0xff]];
    media::png(120, 72, &palette, |_, y| u8::from((24..48).contains(&y)))
}

/// Eight hours of pressure in tenths of a hectopascal, two bytes each, big-endian.
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
        let read = |path: &str| watch(&format!("{WATCHES}{path}"));
        let contents = serde_json::to_value(read("monday/evening")).unwrap();
        let keeper = r#"{"day":"monday","watch":"evening","keeper":"Grace"}"#;
        assert_eq!(contents["text"], keeper);
        for path in [
            "monday",
            "monday/noon",
            "someday/morning",
            "monday/evening/x",
            "",
        ] {
            assert!(read(path).is_none(), "{path}");
        }
    }

    #[test]
    fn generated_documents_can_be_read_and_no_other() {
        for resource in list(2).iter().skip(list(0).len()) {
            assert!(generated(&resource.uri, 2).is_some(), "{resource:?}");
        }
        for number in ["00000", "00003", "1", "+0001", ""] {
            assert!(generated(&format!("{BUOYS}{number}"), 2).is_none());
        }
    }
}
