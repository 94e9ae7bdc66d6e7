//! Streams that outlive a single answer, and what becomes of them when they break.

use std::{sync::Arc, time::Duration};

use sonde_wire::Seq;

use crate::OperationId;

/// Names a logical stream within its session. It keeps its number over every reconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u64);

/// What a stream is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// The background GET: what the server says on its own (Streamable HTTP, Listening for
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

/// Who says how long to wait before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelaySource {
    /// The server, with `retry:`.
    Server,
    /// Sonde: exponential backoff with jitter.
    Backoff,
    /// The user: now.
    User,
}

/// Why a stream is over for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamOver {
    /// The response arrived.
    Done,
    /// The server has no such stream: it answered 405. Calls work, nothing else arrives unasked.
    NotOffered,
    /// All attempts failed.
    OutOfAttempts,
    /// The user gave it up, or cancelled what it was for.
    GivenUp,
    /// The server refused to continue it; a plain sentence says how.
    Refused(String),
    /// There is no event id to continue from (or the revision has no continuing).
    NotResumable,
    /// The user unsubscribed from the last thing that it was for.
    Unsubscribed,
    /// The session ended, or was begun anew.
    SessionOver,
}

/// What happens to a stream, in order. A stream that is never in doubt (an answer in one piece)
/// is not reported at all, except for the listener and subscriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// The request that opens it is on its way.
    Opening,
    /// It is open.
    Opened,
    /// A subscription is opened again with another filter. It stays open meanwhile.
    Reopening {
        /// How many resources the filter names.
        resources: usize,
    },
    /// An event with this id arrived. Ids between two others may be skipped in a flood.
    EventId {
        /// The id as received; empty when the server took the last one back.
        id: Arc<str>,
    },
    /// The server said how long to wait before reconnecting, in milliseconds as received.
    RetryTime {
        /// The value.
        millis: u64,
    },
    /// It broke or was closed by the server.
    Lost {
        /// How, one plain sentence.
        why: String,
    },
    /// An attempt is announced; it is made when `delay` has passed.
    Waiting {
        /// Counts from 1; starts again once the stream delivered something.
        attempt: u32,
        /// How many there will be at most.
        budget: u32,
        /// From now.
        delay: Duration,
        /// Who set it.
        source: DelaySource,
        /// What is sent as `Last-Event-ID`.
        last_event_id: Option<Arc<str>>,
    },
    /// The announced attempt is being made.
    Resuming {
        /// Its number.
        attempt: u32,
    },
    /// The stream is open again.
    Resumed,
    /// Nothing more comes.
    Over(StreamOver),
}

/// One report about a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// Which.
    pub stream: StreamId,
    /// What it is for.
    pub kind: StreamKind,
    /// What happened.
    pub event: StreamEvent,
    /// The log entry that says so, where there is one.
    pub seq: Option<Seq>,
}
