//! Summary and payload of one content block, or of the contents of a resource.

use std::borrow::Cow;

use base64::{
    Engine as _,
    engine::{DecodePaddingMode, general_purpose::GeneralPurposeConfig},
};
use serde::Deserialize;
use serde_json::value::RawValue;
use sonde_findings::{Finding, FindingView, rules};
use sonde_lint::ResultSize;
use sonde_mcp::content_extras;

use super::{
    media::other_media,
    outcome::{ContentBlock, ContentDetails, ContentKind},
    text,
};
use crate::{
    icons::ShownIcons,
    json_error,
    limits::{LINE, NAME, RESULT_URI, cut_text},
    text::cut,
};

/// The longest text of one block that travels with the operation, in bytes.
const INLINE: usize = 64 * 1024;
/// The longest `_meta` of one block that travels with the operation, in bytes.
const META: usize = 4 * 1024;
/// Icons of a link that travel with the operation.
const ICONS: usize = 4;
/// Roles of an audience that are shown.
const ROLES: usize = 10;
/// Lenient decoder: accepts missing padding and bits after the last full group.
const BASE64: base64::engine::GeneralPurpose = base64::engine::GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

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

/// Summarizes a content block of a tool or a prompt. A text longer than `room` bytes is left out.
pub(super) fn summarize_block(raw: &RawValue, room: usize) -> ContentBlock {
    let mut view = ContentBlock::unread(raw);
    let block: Block<'_> = match serde_json::from_str(raw.get()) {
        Ok(block) => block,
        Err(error) => {
            view.add(&unreadable(raw, &error));
            return view;
        }
    };
    let kind = string(block.kind, "type", &mut view.findings).map(Cow::into_owned);
    view.mime_type =
        string(block.mime_type, "mimeType", &mut view.findings).map(|mime| cut(&mime, NAME));
    match kind.as_deref() {
        Some("text") => {
            view.kind = ContentKind::Text;
            put_text(&mut view, block.text, room);
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
            put_uri(&mut view, block.uri, room);
            let title = string(block.title, "title", &mut view.findings);
            let name = string(block.name, "name", &mut view.findings);
            if block.name.is_none() {
                view.add(&missing("name"));
            }
            let description = string(block.description, "description", &mut view.findings);
            let parts: Vec<_> = [title.or(name), description]
                .into_iter()
                .flatten()
                .collect();
            view.title = (!parts.is_empty()).then(|| cut(&parts.join(": "), 500));
        }
        Some("resource") => {
            let before = view.findings.len();
            put_contents(&mut view, block.resource, room);
            FindingView::locate_in("/resource", &mut view.findings[before..]);
        }
        Some(other) => {
            view.add(&Finding::new(&rules::UNKNOWN_CONTENT_TYPE).with("type", other));
        }
        None => view.add(&missing("type")),
    }
    let room = room.saturating_sub(view.inline());
    put_details(&mut view, raw, block.resource, room);
    view
}

/// Summarizes the contents of a resource in the result of a read.
pub(super) fn summarize_contents(raw: &RawValue, room: usize) -> ContentBlock {
    let mut view = ContentBlock::unread(raw);
    put_contents(&mut view, Some(raw), room);
    let room = room.saturating_sub(view.inline());
    put_details(&mut view, raw, None, room);
    view
}

/// Adds annotations, icons and `_meta` as far as there is room for them.
fn put_details(view: &mut ContentBlock, raw: &RawValue, resource: Option<&RawValue>, room: usize) {
    let mut findings = Vec::new();
    let said = content_extras(raw, &mut findings);
    findings.drain(..).for_each(|finding| view.add(&finding));
    let inner = resource.map(|resource| content_extras(resource, &mut findings));
    let before = view.findings.len();
    findings.iter().for_each(|finding| view.add(finding));
    FindingView::locate_in("/resource", &mut view.findings[before..]);
    let meta = |meta: Option<&RawValue>| meta.map(|raw| cut_text(raw.get(), META));
    let link = view.kind == ContentKind::ResourceLink;
    let roles = said.annotations.audience.iter().take(ROLES);
    let mut details = ContentDetails {
        audience: roles.map(|role| cut(role, NAME)).collect(),
        priority: said.annotations.priority,
        last_modified: said.annotations.last_modified.map(|time| cut(&time, NAME)),
        size: said.size.filter(|_| link),
        icons: match link {
            true => ShownIcons::from(&said.icons),
            false => ShownIcons::default(),
        },
        meta: meta(said.meta),
        resource_meta: meta(inner.and_then(|inner| inner.meta)),
    };
    details.icons.first.truncate(ICONS);
    if details == ContentDetails::default() {
        return;
    }
    if details.weight() > room {
        // The result has all of it.
        details.icons.first.clear();
        details.audience.clear();
        details.last_modified = None;
        let metas = [&mut details.meta, &mut details.resource_meta];
        for meta in metas.into_iter().flatten() {
            *meta = "…".to_owned();
        }
    }
    view.details = Some(Box::new(details));
}

/// Adds the summary of a resource's contents: a member of a block, or of the result of a read.
fn put_contents(view: &mut ContentBlock, resource: Option<&RawValue>, room: usize) {
    let Some(resource) = resource else {
        view.add(&missing("resource"));
        return;
    };
    let inner: Block<'_> = match serde_json::from_str(resource.get()) {
        Ok(inner) => inner,
        Err(error) => {
            view.add(&unreadable(resource, &error));
            return;
        }
    };
    put_uri(view, inner.uri, room);
    if let Some(mime) = string(inner.mime_type, "mimeType", &mut view.findings) {
        view.mime_type = Some(cut(&mime, NAME));
    }
    if inner.text.is_some() && inner.blob.is_some() {
        view.add(&Finding::new(&rules::TEXT_AND_BLOB));
    }
    if inner.text.is_some() {
        view.kind = ContentKind::EmbeddedText;
        put_text(view, inner.text, room);
    } else if inner.blob.is_some() {
        view.kind = ContentKind::EmbeddedBlob;
        put_data(view, inner.blob, "blob");
    } else {
        view.add(&Finding::new(&rules::EMPTY_RESOURCE));
    }
}

/// Decodes a member that should be a string, and records a finding if it is none.
pub(super) fn string<'a>(
    raw: Option<&'a RawValue>,
    name: &str,
    findings: &mut Vec<FindingView>,
) -> Option<Cow<'a, str>> {
    let decoded = text::decode(raw?.get());
    let repaired = decoded.as_ref().map(|(_, repaired)| *repaired);
    judge_string(repaired, name, findings);
    decoded.map(|(text, _)| text)
}

/// Judges a member that should be a string: `None` if it is none, and true if it had to be repaired.
fn judge_string(repaired: Option<bool>, name: &str, findings: &mut Vec<FindingView>) {
    let rule = match repaired {
        Some(false) => return,
        Some(true) => &rules::LONE_SURROGATE,
        None => &rules::BAD_CONTENT_MEMBER,
    };
    let finding = Finding::new(rule).with("member", name).in_member(name);
    findings.push(FindingView::from(&finding));
}

fn put_text(view: &mut ContentBlock, raw: Option<&RawValue>, room: usize) {
    let Some(raw) = raw else {
        view.add(&missing("text"));
        return;
    };
    // A long text is measured, but not put together.
    let most = INLINE.min(room);
    let mut text = String::new();
    let (mut bytes, mut size) = (0, ResultSize::default());
    let repaired = text::decode_parts(raw.get(), |part| {
        bytes += part.len();
        size.add(part);
        if bytes <= most {
            text.push_str(part);
        }
    });
    judge_string(repaired, "text", &mut view.findings);
    if repaired.is_some() {
        view.bytes = bytes as u64;
        view.text = (bytes <= most).then_some(text);
        view.size = size;
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
            if data
                .get(..5)
                .is_some_and(|begin| begin.eq_ignore_ascii_case("data:"))
            {
                view.add(&not_base64(name, "it is a `data:` URI"));
            } else if odd > 0 {
                let verb = if odd == 1 { "is" } else { "are" };
                view.add(&not_base64(
                    name,
                    format!("{odd} of its characters {verb} invalid"),
                ));
            } else if data.trim_end_matches('=').len() % 4 == 1 {
                view.add(&not_base64(name, "it is truncated"));
            }
        }
        None if raw.is_none() => view.add(&missing(name)),
        None => {}
    }
}

/// Adds a URI. A long one needs room, as a text does.
fn put_uri(view: &mut ContentBlock, raw: Option<&RawValue>, room: usize) {
    let longest = if room < RESULT_URI { LINE } else { RESULT_URI };
    view.uri = string(raw, "uri", &mut view.findings).map(|uri| cut(&uri, longest));
    if view.uri.is_none() {
        view.add(&missing("uri"));
    }
}

fn need_mime(view: &mut ContentBlock, family: &str) {
    match &view.mime_type {
        None => view.add(&missing("mimeType")),
        Some(mime) if !is_of_family(mime, family) => {
            let wrong = Finding::new(&rules::WRONG_MIME_TYPE)
                .with("mime_type", mime)
                .with("family", family);
            view.add(&wrong);
        }
        Some(_) => {}
    }
}

/// Types compare without case (RFC 9110, section 8.3.1).
fn is_of_family(mime: &str, family: &str) -> bool {
    let (kind, _) = mime.split_once('/').unwrap_or((mime, ""));
    kind.trim().eq_ignore_ascii_case(family)
}

/// Returns the finding for a block that is not an object, or repeats a member.
fn unreadable(raw: &RawValue, error: &serde_json::Error) -> Finding {
    let problem = match raw.get().as_bytes().first() {
        Some(b'{') => json_error::words(error),
        // serde reads an array as the members of an object.
        Some(b'[') => "it is an array, not an object".to_owned(),
        _ => json_error::words(error),
    };
    Finding::new(&rules::BAD_CONTENT_BLOCK).with("problem", problem)
}

/// Returns the finding for a missing member.
fn missing(member: &str) -> Finding {
    Finding::new(&rules::MISSING_CONTENT_MEMBER).with("member", member)
}

fn not_base64(member: &str, problem: impl ToString) -> Finding {
    Finding::new(&rules::BAD_BASE64)
        .with("member", member)
        .with("problem", problem)
        .in_member(member)
}

impl ContentBlock {
    /// Creates a block that is not yet summarized.
    pub(super) fn unread(raw: &RawValue) -> Self {
        Self {
            bytes: raw.get().len() as u64,
            ..Self::default()
        }
    }

    /// Bytes of its long members.
    pub(super) fn inline(&self) -> usize {
        let details = self.details.as_ref().map_or(0, |details| details.weight());
        let uri = self.uri.as_ref().map_or(0, String::len);
        let long_uri = if uri > LINE { uri } else { 0 };
        self.text.as_ref().map_or(0, String::len) + long_uri + details
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

/// The payload of a content block, in the member that its type names: texts decoded, Base64 decoded.
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
    let (written, encoded) = match text(block.kind).as_deref() {
        Some("image" | "audio") if block.data.is_some() => (None, block.data),
        Some("resource") if block.resource.is_some() => (inner.text, inner.blob),
        // Contents of a resource have no type.
        None | Some("text" | "image" | "audio" | "resource") => (block.text, block.blob),
        Some(_) => (None, None),
    };
    let body = if let Some(text) = text(written) {
        BlockBody::Text(text)
    } else if let Some(data) = text(encoded) {
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
    // Line breaks and the URL alphabet are wrong here, but the meaning is clear.
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
