//! The last diagnosis of each server.

use std::{collections::HashMap, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::step::{Diagnosis, DiagnosisState};
use crate::{log::WireLog, servers::ServerId};

/// The last diagnosis of each server that was diagnosed since the start of the app.
#[derive(Default)]
pub struct Diagnoses {
    by_server: HashMap<ServerId, DiagnosisRecord>,
    last: u32,
}

/// A diagnosis with its log.
pub(crate) struct DiagnosisRecord {
    pub(super) diagnosis: Diagnosis,
    /// The frames of its connection.
    pub(super) log: Arc<WireLog>,
    pub(super) cancel: CancellationToken,
}

impl Diagnoses {
    /// Returns the diagnosis of a server.
    #[must_use]
    pub fn get(&self, server: &str) -> Option<&Diagnosis> {
        self.by_server.get(server).map(|record| &record.diagnosis)
    }

    pub(super) fn record(&self, server: &str) -> Option<&DiagnosisRecord> {
        self.by_server.get(server)
    }

    /// True while a diagnosis of the server is running.
    pub(super) fn is_running(&self, server: &str) -> bool {
        let running = |one: &Diagnosis| one.state == DiagnosisState::Running;
        self.get(server).is_some_and(running)
    }

    /// Returns the number of the next diagnosis.
    pub(super) fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    pub(crate) fn put(&mut self, record: DiagnosisRecord) {
        self.by_server
            .insert(record.diagnosis.server.clone(), record);
    }

    /// The diagnosis of this number, if it still is the last one.
    pub(super) fn get_mut(&mut self, server: &str, number: u32) -> Option<&mut Diagnosis> {
        let record = self.by_server.get_mut(server)?;
        (record.diagnosis.number == number).then_some(&mut record.diagnosis)
    }

    /// Cancels the diagnosis of a removed server and forgets it. Returns one that had ended.
    pub(crate) fn remove(&mut self, server: &str) -> Option<DiagnosisRecord> {
        let record = self.by_server.remove(server)?;
        record.cancel.cancel();
        (record.diagnosis.state != DiagnosisState::Running).then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::LogLimits;

    #[test]
    fn only_a_diagnosis_that_has_ended_leaves_with_its_server() {
        for (state, leaves) in [
            (DiagnosisState::Done, true),
            (DiagnosisState::Running, false),
        ] {
            let mut all = Diagnoses::default();
            all.put(DiagnosisRecord {
                diagnosis: Diagnosis {
                    server: "s".to_owned(),
                    number: 1,
                    state,
                    name: String::new(),
                    address: String::new(),
                    began: 0,
                    millis: None,
                    steps: Vec::new(),
                },
                log: WireLog::new("s".to_owned(), LogLimits::default()),
                cancel: CancellationToken::new(),
            });
            assert_eq!(all.remove("s").is_some(), leaves, "{state:?}");
            assert!(all.get("s").is_none());
        }
    }
}
