//! Summaries of entries. Whoever opens a view provides the function that understands messages.

use std::sync::Arc;

use sonde_wire::{Body, EntryKind, MessageKind};

use super::ring::Stored;
use super::{LogRow, show};
use crate::text::preview;

/// Summarizes a message of this kind and method (for a response, its request's method) in one line, which is made
/// visible and cut before it is shown. Called for each row that is shown, and for each entry that a search does not
/// find otherwise, so it must be fast.
pub type Summarize = fn(MessageKind, Option<&str>, &str) -> Option<String>;

/// Limit in characters of a summary.
const LONGEST: usize = 160;

/// Input for an entry's summary, copied from the log so that no lock is held meanwhile.
#[derive(Debug)]
pub(super) enum Unread {
    Nothing,
    /// Finished summary.
    Said(String),
    Message(MessageKind, Option<String>, Arc<String>),
}

impl Unread {
    pub(super) fn of(entry: &Stored) -> Self {
        Self::of_entry(entry).unwrap_or(Self::Nothing)
    }

    fn of_entry(entry: &Stored) -> Option<Self> {
        match (&entry.kind, &entry.body) {
            (EntryKind::Message, Body::Text(text)) => {
                let classified = show::classified(entry);
                let kind = classified.as_ref().map(|classified| classified.kind);
                let method = entry.label.method.as_deref().map(str::to_owned);
                Some(Self::Message(
                    entry.label.kind.or(kind)?,
                    method.or_else(|| classified?.method),
                    Arc::clone(text),
                ))
            }
            (EntryKind::RequestHead { .. }, _) => show::request_line(entry).map(Self::Said),
            (
                EntryKind::ResponseHead {
                    status, headers, ..
                },
                _,
            ) => {
                let media_type = headers
                    .iter()
                    .find(|header| header.name.eq_ignore_ascii_case("content-type"));
                let media_type = media_type.map_or("", |header| &header.value);
                Some(Self::Said(format!("{status} {media_type}")))
            }
            _ => None,
        }
    }

    /// Returns the summary of the entry.
    pub(super) fn read(&self, summarize: Summarize) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Said(text) => Some(text.clone()),
            Self::Message(kind, method, text) => summarize(*kind, method.as_deref(), text),
        }
    }

    /// Writes the summary of the entry into a row, with every character visible.
    pub(super) fn read_into(&self, row: &mut LogRow, summarize: Summarize) {
        let said = self.read(summarize);
        row.summary = said.map(|said| preview(&said, LONGEST));
    }
}
