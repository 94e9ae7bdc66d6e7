//! Showing, cutting and searching text that a server wrote.

use std::ops::Range;

use sonde_findings::shows_nothing;

/// Appends the character that follows `before` in a visible form: control characters as control pictures, characters
/// that reorder or hide text as `⟨U+202E⟩`.
///
/// Text of a server is not trusted: an override of the writing direction can make a command read as another one, and
/// invisible tags can carry text that only a model reads. Joiners stay, since scripts and emoji need them.
pub fn push_visible(out: &mut String, before: char, c: char) {
    match c {
        '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{2426}')),
        '\u{7f}' => out.push('\u{2421}'),
        c if is_hidden(before, c) => {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        }
        c => out.push(c),
    }
}

/// True if [`push_visible`] replaces the character.
pub fn is_replaced(before: char, c: char) -> bool {
    c.is_ascii_control() || is_hidden(before, c)
}

/// Returns each character after the one before it, the first after `\0`.
pub fn with_before(text: &str) -> impl Iterator<Item = (char, char)> {
    let mut before = '\0';
    text.chars()
        .map(move |c| (std::mem::replace(&mut before, c), c))
}

/// True if a text shows nothing: it has only white space and invisible characters, or none at all.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    with_before(text).all(|(before, c)| c.is_whitespace() || is_replaced(before, c))
}

/// True for a non-ASCII character that is invisible or reorders the text around it.
fn is_hidden(before: char, c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2065}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}')
        || shows_nothing(before, c)
}

/// Returns the text with every character visible.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (before, c) in with_before(text) {
        push_visible(&mut out, before, c);
    }
    out
}

/// Returns a line of at most `limit` characters with the beginning of the text; `…` ends a cut one.
pub fn preview(text: &str, limit: usize) -> String {
    let text = text.trim_start().trim_end_matches(['\n', '\r']);
    // Most messages are ASCII, which is copied at once.
    let ascii = text.bytes().take(limit.saturating_sub(1));
    let mut length = ascii.take_while(|byte| matches!(byte, b' '..=b'~')).count();
    let (ascii, rest) = text.split_at(length);
    let mut out = String::with_capacity(text.len().min(limit + 8));
    out.push_str(ascii);
    for (before, c) in with_before(rest) {
        let end = out.len();
        push_visible(&mut out, before, c);
        length += out[end..].chars().count();
        // One place is reserved for the ellipsis.
        if length >= limit {
            out.truncate(end);
            out.push('…');
            break;
        }
    }
    out
}

/// A text to search for, ignoring case.
#[derive(Clone, Debug)]
pub struct Needle {
    /// In lower case, as `char::to_lowercase` writes it.
    chars: Vec<char>,
    /// First bytes of every way to write the first character.
    leads: Vec<u8>,
}

impl Needle {
    /// Creates a needle; `None` for an empty text.
    pub fn new(text: &str) -> Option<Self> {
        let chars: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
        let first = *chars.first()?;
        let mut leads: Vec<u8> = [first]
            .into_iter()
            .chain(first.to_uppercase())
            .chain(text.chars().next())
            .map(|c| c.encode_utf8(&mut [0; 4]).as_bytes()[0])
            .collect();
        leads.sort_unstable();
        leads.dedup();
        leads.truncate(3);
        Some(Self { chars, leads })
    }

    /// True if the text contains the needle.
    pub fn is_in(&self, text: &str) -> bool {
        self.find(text, 0).is_some()
    }

    /// Finds the first occurrence at or after `from`, which must be a character boundary.
    pub fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let mut at = from;
        loop {
            let rest = bytes.get(at..)?;
            at += match *self.leads.as_slice() {
                [a] => memchr::memchr(a, rest),
                [a, b] => memchr::memchr2(a, b, rest),
                [a, b, c, ..] => memchr::memchr3(a, b, c, rest),
                [] => None,
            }?;
            if let Some(length) = self.length_at(&text[at..]) {
                return Some(at..at + length);
            }
            at += 1;
            // A lead byte begins a character; stepping to the next boundary passes the whole character.
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    /// Returns the length in bytes of the needle at the start of `text`.
    fn length_at(&self, text: &str) -> Option<usize> {
        let mut wanted = self.chars.iter();
        for (at, c) in text.char_indices() {
            if wanted.len() == 0 {
                return Some(at);
            }
            if c.is_ascii() {
                if *wanted.next()? != c.to_ascii_lowercase() {
                    return None;
                }
                continue;
            }
            for lower in c.to_lowercase() {
                match wanted.next() {
                    Some(expected) if *expected == lower => {}
                    _ => return None,
                }
            }
        }
        (wanted.len() == 0).then_some(text.len())
    }
}

/// Cuts a text to at most `longest` characters; an ellipsis marks the cut.
#[must_use]
pub fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Cuts a text to at most `longest` bytes, between characters.
#[must_use]
pub fn cut_bytes(text: &str, longest: usize) -> &str {
    &text[..text.floor_char_boundary(longest)]
}

/// Cuts a text to at most `longest` bytes within a JSON string; an ellipsis marks the cut.
#[must_use]
pub fn cut_json(text: &str, longest: usize) -> String {
    let mut room = longest;
    let end = text.char_indices().find(|(_, c)| {
        let bytes = match c {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            c => c.len_utf8(),
        };
        match room.checked_sub(bytes) {
            Some(left) => room = left,
            None => return true,
        }
        false
    });
    end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))
}

/// Formats a size for people.
#[must_use]
pub fn megabytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let size = bytes as f64 / (1024.0 * 1024.0);
    format!("{size:.1} MiB")
}

/// Formats an error text as a sentence.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).chain(['.']).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_for_json_is_measured_as_json() {
        for text in ["plain", "\"\\\n\t\r\u{8}\u{c}", "\u{1}\u{1f}\u{7f}", "ü€😀"] {
            let size = serde_json::to_string(text).unwrap().len() - 2;
            assert_eq!(cut_json(text, size), text);
            let short = cut_json(text, size - 1);
            assert!(short.ends_with('…') && text.starts_with(short.trim_end_matches('…')));
        }
        assert_eq!(cut_json("üüü", 5), "üü…");
    }

    #[test]
    fn what_cannot_be_seen_is_blank() {
        for text in ["", " \t\n", "\u{200b}\u{feff}\u{202e}"] {
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank("\u{200b}x"));
    }

    #[test]
    fn cuts_keep_characters_whole() {
        assert_eq!(cut("üüü", 2), "üü…");
        assert_eq!(cut("üü", 2), "üü");
        assert_eq!(cut_bytes("üü", 3), "ü");
        assert_eq!(cut_bytes("üü", 4), "üü");
        assert_eq!(cut_bytes("a", 400), "a");
    }

    #[test]
    fn sentences_begin_large_and_end_with_one_stop() {
        assert_eq!(sentence("it broke"), "It broke.");
        assert_eq!(sentence("it broke."), "It broke.");
        assert_eq!(sentence(""), "");
        assert_eq!(megabytes(3 << 19), "1.5 MiB");
    }

    #[test]
    fn hidden_and_control_characters_are_seen() {
        assert_eq!(visible("a\u{202e}b\u{1b}[0m\r\n"), "a⟨U+202E⟩b␛[0m␍␊");
        assert_eq!(visible("\u{e0041}\u{feff}"), "⟨U+E0041⟩⟨U+FEFF⟩");
        assert_eq!(visible("\u{3164}a\u{e0101}"), "⟨U+3164⟩a⟨U+E0101⟩");
        assert_eq!(visible("❤\u{fe0f}\u{fe01}"), "❤\u{fe0f}⟨U+FE01⟩");
        for plain in ["👩\u{200d}💻 é", "葛\u{e0100}"] {
            assert_eq!(visible(plain), plain);
        }
        assert_eq!(visible("\0\u{7f}"), "␀␡");
    }

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(preview("  {\"a\":\n 1}\n", 160), "{\"a\":␊ 1}");
        assert_eq!(preview("abcdef", 4), "abc…");
        assert_eq!(preview("abé\u{202e}c", 13), "abé⟨U+202E⟩c");
        assert_eq!(preview("abé\u{202e}c", 12), "abé⟨U+202E⟩…");
        assert_eq!(preview("", 4), "");
        assert!(preview(&"\u{202e}".repeat(100), 160).chars().count() <= 160);
    }

    #[test]
    fn search_ignores_case() {
        let find = |needle: &str, text: &str| Needle::new(needle).and_then(|n| n.find(text, 0));
        assert_eq!(find("ÄÖ", "xäöy"), Some(1..5));
        assert_eq!(find("hello", "say HELLO"), Some(4..9));
        assert_eq!(find("aab", "aaab"), Some(1..4));
        assert_eq!(find("x", ""), None);
        assert_eq!(find("straße", "STRAßE"), Some(0..7));
        assert_eq!(find("日本", "今日本"), Some(3..9));
        assert!(Needle::new("").is_none());
    }

    proptest::proptest! {
        #[test]
        fn what_is_in_the_text_is_found(before in "\\PC{0,8}", needle in "[a-zA-Zäß日é]{1,5}", after in "\\PC{0,8}") {
            let text = format!("{before}{needle}{after}");
            for asked in [needle.clone(), needle.to_lowercase()] {
                let range = Needle::new(&asked).unwrap().find(&text, 0).unwrap();
                proptest::prop_assert_eq!(text[range].to_lowercase(), needle.to_lowercase());
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,20}", needle in "\\PC{1,3}") {
            if let Some(needle) = Needle::new(&needle) {
                needle.find(&text, 0);
            }
            proptest::prop_assert!(preview(&text, 8).chars().count() <= 8);
        }
    }
}
