//! A question to the client's model, in the middle of a call.
// Sampling is deprecated from 2026-07-28 on, but still works.
#![expect(deprecated)]

use rmcp::model::{
    ContentBlock, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
    InputRequest, Role, SamplingMessage, SamplingMessageContentBlock, Tool, ToolChoice,
    ToolResultContent, ToolUseContent,
};
use serde_json::Value;

use super::DemoTool;
use crate::call::{Answer, Call, refusal, text};

/// Name of the tool that the model may use.
const LOOK: &str = "look_at_sea";
/// Limit of requests to the model for one verse.
const MAX_TURNS: u32 = 5;

pub(super) fn tools() -> Vec<DemoTool> {
    vec![DemoTool::reading(
        "compose_verse",
        "Compose a verse",
        "**Asks your model** for two lines about the sea while it runs (sampling). It may use a tool of its own for \
         that, `look_at_sea`, and is told what it saw.",
        [],
        |call| Box::pin(compose_verse(call)),
    )]
}

async fn compose_verse(call: &Call) -> Answer {
    let question = SamplingMessage::user_text("Write two lines about the sea.");
    let mut messages = vec![question.clone()];
    for _ in 0..MAX_TURNS {
        let mut params = CreateMessageRequestParams::new(messages, 100).with_system_prompt(
            "You are the poet of a small lighthouse. Answer with the verse alone.",
        );
        if call.model_uses_tools() {
            params = params
                .with_tools(vec![look_tool()])
                .with_tool_choice(ToolChoice::auto());
        }
        let request = InputRequest::CreateMessage(CreateMessageRequest::new(params));
        let reply: Option<CreateMessageResult> = call.ask(request).await?;
        let Some(reply) = reply else {
            return Ok(text("You have no model, so nobody writes a verse."));
        };
        let seen: Vec<_> = tool_uses(&reply.message).map(look_at_sea).collect();
        if seen.is_empty() {
            let written = serde_json::to_value(&reply.message.content).unwrap_or_default();
            return Ok(text(format!(
                "{} wrote:\n\n{}",
                reply.model,
                content_text(&written)
            )));
        }
        // 2025-11-25 client/sampling, Tool Use in Sampling: each use has a result, in one message with nothing else.
        messages = vec![
            question.clone(),
            reply.message,
            SamplingMessage::new_multiple(Role::User, seen),
        ];
    }
    Err(refusal(
        "Your model looked at the sea again and again, and wrote nothing.",
    ))
}

/// Returns the model's tool, which is never called through the protocol.
fn look_tool() -> Tool {
    DemoTool::reading(
        LOOK,
        "Look at the sea",
        "Says how the sea looks just now.",
        [],
        |_| Box::pin(async { Ok(text("")) }),
    )
    .definition
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

/// Returns the texts of content, which is one block or several.
fn content_text(content: &Value) -> String {
    match content {
        Value::Array(blocks) => blocks
            .iter()
            .map(content_text)
            .collect::<Vec<_>>()
            .join("\n"),
        block => block["text"].as_str().unwrap_or("(no text)").to_owned(),
    }
}
