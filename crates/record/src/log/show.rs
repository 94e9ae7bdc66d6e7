//! Conversion of entries to rows and details for the window.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use sonde_findings::{FindingView, Severity};
use sonde_wire::{Body, Cause, EntryKind, ExitStatus, Header, Label, MessageKind, Seq};

use super::classify::{Classified, classify};
use super::ring::{Ring, Stored, length};
use super::tally::logger_name;
use super::{LogDetail, LogGroup, LogHeader, LogKind, LogRow};
use crate::text::{preview, visible};

/// Limit in characters of a row's preview.
const PREVIEW: usize = 160;

/// Limit in bytes of the text that a preview is made from: no character takes more than four bytes.
const PREVIEW_BYTES: usize = 4 * 1024;

/// Returns the row of an entry that was dropped since its view was matched.
pub(super) fn dropped_row(seq: u64) -> LogRow {
    LogRow {
        seq,
        kind: LogKind::Note,
        preview: "no longer stored".to_owned(),
        ..LogRow::default()
    }
}

/// Converts an entry to a row, without the summary of its message.
pub(super) fn row(ring: &Ring, seq: u64, entry: &Stored) -> LogRow {
    let classified = classified(entry);
    let method = entry.label.method.as_deref().map(str::to_owned);
    let id = entry.label.id.as_deref().map(str::to_owned);
    let (method, id) = match classified.as_ref() {
        Some(classified) => (
            method.or_else(|| classified.method.clone()),
            id.or_else(|| classified.id.clone()),
        ),
        None => (method, id),
    };
    let kind = kind_with(entry, classified.as_ref());
    let (severity, rule) = worst(entry, ring.muted()).unzip();
    LogRow {
        seq,
        at: entry.at,
        began: entry.began,
        out: entry.out,
        kind,
        error: went_wrong(entry, kind),
        method: method.map(|method| preview(&method, PREVIEW)),
        id: id.map(|id| preview(&id, PREVIEW)),
        bytes: entry.size,
        has_body: length(&entry.body) > 0,
        micros: entry.latency.or_else(|| {
            let answer = ring.get(entry.partner?).ok()?;
            answer.latency
        }),
        partner: entry.partner.or_else(|| ruled_request(entry)),
        no_response: entry.no_response.filter(|_| entry.partner.is_none()),
        operation: entry.label.operation,
        ambiguous: entry.label.ambiguous,
        cause: cause(&entry.label),
        preview: preview(&line(entry), PREVIEW),
        summary: None,
        level: entry.label.level,
        logger: logger(entry),
        group: None,
        findings: u32::try_from(entry.marked(ring.muted()).count()).unwrap_or(u32::MAX),
        severity,
        rule: rule.map(str::to_owned),
    }
}

fn logger(entry: &Stored) -> Option<String> {
    entry.label.logger.as_deref().map(logger_name)
}

/// Returns the worst severity and the id of its first rule, ignoring muted rules.
fn worst<'a>(entry: &'a Stored, muted: &BTreeSet<String>) -> Option<(Severity, &'a str)> {
    let worst = |first: (Severity, &'a str), other: (Severity, &'a str)| match other.0 > first.0 {
        true => other,
        false => first,
    };
    entry.marked(muted).reduce(worst)
}

/// Returns the request that a rule answered, for the remark about it.
fn ruled_request(entry: &Stored) -> Option<u64> {
    matches!(entry.kind, EntryKind::Note(_))
        .then_some(entry.label.answers)
        .flatten()
        .map(|Seq(seq)| seq)
}

/// As [`row`], in a grouped view; also returns the entry with the text of the row. `open` are the groups whose entries
/// are all shown.
pub(super) fn grouped_row<'a>(
    ring: &'a Ring,
    seq: u64,
    entry: &'a Stored,
    open: &HashSet<u64>,
) -> (LogRow, &'a Stored) {
    let mut row = row(ring, seq, entry);
    let Some((id, group)) = entry.group.zip(ring.group(entry)) else {
        return (row, entry);
    };
    if group.leader != seq || group.entries < 2 {
        return (row, entry);
    }
    // A repeated notification came on the stream of an exchange; the group is not that exchange's.
    let is_received = !entry.out && matches!(entry.kind, EntryKind::Message);
    let exchange = ring.exchange(seq, entry).filter(|_| !is_received);
    let open = open.contains(&id);
    let of_itself = exchange.is_some() || open;
    let last = exchange.map_or(group.last, |exchange| exchange.last);
    let last = ring.get(last).unwrap_or(entry);
    let head = |seq: Option<u64>| ring.get(seq?).ok();
    row.group = Some(LogGroup {
        entries: group.entries,
        open,
        until: last.at,
        shown: if of_itself { seq } else { group.last },
        http: exchange
            .and_then(|exchange| head(exchange.head))
            .and_then(request_line),
        status: exchange
            .and_then(|exchange| head(exchange.response))
            .and_then(|response| match response.kind {
                EntryKind::ResponseHead { status, .. } => Some(status),
                _ => None,
            }),
    });
    if of_itself {
        return (row, entry);
    }
    row.preview = preview(&line(last), PREVIEW);
    row.logger = logger(last);
    (row, last)
}

pub(super) fn detail(ring: &Ring, seq: u64, entry: &Stored, curl: bool) -> LogDetail {
    let (summary, headers) = match &entry.kind {
        EntryKind::RequestHead { headers, .. } | EntryKind::ResponseHead { headers, .. } => {
            (Some(visible(&line(entry))), shown_headers(headers))
        }
        EntryKind::Started { .. } | EntryKind::Exited(_) => {
            (Some(visible(&line(entry))), Vec::new())
        }
        EntryKind::Note(text) => (Some(visible(text)), Vec::new()),
        EntryKind::Message
        | EntryKind::NonMessage
        | EntryKind::Stderr
        | EntryKind::SseControl
        | EntryKind::App => (None, Vec::new()),
    };
    LogDetail {
        row: row(ring, seq, entry),
        findings: entry
            .findings
            .iter()
            .map(FindingView::from)
            .chain(entry.of_result.iter().cloned())
            .map(|view| FindingView {
                message: visible(&view.message),
                ..view
            })
            .collect(),
        summary,
        headers,
        dropped: entry.dropped,
        redacted: entry.redacted,
        curl,
    }
}

fn shown_headers(headers: &[Header]) -> Vec<LogHeader> {
    headers
        .iter()
        .map(|header| LogHeader {
            name: visible(&header.name),
            value: visible(&header.value),
        })
        .collect()
}

/// Returns the kind of an entry.
pub(super) fn kind(entry: &Stored) -> LogKind {
    kind_with(entry, classified(entry).as_ref())
}

/// True if something went wrong according to Sonde or the server. An error response counts, even if the refusal is only
/// a result of detection.
pub(super) fn is_error(entry: &Stored) -> bool {
    let classified = classified(entry);
    frame_kind(entry, classified.as_ref()) == LogKind::Error
        || went_wrong(entry, kind_with(entry, classified.as_ref()))
}

fn went_wrong(entry: &Stored, kind: LogKind) -> bool {
    match kind {
        LogKind::Error | LogKind::Invalid | LogKind::NonMessage => true,
        LogKind::Process => match entry.kind {
            // A process that Sonde ended did not fail.
            EntryKind::Exited(_) if entry.label.cause.is_some() => false,
            EntryKind::Exited(ExitStatus::Code(code)) => code != 0,
            EntryKind::Exited(ExitStatus::Signal(_)) => true,
            _ => false,
        },
        LogKind::Request => entry.is_left_without_response(),
        _ => false,
    }
}

/// Classifies an unlabelled message by its members.
pub(super) fn classified(entry: &Stored) -> Option<Classified> {
    match (&entry.kind, &entry.body, entry.label.kind) {
        (EntryKind::Message | EntryKind::App, Body::Text(text), None) => classify(text),
        _ => None,
    }
}

fn kind_with(entry: &Stored, classified: Option<&Classified>) -> LogKind {
    match frame_kind(entry, classified) {
        LogKind::Error | LogKind::Invalid | LogKind::NonMessage if entry.is_of_detection() => {
            LogKind::Response
        }
        kind => kind,
    }
}

fn frame_kind(entry: &Stored, classified: Option<&Classified>) -> LogKind {
    match entry.kind {
        EntryKind::Message => match entry
            .label
            .kind
            .or(classified.map(|classified| classified.kind))
        {
            Some(MessageKind::Request) => LogKind::Request,
            Some(MessageKind::Notification) => LogKind::Notification,
            Some(MessageKind::Response) => LogKind::Response,
            Some(MessageKind::Error) => LogKind::Error,
            Some(MessageKind::Batch) => LogKind::Batch,
            Some(MessageKind::Invalid) | None => LogKind::Invalid,
        },
        // The body of an acknowledgement or an error page, where no message was expected.
        EntryKind::NonMessage if entry.exchange.is_some() && entry.findings.is_empty() => {
            LogKind::Http
        }
        EntryKind::NonMessage => LogKind::NonMessage,
        EntryKind::Stderr => LogKind::Stderr,
        EntryKind::Started { .. } | EntryKind::Exited(_) => LogKind::Process,
        EntryKind::RequestHead { .. } | EntryKind::ResponseHead { .. } => LogKind::Http,
        EntryKind::SseControl => LogKind::Sse,
        EntryKind::Note(_) if entry.label.answers.is_some() => LogKind::Rule,
        EntryKind::Note(_) => LogKind::Note,
        EntryKind::App => LogKind::App,
    }
}

/// Returns the cause of a message that Sonde sent; `None` if the user asked for it.
pub(super) fn cause(label: &Label) -> Option<Cause> {
    label.cause.filter(|cause| *cause != Cause::User)
}

/// Quotes a word for a POSIX shell: unchanged if that is safe, else in single quotes, where only the quote itself is
/// special.
pub(super) fn quoted(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the start of an entry's text, before control characters are made visible.
pub(super) fn line(entry: &Stored) -> Cow<'_, str> {
    match &entry.kind {
        EntryKind::Started { command, pid } => {
            Cow::Owned(format!("started (pid {pid}): {}", command_line(command)))
        }
        EntryKind::Exited(ExitStatus::Code(code)) => {
            Cow::Owned(format!("ended with exit code {code}"))
        }
        EntryKind::Exited(ExitStatus::Signal(signal)) => {
            Cow::Owned(format!("ended by signal {signal}"))
        }
        EntryKind::Exited(ExitStatus::Unknown) => Cow::Borrowed("ended, exit status unknown"),
        EntryKind::RequestHead { verb, url, .. } => Cow::Owned(format!("{} {url}", verb.name())),
        EntryKind::ResponseHead {
            status, version, ..
        } => Cow::Owned(format!("{version} {status}")),
        EntryKind::Note(text) => Cow::Borrowed(text),
        EntryKind::Message
        | EntryKind::NonMessage
        | EntryKind::Stderr
        | EntryKind::SseControl
        | EntryKind::App => start(&entry.body),
    }
}

fn start(body: &Body) -> Cow<'_, str> {
    match body {
        Body::Empty => Cow::Borrowed(""),
        Body::Text(text) => {
            let text = text.trim_start();
            Cow::Borrowed(&text[..text.floor_char_boundary(PREVIEW_BYTES)])
        }
        Body::Bytes(bytes) => String::from_utf8_lossy(&bytes[..bytes.len().min(PREVIEW_BYTES)]),
    }
}

/// Formats a command for reading, as a user would type it.
fn command_line(command: &[String]) -> String {
    command
        .iter()
        .map(|part| quoted(part))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns verb and path of a request head, in at most 160 characters.
pub(super) fn request_line(entry: &Stored) -> Option<String> {
    let EntryKind::RequestHead {
        verb: method, url, ..
    } = &entry.kind
    else {
        return None;
    };
    let behind = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    let path = behind.find(['/', '?']).map_or("/", |at| &behind[at..]);
    Some(preview(&format!("{} {path}", method.name()), 160))
}
