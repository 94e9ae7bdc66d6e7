//! The wire log: every frame of every server, in order, redacted when recorded, within limits.
//!
//! A [`WireLog`] belongs to one server and outlives its sessions. [`LogViews`] filter logs for the window and report
//! only that something changed: the window then fetches the state of a view and the rows that it shows.

mod curl;
mod filter;
mod learned;
mod classify;
mod ranges;
mod spelling;
mod redact;
mod groups;
mod found;
mod ring;
mod no_response;
mod grouping;
mod row;
mod summary;
mod tally;
mod show;
mod signal;
mod view;
mod views;
mod wire_log;
mod export;
mod transcript;

#[cfg(test)]
mod tests;

pub use found::{FoundInFrame, FoundInFrames};
pub use redact::{SecretText, Secrets, fingerprint};
pub use row::{
    LogDetail, LogFilter, LogGroup, LogHeader, LogKind, LogNoResponse, LogRow, LogViewState,
};
pub use sonde_wire::Cause as LogCause;
pub use summary::Summarize;
pub use views::LogViews;
pub use wire_log::{ClearedLog, OperationHook, Redaction, WireLog};

/// Limits of a log. Entries beyond them are dropped from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    /// Number of entries.
    pub entries: u64,
    /// Bytes of all bodies and heads.
    pub bytes: u64,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self {
            entries: 200_000,
            bytes: 256 << 20,
        }
    }
}

/// An entry that belongs to an operation: its request or its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationEntry {
    /// The operation, as its label names it.
    pub operation: u64,
    /// Number of the entry.
    pub seq: u64,
    /// True for an entry of the server that ends the operation, false for the request.
    pub answer: bool,
    /// Time of the record, on the clock of [`crate::clock::micros`].
    pub micros: u64,
    /// The entry is a notification that Sonde sent.
    pub notification: bool,
}

/// Reasons why an entry cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogMiss {
    /// The entry was dropped to stay within the limits, or the log was emptied.
    #[error("this entry was dropped from the wire log")]
    Dropped,
    /// There never was an entry of this number.
    #[error("the wire log has no such entry")]
    Unknown,
}
