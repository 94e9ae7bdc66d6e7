//! Server-sent events: any chunking gives the same items, which are those of the standard; an event that is written
//! again is read as the same one; and the limits hold.

use std::sync::Arc;

use sonde_wire::{
    Limits,
    sse::{Decoder, Event, Incomplete, Item},
};

use crate::{
    choices::{Choices, pieces},
    seen::Seen,
};

pub(crate) const WORDS: &[&[u8]] = &[
    b"data",
    b"data:",
    b"data: ",
    b"event: message",
    b"event:",
    b"id: 1",
    b"id:",
    b"retry: 100",
    b"retry",
    b": comment",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r\n\r\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\0",
    b"{\"jsonrpc\":\"2.0\",\"id\":7}",
];

/// Limits above the size of any input.
const LARGE: Limits = Limits {
    message: 1 << 20,
    kept: 1 << 10,
};

pub(crate) fn run(input: &[u8], seen: &mut Seen) {
    let mut choices = Choices(input);
    let small = Limits {
        message: choices.below(64) as u64,
        kept: choices.below(32),
    };
    let steps = choices.bytes();
    let bytes = choices.0;
    for limits in [LARGE, small] {
        let whole = decode(&[bytes], limits);
        for steps in [&[1][..], steps] {
            let again = decode(&pieces(bytes, steps), limits);
            assert_eq!(whole, again, "in steps of {steps:?}");
        }
        for item in &whole.0 {
            check(item, limits, seen);
        }
    }
    let (items, incomplete) = decode(&[bytes], LARGE);
    let found: Vec<_> = items.iter().map(Plain::of).collect();
    let (expected, end) = standard(bytes);
    assert_eq!(found, expected);
    assert_eq!(incomplete, end);
    seen.note(incomplete.is_some());
    for item in items {
        if let Item::Event(event) = item {
            written_again(&event);
        }
    }
}

fn decode(pieces: &[&[u8]], limits: Limits) -> (Vec<Item>, Option<Incomplete>) {
    let mut decoder = Decoder::new(limits);
    let mut items = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        items.extend(std::iter::from_fn(|| decoder.next_item()));
    }
    (items, decoder.finish())
}

fn check(item: &Item, limits: Limits, seen: &mut Seen) {
    let findings = match item {
        Item::Comment(_) => return seen.note("comment"),
        Item::Control(control) => {
            seen.note((
                control.name.is_some(),
                control.id.is_some(),
                control.retry.is_some(),
            ));
            &control.findings
        }
        Item::Event(event) => {
            match &event.cut {
                Some(cut) => {
                    assert!(event.data.len() <= limits.kept);
                    assert!(cut.size > limits.message);
                    seen.note(("cut", cut.message_id.is_some()));
                }
                None => assert!(event.data.len() as u64 <= limits.message),
            }
            seen.note((event.name.is_some(), event.id.is_some(), event.sets_id));
            seen.note((event.retry.is_some(), event.data.contains(&b'\n')));
            seen.note_count("data", event.data.len());
            &event.findings
        }
    };
    assert!(findings.len() <= 33);
    findings.iter().for_each(|finding| seen.note(finding.id()));
}

/// An item without its findings and limits.
#[derive(Debug, PartialEq)]
enum Plain {
    Comment(String),
    Control(Option<String>, Option<Arc<str>>, Option<u64>),
    Event(Option<String>, Vec<u8>, Option<Arc<str>>, Option<u64>),
}

impl Plain {
    fn of(item: &Item) -> Self {
        match item {
            Item::Comment(text) => Plain::Comment(text.clone()),
            Item::Control(control) => {
                Plain::Control(control.name.clone(), control.id.clone(), control.retry)
            }
            Item::Event(event) => Plain::Event(
                event.name.clone(),
                event.data.clone(),
                event.id.clone(),
                event.retry,
            ),
        }
    }
}

/// Reads a stream as the HTML standard specifies, from all bytes at once.
fn standard(bytes: &[u8]) -> (Vec<Plain>, Option<Incomplete>) {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut items = Vec::new();
    let mut last_id: Option<Arc<str>> = None;
    let mut data: Option<Vec<u8>> = None;
    let mut id: Option<Arc<str>> = None;
    let (mut name, mut retry, mut odd) = (None, None, false);
    while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        let line = &rest[..end];
        let terminator = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + terminator..];
        if line.is_empty() {
            if let Some(id) = &id {
                last_id = (!id.is_empty()).then(|| Arc::clone(id));
            }
            match data.take() {
                Some(data) => {
                    items.push(Plain::Event(name.take(), data, last_id.clone(), retry));
                }
                None if id.is_some() || retry.is_some() || name.is_some() || odd => {
                    items.push(Plain::Control(name.take(), id.clone(), retry));
                }
                None => {}
            }
            (name, id, retry, odd) = (None, None, None, false);
            continue;
        }
        let (field, value) = split(line);
        let text = || String::from_utf8_lossy(value).into_owned();
        match field {
            b"" => {
                items.push(Plain::Comment(
                    String::from_utf8_lossy(&line[1..]).into_owned(),
                ));
            }
            b"data" => join(&mut data, value),
            b"event" => name = Some(text()),
            b"id" if !value.contains(&0) => id = Some(text().into()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                match text().parse() {
                    Ok(number) => retry = Some(number),
                    Err(_) => odd = true,
                }
            }
            _ => odd = true,
        }
    }
    let mut line = rest;
    let is_data = line.starts_with(b"data:");
    if is_data {
        join(&mut data, split(line).1);
        line = &[];
    }
    let begun =
        data.is_some() || name.is_some() || id.is_some() || retry.is_some() || !line.is_empty();
    let incomplete = begun.then(|| Incomplete {
        data: data.unwrap_or_default(),
        line: line.to_vec(),
    });
    (items, incomplete)
}

fn split(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
        None => (line, &[]),
    }
}

fn join(data: &mut Option<Vec<u8>>, value: &[u8]) {
    match data {
        Some(data) => {
            data.push(b'\n');
            data.extend_from_slice(value);
        }
        None => *data = Some(value.to_vec()),
    }
}

fn written_again(event: &Event) {
    let mut text: Vec<u8> = Vec::new();
    let mut field = |name: &str, value: &[u8]| {
        text.extend_from_slice(name.as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value);
        text.push(b'\n');
    };
    if let Some(name) = &event.name {
        field("event", name.as_bytes());
    }
    if event.sets_id {
        field("id", event.id.as_deref().unwrap_or_default().as_bytes());
    }
    if let Some(retry) = event.retry {
        field("retry", retry.to_string().as_bytes());
    }
    for line in event.data.split(|byte| *byte == b'\n') {
        field("data", line);
    }
    text.push(b'\n');
    let (items, incomplete) = decode(&[&text], LARGE);
    assert_eq!(incomplete, None);
    let [Item::Event(again)] = &items[..] else {
        panic!("{event:?} is written as {text:?} and read as {items:?}");
    };
    assert_eq!((&again.name, &again.data), (&event.name, &event.data));
    assert_eq!((again.sets_id, again.retry), (event.sets_id, event.retry));
    if event.sets_id {
        assert_eq!(again.id, event.id);
    }
}
