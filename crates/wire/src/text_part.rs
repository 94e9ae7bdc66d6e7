//! Parts of a text that others hold too.

use std::{fmt, ops::Range, sync::Arc};

/// A part of a shared text, such as one value of a received message. It costs no copy, and keeps the whole text.
#[derive(Clone)]
pub struct TextPart {
    text: Arc<String>,
    at: Range<usize>,
}

impl TextPart {
    /// Returns the part of `text` that is `part`; if `part` is no slice of `text`, a copy of it.
    #[must_use]
    pub fn of(text: &Arc<String>, part: &str) -> Self {
        // A slice begins at the difference of the addresses.
        let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let at = start..start.wrapping_add(part.len());
        match text.get(at.clone()) {
            Some(found) if std::ptr::eq(found, part) => Self {
                text: Arc::clone(text),
                at,
            },
            _ => Self::from(part.to_owned()),
        }
    }

    /// Like [`of`](Self::of), for a part of this part.
    #[must_use]
    pub fn part(&self, part: &str) -> Self {
        Self::of(&self.text, part)
    }

    /// Returns the part.
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
    fn a_slice_is_shared_and_everything_else_copied() {
        let text = Arc::new("ebb and flow".to_owned());
        let shared = TextPart::of(&text, &text[4..7]);
        assert_eq!((shared.get(), Arc::strong_count(&text)), ("and", 2));
        let inner = shared.part(&shared.get()[1..]);
        assert_eq!((inner.get(), Arc::strong_count(&text)), ("nd", 3));
        drop(inner);
        for other in ["and", "", "ebb and flow, twice"] {
            assert_eq!(TextPart::of(&text, other).get(), other);
        }
        assert_eq!(Arc::strong_count(&text), 2);
        assert_eq!(TextPart::of(&text, &text[12..]).get(), "");
    }
}
