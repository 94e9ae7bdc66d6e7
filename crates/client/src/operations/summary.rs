//! Summary of a result, made without building a tree of it: a 50 MB result is scanned, not copied.

use serde_json::value::RawValue;
use sonde_findings::{Finding, FindingView, Rule, rules};
use sonde_mcp::{Members, elements, members};
use sonde_wire::TextPart;

use super::{
    PROMPTS_GET, RESOURCES_READ, TOOLS_CALL,
    content_block::{summarize_block, summarize_contents},
    outcome::{ContentBlock, ContentKind, OperationOutcome, StructuredContent},
};
use crate::{
    json_error,
    limits::{TEXT, cut_text},
};

/// The longest text of all blocks together that travels with the operation, in bytes.
pub(super) const INLINE_ALL: usize = 256 * 1024;
/// The longest structured content that travels with the operation, in bytes.
const INLINE_STRUCTURED: usize = 256 * 1024;
/// Limit of listed blocks.
pub(super) const BLOCKS: usize = 1_000;

/// Shapes of an operation's result, by its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultShape {
    /// Content blocks and structured content of a tool.
    Tool,
    /// The contents of a resource.
    Resource,
    /// The messages of a prompt (`prompt.rs`).
    Prompt,
    /// Something that is shown as JSON only.
    Other,
}

impl ResultShape {
    /// Returns the result shape of a method.
    pub(super) fn of(method: &str) -> Self {
        match method {
            TOOLS_CALL => Self::Tool,
            RESOURCES_READ => Self::Resource,
            PROMPTS_GET => Self::Prompt,
            _ => Self::Other,
        }
    }
}

/// Shown parts of a result, except its size.
#[derive(Default)]
struct ResultParts {
    content: Vec<ContentBlock>,
    structured: Option<StructuredContent>,
    meta: Option<String>,
    findings: Vec<Finding>,
}

/// Summarizes a result (2025-11-25, server/tools: Tool Result; server/resources: Reading Resources).
pub(super) fn summarize(raw: &str, shape: ResultShape, is_error: bool) -> OperationOutcome {
    let ResultParts {
        content,
        structured,
        meta,
        findings,
    } = match shape {
        ResultShape::Tool => of_tool(raw, is_error),
        ResultShape::Resource => of_resource(raw),
        // Shown as JSON only.
        ResultShape::Prompt | ResultShape::Other => Ok(ResultParts::default()),
    }
    .unwrap_or_else(|error| ResultParts {
        findings: vec![Finding::new(&rules::BAD_RESULT).with("problem", json_error::words(&error))],
        ..ResultParts::default()
    });
    OperationOutcome::Result {
        is_error,
        content,
        structured,
        prompt: None,
        meta,
        bytes: raw.len() as u64,
        findings: findings.iter().map(FindingView::from).collect(),
    }
}

/// The contents of a resource: each is shown as an embedded resource is.
fn of_resource(raw: &str) -> serde_json::Result<ResultParts> {
    let mut findings = Vec::new();
    let [contents, of_result] = once(members(raw, &["contents", "_meta"])?, &mut findings);
    let member = ("contents", &rules::BAD_CONTENTS);
    Ok(ResultParts {
        content: blocks(contents, member, &mut findings, summarize_contents),
        structured: None,
        meta: meta(of_result),
        findings,
    })
}

/// Returns the members of an object. A repeated member is a finding; its last value counts.
pub(super) fn once<'a, const N: usize>(
    read: Members<'a, N>,
    findings: &mut Vec<Finding>,
) -> [Option<&'a RawValue>; N] {
    if let Some(member) = read.repeated {
        findings.push(Finding::new(&rules::REPEATED_MEMBER).with("member", member));
    }
    read.values
}

/// `_meta` of a result.
pub(super) fn meta(raw: Option<&RawValue>) -> Option<String> {
    raw.map(|raw| cut_text(raw.get(), TEXT))
}

/// The first blocks of an array, each summarized with the room for texts that the ones before left.
fn blocks(
    array: Option<&RawValue>,
    (member, rule): (&str, &'static Rule),
    findings: &mut Vec<Finding>,
    summarize: impl Fn(&RawValue, usize) -> ContentBlock,
) -> Vec<ContentBlock> {
    let mut content = Vec::new();
    match array.and_then(|array| elements(array.get(), BLOCKS).ok()) {
        // As the session judges the response.
        None => findings.push(Finding::new(rule)),
        Some(blocks) => {
            if blocks.count > BLOCKS {
                findings.push(
                    Finding::new(&rules::TOO_MANY_BLOCKS)
                        .with("limit", BLOCKS)
                        .with("count", blocks.count),
                );
            }
            let mut room = INLINE_ALL;
            for (place, block) in blocks.first.into_iter().enumerate() {
                let mut view = summarize(block, room);
                FindingView::locate_in(&format!("/{member}/{place}"), &mut view.findings);
                room -= view.inline().min(room);
                content.push(view);
            }
        }
    }
    content
}

fn of_tool(raw: &str, is_error: bool) -> serde_json::Result<ResultParts> {
    let mut findings = Vec::new();
    let names = ["content", "structuredContent", "_meta"];
    let [content, structured, of_result] = once(members(raw, &names)?, &mut findings);
    let member = ("content", &rules::BAD_CONTENT);
    let content = blocks(content, member, &mut findings, summarize_block);
    let has_text = content.iter().any(|block| block.kind == ContentKind::Text);
    if structured.is_some() && !is_error && !has_text {
        findings.push(Finding::new(&rules::MISSING_TEXT));
    }
    let is_silent = |block: &ContentBlock| block.kind == ContentKind::Text && block.bytes == 0;
    if is_error && structured.is_none() && content.iter().all(is_silent) {
        findings.push(Finding::new(&rules::UNEXPLAINED_ERROR));
    }
    let structured = structured.map(|structured| {
        if !structured.get().starts_with('{') {
            findings
                .push(Finding::new(&rules::BAD_STRUCTURED_CONTENT).in_member("structuredContent"));
        }
        StructuredContent {
            bytes: structured.get().len() as u64,
            json: (structured.get().len() <= INLINE_STRUCTURED)
                .then(|| structured.get().to_owned()),
            problems: Vec::new(),
            unchecked: None,
        }
    });
    Ok(ResultParts {
        content,
        structured,
        meta: meta(of_result),
        findings,
    })
}

/// The content block with this index in the result of a tool or of reading a resource.
pub(super) fn block(raw: &str, index: usize) -> Option<&RawValue> {
    let [content, contents] = members(raw, &["content", "contents"]).ok()?.values;
    let blocks = content.or(contents)?;
    let blocks = elements(blocks.get(), index.checked_add(1)?).ok()?;
    blocks.first.get(index).copied()
}

/// `structuredContent` as received.
pub(super) fn structured(raw: &TextPart) -> Option<TextPart> {
    let structured = member(raw.get(), "structuredContent")?;
    Some(raw.part(structured.get()))
}

/// One member of a result.
pub(super) fn member<'a>(raw: &'a str, name: &'static str) -> Option<&'a RawValue> {
    members(raw, &[name]).ok()?.values[0]
}
