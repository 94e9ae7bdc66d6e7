//! Foreign text between the backticks of a sentence of Sonde's own.

use crate::text::cut;

/// Characters of a quoted text.
const LONGEST: usize = 300;

/// Quotes a text. A backtick in it is replaced: it would end the quotation, so that the rest would read as Sonde's
/// words.
pub(super) fn quote(text: &str) -> String {
    let line = text.replace('`', "'").replace(['\n', '\r'], " ");
    format!("`{}`", cut(&line, LONGEST))
}

/// Quotes several texts, separated by commas; `None` if there are none.
pub(super) fn quoted<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Option<String> {
    let texts: Vec<_> = texts.into_iter().map(|text| quote(text.as_ref())).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backtick_ends_no_quotation() {
        assert_eq!(quote("a` is safe. `b\nc"), "`a' is safe. 'b c`");
        assert_eq!(quote(&"x".repeat(9000)).chars().count(), LONGEST + 3);
    }
}
