//! Entries of one operation as readable text, which can be stored with its run.

use std::fmt::Write as _;

use sonde_wire::{Body, EntryKind};

use super::{WireLog, ring::Stored, show};

/// Limit of the text, in bytes.
const TRANSCRIPT_BYTES: usize = 1024 * 1024;

impl WireLog {
    /// Returns the entries of an operation as text, with the lines that its server wrote to standard error meanwhile;
    /// `first` is its first entry. Each line begins with its direction and the milliseconds since the first. Secrets
    /// are replaced. The text has at most 1 MiB, and its last line says if it was cut. `None` if the log no longer has
    /// all of the entries.
    #[must_use]
    pub fn transcript(&self, operation: u64, first: u64) -> Option<String> {
        let inner = self.lock();
        let ring = &inner.ring;
        let began = ring.get(first).ok()?.micros;
        let is_own = |entry: &Stored| entry.label.operation == Some(operation);
        let entries = || (first..ring.next()).filter_map(|seq| Some((seq, ring.get(seq).ok()?)));
        let (last, _) = entries().rfind(|(_, entry)| is_own(entry))?;
        let mut text = String::new();
        for (_, entry) in entries().take_while(|(seq, _)| *seq <= last) {
            if is_own(entry) || matches!(entry.kind, EntryKind::Stderr) {
                write_entry(&mut text, entry, began);
            }
            if text.len() > TRANSCRIPT_BYTES {
                text.truncate(text.floor_char_boundary(TRANSCRIPT_BYTES));
                text.push_str("\nThe rest was too long to be kept.\n");
                break;
            }
        }
        Some(text)
    }
}

fn write_entry(text: &mut String, entry: &Stored, began: u64) {
    let what = match &entry.kind {
        EntryKind::Stderr => "stderr",
        EntryKind::Note(_) => "note",
        _ if entry.out => "→",
        _ => "←",
    };
    let micros = entry.micros.saturating_sub(began);
    let _ = write!(
        text,
        "{what} +{}.{} ms",
        micros / 1_000,
        micros % 1_000 / 100
    );
    match &entry.kind {
        EntryKind::Message
        | EntryKind::NonMessage
        | EntryKind::Stderr
        | EntryKind::SseControl
        | EntryKind::App => {}
        _ => {
            let _ = write!(text, " {}", show::line(entry));
        }
    }
    if let EntryKind::RequestHead { headers, .. } | EntryKind::ResponseHead { headers, .. } =
        &entry.kind
    {
        for header in headers {
            let _ = write!(text, "\n{}: {}", header.name, header.value);
        }
    }
    match &entry.body {
        Body::Empty => {}
        Body::Text(body) => {
            let _ = write!(text, "\n{body}");
        }
        Body::Bytes(bytes) => {
            let _ = write!(text, "\n{}", String::from_utf8_lossy(bytes));
        }
    }
    text.push_str("\n\n");
}
