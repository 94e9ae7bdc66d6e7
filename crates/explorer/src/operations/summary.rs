//! What a result contains, without building a tree of it: a 50 MB result is scanned, not copied.

use std::borrow::Cow;

use base64::{
    Engine as _,
    engine::{DecodePaddingMode, general_purpose::GeneralPurposeConfig},
};
use serde::Deserialize;
use serde_json::value::RawValue;
use sonde_findings::{Finding, FindingView, rules};
use sonde_mcp::elements;

use super::{
    PROMPTS_GET, RESOURCES_READ, TOOLS_CALL,
    media::other_media,
    outcome::{ContentBlock, ContentKind, OperationOutcome, StructuredContent},
    text,
};
use crate::{
    limits::{LINE, NAME},
    text::cut,
};

/// The longest text of one block that travels with the operation, in bytes.
const INLINE: usize = 64 * 1024;
/// The longest text of all blocks together that travels with the operation, in bytes.
pub(super) const INLINE_ALL: usize = 256 * 1024;
/// The longest structured content that travels with the operation, in bytes.
const INLINE_STRUCTURED: usize = 256 * 1024;
/// How many blocks are listed.
pub(super) const BLOCKS: usize = 1_000;

/// Lenient in what it takes: characters after the last full group, missing padding.
const BASE64: base64::engine::GeneralPurpose = base64::engine::GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What the result of an operation contains, by its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultShape {
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
    /// What this method results in.
    pub(super) fn of(method: &str) -> Self {
        match method {
            TOOLS_CALL => Self::Tool,
            RESOURCES_READ => Self::Resource,
            PROMPTS_GET => Self::Prompt,
            _ => Self::Other,
        }
    }
}

#[derive(Deserialize)]
struct Shape<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    /// Of a resource.
    #[serde(borrow)]
    contents: Option<&'a RawValue>,
    #[serde(borrow, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
}

/// One block with every member as received, so that one odd member does not hide the others.
#[derive(Default, Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    blob: Option<&'a RawValue>,
    #[serde(borrow, rename = "mimeType")]
    mime_type: Option<&'a RawValue>,
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    title: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
    #[serde(borrow)]
    resource: Option<&'a RawValue>,
}

/// What is shown of a result (2025-11-25, server/tools: Tool Result; server/resources: Reading Resources).
pub(super) fn summarize(raw: &RawValue, shape: ResultShape, is_error: bool) -> OperationOutcome {
    let (content, structured, findings) = match shape {
        ResultShape::Tool => of_tool(raw, is_error),
        ResultShape::Resource => of_resource(raw),
        ResultShape::Prompt | ResultShape::Other => (Vec::new(), None, Vec::new()),
    };
    OperationOutcome::Result {
        is_error,
        content,
        structured,
        prompt: None,
        bytes: raw.get().len() as u64,
        findings: findings.iter().map(FindingView::from).collect(),
    }
}

/// The contents of a resource: each is shown as an embedded resource is.
fn of_resource(raw: &RawValue) -> (Vec<ContentBlock>, Option<StructuredContent>, Vec<Finding>) {
    let mut findings = Vec::new();
    let contents = match serde_json::from_str::<Shape<'_>>(raw.get()) {
        Ok(shape) => shape.contents,
        Err(error) => {
            findings.push(Finding::new(&rules::BAD_RESOURCE_RESULT).with("problem", error));
            return (Vec::new(), None, findings);
        }
    };
    if contents.is_none() {
        findings.push(Finding::new(&rules::BAD_CONTENTS));
    }
    let content = blocks(contents, "contents", &mut findings, |raw, room| {
        let mut view = ContentBlock::unread(raw);
        embedded(&mut view, Some(raw), room);
        view
    });
    (content, None, findings)
}

/// The first blocks of an array, each summarized with the room for texts that the ones before left.
fn blocks(
    array: Option<&RawValue>,
    member: &str,
    findings: &mut Vec<Finding>,
    summarize: impl Fn(&RawValue, usize) -> ContentBlock,
) -> Vec<ContentBlock> {
    let mut content = Vec::new();
    match array.map(|array| elements(array.get(), BLOCKS)) {
        None => {}
        Some(Err(_)) => findings.push(
            Finding::new(&rules::BAD_TYPE)
                .with("member", member)
                .with("expected", "an array")
                .in_member(member),
        ),
        Some(Ok(blocks)) => {
            if blocks.count > BLOCKS {
                findings.push(
                    Finding::new(&rules::TOO_MANY_BLOCKS)
                        .with("limit", BLOCKS)
                        .with("count", blocks.count),
                );
            }
            let mut room = INLINE_ALL;
            for block in blocks.first {
                let view = summarize(block, room);
                room -= view.text.as_ref().map_or(0, String::len).min(room);
                content.push(view);
            }
        }
    }
    content
}

fn of_tool(
    raw: &RawValue,
    is_error: bool,
) -> (Vec<ContentBlock>, Option<StructuredContent>, Vec<Finding>) {
    let mut findings = Vec::new();
    let shape = match serde_json::from_str::<Shape<'_>>(raw.get()) {
        Ok(shape) => shape,
        Err(error) => {
            findings.push(Finding::new(&rules::BAD_RESULT).with("problem", error));
            Shape {
                content: None,
                contents: None,
                structured: None,
            }
        }
    };
    if shape.content.is_none() && findings.is_empty() {
        findings.push(Finding::new(&rules::BAD_CONTENT));
    }
    let content = blocks(shape.content, "content", &mut findings, summarize_block);
    let has_text = content.iter().any(|block| block.kind == ContentKind::Text);
    if shape.structured.is_some() && !is_error && !has_text {
        findings.push(Finding::new(&rules::MISSING_TEXT));
    }
    let is_silent = |block: &ContentBlock| block.kind == ContentKind::Text && block.bytes == 0;
    if is_error && shape.structured.is_none() && content.iter().all(is_silent) {
        findings.push(Finding::new(&rules::UNEXPLAINED_ERROR));
    }
    let structured = shape.structured.map(|structured| {
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
    (content, structured, findings)
}

pub(super) fn summarize_block(raw: &RawValue, room: usize) -> ContentBlock {
    let mut view = ContentBlock::unread(raw);
    let block: Block<'_> = match serde_json::from_str(raw.get()) {
        Ok(block) => block,
        Err(error) => {
            view.add(&Finding::new(&rules::BAD_CONTENT_BLOCK).with("problem", error));
            return view;
        }
    };
    let kind = string(block.kind, "type", &mut view.findings).map(Cow::into_owned);
    view.mime_type =
        string(block.mime_type, "mimeType", &mut view.findings).map(|mime| cut(&mime, NAME));
    match kind.as_deref() {
        Some("text") => {
            view.kind = ContentKind::Text;
            put_text(&mut view, block.text, "text", room);
        }
        Some("image") => {
            view.kind = ContentKind::Image;
            put_data(&mut view, block.data, "data");
            need_mime(&mut view, "image");
        }
        Some("audio") => {
            view.kind = ContentKind::Audio;
            view.add(&Finding::new(&rules::AUDIO_TOO_NEW));
            put_data(&mut view, block.data, "data");
            need_mime(&mut view, "audio");
        }
        Some("resource_link") => {
            view.kind = ContentKind::ResourceLink;
            view.add(&Finding::new(&rules::RESOURCE_LINK_TOO_NEW));
            view.uri = string(block.uri, "uri", &mut view.findings).map(|uri| cut(&uri, LINE));
            if view.uri.is_none() {
                view.add(&missing("uri"));
            }
            let title = string(block.title, "title", &mut view.findings);
            let name = string(block.name, "name", &mut view.findings);
            let description = string(block.description, "description", &mut view.findings);
            let parts: Vec<_> = [title.or(name), description]
                .into_iter()
                .flatten()
                .collect();
            view.title = (!parts.is_empty()).then(|| cut(&parts.join(": "), 500));
        }
        Some("resource") => embedded(&mut view, block.resource, room),
        Some(other) => {
            view.add(&Finding::new(&rules::UNKNOWN_CONTENT_TYPE).with("type", other));
        }
        None => view.add(&missing("type")),
    }
    view
}

fn embedded(view: &mut ContentBlock, resource: Option<&RawValue>, room: usize) {
    let Some(resource) = resource else {
        view.add(&missing("resource"));
        return;
    };
    let inner: Block<'_> = match serde_json::from_str(resource.get()) {
        Ok(inner) => inner,
        Err(error) => {
            view.add(&Finding::new(&rules::BAD_CONTENT_BLOCK).with("problem", error));
            return;
        }
    };
    view.uri = string(inner.uri, "uri", &mut view.findings).map(|uri| cut(&uri, LINE));
    if view.uri.is_none() {
        view.add(&missing("uri"));
    }
    if let Some(mime) = string(inner.mime_type, "mimeType", &mut view.findings) {
        view.mime_type = Some(cut(&mime, NAME));
    }
    if inner.text.is_some() && inner.blob.is_some() {
        view.add(&Finding::new(&rules::TEXT_AND_BLOB));
    }
    if inner.text.is_some() {
        view.kind = ContentKind::EmbeddedText;
        put_text(view, inner.text, "text", room);
    } else if inner.blob.is_some() {
        view.kind = ContentKind::EmbeddedBlob;
        put_data(view, inner.blob, "blob");
    } else {
        view.add(&Finding::new(&rules::EMPTY_RESOURCE));
    }
}

pub(super) fn string<'a>(
    raw: Option<&'a RawValue>,
    name: &str,
    findings: &mut Vec<FindingView>,
) -> Option<Cow<'a, str>> {
    let raw = raw?;
    match text::decode(raw.get()) {
        Some((text, repaired)) => {
            if repaired {
                findings.push(FindingView::from(
                    &Finding::new(&rules::LONE_SURROGATE).with("member", name),
                ));
            }
            Some(text)
        }
        None => {
            findings.push(FindingView::from(
                &Finding::new(&rules::BAD_CONTENT_MEMBER).with("member", name),
            ));
            None
        }
    }
}

fn put_text(view: &mut ContentBlock, raw: Option<&RawValue>, name: &str, room: usize) {
    match string(raw, name, &mut view.findings) {
        Some(text) => {
            view.bytes = text.len() as u64;
            view.text = (text.len() <= INLINE.min(room)).then(|| text.into_owned());
        }
        None if raw.is_none() => view.add(&missing(name)),
        None => {}
    }
}

fn put_data(view: &mut ContentBlock, raw: Option<&RawValue>, name: &str) {
    match string(raw, name, &mut view.findings) {
        Some(data) => {
            view.bytes = decoded_size(&data);
            if let Some(mime_type) = &view.mime_type
                && let Some(found) = other_media(&data, mime_type)
            {
                let other = Finding::new(&rules::OTHER_MEDIA).with("mime_type", mime_type);
                view.add(&other.with("found", found));
            }
            let odd = data
                .bytes()
                .filter(|byte| !byte.is_ascii_alphanumeric() && !b"+/=".contains(byte))
                .count();
            if odd > 0 {
                view.add(&not_base64(
                    name,
                    format!("{odd} of its characters are invalid"),
                ));
            } else if data.trim_end_matches('=').len() % 4 == 1 {
                view.add(&not_base64(name, "it is truncated"));
            }
        }
        None if raw.is_none() => view.add(&missing(name)),
        None => {}
    }
}

fn need_mime(view: &mut ContentBlock, family: &str) {
    match &view.mime_type {
        None => view.add(&missing("mimeType")),
        Some(mime) if !mime.starts_with(family) => {
            let wrong = Finding::new(&rules::WRONG_MIME_TYPE)
                .with("mime_type", mime)
                .with("family", family);
            view.add(&wrong);
        }
        Some(_) => {}
    }
}

/// A member that the block needs and does not have.
fn missing(member: &str) -> Finding {
    Finding::new(&rules::MISSING_CONTENT_MEMBER).with("member", member)
}

fn not_base64(member: &str, problem: impl ToString) -> Finding {
    Finding::new(&rules::BAD_BASE64)
        .with("member", member)
        .with("problem", problem)
}

impl ContentBlock {
    /// One of which nothing is known yet.
    fn unread(raw: &RawValue) -> Self {
        Self {
            kind: ContentKind::Unknown,
            mime_type: None,
            bytes: raw.get().len() as u64,
            text: None,
            uri: None,
            title: None,
            findings: Vec::new(),
        }
    }

    fn add(&mut self, finding: &Finding) {
        self.findings.push(FindingView::from(finding));
    }
}

fn decoded_size(data: &str) -> u64 {
    let digits = data
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte));
    digits.count() as u64 * 3 / 4
}

/// The bytes of one content block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BlockBody {
    Text(String),
    Bytes(Vec<u8>),
    /// No payload of its own: the block as JSON.
    Json(String),
}

/// The content block with this index in the result of a tool or of reading a resource.
pub(super) fn block(raw: &RawValue, index: usize) -> Option<&RawValue> {
    let shape: Shape<'_> = serde_json::from_str(raw.get()).ok()?;
    let blocks = shape.content.or(shape.contents)?;
    let blocks = elements(blocks.get(), index.checked_add(1)?).ok()?;
    blocks.first.get(index).copied()
}

/// The payload of a content block: texts decoded, Base64 decoded.
pub(super) fn block_body(raw: &RawValue) -> (BlockBody, Option<String>) {
    let block: Block<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
    let inner: Block<'_> = block
        .resource
        .and_then(|resource| serde_json::from_str(resource.get()).ok())
        .unwrap_or_default();
    let text = |raw: Option<&RawValue>| {
        raw.and_then(|raw| text::decode(raw.get()).map(|(text, _)| text.into_owned()))
    };
    let mime = text(inner.mime_type).or_else(|| text(block.mime_type));
    let body = if let Some(text) = text(block.text).or_else(|| text(inner.text)) {
        BlockBody::Text(text)
    } else if let Some(data) = text(block.data)
        .or_else(|| text(block.blob))
        .or_else(|| text(inner.blob))
    {
        match decode_base64(&data) {
            Some(bytes) => BlockBody::Bytes(bytes),
            None => BlockBody::Text(data),
        }
    } else {
        BlockBody::Json(raw.get().to_owned())
    };
    (body, mime)
}

fn decode_base64(data: &str) -> Option<Vec<u8>> {
    if let Ok(bytes) = BASE64.decode(data) {
        return Some(bytes);
    }
    // Line breaks and the URL alphabet are wrong here, and yet what was meant is clear.
    let plain: Vec<u8> = data
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect();
    BASE64.decode(plain).ok()
}

/// `structuredContent` as received.
pub(super) fn structured(raw: &RawValue) -> Option<Box<RawValue>> {
    let shape: Shape<'_> = serde_json::from_str(raw.get()).ok()?;
    shape.structured.map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(findings: &[FindingView]) -> String {
        let messages: Vec<_> = findings.iter().map(|one| one.message.as_str()).collect();
        messages.join(" ")
    }

    fn result(
        text: &str,
    ) -> (
        Vec<ContentBlock>,
        Option<StructuredContent>,
        Vec<FindingView>,
    ) {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let mut shown = summarize(&raw, ResultShape::Tool, text.contains("\"isError\":true"));
        shown.keep_applicable(Some("2025-11-25"));
        match shown {
            OperationOutcome::Result {
                content,
                structured,
                findings,
                bytes,
                ..
            } => {
                assert_eq!(bytes, text.len() as u64);
                (content, structured, findings)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn results_are_judged_by_their_revision() {
        let of = |text: &str, revision| {
            let raw = RawValue::from_string(text.to_owned()).unwrap();
            let mut shown = summarize(&raw, ResultShape::Tool, text.contains("\"isError\":true"));
            shown.keep_applicable(revision);
            let OperationOutcome::Result {
                content, findings, ..
            } = shown
            else {
                panic!("it is a result");
            };
            let of_blocks = content.into_iter().flat_map(|block| block.findings);
            let all = findings.into_iter().chain(of_blocks);
            all.map(|one| one.rule).collect::<Vec<_>>().join(" ")
        };
        let [r24, r25m, r25j, r25n, r26] = [
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28",
        ]
        .map(Some);
        let list = r#"{"content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}"#;
        let bare = r#"{"content":[],"structuredContent":{"a":1}}"#;
        let audio = r#"{"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}"#;
        let link = r#"{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}"#;
        for (text, revision, expected) in [
            (list, r25n, "bad-structured-content"),
            (list, r26, ""),
            (list, None, ""),
            (bare, r25j, "missing-text"),
            (bare, r25m, ""),
            (audio, r24, "audio-too-new"),
            (audio, r25m, ""),
            (link, r25m, "resource-link-too-new"),
            (link, r25j, ""),
            (r#"{"content":[],"isError":true}"#, r24, "unexplained-error"),
            (
                r#"{"content":[{"type":"text","text":""}],"isError":true}"#,
                None,
                "unexplained-error",
            ),
            (
                r#"{"content":[{"type":"text","text":"why"}],"isError":true}"#,
                r24,
                "",
            ),
            (
                r#"{"content":[],"structuredContent":{"why":1},"isError":true}"#,
                r25n,
                "",
            ),
            (
                r#"{"content":[{"type":"image","data":"iVBORw0KGgo","mimeType":"image/jpeg"}]}"#,
                r24,
                "other-media",
            ),
            (
                r#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t","blob":"AAAA"}}]}"#,
                r24,
                "text-and-blob",
            ),
        ] {
            assert_eq!(of(text, revision), expected, "{text} {revision:?}");
        }
    }

    #[test]
    fn every_kind_of_content_is_summarized() {
        let (content, structured, findings) = result(
            r#"{"content": [
                {"type": "text", "text": "h\u00e9llo"},
                {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
                {"type": "audio", "data": "aGVsbG8", "mimeType": "audio/wav"},
                {"type": "resource_link", "uri": "file:///a", "name": "a", "title": "A", "description": "d"},
                {"type": "resource", "resource": {"uri": "x:1", "mimeType": "text/css", "text": "b{}"}},
                {"type": "resource", "resource": {"uri": "x:2", "blob": "AAAA"}}
            ], "structuredContent": {"n": 9007199254740993}}"#,
        );
        assert!(findings.is_empty(), "{findings:?}");
        let kinds: Vec<_> = content.iter().map(|one| one.kind).collect();
        assert_eq!(
            kinds,
            [
                ContentKind::Text,
                ContentKind::Image,
                ContentKind::Audio,
                ContentKind::ResourceLink,
                ContentKind::EmbeddedText,
                ContentKind::EmbeddedBlob
            ]
        );
        let sizes: Vec<_> = content.iter().map(|one| one.bytes).collect();
        assert_eq!(
            (sizes[0], sizes[1], sizes[2], sizes[4], sizes[5]),
            (6, 5, 5, 3, 3)
        );
        assert_eq!(content[0].text.as_deref(), Some("héllo"));
        assert_eq!(content[3].title.as_deref(), Some("A: d"));
        assert_eq!(content[4].mime_type.as_deref(), Some("text/css"));
        assert!(
            content.iter().all(|one| one.findings.is_empty()),
            "{content:?}"
        );
        assert_eq!(
            structured.unwrap().json.unwrap(),
            r#"{"n": 9007199254740993}"#
        );
    }

    #[test]
    fn one_damaged_block_does_not_hide_the_others() {
        let (content, structured, findings) = result(
            r#"{"content": [7, {"type": "text", "text": 5}, {"type": "hologram"}, {},
                {"type": "image", "data": "not base64!"}, {"type": "text", "text": "\ud800ok"},
                {"type": "resource", "resource": {}}, {"type": "image", "data": "AAAAA", "mimeType": "text/plain"},
                {"type": "text", "text": "fine", "mimeType": 3, "title": []}],
                "structuredContent": [1]}"#,
        );
        assert_eq!(messages(&findings), "`structuredContent` is not an object.");
        assert_eq!(structured.unwrap().bytes, 3);
        for (index, words) in [
            (0, "cannot be read"),
            (1, "`text` is not a string"),
            (2, "`hologram` is unknown"),
            (3, "no `type`"),
            (4, "2 of its characters"),
            (5, "lone surrogate"),
            (6, "neither `text` nor `blob`"),
            (7, "truncated"),
            (8, "`mimeType` is not a string"),
        ] {
            let found = messages(&content[index].findings);
            assert!(found.contains(words), "{index}: {found}");
        }
        assert!(messages(&content[4].findings).contains("no `mimeType`"));
        assert_eq!(content[5].text.as_deref(), Some("\u{fffd}ok"));
        assert_eq!(content[8].text.as_deref(), Some("fine"));
    }

    #[test]
    fn wrong_results_are_told() {
        for (text, words) in [
            ("{}", "no `content`"),
            ("[]", "not a valid tool result"),
            (r#"{"content": {}}"#, "not an array"),
            (
                r#"{"content": [], "content": []}"#,
                "not a valid tool result",
            ),
        ] {
            let (_, _, findings) = result(text);
            assert!(messages(&findings).contains(words), "{text}: {findings:?}");
        }
    }

    #[test]
    fn what_travels_is_bounded() {
        let text = "x".repeat(60_000);
        let block = format!(r#"{{"type": "text", "text": "{text}"}}"#);
        let (content, _, _) = result(&format!(
            r#"{{"content": [{}]}}"#,
            vec![block; 10].join(",")
        ));
        assert_eq!(content.iter().filter(|one| one.text.is_some()).count(), 4);
        assert!(content.iter().all(|one| one.bytes == 60_000));
        let uri = format!("file:///{}", "u".repeat(100_000));
        let link = format!(r#"{{"content": [{{"type": "resource_link", "uri": "{uri}"}}]}}"#);
        let (content, _, _) = result(&link);
        assert_eq!(content[0].uri.as_ref().unwrap().chars().count(), LINE + 1);
        let many = vec![r#"{"type":"text","text":""}"#; 1_500].join(",");
        let (content, _, findings) = result(&format!(r#"{{"content": [{many}]}}"#));
        assert_eq!(content.len(), 1_000);
        assert!(findings[0].message.contains("1500"));
        let long = "y".repeat(70_000);
        let (content, structured, _) = result(&format!(
            r#"{{"content": [{{"type": "text", "text": "{long}"}}], "structuredContent": {{"a": "{}"}}}}"#,
            "z".repeat(300_000)
        ));
        assert_eq!((content[0].text.as_ref(), content[0].bytes), (None, 70_000));
        assert_eq!(structured.unwrap().json, None);
    }

    #[test]
    fn the_contents_of_a_resource_are_blocks_with_bodies() {
        let text = r#"{"contents": [
            {"uri": "x:1", "mimeType": "text/plain", "text": "h\u00e9"},
            {"uri": "x:2", "blob": "_-8="},
            {"mimeType": "a/b"}, 7
        ], "ttlMs": 0}"#;
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let OperationOutcome::Result {
            content,
            findings,
            bytes,
            ..
        } = summarize(&raw, ResultShape::Resource, false)
        else {
            panic!("it is a result");
        };
        assert_eq!((findings.len(), bytes), (0, text.len() as u64));
        assert_eq!(
            (content[0].kind, content[0].uri.as_deref(), content[0].bytes),
            (ContentKind::EmbeddedText, Some("x:1"), 3)
        );
        assert_eq!(content[0].text.as_deref(), Some("hé"));
        assert_eq!(
            (content[1].kind, content[1].bytes),
            (ContentKind::EmbeddedBlob, 2)
        );
        assert!(messages(&content[2].findings).contains("neither `text` nor `blob`"));
        assert!(messages(&content[3].findings).contains("cannot be read"));
        assert_eq!(
            block(&raw, 0).map(block_body),
            Some((BlockBody::Text("hé".into()), Some("text/plain".into())))
        );
        assert_eq!(
            block(&raw, 1).map(block_body),
            Some((BlockBody::Bytes(vec![0xff, 0xef]), None))
        );
        for (text, words) in [
            ("{}", "no `contents`"),
            (r#"{"contents": 3}"#, "not an array"),
            ("[]", "not a valid resource"),
        ] {
            let raw = RawValue::from_string(text.to_owned()).unwrap();
            let outcome = summarize(&raw, ResultShape::Resource, false);
            let OperationOutcome::Result { findings, .. } = outcome else {
                panic!("it is a result");
            };
            assert!(messages(&findings).contains(words), "{text}: {findings:?}");
        }
    }

    #[test]
    fn block_bodies_are_decoded() {
        let raw = RawValue::from_string(
            r#"{"content": [{"type":"text","text":"a\nb"},
                {"type":"image","data":"aGVs\nbG8","mimeType":"image/png"},
                {"type":"resource","resource":{"uri":"x","blob":"_-8=","mimeType":"a/b"}},
                {"type":"resource_link","uri":"x"},{"type":"image","data":"???"}],
                "structuredContent": {"a": 1.50}}"#
                .to_owned(),
        )
        .unwrap();
        let body = |index| block(&raw, index).map(block_body);
        assert_eq!(body(0), Some((BlockBody::Text("a\nb".into()), None)));
        assert_eq!(
            body(1),
            Some((
                BlockBody::Bytes(b"hello".to_vec()),
                Some("image/png".into())
            ))
        );
        assert_eq!(
            body(2),
            Some((BlockBody::Bytes(vec![0xff, 0xef]), Some("a/b".into())))
        );
        assert_eq!(
            body(3),
            Some((
                BlockBody::Json(r#"{"type":"resource_link","uri":"x"}"#.into()),
                None
            ))
        );
        assert_eq!(body(4), Some((BlockBody::Text("???".into()), None)));
        assert_eq!(body(5), None);
        assert_eq!(structured(&raw).unwrap().get(), r#"{"a": 1.50}"#);
    }
}
