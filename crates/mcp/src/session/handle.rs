//! Handle for controlling a session from outside of its actor.

use std::{sync::Arc, time::Duration};

use sonde_wire::Cause;
use tokio::sync::{Notify, mpsc, oneshot};

use super::completions::Waiting;
use crate::{
    CatalogKind, Completion, CompletionFailure, CompletionRequest, EarlierTask, Fault, LogLevel,
    OperationId, OperationOptions, OperationRequest, Reply, Root, ServerRequestId, StreamId,
};

/// The session has ended; its last event had the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session is over")]
pub struct SessionGone;

/// Commands of the user for a session.
#[derive(Debug)]
pub(super) enum Command {
    Start {
        id: OperationId,
        request: OperationRequest,
        options: OperationOptions,
    },
    ResumeTask {
        id: OperationId,
        task: EarlierTask,
        cause: Cause,
    },
    Cancel {
        id: OperationId,
        reason: Option<String>,
    },
    Extend {
        id: OperationId,
        by: Duration,
    },
    AskTask(OperationId),
    StopWaiting(OperationId),
    ListTasks,
    RefreshCatalog(CatalogKind),
    StopCatalog(CatalogKind),
    SetRoots(Vec<Root>),
    HandOnRoots(bool),
    Ping,
    SetLogLevel(Option<LogLevel>),
    Complete {
        request: CompletionRequest,
        waiting: Waiting,
    },
    CancelCompletion,
    SubscribeResource(String),
    UnsubscribeResource(String),
    Answer {
        request: ServerRequestId,
        reply: Reply,
    },
    ReconnectNow(StreamId),
    GiveUp(StreamId),
    Reopen,
    Fault(Fault),
}

/// Talks to one session. Cheap to clone.
///
/// `Ok` means that the command was queued; its effects arrive as [`crate::Event`]s. While the
/// handshake is under way commands wait. Queues are bounded on both sides: do not await these
/// methods in the very task that drains the events.
#[derive(Clone, Debug)]
pub struct SessionHandle {
    commands: mpsc::Sender<Command>,
    close: Arc<Notify>,
}

impl SessionHandle {
    pub(super) fn new(commands: mpsc::Sender<Command>, close: Arc<Notify>) -> Self {
        SessionHandle { commands, close }
    }

    /// Starts an operation. After `Ok`, a [`crate::OperationEvent::Finished`] for `id` will come,
    /// whatever happens. A command with the `id` of a running operation is ignored.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over; then no event follows.
    pub async fn start_operation(
        &self,
        id: OperationId,
        request: OperationRequest,
        options: OperationOptions,
    ) -> Result<(), SessionGone> {
        let start = Command::Start {
            id,
            request,
            options,
        };
        self.send(start).await
    }

    /// Waits for the result of a task that an earlier session began: asks for its status now, and follows
    /// it as if this session had begun it. After `Ok`, a [`crate::OperationEvent::Finished`] for `id` will
    /// come. `cause` appears in the log with the first request.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over; then no event follows.
    pub async fn resume_task(
        &self,
        id: OperationId,
        task: EarlierTask,
        cause: Cause,
    ) -> Result<(), SessionGone> {
        self.send(Command::ResumeTask { id, task, cause }).await
    }

    /// Answers a request of the server. Does nothing if the request is already closed.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn answer(&self, request: ServerRequestId, reply: Reply) -> Result<(), SessionGone> {
        self.send(Command::Answer { request, reply }).await
    }

    /// Makes the announced attempt of a broken stream now; a stream that was given up gets its whole
    /// budget again.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn reconnect_now(&self, stream: StreamId) -> Result<(), SessionGone> {
        self.send(Command::ReconnectNow(stream)).await
    }

    /// Makes no more attempts for a broken stream. Requests waiting for it are lost.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn give_up(&self, stream: StreamId) -> Result<(), SessionGone> {
        self.send(Command::GiveUp(stream)).await
    }

    /// Starts a new session over Streamable HTTP: the server does not know the present one. Pending
    /// requests are lost and not repeated. Nothing happens where there are no sessions.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn reopen(&self) -> Result<(), SessionGone> {
        self.send(Command::Reopen).await
    }

    /// Injects a fault.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn fault(&self, fault: Fault) -> Result<(), SessionGone> {
        self.send(Command::Fault(fault)).await
    }

    /// Asks the server to stop working on an operation. Does nothing if it has ended, is unknown, or is already being
    /// cancelled.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn cancel(&self, id: OperationId, reason: Option<String>) -> Result<(), SessionGone> {
        self.send(Command::Cancel { id, reason }).await
    }

    /// Waits longer for an operation: afterwards at least `by` remains on both of its limits.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn extend(&self, id: OperationId, by: Duration) -> Result<(), SessionGone> {
        self.send(Command::Extend { id, by }).await
    }

    /// Requests the status of an operation's task now. Does nothing if there is no task, if it has ended, or if a
    /// request is in flight.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn ask_task(&self, id: OperationId) -> Result<(), SessionGone> {
        self.send(Command::AskTask(id)).await
    }

    /// Ends an operation that is a task, without cancelling the task. Does nothing for other operations.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn stop_waiting(&self, id: OperationId) -> Result<(), SessionGone> {
        self.send(Command::StopWaiting(id)).await
    }

    /// Reads the list of the server's tasks (2025-11-25); [`crate::Event::TaskList`] has the outcome. Does nothing
    /// during a reading, and in a stateless session, which has no such list.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn list_tasks(&self) -> Result<(), SessionGone> {
        self.send(Command::ListTasks).await
    }

    /// Reads a catalog (again), declared or not. From then on it is also read when the server announces a change.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn refresh_catalog(&self, kind: CatalogKind) -> Result<(), SessionGone> {
        self.send(Command::RefreshCatalog(kind)).await
    }

    /// Stops the reading of a catalog under way. The pages that were read are kept as a list that is not complete.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn stop_catalog(&self, kind: CatalogKind) -> Result<(), SessionGone> {
        self.send(Command::StopCatalog(kind)).await
    }

    /// Replaces the list that answers `roots/list`, and notifies the server after a handshake. Does nothing if the
    /// capability was not declared.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn set_roots(&self, roots: Vec<Root>) -> Result<(), SessionGone> {
        self.send(Command::SetRoots(roots)).await
    }

    /// Passes `roots/list` to the user like any other request of the server, or answers it with the list.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn hand_on_roots(&self, hand_on: bool) -> Result<(), SessionGone> {
        self.send(Command::HandOnRoots(hand_on)).await
    }

    /// Pings the server, or sends `server/discover` to a stateless server, which has no ping; [`crate::Event::Pong`] or
    /// [`crate::Event::PingFailed`] follows.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn ping(&self) -> Result<(), SessionGone> {
        self.send(Command::Ping).await
    }

    /// Requests log messages of this level and above, even from a server that did not declare logging, and in each new
    /// session if it did. A stateless server gets the level with every request. `None` returns to the default; after a
    /// handshake that takes effect in the next session.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn set_log_level(&self, level: Option<LogLevel>) -> Result<(), SessionGone> {
        self.send(Command::SetLogLevel(level)).await
    }

    /// Requests values for an argument that is being typed, even from a server that did not declare completions, and
    /// waits for them. There is one request at a time: a new one cancels the previous, and the server is notified.
    ///
    /// # Errors
    /// [`CompletionFailure`]; also when the session ends meanwhile.
    pub async fn complete(
        &self,
        request: CompletionRequest,
    ) -> Result<Completion, CompletionFailure> {
        let over = || CompletionFailure::Failed("the session is over".to_owned());
        let (waiting, answer) = oneshot::channel();
        let sent = self.send(Command::Complete { request, waiting }).await;
        sent.map_err(|SessionGone| over())?;
        answer.await.map_err(|_| over())?
    }

    /// Cancels the request of [`complete`](Self::complete), if there is one.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn cancel_completion(&self) -> Result<(), SessionGone> {
        self.send(Command::CancelCompletion).await
    }

    /// Subscribes to a resource, where the server declares subscriptions;
    /// [`crate::Event::ResourceSubscription`] has the outcome, and [`crate::Event::ResourceUpdated`] the
    /// changes. Subscribes again in each new session.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn subscribe_resource(&self, uri: String) -> Result<(), SessionGone> {
        self.send(Command::SubscribeResource(uri)).await
    }

    /// Ends a subscription to a resource.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn unsubscribe_resource(&self, uri: String) -> Result<(), SessionGone> {
        self.send(Command::UnsubscribeResource(uri)).await
    }

    /// Ends the session orderly. Never waits, overtakes queued commands, may be called again.
    pub fn close(&self) {
        self.close.notify_one();
    }

    async fn send(&self, command: Command) -> Result<(), SessionGone> {
        self.commands.send(command).await.map_err(|_| SessionGone)
    }
}
