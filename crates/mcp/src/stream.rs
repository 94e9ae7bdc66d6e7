//! Streams that outlive a single response, and their recovery.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use sonde_wire::Seq;
use ts_rs::TS;

use crate::OperationId;

/// Names a logical stream within its session. It keeps its number over every reconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u64);

/// Purposes of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// The background GET for messages that the server sends on its own (Streamable HTTP, Listening for
    /// Messages from the Server).
    Listener,
    /// The response to a request.
    Response {
        /// The method of the request.
        method: Arc<str>,
        /// The operation that it belongs to, if it is the user's.
        operation: Option<OperationId>,
    },
    /// A subscription (`subscriptions/listen`).
    Subscription,
}

/// Sources of the delay before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DelaySource {
    /// The server, with `retry:`.
    Server,
    /// Sonde: exponential backoff with jitter.
    Backoff,
    /// The user: now.
    User,
}

/// Reasons for the final end of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamOver {
    /// The response arrived.
    Done,
    /// The server has no background stream: it answered 405. Calls work; nothing else arrives unasked.
    NotOffered,
    /// All attempts failed.
    OutOfAttempts,
    /// The user gave it up, or cancelled the request that it was for.
    GivenUp,
    /// The server refused to continue it; holds one plain sentence.
    Refused(String),
    /// There is no event id to continue from (or the revision has no continuing).
    NotResumable,
    /// The user removed the last subscription that it was for.
    Unsubscribed,
    /// The session ended, or was restarted.
    SessionOver,
}

/// Events of a stream, in order. A response that is never interrupted is not reported; the listener and subscriptions
/// always are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// The request that opens it is on its way.
    Opening,
    /// It is open.
    Opened,
    /// A subscription is opened again with another filter. It stays open meanwhile.
    Reopening {
        /// Number of resources in the filter.
        resources: usize,
    },
    /// An event with this id arrived. Ids between two others may be skipped in a flood.
    EventId {
        /// The id as received; empty if the server reset it.
        id: Arc<str>,
    },
    /// The server set the delay before reconnecting, in milliseconds as received.
    RetryTime {
        /// The value.
        millis: u64,
    },
    /// It broke or was closed by the server.
    Lost {
        /// The failure in words.
        why: String,
    },
    /// An attempt is announced; it is made when `delay` has passed.
    Waiting {
        /// Counts from 1; starts again once the stream delivered something.
        attempt: u32,
        /// Highest number of attempts.
        budget: u32,
        /// Delay from now.
        delay: Duration,
        /// Source of the delay.
        source: DelaySource,
        /// Value to be sent as `Last-Event-ID`.
        last_event_id: Option<Arc<str>>,
    },
    /// The announced attempt is being made.
    Resuming {
        /// Its number.
        attempt: u32,
    },
    /// The stream is open again.
    Resumed,
    /// The stream has ended for good.
    Over(StreamOver),
}

/// One report about a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// Id of the stream.
    pub stream: StreamId,
    /// Purpose of the stream.
    pub kind: StreamKind,
    /// The event itself.
    pub event: StreamEvent,
    /// The log entry that says so, where there is one.
    pub seq: Option<Seq>,
}
