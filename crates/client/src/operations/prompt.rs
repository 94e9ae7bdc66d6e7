//! Summary of the result of `prompts/get`: its messages, whose content is listed like a tool's.

use serde_json::value::RawValue;
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::{elements, members};

use super::{
    content_block::{string, summarize_block},
    outcome::{ContentBlock, OperationOutcome, PromptMessage, PromptResult},
    summary::{self, BLOCKS, INLINE_ALL},
};
use crate::{
    limits::{NAME, TEXT, cut_text},
    text::cut,
};

/// Summarizes the result of a prompt (2025-11-25, server/prompts: PromptMessage).
pub(super) fn summarize(raw: &str) -> OperationOutcome {
    let mut findings = Vec::new();
    let mut prompt = PromptResult::default();
    let mut content: Vec<ContentBlock> = Vec::new();
    let mut of_result = Vec::new();
    let read_result = members(raw, &["messages", "description", "_meta"]);
    let [messages, description, meta] =
        read_result.map_or([None; 3], |read| summary::once(read, &mut of_result));
    findings.extend(of_result.iter().map(FindingView::from));
    prompt.description =
        string(description, "description", &mut findings).map(|text| cut_text(&text, TEXT));
    let meta = summary::meta(meta);
    match messages.and_then(|messages| elements(messages.get(), BLOCKS).ok()) {
        None => findings.push(FindingView::from(&Finding::new(&rules::BAD_MESSAGES))),
        Some(messages) => {
            if messages.count > BLOCKS {
                let many = Finding::new(&rules::TOO_MANY_MESSAGES).with("limit", BLOCKS);
                let many = many.with("count", messages.count);
                findings.push(FindingView::from(&many));
            }
            let mut room = INLINE_ALL;
            for (place, raw) in messages.first.into_iter().enumerate() {
                let (mut message, blocks, is_array) = read(raw);
                FindingView::locate_in(&format!("/messages/{place}"), &mut message.findings);
                let blocks = blocks.into_iter().take(BLOCKS - content.len());
                for (index, block) in blocks.enumerate() {
                    let mut view = summarize_block(block, room);
                    let content_place = match is_array {
                        true => format!("/messages/{place}/content/{index}"),
                        false => format!("/messages/{place}/content"),
                    };
                    FindingView::locate_in(&content_place, &mut view.findings);
                    room -= view.inline().min(room);
                    content.push(view);
                    message.blocks += 1;
                }
                prompt.messages.push(message);
            }
        }
    }
    OperationOutcome::Result {
        is_error: false,
        content,
        structured: None,
        prompt: Some(prompt),
        meta,
        bytes: raw.len() as u64,
        findings,
    }
}

/// Returns the content block with this index, counted over all messages.
pub(super) fn block(raw: &str, index: usize) -> Option<&RawValue> {
    let messages = summary::member(raw, "messages")?;
    let messages = elements(messages.get(), BLOCKS).ok()?;
    let mut all = messages.first.into_iter().flat_map(|raw| read(raw).1);
    all.nth(index)
}

/// Returns a message without its content, the content blocks as received, and true if the content is an array.
fn read(raw: &RawValue) -> (PromptMessage, Vec<&RawValue>, bool) {
    let mut message = PromptMessage::default();
    let Ok(read) = members(raw.get(), &["role", "content"]) else {
        message.add(&Finding::new(&rules::BAD_PROMPT_MESSAGE));
        return (message, Vec::new(), false);
    };
    let mut repeated = Vec::new();
    let [role, content] = summary::once(read, &mut repeated);
    repeated.iter().for_each(|finding| message.add(finding));
    match role.map(|role| (role, string(Some(role), "role", &mut Vec::new()))) {
        Some((_, Some(role))) => {
            if !matches!(&*role, "user" | "assistant") {
                message.add(&Finding::new(&rules::BAD_ROLE).with("role", cut(&role, NAME)));
            }
            message.role = cut(&role, NAME);
        }
        Some((role, None)) => {
            message.add(&Finding::new(&rules::BAD_ROLE).with("role", cut(role.get(), NAME)));
        }
        None => message.add(&missing("role")),
    }
    let (blocks, is_array) = match content {
        None => {
            message.add(&missing("content"));
            (Vec::new(), false)
        }
        // Some servers send an array, which only a sampling message may have. It is shown, with a finding.
        Some(content) => match elements(content.get(), BLOCKS) {
            Ok(blocks) => {
                message.add(&Finding::new(&rules::PROMPT_CONTENT_ARRAY));
                (blocks.first, true)
            }
            Err(_) => (vec![content], false),
        },
    };
    (message, blocks, is_array)
}

fn missing(member: &str) -> Finding {
    Finding::new(&rules::MISSING_MESSAGE_MEMBER).with("member", member)
}

impl PromptMessage {
    fn add(&mut self, finding: &Finding) {
        self.findings.push(FindingView::from(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::outcome::ContentKind;

    fn result(text: &str) -> (PromptResult, Vec<ContentKind>, Vec<String>) {
        let OperationOutcome::Result {
            prompt: Some(prompt),
            content,
            findings,
            ..
        } = summarize(text)
        else {
            panic!("no prompt");
        };
        let count = content.len();
        assert!((0..count).all(|index| block(text, index).is_some()));
        assert!(block(text, count).is_none());
        let of_messages = prompt.messages.iter().flat_map(|one| &one.findings);
        let rules = findings.iter().chain(of_messages);
        let rules = rules.map(|found| found.rule.to_string()).collect();
        let kinds = content.iter().map(|block| block.kind).collect();
        (prompt, kinds, rules)
    }

    #[test]
    fn messages_keep_their_content_in_order() {
        let (prompt, kinds, rules) = result(
            r#"{"description":"d","messages":[
                {"role":"user","content":{"type":"text","text":"a"}},
                {"role":"assistant","content":{"type":"image","data":"AAAA","mimeType":"image/png"}},
                {"role":"user","content":{"type":"resource","resource":{"uri":"x:1","text":"t"}}}
            ]}"#,
        );
        assert_eq!(prompt.description.as_deref(), Some("d"));
        let roles: Vec<_> = prompt
            .messages
            .iter()
            .map(|one| one.role.as_str())
            .collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        assert!(prompt.messages.iter().all(|one| one.blocks == 1));
        use ContentKind::{EmbeddedText, Image, Text};
        assert_eq!(kinds, [Text, Image, EmbeddedText]);
        assert_eq!(rules, Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_with_a_message_hides_no_other() {
        let (prompt, kinds, rules) = result(
            r#"{"messages":[
                7,
                {"role":"system","content":{"type":"odd"}},
                {"role":3},
                {"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}
            ]}"#,
        );
        let blocks: Vec<u32> = prompt.messages.iter().map(|one| one.blocks).collect();
        assert_eq!(blocks, [0, 1, 0, 2]);
        use ContentKind::{Text, Unknown};
        assert_eq!(kinds, [Unknown, Text, Text]);
        assert_eq!(
            rules,
            [
                "bad-prompt-message",
                "bad-role",
                "bad-role",
                "missing-message-member",
                "missing-message-member",
                "prompt-content-array"
            ]
        );
        for text in ["{}", r#"{"messages":{}}"#] {
            assert_eq!(result(text).2, ["bad-messages"], "{text}");
        }
    }

    #[test]
    fn what_is_found_in_a_message_is_at_its_place() {
        let raw = r#"{"messages":[{"role":3},{"role":"user","content":[{"type":"odd"}]},{"role":"user","content":{"type":"odd"}}]}"#;
        let OperationOutcome::Result {
            prompt: Some(prompt),
            content,
            ..
        } = summarize(raw)
        else {
            panic!("no prompt");
        };
        let place = |one: &FindingView| one.location.clone().unwrap();
        let messages = prompt.messages.iter().flat_map(|one| &one.findings);
        let mut of_messages: Vec<_> = messages.map(place).collect();
        of_messages.dedup();
        assert_eq!(of_messages, ["/messages/0", "/messages/1"]);
        let blocks = content.iter().flat_map(|one| &one.findings);
        let of_blocks: Vec<_> = blocks.map(place).collect();
        assert_eq!(of_blocks, ["/messages/1/content/0", "/messages/2/content"]);
    }

    #[test]
    fn messages_are_bounded() {
        let one =
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#;
        let many = vec![one; 3_000].join(",");
        let raw = format!(r#"{{"messages":[{many}]}}"#);
        let OperationOutcome::Result {
            prompt: Some(prompt),
            content,
            ..
        } = summarize(&raw)
        else {
            panic!("no prompt");
        };
        assert_eq!((prompt.messages.len(), content.len()), (BLOCKS, BLOCKS));
    }
}
