//! A question with a form, in the middle of a call.

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    EnumSchema, InputRequest,
};
use serde_json::Value;

use super::DemoTool;
use crate::call::{Answer, Call, text};

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "hail_pilot",
        "Hail the pilot",
        "The pilot wants to know your ship. **Asks a question** while it runs (elicitation).",
        [],
        |call| Box::pin(hail_pilot(call)),
    )]
}

async fn hail_pilot(call: &Call) -> Answer {
    let message = "The pilot wants to know your ship before she comes aboard.";
    let reply = call.ask(form_request(message, ship_form())).await?;
    Ok(text(match reply {
        Some(reply) => said_by_the_pilot(&reply),
        // A client without forms is no reason to fail.
        None => "Nobody answers the pilot's question, so she stays ashore.".to_owned(),
    }))
}

/// Creates a question with a form.
pub(super) fn form_request(message: &str, form: ElicitationSchema) -> InputRequest {
    InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.to_owned(),
            requested_schema: form,
        },
    ))
}

/// Creates the form with the protocol's types, which rule out anything else in a form.
fn ship_form() -> ElicitationSchema {
    let flags = ["Norway", "Portugal", "Iceland"].map(str::to_owned);
    let flag = EnumSchema::builder(flags.to_vec()).title("Flag of the ship");
    let mut form = ElicitationSchema::builder()
        .required_string_with("ship", |ship| ship.title("Name of the ship").length(1, 60))
        .required_integer_with("length", |length| {
            let length = length.title("Length in metres").range(1, 400);
            length.with_default(24)
        })
        .optional_enum_schema("flag", flag.build())
        .optional_bool_with("tug", |tug| {
            tug.title("A tug is needed").with_default(false)
        })
        .build_unchecked();
    let order = ["ship", "length", "flag", "tug"].map(str::to_owned);
    form.property_order = Some(order.to_vec());
    form
}

fn said_by_the_pilot(reply: &ElicitResult) -> String {
    match reply.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline => {
            return "You would rather not say. The pilot waves and stays ashore.".to_owned();
        }
        _ => return "You changed your mind. The pilot goes back to her tea.".to_owned(),
    }
    let content = reply.content.as_ref().unwrap_or(&Value::Null);
    let ship = content["ship"].as_str().unwrap_or("your ship");
    let length = content["length"].as_u64();
    let length = length.map_or_else(String::new, |length| format!("{length} metres, "));
    let flag = content["flag"].as_str();
    let flag = flag.map_or_else(String::new, |flag| format!("the flag of {flag}, "));
    let tug = match content["tug"].as_bool() {
        Some(true) => "a tug is on its way",
        _ => "no tug needed",
    };
    format!("The pilot comes aboard the {ship}: {length}{flag}{tug}. Mind the rocks.")
}
