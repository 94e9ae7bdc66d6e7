//! One diagnosis, from the first step to the last.

use std::{sync::Arc, time::Duration};

use sonde_client::Services;
use tokio_util::sync::CancellationToken;

use super::{
    catalog_check,
    connecting::{self, Attempt},
    examined::Examined,
    progress::{Progress, Verdict},
    shutdown_check,
    step::{Diagnosis, DiagnosisState, DiagnosisStepCode as Code},
};
use crate::{clock, log::WireLog, servers::ServerEntry, sessions::ConnectInput};

/// Time limit of all steps together. Each request in them has its own limits.
const LIMIT: Duration = Duration::from_mins(3);
/// Time limit of closing everything that a diagnosis has opened.
const END: Duration = Duration::from_secs(10);

/// Diagnoses one server, as [`Explorer::diagnose`](crate::Explorer::diagnose) does: no tool is called, and nobody is
/// asked to sign in. `changed` sees each step. Returns the diagnosis and the frames of its connection.
pub async fn diagnose(
    entry: ServerEntry,
    services: Arc<Services>,
    cancel: CancellationToken,
    changed: impl Fn(&Diagnosis) + Send + Sync + 'static,
) -> (Diagnosis, Arc<WireLog>) {
    let examined = Examined::new(entry, services);
    let log = Arc::clone(examined.connection.log());
    let progress = Progress::new(examined.diagnosis(1), Arc::clone(&log), changed);
    run(progress.clone(), examined, cancel).await;
    (progress.now(), log)
}

/// Takes all steps.
pub(super) async fn run(progress: Progress, examined: Examined, cancel: CancellationToken) {
    let connection = examined.connection.clone();
    // In a task of its own, so that a fault in it is an end like any other.
    let of = progress.clone();
    let mut task = tokio::spawn(async move { examine(&of, &examined).await });
    let (state, why) = tokio::select! {
        ended = &mut task => match ended {
            Ok(state) => (state, "Not reached: the connection ended before this step."),
            Err(error) => {
                tracing::error!(%error, "a diagnosis broke down");
                progress.break_off("Something went wrong inside Sonde. See the app log for details.");
                (DiagnosisState::Done, "Not reached: the diagnosis ended before this step.")
            }
        },
        () = cancel.cancelled() => (DiagnosisState::Cancelled, "The diagnosis was stopped before this step was done."),
        () = tokio::time::sleep(LIMIT) => (
            DiagnosisState::TimedOut,
            "The diagnosis took more than three minutes and was ended here.",
        ),
    };
    task.abort();
    progress.finish(state, why);
    if tokio::time::timeout(END, connection.close()).await.is_err() {
        tracing::warn!("what a diagnosis opened did not end in time");
    }
}

async fn examine(progress: &Progress, examined: &Examined) -> DiagnosisState {
    let transport = examined.transport();
    connecting::prepare(progress, examined).await;
    let began = clock::micros();
    if let Err(error) = examined.connection.connect(ConnectInput::default()) {
        // It may have passed before.
        progress.overrule(
            *Code::of(transport).first().unwrap_or(&Code::Settings),
            Verdict::fail(error.to_string()).detail(error.detail()),
        );
        return DiagnosisState::Done;
    }
    let mut changes = examined.connection.changes();
    let attempt = loop {
        let attempt = examined.connection.read(Attempt::of);
        connecting::follow(progress, transport, &attempt);
        if attempt.is_settled() {
            break attempt;
        }
        // The sender lives as long as the connection.
        let _ = changes.changed().await;
    };
    connecting::settle(progress, transport, &attempt, began);
    if !attempt.is_ready() {
        return match attempt.is_after_handshake() {
            true => DiagnosisState::Lost,
            false => DiagnosisState::Done,
        };
    }
    catalog_check::examine(progress, examined).await;
    let is_connected = shutdown_check::ping(progress, examined).await;
    shutdown_check::shut_down(progress, examined).await;
    // Covers all output since the first message.
    if let Some(verdict) = shutdown_check::stdout(&progress.log) {
        progress.overrule(Code::Stdout, verdict);
    }
    match is_connected {
        true => DiagnosisState::Done,
        false => DiagnosisState::Lost,
    }
}
