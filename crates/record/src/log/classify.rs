//! Classification of messages by their first members, for entries without a label.

use sonde_wire::{MessageKind, json};

/// Limit in bytes of the part of a message that is read.
const LIMIT: usize = 64 * 1024;

/// Kind, method and id of a message, read from its members.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Classified {
    pub(super) kind: MessageKind,
    pub(super) method: Option<String>,
    /// JSON-RPC id as JSON text.
    pub(super) id: Option<String>,
}

/// Reads the members of a message up to a limit; `None` if they do not show its kind.
pub(super) fn classify(text: &str) -> Option<Classified> {
    let bytes = &text.as_bytes()[..text.len().min(LIMIT)];
    let Some(found) = json::members(bytes) else {
        let kind = match bytes.trim_ascii_start().first() {
            Some(b'[') => MessageKind::Batch,
            _ => MessageKind::Invalid,
        };
        return Some(Classified {
            kind,
            method: None,
            id: None,
        });
    };
    let (mut method, mut id, mut answer) = (None, None, None);
    for (key, value) in found.members {
        let value = value.and_then(|value| std::str::from_utf8(value).ok());
        match key {
            b"\"result\"" => answer = Some(MessageKind::Response),
            b"\"error\"" => answer = Some(MessageKind::Error),
            b"\"method\"" => method = value.and_then(|value| serde_json::from_str(value).ok()),
            b"\"id\"" => id = value.map(str::to_owned),
            _ => {}
        }
    }
    let kind = match (answer, &method, &id) {
        (Some(answer), ..) => answer,
        (None, Some(_), Some(_)) => MessageKind::Request,
        (None, Some(_), None) if found.whole => MessageKind::Notification,
        (None, None, _) if found.whole => MessageKind::Invalid,
        _ => return None,
    };
    Some(Classified { kind, method, id })
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
