//! A response that is a stream of server-sent events.

use std::fmt::Write as _;

use super::{body::Body, exchange::Exchange};
use sonde_findings::{Finding, rules};

use crate::{
    EntryKind, Incoming, WireError,
    sse::{Control, Decoder, Event, Incomplete, Item},
    text::text,
    unfinished::Unfinished,
};

impl Exchange {
    /// Records and delivers every event as it arrives.
    pub(super) async fn read_events(&self, mut body: Body) -> Result<(), WireError> {
        let mut decoder = Decoder::new(self.limits);
        let mut unfinished = Unfinished::new(&self.room);
        let ended = loop {
            match body.chunk().await {
                Ok(Some(chunk)) => decoder.push(&chunk),
                Ok(None) => break Ok(()),
                Err(error) => break Err(self.broken(error)),
            }
            while let Some(item) = decoder.next_item() {
                match item {
                    Item::Event(event) => self.event(event).await,
                    Item::Control(control) => self.control(control).await,
                    Item::Comment(comment) => {
                        let (body, _) =
                            text(format!(":{comment}").into_bytes(), false, &mut Vec::new());
                        self.record(EntryKind::SseControl, body, Vec::new());
                    }
                }
            }
            if !unfinished.resize(decoder.held()) {
                break Err(self.crowded());
            }
        };
        // An event without its blank line is no event (protocol: SSE parsing).
        if let Some(Incomplete { mut data, line }) = decoder.finish() {
            data.extend_from_slice(&line);
            let mut found = match &ended {
                // Sonde ended the stream.
                Err(WireError::Crowded { .. } | WireError::Idle { .. }) => Vec::new(),
                _ => vec![Finding::new(&rules::SSE_INCOMPLETE_EVENT)],
            };
            let (body, _) = text(data, true, &mut found);
            self.record(EntryKind::NonMessage, body, found);
        }
        ended
    }

    async fn event(&self, event: Event) {
        let Event {
            name,
            data,
            id,
            sets_id,
            retry,
            cut,
            findings: mut found,
        } = event;
        let event_id = id.filter(|_| sets_id);
        if let Some(cut) = cut {
            self.oversized(data, cut.message_id, cut.size, found).await;
            return;
        }
        let first = data.trim_ascii_start().first().copied();
        let named = name.as_deref().is_some_and(|name| name != "message");
        if named || first.is_none() {
            // A priming event has an id and no data: the id counts, but there is no message (protocol: Streamable HTTP,
            // resumability).
            let mut shown = fields(name.as_deref(), event_id.as_deref(), retry);
            let (_, data) = text(data, false, &mut found);
            for line in data.split('\n') {
                let _ = writeln!(shown, "data: {line}");
            }
            let body = crate::Body::Text(shown.trim_end().to_owned().into());
            let seq = self.record(EntryKind::SseControl, body, found);
            self.report(Incoming::Event {
                exchange: self.id,
                name,
                data: data.as_str().to_owned(),
                event_id,
                retry,
                seq,
            })
            .await;
            return;
        }
        if !matches!(first, Some(b'{' | b'[')) {
            found.push(Finding::new(&rules::BODY_NOT_A_MESSAGE));
            let (body, _) = text(data, false, &mut found);
            self.record(EntryKind::NonMessage, body, found);
            return;
        }
        if retry.is_some() {
            self.control(Control {
                name: None,
                id: None,
                retry,
                findings: Vec::new(),
            })
            .await;
        }
        self.message(data, event_id, found).await;
    }

    async fn control(&self, control: Control) {
        let Control {
            name,
            id,
            retry,
            findings,
        } = control;
        let shown = fields(name.as_deref(), id.as_deref(), retry);
        let body = crate::Body::Text(shown.trim_end().to_owned().into());
        let seq = self.record(EntryKind::SseControl, body, findings);
        self.report(Incoming::Event {
            exchange: self.id,
            name,
            data: String::new(),
            event_id: id,
            retry,
            seq,
        })
        .await;
    }
}

/// Formats the fields of an event as in a stream.
fn fields(name: Option<&str>, id: Option<&str>, retry: Option<u64>) -> String {
    let mut text = String::new();
    for (field, value) in [("event", name), ("id", id)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{field}: {value}");
        }
    }
    if let Some(retry) = retry {
        let _ = writeln!(text, "retry: {retry}");
    }
    text
}
