//! A question in the middle of a call.

use rmcp::model::{
    CallToolResponse, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema, Tool,
};
use serde_json::{Value, json};

use super::{fields, looks, tool};
use crate::call::{Call, text};

pub(super) fn definitions() -> Vec<Tool> {
    vec![tool(
        "hail_pilot",
        "Hail the pilot",
        "The pilot wants to know your ship. **Asks a question** while it runs (elicitation).",
        fields(json!({})),
        looks(),
    )]
}

pub(super) async fn hail(call: &Call) -> CallToolResponse {
    let message = "The pilot wants to know your ship before she comes aboard.";
    match call.ask(message, form()).await {
        Ok(Some(answer)) => text(reply(&answer)).into(),
        // A client without forms is no reason to fail.
        Ok(None) => text("Nobody answers the pilot's question, so she stays ashore.").into(),
        Err(response) => *response,
    }
}

/// Written with the types of the protocol: it allows a form nothing but these.
fn form() -> ElicitationSchema {
    let flags = ["Norway", "Portugal", "Iceland"]
        .map(str::to_owned)
        .to_vec();
    let mut form = ElicitationSchema::builder()
        .required_string_with("ship", |ship| ship.title("Name of the ship").length(1, 60))
        .required_integer_with("length", |length| {
            length
                .title("Length in metres")
                .range(1, 400)
                .with_default(24)
        })
        .optional_enum_schema(
            "flag",
            EnumSchema::builder(flags).title("Flag of the ship").build(),
        )
        .optional_bool_with("tug", |tug| {
            tug.title("A tug is needed").with_default(false)
        })
        .build_unchecked();
    form.property_order = Some(
        ["ship", "length", "flag", "tug"]
            .map(str::to_owned)
            .to_vec(),
    );
    form
}

fn reply(answer: &ElicitResult) -> String {
    match answer.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline => {
            return "You would rather not say. The pilot waves and stays ashore.".to_owned();
        }
        _ => return "You changed your mind. The pilot goes back to her tea.".to_owned(),
    }
    let content = answer.content.as_ref().unwrap_or(&Value::Null);
    let ship = content["ship"].as_str().unwrap_or("your ship");
    let length = match content["length"].as_u64() {
        Some(length) => format!("{length} metres, "),
        None => String::new(),
    };
    let flag = match content["flag"].as_str() {
        Some(flag) => format!("the flag of {flag}, "),
        None => String::new(),
    };
    let tug = match content["tug"].as_bool() {
        Some(true) => "a tug is on its way",
        _ => "no tug needed",
    };
    format!("The pilot comes aboard the {ship}: {length}{flag}{tug}. Mind the rocks.")
}
