//! One diagnosis, from the first step to the last.

use std::{sync::Arc, time::Duration};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    catalog_check,
    connecting::{self, Attempt},
    progress::{Progress, Verdict},
    shutdown_check,
    step::{DiagnosisState, DiagnosisStepCode as Code},
};
use crate::{Explorer, clock, servers::Transport};

/// Time limit of all steps together. Each request in them has limits of its own.
const LIMIT: Duration = Duration::from_mins(3);
/// Time limit of closing everything that a diagnosis has opened.
const END: Duration = Duration::from_secs(10);

/// Takes all steps. `explorer` has the one server and nothing else, and `wake` hears what changes there.
pub(super) async fn run(
    progress: Progress,
    explorer: Explorer,
    transport: Transport,
    wake: Arc<Notify>,
    cancel: CancellationToken,
) {
    // In a task of its own, so that a fault in it is an end like any other.
    let (examined, of) = (explorer.clone(), progress.clone());
    let mut task = tokio::spawn(async move { examine(&of, &examined, &transport, &wake).await });
    let (state, why) = tokio::select! {
        ended = &mut task => match ended {
            Ok(()) => (DiagnosisState::Done, "Not reached: the connection ended before this step."),
            Err(error) => {
                tracing::error!(%error, "a diagnosis broke down");
                progress.break_off("Something went wrong inside Sonde. See the app log for details.");
                (DiagnosisState::Done, "Not reached: the diagnosis ended before this step.")
            }
        },
        () = cancel.cancelled() => (DiagnosisState::Cancelled, "You cancelled the diagnosis before this step was done."),
        () = tokio::time::sleep(LIMIT) => (
            DiagnosisState::TimedOut,
            "The diagnosis took more than three minutes and was ended here.",
        ),
    };
    task.abort();
    progress.finish(state, why);
    let closing = async {
        explorer.end_session(&progress.server).await;
        for auth in explorer.core.server_auths.all() {
            auth.tokens.close().await;
        }
        explorer.core.closing.cancel();
        explorer.core.tasks.close();
        explorer.core.tasks.wait().await;
    };
    if tokio::time::timeout(END, closing).await.is_err() {
        tracing::warn!("what a diagnosis opened did not end in time");
    }
}

async fn examine(progress: &Progress, explorer: &Explorer, transport: &Transport, wake: &Notify) {
    let server = progress.server.clone();
    connecting::prepare(progress, explorer, transport).await;
    let began = clock::micros();
    if let Err(error) = explorer.connect(server.clone(), None).await {
        // It may have passed before.
        progress.overrule(
            *Code::of(transport).first().unwrap_or(&Code::Settings),
            Verdict::fail(error.to_string()).detail(error.detail()),
        );
        return;
    }
    let attempt = loop {
        let attempt = explorer.read(|state| Attempt::of(state, &server));
        let Some(attempt) = attempt else { return };
        connecting::follow(progress, transport, &attempt);
        if attempt.is_settled() {
            break attempt;
        }
        wake.notified().await;
    };
    connecting::settle(progress, transport, &attempt, began);
    if !attempt.is_ready() {
        return;
    }
    catalog_check::examine(progress, explorer, wake).await;
    shutdown_check::ping(progress, explorer, wake).await;
    shutdown_check::shut_down(progress, explorer, transport).await;
    // What was written since the first message.
    if let Some(verdict) = shutdown_check::stdout(&progress.log) {
        progress.overrule(Code::Stdout, verdict);
    }
}
