//! The lighthouse's tools, by theme, in the order in which a visitor meets them.

mod boathouse;
mod buoys;
mod load;
mod pilot;
mod records;
mod shore;
mod trouble;
mod views;
mod voyage;
mod watch;
mod wreck;

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, ErrorCode, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::call::{Call, Refusal, failure};
use crate::station::Station;

/// Returns all tools that exist at this moment.
pub(crate) fn definitions(station: &Station) -> Vec<Tool> {
    let mut tools = records::definitions();
    tools.extend(views::definitions());
    tools.extend(watch::definitions());
    tools.extend(wreck::definitions());
    tools.extend(pilot::definitions());
    tools.extend(shore::definitions());
    tools.extend(boathouse::definitions(station));
    tools.extend(voyage::definitions());
    tools.extend(trouble::definitions());
    tools.extend(load::definitions());
    tools.extend(buoys::definitions(station.generated().tools));
    tools
}

/// Runs the tool called `name`.
///
/// # Errors
///
/// Unknown tools are a protocol error (2025-11-25 server/tools, Error Handling), and so is
/// any error that a tool reports as such on purpose.
pub(crate) async fn run(name: &str, call: &Call) -> Result<CallToolResponse, ErrorData> {
    let result = match name {
        "say_hello" => records::say_hello(call),
        "daily_report" => records::daily_report(call),
        "list_ships" => records::list_ships(call),
        "measure_waves" => records::measure_waves(call),
        "read_logbook" => records::read_logbook(call),
        "write_logbook" => records::write_logbook(call),
        "clear_logbook" => records::clear_logbook(call),
        "paint_view" => views::paint_view(call),
        "sound_foghorn" => views::sound_foghorn(call),
        "find_charts" => views::find_charts(call),
        "fetch_barograph" => views::fetch_barograph(call),
        "morning_round" => views::morning_round(call),
        "climb_tower" => watch::climb_tower(call).await,
        "scan_horizon" => watch::scan_horizon(call).await,
        "listen_to_radio" => watch::listen_to_radio(call).await,
        "polish_lens" => watch::polish_lens(call).await,
        "salvage_wreck" => return Ok(wreck::salvage(call).await),
        "survey_reef" => return Ok(wreck::survey(call).await),
        "hail_pilot" => return Ok(pilot::hail(call).await),
        "visit_office" => return Ok(shore::visit(call).await),
        "list_folders" => return Ok(shore::folders(call).await),
        "compose_verse" => return Ok(shore::verse(call).await),
        "telegraph_harbour" => shore::telegraph(call),
        "boathouse_doors" => boathouse::doors(call),
        "launch_boat" if call.station().boathouse_is_open() => boathouse::launch(call),
        "plan_voyage" => voyage::plan(call),
        "open_rusty_door" => trouble::open_rusty_door(call),
        "call_wrong_number" => {
            return trouble::call_wrong_number(call).map(CallToolResponse::from);
        }
        "shout_to_engine_room" => trouble::shout_to_engine_room(call),
        "blow_fuse" => trouble::blow_fuse(call).await,
        "echo" => load::echo(call),
        "print_almanac" => load::print_almanac(call),
        "export_star_catalogue" => load::export_star_catalogue(call),
        "ride_out_storm" => load::ride_out_storm(call).await,
        other => match buoys::number_of(other, call.station().generated().tools) {
            Some(number) => Ok(buoys::read(number)),
            None => {
                let message = format!("There is no tool called {other:?} here.");
                return Err(ErrorData::new(ErrorCode::INVALID_PARAMS, message, None));
            }
        },
    };
    Ok(result
        .unwrap_or_else(|Refusal(sentence)| failure(sentence))
        .into())
}

/// Result of a tool, or the reason for which it did not start.
type Answer = Result<CallToolResult, Refusal>;

/// Creates a tool's definition without an output schema.
fn tool(
    name: &'static str,
    title: &str,
    description: &'static str,
    input: Value,
    hints: ToolAnnotations,
) -> Tool {
    Tool::new(name, description, object(input))
        .with_title(title)
        .with_annotations(hints)
}

/// Creates a schema for an object with these optional properties and no others.
fn fields(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        other => unreachable!("schemas are written as objects, this is {other}"),
    }
}

/// Hints of a tool that only reads.
fn looks() -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
}

/// Hints of a tool that changes something inside the lighthouse without destroying anything.
fn changes() -> ToolAnnotations {
    ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .idempotent(false)
        .open_world(false)
}
