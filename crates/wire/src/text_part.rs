//! Shared slices of a text.

use std::{fmt, ops::Range, sync::Arc};

/// A part of a text, such as one value of a received message. A large part shares the text, and keeps all of it alive.
#[derive(Clone)]
pub struct TextPart {
    text: Arc<String>,
    at: Range<usize>,
}

impl TextPart {
    /// Shares `part` if it is a slice of `text` and at least half of it, so that the part never keeps more than twice its
    /// own length in memory; otherwise copies it.
    #[must_use]
    pub fn new(text: &Arc<String>, part: &str) -> Self {
        // A slice begins at the difference of the addresses.
        let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let at = start..start.wrapping_add(part.len());
        match text.get(at.clone()) {
            Some(found) if std::ptr::eq(found, part) && part.len() >= text.len() / 2 => Self {
                text: Arc::clone(text),
                at,
            },
            _ => Self::from(part.to_owned()),
        }
    }

    /// Like [`new`](Self::new), for a slice of this part.
    #[must_use]
    pub fn part(&self, part: &str) -> Self {
        Self::new(&self.text, part)
    }

    /// Returns the text of the part.
    #[must_use]
    pub fn get(&self) -> &str {
        &self.text[self.at.clone()]
    }
}

impl From<String> for TextPart {
    fn from(text: String) -> Self {
        Self {
            at: 0..text.len(),
            text: Arc::new(text),
        }
    }
}

impl fmt::Debug for TextPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_slice_is_shared_and_everything_else_copied() {
        let text = Arc::new("ebb and flow".to_owned());
        let shared = TextPart::new(&text, &text[4..]);
        assert_eq!((shared.get(), Arc::strong_count(&text)), ("and flow", 2));
        let inner = shared.part(&shared.get()[1..7]);
        assert_eq!((inner.get(), Arc::strong_count(&text)), ("nd flo", 3));
        drop(inner);
        for small in [&text[4..7], &text[12..], "and", "", "ebb and flow, twice"] {
            assert_eq!(TextPart::new(&text, small).get(), small);
            assert_eq!(shared.part(small).get(), small);
        }
        assert_eq!(Arc::strong_count(&text), 2);
    }
}
