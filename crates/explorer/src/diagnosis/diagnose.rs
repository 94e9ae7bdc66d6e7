//! Starting, cancelling and reporting diagnoses.

use std::sync::Arc;

use super::{
    examined::Examined,
    list::Kept,
    progress::Progress,
    report::{ReportFormat, report},
    run,
    step::{Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, StepOutcome},
};
use sonde_client::{Connection, ConnectionOptions, sessions::ConnectInput};

use crate::{
    Error, Explorer,
    changes::Change,
    clock,
    limits::{LINE, NAME, shown},
    log::{WireLog, fingerprint},
    servers::{ServerId, address, url_secrets},
};

impl Explorer {
    /// Tries each step of reaching a server over a connection of its own. The session of the user is not touched, no
    /// tool is called, and nobody is asked to sign in. Takes three minutes at most; what comes of it arrives as
    /// changes. While one of this server is under way nothing happens.
    ///
    /// # Errors
    /// `NotFound`; those of [`Explorer::connect`].
    pub async fn diagnose(&self, server: ServerId) -> Result<(), Error> {
        let core = &self.core;
        let entry = core.server(&server)?;
        let transport = entry.config.transport.clone();
        // A connection of its own, so that the user's session is not disturbed, and nobody is there to sign in.
        let connection = Connection::new(ConnectionOptions {
            server: server.clone(),
            config: entry.config.clone(),
            log_level: entry.log_level,
            muted: entry.muted(),
            with_user: false,
            owner: Arc::new(()),
            services: Arc::clone(&core.services),
        });
        connection.check_connect(&ConnectInput::default())?;
        if !entry.is_confirmed() {
            return Err(Error::NotConfirmed { changed: false });
        }
        let log = Arc::clone(connection.log());
        let cancel = core.services.closing.child_token();
        let number = core.state(|state| {
            if core.services.closing.is_cancelled() || state.servers.get(&server).is_none() {
                return Err(Error::NoServer(server.clone()));
            }
            if state.diagnoses.is_running(&server) {
                return Ok(None);
            }
            let number = state.diagnoses.next();
            state.diagnoses.put(Kept {
                diagnosis: Diagnosis {
                    server: server.clone(),
                    number,
                    state: DiagnosisState::Running,
                    name: entry.config.name.clone(),
                    address: shown(&address(&transport), LINE, &log),
                    began: clock::millis(),
                    millis: None,
                    steps: DiagnosisStepCode::of(&transport)
                        .into_iter()
                        .map(waiting)
                        .collect(),
                },
                log: Arc::clone(&log),
                cancel: cancel.clone(),
            });
            Ok(Some(number))
        })?;
        let Some(number) = number else { return Ok(()) };
        core.observer.changed(Change::Diagnosis(server.clone()));
        let progress = Progress {
            core: Arc::clone(core),
            server,
            number,
            log,
        };
        let examined = Examined {
            connection,
            entry,
            services: Arc::clone(&core.services),
        };
        core.tasks.spawn(run::run(progress, examined, cancel));
        Ok(())
    }

    /// Ends the diagnosis of a server that is under way.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub async fn cancel_diagnosis(&self, server: ServerId) -> Result<(), Error> {
        self.core.state(|state| {
            let kept = state.diagnoses.kept(&server).ok_or(NONE)?;
            kept.cancel.cancel();
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
            let kept = state.diagnoses.kept(&server).ok_or(NONE)?;
            Ok::<_, Error>((kept.diagnosis.clone(), Arc::clone(&kept.log)))
        })?;
        Ok(report(without_secrets(diagnosis, &log), format))
    }

    /// The frames of the last diagnosis of a server.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    pub fn diagnosis_log(&self, server: &str) -> Result<Arc<WireLog>, Error> {
        self.core.state(|state| {
            let kept = state.diagnoses.kept(server).ok_or(NONE)?;
            Ok(Arc::clone(&kept.log))
        })
    }
}

const NONE: Error = Error::NotFound("Not diagnosed since Sonde started.");

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

/// Removes secrets. Some may have become known only after a text with them was written down; texts in URLs that look
/// like secrets are removed too.
fn without_secrets(mut diagnosis: Diagnosis, log: &WireLog) -> Diagnosis {
    let clean = |text: &mut String| {
        *text = shown(text, LINE * 4, log);
        for secret in url_secrets(text).into_iter().rev() {
            let mark = fingerprint(&text[secret.range.clone()]);
            text.replace_range(secret.range, &mark);
        }
    };
    diagnosis.name = shown(&diagnosis.name, NAME, log);
    clean(&mut diagnosis.address);
    for step in &mut diagnosis.steps {
        clean(&mut step.tried);
        clean(&mut step.found);
        step.fix.iter_mut().for_each(clean);
        step.detail.iter_mut().for_each(clean);
    }
    diagnosis
}
