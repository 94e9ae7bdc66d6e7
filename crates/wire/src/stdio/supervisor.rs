//! The task that owns the process: it waits for its exit, or ends it step by step.

use std::{sync::Arc, time::Duration};

use sonde_findings::{Finding, rules};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use super::{Group, ShutdownTimeouts, event};
use crate::{Cause, Closed, EntryKind, ExitStatus, Incoming, Tap, queue::Sender};

/// Limit for the exit of a process that was killed or that is exiting by itself.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct Supervisor {
    pub(super) group: Group,
    pub(super) shutdown: ShutdownTimeouts,
    pub(super) incoming: Sender<Incoming>,
    pub(super) stdout: JoinHandle<()>,
    pub(super) stderr: JoinHandle<()>,
    pub(super) writer: JoinHandle<()>,
    pub(super) tap: Arc<dyn Tap>,
    /// Set when the session asked for the end.
    pub(super) closing: CancellationToken,
    /// Set when the session wants the process to be killed, as a crash would end it.
    pub(super) kill: CancellationToken,
    /// Set when nothing may be written any more.
    pub(super) stop: CancellationToken,
    /// Set when the process ended: its streams are then only read as far as they are filled.
    pub(super) ended: CancellationToken,
}

enum Event {
    Exited(ExitStatus),
    StdoutClosed,
    Close,
    Kill,
}

impl Supervisor {
    pub(super) async fn run(mut self) {
        let event = tokio::select! {
            biased;
            () = self.closing.cancelled() => Event::Close,
            // The session dropped its end without a command.
            () = self.incoming.closed() => Event::Close,
            () = self.kill.cancelled() => Event::Kill,
            exit = self.group.wait() => Event::Exited(exit),
            _ = &mut self.stdout => Event::StdoutClosed,
        };
        let stdout_read = matches!(event, Event::StdoutClosed);
        let requested = matches!(event, Event::Close);
        let (exit, ended_by_sonde) = match event {
            Event::Exited(exit) => (exit, false),
            Event::Close => self.descend().await,
            Event::Kill => {
                self.note("Killing the process and everything it started.");
                self.group.kill();
                let exit = timeout(EXIT_TIMEOUT, self.group.wait()).await;
                (exit.unwrap_or(ExitStatus::Unknown), true)
            }
            Event::StdoutClosed => match self.exiting().await {
                Some(exit) => (exit, false),
                None => {
                    self.note("stdout closed, so no more responses can arrive.");
                    self.stop.cancel();
                    // If the channel is full, the session hears of the end a moment later by `Closed`.
                    let _ = self.incoming.try_send(Incoming::OutputClosed);
                    self.descend().await
                }
            },
        };

        self.stop.cancel();
        self.ended.cancel();
        if !stdout_read {
            let _ = (&mut self.stdout).await;
        }
        let _ = (&mut self.stderr).await;
        let _ = (&mut self.writer).await;
        self.tap.record(event_of(exit, ended_by_sonde));
        self.end_leftovers().await;
        self.group.forget();
        tracing::debug!(pid = self.group.pid(), ?exit, "a child process ended");
        // If the session is gone, nobody needs to know.
        let _ = self
            .incoming
            .send(Incoming::Closed(if requested {
                Closed::Requested { exit: Some(exit) }
            } else {
                Closed::ProcessExited { exit }
            }))
            .await;
    }

    /// Waits for the exit of a process that closed its standard output; `None` if it still runs.
    async fn exiting(&mut self) -> Option<ExitStatus> {
        let mut exit = timeout(self.shutdown.drain, self.group.wait()).await;
        if exit.is_err() {
            // If the machine was suspended, the time was over before the exit was checked: check once more.
            exit = timeout(self.shutdown.drain, self.group.wait()).await;
        }
        // An exit closes both streams, but may take a while on a busy machine.
        if exit.is_err() && self.stderr.is_finished() {
            return timeout(EXIT_TIMEOUT, self.group.wait()).await.ok();
        }
        exit.ok()
    }

    /// Ends the process: closes standard input, then asks the group, then kills it (protocol: stdio, shutdown). Returns
    /// true if the first step was not enough.
    async fn descend(&mut self) -> (ExitStatus, bool) {
        self.note("Closing stdin and waiting for the process to exit.");
        // The writer finishes what was queued and then drops standard input.
        if let Ok(exit) = timeout(self.shutdown.stdin, self.group.wait()).await {
            return (exit, false);
        }
        self.stop.cancel();
        if self.group.terminate() {
            let waited = self.shutdown.stdin;
            let mut entry = event(EntryKind::Note(format!(
                "Still running after {waited:?}: asking its process group to terminate."
            )));
            let slow = Finding::new(&rules::SLOW_EXIT).with("waited", format!("{waited:?}"));
            entry.findings.push(slow);
            self.tap.record(entry);
            if let Ok(exit) = timeout(self.shutdown.terminate, self.group.wait()).await {
                return (exit, true);
            }
        }
        self.note("Still running: killing it and everything it started.");
        self.group.kill();
        let exit = timeout(EXIT_TIMEOUT, self.group.wait()).await;
        (exit.unwrap_or(ExitStatus::Unknown), true)
    }

    /// Ends the processes that the process started and left behind.
    async fn end_leftovers(&mut self) {
        if !self.group.has_members() {
            return;
        }
        if self.group.terminate() {
            self.note("Ending processes it left behind.");
            if self.group.emptied(self.shutdown.terminate).await {
                return;
            }
        }
        self.group.kill();
        self.group.emptied(self.shutdown.drain).await;
    }

    fn note(&self, text: &str) {
        self.tap.record(event(EntryKind::Note(text.to_owned())));
    }
}

fn event_of(exit: ExitStatus, ended_by_sonde: bool) -> crate::Entry {
    let mut entry = event(EntryKind::Exited(exit));
    entry.label.cause = ended_by_sonde.then_some(Cause::Lifecycle);
    entry
}
