//! Questions that are no form: a page to open, something for a model to write.
// Sampling is deprecated from 2026-07-28 on; it works all the same.
#![expect(deprecated)]

use rmcp::model::{
    CallToolResponse, ContentBlock, CreateMessageRequestParams, ElicitationAction, Role,
    SamplingMessage, SamplingMessageContentBlock, Tool, ToolChoice, ToolResultContent,
    ToolUseContent,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, fields, looks, tool};
use crate::call::{Call, failure, text};

/// A public page.
const PAGE: &str = "https://modelcontextprotocol.io/";

/// The tool that a model can use for its verse.
const LOOK: &str = "look_at_sea";
/// Limit of requests to a model for one verse.
const TURNS: u32 = 5;

pub(super) fn definitions() -> Vec<Tool> {
    vec![
        tool(
            "visit_office",
            "Visit the harbour office",
            "**Asks you to open a page** while it runs (elicitation in URL mode). It opens only when you agree.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "compose_verse",
            "Compose a verse",
            "**Asks your model** for two lines about the sea while it runs (sampling). It may use a tool of its own for \
             that, `look_at_sea`, and is told what it saw.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "list_folders",
            "List your folders",
            "**Asks which folders** it may work in while it runs (roots). It only reads their names back.",
            fields(json!({})),
            looks(),
        ),
        tool(
            "telegraph_harbour",
            "Telegraph a harbour",
            "Over HTTP without a handshake the harbour **is in a header of the request too** (`Mcp-Param-Harbour`), so that a \
             proxy knows where it goes without reading the message.",
            fields(json!({
                "harbour": {
                    "type": "string",
                    "title": "Harbour",
                    "default": "Port Elwin",
                    "x-mcp-header": "Harbour"
                }
            })),
            looks(),
        ),
    ]
}

pub(super) async fn visit(call: &Call) -> CallToolResponse {
    let message = "The harbour office wants you to read a page. It is the one about the protocol.";
    match call.send_to(message, PAGE).await {
        Ok(Some(answer)) => text(match answer.action {
            ElicitationAction::Accept => "The office noted that you agreed to open the page.",
            ElicitationAction::Decline => "You would rather not. The office stays closed.",
            _ => "You changed your mind. The office is still there tomorrow.",
        })
        .into(),
        Ok(None) => text("You open no pages, so the office sends you none.").into(),
        Err(response) => *response,
    }
}

pub(super) async fn verse(call: &Call) -> CallToolResponse {
    let question = SamplingMessage::user_text("Write two lines about the sea.");
    let mut messages = vec![question.clone()];
    for _ in 0..TURNS {
        let params = CreateMessageRequestParams::new(messages, 100)
            .with_system_prompt(
                "You are the poet of a small lighthouse. Answer with the verse alone.",
            )
            .with_tools(vec![look()])
            .with_tool_choice(ToolChoice::auto());
        let answer = match call.ask_model(params).await {
            Ok(Some(answer)) => answer,
            Ok(None) => return text("You have no model, so nobody writes a verse.").into(),
            Err(response) => return *response,
        };
        let seen: Vec<_> = tool_uses(&answer.message).map(look_at_sea).collect();
        if seen.is_empty() {
            let written = serde_json::to_value(&answer.message.content).unwrap_or_default();
            return text(format!("{} wrote:\n\n{}", answer.model, words(&written))).into();
        }
        // 2025-11-25 client/sampling, Tool Use in Sampling: each use is answered, in one message with nothing else.
        messages = vec![
            question.clone(),
            answer.message,
            SamplingMessage::new_multiple(Role::User, seen),
        ];
    }
    failure("Your model looked at the sea again and again, and wrote nothing.").into()
}

/// Creates a tool for the model alone.
fn look() -> Tool {
    tool(
        LOOK,
        "Look at the sea",
        "Says how the sea looks just now.",
        fields(json!({})),
        looks(),
    )
}

fn tool_uses(message: &SamplingMessage) -> impl Iterator<Item = &ToolUseContent> {
    let blocks = message.content.iter();
    blocks.filter_map(SamplingMessageContentBlock::as_tool_use)
}

fn look_at_sea(tool_use: &ToolUseContent) -> SamplingMessageContentBlock {
    let id = &tool_use.id;
    let said = |words: String| vec![ContentBlock::text(words)];
    let result = match tool_use.name.as_str() {
        LOOK => {
            let seen = "Grey and calm, with a long swell from the west.";
            ToolResultContent::new(id, said(seen.to_owned()))
        }
        other => {
            ToolResultContent::error(id, said(format!("There is no tool called {other:?} here.")))
        }
    };
    SamplingMessageContentBlock::ToolResult(result)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Telegram {
    harbour: String,
}

impl Default for Telegram {
    fn default() -> Self {
        Self {
            harbour: "Port Elwin".to_owned(),
        }
    }
}

pub(super) fn telegraph(call: &Call) -> Answer {
    let Telegram { harbour } = call.arguments()?;
    Ok(text(format!("{harbour} heard you, and all is well there.")))
}

pub(super) async fn folders(call: &Call) -> CallToolResponse {
    match call.ask_roots().await {
        Ok(Some(answer)) if answer.roots.is_empty() => text("You named no folder.").into(),
        Ok(Some(answer)) => {
            let lines = answer.roots.iter().map(|root| match &root.name {
                Some(name) => format!("- {name}: `{}`", root.uri),
                None => format!("- `{}`", root.uri),
            });
            text(lines.collect::<Vec<_>>().join("\n")).into()
        }
        Ok(None) => text("You name no folders here.").into(),
        Err(response) => *response,
    }
}

/// Returns the texts of content, which is one block or several.
fn words(content: &Value) -> String {
    match content {
        Value::Array(blocks) => blocks.iter().map(words).collect::<Vec<_>>().join("\n"),
        block => block["text"].as_str().unwrap_or("(no text)").to_owned(),
    }
}
