//! What everyone but the actor holds of a session.

use std::{sync::Arc, time::Duration};

use tokio::sync::{Notify, mpsc};

use crate::{
    CallId, CallOptions, CallRequest, Fault, LogLevel, Reply, ServerRequestId, StreamId, ToolCall,
};

/// The session is over; its last event said why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session is over")]
pub struct SessionGone;

/// A wish of a handle.
#[derive(Debug)]
pub(super) enum Command {
    Call {
        id: CallId,
        call: CallRequest,
        options: CallOptions,
    },
    Cancel {
        id: CallId,
        reason: Option<String>,
    },
    Extend {
        id: CallId,
        by: Duration,
    },
    RefreshTools,
    Ping,
    SetLogLevel(LogLevel),
    Answer {
        question: ServerRequestId,
        reply: Reply,
    },
    ReconnectNow(StreamId),
    GiveUp(StreamId),
    Fault(Fault),
}

/// Talks to one session. Cheap to clone.
///
/// `Ok` means that the wish was queued; what comes of it arrives as [`crate::Event`]s. While the
/// handshake is under way wishes wait. Queues are bounded on both sides: do not await these
/// methods in the very task that drains the events.
#[derive(Clone, Debug)]
pub struct SessionHandle {
    asks: mpsc::Sender<Command>,
    close: Arc<Notify>,
}

impl SessionHandle {
    pub(super) fn new(asks: mpsc::Sender<Command>, close: Arc<Notify>) -> Self {
        SessionHandle { asks, close }
    }

    /// Calls a tool. After `Ok`, a [`crate::CallEvent::Finished`] for `id` will come, whatever
    /// happens. A wish with the `id` of a running call is ignored.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over; then no event follows.
    pub async fn call_tool(
        &self,
        id: CallId,
        call: ToolCall,
        options: CallOptions,
    ) -> Result<(), SessionGone> {
        self.request(id, CallRequest::Tool(call), options).await
    }

    /// Sends any request, with the same promise as [`Self::call_tool`].
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over; then no event follows.
    pub async fn request(
        &self,
        id: CallId,
        call: CallRequest,
        options: CallOptions,
    ) -> Result<(), SessionGone> {
        self.ask(Command::Call { id, call, options }).await
    }

    /// Answers a question of the server. Nothing happens when it is closed already.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn answer(&self, question: ServerRequestId, reply: Reply) -> Result<(), SessionGone> {
        self.ask(Command::Answer { question, reply }).await
    }

    /// Makes the announced attempt of a broken stream now; one that was given up gets its whole
    /// budget again.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn reconnect_now(&self, stream: StreamId) -> Result<(), SessionGone> {
        self.ask(Command::ReconnectNow(stream)).await
    }

    /// Makes no more attempts for a broken stream. What waits for it is lost.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn give_up(&self, stream: StreamId) -> Result<(), SessionGone> {
        self.ask(Command::GiveUp(stream)).await
    }

    /// Disturbs the session on purpose.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn fault(&self, fault: Fault) -> Result<(), SessionGone> {
        self.ask(Command::Fault(fault)).await
    }

    /// Asks the server to stop working on a call. Nothing happens when the call is over, unknown,
    /// or being cancelled already.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn cancel(&self, id: CallId, reason: Option<String>) -> Result<(), SessionGone> {
        self.ask(Command::Cancel { id, reason }).await
    }

    /// Waits longer for a call: afterwards at least `by` remains on both of its limits.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn extend(&self, id: CallId, by: Duration) -> Result<(), SessionGone> {
        self.ask(Command::Extend { id, by }).await
    }

    /// Reads the tool list again, whether or not the server declared tools.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn refresh_tools(&self) -> Result<(), SessionGone> {
        self.ask(Command::RefreshTools).await
    }

    /// Pings the server, or asks a stateless one `server/discover`, since it has no pings;
    /// [`crate::Event::Pong`] or [`crate::Event::PingFailed`] follows.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn ping(&self) -> Result<(), SessionGone> {
        self.ask(Command::Ping).await
    }

    /// Asks for log messages of this level and above, whether or not the server declared logging.
    /// A stateless server is asked with every request from then on.
    ///
    /// # Errors
    /// [`SessionGone`] when the session is over.
    pub async fn set_log_level(&self, level: LogLevel) -> Result<(), SessionGone> {
        self.ask(Command::SetLogLevel(level)).await
    }

    /// Ends the session orderly. Never waits, overtakes queued wishes, may be called again.
    pub fn close(&self) {
        self.close.notify_one();
    }

    async fn ask(&self, ask: Command) -> Result<(), SessionGone> {
        self.asks.send(ask).await.map_err(|_| SessionGone)
    }
}
