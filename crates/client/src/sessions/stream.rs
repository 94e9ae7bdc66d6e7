//! State of one stream.

use serde::{Deserialize, Serialize};
use sonde_mcp::DelaySource;
use ts_rs::TS;

use crate::operations::OperationNumber;

/// Purposes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamPurpose {
    /// Messages that the server sends on its own.
    Listener,
    /// The response to a request.
    Answer,
    /// `subscriptions/listen`.
    Subscription,
}

/// States of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamState {
    /// Its request was sent.
    Opening,
    /// Open.
    Open,
    /// Broken; an attempt is announced.
    Waiting,
    /// The attempt is being made.
    Resuming,
    /// The server offers no background stream. That is normal.
    NotOffered,
    /// Over as it should be.
    Ended,
    /// Broken for good.
    GivenUp,
}

/// One stream, live.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StreamStatus {
    /// Names it within the connection.
    pub id: u64,
    /// Purpose of the stream.
    pub purpose: StreamPurpose,
    /// The method whose answer it is.
    pub method: Option<String>,
    /// The operation it belongs to.
    pub operation: Option<OperationNumber>,
    /// State of the stream.
    pub state: StreamState,
    /// Number of the announced or running attempt.
    pub attempt: u32,
    /// Limit of attempts.
    pub budget: u32,
    /// Time of the next attempt, in milliseconds since the Unix epoch; while `Waiting`.
    pub next_at: Option<u64>,
    /// Source of the delay.
    pub delay_by: Option<DelaySource>,
    /// The last event id, as received.
    pub last_event_id: Option<String>,
    /// Event ids so far.
    pub event_ids: u64,
    /// Number of times it broke.
    pub lost: u64,
    /// Reason why it broke or ended, one plain sentence.
    pub reason: Option<String>,
}

/// One event of the streams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct StreamLine {
    /// Counts from 1 within the connection.
    pub number: u64,
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    /// Id of the stream.
    pub stream: u64,
    /// A stable name in snake_case: `opened`, `opening`, `event_id`, `retry_time`, `lost`, `waiting`,
    /// `resuming`, `resumed`, `over`, `reopening`.
    pub code: String,
    /// One plain sentence.
    pub sentence: String,
    /// Log entry of the event.
    pub seq: Option<u64>,
}
