//! Fault injection.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::OperationId;

/// A fault. Each is marked in the log as caused by the user before it happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fault {
    /// Cut the background listener (or the subscription); it is then picked up like any other
    /// broken stream.
    DropListener,
    /// Cut the response stream of a running operation.
    DropOperationStream {
        /// The operation.
        #[ts(as = "u64")]
        operation: OperationId,
    },
    /// Send the next requests without the session id.
    ForgetSessionId,
    /// Send a session id that the server never assigned.
    StaleSessionId,
    /// Resume the listener with an event id that the server never sent.
    WrongLastEventId,
    /// Send this text unchecked.
    RawFrame {
        /// The text.
        text: String,
    },
    /// Wait this long before answering requests of the server; zero ends it.
    DelayAnswers {
        /// Milliseconds.
        millis: u64,
    },
    /// Kill the child process, or drop the socket.
    Kill,
    /// Pause reading, so that the server experiences back-pressure.
    PauseReading {
        /// True to begin, false to end.
        paused: bool,
    },
}
