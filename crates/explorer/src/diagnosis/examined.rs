//! The server that is diagnosed.

use std::sync::Arc;

use sonde_client::{Connection, ConnectionOptions, Services};

use super::step::{Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, StepOutcome};
use crate::{
    clock,
    limits::{LINE, redact_and_cut},
    servers::{ServerEntry, Transport, address},
};

/// The server of a diagnosis, with a separate connection.
#[derive(Clone)]
pub(super) struct Examined {
    pub(super) connection: Connection,
    pub(super) entry: ServerEntry,
    pub(super) services: Arc<Services>,
}

impl Examined {
    /// Creates the separate connection, which does not affect the user's session and asks nobody to sign in.
    pub(super) fn new(entry: ServerEntry, services: Arc<Services>) -> Self {
        let connection = Connection::new(ConnectionOptions {
            log_level: entry.log_level,
            muted: entry.muted(),
            ..ConnectionOptions::new(
                entry.id.clone(),
                entry.config.clone(),
                Arc::clone(&services),
            )
        });
        Self {
            connection,
            entry,
            services,
        }
    }

    pub(super) fn transport(&self) -> &Transport {
        &self.entry.config.transport
    }

    /// The diagnosis with this number, before its first step.
    pub(super) fn diagnosis(&self, number: u32) -> Diagnosis {
        let steps = DiagnosisStepCode::of(self.transport()).into_iter();
        Diagnosis {
            server: self.entry.id.clone(),
            number,
            state: DiagnosisState::Running,
            name: self.entry.config.name.clone(),
            address: redact_and_cut(&address(self.transport()), LINE, self.connection.log()),
            began: clock::millis(),
            millis: None,
            steps: steps.map(waiting).collect(),
        }
    }
}

fn waiting(code: DiagnosisStepCode) -> DiagnosisStep {
    DiagnosisStep {
        code,
        title: code.title().to_owned(),
        outcome: StepOutcome::Waiting,
        tried: String::new(),
        found: String::new(),
        millis: None,
        fix: Vec::new(),
        detail: Vec::new(),
    }
}
