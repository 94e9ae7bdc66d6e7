//! Server-sent events: bytes in, events and controls out.
//!
//! A custom decoder: a tool that shows exactly what a server sent needs parts that usual decoders drop, such as
//! comments, bare `id:` and `retry:` lines, and faults of the stream. The decoder is pure: the same bytes give the same
//! items in any chunking.

use std::{collections::VecDeque, sync::Arc};

use memchr::{memchr, memchr2};

use sonde_findings::{Finding, rules};

use crate::{
    Limits, id_scan,
    id_scan::TAIL,
    text::{BYTE_ORDER_MARK, whole_characters},
};

/// Limit in bytes of names, ids and comments, which are short; longer values are cut.
const MAX_FIELD: usize = 64 * 1024;

/// Limit of the findings kept of one block: a stream may continue for ever without a blank line.
const MAX_FINDINGS: usize = 32;

/// Items of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An event: a block of fields with at least one `data` line.
    Event(Event),
    /// A comment line, without its colon. The usual way to keep a connection alive.
    Comment(String),
    /// A block without data. Its bare `id:` and `retry:` still count.
    Control(Control),
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The `event` field, if there was one.
    pub name: Option<String>,
    /// The `data` lines, joined by line feeds; of an oversized event only the beginning. May be invalid UTF-8.
    pub data: Vec<u8>,
    /// The stream's last event id as of this event, if one was ever set. An empty id unsets it.
    pub id: Option<Arc<str>>,
    /// This block set the id.
    pub sets_id: bool,
    /// The `retry` field, in milliseconds.
    pub retry: Option<u64>,
    /// Size and id of an oversized event, whose `data` is cut.
    pub cut: Option<Cut>,
    /// Faults in the event.
    pub findings: Vec<Finding>,
}

/// A block without data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The `event` field, if there was one.
    pub name: Option<String>,
    /// The id that the block set; empty if the block unset it.
    pub id: Option<Arc<str>>,
    /// The `retry` field, in milliseconds.
    pub retry: Option<u64>,
    /// Faults in the block.
    pub findings: Vec<Finding>,
}

/// The rest of an oversized event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The size of its data in bytes.
    pub size: u64,
    /// The JSON-RPC id as JSON text, if found.
    pub message_id: Option<String>,
}

/// The unfinished block at the end of a stream. It is not an event (protocol: Streamable HTTP, SSE parsing).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// The data so far.
    pub data: Vec<u8>,
    /// The kept beginning of the last, unfinished line.
    pub line: Vec<u8>,
}

/// Cuts a stream of bytes into [`Item`]s.
#[derive(Debug)]
pub struct Decoder {
    limits: Limits,
    items: VecDeque<Item>,
    /// The beginning of a line that is not a data line and whose end has not come yet.
    line: Vec<u8>,
    state: State,
    /// The stream began, and its byte order mark, if any, was removed.
    begun: bool,
    last_id: Option<Arc<str>>,
    block: Block,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Inside a line that is kept in `line` until its end shows which field it is.
    Line,
    /// Inside the value of a `data` line, which goes to the block right away.
    Data,
    /// As `Data`, at the very beginning of the value, where one space is dropped.
    DataStart,
    /// After CR, which a following LF belongs to.
    AfterCr,
}

/// The fields since the last blank line.
#[derive(Debug, Default)]
struct Block {
    name: Option<String>,
    data: Vec<u8>,
    /// Some `data` line was seen.
    has_data: bool,
    size: u64,
    tail: Vec<u8>,
    cut: bool,
    id: Option<Arc<str>>,
    retry: Option<u64>,
    findings: Vec<Finding>,
}

impl Decoder {
    /// Creates a decoder at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            items: VecDeque::new(),
            line: Vec::new(),
            state: State::Line,
            begun: false,
            last_id: None,
            block: Block::default(),
        }
    }

    /// Adds the next bytes, split anywhere.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = self.step(bytes);
        }
    }

    /// Memory of the event that has not ended yet, in bytes.
    #[must_use]
    pub fn held(&self) -> usize {
        self.block.data.capacity() + self.line.capacity()
    }

    /// Returns the next complete item.
    pub fn next_item(&mut self) -> Option<Item> {
        self.items.pop_front()
    }

    /// Ends the stream; call `next_item` until it is empty before. An event without its final blank line is not an
    /// event, but is reported.
    #[must_use]
    pub fn finish(self) -> Option<Incomplete> {
        let begun = self.block.has_data
            || self.block.name.is_some()
            || self.block.id.is_some()
            || self.block.retry.is_some()
            || !self.line.is_empty()
            || matches!(self.state, State::Data | State::DataStart);
        begun.then_some(Incomplete {
            data: self.block.data,
            line: self.line,
        })
    }

    /// Processes some of `bytes` and returns the rest.
    fn step<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match self.state {
            State::AfterCr => {
                self.state = State::Line;
                bytes.strip_prefix(b"\n").unwrap_or(bytes)
            }
            State::DataStart => {
                self.state = State::Data;
                bytes.strip_prefix(b" ").unwrap_or(bytes)
            }
            State::Data => {
                let end = line_end(bytes);
                self.block
                    .append(&bytes[..end.unwrap_or(bytes.len())], self.limits);
                end.map_or(&[], |end| self.end_line(bytes[end], &bytes[end + 1..]))
            }
            State::Line => self.step_line(bytes),
        }
    }

    fn step_line<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = line_end(bytes).unwrap_or(bytes.len());
        // Read only up to a colon, which may complete the name of the field.
        let known = memchr(b':', &bytes[..end]);
        let until = match known {
            Some(colon) if self.line.len() + colon <= 16 && !self.line.contains(&b':') => colon + 1,
            _ => end,
        };
        let room = MAX_FIELD.saturating_sub(self.line.len()).min(until);
        self.line.extend_from_slice(&bytes[..room]);
        if !self.begun {
            if self.line.starts_with(BYTE_ORDER_MARK) {
                self.line.drain(..BYTE_ORDER_MARK.len());
                self.begun = true;
            } else if !BYTE_ORDER_MARK.starts_with(&self.line) || until < bytes.len() {
                self.begun = true;
            }
        }
        if self.line == b"data:" {
            self.line.clear();
            self.state = State::DataStart;
            self.block.begin_line(self.limits);
            return &bytes[until..];
        }
        if until < end {
            return &bytes[until..];
        }
        match bytes.get(end) {
            Some(terminator) => {
                let line = std::mem::take(&mut self.line);
                self.field(&line);
                self.end_line(*terminator, &bytes[end + 1..])
            }
            None => &[],
        }
    }

    fn end_line<'a>(&mut self, terminator: u8, rest: &'a [u8]) -> &'a [u8] {
        self.state = if terminator == b'\r' {
            State::AfterCr
        } else {
            State::Line
        };
        rest
    }

    /// Interprets a whole line other than `data: …`.
    fn field(&mut self, line: &[u8]) {
        if line.is_empty() {
            self.dispatch();
            return;
        }
        if line.len() >= MAX_FIELD {
            self.block.note(Finding::new(&rules::SSE_FIELD_CUT));
        }
        let (name, value) = match memchr(b':', line) {
            Some(0) => {
                let comment = String::from_utf8_lossy(&line[1..]).into_owned();
                self.items.push_back(Item::Comment(comment));
                return;
            }
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match name {
            b"data" => self.block.begin_line(self.limits),
            b"event" => self.block.name = Some(String::from_utf8_lossy(value).into_owned()),
            b"id" if value.contains(&0) => self.block.note(Finding::new(&rules::SSE_ID_NUL)),
            b"id" => self.block.id = Some(String::from_utf8_lossy(value).into()),
            b"retry" => match number(value) {
                Some(retry) => self.block.retry = Some(retry),
                None => self
                    .block
                    .note(Finding::new(&rules::SSE_BAD_RETRY).with("value", excerpt(value))),
            },
            _ => self
                .block
                .note(Finding::new(&rules::SSE_UNKNOWN_FIELD).with("name", excerpt(name))),
        }
    }

    /// Completes the block at a blank line.
    fn dispatch(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        if let Some(id) = &block.id {
            self.last_id = (!id.is_empty()).then(|| Arc::clone(id));
        }
        if !block.has_data {
            if block.id.is_some()
                || block.retry.is_some()
                || block.name.is_some()
                || !block.findings.is_empty()
            {
                self.items.push_back(Item::Control(Control {
                    name: block.name,
                    id: block.id,
                    retry: block.retry,
                    findings: block.findings,
                }));
            }
            return;
        }
        let cut = block.cut.then(|| {
            block
                .findings
                .push(Finding::new(&rules::OVERSIZED).with("limit", self.limits.message));
            Cut {
                size: block.size,
                message_id: id_scan::id(&block.data, &block.tail),
            }
        });
        block.data.shrink_to_fit();
        self.items.push_back(Item::Event(Event {
            name: block.name,
            data: if cut.is_some() {
                whole_characters(block.data)
            } else {
                block.data
            },
            id: self.last_id.clone(),
            sets_id: block.id.is_some(),
            retry: block.retry,
            cut,
            findings: block.findings,
        }));
    }
}

impl Block {
    /// Begins a `data` line: lines are joined by line feeds.
    fn begin_line(&mut self, limits: Limits) {
        if self.has_data {
            self.append(b"\n", limits);
        }
        self.has_data = true;
    }

    fn note(&mut self, finding: Finding) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        }
    }

    fn append(&mut self, bytes: &[u8], limits: Limits) {
        self.size += bytes.len() as u64;
        if !self.cut && self.size > limits.message {
            self.cut = true;
            self.tail = self.data[self.data.len().saturating_sub(TAIL)..].to_vec();
            let room = limits.kept.saturating_sub(self.data.len()).min(bytes.len());
            self.data.extend_from_slice(&bytes[..room]);
            self.data.truncate(limits.kept);
            self.data.shrink_to_fit();
        } else if self.cut {
            let room = limits.kept.saturating_sub(self.data.len()).min(bytes.len());
            self.data.extend_from_slice(&bytes[..room]);
        } else {
            self.data.extend_from_slice(bytes);
            return;
        }
        let last = &bytes[bytes.len().saturating_sub(TAIL)..];
        let surplus = (self.tail.len() + last.len()).saturating_sub(TAIL);
        self.tail.drain(..surplus.min(self.tail.len()));
        self.tail.extend_from_slice(last);
    }
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    memchr2(b'\n', b'\r', bytes)
}

/// Parses a number of digits only: any other value is ignored (protocol: SSE parsing).
fn number(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    digits
        .then(|| std::str::from_utf8(value).ok()?.parse().ok())
        .flatten()
}
/// Returns the beginning of a field as text, for a sentence.
fn excerpt(field: &[u8]) -> String {
    String::from_utf8_lossy(&field[..field.len().min(40)]).into_owned()
}
