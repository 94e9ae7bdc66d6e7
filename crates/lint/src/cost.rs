//! Cost of definitions for a model.

use std::ops::AddAssign;

/// Tokens of the context to which shares refer.
pub const CONTEXT: u64 = 200_000;

/// Cost of definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The definitions as received, in bytes.
    pub bytes: u64,
    /// Estimated tokens of the parts that models get: name, description and input schema. One token for four ASCII
    /// characters and one for each other character, without white space between the parts of the schema. The real
    /// number depends on the model.
    pub tokens: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.tokens += other.tokens;
    }
}

impl Cost {
    /// Returns the cost of one tool.
    #[must_use]
    pub fn of(tool: &crate::Tool<'_>) -> Self {
        let texts = [
            Characters::of(tool.name),
            Characters::of(tool.description.unwrap_or_default()),
            Characters::of_json(tool.input_schema.unwrap_or_default()),
        ];
        Self {
            bytes: tool.raw.len() as u64,
            tokens: tokens(texts),
        }
    }

    /// Returns the cost of a definition of another kind, which models get whole.
    #[must_use]
    pub fn of_definition(raw: &str) -> Self {
        Self {
            bytes: raw.len() as u64,
            tokens: tokens([Characters::of_json(raw)]),
        }
    }
}

fn tokens<const N: usize>(texts: [Characters; N]) -> u64 {
    let ascii: u64 = texts.iter().map(|text| text.ascii).sum();
    let other: u64 = texts.iter().map(|text| text.other).sum();
    tokens_of(ascii, other)
}

/// Estimates the tokens of these numbers of characters.
pub(crate) fn tokens_of(ascii: u64, other: u64) -> u64 {
    ascii.div_ceil(4) + other
}

/// Counts the ASCII characters of a text, and the others.
pub(crate) fn characters(text: &str) -> (u64, u64) {
    let Characters { ascii, other } = Characters::of(text);
    (ascii, other)
}

struct Characters {
    ascii: u64,
    other: u64,
}

impl Characters {
    fn of(text: &str) -> Self {
        // Most texts are ASCII, and this test is much faster than counting.
        if text.is_ascii() {
            return Self {
                ascii: text.len() as u64,
                other: 0,
            };
        }
        let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
        // Each other character begins with one byte that is not a continuation byte.
        let other = text.bytes().filter(|one| *one >= 0xC0).count() as u64;
        Self { ascii, other }
    }

    /// Counts a JSON text without the white space between its tokens.
    fn of_json(text: &str) -> Self {
        let mut all = Self::of(text);
        let (mut quoted, mut escaped) = (false, false);
        for one in text.bytes() {
            if quoted {
                quoted = escaped || one != b'"';
                escaped = !escaped && one == b'\\';
            } else if one == b'"' {
                quoted = true;
            } else if one.is_ascii_whitespace() {
                all.ascii -= 1;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tool;

    #[test]
    fn tokens_are_estimated_by_what_a_model_is_given() {
        let tool = Tool {
            name: "abcd",
            description: Some("日本"),
            input_schema: Some("{ \"a\":\n \"b c\\\" d\" }"),
            raw: "0123456789",
            ..Tool::default()
        };
        // `abcd`, two characters, and `{"a":"b c\" d"}` with 15 of them.
        assert_eq!(
            Cost::of(&tool),
            Cost {
                bytes: 10,
                tokens: 2 + 5
            }
        );
        assert_eq!(Cost::of_definition("{ }").tokens, 1);
    }
}
