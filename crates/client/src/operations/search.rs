//! Searching the operations of a server.

use std::sync::Arc;

use sonde_wire::TextPart;

use super::{history::OperationRecord, operation::OperationNumber, outcome::OperationOutcome};
use crate::{Connection, Error, text::Needle};

/// Searchable texts of an operation, copied out of the history so that the search holds no lock.
struct SearchableTexts {
    number: OperationNumber,
    short: Vec<String>,
    arguments: Option<Arc<String>>,
    params: Option<Arc<String>>,
    result: Option<TextPart>,
    error: Option<Arc<String>>,
}

impl SearchableTexts {
    fn of(record: &OperationRecord) -> Self {
        let label = &record.label;
        let texts = [&record.target, &record.title, &label.name, &label.note];
        let mut short: Vec<String> = texts.into_iter().flatten().cloned().collect();
        short.push(record.method.clone());
        short.extend(record.task.as_ref().map(|task| task.id.clone()));
        match &record.outcome {
            Some(
                OperationOutcome::BadShape { problem: text }
                | OperationOutcome::Lost { reason: text, .. }
                | OperationOutcome::ProtocolError { message: text, .. },
            ) => short.push(text.clone()),
            Some(OperationOutcome::TimedOut { .. }) => short.push("timed out".to_owned()),
            Some(OperationOutcome::Sent) => short.push("sent".to_owned()),
            Some(OperationOutcome::Cancelled) => short.push("cancelled".to_owned()),
            Some(OperationOutcome::StoppedWaiting) => short.push("stopped waiting".to_owned()),
            Some(OperationOutcome::Result { .. }) | None => {}
        }
        Self {
            number: record.number,
            short,
            arguments: record.arguments.clone(),
            params: record.params.clone(),
            result: record.result.clone(),
            error: record.error.clone(),
        }
    }

    fn has(&self, needle: &Needle) -> bool {
        let long = [&self.arguments, &self.params, &self.error]
            .into_iter()
            .flatten();
        self.short.iter().any(|text| needle.is_in(text))
            || long.into_iter().any(|text| needle.is_in(text))
            || self
                .result
                .as_ref()
                .is_some_and(|raw| needle.is_in(raw.get()))
    }
}

impl Connection {
    /// The operations of a server that match a search, the newest first: every word must be found,
    /// ignoring case, in the method, target, title, name, note, arguments, result or error. An empty search
    /// finds all.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn search_operations(&self, search: String) -> Result<Vec<OperationNumber>, Error> {
        let needles: Vec<Needle> = search.split_whitespace().filter_map(Needle::new).collect();
        let all: Vec<SearchableTexts> = self
            .core
            .state(|state| state.operations.iter().map(SearchableTexts::of).collect());
        // Up to 256 MiB of results.
        let found = tokio::task::spawn_blocking(move || {
            let matching = all
                .iter()
                .rev()
                .filter(|one| needles.iter().all(|needle| one.has(needle)));
            matching.map(|one| one.number).collect()
        });
        found.await.map_err(Error::internal)
    }
}
