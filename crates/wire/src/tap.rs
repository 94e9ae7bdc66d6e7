//! The tap, which records every frame before anything interprets it.

use std::sync::Arc;

use bytes::Bytes;

use sonde_findings::Finding;

use crate::{ExchangeId, ExitStatus, Header, Label, Seq, Verb};

/// Direction of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From Sonde to the server.
    Out,
    /// From the server to Sonde.
    In,
}

/// Content of an entry.
#[derive(Clone, Debug)]
pub enum Body {
    /// No content.
    Empty,
    /// A text message, shared with its interpreter.
    Text(Arc<String>),
    /// Bytes that are not UTF-8 text.
    Bytes(Bytes),
}

/// Kinds of entries.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// One message: a line on stdio, a POST body, a JSON response body or the data of an SSE event.
    Message,
    /// Bytes that are not a message where one was expected: a banner line, an HTML page, a partial or oversized line.
    NonMessage,
    /// One line of the child's standard error.
    Stderr,
    /// A child process was started.
    Started {
        /// Program and arguments exactly as executed.
        command: Vec<String>,
        /// Its process id.
        pid: u32,
    },
    /// A child process ended.
    Exited(ExitStatus),
    /// The head of an HTTP request.
    RequestHead {
        /// The verb.
        verb: Verb,
        /// The absolute URL.
        url: String,
        /// All headers Sonde set.
        headers: Vec<Header>,
    },
    /// The head of an HTTP response.
    ResponseHead {
        /// HTTP status code.
        status: u16,
        /// `HTTP/1.1`, `HTTP/2.0`.
        version: &'static str,
        /// All headers that the server sent, in order.
        headers: Vec<Header>,
    },
    /// A server-sent event without a message: a comment, a bare `id:` or `retry:`.
    SseControl,
    /// A remark of the transport itself: a step of the shutdown sequence, a broken stream.
    Note(String),
    /// A message between Sonde and an app of the server that Sonde shows; the server did not see it.
    App,
}

/// One entry for the log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Direction of the frame.
    pub direction: Direction,
    /// The kind of entry.
    pub kind: EntryKind,
    /// Content of the frame, complete if `dropped` is 0.
    pub body: Body,
    /// Bytes of the frame that were not kept (a line above the limit).
    pub dropped: u64,
    /// The exchange that the entry belongs to, where the transport has exchanges.
    pub exchange: Option<ExchangeId>,
    /// Facts about the message that are known already.
    pub label: Label,
    /// Findings of the framing layer.
    pub findings: Vec<Finding>,
}

impl Entry {
    /// Creates an entry that is complete and outside of exchanges, without label and findings.
    #[must_use]
    pub fn new(direction: Direction, kind: EntryKind, body: Body) -> Self {
        Self {
            direction,
            kind,
            body,
            dropped: 0,
            exchange: None,
            label: Label::default(),
            findings: Vec::new(),
        }
    }
}

/// Facts that an interpreter adds to an entry after its record.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    /// Replaces the entry's label if set.
    pub label: Option<Label>,
    /// Added to the entry's findings.
    pub findings: Vec<Finding>,
}

/// Receives every frame, in order. Implementations return at once, without blocking or waiting.
pub trait Tap: Send + Sync + 'static {
    /// Records an entry and returns its place.
    fn record(&self, entry: Entry) -> Seq;
    /// Adds the results of interpreting an entry. Unknown or dropped entries are ignored.
    fn annotate(&self, seq: Seq, annotation: Annotation);
}

/// A tap that records nothing, for tests and measurements.
#[derive(Debug, Default)]
pub struct NoTap(std::sync::atomic::AtomicU64);

impl Tap for NoTap {
    fn record(&self, _: Entry) -> Seq {
        Seq(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1)
    }
    fn annotate(&self, _: Seq, _: Annotation) {}
}
