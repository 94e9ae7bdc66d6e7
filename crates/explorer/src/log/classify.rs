//! What a message is, as far as its first members tell, for entries that nobody labelled yet.

use sonde_wire::MessageKind;

/// How much of a message is looked at.
const LIMIT: usize = 64 * 1024;

/// What the members of a message say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Classified {
    pub(super) kind: MessageKind,
    pub(super) method: Option<String>,
    /// As JSON text.
    pub(super) id: Option<String>,
}

/// Reads the members of the message up to a limit; `None` when that does not tell what it is.
pub(super) fn classify(text: &str) -> Option<Classified> {
    let bytes = text.as_bytes();
    let mut at = skip_space(bytes, 0);
    let invalid = Classified {
        kind: MessageKind::Invalid,
        method: None,
        id: None,
    };
    match bytes.get(at) {
        Some(b'{') => at += 1,
        Some(b'[') => {
            return Some(Classified {
                kind: MessageKind::Batch,
                ..invalid
            });
        }
        _ => return Some(invalid),
    }
    let (mut method, mut id, mut answer) = (None, None, None);
    let mut whole = false;
    while at < LIMIT {
        at = skip_space(bytes, at);
        if bytes.get(at) == Some(&b'}') {
            whole = true;
            break;
        }
        let Some(key_end) = value_end(bytes, at) else {
            break;
        };
        let key = &text[at..key_end];
        at = skip_space(bytes, key_end);
        if bytes.get(at) != Some(&b':') {
            break;
        }
        let start = skip_space(bytes, at + 1);
        match key {
            "\"result\"" => answer = Some(MessageKind::Response),
            "\"error\"" => answer = Some(MessageKind::Error),
            _ => {}
        }
        let Some(end) = value_end(bytes, start) else {
            break;
        };
        match key {
            "\"method\"" => method = serde_json::from_str::<String>(&text[start..end]).ok(),
            "\"id\"" => id = Some(text[start..end].to_owned()),
            _ => {}
        }
        at = skip_space(bytes, end);
        match bytes.get(at) {
            Some(b',') => at += 1,
            Some(b'}') => {
                whole = true;
                break;
            }
            _ => break,
        }
    }
    let kind = match (answer, &method, &id) {
        (Some(answer), ..) => answer,
        (None, Some(_), Some(_)) => MessageKind::Request,
        (None, Some(_), None) if whole => MessageKind::Notification,
        (None, None, _) if whole => MessageKind::Invalid,
        _ => return None,
    };
    Some(Classified { kind, method, id })
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Where the value that begins at `start` ends; `None` when that is behind the limit.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at += 1;
                loop {
                    at +=
                        memchr::memchr2(b'"', b'\\', bytes.get(at..bytes.len().min(at + LIMIT))?)?;
                    if bytes[at] == b'"' {
                        break;
                    }
                    at += 2;
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b',' | b':' if depth == 0 => return None,
            _ if depth == 0 => {
                let length = bytes[at..]
                    .iter()
                    .position(|byte| b",:]} \t\r\n\"".contains(byte))?;
                return Some(at + length);
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
        if at > start + LIMIT {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (MessageKind, Option<String>, Option<String>) {
        let classified = classify(text).unwrap_or_else(|| panic!("{text}"));
        (classified.kind, classified.method, classified.id)
    }

    #[test]
    fn the_members_tell_the_kind() {
        let some = |text: &str| Some(text.to_owned());
        for (text, expected) in [
            (
                r#" {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
                (MessageKind::Request, some("ping"), some("1")),
            ),
            (
                r#"{"method":"a\/b" , "params":{"id":[1,{"x":"}"}]}}"#,
                (MessageKind::Notification, some("a/b"), None),
            ),
            (
                r#"{"id":"x\"y","result":{}}"#,
                (MessageKind::Response, None, some(r#""x\"y""#)),
            ),
            (
                r#"{"error":{"code":1},"id":null}"#,
                (MessageKind::Error, None, some("null")),
            ),
            ("[{}]", (MessageKind::Batch, None, None)),
            ("{}", (MessageKind::Invalid, None, None)),
            ("7", (MessageKind::Invalid, None, None)),
            ("", (MessageKind::Invalid, None, None)),
            (r#"{"id":1}"#, (MessageKind::Invalid, None, some("1"))),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn a_large_result_tells_the_kind_but_not_what_follows() {
        let text = format!(r#"{{"result":"{}","id":1}}"#, "x".repeat(2 * LIMIT));
        assert_eq!(parts(&text), (MessageKind::Response, None, None));
        let text = format!(r#"{{"params":"{}","method":"x"}}"#, "x".repeat(2 * LIMIT));
        assert_eq!(classify(&text), None);
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in r#"[\{\}\[\]",:\\ aä\n1]{0,40}"#) {
            classify(&text);
        }
    }
}
