//! Finds the JSON-RPC id of a message that cannot be parsed: either only its beginning and end were kept, or it is not
//! valid JSON.

use crate::json;

/// Bytes kept from the end of a cut message to look for its id.
pub(crate) const TAIL: usize = 4 * 1024;

/// Returns the id of a cut message as JSON text: from its head if the id comes before the large part,
/// else from its tail, where serialisers that write `result` first put it.
pub(crate) fn id(head: &[u8], tail: &[u8]) -> Option<String> {
    id_in_head(head)
        .or_else(|| id_in_tail(tail))
        .map(str::to_owned)
}

/// Returns the id of a message that is not valid JSON, as JSON text, if it is before or after the invalid part.
#[must_use]
pub fn id_of_unreadable(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    id_in_head(bytes).or_else(|| id_in_tail(tail))
}

/// Returns the first `id` member, if its value is a complete string or number.
fn id_in_head(text: &[u8]) -> Option<&str> {
    let found = json::members(text)?;
    let (_, value) = found.members.iter().find(|(key, _)| key == b"\"id\"")?;
    value
        .filter(|value| matches!(value.first(), Some(b'"' | b'-' | b'0'..=b'9')))
        .and_then(as_text)
}

/// Reads the last top-level members backwards: `..., "jsonrpc": "2.0", "id": 7}`.
///
/// Only members whose value is a string without escapes or a number are stepped over: then no
/// text inside a nested value or a string can be mistaken for a member of the message.
fn id_in_tail(text: &[u8]) -> Option<&str> {
    let mut rest = text.trim_ascii_end().strip_suffix(b"}")?;
    loop {
        rest = rest.trim_ascii_end();
        let start = value_start(rest)?;
        let value = &rest[start..];
        rest = rest[..start]
            .trim_ascii_end()
            .strip_suffix(b":")?
            .trim_ascii_end();
        let key = string_start(rest)?;
        if &rest[key..] == b"\"id\"" {
            return as_text(value);
        }
        rest = rest[..key].trim_ascii_end().strip_suffix(b",")?;
    }
}

fn as_text(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok()
}

/// Returns the start of the string or number at the end of `text`.
fn value_start(text: &[u8]) -> Option<usize> {
    if text.ends_with(b"\"") {
        return string_start(text);
    }
    let start = text
        .iter()
        .rposition(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))?
        + 1;
    (start < text.len()).then_some(start)
}

/// Returns the start of the string that ends `text`; `None` if it holds an escape.
fn string_start(text: &[u8]) -> Option<usize> {
    let inner = text.strip_suffix(b"\"")?;
    let start = memchr::memrchr(b'"', inner)?;
    (!inner[start..].contains(&b'\\') && !inner[..start].ends_with(b"\\")).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_before_the_large_part() {
        let head = br#" {"jsonrpc":"2.0","meta":{"id":1,"a":["}",{"id":2}]},"id":"a\"b","result":{"text":"xxxx"#;
        assert_eq!(id(head, b"").as_deref(), Some(r#""a\"b""#));
        assert_eq!(id(br#"{"id": 17, "result": ["#, b"").as_deref(), Some("17"));
    }

    #[test]
    fn id_after_the_large_part() {
        let head = br#"{"result":{"text":"xxxx"#;
        for (tail, expected) in [
            (&br#"xx"},"jsonrpc":"2.0","id":17}"#[..], Some("17")),
            (
                br#"xx"}, "id" : "x-1" , "jsonrpc":"2.0"} "#,
                Some("\"x-1\""),
            ),
            (br#"xx","id":17}}"#, None),
            (br#"xx\",\"id\":17}"#, None),
            (br#"xx"},"key\"id":17}"#, None),
            (br#"xx"},"other":{},"id":null}"#, None),
            (b"17}", None),
            (b"}", None),
            (b"", None),
        ] {
            assert_eq!(
                id(head, tail).as_deref(),
                expected,
                "{}",
                tail.escape_ascii()
            );
        }
    }

    #[test]
    fn the_id_of_a_message_that_is_not_json() {
        for (text, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":4,"result":{"mean":NaN}}"#,
                Some("4"),
            ),
            (
                r#"{"result":{"mean":NaN},"jsonrpc":"2.0","id":4}"#,
                Some("4"),
            ),
            (r#"{"jsonrpc":"2.0","id":4,"resul"#, Some("4")),
            (r#"{"result":{"id":4,"mean":NaN}}"#, None),
            ("Server started", None),
        ] {
            assert_eq!(id_of_unreadable(text), expected, "{text}");
        }
    }

    #[test]
    fn an_id_that_is_cut_or_nested_is_not_taken() {
        for head in [
            &br#"{"result":{"id":1,"text":"xx"#[..],
            br#"{"params":[{"id":1},"#,
            br#"[{"id":1}"#,
            br#"{"id":"abc"#,
            br#"{"id":12"#,
            br#"{"i"#,
            br#"{"a\"#,
            b"",
        ] {
            assert_eq!(id(head, b""), None, "{}", head.escape_ascii());
        }
    }

    proptest::proptest! {
        #[test]
        fn no_input_panics(head: Vec<u8>, tail: Vec<u8>, text in r#"[\{\}\[\]",:\\ id0-9]{0,40}"#) {
            id(&head, &tail);
            id(text.as_bytes(), text.as_bytes());
        }
    }
}
