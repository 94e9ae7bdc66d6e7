//! One pass over a JSON text, without recursion and without making values.

use crate::ipc::NodeKind;

/// Is told what the text holds, in order.
pub(super) trait Sink {
    /// An object or array begins.
    fn open(&mut self, kind: NodeKind, start: usize);
    /// The innermost one ends; `end` is behind its last byte.
    fn close(&mut self, end: usize);
    /// A key, quotes included. Its value follows.
    fn key(&mut self, start: usize, end: usize);
    /// Any other value.
    fn scalar(&mut self, kind: NodeKind, start: usize, end: usize);
    /// No more fits in.
    fn is_full(&self) -> bool;
}

/// Why and where a text is no JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotJson {
    problem: &'static str,
    /// `None` when no place is to blame.
    offset: Option<usize>,
}

impl NotJson {
    fn at(offset: usize, problem: &'static str) -> Self {
        Self {
            problem,
            offset: Some(offset),
        }
    }

    /// One plain sentence.
    pub(super) fn sentence(&self, text: &str) -> String {
        let Some(offset) = self.offset else {
            return format!("This {}.", self.problem);
        };
        let before = &text[..text.floor_char_boundary(offset)];
        let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..].chars().count() + 1;
        format!(
            "This is no JSON: {} at line {line}, column {column}.",
            self.problem
        )
    }
}

/// Why a text is no JSON, as one plain sentence.
pub(crate) fn json_problem(text: &str) -> Option<String> {
    scan(text, &mut Nothing)
        .err()
        .map(|problem| problem.sentence(text))
}

/// Listens to nothing: what counts is whether the text is JSON.
struct Nothing;

impl Sink for Nothing {
    fn open(&mut self, _: NodeKind, _: usize) {}
    fn close(&mut self, _: usize) {}
    fn key(&mut self, _: usize, _: usize) {}
    fn scalar(&mut self, _: NodeKind, _: usize, _: usize) {}
    fn is_full(&self) -> bool {
        false
    }
}

/// Reads the text as RFC 8259 has it; at the first violation it stops.
pub(super) fn scan(text: &str, sink: &mut impl Sink) -> Result<(), NotJson> {
    let bytes = text.as_bytes();
    // True for objects, false for arrays.
    let mut open: Vec<bool> = Vec::new();
    let mut at = space(bytes, 0);
    if at == bytes.len() {
        return Err(NotJson {
            problem: "is empty",
            offset: None,
        });
    }
    loop {
        if sink.is_full() {
            return Err(NotJson {
                problem: "has too many values for a tree and is shown as text",
                offset: None,
            });
        }
        // Here a value begins.
        let start = at;
        match bytes.get(at) {
            Some(b'{') => {
                sink.open(NodeKind::Object, start);
                at = space(bytes, at + 1);
                if bytes.get(at) == Some(&b'}') {
                    at += 1;
                    sink.close(at);
                } else {
                    open.push(true);
                    at = key(bytes, at, sink)?;
                    continue;
                }
            }
            Some(b'[') => {
                sink.open(NodeKind::Array, start);
                at = space(bytes, at + 1);
                if bytes.get(at) == Some(&b']') {
                    at += 1;
                    sink.close(at);
                } else {
                    open.push(false);
                    continue;
                }
            }
            Some(b'"') => {
                at = string(bytes, at)?;
                sink.scalar(NodeKind::String, start, at);
            }
            Some(b'-' | b'0'..=b'9') => {
                at = number(bytes, at)?;
                sink.scalar(NodeKind::Number, start, at);
            }
            Some(b't') => {
                at = word(bytes, at, b"true")?;
                sink.scalar(NodeKind::Boolean, start, at);
            }
            Some(b'f') => {
                at = word(bytes, at, b"false")?;
                sink.scalar(NodeKind::Boolean, start, at);
            }
            Some(b'n') => {
                at = word(bytes, at, b"null")?;
                sink.scalar(NodeKind::Null, start, at);
            }
            Some(_) => return Err(NotJson::at(at, "a value was expected")),
            None => return Err(NotJson::at(at, "it ends where a value was expected")),
        }
        // Here a value ended.
        loop {
            at = space(bytes, at);
            match (open.last(), bytes.get(at)) {
                (None, None) => return Ok(()),
                (None, Some(_)) => return Err(NotJson::at(at, "there is more after the value")),
                (Some(true), Some(b',')) => {
                    at = key(bytes, space(bytes, at + 1), sink)?;
                    break;
                }
                (Some(false), Some(b',')) => {
                    at = space(bytes, at + 1);
                    break;
                }
                (Some(true), Some(b'}')) | (Some(false), Some(b']')) => {
                    at += 1;
                    open.pop();
                    sink.close(at);
                }
                (Some(true), Some(_)) => return Err(NotJson::at(at, "a comma or } was expected")),
                (Some(false), Some(_)) => return Err(NotJson::at(at, "a comma or ] was expected")),
                (Some(_), None) => {
                    return Err(NotJson::at(at, "it ends inside of an object or array"));
                }
            }
        }
    }
}

fn space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Reads `"key" :` and says where the value begins.
fn key(bytes: &[u8], start: usize, sink: &mut impl Sink) -> Result<usize, NotJson> {
    if bytes.get(start) != Some(&b'"') {
        return Err(NotJson::at(start, "a key in quotes was expected"));
    }
    let end = string(bytes, start)?;
    sink.key(start, end);
    let colon = space(bytes, end);
    if bytes.get(colon) != Some(&b':') {
        return Err(NotJson::at(colon, "a colon was expected"));
    }
    Ok(space(bytes, colon + 1))
}

/// Where the string that begins at `start` ends.
pub(super) fn string(bytes: &[u8], start: usize) -> Result<usize, NotJson> {
    let mut at = start + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = memchr::memchr2(b'"', b'\\', rest);
        let part = &rest[..length.unwrap_or(rest.len())];
        // Counting looks at all bytes, which compilers make fast; searching would stop early.
        if part.iter().filter(|byte| **byte < 0x20).count() > 0 {
            let bad = part.iter().position(|byte| *byte < 0x20).unwrap_or(0);
            return Err(NotJson::at(
                at + bad,
                "a control character inside of a string",
            ));
        }
        at += part.len();
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(_) => at = escape(bytes, at)?,
            None => return Err(NotJson::at(at, "it ends inside of a string")),
        }
    }
}

/// Where the escape that begins at `start` ends.
fn escape(bytes: &[u8], start: usize) -> Result<usize, NotJson> {
    match bytes.get(start + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(start + 2),
        Some(b'u')
            if bytes
                .get(start + 2..start + 6)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) =>
        {
            Ok(start + 6)
        }
        _ => Err(NotJson::at(start, "an unknown escape inside of a string")),
    }
}

/// Where the number that begins at `start` ends.
fn number(bytes: &[u8], start: usize) -> Result<usize, NotJson> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let bad = |at| NotJson::at(at, "a digit was expected");
    let mut at = start + usize::from(bytes[start] == b'-');
    match bytes.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at = digits(at),
        _ => return Err(bad(at)),
    }
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return Err(bad(end));
        }
        at = end;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end == at + 1 + sign {
            return Err(bad(end));
        }
        at = end;
    }
    Ok(at)
}

fn word(bytes: &[u8], start: usize, word: &[u8]) -> Result<usize, NotJson> {
    if bytes[start..].starts_with(word) {
        Ok(start + word.len())
    } else {
        Err(NotJson::at(start, "a value was expected"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn problem(text: &str) -> String {
        scan(text, &mut Nothing).unwrap_err().sentence(text)
    }

    #[test]
    fn problems_have_a_place() {
        assert_eq!(
            problem("{\"a\": 1,\n \"é\" 2}"),
            "This is no JSON: a colon was expected at line 2, column 6."
        );
        assert_eq!(
            problem("[1 2]"),
            "This is no JSON: a comma or ] was expected at line 1, column 4."
        );
        assert_eq!(
            problem("hello"),
            "This is no JSON: a value was expected at line 1, column 1."
        );
        assert_eq!(
            problem("{} x"),
            "This is no JSON: there is more after the value at line 1, column 4."
        );
        assert_eq!(
            problem("[\"abc"),
            "This is no JSON: it ends inside of a string at line 1, column 6."
        );
        assert_eq!(problem(" \n"), "This is empty.");
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(scan(&deep, &mut Nothing), Ok(()));
        assert!(scan(&deep[1..], &mut Nothing).is_err());
        let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        assert_eq!(scan(&deep, &mut Nothing), Ok(()));
    }

    fn agrees(text: &str) -> bool {
        scan(text, &mut Nothing).is_ok() == serde_json::from_str::<&RawValue>(text).is_ok()
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
