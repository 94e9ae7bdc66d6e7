//! Prompts: conversations that the keeper has written down for a model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::json;

use crate::state::State;
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

/// Returns all prompts, and this many generated ones.
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
/// Invalid params (2025-11-25 server/prompts, Error Handling) for an unknown name and for a missing argument.
pub(crate) fn get(
    name: &str,
    arguments: Option<&JsonObject>,
    state: &State,
) -> Result<GetPromptResult, ErrorData> {
    let argument = |name: &str| arguments?.get(name)?.as_str();
    let required = |name: &str| {
        argument(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| {
                let message = format!("The argument `{name}` is missing.");
                ErrorData::invalid_params(message, Some(json!({ "argument": name })))
            })
    };
    let messages = match name {
        BERTH => {
            let (harbour, berth) = (required("harbour")?, required("berth")?);
            let ship = argument("ship").map(|ship| format!(" for the ship *{ship}*"));
            let messages = ask_for_a_berth(harbour, berth, &ship.unwrap_or_default());
            let description = "A letter to a harbour master.";
            return Ok(GetPromptResult::new(messages).with_description(description));
        }
        FLAG => vec![
            PromptMessage::new(Role::User, flag()),
            PromptMessage::new_text(Role::User, "A ship shows this flag. What does she say?"),
        ],
        HANDOVER => hand_over_the_watch(state),
        _ => {
            let number = resources::numbered(name, BUOY, state.generated().prompts);
            let number = number.ok_or_else(|| {
                let message = "There is no prompt with this name.";
                ErrorData::invalid_params(message, Some(json!({ "name": name })))
            })?;
            let question = format!("What is buoy {number} for, and what does she warn of?");
            vec![PromptMessage::new_text(Role::User, question)]
        }
    };
    Ok(GetPromptResult::new(messages))
}

fn ask_for_a_berth(harbour: &str, berth: &str, ship: &str) -> Vec<PromptMessage> {
    let letter = format!(
        "Write a short, polite letter to the harbour master of **{harbour}**{ship}. It asks for \
         the berth **{berth}** for one night."
    );
    vec![
        PromptMessage::new_text(Role::User, letter),
        PromptMessage::new_text(
            Role::Assistant,
            "Gladly. When does she come in, and how much water does she need?",
        ),
        PromptMessage::new_text(Role::User, "With the evening tide. She draws two metres."),
    ]
}

/// Returns a conversation with a message of each kind of content.
fn hand_over_the_watch(state: &State) -> Vec<PromptMessage> {
    let chart = ContentBlock::resource(resources::APPROACH.contents(state));
    let tides = ContentBlock::resource_link(resources::tide_table());
    let horn = ContentBlock::audio(STANDARD.encode(media::horn(2)), "audio/wav");
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
        PromptMessage::new(Role::User, flag()),
    ]
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
fn flag() -> ContentBlock {
    let palette = [[190, 48, 44], [250, 248, 240]];
    let flag = media::png(160, 120, &palette, |x, y| u8::from((x < 80) != (y < 60)));
    ContentBlock::image(STANDARD.encode(flag), "image/png")
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::cli::Generated;

    #[test]
    fn every_prompt_can_be_had_with_its_required_arguments() {
        let generated = Generated {
            prompts: 2,
            ..Generated::default()
        };
        let state = State::new(generated, CancellationToken::new());
        for prompt in list(2) {
            let arguments = prompt.arguments.unwrap_or_default();
            let required = arguments
                .into_iter()
                .filter(|one| one.required == Some(true));
            let given: JsonObject = required.map(|one| (one.name, json!("x"))).collect();
            let got = get(&prompt.name, Some(&given), &state).unwrap();
            assert!(!got.messages.is_empty());
            assert_eq!(get(&prompt.name, None, &state).is_ok(), given.is_empty());
        }
        for none in ["nothing", "ask_about_buoy_00003", "ask_about_buoy_1"] {
            assert!(get(none, None, &state).is_err(), "{none}");
        }
    }
}
