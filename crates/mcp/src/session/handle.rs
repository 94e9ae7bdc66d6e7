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

    /// Ends the session orderly. Never waits, overtakes queued commands, may be called again.
    pub fn close(&self) {
        self.close.notify_one();
    }

    async fn send(&self, command: Command) -> Result<(), SessionGone> {
        self.commands.send(command).await.map_err(|_| SessionGone)
    }
}

/// Defines methods that queue a command.
macro_rules! queue {
    ($( $(#[doc = $doc:literal])* $name:ident ( $($arg:ident : $ty:ty),* ) => $command:expr; )*) => {
        impl SessionHandle {
            $(
                $(#[doc = $doc])*
                ///
                /// # Errors
                /// [`SessionGone`] when the session is over; then no event follows.
                pub async fn $name(&self, $($arg: $ty),*) -> Result<(), SessionGone> {
                    self.send($command).await
                }
            )*
        }
    };
}

queue! {
    /// Starts an operation. After `Ok`, a [`crate::OperationEvent::Finished`] for `id` will come,
    /// whatever happens. A command with the `id` of a running operation is ignored.
    start_operation(id: OperationId, request: OperationRequest, options: OperationOptions)
        => Command::Start { id, request, options };
    /// Waits for the result of a task that an earlier session began: asks for its status now, and follows
    /// it as if this session had begun it. After `Ok`, a [`crate::OperationEvent::Finished`] for `id` will
    /// come. `cause` appears in the log with the first request.
    resume_task(id: OperationId, task: EarlierTask, cause: Cause) => Command::ResumeTask { id, task, cause };
    /// Answers a request of the server. Does nothing if the request is already closed.
    answer(request: ServerRequestId, reply: Reply) => Command::Answer { request, reply };
    /// Makes the announced attempt of a broken stream now; a stream that was given up gets its whole
    /// budget again.
    reconnect_now(stream: StreamId) => Command::ReconnectNow(stream);
    /// Makes no more attempts for a broken stream. Requests waiting for it are lost.
    give_up(stream: StreamId) => Command::GiveUp(stream);
    /// Starts a new session over Streamable HTTP: the server does not know the present one. Pending
    /// requests are lost and not repeated. Nothing happens where there are no sessions.
    reopen() => Command::Reopen;
    /// Injects a fault.
    fault(fault: Fault) => Command::Fault(fault);
    /// Asks the server to stop working on an operation. Does nothing if it has ended, is unknown, or is already being
    /// cancelled.
    cancel(id: OperationId, reason: Option<String>) => Command::Cancel { id, reason };
    /// Waits longer for an operation: afterwards at least `by` remains on both of its limits.
    extend(id: OperationId, by: Duration) => Command::Extend { id, by };
    /// Requests the status of an operation's task now. Does nothing if there is no task, if it has ended, or if a
    /// request is in flight.
    ask_task(id: OperationId) => Command::AskTask(id);
    /// Ends an operation that is a task, without cancelling the task. Does nothing for other operations.
    stop_waiting(id: OperationId) => Command::StopWaiting(id);
    /// Reads the list of the server's tasks (2025-11-25); [`crate::Event::TaskList`] has the outcome. Does nothing
    /// during a reading, and in a stateless session, which has no such list.
    list_tasks() => Command::ListTasks;
    /// Reads a catalog (again), declared or not. From then on it is also read when the server announces a change.
    refresh_catalog(kind: CatalogKind) => Command::RefreshCatalog(kind);
    /// Stops the reading of a catalog under way. The pages that were read are kept as a list that is not complete.
    stop_catalog(kind: CatalogKind) => Command::StopCatalog(kind);
    /// Replaces the list that answers `roots/list`, and notifies the server after a handshake. Does nothing if the
    /// capability was not declared.
    set_roots(roots: Vec<Root>) => Command::SetRoots(roots);
    /// Passes `roots/list` to the user like any other request of the server, or answers it with the list.
    hand_on_roots(hand_on: bool) => Command::HandOnRoots(hand_on);
    /// Pings the server, or sends `server/discover` to a stateless server, which has no ping; [`crate::Event::Pong`] or
    /// [`crate::Event::PingFailed`] follows.
    ping() => Command::Ping;
    /// Requests log messages of this level and above, even from a server that did not declare logging, and in each new
    /// session if it did. A stateless server gets the level with every request. `None` returns to the default; after a
    /// handshake that takes effect in the next session.
    set_log_level(level: Option<LogLevel>) => Command::SetLogLevel(level);
    /// Cancels the request of [`complete`](Self::complete), if there is one.
    cancel_completion() => Command::CancelCompletion;
    /// Subscribes to a resource, where the server declares subscriptions;
    /// [`crate::Event::ResourceSubscription`] has the outcome, and [`crate::Event::ResourceUpdated`] the
    /// changes. Subscribes again in each new session.
    subscribe_resource(uri: String) => Command::SubscribeResource(uri);
    /// Ends a subscription to a resource.
    unsubscribe_resource(uri: String) => Command::UnsubscribeResource(uri);
}
