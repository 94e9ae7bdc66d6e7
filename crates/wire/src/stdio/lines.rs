//! Bytes to lines: the framing of the stdio transport (protocol: stdio, one message per line).

use memchr::memchr;

use crate::{
    Limits,
    id_scan::TAIL,
    text::{BYTE_ORDER_MARK, whole_characters},
};

/// Lines at least this long leave the buffer without being copied.
const MIN_MOVED_LINE: usize = 64 * 1024;
/// Free space for each read: a pipe's default capacity.
const READ_BYTES: usize = 64 * 1024;

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The bytes; of an oversized line only its beginning.
    pub bytes: Vec<u8>,
    /// The cut part, if the line was above the limit.
    pub cut: Option<Cut>,
    /// The end of the line.
    pub end: LineEnd,
    /// A byte order mark was removed from the line.
    pub bom: bool,
}

/// Tail and size of an oversized line.
#[derive(Debug, PartialEq, Eq)]
pub struct Cut {
    /// The last bytes of the line.
    pub tail: Vec<u8>,
    /// The size of the whole line in bytes.
    pub size: u64,
}

/// Ends of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
    /// The stream ended first.
    Missing,
}

/// Cuts a stream of bytes into lines. Every byte is scanned once (by `memchr`), and a long line becomes the message
/// without being copied.
#[derive(Debug)]
pub struct LineCodec {
    limits: Limits,
    buffer: Vec<u8>,
    /// Start of the current line in `buffer`.
    start: usize,
    /// End of the part of `buffer` that is known to hold no further line end.
    scanned: usize,
    /// Set while the rest of an oversized line is skipped.
    skipping: Option<Skipped>,
    /// No line was returned yet.
    fresh: bool,
}

#[derive(Debug)]
struct Skipped {
    head: Vec<u8>,
    tail: Vec<u8>,
    size: u64,
}

impl LineCodec {
    /// Creates a codec at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            skipping: None,
            fresh: true,
        }
    }

    /// Returns the buffer for the next bytes. Call `next_line` until it is empty before.
    pub fn spare(&mut self) -> &mut Vec<u8> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.buffer.reserve(READ_BYTES);
        &mut self.buffer
    }

    /// Returns the next complete line.
    pub fn next_line(&mut self) -> Option<Line> {
        let Some(found) = memchr(b'\n', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            self.skip_if_oversized();
            return None;
        };
        let end = self.scanned + found;
        let (bytes, cut) = self.take_line(end, 1);
        Some(self.line(bytes, cut, LineEnd::Lf))
    }

    /// Returns the bytes after the last line end.
    #[must_use]
    pub fn finish(mut self) -> Option<Line> {
        let end = self.buffer.len();
        if end == self.start && self.skipping.is_none() {
            return None;
        }
        let (bytes, cut) = self.take_line(end, 0);
        Some(self.line(bytes, cut, LineEnd::Missing))
    }

    /// Takes the bytes of the line that ends at `end`, and skips its `terminator`.
    fn take_line(&mut self, end: usize, terminator: usize) -> (Vec<u8>, Option<Cut>) {
        if self.skipping.is_none() && end - self.start > self.limits.message_len() {
            self.skipping = Some(Skipped::begin());
        }
        let next = end + terminator;
        let taken = if let Some(mut skipped) = self.skipping.take() {
            skipped.add(&self.buffer[self.start..end], self.limits.kept);
            let cut = Cut {
                tail: skipped.tail,
                size: skipped.size,
            };
            (whole_characters(skipped.head), Some(cut))
        } else if self.start == 0 && end >= MIN_MOVED_LINE {
            let rest = self.buffer[next..].to_vec();
            let mut bytes = std::mem::replace(&mut self.buffer, rest);
            bytes.truncate(end);
            bytes.shrink_to_fit();
            self.start = 0;
            self.scanned = 0;
            return (bytes, None);
        } else {
            (self.buffer[self.start..end].to_vec(), None)
        };
        self.start = next;
        self.scanned = next;
        if next == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            self.scanned = 0;
        }
        taken
    }

    fn line(&mut self, mut bytes: Vec<u8>, mut cut: Option<Cut>, mut end: LineEnd) -> Line {
        let bom = self.fresh && bytes.starts_with(BYTE_ORDER_MARK);
        self.fresh = false;
        if bom {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        if end == LineEnd::Lf {
            let last = match &mut cut {
                Some(cut) => &mut cut.tail,
                None => &mut bytes,
            };
            if last.last() == Some(&b'\r') {
                last.pop();
                end = LineEnd::CrLf;
            }
        }
        Line {
            bytes,
            cut,
            end,
            bom,
        }
    }

    /// Drops the buffered part of a line that is already above the limit.
    fn skip_if_oversized(&mut self) {
        let pending = &self.buffer[self.start..];
        if self.skipping.is_none() && pending.len() > self.limits.message_len() {
            self.skipping = Some(Skipped::begin());
        }
        if let Some(skipped) = &mut self.skipping {
            skipped.add(pending, self.limits.kept);
            self.buffer.clear();
            self.buffer.shrink_to(READ_BYTES);
            self.start = 0;
            self.scanned = 0;
        }
    }
}

impl Skipped {
    fn begin() -> Self {
        Self {
            head: Vec::new(),
            tail: Vec::new(),
            size: 0,
        }
    }

    fn add(&mut self, bytes: &[u8], kept: usize) {
        let room = kept.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.size += bytes.len() as u64;
        let last = &bytes[bytes.len().saturating_sub(TAIL)..];
        let surplus = (self.tail.len() + last.len()).saturating_sub(TAIL);
        self.tail.drain(..surplus.min(self.tail.len()));
        self.tail.extend_from_slice(last);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SMALL: Limits = Limits {
        message: 12,
        kept: 4,
    };

    fn lines(limits: Limits, chunks: &[&[u8]]) -> Vec<Line> {
        let mut codec = LineCodec::new(limits);
        let mut lines = Vec::new();
        for chunk in chunks {
            codec.spare().extend_from_slice(chunk);
            lines.extend(std::iter::from_fn(|| codec.next_line()));
        }
        lines.extend(codec.finish());
        lines
    }

    fn texts(lines: &[Line]) -> Vec<&[u8]> {
        lines.iter().map(|line| line.bytes.as_slice()).collect()
    }

    #[test]
    fn line_ends_and_blank_lines() {
        let lines = lines(Limits::default(), &[b"a\nb\r\n\n\r\nc\r"]);
        assert_eq!(texts(&lines), [&b"a"[..], b"b", b"", b"", b"c\r"]);
        assert_eq!(
            lines.iter().map(|line| line.end).collect::<Vec<_>>(),
            [
                LineEnd::Lf,
                LineEnd::CrLf,
                LineEnd::Lf,
                LineEnd::CrLf,
                LineEnd::Missing
            ]
        );
    }

    #[test]
    fn a_byte_order_mark_counts_at_the_start_only() {
        let lines = lines(
            Limits::default(),
            &[b"\xEF\xBB", b"\xBF{}\n\xEF\xBB\xBF{}\n"],
        );
        assert_eq!(texts(&lines), [&b"{}"[..], b"\xEF\xBB\xBF{}"]);
        assert!(lines[0].bom && !lines[1].bom);
    }

    #[test]
    fn a_line_at_the_limit_is_whole_and_one_above_is_cut() {
        let lines = lines(SMALL, &[b"123456789012\n1234567890123\nnext\n"]);
        assert_eq!(texts(&lines), [&b"123456789012"[..], b"1234", b"next"]);
        assert_eq!(lines[1].cut.as_ref().map(|cut| cut.size), Some(13));
        assert_eq!(
            lines[1].cut.as_ref().map(|cut| cut.tail.as_slice()),
            Some(&b"1234567890123"[..])
        );
        assert!(lines[2].cut.is_none());
    }

    #[test]
    fn a_long_line_is_taken_whole_with_its_neighbours() {
        let long = vec![b'x'; 300_000];
        let mut bytes = b"first\n".to_vec();
        bytes.extend_from_slice(&long);
        bytes.extend_from_slice(b"\nlast\n");
        let chunks = bytes.chunks(65_536).collect::<Vec<_>>();
        assert_eq!(
            texts(&lines(Limits::default(), &chunks)),
            [&b"first"[..], &long, b"last"]
        );
    }

    #[test]
    fn memory_stays_bounded_while_an_oversized_line_is_skipped() {
        let mut codec = LineCodec::new(Limits {
            message: 1_000_000,
            kept: 100,
        });
        for _ in 0..100 {
            codec.spare().extend_from_slice(&[b'x'; 65_536]);
            assert_eq!(codec.next_line(), None);
            assert!(codec.buffer.capacity() < 3_000_000);
        }
        codec.spare().push(b'\n');
        let line = codec.next_line().unwrap();
        assert_eq!(line.bytes.len(), 100);
        let cut = line.cut.unwrap();
        assert_eq!((cut.size, cut.tail.len()), (6_553_600, TAIL));
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            3 => Just(b"\n".to_vec()),
            2 => Just(b"\r".to_vec()),
            1 => Just(BYTE_ORDER_MARK.to_vec()),
            4 => prop::collection::vec(any::<u8>(), 0..10),
        ];
        prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(bytes in bytes(), cuts: Vec<prop::sample::Index>) {
            let mut cuts = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect::<Vec<_>>();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks = cuts.windows(2).map(|at| &bytes[at[0]..at[1]]).collect::<Vec<_>>();
            prop_assert_eq!(lines(SMALL, &chunks), lines(SMALL, &[&bytes]));
            prop_assert_eq!(
                lines(Limits::default(), &chunks),
                lines(Limits::default(), &[&bytes])
            );
        }

        #[test]
        fn no_byte_is_lost(bytes in bytes()) {
            let mut again = Vec::new();
            for line in lines(Limits::default(), &[&bytes]) {
                if line.bom {
                    again.extend_from_slice(BYTE_ORDER_MARK);
                }
                again.extend_from_slice(&line.bytes);
                again.extend_from_slice(match line.end {
                    LineEnd::Lf => b"\n",
                    LineEnd::CrLf => b"\r\n",
                    LineEnd::Missing => b"",
                });
            }
            prop_assert_eq!(again, bytes);
        }
    }
}
