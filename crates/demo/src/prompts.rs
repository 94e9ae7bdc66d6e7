//! Prompts: conversations that the keeper has written down for a model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::{Value, json};

use crate::{media, resources};

pub(crate) const BERTH: &str = "ask_for_a_berth";
const FLAG: &str = "read_the_flag";
const HANDOVER: &str = "hand_over_the_watch";
/// Prefix of the names of generated prompts.
const BUOY: &str = "ask_about_buoy_";

/// The harbours with their berths.
const HARBOURS: [(&str, &[&str]); 4] = [
    ("Gullhaven", &["Fish quay", "Ferry steps", "North mole"]),
    ("Seal Bay", &["Coal pier", "Old slip"]),
    ("Skerry Sound", &["Buoy 1", "Buoy 2", "Buoy 3"]),
    ("Stormness", &["Breakwater", "Customs quay"]),
];

/// Returns all prompts, and this many generated prompts.
pub(crate) fn list(generated: usize) -> Vec<Prompt> {
    let text = |name, title, description| {
        PromptArgument::new(name)
            .with_title(title)
            .with_description(description)
    };
    let mut list = vec![
        Prompt::new(
            BERTH,
            Some("A letter to a harbour master. The berths depend on the **harbour**."),
            Some(vec![
                text("harbour", "Harbour", "Where the ship is going.").with_required(true),
                text("berth", "Berth", "Where she wants to lie there.").with_required(true),
                text("ship", "Ship", "Her name, if the letter is to say it."),
            ]),
        )
        .with_title("Ask for a berth"),
        Prompt::new(
            FLAG,
            Some("Shows a signal flag, and asks what it says."),
            None,
        )
        .with_title("Read the flag")
        .with_icons(vec![resources::icon()]),
        Prompt::new(
            HANDOVER,
            Some("What the keeper says when the watch changes."),
            None,
        )
        .with_title("Hand over the watch"),
    ];
    list.extend((1..=generated).map(|number| {
        Prompt::new(
            format!("{BUOY}{number:05}"),
            Some(format!("Asks what buoy {number} is for.")),
            Some(vec![text("ship", "Ship", "Who asks.")]),
        )
        .with_title(format!("Ask about buoy {number}"))
    }));
    list
}

/// Returns the messages of a prompt.
///
/// # Errors
///
/// Invalid params (2025-11-25 server/prompts, Error Handling) for an unknown name and for an argument
/// that is missing or unknown.
pub(crate) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
    generated: usize,
) -> Result<GetPromptResult, ErrorData> {
    let argument = |name: &str| {
        arguments
            .and_then(|all| all.get(name))
            .and_then(Value::as_str)
    };
    let needed = |name: &str| {
        argument(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| {
                invalid(
                    format!("The argument `{name}` is missing."),
                    json!({ "argument": name }),
                )
            })
    };
    match name {
        BERTH => {
            let harbour = needed("harbour")?;
            let berth = needed("berth")?;
            let ship = argument("ship").map(|ship| format!(" for the ship *{ship}*"));
            let ship = ship.unwrap_or_default();
            let ask = format!(
                "Write a short, polite letter to the harbour master of **{harbour}**{ship}. It asks for \
                 the berth **{berth}** for one night."
            );
            let messages = vec![
                PromptMessage::new_text(Role::User, ask),
                PromptMessage::new_text(
                    Role::Assistant,
                    "Gladly. When does she come in, and how much water does she need?",
                ),
                PromptMessage::new_text(Role::User, "With the evening tide. She draws two metres."),
            ];
            Ok(GetPromptResult::new(messages).with_description("A letter to a harbour master."))
        }
        FLAG => {
            let image = ContentBlock::image(STANDARD.encode(flag()), "image/png");
            Ok(GetPromptResult::new(vec![
                PromptMessage::new(Role::User, image),
                PromptMessage::new_text(Role::User, "A ship shows this flag. What does she say?"),
            ]))
        }
        HANDOVER => Ok(GetPromptResult::new(handover())),
        _ => {
            let buoy = buoy(name, generated).ok_or_else(|| {
                invalid(
                    "There is no prompt with this name.".to_owned(),
                    json!({ "name": name }),
                )
            })?;
            let ask = format!("What is buoy {buoy} for, and what does she warn of?");
            Ok(GetPromptResult::new(vec![PromptMessage::new_text(
                Role::User,
                ask,
            )]))
        }
    }
}

/// Returns a conversation with a message of each kind of content.
fn handover() -> Vec<PromptMessage> {
    let chart = ContentBlock::resource(resources::approach());
    let tides = ContentBlock::resource_link(resources::tide_table());
    let horn = ContentBlock::audio(STANDARD.encode(media::horn(2)), "audio/wav");
    let flag = ContentBlock::image(STANDARD.encode(flag()), "image/png");
    vec![
        PromptMessage::new_text(
            Role::User,
            "You take over the watch of a lighthouse. Ask me, one after the other, what you need to know.",
        ),
        PromptMessage::new(Role::User, chart),
        PromptMessage::new(Role::User, tides),
        PromptMessage::new_text(
            Role::Assistant,
            "What do the others hear, and what do they show?",
        ),
        PromptMessage::new(Role::User, horn),
        PromptMessage::new(Role::User, flag),
    ]
}

/// Returns the number in the name of a generated prompt, if that prompt exists.
fn buoy(name: &str, count: usize) -> Option<usize> {
    let text = name.strip_prefix(BUOY)?;
    let number: usize = text.parse().ok()?;
    ((1..=count).contains(&number) && format!("{number:05}") == text).then_some(number)
}

/// Returns the suggestions for an argument of a prompt. Berths are limited to `harbour`, if known.
pub(crate) fn values(prompt: &str, argument: &str, harbour: Option<&str>) -> Vec<&'static str> {
    match (prompt, argument) {
        (BERTH, "harbour") => HARBOURS.iter().map(|(harbour, _)| *harbour).collect(),
        (BERTH, "berth") => HARBOURS
            .iter()
            .filter(|(name, _)| harbour.is_none_or(|harbour| harbour == *name))
            .flat_map(|(_, berths)| berths.iter().copied())
            .collect(),
        _ => Vec::new(),
    }
}

/// Draws the signal flag "U": you are running into danger.
fn flag() -> Vec<u8> {
    let palette = [[190, 48, 44], [250, 248, 240]];
    media::png(160, 120, &palette, |x, y| u8::from((x < 80) != (y < 60)))
}

fn invalid(message: String, data: Value) -> ErrorData {
    ErrorData::invalid_params(message, Some(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_can_be_had_with_what_it_asks_for() {
        for prompt in list(2) {
            let needed = prompt.arguments.unwrap_or_default();
            let needed = needed.into_iter().filter(|one| one.required == Some(true));
            let given: JsonObject = needed.map(|one| (one.name, json!("x"))).collect();
            let got = get(&prompt.name, Some(&given), 2).unwrap();
            assert!(!got.messages.is_empty());
            assert_eq!(get(&prompt.name, None, 2).is_ok(), given.is_empty());
        }
        for none in ["nothing", "ask_about_buoy_00003", "ask_about_buoy_1"] {
            assert!(get(none, None, 2).is_err(), "{none}");
        }
    }
}
