//! Bytes as rows of hexadecimal digits.

use std::fmt::Write as _;

use super::DocumentRow;

/// Columns of a row without its bytes: the offset, two spaces after it, and one space before the characters.
const BESIDE: usize = 11;
/// Columns of a byte: two digits, a space, and its character.
const OF_BYTE: usize = 4;

/// Returns the number of bytes in a row of this many columns: 16, 8 or 4.
pub(super) fn width(columns: usize) -> usize {
    match columns.saturating_sub(BESIDE) / OF_BYTE {
        16.. => 16,
        8..16 => 8,
        _ => 4,
    }
}

/// Returns the number of rows for this many bytes.
pub(super) fn count(bytes: usize, width: usize) -> u64 {
    bytes.div_ceil(width) as u64
}

/// Returns rows by index.
pub(super) fn rows(bytes: &[u8], width: usize, from: u64, count: u64) -> Vec<DocumentRow> {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let rows = bytes.chunks(width).enumerate().skip(from).take(count);
    rows.map(|(row, bytes)| DocumentRow::Text {
        text: row_text(row * width, bytes, width),
        line: None,
    })
    .collect()
}

fn row_text(offset: usize, bytes: &[u8], width: usize) -> String {
    let mut text = String::with_capacity(BESIDE + OF_BYTE * width);
    // Writing to a string cannot fail.
    let _ = write!(text, "{offset:08x}  ");
    for byte in bytes {
        let _ = write!(text, "{byte:02x} ");
    }
    text.extend(std::iter::repeat_n(' ', 3 * (width - bytes.len()) + 1));
    text.extend(bytes.iter().map(|byte| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    }));
    text
}

/// Finds the offsets of a text among the bytes, ignoring the case of ASCII letters; at most `most`.
pub(super) fn search(bytes: &[u8], text: &str, most: usize) -> Vec<u32> {
    let wanted = text.as_bytes();
    if wanted.is_empty() {
        return Vec::new();
    }
    let places = bytes.windows(wanted.len()).enumerate();
    let found = places.filter(|(_, window)| window.eq_ignore_ascii_case(wanted));
    found
        .filter_map(|(place, _)| u32::try_from(place).ok())
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8], width: usize, from: u64, count: u64) -> Vec<String> {
        let rows = rows(bytes, width, from, count);
        rows.into_iter()
            .map(|row| match row {
                DocumentRow::Text { text, line: None } => text,
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn bytes_stand_in_rows_with_their_offset_and_characters() {
        let bytes: Vec<u8> = (0..40).map(|n| n * 3).collect();
        assert_eq!(
            (count(bytes.len(), 16), count(0, 16), count(16, 16)),
            (3, 0, 1)
        );
        let all = texts(&bytes, 16, 0, 100);
        assert_eq!(
            all[1],
            "00000010  30 33 36 39 3c 3f 42 45 48 4b 4e 51 54 57 5a 5d  0369<?BEHKNQTWZ]"
        );
        assert_eq!(
            all[2],
            format!(
                "00000020  60 63 66 69 6c 6f 72 75 {}`cfiloru",
                " ".repeat(25)
            )
        );
        assert!(all[0].ends_with(" ...........!$'*-"), "{}", all[0]);
        assert_eq!(texts(&bytes, 16, 1, 1), all[1..2]);
        assert!(texts(&bytes, 16, u64::MAX, 1).is_empty());
    }

    #[test]
    fn a_row_has_as_many_bytes_as_fit() {
        for (columns, bytes) in [(20, 4), (42, 4), (43, 8), (74, 8), (75, 16), (1_000, 16)] {
            assert_eq!(width(columns), bytes, "{columns}");
            let longest = texts(&[0; 16], bytes, 0, 1)[0].len();
            assert!(longest <= columns.max(27), "{longest} in {columns}");
        }
    }

    #[test]
    fn texts_are_found_in_bytes() {
        assert_eq!(search(b"\xffPNG\0png", "png", 10), [1, 5]);
        assert_eq!(search(b"aaaa", "a", 2), [0, 1]);
        assert!(search(b"a", "", 2).is_empty() && search(b"", "a", 2).is_empty());
    }
}
