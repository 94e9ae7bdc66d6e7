//! A log as text, to be saved as NDJSON: a line of JSON about the log, then one for each entry.
//!
//! Bodies are strings with the exact text: digits of numbers, order of members, broken and repeated parts stay as they
//! were. Bytes that are not text are in base64. Times are seconds since the first entry. A reader ignores unknown
//! members and kinds, and refuses another number in `mcplog`.

use std::io::{self, Write};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use sonde_wire::{Body, EntryKind, ExitStatus, Header};

use crate::clock::rfc3339;

use super::{
    WireLog,
    ring::{Stored, length},
    show,
};

/// Limit of the entries copied from the log at a time.
const CHUNK: u64 = 500;
/// Limit in bytes of their bodies and heads; the last entry may exceed it.
const CHUNK_BYTES: usize = 4 << 20;

/// Part of a log.
struct Chunk {
    /// Copies with their numbers, so that writing holds no lock.
    entries: Vec<(u64, Stored)>,
    /// Number of entries before this part that were dropped while the file was written.
    lost: u64,
    next: u64,
}

impl WireLog {
    /// Writes the entries that the log has now, with secrets replaced. `by` names the writing program, `label` is the
    /// user's name for the server. Blocks; the log records on meanwhile.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn export(&self, by: &str, label: &str, out: &mut impl Write) -> io::Result<()> {
        let (mut next, end, dropped, began) = {
            let inner = self.lock();
            let first = inner.ring.get(inner.ring.first()).ok();
            let began = first.map(|entry| (entry.at, entry.micros));
            let ring = &inner.ring;
            (ring.first(), ring.next(), ring.dropped(), began)
        };
        let (at, began) = began.unwrap_or((crate::clock::now_millis(), 0));
        let mut head = json!({
            "mcplog": 1,
            "started": rfc3339(at),
            "by": by,
            "server": { "label": label },
        });
        if dropped > 0 {
            head["lost"] = json!(dropped);
        }
        line(out, &head)?;
        while next < end {
            let chunk = self.chunk(next, end);
            if chunk.lost > 0 {
                line(out, &json!({ "k": "lost", "count": chunk.lost }))?;
            }
            for (seq, entry) in chunk.entries {
                line(out, &Value::Object(entry.line(seq, began)))?;
            }
            next = chunk.next;
        }
        out.flush()
    }

    /// Copies the next entries before `end`.
    fn chunk(&self, from: u64, end: u64) -> Chunk {
        let inner = self.lock();
        let ring = &inner.ring;
        let first = from.max(ring.first().min(end));
        let mut chunk = Chunk {
            entries: Vec::new(),
            lost: first - from,
            next: first,
        };
        let mut bytes = 0;
        while chunk.next < end.min(first + CHUNK) && bytes < CHUNK_BYTES {
            if let Ok(entry) = ring.get(chunk.next) {
                bytes += length(&entry.body);
                chunk.entries.push((chunk.next, entry.clone()));
            }
            chunk.next += 1;
        }
        chunk
    }
}

fn line(out: &mut impl Write, value: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

impl Stored {
    /// Formats the entry as a line. `began` is the time of the first entry.
    fn line(&self, seq: u64, began: u64) -> Map<String, Value> {
        let mut line = Map::new();
        let mut put = |name: &str, value: Value| drop(line.insert(name.to_owned(), value));
        put("n", json!(seq));
        #[expect(clippy::cast_precision_loss, reason = "microseconds of a few days")]
        let seconds = self.micros.saturating_sub(began) as f64 / 1_000_000.0;
        put("t", json!(seconds));
        put("k", json!(self.kind_name()));
        put("conn", json!(self.generation));
        if let Some(exchange) = self.exchange {
            put("ch", json!(exchange));
        }
        if let Some(operation) = self.label.operation {
            put("call", json!(operation));
        }
        if let Some(cause) = show::cause(&self.label) {
            put("cause", json!(cause));
        }
        match &self.kind {
            EntryKind::Message | EntryKind::Stderr => {}
            EntryKind::NonMessage => put("non_message", json!(true)),
            EntryKind::Started { command, pid } => {
                put("pid", json!(pid));
                put("command", json!(command));
            }
            EntryKind::Exited(status) => {
                let (code, signal) = match status {
                    ExitStatus::Code(code) => (Some(code), None),
                    ExitStatus::Signal(signal) => (None, Some(signal)),
                    ExitStatus::Unknown => (None, None),
                };
                put("code", json!(code));
                put("signal", json!(signal));
            }
            EntryKind::RequestHead {
                verb: how,
                url,
                headers,
            } => {
                put("m", json!(how.name()));
                put("url", json!(url));
                put("h", pairs(headers));
            }
            EntryKind::ResponseHead {
                status,
                version,
                headers,
            } => {
                put("status", json!(status));
                put("version", json!(version));
                put("h", pairs(headers));
            }
            EntryKind::SseControl => {}
            EntryKind::App => put("to_app", json!(self.out)),
            EntryKind::Note(text) => put("what", json!(text)),
        }
        match &self.body {
            Body::Empty => {}
            Body::Text(text) => put("raw", json!(**text)),
            Body::Bytes(bytes) => put("b64", json!(STANDARD.encode(bytes))),
        }
        if self.dropped > 0 {
            put("cut", json!({ "bytes": self.dropped }));
        }
        if self.redacted {
            put("red", json!(true));
        }
        let findings: Vec<_> = self.broken_rules().collect();
        if !findings.is_empty() {
            put("findings", json!(findings));
        }
        line
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            EntryKind::Message | EntryKind::NonMessage => {
                if self.out {
                    "out"
                } else {
                    "in"
                }
            }
            EntryKind::Stderr => "err",
            EntryKind::Started { .. } => "spawn",
            EntryKind::Exited(_) => "exit",
            EntryKind::RequestHead { .. } => "req",
            EntryKind::ResponseHead { .. } => "head",
            EntryKind::SseControl => "sse",
            EntryKind::Note(_) => "note",
            EntryKind::App => "app",
        }
    }
}

fn pairs(headers: &[Header]) -> Value {
    let pairs = headers.iter().map(|one| json!([one.name, one.value]));
    Value::Array(pairs.collect())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use sonde_wire::{Direction, Entry, ExchangeId, Tap, Verb};

    use super::*;
    use crate::log::{LogLimits, Secrets};

    fn entry(kind: EntryKind, body: Body) -> Entry {
        Entry::new(Direction::In, kind, body)
    }

    fn text(text: &str) -> Body {
        Body::Text(text.to_owned().into())
    }

    /// Saves a log and returns its lines.
    fn saved(log: &WireLog) -> Vec<Value> {
        let mut out = Vec::new();
        log.export("sonde/1", "Shop", &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn every_entry_is_a_line_with_its_exact_text() {
        const RAW: &str = "{\"n\":1.10, \"n\":9007199254740993, broken";
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let command = vec!["server".to_owned(), "a b".to_owned()];
        log.record(entry(EntryKind::Started { command, pid: 7 }, Body::Empty));
        log.record(Entry {
            dropped: 3,
            ..entry(EntryKind::NonMessage, text(RAW))
        });
        log.record(entry(
            EntryKind::Message,
            Body::Bytes(Bytes::from_static(&[0xff, 0])),
        ));
        log.record(entry(EntryKind::Exited(ExitStatus::Code(1)), Body::Empty));
        let lines = saved(&log);
        assert_eq!((lines[0]["mcplog"].as_u64(), lines.len()), (Some(1), 5));
        assert_eq!(lines[0]["server"]["label"], "Shop");
        assert_eq!(lines[1]["k"], "spawn");
        assert_eq!(lines[1]["command"], json!(["server", "a b"]));
        assert_eq!(
            (&lines[2]["raw"], &lines[2]["non_message"]),
            (&json!(RAW), &json!(true))
        );
        assert_eq!(lines[2]["cut"]["bytes"].as_u64(), Some(3));
        assert_eq!(
            (&lines[3]["k"], &lines[3]["b64"]),
            (&json!("in"), &json!("/wA="))
        );
        assert_eq!(lines[4]["code"].as_i64(), Some(1));
        let numbers: Vec<_> = lines[1..].iter().map(|line| line["n"].as_u64()).collect();
        assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn secrets_are_replaced_and_what_is_lost_is_counted() {
        let limits = LogLimits {
            entries: 2,
            ..LogLimits::default()
        };
        let log = WireLog::new("s".to_owned(), limits);
        log.set_secrets(Secrets {
            values: vec!["hush-hush".into()],
            headers: Vec::new(),
        });
        log.note("one");
        let headers = vec![Header {
            name: "Authorization".to_owned(),
            value: "Bearer hush-hush".to_owned(),
        }];
        let head = EntryKind::RequestHead {
            verb: Verb::Post,
            url: "https://a/?k=hush-hush".to_owned(),
            headers,
        };
        log.record(Entry {
            direction: Direction::Out,
            exchange: Some(ExchangeId(4)),
            ..entry(head, Body::Empty)
        });
        log.record(entry(EntryKind::Message, text("{\"a\":\"hush-hush\"}")));
        let lines = saved(&log);
        assert_eq!(lines[0]["lost"].as_u64(), Some(1));
        assert!(!format!("{lines:?}").contains("hush-hush"), "{lines:?}");
        assert_eq!(
            (&lines[1]["k"], &lines[1]["m"]),
            (&json!("req"), &json!("POST"))
        );
        assert_eq!(lines[1]["ch"].as_u64(), Some(4));
        assert_eq!(
            (&lines[1]["red"], &lines[2]["red"]),
            (&json!(true), &json!(true))
        );
    }

    #[test]
    fn an_error_of_the_last_bytes_is_reported() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        let mut full = io::BufWriter::new(&mut [0; 0][..]);
        assert!(log.export("sonde/1", "Shop", &mut full).is_err());
    }

    #[test]
    fn a_log_of_many_pieces_is_whole() {
        let log = WireLog::new("s".to_owned(), LogLimits::default());
        for number in 0..1_201 {
            log.note(format!("note {number}"));
        }
        let lines = saved(&log);
        assert_eq!(lines.len(), 1_202);
        assert_eq!(lines[1_201]["what"], "note 1200");
        log.clear();
        assert_eq!(saved(&log).len(), 1);
    }

    #[test]
    fn times_are_written_as_the_standard_says() {
        for (at, written) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999.0, "2000-02-28T23:59:59.999Z"),
            (951_827_696_000.5, "2000-02-29T12:34:56.000Z"),
            (1_795_258_800_000.0, "2026-11-21T11:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(at), written);
        }
    }
}
