//! Starting, cancelling and reporting diagnoses.

use std::sync::Arc;

use super::{
    examined::Examined,
    list::DiagnosisRecord,
    progress::Progress,
    report::{ReportFormat, report},
    run,
};
use sonde_client::sessions::ConnectInput;

use crate::{Error, Explorer, changes::Change, log::WireLog, servers::ServerId};

impl Explorer {
    /// Tries each step of reaching a server over a separate connection. The user's session is not affected, no tool is
    /// called, and nobody is asked to sign in. Takes at most three minutes; results arrive as changes. Does nothing if
    /// the server is already being diagnosed.
    ///
    /// # Errors
    /// `NotFound`; those of [`Explorer::connect`].
    pub async fn diagnose(&self, server: ServerId) -> Result<(), Error> {
        let core = &self.core;
        let cancel = core.services.closing.child_token();
        let (entry, in_use) = core.state(|state| state.use_config(&server, &cancel))?;
        let confirmed = entry.check_confirmed();
        let examined = Examined::new(entry, Arc::clone(&core.services));
        examined
            .connection
            .check_connect(&ConnectInput::default())?;
        confirmed?;
        let begun = core.state(|state| {
            if core.services.closing.is_cancelled() || state.servers.get(&server).is_none() {
                return Err(Error::NoServer(server.clone()));
            }
            if state.diagnoses.is_running(&server) {
                return Ok(None);
            }
            let diagnosis = examined.diagnosis(state.diagnoses.next());
            state.diagnoses.put(DiagnosisRecord {
                diagnosis: diagnosis.clone(),
                log: Arc::clone(examined.connection.log()),
                cancel: cancel.clone(),
            });
            Ok(Some(diagnosis))
        })?;
        let Some(begun) = begun else { return Ok(()) };
        core.observer.changed(Change::Diagnosis(server));
        let of = Arc::clone(core);
        let log = Arc::clone(examined.connection.log());
        let progress = Progress::new(begun, log, move |now| {
            let record = of.state(|state| {
                let record = state.diagnoses.get_mut(&now.server, now.number)?;
                record.clone_from(now);
                Some(())
            });
            if record.is_some() {
                of.observer.changed(Change::Diagnosis(now.server.clone()));
            }
        });
        core.tasks.spawn(async move {
            run::run(progress, examined, cancel).await;
            drop(in_use);
        });
        Ok(())
    }

    /// Ends the diagnosis of a server that is under way.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub async fn cancel_diagnosis(&self, server: ServerId) -> Result<(), Error> {
        self.core.state(|state| {
            let record = state.diagnoses.record(&server).ok_or(NONE)?;
            record.cancel.cancel();
            Ok(())
        })
    }

    /// The last diagnosis of a server as one page, without secrets.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub async fn diagnosis_report(
        &self,
        server: ServerId,
        format: ReportFormat,
    ) -> Result<String, Error> {
        let (diagnosis, log) = self.core.state(|state| {
            let record = state.diagnoses.record(&server).ok_or(NONE)?;
            Ok::<_, Error>((record.diagnosis.clone(), Arc::clone(&record.log)))
        })?;
        Ok(report(diagnosis, &log, format))
    }

    /// The frames of the last diagnosis of a server.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn diagnosis_log(&self, server: &str) -> Result<Arc<WireLog>, Error> {
        self.core.state(|state| {
            let record = state.diagnoses.record(server).ok_or(NONE)?;
            Ok(Arc::clone(&record.log))
        })
    }
}

const NONE: Error = Error::NotFound("Not diagnosed since Sonde started.");
