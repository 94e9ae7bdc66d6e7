//! Sentences about why a text is not shown as JSON.

use sonde_wire::json::{ScanError, Sink, scan};

/// Returns one plain sentence about why a text is not JSON; `None` for valid JSON.
#[must_use]
pub fn json_problem(text: &str) -> Option<String> {
    scan(text.as_bytes(), &mut Nothing)
        .err()
        .map(|error| sentence(error, text))
}

/// Formats the error as one plain sentence.
pub(super) fn sentence(error: ScanError, text: &str) -> String {
    let (problem, offset) = match error {
        ScanError::Empty => return "This is empty.".to_owned(),
        ScanError::Full => {
            return "This has too many values for a tree and is shown as text.".to_owned();
        }
        ScanError::Syntax { problem, offset } => (problem, offset),
    };
    let before = &text[..text.floor_char_boundary(offset)];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count() + 1;
    format!("This is not valid JSON: {problem} at line {line}, column {column}.")
}

/// A sink that ignores all tokens; only the outcome of the scan matters.
struct Nothing;

impl Sink for Nothing {
    fn open(&mut self, _: usize) {}
    fn close(&mut self, _: usize) {}
    fn key(&mut self, _: usize, _: usize) {}
    fn scalar(&mut self, _: usize, _: usize) {}
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn problem(text: &str) -> String {
        json_problem(text).unwrap()
    }

    #[test]
    fn problems_have_a_place() {
        assert_eq!(
            problem("{\"a\": 1,\n \"é\" 2}"),
            "This is not valid JSON: a colon was expected at line 2, column 6."
        );
        assert_eq!(
            problem("[1 2]"),
            "This is not valid JSON: a comma or ] was expected at line 1, column 4."
        );
        assert_eq!(
            problem("hello"),
            "This is not valid JSON: a value was expected at line 1, column 1."
        );
        assert_eq!(
            problem("{} x"),
            "This is not valid JSON: there is extra text after the value at line 1, column 4."
        );
        assert_eq!(
            problem("[\"abc"),
            "This is not valid JSON: the text ends inside a string at line 1, column 6."
        );
        assert_eq!(problem(" \n"), "This is empty.");
    }

    fn agrees(text: &str) -> bool {
        json_problem(text).is_none() == serde_json::from_str::<&RawValue>(text).is_ok()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn accepts_what_serde_json_accepts(
            text in r#"(\{|\}|\[|\]|,|:|"|"a"|"\\n"|"\\u00e9"|"\\u0g"|\\|true|false|null|nul|-|0|1|12|\.5|e|E\+1| |\n){0,12}"#,
            number in r"-?[0-9]{0,3}(\.[0-9]{0,2})?([eE][+-]?[0-9]{0,2})?",
            string in "\"[a\\\\\"nu0é\u{1}]{0,6}\"",
        ) {
            prop_assert!(agrees(&text), "{text}");
            prop_assert!(agrees(&number), "{number}");
            prop_assert!(agrees(&string), "{string}");
        }
    }
}
