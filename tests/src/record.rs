//! A tap that keeps everything, and helpers for sending to a wire and waiting for its events.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use sonde_wire::{
    Annotation, Body, Closed, Command, Direction, Entry, EntryKind, ExchangeId, ExitStatus,
    Incoming, Label, Outgoing, Seq, StreamEnd, Tap, Verb, Wire, WireError,
};

use crate::LIMIT;

/// Awaits `future`, and fails the test instead of hanging.
///
/// # Panics
///
/// If it takes longer than [`LIMIT`].
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(*LIMIT, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: nothing happened for {LIMIT:?}"),
    }
}

/// A tap that keeps every entry in memory.
#[derive(Debug, Default)]
pub struct Recorder(Mutex<Vec<Entry>>);

impl Recorder {
    /// Creates an empty recorder.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Returns everything recorded so far, in order.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Formats one line per entry, for assertions: an arrow, the kind, the text, the dropped bytes and the rules of the
    /// findings.
    #[must_use]
    pub fn story(&self) -> Vec<String> {
        self.entries().iter().map(line).collect()
    }
}

impl Tap for Recorder {
    fn record(&self, entry: Entry) -> Seq {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
        Seq(entries.len() as u64)
    }

    fn annotate(&self, _: Seq, _: Annotation) {}
}

/// Formats one entry in short.
#[must_use]
pub fn line(entry: &Entry) -> String {
    let arrow = match entry.direction {
        Direction::Out => ">",
        Direction::In => "<",
    };
    let kind = match &entry.kind {
        EntryKind::Message => "message".to_owned(),
        EntryKind::NonMessage => "non_message".to_owned(),
        EntryKind::Stderr => "stderr".to_owned(),
        EntryKind::Started { .. } => "started".to_owned(),
        EntryKind::Exited(status) => format!("exited {status:?}"),
        EntryKind::RequestHead { verb, .. } => format!("request {verb:?}"),
        EntryKind::ResponseHead { status, .. } => format!("response {status}"),
        EntryKind::SseControl => "control".to_owned(),
        EntryKind::Note(text) => format!("note {text}"),
        EntryKind::App => "app".to_owned(),
    };
    let body = match &entry.body {
        Body::Empty => String::new(),
        Body::Text(text) => format!(" {}", short(text)),
        Body::Bytes(bytes) => format!(" b\"{}\"", bytes.escape_ascii()),
    };
    let dropped = match entry.dropped {
        0 => String::new(),
        bytes => format!(" -{bytes}"),
    };
    let codes = entry
        .findings
        .iter()
        .map(|finding| format!(" [{}]", finding.id()))
        .collect::<String>();
    format!("{arrow} {kind}{body}{dropped}{codes}")
}

fn short(text: &str) -> String {
    if text.chars().count() > 80 {
        format!(
            "{}… ({} bytes)",
            text.chars().take(40).collect::<String>(),
            text.len()
        )
    } else {
        text.to_owned()
    }
}

/// Creates a message or request to send, without headers.
#[must_use]
pub fn outgoing(exchange: u64, verb: Verb, text: Option<&str>) -> Outgoing {
    Outgoing {
        exchange: ExchangeId(exchange),
        verb,
        text: text.map(|text| Arc::new(text.to_owned())),
        headers: Vec::new(),
        label: Label::default(),
    }
}

/// Gives a command to the wire.
///
/// # Panics
///
/// When the wire has ended.
pub async fn tell(wire: &Wire, command: Command) {
    wire.commands.send(command).await.expect("the wire is open");
}

/// Sends a message.
///
/// # Panics
///
/// If the wire has ended.
pub async fn post(wire: &Wire, exchange: u64, text: &str) {
    let message = outgoing(exchange, Verb::Post, Some(text));
    tell(wire, Command::Send(message)).await;
}

/// Gives up an exchange.
///
/// # Panics
///
/// When the wire has ended.
pub async fn abandon(wire: &Wire, exchange: u64) {
    tell(wire, Command::Abandon(ExchangeId(exchange))).await;
}

/// Closes a wire, and reads it to its end.
///
/// # Panics
///
/// When the wire ends without its last word, or hangs.
pub async fn close(wire: &mut Wire) -> (Vec<Incoming>, Closed) {
    tell(wire, Command::Close).await;
    to_the_end(wire).await
}

/// Returns the next event.
///
/// # Panics
///
/// If the wire has ended, or hangs.
pub async fn next(wire: &mut Wire) -> Incoming {
    let item = within("the next item", wire.incoming.recv()).await;
    item.expect("the wire is open")
}

/// Reads a wire to its end: returns the events before [`Incoming::Closed`], and its reason.
///
/// # Panics
///
/// If the wire ends without it, or hangs.
pub async fn to_the_end(wire: &mut Wire) -> (Vec<Incoming>, Closed) {
    let mut items = Vec::new();
    loop {
        match within("the next item", wire.incoming.recv()).await {
            Some(Incoming::Closed(closed)) => {
                let more = within("the end of the channel", wire.incoming.recv()).await;
                assert!(more.is_none(), "{more:?} came after the last word");
                return (items, closed);
            }
            Some(item) => items.push(item),
            None => panic!("the wire ended without a last word"),
        }
    }
}

/// Returns the text of the next event, which must be a message.
///
/// # Panics
///
/// If another event comes, or none.
pub async fn next_text(wire: &mut Wire) -> Arc<String> {
    match within("a message", wire.incoming.recv()).await {
        Some(Incoming::Message { text, .. }) => text,
        other => panic!("{other:?} came instead of a message"),
    }
}

/// The next item, which must be the head of an answer: its status.
///
/// # Panics
///
/// When something else comes, or nothing.
pub async fn status(wire: &mut Wire) -> u16 {
    match next(wire).await {
        Incoming::Head { status, .. } => status,
        other => panic!("{other:?} came instead of a head"),
    }
}

/// The next item, which must be the end of an exchange.
///
/// # Panics
///
/// When something else comes, or nothing.
pub async fn end(wire: &mut Wire) -> (ExchangeId, StreamEnd) {
    match next(wire).await {
        Incoming::End { exchange, end } => (exchange, end),
        other => panic!("{other:?} came instead of an end"),
    }
}

/// The next item, which must be the failure of an exchange.
///
/// # Panics
///
/// When something else comes, or nothing.
pub async fn failure(wire: &mut Wire) -> (ExchangeId, WireError) {
    match end(wire).await {
        (exchange, StreamEnd::Failed(error)) => (exchange, error),
        other => panic!("{other:?} came instead of a failure"),
    }
}

/// The status with which the process of a wire ended by itself.
///
/// # Panics
///
/// When the wire ended in another way.
#[must_use]
pub fn exited(closed: Closed) -> ExitStatus {
    match closed {
        Closed::ProcessExited { exit } => exit,
        other => panic!("{other:?}"),
    }
}

/// The status with which the process ended of a wire that was closed; none where there is no process.
///
/// # Panics
///
/// When the wire ended in another way.
#[must_use]
pub fn requested(closed: Closed) -> Option<ExitStatus> {
    match closed {
        Closed::Requested { exit } => exit,
        other => panic!("{other:?}"),
    }
}
