//! What went over the wire, for whoever reads why a scenario failed.

use sonde_wire::{Annotation, Body, Direction, Entry, EntryKind, NoTap, Seq, Tap};

/// Writes every entry to standard error, which the suite keeps beside its results.
#[derive(Default)]
pub(crate) struct Transcript(NoTap);

impl Tap for Transcript {
    fn record(&self, entry: Entry) -> Seq {
        let way = match entry.direction {
            Direction::Out => '>',
            Direction::In => '<',
        };
        let exchange = entry.exchange.map_or(0, |exchange| exchange.0);
        let what = match &entry.kind {
            EntryKind::Message => String::new(),
            EntryKind::RequestHead { verb, headers, .. } => {
                // Names and values of the protocol's own headers only: others may be secrets.
                let shown = headers.iter().filter(|header| {
                    let name = header.name.to_ascii_lowercase();
                    name.starts_with("mcp-") || name == "last-event-id"
                });
                let shown: Vec<_> = shown
                    .map(|header| format!("{}: {}", header.name, header.value))
                    .collect();
                format!("{verb:?} {}", shown.join(", "))
            }
            EntryKind::ResponseHead { status, .. } => format!("status {status}"),
            EntryKind::Note(note) => format!("({note})"),
            other => format!("{other:?}"),
        };
        let body = match &entry.body {
            Body::Empty => String::new(),
            Body::Text(text) => text.chars().take(2_000).collect(),
            Body::Bytes(bytes) => format!("{} bytes", bytes.len()),
        };
        eprintln!("{way} #{exchange} {what}{body}");
        self.0.record(entry)
    }

    fn annotate(&self, seq: Seq, annotation: Annotation) {
        for finding in &annotation.findings {
            eprintln!("! {}: {}", finding.code, finding.message);
        }
        self.0.annotate(seq, annotation);
    }
}
