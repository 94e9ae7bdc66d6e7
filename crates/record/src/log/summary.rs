//! Summaries of entries. The opener of a view knows the meaning of messages.

use std::sync::Arc;

use sonde_wire::{Body, EntryKind, MessageKind};

use super::ring::Stored;
use super::tally::logger_name;
use super::{LogRow, show};
use crate::text::preview;

/// Summary of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// One line's worth of text; made visible and cut before it is shown.
    pub text: String,
    /// Of a log message: how severe it is, from 0 (debug) to 7 (emergency).
    pub level: Option<u8>,
    /// Of a log message: who inside the server speaks.
    pub logger: Option<String>,
}

/// Summarizes a message of this kind and method (for a response, its request's method). It is called
/// for each row that is shown and has to be quick.
pub type Summarize = fn(MessageKind, Option<&str>, &str) -> Option<Summary>;

/// Characters of a summary.
const LONGEST: usize = 160;

/// Input for an entry's summary, taken out of the log so that nothing is locked meanwhile.
pub(super) enum Unread {
    Nothing,
    /// Finished summary.
    Said(String),
    Message(MessageKind, Option<String>, Arc<String>),
}

impl Unread {
    pub(super) fn of(entry: &Stored) -> Self {
        Self::found(entry).unwrap_or(Self::Nothing)
    }

    fn found(entry: &Stored) -> Option<Self> {
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

    /// Writes into a row what the entry says, every character of it visible.
    pub(super) fn read_into(self, row: &mut LogRow, summarize: Summarize) {
        let said = match self {
            Self::Nothing => return,
            Self::Said(text) => Some(Summary {
                text,
                level: None,
                logger: None,
            }),
            Self::Message(kind, method, text) => summarize(kind, method.as_deref(), &text),
        };
        if let Some(said) = said {
            row.summary = Some(preview(&said.text, LONGEST));
            row.level = said.level;
            row.logger = said.logger.map(|logger| logger_name(&logger));
        }
    }
}

/// Returns the severity of the log message of an entry.
pub(super) fn level(entry: &Stored, summarize: Summarize) -> Option<u8> {
    let (EntryKind::Message, Body::Text(text)) = (&entry.kind, &entry.body) else {
        return None;
    };
    summarize(entry.label.kind?, entry.label.method.as_deref(), text)?.level
}
