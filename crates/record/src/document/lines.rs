//! Text as rows of a limited width.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::DocumentRow;
use crate::text::{is_replaced, push_visible, with_before};

/// Interval of the indexed rows: the place of every n-th row is kept, and the rows between are walked.
const MARK_INTERVAL: u64 = 16;
/// Limit of the bytes of a row per column: marks without width could continue for ever.
const BYTES_PER_COLUMN: usize = 16;
/// Columns between two tab stops, as in browsers.
const TAB_WIDTH: usize = 8;

/// Index of the rows of a text.
#[derive(Debug)]
pub(super) struct Lines {
    columns: usize,
    rows: u64,
    marks: Vec<Mark>,
}

/// Start of a row. Bodies are far below 4 GiB (see `sonde_wire::Limits`).
#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u32,
    /// Number of the row's line from 1; the lowest bit of `line << 1 | first` says that the line begins here.
    line: u32,
}

/// Walks over the rows of a text.
struct Walk<'a> {
    text: &'a str,
    columns: usize,
    at: usize,
    line: u32,
    first: bool,
}

struct Row {
    range: Range<usize>,
    line: Option<u64>,
}

impl Lines {
    pub(super) fn new(text: &str, columns: usize) -> Self {
        let mut lines = Self {
            columns,
            rows: 0,
            marks: Vec::new(),
        };
        let mut walk = Walk::new(text, columns);
        loop {
            if lines.rows.is_multiple_of(MARK_INTERVAL) {
                lines.marks.push(walk.mark());
            }
            if walk.next().is_none() {
                break;
            }
            lines.rows += 1;
        }
        lines
    }

    /// Returns the memory of the index, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.marks.len() * size_of::<Mark>()
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn count(&self) -> u64 {
        self.rows
    }

    /// Returns rows of the text that the index was built from.
    pub(super) fn rows(&self, text: &str, from: u64, count: u64) -> Vec<DocumentRow> {
        let Some(mark) = usize::try_from(from / MARK_INTERVAL)
            .ok()
            .and_then(|index| self.marks.get(index))
        else {
            return Vec::new();
        };
        Walk::resume(text, self.columns, *mark)
            .skip(usize::try_from(from % MARK_INTERVAL).unwrap_or(0))
            .take(usize::try_from(count).unwrap_or(usize::MAX))
            .map(|row| DocumentRow::Text {
                text: visible_row(text.get(row.range).unwrap_or_default()),
                line: row.line,
            })
            .collect()
    }

    /// Returns the row that contains the byte at `offset`.
    pub(super) fn row_of(&self, text: &str, offset: usize) -> u64 {
        let after = self
            .marks
            .partition_point(|mark| mark.offset as usize <= offset);
        let index = after.saturating_sub(1);
        let Some(mark) = self.marks.get(index) else {
            return 0;
        };
        // A line break belongs to the row that it ends, so the start of the next row decides.
        let mut walk = Walk::resume(text, self.columns, *mark);
        let mut row = index as u64 * MARK_INTERVAL;
        while walk.next().is_some() && walk.at <= offset {
            row += 1;
        }
        row.min(self.rows.saturating_sub(1))
    }
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, columns: usize) -> Self {
        Self {
            text,
            columns,
            at: 0,
            line: 1,
            first: true,
        }
    }

    fn resume(text: &'a str, columns: usize, mark: Mark) -> Self {
        Self {
            text,
            columns,
            at: mark.offset as usize,
            line: mark.line >> 1,
            first: mark.line & 1 == 1,
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            offset: u32::try_from(self.at).unwrap_or(u32::MAX),
            line: self.line << 1 | u32::from(self.first),
        }
    }

    /// Returns the number of bytes from `at` that fit on a row, without reading past a line break.
    fn fitting(&self) -> usize {
        let rest = &self.text[self.at..];
        let (mut column, mut length) = (0, 0);
        for (before, c) in with_before(rest) {
            if c == '\n' {
                break;
            }
            column += width(before, c, column);
            if length > 0 && (column > self.columns || length >= self.columns * BYTES_PER_COLUMN) {
                break;
            }
            length += c.len_utf8();
        }
        length
    }
}

impl Iterator for Walk<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let window = &rest[..rest.len().min(self.columns)];
        let plain = memchr::memchr(b'\n', window).unwrap_or(window.len());
        // Looks at every byte without an early exit, so that the processor compares many at once.
        let is_plain = |all: bool, byte: &u8| all & (0x20..0x7f).contains(byte);
        let length = if rest[..plain].iter().fold(true, is_plain) {
            plain
        } else {
            self.fitting()
        };
        let row = Row {
            range: self.at..self.at + length,
            line: self.first.then_some(u64::from(self.line)),
        };
        self.first = rest.get(length) == Some(&b'\n');
        self.at += length + usize::from(self.first);
        self.line += u32::from(self.first);
        Some(row)
    }
}

/// Returns the columns of the character after `before` as shown.
fn width(before: char, c: char, column: usize) -> usize {
    match c {
        '\t' => TAB_WIDTH - column % TAB_WIDTH,
        c if c.is_ascii_control() => 1,
        c if is_replaced(before, c) => {
            let mut shown = String::new();
            push_visible(&mut shown, before, c);
            shown.chars().count()
        }
        c => c.width().unwrap_or(0),
    }
}

/// Returns a row with every character visible. Tabs stay: they are seen as space.
fn visible_row(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (before, c) in with_before(text) {
        match c {
            '\t' => out.push(c),
            c => push_visible(&mut out, before, c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str, columns: usize) -> Vec<(Option<u64>, String)> {
        let lines = Lines::new(text, columns);
        let rows = lines.rows(text, 0, 1000);
        assert_eq!(rows.len() as u64, lines.count());
        rows.into_iter()
            .map(|row| match row {
                DocumentRow::Text { text, line } => (line, text),
                DocumentRow::Node { .. } => panic!(),
            })
            .collect()
    }

    fn own(rows: &[(Option<u64>, &str)]) -> Vec<(Option<u64>, String)> {
        rows.iter()
            .map(|(line, text)| (*line, (*text).to_owned()))
            .collect()
    }

    #[test]
    fn lines_are_wrapped_and_counted() {
        assert_eq!(rows("", 4), []);
        assert_eq!(rows("\n", 4), own(&[(Some(1), "")]));
        assert_eq!(
            rows("a\n\nb", 4),
            own(&[(Some(1), "a"), (Some(2), ""), (Some(3), "b")])
        );
        assert_eq!(rows("abcd\n", 4), own(&[(Some(1), "abcd")]));
        assert_eq!(
            rows("abcdefghi\nx", 4),
            own(&[
                (Some(1), "abcd"),
                (None, "efgh"),
                (None, "i"),
                (Some(2), "x")
            ])
        );
    }

    #[test]
    fn width_is_what_is_seen() {
        assert_eq!(rows("日本語x", 4), own(&[(Some(1), "日本"), (None, "語x")]));
        assert_eq!(
            rows("e\u{301}e\u{301}e", 2),
            own(&[(Some(1), "e\u{301}e\u{301}"), (None, "e")])
        );
        assert_eq!(rows("a\r\nb", 4), own(&[(Some(1), "a␍"), (Some(2), "b")]));
        assert_eq!(
            rows("ab\u{202e}cd", 8),
            own(&[(Some(1), "ab"), (None, "⟨U+202E⟩"), (None, "cd")])
        );
        assert_eq!(
            rows("a\tb\tc", 10),
            own(&[(Some(1), "a\tb"), (None, "\tc")])
        );
    }

    #[test]
    fn a_row_of_marks_without_width_is_bounded() {
        let text = "\u{301}".repeat(10_000);
        assert!(rows(&text, 4).len() > 100);
    }

    proptest! {
        #[test]
        fn rows_hold_all_of_the_text(text in "[a-c日\u{301}\u{202e}\t\r\n ]{0,200}", columns in 1_usize..12) {
            let lines = Lines::new(&text, columns);
            let mut whole = String::new();
            let (mut at, mut line) = (0, 0);
            for row in Walk::new(&text, columns) {
                prop_assert_eq!(row.range.start, at);
                let part = &text[row.range.clone()];
                let mut column = 0;
                for (before, c) in with_before(part) {
                    column += width(before, c, column);
                }
                prop_assert!(column <= columns || part.chars().count() == 1);
                prop_assert!(!part.contains('\n'));
                whole.push_str(part);
                at = row.range.end;
                if text[at..].starts_with('\n') {
                    whole.push('\n');
                    at += 1;
                }
                if let Some(number) = row.line {
                    prop_assert_eq!(number, line + 1);
                    line = number;
                }
            }
            prop_assert_eq!(&whole, &text);
            prop_assert_eq!(line, text.lines().count() as u64);
            let all = lines.rows(&text, 0, 10_000);
            for (index, row) in all.iter().enumerate() {
                prop_assert_eq!(&lines.rows(&text, index as u64, 1)[0], row);
            }
            let starts: Vec<usize> = Walk::new(&text, columns).map(|row| row.range.start).collect();
            for (offset, _) in text.char_indices() {
                let expected = starts.partition_point(|start| *start <= offset) - 1;
                prop_assert_eq!(lines.row_of(&text, offset), expected as u64);
            }
        }
    }
}
