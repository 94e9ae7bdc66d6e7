//! The tasks that read a child's standard output and standard error.

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{ChildStderr, ChildStdout},
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::lines::{Line, LineCodec, LineEnd};
use sonde_findings::{Finding, rules};

use crate::{
    Body, Direction, Entry, EntryKind, Incoming, Limits, Tap, id_scan, queue::Sender, text::text,
};

/// Limit for reading the streams of an ended process when they pause in between.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Limit of bytes read after the process ended: more than any pipe holds, so that further bytes are another process's.
const DRAIN_BYTES: usize = 2 * 1024 * 1024;
/// The largest line of standard error that is kept whole, in bytes.
const MAX_STDERR_LINE: u64 = 1024 * 1024;

/// Reads standard output: every line is recorded, then delivered if it may be a message.
///
/// While the session does not receive the delivered messages, the child's output is not read.
pub(super) struct Stdout {
    pub(super) pipe: ChildStdout,
    pub(super) incoming: Sender<Incoming>,
    pub(super) tap: Arc<dyn Tap>,
    pub(super) limits: Limits,
    pub(super) ended: CancellationToken,
    pub(super) drain: Duration,
}

impl Stdout {
    /// Reads until the stream ends, or until it stays silent after the process ended.
    pub(super) async fn run(mut self) {
        let mut codec = LineCodec::new(self.limits);
        let mut interpreter = Interpreter {
            limits: self.limits,
            crlf_reported: false,
        };
        let mut source = Source::new(self.ended.clone(), self.drain);
        // After the session is gone, lines are still recorded but no longer delivered.
        let mut listening = true;
        while source.fill(&mut self.pipe, codec.spare()).await {
            while let Some(line) = codec.next_line() {
                let item = interpreter.interpret(line, &*self.tap);
                if listening && let Some(item) = item {
                    listening = self.incoming.send(item).await.is_ok();
                }
            }
        }
        if let Some(line) = codec.finish()
            && let Some(item) = interpreter.interpret(line, &*self.tap)
            && listening
        {
            let _ = self.incoming.send(item).await;
        }
    }
}

/// Reads standard error into the log. Free text: nothing in it is a finding (protocol: stdio).
pub(super) async fn stderr(
    mut pipe: ChildStderr,
    tap: Arc<dyn Tap>,
    ended: CancellationToken,
    drain: Duration,
) {
    let mut codec = LineCodec::new(Limits {
        message: MAX_STDERR_LINE,
        ..Limits::default()
    });
    let record = |line: Line| {
        let dropped = dropped(&line);
        let (body, _) = text(line.bytes, false, &mut Vec::new());
        tap.record(entry(EntryKind::Stderr, body, dropped, Vec::new()));
    };
    let mut source = Source::new(ended, drain);
    while source.fill(&mut pipe, codec.spare()).await {
        while let Some(line) = codec.next_line() {
            record(line);
        }
    }
    if let Some(line) = codec.finish() {
        record(line);
    }
}

/// Reads a stream to its end or, after the process ended, until it is given up.
struct Source {
    ended: CancellationToken,
    silence: Duration,
    patience: Duration,
    left: usize,
}

impl Source {
    fn new(ended: CancellationToken, silence: Duration) -> Self {
        Self {
            ended,
            silence,
            patience: DRAIN_TIMEOUT,
            left: DRAIN_BYTES,
        }
    }

    /// Appends available bytes to `buffer`; `false` when nothing more will come.
    async fn fill(&mut self, pipe: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> bool {
        if !self.ended.is_cancelled() {
            tokio::select! {
                biased;
                // Cancel-safe: nothing is lost when the other branch wins.
                read = pipe.read_buf(buffer) => return read.is_ok_and(|count| count > 0),
                () = self.ended.cancelled() => {}
            }
        }
        if self.left == 0 {
            return false;
        }
        // Only the time of waiting counts: a session that reads slowly loses nothing.
        let began = Instant::now();
        let read = timeout(self.silence.min(self.patience), pipe.read_buf(buffer)).await;
        self.patience = self.patience.saturating_sub(began.elapsed());
        match read {
            Ok(Ok(count)) if count > 0 => {
                self.left = self.left.saturating_sub(count);
                true
            }
            _ => false,
        }
    }
}

/// Records lines and delivers those that the session needs.
struct Interpreter {
    limits: Limits,
    crlf_reported: bool,
}

impl Interpreter {
    fn interpret(&mut self, line: Line, tap: &dyn Tap) -> Option<Incoming> {
        let dropped = dropped(&line);
        let mut found = Vec::new();
        if line.bom {
            found.push(Finding::new(&rules::BOM));
        }
        if line.end == LineEnd::CrLf && !self.crlf_reported {
            self.crlf_reported = true;
            found.push(Finding::new(&rules::CRLF));
        }
        let first = line.bytes.trim_ascii_start().first().copied();
        let may_be_message = matches!(first, Some(b'{' | b'['));

        if let Some(cut) = line.cut {
            found.push(Finding::new(&rules::OVERSIZED).with("limit", self.limits.message));
            let id = may_be_message
                .then(|| id_scan::id(&line.bytes, &cut.tail))
                .flatten();
            let (body, head) = text(line.bytes, false, &mut found);
            let seq = tap.record(entry(EntryKind::NonMessage, body, dropped, found));
            return may_be_message.then(|| Incoming::Oversized {
                exchange: None,
                id,
                head: head.as_str().to_owned(),
                size: cut.size,
                limit: self.limits.message,
                seq,
            });
        }

        let partial = line.end == LineEnd::Missing
            && !matches!(line.bytes.trim_ascii_end().last(), Some(b'}' | b']'));
        let kind = match first {
            Some(b'{' | b'[') if partial => {
                found.push(Finding::new(&rules::PARTIAL_LINE));
                EntryKind::NonMessage
            }
            Some(b'{' | b'[') => {
                if line.end == LineEnd::Missing {
                    found.push(Finding::new(&rules::MISSING_NEWLINE));
                }
                EntryKind::Message
            }
            Some(_) => {
                found.push(Finding::new(&rules::NOT_A_MESSAGE));
                EntryKind::NonMessage
            }
            None => {
                found.push(Finding::new(&rules::BLANK_LINE));
                EntryKind::NonMessage
            }
        };
        let deliver = matches!(kind, EntryKind::Message);
        let (body, text) = text(line.bytes, line.end == LineEnd::Missing, &mut found);
        let seq = tap.record(entry(kind, body, dropped, found));
        deliver.then_some(Incoming::Message {
            exchange: None,
            event_id: None,
            text,
            seq,
        })
    }
}

fn dropped(line: &Line) -> u64 {
    line.cut
        .as_ref()
        .map_or(0, |cut| cut.size.saturating_sub(line.bytes.len() as u64))
}

fn entry(kind: EntryKind, body: Body, dropped: u64, findings: Vec<Finding>) -> Entry {
    Entry {
        dropped,
        findings,
        ..Entry::new(Direction::In, kind, body)
    }
}
