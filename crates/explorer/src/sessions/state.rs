//! What is known about one server's connection.

use std::sync::Arc;

use sonde_mcp::SessionHandle;
use tokio_util::sync::CancellationToken;

use super::{
    attempts::DetectionCache,
    connection::Connection,
    steps::{Step, Steps},
};
use crate::{
    clock,
    ipc::{LogMessageView, ServerId, SessionPhase, SessionView},
    log::WireLog,
    ring::Ring,
    servers::Transport,
};

/// How many lines of standard error are kept. The wire log has more.
const STDERR: usize = 10_000;
/// How many log messages that belong to no operation are kept. The wire log has more.
const MESSAGES: usize = 10_000;

/// One server's connection, from the first connect to the removal of the server.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) view: SessionView,
    /// Survives reconnects.
    pub(crate) log: Arc<WireLog>,
    pub(crate) messages: Ring<LogMessageView>,
    pub(crate) stderr: Ring<String>,
    /// The present or last connect; `None` before the first.
    pub(crate) connection: Option<Connection>,
    /// What earlier connects have found out.
    pub(super) detection_cache: Option<DetectionCache>,
    steps: Steps,
    live: Option<Live>,
}

/// The task that connects or is connected.
#[derive(Debug)]
struct Live {
    cancel: CancellationToken,
    done: CancellationToken,
    handle: Option<SessionHandle>,
}

impl Session {
    pub(crate) fn new(server: ServerId, log: Arc<WireLog>) -> Self {
        Self {
            view: SessionView {
                server,
                generation: 0,
                phase: SessionPhase::Idle,
                since: clock::millis(),
                steps: Vec::new(),
                identity: None,
                process: None,
                closed: None,
                failure: None,
                ping_micros: None,
                stderr_lines: 0,
                log_messages: 0,
            },
            log,
            messages: Ring::new(MESSAGES),
            stderr: Ring::new(STDERR),
            connection: None,
            detection_cache: None,
            steps: Steps::default(),
            live: None,
        }
    }

    /// A task is connecting, connected or closing.
    pub(crate) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// What talks to the session, once there is one.
    pub(crate) fn handle(&self) -> Option<SessionHandle> {
        self.live.as_ref()?.handle.clone()
    }

    pub(super) fn set_handle(&mut self, handle: SessionHandle) {
        if let Some(live) = &mut self.live {
            live.handle = Some(handle);
        }
    }

    /// Begins a connect. Returns what ends it and what says that it ended.
    pub(super) fn begin(
        &mut self,
        transport: &Transport,
        steps: &[Step],
    ) -> (CancellationToken, CancellationToken) {
        let (cancel, done) = (CancellationToken::new(), CancellationToken::new());
        self.live = Some(Live {
            cancel: cancel.clone(),
            done: done.clone(),
            handle: None,
        });
        self.view.generation += 1;
        self.connection = Some(Connection::new(
            self.view.server.clone(),
            self.view.generation,
            transport,
        ));
        self.view.identity = None;
        self.view.process = None;
        self.view.closed = None;
        self.view.failure = None;
        self.view.ping_micros = None;
        self.messages = Ring::new(MESSAGES);
        self.stderr = Ring::new(STDERR);
        self.view.stderr_lines = 0;
        self.view.log_messages = 0;
        self.steps = Steps::new(steps);
        self.show_steps();
        self.set_phase(SessionPhase::Connecting);
        (cancel, done)
    }

    /// Asks the task to end. Returns what says that it did; `None` when there is none.
    pub(crate) fn end(&self) -> Option<CancellationToken> {
        let live = self.live.as_ref()?;
        live.cancel.cancel();
        Some(live.done.clone())
    }

    /// The task is over.
    pub(super) fn finish(&mut self, phase: SessionPhase) {
        self.live = None;
        if let Some(connection) = &mut self.connection {
            connection.end();
        }
        self.view.process = None;
        self.set_phase(phase);
    }

    pub(super) fn set_phase(&mut self, phase: SessionPhase) {
        self.view.phase = phase;
        self.view.since = clock::millis();
    }

    /// Everything before this step is done; this one is under way.
    pub(super) fn reach(&mut self, step: Step) {
        self.steps.reach(step);
        self.show_steps();
    }

    /// All steps are done.
    pub(super) fn complete(&mut self) {
        self.steps.complete();
        self.show_steps();
    }

    /// The step that was under way failed.
    pub(super) fn fail_step(&mut self) {
        self.steps.fail();
        self.show_steps();
    }

    /// The step that was under way was given up.
    pub(super) fn give_up_step(&mut self) {
        self.steps.give_up();
        self.show_steps();
    }

    /// The steps have one for finding out what the server speaks.
    pub(super) fn detects(&self) -> bool {
        self.steps.has(Step::Detect)
    }

    fn show_steps(&mut self) {
        self.view.steps = self.steps.view();
    }
}
