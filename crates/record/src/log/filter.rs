//! Filter of the entries that a view shows.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use sonde_wire::{Body, EntryKind};

use super::ring::{Stored, length};
use super::summary::{Summarize, Unread};
use super::{LogFilter, LogKind, show, tally};
use crate::text::Needle;

/// A filter prepared for matching.
#[derive(Debug)]
pub(super) struct Filter {
    wanted: LogFilter,
    needle: Option<Needle>,
    summarize: Summarize,
}

/// Searchable parts of an entry, copied from the log so that the search holds no lock.
#[derive(Debug)]
pub(super) struct Searched {
    method: Option<Arc<str>>,
    id: Option<Arc<str>>,
    /// The text of an entry whose text is not its body.
    line: Option<String>,
    body: Body,
    unread: Unread,
}

/// Result of [`Filter::test`].
#[derive(Debug)]
pub(super) enum Match {
    Yes,
    No,
    /// The result depends on a search of the text.
    Search(Searched),
}

impl Filter {
    pub(super) fn new(wanted: LogFilter, summarize: Summarize) -> Self {
        Self {
            needle: Needle::new(&wanted.text),
            wanted,
            summarize,
        }
    }

    /// True if every entry passes.
    pub(super) fn is_empty(&self) -> bool {
        self.wanted == LogFilter::default()
    }

    /// True if every entry passes except those that another entry stands for.
    pub(super) fn is_grouped(&self) -> bool {
        let all = LogFilter {
            grouped: true,
            ..LogFilter::default()
        };
        self.wanted == all
    }

    /// Tests everything but the text. Rules with the ids in `muted` mark no entry.
    pub(super) fn test(&self, entry: &Stored, muted: &BTreeSet<String>) -> Match {
        let wanted = &self.wanted;
        let mut broken = entry.broken_rules();
        if (wanted.findings_only && entry.marked(muted).next().is_none())
            || wanted
                .rule
                .as_ref()
                .is_some_and(|rule| !broken.any(|broken| broken == rule))
            || wanted.out.is_some_and(|out| out != entry.out)
            || wanted
                .operation
                .is_some_and(|operation| entry.label.operation != Some(operation))
            || wanted.logger.as_ref().is_some_and(|wanted| {
                let logger = entry.label.logger.as_deref();
                logger.is_none_or(|logger| tally::logger_name(logger) != *wanted)
            })
            || !self.kind_or_method_passes(entry)
            || wanted
                .least_level
                .is_some_and(|least| entry.label.level.is_none_or(|level| level < least))
        {
            return Match::No;
        }
        if self.needle.is_none() {
            return Match::Yes;
        }
        Match::Search(Searched {
            method: entry.label.method.clone(),
            id: entry.label.id.clone(),
            line: match &entry.kind {
                EntryKind::Message
                | EntryKind::NonMessage
                | EntryKind::Stderr
                | EntryKind::SseControl
                | EntryKind::App => None,
                EntryKind::RequestHead { headers, .. }
                | EntryKind::ResponseHead { headers, .. } => {
                    let mut text = show::line(entry).into_owned();
                    for header in headers {
                        text.push_str(&format!("\n{}: {}", header.name, header.value));
                    }
                    Some(text)
                }
                EntryKind::Started { .. } | EntryKind::Exited(_) | EntryKind::Note(_) => {
                    Some(show::line(entry).into_owned())
                }
            },
            body: entry.body.clone(),
            unread: Unread::of(entry),
        })
    }

    fn kind_or_method_passes(&self, entry: &Stored) -> bool {
        let (kinds, methods) = (&self.wanted.kinds, &self.wanted.methods);
        let errors = self.wanted.errors;
        let kind = || {
            kinds.contains(&show::kind(entry))
                || (entry.label.app && kinds.contains(&LogKind::App))
                || (errors && show::is_error(entry))
        };
        if self.wanted.either {
            return kind() || self.method_passes(entry);
        }
        ((kinds.is_empty() && !errors) || kind())
            && (methods.is_empty() || self.method_passes(entry))
    }

    fn method_passes(&self, entry: &Stored) -> bool {
        let methods = &self.wanted.methods;
        match &entry.label.method {
            Some(method) => methods.iter().any(|wanted| **wanted == **method),
            None => show::classified(entry)
                .and_then(|classified| classified.method)
                .is_some_and(|method| methods.contains(&method)),
        }
    }

    /// Searches the text as received, then the summary, where the text of a message is decoded.
    pub(super) fn finds(&self, searched: &Searched) -> bool {
        let Some(needle) = &self.needle else {
            return true;
        };
        let short = [&searched.method, &searched.id];
        short.into_iter().flatten().any(|text| needle.is_in(text))
            || searched
                .line
                .as_ref()
                .is_some_and(|line| needle.is_in(line))
            || match &searched.body {
                Body::Empty => false,
                Body::Text(text) => needle.is_in(text),
                Body::Bytes(bytes) => {
                    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
                    needle.is_in(&text)
                }
            }
            || (searched.unread.read(self.summarize)).is_some_and(|summary| needle.is_in(&summary))
    }
}

impl Searched {
    pub(super) fn bytes(&self) -> usize {
        length(&self.body)
    }
}
